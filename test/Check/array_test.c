#include "Check/array.h"
#include "check_status.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

//===-- Elements ----------------------------------------------------------===//

// Every code of a type survives a trip through double.
static void roundTrips(CuteElementType type, int codes) {
  int64_t extent = 1;
  CuteArray array;
  assertSucceeds(cuteArrayCreate(&array, type, 1, &extent, NULL));
  for (int code = 0; code < codes; ++code) {
    memcpy(array.data, &code, cuteArrayGetBytes(&array));
    double value = cuteArrayLoad(&array, 0);
    if (isnan(value))
      continue;
    int back = 0;
    cuteArrayStore(&array, 0, value);
    memcpy(&back, array.data, cuteArrayGetBytes(&array));
    assert_int_equal(back, code);
  }
  cuteArrayDestroy(&array);
}

static void everyCodeRoundTrips(void **state) {
  (void)state;
  roundTrips(CUTE_ELEMENT_F16, 1 << 16);
  roundTrips(CUTE_ELEMENT_BF16, 1 << 16);
  roundTrips(CUTE_ELEMENT_F8E4M3, 1 << 8);
  roundTrips(CUTE_ELEMENT_F8E5M2, 1 << 8);
  roundTrips(CUTE_ELEMENT_F8E8M0, 1 << 8);
  roundTrips(CUTE_ELEMENT_F6E2M3, 1 << 6);
  roundTrips(CUTE_ELEMENT_F6E3M2, 1 << 6);
  roundTrips(CUTE_ELEMENT_F4E2M1, 1 << 4);
  roundTrips(CUTE_ELEMENT_I8, 1 << 8);
  roundTrips(CUTE_ELEMENT_UI8, 1 << 8);
  roundTrips(CUTE_ELEMENT_UI16, 1 << 16);
  roundTrips(CUTE_ELEMENT_I4, 1 << 4);
  roundTrips(CUTE_ELEMENT_UI4, 1 << 4);
  roundTrips(CUTE_ELEMENT_I2, 1 << 2);
  roundTrips(CUTE_ELEMENT_UI1, 1 << 1);
  roundTrips(CUTE_ELEMENT_I16, 1 << 16);
}

static double rounded(CuteElementType type, double value) {
  int64_t extent = 1;
  CuteArray array;
  assertSucceeds(cuteArrayCreate(&array, type, 1, &extent, NULL));
  cuteArrayStore(&array, 0, value);
  double result = cuteArrayLoad(&array, 0);
  cuteArrayDestroy(&array);
  return result;
}

