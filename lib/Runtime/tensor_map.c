#include "Runtime/tensor_map.h"

#include <stdalign.h>

//===-- Elements ----------------------------------------------------------===//

enum { NONE = -1 };

typedef struct DataType {
  unsigned bits;
  bool isFloat, isDefault, isPadded;
  CuteElementType element;
} DataType;

static const DataType types[] = {
#define TENSOR_MAP_TYPE(ptx, width, isOfFloats, ...)                           \
  {.bits = width, .isFloat = isOfFloats, __VA_ARGS__},
#include "hardware/tensor_map_type.def"
};

// The driver's number of an element type. What it has no name for is copied as
// bits of the same width.
static int dataTypeOf(const CuteTensorMap *map) {
  unsigned bits = cuteElementTypeGetBits(map->element);
  bool isFloat = bits > 8 && cuteElementTypeIsFloat(map->element);
  int found = NONE;
  for (int i = 0; i < (int)(sizeof types / sizeof *types); ++i) {
    const DataType *t = &types[i];
    bool isNamed = t->element && t->element == map->element;
    if (map->packedBits ? t->isPadded && (int)t->bits == map->packedBits
                        : isNamed)
      return i;
    if (!map->packedBits && t->isDefault && t->bits == bits &&
        t->isFloat == isFloat)
      found = i;
  }
  return found;
}

//===-- Checks ------------------------------------------------------------===//

enum { PADDED_ROW = 128 }; // elements

// An unsigned number with `least` <= value <= `most`, mode `mode` of `what`.
static CuteStatus checkRange(const char *what, size_t mode, int64_t value,
                             int64_t least, int64_t most) {
  if (value >= least && value <= most)
    return NULL;
  return cuteStatusCreate("%s %zu is %jd; it must be from %jd to %jd", what,
                          mode, value, least, most);
}

// Bytes that an address and strides must be multiples of.
static int64_t alignmentOf(const CuteTensorMap *map) {
  bool isWide = map->interleave == CUTE_MAP_INTERLEAVE_32B || map->packedBits;
  return isWide ? 32 : 16;
}

static CuteStatus checkForm(const CuteTensorMap *map) {
  size_t least = map->isIm2col || map->interleave ? 3 : 1;
  if (map->rank < least || map->rank > CUTE_MAX_MAP_RANK)
    return cuteStatusCreate("the rank is %zu; it must be from %zu to %d%s",
                            map->rank, least, CUTE_MAX_MAP_RANK,
                            map->isIm2col     ? " for im2col"
                            : map->interleave ? " with an interleave"
                                              : "");
  if (dataTypeOf(map) == NONE)
    return cuteStatusCreate("there is no tensor map of %s; elements of 4, 8, "
                            "16, 32 and 64 bits have one",
                            cuteElementTypeGetName(map->element));
  if (map->interleave == CUTE_MAP_INTERLEAVE_32B &&
      map->swizzle != CUTE_MAP_SWIZZLE_32B)
    return cuteStatusCreate("interleave 32B goes with swizzle 32B, not %s",
                            cuteMapSwizzles[map->swizzle]);
  int type = dataTypeOf(map);
  if (map->fill == CUTE_MAP_FILL_NAN && (type < 0 || !types[type].isFloat))
    return cuteStatusCreate(
        "NaN fill needs f16, bf16, tf32, f32 or f64, not %s; use zero",
        cuteElementTypeGetName(map->element));
  return NULL;
}

