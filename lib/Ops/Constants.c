// Values and claims about them that are known at compile time.
#include "Ops/ops.h"

static bool inferStatic(CuteOp *op) {
  CuteType type = op->written[0];
  if (!cuteTypeIsStatic(type) && type->kind != CUTE_TYPE_COPY_ATOM)
    return cuteFail(op->context,
                    "the result type must hold the whole value, but has "
                    "dynamic parts");
  return cuteOpPushResult(op, type);
}

//===-- static_assert -----------------------------------------------------===//

// An answer: 0, 1, or -1 where it is not known at compile time.
typedef int Relation(CuteIntTuple a, CuteIntTuple b);

static int isEqual(CuteIntTuple a, CuteIntTuple b) {
  return a->numDynamic || b->numDynamic || isDynamic(a) || isDynamic(b)
             ? -1
             : a == b;
}

static int isCongruentTo(CuteIntTuple a, CuteIntTuple b) {
  return cuteIntTupleIsCongruent(a, b);
}

static int isWeaklyCongruentTo(CuteIntTuple a, CuteIntTuple b) {
  return cuteIntTupleIsWeaklyCongruent(a, b);
}

static int isCompatibleWith(CuteIntTuple a, CuteIntTuple b) {
  bool isKnown =
      !a->numDynamic && !b->numDynamic && !isDynamic(a) && !isDynamic(b);
  return isKnown ? cuteIntTupleIsCompatible(a, b) : -1;
}

// Joins the answers of all leaves; an integer applies to each leaf of a tuple
// opposite it.
static int ofLeaves(CuteIntTuple a, CuteIntTuple b, Relation *ofLeaf) {
  if (!isTuple(a) && !isTuple(b))
    return ofLeaf(a, b);
  if (isTuple(a) && isTuple(b) && a->rank != b->rank)
    return 0;
  size_t n = isTuple(a) ? a->rank : b->rank;
  int all = 1;
  for (size_t i = 0; i < n && all; ++i) {
    int one = ofLeaves(isTuple(a) ? a->elements[i] : a,
                       isTuple(b) ? b->elements[i] : b, ofLeaf);
    all = one == 1 ? all : one;
  }
  return all;
}

static int divides(CuteIntTuple a, CuteIntTuple b) {
  if (!isStatic(b))
    return -1;
  if (b->value == 0)
    return 0;
  if (isStatic(a))
    return a->value % b->value == 0;
  return isDynamic(a) && cuteLeafDivisor(a) % b->value == 0 ? 1 : -1;
}

static int isLeafLess(CuteIntTuple a, CuteIntTuple b) {
  return isStatic(a) && isStatic(b) ? a->value < b->value : -1;
}

static int isLeafLessOrEqual(CuteIntTuple a, CuteIntTuple b) {
  return isStatic(a) && isStatic(b) ? a->value <= b->value : -1;
}

// In the order of the declared words.
static const struct {
  const char *text; // "A is not TEXT B"
  Relation *relation;
  bool isOfLeaves;
} relations[] = {
    {"equal to", isEqual, false},
    {"congruent to", isCongruentTo, false},
    {"weakly congruent to", isWeaklyCongruentTo, false},
    {"compatible with", isCompatibleWith, false},
    {"divisible by", divides, true},
    {"less than", isLeafLess, true},
    {"less than or equal to", isLeafLessOrEqual, true},
};

static bool failAssertion(CuteOp *op, int i, int answer) {
  const CuteAttribute *message = cuteOpGetAttribute(op, "message");
  CuteString text = {0};
  if (message)
    cuteStringAppendFormat(&text, "%.*s: ", CUTE_TEXT(message->text));
  cuteAppendType(&text, op->operands[0], CUTE_FORM_PRETTY);
  cuteStringAppendFormat(&text,
                         answer ? " is not known to be %s " : " is not %s ",
                         relations[i].text);
  cuteAppendType(&text, op->operands[1], CUTE_FORM_PRETTY);
  return cuteFail(op->context, "assertion failed: %s",
                  cuteArenaTakeString(&op->context->scratch, &text));
}

static int askRelation(const CuteOp *op, int i) {
  const CuteType *types = op->operands;
  bool areLayouts = types[0]->layout && types[1]->layout;
  if (relations[i].relation == isEqual && areLayouts)
    return cuteTypeIsStatic(types[0]) && cuteTypeIsStatic(types[1])
               ? types[0]->layout == types[1]->layout
               : -1;
  CuteIntTuple a = cuteTypeGetShape(op->operands[0]),
               b = cuteTypeGetShape(op->operands[1]);
  return relations[i].isOfLeaves ? ofLeaves(a, b, relations[i].relation)
                                 : relations[i].relation(a, b);
}

static bool inferStaticAssert(CuteOp *op) {
  int i = cuteOpGetWord(op, "relation");
  int answer = askRelation(op, i);
  return answer == 1 || failAssertion(op, i, answer);
}

const CuteOpHooks cuteConstantsOps[] = {
    CUTE_HOOKS("static", inferStatic),
    CUTE_HOOKS("static_assert", inferStaticAssert),
    {.name = NULL},
};
