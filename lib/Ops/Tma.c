// Copies by the tensor memory accelerator: atoms, partitions, barriers, groups.
#include "Lowering/tensor_maps.h"
#include "Ops/copy_atoms.h"
#include "Ops/lower_ops.h"

//===-- Construction ------------------------------------------------------===//

static bool failTensor(CuteOp *op, const char *problem) {
  return cuteFail(op->context, "the tensor must %s, unlike %s", problem,
                  cuteTypeText(op->context, op->operands[0]));
}

// Checks what tensor maps ask of the tensor (CUDA driver API,
// cuTensorMapEncodeTiled): an address and strides that are multiples of 16
// bytes, and one stride of 1.
static bool checkStrides(CuteOp *op, CuteTmaAtom tma) {
  CuteContext c = op->context;
  CuteLayout layout = operandLayout(op, 0);
  int64_t bits = tma.atom->packedBits
                     ? tma.atom->packedBits
                     : (int64_t)cuteElementTypeGetBits(tma.element);
  int64_t unit = tma.atom->packedBits ? 32 : 16;
  size_t axes[CUTE_MAX_TMA_RANK];
  size_t rank = cuteTmaAtomGetAxes(c, tma, layout->shape, axes);
  Modes leaves = {0};
  modesPushLeaves(c, &leaves, layoutMode(layout));
  for (size_t i = 0; i < rank; ++i) {
    Mode leaf = leaves.data[axes[i]];
    bool isUnused = isStaticValue(leaf.shape, 1);
    if (!i && !isStaticValue(leaf.stride, 1))
      return failTensor(op, "have the stride 1 where neighbours in shared "
                            "memory are neighbours in it");
    if (i && !isUnused && isStatic(leaf.stride) && leaf.stride->value <= 0)
      return failTensor(op, "have positive strides");
    if (i && !isUnused && cuteLeafDivisor(leaf.stride) * bits % (unit * 8))
      return failTensor(op, tma.atom->packedBits
                                ? "have strides that are known to be multiples "
                                  "of 32 bytes (?{div=128} of 6 bits)"
                                : "have strides that are known to be multiples "
                                  "of 16 bytes (?{div=8} of f16)");
  }
  return rank;
}

static bool checkTensor(CuteOp *op) {
  CuteType tensor = op->operands[0];
  if (tensor->space != CUTE_GMEM || cuteLayoutIsComposed(tensor->layout))
    return failTensor(op, "be in gmem with a plain layout");
  return tensor->align % 16 == 0 ||
         failTensor(op, "be aligned to 16 bytes (align<16>)");
}

// The thread blocks that share a load: the fourth operand, or 1.
static bool ctasOf(CuteOp *op, int64_t *ctas) {
  *ctas = 1;
  if (op->numOperands < 4)
    return true;
  CuteIntTuple given = cuteOpGetIndex(op, 3);
  if (!given)
    return false;
  if (!isStatic(given))
    return cuteFail(op->context, "the number of thread blocks must be static");
  *ctas = given->value;
  return true;
}

static bool inferMakeTmaAtom(CuteOp *op) {
  CuteContext c = op->context;
  CuteStringRef name = cuteOpGetAttribute(op, "atom")->text;
  const CuteCopyAtom *atom = cuteCopyAtomFind(name);
  CuteType tensor = op->operands[0];
  int64_t ctas;
  if (!atom || !cuteCopyAtomIsTma(atom) || atom->isIm2col)
    return cuteFail(
        c,
        "no TMA atom is named '%.*s'; valid are SM90_TMA_LOAD, "
        "SM90_TMA_LOAD_MULTICAST, SM90_TMA_STORE and SM90_TMA_REDUCE_ADD",
        CUTE_TEXT(name));
  if (!checkTensor(op) || !ctasOf(op, &ctas) ||
      (atom->reduction &&
       !cuteBulkReductionGetType(c, atom, tensor->element, CUTE_GMEM)))
    return false;
  CuteIntTuple shape = tensor->layout->shape;
  CuteTmaAtom tma =
      cuteTmaAtomMake(c, atom, tensor->element, shape, operandLayout(op, 1),
                      cuteOpGetTiler(op, 2), ctas);
  return tma.atom && checkStrides(op, tma) &&
         cuteOpPushResult(op, cuteTypeGetTmaAtom(c, tma)) &&
         cuteOpReturnIdentityTensor(op, shape);
}

