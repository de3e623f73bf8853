// cute-join-loops: loops over the parts of fragments become ops on whole ones,
// which the passes after it know:
//
//   for k in 0 ... blocks-1:                            copy(sA, rA)
//     copy(sA[_,_,k], rA[_,_,k])                   ->   gemm(mma, rC, rA, rB,
//     rC) gemm(mma, rC, rA[_,_,k], rB[_,_,k], rC)
//
// A gemm adds k-blocks in their order, so that sums are the same. Loops may be
// nested, and a loop that stores one value to all elements becomes a fill.
#include "IR/loops.h"
#include "IR/unrolling.h"
#include "Support/growing_array.h"
#include "Transforms/edit/value_origin.h"
#include "Transforms/pipeline/pipeline.h"
#include "Transforms/plain/roll_loops.h"

enum { MOST_LOOPS = 4, MOST_MODES = 4, MOST_TENSORS = 5, NO_COUNTER = -1 };

// A tensor outside of the loops, and the counter that picks a part of each of
// its modes, or none does.
typedef struct Whole {
  MlirValue tensor;
  size_t rank;
  int counters[MOST_MODES];
} Whole;

// An op in the loops, and its operands in memory.
typedef struct Access {
  MlirOperation op;
  const CuteOpDecl *decl;
  size_t depth; // the loops around it are the first so many of `loops`
  MlirOperation loops[MOST_LOOPS];
  Whole wholes[MOST_TENSORS]; // of operand i; rank 0: is none
} Access;

typedef struct Nest {
  CuteDialect *dialect;
  MlirOperation loop; // the outermost one
  Access *accesses;
  size_t count, capacity;
  MlirOperation culprit; // the op that keeps it
} Nest;

//===-- Parts of tensors --------------------------------------------------===//

static bool isInside(const Nest *nest, MlirValue value) {
  return cuteMlirIsInside(cuteMlirGetScope(value), nest->loop);
}

// The loop around an access that counts a value, as a number of any width.
static int counterOf(const Access *access, MlirValue value) {
  MlirOperation op = cuteMlirGetOwner(value);
  if (!mlirOperationIsNull(op))
    return cuteMlirIs(op, "arith.index_cast")
               ? counterOf(access, getOperand(op, 0))
               : NO_COUNTER;
  for (size_t i = 0; i < access->depth; ++i)
    if (mlirValueEqual(value, mlirBlockGetArgument(
                                  cuteMlirGetBody(access->loops[i], 0), 0)))
      return (int)i;
  return NO_COUNTER;
}

static CuteSpace spaceOf(const Nest *nest, MlirValue tensor) {
  return cuteDialectGetValueType(nest->dialect, tensor)->space;
}

static int64_t extentOf(const Nest *nest, MlirValue tensor, size_t mode) {
  CuteType type = cuteDialectGetValueType(nest->dialect, tensor);
  CuteIntTuple size = cuteIntTupleProduct(nest->dialect->context,
                                          element(type->layout->shape, mode));
  return isStatic(size) ? size->value : 0;
}

// Tells whether a mode has as many parts as a loop has rounds.
static bool isCounted(const Nest *nest, const Access *access, int counter,
                      int64_t extent) {
  int64_t trips;
  return counter >= 0 &&
         cuteLoopGetTrips(nest->dialect, access->loops[counter], &trips) &&
         trips == extent;
}

// Matches a coordinate whose modes are all of them, or counters.
static bool matchCoord(const Nest *nest, const Access *access, MlirValue coord,
                       Whole *whole) {
  CuteType type = cuteDialectGetValueType(nest->dialect, coord);
  MlirOperation op = cuteValueGetOpOf(nest->dialect, coord, CUTE_OP_MAKE_COORD);
  if (!isTuple(type->tuple) || type->tuple->rank != whole->rank)
    return false;
  intptr_t next = 0;
  for (size_t i = 0; i < whole->rank; ++i) {
    CuteIntTuple leaf = type->tuple->elements[i];
    if (isUnderscore(leaf))
      continue;
    if (isTuple(leaf) || isStatic(leaf) || mlirOperationIsNull(op))
      return false;
    whole->counters[i] = counterOf(access, getOperand(op, next++));
    if (!isCounted(nest, access, whole->counters[i],
                   extentOf(nest, whole->tensor, i)))
      return false;
  }
  return true;
}

