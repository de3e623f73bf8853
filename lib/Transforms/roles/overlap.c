// cute-overlap: a loop whose rounds multiply, compute with the sums and
// multiply the result starts the first products of a round before the last ones
// of the round before have ended (docs/passes.md):
//
//   first products of round 0; arithmetic
//   for each round i from 1 on:
//     start the first products of round i, and the last ones of round i - 1
//     wait for the first; arithmetic
//     wait for the last; arithmetic with their sums
//   last products of the last round
//
// So the tensor cores work while threads compute. Where threads only make A of
// tiles that they load, they load the next round's tiles while products run.
#include "Transforms/roles/overlap.h"

#include "Transforms/edit/loop_carry.h"
#include "Transforms/roles/roles.h"
#include "Transforms/sm90.h"

enum { WARPGROUP = 128 };

// Copies of ops of one round.
typedef struct Round {
  CuteOverlap *o;
  CuteRebuild r;
} Round;

static Round beginRound(CuteOverlap *o, CuteBuilder b, MlirValue index) {
  Round round = {
      o, {.dialect = o->kernel->dialect, .builder = b, .moves = &o->moves}};
  cuteRebuildSet(&round.r, mlirBlockGetArgument(cuteLoopGetBody(o->loop), 0),
                 index);
  return round;
}

static intptr_t countCarried(const CuteOverlap *o) {
  return getNumResults(o->loop);
}

static void setCarried(Round *round, intptr_t i, MlirValue value) {
  cuteRebuildSet(&round->r, cuteLoopGetArgument(round->o->loop, i), value);
}

static void copyOps(Round *round, size_t from, size_t to) {
  for (size_t i = from; i < to; ++i)
    cuteRebuildOp(&round->r, round->o->ops.data[i]);
}

// Starts the first products once their tiles have come and it is the
// warpgroup's turn.
static void startFirst(Round *round) {
  CuteOverlap *o = round->o;
  size_t i = 0;
  while (i < o->firstWait && cuteDialectIsOp(o->kernel->dialect, o->ops.data[i],
                                             CUTE_OP_CONSUMER_WAIT))
    ++i;
  copyOps(round, 0, i);
  cuteOverlapEmitTurn(o, &round->r);
  copyOps(round, i, o->firstWait);
}

// Copies the arithmetic that needs the end of the last products, or the other.
static void copyMiddle(Round *round, bool isLate) {
  CuteOverlap *o = round->o;
  for (size_t i = o->middle; i < o->tail; ++i)
    if (!isLate == !cutePointerMapGet(&o->late, o->ops.data[i].ptr))
      cuteRebuildOp(&round->r, o->ops.data[i]);
}

// Waits for the products that a wait of the body names; `pending` later groups
// may stay in flight.
static void emitWait(Round *round, size_t wait, int64_t pending) {
  MlirOperation op = round->o->ops.data[wait];
  size_t n = (size_t)getNumOperands(op);
  MlirValue *sums = cuteTaskAllocate((n + 1) * sizeof *sums);
  for (size_t i = 0; i < n; ++i)
    sums[i] = cuteRebuildGet(&round->r, getOperand(op, (intptr_t)i));
  cuteRebuildCreate(
      &round->r, CUTE_OP_WARPGROUP_WAIT, n, sums,
      CUTE_NAMED({"n", cuteIntAttr(&round->r.builder, 32, pending)}));
}

static MlirValue nextOf(Round *round, intptr_t i) {
  return cuteRebuildGet(
      &round->r,
      getOperand(mlirBlockGetTerminator(cuteLoopGetBody(round->o->loop)), i));
}

// Computes what late ops and the next round take before they run, so that the
// last products have time to end.
static void computeEarly(Round *round) {
  CuteOverlap *o = round->o;
  for (size_t i = o->middle; i < o->tail; ++i)
    for (intptr_t j = 0; j < getNumOperands(o->ops.data[i]); ++j) {
      MlirValue operand = getOperand(o->ops.data[i], j);
      if (cuteOverlapIsEarly(o, operand))
        cuteRebuildGet(&round->r, operand);
    }
  MlirOperation end = mlirBlockGetTerminator(cuteLoopGetBody(o->loop));
  for (intptr_t i = 0; i < countCarried(o); ++i)
    if (cuteOverlapIsEarly(o, getOperand(end, i)))
      nextOf(round, i);
}

