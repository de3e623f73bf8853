// Tensor maps: what is checked, and what the driver is given.
#include "Runtime/tensor_map.h"
#include "check_status.h"

static CuteTensorMap valid(void) {
  return (CuteTensorMap){.tensor = "arg0",
                         .element = CUTE_ELEMENT_F16,
                         .rank = 2,
                         .address = 0x1000,
                         .dims = {512, 300},
                         .strides = {1024},
                         .elementStrides = {1, 1},
                         .box = {64, 128},
                         .swizzle = CUTE_MAP_SWIZZLE_128B};
}

static CuteTensorMap validIm2col(void) {
  return (CuteTensorMap){.tensor = "arg0",
                         .element = CUTE_ELEMENT_BF16,
                         .rank = 4,
                         .address = 0x1000,
                         .dims = {64, 9, 8, 2},
                         .strides = {128, 1152, 9216},
                         .elementStrides = {1, 1, 1, 1},
                         .isIm2col = true,
                         .lower = {-1, -2},
                         .upper = {-1, 2},
                         .channels = 64,
                         .pixels = 1024};
}

#define REJECTS(map, change, message)                                          \
  do {                                                                         \
    CuteTensorMap m = map();                                                   \
    assertSucceeds(cuteTensorMapCheck(&m));                                    \
    change;                                                                    \
    assertFails(cuteTensorMapCheck(&m), "the tensor map of arg0: " message);   \
  } while (0)

static void rejectsForms(void **state) {
  (void)state;
  REJECTS(valid, m.rank = 0, "the rank is 0; it must be from 1 to 5");
  REJECTS(valid, m.rank = 6, "the rank is 6; it must be from 1 to 5");
  REJECTS(valid, m.interleave = CUTE_MAP_INTERLEAVE_16B,
          "the rank is 2; it must be from 3 to 5 with an interleave");
  REJECTS(validIm2col, m.interleave = CUTE_MAP_INTERLEAVE_32B,
          "interleave 32B goes with swizzle 32B, not none");
  REJECTS(validIm2col, m.rank = 2, "the rank is 2; it must be from 3 to 5 for");
  REJECTS(valid, m.element = CUTE_ELEMENT_UI2, "there is no tensor map of ui2");
  REJECTS(valid, (m.element = CUTE_ELEMENT_I16, m.fill = CUTE_MAP_FILL_NAN),
          "NaN fill needs f16, bf16, tf32, f32 or f64, not i16");
}

static void rejectsMemory(void **state) {
  (void)state;
  REJECTS(valid, m.address = 0x1008, "address 0x1008 is not a multiple of 16");
  REJECTS(valid, m.dims[1] = 0,
          "extent of mode 1 is 0; it must be from 1 to 4294967296");
  REJECTS(valid, m.dims[0] = (INT64_C(1) << 32) + 1, "extent of mode 0 is");
  REJECTS(
      valid, m.strides[0] = 1000,
      "stride of mode 1 is 1000 bytes; it must be a multiple of 16 below 2^40");
  REJECTS(valid, m.strides[0] = INT64_C(1) << 40, "stride of mode 1 is");
  REJECTS(valid, m.strides[0] = -16, "stride of mode 1 is -16 bytes");
  REJECTS(valid, (m.element = CUTE_ELEMENT_F4E2M1, m.dims[0] = 33),
          "extent of mode 0 is 33; for f4E2M1FN it must be even");
  REJECTS(valid, (m.packedBits = 6, m.address = 0x1010),
          "address 0x1010 is not a multiple of 32");
  REJECTS(valid, (m.packedBits = 6, m.dims[0] = 192),
          "extent of mode 0 is 192; for 6 bits it must be a multiple of 128");
  REJECTS(valid, (m.packedBits = 5), "there is no tensor map of ");
  REJECTS(
      validIm2col,
      (m.interleave = CUTE_MAP_INTERLEAVE_32B, m.swizzle = CUTE_MAP_SWIZZLE_32B,
       m.strides[0] = 144),
      "stride of mode 1 is 144 bytes; it must be a multiple of 32 below 2^40");
}

static void rejectsBoxes(void **state) {
  (void)state;
  REJECTS(valid, m.box[1] = 257,
          "box of mode 1 is 257; it must be from 1 to 256");
  REJECTS(valid, m.box[0] = 0, "box of mode 0 is 0; it must be from 1 to 256");
  REJECTS(valid, m.box[0] = 20,
          "box of mode 0 is 20 elements of f16, 320 bits; it must be a "
          "multiple of 16 "
          "bytes");
  REJECTS(valid, m.box[0] = 72,
          "box of mode 0 is 72 elements of f16, 144 bytes; the limit with "
          "swizzle 128B is 128 bytes");
  REJECTS(valid, m.swizzle = CUTE_MAP_SWIZZLE_64B,
          "box of mode 0 is 64 elements of f16, 128 bytes; the limit with "
          "swizzle 64B is 64 bytes");
  REJECTS(valid, m.elementStrides[1] = 9,
          "element stride of mode 1 is 9; it must be from 1 to 8");
  CuteTensorMap wide = valid();
  wide.swizzle = CUTE_MAP_SWIZZLE_NONE;
  wide.box[0] = 256;
  assertSucceeds(cuteTensorMapCheck(&wide));
}

