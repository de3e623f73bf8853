// Boxes of random tensors, copied run by run, against loops over coordinates.
#include "Simulator/async/tensor_box.h"
#include "check.h"
#include "check_status.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_BYTES = 1 << 18, U8 = 0, U16 = 1, F16 = 6, F32 = 7, B4 = 13 };

static uint64_t state = 88172645463325252;

static int randomBelow(int n) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (int)((state >> 33) % (uint64_t)n);
}

// A tensor in memory and its map.
typedef struct Tensor {
  int type, bytes, rank, swizzle, fill; // bytes of an element
  uint64_t dims[5], strides[5];         // in bytes; `bytes` in mode 0
  uint32_t box[5], steps[5];
  unsigned char *memory;
  uint64_t size;
  unsigned char map[CUTE_SIM_MAP_BYTES];
} Tensor;

static Tensor randomTensor(void) {
  static const int kinds[] = {U8, U16, F16, F32}, sizes[] = {1, 2, 2, 4};
  int kind = randomBelow(4), swizzle = randomBelow(5);
  Tensor t = {.type = kinds[kind],
              .bytes = sizes[kind],
              .rank = 1 + randomBelow(4),
              .swizzle = swizzle,
              .fill = kind > 1 && randomBelow(2)};
  uint64_t size = 1;
  int units = 1 + randomBelow(swizzle == 4 ? 8 : swizzle ? 1 << swizzle : 6);
  for (int i = 0; i < t.rank; ++i) {
    t.dims[i] = (uint64_t)(1 + randomBelow(i ? 6 : 60));
    t.box[i] = (uint32_t)(i ? 1 + randomBelow(5) : units * 16 / t.bytes);
    t.steps[i] = (uint32_t)(1 + randomBelow(2));
    uint64_t inner = i ? size : (uint64_t)t.bytes;
    t.strides[i] = inner;
    size = inner * t.dims[i];
    size = (size + 15) / 16 * 16 + 16 * (uint64_t)randomBelow(2);
  }
  t.size = size;
  assert_true(size <= MAX_BYTES);
  t.memory = malloc(size);
  for (uint64_t i = 0; i < size; ++i)
    t.memory[i] = (unsigned char)randomBelow(256);
  assertSucceeds(cuteSimEncodeTiled(
      t.map, t.type, (uint32_t)t.rank, (uint64_t)(uintptr_t)t.memory, t.dims,
      t.strides + 1, t.box, t.steps, 0, t.swizzle, t.fill));
  return t;
}

// The byte of shared memory that has byte `at` of the box.
static uint64_t placeOf(int swizzle, uint64_t at) {
  uint64_t line = at / 128, unit = at / 16 % 8;
  if (swizzle == 4)
    unit ^= line % 4 * 2;
  else if (swizzle == 3)
    unit ^= line % 8;
  else if (swizzle == 2)
    unit = (unit & 4) | ((unit & 3) ^ line % 4);
  else if (swizzle == 1)
    unit = (unit & 6) | ((unit & 1) ^ line % 2);
  return line * 128 + unit * 16 + at % 16;
}

// Bytes of an element at coordinates: the tensor's, or what fills.
static void elementAt(const Tensor *t, const int64_t *at, unsigned char *to,
                      unsigned char **from) {
  static const unsigned char nan16[] = {0xff, 0x7f};
  static const unsigned char nan32[] = {0xff, 0xff, 0xff, 0x7f};
  uint64_t offset = 0;
  bool isInside = true;
  for (int i = 0; i < t->rank; ++i) {
    isInside = isInside && at[i] >= 0 && at[i] < (int64_t)t->dims[i];
    offset += (uint64_t)at[i] * t->strides[i];
  }
  *from = isInside ? t->memory + offset : NULL;
  if (isInside)
    memcpy(to, t->memory + offset, (size_t)t->bytes);
  else if (t->fill)
    memcpy(to, t->bytes == 2 ? nan16 : nan32, (size_t)t->bytes);
  else
    memset(to, 0, (size_t)t->bytes);
}

// Shared memory, and who wrote it.
static _Alignas(1024) unsigned char shared[MAX_BYTES], written[MAX_BYTES];
static const CuteSimTensorMap *current;

