// Copies that move less at once than their layouts have side by side.
#include "Lint/lint.h"

#include "Ops/copy_atoms.h"

enum { WIDEST_BITS = 128 };

// A copy with the types that it would have if more were promised.
typedef struct Copy {
  CuteContext context;
  const CuteAccess *access;
  CuteType types[2]; // source, destination; without bound leaves
  CuteType roots[2]; // what they are part of; null: not known
  bool isAtom;       // of a fixed width
  int64_t widest;    // elements, if everything were promised
} Copy;

//===-- Promises ----------------------------------------------------------===//

// A promise that an access lacks: none, the alignment, or one of a dynamic
// leaf.
typedef struct Lack {
  int side;
  bool align;
  size_t leaf; // SIZE_MAX: none
} Lack;

static const Lack nothing = {-1, false, SIZE_MAX};

static int64_t bitsOf(CuteType type) {
  return cuteElementTypeGetBits(type->element);
}

// Leaves of strides and offsets as multiples of what the widest access has.
static CuteType promise(const Copy *copy, int side, Lack lack) {
  CuteContext c = copy->context;
  CuteType type = copy->types[side];
  if (type->space == CUTE_RMEM)
    return type;
  size_t n = cuteTypeGetNumDynamic(type);
  CuteIntTuple *leaves = cuteArenaAllocate(&c->scratch, n * sizeof *leaves);
  cuteTypeGetDynamicLeaves(type, leaves);
  bool isLacking = side == lack.side;
  for (size_t i = type->layout->shape->numDynamic; i < n; ++i)
    if (!isLacking || lack.leaf != i)
      leaves[i] = cuteDynamicLeaf(c, leaves[i]->width,
                                  leaves[i]->value * WIDEST_BITS, 0);
  CuteType bound = cuteTypeBind(c, type, leaves);
  bool isAligned = type->align >= WIDEST_BITS / 8 || (isLacking && lack.align);
  return cuteTypeGetTensor(c, type->element, (CuteSpace)type->space,
                           isAligned ? type->align : WIDEST_BITS / 8,
                           bound->layout);
}

static int64_t widthWithout(const Copy *copy, Lack lack) {
  CuteType source = promise(copy, 0, lack);
  CuteType destination = promise(copy, 1, lack);
  if (!source || !destination)
    return 1;
  return cuteVectorCopyGetRuns(copy->context, source, destination, WIDEST_BITS,
                               false)
      .length;
}

//===-- Messages ----------------------------------------------------------===//

static const char *const sideNames[] = {"the source", "the destination"};

// The top-level mode that dynamic leaf i of the type lies in, of the stride; -1
// for one of an offset.
static int modeOfLeaf(CuteType type, size_t i) {
  CuteIntTuple stride = type->layout->stride;
  i -= type->layout->shape->numDynamic;
  if (i >= stride->numDynamic)
    return -1;
  if (!isTuple(stride))
    return 0;
  for (size_t mode = 0; mode < stride->rank; ++mode) {
    if (i < stride->elements[mode]->numDynamic)
      return (int)mode;
    i -= stride->elements[mode]->numDynamic;
  }
  return -1;
}

// The tensor is aligned where the whole begins, but its part begins at
// multiples of strides about which too little is known.
static void appendRootLacks(CuteString *text, const Copy *copy, int side) {
  CuteType root = copy->roots[side];
  int64_t bytes = copy->widest * bitsOf(copy->types[side]) / 8;
  if (!cuteTypeIsKind(root, CUTE_TYPE_TENSOR) || root->align < bytes)
    return;
  size_t n = cuteTypeGetNumDynamic(root);
  CuteIntTuple *leaves =
      cuteArenaAllocate(&copy->context->scratch, n * sizeof *leaves);
  cuteTypeGetDynamicLeaves(root, leaves);
  const char *between = ", for want of ";
  for (size_t i = root->layout->shape->numDynamic; i < n; ++i) {
    if (leaves[i]->value % copy->widest == 0 || modeOfLeaf(root, i) < 0)
      continue;
    cuteStringAppendFormat(text, "%s?{div=%jd} in the stride of mode %d",
                           between, copy->widest, modeOfLeaf(root, i));
    between = " and ";
  }
  if (*between == ' ')
    cuteStringAppend(text, " of the tensor that it is part of");
}

static void appendLack(CuteString *text, const Copy *copy, Lack lack) {
  CuteType type = copy->types[lack.side];
  cuteStringAppend(text, text->length ? "; " : "");
  cuteStringAppendFormat(text, "%s needs ", sideNames[lack.side]);
  if (lack.align) {
    cuteStringAppendFormat(text, "align<%jd>, and has align<%jd>",
                           (copy->widest * bitsOf(type) / 8), type->align);
    appendRootLacks(text, copy, lack.side);
    return;
  }
  int mode = modeOfLeaf(type, lack.leaf);
  cuteStringAppendFormat(text, "?{div=%jd} ", copy->widest);
  if (mode < 0)
    cuteStringAppend(text, "in the offset of its layout");
  else
    cuteStringAppendFormat(text, "in the stride of mode %d", mode);
}

// Each promise without which less could be taken at once.
static void appendLacks(CuteString *text, const Copy *copy) {
  for (int side = 0; side < 2; ++side) {
    CuteType type = copy->types[side];
    if (type->space == CUTE_RMEM)
      continue;
    Lack align = {side, true, SIZE_MAX};
    if (widthWithout(copy, align) < copy->widest)
      appendLack(text, copy, align);
    size_t n = cuteTypeGetNumDynamic(type);
    for (size_t i = type->layout->shape->numDynamic; i < n; ++i) {
      Lack leaf = {side, false, i};
      if (widthWithout(copy, leaf) < copy->widest)
        appendLack(text, copy, leaf);
    }
  }
}

