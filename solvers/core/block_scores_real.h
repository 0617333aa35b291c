/* The sums of block_scores.h in one precision: REAL and F(name) are defined where it is included. */

/* sums[i] += sum_t weights[t] columns[t][offset + i] for the TILE examples i = 0 .. TILE - 1. */
MCBENCH_CLONES
static void F(add_columns)(const REAL *const *RESTRICT columns, const REAL *RESTRICT weights,
                           ptrdiff_t n_columns, ptrdiff_t offset, REAL *RESTRICT sums)
{
    ptrdiff_t i, t;
    for (i = 0; i < TILE; i += 4 * LANES) {
        F(vector) *to = (F(vector) *)(sums + i);
        F(vector) s0 = to[0], s1 = to[1], s2 = to[2], s3 = to[3];
        for (t = 0; t < n_columns; t++) {
            const F(vector) *column = (const F(vector) *)(columns[t] + offset + i);
            REAL weight = weights[t];
            s0 += weight * column[0];
            s1 += weight * column[1];
            s2 += weight * column[2];
            s3 += weight * column[3];
        }
        to[0] = s0;
        to[1] = s1;
        to[2] = s2;
        to[3] = s3;
    }
}

/* The same for fewer examples than a tile has. */
static void F(add_columns_ends)(const REAL *const *RESTRICT columns, const REAL *RESTRICT weights,
                                ptrdiff_t n_columns, ptrdiff_t offset, ptrdiff_t m,
                                REAL *RESTRICT sums)
{
    ptrdiff_t i, t;
    for (t = 0; t < n_columns; t++)
        for (i = 0; i < m; i++)
            sums[i] += weights[t] * columns[t][offset + i];
}

/* scores[i] += sums[i] */
MCBENCH_CLONES
static void F(add_sums)(const REAL *RESTRICT sums, ptrdiff_t m, double *RESTRICT scores)
{
    ptrdiff_t i;
    for (i = 0; i < m; i++)
        scores[i] += sums[i];
}

/* Ask for the parts of some columns that come next, so that they are near when they are summed. */
static void F(fetch)(const REAL *const *columns, ptrdiff_t n_columns, ptrdiff_t offset)
{
#ifdef __GNUC__
    ptrdiff_t i, t;
    for (t = 0; t < n_columns; t++)
        for (i = 0; i < TILE; i += LANES)
            __builtin_prefetch(columns[t] + offset + i);
#endif
}
