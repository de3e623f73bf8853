// Notes for each byte of registers, and each lane of a value, the condition
// under which it was written, or computed of registers that were.
//
// A loop is followed as if what it stores were there from the second round on;
// each round has to store it, then.
#include "Ops/tied_registers.h"
#include "Prove/walk.h"

#include "Support/growing_array.h"

#include <mlir-c/Dialect/LLVM.h>

#define OTHER_ROUNDS "registers that are not written in all rounds of a loop"

// Conditions of a value's lanes; a value that has none is there.
typedef struct Lanes {
  size_t count;
  CuteCondition list[];
} Lanes;

//===-- Lanes -------------------------------------------------------------===//

enum { MAX_SIZE = 100 };

// Both conditions, or one that has the other follow; one of too many is
// unknown.
static CuteCondition both(CuteCondition a, CuteCondition b) {
  if (cuteConditionImplies(a, b))
    return a;
  if (cuteConditionImplies(b, a))
    return b;
  if (a->size + b->size > MAX_SIZE)
    return cuteConditionUnknown(a->terms, "registers of many conditions");
  return cuteConditionAnd(a, b);
}

// Vectors and structures of parts have lanes; other types have one.
static size_t countLanes(MlirType type) {
  if (mlirTypeIsAVector(type) && mlirShapedTypeGetRank(type) == 1)
    return (size_t)mlirShapedTypeGetDimSize(type, 0);
  return mlirTypeIsALLVMStructType(type)
             ? (size_t)mlirLLVMStructTypeGetNumElementTypes(type)
             : 1;
}

// The condition that a value's lane is there if it has that many, or all are.
static CuteCondition laneOf(const CuteProver *prover, MlirValue value, size_t i,
                            size_t count) {
  const Lanes *lanes = cutePointerMapGet(&prover->lanes, value.ptr);
  CuteCondition all = cuteConditionGetConstant(true);
  if (lanes && lanes->count == count)
    return lanes->list[i];
  for (size_t j = 0; lanes && j < lanes->count; ++j)
    all = both(all, lanes->list[j]);
  return all;
}

static CuteCondition allOf(const CuteProver *prover, MlirValue value) {
  return laneOf(prover, value, 0, SIZE_MAX);
}

static CuteCondition areAll(const CuteProver *prover, MlirOperation op,
                            intptr_t first, size_t i, size_t count) {
  CuteCondition all = cuteConditionGetConstant(true);
  for (intptr_t j = first; j < mlirOperationGetNumOperands(op); ++j)
    all = both(all, laneOf(prover, mlirOperationGetOperand(op, j), i, count));
  return all;
}

typedef CuteCondition LaneOfResult(CuteProver *prover, const void *data,
                                   size_t i, size_t count);

static void setLanes(CuteProver *prover, MlirValue value, LaneOfResult *lane,
                     const void *data) {
  size_t count = countLanes(mlirValueGetType(value));
  Lanes *lanes = cuteArenaAllocate(
      &prover->terms->arena, sizeof *lanes + (count + 1) * sizeof *lanes->list);
  bool isThere = true;
  lanes->count = count;
  for (size_t i = 0; i < count; ++i) {
    lanes->list[i] = lane(prover, data, i, count);
    isThere &= lanes->list[i]->kind == CUTE_CONDITION_ALWAYS;
  }
  cutePointerMapSet(&prover->lanes, value.ptr, isThere ? NULL : lanes);
}

static void need(CuteProver *prover, MlirOperation op, CuteCondition there) {
  static CutePlace none = {.kind = CUTE_PLACE_NONE};
  there = cuteConditionGiven(prover->path, there);
  if (!prover->rehearsals && there->kind != CUTE_CONDITION_ALWAYS)
    cuteWalkList(prover, (CuteReach){.op = op, .place = &none, .there = there});
}

void cuteWalkNeedValue(CuteProver *prover, MlirOperation op, MlirValue value) {
  need(prover, op, allOf(prover, value));
}

//===-- Ops ---------------------------------------------------------------===//

// Gives a condition for what may be of other threads: it is there if it is in
// all.
static CuteCondition inAllThreads(CuteProver *prover, CuteCondition c) {
  return c->kind == CUTE_CONDITION_NEVER ||
                 cuteConditionIsFreeOf(c, 1u << CUTE_SYMBOL_THREAD)
             ? c
             : cuteConditionUnknown(prover->terms,
                                    "registers of other threads");
}

