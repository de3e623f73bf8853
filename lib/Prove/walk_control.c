// Conditions and loops.
#include "Prove/intervals.h"

// Follows a block where the condition holds as well, and in a segment after
// another one.
static void walkUnder(CuteProver *prover, CuteCondition condition,
                      MlirBlock block, const size_t *after) {
  CuteCondition outer = prover->path;
  prover->path = cuteConditionAnd(outer, condition);
  if (after)
    cuteWalkBeginSegment(prover, (CuteStep){.from = *after});
  if (!mlirBlockIsNull(block) && prover->path->kind != CUTE_CONDITION_NEVER)
    cuteWalkBlock(prover, block);
  prover->path = outer;
}

static void walkIf(CuteProver *prover, MlirOperation op) {
  CuteCondition condition =
      cuteWalkGetCondition(prover, mlirOperationGetOperand(op, 0));
  size_t stores = prover->numStores, before = prover->segment;
  bool isSame =
      cuteConditionIsFreeOf(condition, 1u << CUTE_SYMBOL_THREAD |
                                           1u << CUTE_SYMBOL_OPAQUE) ||
      (cuteIntervalsPart(condition) && cuteWalkHasOrder(op));
  size_t ends[2] = {before, before};
  cuteWalkNeedValue(prover, op, mlirOperationGetOperand(op, 0));
  prover->conditions += !isSame;
  for (int i = 0; i < 2; ++i) {
    walkUnder(prover, i ? cuteConditionNot(condition) : condition,
              cuteMlirGetBody(op, i), isSame ? &before : NULL);
    cuteWalkForget(prover, stores);
    ends[i] = prover->segment;
  }
  prover->conditions -= !isSame;
  if (isSame) {
    cuteWalkBeginSegment(prover, (CuteStep){.from = ends[1]});
    cuteWalkAddStep(prover, (CuteStep){.from = ends[0], .to = prover->segment});
  }
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    MlirValue a = cuteWalkGetYielded(cuteMlirGetBody(op, 0), i);
    MlirValue b = cuteWalkGetYielded(cuteMlirGetBody(op, 1), i);
    MlirValue result = mlirOperationGetResult(op, i);
    cuteWalkSet(prover, result,
                cuteWalkChoose(condition, cuteWalkGet(prover, a),
                               cuteWalkGet(prover, b)));
    cuteWalkJoinLanes(prover, result, condition, a, b);
  }
}

//===-- What a loop carries -----------------------------------------------===//

enum { MAX_PERIOD = 64, MAX_CARRIED = 32, MAX_BEFORE = 8 };

// An scf.for, with the integers that it carries.
typedef struct Loop {
  MlirOperation op;
  MlirBlock body;
  intptr_t numCarried;
  CuteTerm begin, end, step, round, count, trips;
  size_t firstSymbol;
  const CuteSymbol *symbols[MAX_CARRIED]; // null: no integer
  CuteTerm first[MAX_CARRIED], next[MAX_CARRIED];
  CuteTerm closed[MAX_CARRIED]; // by the round; null: unknown
  int64_t table[MAX_PERIOD][MAX_CARRIED];
  bool isPeriodic[MAX_CARRIED];
} Loop;

// Tells whether all symbols of a term were there before the loop.
static bool isInvariant(const Loop *loop, CuteTerm term) {
  for (size_t i = 0; i < term->count; ++i)
    for (size_t f = 0; f < term->monomials[i].degree; ++f)
      if (term->monomials[i].factors[f]->id >= loop->firstSymbol)
        return false;
  return true;
}

// Closes what grows by the same in each round.
static void closeSums(Loop *loop) {
  for (intptr_t i = 0; i < loop->numCarried; ++i) {
    if (!loop->symbols[i])
      continue;
    CuteTerm by =
        cuteTermSubtract(loop->next[i], cuteTermGetSymbol(loop->symbols[i]));
    if (isInvariant(loop, by))
      loop->closed[i] =
          cuteTermAdd(loop->first[i], cuteTermMultiply(loop->round, by));
  }
}

