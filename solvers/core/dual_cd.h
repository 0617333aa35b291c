/* Dual coordinate descent for the linear machine of Crammer & Singer: visits of examples.

Solves   max D(a) = sum_i a_{i,y_i} - 1/2 sum_r ||w_r||^2   with w_r = sum_i a_ir x_i
         s.t. a_ir <= C [r = y_i],  sum_r a_ir = 0,

over the k coefficients of one example at a time, exactly, and keeps the weights up to date. With
A = ||x||^2, g_r = <w_r, x> - [r = y] and d = g - A a the solution for one example is

    a_r = -(d_r - theta)_+ / A  for r != y,    sum_{r != y} (d_r - theta)_+ = min(A C, theta - d_y),

the projection of `reduced_problem`, multiplied by A so that small A divide nothing.

For the multi-prototype machine (AS05 eq. 11) prototypes are in the place of the classes, and y_i is
the one that the example is assigned to. The others of its class are barred to it: their margin is
infinite, so that their g is -infinity, never above theta, and their a stays 0.
*/

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>

#include "simd.h"

typedef uint64_t Bits __attribute__((may_alias)); /* of doubles */

#define REAL float
#define SUFFIX _f
#include "dual_cd_product.h"
#undef REAL
#undef SUFFIX
#define REAL double
#define SUFFIX _d
#include "dual_cd_product.h"
#undef REAL
#undef SUFFIX

#define TINY 1e-300 /* of which the inverse is a number still */
#define INLINE static inline __attribute__((always_inline))

typedef double Doubles __attribute__((vector_size(64), aligned(64)));
typedef int64_t Flags __attribute__((vector_size(64), aligned(64)));
#define EACH_VECTOR(v, width) for (ptrdiff_t v = 0; v < (width) / 8; v++)

typedef struct {
    ptrdiff_t width;         /* classes, padded: the length of a row of W and of a */
    double C;
    const int64_t* start;    /* n + 1: where each example begins */
    const int32_t* column;   /* its features, or NULL where all are stored */
    const double* x;         /* its values ... */
    const float* x_single;   /* ... and in single precision: what is used where it is given */
    const double* A;         /* n squared lengths */
    const ptrdiff_t* y;
    const ptrdiff_t* first;  /* of each y, the range of those that are barred, y itself included */
    const ptrdiff_t* end;
    double* W;               /* features x width */
    float* W_single;
    double* a;               /* n x width */
    double* margin;          /* width: 0, and in the padding infinity */
    double *g, *d, *delta;   /* scratch, width each */
} Machine;

INLINE Doubles where(Flags chosen, Doubles v) { return (Doubles)((Flags)v & chosen); }
INLINE Doubles larger(Doubles u, Doubles v)
{
    const Flags first = u > v;
    return (Doubles)(((Flags)u & first) | ((Flags)v & ~first));
}
INLINE double larger_of(double u, double v) { return u > v ? u : v; }
INLINE double largest_of(Doubles v)
{
    return larger_of(
        larger_of(larger_of(v[0], v[4]), larger_of(v[1], v[5])),
        larger_of(larger_of(v[2], v[6]), larger_of(v[3], v[7])));
}
INLINE double sum_of(Doubles v)
{
    return ((v[0] + v[4]) + (v[1] + v[5])) + ((v[2] + v[6]) + (v[3] + v[7]));
}

/* psi = max_r g_r - min {g_r : a_r < C [r = y]}, and the size of the scores. */
INLINE double violation(const Machine* s, const double* coefficients, ptrdiff_t y, double* size)
{
    const Doubles* g = (const Doubles*)s->g;
    const Doubles* a = (const Doubles*)coefficients;
    const Doubles zero = {0}, none = zero - HUGE_VAL;
    Doubles highest = none, lowest = none;
    double top, low;
    EACH_VECTOR(v, s->width) {
        const Flags inside = a[v] < zero;
        highest = larger(highest, g[v]);
        lowest = larger(lowest, (Doubles)(((Flags)(-g[v]) & inside) | ((Flags)none & ~inside)));
    }
    top = largest_of(highest);
    low = -largest_of(lowest);
    if (coefficients[y] < s->C && s->g[y] < low)
        low = s->g[y];
    *size = larger_of(fabs(top), fabs(low));
    return top - low;
}

