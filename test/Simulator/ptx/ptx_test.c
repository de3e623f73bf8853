// Inline PTX on random values against C: integers and floats of the host, and
// the nearest of all codes for small floats.
#include "ptx_machine.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// The result of an instruction with this mnemonic on up to four operands.
static uint64_t apply(const char *mnemonic, int n, uint64_t a, uint64_t b,
                      uint64_t c, uint64_t d) {
  static const char *const tails[] = {"", " $0, $1;", " $0, $1, $2;",
                                      " $0, $1, $2, $3;",
                                      " $0, $1, $2, $3, $4;"};
  static const char *const constraints[] = {"", "=r,r", "=r,r,r", "=r,r,r,r",
                                            "=r,r,r,r,r"};
  char text[128];
  uint64_t values[] = {0, a, b, c, d};
  snprintf(text, sizeof text, "%s%s", mnemonic, tails[n]);
  run(text, constraints[n], values);
  return values[0];
}

static uint32_t bitsOf(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

static float floatOf(uint64_t value) {
  uint32_t bits = (uint32_t)value;
  float result;
  memcpy(&result, &bits, sizeof result);
  return result;
}

static uint64_t bitsOfDouble(double value) {
  return *(uint64_t *)memcpy(&(uint64_t){0}, &value, sizeof value);
}

//===-- Integers ----------------------------------------------------------===//

static void integers(void **unused) {
  (void)unused;
  for (int i = 0; i < 200; ++i) {
    uint64_t r = nextRandom(), s = nextRandom(), t = nextRandom();
    uint32_t a = (uint32_t)r, b = (uint32_t)s, c = (uint32_t)t;
    int32_t x = (int32_t)a, y = (int32_t)b;
    unsigned by = c % 40;
#define IS(wanted, ...) assert_int_equal(apply(__VA_ARGS__), (wanted))
    IS(a + b, "add.u32", 2, a, b, 0, 0);
    IS(a - b, "sub.s32", 2, a, b, 0, 0);
    IS(r + s, "add.s64", 2, r, s, 0, 0);
    IS(a * b, "mul.lo.u32", 2, a, b, 0, 0);
    IS((uint32_t)((int64_t)x * y >> 32), "mul.hi.s32", 2, a, b, 0, 0);
    IS((uint64_t)a * b, "mul.wide.u32", 2, a, b, 0, 0);
    IS((uint64_t)((int64_t)x * y) + t, "mad.wide.s32", 3, a, b, t, 0);
    IS(a * b + c, "mad.lo.s32", 3, a, b, c, 0);
    IS((uint64_t)(((unsigned __int128)r * s) >> 64), "mul.hi.u64", 2, r, s, 0,
       0);
    IS((uint32_t)(x / (y | 1)), "div.s32", 2, a, b | 1, 0, 0);
    IS(r % (s | 1), "rem.u64", 2, r, s | 1, 0, 0);
    IS(x < y ? a : b, "min.s32", 2, a, b, 0, 0);
    IS(a > b ? a : b, "max.u32", 2, a, b, 0, 0);
    IS(by < 32 ? a << by : 0, "shl.b32", 2, a, by, 0, 0);
    IS((uint32_t)(x >> (by < 32 ? by : 31)), "shr.s32", 2, a, by, 0, 0);
    IS(by < 32 ? a >> by : 0, "shr.u32", 2, a, by, 0, 0);
    IS((uint32_t)((((uint64_t)b << 32 | a) << c % 32) >> 32), "shf.l.wrap.b32",
       3, a, b, c, 0);
    IS((uint32_t)(((uint64_t)b << 32 | a) >> (by < 32 ? by : 32)),
       "shf.r.clamp.b32", 3, a, b, by, 0);
    IS((a & ~b) | (a ^ c), "lop3.b32", 4, a, b, c,
       (0xf0 & ~0xcc) | (0xf0 ^ 0xaa));
    IS(~a, "not.b32", 1, a, 0, 0, 0);
    IS((uint64_t)__builtin_popcountll(r), "popc.b64", 1, r, 0, 0, 0);
    IS((uint64_t)__builtin_clz(a | 1), "clz.b32", 1, a | 1, 0, 0, 0);
    IS((uint64_t)(31 - __builtin_clz(a | 1)), "bfind.u32", 1, a | 1, 0, 0, 0);
    IS(a >> 5 & 0x7f, "bfe.u32", 3, a, 5, 7, 0);
    IS((uint32_t)((int32_t)(a << 20) >> 25), "bfe.s32", 3, a, 5, 7, 0);
    IS((b & ~0xfe0u) | (a & 0x7f) << 5, "bfi.b32", 4, a, b, 5, 7);
    IS((uint32_t)(x < 0 ? -x : x), "abs.s32", 1, a, 0, 0, 0);
    IS(0 - a, "neg.s32", 1, a, 0, 0, 0);
    IS((uint64_t)(a % 4 == 0), "cnot.b32", 1, a % 4, 0, 0, 0);
    IS((uint32_t)(x < y ? -1 : 0), "set.lt.u32.s32", 2, a, b, 0, 0);
    IS(a > b ? bitsOf(1) : 0, "set.gt.f32.u32", 2, a, b, 0, 0);
    IS((uint32_t)(a > b ? a - b : b - a) + c, "sad.u32", 3, a, b, c, 0);
    IS((uint64_t)(int64_t)x, "cvt.s64.s32", 1, a, 0, 0, 0);
    IS((uint32_t)(int32_t)(int8_t)a, "cvt.s32.s8", 1, a, 0, 0, 0);
    IS(a & 0xffff, "cvt.u16.u32", 1, a, 0, 0, 0);
    IS((uint64_t)(x > 127    ? 127
                  : x < -128 ? 128
                             : x & 255),
       "cvt.sat.s8.s32", 1, a, 0, 0, 0);
#undef IS
  }
}

// Each byte of the result is one of eight, or its sign.
static void permutations(void **unused) {
  (void)unused;
  for (int i = 0; i < 200; ++i) {
    uint32_t a = (uint32_t)nextRandom(), b = (uint32_t)nextRandom();
    uint32_t c = (uint32_t)nextRandom() & 0xffff, wanted = 0;
    uint8_t bytes[8];
    memcpy(bytes, &a, 4);
    memcpy(bytes + 4, &b, 4);
    for (int k = 0; k < 4; ++k) {
      uint32_t which = c >> 4 * k & 15, byte = bytes[which & 7];
      wanted |= (which & 8 ? (byte & 128 ? 255u : 0u) : byte) << 8 * k;
    }
    assert_int_equal(apply("prmt.b32", 3, a, b, c, 0), wanted);
  }
  uint32_t low = 0x33221100, high = 0x77665544;
  assert_int_equal(apply("prmt.b32.f4e", 3, low, high, 1, 0), 0x44332211);
  assert_int_equal(apply("prmt.b32.b4e", 3, low, high, 1, 0), 0x66770011);
  assert_int_equal(apply("prmt.b32.rc8", 3, low, high, 2, 0), 0x22222222);
  assert_int_equal(apply("prmt.b32.rc16", 3, low, high, 1, 0), 0x33223322);
  assert_int_equal(apply("prmt.b32.ecl", 3, low, high, 2, 0), 0x33222222);
  assert_int_equal(apply("prmt.b32.ecr", 3, low, high, 2, 0), 0x22221100);
}

static void products(void **unused) {
  (void)unused;
  uint32_t a = 0x80ff7f01, b = 0x02030405;
  int32_t sum = -128 * 2 + -1 * 3 + 127 * 4 + 5;
  assert_int_equal(apply("dp4a.s32.u32", 3, a, b, 7, 0), (uint32_t)(sum + 7));
  assert_int_equal(apply("dp4a.u32.u32", 3, a, b, 7, 0),
                   128 * 2 + 255 * 3 + 127 * 4 + 5 + 7);
  assert_int_equal(apply("dp2a.lo.s32.u32", 3, a, b, 7, 0),
                   (uint32_t)(0x7f01 * 5 + (0x80ff - 65536) * 4 + 7));
  assert_int_equal(apply("dp2a.hi.u32.u32", 3, a, b, 7, 0),
                   0x7f01 * 3 + 0x80ff * 2 + 7);
  assert_int_equal(apply("mul24.lo.u32", 2, 0xff123456, 3, 0, 0), 0x369d02);
  assert_int_equal(apply("mul24.lo.s32", 2, 0xffffff, 5, 0, 0), (uint32_t)-5);
  assert_int_equal(apply("mul24.hi.u32", 2, 0xffffff, 0xffffff, 0, 0),
                   0xfffffe00);
  assert_int_equal(apply("mad24.lo.s32", 3, 0xffffff, 5, 3, 0), (uint32_t)-2);
  assert_int_equal(
      apply("mad24.hi.sat.s32", 3, 0x7fffff, 0x7fffff, 0x7fffffff, 0),
      0x7fffffff);
}

static void fields(void **unused) {
  (void)unused;
  assert_int_equal(apply("brev.b32", 1, 0x1234f, 0, 0, 0), 0xf2c48000);
  assert_int_equal(apply("bmsk.clamp.b32", 2, 4, 8, 0, 0), 0xff0);
  assert_int_equal(apply("bmsk.clamp.b32", 2, 28, 8, 0, 0), 0xf0000000);
  assert_int_equal(apply("bmsk.clamp.b32", 2, 32, 8, 0, 0), 0);
  assert_int_equal(apply("bmsk.clamp.b32", 2, 0, 32, 0, 0), 0xffffffff);
  assert_int_equal(apply("bmsk.wrap.b32", 2, 33, 2, 0, 0), 6);
  assert_int_equal(apply("szext.clamp.s32", 2, 0x1ff8, 4, 0, 0), 0xfffffff8);
  assert_int_equal(apply("szext.clamp.u32", 2, 0x1ff8, 4, 0, 0), 8);
  assert_int_equal(apply("szext.clamp.s32", 2, 0x1ff8, 40, 0, 0), 0x1ff8);
  assert_int_equal(apply("szext.wrap.u32", 2, 0x1ff8, 36, 0, 0), 8);
  assert_int_equal(apply("slct.u32.s32", 3, 7, 9, 0, 0), 7);
  assert_int_equal(apply("slct.u32.s32", 3, 7, 9, 0x80000000, 0), 9);
  assert_int_equal(apply("slct.b64.f32", 3, 7, 9, 0x80000000, 0), 7);
  assert_int_equal(apply("slct.b64.f32", 3, 7, 9, 0x7fc00000, 0), 9);
}

//===-- Floats ------------------------------------------------------------===//

static float randomFloat(void) {
  uint64_t r = nextRandom();
  return ldexpf((float)(int32_t)(uint32_t)r, (int)(r >> 40 & 31) - 46);
}

static void floats(void **unused) {
  (void)unused;
  for (int i = 0; i < 300; ++i) {
    float x = randomFloat(), y = randomFloat(), z = randomFloat();
    uint64_t a = bitsOf(x), b = bitsOf(y), c = bitsOf(z);
#define IS(wanted, ...)                                                        \
  assert_int_equal(apply(__VA_ARGS__), (uint64_t)bitsOf(wanted))
    IS(x + y, "add.f32", 2, a, b, 0, 0);
    IS(x - y, "sub.rn.f32", 2, a, b, 0, 0);
    IS(x * y, "mul.rn.f32", 2, a, b, 0, 0);
    IS(fmaf(x, y, z), "fma.rn.f32", 3, a, b, c, 0);
    IS(x / y, "div.rn.f32", 2, a, b, 0, 0);
    IS(sqrtf(fabsf(x)), "sqrt.rn.f32", 1, bitsOf(fabsf(x)), 0, 0, 0);
    IS(fminf(x, y), "min.f32", 2, a, b, 0, 0);
    IS(fmaxf(x, y), "max.f32", 2, a, b, 0, 0);
    IS(-x, "neg.f32", 1, a, 0, 0, 0);
    IS(fabsf(x), "abs.f32", 1, a, 0, 0, 0);
    IS(copysignf(y, x), "copysign.f32", 2, a, b, 0, 0);
    IS(1 / x, "rcp.rn.f32", 1, a, 0, 0, 0);
    IS((float)(1 / sqrt(fabs((double)x))), "rsqrt.approx.f32", 1,
       bitsOf(fabsf(x)), 0, 0, 0);
    IS((float)log2(fabs((double)x)), "lg2.approx.f32", 1, bitsOf(fabsf(x)), 0,
       0, 0);
    IS((float)sin((double)x), "sin.approx.f32", 1, a, 0, 0, 0);
    IS((float)cos((double)x), "cos.approx.f32", 1, a, 0, 0, 0);
    IS((float)exp2((double)(x / 1e8f)), "ex2.approx.ftz.f32", 1,
       bitsOf(x / 1e8f), 0, 0, 0);
    IS((float)tanh((double)x), "tanh.approx.f32", 1, a, 0, 0, 0);
    IS((float)(int32_t)(uint32_t)(a * 77), "cvt.rn.f32.s32", 1,
       (uint32_t)(a * 77), 0, 0, 0);
    IS((float)(a * b * 0x123457), "cvt.rn.f32.u64", 1, a * b * 0x123457, 0, 0,
       0);
#undef IS
    // The rounded sum is on the side of the exact one that the name says.
    double sum = (double)x + (double)y;
    double up = (double)floatOf(apply("add.rp.f32", 2, a, b, 0, 0));
    double down = (double)floatOf(apply("add.rm.f32", 2, a, b, 0, 0));
    double zero = (double)floatOf(apply("add.rz.f32", 2, a, b, 0, 0));
    assert_true(up >= sum && down <= sum && fabs(zero) <= fabs(sum));
    assert_true(nextafterf((float)down, INFINITY) >= (float)up);
    assert_true(zero == up || zero == down);
    double wide = (double)x * 1e3, other = (double)y / 7;
    assert_int_equal(apply("fma.rn.f64", 3, bitsOfDouble(wide),
                           bitsOfDouble(other), bitsOfDouble((double)z), 0),
                     bitsOfDouble(fma(wide, other, (double)z)));
  }
}

// Sums with more bits than doubles hold round by what is lost, too.
static void farSums(void **unused) {
  (void)unused;
  uint64_t one = bitsOf(1), tiny = bitsOf(0x1p-100f), half = bitsOf(0x1p-24f);
  assert_int_equal(apply("add.rp.f32", 2, one, tiny, 0, 0),
                   bitsOf(nextafterf(1, 2)));
  assert_int_equal(apply("add.rm.f32", 2, one, tiny, 0, 0), one);
  assert_int_equal(apply("sub.rz.f32", 2, one, tiny, 0, 0),
                   bitsOf(nextafterf(1, 0)));
  assert_int_equal(apply("fma.rn.f32", 3, half, bitsOf(1 + 0x1p-23f), one, 0),
                   bitsOf(nextafterf(1, 2)));
  assert_int_equal(
      apply("add.rp.f64", 2, bitsOfDouble(1), bitsOfDouble(0x1p-100), 0, 0),
      bitsOfDouble(nextafter(1, 2)));
  assert_int_equal(apply("add.ftz.f32", 2, 1, 1, 0, 0), 0);
  assert_int_equal(apply("add.f32", 2, 1, 1, 0, 0), 2);
  assert_int_equal(apply("add.sat.f32", 2, one, one, 0, 0), one);
  assert_int_equal(apply("max.NaN.f32", 2, one, 0x7fc00000, 0, 0), 0x7fffffff);
  assert_int_equal(apply("max.f32", 2, one, 0x7fc00000, 0, 0), one);
}

static void halves(void **unused) {
  (void)unused;
  for (int i = 0; i < 300; ++i) {
    uint64_t r = nextRandom() & 0x7bff7bff, s = nextRandom() & 0x3bff3bff;
    uint64_t sum = apply("add.rn.f16x2", 2, r, s, 0, 0);
    uint64_t low = apply("add.rn.f16", 2, r & 0xffff, s & 0xffff, 0, 0);
    uint64_t high = apply("add.rn.f16", 2, r >> 16, s >> 16, 0, 0);
    assert_int_equal(sum, high << 16 | low);
    uint64_t x = apply("cvt.f32.f16", 1, r & 0xffff, 0, 0, 0);
    uint64_t y = apply("cvt.f32.f16", 1, s & 0xffff, 0, 0, 0);
    assert_int_equal(
        apply("cvt.rn.f16.f32", 1, bitsOf(floatOf(x) + floatOf(y)), 0, 0, 0),
        low);
    assert_int_equal(apply("cvt.rn.f16x2.f32", 2, x, y, 0, 0),
                     (r & 0xffff) << 16 | (s & 0xffff));
  }
  assert_int_equal(
      apply("fma.rn.relu.bf16x2", 3, 0x3f80bf80, 0x40004000, 0x3f803f80, 0),
      0x40400000);
}

//===-- Small floats ------------------------------------------------------===//

static double codeValue(int code, int exponentBits, int mantissaBits) {
  int bias = (1 << (exponentBits - 1)) - 1;
  int exponent = code >> mantissaBits & ((1 << exponentBits) - 1);
  double fraction = ldexp(code & ((1 << mantissaBits) - 1), -mantissaBits);
  return exponent ? ldexp(1 + fraction, exponent - bias)
                  : ldexp(fraction, 1 - bias);
}

// The nearest of the codes up to the largest, of two the even one.
static int nearestCode(double value, int exponentBits, int mantissaBits,
                       int largest) {
  int best = 0;
  for (int code = 1; code <= largest; ++code) {
    double d = fabs(codeValue(code, exponentBits, mantissaBits) - fabs(value));
    double e = fabs(codeValue(best, exponentBits, mantissaBits) - fabs(value));
    if (d < e || (d == e && !(code & 1)))
      best = code;
  }
  return best | (signbit(value) ? 1 << (exponentBits + mantissaBits) : 0);
}

static void smallFloats(void **unused) {
  static const struct {
    const char *to, *back;
    int exponentBits, mantissaBits, largest, bits;
  } rows[] = {
      {"cvt.rn.satfinite.e4m3x2.f32", "cvt.rn.f16x2.e4m3x2", 4, 3, 0x7e, 8},
      {"cvt.rn.satfinite.e5m2x2.f32", "cvt.rn.f16x2.e5m2x2", 5, 2, 0x7b, 8},
      {"cvt.rn.satfinite.e2m3x2.f32", "cvt.rn.f16x2.e2m3x2", 2, 3, 0x1f, 8},
      {"cvt.rn.satfinite.e3m2x2.f32", "cvt.rn.f16x2.e3m2x2", 3, 2, 0x1f, 8},
      {"cvt.rn.satfinite.e2m1x2.f32", "cvt.rn.f16x2.e2m1x2", 2, 1, 7, 4}};
  (void)unused;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    int e = rows[i].exponentBits, m = rows[i].mantissaBits;
    for (int k = 0; k < 2000; ++k) {
      float x =
          ldexpf((float)(nextRandom() % 4096), (int)(nextRandom() % 24) - 24);
      float y =
          -ldexpf((float)(nextRandom() % 64), (int)(nextRandom() % 12) - 6);
      int high = nearestCode((double)x, e, m, rows[i].largest);
      int low = nearestCode((double)y, e, m, rows[i].largest);
      assert_int_equal(apply(rows[i].to, 2, bitsOf(x), bitsOf(y), 0, 0),
                       high << rows[i].bits | low);
    }
    for (int code = 0; code <= rows[i].largest; ++code) {
      uint64_t pair = apply(rows[i].back, 1, (uint64_t)code, 0, 0, 0);
      float back = floatOf(apply("cvt.f32.f16", 1, pair & 0xffff, 0, 0, 0));
      assert_true((double)back == codeValue(code, e, m));
    }
  }
}

