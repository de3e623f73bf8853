//===- cute/Kernels.h - The kernels of a module ----------------*- C -*-===//
//
// Part of the open CuTe compiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The facts about kernels that a launcher needs, as structs.
// cuteModulePrintManifest prints them in the manifest; docs/abi.md explains
// them.
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
  CUTE_PART_TENSOR_MAP, ///< 128 bytes, for the tensor parameter `tensor`
  CUTE_PART_OPAQUE,     ///< a launcher cannot know it
} CuteKernelPartKind;

/// A parameter of the compiled kernel.
typedef struct CuteKernelPart {
  CuteKernelPartKind kind;
  unsigned bits;    ///< of an integer or float
  const char *role; ///< "pointer", "shape[0]", "stride[1]", "value"
  intptr_t tensor;
} CuteKernelPart;

/// A parameter in the source, which is passed as its parts, or, after these, a
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

/// A kernel: its parameters, and how it is launched.
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
  const char *roles;     ///< the warps' roles, as passes assigned them
                         ///< (cute.roles); null: not known
  int64_t tensorColumns; ///< of tensor memory that cute.tmem_alloc takes
  int64_t tensorBlocks;  ///< that it is for: 1, or 2 that multiply together
} CuteKernelInfo;

typedef struct CuteKernelList CuteKernelList;

/// The kernels of a module that has not been lowered, in its order. Null after
/// diagnostics. Afterwards the list needs neither the module nor its context.
CUTE_API CuteKernelList *cuteKernelListCreate(MlirModule module);
CUTE_API void cuteKernelListDestroy(CuteKernelList *list);

/// Kernels live as long as the list; null past the last.
CUTE_API size_t cuteKernelListGetNum(const CuteKernelList *list);
CUTE_API const CuteKernelInfo *cuteKernelListGet(const CuteKernelList *list,
                                                 size_t i);

//===-- Resources ---------------------------------------------------------===//

/// Resources of a compiled kernel, as `cutec --report` prints them.
typedef struct CuteKernelResources {
  bool isAssembled; ///< ptxas was found, and the next four are known
  int registers;    ///< of a thread
  int stackBytes, spillStoreBytes, spillLoadBytes;
  int blocks, warps; ///< that a multiprocessor runs at a time; 0: not known
  const char *limit; ///< the resource that limits them; null: not known
  int localLoads, localStores; ///< instructions
  int loopInstructions;        ///< of the main loop; 0: there is none
  bool isLoopSass; ///< machine instructions, as nvdisasm was found; else PTX
} CuteKernelResources;

/// Measures the PTX of a list's kernels, and fills in an element for each of
/// them. Only the options for the architecture and for ptxas count. Failure and
/// a diagnostic at the location if ptxas rejects the PTX or the architecture
/// does not exist.
CUTE_API MlirLogicalResult
cuteKernelListMeasure(const CuteKernelList *list, MlirLocation location,
                      const CuteCompileOptions *options, MlirStringRef ptx,
                      CuteKernelResources *resources);

#ifdef __cplusplus
}
#endif

#endif
