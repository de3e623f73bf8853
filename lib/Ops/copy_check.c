// Checks what copy atoms ask of their operands.
#include "Ops/copy_atoms.h"
#include "Ops/descriptors.h"

int64_t cuteCopyAtomValues(CuteContext c, CuteType copy, CuteCopySide side) {
  if (copy->kind == CUTE_TYPE_TMA_ATOM)
    return cuteLayoutGetSize(c, copy->layout)->value;
  const CuteCopyAtom *atom = copy->atom;
  if (atom->kind->isTmem && atom->kind->from == CUTE_IN_SMEM)
    return atom->bits / (int64_t)cuteElementTypeGetBits(copy->element);
  CuteLayout tv = cuteCopyAtomGetLayout(c, copy->atom, copy->element, side);
  return cuteIntTupleProduct(c, element(tv->shape, 1))->value;
}

int64_t cuteCopyCountElements(CuteContext c, CuteType tensor) {
  return cuteLayoutGetSize(c, tensor->layout)->value;
}

static const CuteCopyAtom *atomOf(CuteCopyOperands copy) {
  return copy.copy->atom;
}

static CuteType operandOf(CuteCopyOperands copy, CuteCopySide side) {
  return side == CUTE_SOURCE ? copy.source : copy.destination;
}

// Fails with a reason at the end of the message, if there is one.
static bool failBecause(CuteContext c, CuteCopyOperands copy, CuteCopySide side,
                        const char *what, const char *reason) {
  return cuteFail(
      c, "%s of %s %s, not %s%s%s",
      side == CUTE_SOURCE ? "source" : "destination", atomOf(copy)->name, what,
      cuteTypeText(c, operandOf(copy, side)), *reason ? ": " : "", reason);
}

static bool failOperand(CuteContext c, CuteCopyOperands copy, CuteCopySide side,
                        const char *what) {
  return failBecause(c, copy, side, what, "");
}

//===-- Spaces and elements -----------------------------------------------===//

_Static_assert(CUTE_IN_GMEM == 1 << CUTE_GMEM &&
                   CUTE_IN_SMEM == 1 << CUTE_SMEM &&
                   CUTE_IN_RMEM == 1 << CUTE_RMEM &&
                   CUTE_IN_DSMEM == 1 << CUTE_DSMEM &&
                   CUTE_IN_TMEM == 1 << CUTE_TMEM,
               "sets have a bit for each space");

static bool checkSpace(CuteContext c, CuteCopyOperands copy,
                       CuteCopySide side) {
  const CuteCopyKind *kind = atomOf(copy)->kind;
  int allowed = side == CUTE_SOURCE ? kind->from : kind->to;
  if (allowed >> operandOf(copy, side)->space & 1)
    return true;
  char text[32] = "must be in rmem";
  for (int i = CUTE_GMEM; i < CUTE_NUM_SPACES; ++i)
    if (allowed == 1 << i)
      snprintf(text, sizeof text, "must be in %s",
               cuteTypeGetSpaceName((CuteSpace)i));
  return failOperand(c, copy, side, text);
}

// An atom moves bits, so that their number counts; one that adds knows one
// type.
static bool checkElement(CuteContext c, CuteCopyOperands copy,
                         CuteCopySide side) {
  CuteElementType wanted = copy.copy->element;
  CuteElementType found = operandOf(copy, side)->element;
  unsigned bits = cuteElementTypeGetBits(wanted);
  bool adds = atomOf(copy)->kind->adds;
  if (adds ? found == wanted : cuteElementTypeGetBits(found) == bits)
    return true;
  char text[64];
  if (adds)
    snprintf(text, sizeof text, "must have elements of %s, which it adds",
             cuteElementTypeGetName(wanted));
  else
    snprintf(text, sizeof text, "must have elements of %u bits", bits);
  return failOperand(c, copy, side, text);
}

//===-- Values side by side -----------------------------------------------===//

// The part of a mode that one atom takes: the mode itself, or its first element
// and so on inwards. False if the values come out uneven.
static bool hasAtomMode(CuteContext c, CuteIntTuple shape, int64_t values) {
  for (;; shape = shape->elements[0]) {
    CuteIntTuple size = cuteIntTupleProduct(c, shape);
    if (isStaticValue(size, values))
      return true;
    if (!isTuple(shape) || !shape->rank)
      return false;
  }
}

