// Single elements: in bytes of their own, or packed several to a byte.
#include "Hardware/element.h"
#include "Lowering/lowering.h"

//===-- Types -------------------------------------------------------------===//

unsigned cuteElementGetPackedBits(CuteElementType element) {
  unsigned bits = cuteElementTypeGetBits(element);
  return bits < 8 ? bits : 0;
}

MlirType cuteElementStorageType(const CuteBuilder *builder,
                                CuteElementType element) {
  if (cuteElementGetPackedBits(element))
    return cuteIntType(builder, 8);
  const CuteElementInfo *info = cuteElementGetInfo(element);
  if (info->isUnsigned || (info->isFloat && !info->isPlain))
    return cuteIntType(builder, info->bits);
  return cuteElementMlirType(builder, element);
}

MlirType cuteElementRawType(const CuteBuilder *builder,
                            CuteElementType element) {
  unsigned bits = cuteElementGetPackedBits(element);
  return bits ? cuteIntType(builder, bits)
              : cuteElementStorageType(builder, element);
}

//===-- Values of MLIR ----------------------------------------------------===//

static MlirValue cast(const CuteBuilder *b, MlirValue value, MlirType type) {
  return cuteBuildUnary(b, "builtin.unrealized_conversion_cast", value, type);
}

MlirValue cuteElementFromRaw(const CuteBuilder *builder,
                             CuteElementType element, MlirType type,
                             MlirValue raw) {
  if (mlirTypeEqual(mlirValueGetType(raw), type))
    return raw;
  unsigned bits = cuteElementGetInfo(element)->valueBits;
  if (bits)
    raw = trunci(builder, raw, cuteIntType(builder, bits));
  return cast(builder, raw, type);
}

// The bits of an arith.constant of tf32, which no pass of MLIR can convert.
static bool isConstant(MlirValue value, double *number) {
  if (!mlirValueIsAOpResult(value))
    return false;
  MlirOperation op = mlirOpResultGetOwner(value);
  MlirAttribute attribute = cuteMlirGetAttribute(op, "value");
  if (mlirAttributeIsNull(attribute) || !mlirAttributeIsAFloat(attribute))
    return false;
  *number = mlirFloatAttrGetValueDouble(attribute);
  return true;
}

MlirValue cuteElementToRaw(const CuteBuilder *builder, CuteElementType element,
                           MlirValue value) {
  MlirType type = cuteElementRawType(builder, element);
  double number;
  if (mlirTypeEqual(mlirValueGetType(value), type))
    return value;
  if (element == CUTE_ELEMENT_TF32 && isConstant(value, &number)) {
    float single = (float)number;
    int32_t bits;
    memcpy(&bits, &single, sizeof bits);
    return cuteBuildInt(builder, 32, bits);
  }
  unsigned bits = cuteElementGetInfo(element)->valueBits;
  if (!bits)
    return cast(builder, value, type);
  return extui(builder, cast(builder, value, cuteIntType(builder, bits)), type);
}

//===-- Where an element lies ---------------------------------------------===//

// The byte that holds an element, and how far from its lowest bit: a number, or
// an i8 if it is known when the code runs only.
typedef struct Place {
  MlirValue address, dynamicShift;
  int64_t shift;
} Place;

static Place placeOf(CuteLowering *l, const CuteLowered *tensor,
                     CuteIntTuple coord) {
  const CuteBuilder *b = &l->builder;
  CuteElementType element = tensor->type->element;
  int64_t bits = cuteElementGetPackedBits(element), perByte = 8 / bits;
  CuteIntTuple index = cuteLoweringGetIndex(l, *tensor, coord);
  Place place = {{NULL}, {NULL}, 0};
  if (!index)
    return place;
  place.address = cuteLoweringAdvance(l, tensor->pointer, element, index);
  int64_t constant;
  if (cuteLoweringHasWholeBytes(l, index, perByte, &constant)) {
    place.shift = (constant & (perByte - 1)) * bits;
    return place;
  }
  MlirValue sum = cuteLoweringGetInteger(l, index, 32);
  sum = andiWith(b, sum, perByte - 1);
  sum = muliWith(b, sum, bits);
  place.dynamicShift = trunci(b, sum, cuteIntType(b, 8));
  return place;
}

