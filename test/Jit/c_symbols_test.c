// Conversions of 16-bit floats that processors lack, as compiled code calls
// them.
#include "Jit/jit.h"
#include "check_status.h"

#include <llvm-c/Core.h>
#include <llvm-c/IRReader.h>

#include <math.h>

static const char conversions[] =
    "define i16 @bf16(float %x) {\n"
    "  %y = fptrunc float %x to bfloat\n"
    "  %z = bitcast bfloat %y to i16\n"
    "  ret i16 %z\n"
    "}\n"
    "define i16 @bf16_of_double(double %x) {\n"
    "  %y = fptrunc double %x to bfloat\n"
    "  %z = bitcast bfloat %y to i16\n"
    "  ret i16 %z\n"
    "}\n"
    "define i16 @f16(float %x) {\n"
    "  %y = fptrunc float %x to half\n"
    "  %z = bitcast half %y to i16\n"
    "  ret i16 %z\n"
    "}\n"
    "define i16 @f16_of_double(double %x) {\n"
    "  %y = fptrunc double %x to half\n"
    "  %z = bitcast half %y to i16\n"
    "  ret i16 %z\n"
    "}\n"
    "declare double @llvm.sin.f64(double)\n"
    "declare double @llvm.cos.f64(double)\n"
    "declare double @llvm.exp10.f64(double)\n"
    "declare double @llvm.powi.f64.i32(double, i32)\n"
    "declare double @llvm.roundeven.f64(double)\n"
    "define double @math(double %x, i32 %n) {\n"
    "  %a = call double @llvm.sin.f64(double %x)\n"
    "  %b = call double @llvm.cos.f64(double %x)\n"
    "  %c = fmul double %a, %b\n"
    "  %d = call double @llvm.exp10.f64(double %x)\n"
    "  %e = call double @llvm.powi.f64.i32(double %x, i32 %n)\n"
    "  %f = call double @llvm.roundeven.f64(double %x)\n"
    "  %g = fadd double %c, %d\n"
    "  %h = fadd double %g, %e\n"
    "  %i = fadd double %h, %f\n"
    "  ret double %i\n"
    "}\n"
    "define float @of_f16(i16 %x) {\n"
    "  %y = bitcast i16 %x to half\n"
    "  %z = fpext half %y to float\n"
    "  ret float %z\n"
    "}\n";

static CuteJit *jit;

// For any processor, which may have no instructions for these.
static int compile(void **state) {
  (void)state;
  LLVMContextRef context = LLVMContextCreate();
  LLVMModuleRef module;
  char *message = NULL;
  assert_false(
      LLVMParseIRInContext(context,
                           LLVMCreateMemoryBufferWithMemoryRangeCopy(
                               conversions, strlen(conversions), "test"),
                           &module, &message));
  CuteString object = {0};
  assertSucceeds(cuteHostCodeEmit(
      module, (CuteHostCodeOptions){2, .isForAnyHost = true}, &object, NULL));
  LLVMDisposeModule(module);
  LLVMContextDispose(context);
  CuteJitOptions options = {0};
  options.symbols = cuteCSymbolsGet(&options.numSymbols);
  assertSucceeds(
      cuteJitCreateFromObject(object.data, object.length, options, &jit));
  cuteStringDestroy(&object);
  return 0;
}

static int destroy(void **state) {
  (void)state;
  cuteJitDestroy(jit);
  return 0;
}

static void find(const char *name, void *function) {
  void *address;
  assertSucceeds(cuteJitLookUp(jit, name, &address));
  memcpy(function, &address, sizeof address);
}

static uint32_t bitsOf(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

static float floatOf(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

// The nearest of the two bfloat16 around a number, the even one in the middle.
static uint16_t nearestBf16(double x) {
  float low = floatOf(bitsOf((float)x) & 0xFFFF0000u);
  while (fabs((double)low) > fabs(x))
    low = floatOf(bitsOf(low) - 0x10000u);
  float high = floatOf(bitsOf(low) + 0x10000u);
  double below = fabs(x) - fabs((double)low);
  double above = fabs((double)high) - fabs(x);
  bool isEven = !(bitsOf(low) >> 16 & 1);
  return (uint16_t)(bitsOf(below < above || (below == above && isEven)
                               ? low
                               : high) >>
                    16);
}

static void roundsToBf16(void **state) {
  (void)state;
  uint16_t (*of)(float), (*ofDouble)(double);
  find("bf16", &of);
  find("bf16_of_double", &ofDouble);
  srand(1);
  for (int i = 0; i < 100000; ++i) {
    uint32_t bits = (uint32_t)rand() << 16 ^ (uint32_t)rand();
    bits = (bits & 0x80FFFFFFu) | 0x3F000000u;
    float x = floatOf(i % 3 ? bits : bits & 0xFFFF8000u);
    assert_int_equal(of(x), nearestBf16((double)x));
    double d = (double)x * (1 + (rand() % 3 - 1) * 1e-12);
    assert_int_equal(ofDouble(d), nearestBf16(d));
  }
  assert_int_equal(of(floatOf(0x7F800000)), 0x7F80);
  assert_int_equal(of(floatOf(0xFF7FFFFF)), 0xFF80);
  assert_int_equal(of(floatOf(0x7F800001)) & 0x7FC0, 0x7FC0);
  assert_int_equal(of(-0.0F), 0x8000);
  assert_int_equal(ofDouble(1e300), 0x7F80);
}

static void roundsToF16(void **state) {
  (void)state;
  uint16_t (*of)(float), (*ofDouble)(double);
  float (*back)(uint16_t);
  find("f16", &of);
  find("f16_of_double", &ofDouble);
  find("of_f16", &back);
  for (uint32_t bits = 0; bits < 0x7C00; ++bits) {
    float x = back((uint16_t)bits);
    assert_int_equal(of(x), bits);
    assert_int_equal(ofDouble((double)x), bits);
  }
  assert_true(back(0x3C00) == 1);
  assert_int_equal(of(65520), 0x7C00);
  assert_int_equal(of(65519), 0x7BFF);
  // Rounded by way of a float, this would be the even neighbour.
  assert_int_equal(ofDouble(1 + 0x1p-11 + 0x1p-40), 0x3C01);
}

static void hasTheMathematicsOfC(void **state) {
  (void)state;
  size_t n;
  const CuteJitSymbol *symbols = cuteCSymbolsGet(&n);
  int found = 0;
  for (size_t i = 0; i < n; ++i) {
    assert_non_null(symbols[i].address);
    found += !strcmp(symbols[i].name, "expf") ||
             !strcmp(symbols[i].name, "exp") ||
             !strcmp(symbols[i].name, "memcpy");
  }
  assert_int_equal(found, 3);
  double (*math)(double, int), x = 2.5;
  find("math", &math);
  for (int k = -3; k <= 3; ++k) {
    double wanted = sin(x) * cos(x) + pow(10, x) + pow(x, k) + 2;
    assert_true(fabs(math(x, k) / wanted - 1) < 1e-14);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(roundsToBf16),
      cmocka_unit_test(roundsToF16),
      cmocka_unit_test(hasTheMathematicsOfC),
  };
  return cmocka_run_group_tests(tests, compile, destroy);
}