// Counts the elements, at most `values`, that lie at 0, 1, 2, ...
static int64_t contiguousValues(CuteContext c, CuteLayout layout,
                                int64_t values) {
  int64_t i = 0;
  while (i < values &&
         isStaticValue(cuteEvalMode(c, staticInt(c, i), layoutMode(layout)), i))
    ++i;
  return i;
}

// Says why an access of so many elements is not possible.
static void appendObstacle(CuteContext c, CuteString *text, CuteType type,
                           int64_t values) {
  CuteLayout layout = type->layout;
  int64_t together = contiguousValues(c, layout, values);
  int64_t bits = cuteElementTypeGetBits(type->element);
  cuteStringAppend(text, "mode 0 of its layout is ");
  cuteAppendLayout(
      text, cuteInternLayout(
                c, modeElement(layoutMode(cuteLayoutGetOuter(c, layout)), 0)));
  if (together < values)
    cuteStringAppendFormat(text, ", contiguous for %jd",
                           (together ? together : 1));
  else if (type->align * 8 < values * bits)
    cuteStringAppendFormat(text, ", but it is aligned to %jd bytes",
                           type->align);
  else if (cuteLayoutHasSwizzle(layout) &&
           INT64_C(1) << layout->swizzle.base < values)
    cuteStringAppendFormat(text, ", but the swizzle keeps %lld together",
                           1LL << layout->swizzle.base);
  else
    cuteStringAppendFormat(
        text,
        ", but the strides of %s are not all multiples of "
        "%jd",
        isTuple(layout->shape) ? "the other modes" : "its leaves", values);
}

// Says what would make the access possible where its elements are neighbours.
static void appendPromise(CuteContext c, CuteString *text, CuteType type,
                          int64_t values) {
  CuteLayout layout = type->layout;
  int64_t bytes = values * cuteElementTypeGetBits(type->element) / 8;
  if (contiguousValues(c, layout, values) < values ||
      (type->align >= bytes && !cuteLayoutGetNumDynamic(layout)))
    return;
  cuteStringAppendFormat(text,
                         "; align<%jd> and ?{div=%jd} in dynamic strides "
                         "promise that, in the type of the whole tensor or by "
                         "cute.assume; otherwise take an atom of fewer bits",
                         bytes, values);
}

static bool checkVector(CuteContext c, CuteCopyOperands copy, CuteCopySide side,
                        int64_t values) {
  CuteType type = operandOf(copy, side);
  CuteElementType element = type->element;
  if (type->space == CUTE_RMEM || cuteMemoryIsVectorizable(c, type, values))
    return true;
  CUTE_SCOPED(String) what = {0}, reason = {0};
  cuteStringAppendFormat(
      &what, "needs %jd %s elements side by side, aligned to %jd bytes", values,
      cuteElementTypeGetName(element),
      values * cuteElementTypeGetBits(element) / 8);
  appendObstacle(c, &reason, type, values);
  appendPromise(c, &reason, type, values);
  failBecause(c, copy, side, cuteStringGet(&what), cuteStringGet(&reason));
  return false;
}

// The elements in tensor memory that an atom moves lie where its instruction
// has them, after the address.
static bool checkTmem(CuteContext c, CuteCopyOperands copy, CuteCopySide side,
                      int64_t values) {
  CuteType type = operandOf(copy, side);
  CuteIntTuple n = staticInt(c, values);
  CuteLayout place = cuteTiledCopyGetTmemPlace(c, copy.copy->atom,
                                               (CuteElementType)type->element);
  CuteLayout first = cuteLayoutGet(c, n, staticInt(c, 1));
  CuteLayout found = place ? cuteLayoutComposition(c, type->layout,
                                                   cuteTileGetLayout(c, first))
                           : NULL;
  if (found &&
      cuteLayoutCoalesce(c, found, NULL) == cuteLayoutCoalesce(c, place, NULL))
    return true;
  return failOperand(
      c, copy, side,
      cuteArenaFormat(&c->scratch,
                      "needs mode 0 to match the instruction, %s in elements; "
                      "partition it by make_tmem_copy",
                      cuteLayoutText(c, place)));
}

