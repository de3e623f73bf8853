// Ops that order accesses: barriers, and waits for what is in flight.
#include "Prove/walk.h"

#include "Support/growing_array.h"

void cuteWalkAddStep(CuteProver *prover, CuteStep step) {
  if (!prover->rehearsals)
    CUTE_PUSH(prover->steps, prover->numSteps, prover->stepCapacity, step);
}

void cuteWalkBeginSegment(CuteProver *prover, CuteStep step) {
  if (prover->rehearsals)
    return;
  prover->segment = step.to = prover->numSegments;
  CUTE_PUSH(prover->segments, prover->numSegments, prover->segmentCapacity,
            ((CuteSegment){prover->rounds, prover->path}));
  if (step.to)
    cuteWalkAddStep(prover, step);
}

const char *cuteWalkGetAssembly(MlirOperation op) {
  const char *name = cuteMlirIs(op, "llvm.inline_asm")       ? "asm_string"
                     : cuteMlirIs(op, "llvm.call_intrinsic") ? "intrin"
                                                             : NULL;
  return name ? mlirStringAttrGetValue(cuteMlirGetAttribute(op, name)).data
              : "";
}

CuteTerm cuteWalkGetShared(CuteProver *prover, MlirValue pointer) {
  CuteValue known = cuteWalkGet(prover, pointer);
  return known.kind == CUTE_VALUE_POINTER &&
                 known.place->kind == CUTE_PLACE_SHARED
             ? cuteTermAddConstant(known.term, known.place->start)
             : NULL;
}

//===-- Which op ----------------------------------------------------------===//

// An op of NVVM, or a part of inline assembly, that orders accesses. The number
// is that of an attribute or the second operand, or in the assembly.
typedef struct Row {
  const char *name;
  CuteStepKind kind;
  CuteFlight flight;
  const char *text, *attribute;
  bool hasOperand;
} Row;

static const Row rows[] = {
    {"gpu.barrier", CUTE_STEP_MEET, 0, NULL, NULL, false},
    {"llvm.inline_asm", CUTE_STEP_MEET, 0, "bar.sync $0, $1;", NULL, true},
    {"nvvm.cp.async.commit.group", CUTE_STEP_COMMIT, CUTE_FLIGHT_CP_ASYNC, NULL,
     NULL, false},
    {"nvvm.cp.async.wait.group", CUTE_STEP_WAIT, CUTE_FLIGHT_CP_ASYNC, NULL,
     "n", false},
    {"llvm.inline_asm", CUTE_STEP_WAIT, CUTE_FLIGHT_CP_ASYNC,
     "cp.async.wait_all", NULL, false},
    {"nvvm.cp.async.bulk.commit.group", CUTE_STEP_COMMIT, CUTE_FLIGHT_BULK,
     NULL, NULL, false},
    {"nvvm.cp.async.bulk.wait_group", CUTE_STEP_WAIT, CUTE_FLIGHT_BULK, NULL,
     "group", false},
    {"nvvm.wgmma.commit.group.sync.aligned", CUTE_STEP_COMMIT,
     CUTE_FLIGHT_WGMMA, NULL, NULL, false},
    {"llvm.inline_asm", CUTE_STEP_WAIT, CUTE_FLIGHT_WGMMA,
     "wgmma.wait_group.sync.aligned ", NULL, false},
    {"nvvm.mbarrier.init", CUTE_STEP_INIT, 0, NULL, NULL, true},
    {"nvvm.mbarrier.arrive", CUTE_STEP_ARRIVE, 0, NULL, NULL, false},
    {"nvvm.mbarrier.arrive.expect_tx", CUTE_STEP_ARRIVE, 0, NULL, NULL, true},
    {"llvm.inline_asm", CUTE_STEP_TRY, 0, "_wait.parity.shared", NULL, false},
    {"llvm.call_intrinsic", CUTE_STEP_ARRIVE, CUTE_FLIGHT_TENSOR,
     "llvm.nvvm.tcgen05.commit.shared.cg1", NULL, false},
};

