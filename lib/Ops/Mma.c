// Tiled MMA: construction, partitioning, fragments, gemm.
#include "Ops/lowering.h"
#include "Ops/ops.h"

//===-- Construction ------------------------------------------------------===//

static bool inferMakeTiledMma(CuteOp *op) {
  CuteContext c = op->context;
  CuteTile all = cuteTileGetUnderscore(c), none[] = {all, all, all};
  CuteTiledMma mma = {.atom = cuteTypeGetMmaAtomValue(op->operands[0]),
                      .atomLayout = operandLayout(op, 1),
                      .permutation = op->numOperands > 2
                                         ? cuteOpGetTiler(op, 2)
                                         : cuteTileGetTuple(c, 3, none)};
  return cuteOpPushResult(op, cuteTypeGetTiledMma(c, mma));
}

//===-- Partitioning ------------------------------------------------------===//

static bool inferPartition(CuteOp *op, CuteMmaOperand operand) {
  CuteIntTuple thread = cuteOpGetIndex(op, 2);
  if (!thread)
    return false;
  CuteType tensor = op->operands[1];
  return cuteOpReturnPartition(
      op, tensor,
      cuteTiledMmaPartition(op->context,
                            cuteTypeGetTiledMmaValue(op->operands[0]), operand,
                            tensor->layout, thread));
}

static bool inferPartitionA(CuteOp *op) {
  return inferPartition(op, CUTE_OPERAND_A);
}
static bool inferPartitionB(CuteOp *op) {
  return inferPartition(op, CUTE_OPERAND_B);
}
static bool inferPartitionC(CuteOp *op) {
  return inferPartition(op, CUTE_OPERAND_C);
}

//===-- Fragments ---------------------------------------------------------===//

static CuteElementType operandElement(const CuteMmaAtom *atom,
                                      CuteMmaOperand operand) {
  return operand == CUTE_OPERAND_A   ? atom->a
         : operand == CUTE_OPERAND_B ? atom->b
                                     : atom->c;
}

// A and B follow the order of the partition's strides, so that registers fill
// as memory is read; C is compact.
static bool inferMakeFragmentOf(CuteOp *op, CuteMmaOperand operand) {
  CuteContext c = op->context;
  CuteLayout part = cuteLayoutGetOuter(c, operandLayout(op, 1));
  bool byShape = operand == CUTE_OPERAND_C || cuteLayoutGetNumDynamic(part);
  CuteLayout layout = byShape ? cuteLayoutGet(c, part->shape, NULL)
                              : cuteLayoutGetFragmentLike(c, part);
  const CuteMmaAtom *atom = cuteTypeGetMmaAtomValue(op->operands[0]);
  if (!layout)
    return false;
  if (!cuteMmaAtomIsCompiled(atom))
    return cuteFailNotCompiled(c, atom->name);
  return cuteOpPushResult(op,
                          cuteTypeGetTensor(c, operandElement(atom, operand),
                                            CUTE_RMEM, 16, layout));
}

static bool inferMakeFragmentA(CuteOp *op) {
  return inferMakeFragmentOf(op, CUTE_OPERAND_A);
}
static bool inferMakeFragmentB(CuteOp *op) {
  return inferMakeFragmentOf(op, CUTE_OPERAND_B);
}
static bool inferMakeFragmentC(CuteOp *op) {
  return inferMakeFragmentOf(op, CUTE_OPERAND_C);
}

static bool lowerMakeFragmentOf(CuteLowering *lowering, CuteOp *op,
                                MlirOperation source) {
  if (!cuteOpInfer(op))
    return false;
  CuteLowered fragment = {
      .type = op->results[0],
      .pointer = cuteLoweringAllocate(lowering, op->results[0],
                                      mlirOperationGetLocation(source))};
  cuteLoweringSet(lowering, mlirOperationGetResult(source, 0), fragment);
  return true;
}

//===-- gemm --------------------------------------------------------------===//

static const char *const operandNames[] = {"D", "A", "B", "C"};

static CuteMmaOperand operandOf(size_t i) { // of operands D, A, B, C
  return i == 1 ? CUTE_OPERAND_A : i == 2 ? CUTE_OPERAND_B : CUTE_OPERAND_C;
}

// The number of values of an operand that one thread of the atom holds.
static int64_t atomValues(CuteContext c, const CuteMmaAtom *atom,
                          CuteMmaOperand operand) {
  CuteLayout tv = cuteMmaAtomGetLayout(c, atom, operand);
  return cuteIntTupleProduct(c, element(tv->shape, 1))->value;
}

// A signless integer stands for one without sign, too.
static bool holdsElement(CuteElementType found, CuteElementType wanted) {
  return found == wanted || cuteElementTypeGetSignless(wanted) == found;
}