// Sums of inline assembly: the first product of some does not add to them.
static CuteCondition laneOfSums(CuteProver *prover, MlirOperation op, size_t i,
                                size_t count) {
  intptr_t last = mlirOperationGetNumOperands(op) - 1;
  CuteCondition sum =
      laneOf(prover, mlirOperationGetOperand(op, (intptr_t)i), 0, 1);
  if (cuteMlirHasAttribute(op, CUTE_TIED_ADDS))
    sum = cuteConditionEither(sum, cuteConditionNot(cuteConditionIsPositive(
                                       cuteWalkGetOperand(prover, op, last))));
  return both(sum,
              inAllThreads(prover, areAll(prover, op, (intptr_t)count, 0, 1)));
}

static CuteCondition laneOfExtracted(CuteProver *prover, MlirOperation op,
                                     const char *position) {
  MlirValue from = mlirOperationGetOperand(op, 0);
  MlirAttribute at = cuteMlirGetAttribute(op, position);
  size_t count = countLanes(mlirValueGetType(from));
  int64_t i = mlirDenseArrayGetNumElements(at) == 1
                  ? mlirDenseI64ArrayGetElement(at, 0)
                  : -1;
  return i >= 0 && i < (int64_t)count ? laneOf(prover, from, (size_t)i, count)
                                      : allOf(prover, from);
}

static CuteCondition laneOfShuffled(CuteProver *prover, MlirOperation op,
                                    size_t i) {
  MlirValue from = mlirOperationGetOperand(op, 0);
  size_t count = countLanes(mlirValueGetType(from));
  size_t at = (size_t)mlirDenseI64ArrayGetElement(
      cuteMlirGetAttribute(op, "mask"), (intptr_t)i);
  return at < count ? laneOf(prover, from, at, count)
                    : areAll(prover, op, 0, 0, SIZE_MAX);
}

static CuteCondition laneOfChosen(CuteProver *prover, MlirOperation op,
                                  size_t i, size_t count) {
  MlirValue which = mlirOperationGetOperand(op, 0);
  CuteCondition c = cuteWalkGetCondition(prover, which);
  CuteCondition a = laneOf(prover, mlirOperationGetOperand(op, 1), i, count);
  CuteCondition b = laneOf(prover, mlirOperationGetOperand(op, 2), i, count);
  return both(laneOf(prover, which, i, count),
              cuteConditionOr(both(c, a), both(cuteConditionNot(c), b)));
}

static CuteCondition laneOfResult(CuteProver *prover, const void *data,
                                  size_t i, size_t count) {
  MlirOperation op = *(const MlirOperation *)data;
  if (cuteMlirHasAttribute(op, CUTE_TIED))
    return laneOfSums(prover, op, i, count);
  if (cuteMlirIs(op, "vector.from_elements"))
    return laneOf(prover, mlirOperationGetOperand(op, (intptr_t)i), 0, 1);
  if (cuteMlirIs(op, "vector.extract"))
    return laneOfExtracted(prover, op, "static_position");
  if (cuteMlirIs(op, "llvm.extractvalue"))
    return laneOfExtracted(prover, op, "position");
  if (cuteMlirIs(op, "vector.shuffle"))
    return laneOfShuffled(prover, op, i);
  if (cuteMlirIs(op, "arith.select"))
    return laneOfChosen(prover, op, i, count);
  if (CUTE_IS_ANY(op, "nvvm.mma.sync", "nvvm.shfl.sync", "gpu.shuffle",
                  "nvvm.ldmatrix", "llvm.inline_asm"))
    return inAllThreads(prover, areAll(prover, op, 0, 0, SIZE_MAX));
  MlirStringRef name = cuteMlirGetName(op);
  bool isByLane =
      cuteMlirStartsWith(name, "arith.") || cuteMlirStartsWith(name, "math.");
  return areAll(prover, op, 0, i, isByLane ? count : SIZE_MAX);
}

void cuteWalkFlow(CuteProver *prover, MlirOperation op) {
  bool any = false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    any |= cutePointerMapGet(&prover->lanes,
                             mlirOperationGetOperand(op, i).ptr) != NULL;
  if (!any || CUTE_IS_ANY(op, "llvm.load", "llvm.store", "scf.yield"))
    return;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    setLanes(prover, mlirOperationGetResult(op, i), laneOfResult, &op);
  if (!mlirOperationGetNumResults(op) || cuteMlirIs(op, "llvm.atomicrmw"))
    need(prover, op, areAll(prover, op, 0, 0, SIZE_MAX));
}

//===-- Registers ---------------------------------------------------------===//

// The bytes that an access may touch: false where there are none.
static bool bytesOf(const CuteReach *reach, int64_t *low, int64_t *high) {
  CuteInterval range = cuteTermGetRange(reach->offset);
  *low = range.low > 0 ? range.low : 0;
  *high = range.high < reach->place->bytes - reach->bytes
              ? range.high + reach->bytes
              : reach->place->bytes;
  return *low < *high;
}