static MlirValue shifted(const CuteBuilder *b, const char *name,
                         MlirValue value, Place place) {
  if (mlirValueIsNull(place.dynamicShift) && !place.shift)
    return value;
  return cuteBuildBinary(b, name, value,
                         mlirValueIsNull(place.dynamicShift)
                             ? cuteBuildInt(b, 8, place.shift)
                             : place.dynamicShift);
}

//===-- Access ------------------------------------------------------------===//

static int64_t elementBytes(CuteElementType element) {
  unsigned bits = cuteElementTypeGetBits(element);
  return bits < 8 ? 1 : bits / 8;
}

MlirValue cuteLoweringLoadElement(CuteLowering *lowering,
                                  const CuteLowered *tensor,
                                  CuteIntTuple coord) {
  const CuteBuilder *b = &lowering->builder;
  CuteElementType element = tensor->type->element;
  MlirType type = cuteElementStorageType(b, element);
  if (!cuteElementGetPackedBits(element)) {
    MlirValue address = cuteLoweringGetAddress(lowering, *tensor, coord);
    return mlirValueIsNull(address) ? address
                                    : cuteLoweringLoad(lowering, address, type,
                                                       elementBytes(element));
  }
  Place place = placeOf(lowering, tensor, coord);
  if (mlirValueIsNull(place.address))
    return place.address;
  MlirValue byte = cuteLoweringLoad(lowering, place.address, type, 1);
  return trunci(b, shifted(b, "arith.shrui", byte, place),
                cuteElementRawType(b, element));
}

// The byte with the element's bits replaced.
static MlirValue insertBits(const CuteBuilder *b, MlirValue byte, Place place,
                            MlirValue raw, unsigned bits) {
  MlirType i8 = cuteIntType(b, 8);
  MlirValue mask = cuteBuildInt(b, 8, (1 << bits) - 1);
  MlirValue ones = cuteBuildInt(b, 8, -1);
  MlirValue hole = xori(b, shifted(b, "arith.shli", mask, place), ones);
  MlirValue wide = extui(b, raw, i8);
  return ori(b, andi(b, byte, hole), shifted(b, "arith.shli", wide, place));
}

static bool refuseShared(CuteLowering *l, CuteType tensor) {
  CuteElementType element = tensor->element;
  l->failed = true;
  return cuteFail(
      l->context,
      "a %u-bit %s cannot be stored alone in %s, where another thread may "
      "write to the same byte; copy whole bytes from a fragment",
      cuteElementTypeGetBits(element), cuteElementTypeGetName(element),
      tensor->space == CUTE_SMEM ? "smem" : "gmem");
}

bool cuteLoweringStoreElement(CuteLowering *lowering, const CuteLowered *tensor,
                              CuteIntTuple coord, MlirValue raw) {
  const CuteBuilder *b = &lowering->builder;
  CuteElementType element = tensor->type->element;
  unsigned bits = cuteElementGetPackedBits(element);
  if (!bits) {
    MlirValue address = cuteLoweringGetAddress(lowering, *tensor, coord);
    if (!mlirValueIsNull(address))
      cuteLoweringStore(lowering, raw, address, elementBytes(element));
    return !mlirValueIsNull(address);
  }
  if (tensor->type->space != CUTE_RMEM)
    return refuseShared(lowering, tensor->type);
  Place place = placeOf(lowering, tensor, coord);
  if (mlirValueIsNull(place.address))
    return false;
  MlirValue byte =
      cuteLoweringLoad(lowering, place.address, cuteIntType(b, 8), 1);
  cuteLoweringStore(lowering, insertBits(b, byte, place, raw, bits),
                    place.address, 1);
  return true;
}
