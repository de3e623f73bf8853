// Conversion of one element to another type.
#include "Hardware/arch.h"
#include "Hardware/element.h"
#include "Lowering/integer_convert.h"
#include "Lowering/small_float.h"

// An element's type, or that of as many as the value has.
static MlirType typeLike(const CuteBuilder *b, MlirValue value,
                         CuteElementType element) {
  MlirType type = cuteElementMlirType(b, element),
           like = mlirValueGetType(value);
  if (!mlirTypeIsAVector(like))
    return type;
  int64_t n = mlirShapedTypeGetDimSize(like, 0);
  return mlirVectorTypeGet(1, &n, type);
}

// One, or a vector of several.
static MlirValue castPlain(const CuteBuilder *b, MlirValue value,
                           CuteElementType from, CuteElementType to) {
  unsigned x = cuteElementTypeGetBits(from), y = cuteElementTypeGetBits(to);
  if (from == to)
    return value;
  if (x == y) // f16 <-> bf16
    return castPlain(b, castPlain(b, value, from, CUTE_ELEMENT_F32),
                     CUTE_ELEMENT_F32, to);
  return cuteBuildUnary(b, x < y ? "arith.extf" : "arith.truncf", value,
                        typeLike(b, value, to));
}

//===-- Instructions of PTX -----------------------------------------------===//

// cvt for a pair of small floats, whose first is the last operand, and for
// tf32. Without one from f16 the pair becomes f32 before. PTX ISA, "cvt".
static const struct {
  CuteElementType element;
  const char *fromF32, *fromConstraints, *fromF16, *toF16;
} conversions[] = {
    {CUTE_ELEMENT_TF32, "cvt.rna.tf32.f32 $0, $1;", "=r,f", NULL, NULL},
    {CUTE_ELEMENT_F8E4M3, "cvt.rn.satfinite.e4m3x2.f32 $0, $2, $1;", "=h,f,f",
     "cvt.rn.satfinite.e4m3x2.f16x2 $0, $1;", "cvt.rn.f16x2.e4m3x2 $0, $1;"},
    {CUTE_ELEMENT_F8E5M2, "cvt.rn.satfinite.e5m2x2.f32 $0, $2, $1;", "=h,f,f",
     "cvt.rn.satfinite.e5m2x2.f16x2 $0, $1;", "cvt.rn.f16x2.e5m2x2 $0, $1;"},
    {CUTE_ELEMENT_F6E2M3, "cvt.rn.satfinite.e2m3x2.f32 $0, $2, $1;", "=h,f,f",
     NULL, "cvt.rn.f16x2.e2m3x2 $0, $1;"},
    {CUTE_ELEMENT_F6E3M2, "cvt.rn.satfinite.e3m2x2.f32 $0, $2, $1;", "=h,f,f",
     NULL, "cvt.rn.f16x2.e3m2x2 $0, $1;"},
    {CUTE_ELEMENT_F4E2M1,
     "{\n\t.reg .b8 two;\n\tcvt.rn.satfinite.e2m1x2.f32 two, $2, $1;\n\t"
     "cvt.u16.u8 $0, two;\n\t}",
     "=h,f,f", NULL,
     "{\n\t.reg .b8 two;\n\tcvt.u8.u16 two, $1;\n\t"
     "cvt.rn.f16x2.e2m1x2 $0, two;\n\t}"},
};

enum { NUM_CONVERSIONS = sizeof conversions / sizeof *conversions };

static size_t findConversion(CuteElementType element) {
  size_t i = 0;
  while (i < NUM_CONVERSIONS && conversions[i].element != element)
    ++i;
  return i;
}

static MlirValue toF32(const CuteBuilder *b, MlirValue raw, size_t i) {
  MlirType f32 = cuteElementMlirType(b, CUTE_ELEMENT_F32);
  if (!conversions[i].toF16) // a tf32 is an f32
    return bitcast(b, raw, f32);
  MlirValue pair = extui(b, raw, cuteIntType(b, 16));
  MlirValue halves = cuteBuildPureAsm(b, conversions[i].toF16, "=r,h", 1, &pair,
                                      cuteIntType(b, 32));
  MlirValue low = trunci(b, halves, cuteIntType(b, 16));
  MlirValue half = bitcast(b, low, cuteElementMlirType(b, CUTE_ELEMENT_F16));
  return castPlain(b, half, CUTE_ELEMENT_F16, CUTE_ELEMENT_F32);
}

