#include "Transforms/plain/roll_loops.h"

#include "IR/unrolling.h"
#include "Transforms/edit/retype.h"
#include "Transforms/edit/value_origin.h"
#include "Transforms/pipeline/pipeline.h"

enum {
  MOST_OPS = 128,    // of a round
  MOST_CHANGES = 32, // numbers that count rounds
  MOST_OPERANDS = 16,
};

// A number in the first round's ops that is 0, and the round's in the others.
typedef struct Change {
  MlirOperation op;
  CuteIntTuple tuple; // with `counter` where that number is; null: a constant
} Change;

typedef struct Roll {
  CuteDialect *dialect;
  CuteOps ops;           // of the block
  size_t first, length;  // the first round is ops[first, first + length)
  int64_t rounds;        // that have been found
  CutePointerMap values; // of the first round -> of the one that is matched
  CuteIntTuple counter;  // the number of the round
  Change changes[MOST_CHANGES];
  size_t count;
} Roll;

//===-- Rounds ------------------------------------------------------------===//

static Change *findChange(Roll *roll, MlirOperation op) {
  for (size_t i = 0; i < roll->count; ++i)
    if (mlirOperationEqual(roll->changes[i].op, op))
      return &roll->changes[i];
  return NULL;
}

static bool addChange(Roll *roll, MlirOperation op, CuteIntTuple tuple) {
  Change *old = findChange(roll, op);
  if (!old && roll->count == MOST_CHANGES)
    return false;
  *(old ? old : &roll->changes[roll->count++]) = (Change){op, tuple};
  return true;
}

// Gives what a tuple of the first round is beside that of another; null if
// they do not fit.
static CuteIntTuple merge(Roll *roll, CuteIntTuple a, CuteIntTuple b,
                          int64_t round) {
  CuteContext c = roll->dialect->context;
  if (a == roll->counter)
    return isStaticValue(b, round) ? a : NULL;
  if (a == b)
    return a;
  if (isDynamic(a) && isDynamic(b) && a->width == b->width)
    return cuteDynamicLeaf(c, a->width, 1, 0);
  if (isStaticValue(a, 0) && round == 1 && isStaticValue(b, 1))
    return roll->counter;
  if (!isTuple(a) || !isTuple(b) || a->rank != b->rank ||
      a->rank > MOST_OPERANDS)
    return NULL;
  CuteIntTuple elements[MOST_OPERANDS];
  for (size_t i = 0; i < a->rank; ++i) {
    elements[i] = merge(roll, a->elements[i], b->elements[i], round);
    if (!elements[i])
      return NULL;
  }
  return cuteInternTuple(c, a->rank, elements);
}

// Matches the types of coordinates that a program writes, and constants.
static bool matchNumbers(Roll *roll, MlirOperation a, MlirOperation b,
                         int64_t round) {
  int64_t x, y;
  Change *change = findChange(roll, a);
  if (cuteMlirIsConstant(getResult(a, 0), &x) &&
      cuteMlirIsConstant(getResult(b, 0), &y)) {
    MlirType type = cuteMlirGetResultType(a, 0);
    if (!mlirTypeEqual(type, cuteMlirGetResultType(b, 0)))
      return false;
    if (!change && x == y)
      return true;
    return !mlirTypeIsAInteger(type) || mlirIntegerTypeGetWidth(type) != 32 || x
               ? false
               : y == round && (change || round == 1) &&
                     addChange(roll, a, NULL);
  }
  CuteType s = cuteDialectGetResultType(roll->dialect, a, 0);
  CuteType t = cuteDialectGetResultType(roll->dialect, b, 0);
  if (!s || !t || s->kind != t->kind)
    return false;
  if (!change && s == t)
    return true;
  if (!cuteTypeIsTuple(s))
    return false;
  CuteIntTuple tuple =
      merge(roll, change ? change->tuple : s->tuple, t->tuple, round);
  return tuple && addChange(roll, a, tuple);
}