// Tells whether registers are made by an op, and so are not shared.
static bool isMade(const Nest *nest, MlirValue tensor) {
  return !cuteViewIsIn(nest->dialect, tensor, CUTE_RMEM) ||
         !mlirValueIsABlockArgument(
             cuteViewGetRoot(nest->dialect, tensor, CUTE_RMEM));
}

// Matches an operand to a tensor outside of the loops.
static bool matchWhole(const Nest *nest, const Access *access, MlirValue value,
                       Whole *whole) {
  MlirOperation slice = cuteValueGetOpOf(nest->dialect, value, CUTE_OP_SLICE);
  bool isPart = isInside(nest, value) && !mlirOperationIsNull(slice);
  whole->tensor = isPart ? getOperand(slice, 0) : value;
  CuteType type = cuteDialectGetValueType(nest->dialect, whole->tensor);
  if (isInside(nest, whole->tensor) || !type || !type->layout)
    return false;
  whole->rank = cuteLayoutGetRank(type->layout);
  for (size_t i = 0; i < MOST_MODES; ++i)
    whole->counters[i] = NO_COUNTER;
  return whole->rank <= MOST_MODES && isMade(nest, whole->tensor) &&
         (!isPart || matchCoord(nest, access, getOperand(slice, 1), whole));
}

//===-- Ops ---------------------------------------------------------------===//

// Tells whether each of so many loops picks parts of one of these tensors.
static bool usesLoops(size_t depth, const Whole *wholes, size_t n) {
  for (size_t loop = 0; loop < depth; ++loop) {
    bool is = false;
    for (size_t i = 0; i < n; ++i)
      for (size_t j = 0; j < MOST_MODES; ++j)
        is |= wholes[i].rank && wholes[i].counters[j] == (int)loop;
    if (!is)
      return false;
  }
  return true;
}

// Matches an op that treats all elements alike.
static bool matchElements(const Nest *nest, Access *access, size_t first,
                          size_t end) {
  for (size_t i = first; i < end; ++i) {
    const Whole *a = &access->wholes[first], *b = &access->wholes[i];
    if (!matchWhole(nest, access, getOperand(access->op, (intptr_t)i),
                    &access->wholes[i]) ||
        a->rank != b->rank ||
        memcmp(a->counters, b->counters, sizeof a->counters) != 0 ||
        !usesLoops(access->depth, b, 1))
      return false;
    for (size_t mode = 0; mode < a->rank; ++mode)
      if (!extentOf(nest, a->tensor, mode) ||
          extentOf(nest, a->tensor, mode) != extentOf(nest, b->tensor, mode))
        return false;
  }
  return true;
}

// Matches a store of one value to the elements of a tensor in their order.
static bool matchStore(const Nest *nest, Access *access) {
  MlirOperation op = access->op;
  MlirValue coord = getOperand(op, 2);
  MlirOperation make =
      cuteValueGetOpOf(nest->dialect, coord, CUTE_OP_MAKE_COORD);
  Whole *whole = &access->wholes[1];
  if (isInside(nest, getOperand(op, 0)) || mlirOperationIsNull(make) ||
      !matchWhole(nest, access, getOperand(op, 1), whole))
    return false;
  if (getNumOperands(make) > 1)
    return matchCoord(nest, access, coord, whole) &&
           usesLoops(access->depth, whole, 1);
  CuteContext c = nest->dialect->context;
  CuteIntTuple size = cuteLayoutGetSize(
      c, cuteDialectGetValueType(nest->dialect, whole->tensor)->layout);
  return access->depth == 1 && isStatic(size) && getNumOperands(make) == 1 &&
         isCounted(nest, access, counterOf(access, getOperand(make, 0)),
                   size->value);
}