static void conversionRoundsToNearestEven(void **state) {
  (void)state;
  assert_true(rounded(CUTE_ELEMENT_F16, 1 + 0x1p-11) == 1);
  assert_true(rounded(CUTE_ELEMENT_F16, 1 + 0x1.8p-10) == 1 + 0x1p-9);
  assert_true(rounded(CUTE_ELEMENT_F16, 1 + 0x1.01p-11) == 1 + 0x1p-10);
  assert_true(rounded(CUTE_ELEMENT_F16, 65519) == 65504);
  assert_true(isinf(rounded(CUTE_ELEMENT_F16, 65520)));
  assert_true(rounded(CUTE_ELEMENT_F16, -0x1p-24) == -0x1p-24);
  assert_true(rounded(CUTE_ELEMENT_F16, 0x1p-25) == 0);
  assert_true(rounded(CUTE_ELEMENT_F16, 0x1.8p-25) == 0x1p-24);
  assert_true(rounded(CUTE_ELEMENT_F16, 1e-300) == 0);
  assert_true(isinf(rounded(CUTE_ELEMENT_F16, INFINITY)));
  assert_true(isnan(rounded(CUTE_ELEMENT_F16, NAN)));
  assert_true(rounded(CUTE_ELEMENT_BF16, 1 + 0x1p-8) == 1);
  assert_true(rounded(CUTE_ELEMENT_F8E4M3, 448) == 448);
  assert_true(isnan(rounded(CUTE_ELEMENT_F8E4M3, 480)));
  assert_true(rounded(CUTE_ELEMENT_I4, -8) == -8);
  assert_true(rounded(CUTE_ELEMENT_UI4, -8) == 8);
  assert_true(rounded(CUTE_ELEMENT_UI64, 0x1p63) == 0x1p63);
  assert_true(rounded(CUTE_ELEMENT_F4E2M1, 5.1) == 6);
  assert_true(rounded(CUTE_ELEMENT_F4E2M1, -100) == -6);
  assert_true(rounded(CUTE_ELEMENT_F6E2M3, 7.6) == 7.5);
  assert_true(rounded(CUTE_ELEMENT_F6E3M2, 100) == 28);
  assert_true(rounded(CUTE_ELEMENT_F8E8M0, 5) == 4);
  assert_true(rounded(CUTE_ELEMENT_F8E8M0, 6) == 8);
  assert_true(rounded(CUTE_ELEMENT_F8E8M0, 0) == 0x1p-127);
  assert_true(rounded(CUTE_ELEMENT_F8E8M0, 1e300) == 0x1p127);
  assert_true(isnan(rounded(CUTE_ELEMENT_F8E8M0, -1)));
  assert_true(rounded(CUTE_ELEMENT_TF32, 1 + 0x1p-11) == 1);
  assert_true(rounded(CUTE_ELEMENT_TF32, 1 + 0x1.8p-10) == 1 + 0x1p-9);
  assert_true(rounded(CUTE_ELEMENT_TF32, -1 - 0x1.01p-11) == -1 - 0x1p-10);
  assert_true(isinf(rounded(CUTE_ELEMENT_TF32, INFINITY)));
}

// Elements below 8 bits share bytes, the first in the lowest bits, and storing
// one leaves the others alone.
static void packedElements(void **state) {
  (void)state;
  static const CuteElementType types[] = {CUTE_ELEMENT_UI1, CUTE_ELEMENT_UI2,
                                          CUTE_ELEMENT_UI4};
  for (size_t t = 0; t < 3; ++t) {
    int64_t extent = 16, bits = cuteElementTypeGetBits(types[t]);
    CuteArray array;
    assertSucceeds(cuteArrayCreate(&array, types[t], 1, &extent, NULL));
    assert_int_equal(cuteArrayGetBytes(&array), 2 * bits);
    uint64_t wanted = 0;
    for (int64_t i = 15; i >= 0; --i) {
      uint64_t value = (uint64_t)(5 * i + 1) & ((1u << bits) - 1);
      cuteArrayStore(&array, i, (double)value);
      wanted |= value << i * bits;
      assert_memory_equal(array.data, &wanted, (size_t)(2 * bits));
    }
    cuteArrayDestroy(&array);
  }
}

// Every value of a small type occurs among enough random ones, and none of a
// type without sign is negative.
static void anyBits(void **state) {
  (void)state;
  static const char *const texts[] = {
      "i4[4096]:bits(1)", "ui4[4096]:bits(2)",    "ui1[4096]:bits(3)",
      "i8[9999]:bits(4)", "i16[999]:integers(5)", "ui16[999]:integers(6)"};
  static const int least[] = {-8, 0, 0, -128, -4, 0};
  static const int most[] = {7, 15, 1, 127, 4, 8};
  for (size_t t = 0; t < 6; ++t) {
    CuteArray array;
    bool seen[256] = {false};
    assertSucceeds(cuteArrayParse(&array, texts[t]));
    for (int64_t i = 0; i < array.cosize; ++i) {
      double value = cuteArrayLoad(&array, i);
      assert_true(value >= least[t] && value <= most[t]);
      seen[(int)value - least[t]] = true;
    }
    for (int i = 0; i <= most[t] - least[t]; ++i)
      assert_true(seen[i]);
    cuteArrayDestroy(&array);
  }
}