static bool matchAttributes(MlirOperation a, MlirOperation b) {
  bool isNumber = cuteMlirIs(a, "arith.constant") && getNumResults(a) &&
                  mlirTypeIsAInteger(cuteMlirGetResultType(a, 0));
  return isNumber || // which matchNumbers looks at
         cuteMlirHaveSameAttributes(a, b);
}

static bool matchOperand(Roll *roll, MlirValue a, MlirValue b) {
  void *other = cutePointerMapGet(&roll->values, a.ptr);
  return other ? other == b.ptr : cuteValueIsSame(roll->dialect, a, b);
}

static bool matchOp(Roll *roll, MlirOperation a, MlirOperation b,
                    int64_t round);

static bool matchBlock(Roll *roll, MlirBlock a, MlirBlock b, int64_t round) {
  intptr_t n = mlirBlockGetNumArguments(a);
  if (n != mlirBlockGetNumArguments(b))
    return false;
  for (intptr_t i = 0; i < n; ++i)
    cutePointerMapSet(&roll->values, mlirBlockGetArgument(a, i).ptr,
                      (void *)mlirBlockGetArgument(b, i).ptr);
  MlirOperation x = mlirBlockGetFirstOperation(a);
  MlirOperation y = mlirBlockGetFirstOperation(b);
  while (!mlirOperationIsNull(x) && !mlirOperationIsNull(y)) {
    if (!matchOp(roll, x, y, round))
      return false;
    x = mlirOperationGetNextInBlock(x);
    y = mlirOperationGetNextInBlock(y);
  }
  return mlirOperationIsNull(x) && mlirOperationIsNull(y);
}

// Tells whether the type of an op's results is a program's choice.
static bool isDeclared(CuteDialect *dialect, MlirOperation op) {
  const CuteOpDecl *decl = cuteDialectGetDecl(dialect, op);
  return !decl || decl->declaresResults || decl->id == CUTE_OP_STATIC;
}

// Matches an op of the first round with one of another.
static bool matchOp(Roll *roll, MlirOperation a, MlirOperation b,
                    int64_t round) {
  CuteEffect effect = cuteEffectGet(roll->dialect, a);
  intptr_t regions = mlirOperationGetNumRegions(a);
  intptr_t results = getNumResults(a);
  if (!mlirStringRefEqual(cuteMlirGetName(a), cuteMlirGetName(b)) ||
      effect == CUTE_EFFECT_WAIT || effect == CUTE_EFFECT_BARRIER ||
      cuteDialectIsOp(roll->dialect, a, CUTE_OP_ALLOC_SMEM) ||
      getNumOperands(a) != getNumOperands(b) || results != getNumResults(b) ||
      regions != mlirOperationGetNumRegions(b) || !matchAttributes(a, b))
    return false;
  for (intptr_t i = 0; i < getNumOperands(a); ++i)
    if (!matchOperand(roll, getOperand(a, i), getOperand(b, i)))
      return false;
  if (results == 1 && isDeclared(roll->dialect, a) &&
      !matchNumbers(roll, a, b, round))
    return false;
  for (intptr_t i = 0; i < regions; ++i) {
    MlirBlock x = cuteMlirGetBody(a, i), y = cuteMlirGetBody(b, i);
    if (mlirBlockIsNull(x) != mlirBlockIsNull(y) ||
        (!mlirBlockIsNull(x) && !matchBlock(roll, x, y, round)))
      return false;
  }
  for (intptr_t i = 0; i < results; ++i)
    cutePointerMapSet(&roll->values, getResult(a, i).ptr,
                      (void *)getResult(b, i).ptr);
  return true;
}

static MlirOperation opAt(const Roll *roll, int64_t round, size_t i) {
  return roll->ops.data[roll->first + (size_t)round * roll->length + i];
}

static bool matchRound(Roll *roll, int64_t round) {
  if (roll->first + (size_t)(round + 1) * roll->length > roll->ops.count)
    return false;
  cutePointerMapClear(&roll->values);
  for (size_t i = 0; i < roll->length; ++i)
    if (!matchOp(roll, opAt(roll, 0, i), opAt(roll, round, i), round))
      return false;
  return true;
}