static void otherConversions(void **unused) {
  (void)unused;
#define IS(wanted, ...) assert_int_equal(apply(__VA_ARGS__), (wanted))
  IS(0x3f802000, "cvt.rna.tf32.f32", 1, bitsOf(1 + 0x1p-11f), 0, 0, 0);
  IS(0x8180, "cvt.rp.satfinite.ue8m0x2.f32", 2, bitsOf(2.5f), bitsOf(2), 0, 0);
  IS(0x8080, "cvt.rz.satfinite.ue8m0x2.f32", 2, bitsOf(2.5f), bitsOf(2), 0, 0);
  IS((uint32_t)-3, "cvt.rni.s32.f32", 1, bitsOf(-2.6f), 0, 0, 0);
  IS((uint32_t)-2, "cvt.rzi.s32.f32", 1, bitsOf(-2.6f), 0, 0, 0);
  IS(0, "cvt.rzi.u32.f32", 1, bitsOf(-2.6f), 0, 0, 0);
  IS(INT32_MAX, "cvt.rzi.s32.f32", 1, bitsOf(1e20f), 0, 0, 0);
  IS(bitsOf(2), "cvt.rni.f32.f32", 1, bitsOf(2.5f), 0, 0, 0);
  IS(bitsOf(nextafterf(1, 2)), "cvt.rp.f32.f64", 1, bitsOfDouble(1 + 1e-12), 0,
     0, 0);
  IS(bitsOf(1), "cvt.rz.f32.f64", 1, bitsOfDouble(1 + 1e-12), 0, 0, 0);
  IS(0x7f7f, "cvt.rn.satfinite.e4m3x2.f32", 2, 0x7fc00000, 0xffc00000, 0, 0);
  IS(bitsOf(0), "cvt.sat.f32.f32", 1, 0x7fc00000, 0, 0, 0);
#undef IS
}

