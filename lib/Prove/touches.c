// Lists what a kernel touches of a tensor.
#include "Prove/writes.h"

#include "Prove/intervals.h"
#include "Support/growing_array.h"

enum { MAX_TOUCHES = 4096, MAX_NAMED = 8 };

static void doubt(CuteTouches *touches, MlirOperation op, const char *reason) {
  if (touches->reason)
    return;
  touches->reason = reason;
  touches->op = op;
}

static CuteReach *renameReach(CuteProver *prover, const CuteReach *reach,
                              CuteRenaming to) {
  CuteArena *arena = &prover->terms->arena;
  CuteReach *copy = cuteArenaAllocate(arena, sizeof *copy);
  *copy = *reach;
  copy->offset = cuteTermRename(reach->offset, to);
  copy->path = cuteConditionRename(reach->path, to);
  copy->used = reach->used ? cuteConditionRename(reach->used, to) : NULL;
  if (reach->box) {
    CuteBox *box = cuteArenaAllocate(arena, sizeof *box);
    *box = *reach->box;
    for (size_t r = 0; r < reach->place->rank; ++r)
      box->at[r] = cuteTermRename(box->at[r], to);
    copy->box = box;
  }
  return copy;
}

// Replaces the index of a thread by its numbers. What is the same in all
// threads of the condition is kept as the one under which the access is used.
static CuteReach *nameThread(CuteProver *prover, const CuteReach *reach,
                             int64_t thread) {
  CuteRenaming to = cuteRenamingCreate(prover->terms);
  for (int i = 0; i < 3; thread /= prover->blockSize[i++])
    to.by[prover->thread[i]->id] =
        cuteTermGetConstant(prover->terms, thread % prover->blockSize[i]);
  CuteReach *copy = renameReach(prover, reach, to);
  copy->used = cuteWriteGetGuard(reach->path, 1u << CUTE_SYMBOL_THREAD);
  return copy;
}

static bool fallsWith(CuteTerm term, const CuteSymbol *symbol) {
  bool falls = false;
  for (size_t i = 0; i < term->count; ++i)
    for (size_t f = 0; f < term->monomials[i].degree; ++f)
      falls |= term->monomials[i].factors[f] == symbol &&
               term->monomials[i].coefficient < 0;
  return falls;
}

// Counts rounds from the last one on where coordinates fall with them.
static const CuteReach *countUp(CuteProver *prover, const CuteReach *reach) {
  for (const CuteRound *r = reach->rounds; r; r = r->outer) {
    bool falls = fallsWith(reach->offset, r->symbol);
    for (size_t i = 0; reach->box && i < reach->place->rank; ++i)
      falls |= fallsWith(reach->box->at[i], r->symbol);
    if (!falls)
      continue;
    CuteRenaming to = cuteRenamingCreate(prover->terms);
    CuteTerm other = cuteTermAddConstant(
        cuteTermSubtract(r->count, cuteTermGetSymbol(r->symbol)), -1);
    to.by[r->symbol->id] = other;
    CuteReach *renamed = renameReach(prover, reach, to);
    renamed->path =
        cuteConditionAnd(renamed->path, cuteConditionAtLeast(other));
    reach = renamed;
  }
  return reach;
}

// A choice that a term is a multiple of; null: there is none.
static const CuteSymbol *choiceOf(CuteTerm term) {
  for (size_t i = 0; i < term->count; ++i)
    for (size_t f = 0; f < term->monomials[i].degree; ++f)
      if (term->monomials[i].factors[f]->kind == CUTE_SYMBOL_CHOICE)
        return term->monomials[i].factors[f];
  return NULL;
}

// Lists an access as two, where its coordinates are chosen.
static bool addChosen(CuteTouches *touches, const CuteReach *reach,
                      bool isOfOne);

