// cute-expand-reduce: gpu.subgroup_reduce becomes exchanges between lanes,
// which every architecture has for every type. (MLIR knows sums of i32 only.)
// gpu.all_reduce is left to MLIR, which does not say what it lacks.
#include "Conversion/conversion.h"
#include "IR/folds.h"

enum { WARP_SIZE = 32 };

// An integer attribute, or the default.
static int64_t integerOf(MlirOperation op, const char *name,
                         int64_t otherwise) {
  return cuteMlirHasAttribute(op, name) ? cuteMlirGetInteger(op, name)
                                        : otherwise;
}

// The operation of arith for the attribute #gpu<all_reduce_op KIND>; null where
// the type has no such operation.
static const char *operationOf(MlirOperation op, MlirType type) {
  bool isFloat = mlirTypeIsAFloat(type);
  if (!isFloat && !mlirTypeIsAInteger(type))
    return NULL;
  for (const CuteFold *fold = cuteFolds; fold->op; ++fold) {
    char wanted[40];
    snprintf(wanted, sizeof wanted, "<all_reduce_op %s>", fold->gpu);
    if (cuteFoldIsOfFloats(fold) == isFloat &&
        cuteMlirAttributeHas(op, "op", wanted))
      return fold->op;
  }
  return NULL;
}

// A value of 32 bits of the lane whose number differs in these bits.
static MlirValue exchangeWord(const CuteBuilder *b, MlirValue value,
                              int64_t lanes) {
  MlirValue operands[] = {value, cuteBuildInt(b, 32, lanes),
                          cuteBuildInt(b, 32, WARP_SIZE)};
  MlirType types[] = {mlirValueGetType(value), cuteIntType(b, 1)};
  return getResult(
      CUTE_BUILD(b, "gpu.shuffle", .numOperands = 3, .operands = operands,
                 .numResults = 2, .results = types,
                 CUTE_ATTRIBUTES(
                     {"mode", cuteParsedAttr(b, "#gpu<shuffle_mode xor>")})),
      0);
}

// Values that exchange() takes apart.
static bool hasWords(MlirType type) {
  return cuteMlirGetBits(type) <= 32 || cuteMlirGetBits(type) == 64;
}

// A value of that lane: of 32 bits, a part of that, or two of them.
static MlirValue exchange(const CuteBuilder *b, MlirValue value,
                          int64_t lanes) {
  MlirType type = mlirValueGetType(value), word = cuteIntType(b, 32);
  unsigned bits = cuteMlirGetBits(type);
  MlirType whole = cuteIntType(b, bits);
  if (bits == 32)
    return exchangeWord(b, value, lanes);
  MlirValue integer = cuteBuildCast(b, "arith.bitcast", value, whole), result;
  if (bits < 32) {
    result = extui(b, integer, word);
    result = trunci(b, exchangeWord(b, result, lanes), whole);
  } else {
    MlirValue shift = cuteBuildInt(b, 64, 32);
    MlirValue high = shrui(b, integer, shift);
    MlirValue parts[] = {integer, high};
    for (int i = 0; i < 2; ++i) {
      MlirValue part = trunci(b, parts[i], word);
      parts[i] = extui(b, exchangeWord(b, part, lanes), whole);
    }
    high = shli(b, parts[1], shift);
    result = ori(b, high, parts[0]);
  }
  return cuteBuildCast(b, "arith.bitcast", result, type);
}

static bool expandReduce(CUTE_UNUSED CuteDialect *dialect, MlirOperation op) {
  MlirValue value = getOperand(op, 0);
  const char *name = operationOf(op, mlirValueGetType(value));
  int64_t stride = integerOf(op, "cluster_stride", 1);
  int64_t size = integerOf(op, "cluster_size", WARP_SIZE);
  if (!name || size * stride > WARP_SIZE || !hasWords(mlirValueGetType(value)))
    return cuteEmitOpError(
        op, "is lowered for integers and floats of up to 32 or of 64 bits (not "
            "vectors), with an operation of theirs, within the 32 lanes of a "
            "warp");
  CuteBuilder b = cuteBuilderBefore(op);
  for (int64_t lanes = stride; lanes < size * stride; lanes *= 2)
    value = cuteBuildBinary(&b, name, value, exchange(&b, value, lanes));
  cuteMlirReplace(op, 0, value);
  mlirOperationDestroy(op);
  return true;
}

// MLIR lowers reductions over a block with barriers for all of its threads.
static bool checkAllReduce(CUTE_UNUSED CuteDialect *dialect, MlirOperation op) {
  MlirType type = cuteMlirGetOperandType(op, 0);
  if (mlirTypeIsAFloat(type) && mlirFloatTypeGetWidth(type) < 32)
    return cuteEmitOpError(op, "takes numbers of 32 or 64 bits; widen these "
                               "(arith.extf)");
  return cuteMlirHasAttribute(op, "uniform") ||
         cuteEmitOpError(op, "is lowered only where all threads of the block "
                             "reach it, as `uniform` promises: gpu.all_reduce "
                             "add %%x uniform {} : (f32) -> (f32)");
}

// MLIR lowers shuffles of 32 bits, and of 64 by two.
static bool checkShuffle(CUTE_UNUSED CuteDialect *dialect, MlirOperation op) {
  MlirType type = cuteMlirGetOperandType(op, 0);
  bool isNarrow = mlirTypeIsAFloat(type) && mlirFloatTypeGetWidth(type) < 32;
  return !isNarrow ||
         cuteEmitOpError(op, "exchanges 32 or 64 bits; cute.shuffle_sync takes "
                             "narrower numbers, too");
}

// MLIR lowers neither for NVIDIA's devices.
static bool refuseWarp(CUTE_UNUSED CuteDialect *dialect, MlirOperation op) {
  return cuteEmitOpError(op, "is not compiled; cute.warp_idx is the number of "
                             "the warp, of 32 threads, in its block");
}

static bool expandModule(CuteDialect *dialect, MlirOperation module) {
  return cuteFunctionForEach(dialect, module, "gpu.subgroup_id", refuseWarp) &&
         cuteFunctionForEach(dialect, module, "gpu.num_subgroups",
                             refuseWarp) &&
         cuteFunctionForEach(dialect, module, "gpu.shuffle", checkShuffle) &&
         cuteFunctionForEach(dialect, module, "gpu.all_reduce",
                             checkAllReduce) &&
         cuteFunctionForEach(dialect, module, "gpu.subgroup_reduce",
                             expandReduce);
}

bool cuteRunExpandReduce(const CutePass *pass) {
  return cuteFunctionForEach(pass->dialect, pass->root, "gpu.module",
                             expandModule);
}
