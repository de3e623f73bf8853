// Integers that ops of arith compute, and indices of threads and blocks.
#include "Prove/walk.h"

//===-- Arithmetic --------------------------------------------------------===//

typedef CuteTerm Binary(CuteTerm a, CuteTerm b);

static CuteTerm shift(CuteTerm a, CuteTerm b,
                      CuteTerm (*function)(CuteTerm a, int64_t factor)) {
  int64_t bits;
  return cuteTermIsConstant(b, &bits) && bits >= 0 && bits < 62
             ? function(a, INT64_C(1) << bits)
             : cuteTermGetUnknown(a->terms, "a shift by what is not constant");
}

static CuteTerm shiftLeft(CuteTerm a, CuteTerm b) {
  return shift(a, b, cuteTermScale);
}

static CuteTerm shiftRight(CuteTerm a, CuteTerm b) {
  return shift(a, b, cuteTermFloor);
}

static CuteTerm least(CuteTerm a, CuteTerm b) {
  return cuteTermChoose(cuteConditionIsAtMost(a, b), a, b);
}

static CuteTerm most(CuteTerm a, CuteTerm b) {
  return cuteTermChoose(cuteConditionIsAtMost(a, b), b, a);
}

static CuteTerm same(CuteTerm a, CuteTerm b) {
  (void)b;
  return a;
}

static const struct {
  const char *name;
  Binary *function;
  bool isUnsigned, divides;
} rows[] = {
#define INTEGER_OP(name, ofNumbers, ofTerms, llvm, ...)                        \
  {name, ofTerms, __VA_ARGS__},
#include "integer_ops.def"
#undef INTEGER_OP
};

static bool isInteger(MlirValue value) {
  MlirType type = mlirValueGetType(value);
  return mlirTypeIsAInteger(type) || mlirTypeIsAIndex(type);
}

bool cuteWalkIsAtLeast(CuteProver *prover, CuteTerm a, int64_t least) {
  if (cuteTermGetRange(a).low >= least || !cuteConditionTermIsFreeOf(a, 0))
    return cuteTermGetRange(a).low >= least;
  CuteCondition all = cuteConditionAnd(
      cuteConditionAnd(prover->path, prover->types),
      cuteConditionAnd(prover->launch, cuteConditionNot(cuteConditionAtLeast(
                                           cuteTermAddConstant(a, -least)))));
  int i = 0;
  while (i < prover->numSigns && all != prover->signs[i])
    ++i;
  if (i < prover->numSigns || i == CUTE_MAX_SIGNS)
    return i < prover->numSigns && prover->areKept[i];
  prover->signs[i] = all;
  ++prover->numSigns;
  return prover->areKept[i] = cuteSolverRefutes(prover->solver, all);
}

// Why the op is not followed for a and b; null: it is.
static const char *findReason(CuteProver *prover, MlirOperation op,
                              bool isUnsigned, bool divides, CuteTerm a,
                              CuteTerm b) {
  if (isUnsigned &&
      (!cuteWalkIsAtLeast(prover, a, 0) || !cuteWalkIsAtLeast(prover, b, 0)))
    return "a sign that becomes a bit";
  bool isFloor = CUTE_IS_ANY(op, "arith.floordivsi", "arith.ceildivsi");
  return divides && (!cuteWalkIsAtLeast(prover, b, 1) ||
                     !(isFloor || cuteWalkIsAtLeast(prover, a, 0)))
             ? "a division of what may be negative"
             : NULL;
}

// The number that a type of few bits keeps. Others are taken to be large enough
// for numbers without a known end.
static CuteTerm wrap(CuteTerm a, MlirType type) {
  CuteInterval range = cuteTermGetRange(a);
  unsigned bits = mlirTypeIsAIndex(type) ? 64 : cuteMlirGetBits(type);
  bool isOpen = range.low <= -CUTE_UNBOUNDED || range.high >= CUTE_UNBOUNDED;
  int64_t half = bits < 64 ? INT64_C(1) << (bits - 1) : 0;
  return bits == 1 || bits > 32 || (bits == 32 && isOpen) ||
                 (range.low >= -half && range.high < half)
             ? a
             : cuteTermAddConstant(
                   cuteTermModulo(cuteTermAddConstant(a, half), 2 * half),
                   -half);
}