static bool checkSide(CuteContext c, CuteCopyOperands copy, CuteCopySide side) {
  int64_t values = cuteCopyAtomValues(c, copy.copy, side);
  if (atomOf(copy)->kind->isElementwise)
    return true;
  if (!hasAtomMode(c, element(operandOf(copy, side)->layout->shape, 0),
                   values)) {
    char text[96];
    snprintf(text, sizeof text,
             "needs %jd values per thread in mode 0 or in its first parts",
             values);
    return failOperand(c, copy, side, text);
  }
  if (operandOf(copy, side)->space == CUTE_TMEM)
    return checkTmem(c, copy, side, values);
  CuteDescriptor descriptor;
  return atomOf(copy)->kind->isTmem && operandOf(copy, side)->space == CUTE_SMEM
             ? cuteTmemCopyDescribe(c, copy.copy, operandOf(copy, side),
                                    &descriptor)
             : checkVector(c, copy, side, values);
}

// Mode 0, which holds what one access takes, must be static.
static bool checkStatic(CuteContext c, CuteCopyOperands copy,
                        CuteCopySide side) {
  CuteType type = operandOf(copy, side);
  CuteIntTuple shape = type->layout->shape;
  if (isTuple(shape) && !shape->rank)
    return failOperand(c, copy, side, "must have a mode");
  if (atomOf(copy)->kind->isElementwise)
    return true;
  if (isTuple(shape) && shape->rank && !shape->elements[0]->numDynamic)
    return true;
  return shape->numDynamic
             ? failOperand(c, copy, side, "must have a static mode 0")
             : true;
}

static bool checkTensors(CuteContext c, CuteCopyOperands copy) {
  for (CuteCopySide side = CUTE_SOURCE; side <= CUTE_DESTINATION; ++side)
    if (operandOf(copy, side)->kind != CUTE_TYPE_TENSOR)
      return failOperand(c, copy, side, "must be a tensor");
  return true;
}

static bool checkOperands(CuteContext c, CuteCopyOperands copy) {
  if (!checkTensors(c, copy))
    return false;
  for (CuteCopySide side = CUTE_SOURCE; side <= CUTE_DESTINATION; ++side)
    if (!checkStatic(c, copy, side) || !checkSpace(c, copy, side) ||
        !checkElement(c, copy, side))
      return false;
  return checkSide(c, copy, CUTE_SOURCE) &&
         checkSide(c, copy, CUTE_DESTINATION);
}

//===-- Numbers of accesses -----------------------------------------------===//

// Tells whether the predicate's modes have the extents of (ATOM_REST, REST...)
// or (REST...), where one access takes `values` of mode 0. Dynamic rests are
// all one to it, as registers have static layouts.
static bool matchesRests(CuteContext c, CuteIntTuple predicate,
                         CuteIntTuple source, int64_t values) {
  size_t sourceRank = isTuple(source) ? source->rank : 1;
  size_t rank = isTuple(predicate) ? predicate->rank : 1;
  int64_t rest = cuteIntTupleProduct(c, element(source, 0))->value / values;
  size_t skipped = rank == sourceRank ? 0 : 1;
  if (rank + skipped != sourceRank || (skipped && rest != 1))
    return false;
  for (size_t i = 0; i < rank; ++i) {
    CuteIntTuple wanted = cuteIntTupleProduct(c, element(source, i + skipped));
    CuteIntTuple found = cuteIntTupleProduct(c, element(predicate, i));
    if (i + skipped == 0)
      wanted = staticInt(c, rest);
    if (found != (isStatic(wanted) ? wanted : staticInt(c, 1)))
      return false;
  }
  return true;
}

static bool failPredicate(CuteContext c, CuteType predicate, CuteType source,
                          int64_t values) {
  CuteIntTuple size = cuteLayoutGetSize(c, source->layout);
  char count[32] = "";
  if (isStatic(size))
    snprintf(count, sizeof count, "%jd ", (size->value / values));
  return cuteFail(
      c,
      "the predicate must be a tensor of i1 in rmem with one element for "
      "each of the %saccesses, of shape (ATOM_REST, REST...), (REST...) "
      "or flat, not %s for a source of shape %s",
      count, cuteTypeText(c, predicate),
      cuteTupleText(c, source->layout->shape));
}

