// Following into the regions of scf's ops and into the functions that are
// called.
#include "Lanes/follow.h"

// Calls of calls, and calls in all; what is beyond is not followed.
enum { MAX_DEPTH = 16, MAX_CALLS = 200 };

static MlirBlock blockOf(MlirOperation op, intptr_t region) {
  return cuteMlirGetBody(op, region);
}

// The numbers, marked as made up.
static const CuteLanes *asSample(CuteFollow *follow, const CuteLanes *lanes) {
  if (!lanes)
    return NULL;
  CuteLanes *result = cuteThreadsAllocate(&follow->threads);
  memcpy(result->values, lanes->values,
         (size_t)follow->threads.count * sizeof *lanes->values);
  result->isSampled = true;
  return result;
}

// The type with its dynamic leaves marked as made up.
static CuteType typeAsSample(CuteFollow *follow, CuteType type) {
  CuteThreads *threads = &follow->threads;
  CuteContext c = follow->context;
  size_t n = cuteTypeGetNumDynamic(type);
  CuteIntTuple *leaves = cuteScratch(c, n * sizeof *leaves);
  cuteTypeGetDynamicLeaves(type, leaves);
  for (size_t i = 0; i < n; ++i)
    leaves[i] = cuteThreadsGetLeaf(
        threads, asSample(follow, cuteThreadsGetLanes(threads, leaves[i])),
        leaves[i]->width, leaves[i]->value);
  return n ? cuteTypeBind(c, type, leaves) : type;
}

// Notes that a value may be what another one is.
static void setMaybe(CuteFollow *follow, MlirValue value, MlirValue other) {
  const CuteFollowed *like = cuteFollowGet(follow, other);
  if (like) {
    CuteFollowed followed = *like;
    followed.type = typeAsSample(follow, like->type);
    followed.start = asSample(follow, like->start);
    cuteFollowSet(follow, value, followed);
  }
  cuteFollowSetInteger(follow, value,
                       asSample(follow, cuteFollowGetInteger(follow, other)));
}

//===-- Choices -----------------------------------------------------------===//

// The region that each thread takes, as a number: 0 for region `otherwise`, or
// the position of a case of the op from 1 on. Those of an if are the condition.
typedef struct Choice {
  MlirOperation op;
  const CuteLanes *taken; // null: not known
  bool forks;             // and may differ between threads
  intptr_t otherwise;     // an if's is the last, a switch's the first
} Choice;

static intptr_t regionOf(const Choice *choice, int64_t taken) {
  return !taken ? choice->otherwise : choice->otherwise ? 0 : (intptr_t)taken;
}

static MlirValue yielded(MlirOperation op, intptr_t region, intptr_t i) {
  return getOperand(mlirBlockGetTerminator(blockOf(op, region)), i);
}

// The threads that take a region.
static const bool *activeIn(CuteFollow *follow, const Choice *choice,
                            intptr_t region) {
  bool *active =
      cuteArenaAllocate(&follow->threads.arena, (size_t)follow->threads.count);
  for (int64_t t = 0; t < follow->threads.count; ++t)
    active[t] = follow->active[t] &&
                regionOf(choice, choice->taken->values[t]) == region;
  return active;
}

// Merges what each thread gets by the region that it takes.
static void selectYielded(CuteFollow *follow, const Choice *choice,
                          intptr_t i) {
  CuteLanes *result = cuteThreadsAllocate(&follow->threads);
  result->isSampled = false;
  for (int64_t t = 0; t < follow->threads.count; ++t) {
    const CuteLanes *from = cuteFollowGetInteger(
        follow,
        yielded(choice->op, regionOf(choice, choice->taken->values[t]), i));
    if (!from)
      return;
    result->values[t] = from->values[t];
    result->isSampled |= from->isSampled;
  }
  cuteFollowSetInteger(follow, getResult(choice->op, i), result);
}

// Tells whether integers that are not known may differ between threads.
static bool mayDiffer(const CuteFollow *follow, const CuteLanes *lanes) {
  for (int64_t t = 1; lanes && t < follow->threads.count; ++t)
    if (lanes->values[t] != lanes->values[0])
      return true;
  return !lanes;
}

// A choice that is not known falls on the region: `then`, or the first case.
static void followChoice(CuteFollow *follow, const Choice *choice,
                         intptr_t example) {
  const bool *outer = follow->active;
  follow->guards += !choice->taken;
  follow->forks += choice->forks;
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(choice->op); ++r) {
    if (choice->taken)
      follow->active = activeIn(follow, choice, r);
    cuteFollowRegion(follow, mlirOperationGetRegion(choice->op, r));
    follow->active = outer;
  }
  follow->guards -= !choice->taken;
  follow->forks -= choice->forks;
  for (intptr_t i = 0; i < getNumResults(choice->op); ++i) {
    if (choice->taken)
      selectYielded(follow, choice, i);
    else
      setMaybe(follow, getResult(choice->op, i),
               yielded(choice->op, example, i));
  }
}