// Fills a row of the table from the one before: a value that is not constant in
// a round is not periodic.
static bool fillRow(CuteProver *prover, Loop *loop, size_t row) {
  CuteRenaming to = cuteRenamingCreate(prover->terms);
  bool any = false;
  for (intptr_t i = 0; i < loop->numCarried; ++i)
    if (loop->isPeriodic[i])
      to.by[loop->symbols[i]->id] =
          cuteTermGetConstant(prover->terms, loop->table[row - 1][i]);
  for (intptr_t i = 0; i < loop->numCarried; ++i) {
    if (loop->isPeriodic[i])
      loop->isPeriodic[i] = cuteTermIsConstant(
          cuteTermRename(loop->next[i], to), &loop->table[row][i]);
    any |= loop->isPeriodic[i];
  }
  return any;
}

static bool areRowsEqual(const Loop *loop, size_t a, size_t b) {
  for (intptr_t i = 0; i < loop->numCarried; ++i)
    if (loop->isPeriodic[i] && loop->table[a][i] != loop->table[b][i])
      return false;
  return true;
}

// The number of rounds after which all that is periodic comes again, and of
// those before it first does; 0: none.
static size_t findPeriod(CuteProver *prover, Loop *loop, size_t *before) {
  for (intptr_t i = 0; i < loop->numCarried; ++i)
    loop->isPeriodic[i] =
        loop->symbols[i] && !loop->closed[i] &&
        cuteTermIsConstant(loop->first[i], &loop->table[0][i]);
  for (size_t row = 1; row < MAX_PERIOD; ++row) {
    if (!fillRow(prover, loop, row))
      return 0;
    for (*before = 0; *before < row; ++*before)
      if (areRowsEqual(loop, *before, row))
        return row - *before;
  }
  return 0;
}

// The numbers of a column, one after the other, as (first + round) modulo some
// ring, or as the half of a ring twice as long; null for others.
static CuteTerm closeRing(const int64_t *column, int64_t period,
                          CuteTerm round) {
  int64_t most = 0;
  for (int64_t row = 0; row < period; ++row)
    most = column[row] > most ? column[row] : most;
  bool isRing = true;
  for (int64_t row = 0; row < period; ++row)
    isRing &= column[row] == (column[0] + row) % (most + 1);
  if (isRing)
    return cuteTermModulo(cuteTermAddConstant(round, column[0]), most + 1);
  for (int64_t shift = 0; period % 2 == 0 && shift < period; ++shift) {
    bool isHalf = true;
    for (int64_t row = 0; row < period; ++row)
      isHalf &= column[row] == (row + shift) / (period / 2) % 2;
    if (isHalf)
      return cuteTermModulo(
          cuteTermFloor(cuteTermAddConstant(round, shift), period / 2), 2);
  }
  return NULL;
}

// Closes a column that has `before` rounds that do not come again.
static CuteTerm closeColumn(CuteProver *prover, const Loop *loop, intptr_t i,
                            size_t period, size_t before) {
  CuteTerms *terms = prover->terms;
  int64_t column[MAX_PERIOD];
  for (size_t row = 0; row < period; ++row)
    column[row] = loop->table[before + row][i];
  CuteTerm round = cuteTermAddConstant(loop->round, -(int64_t)before);
  CuteTerm closed = closeRing(column, (int64_t)period, round);
  if (!closed || before > MAX_BEFORE)
    return NULL;
  for (size_t row = before; row-- > 0;)
    closed =
        cuteTermChoose(cuteConditionIsNumber(loop->round, (int64_t)row),
                       cuteTermGetConstant(terms, loop->table[row][i]), closed);
  return closed;
}

static void closeRings(CuteProver *prover, Loop *loop) {
  size_t before, period = findPeriod(prover, loop, &before);
  for (intptr_t i = 0; period && i < loop->numCarried; ++i)
    if (loop->isPeriodic[i])
      loop->closed[i] = closeColumn(prover, loop, i, period, before);
}

