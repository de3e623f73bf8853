// Finds the block and the round in which a kernel touches an element: the
// coordinates give digits, a quotient and a rest what was divided, and this the
// block and the round.
#include "Prove/writes.h"

enum {
  INDICES = 1u << CUTE_SYMBOL_BLOCK | 1u << CUTE_SYMBOL_ROUND,
  THREAD = 1u << CUTE_SYMBOL_THREAD,
  NOT_THREAD = INDICES | 1u << CUTE_SYMBOL_SIZE | 1u << CUTE_SYMBOL_OPAQUE
};

// Blocks and rounds, and terms of these, that have a value.
typedef struct Search {
  CuteProver *prover;
  CuteRenaming to;
  CuteCondition needs; // what has to hold for the values to be right
  const char *reason;  // null: they were found
} Search;

static void need(Search *search, CuteCondition condition) {
  search->needs = cuteConditionAnd(search->needs, condition);
}

static void assign(Search *search, const CuteSymbol *symbol, CuteTerm value) {
  if (symbol->id >= search->to.count) {
    search->reason = "tiles of blocks or rounds that overlap";
    return;
  }
  CuteTerm *by = &search->to.by[symbol->id];
  if (*by) {
    need(search, cuteConditionIsSame(*by, value));
    return;
  }
  *by = value;
  if (symbol->range.low > -CUTE_UNBOUNDED)
    need(search,
         cuteConditionAtLeast(cuteTermAddConstant(value, -symbol->range.low)));
  if (symbol->range.high < CUTE_UNBOUNDED)
    need(search,
         cuteConditionIsAtMost(
             value, cuteTermGetConstant(value->terms, symbol->range.high)));
}

// Divides a monomial by its factor that is of blocks and rounds. False where
// there is not one.
static bool takeIndex(CuteMonomial *m, const CuteSymbol **index) {
  *index = NULL;
  for (size_t f = 0; f < m->degree; ++f)
    if (!cuteConditionTermIsFreeOf(cuteTermGetSymbol(m->factors[f]),
                                   INDICES | THREAD)) {
      if (*index)
        return false;
      *index = m->factors[f];
    }
  return *index && cuteMonomialDivide(m, *index);
}

static bool isLarger(const CuteMonomial *a, const CuteMonomial *b) {
  return a->degree > b->degree ||
         (a->degree == b->degree && a->coefficient > b->coefficient);
}

enum { MAX_DIGITS = 8 };

// Makes a sum of multiples of indices have a value: each is a digit of it.
static void assignSum(Search *search, CuteTerm sum, CuteTerm value) {
  CuteTerms *terms = sum->terms;
  CuteTerm later = cuteTermGetConstant(terms, 0);
  CuteMonomial weights[MAX_DIGITS];
  const CuteSymbol *indices[MAX_DIGITS], *index;
  size_t n = 0;
  for (size_t i = 0; i < sum->count; ++i) {
    CuteMonomial m = sum->monomials[i];
    if (takeIndex(&m, &index) && n < MAX_DIGITS) {
      size_t at = n++;
      for (; at && isLarger(&m, &weights[at - 1]); --at) {
        weights[at] = weights[at - 1];
        indices[at] = indices[at - 1];
      }
      weights[at] = m;
      indices[at] = index;
    } else if (index) {
      search->reason = "coordinates of products of blocks and rounds";
    } else {
      CuteTerm known = cuteTermGetMonomial(terms, &sum->monomials[i]);
      if (m.degree)
        later = cuteTermAdd(later, known);
      else
        value = cuteTermSubtract(value, known);
    }
  }
  for (size_t i = 0; i < n; ++i) {
    CuteTerm weight = cuteTermGetMonomial(terms, &weights[i]);
    if (cuteTermGetRange(weight).low < 1) {
      search->reason = "coordinates that grow by what may not be positive";
      return;
    }
    if (i + 1 == n)
      value = cuteTermSubtract(value, later);
    assign(search, indices[i], cuteTermQuotient(value, weight));
    value = cuteTermRest(value, weight);
  }
  if (!n)
    value = cuteTermSubtract(value, later);
  need(search, cuteConditionEqual(value));
}

// The other one of a quotient and a rest of the same; null: there is none.
static const CuteSymbol *partnerOf(const CuteSymbol *s) {
  for (size_t i = 0; i < s->id; ++i) {
    const CuteSymbol *other = s->terms->symbols[i];
    if (other->kind + s->kind == CUTE_SYMBOL_FLOOR + CUTE_SYMBOL_MODULO &&
        other->kind != s->kind && other->a && other->b && other->a == s->a &&
        other->b == s->b)
      return other;
  }
  return NULL;
}

