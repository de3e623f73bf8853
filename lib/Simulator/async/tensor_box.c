#include "Simulator/async/tensor_box.h"

enum {
  UNIT = 16,
  MAX_SWIZZLE = 4,   // 128 bytes, 32 at a time
  FIRST_PADDED = 14, // of 4 and 6 bits, whose 16 elements have a unit
};

_Static_assert(sizeof(CuteSimTensorMap) <= CUTE_SIM_MAP_BYTES,
               "a map has the bytes of the driver's");

// CUtensorMapDataType, by number.
static const struct {
  const char *name;
  unsigned bits;
  bool isFloat;
} types[] = {
#define TENSOR_MAP_TYPE(ptx, bits, isFloat, ...) {ptx, bits, isFloat},
#include "hardware/tensor_map_type.def"
};

//===-- Encoding ----------------------------------------------------------===//

static CuteStatus checkForm(int type, uint32_t rank, int interleave,
                            int swizzle) {
  if (type < 0 || type >= (int)(sizeof types / sizeof *types))
    return cuteStatusCreate("tensor maps of data type %d are not simulated",
                            type);
  if (rank < 1 || rank > CUTE_SIM_MAP_RANK)
    return cuteStatusCreate("a tensor map of rank %u; it must be from 1 to %d",
                            rank, CUTE_SIM_MAP_RANK);
  if (interleave)
    return cuteStatusCreate("interleaved tensor maps are not simulated");
  if (swizzle < 0 || swizzle > MAX_SWIZZLE)
    return cuteStatusCreate("swizzle %d of a tensor map is not simulated",
                            swizzle);
  return NULL;
}

static CuteSimTensorMap mapOf(int type, uint32_t rank, uint64_t address,
                              const uint64_t *dims, const uint64_t *strides,
                              const uint32_t *steps, int swizzle, int fill) {
  CuteSimTensorMap map = {.sign = CUTE_SIM_MAP_SIGN,
                          .type = (uint8_t)type,
                          .rank = (uint8_t)rank,
                          .swizzle = (uint8_t)swizzle,
                          .fill = (uint8_t)fill,
                          .address = address};
  for (uint32_t i = 0; i < rank; ++i) {
    map.last[i] = (uint32_t)(dims[i] - 1);
    map.steps[i] = (uint8_t)(i ? steps[i] : 1); // of the first none counts
    if (i + 1 < rank)
      map.strides[i] = strides[i];
  }
  return map;
}

static void store(void *bytes, const CuteSimTensorMap *map) {
  memset(bytes, 0, CUTE_SIM_MAP_BYTES);
  memcpy(bytes, map, sizeof *map);
}

CuteStatus cuteSimEncodeTiled(void *map, int type, uint32_t rank,
                              uint64_t address, const uint64_t *dims,
                              const uint64_t *strides, const uint32_t *box,
                              const uint32_t *steps, int interleave,
                              int swizzle, int fill) {
  CUTE_TRY(checkForm(type, rank, interleave, swizzle));
  CuteSimTensorMap result =
      mapOf(type, rank, address, dims, strides, steps, swizzle, fill);
  for (uint32_t i = 0; i < rank; ++i)
    result.box[i] = (uint16_t)box[i];
  store(map, &result);
  return NULL;
}

CuteStatus cuteSimEncodeIm2col(void *map, int type, uint32_t rank,
                               uint64_t address, const uint64_t *dims,
                               const uint64_t *strides, const int *lower,
                               const int *upper, uint32_t channels,
                               uint32_t pixels, const uint32_t *steps,
                               int interleave, int swizzle, int fill) {
  CUTE_TRY(checkForm(type, rank, interleave, swizzle));
  if (rank < 3)
    return cuteStatusCreate("im2col of rank %u; it must be from 3 to 5", rank);
  CuteSimTensorMap result =
      mapOf(type, rank, address, dims, strides, steps, swizzle, fill);
  result.isIm2col = true;
  result.channels = (uint16_t)channels;
  result.pixels = (uint16_t)pixels;
  for (uint32_t i = 0; i + 2 < rank; ++i) {
    result.lower[i] = (int16_t)lower[i];
    result.upper[i] = (int16_t)upper[i];
  }
  store(map, &result);
  return NULL;
}