// Tells whether a number, or a vector of a few, is a result of arithmetic that
// never gives a signaling NaN.
static bool isSum(MlirValue value) {
  MlirOperation op = cuteMlirGetOwner(value);
  MlirType type = mlirValueGetType(value);
  bool isFew = mlirTypeIsAF32(type) ||
               (mlirTypeIsAVector(type) &&
                mlirTypeIsAF32(mlirShapedTypeGetElementType(type)) &&
                mlirShapedTypeGetDimSize(type, 0) <= 4);
  return isFew && !mlirOperationIsNull(op) &&
         (CUTE_IS_ANY(op, "arith.addf", "arith.mulf", "math.fma"));
}

// A sum that the next round takes, if it is there before the end of the last
// products; null if there is none.
static MlirValue findSum(CuteOverlap *o) {
  MlirOperation end = mlirBlockGetTerminator(cuteLoopGetBody(o->loop));
  MlirValue sum = {NULL};
  for (intptr_t i = 0; i < countCarried(o); ++i) {
    MlirValue value = getOperand(end, i);
    if (isSum(value) && cuteOverlapIsEarly(o, value))
      sum = value;
  }
  return sum;
}

// Emits a test of a sum that is always true, which ptxas does not know: that it
// is not a signaling NaN.
static MlirValue emitTest(CuteBuilder *b, MlirValue sum) {
  enum { SIGNALING = 0x7fa5a5a5 };
  MlirType type = mlirValueGetType(sum);
  bool isVector = mlirTypeIsAVector(type);
  int64_t n = isVector ? mlirShapedTypeGetDimSize(type, 0) : 1;
  MlirType float32 = isVector ? mlirShapedTypeGetElementType(type) : type;
  MlirType types[4] = {float32, float32, float32, float32};
  MlirOperation parts =
      isVector ? CUTE_BUILD(b, "vector.to_elements", CUTE_OPERANDS(sum),
                            .numResults = (size_t)n, .results = types)
               : (MlirOperation){NULL};
  MlirValue all = {NULL};
  for (intptr_t i = 0; i < n; ++i) {
    MlirValue part = isVector ? getResult(parts, i) : sum;
    MlirValue test = cuteBuildTest(
        b, CUTE_CMPI_NE,
        cuteBuildUnary(b, "arith.bitcast", part, cuteIntType(b, 32)),
        SIGNALING);
    all = i ? andi(b, all, test) : test;
  }
  return all;
}

// Releases the first products' tiles when the arithmetic before the last
// products' end is done. ptxas moves arithmetic that nothing needs behind their
// wait.
static void releaseLate(Round *round) {
  CuteOverlap *o = round->o;
  MlirValue sum = findSum(o);
  CuteBuilder outer = round->r.builder;
  if (!mlirValueIsNull(sum) && o->middle > o->firstWait + 1)
    cuteEmitEnterIf(&round->r,
                    emitTest(&outer, cuteRebuildGet(&round->r, sum)));
  copyOps(round, o->firstWait + 1, o->middle);
  round->r.builder = outer;
}

// Keeps the registers from which the products took A until they have ended:
// ptxas would give them to tiles that are loaded meanwhile.
static void holdFragments(Round *round) {
  CuteOverlap *o = round->o;
  for (size_t i = o->tail; i < o->lastWait; ++i)
    if (cuteDialectIsOp(o->kernel->dialect, o->ops.data[i], CUTE_OP_GEMM))
      cuteEmitDo(&round->r, CUTE_OP_HOLD_REGISTERS,
                 CUTE_VALUES(
                     cuteRebuildGet(&round->r, getOperand(o->ops.data[i], 2))));
}