// Follows a round whose accesses are not counted, to see what it carries on;
// again, where it gets other numbers from registers than the first round.
static void rehearse(CuteProver *prover, Loop *loop) {
  size_t stores = prover->numStores;
  bool any = false;
  for (intptr_t i = 0; i < loop->numCarried; ++i) {
    MlirValue argument = mlirBlockGetArgument(loop->body, i + 1);
    CuteValue first =
        cuteWalkGet(prover, mlirOperationGetOperand(loop->op, i + 3));
    CuteValue opaque = cuteWalkUnknown(prover, mlirValueGetType(argument),
                                       "an integer that a loop carries");
    cuteWalkSet(prover, argument, opaque);
    loop->symbols[i] = opaque.kind == CUTE_VALUE_INTEGER
                           ? cuteTermGetOnlySymbol(opaque.term)
                           : NULL;
    loop->first[i] = first.term;
    any |= loop->symbols[i] != NULL;
  }
  ++prover->rehearsals;
  cuteWalkBlock(prover, loop->body);
  if (any && prover->numStores > stores) {
    cuteWalkForget(prover, stores);
    cuteWalkBlock(prover, loop->body);
  }
  --prover->rehearsals;
  for (intptr_t i = 0; i < loop->numCarried; ++i)
    if (loop->symbols[i])
      loop->next[i] =
          cuteWalkGetTerm(prover, cuteWalkGetYielded(loop->body, i));
}

// Sets arguments, or results after all rounds, to what is known of them.
static void setCarried(CuteProver *prover, const Loop *loop, bool isAfter) {
  CuteTerms *terms = prover->terms;
  CuteRenaming to = cuteRenamingCreate(terms);
  to.by[cuteTermGetOnlySymbol(loop->round)->id] = loop->trips;
  for (intptr_t i = 0; i < loop->numCarried; ++i) {
    MlirValue value = isAfter ? mlirOperationGetResult(loop->op, i)
                              : mlirBlockGetArgument(loop->body, i + 1);
    if (loop->closed[i])
      cuteWalkSetTerm(prover, value,
                      isAfter ? cuteTermRename(loop->closed[i], to)
                              : loop->closed[i]);
    else
      cuteWalkSet(prover, value,
                  cuteWalkUnknown(prover, mlirValueGetType(value),
                                  "an integer that a loop carries"));
  }
}

// Sets the round's counter, and gives the condition that this round runs.
static CuteCondition beginRound(CuteProver *prover, Loop *loop) {
  CuteTerms *terms = prover->terms;
  loop->firstSymbol = terms->count;
  CuteTerm span = cuteTermSubtract(loop->end, loop->begin);
  CuteInterval range = cuteTermGetRange(span);
  loop->count = cuteTermCeilQuotient(span, loop->step);
  loop->trips = cuteTermChoose(cuteConditionAtLeast(span), loop->count,
                               cuteTermGetConstant(terms, 0));
  int64_t last = range.high >= CUTE_UNBOUNDED ? CUTE_UNBOUNDED
                 : range.high < 1
                     ? 0
                     : (range.high - 1) / cuteTermGetRange(loop->step).low;
  loop->round = cuteTermGetSymbol(cuteSymbolCreate(
      terms, CUTE_SYMBOL_ROUND, "round", (CuteInterval){0, last}));
  CuteTerm done = cuteTermMultiply(loop->round, loop->step);
  cuteWalkSetTerm(prover, mlirBlockGetArgument(loop->body, 0),
                  cuteTermAdd(loop->begin, done));
  return cuteConditionIsLess(done, span);
}

static CuteRound *enterLoop(CuteProver *prover, const Loop *loop) {
  CuteRound *round = cuteArenaAllocate(&prover->terms->arena, sizeof *round);
  *round = (CuteRound){.outer = prover->rounds,
                       .symbol = cuteTermGetOnlySymbol(loop->round),
                       .count = loop->count,
                       .trips = cuteTermGetRange(loop->trips)};
  prover->rounds = round;
  return round;
}

