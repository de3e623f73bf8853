// Arguments of kernels, and how they become kernel parameters (docs/abi.md).
#pragma once

#include "Runtime/manifest.h"
#include "Runtime/tensor_map.h"

enum {
  CUTE_MAX_PARAMETERS = 256,
  CUTE_MAX_PARAMETER_BYTES = 32768, // 4096 before sm_70
  CUTE_MAX_TENSOR_MAPS = 16
};

// Facts that a launcher knows beyond the arguments; `getActiveClusters` counts
// the clusters (blocks, where they are of one) that run at a time.
typedef struct CuteLaunchFacts {
  int64_t multiprocessors;
  CuteStatus (*getActiveClusters)(void *data, int64_t *count);
  void *data;
} CuteLaunchFacts;

// Names in formulas: argI.shape[J], argI.stride[J], argI for integers, and the
// facts unless they are null.
typedef struct CuteScope {
  size_t numArguments;
  const CuteArgument *arguments;
  const CuteLaunchFacts *facts;
} CuteScope;

// The value of an integer formula such as 2 * arg0.shape[1] * arg3.
CuteStatus cuteScopeEvaluate(const CuteScope *scope, const char *text,
                             int64_t *value);

// The same of JSON: such a text, or an integer.
CuteStatus cuteScopeEvaluateJson(const CuteScope *scope, const json_t *json,
                                 int64_t *value);

// The grid that the kernel's formulas give; 1 where there is none.
CuteStatus cuteScopeGetGrid(const CuteKernel *kernel, const CuteScope *scope,
                            int64_t grid[3]);

// The tensor of a part of kind tensor_map, among the arguments, and the map
// that its formulas give; the map's name lives as long as the manifest.
CuteStatus cuteScopeFindTensor(const CuteScope *scope, const json_t *part,
                               const CuteArgument **tensor);
CuteStatus cuteScopeReadMap(const CuteScope *scope, const json_t *part,
                            const CuteArgument *tensor, CuteTensorMap *map);

// The place of a tensor's address among the parameters.
typedef struct CuteBoundTensor {
  size_t argument, offset; // CUTE_NO_OFFSET if only tensor maps have it
  int64_t align;           // in bytes, of the address
} CuteBoundTensor;

#define CUTE_NO_OFFSET SIZE_MAX

// The parameters as they lie in memory, each at a multiple of its alignment,
// and the tensor maps that are to be encoded into some of them.
typedef struct CuteParameters {
  size_t count, size, numMaps, numTensors;
  size_t offsets[CUTE_MAX_PARAMETERS];
  CuteBoundTensor tensors[CUTE_MAX_PARAMETERS];
  CuteTensorMap maps[CUTE_MAX_TENSOR_MAPS];
  size_t mapOffsets[CUTE_MAX_TENSOR_MAPS];
  size_t mapArguments[CUTE_MAX_TENSOR_MAPS]; // which tensor each is of
  unsigned char bytes[CUTE_MAX_PARAMETER_BYTES];
} CuteParameters;

// Checks the arguments against the kernel: number, element type, static and
// divisible sizes and strides, widths, tensor maps.
CuteStatus cuteKernelBind(const CuteKernel *kernel, size_t n,
                          const CuteArgument *arguments,
                          CuteParameters *parameters);

// Replaces the addresses of the tensors, in their order.
CuteStatus cuteParametersSetAddresses(CuteParameters *parameters,
                                      const CuteKernel *kernel, size_t n,
                                      const CuteDevicePointer *addresses);
