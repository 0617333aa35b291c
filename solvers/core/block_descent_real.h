/* The vectorized passes of block_descent.pyx over the examples of a block, in one precision: REAL and
   F(name) are defined where it is included. Scores are laid out class by class, g[r * q + i]. */

/* hi[i] = max_r (g_ir - up_ir) and lo[i] = min_r (g_ir + down_ir): a penalty is 0, or huge where the
   coefficient cannot go up (down) any more. */
MCBENCH_CLONES
static void F(extremes)(const REAL *RESTRICT g, const REAL *RESTRICT up, const REAL *RESTRICT down,
                        ptrdiff_t q, ptrdiff_t k, REAL *RESTRICT hi, REAL *RESTRICT lo)
{
    ptrdiff_t i, r;
    for (i = 0; i < q; i++) {
        hi[i] = g[i] - up[i];
        lo[i] = g[i] + down[i];
    }
    for (r = 1; r < k; r++) {
        const REAL *g_r = g + r * q, *up_r = up + r * q, *down_r = down + r * q;
        for (i = 0; i < q; i++) {
            REAL above = g_r[i] - up_r[i], below = g_r[i] + down_r[i];
            hi[i] = above > hi[i] ? above : hi[i];
            lo[i] = below < lo[i] ? below : lo[i];
        }
    }
}

/* g[i] += step row[i] for the examples of the block, one class. */
MCBENCH_CLONES
static void F(add_row)(REAL *RESTRICT g, const REAL *RESTRICT row, REAL step, ptrdiff_t q)
{
    ptrdiff_t i;
    for (i = 0; i < q; i++)
        g[i] += step * row[i];
}