// Follows the body of a loop, and leaves it. It may have no round.
static void walkRounds(CuteProver *prover, const Loop *loop, CuteRound *round) {
  size_t before = prover->segment;
  if (round->isCut)
    cuteWalkBeginSegment(prover, (CuteStep){.from = before});
  size_t first = prover->segment;
  cuteWalkBlock(prover, loop->body);
  cuteWalkAddStep(prover, (CuteStep){.from = prover->segment,
                                     .to = first,
                                     .kind = round->isCut ? CUTE_STEP_BACK
                                                          : CUTE_STEP_FLOW});
  prover->rounds = round->outer;
  if (!round->isCut)
    return;
  cuteWalkBeginSegment(prover, (CuteStep){.from = prover->segment});
  if (round->trips.low < 1)
    cuteWalkAddStep(prover, (CuteStep){.from = before, .to = prover->segment});
}

static CuteLoopLanes lanesOf(CuteProver *prover, const Loop *loop) {
  CuteLoopLanes lanes = {
      .op = loop->op,
      .body = loop->body,
      .later = cuteConditionAtLeast(cuteTermAddConstant(loop->round, -1)),
      .some = cuteConditionAtLeast(cuteTermAddConstant(loop->trips, -1))};
  lanes.last = cuteRenamingCreate(prover->terms);
  lanes.last.by[cuteTermGetOnlySymbol(loop->round)->id] =
      cuteTermAddConstant(loop->trips, -1);
  return lanes;
}

static void walkFor(CuteProver *prover, MlirOperation op) {
  Loop loop = {.op = op,
               .body = cuteMlirGetBody(op, 0),
               .numCarried = mlirOperationGetNumResults(op),
               .begin = cuteWalkGetOperand(prover, op, 0),
               .end = cuteWalkGetOperand(prover, op, 1),
               .step = cuteWalkGetOperand(prover, op, 2)};
  if (cuteTermGetRange(loop.step).low < 1 ||
      (cuteMlirHasAttribute(op, "unsignedCmp") &&
       !(cuteWalkIsAtLeast(prover, loop.begin, 0) &&
         cuteWalkIsAtLeast(prover, loop.end, 0)))) {
    cuteWalkGiveUp(prover, op,
                   "a loop whose step, or the sign of an end, is unknown");
    return;
  }
  size_t stores = prover->numStores;
  CuteCondition outer = prover->path;
  if (loop.numCarried > MAX_CARRIED)
    loop.numCarried = 0;
  CuteCondition there = beginRound(prover, &loop);
  prover->path = cuteConditionAnd(outer, there);
  CuteRound *round = enterLoop(prover, &loop);
  size_t cuts = prover->numCuts;
  CuteLoopLanes lanes = lanesOf(prover, &loop);
  cuteWalkBeginLanes(prover, &lanes);
  rehearse(prover, &loop);
  cuteWalkTurnLanes(prover, &lanes);
  round->isCut = prover->numCuts > cuts;
  cuteWalkForget(prover, stores);
  closeSums(&loop);
  closeRings(prover, &loop);
  setCarried(prover, &loop, false);
  if (prover->path->kind != CUTE_CONDITION_NEVER)
    walkRounds(prover, &loop, round);
  cuteWalkEndLanes(prover, &lanes);
  prover->path = outer;
  prover->rounds = round->outer;
  cuteWalkForget(prover, stores);
  setCarried(prover, &loop, true);
}

bool cuteWalkControl(CuteProver *prover, MlirOperation op) {
  if (cuteMlirIs(op, "scf.if"))
    walkIf(prover, op);
  else if (cuteMlirIs(op, "scf.for"))
    walkFor(prover, op);
  else if (mlirOperationGetNumRegions(op))
    cuteWalkGiveUp(prover, op, "regions that are not followed");
  return mlirOperationGetNumRegions(op);
}