static void rejectsImages(void **state) {
  (void)state;
  REJECTS(validIm2col, m.lower[0] = -129,
          "lower corner 0 is -129; it must be from -128 to 127");
  REJECTS(validIm2col, m.upper[1] = 128,
          "upper corner 1 is 128; it must be from -128 to 127");
  REJECTS(validIm2col, m.upper[0] = -10,
          "between lower corner -1 and upper corner -10, mode 1 has none of "
          "its 9 pixels");
  REJECTS(validIm2col, m.channels = 257, "channels of mode 0 is 257");
  REJECTS(validIm2col, m.channels = 4,
          "the channels of a pixel is 4 elements of bf16");
  REJECTS(validIm2col, m.pixels = 1025, "pixels of column 0 is 1025");
}

//===-- Encoding ----------------------------------------------------------===//

// The numbers that the driver was given last.
static struct {
  int element, promotion;
  CuteDevicePointer address;
  uint32_t rank, box[5];
  uint64_t dims[5], strides[4];
  int lower[3];
} seen;

static int encodeTiled(void *map, int element, uint32_t rank,
                       CuteDevicePointer address, const uint64_t *dims,
                       const uint64_t *strides, const uint32_t *box,
                       const uint32_t *elementStrides, int interleave,
                       int swizzle, int promotion, int fill) {
  assert_int_equal((uintptr_t)map % 64, 0);
  assert_int_equal(elementStrides[rank - 1], 1);
  assert_int_equal(interleave, 0);
  assert_int_equal(swizzle, 3);
  assert_int_equal(fill, 0);
  seen.element = element;
  seen.promotion = promotion;
  seen.address = address;
  seen.rank = rank;
  memcpy(seen.dims, dims, rank * sizeof *dims);
  memcpy(seen.strides, strides, (rank - 1) * sizeof *strides);
  memcpy(seen.box, box, rank * sizeof *box);
  memset(map, 0x5a, CUTE_TENSOR_MAP_BYTES);
  return 0;
}

static int encodeIm2col(void *map, int element, uint32_t rank,
                        CuteDevicePointer address, const uint64_t *dims,
                        const uint64_t *strides, const int *lower,
                        const int *upper, uint32_t channels, uint32_t pixels,
                        const uint32_t *elementStrides, int interleave,
                        int swizzle, int promotion, int fill) {
  (void)map, (void)element, (void)address, (void)dims, (void)strides;
  (void)elementStrides, (void)interleave, (void)swizzle, (void)promotion;
  assert_int_equal(rank, 4);
  assert_int_equal(upper[1], 2);
  assert_int_equal(channels, 64);
  assert_int_equal(pixels, 1024);
  memcpy(seen.lower, lower, 2 * sizeof *lower);
  return fill ? 1 : 0;
}

static int sayError(int error, const char **text) {
  *text = error ? "invalid argument" : "";
  return 0;
}

static void encodesWhatItSays(void **state) {
  (void)state;
  CuteCuda cuda = {.getErrorString = sayError};
  unsigned char bytes[CUTE_TENSOR_MAP_BYTES + 1] = {0};
  CuteTensorMap map = valid(), image = validIm2col();
  assertFails(cuteTensorMapEncode(&map, &cuda, bytes), "with CUDA 12");
  cuda.encodeTiled = encodeTiled;
  assertFails(cuteTensorMapEncode(&image, &cuda, bytes), "with CUDA 12");
  cuda.encodeIm2col = encodeIm2col;
  assertSucceeds(cuteTensorMapEncode(&map, &cuda, bytes + 1));
  assert_int_equal(bytes[0], 0);
  assert_int_equal(bytes[CUTE_TENSOR_MAP_BYTES], 0x5a);
  assert_int_equal(seen.address, 0x1000);
  assert_int_equal(seen.dims[0], 512);
  assert_int_equal(seen.dims[1], 300);
  assert_int_equal(seen.strides[0], 1024);
  assert_int_equal(seen.box[1], 128);
  assertSucceeds(cuteTensorMapEncode(&image, &cuda, bytes));
  assert_int_equal(seen.lower[0], -1);
  assert_int_equal(seen.lower[1], -2);
  image.fill = CUTE_MAP_FILL_NAN;
  assertFails(cuteTensorMapEncode(&image, &cuda, bytes),
              "the tensor map of arg0: encoding: CUDA error 1: invalid");
  map.rank = 0;
  assertFails(cuteTensorMapEncode(&map, &cuda, bytes), "the rank is 0");
}

