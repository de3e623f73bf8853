// Sums of tensor cores against vectors of a model of them, bit for bit: each
// line has an architecture, the element types of D, A, B and the factors or -,
// whether a warpgroup multiplies, C, D, A, B, and the factors or -.
#include "Hardware/atom.h"
#include "Hardware/float_code.h"
#include "Simulator/tensorcore/matrix_product.h"
#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_K = 64, N = 8 };

static CuteElementType typeOf(const char *name) {
  static const struct {
    const char *name;
    CuteElementType type;
  } types[] = {{"f32", CUTE_ELEMENT_F32},     {"f16", CUTE_ELEMENT_F16},
               {"bf16", CUTE_ELEMENT_BF16},   {"tf32", CUTE_ELEMENT_TF32},
               {"e4m3", CUTE_ELEMENT_F8E4M3}, {"e5m2", CUTE_ELEMENT_F8E5M2},
               {"e2m1", CUTE_ELEMENT_F4E2M1}, {"ue8m0", CUTE_ELEMENT_F8E8M0},
               {"ue4m3", CUTE_ELEMENT_F8E4M3}};
  for (size_t i = 0; i < sizeof types / sizeof *types; ++i)
    if (!strcmp(types[i].name, name))
      return types[i].type;
  fail_msg("no type %s", name);
  return CUTE_ELEMENT_F32;
}

// Decodes the hex digits of a row of elements; returns how many there are.
static int takeRow(CuteElementType type, bool isFactor, const char *digits,
                   double *row) {
  size_t each = (cuteElementTypeGetBits(type) + 3) / 4;
  int n = 0;
  for (; *digits && *digits != '-'; digits += each, ++n) {
    char code[9] = {0};
    memcpy(code, digits, each);
    unsigned long bits = strtoul(code, NULL, 16);
    bool isUnsigned = isFactor && type == CUTE_ELEMENT_F8E4M3;
    row[n] = cuteFloatDecode(type, isUnsigned ? bits & 127 : bits);
  }
  return n;
}

// Tells whether the simulator gives the D of a line; prints what it gives
// instead.
static bool checkLine(const char *line) {
  char d[8], a[8], b[8], s[8], codeA[130], codeB[130], sa[16], sb[16];
  unsigned c, wanted;
  int arch, isWarpgroup;
  double rowA[MAX_K], rowB[MAX_K], scaleA[8], scaleB[8], sums[N],
      tileB[MAX_K * N], tileScale[8 * N];
  if (sscanf(line, "%d %7s %7s %7s %7s %d %x %x %129s %129s %15s %15s", &arch,
             d, a, b, s, &isWarpgroup, &c, &wanted, codeA, codeB, sa, sb) != 12)
    fail_msg("no line of data: %s", line);
  CuteMmaAtom atom = {.name = "",
                      .arch = arch,
                      .d = typeOf(d),
                      .a = typeOf(a),
                      .b = typeOf(b),
                      .c = typeOf(d)};
  atom.kind = cuteMmaAtomFind(
                  cuteStringRef(isWarpgroup ? "SM90_64x8x16_F32F16F16_SS<K,K>"
                                            : "SM80_16x8x16_F32F16F16F32_TN"))
                  ->kind;
  atom.k = takeRow(atom.a, false, codeA, rowA);
  takeRow(atom.b, false, codeB, rowB);
  if (*s != '-')
    atom.sfa.element = atom.sfb.element = typeOf(s);
  CuteSimMatrices x = {.m = 1,
                       .n = N,
                       .k = atom.k,
                       .a = rowA,
                       .b = tileB,
                       .sums = sums,
                       .scaleA = scaleA,
                       .scaleB = tileScale};
  x.blocks = *s == '-' ? 0 : takeRow(atom.sfa.element, true, sa, scaleA);
  if (x.blocks)
    takeRow(atom.sfa.element, true, sb, scaleB);
  for (int j = 0; j < N; ++j) {
    sums[j] = cuteFloatDecode(atom.d, c);
    for (int k = 0; k < atom.k; ++k)
      tileB[k * N + j] = rowB[k];
    for (int k = 0; k < x.blocks; ++k)
      tileScale[k * N + j] = scaleB[k];
  }
  cuteSimFusedSum(&atom, arch, &x);
  for (int j = 0; j < N; ++j) {
    uint64_t found =
        cuteFloatEncode(atom.d, sums[j], CUTE_ROUND_NEAREST_EVEN, false);
    if (found == wanted)
      continue;
    fprintf(stderr, "%08llx: %s", (unsigned long long)found, line);
    return false;
  }
  return true;
}

static void testVectors(void **state) {
  char line[512];
  int lines = 0, agreeing = 0;
  const char *path = getenv("FUSED_SUMS");
  FILE *file =
      fopen(path ? path : CUTE_TEST_DIR "/data/mma/fused_sums.txt", "r");
  (void)state;
  assert_non_null(file);
  while (fgets(line, sizeof line, file))
    if (*line != '#') {
      agreeing += checkLine(line);
      ++lines;
    }
  fclose(file);
  printf("%d of %d agree\n", agreeing, lines);
  assert_int_equal(agreeing, lines);
  assert_true(path || lines > 500);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(testVectors)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
