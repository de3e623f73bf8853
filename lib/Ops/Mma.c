// Tiled MMA: construction, partitioning, fragments, gemm.
#include "Ops/lowering.h"
#include "Ops/ops.h"

//===-- Construction ------------------------------------------------------===//

static bool inferMakeTiledMma(CuteOp *op) {
  CuteContext c = op->context;
  CuteTile all = cuteTileGetUnderscore(c), none[] = {all, all, all};
  CuteTiledMma mma = {.atom = cuteTypeGetMmaAtomValue(op->operands[0]),
                      .atomLayout = cuteOpGetLayout(op, 1),
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

// The operand ranks of gemm, as CuTe has them. Without a mode of values the
// atom has one value of each operand.
typedef struct Form {
  size_t rankAB, rankCD;
  bool hasValues;
  const char *text;
} Form;

static const Form forms[] = {{1, 1, true, "(V) x (V) -> (V)"},
                             {2, 3, true, "(V,M) x (V,N) -> (V,M,N)"},
                             {3, 3, true, "(V,M,K) x (V,N,K) -> (V,M,N)"},
                             {1, 2, false, "(M) x (N) -> (M,N)"},
                             {2, 2, false, "(M,K) x (N,K) -> (M,N)"}};

static size_t rankOf(const CuteOp *op, size_t i) { // of operands D, A, B, C
  return cuteLayoutGetRank(op->operands[i + 1]->layout);
}

bool cuteGemmHasValues(const CuteOp *op) { return rankOf(op, 3) != 2; }

static const Form *findForm(CuteOp *op) {
  for (size_t i = 0; i < sizeof forms / sizeof *forms; ++i)
    if (rankOf(op, 1) == forms[i].rankAB && rankOf(op, 2) == forms[i].rankAB &&
        rankOf(op, 0) == forms[i].rankCD && rankOf(op, 3) == forms[i].rankCD)
      return &forms[i];
  CuteString text = {0};
  for (size_t i = 0; i < sizeof forms / sizeof *forms; ++i)
    cuteStringAppendFormat(&text, "%s%s", i ? ", " : "", forms[i].text);
  cuteFail(op->context,
           "A, B, C and D have %zu, %zu, %zu and %zu modes; possible are %s",
           rankOf(op, 1), rankOf(op, 2), rankOf(op, 3), rankOf(op, 0),
           cuteStringGet(&text));
  cuteStringDestroy(&text);
  return NULL;
}

static bool failMmaOperand(CuteOp *op, const CuteMmaAtom *atom, size_t i,
                           CuteElementType wanted, int64_t values) {
  CuteType type = op->operands[i + 1];
  bool isInput = i == 1 || i == 2;
  CuteString text = {0};
  cuteAppendType(&text, type, CUTE_FORM_PRETTY);
  cuteFail(op->context,
           "operand %s of %s must be a tensor of %s in rmem%s with %lld values "
           "in mode 0, not %s%s",
           operandNames[i], atom->name, cuteElementTypeGetName(wanted),
           isInput ? " or smem" : "", (long long)values, cuteStringGet(&text),
           type->space == CUTE_GMEM ? "; copy it to registers first" : "");
  cuteStringDestroy(&text);
  return false;
}

// A and B may also be in shared memory, where they are read as they are used.
static bool checkMmaOperand(CuteOp *op, const CuteMmaAtom *atom, size_t i,
                            bool hasValues) {
  CuteContext c = op->context;
  CuteType type = op->operands[i + 1];
  CuteElementType wanted =
      i == 0 ? atom->d : operandElement(atom, operandOf(i));
  int64_t needed = atomValues(c, atom, operandOf(i));
  CuteIntTuple values =
      hasValues && cuteLayoutGetRank(type->layout)
          ? cuteIntTupleProduct(c, element(type->layout->shape, 0))
          : staticInt(c, 1);
  bool isShared = type->space == CUTE_SMEM && (i == 1 || i == 2);
  if ((type->space == CUTE_RMEM || isShared) &&
      holdsElement((CuteElementType)type->element, wanted) &&
      isStaticValue(values, needed))
    return true;
  return failMmaOperand(op, atom, i, wanted, needed);
}

static bool checkMmaOperands(CuteOp *op, bool hasValues) {
  const CuteMmaAtom *atom = cuteTypeGetMmaAtomValue(op->operands[0]);
  if (!cuteMmaAtomIsCompiled(atom))
    return cuteFailNotCompiled(op->context, atom->name);
  for (size_t i = 0; i < 4; ++i)
    if (!checkMmaOperand(op, atom, i, hasValues))
      return false;
  return true;
}

static bool failExtents(CuteOp *op, const char *what, const size_t *operands,
                        const size_t *modes, const CuteIntTuple *extents) {
  CuteString text = {0};
  for (int i = 0; i < 2; ++i) {
    cuteStringAppendFormat(&text,
                           i ? ", but mode %zu of operand %s "
                             : "mode %zu of operand %s has extent ",
                           modes[i], operandNames[operands[i]]);
    cuteAppendTuple(&text, extents[i]);
  }
  cuteStringAppendFormat(&text, " (%s)", what);
  for (int i = 0; i < 2; ++i) {
    cuteStringAppendFormat(&text, i ? " and %s " : "; %s is ",
                           operandNames[operands[i]]);
    cuteAppendLayout(&text, op->operands[operands[i] + 1]->layout);
  }
  cuteFail(op->context, "%s", cuteStringGet(&text));
  cuteStringDestroy(&text);
  return false;
}

// Mode M, N or K of operand x is that of operand y, and static.
static bool checkExtents(CuteOp *op, const char *what, size_t x, size_t xMode,
                         size_t y, size_t yMode) {
  size_t operands[] = {x, y}, modes[] = {xMode, yMode};
  CuteIntTuple extents[2];
  for (int i = 0; i < 2; ++i)
    extents[i] = cuteIntTupleProduct(
        op->context,
        element(op->operands[operands[i] + 1]->layout->shape, modes[i]));
  return (isStatic(extents[0]) && extents[0] == extents[1]) ||
         failExtents(op, what, operands, modes, extents);
}

static bool checkForm(CuteOp *op, const CuteMmaAtom *atom, const Form *form) {
  for (int i = CUTE_OPERAND_A; !form->hasValues && i <= CUTE_OPERAND_C; ++i) {
    if (atomValues(op->context, atom, (CuteMmaOperand)i) == 1)
      continue;
    cuteFail(
        op->context,
        "%s is for atoms with one value of each operand; %s has more, which "
        "are mode 0 (V)",
        form->text, atom->name);
    return false;
  }
  return true;
}

static bool inferGemm(CuteOp *op) {
  enum { D, A, B, C };
  const CuteMmaAtom *atom = cuteTypeGetMmaAtomValue(op->operands[0]);
  if (!cuteMmaAtomIsCompiled(atom))
    return cuteFailNotCompiled(op->context, atom->name);
  const Form *form = findForm(op);
  if (!form || !checkForm(op, atom, form) ||
      !checkMmaOperands(op, form->hasValues))
    return false;
  size_t m = form->hasValues, k = m + 1;
  bool hasMN = form->rankCD > 1, hasK = form->rankAB > k;
  return (!hasMN || (checkExtents(op, "M", A, m, C, m) &&
                     checkExtents(op, "N", B, m, C, m + 1) &&
                     checkExtents(op, "M", D, m, C, m) &&
                     checkExtents(op, "N", D, m + 1, C, m + 1))) &&
         (!hasK || checkExtents(op, "K", A, k, B, k));
}

static bool inferMmaAtomCall(CuteOp *op) {
  if (!checkMmaOperands(op, true))
    return false;
  for (size_t i = 0; i < 4; ++i) {
    if (rankOf(op, i) <= 1)
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