//===-- Programs ----------------------------------------------------------===//

static void predicatesAndBranches(void **unused) {
  (void)unused;
  uint64_t values[] = {0, 10};
  run("{\n\t.reg .pred p;\n\t.reg .u32 sum, i<2>;\n\tmov.u32 sum, 0; // "
      "zero\n\tmov.u32 i1, $1;\nagain:\tadd.u32 sum, sum, i1;\n\tsub.u32 i1, "
      "i1, 1;\n\tsetp.ne.u32 p, i1, 0x0;\n\t@p bra again;\n\t/* done */ "
      "mov.u32 $0, sum;\n}",
      "=r,r", values);
  assert_int_equal(values[0], 55);
  assert_int_equal(numTicks, 9);
  uint64_t select[] = {7, 3, 4};
  run("{ .reg .pred %p, %q; setp.lt.s32 %p|%q, $1, $2; @!%p mov.b32 $0, 1; "
      "@!%q mov.b32 $0, 2; }",
      "=r,r,r", select);
  assert_int_equal(select[0], 2);
  uint64_t both[] = {0, 1, 0};
  run("{.reg .pred p; setp.eq.and.f32 p, 1.5, 0f3fc00000, !$2; selp.b32 $0, "
      "5, -6, p;}",
      "=r,b,b", both);
  assert_int_equal(both[0], 5);
}