// An f64 cut off to an f32 without PTX: the nearest f32, or the one below it in
// magnitude, whose bits are one less, if that is too large.
static MlirValue cutOff(const CuteBuilder *b, MlirValue value) {
  MlirType f32 = cuteElementMlirType(b, CUTE_ELEMENT_F32);
  MlirType i32 = cuteIntType(b, 32);
  MlirType f64 = mlirValueGetType(value);
  MlirValue nearest = cuteBuildUnary(b, "arith.truncf", value, f32);
  MlirValue wide = cuteBuildUnary(b, "arith.extf", nearest, f64);
  MlirValue isLarger = cuteBuildCompare(
      b, CUTE_CMPF_OGT, cuteBuildUnary(b, "llvm.intr.fabs", wide, f64),
      cuteBuildUnary(b, "llvm.intr.fabs", value, f64));
  MlirValue bits = bitcast(b, nearest, i32);
  return bitcast(b, subi(b, bits, extui(b, isLarger, i32)), f32);
}

// An f64 as an f32 that rounds to fewer digits as the f64 does: cut off, and
// odd where that left something out, so that it is not half way. PTX ISA,
// "cvt".
static MlirValue toOddF32(const CuteLowering *l, MlirValue value) {
  const CuteBuilder *b = &l->builder;
  MlirType f32 = cuteElementMlirType(b, CUTE_ELEMENT_F32);
  MlirType i32 = cuteIntType(b, 32);
  MlirValue cut = l->dialect->host.callsRuntime
                      ? cutOff(b, value)
                      : cuteBuildPureAsm(b, "cvt.rz.f32.f64 $0, $1;", "=f,d", 1,
                                         &value, f32);
  MlirValue wide =
      cuteBuildUnary(b, "arith.extf", cut, mlirValueGetType(value));
  MlirValue isCut = cuteBuildCompare(b, CUTE_CMPF_ONE, wide, value);
  MlirValue odd = ori(b, bitcast(b, cut, i32), extui(b, isCut, i32));
  return bitcast(b, odd, f32);
}

static MlirValue fromF32(const CuteBuilder *b, MlirValue value, size_t i) {
  bool isPair = conversions[i].toF16;
  MlirType f32 = mlirValueGetType(value);
  MlirValue operands[] = {
      value,
      isPair ? cuteBuildResult(b, "llvm.mlir.zero", 0, NULL, f32) : value};
  MlirValue result = cuteBuildPureAsm(
      b, conversions[i].fromF32, conversions[i].fromConstraints, isPair ? 2 : 1,
      operands, cuteIntType(b, isPair ? 16 : 32));
  MlirType raw = cuteElementRawType(b, conversions[i].element);
  return isPair ? trunci(b, result, raw) : result;
}

// Tells whether the architecture has an instruction for the element; the number
// of its row, or NUM_CONVERSIONS. A host has none.
static size_t findInstruction(const CuteLowering *l, CuteElementType element) {
  bool has = element == CUTE_ELEMENT_TF32 ||
             cuteArchConverts(l->dialect->arch, element);
  return has && !l->dialect->host.callsRuntime ? findConversion(element)
                                               : NUM_CONVERSIONS;
}

// Accepts integers and all floats as sources, and as results all but exponents
// alone. False with a message.
static bool checkTypes(CuteLowering *l, CuteElementType from,
                       CuteElementType to) {
  if (to != CUTE_ELEMENT_F8E8M0)
    return true;
  return cuteFail(l->context, "no conversion from %s to %s",
                  cuteElementTypeGetName(from), cuteElementTypeGetName(to));
}

// A float as one that LLVM calculates with, which `element` becomes.
static MlirValue toPlain(CuteLowering *l, MlirValue raw,
                         CuteElementType *element) {
  CuteElementType from = *element;
  size_t i = findInstruction(l, from);
  if (cuteElementGetInfo(from)->isPlain)
    return raw;
  *element = CUTE_ELEMENT_F32;
  return i < NUM_CONVERSIONS ? toF32(&l->builder, raw, i)
                             : cuteLoweringWidenElement(l, raw, from);
}

static MlirValue fromPlain(CuteLowering *l, MlirValue value,
                           CuteElementType from, CuteElementType to) {
  const CuteBuilder *b = &l->builder;
  size_t j = findInstruction(l, to);
  if (cuteElementGetInfo(to)->isPlain)
    return castPlain(b, value, from, to);
  value = from == CUTE_ELEMENT_F64
              ? toOddF32(l, value)
              : castPlain(b, value, from, CUTE_ELEMENT_F32);
  return j < NUM_CONVERSIONS ? fromF32(b, value, j)
                             : cuteSmallFloatFromF32(b, value, to);
}

