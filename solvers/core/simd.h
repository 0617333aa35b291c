/* Run-time dispatch: one function compiled for several instruction sets, the best one is called.

   Only where the compiler and the linker can do that; elsewhere the plain function is all there
   is. `restrict`, so that loops over several arrays may be vectorized.
*/
#ifndef MCBENCH_SIMD_H
#define MCBENCH_SIMD_H

#if defined(__x86_64__) && __GNUC__ >= 12 && !defined(__clang__) && defined(__ELF__)
#define MCBENCH_CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define MCBENCH_CLONES
#endif

#ifdef _MSC_VER
#define RESTRICT __restrict
#else
#define RESTRICT restrict
#endif

#endif
