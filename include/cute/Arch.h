//===- cute/Arch.h - Architectures of NVIDIA GPUs --------------*- C -*-===//
//
// Part of the open CuTe compiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CUTE_ARCH_H
#define CUTE_ARCH_H

#include "cute/Support.h"

#ifdef __cplusplus
extern "C" {
#endif

/// An architecture: a row of dialect/hardware/arch.def.
typedef struct CuteArch {
  const char *name; ///< "sm_90a"
  int number;       ///< 90
  char suffix;      ///< 'a', 'f' or '\0'
  int ptx;          ///< the minimum PTX version, times 10
  /// KiB of shared memory: a block's maximum, and its maximum without opting
  /// in; a multiprocessor's, and the system's part of it for each block.
  int sharedKib, staticKib, totalSharedKib, reservedKib;
  /// Limits on what a multiprocessor runs at a time.
  int warps, blocks;
  int maxThreads;              ///< of a block
  int registers, maxRegisters; ///< of a multiprocessor and of a thread, of 32
                               ///< bits each
  int clusterSize;             ///< blocks of a portable cluster; 0: no clusters
  bool hasTma, hasWgmma, hasTcgen05;
} CuteArch;

/// Features that architectures have beyond their number: PTX ISA, "Target ISA
/// Notes" of tcgen05 and ldmatrix.
typedef enum CuteArchFeature {
  CUTE_FEATURE_NONE,
  CUTE_FEATURE_BYTES,           ///< ldmatrix and stmatrix of bytes
  CUTE_FEATURE_TCGEN05,         ///< tensor memory
  CUTE_FEATURE_TCGEN05_EXACT,   ///< the same, on sm_XXXa only
  CUTE_FEATURE_TCGEN05_INTEGER, ///< tcgen05.mma of integers
  CUTE_FEATURE_TCGEN05_REDUCE,  ///< tcgen05.ld.red
  CUTE_FEATURE_TCGEN05_SHIFT,   ///< tcgen05.mma that scales C
  CUTE_FEATURE_TCGEN05_96,      ///< tcgen05.mma of K = 96
  CUTE_FEATURE_MULTIMEM_BYTES,  ///< multimem of floats of 8 bits
  CUTE_FEATURE_RANDOM_ROUNDING, ///< cvt.rs
  CUTE_FEATURE_NOWHERE,         ///< a feature of no architecture
} CuteArchFeature;

CUTE_API bool cuteArchHasFeature(const CuteArch *arch, CuteArchFeature feature);

/// The architectures, oldest first; null past the last.
CUTE_API size_t cuteArchGetNum(void);
CUTE_API const CuteArch *cuteArchGet(size_t i);

/// The architecture of that name; null if there is none or the name is null.
CUTE_API const CuteArch *cuteArchFind(const char *name);

/// Null if this build knows the architecture `arch`. Otherwise, also for a null
/// name, a message that lists the known ones.
CUTE_API const char *cuteArchCheck(const char *arch);

#ifdef __cplusplus
}
#endif

#endif
