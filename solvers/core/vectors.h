/* Vectors of 64 bytes, which compilers split into what the machine has; elsewhere of one value. */
#ifndef MCBENCH_VECTORS_H
#define MCBENCH_VECTORS_H

#ifdef __GNUC__
typedef float vector_f32 __attribute__((vector_size(64), aligned(4), may_alias));
typedef double vector_f64 __attribute__((vector_size(64), aligned(8), may_alias));
#else
typedef float vector_f32;
typedef double vector_f64;
#endif

enum {
    LANES_f32 = sizeof(vector_f32) / sizeof(float),
    LANES_f64 = sizeof(vector_f64) / sizeof(double)
};

#endif
