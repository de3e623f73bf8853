// Floats of 8 bits and fewer, converted by arithmetic.
#include "Lowering/small_float.h"
#include "Hardware/element.h"
#include "Hardware/float_code.h"

#include <math.h>

static int biasOf(const CuteElementInfo *info) {
  return (1 << (info->exponentBits - 1)) - 1;
}

static MlirValue numberOf(const CuteBuilder *b, double number) {
  MlirType f32 = cuteElementMlirType(b, CUTE_ELEMENT_F32);
  return cuteBuildAttribute(b, mlirFloatAttrDoubleGet(b->context, f32, number));
}

//===-- To f32 ------------------------------------------------------------===//

// The number that is 2^(code - 127), or NaN for the last code.
static MlirValue widenExponent(const CuteBuilder *b, MlirValue code) {
  MlirType i64 = cuteIntType(b, 64),
           f64 = cuteElementMlirType(b, CUTE_ELEMENT_F64);
  MlirValue wide = extui(b, code, i64);
  MlirValue biased = addiWith(b, wide, 1023 - 127);
  MlirValue isNan = cuteBuildTest(b, CUTE_CMPI_EQ, wide, 255);
  MlirValue bits =
      cuteBuildSelect(b, isNan, cuteBuildInt(b, 64, 0x7ff8000000000000),
                      shliWith(b, biased, 52));
  MlirValue value = cuteBuildUnary(b, "arith.bitcast", bits, f64);
  return cuteBuildUnary(b, "arith.truncf", value,
                        cuteElementMlirType(b, CUTE_ELEMENT_F32));
}

// The bits of an f32 for a magnitude beyond the finite ones: those given, if it
// is none.
static MlirValue widenBeyond(const CuteBuilder *b, const CuteElementInfo *info,
                             MlirValue magnitude, MlirValue bits) {
  int64_t last = (INT64_C(1) << (info->exponentBits + info->mantissaBits)) - 1;
  int64_t infinity = last - (1 << info->mantissaBits) + 1;
  if (info->beyond == CUTE_BEYOND_NOTHING)
    return bits;
  bool hasInfinity = info->beyond == CUTE_BEYOND_INFINITY;
  MlirValue isNan = cuteBuildTest(b, CUTE_CMPI_UGT, magnitude,
                                  hasInfinity ? infinity : last - 1);
  bits = cuteBuildSelect(b, isNan, cuteBuildInt(b, 32, 0x7fc00000), bits);
  if (!hasInfinity)
    return bits;
  MlirValue isInfinite = cuteBuildTest(b, CUTE_CMPI_EQ, magnitude, infinity);
  return cuteBuildSelect(b, isInfinite, cuteBuildInt(b, 32, 0x7f800000), bits);
}

// Exponent and mantissa in an f32's places give the number up to the bias,
// which a product corrects, also for subnormal numbers.
static MlirValue widenSmall(const CuteBuilder *b, const CuteElementInfo *info,
                            MlirValue code) {
  MlirType i32 = cuteIntType(b, 32),
           f32 = cuteElementMlirType(b, CUTE_ELEMENT_F32);
  int width = info->exponentBits + info->mantissaBits;
  int bias = biasOf(info);
  MlirValue magnitude = andiWith(b, code, (1 << width) - 1);
  MlirValue sign = shliWith(b, shruiWith(b, code, width), 31);
  MlirValue bits = shliWith(b, magnitude, 23 - info->mantissaBits);
  MlirValue product = cuteBuildBinary(
      b, "arith.mulf", cuteBuildUnary(b, "arith.bitcast", bits, f32),
      numberOf(b, ldexp(1, 127 - bias)));
  bits = widenBeyond(b, info, magnitude,
                     cuteBuildUnary(b, "arith.bitcast", product, i32));
  return cuteBuildUnary(b, "arith.bitcast", ori(b, bits, sign), f32);
}

