// Tiled MMA: construction, partitioning, fragments, gemm.
#include "Hardware/atom.h"
#include "Hardware/mma_family.h"
#include "Ops/descriptors.h"
#include "Ops/lower_ops.h"

//===-- Construction ------------------------------------------------------===//

static CuteLayout singleAtom(CuteContext c) {
  CuteIntTuple one = staticInt(c, 1), ones[] = {one, one, one};
  return cuteLayoutGet(c, cuteInternTuple(c, 3, ones), NULL);
}

static bool inferMakeTiledMma(CuteOp *op) {
  CuteContext c = op->context;
  CuteTile all = cuteTileGetUnderscore(c), none[] = {all, all, all};
  CuteTiledMma mma = {.atom = cuteTypeGetMmaAtomValue(op->operands[0]),
                      .atomLayout = op->numOperands > 1 ? cuteOpGetLayout(op, 1)
                                                        : singleAtom(c),
                      .permutation = op->numOperands > 2
                                         ? cuteOpGetTiler(op, 2)
                                         : cuteTileGetTuple(c, 3, none)};
  return cuteOpPushResult(op, cuteTypeGetTiledMma(c, mma));
}

//===-- Partitioning ------------------------------------------------------===//

// Fails for a tensor of floats of as many bits as operand A or B, and of
// another type. Elements of other widths are converted after they are loaded.
static bool checkPartitioned(CuteOp *op, CuteMmaOperand operand) {
  const CuteMmaAtom *atom = cuteTypeGetMmaAtomValue(op->operands[0]);
  CuteElementType wanted = cuteMmaAtomGetElement(atom, operand);
  CuteElementType found = (CuteElementType)op->operands[1]->element;
  bool isFloat =
      cuteElementTypeIsFloat(found) && cuteElementTypeIsFloat(wanted);
  if (operand > CUTE_OPERAND_B ||
      !cuteTypeIsKind(op->operands[1], CUTE_TYPE_TENSOR) || !isFloat ||
      cuteMmaHoldsElement(found, wanted) ||
      cuteElementTypeGetBits(wanted) > 16 ||
      cuteElementTypeGetBits(found) != cuteElementTypeGetBits(wanted))
    return true;
  cuteFail(op->context,
           "operand %s of %s has elements of %s; %s has the same width but "
           "encodes other numbers",
           cuteMmaOperandGetName(operand), atom->name,
           cuteElementTypeGetName(wanted), cuteElementTypeGetName(found));
  cuteOpNote(op,
             "'cutec --list-atoms' lists atoms for %s; to reinterpret the "
             "bits, use cute.recast_tensor",
             cuteElementTypeGetName(found));
  return false;
}

static bool inferPartition(CuteOp *op, CuteMmaOperand operand) {
  CuteIntTuple thread = cuteOpGetIndex(op, 2);
  if (!thread || !checkPartitioned(op, operand))
    return false;
  return cuteOpReturnPartition(
      op, op->operands[1],
      cuteTiledMmaPartition(op->context, MMA(0), operand, LAYOUT(1), thread));
}

CUTE_INFER(inferPartitionVariant, inferPartition, (CuteMmaOperand)VARIANT);

static bool inferPartitionOperand(CuteOp *op) {
  CuteMmaOperand operand;
  return cuteOpGetMmaOperand(op, cuteTypeGetMmaAtomValue(op->operands[0]),
                             &operand) &&
         inferPartition(op, operand);
}

//===-- gemm --------------------------------------------------------------===//

// Operand i of those after the MMA: D, and the inputs. D is held as C is.
static CuteMmaOperand operandOf(const CuteMmaAtom *atom, size_t i) {
  CuteMmaOperand inputs[CUTE_NUM_MMA_OPERANDS];
  cuteMmaAtomGetInputs(atom, inputs);
  return i ? inputs[i - 1] : CUTE_OPERAND_C;
}

static const CuteMmaAtom *atomOf(const CuteOp *op) {
  return cuteTypeGetMmaAtomValue(op->operands[0]);
}

static const char *operandName(const CuteOp *op, size_t i) {
  return i ? cuteMmaOperandGetName(operandOf(atomOf(op), i)) : "D";
}

// The MMA and the tensors; an integer may follow.
static size_t numTensors(const CuteOp *op) {
  size_t n = 1;
  while (n < op->numOperands && op->operands[n]->kind == CUTE_TYPE_TENSOR)
    ++n;
  return n;
}

// Tells whether the products are added in place, later, and an i1 may say that
// C is not.
static bool isAsynchronous(const CuteMmaAtom *atom) {
  return cuteMmaAtomIsWarpgroup(atom) || cuteMmaAtomIsTensor(atom);
}