MlirValue cuteLoweringConvertElement(CuteLowering *lowering, MlirValue raw,
                                     CuteElementType from, CuteElementType to) {
  const CuteBuilder *b = &lowering->builder;
  if (mlirValueIsNull(raw) || from == to)
    return raw;
  if (!checkTypes(lowering, from, to))
    return (MlirValue){NULL};
  if (cuteElementIsInteger(from) && cuteElementIsInteger(to))
    return cuteIntegerConvert(b, raw, from, to);
  if (cuteElementIsInteger(from)) {
    bool isPlain = cuteElementGetInfo(to)->isPlain;
    CuteElementType plain = isPlain ? to : CUTE_ELEMENT_F32;
    return fromPlain(lowering, cuteIntegerToFloat(b, raw, from, plain), plain,
                     to);
  }
  MlirValue value = toPlain(lowering, raw, &from);
  return cuteElementIsInteger(to) ? cuteIntegerFromFloat(b, value, to)
                                  : fromPlain(lowering, value, from, to);
}

//===-- Pairs -------------------------------------------------------------===//

MlirType cuteElementPairType(const CuteBuilder *builder,
                             CuteElementType element) {
  int64_t two = 2;
  MlirType raw = cuteElementRawType(builder, element);
  return cuteElementTypeGetBits(element) < 8 ? cuteIntType(builder, 8)
                                             : mlirVectorTypeGet(1, &two, raw);
}

// A pair of small floats as one of f16.
static MlirValue pairToF16(const CuteBuilder *b, MlirValue pair, size_t i) {
  MlirType i16 = cuteIntType(b, 16);
  MlirValue bits = mlirTypeIsAVector(mlirValueGetType(pair))
                       ? bitcast(b, pair, i16)
                       : extui(b, pair, i16);
  MlirValue halves = cuteBuildPureAsm(b, conversions[i].toF16, "=r,h", 1, &bits,
                                      cuteIntType(b, 32));
  return bitcast(b, halves, cuteElementPairType(b, CUTE_ELEMENT_F16));
}

// A pair of f16 or f32 as one of small floats.
static MlirValue pairToSmall(const CuteBuilder *b, MlirValue pair,
                             CuteElementType from, size_t i) {
  MlirType i16 = cuteIntType(b, 16),
           type = cuteElementPairType(b, conversions[i].element);
  MlirValue bits;
  if (from == CUTE_ELEMENT_F16) {
    MlirValue halves = bitcast(b, pair, cuteIntType(b, 32));
    bits = cuteBuildPureAsm(b, conversions[i].fromF16, "=h,r", 1, &halves, i16);
  } else {
    MlirValue values[] = {cuteBuildVectorExtract(b, pair, 0),
                          cuteBuildVectorExtract(b, pair, 1)};
    bits = cuteBuildPureAsm(b, conversions[i].fromF32,
                            conversions[i].fromConstraints, 2, values, i16);
  }
  return cuteBuildUnary(
      b, mlirTypeIsAVector(type) ? "llvm.bitcast" : "arith.trunci", bits, type);
}

static bool isInPairs(const CuteLowering *l, CuteElementType element) {
  return cuteElementGetInfo(element)->isPlain ||
         (element != CUTE_ELEMENT_TF32 &&
          findInstruction(l, element) < NUM_CONVERSIONS);
}

bool cuteElementHasPairs(const CuteLowering *lowering, CuteElementType from,
                         CuteElementType to) {
  return from != to && isInPairs(lowering, from) && isInPairs(lowering, to);
}

MlirValue cuteLoweringConvertPair(CuteLowering *lowering, MlirValue pair,
                                  CuteElementType from, CuteElementType to) {
  const CuteBuilder *b = &lowering->builder;
  size_t i = findConversion(from), j = findConversion(to);
  if (mlirValueIsNull(pair))
    return pair;
  if (i < NUM_CONVERSIONS) {
    pair = pairToF16(b, pair, i);
    from = CUTE_ELEMENT_F16;
  }
  if (j == NUM_CONVERSIONS)
    return castPlain(b, pair, from, to);
  if (from != CUTE_ELEMENT_F16 || !conversions[j].fromF16) {
    pair = castPlain(b, pair, from, CUTE_ELEMENT_F32);
    from = CUTE_ELEMENT_F32;
  }
  return pairToSmall(b, pair, from, j);
}