//===-- Properties --------------------------------------------------------===//

const CuteSimTensorMap *cuteSimTensorMapGet(const void *bytes) {
  const CuteSimTensorMap *map = bytes;
  return map->sign == CUTE_SIM_MAP_SIGN && map->rank ? map : NULL;
}

unsigned cuteSimTensorMapGetElementBytes(const CuteSimTensorMap *map) {
  unsigned bits = types[map->type].bits;
  return bits < 8 ? 1 : bits / 8;
}

const char *cuteSimTensorMapGetType(const CuteSimTensorMap *map) {
  return types[map->type].name;
}

// Bytes of so many elements of a row in global memory.
static int64_t globalBytes(const CuteSimTensorMap *map, int64_t elements) {
  return elements * (int64_t)types[map->type].bits / 8;
}

// Bytes that follow each other in a unit of shared memory: what is after them
// is not written.
static uint32_t runBytes(const CuteSimTensorMap *map) {
  return map->type >= FIRST_PADDED ? UNIT * types[map->type].bits / 8 : UNIT;
}

// Elements of the box along a mode.
static uint32_t countOf(const CuteSimTensorMap *map, int mode) {
  return ((uint32_t)map->box[mode] + map->steps[mode] - 1) / map->steps[mode];
}

static uint32_t rowBytes(const CuteSimTensorMap *map) {
  uint32_t n = map->isIm2col ? map->channels : map->box[0];
  return (uint32_t)globalBytes(map, n);
}

uint32_t cuteSimTensorMapGetBytes(const CuteSimTensorMap *map) {
  uint32_t bytes = rowBytes(map);
  if (map->isIm2col)
    return bytes * map->pixels;
  if (map->isOfRows)
    return bytes * CUTE_SIM_MAP_ROWS;
  for (int i = 1; i < map->rank; ++i)
    bytes *= countOf(map, i);
  return bytes;
}

// As NaN a number has all bits but its sign.
void cuteSimTensorMapFill(const CuteSimTensorMap *map, void *element) {
  unsigned bytes = cuteSimTensorMapGetElementBytes(map);
  bool isNan = map->fill && types[map->type].isFloat;
  memset(element, isNan ? 0xff : 0, bytes);
  if (isNan)
    ((unsigned char *)element)[bytes - 1] = 0x7f;
}

//===-- Boxes -------------------------------------------------------------===//

typedef struct Visit {
  const CuteSimTensorMap *map;
  int64_t at[CUTE_SIM_MAP_RANK]; // coordinates of a row's first element
  uint64_t shared;               // of its first byte, before the swizzle
  CuteSimVisitRun *visit;
  void *data;
} Visit;

// XORs bits 7 to 9 of an address to bits 4 to 6, as many as the swizzle has;
// the last one, of 32 bytes at a time, bits 7 and 8 to bits 5 and 6.
static uint64_t swizzled(const CuteSimTensorMap *map, uint64_t address) {
  bool isWide = map->swizzle == MAX_SWIZZLE;
  unsigned bits = isWide ? 2 : map->swizzle;
  return address ^ (address >> 7 & ((1u << bits) - 1)) << (4 + isWide);
}

// The address of the row's element 0, or 0 where its coordinates but the first
// are outside of the tensor.
static uint64_t rowAddress(const Visit *v) {
  uint64_t address = v->map->address;
  for (int i = 1; i < v->map->rank; ++i) {
    if (v->at[i] < 0 || v->at[i] > (int64_t)v->map->last[i])
      return 0;
    address += (uint64_t)v->at[i] * v->map->strides[i - 1];
  }
  return address;
}