static bool failCondition(CuteOp *op, const CuteMmaAtom *atom) {
  if (isAsynchronous(atom))
    return cuteFail(op->context,
                    "the operand that says whether to add C must be an i1, "
                    "before the lanes that are left out");
  return cuteFail(op->context,
                  "%s always adds C; only atoms of wgmma and tcgen05.mma take "
                  "an i1 that says whether to add it",
                  atom->name);
}

// Checks that there is a bit for each lane of the blocks that multiply.
static bool checkLanes(CuteOp *op, const CuteMmaAtom *atom, size_t i) {
  enum { WORDS = 4 }; // of a block's 128 lanes
  const CuteMmaFamily *family = atom->family;
  CuteStringRef found = op->operands[i]->foreign;
  char wanted[24];
  if (!family || family->scales || family->isStationary)
    return cuteFail(op->context,
                    "%s writes all lanes of D; only atoms of tcgen05.mma "
                    "without factors, but _WS, leave some out",
                    atom->name);
  snprintf(wanted, sizeof wanted, "vector<%dxi32>", WORDS * family->ctas);
  return cuteTextEquals(found, wanted) ||
         cuteFail(op->context,
                  "the lanes of D that %s leaves out must be a %s, a bit for "
                  "each lane of %s, not a %.*s",
                  atom->name, wanted, family->ctas > 1 ? "both blocks" : "D",
                  CUTE_TEXT(found));
}

static bool checkCount(CuteOp *op, const CuteMmaAtom *atom) {
  CuteMmaOperand inputs[CUTE_NUM_MMA_OPERANDS];
  size_t n = cuteMmaAtomGetInputs(atom, inputs), tensors = numTensors(op);
  size_t others = op->numOperands - tensors, at = tensors;
  if (tensors == n + 2 && others < 2u + isAsynchronous(atom)) {
    if (others && isAsynchronous(atom) &&
        cuteTextEquals(op->operands[at]->foreign, "i1"))
      ++at;
    if (at + 1 == op->numOperands &&
        cuteTextStartsWith(op->operands[at]->foreign, "vector<"))
      return checkLanes(op, atom, at);
    return at == op->numOperands || failCondition(op, atom);
  }
  CuteString has = {0};
  cuteMmaAtomAppendInputs(&has, atom);
  return cuteFail(op->context, "%s takes %zu operands, D, %s, not %zu%s",
                  atom->name, n + 1,
                  cuteArenaTakeString(&op->context->scratch, &has), tensors - 1,
                  others ? " followed by others" : "");
}

