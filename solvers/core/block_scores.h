/* All scores after a step on a block: sums over kernel columns, and the largest score of each. */
#ifndef MCBENCH_BLOCK_SCORES_H
#define MCBENCH_BLOCK_SCORES_H

#include <stddef.h>
#include <string.h>

#include "simd.h"
#include "vectors.h"

enum { TILE = 256 };

#define REAL float
#define LANES LANES_f32
#define F(name) name##_f32
#include "block_scores_real.h"
#undef REAL
#undef F
#undef LANES

#define REAL double
#define LANES LANES_f64
#define F(name) name##_f64
#include "block_scores_real.h"
#undef REAL
#undef F
#undef LANES

/* largest[i] = max_r scores[r * stride + i] for i = 0 .. m - 1. */
MCBENCH_CLONES
static void largest_scores(const double *RESTRICT scores, ptrdiff_t stride, ptrdiff_t k,
                           ptrdiff_t m, double *RESTRICT largest)
{
    ptrdiff_t i, r;
    for (i = 0; i < m; i++)
        largest[i] = scores[i];
    for (r = 1; r < k; r++) {
        const double *row = scores + r * stride;
        for (i = 0; i < m; i++)
            largest[i] = row[i] > largest[i] ? row[i] : largest[i];
    }
}

#endif