// The loop from the second round on. It carries what the plain one does, then
// the same of the round before, and the index of that.
static MlirOperation createLoop(CuteOverlap *o, CuteBuilder *b, Round *first) {
  intptr_t n = countCarried(o);
  size_t count = 3 + 2 * (size_t)n + 1;
  MlirValue *operands = cuteTaskAllocate(count * sizeof *operands);
  for (intptr_t i = 0; i < 3; ++i)
    operands[i] = getOperand(o->loop, i);
  for (intptr_t i = 0; i < n; ++i) {
    operands[3 + i] = nextOf(first, i);
    operands[3 + n + i] = getOperand(o->loop, 3 + i);
  }
  operands[3 + 2 * n] = operands[0];
  operands[0] = addi(b, operands[0], operands[2]);
  MlirOperation loop = cuteLoopCreate(
      b, count, operands, cuteMlirGetAttribute(o->loop, "unsignedCmp"));
  cuteLoopKeepRolled(loop);
  return loop;
}

static void fillBody(CuteOverlap *o, MlirOperation loop, CuteBuilder b) {
  intptr_t n = countCarried(o);
  Round now = beginRound(o, b, mlirBlockGetArgument(cuteLoopGetBody(loop), 0));
  Round before = beginRound(o, b, cuteLoopGetArgument(loop, 2 * n));
  for (intptr_t i = 0; i < n; ++i) {
    setCarried(&now, i, cuteLoopGetArgument(loop, i));
    setCarried(&before, i, cuteLoopGetArgument(loop, n + i));
  }
  startFirst(&now);
  copyOps(&before, o->tail, o->lastWait);
  cuteOverlapEndTurn(o, &now.r);
  if (o->firstWait)
    emitWait(&now, o->firstWait, 1);
  copyMiddle(&now, false);
  computeEarly(&now);
  if (o->firstWait)
    releaseLate(&now);
  copyOps(&before, o->lastWait, o->ops.count);
  if (!o->firstWait)
    holdFragments(&before);
  copyMiddle(&now, true);
  size_t count = 2 * (size_t)n + 1;
  MlirValue *next = cuteTaskAllocate(count * sizeof *next);
  for (intptr_t i = 0; i < n; ++i) {
    next[i] = nextOf(&now, i);
    next[n + i] = cuteOverlapIsOfLast(o, i) ? nextOf(&before, i)
                                            : cuteLoopGetArgument(loop, i);
  }
  next[2 * n] = mlirBlockGetArgument(cuteLoopGetBody(loop), 0);
  CUTE_BUILD(&b, "scf.yield", .numOperands = count, .operands = next);
  if (now.r.failed || before.r.failed)
    cuteKernelFailOp(o->kernel, o->loop);
}

// Emits all rounds, at least one; gives what the plain loop does.
static void emitRounds(CuteOverlap *o, CuteBuilder *b) {
  intptr_t n = countCarried(o);
  Round first = beginRound(o, *b, getOperand(o->loop, 0));
  for (intptr_t i = 0; i < n; ++i)
    setCarried(&first, i, getOperand(o->loop, 3 + i));
  if (o->firstWait) {
    startFirst(&first);
    cuteOverlapEndTurn(o, &first.r);
  }
  copyOps(&first, o->firstWait, o->tail);
  MlirOperation loop = createLoop(o, b, &first);
  CuteBuilder inside = cuteBuilderAtStart(cuteLoopGetBody(loop), b->location);
  fillBody(o, loop, inside);
  Round last = beginRound(o, *b, getResult(loop, 2 * n));
  for (intptr_t i = 0; i < n; ++i)
    setCarried(&last, i, getResult(loop, n + i));
  copyOps(&last, o->tail, o->ops.count);
  MlirValue *results = cuteTaskAllocate(((size_t)n + 1) * sizeof *results);
  for (intptr_t i = 0; i < n; ++i)
    results[i] =
        cuteOverlapIsOfLast(o, i) ? nextOf(&last, i) : getResult(loop, i);
  CUTE_BUILD(b, "scf.yield", .numOperands = (size_t)n, .operands = results);
  if (first.r.failed || last.r.failed)
    cuteKernelFailOp(o->kernel, o->loop);
}