static CuteStatus checkMemory(const CuteTensorMap *map) {
  enum { MAX_STRIDE_BITS = 40, MAX_DIM_BITS = 32 };
  int64_t align = alignmentOf(map);
  if (map->address % (uint64_t)align)
    return cuteStatusCreate("address 0x%jx is not a multiple of %jd bytes",
                            map->address, align);
  for (size_t i = 0; i < map->rank; ++i)
    CUTE_TRY(checkRange("extent of mode", i, map->dims[i], 1,
                        INT64_C(1) << MAX_DIM_BITS));
  if (cuteElementTypeGetBits(map->element) < 8 && map->dims[0] % 2)
    return cuteStatusCreate("extent of mode 0 is %jd; for %s it must be even",
                            map->dims[0], cuteElementTypeGetName(map->element));
  if (map->packedBits && map->dims[0] % PADDED_ROW)
    return cuteStatusCreate(
        "extent of mode 0 is %jd; for %d bits it must be a multiple of %d",
        map->dims[0], map->packedBits, PADDED_ROW);
  for (size_t i = 0; i + 1 < map->rank; ++i)
    if (map->strides[i] < 0 || map->strides[i] >> MAX_STRIDE_BITS ||
        map->strides[i] % align)
      return cuteStatusCreate("stride of mode %zu is %jd bytes; it must be a "
                              "multiple of %jd below 2^%d",
                              i + 1, map->strides[i], align, MAX_STRIDE_BITS);
  return NULL;
}

// Bytes that the innermost mode may have in shared memory.
static int64_t spanOf(CuteMapSwizzle swizzle) {
  switch (swizzle) {
  case CUTE_MAP_SWIZZLE_NONE:
    return INT64_MAX;
  case CUTE_MAP_SWIZZLE_32B:
    return 32;
  case CUTE_MAP_SWIZZLE_64B:
    return 64;
  default:
    return 128;
  }
}

// `n` elements of the innermost mode, which `what` says.
static CuteStatus checkInner(const CuteTensorMap *map, const char *what,
                             int64_t n) {
  int64_t bits = n * cuteElementTypeGetBits(map->element);
  int64_t span = spanOf(map->swizzle);
  if (map->interleave)
    return NULL;
  if (map->packedBits && n != PADDED_ROW)
    return cuteStatusCreate("%s is %jd elements of %d bits; it must be %d",
                            what, n, map->packedBits, PADDED_ROW);
  if (bits % 128)
    return cuteStatusCreate("%s is %jd elements of %s, %jd bits; it must be "
                            "a multiple of 16 bytes",
                            what, n, cuteElementTypeGetName(map->element),
                            bits);
  if (bits / 8 > span)
    return cuteStatusCreate("%s is %jd elements of %s, %jd bytes; the limit "
                            "with swizzle %s is %jd bytes",
                            what, n, cuteElementTypeGetName(map->element),
                            bits / 8, cuteMapSwizzles[map->swizzle], span);
  return NULL;
}

static CuteStatus checkBox(const CuteTensorMap *map) {
  enum { MAX_BOX = 256, MAX_ELEMENT_STRIDE = 8 };
  for (size_t i = 0; i < map->rank; ++i) {
    CUTE_TRY(checkRange("element stride of mode", i, map->elementStrides[i], 1,
                        MAX_ELEMENT_STRIDE));
    if (!map->isIm2col)
      CUTE_TRY(checkRange("box of mode", i, map->box[i], 1, MAX_BOX));
  }
  return map->isIm2col ? NULL : checkInner(map, "box of mode 0", map->box[0]);
}

static CuteStatus checkIm2col(const CuteTensorMap *map) {
  enum { MAX_CHANNELS = 256, MAX_PIXELS = 1024 };
  static const int64_t reach[CUTE_MAX_MAP_RANK + 1] = {0, 0, 0, 32768, 128, 16};
  int64_t most = reach[map->rank] - 1;
  for (size_t i = 0; i + 2 < map->rank; ++i) {
    CUTE_TRY(checkRange("lower corner", i, map->lower[i], -most - 1, most));
    CUTE_TRY(checkRange("upper corner", i, map->upper[i], -most - 1, most));
    if (map->dims[i + 1] + map->upper[i] <= map->lower[i])
      return cuteStatusCreate("between lower corner %jd and upper corner %jd, "
                              "mode %zu has none of its %jd pixels",
                              map->lower[i], map->upper[i], i + 1,
                              map->dims[i + 1]);
  }
  CUTE_TRY(checkRange("channels of mode", 0, map->channels, 1, MAX_CHANNELS));
  CUTE_TRY(checkRange("pixels of column", 0, map->pixels, 1, MAX_PIXELS));
  return checkInner(map, "the channels of a pixel", map->channels);
}

