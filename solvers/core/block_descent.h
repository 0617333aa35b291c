/* The loops of block_descent.pyx in single and in double precision. */
#ifndef MCBENCH_BLOCK_DESCENT_H
#define MCBENCH_BLOCK_DESCENT_H

#include <stddef.h>

#include "simd.h"

#define REAL float
#define F(name) name##_f32
#include "block_descent_real.h"
#undef REAL
#undef F

#define REAL double
#define F(name) name##_f64
#include "block_descent_real.h"
#undef REAL
#undef F

#endif