// Pairs of different places in order: all six occur, and one of two.
static void places(void **state) {
  (void)state;
  CuteArray array;
  bool seen[4][4] = {{false}};
  assertSucceeds(cuteArrayParse(&array, "ui2[64x32]:places(1)"));
  for (int64_t i = 0; i < array.cosize; i += 2) {
    int first = (int)cuteArrayLoad(&array, i);
    int second = (int)cuteArrayLoad(&array, i + 1);
    assert_true(first < second);
    seen[first][second] = true;
  }
  for (int i = 0; i < 4; ++i)
    for (int j = i + 1; j < 4; ++j)
      assert_true(seen[i][j]);
  cuteArrayDestroy(&array);
  assertSucceeds(cuteArrayParse(&array, "ui4[64]:places(2)"));
  int numSecond = 0;
  for (int64_t i = 0; i < array.cosize; ++i) {
    double place = cuteArrayLoad(&array, i);
    assert_true(place == 4 || place == 14);
    numSecond += place == 14;
  }
  assert_true(numSecond > 16 && numSecond < 48);
  cuteArrayDestroy(&array);
}

static void scales(void **state) {
  (void)state;
  static const char *const texts[] = {"f8E8M0FNU[999]:scales(1)",
                                      "f8E4M3FN[999]:scales(2)"};
  for (int t = 0; t < 2; ++t) {
    CuteArray array;
    double least = INFINITY, most = 0;
    assertSucceeds(cuteArrayParse(&array, texts[t]));
    for (int64_t i = 0; i < array.cosize; ++i) {
      least = fmin(least, cuteArrayLoad(&array, i));
      most = fmax(most, cuteArrayLoad(&array, i));
    }
    assert_true(least == 0.125);
    assert_true(most == (t ? 15 : 8));
    cuteArrayDestroy(&array);
  }
}

// All kinds of numbers of f16 are among the hard ones.
static void hard(void **state) {
  CuteArray array;
  int denormals = 0, infinities = 0, nans = 0, zeros = 0, usual = 0, large = 0;
  (void)state;
  assertSucceeds(cuteArrayParse(&array, "f16[9999]:hard(1)"));
  for (int64_t i = 0; i < array.cosize; ++i) {
    double value = fabs(cuteArrayLoad(&array, i));
    nans += isnan(value);
    infinities += isinf(value);
    zeros += value == 0;
    denormals += value > 0 && value < 0x1p-14;
    usual += value >= 0.0625 && value < 16;
    large += isfinite(value) && value >= 1024;
  }
  assert_true(nans > 3 && infinities > 3 && zeros > 99 && denormals > 99);
  assert_true(usual > 4000 && large > 99);
  cuteArrayDestroy(&array);
}

//===-- Text --------------------------------------------------------------===//

static void parsesRowMajor(void **state) {
  (void)state;
  CuteArray array;
  assertSucceeds(cuteArrayParse(&array, "f32[3x4]:iota"));
  assert_int_equal(array.rank, 2);
  assert_int_equal(array.strides[0], 4);
  assert_int_equal(array.strides[1], 1);
  for (int64_t i = 0; i < 12; ++i)
    assert_true(cuteArrayLoad(&array, i) == (double)i);
  cuteArrayDestroy(&array);
}

static void parsesLayoutsAndPoisonsGaps(void **state) {
  (void)state;
  CuteArray array;
  assertSucceeds(cuteArrayParse(&array, "f16[(2,3):(5,1)]:fill(2)"));
  assert_int_equal(array.cosize, 8);
  assert_true(cuteArrayLoad(&array, 2) == 2);
  assert_true(isnan(cuteArrayLoad(&array, 3)));
  assert_true(cuteArrayLoad(&array, 5) == 2);
  cuteArrayDestroy(&array);
}

