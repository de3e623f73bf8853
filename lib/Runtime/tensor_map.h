// Descriptors for the Tensor Memory Accelerator: which box of a tensor a copy
// takes (CUDA Driver API, "Tensor Map Object Management").
#pragma once

#include "Runtime/cuda.h"
#include "Support/manifest_keys.h"

enum { CUTE_MAX_MAP_RANK = 5 };

// The first mode is the innermost, whose elements follow each other.
typedef struct CuteTensorMap {
  const char *tensor; // its name, for messages
  CuteElementType element;
  int packedBits; // in global memory, of elements that have a byte in shared
                  // memory; 0: as many
  size_t rank;
  uint64_t address, encoded;              // the address it was encoded for last
  int64_t dims[CUTE_MAX_MAP_RANK];        // elements
  int64_t strides[CUTE_MAX_MAP_RANK - 1]; // bytes, of all modes but the first
  int64_t elementStrides[CUTE_MAX_MAP_RANK];
  bool isIm2col;
  int64_t box[CUTE_MAX_MAP_RANK]; // elements; not of im2col
  // The corners of im2col have an entry for each mode but the first (channels)
  // and the last (images).
  int64_t lower[CUTE_MAX_MAP_RANK - 2], upper[CUTE_MAX_MAP_RANK - 2];
  int64_t channels, pixels;
  CuteMapInterleave interleave;
  CuteMapSwizzle swizzle;
  CuteMapPromotion promotion;
  CuteMapFill fill;
} CuteTensorMap;

// Fails where the driver would, and says what would be valid.
CuteStatus cuteTensorMapCheck(const CuteTensorMap *map);

// Checks it and writes its CUTE_TENSOR_MAP_BYTES; host work only. Fails if the
// driver has no tensor maps, too.
CuteStatus cuteTensorMapEncode(const CuteTensorMap *map, const CuteCuda *cuda,
                               void *bytes);