// Gives the choice by operand 0, whose integers are `taken` if they are known
// for each thread, and not made up.
static Choice choiceOf(CuteFollow *follow, MlirOperation op,
                       intptr_t otherwise) {
  const CuteLanes *lanes = cuteFollowGetInteger(follow, getOperand(op, 0));
  bool isKnown = lanes && !lanes->isSampled;
  return (Choice){op, isKnown ? lanes : NULL,
                  !isKnown && mayDiffer(follow, lanes), otherwise};
}

static void followIf(CuteFollow *follow, MlirOperation op) {
  Choice choice = choiceOf(follow, op, 1);
  followChoice(follow, &choice, 0);
}

static int64_t caseOf(MlirAttribute cases, int64_t value) {
  for (intptr_t i = 0; i < mlirDenseArrayGetNumElements(cases); ++i)
    if (mlirDenseI64ArrayGetElement(cases, i) == value)
      return i + 1;
  return 0;
}

static void followSwitch(CuteFollow *follow, MlirOperation op) {
  MlirAttribute cases = cuteMlirGetAttribute(op, "cases");
  Choice choice = choiceOf(follow, op, 0);
  const CuteLanes *values = choice.taken;
  CuteLanes *taken = values ? cuteThreadsAllocate(&follow->threads) : NULL;
  for (int64_t t = 0; taken && t < follow->threads.count; ++t)
    taken->values[t] = caseOf(cases, values->values[t]);
  choice.taken = taken;
  followChoice(follow, &choice, mlirDenseArrayGetNumElements(cases) > 0);
}

//===-- Loops -------------------------------------------------------------===//

// Sets a value that a loop carries to what the loop begins with: made up after
// the first round, unless each round hands it on.
static void setCarried(CuteFollow *follow, MlirOperation op, intptr_t i,
                       MlirValue value) {
  MlirValue first = getOperand(op, i + 3);
  MlirValue kept = mlirBlockGetArgument(blockOf(op, 0), i + 1);
  if (mlirValueEqual(yielded(op, 0, i), kept))
    cuteFollowSetLike(follow, value, first);
  else
    setMaybe(follow, value, first);
}

// False for integers that a round takes from where nothing is known.
static bool isCarriedKnown(const CuteFollow *follow, MlirOperation op,
                           intptr_t i) {
  MlirValue next = yielded(op, 0, i);
  return cuteFollowGet(follow, next) || cuteFollowGetInteger(follow, next);
}

// Tells which threads have a round of a loop; null if a bound is unknown.
static const CuteLanes *roundsOf(CuteFollow *follow, MlirOperation op) {
  const CuteLanes *first = cuteFollowGetInteger(follow, getOperand(op, 0));
  const CuteLanes *end = cuteFollowGetInteger(follow, getOperand(op, 1));
  if (!first || !end)
    return NULL;
  bool isUnsigned = cuteMlirHasAttribute(op, "unsignedCmp");
  CuteLanes *result = cuteThreadsAllocate(&follow->threads);
  result->isSampled = first->isSampled || end->isSampled;
  for (int64_t t = 0; t < follow->threads.count; ++t) {
    int64_t a = first->values[t], b = end->values[t];
    result->values[t] = isUnsigned ? (uint64_t)a < (uint64_t)b : a < b;
  }
  return result;
}

// Follows the body for the threads that have a round; for all, where that is
// made up, as large problems have rounds for all with one end.
static void followRounds(CuteFollow *follow, MlirOperation op) {
  const CuteLanes *rounds = roundsOf(follow, op);
  const Choice choice = {op, rounds, false, 1};
  const bool *outer = follow->active;
  bool isKnown = rounds && !rounds->isSampled;
  MlirValue end = getOperand(op, 1);
  bool forks =
      !rounds ||
      (!isKnown && mayDiffer(follow, cuteFollowGetInteger(follow, end)));
  if (isKnown)
    follow->active = activeIn(follow, &choice, 0);
  follow->forks += forks;
  cuteFollowRegion(follow, mlirOperationGetRegion(op, 0));
  follow->forks -= forks;
  follow->active = outer;
}

static void followFor(CuteFollow *follow, MlirOperation op) {
  MlirBlock body = blockOf(op, 0);
  cuteFollowSetInteger(
      follow, mlirBlockGetArgument(body, 0),
      asSample(follow, cuteFollowGetInteger(follow, getOperand(op, 0))));
  for (intptr_t i = 0; i < getNumResults(op); ++i)
    setCarried(follow, op, i, mlirBlockGetArgument(body, i + 1));
  followRounds(follow, op);
  for (intptr_t i = 0; i < getNumResults(op); ++i)
    if (isCarriedKnown(follow, op, i))
      setCarried(follow, op, i, getResult(op, i));
}