static void load(void *data, uint64_t to, uint64_t from, unsigned bytes) {
  unsigned each = cuteSimTensorMapGetElementBytes(current);
  unsigned char *start = shared + to;
  (void)data;
  assert_in_range(bytes, 1, 16);
  assert_int_equal(to / 16, (to + bytes - 1) / 16);
  for (unsigned i = 0; i < bytes; ++i)
    ++written[to + i];
  if (from)
    memcpy(start, (void *)(uintptr_t)from, bytes);
  else
    for (unsigned i = 0; i < bytes; i += each)
      cuteSimTensorMapFill(current, start + i);
}

static void storeBack(void *data, uint64_t from, uint64_t to, unsigned bytes) {
  (void)data;
  if (to)
    memcpy((void *)(uintptr_t)to, shared + from, bytes);
}

static void startVisit(const void *map) {
  current = cuteSimTensorMapGet(map);
  assert_non_null(current);
  memset(written, 0, sizeof written);
}

static void countElements(const Tensor *t, uint32_t counts[5]) {
  for (int i = 0; i < 5; ++i)
    counts[i] = i >= t->rank ? 1
                : i          ? (t->box[i] + t->steps[i] - 1) / t->steps[i]
                             : t->box[0];
}

static uint64_t totalOf(const uint32_t counts[5]) {
  uint64_t total = 1;
  for (int i = 0; i < 5; ++i)
    total *= counts[i];
  return total;
}

// The coordinates of element n of the box.
static void coordsOf(const Tensor *t, const int32_t *coords,
                     const uint32_t counts[5], uint64_t n, int64_t at[5]) {
  for (int i = 0; i < t->rank; ++i) {
    at[i] = coords[i] + (int64_t)(n % counts[i]) * (i ? t->steps[i] : 1);
    n /= counts[i];
  }
}

static void checkTile(const Tensor *t, const int32_t *coords) {
  uint32_t counts[5];
  countElements(t, counts);
  for (uint64_t n = 0; n < totalOf(counts); ++n) {
    int64_t at[5];
    unsigned char wanted[8], *from;
    coordsOf(t, coords, counts, n, at);
    elementAt(t, at, wanted, &from);
    uint64_t place = 4096 + placeOf(t->swizzle, n * (uint64_t)t->bytes);
    assert_memory_equal(shared + place, wanted, (size_t)t->bytes);
    assert_int_equal(written[place], 1);
  }
  assert_int_equal(cuteSimTensorMapGetBytes(current),
                   totalOf(counts) * (uint64_t)t->bytes);
}

static void tiles(void **unused) {
  (void)unused;
  for (int i = 0; i < 500; ++i) {
    Tensor t = randomTensor();
    int32_t coords[5];
    for (int k = 0; k < t.rank; ++k)
      coords[k] = randomBelow((int)t.dims[k] + 8) - 4;
    startVisit(t.map);
    cuteSimTensorMapVisit(current, coords, NULL, 4096, load, NULL);
    checkTile(&t, coords);
    free(t.memory);
  }
}

// Notes the bytes of the tensor that are in the box.
static void noteCovered(const Tensor *t, const int32_t *coords,
                        unsigned char *covered) {
  uint32_t counts[5];
  countElements(t, counts);
  for (uint64_t n = 0; n < totalOf(counts); ++n) {
    int64_t at[5];
    unsigned char bytes[8], *from;
    coordsOf(t, coords, counts, n, at);
    elementAt(t, at, bytes, &from);
    if (from)
      memset(covered + (from - t->memory), 1, (size_t)t->bytes);
  }
}

// Stores change what is in the box and inside of the tensor, and nothing else.
static void stores(void **unused) {
  static unsigned char before[MAX_BYTES], covered[MAX_BYTES];
  (void)unused;
  for (int i = 0; i < 200; ++i) {
    Tensor t = randomTensor();
    int32_t coords[5];
    for (int k = 0; k < t.rank; ++k)
      coords[k] = randomBelow((int)t.dims[k] + 8) - 4;
    memcpy(before, t.memory, t.size);
    memset(covered, 0, sizeof covered);
    noteCovered(&t, coords, covered);
    startVisit(t.map);
    cuteSimTensorMapVisit(current, coords, NULL, 4096, load, NULL);
    for (int k = 0; k < MAX_BYTES; ++k)
      shared[k] ^= 0x5a;
    cuteSimTensorMapVisit(current, coords, NULL, 4096, storeBack, NULL);
    for (uint64_t k = 0; k < t.size; ++k)
      assert_int_equal(t.memory[k], before[k] ^ (covered[k] ? 0x5a : 0));
    free(t.memory);
  }
}