static void seedsDecide(void **state) {
  (void)state;
  CuteArray a, b, c;
  assertSucceeds(cuteArrayParse(&a, "f64[70000]:normal(7)"));
  assertSucceeds(cuteArrayParse(&b, "f64[70000]:normal(7)"));
  assertSucceeds(cuteArrayParse(&c, "f64[70000]:normal(8)"));
  assert_memory_equal(a.data, b.data, cuteArrayGetBytes(&a));
  assert_memory_not_equal(a.data, c.data, cuteArrayGetBytes(&a));
  double sum = 0, squares = 0;
  for (int64_t i = 0; i < a.cosize; ++i) {
    double value = cuteArrayLoad(&a, i);
    sum += value;
    squares += value * value;
  }
  assert_true(fabs(sum / 70000) < 0.02);
  assert_true(fabs(squares / 70000 - 1) < 0.03);
  cuteArrayDestroy(&a);
  cuteArrayDestroy(&b);
  cuteArrayDestroy(&c);
}

// Of elements at one place the last one counts, whichever thread made it.
static void overlapsKeepTheLast(void **state) {
  (void)state;
  CuteArray all, rows, steps;
  assertSucceeds(cuteArrayParse(&all, "f32[40000x3]:normal(7)"));
  for (int i = 0; i < 20; ++i) {
    assertSucceeds(cuteArrayParse(&rows, "f32[(40000,3):(0,1)]:normal(7)"));
    assertSucceeds(cuteArrayParse(&steps, "f32[(40000,3):(1,1)]:normal(7)"));
    for (int64_t j = 0; j < 3; ++j) {
      double last = cuteArrayLoad(&all, 39999 * 3 + j);
      assert_true(cuteArrayLoad(&rows, j) == last);
      assert_true(cuteArrayLoad(&steps, 39999 + j) == last);
    }
    cuteArrayDestroy(&rows);
    cuteArrayDestroy(&steps);
  }
  cuteArrayDestroy(&all);
}

static void nestedModesAreTheirLeaves(void **state) {
  (void)state;
  CuteArray array;
  assertSucceeds(
      cuteArrayParse(&array, "i32[((4,(2,3)),5):((1,(40,8)),100)]:iota"));
  static const int64_t extents[] = {4, 2, 3, 5}, strides[] = {1, 40, 8, 100};
  assert_int_equal(array.rank, 4);
  for (size_t i = 0; i < 4; ++i) {
    assert_int_equal(array.extents[i], extents[i]);
    assert_int_equal(array.strides[i], strides[i]);
  }
  assert_true(cuteArrayLoad(&array, 3 + 40 + 2 * 8 + 4 * 100) == 119);
  cuteArrayDestroy(&array);
}

// An extent of 0, which layouts do not have.
static void emptyTensors(void **state) {
  (void)state;
  CuteArray array;
  assertSucceeds(cuteArrayParse(&array, "f16[(64,(0,2)):(8,(1,4))]:normal(1)"));
  assert_int_equal(array.rank, 3);
  assert_int_equal(array.extents[1], 0);
  assert_int_equal(array.strides[0], 8);
  assert_int_equal(cuteArrayGetSize(&array), 0);
  cuteArrayDestroy(&array);
  assertFails(cuteArrayParse(&array, "f16[(64,-1):(8,1)]:zeros"),
              "is neither a shape");
  assertFails(cuteArrayParse(&array, "f16[(64,0):8]:zeros"),
              "is neither a shape");
  assertFails(cuteArrayParse(&array, "f16[(64,0)]:zeros"),
              "is neither a shape");
}