// Finds the row's text in the op's assembly; null: the op is another one.
static const char *findRow(MlirOperation op, const Row *row) {
  bool isBlocking = !mlirOperationGetNumResults(op);
  if (!cuteMlirIs(op, row->name) || (row->kind == CUTE_STEP_TRY && !isBlocking))
    return NULL;
  return row->text ? strstr(cuteWalkGetAssembly(op), row->text) : "";
}

static const Row *rowOf(MlirOperation op) {
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
    if (findRow(op, &rows[i]))
      return &rows[i];
  return NULL;
}

bool cuteWalkHasOrder(MlirOperation root) {
  CUTE_FOR_NESTED(op, root) {
    if (rowOf(op) ||
        cuteMlirIs(op, "nvvm.cp.async.bulk.tensor.shared.cluster.global"))
      return true;
  }
  return false;
}

//===-- Steps -------------------------------------------------------------===//

// Sets what a step counts; cp.async.wait_all includes uncommitted copies. False
// if the number is not constant.
static bool setNumber(CuteProver *prover, MlirOperation op, const Row *row,
                      CuteStep *step) {
  if (row->attribute)
    step->number = cuteMlirGetInteger(op, row->attribute);
  else if (row->hasOperand)
    return cuteTermIsConstant(cuteWalkGetOperand(prover, op, 1), &step->number);
  else if (row->kind == CUTE_STEP_WAIT && row->flight == CUTE_FLIGHT_CP_ASYNC)
    step->number = -1;
  else if (row->kind == CUTE_STEP_WAIT)
    step->number = strtol(findRow(op, row) + strlen(row->text), NULL, 10);
  else if (row->kind == CUTE_STEP_MEET)
    step->number = cuteProverCountThreads(prover);
  return true;
}

// Finds out all about a step. False where something is not known.
static bool describe(CuteProver *prover, MlirOperation op, const Row *row,
                     CuteStep *step) {
  bool isMbarrier = row->kind >= CUTE_STEP_INIT;
  *step = (CuteStep){.from = prover->segment,
                     .kind = row->kind,
                     .flight = row->flight,
                     .op = op};
  if (isMbarrier)
    step->barrier = cuteWalkGetShared(prover, mlirOperationGetOperand(op, 0));
  if (row->kind == CUTE_STEP_TRY)
    step->parity = cuteWalkGetOperand(prover, op, 1);
  bool hasCount = row->kind == CUTE_STEP_ARRIVE && !row->hasOperand &&
                  mlirOperationGetNumOperands(op) > 1;
  return setNumber(prover, op, row, step) && !hasCount &&
         (!isMbarrier || step->barrier) &&
         (row->kind != CUTE_STEP_MEET || !row->hasOperand ||
          cuteTermIsConstant(cuteWalkGetOperand(prover, op, 0), &step->id));
}

bool cuteWalkOrder(CuteProver *prover, MlirOperation op) {
  const Row *row = rowOf(op);
  CuteStep step;
  if (!row)
    return false;
  bool isKnown = describe(prover, op, row, &step) && !prover->conditions;
  if (row->kind >= CUTE_STEP_INIT) {
    cuteWalkMemory(prover, op);
    if (!isKnown)
      cuteWalkDoubtShared(
          prover, op, "an mbarrier that is not of the thread and a ring alone");
  }
  if (!isKnown)
    return true;
  ++prover->numCuts;
  cuteWalkBeginSegment(prover, step);
  if (row->flight == CUTE_FLIGHT_WGMMA && row->kind == CUTE_STEP_WAIT)
    cuteWalkBeginSegment(prover, (CuteStep){.from = prover->segment,
                                            .kind = CUTE_STEP_MEET,
                                            .id = CUTE_MEET_WARPGROUP,
                                            .number = CUTE_WARPGROUP});
  return true;
}