static void packedElements(void **unused) {
  (void)unused;
  _Alignas(16) unsigned char memory[64], map[CUTE_SIM_MAP_BYTES];
  uint64_t dims[] = {64, 2}, strides[] = {32};
  uint32_t box[] = {32, 2}, steps[] = {1, 1};
  int32_t coords[] = {48, 1};
  for (int i = 0; i < 64; ++i)
    memory[i] = (unsigned char)i;
  assertSucceeds(cuteSimEncodeTiled(map, B4, 2, (uint64_t)(uintptr_t)memory,
                                    dims, strides, box, steps, 0, 0, 0));
  startVisit(map);
  assert_int_equal(cuteSimTensorMapGetBytes(current), 32);
  memset(shared, 0xee, 64);
  cuteSimTensorMapVisit(current, coords, NULL, 0, load, NULL);
  for (int i = 0; i < 32; ++i)
    assert_int_equal(shared[i], i < 8 ? 56 + i : 0);
}

// Runs of 8 or 12 bytes begin at multiples of 16, and what is after them is not
// written.
static void paddedElements(void **unused) {
  (void)unused;
  for (int type = B4 + 1, bits = 4; bits <= 6; ++type, bits += 2) {
    _Alignas(32) unsigned char memory[2 * 192], map[CUTE_SIM_MAP_BYTES];
    int row = 16 * bits, run = 2 * bits;
    uint64_t dims[] = {256, 2}, strides[] = {(uint64_t)(2 * row)};
    uint32_t box[] = {128, 2}, steps[] = {1, 1};
    int32_t coords[] = {128, 1};
    for (int i = 0; i < 4 * row; ++i)
      memory[i] = (unsigned char)(i % 251);
    assertSucceeds(cuteSimEncodeTiled(map, type, 2, (uint64_t)(uintptr_t)memory,
                                      dims, strides, box, steps, 0, 0, 0));
    startVisit(map);
    assert_int_equal(cuteSimTensorMapGetBytes(current), 2 * row);
    memset(shared, 0xee, 256);
    cuteSimTensorMapVisit(current, coords, NULL, 0, load, NULL);
    for (int i = 0; i < 256; ++i) {
      int from = 3 * row + i / 16 * run + i % 16;
      int wanted = i % 16 >= run ? 0xee : i < 128 ? from % 251 : 0;
      assert_int_equal(shared[i], wanted);
    }
  }
}

// Four rows of a matrix, one of them outside.
static void rows(void **unused) {
  (void)unused;
  _Alignas(16) unsigned char memory[8 * 32], map[CUTE_SIM_MAP_BYTES];
  uint64_t dims[] = {32, 8}, strides[] = {32};
  uint32_t box[] = {16, 1}, steps[] = {1, 1};
  int32_t coords[] = {16, 7, 0, 9, 3};
  for (int i = 0; i < 8 * 32; ++i)
    memory[i] = (unsigned char)i;
  assertSucceeds(cuteSimEncodeTiled(map, U8, 2, (uint64_t)(uintptr_t)memory,
                                    dims, strides, box, steps, 0, 0, 0));
  startVisit(map);
  CuteSimTensorMap gathered = *current;
  gathered.isOfRows = true;
  assert_int_equal(cuteSimTensorMapGetBytes(&gathered), 64);
  memset(shared, 0xee, 64);
  cuteSimTensorMapVisit(&gathered, coords, NULL, 0, load, NULL);
  for (int i = 0; i < 64; ++i) {
    int row = coords[1 + i / 16];
    assert_int_equal(shared[i], row < 8 ? row * 32 + 16 + i % 16 : 0);
  }
}

//===-- Images ------------------------------------------------------------===//

// The pixels under a filter's corner, in order, of all images.
static int listPixels(const int64_t dims[4], const int *lower, const int *upper,
                      const uint32_t *steps, int (*list)[3]) {
  int n = 0;
  for (int image = 0; image < dims[3]; ++image)
    for (int h = lower[1]; h < dims[2] + upper[1]; h += (int)steps[2])
      for (int w = lower[0]; w < dims[1] + upper[0]; w += (int)steps[1]) {
        list[n][0] = w;
        list[n][1] = h;
        list[n++][2] = image;
      }
  return n;
}