static void scopesAndVectors(void **unused) {
  (void)unused;
  uint64_t values[] = {0, 0, 0x1122334455667788};
  run("{ .reg .b32 r; { .reg .b32 r; mov.b32 r, 9; } mov.b32 r, 4; mov.b64 "
      "{$0, $1}, $2; add.u32 $0, $0, r; }",
      "=r,=r,l", values);
  assert_int_equal(values[0], 0x5566778c);
  assert_int_equal(values[1], 0x11223344);
  uint64_t tied[] = {0, 5, 6};
  run("add.u32 $0, $0, $2;", "=r,0,r,~{memory}", tied);
  assert_int_equal(tied[0], 11);
  uint64_t joined[] = {0, 1, 2};
  run("mov.b64 $0, {$1, $2};", "=l,r,r", joined);
  assert_int_equal(joined[0], UINT64_C(0x200000001));
}

// A label is that of its block, or of one around it.
static void labelsOfBlocks(void **unused) {
  (void)unused;
  uint64_t values[] = {0};
  run("mov.u32 $0, 0; { bra l; add.u32 $0, $0, 1; l: } { bra l; add.u32 $0, "
      "$0, 2; l: } { bra end; } add.u32 $0, $0, 4; end: add.u32 $0, $0, 8;",
      "=r", values);
  assert_int_equal(values[0], 8);
}