// The bytes of one of `count` lanes; of all lanes, if a lane has less than a
// byte.
static int64_t bytesOfLane(const CuteReach *reach, size_t count) {
  return reach->bytes % (int64_t)count ? reach->bytes
                                       : reach->bytes / (int64_t)count;
}

static CuteCondition laneOfLoaded(CuteProver *prover, const void *data,
                                  size_t i, size_t count) {
  const CuteReach *reach = data;
  CuteCondition all = cuteConditionGetConstant(true);
  int64_t low, high, offset, size = bytesOfLane(reach, count);
  if (!bytesOf(reach, &low, &high))
    return all;
  if (cuteTermIsConstant(reach->offset, &offset) && size < reach->bytes) {
    low = offset + (int64_t)i * size;
    high = low + size < high ? low + size : high;
  }
  for (int64_t b = low; b < high; ++b)
    all = both(all, reach->place->there[b]);
  return cuteConditionGiven(prover->path,
                            cuteConditionEither(all, prover->assumed));
}

void cuteWalkLoadLanes(CuteProver *prover, const CuteReach *reach,
                       MlirValue result) {
  setLanes(prover, result, laneOfLoaded, reach);
}

// Gives the condition after a store where the path holds.
static CuteCondition after(const CuteProver *prover, CuteCondition before,
                           CuteCondition stored) {
  if (stored->kind == CUTE_CONDITION_ALWAYS)
    return cuteConditionImplies(prover->path, before)
               ? before
               : cuteConditionOr(prover->path, before);
  return cuteConditionOr(
      cuteConditionAnd(prover->path, stored),
      cuteConditionAnd(cuteConditionNot(prover->path), before));
}

void cuteWalkStoreLanes(CuteProver *prover, const CuteReach *reach,
                        MlirValue stored) {
  CutePlace *place = reach->place;
  size_t count = countLanes(mlirValueGetType(stored));
  int64_t low, high, offset, size = bytesOfLane(reach, count);
  bool isKnown = cuteTermIsConstant(reach->offset, &offset);
  if (!bytesOf(reach, &low, &high))
    return;
  CuteStore store = {place, low, high - low, NULL};
  store.before = cuteArenaAllocate(&prover->terms->arena,
                                   (size_t)(high - low) * sizeof *store.before);
  memcpy(store.before, &place->there[low],
         (size_t)(high - low) * sizeof *store.before);
  CUTE_PUSH(prover->stores, prover->numStores, prover->storeCapacity, store);
  for (int64_t b = low; b < high; ++b) {
    CuteCondition before = place->there[b],
                  next = isKnown && size < reach->bytes
                             ? laneOf(prover, stored,
                                      (size_t)((b - low) / size), count)
                             : allOf(prover, stored);
    place->there[b] =
        isKnown ? after(prover, before, next) : cuteConditionAnd(before, next);
  }
}

//===-- Regions -----------------------------------------------------------===//

typedef struct Join {
  CuteCondition condition;
  MlirValue values[2];
} Join;

static CuteCondition laneOfJoined(CuteProver *prover, const void *data,
                                  size_t i, size_t count) {
  const Join *join = data;
  CuteCondition a = laneOf(prover, join->values[0], i, count);
  CuteCondition b = laneOf(prover, join->values[1], i, count);
  if (a == b)
    return join->condition->kind == CUTE_CONDITION_UNKNOWN ? join->condition
                                                           : a;
  return cuteConditionOr(
      cuteConditionAnd(join->condition, a),
      cuteConditionAnd(cuteConditionNot(join->condition), b));
}

void cuteWalkJoinLanes(CuteProver *prover, MlirValue result,
                       CuteCondition condition, MlirValue a, MlirValue b) {
  Join join = {condition, {a, b}};
  setLanes(prover, result, laneOfJoined, &join);
}

// Gives what is there both before and after regions that are not followed.
static CuteCondition blur(CuteProver *prover, CuteCondition a,
                          CuteCondition b) {
  bool isThere =
      a->kind == CUTE_CONDITION_ALWAYS && b->kind == CUTE_CONDITION_ALWAYS;
  return isThere || a->kind == CUTE_CONDITION_NEVER
             ? a
             : cuteConditionUnknown(prover->terms, OTHER_ROUNDS);
}

//===-- Loops -------------------------------------------------------------===//

enum { MAX_ASKED = 64 };