// False with a message unless the predicate is of i1 in rmem and has an element
// for each access of `values`, in that order or in modes of the extents that
// `source` has beside what one access takes; 1 where these are dynamic.
static bool checkPredicate(CuteContext c, CuteType predicate, CuteType source,
                           int64_t values) {
  if (!predicate)
    return true;
  bool ok = predicate->kind == CUTE_TYPE_TENSOR &&
            predicate->space == CUTE_RMEM &&
            predicate->element == CUTE_ELEMENT_I1;
  CuteIntTuple size = cuteLayoutGetSize(c, source->layout);
  if (ok) {
    CuteIntTuple shape = predicate->layout->shape;
    bool isFlat =
        isStatic(size) && (!isTuple(shape) || shape->rank == 1) &&
        isStaticValue(cuteIntTupleProduct(c, shape), size->value / values);
    ok = isFlat || matchesRests(c, shape, source->layout->shape, values);
  }
  return ok || failPredicate(c, predicate, source, values);
}

// Counts are for atoms of cp.async that fill with zeros, of elements of whole
// bytes, and are checked as a predicate of that shape.
static bool checkPredicateOrCounts(CuteContext c, CuteCopyOperands copy) {
  int64_t values = cuteCopyAtomValues(c, copy.copy, CUTE_SOURCE);
  CuteType type = copy.predicate;
  bool isCounts = type && type->kind == CUTE_TYPE_TENSOR &&
                  type->element == CUTE_ELEMENT_I8 && atomOf(copy)->zeroFill;
  if (isCounts && atomOf(copy)->bits % (8 * values))
    return cuteFail(c, "counts need elements of whole bytes");
  return checkPredicate(
      c,
      isCounts
          ? cuteTypeGetTensor(c, CUTE_ELEMENT_I1, type->space, 16, type->layout)
          : type,
      copy.source, values);
}

bool cuteCheckUnrolled(CuteContext c, int64_t accesses) {
  if (accesses <= CUTE_MAX_UNROLLED)
    return true;
  return cuteFail(
      c,
      "copies of static extents are unrolled, and %jd accesses are too "
      "many; the limit is %d: tile the tensors, or give an "
      "extent at run time",
      accesses, CUTE_MAX_UNROLLED);
}

bool cuteCopyCheck(CuteContext c, CuteCopyOperands copy) {
  if (copy.copy->kind == CUTE_TYPE_TMA_ATOM)
    return cuteTmaCheckCopy(c, copy);
  if (!checkOperands(c, copy))
    return false;
  if (atomOf(copy)->kind->isBulk)
    return cuteBulkCheckCopy(c, copy);
  int64_t values = cuteCopyAtomValues(c, copy.copy, CUTE_SOURCE);
  CuteIntTuple from = cuteLayoutGetSize(c, copy.source->layout);
  CuteIntTuple to = cuteLayoutGetSize(c, copy.destination->layout);
  if (isStatic(from) && !cuteCheckUnrolled(c, from->value / values))
    return false;
  if (isStatic(from) && isStatic(to)) {
    int64_t accesses[] = {
        from->value / values,
        to->value / cuteCopyAtomValues(c, copy.copy, CUTE_DESTINATION)};
    if (accesses[0] != accesses[1]) {
      return cuteFail(
          c, "the source has %jd accesses, the destination %jd: %s and %s",
          accesses[0], accesses[1], cuteLayoutText(c, copy.source->layout),
          cuteLayoutText(c, copy.destination->layout));
    }
  }
  return checkPredicateOrCounts(c, copy);
}

bool cuteCopyCheckAccess(CuteContext c, CuteCopyOperands copy) {
  if (copy.copy->kind == CUTE_TYPE_TMA_ATOM)
    return cuteTmaCheckCopy(c, copy);
  for (CuteCopySide side = CUTE_SOURCE; side <= CUTE_DESTINATION; ++side)
    if (operandOf(copy, side)->layout->shape->numDynamic)
      return failOperand(c, copy, side, "must have a static shape");
  if (!checkOperands(c, copy))
    return false;
  if (atomOf(copy)->kind->isBulk)
    return cuteBulkCheckCopy(c, copy);
  for (CuteCopySide side = CUTE_SOURCE; side <= CUTE_DESTINATION; ++side)
    if (cuteCopyCountElements(c, operandOf(copy, side)) !=
        cuteCopyAtomValues(c, copy.copy, side))
      return failOperand(c, copy, side, "must be the values of one access");
  return checkPredicateOrCounts(c, copy);
}