static void operationsOfTheMachine(void **unused) {
  (void)unused;
  uint64_t values[] = {1, 2, 100, 3};
  run("{ .reg .pred %none; setp.eq.u32 %none, $3, 3; @%none "
      "ld.global.v2.u32 {$0, $1}, [$2+8]; @!%none st.shared.b32 [$2], $3; "
      "cp.async.cg.shared.global [$3], [$2-4], 16, %none; add.u32 $1, $1, "
      "%tid.x; }",
      "=r,=r,l,r", values);
  assert_string_equal(called[0], "ld.global.v2.u32");
  assert_int_equal(results[0], 2);
  assert_int_equal(seen[0][2], 108);
  assert_string_equal(called[1], "st.shared.b32");
  assert_int_equal(operands[1], 2);
  assert_int_equal(seen[1][0], 0);
  assert_string_equal(called[2], "cp.async.cg.shared.global");
  assert_int_equal(results[2], 0);
  assert_int_equal(seen[2][0], 3);
  assert_int_equal(seen[2][1], 96);
  assert_int_equal(seen[2][2], 16);
  assert_int_equal(seen[2][3], 1);
  assert_string_equal(called[3], "%tid.x");
  assert_int_equal(values[0], 1000);
  assert_int_equal(values[1], 2001);
  uint64_t sums[] = {0, 0, 7, 8, 50, 60};
  run("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {$0, $1}, $4, $5, 1, "
      "1, -1, 0, 1;",
      "=f,=f,0,1,l,l", sums);
  assert_int_equal(results[0], 2);
  assert_int_equal(seen[0][0], 7);
  assert_int_equal(seen[0][1], 8);
  assert_int_equal(seen[0][2], 50);
  assert_int_equal((int64_t)seen[0][6], -1);
  uint64_t shuffled[] = {0, 0, 5};
  run("{.reg .pred p; shfl.sync.bfly.b32 $0|p, $2, 16, 31, -1; selp.b32 $1, "
      "1, 0, p; mbarrier.arrive.shared.b64 _, [$2]; barrier.cluster.arrive;}",
      "=r,=r,r", shuffled);
  assert_int_equal(results[0], 2);
  assert_int_equal(seen[0][5], UINT64_MAX);
  assert_int_equal(results[1], 1);
  assert_int_equal(operands[2], 0);
}