MlirValue cuteLoweringWidenElement(CuteLowering *lowering, MlirValue value,
                                   CuteElementType element) {
  const CuteBuilder *b = &lowering->builder;
  const CuteElementInfo *info = cuteElementGetInfo(element);
  MlirType f32 = cuteElementMlirType(b, CUTE_ELEMENT_F32);
  if (info->isPlain)
    return value;
  if (element == CUTE_ELEMENT_TF32)
    return bitcast(b, value, f32);
  if (!mlirTypeIsAInteger(mlirValueGetType(value)))
    value = cuteBuildUnary(b, "arith.bitcast", value,
                           cuteIntType(b, cuteElementGetValueBits(element)));
  unsigned width = cuteElementGetValueBits(element);
  value = extui(b, value, cuteIntType(b, 32));
  value = andiWith(b, value, (INT64_C(1) << width) - 1);
  return element == CUTE_ELEMENT_F8E8M0 ? widenExponent(b, value)
                                        : widenSmall(b, info, value);
}

//===-- From f32 ----------------------------------------------------------===//

// The bits of an f32 that is not negative.
static int64_t bitsOf(double number) {
  return cuteFloatEncodeSingle((float)number);
}

static int64_t codeOfLargest(const CuteElementInfo *info) {
  int64_t all = (INT64_C(1) << (info->exponentBits + info->mantissaBits)) - 1;
  switch (info->beyond) {
  case CUTE_BEYOND_INFINITY:
    return all - (INT64_C(1) << info->mantissaBits);
  case CUTE_BEYOND_NAN:
    return all - 1;
  default:
    return all;
  }
}

// Adds half of the last digit that stays, and less than that where it is even,
// cuts, and has the exponent begin where the format's does.
static MlirValue roundNormal(const CuteBuilder *b, const CuteElementInfo *info,
                             MlirValue bits) {
  int m = info->mantissaBits;
  MlirValue cut = cuteBuildInt(b, 32, 23 - m);
  MlirValue last = andiWith(b, shrui(b, bits, cut), 1);
  MlirValue sum =
      addi(b, addiWith(b, bits, (INT64_C(1) << (22 - m)) - 1), last);
  return addiWith(b, shrui(b, sum, cut), -((INT64_C(127) - biasOf(info)) << m));
}

// Adds a number whose last digit is that of the subnormal ones.
static MlirValue roundSubnormal(const CuteBuilder *b,
                                const CuteElementInfo *info, MlirValue bits) {
  double number = ldexp(1, 24 - biasOf(info) - info->mantissaBits);
  MlirValue sum =
      cuteBuildBinary(b, "arith.addf",
                      cuteBuildUnary(b, "arith.bitcast", bits,
                                     cuteElementMlirType(b, CUTE_ELEMENT_F32)),
                      numberOf(b, number));
  return addiWith(b,
                  cuteBuildUnary(b, "arith.bitcast", sum, cuteIntType(b, 32)),
                  -bitsOf(number));
}

MlirValue cuteSmallFloatFromF32(const CuteBuilder *b, MlirValue value,
                                CuteElementType element) {
  const CuteElementInfo *info = cuteElementGetInfo(element);
  int width = info->exponentBits + info->mantissaBits;
  MlirType i32 = cuteIntType(b, 32), raw = cuteElementRawType(b, element);
  MlirValue bits = cuteBuildUnary(b, "arith.bitcast", value, i32);
  MlirValue magnitude = andiWith(b, bits, 0x7fffffff);
  double largest = cuteFloatDecode(element, (uint64_t)codeOfLargest(info));
  MlirValue finite = minuiWith(b, magnitude, bitsOf(largest));
  MlirValue isSubnormal = cuteBuildTest(b, CUTE_CMPI_ULT, finite,
                                        bitsOf(ldexp(1, 1 - biasOf(info))));
  MlirValue code =
      cuteBuildSelect(b, isSubnormal, roundSubnormal(b, info, finite),
                      roundNormal(b, info, finite));
  MlirValue sign = shliWith(b, shruiWith(b, bits, 31), width);
  MlirValue isNan = cuteBuildTest(b, CUTE_CMPI_UGT, magnitude, 0x7f800000);
  code =
      cuteBuildSelect(b, isNan, cuteBuildInt(b, 32, (INT64_C(1) << width) - 1),
                      ori(b, code, sign));
  return trunci(b, code, raw);
}
