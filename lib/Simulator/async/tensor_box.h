// Tensor maps of the device that is simulated, and the boxes that TMA copies by
// them (PTX ISA, "Tensors"; CUDA Driver API, "Tensor Map Object Management").
#pragma once

#include "Support/status.h"

enum {
  CUTE_SIM_MAP_RANK = 5,
  CUTE_SIM_MAP_ROWS = 4, // that are gathered or scattered
  CUTE_SIM_MAP_BYTES = 128,
  CUTE_SIM_MAP_SIGN = 0x50414d54, // begins every map
};

// The 128 bytes of a map, the first mode innermost.
typedef struct CuteSimTensorMap {
  uint32_t sign;
  uint8_t type, rank, swizzle, fill; // in the driver's numbers
  uint64_t address;
  uint64_t strides[CUTE_SIM_MAP_RANK - 1]; // bytes, of all but the first
  uint32_t last[CUTE_SIM_MAP_RANK];        // coordinates: extents less 1
  uint16_t box[CUTE_SIM_MAP_RANK];
  uint8_t steps[CUTE_SIM_MAP_RANK]; // between elements of the box
  bool isIm2col;
  bool isOfRows; // of a copy: four rows of a matrix, by their numbers
  int16_t lower[CUTE_SIM_MAP_RANK - 2], upper[CUTE_SIM_MAP_RANK - 2];
  uint16_t channels, pixels;
} CuteSimTensorMap;

// The arguments of cuTensorMapEncodeTiled; the result has CUTE_SIM_MAP_BYTES.
// Fails for what is not simulated: interleaved layouts, and types and swizzles
// that are not known here.
CuteStatus cuteSimEncodeTiled(void *map, int type, uint32_t rank,
                              uint64_t address, const uint64_t *dims,
                              const uint64_t *strides, const uint32_t *box,
                              const uint32_t *steps, int interleave,
                              int swizzle, int fill);

// Those of cuTensorMapEncodeIm2col.
CuteStatus cuteSimEncodeIm2col(void *map, int type, uint32_t rank,
                               uint64_t address, const uint64_t *dims,
                               const uint64_t *strides, const int *lower,
                               const int *upper, uint32_t channels,
                               uint32_t pixels, const uint32_t *steps,
                               int interleave, int swizzle, int fill);

// Null if the bytes are not a map of this device.
const CuteSimTensorMap *cuteSimTensorMapGet(const void *bytes);

// Bytes that a copy moves to or from shared memory, also where it is clipped.
uint32_t cuteSimTensorMapGetBytes(const CuteSimTensorMap *map);

// The name of the elements in PTX, "f16", for reductions.
const char *cuteSimTensorMapGetType(const CuteSimTensorMap *map);

// Bytes of an element, of 4 bits of two.
unsigned cuteSimTensorMapGetElementBytes(const CuteSimTensorMap *map);

// Writes what an element outside of the tensor is, zero or NaN.
void cuteSimTensorMapFill(const CuteSimTensorMap *map, void *element);

// A run of at most 16 bytes: where it is in shared memory and in the tensor;
// `global` is 0 where it is outside of it.
typedef void CuteSimVisitRun(void *data, uint64_t shared, uint64_t global,
                             unsigned bytes);

// Calls `visit` for all of the box that begins at the coordinates, which are
// the column and the rows where it `isOfRows`; `offsets` are im2col's filter
// offsets, null for stores. The address in shared memory is the first byte of a
// window that begins at a multiple of 1024 bytes.
void cuteSimTensorMapVisit(const CuteSimTensorMap *map, const int32_t *coords,
                           const uint16_t *offsets, uint64_t shared,
                           CuteSimVisitRun *visit, void *data);
