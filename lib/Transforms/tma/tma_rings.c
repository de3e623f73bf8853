#include "Transforms/tma/tma_rings.h"

typedef struct Fetch {
  size_t ring;        // a fetch in the same ring, which names itself in the end
  size_t first, last; // the computes that use its tile
  bool isMultiplied;
} Fetch;

typedef struct Uses {
  const CutePipelineLoop *p;
  Fetch *fetches;
  CutePointerMap fragments; // the root of one filled from a tile -> Fetch
} Uses;

static Fetch *findLeader(Uses *u, Fetch *fetch) {
  while (&u->fetches[fetch->ring] != fetch)
    fetch = &u->fetches[fetch->ring];
  return fetch;
}

static void join(Uses *u, Fetch *a, Fetch *b) {
  Fetch *x = findLeader(u, a), *y = findLeader(u, b);
  if (x < y)
    y->ring = x->ring;
  else
    x->ring = y->ring;
}

// The fetch to the tensor that a value is a view of, or to the fragment that
// was filled from it; null if there is none.
static Fetch *findFetch(Uses *u, MlirValue value) {
  CuteDialect *dialect = u->p->dialect;
  if (cuteViewIsIn(dialect, value, CUTE_RMEM))
    return cutePointerMapGet(&u->fragments,
                             cuteViewGetRoot(dialect, value, CUTE_RMEM).ptr);
  if (!cuteViewIsIn(dialect, value, CUTE_SMEM))
    return NULL;
  MlirValue root = cuteViewGetRoot(dialect, value, CUTE_SMEM);
  for (size_t i = 0; i < u->p->fetches.count; ++i) {
    CuteCopyParts parts;
    cuteEffectGetCopy(dialect, u->p->fetches.data[i], &parts);
    if (mlirValueEqual(cuteViewGetRoot(dialect, parts.destination, CUTE_SMEM),
                       root))
      return &u->fetches[i];
  }
  return NULL;
}

static void addUse(Fetch *fetch, size_t compute, bool isProduct) {
  if (compute < fetch->first)
    fetch->first = compute;
  if (compute > fetch->last)
    fetch->last = compute;
  fetch->isMultiplied |= isProduct;
}

// Notes what an op reads of the tiles, and what a product has of them.
static void visitOp(Uses *u, MlirOperation op, size_t compute) {
  CuteDialect *dialect = u->p->dialect;
  bool isProduct = cuteDialectIsOp(dialect, op, CUTE_OP_GEMM);
  Fetch *latest = NULL;
  CUTE_FOR_OPERANDS(operand, op) {
    Fetch *fetch = isProduct || cuteViewIsIn(dialect, operand, CUTE_SMEM)
                       ? findFetch(u, operand)
                       : NULL;
    if (!fetch)
      continue;
    addUse(fetch, compute, isProduct);
    if (latest)
      join(u, latest, fetch);
    latest = fetch;
  }
  intptr_t written = isProduct ? -1 : cuteEffectGetWritten(dialect, op);
  if (!latest || written < 0 ||
      !cuteViewIsIn(dialect, getOperand(op, written), CUTE_RMEM))
    return;
  MlirValue target = getOperand(op, written);
  Fetch *other = findFetch(u, target);
  if (other)
    join(u, latest, other);
  cutePointerMapSet(&u->fragments,
                    cuteViewGetRoot(dialect, target, CUTE_RMEM).ptr, latest);
}

static void visitComputes(Uses *u) {
  for (size_t i = 0; i < u->p->computes.count; ++i)
    CUTE_FOR_NESTED(op, u->p->computes.data[i]) {
      const CuteOpDecl *decl = cuteDialectGetDecl(u->p->dialect, op);
      if (decl && decl->traits.effect == CUTE_EFFECT_ACCESS)
        visitOp(u, op, i);
    }
}

// Numbers the rings by their first use.
static void numberRings(Uses *u, CuteTmaRings *rings) {
  size_t n = u->p->fetches.count;
  for (size_t compute = 0; compute < u->p->computes.count; ++compute)
    for (size_t i = 0; i < n; ++i) {
      Fetch *leader = findLeader(u, &u->fetches[i]);
      if (leader != &u->fetches[i] || leader->first != compute)
        continue;
      for (size_t j = 0; j < n; ++j)
        if (findLeader(u, &u->fetches[j]) == leader)
          rings->ofFetch[j] = rings->count;
      rings->first[rings->count] = leader->first;
      rings->last[rings->count++] = leader->last;
    }
}

CuteTmaRings cuteTmaRingsFind(const CutePipelineLoop *p) {
  size_t n = p->fetches.count;
  Uses u = {.p = p,
            .fetches = cuteTaskAllocate(n * sizeof *u.fetches),
            .fragments = cuteTaskMap()};
  CuteTmaRings rings = {.ofFetch = cuteTaskAllocate(n * sizeof(size_t)),
                        .first = cuteTaskAllocate(n * sizeof(size_t)),
                        .last = cuteTaskAllocate(n * sizeof(size_t))};
  for (size_t i = 0; i < n; ++i)
    u.fetches[i] = (Fetch){.ring = i, .first = p->computes.count};
  visitComputes(&u);
  for (size_t i = 0; i < n; ++i)
    if (!u.fetches[i].isMultiplied && n > 1)
      join(&u, &u.fetches[i], &u.fetches[i ? i - 1 : 1]);
  for (size_t i = 0; i < n; ++i) {
    Fetch *leader = findLeader(&u, &u.fetches[i]);
    if (u.fetches[i].first < leader->first)
      leader->first = u.fetches[i].first;
    if (u.fetches[i].last > leader->last)
      leader->last = u.fetches[i].last;
  }
  numberRings(&u, &rings);
  return rings;
}