// An scf.if with the loop's results: its initial values if it has no rounds.
static MlirOperation createBranch(CuteOverlap *o, CuteBuilder *b) {
  size_t n = (size_t)countCarried(o);
  MlirValue any = cuteLoopEmitAny(o->loop, b);
  MlirType *types = cuteTaskAllocate((n + 1) * sizeof *types);
  MlirValue *initial = cuteTaskAllocate((n + 1) * sizeof *initial);
  for (size_t i = 0; i < n; ++i) {
    initial[i] = getOperand(o->loop, 3 + (intptr_t)i);
    types[i] = mlirValueGetType(initial[i]);
  }
  MlirOperation branch =
      CUTE_BUILD(b, "scf.if", CUTE_OPERANDS(any), .numResults = n,
                 .results = types, .numRegions = 2);
  CuteBuilder none =
      cuteBuilderAtStart(cuteMlirGetBody(branch, 1), b->location);
  CUTE_BUILD(&none, "scf.yield", .numOperands = n, .operands = initial);
  return branch;
}

static bool rewrite(CuteOverlap *o) {
  CuteBuilder b = cuteBuilderBefore(o->loop);
  MlirOperation branch = createBranch(o, &b);
  CuteBuilder inside =
      cuteBuilderAtStart(cuteMlirGetBody(branch, 0), b.location);
  emitRounds(o, &inside);
  for (intptr_t i = 0; i < countCarried(o); ++i)
    cuteMlirReplace(o->loop, i, getResult(branch, i));
  mlirOperationDestroy(o->loop);
  return !o->kernel->problem;
}

// Has warpgroups take turns where there are several beside the one that loads.
static bool takeTurns(CuteOverlap *o) {
  CuteRoles roles;
  int64_t warpgroups = o->kernel->threads / WARPGROUP - 1;
  if (warpgroups < 2 || !cuteRolesFind(o->kernel, &roles) ||
      !cuteOverlapMayTakeTurns(o))
    return false;
  cuteOverlapBeginTurns(o, roles.consumer, warpgroups);
  return true;
}

// Has warpgroups take turns with products whose sums each round computes with.
static bool turnRounds(CuteKernel *kernel, MlirOperation loop) {
  CuteOverlap o = {.kernel = kernel, .loop = loop};
  MlirOperation fence, commit;
  return cuteOverlapFindProducts(&o, &fence, &commit) && takeTurns(&o) &&
         cuteOverlapWrapTurn(&o, fence, commit);
}

static bool overlap(CuteKernel *kernel, MlirOperation loop, int wantsTurns) {
  CuteOverlap o = {.kernel = kernel};
  MlirLocation location = mlirOperationGetLocation(loop);
  bool ok = cuteOverlapMatch(&o, loop);
  bool turns = ok && wantsTurns && takeTurns(&o);
  ok = ok && rewrite(&o);
  if (ok)
    cuteKernelNote(kernel, location, "%s%s",
                   o.firstWait
                       ? "the first products of a round start before "
                         "the last ones of the previous round have ended"
                       : "threads load for the next products while "
                         "these run",
                   turns ? ", by warpgroups in turn" : "");
  if (!ok && wantsTurns == 1 && turnRounds(kernel, loop)) {
    cuteKernelNote(kernel, location,
                   "warpgroups start the products of a round in turn");
    return true;
  }
  if (ok || !cuteOverlapDelayWaits(kernel, loop))
    return ok;
  cuteKernelNote(kernel, location,
                 "products start before the previous ones have ended");
  return true;
}

// Tells whether warpgroups take turns where nobody says: in blocks that go from
// tile to tile they drift apart by themselves. 1 where somebody says so.
static int wantsTurns(const CuteSchedule *schedule, MlirOperation loop) {
  enum { SAID = 1, CHOSEN = 2 };
  if (schedule->pingpong)
    return schedule->pingpong == 1 ? SAID : 0;
  while (!cuteMlirIs(loop, "gpu.func")) {
    loop = mlirOperationGetParentOperation(loop);
    if (cuteMlirIs(loop, "scf.for"))
      return 0;
  }
  return CHOSEN;
}

bool cuteOverlapEdit(CuteKernel *kernel, void *data) {
  CuteSchedule schedule;
  bool isDone = false;
  if (!cuteScheduleRead(kernel, data, &schedule))
    return false;
  CuteOps loops = cuteOpsFind(kernel->function, "scf.for");
  for (size_t i = 0; i < loops.count && !kernel->problem; ++i)
    isDone |=
        overlap(kernel, loops.data[i], wantsTurns(&schedule, loops.data[i]));
  return isDone && !kernel->problem;
}