// Matches a product: D and A share the rows' parts, D and B the columns', and A
// and B those along K.
static bool matchProduct(const Nest *nest, Access *access) {
  MlirOperation op = access->op;
  const Whole *d = &access->wholes[1], *a = &access->wholes[2],
              *b = &access->wholes[3];
  if (getNumOperands(op) != 5 || isInside(nest, getOperand(op, 0)) ||
      !mlirValueEqual(getOperand(op, 1), getOperand(op, 4)))
    return false;
  for (intptr_t i = 1; i < 5; ++i)
    if (!matchWhole(nest, access, getOperand(op, i), &access->wholes[i]) ||
        access->wholes[i].rank != 3 || access->wholes[i].counters[0] >= 0 ||
        spaceOf(nest, access->wholes[i].tensor) != CUTE_RMEM)
      return false;
  return d->counters[1] == a->counters[1] && d->counters[2] == b->counters[1] &&
         a->counters[2] == b->counters[2] && usesLoops(access->depth, d, 3);
}

static bool matchAccess(const Nest *nest, Access *access) {
  CuteCopyParts parts;
  switch (access->decl->id) {
  case CUTE_OP_STORE:
    return matchStore(nest, access);
  case CUTE_OP_GEMM:
    return matchProduct(nest, access);
  case CUTE_OP_COPY:
    return cuteEffectGetCopy(nest->dialect, access->op, &parts) &&
           mlirValueIsNull(parts.predicate) && !isInside(nest, parts.copy) &&
           matchElements(nest, access, 1, 3) &&
           (spaceOf(nest, access->wholes[1].tensor) == CUTE_RMEM ||
            spaceOf(nest, access->wholes[2].tensor) == CUTE_RMEM);
  case CUTE_OP_CONVERT:
    return matchElements(nest, access, 0, 2);
  case CUTE_OP_CLEAR:
    return matchElements(nest, access, 0, 1);
  default:
    return false;
  }
}

//===-- What depends on what ----------------------------------------------===//

// Tells whether two tensors may share elements.
static bool isSameMemory(const Nest *nest, MlirValue a, MlirValue b) {
  CuteSpace x = spaceOf(nest, a), y = spaceOf(nest, b);
  if (x == CUTE_RMEM && y == CUTE_RMEM)
    return mlirValueEqual(cuteViewGetRoot(nest->dialect, a, x),
                          cuteViewGetRoot(nest->dialect, b, y));
  return x != CUTE_RMEM && y != CUTE_RMEM &&
         (x == CUTE_GMEM) == (y == CUTE_GMEM);
}

static bool writes(const Nest *nest, const Access *access, size_t i) {
  return cuteEffectGetWritten(nest->dialect, access->op) == (intptr_t)i;
}

// Tells whether a tensor begins where its root does.
static bool isRetiled(const Nest *nest, MlirValue tensor) {
  MlirOperation op = cuteValueGetOpOf(nest->dialect, tensor, CUTE_OP_RETILE);
  MlirValue root = cuteViewGetRoot(nest->dialect, tensor, CUTE_RMEM);
  return mlirValueEqual(mlirOperationIsNull(op) ? tensor : getOperand(op, 1),
                        root);
}

// The round of the first `depth` loops, as one number, in which an access
// has element i of a tensor.
static int64_t roundOf(const Nest *nest, const Whole *whole, size_t depth,
                       int64_t i) {
  int64_t of[MOST_LOOPS] = {0}, round = 0;
  for (size_t mode = 0; mode < whole->rank; ++mode) {
    int64_t extent = extentOf(nest, whole->tensor, mode);
    if (whole->counters[mode] >= 0)
      of[whole->counters[mode]] = i % extent;
    i /= extent;
  }
  for (size_t loop = 0; loop < depth; ++loop)
    round = round * INT16_MAX + of[loop];
  return round;
}

// Sets owners[register] to the round that has it, plus 1. False if there are
// two.
static bool markOwners(const Nest *nest, const Whole *whole, size_t depth,
                       int64_t count, int64_t *owners) {
  CuteContext c = nest->dialect->context;
  CuteLayout layout =
      cuteDialectGetValueType(nest->dialect, whole->tensor)->layout;
  int64_t size = cuteLayoutGetSize(c, layout)->value;
  for (int64_t i = 0; i < size; ++i) {
    CuteIntTuple at = cuteLayoutEval(c, layout, staticInt(c, i));
    if (!isStatic(at) || at->value < 0 || at->value >= count)
      return false;
    int64_t round = roundOf(nest, whole, depth, i) + 1;
    if (owners[at->value] && owners[at->value] != round)
      return false;
    owners[at->value] = round;
  }
  return true;
}

