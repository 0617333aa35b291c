/* Kernel values from inner products, and inner products of short vectors, a tile at a time.

   Plain loops that compilers vectorize. This file is included by kernel_tiles.h once for each
   precision: REAL is the type, INT the integer of its size, F(name) the name of a function, and
   EXP_... the constants of its exponential function.
*/

/* exp(x) for x <= 0, to about one unit in the last place; at least the smallest normal number.
   x = n log 2 + r with |r| <= log(2) / 2; adding EXP_MAGIC rounds to n and leaves n in the low
   bits, from where a shift moves it into the exponent. */
static inline REAL F(exp_negative)(REAL x)
{
    REAL shifted, n, r, p;
    INT bits, exponent;
    x = x < EXP_LEAST ? EXP_LEAST : x;
    shifted = x * EXP_LOG2E + EXP_MAGIC;
    n = shifted - EXP_MAGIC;
    r = x - n * EXP_LN2_HIGH;
    r = r - n * EXP_LN2_LOW;
    p = EXP_SERIES(r);
    memcpy(&exponent, &shifted, sizeof shifted);
    memcpy(&bits, &p, sizeof p);
    bits = (INT)((UINT)bits + ((UINT)exponent << EXP_SHIFT));
    memcpy(&p, &bits, sizeof p);
    return p;
}

/* out[j] = exp(-gamma ||x_j - x_p||^2) from products[j] = <x_j, x_p> and the squared lengths. */
MCBENCH_CLONES
static void F(gaussian)(const REAL *RESTRICT products, REAL *RESTRICT out,
                        const REAL *RESTRICT norms, REAL norm_p, REAL gamma, ptrdiff_t m)
{
    ptrdiff_t j;
    for (j = 0; j < m; j++) {
        REAL squared = norms[j] + norm_p - 2 * products[j];
        squared = squared > 0 ? squared : 0;
        out[j] = F(exp_negative)(-gamma * squared);
    }
}

/* out[j] = (gamma <x_j, x_p> + coef0)^degree. */
MCBENCH_CLONES
static void F(polynomial)(const REAL *RESTRICT products, REAL *RESTRICT out, REAL gamma,
                          REAL coef0, double degree, ptrdiff_t m)
{
    ptrdiff_t j;
    int power = degree <= 8 && degree == (int)degree ? (int)degree : -1, t;
    if (power < 0) {
        for (j = 0; j < m; j++)
            out[j] = (REAL)pow(gamma * products[j] + coef0, degree);
        return;
    }
    for (j = 0; j < m; j++)
        out[j] = 1;
    for (t = 0; t < power; t++)
        for (j = 0; j < m; j++)
            out[j] *= gamma * products[j] + coef0;
}

/* The inner products of four examples (rows of A, d long) with m others, which are given feature by
   feature: X[f * stride + j]. For short vectors this beats a general matrix product. m is a multiple
   of SHORT_COLUMNS. */
MCBENCH_CLONES
static void F(short_products)(const REAL *RESTRICT A, const REAL *RESTRICT X, ptrdiff_t stride,
                              ptrdiff_t d, ptrdiff_t m, REAL *RESTRICT out)
{
    ptrdiff_t j, f;
    for (j = 0; j < m; j += 2 * F(LANES)) {
        F(vector) s00 = {0}, s01 = {0}, s10 = {0}, s11 = {0}, s20 = {0}, s21 = {0}, s30 = {0},
                  s31 = {0};
        const REAL *x = X + j;
        for (f = 0; f < d; f++, x += stride) {
            F(vector) x0 = *(const F(vector) *)x, x1 = *(const F(vector) *)(x + F(LANES));
            REAL a0 = A[f], a1 = A[d + f], a2 = A[2 * d + f], a3 = A[3 * d + f];
            s00 += a0 * x0;
            s01 += a0 * x1;
            s10 += a1 * x0;
            s11 += a1 * x1;
            s20 += a2 * x0;
            s21 += a2 * x1;
            s30 += a3 * x0;
            s31 += a3 * x1;
        }
        *(F(vector) *)(out + j) = s00;
        *(F(vector) *)(out + j + F(LANES)) = s01;
        *(F(vector) *)(out + m + j) = s10;
        *(F(vector) *)(out + m + j + F(LANES)) = s11;
        *(F(vector) *)(out + 2 * m + j) = s20;
        *(F(vector) *)(out + 2 * m + j + F(LANES)) = s21;
        *(F(vector) *)(out + 3 * m + j) = s30;
        *(F(vector) *)(out + 3 * m + j + F(LANES)) = s31;
    }
}
