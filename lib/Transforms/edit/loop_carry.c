#include "Transforms/edit/loop_carry.h"

enum { BOUNDS = 3 }; // operands of a loop before what it carries

static MlirType *typesOf(size_t n, const MlirValue *values) {
  MlirType *types = cuteTaskAllocate((n + 1) * sizeof *types);
  for (size_t i = 0; i < n; ++i)
    types[i] = mlirValueGetType(values[i]);
  return types;
}

MlirOperation cuteLoopCreate(const CuteBuilder *b, size_t n,
                             const MlirValue *operands,
                             MlirAttribute isUnsigned) {
  MlirType *types = typesOf(n, operands);
  MlirOperation loop =
      CUTE_BUILD(b, "scf.for", .numOperands = n, .operands = operands,
                 .numResults = n - BOUNDS, .results = types + BOUNDS,
                 CUTE_ATTRIBUTES({"unsignedCmp", isUnsigned}), .numRegions = 1,
                 .withoutBlocks = true);
  MlirBlock body = mlirBlockCreate(0, NULL, NULL);
  mlirBlockAddArgument(body, mlirValueGetType(*operands), b->location);
  for (size_t i = BOUNDS; i < n; ++i)
    mlirBlockAddArgument(body, mlirValueGetType(operands[i]), b->location);
  mlirRegionAppendOwnedBlock(mlirOperationGetRegion(loop, 0), body);
  return loop;
}

void cuteLoopKeepRolled(MlirOperation loop) {
  cuteMlirSetAttribute(
      loop, "cute.unroll",
      mlirStringAttrGet(mlirOperationGetContext(loop), cuteMlirString("none")));
}

MlirValue cuteLoopEmitAny(MlirOperation loop, const CuteBuilder *b) {
  bool isUnsigned = cuteMlirHasAttribute(loop, "unsignedCmp");
  return cuteBuildCompare(b, isUnsigned ? CUTE_CMPI_ULT : CUTE_CMPI_SLT,
                          getOperand(loop, 0), getOperand(loop, 1));
}

// An scf.for in front of the old one with its body and attributes, and these
// operands. The body's arguments and yield are the caller's to change.
static MlirOperation takeBody(MlirOperation loop, size_t n,
                              const MlirValue *operands) {
  CuteBuilder builder = cuteBuilderBefore(loop);
  MlirType *types = typesOf(n, operands);
  return cuteBuildAgain(&builder, loop, n, operands, n - BOUNDS,
                        types + BOUNDS);
}

static void setYield(MlirOperation loop, size_t n, const MlirValue *operands) {
  MlirOperation old = mlirBlockGetTerminator(cuteLoopGetBody(loop));
  CuteBuilder builder = cuteBuilderBefore(old);
  CUTE_BUILD(&builder, "scf.yield", .numOperands = n, .operands = operands);
  mlirOperationDestroy(old);
}

MlirOperation cuteLoopAddCarried(MlirOperation loop, MlirValue initial) {
  size_t n = (size_t)getNumOperands(loop);
  MlirValue *operands = cuteTaskAllocate((n + 1) * sizeof *operands);
  for (size_t i = 0; i < n; ++i)
    operands[i] = getOperand(loop, (intptr_t)i);
  operands[n] = initial;
  MlirOperation copy = takeBody(loop, n + 1, operands);
  MlirBlock body = cuteLoopGetBody(copy);
  MlirValue argument = mlirBlockAddArgument(body, mlirValueGetType(initial),
                                            mlirOperationGetLocation(loop));
  MlirOperation old = mlirBlockGetTerminator(body);
  for (size_t i = 0; i < n - BOUNDS; ++i) {
    operands[i] = getOperand(old, (intptr_t)i);
    cuteMlirReplace(loop, (intptr_t)i, getResult(copy, (intptr_t)i));
  }
  operands[n - BOUNDS] = argument;
  setYield(copy, n - BOUNDS + 1, operands);
  mlirOperationDestroy(loop);
  return copy;
}

MlirOperation cuteLoopDropCarried(MlirOperation loop, intptr_t dropped) {
  intptr_t n = getNumOperands(loop);
  MlirValue *operands = cuteTaskAllocate((size_t)n * sizeof *operands);
  size_t count = 0;
  for (intptr_t i = 0; i < n; ++i)
    if (i != dropped + BOUNDS)
      operands[count++] = getOperand(loop, i);
  MlirOperation copy = takeBody(loop, count, operands);
  MlirOperation old = mlirBlockGetTerminator(cuteLoopGetBody(copy));
  count = 0;
  for (intptr_t i = 0; i < n - BOUNDS; ++i) {
    if (i == dropped)
      continue;
    cuteMlirReplace(loop, i, getResult(copy, (intptr_t)count));
    operands[count++] = getOperand(old, i);
  }
  setYield(copy, count, operands);
  mlirBlockEraseArgument(cuteLoopGetBody(copy), (unsigned)dropped + 1);
  mlirOperationDestroy(loop);
  return copy;
}

void cuteLoopSetYield(MlirOperation loop, intptr_t i, MlirValue value) {
  mlirOperationSetOperand(mlirBlockGetTerminator(cuteLoopGetBody(loop)), i,
                          value);
}
