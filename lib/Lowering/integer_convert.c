// Conversion of integers to other integers and to floats, and of floats to
// integers.
#include "Lowering/integer_convert.h"
#include "Hardware/element.h"

bool cuteElementIsInteger(CuteElementType element) {
  return !cuteElementGetInfo(element)->isFloat;
}

// A predicate's byte is 0 or 1, so that it counts as unsigned.
static bool isUnsigned(CuteElementType element) {
  return cuteElementGetInfo(element)->isUnsigned || element == CUTE_ELEMENT_I1;
}

// 1 where a number is not 0, as the byte of a predicate.
static MlirValue toPredicate(const CuteBuilder *b, MlirValue value,
                             bool isFloat) {
  MlirType type = mlirValueGetType(value);
  MlirValue zero = cuteBuildResult(b, "llvm.mlir.zero", 0, NULL, type);
  MlirValue isSet =
      cuteBuildCompare(b, isFloat ? CUTE_CMPF_UNE : CUTE_CMPI_NE, value, zero);
  return extui(b, isSet, cuteIntType(b, 8));
}

MlirValue cuteIntegerConvert(const CuteBuilder *builder, MlirValue raw,
                             CuteElementType from, CuteElementType to) {
  const CuteBuilder *b = builder;
  if (to == CUTE_ELEMENT_I1)
    return toPredicate(b, raw, false);
  MlirType type = cuteElementRawType(b, to);
  unsigned x = mlirIntegerTypeGetWidth(mlirValueGetType(raw));
  unsigned y = mlirIntegerTypeGetWidth(type);
  if (x == y)
    return raw;
  return cuteBuildUnary(b,
                        x > y              ? "arith.trunci"
                        : isUnsigned(from) ? "arith.extui"
                                           : "arith.extsi",
                        raw, type);
}

MlirValue cuteIntegerToFloat(const CuteBuilder *builder, MlirValue raw,
                             CuteElementType from, CuteElementType to) {
  return cuteBuildUnary(builder,
                        isUnsigned(from) ? "arith.uitofp" : "arith.sitofp", raw,
                        cuteElementMlirType(builder, to));
}

MlirValue cuteIntegerFromFloat(const CuteBuilder *builder, MlirValue value,
                               CuteElementType to) {
  const CuteBuilder *b = builder;
  if (to == CUTE_ELEMENT_I1)
    return toPredicate(b, value, true);
  MlirType type = cuteElementRawType(b, to);
  return cuteBuildIntrinsic(
      b, isUnsigned(to) ? "llvm.fptoui.sat" : "llvm.fptosi.sat", 1, &value,
      type);
}