// Finds what is divided of quotients and rests with a value, those first that
// are computed of others; a block or round without a value is the first, but
// for rounds that the elements of a tile are listed for.
static void resolve(Search *search) {
  CuteTerms *terms = search->prover->terms;
  CuteTerm zero = cuteTermGetConstant(terms, 0);
  CUTE_FREED bool *isDone = cuteAllocate(search->to.count * sizeof *isDone);
  memset(isDone, 0, search->to.count * sizeof *isDone);
  for (size_t id = search->to.count; id-- > 0 && !search->reason;) {
    const CuteSymbol *s = terms->symbols[id];
    CuteTerm value = search->to.by[id];
    if (isDone[id] ||
        (!value && (!(INDICES >> s->kind & 1) || cuteWriteIsCounted(s))))
      continue;
    if (!value)
      search->to.by[id] = zero;
    if (INDICES >> s->kind & 1)
      continue;
    if (s->kind != CUTE_SYMBOL_FLOOR && s->kind != CUTE_SYMBOL_MODULO) {
      search->reason = "coordinates that are chosen";
      continue;
    }
    const CuteSymbol *other = partnerOf(s);
    CuteTerm partner = other ? search->to.by[other->id] : NULL;
    bool isFloor = s->kind == CUTE_SYMBOL_FLOOR;
    CuteTerm quotient = isFloor ? value : partner ? partner : zero;
    CuteTerm rest = !isFloor ? value : partner ? partner : zero;
    CuteTerm by = cuteTermRename(s->b, search->to);
    need(search, cuteConditionAtLeast(cuteTermAddConstant(by, -1)));
    need(search, cuteConditionIsIndex(rest, by));
    if (other)
      isDone[other->id] = true;
    assignSum(search, s->a, cuteTermAdd(rest, cuteTermMultiply(quotient, by)));
  }
}

// Needs what the path of an access says, of threads that access an element that
// exists; conditions of the thread alone say which these are.
static void needPath(Search *search, const CuteWrite *write,
                     CuteCondition path) {
  CuteCondition exists = cuteWriteIsInTensor(write);
  if (path->kind == CUTE_CONDITION_BOTH) {
    needPath(search, write, path->a);
    needPath(search, write, path->b);
  } else if (!cuteConditionIsFreeOf(path, NOT_THREAD) &&
             !cuteConditionImplies(exists, path)) {
    CuteCondition holds = cuteConditionRename(path, search->to);
    if (write->isOfOne || !cuteConditionIsFreeOf(path, THREAD))
      holds = cuteConditionOr(
          cuteConditionNot(cuteConditionRename(exists, search->to)), holds);
    need(search, holds);
  }
}

// Finds what has to hold for the element at x to be in a tile of the group;
// null for the reason.
static CuteCondition findNeeds(CuteWriteGroup *group, const CuteTerm *x,
                               const char **reason) {
  CuteProver *prover = group->claims->prover;
  CuteTerms *terms = prover->terms;
  Search search = {prover, cuteRenamingCreate(terms),
                   cuteConditionGetConstant(true), NULL};
  for (size_t a = 0; a < group->writes[0].numAxes; ++a) {
    const CuteAxis *axis = &group->writes[0].axes[a];
    int64_t extent = cuteWriteGetExtent(group, a);
    CuteTerm sum = cuteTermFloor(axis->base, extent);
    assignSum(&search, sum, cuteTermFloor(x[a], extent));
  }
  resolve(&search);
  need(&search, cuteConditionRename(prover->launch, search.to));
  for (size_t i = 0; i < group->count; ++i)
    if (!i || group->writes[i].reach->path != group->writes[i - 1].reach->path)
      needPath(&search, &group->writes[i], group->writes[i].reach->path);
  if (search.reason)
    *reason = search.reason;
  return search.reason ? NULL : search.needs;
}

// Leaves out the conjuncts that hold wherever a condition does, which are then
// a part of it.
static CuteCondition leaveSure(CuteClaims *claims, CuteCondition *where,
                               CuteCondition c) {
  if (c->kind == CUTE_CONDITION_BOTH) {
    CuteCondition first = leaveSure(claims, where, c->a);
    return cuteConditionAnd(first, leaveSure(claims, where, c->b));
  }
  bool isSure =
      c->kind == CUTE_CONDITION_ALWAYS ||
      cuteSolverRefutes(claims->solver,
                        cuteConditionAnd(*where, cuteConditionNot(c)));
  if (isSure)
    *where = cuteConditionAnd(*where, c);
  return isSure ? cuteConditionGetConstant(true) : c;
}

//===-- Whether an element is touched -------------------------------------===//

// The condition that the element is the hole of a tile.
static CuteCondition isHole(const CuteTouched *c, const CuteWriteGroup *group,
                            const int64_t *hole) {
  CuteCondition is = cuteConditionGetConstant(true);
  for (size_t a = 0; a < group->writes[0].numAxes; ++a)
    is = cuteConditionAnd(
        is,
        cuteConditionIsNumber(
            cuteTermModulo(c->x[a], cuteWriteGetExtent(group, a)), hole[a]));
  return is;
}

bool cuteTouchesFind(CuteClaims *claims, const CuteTouches *by,
                     CuteTouched *c) {
  c->missed = c->accused = c->where;
  for (size_t i = 0; i < by->numGroups; ++i) {
    CuteWriteGroup *group = &by->groups[i];
    int64_t hole[CUTE_MAX_MODES + 1];
    CuteCondition needs = findNeeds(group, c->x, &c->reason);
    bool hasHole = cuteWriteFindHole(group, group->writes[0].block, hole);
    CuteCondition where = c->missed;
    if (!needs)
      continue;
    CuteCondition isNot = cuteConditionNot(leaveSure(claims, &where, needs));
    if (!hasHole)
      c->missed = cuteConditionAnd(c->missed, isNot);
    else
      isNot = cuteConditionOr(isNot, isHole(c, group, hole));
    c->accused = cuteConditionAnd(c->accused, isNot);
  }
  return cuteSolverRefutes(claims->solver, c->missed);
}