// Constant expressions, and sums of a register or symbol and one of them.
static void constants(void **unused) {
  (void)unused;
  uint64_t values[] = {0, 100};
  run("mov.u64 $0, $1+2*(3+4)-1;", "=l,l", values);
  assert_int_equal(values[0], 113);
  run("mov.u64 $0, 1<<4|6/2^-7%4;", "=l,l", values);
  assert_int_equal((int64_t)values[0], 1 << 4 | ((6 / 2) ^ (-7 % 4)));
  run("add.u64 $0, $1, ~(1 + 0x10U) & 0xff;", "=l,l", values);
  assert_int_equal(values[0], 100 + (~17 & 0xff));
  run("sub.s64 $0, $1, (7 - 2 - 1 >> 1);", "=l,l", values);
  assert_int_equal(values[0], 98);
}

static void expectError(const char *text, const char *constraints,
                        const char *message) {
  CuteSimPtx *program;
  assertFails(parse(text, constraints, &program), message);
  assert_null(program);
}

static void rejected(void **unused) {
  (void)unused;
  expectError("unknown.sync.b32 $0, $1;", "=r,r",
              "unknown.sync.b32 is not interpreted");
  expectError("unknown.add.cc.u32 $0, $1;", "=r,r", "is not interpreted");
  expectError("add.u32 $0, $1;", "=r,r", "number of operands is wrong");
  expectError("add.u32 $0, $1, $5;", "=r,r", "has no value in 'add.u32");
  expectError("add.u32 $0, $1, x;", "=r,r", "is not declared");
  expectError("add.u32 $0, $1, 1", "=r,r", "';' is missing");
  expectError("add.u32 $0, $1, 0x1g;", "=r,r", "a number is wrong");
  expectError("add.u32 $0, $1, 18446744073709551616;", "=r,r",
              "a number is wrong");
  expectError("add.u32 $0, $1, 1.5;", "=r,r", "a number is wrong");
  expectError("/* add.u32 $0, $1, 1;", "=r,r", "end of a comment is missing");
  expectError("add.u32 $0, $1, 1; /*", "=r,r", "end of a comment is missing");
  expectError("{ add.u32 $0, $1, 1;", "=r,r", "'}' is missing");
  expectError("}", "=r,r", "'}' without '{'");
  expectError("bra nowhere;", "", "there is no label 'nowhere'");
  expectError("@p mov.u32 $0, 1;", "=r", "a predicate is not declared");
  expectError(".reg .b32 r<0>;", "", "number of registers is wrong");
  expectError(".reg .q32 r;", "", "type of registers is not known");
  expectError(".reg .b32 r<9999999>;", "", "number of registers is wrong");
  expectError(".reg .v3 .b32 r;", "", "type of registers is not known");
  expectError("{.reg .v2 .b32 r; mov.u32 r.z, 1;}", "", "is not declared");
  expectError("mov.u32 $0, 1;", "=*m", "an output in memory");
  expectError("ld.global.u32 $0, [$1+$1];", "=r,l", "offset of an address");
  expectError("add.u32 $0, $1, 4/(2-2);", "=r,r", "divided by zero");
  expectError("add.u32 $0, $1, (4;", "=r,r", "')' is missing");
  expectError("add.u32 $0, $1, 4+;", "=r,r", "a constant is missing");
  enum { OPERANDS = 1025 };
  char many[2 * OPERANDS + 1];
  for (int i = 0; i < OPERANDS; ++i)
    memcpy(many + 2 * i, "r,", 3);
  expectError("", many, "there are more than 1024 operands");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(integers),
      cmocka_unit_test(permutations),
      cmocka_unit_test(products),
      cmocka_unit_test(fields),
      cmocka_unit_test(floats),
      cmocka_unit_test(farSums),
      cmocka_unit_test(halves),
      cmocka_unit_test(smallFloats),
      cmocka_unit_test(otherConversions),
      cmocka_unit_test(predicatesAndBranches),
      cmocka_unit_test(scopesAndVectors),
      cmocka_unit_test(labelsOfBlocks),
      cmocka_unit_test(operationsOfTheMachine),
      cmocka_unit_test(constants),
      cmocka_unit_test(rejected),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
