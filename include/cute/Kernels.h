//===- cute/Kernels.h - The kernels of a module ----------------*- C -*-===//
//
// Part of the open CuTe compiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The facts about kernels that a launcher needs, as structs. They are in the
// manifest that cuteModulePrintManifest prints; docs/abi.md says what they
// mean.
//
//===----------------------------------------------------------------------===//
#ifndef CUTE_KERNELS_H
#define CUTE_KERNELS_H

#include "cute/Target.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum CuteKernelPartKind {
  CUTE_PART_POINTER,
  CUTE_PART_INTEGER,
  CUTE_PART_FLOAT,
  CUTE_PART_TENSOR_MAP, ///< 128 bytes, of the tensor that is parameter `tensor`
  CUTE_PART_OPAQUE,     ///< a launcher cannot know it
} CuteKernelPartKind;

/// A parameter of the compiled kernel.
typedef struct CuteKernelPart {
  CuteKernelPartKind kind;
  unsigned bits;    ///< of an integer or float
  const char *role; ///< "pointer", "shape[0]", "stride[1]", "value"
  intptr_t tensor;
} CuteKernelPart;

/// A parameter in the source, which is passed as its parts; or, after those, a
/// hidden one that the launcher makes.
typedef struct CuteKernelParameter {
  bool isHidden;
  const char *type;    ///< in pretty form
  bool isTensor;       ///< and then
  const char *element; ///< "f16"
  int64_t align;       ///< bytes
  const char *shape;   ///< "(?,?{div=8})"
  const char *stride;  ///< likewise
  size_t numParts;
  const CuteKernelPart *parts;
} CuteKernelParameter;

/// A kernel: what it is called with, and how it is launched.
typedef struct CuteKernelInfo {
  const char *name;
  size_t numParameters;
  const CuteKernelParameter *parameters;
  int64_t staticShared, dynamicShared; ///< bytes
  int64_t block[3];                    ///< threads; zeros: not known
  int64_t cluster[3];                  ///< blocks; zeros: none
  int64_t preferredCluster[3];         ///< where that many fit; zeros: the same
  size_t gridRank;                     ///< 0: the launcher says
  const char *grid[3];                 ///< formulas over the parameters
  bool mayOverlap;                     ///< programmatic dependent launch
  const char *roles;                   ///< what warps do, as passes made them
                                       ///< do (cute.roles); null: not known
  int64_t tensorColumns; ///< that cute.tmem_alloc takes of tensor memory
  int64_t tensorBlocks;  ///< for which it does: 1, or 2 that multiply together
} CuteKernelInfo;

typedef struct CuteKernelList CuteKernelList;

/// The kernels of a module that has not been lowered, in its order. Null after
/// diagnostics. The list needs neither the module nor its context any more.
CUTE_API CuteKernelList *cuteKernelListCreate(MlirModule module);
CUTE_API void cuteKernelListDestroy(CuteKernelList *list);

/// Kernels live as long as the list; null past the last.
CUTE_API size_t cuteKernelListGetNum(const CuteKernelList *list);
CUTE_API const CuteKernelInfo *cuteKernelListGet(const CuteKernelList *list,
                                                 size_t i);

//===-- Resources ---------------------------------------------------------===//

/// Resources that a compiled kernel takes, as `cutec --report` says them.
typedef struct CuteKernelResources {
  bool isAssembled; ///< ptxas was found, and the next four are known
  int registers;    ///< of a thread
  int stackBytes, spillStoreBytes, spillLoadBytes;
  int blocks, warps; ///< that a multiprocessor runs at a time; 0: not known
  const char *limit; ///< what there is too little of for more; null: not known
  int localLoads, localStores; ///< instructions
  int loopInstructions;        ///< of the main loop; 0: there is none
  bool isLoopSass; ///< instructions are the machine's, as nvdisasm was found;
                   ///< else PTX's
} CuteKernelResources;

/// Measures the PTX that the kernels of a list became, and fills in an element
/// for each of them. Of the options, the architecture and those of ptxas count.
/// Failure and a diagnostic at the location where ptxas refuses the PTX, or
/// there is no such architecture.
CUTE_API MlirLogicalResult
cuteKernelListMeasure(const CuteKernelList *list, MlirLocation location,
                      const CuteCompileOptions *options, MlirStringRef ptx,
                      CuteKernelResources *resources);

#ifdef __cplusplus
}
#endif

#endif
