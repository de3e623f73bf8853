// The rows of dialect/hardware/element.def.
#include "Hardware/element.h"
#include "Support/text.h"

static const CuteElementInfo elements[CUTE_NUM_ELEMENT_TYPES] = {
#define CUTE_ELEMENT(type, ...) [CUTE_ELEMENT_##type] = {__VA_ARGS__},
#include "hardware/element.def"
};

const CuteElementInfo *cuteElementGetInfo(CuteElementType type) {
  return &elements[type];
}

const char *cuteElementTypeGetName(CuteElementType type) {
  return elements[type].name;
}

unsigned cuteElementTypeGetBits(CuteElementType type) {
  return elements[type].bits;
}

bool cuteElementTypeIsFloat(CuteElementType type) {
  return elements[type].isFloat;
}

bool cuteElementTypeIsTensorElement(CuteElementType type) {
  return (int)type < CUTE_NUM_TENSOR_ELEMENT_TYPES;
}

// One of the first `n` types.
static bool findAmong(int n, CuteStringRef name, CuteElementType *type) {
  for (int i = 0; i < n; ++i) {
    if (!cuteTextEquals(name, elements[i].name))
      continue;
    *type = (CuteElementType)i;
    return true;
  }
  return false;
}

bool cuteElementTypeFind(CuteStringRef name, CuteElementType *type) {
  return findAmong(CUTE_NUM_TENSOR_ELEMENT_TYPES, name, type);
}

void cuteElementAppendUnknown(CuteString *text, CuteStringRef name) {
  cuteStringAppendFormat(
      text, "'%.*s' is not an element type; known: ", CUTE_TEXT(name));
  for (int i = 0; i < CUTE_NUM_TENSOR_ELEMENT_TYPES; ++i)
    cuteStringAppendFormat(text, "%s%s", i ? ", " : "", elements[i].name);
}

bool cuteElementTypeGetFormat(CuteElementType type, CuteFloatFormat *format) {
  const CuteElementInfo *info = cuteElementGetInfo(type);
  *format =
      (CuteFloatFormat){.bits = cuteElementGetValueBits(type),
                        .exponentBits = info->exponentBits,
                        .mantissaBits = info->mantissaBits,
                        .hasInfinity = info->beyond == CUTE_BEYOND_INFINITY,
                        .hasNan = info->beyond != CUTE_BEYOND_NOTHING};
  return info->isFloat;
}

CuteElementType cuteElementTypeGetSignless(CuteElementType type) {
  return elements[type].isUnsigned ? elements[type].signless : type;
}

static CuteStringRef withoutNamespace(CuteStringRef name) {
  static const char *const spaces[] = {"cute::", "cutlass::", "std::"};
  for (size_t i = 0; i < sizeof spaces / sizeof *spaces; ++i)
    if (cuteTextTake(&name, spaces[i]))
      break;
  return name;
}

bool cuteElementTypeFindAny(CuteStringRef name, CuteElementType *type) {
  if (findAmong(CUTE_NUM_ELEMENT_TYPES, name, type))
    return true;
  name = withoutNamespace(name);
  for (int i = 0; i < CUTE_NUM_ELEMENT_TYPES; ++i)
    for (int j = 0; j < CUTE_MAX_CPP_NAMES && elements[i].cpp[j]; ++j)
      if (cuteTextEquals(name, elements[i].cpp[j])) {
        *type = (CuteElementType)i;
        return true;
      }
  return false;
}