// Tells whether nothing after a round uses its values.
static bool isApart(const Roll *roll, int64_t round) {
  for (size_t i = 0; i < roll->length; ++i) {
    MlirOperation op = opAt(roll, round, i);
    CUTE_FOR_RESULTS(result, op)
      CUTE_FOR_USES(use, result) {
        MlirOperation user = cuteMlirGetAncestor(mlirOperationGetBlock(op),
                                                 mlirOpOperandGetOwner(use));
        MlirOperation last = opAt(roll, round, roll->length - 1);
        if (!mlirOperationEqual(user, last) &&
            !mlirOperationIsBeforeInBlock(user, last))
          return false;
      }
  }
  return true;
}

// Tells whether a round does something, so that it is worth a loop.
static bool hasEffect(const Roll *roll) {
  for (size_t i = 0; i < roll->length; ++i)
    if (cuteEffectGet(roll->dialect, opAt(roll, 0, i)) != CUTE_EFFECT_NONE)
      return true;
  return false;
}

static bool isSameName(const Roll *roll, size_t i, size_t j) {
  return mlirStringRefEqual(cuteMlirGetName(roll->ops.data[i]),
                            cuteMlirGetName(roll->ops.data[j]));
}

// Counts rounds of this length from an op on.
static bool findRounds(Roll *roll, size_t first, size_t length) {
  size_t last = first + length - 1;
  if (last + length >= roll->ops.count ||
      !isSameName(roll, first, first + length) ||
      !isSameName(roll, last, last + length))
    return false;
  roll->first = first;
  roll->length = length;
  roll->count = 0;
  roll->rounds = 1;
  Change before[MOST_CHANGES];
  for (;;) {
    size_t count = roll->count;
    memcpy(before, roll->changes, sizeof before);
    if (!matchRound(roll, roll->rounds) || !isApart(roll, roll->rounds)) {
      memcpy(roll->changes, before, sizeof before);
      roll->count = count;
      break;
    }
    ++roll->rounds;
  }
  bool counts = false;
  for (size_t i = 0; i < roll->count; ++i) {
    CuteIntTuple tuple = roll->changes[i].tuple;
    counts |= !tuple || tuple->numDynamic;
  }
  return roll->rounds > 1 && counts && hasEffect(roll) && isApart(roll, 0);
}

//===-- Loops -------------------------------------------------------------===//

// Puts the counter, and the values of other integers in their order, where a
// tuple has dynamic leaves, and gives the tuple that this makes.
static CuteIntTuple fill(Roll *roll, CuteIntTuple tuple, MlirValue counter,
                         MlirOperation op, intptr_t *next, MlirValue *leaves,
                         size_t *count) {
  CuteContext c = roll->dialect->context;
  if (isTuple(tuple)) {
    CuteIntTuple elements[MOST_OPERANDS];
    for (size_t i = 0; i < tuple->rank; ++i)
      elements[i] =
          fill(roll, tuple->elements[i], counter, op, next, leaves, count);
    return cuteInternTuple(c, tuple->rank, elements);
  }
  if (tuple == roll->counter) {
    leaves[(*count)++] = counter;
    return cuteDynamicLeaf(c, 32, 1, 0);
  }
  if (isDynamic(tuple))
    leaves[(*count)++] = getOperand(op, (*next)++);
  return tuple;
}