static bool walkRow(CuteProver *prover, MlirOperation op) {
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    if (!cuteMlirIs(op, rows[i].name))
      continue;
    MlirValue value = mlirOperationGetResult(op, 0);
    if (!isInteger(value))
      return false;
    CuteTerm a = cuteWalkGetOperand(prover, op, 0);
    CuteTerm b = mlirOperationGetNumOperands(op) == 2
                     ? cuteWalkGetOperand(prover, op, 1)
                     : a;
    const char *reason =
        findReason(prover, op, rows[i].isUnsigned, rows[i].divides, a, b);
    CuteTerm result = reason ? cuteTermGetUnknown(prover->terms, reason)
                             : rows[i].function(a, b);
    if (cuteWalkIsCondition(mlirValueGetType(mlirOperationGetOperand(op, 0))) &&
        cuteMlirIs(op, "arith.extsi"))
      result = cuteTermScale(result, -1);
    if (cuteWalkIsCondition(mlirValueGetType(value))) // trunci
      cuteWalkSetCondition(prover, value,
                           cuteConditionIsNumber(cuteTermModulo(result, 2), 1));
    else
      cuteWalkSetTerm(prover, value, wrap(result, mlirValueGetType(value)));
    return true;
  }
  return false;
}

//===-- Conditions --------------------------------------------------------===//

// The condition that the low bits of a value are 0: for x | y, those bits of
// both.
static CuteCondition areBitsZero(CuteProver *prover, MlirValue value,
                                 int64_t bits) {
  MlirOperation op = cuteMlirGetOwner(value);
  if (cuteMlirIs(op, "arith.ori"))
    return cuteConditionAnd(
        areBitsZero(prover, mlirOperationGetOperand(op, 0), bits),
        areBitsZero(prover, mlirOperationGetOperand(op, 1), bits));
  if (!mlirOperationIsNull(op) &&
      (CUTE_IS_ANY(op, "arith.extui", "arith.extsi", "arith.trunci")))
    return areBitsZero(prover, mlirOperationGetOperand(op, 0), bits);
  return cuteConditionEqual(
      cuteTermModulo(cuteWalkGetTerm(prover, value), bits));
}

// (x & (2^k - 1)) == 0, also where x is a bitwise or; null for others.
static CuteCondition alignmentTest(CuteProver *prover, MlirOperation op) {
  MlirOperation mask = cuteMlirGetOwner(mlirOperationGetOperand(op, 0));
  int64_t ones;
  if (cuteWalkGetOperand(prover, op, 1)->count ||
      !cuteMlirIs(mask, "arith.andi") ||
      !cuteTermIsConstant(cuteWalkGetOperand(prover, mask, 1), &ones) ||
      ones <= 0 || (ones & (ones + 1)))
    return NULL;
  return areBitsZero(prover, mlirOperationGetOperand(mask, 0), ones + 1);
}

enum { EQ, NE, SLT, SLE, SGT, SGE, ULT };

// a < b, or a <= b, of what is compared without a sign.
static CuteCondition isBelow(CuteProver *prover, CuteTerm a, CuteTerm b,
                             bool orEqual, bool isUnsigned) {
  CuteTerms *terms = prover->terms;
  CuteCondition less = cuteConditionAtLeast(
      cuteTermAddConstant(cuteTermSubtract(b, a), orEqual - 1));
  if (!isUnsigned ||
      (cuteTermGetRange(a).low >= 0 && cuteTermGetRange(b).low >= 0))
    return less;
  if (cuteTermGetRange(b).low >= 0)
    return cuteConditionAnd(less, cuteConditionAtLeast(a));
  return cuteConditionUnknown(terms, "a sign that is compared as a bit");
}

static CuteCondition compare(CuteProver *prover, int64_t predicate, CuteTerm a,
                             CuteTerm b) {
  CuteCondition same = cuteConditionIsSame(a, b);
  if (predicate < SLT)
    return predicate == EQ ? same : cuteConditionNot(same);
  int64_t which = (predicate - SLT) % (ULT - SLT) + SLT;
  bool orEqual = which == SLE || which == SGE;
  return which < SGT ? isBelow(prover, a, b, orEqual, predicate >= ULT)
                     : isBelow(prover, b, a, orEqual, predicate >= ULT);
}

static void walkComparison(CuteProver *prover, MlirOperation op) {
  int64_t predicate = cuteMlirGetInteger(op, "predicate");
  CuteCondition condition = predicate <= NE ? alignmentTest(prover, op) : NULL;
  if (condition && predicate == NE)
    condition = cuteConditionNot(condition);
  if (!condition)
    condition = compare(prover, predicate, cuteWalkGetOperand(prover, op, 0),
                        cuteWalkGetOperand(prover, op, 1));
  cuteWalkSetCondition(prover, mlirOperationGetResult(op, 0), condition);
}