// The number of values of an operand that one thread of the atom holds.
static int64_t atomValues(CuteContext c, const CuteMmaAtom *atom,
                          CuteMmaOperand operand) {
  CuteLayout tv = cuteMmaAtomGetLayout(c, atom, operand);
  return cuteIntTupleProduct(c, element(tv->shape, 1))->value;
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

bool cuteMmaHasValues(const CuteOp *op) { return rankOf(op, 3) != 2; }

static bool hasForm(const CuteOp *op, const Form *form) {
  for (size_t i = 0; i + 1 < numTensors(op); ++i)
    if (rankOf(op, i) != (i == 0 || i == 3 ? form->rankCD : form->rankAB))
      return false;
  return true;
}

static const Form *findForm(CuteOp *op) {
  for (size_t i = 0; i < sizeof forms / sizeof *forms; ++i)
    if (hasForm(op, &forms[i]))
      return &forms[i];
  CuteString text = {0};
  for (size_t i = 0; i < sizeof forms / sizeof *forms; ++i)
    cuteStringAppendFormat(&text, "%s%s", i ? ", " : "", forms[i].text);
  return cuteFail(
      op->context,
      "A, B, C and D have %zu, %zu, %zu and %zu modes; possible are %s%s",
      rankOf(op, 1), rankOf(op, 2), rankOf(op, 3), rankOf(op, 0),
      cuteArenaTakeString(&op->context->scratch, &text),
      numTensors(op) > 5 ? ", and those after C have as many as A" : "");
}

static bool failMmaOperand(CuteOp *op, const CuteMmaAtom *atom, size_t i,
                           CuteElementType wanted, int64_t values) {
  CuteType type = op->operands[i + 1];
  bool isInput = i != 0 && i != 3;
  return cuteFail(
      op->context,
      "operand %s of %s must be a tensor of %s in rmem%s with %jd values in "
      "mode 0, not %s%s",
      operandName(op, i), atom->name, cuteElementTypeGetName(wanted),
      isInput ? " or smem" : "", values, cuteTypeText(op->context, type),
      type->space == CUTE_GMEM ? "; copy it to registers first" : "");
}

// Checks an operand in tensor memory: its values lie where the atom has them.
static bool checkTmemOperand(CuteOp *op, const CuteMmaAtom *atom, size_t i) {
  CuteContext c = op->context;
  CuteType type = op->operands[i + 1];
  CuteMmaOperand operand = operandOf(atom, i);
  CuteElementType wanted = cuteMmaAtomGetElement(atom, operand);
  CuteIntTuple one = staticInt(c, 1), ones[] = {one, one};
  CuteLayout place =
      cuteMmaAtomGetTmemLayout(c, atom, operand, cuteInternTuple(c, 2, ones));
  Mode values = place ? modeElement(layoutMode(place), 0) : (Mode){NULL, NULL};
  Mode found = layoutMode(cuteLayoutGetOuter(c, type->layout));
  found = isTuple(found.shape) ? modeElement(found, 0) : found;
  if (!place)
    return false;
  if (type->space == CUTE_TMEM && cuteMmaHoldsElement(type->element, wanted) &&
      cuteLayoutCoalesce(c, cuteInternLayout(c, found), NULL) ==
          cuteLayoutCoalesce(c, cuteInternLayout(c, values), NULL))
    return true;
  return cuteFail(
      c,
      "operand %s of %s must be a tensor in tmem of %s whose mode 0 is %s, as "
      "fragments have it, not %s",
      operandName(op, i), atom->name, cuteElementTypeGetName(wanted),
      cuteLayoutText(c, cuteInternLayout(c, values)), cuteTypeText(c, type));
}

// Sums and A are in registers, or A and B in desc, of whole units of 16 bytes.
static bool checkAsynchronousOperand(CuteOp *op, const CuteMmaAtom *atom,
                                     size_t i, CuteIntTuple values) {
  CuteType type = op->operands[i + 1];
  CuteMmaOperand operand = operandOf(atom, i);
  bool isDescribed = cuteMmaAtomIsDescribed(atom, operand);
  CuteElementType wanted = isDescribed ? cuteDescriptorGetElement(atom, operand)
                                       : cuteMmaAtomGetElement(atom, operand);
  int64_t needed = atomValues(op->context, atom, operand);
  CuteIntTuple offset = type->layout->offset;
  int64_t unit = 128 / cuteElementTypeGetBits(wanted);
  if (cuteMmaAtomIsInTmem(atom, operand))
    return checkTmemOperand(op, atom, i);
  if (type->space == (isDescribed ? CUTE_DESC : CUTE_RMEM) &&
      cuteMmaHoldsElement(type->element, wanted) &&
      isStaticValue(values, needed) &&
      (!isDescribed || !offset || cuteLeafDivisor(offset) % unit == 0))
    return true;
  return cuteFail(
      op->context,
      "operand %s of %s must be %s of %s with %jd values in mode 0, not %s",
      operandName(op, i), atom->name,
      isDescribed ? "a tensor of descriptors (make_fragment_a, _b) in whole "
                    "units of 16 bytes"
                  : "a tensor in rmem",
      cuteElementTypeGetName(wanted), needed, cuteTypeText(op->context, type));
}

// All but C and D may also be in shared memory, where they are read as they are
// used.
static bool checkMmaOperand(CuteOp *op, const CuteMmaAtom *atom, size_t i,
                            bool hasValues) {
  CuteContext c = op->context;
  CuteType type = op->operands[i + 1];
  CuteElementType wanted =
      i == 0 ? atom->d : cuteMmaAtomGetElement(atom, operandOf(atom, i));
  int64_t needed = atomValues(c, atom, operandOf(atom, i));
  CuteIntTuple values =
      hasValues && cuteLayoutGetRank(type->layout)
          ? cuteIntTupleProduct(c, element(type->layout->shape, 0))
          : staticInt(c, 1);
  if (isAsynchronous(atom))
    return checkAsynchronousOperand(op, atom, i, values);
  bool isShared = type->space == CUTE_SMEM && i != 0 && i != 3;
  if ((type->space == CUTE_RMEM || isShared) &&
      cuteMmaHoldsElement(type->element, wanted) &&
      isStaticValue(values, needed))
    return true;
  return failMmaOperand(op, atom, i, wanted, needed);
}

static bool checkMmaOperands(CuteOp *op, bool hasValues) {
  const CuteMmaAtom *atom = atomOf(op);
  if (!cuteMmaAtomIsCompiled(atom))
    return cuteLoweringFailNotCompiled(op->context, atom->name);
  if (!checkCount(op, atom))
    return false;
  for (size_t i = 0; i + 1 < numTensors(op); ++i)
    if (!checkMmaOperand(op, atom, i, hasValues))
      return false;
  return true;
}

static bool failExtents(CuteOp *op, const char *what, const size_t *operands,
                        const size_t *modes, const CuteIntTuple *extents) {
  CuteContext c = op->context;
  const char *names[2], *shown[2], *layouts[2];
  for (int i = 0; i < 2; ++i) {
    names[i] = operandName(op, operands[i]);
    shown[i] = cuteTupleText(c, extents[i]);
    layouts[i] = cuteLayoutText(c, op->operands[operands[i] + 1]->layout);
  }
  return cuteFail(c,
                  "mode %zu of operand %s has extent %s, but mode %zu of "
                  "operand %s %s (%s); %s is %s and %s %s",
                  modes[0], names[0], shown[0], modes[1], names[1], shown[1],
                  what, names[0], layouts[0], names[1], layouts[1]);
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
    return cuteFail(op->context,
                    "%s is for atoms with one value per operand; %s has more, "
                    "in mode 0 (V)",
                    form->text, atom->name);
  }
  return true;
}

