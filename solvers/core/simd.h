/* Copies of a hot function for wider vector units, chosen when the module is loaded;
   and `restrict`, so that loops over several arrays may be vectorized. */

#ifndef MCBENCH_SIMD_H
#define MCBENCH_SIMD_H

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && defined(__ELF__)
#if __GNUC__ >= 12
#define MCBENCH_CLONES \
    __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define MCBENCH_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#endif
#else
#define MCBENCH_CLONES
#endif

#ifdef _MSC_VER
#define RESTRICT __restrict
#else
#define RESTRICT restrict
#endif

#endif