static void rejectsBadText(void **state) {
  (void)state;
  static const char *const bad[] = {
      "f16",
      "f16[",
      "f16[]",
      "f16[4",
      "f16[4]x",
      "f17[4]",
      "f16[4x]",
      "f16[-4]",
      "f16[4]:",
      "f16[4]:seven",
      "f16[4]:normal",
      "f16[4]:bits(1)",
      "i8[4]:bits",
      "i8[4]:scales(1)",
      "i8[4]:hard(1)",
      "i2[4]:places(1)",
      "ui128[4]",
      "f16[4]:normal(",
      "f16[4]:zeros(1)",
      "f16[(4,?):(1,4)]",
      "f16[((4,?),2):((1,4),8)]",
      "f16[((2,2,2,2,2),(2,2,2,2)):((1,2,4,8,16),(32,64,128,256))]",
      "f16[1x1x1x1x1x1x1x1x1]",
      "f16[9223372036854775807x2]",
      "f16[99999999999999999999]",
      "f16[4:-1]",
      "missing.npy",
      ""};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
    CuteArray array;
    assertFails(cuteArrayParse(&array, bad[i]), "");
  }
}

//===-- Files -------------------------------------------------------------===//

static void npyRoundTrips(void **state) {
  (void)state;
  char path[] = "/tmp/cute-npy-XXXXXX";
  int file = mkstemp(path);
  assert_true(file >= 0);
  close(file);
  static const char *const texts[] = {
      "f16[7x5]:normal(1)",         "f32[3]:iota",
      "f64[(4,6):(1,4)]:normal(2)", "bf16[2x2x2]:uniform(3)",
      "i32[9]:integers(4)",         "i8[0]"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) {
    CuteArray array, read;
    CuteComparison comparison;
    assertSucceeds(cuteArrayParse(&array, texts[i]));
    assertSucceeds(cuteNpyWrite(&array, path));
    assertSucceeds(cuteNpyRead(&read, path));
    assert_int_equal(read.type, array.type);
    assertSucceeds(cuteArrayCompare(&array, &read, &comparison));
    assert_true(comparison.maxError == 0);
    cuteArrayDestroy(&array);
    cuteArrayDestroy(&read);
  }
  unlink(path);
}

// Types that NumPy does not have are bytes in a file, and a tensor takes them.
static void npyHoldsBytes(void **state) {
  (void)state;
  char path[] = "/tmp/cute-npy-XXXXXX", text[128];
  int file = mkstemp(path);
  assert_true(file >= 0);
  close(file);
  static const struct {
    const char *made, *like;
    int64_t extent;
  } cases[] = {{"f8E4M3FN[4x6]:normal(1)", "f8E4M3FN[4x6]", 6},
               {"f4E2M1FN[4x8]:normal(2)", "f4E2M1FN[4x8]", 4},
               {"i4[3x2]:bits(3)", "i4[3x2]", 1}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    CuteArray array, read, again;
    assertSucceeds(cuteArrayParse(&array, cases[i].made));
    assertSucceeds(cuteNpyWrite(&array, path));
    assertSucceeds(cuteNpyRead(&read, path));
    assert_int_equal(read.type, CUTE_ELEMENT_UI8);
    assert_int_equal(read.extents[1], cases[i].extent);
    snprintf(text, sizeof text, "%s:bytes(%s)", cases[i].like, path);
    assertSucceeds(cuteArrayParse(&again, text));
    assert_int_equal(again.type, array.type);
    assert_memory_equal(again.data, array.data, cuteArrayGetBytes(&array));
    cuteArrayDestroy(&array);
    cuteArrayDestroy(&read);
    cuteArrayDestroy(&again);
  }
  CuteArray odd;
  assertSucceeds(cuteArrayParse(&odd, "i4[2x3]:zeros"));
  assertFails(cuteNpyWrite(&odd, path), "with whole bytes in each row");
  cuteArrayDestroy(&odd);
  snprintf(text, sizeof text, "f8E4M3FN[9]:bytes(%s)", path);
  assertFails(cuteArrayParse(&odd, text), "has 3 bytes, and the tensor 9");
  snprintf(text, sizeof text, "i8[(1,(2,3)):(3,(0,1))]:bytes(%s)", path);
  assertFails(cuteArrayParse(&odd, text), "the tensor is not row-major");
  assertFails(cuteArrayParse(&odd, "ui8[9]:bytes(/none.npy)"),
              "cannot open '/none.npy'");
  assertFails(cuteArrayParse(&odd, "ui8[9]:bytes(x"), "is not bytes(FILE.npy)");
  unlink(path);
}

