#include "Conversion/conversion.h"

#include "Hardware/element.h"

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
             ? extui(b, bits, cuteElementRawType(b, element))
             : bits;
}

static MlirValue fromRaw(const CuteBuilder *b, MlirValue bits,
                         CuteElementType element) {
  if (cuteElementGetInfo(element)->valueBits)
    bits = trunci(b, bits, bitsType(b, element));
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

// Raw elements as a pair.
static MlirValue join(const CuteBuilder *b, const MlirValue two[2],
                      CuteElementType element) {
  MlirType pair = cuteElementPairType(b, element);
  if (mlirTypeIsAVector(pair))
    return cuteBuildResult(b, "vector.from_elements", 2, two, pair);
  MlirValue high = shliWith(b, extui(b, two[1], pair), 4);
  return ori(b, extui(b, two[0], pair), high);
}

static MlirValue convertTwo(CuteLowering *lowering, const MlirValue two[2],
                            CuteElementType from, CuteElementType to) {
  const CuteBuilder *b = &lowering->builder;
  MlirValue raw[] = {toRaw(b, two[0], from), toRaw(b, two[1], from)};
  return cuteLoweringConvertPair(lowering, join(b, raw, from), from, to);
}

// Pairs of small elements stay words, which LLVM stores as they are.
static void convertVector(CuteLowering *lowering, MlirOperation op,
                          CuteElementType from, CuteElementType to) {
  const CuteBuilder *b = &lowering->builder;
  MlirType type = cuteMlirGetResultType(op, 0);
  int64_t n = mlirShapedTypeGetDimSize(type, 0), half = n / 2, two = 2;
  unsigned bits = 2 * cuteElementTypeGetBits(to);
  bool inPairs = cuteElementHasPairs(lowering, from, to),
       inWords = inPairs && n % 2 == 0 && bits <= 16 &&
                 !cuteElementGetInfo(to)->valueBits;
  MlirType word = inWords
                      ? cuteIntType(b, bits)
                      : mlirVectorTypeGet(1, &two, cuteElementRawType(b, to));
  CuteArena *scratch = &lowering->context->scratch;
  CUTE_SCOPED(ArenaScope) scope = cuteArenaScopeBegin(scratch);
  MlirValue *x = cuteArenaAllocate(scratch, (size_t)n * sizeof *x);
  for (int64_t k = 0; k < n; ++k)
    x[k] = cuteBuildVectorExtract(b, getOperand(op, 0), k);
  for (int64_t k = 0; k < n; k += inPairs ? 2 : 1) {
    bool isAlone = !inPairs || k + 1 == n;
    MlirValue made =
        isAlone ? convert(lowering, x[k], from, to)
                : bitcast(b, convertTwo(lowering, x + k, from, to), word);
    if (isAlone || inWords)
      x[inWords ? k / 2 : k] = made;
    else
      for (int j = 0; j < 2; ++j)
        x[k + j] = fromRaw(b, cuteBuildVectorExtract(b, made, j), to);
  }
  MlirValue all =
      cuteBuildResult(b, "vector.from_elements", (size_t)(inWords ? half : n),
                      x, inWords ? mlirVectorTypeGet(1, &half, word) : type);
  cuteMlirReplace(op, 0, cuteBuildCast(b, "vector.bitcast", all, type));
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
