/* The loops of kernel_values.h in single and in double precision. */
#ifndef MCBENCH_KERNEL_TILES_H
#define MCBENCH_KERNEL_TILES_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "simd.h"
#include "vectors.h"

#define REAL float
#define INT int32_t
#define UINT uint32_t
#define F(name) name##_f32
#define EXP_LEAST -87.0f
#define EXP_LOG2E 1.44269504f
#define EXP_MAGIC 12582912.0f /* 1.5 * 2^23 */
#define EXP_LN2_HIGH 0.693359375f
#define EXP_LN2_LOW -2.12194440e-4f
#define EXP_SHIFT 23
#define EXP_SERIES(r) \
    (1 + r * (1 + r * (1 / 2.0f + r * (1 / 6.0f + r * (1 / 24.0f + r * (1 / 120.0f + r / 720.0f))))))
#include "kernel_values.h"
#undef REAL
#undef INT
#undef UINT
#undef F
#undef EXP_LEAST
#undef EXP_LOG2E
#undef EXP_MAGIC
#undef EXP_LN2_HIGH
#undef EXP_LN2_LOW
#undef EXP_SHIFT
#undef EXP_SERIES

#define REAL double
#define INT int64_t
#define UINT uint64_t
#define F(name) name##_f64
#define EXP_LEAST -708.0
#define EXP_LOG2E 1.4426950408889634
#define EXP_MAGIC 6755399441055744.0 /* 1.5 * 2^52 */
#define EXP_LN2_HIGH 0.6931471803691238
#define EXP_LN2_LOW 1.9082149292705877e-10
#define EXP_SHIFT 52
#define EXP_TAIL(r) \
    (1 / 5040.0 + r * (1 / 40320.0 + r * (1 / 362880.0 + r * (1 / 3628800.0 + r * \
    (1 / 39916800.0 + r * (1 / 479001600.0 + r / 6227020800.0))))))
#define EXP_SERIES(r) \
    (1 + r * (1 + r * (1 / 2.0 + r * (1 / 6.0 + r * (1 / 24.0 + r * (1 / 120.0 + r * \
    (1 / 720.0 + r * EXP_TAIL(r))))))))
#include "kernel_values.h"
#undef REAL
#undef INT
#undef UINT
#undef F

#endif