// Bytes from `from` on that are all inside of the tensor or all outside, and in
// one unit of `unit` bytes.
static uint32_t runOf(int64_t first, int64_t extent, int64_t from,
                      int64_t bytes, int64_t unit, bool *isInside) {
  int64_t at = first + from, end = from / unit * unit + unit;
  *isInside = at >= 0 && at < extent;
  int64_t change = at < 0 ? -first : at < extent ? extent - first : bytes;
  end = end < bytes ? end : bytes;
  return (uint32_t)((change < end ? change : end) - from);
}

static void visitRow(Visit *v) {
  const CuteSimTensorMap *map = v->map;
  int64_t first = globalBytes(map, v->at[0]), bytes = rowBytes(map);
  int64_t extent = globalBytes(map, (int64_t)map->last[0] + 1);
  int64_t unit = runBytes(map);
  uint64_t address = rowAddress(v);
  for (int64_t from = 0; from < bytes;) {
    bool isInside;
    uint32_t run = runOf(first, extent, from, bytes, unit, &isInside);
    uint64_t near = (uint64_t)(from / unit * UNIT + from % unit);
    uint64_t global =
        isInside && address ? address + (uint64_t)(first + from) : 0;
    v->visit(v->data, swizzled(map, v->shared + near), global, run);
    from += run;
  }
  v->shared += (uint64_t)(bytes / unit * UNIT + bytes % unit);
}

static void visitTile(Visit *v, const int32_t *coords) {
  const CuteSimTensorMap *map = v->map;
  uint32_t rows = cuteSimTensorMapGetBytes(map) / rowBytes(map);
  v->at[0] = coords[0];
  for (uint32_t row = 0; row < rows; ++row) {
    uint32_t rest = row;
    for (int i = 1; i < map->rank; ++i) {
      v->at[i] = coords[i] + (int64_t)(rest % countOf(map, i)) * map->steps[i];
      rest /= countOf(map, i);
    }
    visitRow(v);
  }
}

static void visitRows(Visit *v, const int32_t *coords) {
  v->at[0] = coords[0];
  for (int row = 0; row < CUTE_SIM_MAP_ROWS; ++row) {
    v->at[1] = coords[1 + row];
    visitRow(v);
  }
}

// Goes to the next pixel: within the bounding box of the spatial modes, then to
// the next image.
static void nextPixel(const CuteSimTensorMap *map, int64_t *pixel) {
  int images = map->rank - 1;
  for (int i = 1; i < images; ++i) {
    pixel[i] += map->steps[i];
    if (pixel[i] <= (int64_t)map->last[i] + map->upper[i - 1])
      return;
    pixel[i] = map->lower[i - 1];
  }
  ++pixel[images];
}

static void visitPixels(Visit *v, const int32_t *coords,
                        const uint16_t *offsets) {
  const CuteSimTensorMap *map = v->map;
  int64_t pixel[CUTE_SIM_MAP_RANK];
  for (int i = 0; i < map->rank; ++i)
    pixel[i] = coords[i];
  for (uint32_t n = 0; n < map->pixels; ++n) {
    memcpy(v->at, pixel, sizeof pixel);
    for (int i = 1; offsets && i + 1 < map->rank; ++i)
      v->at[i] += offsets[i - 1];
    visitRow(v);
    nextPixel(map, pixel);
  }
}

void cuteSimTensorMapVisit(const CuteSimTensorMap *map, const int32_t *coords,
                           const uint16_t *offsets, uint64_t shared,
                           CuteSimVisitRun *visit, void *data) {
  Visit v = {.map = map, .shared = shared, .visit = visit, .data = data};
  if (map->isIm2col)
    visitPixels(&v, coords, offsets);
  else if (map->isOfRows)
    visitRows(&v, coords);
  else
    visitTile(&v, coords);
}