// Tells whether two accesses have each register of a fragment in one round of
// the loops around both.
static bool haveSameRounds(const Nest *nest, const Whole *a, const Whole *b,
                           size_t depth) {
  enum { MOST_REGISTERS = 4096 };
  if (!isRetiled(nest, a->tensor) || !isRetiled(nest, b->tensor) ||
      !usesLoops(depth, a, 1) || !usesLoops(depth, b, 1))
    return false;
  int64_t *owners = cuteTaskAllocateZeros(MOST_REGISTERS, sizeof *owners);
  return markOwners(nest, a, depth, MOST_REGISTERS, owners) &&
         markOwners(nest, b, depth, MOST_REGISTERS, owners);
}

// Tells whether all rounds of one access may come before all of a later one.
static bool mayPart(const Nest *nest, const Access *a, const Access *b) {
  size_t depth = 0;
  while (depth < a->depth && depth < b->depth &&
         mlirOperationEqual(a->loops[depth], b->loops[depth]))
    ++depth;
  for (size_t i = 0; i < MOST_TENSORS; ++i)
    for (size_t j = 0; j < MOST_TENSORS; ++j) {
      const Whole *x = &a->wholes[i], *y = &b->wholes[j];
      if (!x->rank || !y->rank || !isSameMemory(nest, x->tensor, y->tensor) ||
          (!writes(nest, a, i) && !writes(nest, b, j)))
        continue;
      if (a->decl->id == CUTE_OP_STORE || b->decl->id == CUTE_OP_STORE ||
          spaceOf(nest, x->tensor) != CUTE_RMEM ||
          !haveSameRounds(nest, x, y, depth))
        return false;
    }
  return true;
}

// Tells whether an op reads nothing that it writes, except its own sums.
static bool isApart(const Nest *nest, const Access *access) {
  size_t written = (size_t)cuteEffectGetWritten(nest->dialect, access->op);
  for (size_t i = 0; i < MOST_TENSORS; ++i)
    if (i != written && access->wholes[i].rank &&
        !mlirValueEqual(access->wholes[i].tensor,
                        access->wholes[written].tensor) &&
        isSameMemory(nest, access->wholes[i].tensor,
                     access->wholes[written].tensor))
      return false;
  return access->wholes[written].rank;
}

//===-- Loops -------------------------------------------------------------===//

static bool isCountedLoop(CuteDialect *dialect, MlirOperation loop) {
  int64_t trips, lower, step;
  return getNumOperands(loop) == 3 &&
         (cuteUnrollIsUnsaid(loop) ||
          cuteUnrollIs(mlirOperationGetDiscardableAttributeByName(
                           loop, cuteMlirString(CUTE_UNROLL)),
                       "full")) &&
         cuteLoopGetTrips(dialect, loop, &trips) && trips > 0 &&
         trips < INT16_MAX &&
         cuteLoopBoundGet(dialect, getOperand(loop, 0), &lower) &&
         cuteLoopBoundGet(dialect, getOperand(loop, 2), &step) && lower == 0 &&
         step == 1;
}

// Adds the accesses of a loop; `outer` has the loops around it. False if there
// is anything else that has an effect.
static bool collect(Nest *nest, const Access *outer, MlirOperation loop) {
  Access inner = *outer;
  if (inner.depth == MOST_LOOPS || !isCountedLoop(nest->dialect, loop))
    return false;
  inner.loops[inner.depth++] = loop;
  CUTE_FOR_OPS_BEFORE(op, mlirBlockGetTerminator(cuteMlirGetBody(loop, 0))) {
    if (cuteMlirIs(op, "scf.for")) {
      if (!collect(nest, &inner, op))
        return false;
      continue;
    }
    CuteEffect effect = cuteEffectGet(nest->dialect, op);
    if (effect == CUTE_EFFECT_NONE)
      continue;
    Access access = inner;
    access.op = op;
    access.decl = cuteDialectGetDecl(nest->dialect, op);
    nest->culprit = op;
    if (effect != CUTE_EFFECT_ACCESS || !access.decl ||
        !matchAccess(nest, &access) || !isApart(nest, &access))
      return false;
    CUTE_PUSH(nest->accesses, nest->count, nest->capacity, access);
  }
  return true;
}