// All threads compute the condition; how many continue, and how often, is not
// known. Carried numbers have their values of the first round.
static void followWhile(CuteFollow *follow, MlirOperation op) {
  MlirBlock before = blockOf(op, 0), after = blockOf(op, 1);
  for (intptr_t i = 0; i < getNumOperands(op); ++i)
    setMaybe(follow, mlirBlockGetArgument(before, i), getOperand(op, i));
  cuteFollowRegion(follow, mlirOperationGetRegion(op, 0));
  MlirOperation condition = mlirBlockGetTerminator(before);
  for (intptr_t i = 0; i < getNumResults(op); ++i) {
    MlirValue passed = getOperand(condition, i + 1);
    setMaybe(follow, mlirBlockGetArgument(after, i), passed);
    setMaybe(follow, getResult(op, i), passed);
  }
  ++follow->guards, ++follow->forks;
  cuteFollowRegion(follow, mlirOperationGetRegion(op, 1));
  --follow->guards, --follow->forks;
}

//===-- Regions and functions that are left with values -------------------===//

// Sets the op's results to the operands of the region's only terminator of that
// name; nothing is known of them if there are several.
static void setLikeLeft(CuteFollow *follow, MlirOperation op, MlirRegion region,
                        const char *name) {
  MlirOperation left = {NULL};
  CUTE_FOR_BLOCKS(block, region) {
    MlirOperation terminator = mlirBlockGetTerminator(block);
    if (!cuteMlirIs(terminator, name))
      continue;
    if (!mlirOperationIsNull(left))
      return;
    left = terminator;
  }
  for (intptr_t i = 0; !mlirOperationIsNull(left) && i < getNumResults(op); ++i)
    cuteFollowSetLike(follow, getResult(op, i), getOperand(left, i));
}

static void followExecute(CuteFollow *follow, MlirOperation op) {
  MlirRegion region = mlirOperationGetRegion(op, 0);
  cuteFollowRegion(follow, region);
  setLikeLeft(follow, op, region, "scf.yield");
}

//===-- Calls -------------------------------------------------------------===//

static void forget(CuteFollow *follow, MlirValue value) {
  cutePointerMapSet(&follow->values, value.ptr, NULL);
  cutePointerMapSet(&follow->integers, value.ptr, NULL);
}

// Forgets what is known of an earlier call of the function.
static void forgetValues(CuteFollow *follow, MlirOperation op) {
  CUTE_FOR_RESULTS(result, op)
    forget(follow, result);
  CUTE_FOR_INNER_BLOCKS(block, op)
    for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); ++i)
      forget(follow, mlirBlockGetArgument(block, i));
}

// The function that is called, or null for one that has no body here.
static MlirOperation calleeOf(const CuteFollow *follow, MlirOperation call) {
  MlirSymbolTable symbols =
      mlirSymbolTableCreate(mlirOperationGetParentOperation(follow->function));
  if (mlirSymbolTableIsNull(symbols))
    return (MlirOperation){NULL};
  MlirOperation callee = mlirSymbolTableLookup(
      symbols,
      mlirFlatSymbolRefAttrGetValue(cuteMlirGetAttribute(call, "callee")));
  mlirSymbolTableDestroy(symbols);
  bool hasBody =
      cuteMlirIs(callee, "func.func") && !mlirBlockIsNull(blockOf(callee, 0));
  return hasBody ? callee : (MlirOperation){NULL};
}

static bool isWithin(const CuteFollowedCall *call, MlirOperation callee) {
  for (; call; call = call->outer)
    if (mlirOperationEqual(call->callee, callee))
      return true;
  return false;
}

// Follows the function's body with the operands of this call.
static void followCall(CuteFollow *follow, MlirOperation op) {
  MlirOperation callee = calleeOf(follow, op);
  const CuteFollowedCall *outer = follow->call;
  if (mlirOperationIsNull(callee) || isWithin(outer, callee) ||
      (outer && outer->depth == MAX_DEPTH) || follow->numCalls == MAX_CALLS)
    return;
  CuteFollowedCall call = {callee, outer, outer ? outer->depth + 1 : 1,
                           ++follow->numCalls};
  CUTE_FOR_NESTED(inner, callee)
    forgetValues(follow, inner);
  for (intptr_t i = 0; i < getNumOperands(op); ++i)
    cuteFollowSetLike(follow, mlirBlockGetArgument(blockOf(callee, 0), i),
                      getOperand(op, i));
  follow->call = &call;
  cuteFollowRegion(follow, mlirOperationGetRegion(callee, 0));
  follow->call = outer;
  setLikeLeft(follow, op, mlirOperationGetRegion(callee, 0), "func.return");
}

//===-- Which op ----------------------------------------------------------===//

bool cuteFollowControlFlow(CuteFollow *follow, MlirOperation op) {
  static const struct {
    const char *name;
    void (*function)(CuteFollow *follow, MlirOperation op);
  } kinds[] = {
      {"scf.if", followIf},
      {"scf.for", followFor},
      {"scf.while", followWhile},
      {"scf.index_switch", followSwitch},
      {"scf.execute_region", followExecute},
      {"func.call", followCall},
  };
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i)
    if (cuteMlirIs(op, kinds[i].name)) {
      kinds[i].function(follow, op);
      return true;
    }
  return false;
}
