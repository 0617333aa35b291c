/* Products of one example and the weights, in the precision REAL; included once for each.

The weights are feature-major: row f holds the weights of all classes for feature f, padded with
zeros to `width` numbers, a multiple of 16. A row times a number is then whole vectors, for dense
and for sparse examples alike. (GCC's vector types; what the processor lacks is done in parts.)
*/

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define NAME(name) JOIN(name, SUFFIX)
#define LANES ((ptrdiff_t)(64 / sizeof(REAL)))
#define VECTOR NAME(vector)
#define DOUBLES NAME(doubles)

typedef REAL VECTOR __attribute__((vector_size(64), aligned(64)));
typedef double DOUBLES __attribute__((vector_size(64 / sizeof(REAL) * 8), aligned(8), may_alias));

/* The row of the f-th stored feature; without column numbers all features are stored. */
#define ROW(f) (w + (column ? (ptrdiff_t)column[f] : (f)) * width)
#define LOAD(p) (*(const VECTOR*)(p))

/* g = sum_f x_f W[f] - margin for all classes. */
static inline __attribute__((always_inline)) void NAME(scores)(
    const REAL* W, ptrdiff_t width, const int32_t* column, const REAL* x, ptrdiff_t m,
    const double* margin, double* g)
{
    for (ptrdiff_t c = 0; c < width; c += LANES) {
        const REAL* w = W + c;
        VECTOR s0 = {0}, s1 = {0}, s2 = {0}, s3 = {0}; /* several, for their latencies to overlap */
        ptrdiff_t f = 0;
        for (; f + 4 <= m; f += 4) {
            s0 += x[f] * LOAD(ROW(f));
            s1 += x[f + 1] * LOAD(ROW(f + 1));
            s2 += x[f + 2] * LOAD(ROW(f + 2));
            s3 += x[f + 3] * LOAD(ROW(f + 3));
        }
        for (; f < m; f++)
            s0 += x[f] * LOAD(ROW(f));
        s0 = (s0 + s1) + (s2 + s3);
        *(DOUBLES*)(g + c) =
            __builtin_convertvector(s0, DOUBLES) - *(const DOUBLES*)(margin + c);
    }
}

/* W[f] += x_f delta for all features, where a class of the vector moved. */
static inline __attribute__((always_inline)) void NAME(add)(
    REAL* W, ptrdiff_t width, const int32_t* column, const REAL* x, ptrdiff_t m,
    const double* delta)
{
    for (ptrdiff_t c = 0; c < width; c += LANES) {
        REAL* w = W + c;
        VECTOR step;
        uint64_t bits = 0;
        for (ptrdiff_t j = 0; j < LANES; j++)
            bits |= ((const Bits*)delta)[c + j] << 1; /* without the sign: 0 may have one */
        if (!bits)
            continue;
        step = __builtin_convertvector(*(const DOUBLES*)(delta + c), VECTOR);
        for (ptrdiff_t f = 0; f < m; f++)
            *(VECTOR*)ROW(f) = LOAD(ROW(f)) + x[f] * step;
    }
}

/* V += sum_q x_{list[q]} P[q] (features x width). */
MCBENCH_CLONES static void NAME(combine)(
    const int64_t* start, const int32_t* column, const REAL* x, ptrdiff_t width,
    const ptrdiff_t* list, ptrdiff_t m, const double* P, REAL* V)
{
    for (ptrdiff_t q = 0; q < m; q++) {
        const int64_t first = start[list[q]], count = start[list[q] + 1] - first;
        NAME(add)(V, width, column ? column + first : NULL, x + first, count, P + q * width);
    }
}

/* F[q] = <V, x_{list[q]}> - margin for all classes. */
MCBENCH_CLONES static void NAME(evaluate)(
    const int64_t* start, const int32_t* column, const REAL* x, ptrdiff_t width,
    const ptrdiff_t* list, ptrdiff_t m, const double* margin, const REAL* V, double* F)
{
    for (ptrdiff_t q = 0; q < m; q++) {
        const int64_t first = start[list[q]], count = start[list[q] + 1] - first;
        NAME(scores)(
            V, width, column ? column + first : NULL, x + first, count, margin, F + q * width);
    }
}

#undef JOIN_
#undef JOIN
#undef NAME
#undef LANES
#undef VECTOR
#undef DOUBLES
#undef ROW
#undef LOAD