static void images(void **unused) {
  static int list[20000][3];
  (void)unused;
  for (int round = 0; round < 200; ++round) {
    Tensor t = {.type = F16, .bytes = 2, .rank = 4};
    int64_t dims[4] = {8 * (1 + randomBelow(3)), 3 + randomBelow(6),
                       3 + randomBelow(6), 1 + randomBelow(3)};
    int pad = randomBelow(3), filter = 1 + randomBelow(3);
    int lower[] = {-pad, -pad};
    int upper[] = {pad - (filter - 1), pad - (filter - 1)};
    uint32_t steps[] = {1, (uint32_t)(1 + randomBelow(2)),
                        (uint32_t)(1 + randomBelow(2)), 1};
    uint32_t channels = 8, pixels = (uint32_t)(1 + randomBelow(40));
    uint64_t size = 2;
    for (int i = 0; i < 4; ++i) {
      t.dims[i] = (uint64_t)dims[i];
      t.strides[i] = size;
      size *= t.dims[i];
    }
    t.memory = malloc(size);
    for (uint64_t i = 0; i < size; ++i)
      t.memory[i] = (unsigned char)randomBelow(256);
    if (dims[1] + upper[0] <= lower[0] || dims[2] + upper[1] <= lower[1]) {
      free(t.memory);
      continue;
    }
    assertSucceeds(cuteSimEncodeIm2col(
        t.map, F16, 4, (uint64_t)(uintptr_t)t.memory, t.dims, t.strides + 1,
        lower, upper, channels, pixels, steps, 0, 0, 0));
    int n = listPixels(dims, lower, upper, steps, list);
    int first = randomBelow(n);
    uint16_t offsets[] = {(uint16_t)randomBelow(filter),
                          (uint16_t)randomBelow(filter)};
    int32_t coords[] = {8 * randomBelow((int)dims[0] / 8), list[first][0],
                        list[first][1], list[first][2]};
    startVisit(t.map);
    cuteSimTensorMapVisit(current, coords, offsets, 0, load, NULL);
    for (uint32_t p = 0; p < pixels; ++p)
      for (uint32_t c = 0; c < channels; ++c) {
        bool exists = first + (int)p < n;
        const int *pixel = list[exists ? first + (int)p : 0];
        int64_t at[] = {coords[0] + (int)c, pixel[0] + offsets[0],
                        pixel[1] + offsets[1], exists ? pixel[2] : -1};
        unsigned char wanted[2], *from;
        elementAt(&t, at, wanted, &from);
        assert_memory_equal(shared + (p * channels + c) * 2, wanted, 2);
      }
    free(t.memory);
  }
}

static void rejected(void **unused) {
  (void)unused;
  unsigned char map[CUTE_SIM_MAP_BYTES] = {0};
  uint64_t dims[] = {8, 8, 8}, strides[] = {16, 128};
  uint32_t box[] = {8, 8, 8}, steps[] = {1, 1, 1};
  int corner[] = {0};
  assert_null(cuteSimTensorMapGet(map));
  assertFails(
      cuteSimEncodeTiled(map, 16, 2, 0, dims, strides, box, steps, 0, 0, 0),
      "data type 16 are not simulated");
  assertFails(
      cuteSimEncodeTiled(map, F16, 6, 0, dims, strides, box, steps, 0, 0, 0),
      "rank 6; it must be from 1 to 5");
  assertFails(
      cuteSimEncodeTiled(map, F16, 3, 0, dims, strides, box, steps, 2, 1, 0),
      "interleaved");
  assertFails(
      cuteSimEncodeTiled(map, F16, 2, 0, dims, strides, box, steps, 0, 5, 0),
      "swizzle 5");
  assertFails(cuteSimEncodeIm2col(map, F16, 2, 0, dims, strides, corner, corner,
                                  8, 8, steps, 0, 0, 0),
              "im2col of rank 2");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(tiles),          cmocka_unit_test(stores),
      cmocka_unit_test(packedElements), cmocka_unit_test(paddedElements),
      cmocka_unit_test(rows),           cmocka_unit_test(images),
      cmocka_unit_test(rejected),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