// Has an op of the loop count with it.
static bool change(Roll *roll, const Change *of, MlirValue counter,
                   CuteRetype *retype) {
  MlirValue old = getResult(of->op, 0), made = counter;
  CuteType type = cuteDialectGetValueType(roll->dialect, old);
  if (of->tuple) {
    CuteBuilder b = cuteBuilderBefore(of->op);
    MlirValue leaves[MOST_OPERANDS];
    size_t count = 0;
    intptr_t next = 0;
    if (of->tuple->numDynamic > MOST_OPERANDS)
      return false;
    CuteIntTuple tuple =
        fill(roll, of->tuple, counter, of->op, &next, leaves, &count);
    CuteOpId maker = cuteOpIdGetMaker(type->kind);
    MlirOperation op =
        maker == CUTE_NUM_OPS
            ? (MlirOperation){NULL}
            : cuteBuildDeclared(
                  &b, roll->dialect, maker, count, leaves,
                  cuteTypeGetTuple(roll->dialect->context, type->kind, tuple));
    if (mlirOperationIsNull(op))
      return false;
    made = getResult(op, 0);
  }
  if (mlirTypeEqual(mlirValueGetType(old), mlirValueGetType(made)))
    mlirValueReplaceAllUsesOfWith(old, made);
  else
    cuteRetypeSet(retype, old, made);
  return true;
}

// Makes a loop of the rounds.
static bool build(Roll *roll, CuteRetype *retype) {
  CuteBuilder b = cuteBuilderBefore(opAt(roll, 0, 0));
  MlirBlock body = cuteBuildFor(&b, cuteBuildInt(&b, 32, roll->rounds));
  MlirOperation loop = mlirBlockGetParentOperation(body);
  cuteMlirSetAttribute(loop, CUTE_UNROLL, cuteStringAttr(&b, "full"));
  for (int64_t round = roll->rounds; --round > 0;)
    for (size_t i = roll->length; i-- > 0;)
      mlirOperationDestroy(opAt(roll, round, i));
  MlirOperation end = mlirBlockGetTerminator(body);
  for (size_t i = 0; i < roll->length; ++i)
    mlirOperationMoveBefore(opAt(roll, 0, i), end);
  bool ok = true;
  for (size_t i = 0; ok && i < roll->count; ++i)
    ok = change(roll, &roll->changes[i], mlirBlockGetArgument(body, 0), retype);
  return ok;
}

// Removes the ops in whose place the loop counts.
static void removeChanged(const Roll *roll) {
  for (size_t i = 0; i < roll->count; ++i)
    if (!cuteMlirIsUsed(roll->changes[i].op))
      mlirOperationDestroy(roll->changes[i].op);
}

// Finds the next rounds of a block, at or after *at.
static bool findNext(Roll *roll, size_t *at) {
  for (; *at + 1 < roll->ops.count; ++*at)
    for (size_t length = 1;
         length <= MOST_OPS && *at + 2 * length <= roll->ops.count; ++length)
      if (findRounds(roll, *at, length))
        return true;
  return false;
}

// Rolls what a block has. Shorter rounds come first, and longer ones are of
// their loops.
static bool rollBlock(CuteDialect *dialect, MlirOperation function,
                      MlirBlock block, bool *ok) {
  bool any = false, isMore = true;
  size_t at = 0;
  while (*ok && isMore) {
    CUTE_SCOPED(Task) task;
    cuteTaskBegin(&task);
    Roll roll = {.dialect = dialect,
                 .values = cuteTaskMap(),
                 .counter =
                     cuteDynamicLeaf(dialect->context, 32, 1, UINT32_MAX)};
    CuteRetype retype = cuteRetypeBegin(dialect);
    CUTE_FOR_OPS(op, block)
      cuteOpsPush(&roll.ops, op);
    isMore = findNext(&roll, &at);
    any |= isMore;
    if (isMore)
      *ok = build(&roll, &retype) && cuteRetypeRun(&retype, function);
    if (isMore && *ok)
      removeChanged(&roll);
  }
  return any;
}

bool cuteRollLoops(CuteDialect *dialect, MlirOperation function, bool *ok) {
  CuteOps outer = {0};
  bool any = false;
  CUTE_FOR_NESTED(op, function)
    if (mlirOperationEqual(op, function) || cuteMlirIs(op, "scf.for"))
      cuteOpsPush(&outer, op);
  for (size_t i = outer.count; *ok && i-- > 0;)
    for (bool isMore = true; *ok && isMore; any |= isMore)
      isMore =
          rollBlock(dialect, function, cuteMlirGetBody(outer.data[i], 0), ok);
  return any;
}