static const CuteCopyAtom *im2colAtomOf(CuteOp *op) {
  CuteStringRef name = cuteOpGetAttribute(op, "atom")->text;
  const CuteCopyAtom *atom = cuteCopyAtomFind(name);
  if (atom && atom->isIm2col)
    return atom;
  return cuteFail(
      op->context,
      "no atom of images is named '%.*s'; valid are SM90_TMA_LOAD_IM2COL, "
      "SM90_TMA_LOAD_IM2COL_MULTICAST and SM90_TMA_STORE_IM2COL",
      CUTE_TEXT(name));
}

static bool inferMakeIm2colTmaAtom(CuteOp *op) {
  CuteContext c = op->context;
  const CuteCopyAtom *atom = im2colAtomOf(op);
  CuteType tensor = op->operands[0];
  CuteIm2col im2col;
  if (!atom || !checkTensor(op) ||
      !cuteTensorMapReadIm2col(c, op->operands + 2, &im2col))
    return false;
  CuteLayout matrix = cuteTmaIm2colGetMatrix(c, &im2col, tensor->layout->shape);
  if (!matrix)
    return false;
  CuteTmaAtom tma = cuteTmaAtomMakeIm2col(c, atom, tensor->element, im2col.rank,
                                          operandLayout(op, 1));
  return tma.atom && checkStrides(op, tma) &&
         cuteOpPushResult(op, cuteTypeGetTmaAtom(c, tma)) &&
         cuteOpPushResult(
             op, cuteTypeGetCoordTensor(c, cuteTmaIm2colGetOrigin(c, &im2col),
                                        matrix));
}

static bool inferTmaPartition(CuteOp *op) {
  CuteContext c = op->context;
  CuteTmaAtom tma = cuteTypeGetTmaAtomValue(op->operands[0]);
  CuteIntTuple cta = op->numOperands > 3 ? cuteOpGetIndex(op, 3) : NULL;
  if (op->numOperands > 3 && !cta)
    return false;
  CutePartition smem = cuteTmaAtomPartition(c, tma, operandLayout(op, 1), cta);
  return cuteOpReturnPartition(op, op->operands[1], smem) &&
         cuteOpReturnPartition(
             op, op->operands[2],
             cuteTmaAtomPartition(c, tma, operandLayout(op, 2), cta));
}

//===-- Barriers and caches -----------------------------------------------===//

// The row of an atom that may have a barrier or a hint; null with a message.
static const CuteCopyAtom *bulkAtomOf(CuteOp *op) {
  const CuteCopyAtom *atom = op->operands[0]->atom;
  if (cuteCopyAtomIsTma(atom) || atom->kind->isBulk)
    return atom;
  return cuteFail(
      op->context,
      "%s copies through the threads; only TMA and bulk-copy atoms take this",
      atom->name);
}

static bool inferWithBarrier(CuteOp *op) {
  CuteContext c = op->context;
  const CuteCopyAtom *atom = bulkAtomOf(op);
  if (!atom)
    return false;
  if (!cuteCopyAtomHasBarrier(atom))
    cuteFail(c,
             "%s stores: cp_async_bulk_commit and cp_async_bulk_wait track its "
             "completion, not a barrier",
             atom->name);
  else if (!cuteMbarrierCheckIn(op, 1, atom->kind->to))
    return false;
  else if (cuteTmaGetCachePolicy(op) && atom->kind->to == CUTE_IN_DSMEM)
    cuteFail(c, "%s takes no hint, since it does not go through a cache",
             atom->name);
  else if (atom->isMulticast != (op->numOperands > 2))
    cuteFail(c, "%s %s mask of thread blocks", atom->name,
             atom->isMulticast ? "needs a" : "takes no");
  else
    return cuteOpPushResult(op, op->operands[0]);
  return false;
}

static bool inferWithRows(CuteOp *op) {
  const CuteCopyAtom *atom = op->operands[0]->atom;
  CuteType rows = op->operands[1];
  if (!atom->isOfRows)
    return cuteFail(op->context,
                    "%s copies a box of neighbours; atoms whose names end in "
                    "GATHER4 and SCATTER4 take rows",
                    atom->name);
  if (rows->element != CUTE_ELEMENT_I32 || rows->space == CUTE_TMEM ||
      rows->space == CUTE_DESC)
    return cuteFail(op->context, "rows are i32 in gmem, smem or rmem, not %s",
                    cuteTypeText(op->context, rows));
  return cuteOpPushResult(op, op->operands[0]);
}

