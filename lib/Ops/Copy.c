// Tiled copy: construction, partitioning, retiling, copy, cp.async groups.
#include "Ops/copy_atoms.h"
#include "Ops/ops.h"

//===-- Construction ------------------------------------------------------===//

CUTE_INFER(inferMakeTiledCopyTv, cuteOpReturnTiledCopy,
           cuteTiledCopyGet(c, ATOM, LAYOUT(1), LAYOUT(2)));

// Takes a TV layout and a tiler, or threads and values.
CUTE_INFER(inferMakeTiledCopy, cuteOpReturnTiledCopy,
           operandKind(op, 2) == CUTE_TYPE_LAYOUT
               ? cuteTiledCopyGet(c, ATOM, LAYOUT(1), LAYOUT(2))
               : (CuteTiledCopy){ATOM, LAYOUT(1), TILER(2)});

static bool inferMakeTiledCopyFor(CuteOp *op, CuteMmaOperand operand) {
  return cuteOpReturnTiledCopy(
      op, cuteTiledCopyGetForMma(op->context, ATOM, MMA(1), operand));
}

CUTE_INFER(inferMakeTiledCopyVariant, inferMakeTiledCopyFor,
           (CuteMmaOperand)VARIANT);

static bool inferMakeTiledCopyOperand(CuteOp *op) {
  CuteMmaOperand operand;
  return cuteOpGetMmaOperand(op, cuteTypeGetMmaAtomValue(op->operands[1]),
                             &operand) &&
         inferMakeTiledCopyFor(op, operand);
}

//===-- Partitioning ------------------------------------------------------===//

static bool inferPartition(CuteOp *op, CuteCopySide side) {
  CuteIntTuple thread = cuteOpGetIndex(op, 2);
  return thread &&
         cuteOpReturnPartition(op, op->operands[1],
                               cuteTiledCopyPartition(op->context, COPY(0),
                                                      side, LAYOUT(1), thread));
}

bool cuteOpInferPartitionS(CuteOp *op) {
  return inferPartition(op, CUTE_SOURCE);
}
bool cuteOpInferPartitionD(CuteOp *op) {
  return inferPartition(op, CUTE_DESTINATION);
}

CUTE_INFER(inferRetile, cuteOpPushResult,
           cuteTypeWithLayout(c, op->operands[1],
                              cuteTiledCopyRetile(c, COPY(0), LAYOUT(1))));

//===-- copy --------------------------------------------------------------===//

static bool hasPredicate(const CuteOp *op) {
  int predicate = op->decl->traits.predicate;
  return predicate >= 0 && (size_t)predicate < op->numOperands;
}

static CuteCopyOperands copyOperands(const CuteOp *op) {
  const CuteOpTraits *traits = &op->decl->traits;
  return (CuteCopyOperands){
      op->operands[traits->by], op->operands[traits->source],
      op->operands[traits->written],
      hasPredicate(op) ? op->operands[traits->predicate] : NULL};
}

static bool inferCopy(CuteOp *op) {
  return cuteCopyCheck(op->context, copyOperands(op));
}

static bool inferCopyAtomCall(CuteOp *op) {
  return cuteCopyCheckAccess(op->context, copyOperands(op));
}

static CuteElements loweredOperands(CuteLowering *l) {
  const CuteOpTraits *traits = &l->op->decl->traits;
  return (CuteElements){
      .predicate = hasPredicate(l->op)
                       ? cuteLoweringGetLowered(l, (size_t)traits->predicate)
                       : NULL,
      .source = cuteLoweringGetLowered(l, (size_t)traits->source),
      .destination = cuteLoweringGetLowered(l, (size_t)traits->written)};
}

// An atom that moves as much as it can at once takes the tensors as they are;
// copies by others are expanded before.
static bool lowerCopy(CuteLowering *l) {
  CuteCopyOperands operands = copyOperands(l->op);
  const CuteCopyAtom *atom = operands.copy->atom;
  if (atom->kind->isBulk)
    return cuteLowerBulkCopy(l, operands);
  if (!atom->kind->isElementwise)
    return cuteLowerUnexpanded(l);
  if (operands.predicate || operands.source->layout->shape->numDynamic)
    return cuteLowerElements(l, loweredOperands(l));
  cuteLowerVectorCopy(l, l->source, l->op->decl->traits.source, atom->maxBits,
                      atom->assumesAlignment);
  return true;
}

static bool lowerCopyAtomCall(CuteLowering *l) {
  CuteCopyOperands types = copyOperands(l->op);
  CuteLowerWholeCopy *lower = cuteCopyAtomGetWhole(types.copy->atom);
  if (lower)
    return lower(l, types);
  CuteContext c = l->context;
  CuteElements lowered = loweredOperands(l);
  CuteCopyCall call = {types.copy->atom,
                       lowered.source,
                       lowered.destination,
                       cuteCopyCountElements(c, types.source),
                       cuteCopyCountElements(c, types.destination),
                       cuteCopyLoadPredicate(l, lowered.predicate, 0)};
  cuteLowerCopyCall(l, &call);
  return true;
}

//===-- cp.async groups ---------------------------------------------------===//

static bool lowerCpAsyncWait(CuteLowering *l) {
  CUTE_BUILD(&l->builder, "nvvm.cp.async.wait.group",
             CUTE_ATTRIBUTES(
                 {"n", cuteIntAttr(&l->builder, 32,
                                   cuteOpGetAttribute(l->op, "n")->value)}));
  return true;
}

static bool lowerCpAsyncWaitAll(CuteLowering *l) {
  cuteBuildAsm(&l->builder, "cp.async.wait_all;", "~{memory}", 0, NULL,
               (MlirType){NULL});
  return true;
}

const CuteOpHooks cuteCopyOps[] = {
    CUTE_HOOKS("make_tiled_copy", inferMakeTiledCopy),
    CUTE_HOOKS("make_tiled_copy_tv", inferMakeTiledCopyTv),
    CUTE_HOOKS("make_tiled_copy_a", inferMakeTiledCopyVariant,
               .variant = CUTE_OPERAND_A),
    CUTE_HOOKS("make_tiled_copy_b", inferMakeTiledCopyVariant,
               .variant = CUTE_OPERAND_B),
    CUTE_HOOKS("make_tiled_copy_c", inferMakeTiledCopyVariant,
               .variant = CUTE_OPERAND_C),
    CUTE_HOOKS("make_tiled_copy_operand", inferMakeTiledCopyOperand),
    CUTE_HOOKS("partition_s", cuteOpInferPartitionS),
    CUTE_HOOKS("partition_d", cuteOpInferPartitionD),
    CUTE_HOOKS("retile", inferRetile),
    CUTE_HOOKS("copy", inferCopy, lowerCopy),
    CUTE_HOOKS("copy_if", inferCopy, lowerCopy),
    CUTE_HOOKS("copy_atom_call", inferCopyAtomCall, lowerCopyAtomCall),
    CUTE_HOOKS("cp_async_commit", cuteOpInferNothing, cuteLowerToTarget,
               "nvvm.cp.async.commit.group"),
    CUTE_HOOKS("cp_async_wait", cuteOpInferNothing, lowerCpAsyncWait),
    CUTE_HOOKS("cp_async_wait_all", cuteOpInferNothing, lowerCpAsyncWaitAll),
    {.name = NULL},
};
