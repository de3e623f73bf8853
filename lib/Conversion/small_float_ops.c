#include "Conversion/small_float_ops.h"

#include "Hardware/element.h"
#include "Lowering/lowering.h"

// Finds the type of elements that is, or is in vectors of, an MLIR type.
static bool findElement(CuteDialect *dialect, MlirType type,
                        CuteElementType *element) {
  bool isVector = mlirTypeIsAVector(type);
  CuteType foreign = cuteDialectGetType(
      dialect, isVector ? mlirShapedTypeGetElementType(type) : type);
  return foreign && foreign->kind == CUTE_TYPE_FOREIGN &&
         cuteElementTypeFind(foreign->foreign, element);
}

bool cuteHasSmallFloats(CuteDialect *dialect, MlirType type) {
  CuteElementType element;
  if (!findElement(dialect, type, &element))
    return false;
  const CuteElementInfo *info = cuteElementGetInfo(element);
  return info->isFloat && !info->isPlain;
}

// The type of an element's bits in MLIR, which memory may have in more.
static MlirType bitsType(const CuteBuilder *b, CuteElementType element) {
  unsigned bits = cuteElementGetInfo(element)->valueBits;
  return bits ? cuteIntType(b, bits) : cuteElementRawType(b, element);
}

static MlirValue convert(CuteLowering *lowering, MlirValue value,
                         CuteElementType from, CuteElementType to) {
  const CuteBuilder *b = &lowering->builder;
  MlirValue bits = cuteBuildCast(b, "arith.bitcast", value, bitsType(b, from));
  if (cuteElementGetInfo(from)->valueBits)
    bits = cuteBuildUnary(b, "arith.extui", bits, cuteElementRawType(b, from));
  bits = cuteLoweringConvertElement(lowering, bits, from, to);
  if (cuteElementGetInfo(to)->valueBits)
    bits = cuteBuildUnary(b, "arith.trunci", bits, bitsType(b, to));
  return cuteBuildCast(b, "arith.bitcast", bits, cuteElementMlirType(b, to));
}

static void convertVector(CuteLowering *lowering, MlirOperation op,
                          CuteElementType from, CuteElementType to) {
  const CuteBuilder *b = &lowering->builder;
  MlirValue vector = mlirOperationGetOperand(op, 0);
  MlirType type = cuteMlirGetResultType(op, 0);
  size_t n = (size_t)mlirShapedTypeGetDimSize(type, 0);
  CuteArena *scratch = &lowering->context->scratch;
  CUTE_SCOPED(ArenaScope) scope = cuteArenaScopeBegin(scratch);
  MlirValue *elements = cuteArenaAllocate(scratch, n * sizeof *elements);
  for (size_t i = 0; i < n; ++i)
    elements[i] = convert(
        lowering, cuteBuildVectorExtract(b, vector, (int64_t)i), from, to);
  cuteMlirReplace(
      op, 0, cuteBuildResult(b, "vector.from_elements", n, elements, type));
}

bool cuteExpandSmallFloats(CuteDialect *dialect, MlirOperation op) {
  CuteLowering lowering = {.dialect = dialect,
                           .context = dialect->context,
                           .builder = cuteBuilderBefore(op)};
  MlirValue value = mlirOperationGetOperand(op, 0);
  MlirType type = cuteMlirGetResultType(op, 0);
  bool isVector = mlirTypeIsAVector(type);
  CuteElementType from, to;
  if (!findElement(dialect, mlirValueGetType(value), &from) ||
      !findElement(dialect, type, &to) || to == CUTE_ELEMENT_F8E8M0 ||
      (isVector &&
       (mlirShapedTypeGetRank(type) != 1 || mlirVectorTypeIsScalable(type))))
    return false;
  if (isVector)
    convertVector(&lowering, op, from, to);
  else
    cuteMlirReplace(op, 0, convert(&lowering, value, from, to));
  return true;
}