static CuteStatus check(const CuteTensorMap *map) {
  CUTE_TRY(checkForm(map));
  CUTE_TRY(checkMemory(map));
  CUTE_TRY(checkBox(map));
  return map->isIm2col ? checkIm2col(map) : NULL;
}

CuteStatus cuteTensorMapCheck(const CuteTensorMap *map) {
  return cuteStatusAnnotate(check(map), "the tensor map of %s", map->tensor);
}

//===-- Encoding ----------------------------------------------------------===//

enum { SECTOR = 32 }; // bytes of the L2 cache that come together

typedef struct Numbers {
  uint64_t dims[CUTE_MAX_MAP_RANK], strides[CUTE_MAX_MAP_RANK];
  uint32_t box[CUTE_MAX_MAP_RANK], elementStrides[CUTE_MAX_MAP_RANK];
  int lower[CUTE_MAX_MAP_RANK], upper[CUTE_MAX_MAP_RANK];
} Numbers;

// The numbers of a map that was checked in the driver's types.
static Numbers numbersOf(const CuteTensorMap *map) {
  Numbers n = {0};
  for (size_t i = 0; i < map->rank; ++i) {
    n.dims[i] = (uint64_t)map->dims[i];
    n.box[i] = (uint32_t)map->box[i];
    n.elementStrides[i] = (uint32_t)map->elementStrides[i];
    if (i + 1 < map->rank)
      n.strides[i] = (uint64_t)map->strides[i];
    if (i + 2 < map->rank)
      n.lower[i] = (int)map->lower[i], n.upper[i] = (int)map->upper[i];
  }
  return n;
}

// Returns the least that the L2 cache is to fetch: no more than 128 bytes for
// rows that begin within its sectors. Of 86 products on an H200 with such rows
// the fastest tiles took 5 % less so than with 256 bytes, and others as long.
static CuteMapPromotion promotionOf(const CuteTensorMap *map) {
  uint64_t bits = map->address;
  for (size_t i = 0; i + 1 < map->rank; ++i)
    bits |= (uint64_t)map->strides[i];
  return bits % SECTOR && map->promotion > CUTE_MAP_PROMOTION_128B
             ? CUTE_MAP_PROMOTION_128B
             : map->promotion;
}

CuteStatus cuteTensorMapEncode(const CuteTensorMap *map, const CuteCuda *cuda,
                               void *bytes) {
  alignas(CUTE_TENSOR_MAP_ALIGN) unsigned char encoded[CUTE_TENSOR_MAP_BYTES];
  CUTE_TRY(cuteTensorMapCheck(map));
  if (map->isIm2col ? !cuda->encodeIm2col : !cuda->encodeTiled)
    return cuteStatusCreate(
        "the CUDA driver has no tensor maps; they came with CUDA 12");
  Numbers n = numbersOf(map);
  int type = dataTypeOf(map), promotion = (int)promotionOf(map);
  uint32_t rank = (uint32_t)map->rank;
  int error =
      map->isIm2col
          ? cuda->encodeIm2col(encoded, type, rank, map->address, n.dims,
                               n.strides, n.lower, n.upper,
                               (uint32_t)map->channels, (uint32_t)map->pixels,
                               n.elementStrides, (int)map->interleave,
                               (int)map->swizzle, promotion, (int)map->fill)
          : cuda->encodeTiled(encoded, type, rank, map->address, n.dims,
                              n.strides, n.box, n.elementStrides,
                              (int)map->interleave, (int)map->swizzle,
                              promotion, (int)map->fill);
  CUTE_TRY(cuteStatusAnnotate(cuteCudaCheck(cuda, error, "encoding"),
                              "the tensor map of %s", map->tensor));
  memcpy(bytes, encoded, sizeof encoded);
  return NULL;
}