static void rejectsBadFiles(void **state) {
  (void)state;
  static const char *const contents[] = {
      "",
      "\x93NUMPY",
      "\x93NUMPY\x01\x00\xff\xff",
      "\x93NUMPY\x01\x00\x10\x00{'descr': '<c8'}",
      "\x93NUMPY\x01\x00\x09\x00{'descr':",
      "\x93NUMPY\x01\x00\x0a\x00{'descr':'",
      "\x93NUMPY\x01\x00\x26\x00{'descr':'<f4','fortran_order':1,'shape':(",
      "\x93NUMPY\x01\x00\x25\x00{'descr':'<f4','fortran_order':1,'shape':"};
  static const size_t lengths[] = {0, 6, 10, 26, 19, 20, 48, 47};
  char path[] = "/tmp/cute-npy-XXXXXX";
  int file = mkstemp(path);
  assert_true(file >= 0);
  close(file);
  for (size_t i = 0; i < sizeof lengths / sizeof *lengths; ++i) {
    FILE *out = fopen(path, "wb");
    fwrite(contents[i], 1, lengths[i], out);
    fclose(out);
    CuteArray array;
    assertFails(cuteNpyRead(&array, path), "");
  }
  unlink(path);
}

//===-- Comparison --------------------------------------------------------===//

static void comparisonSeesOneWrongElement(void **state) {
  (void)state;
  CuteArray a, b;
  CuteComparison c;
  assertSucceeds(cuteArrayParse(&a, "f32[100x100]:normal(1)"));
  assertSucceeds(cuteArrayParse(&b, "f32[100x100]:normal(1)"));
  assertSucceeds(cuteArrayCompare(&a, &b, &c));
  assert_true(c.maxError == 0 && c.frobenius == 0 && !c.notNumbers);
  cuteArrayStore(&a, 1234, cuteArrayLoad(&a, 1234) + 1);
  assertSucceeds(cuteArrayCompare(&a, &b, &c));
  assert_true(c.maxError > 0.1);
  assert_int_equal(c.worst, 1234);
  cuteArrayStore(&a, 77, NAN);
  assertSucceeds(cuteArrayCompare(&a, &b, &c));
  assert_true(isinf(c.maxError));
  assert_int_equal(c.notNumbers, 1);
  cuteArrayDestroy(&b);
  assertSucceeds(cuteArrayParse(&b, "f32[10x1000]"));
  assertFails(cuteArrayCompare(&a, &b, &c), "");
  cuteArrayDestroy(&a);
  cuteArrayDestroy(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(everyCodeRoundTrips),
      cmocka_unit_test(conversionRoundsToNearestEven),
      cmocka_unit_test(packedElements),
      cmocka_unit_test(anyBits),
      cmocka_unit_test(places),
      cmocka_unit_test(scales),
      cmocka_unit_test(hard),
      cmocka_unit_test(parsesRowMajor),
      cmocka_unit_test(parsesLayoutsAndPoisonsGaps),
      cmocka_unit_test(seedsDecide),
      cmocka_unit_test(overlapsKeepTheLast),
      cmocka_unit_test(nestedModesAreTheirLeaves),
      cmocka_unit_test(emptyTensors),
      cmocka_unit_test(rejectsBadText),
      cmocka_unit_test(npyRoundTrips),
      cmocka_unit_test(npyHoldsBytes),
      cmocka_unit_test(rejectsBadFiles),
      cmocka_unit_test(comparisonSeesOneWrongElement),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
