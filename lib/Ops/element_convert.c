// Conversion of one element to another type.
#include "Ops/lowering.h"

#include <string.h>

static bool isPlainFloat(CuteElementType type) {
  return type == CUTE_ELEMENT_F16 || type == CUTE_ELEMENT_BF16 ||
         type == CUTE_ELEMENT_F32 || type == CUTE_ELEMENT_F64;
}

static MlirValue castPlain(const CuteBuilder *b, MlirValue value,
                           CuteElementType from, CuteElementType to) {
  unsigned x = cuteElementTypeGetBits(from), y = cuteElementTypeGetBits(to);
  if (from == to)
    return value;
  if (x == y) // f16 <-> bf16
    return castPlain(b, castPlain(b, value, from, CUTE_ELEMENT_F32),
                     CUTE_ELEMENT_F32, to);
  return cuteBuildUnary(b, x < y ? "arith.extf" : "arith.truncf", value,
                        cuteElementMlirType(b, to));
}

//===-- Instructions of PTX -----------------------------------------------===//

// cvt for a pair of small floats, of which one is used, and for tf32. PTX ISA,
// "cvt".
static const struct {
  CuteElementType element;
  const char *fromF32, *fromConstraints, *toF16, *toConstraints;
} conversions[] = {
    {CUTE_ELEMENT_TF32, "cvt.rna.tf32.f32 $0, $1;", "=r,f", NULL, NULL},
    {CUTE_ELEMENT_F8E4M3, "cvt.rn.satfinite.e4m3x2.f32 $0, $2, $1;", "=h,f,f",
     "cvt.rn.f16x2.e4m3x2 $0, $1;", "=r,h"},
    {CUTE_ELEMENT_F8E5M2, "cvt.rn.satfinite.e5m2x2.f32 $0, $2, $1;", "=h,f,f",
     "cvt.rn.f16x2.e5m2x2 $0, $1;", "=r,h"},
};

enum { NUM_CONVERSIONS = sizeof conversions / sizeof *conversions };

static size_t findConversion(CuteElementType element) {
  size_t i = 0;
  while (i < NUM_CONVERSIONS && conversions[i].element != element)
    ++i;
  return i;
}

static MlirValue buildPtx(const CuteBuilder *b, const char *text,
                          const char *constraints, size_t n,
                          const MlirValue *operands, MlirType type) {
  CuteNamedAttribute attributes[] = {
      {"asm_string",
       mlirStringAttrGet(b->context, mlirStringRefCreateFromCString(text))},
      {"constraints",
       mlirStringAttrGet(b->context,
                         mlirStringRefCreateFromCString(constraints))}};
  return cuteBuildValue(b, (CuteOpSpec){.name = "llvm.inline_asm",
                                        .numOperands = n,
                                        .operands = operands,
                                        .numResults = 1,
                                        .results = &type,
                                        .numAttributes = 2,
                                        .attributes = attributes});
}

static MlirValue toF32(const CuteBuilder *b, MlirValue raw, size_t i) {
  MlirType f32 = cuteElementMlirType(b, CUTE_ELEMENT_F32);
  if (!conversions[i].toF16) // a tf32 is an f32
    return cuteBuildUnary(b, "llvm.bitcast", raw, f32);
  MlirValue pair = cuteBuildUnary(b, "arith.extui", raw, cuteIntType(b, 16));
  MlirValue halves =
      buildPtx(b, conversions[i].toF16, conversions[i].toConstraints, 1, &pair,
               cuteIntType(b, 32));
  MlirValue low = cuteBuildUnary(b, "arith.trunci", halves, cuteIntType(b, 16));
  MlirValue half = cuteBuildUnary(b, "llvm.bitcast", low,
                                  cuteElementMlirType(b, CUTE_ELEMENT_F16));
  return castPlain(b, half, CUTE_ELEMENT_F16, CUTE_ELEMENT_F32);
}

// An f64 as an f32 that rounds to fewer digits as the f64 does: cut off, and
// odd where that left something out, so that it is not half way. PTX ISA,
// "cvt".
static MlirValue toOddF32(const CuteBuilder *b, MlirValue value) {
  MlirType f32 = cuteElementMlirType(b, CUTE_ELEMENT_F32);
  MlirType i1 = cuteIntType(b, 1), i32 = cuteIntType(b, 32);
  MlirValue cut = buildPtx(b, "cvt.rz.f32.f64 $0, $1;", "=f,d", 1, &value, f32);
  MlirValue sides[] = {
      cuteBuildUnary(b, "arith.extf", cut, mlirValueGetType(value)), value};
  CuteNamedAttribute one = {"predicate", cuteIntAttr(b, 64, 6)};
  MlirValue isCut = cuteBuildValue(b, (CuteOpSpec){.name = "arith.cmpf",
                                                   .numOperands = 2,
                                                   .operands = sides,
                                                   .numResults = 1,
                                                   .results = &i1,
                                                   .numAttributes = 1,
                                                   .attributes = &one});
  MlirValue odd = cuteBuildBinary(b, "arith.ori",
                                  cuteBuildUnary(b, "llvm.bitcast", cut, i32),
                                  cuteBuildUnary(b, "arith.extui", isCut, i32));
  return cuteBuildUnary(b, "llvm.bitcast", odd, f32);
}

static MlirValue fromF32(const CuteBuilder *b, MlirValue value, size_t i) {
  bool isPair = conversions[i].toF16;
  MlirType f32 = mlirValueGetType(value);
  MlirValue operands[] = {
      value, isPair ? cuteBuildValue(b, (CuteOpSpec){.name = "llvm.mlir.zero",
                                                     .numResults = 1,
                                                     .results = &f32})
                    : value};
  MlirValue result =
      buildPtx(b, conversions[i].fromF32, conversions[i].fromConstraints,
               isPair ? 2 : 1, operands, cuteIntType(b, isPair ? 16 : 32));
  return isPair ? cuteBuildUnary(b, "arith.trunci", result, cuteIntType(b, 8))
                : result;
}

MlirValue cuteLoweringConvertElement(CuteLowering *lowering, MlirValue raw,
                                     CuteElementType from, CuteElementType to) {
  const CuteBuilder *b = &lowering->builder;
  size_t i = findConversion(from), j = findConversion(to);
  if (mlirValueIsNull(raw) || from == to)
    return raw;
  if ((i == NUM_CONVERSIONS && !isPlainFloat(from)) ||
      (j == NUM_CONVERSIONS && !isPlainFloat(to))) {
    cuteFail(lowering->context, "no conversion from %s to %s",
             cuteElementTypeGetName(from), cuteElementTypeGetName(to));
    return (MlirValue){NULL};
  }
  if (i < NUM_CONVERSIONS) {
    raw = toF32(b, raw, i);
    from = CUTE_ELEMENT_F32;
  }
  if (j == NUM_CONVERSIONS)
    return castPlain(b, raw, from, to);
  return fromF32(b,
                 from == CUTE_ELEMENT_F64
                     ? toOddF32(b, raw)
                     : castPlain(b, raw, from, CUTE_ELEMENT_F32),
                 j);
}
