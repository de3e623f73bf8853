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

bool cuteConvertsSmallFloats(CuteDialect *dialect, MlirOperation op) {
  bool widens = cuteMlirIs(op, "arith.extf");
  CuteElementType element;
  if ((!widens && !cuteMlirIs(op, "arith.truncf")) ||
      !findElement(dialect,
                   widens ? cuteMlirGetOperandType(op, 0)
                          : cuteMlirGetResultType(op, 0),
                   &element))
    return false;
  const CuteElementInfo *info = cuteElementGetInfo(element);
  return info->isFloat && !info->isPlain;
}

// The type of an element's bits in MLIR, which memory may have in more.
static MlirType bitsType(const CuteBuilder *b, CuteElementType element) {
  unsigned bits = cuteElementGetInfo(element)->valueBits;
  return bits ? cuteIntType(b, bits) : cuteElementRawType(b, element);
}

// A float of MLIR as a raw element.
static MlirValue toRaw(const CuteBuilder *b, MlirValue value,
                       CuteElementType element) {
  MlirValue bits =
      cuteBuildCast(b, "arith.bitcast", value, bitsType(b, element));
  return cuteElementGetInfo(element)->valueBits
             ? cuteBuildUnary(b, "arith.extui", bits,
                              cuteElementRawType(b, element))
             : bits;
}

static MlirValue fromRaw(const CuteBuilder *b, MlirValue bits,
                         CuteElementType element) {
  if (cuteElementGetInfo(element)->valueBits)
    bits = cuteBuildUnary(b, "arith.trunci", bits, bitsType(b, element));
  return cuteBuildCast(b, "arith.bitcast", bits,
                       cuteElementMlirType(b, element));
}

static MlirValue convert(CuteLowering *lowering, MlirValue value,
                         CuteElementType from, CuteElementType to) {
  const CuteBuilder *b = &lowering->builder;
  MlirValue raw =
      cuteLoweringConvertElement(lowering, toRaw(b, value, from), from, to);
  return fromRaw(b, raw, to);
}

// Raw elements as a pair, and back.
static MlirValue join(const CuteBuilder *b, const MlirValue two[2],
                      CuteElementType element) {
  MlirType pair = cuteElementPairType(b, element);
  if (mlirTypeIsAVector(pair))
    return cuteBuildResult(b, "vector.from_elements", 2, two, pair);
  MlirValue high = cuteBuildWith(
      b, "arith.shli", cuteBuildUnary(b, "arith.extui", two[1], pair), 4);
  return cuteBuildBinary(b, "arith.ori",
                         cuteBuildUnary(b, "arith.extui", two[0], pair), high);
}

static void split(const CuteBuilder *b, MlirValue pair, CuteElementType element,
                  MlirValue two[2]) {
  bool isVector = mlirTypeIsAVector(mlirValueGetType(pair));
  MlirType raw = cuteElementRawType(b, element);
  MlirValue high = isVector ? pair : cuteBuildWith(b, "arith.shrui", pair, 4);
  two[0] = isVector ? cuteBuildVectorExtract(b, pair, 0)
                    : cuteBuildUnary(b, "arith.trunci", pair, raw);
  two[1] = isVector ? cuteBuildVectorExtract(b, pair, 1)
                    : cuteBuildUnary(b, "arith.trunci", high, raw);
}

static void convertTwo(CuteLowering *lowering, MlirValue two[2],
                       CuteElementType from, CuteElementType to) {
  const CuteBuilder *b = &lowering->builder;
  MlirValue raw[] = {toRaw(b, two[0], from), toRaw(b, two[1], from)};
  split(b, cuteLoweringConvertPair(lowering, join(b, raw, from), from, to), to,
        raw);
  for (int k = 0; k < 2; ++k)
    two[k] = fromRaw(b, raw[k], to);
}

static void convertVector(CuteLowering *lowering, MlirOperation op,
                          CuteElementType from, CuteElementType to) {
  const CuteBuilder *b = &lowering->builder;
  MlirValue vector = getOperand(op, 0);
  MlirType type = cuteMlirGetResultType(op, 0);
  size_t n = (size_t)mlirShapedTypeGetDimSize(type, 0), i = 0;
  CuteArena *scratch = &lowering->context->scratch;
  CUTE_SCOPED(ArenaScope) scope = cuteArenaScopeBegin(scratch);
  MlirValue *elements = cuteArenaAllocate(scratch, n * sizeof *elements);
  for (size_t k = 0; k < n; ++k)
    elements[k] = cuteBuildVectorExtract(b, vector, (int64_t)k);
  for (; i + 1 < n && cuteElementHasPairs(lowering, from, to); i += 2)
    convertTwo(lowering, elements + i, from, to);
  for (; i < n; ++i)
    elements[i] = convert(lowering, elements[i], from, to);
  cuteMlirReplace(
      op, 0, cuteBuildResult(b, "vector.from_elements", n, elements, type));
}

bool cuteExpandSmallFloats(CuteDialect *dialect, MlirOperation op) {
  CuteLowering lowering = {.dialect = dialect,
                           .context = dialect->context,
                           .builder = cuteBuilderBefore(op)};
  MlirValue value = getOperand(op, 0);
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