static void addWrite(CuteTouches *touches, const CuteReach *reach,
                     bool isOfOne) {
  CuteWrite write;
  reach = countUp(touches->claims->prover, reach);
  if (reach->path->kind == CUTE_CONDITION_NEVER ||
      addChosen(touches, reach, isOfOne))
    return;
  if (!cuteWriteDescribe(touches->claims->prover, reach, &write))
    doubt(touches, reach->op, CUTE_REASON_NOT_TILES);
  for (size_t a = 0; a < write.numAxes; ++a)
    if (!write.axes[a].bound)
      doubt(touches, reach->op, CUTE_REASON_NOT_TILES);
  write.isOfOne = isOfOne;
  if (touches->reason || touches->count == MAX_TOUCHES)
    return;
  write.block = cuteConditionGiven(
      cuteWriteIsInTensor(&write),
      isOfOne ? reach->used
              : cuteWriteGetGuard(reach->path, 1u << CUTE_SYMBOL_THREAD));
  CUTE_PUSH(touches->list, touches->count, touches->capacity, write);
}

static bool addChosen(CuteTouches *touches, const CuteReach *reach,
                      bool isOfOne) {
  CuteProver *prover = touches->claims->prover;
  const CuteSymbol *s = choiceOf(reach->offset);
  for (size_t r = 0; reach->box && !s && r < reach->place->rank; ++r)
    s = choiceOf(reach->box->at[r]);
  for (int i = 0; s && i < 2; ++i) {
    CuteCondition c = i ? cuteConditionNot(s->condition) : s->condition;
    CuteRenaming to = cuteRenamingCreate(prover->terms);
    to.by[s->id] = i ? s->b : s->a;
    CuteReach *chosen = renameReach(prover, reach, to);
    if (cuteConditionImplies(reach->path, cuteConditionNot(c)))
      continue;
    if (!cuteConditionImplies(reach->path, c)) {
      chosen->path = cuteConditionAnd(chosen->path, c);
      if (isOfOne)
        chosen->used = cuteConditionAnd(chosen->used, c);
    }
    addWrite(touches, chosen, isOfOne);
  }
  return s;
}

// Adds an access; of a few threads that of each: their coordinates may differ
// in the tile.
static void addTouch(CuteTouches *touches, CuteValues *values,
                     const CuteReach *reach) {
  CuteProver *prover = touches->claims->prover;
  int64_t named[MAX_NAMED], threads = cuteProverCountThreads(prover), n = 0;
  for (int64_t i = 0; i < threads && n <= MAX_NAMED; ++i) {
    cuteIntervalsSetCase(values, prover, NULL, cuteWriteCounts, i);
    if (!cuteValuesMayHold(values, reach->path))
      continue;
    if (n < MAX_NAMED)
      named[n] = i;
    ++n;
  }
  if (n > MAX_NAMED)
    addWrite(touches, reach, false);
  for (int64_t i = 0; n <= MAX_NAMED && i < n; ++i)
    addWrite(touches, nameThread(prover, reach, named[i]), true);
}

// Sorts the accesses into groups, those together whose tiles are at the same
// place under the same condition.
static void findGroups(CuteTouches *touches) {
  size_t n = touches->count, end;
  CuteWrite *all = touches->list;
  touches->groups = cuteAllocate((n + 1) * sizeof *touches->groups);
  for (size_t first = 0; first < n && !touches->reason; first = end) {
    end = first + 1;
    for (size_t i = end; i < n; ++i)
      if (cuteWritesAreAlike(&all[i], &all[first]) &&
          all[i].block == all[first].block) {
        CuteWrite moved = all[i];
        all[i] = all[end];
        all[end++] = moved;
      }
    CuteWriteGroup *group = &touches->groups[touches->numGroups++];
    *group = (CuteWriteGroup){
        .claims = touches->claims, .writes = &all[first], .count = end - first};
    const char *reason = cuteWriteListElements(group);
    if (reason)
      doubt(touches, all[first].reach->op, reason);
  }
}

CuteTouches cuteTouchesList(CuteClaims *claims, size_t argument, bool isStore) {
  CuteProver *prover = claims->prover;
  CuteTouches touches = {.claims = claims};
  CuteValues values = cuteValuesCreate(prover->terms);
  for (size_t i = 0; i < prover->numReaches; ++i) {
    const CuteReach *reach = &prover->reaches[i];
    if (reach->place->kind == CUTE_PLACE_GLOBAL &&
        reach->place->argument == argument && reach->isStore == isStore)
      addTouch(&touches, &values, reach);
  }
  findGroups(&touches);
  return touches;
}

void cuteTouchesDestroy(CuteTouches *touches) {
  for (size_t i = 0; i < touches->numGroups; ++i)
    free(touches->groups[i].elements);
  free(touches->groups);
  free(touches->list);
}