// What the L2 cache is to fetch for rows that begin at sectors, and elsewhere.
static void fetchesLessForRowsWithinSectors(void **state) {
  (void)state;
  static const struct {
    uint64_t address;
    int64_t stride;
    CuteMapPromotion given, wanted;
  } rows[] = {
      {0x1000, 1024, CUTE_MAP_PROMOTION_256B, CUTE_MAP_PROMOTION_256B},
      {0x1020, 1056, CUTE_MAP_PROMOTION_256B, CUTE_MAP_PROMOTION_256B},
      {0x1000, 1040, CUTE_MAP_PROMOTION_256B, CUTE_MAP_PROMOTION_128B},
      {0x1010, 1024, CUTE_MAP_PROMOTION_256B, CUTE_MAP_PROMOTION_128B},
      {0x1000, 1040, CUTE_MAP_PROMOTION_64B, CUTE_MAP_PROMOTION_64B},
  };
  CuteCuda cuda = {.encodeTiled = encodeTiled, .getErrorString = sayError};
  unsigned char bytes[CUTE_TENSOR_MAP_BYTES];
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    CuteTensorMap map = valid();
    map.promotion = rows[i].given;
    map.address = rows[i].address;
    map.strides[0] = rows[i].stride;
    assertSucceeds(cuteTensorMapEncode(&map, &cuda, bytes));
    assert_int_equal(seen.promotion, rows[i].wanted);
  }
}

// Numbers of CUtensorMapDataType in cuda.h.
static void namesEveryElement(void **state) {
  (void)state;
  static const struct {
    CuteElementType element;
    int number;
  } rows[] = {{CUTE_ELEMENT_I1, 0},     {CUTE_ELEMENT_I8, 0},
              {CUTE_ELEMENT_UI8, 0},    {CUTE_ELEMENT_F8E4M3, 0},
              {CUTE_ELEMENT_F8E5M2, 0}, {CUTE_ELEMENT_F8E8M0, 0},
              {CUTE_ELEMENT_F6E2M3, 0}, {CUTE_ELEMENT_F6E3M2, 0},
              {CUTE_ELEMENT_I16, 1},    {CUTE_ELEMENT_UI16, 1},
              {CUTE_ELEMENT_UI32, 2},   {CUTE_ELEMENT_I32, 3},
              {CUTE_ELEMENT_UI64, 4},   {CUTE_ELEMENT_I64, 5},
              {CUTE_ELEMENT_F16, 6},    {CUTE_ELEMENT_F32, 7},
              {CUTE_ELEMENT_F64, 8},    {CUTE_ELEMENT_BF16, 9},
              {CUTE_ELEMENT_TF32, 11},  {CUTE_ELEMENT_I4, 13},
              {CUTE_ELEMENT_UI4, 13},   {CUTE_ELEMENT_F4E2M1, 13}};
  CuteCuda cuda = {.encodeTiled = encodeTiled, .getErrorString = sayError};
  unsigned char bytes[CUTE_TENSOR_MAP_BYTES];
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    CuteTensorMap map = valid();
    map.element = rows[i].element;
    map.box[0] = 256 / cuteElementTypeGetBits(map.element);
    assertSucceeds(cuteTensorMapEncode(&map, &cuda, bytes));
    assert_int_equal(seen.element, rows[i].number);
  }
}

// Elements of 4 and 6 bits that have a byte each in shared memory.
static void namesPaddedElements(void **state) {
  (void)state;
  CuteCuda cuda = {.encodeTiled = encodeTiled, .getErrorString = sayError};
  unsigned char bytes[CUTE_TENSOR_MAP_BYTES];
  for (int bits = 4; bits <= 6; bits += 2) {
    CuteTensorMap map = valid();
    map.element = CUTE_ELEMENT_UI8;
    map.packedBits = bits;
    map.dims[0] = 256;
    map.box[0] = 64;
    assertFails(cuteTensorMapEncode(&map, &cuda, bytes), "it must be 128");
    map.box[0] = 128;
    assertSucceeds(cuteTensorMapEncode(&map, &cuda, bytes));
    assert_int_equal(seen.element, bits == 4 ? 14 : 15);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rejectsForms),
      cmocka_unit_test(rejectsMemory),
      cmocka_unit_test(rejectsBoxes),
      cmocka_unit_test(rejectsImages),
      cmocka_unit_test(encodesWhatItSays),
      cmocka_unit_test(fetchesLessForRowsWithinSectors),
      cmocka_unit_test(namesEveryElement),
      cmocka_unit_test(namesPaddedElements),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