// arith.andi, ori and xori of conditions.
static bool walkLogic(CuteProver *prover, MlirOperation op) {
  if (!CUTE_IS_ANY(op, "arith.andi", "arith.ori", "arith.xori"))
    return false;
  CuteCondition a =
      cuteWalkGetCondition(prover, mlirOperationGetOperand(op, 0));
  CuteCondition b =
      cuteWalkGetCondition(prover, mlirOperationGetOperand(op, 1));
  CuteCondition result = cuteConditionAnd(a, b);
  if (cuteMlirIs(op, "arith.ori"))
    result = cuteConditionOr(a, b);
  else if (cuteMlirIs(op, "arith.xori"))
    result = cuteConditionAnd(cuteConditionOr(a, b), cuteConditionNot(result));
  cuteWalkSetCondition(prover, mlirOperationGetResult(op, 0), result);
  return true;
}

static void walkSelect(CuteProver *prover, MlirOperation op) {
  MlirValue result = mlirOperationGetResult(op, 0);
  CuteValue chosen = cuteWalkChoose(
      cuteWalkGetCondition(prover, mlirOperationGetOperand(op, 0)),
      cuteWalkGet(prover, mlirOperationGetOperand(op, 1)),
      cuteWalkGet(prover, mlirOperationGetOperand(op, 2)));
  cuteWalkSet(prover, result, chosen);
}

static void walkConstant(CuteProver *prover, MlirOperation op) {
  MlirValue result = mlirOperationGetResult(op, 0);
  int64_t value = cuteMlirGetInteger(op, "value");
  if (cuteWalkIsCondition(mlirValueGetType(result)))
    cuteWalkSetCondition(prover, result, cuteConditionGetConstant(value != 0));
  else
    cuteWalkSetTerm(prover, result, cuteTermGetConstant(prover->terms, value));
}

//===-- Registers of the device -------------------------------------------===//

// The number of the block in its cluster along dimensions from `last` down.
static CuteTerm rankOf(CuteProver *prover, int last, int first) {
  CuteTerm rank = cuteTermGetConstant(prover->terms, 0);
  for (int d = last; d >= first; --d)
    rank = cuteTermAdd(cuteTermScale(rank, prover->cluster[d]),
                       cuteTermModulo(cuteTermGetSymbol(prover->block[d]),
                                      prover->cluster[d]));
  return rank;
}

// A register of the device; null for other ops.
static CuteTerm registerOf(CuteProver *prover, MlirOperation op) {
  int d = cuteMlirHasAttribute(op, "dimension") ? cuteMlirGetDimension(op) : 0;
  return cuteMlirIs(op, "gpu.lane_id") ? cuteWalkGetLane(prover)
         : cuteMlirIs(op, "gpu.thread_id")
             ? cuteTermGetSymbol(prover->thread[d])
         : cuteMlirIs(op, "gpu.block_id") ? cuteTermGetSymbol(prover->block[d])
         : cuteMlirIs(op, "gpu.block_dim")
             ? cuteTermGetConstant(prover->terms, prover->blockSize[d])
         : cuteMlirIs(op, "gpu.grid_dim") ? cuteGridCount(prover, d)
         : cuteMlirIs(op, "gpu.cluster_dim")
             ? cuteTermFloor(cuteGridCount(prover, d), prover->cluster[d])
         : cuteMlirIs(op, "gpu.cluster_id")
             ? cuteTermFloor(cuteTermGetSymbol(prover->block[d]),
                             prover->cluster[d])
         : cuteMlirIs(op, "gpu.cluster_block_id") ? rankOf(prover, d, d)
         : cuteMlirIs(op, "nvvm.read.ptx.sreg.cluster.ctarank")
             ? rankOf(prover, 2, 0)
         : cuteMlirStartsWith(cuteMlirGetName(op), "nvvm.read.ptx.sreg.")
             ? cuteTermGetSymbol(cuteSymbolCreate(
                   prover->terms, CUTE_SYMBOL_OPAQUE, CUTE_REASON_LAUNCH,
                   (CuteInterval){0, CUTE_UNBOUNDED}))
             : NULL;
}

