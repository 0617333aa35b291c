/* The vectorized passes of block_descent.pyx over the examples of a block, in one precision: REAL and
   F(name) are defined where it is included. Scores are laid out class by class, g[r * q + i]. */

/* The extremes hi[i] = max_r (g_ir - up_ir) and lo[i] = min_r (g_ir + down_ir): a penalty is 0, or huge
   where the coefficient cannot go up (down) any more. From them the violations psi, with own[i] =
   g_{i, y_i} where each coefficient has its bound. Returns the largest. */
MCBENCH_CLONES
static REAL F(scan)(const REAL *RESTRICT g, const REAL *RESTRICT up, const REAL *RESTRICT down,
                    const REAL *RESTRICT own, int boxes, ptrdiff_t q, ptrdiff_t k, REAL *RESTRICT psi,
                    REAL *RESTRICT lo)
{
    ptrdiff_t i, r;
    REAL worst = 0;
    if (boxes) {
        for (i = 0; i < q; i++) {
            psi[i] = g[i] - up[i];
            lo[i] = g[i] + down[i];
        }
        for (r = 1; r < k; r++) {
            const REAL *g_r = g + r * q, *up_r = up + r * q, *down_r = down + r * q;
            for (i = 0; i < q; i++) {
                REAL above = g_r[i] - up_r[i], below = g_r[i] + down_r[i];
                psi[i] = above > psi[i] ? above : psi[i];
                lo[i] = below < lo[i] ? below : lo[i];
            }
        }
        for (i = 0; i < q; i++) {
            REAL above = psi[i] - own[i], below = own[i] - lo[i];
            psi[i] = above > below ? above : below;
        }
    } else {
        for (i = 0; i < q; i++) {
            psi[i] = g[i];
            lo[i] = g[i] + down[i];
        }
        for (r = 1; r < k; r++) {
            const REAL *g_r = g + r * q, *down_r = down + r * q;
            for (i = 0; i < q; i++) {
                REAL below = g_r[i] + down_r[i];
                psi[i] = g_r[i] > psi[i] ? g_r[i] : psi[i];
                lo[i] = below < lo[i] ? below : lo[i];
            }
        }
        for (i = 0; i < q; i++)
            psi[i] -= lo[i];
    }
#pragma omp simd reduction(max : worst)
    for (i = 0; i < q; i++)
        worst = psi[i] > worst ? psi[i] : worst;
    return worst;
}

/* g[i] += step row[i] for the examples of the block, one class. */
MCBENCH_CLONES
static void F(add_row)(REAL *RESTRICT g, const REAL *RESTRICT row, REAL step, ptrdiff_t q)
{
    ptrdiff_t i;
    for (i = 0; i < q; i++)
        g[i] += step * row[i];
}
