#include "cute/ElementType.h"

static const struct {
  const char *name;
  unsigned bits;
} elementTypes[CUTE_NUM_ELEMENT_TYPES] = {
    [CUTE_ELEMENT_I1] = {"i1", 8},
    [CUTE_ELEMENT_I4] = {"i4", 4},
    [CUTE_ELEMENT_I8] = {"i8", 8},
    [CUTE_ELEMENT_I16] = {"i16", 16},
    [CUTE_ELEMENT_I32] = {"i32", 32},
    [CUTE_ELEMENT_I64] = {"i64", 64},
    [CUTE_ELEMENT_F8E4M3] = {"f8E4M3FN", 8},
    [CUTE_ELEMENT_F8E5M2] = {"f8E5M2", 8},
    [CUTE_ELEMENT_F16] = {"f16", 16},
    [CUTE_ELEMENT_BF16] = {"bf16", 16},
    [CUTE_ELEMENT_TF32] = {"tf32", 32},
    [CUTE_ELEMENT_F32] = {"f32", 32},
    [CUTE_ELEMENT_F64] = {"f64", 64},
};

const char *cuteElementTypeGetName(CuteElementType type) {
  return elementTypes[type].name;
}

unsigned cuteElementTypeGetBits(CuteElementType type) {
  return elementTypes[type].bits;
}

bool cuteElementTypeIsFloat(CuteElementType type) {
  return type >= CUTE_ELEMENT_F8E4M3;
}

bool cuteElementTypeFind(CuteStringRef name, CuteElementType *type) {
  for (int i = 0; i < CUTE_NUM_ELEMENT_TYPES; ++i) {
    if (strlen(elementTypes[i].name) != name.length ||
        memcmp(elementTypes[i].name, name.data, name.length))
      continue;
    *type = (CuteElementType)i;
    return true;
  }
  return false;
}
