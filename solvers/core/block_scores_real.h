/* The sums of block_scores.h in one precision: REAL and F(name) are defined where it is included. */

/* The sums over chosen columns of the kernel, for the examples 0 .. m - 1 of one class:
   scores[i] += sum_t weights[t] columns[t][offset + i]. Sums of one call are kept in REAL, scores in
   double: what is rounded is small when the steps are. */
MCBENCH_CLONES
static void F(add_columns)(const REAL *const *RESTRICT columns, const REAL *RESTRICT weights,
                           ptrdiff_t n_columns, ptrdiff_t offset, ptrdiff_t m,
                           double *RESTRICT scores)
{
    ptrdiff_t i, t;
    int w;
    for (i = 0; i + 4 * F(LANES) <= m; i += 4 * F(LANES)) {
        F(vector) s0 = {0}, s1 = {0}, s2 = {0}, s3 = {0};
        REAL sums[4 * F(LANES)];
        for (t = 0; t < n_columns; t++) {
            const F(vector) *column = (const F(vector) *)(columns[t] + offset + i);
            REAL weight = weights[t];
            s0 += weight * column[0];
            s1 += weight * column[1];
            s2 += weight * column[2];
            s3 += weight * column[3];
        }
        memcpy(sums, &s0, sizeof s0);
        memcpy(sums + F(LANES), &s1, sizeof s1);
        memcpy(sums + 2 * F(LANES), &s2, sizeof s2);
        memcpy(sums + 3 * F(LANES), &s3, sizeof s3);
        for (w = 0; w < 4 * F(LANES); w++)
            scores[i + w] += sums[w];
    }
    for (; i < m; i++) {
        REAL sum = 0;
        for (t = 0; t < n_columns; t++)
            sum += weights[t] * columns[t][offset + i];
        scores[i] += sum;
    }
}