static bool checkMmaOperand(CuteOp *op, const CuteMmaAtom *atom, size_t i) {
  CuteContext c = op->context;
  CuteType type = op->operands[i + 1];
  CuteElementType wanted =
      i == 0 ? atom->d : operandElement(atom, operandOf(i));
  CuteIntTuple values = cuteIntTupleProduct(c, element(type->layout->shape, 0));
  int64_t needed = atomValues(c, atom, operandOf(i));
  if (type->space == CUTE_RMEM &&
      holdsElement((CuteElementType)type->element, wanted) &&
      isStaticValue(values, needed))
    return true;
  CuteString text = {0};
  cuteAppendType(&text, type, CUTE_FORM_PRETTY);
  cuteFail(c,
           "operand %s of %s must be a tensor of %s in rmem with %lld values "
           "in mode 0, not %s",
           operandNames[i], atom->name, cuteElementTypeGetName(wanted),
           (long long)needed, cuteStringGet(&text));
  cuteStringDestroy(&text);
  return false;
}

static bool checkMmaOperands(CuteOp *op) {
  const CuteMmaAtom *atom = cuteTypeGetMmaAtomValue(op->operands[0]);
  if (!cuteMmaAtomIsCompiled(atom))
    return cuteFailNotCompiled(op->context, atom->name);
  for (size_t i = 0; i < 4; ++i)
    if (!checkMmaOperand(op, atom, i))
      return false;
  return true;
}

// Modes `i` of two operands have the same extent (a missing one counts as 1).
static bool checkExtents(CuteOp *op, size_t x, size_t xMode, size_t y,
                         size_t yMode) {
  CuteContext c = op->context;
  CuteIntTuple shapes[2] = {op->operands[x + 1]->layout->shape,
                            op->operands[y + 1]->layout->shape};
  size_t modes[2] = {xMode, yMode};
  int64_t extents[2];
  for (int i = 0; i < 2; ++i)
    extents[i] =
        modes[i] < shapes[i]->rank
            ? cuteIntTupleProduct(c, element(shapes[i], modes[i]))->value
            : 1;
  if (extents[0] == extents[1])
    return true;
  cuteFail(c,
           "mode %zu of operand %s has extent %lld, but mode %zu of operand %s "
           "%lld",
           xMode, operandNames[x], (long long)extents[0], yMode,
           operandNames[y], (long long)extents[1]);
  return false;
}

static bool inferGemm(CuteOp *op) {
  enum { D, A, B, C };
  if (!checkMmaOperands(op))
    return false;
  for (size_t i = 0; i < 4; ++i) {
    size_t most = 3, rank = cuteLayoutGetRank(op->operands[i + 1]->layout);
    if (rank <= most)
      continue;
    cuteFail(op->context,
             "operand %s has %zu modes, at most (V,M,K), (V,N,K) "
             "or (V,M,N) are expected",
             operandNames[i], rank);
    return false;
  }
  return checkExtents(op, A, 1, C, 1) && checkExtents(op, B, 1, C, 2) &&
         checkExtents(op, A, 2, B, 2) && checkExtents(op, D, 1, C, 1) &&
         checkExtents(op, D, 2, C, 2);
}

static bool inferMmaAtomCall(CuteOp *op) {
  if (!checkMmaOperands(op))
    return false;
  for (size_t i = 0; i < 4; ++i) {
    if (cuteLayoutGetRank(op->operands[i + 1]->layout) == 1)
      continue;
    cuteFail(op->context, "operand %s must have one mode, the atom's values",
             operandNames[i]);
    return false;
  }
  return true;
}

const CuteOpHooks cuteMmaOps[] = {
    {.name = "make_tiled_mma", .infer = inferMakeTiledMma},
    {.name = "partition_a", .infer = inferPartitionA, .lower = cuteLowerView1},
    {.name = "partition_b", .infer = inferPartitionB, .lower = cuteLowerView1},
    {.name = "partition_c", .infer = inferPartitionC, .lower = cuteLowerView1},
    {.name = "make_fragment_a",
     .infer = inferMakeFragmentA,
     .lower = lowerMakeFragmentOf},
    {.name = "make_fragment_b",
     .infer = inferMakeFragmentB,
     .lower = lowerMakeFragmentOf},
    {.name = "make_fragment_c",
     .infer = inferMakeFragmentC,
     .lower = lowerMakeFragmentOf},
    {.name = "gemm", .infer = inferGemm, .lower = cuteLowerUnexpanded},
    {.name = "mma_atom_call",
     .infer = inferMmaAtomCall,
     .lower = cuteLowerMmaAtomCall},
    {.name = NULL},
};