// Tells whether the path has a condition follow; isl is asked a few times,
// without the path.
static bool isImplied(CuteProver *prover, CuteCondition c) {
  c = cuteConditionGiven(prover->path, c);
  return c->kind == CUTE_CONDITION_ALWAYS ||
         (c->kind != CUTE_CONDITION_NEVER && prover->numAsked++ < MAX_ASKED &&
          cuteSolverRefutes(prover->solver, cuteConditionNot(c)));
}

// Lists the bytes that were stored, with what was there before.
static void listBytes(CuteProver *prover, CuteLoopLanes *loop) {
  for (size_t i = prover->numStores; i-- > loop->stores;) {
    const CuteStore *s = &prover->stores[i];
    for (int64_t b = 0; b < s->bytes; ++b) {
      int64_t at = s->offset + b;
      if (!s->place->marks[at]) {
        CUTE_PUSH(loop->bytes, loop->numBytes, loop->byteCapacity,
                  ((CuteLoopByte){.place = s->place, .at = at}));
        s->place->marks[at] = loop->numBytes;
      }
      loop->bytes[s->place->marks[at] - 1].before = s->before[b];
    }
  }
  for (size_t i = 0; i < loop->numBytes; ++i)
    loop->bytes[i].place->marks[loop->bytes[i].at] = 0;
}

// A carried value is there in rounds where the condition holds, and if what the
// first round gets is.
static void joinCarried(CuteProver *prover, const CuteLoopLanes *loop,
                        intptr_t i, MlirValue value, CuteCondition condition) {
  cuteWalkJoinLanes(prover, value, condition,
                    mlirBlockGetArgument(loop->body, 0),
                    mlirOperationGetOperand(loop->op, i + 3));
}

void cuteWalkBeginLanes(CuteProver *prover, CuteLoopLanes *loop) {
  loop->stores = prover->numStores;
  loop->assumed = prover->assumed;
  loop->unknown = cuteConditionUnknown(prover->terms, OTHER_ROUNDS);
  loop->isLater = cuteArenaAllocate(
      &prover->terms->arena, (size_t)mlirOperationGetNumResults(loop->op) + 1);
  prover->assumed = cuteConditionOr(prover->assumed, loop->later);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(loop->op); ++i)
    joinCarried(prover, loop, i, mlirBlockGetArgument(loop->body, i + 1),
                loop->later);
}

void cuteWalkTurnLanes(CuteProver *prover, CuteLoopLanes *loop) {
  CuteCondition seen = cuteConditionGetConstant(true);
  bool isThere = true;
  prover->assumed = loop->assumed;
  listBytes(prover, loop);
  for (size_t i = 0; i < loop->numBytes; ++i) {
    CuteLoopByte *byte = &loop->bytes[i];
    CuteCondition *there = &byte->place->there[byte->at];
    if (*there != seen)
      isThere = isImplied(prover, *there);
    seen = *there;
    byte->isLater = isThere;
    *there = isThere ? cuteConditionOr(loop->later, byte->before)
                     : blur(prover, byte->before, seen);
  }
  for (intptr_t i = 0; i < mlirOperationGetNumResults(loop->op); ++i) {
    loop->isLater[i] =
        isImplied(prover, allOf(prover, cuteWalkGetYielded(loop->body, i)));
    if (!loop->isLater[i])
      joinCarried(prover, loop, i, mlirBlockGetArgument(loop->body, i + 1),
                  loop->unknown);
  }
}

void cuteWalkEndLanes(CuteProver *prover, CuteLoopLanes *loop) {
  CuteCondition seen = NULL, last = NULL, none = cuteConditionNot(loop->some);
  bool isThere = true, isNeeded = false;
  for (size_t i = 0; i < loop->numBytes; ++i) {
    CuteLoopByte *byte = &loop->bytes[i];
    CuteCondition *there = &byte->place->there[byte->at];
    if (!seen || *there != seen) {
      seen = *there;
      isThere = isImplied(prover, seen);
      isNeeded = isThere;
      last = isThere ? loop->some
                     : cuteConditionAnd(loop->some,
                                        cuteConditionRename(seen, loop->last));
    }
    if (byte->isLater && !isNeeded)
      need(prover, loop->op, seen);
    isNeeded |= byte->isLater;
    *there = cuteConditionOr(
        last, isThere ? byte->before : cuteConditionAnd(none, byte->before));
  }
  for (intptr_t i = 0; i < mlirOperationGetNumResults(loop->op); ++i) {
    CuteCondition all = allOf(prover, cuteWalkGetYielded(loop->body, i));
    if (loop->isLater[i] && !isImplied(prover, all))
      need(prover, loop->op, all);
    joinCarried(prover, loop, i, mlirOperationGetResult(loop->op, i),
                loop->isLater[i] ? loop->some : loop->unknown);
  }
  free(loop->bytes);
}