// The thread that is elected of a warp is taken for the first one.
static bool walkRegister(CuteProver *prover, MlirOperation op) {
  bool isElected = cuteMlirIs(op, "nvvm.elect.sync");
  CuteTerm term = isElected ? NULL : registerOf(prover, op);
  if (isElected)
    cuteWalkSetCondition(prover, mlirOperationGetResult(op, 0),
                         cuteConditionEqual(cuteWalkGetLane(prover)));
  if (term)
    cuteWalkSetResult(prover, op, term);
  return isElected || term;
}

//===-- Exchanges in a warp -----------------------------------------------===//

// Replaces a thread by a lane of its warp; by an unknown one where 32 threads
// side by side along x are no warp.
static CuteRenaming toLane(CuteProver *prover, int64_t lane) {
  CuteRenaming to = cuteRenamingCreate(prover->terms);
  bool isAlongX = prover->blockSize[0] % 32 == 0 ||
                  prover->blockSize[1] * prover->blockSize[2] == 1;
  for (int i = 0; i < 3 && !isAlongX; ++i)
    to.by[prover->thread[i]->id] =
        cuteTermGetUnknown(prover->terms, "another thread of the warp");
  if (isAlongX)
    to.by[prover->thread[0]->id] = cuteTermAddConstant(
        cuteTermScale(cuteTermFloor(cuteTermGetSymbol(prover->thread[0]), 32),
                      32),
        lane);
  return to;
}

// Gives each thread of a warp the value of one of its lanes. That may be any
// lane if the value is the same in all. The value of an unknown integer is
// another one in another lane.
static bool walkShuffle(CuteProver *prover, MlirOperation op) {
  intptr_t first = cuteMlirIs(op, "nvvm.shfl.sync");
  bool isIndexed = cuteMlirAttributeHas(op, first ? "kind" : "mode", "idx");
  int64_t lane, width;
  if (!isInteger(mlirOperationGetResult(op, 0)))
    return false;
  CuteTerm value = cuteWalkGetOperand(prover, op, first);
  bool isOfOne =
      isIndexed &&
      cuteTermIsConstant(cuteWalkGetOperand(prover, op, first + 1), &lane) &&
      cuteTermIsConstant(cuteWalkGetOperand(prover, op, first + 2), &width) &&
      width == 32 - first && lane >= 0 && lane < 32;
  CuteTerm other = cuteTermRename(value, toLane(prover, isOfOne ? lane : 0));
  cuteWalkSetUnknown(prover, op, "an integer of another lane");
  if (cuteConditionTermIsFreeOf(other, 0) && (isOfOne || value == other))
    cuteWalkSetResult(prover, op, other);
  return true;
}

// Gives what all threads of a warp vote, if that is the same.
static bool walkVote(CuteProver *prover, MlirOperation op) {
  CuteCondition vote =
      cuteWalkGetCondition(prover, mlirOperationGetOperand(op, 1));
  bool isSame =
      cuteWalkIsCondition(mlirValueGetType(mlirOperationGetResult(op, 0))) &&
      cuteConditionIsFreeOf(vote, 0) &&
      vote == cuteConditionRename(vote, toLane(prover, 0));
  cuteWalkSetUnknown(prover, op, "a vote of threads that differ");
  if (isSame && !cuteMlirAttributeHas(op, "kind", "uni"))
    cuteWalkSetCondition(prover, mlirOperationGetResult(op, 0), vote);
  return true;
}

bool cuteWalkInteger(CuteProver *prover, MlirOperation op) {
  if (CUTE_IS_ANY(op, "gpu.shuffle", "nvvm.shfl.sync"))
    return walkShuffle(prover, op);
  if (cuteMlirIs(op, "nvvm.vote.sync"))
    return walkVote(prover, op);
  if (mlirOperationGetNumResults(op) != 1)
    return false;
  MlirValue result = mlirOperationGetResult(op, 0);
  if (cuteMlirIs(op, "arith.select")) {
    walkSelect(prover, op);
    return true;
  }
  if (!isInteger(result))
    return false;
  if (cuteMlirIs(op, "arith.constant") || cuteMlirIs(op, "llvm.mlir.constant"))
    walkConstant(prover, op);
  else if (cuteMlirIs(op, "arith.cmpi"))
    walkComparison(prover, op);
  else if (!walkRegister(prover, op) &&
           !(cuteWalkIsCondition(mlirValueGetType(result)) &&
             walkLogic(prover, op)) &&
           !walkRow(prover, op))
    return false;
  return true;
}
