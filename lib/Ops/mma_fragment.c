// Fragments of a tiled MMA: registers, descriptors of shared memory, and places
// in tensor memory.
#include "Hardware/atom.h"
#include "Hardware/mma_family.h"
#include "Ops/descriptors.h"
#include "Ops/lower_ops.h"

// Pushes the place of an operand from the start of tensor memory on.
static bool returnTmem(CuteOp *op, const CuteMmaAtom *atom,
                       CuteMmaOperand operand) {
  CuteContext c = op->context;
  CuteIntTuple shape = operandLayout(op, 1)->shape;
  if (!isTuple(shape) || shape->rank != 3)
    return cuteFail(c,
                    "the part of %s is ((rows,columns),RestM,RestN), as "
                    "partition_%s gives it",
                    cuteMmaOperandGetName(operand),
                    operand == CUTE_OPERAND_A ? "a" : "c");
  CuteIntTuple rest[] = {cuteIntTupleProduct(c, shape->elements[1]),
                         cuteIntTupleProduct(c, shape->elements[2])};
  CuteLayout layout =
      cuteMmaAtomGetTmemLayout(c, atom, operand, cuteInternTuple(c, 2, rest));
  return layout &&
         cuteOpPushResult(
             op, cuteTypeGetTensor(c, cuteMmaAtomGetElement(atom, operand),
                                   CUTE_TMEM, 16, layout));
}

// All but C follow the order of the partition's strides, so that registers fill
// as memory is read; C is compact.
static bool inferMakeFragmentOf(CuteOp *op, CuteMmaOperand operand) {
  CuteContext c = op->context;
  const CuteMmaAtom *atom = cuteTypeGetMmaAtomValue(op->operands[0]);
  if (cuteMmaAtomIsDescribed(atom, operand))
    return cuteOpReturnDescriptors(op, operand);
  if (cuteMmaAtomIsInTmem(atom, operand))
    return returnTmem(op, atom, operand);
  CuteLayout part = cuteLayoutGetOuter(c, operandLayout(op, 1));
  bool byShape = operand == CUTE_OPERAND_C || cuteLayoutGetNumDynamic(part);
  CuteLayout layout = byShape ? cuteLayoutGet(c, part->shape, NULL)
                              : cuteLayoutGetFragmentLike(c, part);
  if (!layout)
    return false;
  if (!cuteMmaAtomIsCompiled(atom))
    return cuteLoweringFailNotCompiled(c, atom->name);
  return cuteOpPushResult(
      op, cuteTypeGetTensor(c, cuteMmaAtomGetElement(atom, operand), CUTE_RMEM,
                            16, layout));
}

bool cuteOpInferMakeFragmentA(CuteOp *op) {
  return inferMakeFragmentOf(op, CUTE_OPERAND_A);
}
bool cuteOpInferMakeFragmentB(CuteOp *op) {
  return inferMakeFragmentOf(op, CUTE_OPERAND_B);
}
bool cuteOpInferMakeFragmentC(CuteOp *op) {
  return inferMakeFragmentOf(op, CUTE_OPERAND_C);
}

bool cuteOpInferMakeFragmentOperand(CuteOp *op) {
  CuteMmaOperand operand;
  return cuteOpGetMmaOperand(op, cuteTypeGetMmaAtomValue(op->operands[0]),
                             &operand) &&
         inferMakeFragmentOf(op, operand);
}

// The operand that a fragment is for.
static CuteMmaOperand fragmentOperand(CuteOp *op) {
  CuteMmaOperand operand = CUTE_OPERAND_A;
  if (op->numAttributes)
    cuteOpGetMmaOperand(op, cuteTypeGetMmaAtomValue(op->operands[0]), &operand);
  else if (op->decl->id == CUTE_OP_MAKE_FRAGMENT_B)
    operand = CUTE_OPERAND_B;
  return operand;
}

static bool lowerDescriptors(CuteLowering *l) {
  const CuteMmaAtom *atom = cuteTypeGetMmaAtomValue(l->op->operands[0]);
  const CuteLowered *part = cuteLoweringGetLowered(l, 1);
  CuteDescriptor descriptor;
  if (!cuteDescriptorGet(l->context, atom, fragmentOperand(l->op), part->type,
                         &descriptor))
    return false;
  MlirValue made = cuteLowerDescriptorAt(l, cuteMmaAtomIsTensor(atom),
                                         descriptor, part->pointer);
  return cuteLoweringReturnLowered(l, (CuteLowered){.type = l->op->results[0],
                                                    .pointer = made,
                                                    .start = part->start});
}

bool cuteLowerMakeFragment(CuteLowering *lowering) {
  if (!cuteOpInfer(lowering->op))
    return false;
  if (lowering->op->results[0]->space == CUTE_DESC)
    return lowerDescriptors(lowering);
  if (lowering->op->results[0]->space == CUTE_TMEM) {
    MlirType pointer = cuteLoweringPointerType(lowering, CUTE_TMEM);
    return cuteLoweringReturnLowered(
        lowering, (CuteLowered){.type = lowering->op->results[0],
                                .pointer = cuteBuildResult(&lowering->builder,
                                                           "llvm.mlir.zero", 0,
                                                           NULL, pointer)});
  }
  return cuteLoweringReturnLowered(
      lowering, cuteLoweringAllocate(lowering, lowering->op->results[0]));
}