static bool mayJoin(Nest *nest) {
  const Access none = {.depth = 0};
  if (!collect(nest, &none, nest->loop))
    return false;
  for (size_t i = 0; i < nest->count; ++i)
    for (size_t j = 0; j < i; ++j)
      if (!mayPart(nest, &nest->accesses[j], &nest->accesses[i])) {
        nest->culprit = nest->accesses[i].op;
        return false;
      }
  return nest->count;
}

//===-- Joining -----------------------------------------------------------===//

// Builds the op on whole tensors in front of the loops.
static void joinOne(const Nest *nest, const Access *access) {
  CuteBuilder at = cuteBuilderBefore(nest->loop);
  if (access->decl->id == CUTE_OP_STORE) {
    MlirValue operands[] = {access->wholes[1].tensor,
                            getOperand(access->op, 0)};
    cuteBuildOp(&at, nest->dialect, CUTE_OP_FILL, 2, operands, 0, NULL);
    return;
  }
  MlirOperation whole = mlirOperationClone(access->op);
  for (size_t i = 0; i < MOST_TENSORS; ++i)
    if (access->wholes[i].rank)
      mlirOperationSetOperand(whole, (intptr_t)i, access->wholes[i].tensor);
  mlirBlockInsertOwnedOperationBefore(at.block, nest->loop, whole);
}

// Tells whether a loop multiplies fragments, and waits for nothing.
static bool onlyMultiplies(CuteDialect *dialect, MlirOperation loop) {
  CuteOpList list = cuteOpListCollect(dialect, loop);
  bool multiplies = false, waits = false;
  for (size_t i = 0; i < list.count; ++i) {
    multiplies |= list.decls[i]->id == CUTE_OP_GEMM;
    waits |= list.decls[i]->traits.effect > CUTE_EFFECT_ACCESS;
  }
  return multiplies && !waits;
}

// Says what keeps a loop that multiplies, unless a loop around it may be joined
// with it.
static void noteCulprit(const Nest *nest) {
  MlirOperation outer = mlirOperationGetParentOperation(nest->loop);
  if (mlirOperationIsNull(nest->culprit) ||
      (cuteMlirIs(outer, "scf.for") && isCountedLoop(nest->dialect, outer)) ||
      !isCountedLoop(nest->dialect, nest->loop) ||
      !onlyMultiplies(nest->dialect, nest->loop))
    return;
  MlirStringRef name = cuteMlirGetName(nest->culprit);
  CUTE_REMARK_AT(
      nest->culprit,
      "the loop around '%.*s' stays a loop: to become ops on whole fragments "
      "it must access tensors from outside only by slices at its counter, one "
      "for each round, and no round may read what a later one writes",
      CUTE_TEXT(name));
}

static void join(CuteDialect *dialect, MlirOperation loop, bool notes) {
  Nest nest = {.dialect = dialect, .loop = loop};
  if (mayJoin(&nest)) {
    for (size_t i = 0; i < nest.count; ++i)
      joinOne(&nest, &nest.accesses[i]);
    if (notes)
      CUTE_REMARK_AT(
          loop,
          "the loop over parts of fragments becomes %zu op%s on whole ones",
          nest.count, nest.count > 1 ? "s" : "");
    mlirOperationDestroy(loop);
  } else if (notes) {
    noteCulprit(&nest);
  }
}

static MlirWalkResult findLoop(MlirOperation op, void *userData) {
  if (cuteMlirIs(op, "scf.for"))
    cuteOpsPush(userData, op);
  return MlirWalkResultAdvance;
}

void cuteJoinLoops(CuteDialect *dialect, MlirOperation root, bool notes) {
  CuteOps loops = {0};
  mlirOperationWalk(root, findLoop, &loops, MlirWalkPostOrder);
  CUTE_FOR_LIST(op, loops)
    join(dialect, op, notes);
}

bool cuteRunJoinLoops(const CutePass *pass) {
  cuteJoinLoops(pass->dialect, pass->root, true);
  return true;
}