static void tellOfWidth(CuteLint *lint, const Copy *copy) {
  const CuteAccess *a = copy->access;
  int64_t bytes = copy->widest * bitsOf(a->type) / 8;
  CUTE_SCOPED(String) lacks = {0}, note = {0};
  appendLacks(&lacks, copy);
  bool isBasic =
      cuteDialectIsOp(lint->kernel.dialect, a->op, CUTE_OP_BASIC_COPY);
  if (!(lacks.length && a->isConditional)) { // where the promise may not hold
    if (lacks.length)
      cuteStringAppend(&note, "if it holds, promise it with cute.assume");
    if (copy->isAtom)
      cuteStringAppendFormat(&note, "%sa copy atom of %jd bits moves as much",
                             note.length ? ", and " : "", bytes * 8);
    if (isBasic)
      cuteStringAppendFormat(&note,
                             "%scute.autovec_copy moves as much as it can",
                             note.length ? ", and " : "");
    cuteLintEmit(lint, a->op, CUTE_SEVERITY_WARNING, cuteStringGet(&note),
                 "moves %d byte%s at once where %jd lie side by side%s%s",
                 a->bytes, a->bytes == 1 ? "" : "s", bytes,
                 lacks.length ? ": " : "", cuteStringGet(&lacks));
  }
}

//===-- Copies ------------------------------------------------------------===//

// Null in functions, whose operands are others in each call.
static CuteType rootType(const CuteLint *lint, const CuteAccess *a,
                         intptr_t i) {
  const CuteFollowed *followed =
      a->call ? NULL
              : cuteFollowGet(&lint->kernel.follow[0], getOperand(a->op, i));
  return followed
             ? cuteDialectGetValueType(lint->kernel.dialect, followed->root)
             : NULL;
}

// Gives the operand that is the source; -1 for ops that do not copy tensors or
// have a predicate for each element.
static intptr_t sourceOf(const CuteOpTraits *traits) {
  return traits->predicate >= 0 && traits->by < 0 ? CUTE_NO_OPERAND
                                                  : traits->source;
}

static bool isOfFixedWidth(const CuteLint *lint, MlirOperation op) {
  CuteType first = cuteDialectGetOperandType(lint->kernel.dialect, op, 0);
  return (cuteTypeIsKind(first, CUTE_TYPE_TILED_COPY) ||
          cuteTypeIsKind(first, CUTE_TYPE_COPY_ATOM)) &&
         !((const CuteCopyAtom *)first->atom)->kind->isElementwise;
}

// The most bytes to which all threads begin aligned, in large tensors.
static int64_t alignmentOf(const CuteLint *lint, const CuteAccess *a) {
  int64_t align = WIDEST_BITS / 8;
  for (int64_t t = 0; t < lint->kernel.follow[0].threads.count; ++t)
    while (a->active[t] && a->byte[0][t] % align)
      align /= 2;
  return align;
}

static bool isSameCopy(const CuteAccess *a, const CuteAccess *b) {
  return mlirOperationEqual(a->op, b->op) && a->call == b->call;
}

// Both sides of the op, as far as they are in memory.
static int64_t alignmentOfBoth(const CuteLint *lint, size_t i) {
  const CuteAccessList *list = &lint->kernel.accesses[0];
  int64_t align = alignmentOf(lint, &list->accesses[i]);
  bool hasBoth = i + 1 < list->count &&
                 isSameCopy(&list->accesses[i + 1], &list->accesses[i]);
  int64_t other = hasBoth ? alignmentOf(lint, &list->accesses[i + 1]) : align;
  return other < align ? other : align;
}

static void lintCopy(CuteLint *lint, size_t i) {
  const CuteAccess *a = &lint->kernel.accesses[0].accesses[i];
  const CuteOpTraits *traits =
      &cuteDialectGetDecl(lint->kernel.dialect, a->op)->traits;
  const intptr_t operands[] = {sourceOf(traits), traits->written};
  if (operands[0] < 0 || a->isMatrix || a->isReduction || a->bytes >= 16)
    return;
  Copy copy = {.context = lint->kernel.context,
               .access = a,
               .isAtom = isOfFixedWidth(lint, a->op)};
  for (int side = 0; side < 2; ++side) {
    copy.types[side] =
        cuteDialectGetOperandType(lint->kernel.dialect, a->op, operands[side]);
    copy.roots[side] = rootType(lint, a, operands[side]);
  }
  for (int side = 0; side < 2; ++side)
    if (copy.types[side]->layout->shape->numDynamic)
      return;
  CuteArena *scratch = &lint->kernel.context->scratch;
  CUTE_SCOPED(ArenaScope) scope = cuteArenaScopeBegin(scratch);
  copy.widest = widthWithout(&copy, nothing);
  int64_t aligned = alignmentOfBoth(lint, i) * 8 / bitsOf(a->type);
  copy.widest = copy.widest < aligned ? copy.widest : aligned;
  if (copy.widest * bitsOf(a->type) / 8 > a->bytes)
    tellOfWidth(lint, &copy);
}

// Source and destination of an op make one message.
void cuteLintVectors(CuteLint *lint, size_t i) {
  const CuteAccess *all = lint->kernel.accesses[0].accesses;
  if (!i || !isSameCopy(&all[i], &all[i - 1]))
    lintCopy(lint, i);
}