enum { D, A, B, C, EXTRAS }; // operands after the MMA

// Those after C go along with A or with B, and in K with A.
static bool checkExtras(CuteOp *op, size_t m, bool hasMN, bool hasK) {
  for (size_t i = EXTRAS; i + 1 < numTensors(op); ++i) {
    bool isOfB = operandOf(atomOf(op), i) == CUTE_OPERAND_SFB;
    if (hasMN && !checkExtents(op, isOfB ? "N" : "M", i, m, isOfB ? B : A, m))
      return false;
    if (hasK && !checkExtents(op, "K", i, m + 1, A, m + 1))
      return false;
  }
  return true;
}

static bool inferGemm(CuteOp *op) {
  const CuteMmaAtom *atom = atomOf(op);
  if (!cuteMmaAtomIsCompiled(atom))
    return cuteLoweringFailNotCompiled(op->context, atom->name);
  const Form *form = checkCount(op, atom) ? findForm(op) : NULL;
  if (!form || !checkForm(op, atom, form) ||
      !checkMmaOperands(op, form->hasValues))
    return false;
  size_t m = form->hasValues, k = m + 1;
  bool hasMN = form->rankCD > 1, hasK = form->rankAB > k;
  return (!hasMN || (checkExtents(op, "M", A, m, C, m) &&
                     checkExtents(op, "N", B, m, C, m + 1) &&
                     checkExtents(op, "M", D, m, C, m) &&
                     checkExtents(op, "N", D, m + 1, C, m + 1))) &&
         (!hasK || checkExtents(op, "K", A, k, B, k)) &&
         checkExtras(op, m, hasMN, hasK);
}

static bool inferMmaAtomCall(CuteOp *op) {
  if (!checkMmaOperands(op, true))
    return false;
  for (size_t i = 0; i + 1 < numTensors(op); ++i) {
    if (rankOf(op, i) <= 1)
      continue;
    return cuteFail(op->context,
                    "operand %s must have one mode, the atom's values",
                    operandName(op, i));
  }
  return true;
}

const CuteOpHooks cuteMmaOps[] = {
    CUTE_HOOKS("make_tiled_mma", inferMakeTiledMma),
    CUTE_HOOKS("partition_a", inferPartitionVariant, .variant = CUTE_OPERAND_A),
    CUTE_HOOKS("partition_b", inferPartitionVariant, .variant = CUTE_OPERAND_B),
    CUTE_HOOKS("partition_c", inferPartitionVariant, .variant = CUTE_OPERAND_C),
    CUTE_HOOKS("partition_operand", inferPartitionOperand),
    CUTE_HOOKS("make_fragment_a", cuteOpInferMakeFragmentA,
               cuteLowerMakeFragment),
    CUTE_HOOKS("make_fragment_b", cuteOpInferMakeFragmentB,
               cuteLowerMakeFragment),
    CUTE_HOOKS("make_fragment_c", cuteOpInferMakeFragmentC,
               cuteLowerMakeFragment),
    CUTE_HOOKS("make_fragment_operand", cuteOpInferMakeFragmentOperand,
               cuteLowerMakeFragment),
    CUTE_HOOKS("gemm", inferGemm, cuteLowerUnexpanded),
    CUTE_HOOKS("mma_atom_call", inferMmaAtomCall, cuteLowerMmaAtomCall),
    {.name = NULL},
};