/* The new coefficients of an example, in place, and the step into s->delta.

A = 0 leaves a vertex: a_y = C, and -C on the wrong class of the largest g (the first of equals). */
INLINE void solve(const Machine* s, double* coefficients, double A, ptrdiff_t y)
{
    const ptrdiff_t width = s->width;
    const double C = s->C, AC = A * C, own = s->g[y] - A * coefficients[y];
    const Doubles* g = (const Doubles*)s->g;
    Doubles* a = (Doubles*)coefficients;
    Doubles* d = (Doubles*)s->d;
    Doubles* delta = (Doubles*)s->delta;
    const Doubles zero = {0};
    Doubles highest = zero - HUGE_VAL, total = zero, sums = zero;
    double top, theta, excess, scale, a_own, old_own = coefficients[y];
    int full;
    coefficients[y] = HUGE_VAL; /* leaves y out of what follows */
    EACH_VECTOR(v, width) {
        d[v] = g[v] - A * a[v];
        highest = larger(highest, d[v]);
    }
    top = largest_of(highest);

    /* Any set of classes solved alone gives a theta that is too small, or right; from there on
       the classes below theta are dropped again and again (`reduced_problem.Exact`). */
    theta = larger_of(0.5 * (top + own), top - AC);
    for (double before = -1.0;;) {
        const int inside = own + AC > theta;
        double n, next;
        Doubles counts = zero;
        sums = zero;
        EACH_VECTOR(v, width) {
            const Flags above = d[v] > zero + theta;
            counts += where(above, zero + 1.0);
            sums += where(above, d[v]);
        }
        n = sum_of(counts) + inside;
        if (n == before || n == 0.0)
            break;
        next = (sum_of(sums) + (inside ? own : -AC)) / n;
        if (!(next > theta))
            break;
        theta = next;
        before = n;
    }

    EACH_VECTOR(v, width) {
        d[v] = where(d[v] > zero + theta, d[v] - theta);
        total += d[v];
    }
    excess = sum_of(total);
    full = own + AC <= theta || excess >= AC;
    if (full && excess <= 0.0) { /* A C is nothing beside d: a vertex */
        ptrdiff_t worst = y == 0;
        for (ptrdiff_t r = 0; r < width; r++)
            if (r != y && s->g[r] - A * coefficients[r] > s->g[worst] - A * coefficients[worst])
                worst = r;
        s->d[worst] = excess = 1.0;
    }
    scale = full ? C / excess : 1.0 / A;
    sums = zero;
    EACH_VECTOR(v, width) {
        const Doubles value = scale * d[v];
        delta[v] = -value - a[v];
        a[v] = zero - value;
        sums += value;
    }
    a_own = full ? C : sum_of(sums);
    s->delta[y] = a_own - old_own;
    coefficients[y] = a_own;
}

/* The nearest coefficients to each row of P, in place, among those that are 0 where P is infinite
   (at C for a_y): the solution for A = 1, g = -P. */
MCBENCH_CLONES static void project(
    const Machine* s, const ptrdiff_t* list, ptrdiff_t m, double* P)
{
    for (ptrdiff_t q = 0; q < m; q++) {
        double* a = P + q * s->width;
        for (ptrdiff_t r = 0; r < s->width; r++) {
            s->g[r] = -a[r];
            a[r] = 0.0;
        }
        solve(s, a, 1.0, s->y[list[q]]);
    }
}

/* Bring an example that is visited soon into the cache; the hardware sees where it goes on. */
INLINE void prefetch(const Machine* s, ptrdiff_t i)
{
    const int64_t first = s->start[i], end = s->start[i + 1];
    const char* a = (const char*)(s->a + i * s->width);
    for (ptrdiff_t byte = 0; byte < 8 * s->width && byte < 1024; byte += 64)
        __builtin_prefetch(a + byte);
    for (int64_t f = first; f < end && f < first + 128; f += 16) {
        if (s->x_single)
            __builtin_prefetch(s->x_single + f);
        else
            __builtin_prefetch(s->x + f);
        if (s->column)
            __builtin_prefetch(s->column + f);
    }
}

/* Bring the weights up to date with the step `delta` of an example. */
INLINE void add_step(const Machine* s, ptrdiff_t i)
{
    const int64_t first = s->start[i], count = s->start[i + 1] - first;
    const int32_t* column = s->column ? s->column + first : NULL;
    if (s->x_single)
        add_f(s->W_single, s->width, column, s->x_single + first, count, s->delta);
    else
        add_d(s->W, s->width, column, s->x + first, count, s->delta);
}

/* Visit the m examples in `list`; those violated by more than `least` take a step.

In: noise, the rounding of a score beside its size. Out: moved[i], whether example i took a step;
violations[0], the largest, [1] the largest that was stepped on, and the size of scores in [2].
Returns the number of steps. */
MCBENCH_CLONES static ptrdiff_t visit(
    const Machine* s, const ptrdiff_t* list, ptrdiff_t m, double least, double noise,
    int8_t* moved, double* violations)
{
    ptrdiff_t n_steps = 0;
    for (ptrdiff_t q = 0; q < m; q++) {
        const ptrdiff_t i = list[q], y = s->y[i];
        const int64_t first = s->start[i], count = s->start[i + 1] - first;
        const int32_t* column = s->column ? s->column + first : NULL;
        double *a = s->a + i * s->width, psi, size;
        if (q + 2 < m)
            prefetch(s, list[q + 2]);
        for (ptrdiff_t r = s->first[y]; r < s->end[y]; r++)
            s->margin[r] = HUGE_VAL;
        s->margin[y] = 1.0;
        if (s->x_single)
            scores_f(s->W_single, s->width, column, s->x_single + first, count, s->margin, s->g);
        else
            scores_d(s->W, s->width, column, s->x + first, count, s->margin, s->g);
        for (ptrdiff_t r = s->first[y]; r < s->end[y]; r++)
            s->margin[r] = 0.0;
        psi = violation(s, a, y, &size);
        size += s->A[i] * a[y];
        violations[0] = larger_of(psi, violations[0]);
        violations[2] = larger_of(size, violations[2]);
        moved[i] = psi > least && psi > noise * size;
        if (!moved[i])
            continue;
        violations[1] = larger_of(psi, violations[1]);
        n_steps++;
        solve(s, a, s->A[i] < TINY ? 0.0 : s->A[i], y);
        add_step(s, i);
    }
    return n_steps;
}

/* Put the coefficients of the m examples in `list` to 0, and take them out of the weights. */
MCBENCH_CLONES static void drop(const Machine* s, const ptrdiff_t* list, ptrdiff_t m)
{
    for (ptrdiff_t q = 0; q < m; q++) {
        double* a = s->a + list[q] * s->width;
        for (ptrdiff_t r = 0; r < s->width; r++) {
            s->delta[r] = -a[r];
            a[r] = 0.0;
        }
        add_step(s, list[q]);
    }
}