static bool inferWithCache(CuteOp *op) {
  const CuteCopyAtom *atom = bulkAtomOf(op);
  if (!atom)
    return false;
  if (!cuteCopyAtomHasBarrier(atom))
    return cuteOpPushResult(op, op->operands[0]);
  return cuteFail(op->context,
                  "%s has a barrier, and its hint is that of the barrier's op: "
                  "cute.with_barrier<\"evict_first\">(atom, barrier)",
                  atom->name);
}

//===-- Lowering ----------------------------------------------------------===//

static bool lowerMakeTmaAtom(CuteLowering *l) {
  MlirValue map = {cutePointerMapGet(&l->tensorMaps, l->source.ptr)};
  if (!cuteOpInfer(l->op))
    return false;
  cuteLoweringSetResult(
      l, 0, (CuteLowered){.type = l->op->results[0], .pointer = map});
  cuteLoweringSetResult(l, 1, (CuteLowered){.type = l->op->results[1]});
  return true;
}

// The copy that uses it looks at the op itself.
static bool lowerWith(CuteLowering *l) {
  const CuteLowered *atom = cuteLoweringGetLowered(l, 0);
  return cuteLoweringReturnLowered(l, *atom);
}

static bool lowerPrefetch(CuteLowering *l) {
  MlirValue map = cuteTmaGetMap(l);
  if (mlirValueIsNull(map))
    return false;
  const CuteBuilder *b = &l->builder;
  CuteNamedAttribute attributes[] = {
      {"tensormap", mlirUnitAttrGet(b->context)},
      {"in_param_space", mlirUnitAttrGet(b->context)}};
  bool isParameter = mlirValueIsABlockArgument(map);
  CUTE_BUILD(b, "nvvm.prefetch", CUTE_OPERANDS(map),
             .numAttributes = isParameter ? 2 : 1, .attributes = attributes);
  return true;
}

static bool lowerWait(CuteLowering *l, bool read) {
  const CuteBuilder *b = &l->builder;
  CUTE_BUILD(
      b, "nvvm.cp.async.bulk.wait_group",
      CUTE_ATTRIBUTES(
          {"group", cuteIntAttr(b, 32, cuteOpGetAttribute(l->op, "n")->value)},
          {"read",
           read ? mlirUnitAttrGet(b->context) : (MlirAttribute){NULL}}));
  return true;
}

static bool lowerBulkWait(CuteLowering *l) { return lowerWait(l, false); }

static bool lowerBulkWaitRead(CuteLowering *l) { return lowerWait(l, true); }

const CuteOpHooks cuteTmaOps[] = {
    CUTE_HOOKS("make_tma_atom", inferMakeTmaAtom, lowerMakeTmaAtom),
    CUTE_HOOKS("make_im2col_tma_atom", inferMakeIm2colTmaAtom,
               lowerMakeTmaAtom),
    CUTE_HOOKS("tma_partition", inferTmaPartition, cuteLowerByInference),
    CUTE_HOOKS("with_barrier", inferWithBarrier, lowerWith),
    CUTE_HOOKS("with_cache", inferWithCache, lowerWith),
    CUTE_HOOKS("with_rows", inferWithRows, lowerWith),
    CUTE_HOOKS("with_tensor_map", cuteInferWithTensorMap,
               cuteLowerWithTensorMap),
    CUTE_HOOKS("copy_tensor_map", cuteInferCopyTensorMap,
               cuteLowerCopyTensorMap),
    CUTE_HOOKS("update_tensor_map", cuteInferUpdateTensorMap,
               cuteLowerUpdateTensorMap),
    CUTE_HOOKS("prefetch_descriptor", cuteOpInferNothing, lowerPrefetch),
    CUTE_HOOKS("cp_async_bulk_commit", cuteOpInferNothing, cuteLowerToTarget,
               "nvvm.cp.async.bulk.commit.group"),
    CUTE_HOOKS("cp_async_bulk_wait", cuteOpInferNothing, lowerBulkWait),
    CUTE_HOOKS("cp_async_bulk_wait_read", cuteOpInferNothing,
               lowerBulkWaitRead),
    {.name = NULL},
};
