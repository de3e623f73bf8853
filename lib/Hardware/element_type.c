#include "cute/ElementType.h"

static const struct {
  const char *name;
  unsigned bits;
  bool isFloat;
} elementTypes[CUTE_NUM_ELEMENT_TYPES] = {
    [CUTE_ELEMENT_I1] = {"i1", 8, false},
    [CUTE_ELEMENT_I4] = {"i4", 4, false},
    [CUTE_ELEMENT_I8] = {"i8", 8, false},
    [CUTE_ELEMENT_I16] = {"i16", 16, false},
    [CUTE_ELEMENT_I32] = {"i32", 32, false},
    [CUTE_ELEMENT_I64] = {"i64", 64, false},
    [CUTE_ELEMENT_F8E4M3] = {"f8E4M3FN", 8, true},
    [CUTE_ELEMENT_F8E5M2] = {"f8E5M2", 8, true},
    [CUTE_ELEMENT_F16] = {"f16", 16, true},
    [CUTE_ELEMENT_BF16] = {"bf16", 16, true},
    [CUTE_ELEMENT_TF32] = {"tf32", 32, true},
    [CUTE_ELEMENT_F32] = {"f32", 32, true},
    [CUTE_ELEMENT_F64] = {"f64", 64, true},
    [CUTE_ELEMENT_F6E2M3] = {"f6E2M3FN", 8, true},
    [CUTE_ELEMENT_F6E3M2] = {"f6E3M2FN", 8, true},
    [CUTE_ELEMENT_F4E2M1] = {"f4E2M1FN", 4, true},
    [CUTE_ELEMENT_I2] = {"i2", 2, false},
    [CUTE_ELEMENT_UI1] = {"ui1", 1, false},
    [CUTE_ELEMENT_UI2] = {"ui2", 2, false},
    [CUTE_ELEMENT_UI4] = {"ui4", 4, false},
    [CUTE_ELEMENT_UI8] = {"ui8", 8, false},
    [CUTE_ELEMENT_UI16] = {"ui16", 16, false},
    [CUTE_ELEMENT_UI32] = {"ui32", 32, false},
    [CUTE_ELEMENT_UI64] = {"ui64", 64, false},
    [CUTE_ELEMENT_UI128] = {"ui128", 128, false},
    [CUTE_ELEMENT_F8E8M0] = {"f8E8M0FNU", 8, true},
    [CUTE_ELEMENT_C32] = {"complex<f32>", 64, false},
    [CUTE_ELEMENT_C64] = {"complex<f64>", 128, false},
    [CUTE_ELEMENT_GC64] = {"gauss<f64>", 192, false},
};

static const struct {
  const char *name;
  CuteElementType type;
} cppNames[] = {
    {"half_t", CUTE_ELEMENT_F16},
    {"bfloat16_t", CUTE_ELEMENT_BF16},
    {"tfloat32_t", CUTE_ELEMENT_TF32},
    {"float", CUTE_ELEMENT_F32},
    {"double", CUTE_ELEMENT_F64},
    {"float_e4m3_t", CUTE_ELEMENT_F8E4M3},
    {"float_e5m2_t", CUTE_ELEMENT_F8E5M2},
    {"float_e2m3_t", CUTE_ELEMENT_F6E2M3},
    {"float_e3m2_t", CUTE_ELEMENT_F6E3M2},
    {"float_e2m1_t", CUTE_ELEMENT_F4E2M1},
    {"float_ue8m0_t", CUTE_ELEMENT_F8E8M0},
    {"complex<float>", CUTE_ELEMENT_C32},
    {"complex<double>", CUTE_ELEMENT_C64},
    {"int2_t", CUTE_ELEMENT_I2},
    {"int2b_t", CUTE_ELEMENT_I2},
    {"int4_t", CUTE_ELEMENT_I4},
    {"int4b_t", CUTE_ELEMENT_I4},
    {"int8_t", CUTE_ELEMENT_I8},
    {"int16_t", CUTE_ELEMENT_I16},
    {"int32_t", CUTE_ELEMENT_I32},
    {"int", CUTE_ELEMENT_I32},
    {"int64_t", CUTE_ELEMENT_I64},
    {"bit", CUTE_ELEMENT_UI1},
    {"uint1_t", CUTE_ELEMENT_UI1},
    {"uint1b_t", CUTE_ELEMENT_UI1},
    {"bin1_t", CUTE_ELEMENT_UI1},
    {"uint2_t", CUTE_ELEMENT_UI2},
    {"uint2b_t", CUTE_ELEMENT_UI2},
    {"uint4_t", CUTE_ELEMENT_UI4},
    {"uint4b_t", CUTE_ELEMENT_UI4},
    {"uint8_t", CUTE_ELEMENT_UI8},
    {"uint16_t", CUTE_ELEMENT_UI16},
    {"uint32_t", CUTE_ELEMENT_UI32},
    {"uint64_t", CUTE_ELEMENT_UI64},
    {"uint128_t", CUTE_ELEMENT_UI128},
};

const char *cuteElementTypeGetName(CuteElementType type) {
  return elementTypes[type].name;
}

unsigned cuteElementTypeGetBits(CuteElementType type) {
  return elementTypes[type].bits;
}

bool cuteElementTypeIsFloat(CuteElementType type) {
  return elementTypes[type].isFloat;
}

bool cuteElementTypeIsTensorElement(CuteElementType type) {
  return (int)type < CUTE_NUM_TENSOR_ELEMENT_TYPES;
}

CuteElementType cuteElementTypeGetSignless(CuteElementType type) {
  switch (type) {
  case CUTE_ELEMENT_UI2:
    return CUTE_ELEMENT_I2;
  case CUTE_ELEMENT_UI4:
    return CUTE_ELEMENT_I4;
  case CUTE_ELEMENT_UI8:
    return CUTE_ELEMENT_I8;
  case CUTE_ELEMENT_UI16:
    return CUTE_ELEMENT_I16;
  case CUTE_ELEMENT_UI32:
    return CUTE_ELEMENT_I32;
  case CUTE_ELEMENT_UI64:
    return CUTE_ELEMENT_I64;
  default:
    return type;
  }
}

static bool equals(const char *text, CuteStringRef name) {
  return strlen(text) == name.length && !memcmp(text, name.data, name.length);
}

// One of the first `n` types.
static bool findAmong(int n, CuteStringRef name, CuteElementType *type) {
  for (int i = 0; i < n; ++i) {
    if (!equals(elementTypes[i].name, name))
      continue;
    *type = (CuteElementType)i;
    return true;
  }
  return false;
}

bool cuteElementTypeFind(CuteStringRef name, CuteElementType *type) {
  return findAmong(CUTE_NUM_TENSOR_ELEMENT_TYPES, name, type);
}

static CuteStringRef withoutNamespace(CuteStringRef name) {
  static const char *const spaces[] = {"cute::", "cutlass::", "std::"};
  for (size_t i = 0; i < sizeof spaces / sizeof *spaces; ++i) {
    size_t n = strlen(spaces[i]);
    if (name.length > n && !memcmp(name.data, spaces[i], n))
      return (CuteStringRef){name.data + n, name.length - n};
  }
  return name;
}

bool cuteElementTypeFindAny(CuteStringRef name, CuteElementType *type) {
  if (findAmong(CUTE_NUM_ELEMENT_TYPES, name, type))
    return true;
  name = withoutNamespace(name);
  for (size_t i = 0; i < sizeof cppNames / sizeof *cppNames; ++i) {
    if (!equals(cppNames[i].name, name))
      continue;
    *type = cppNames[i].type;
    return true;
  }
  return false;
}
