// Shows by divisibility alone that a result is right.
#include "Algebra/laws.h"

// Adds the largest coordinates that a leaf extent:stride takes in the modes of
// a. False where the leaf does not step through whole modes or through parts
// that divide them. Nothing bounds the last mode.
static bool stepLeaf(const LawFunction *a, LawLeaf leaf, int64_t *largest) {
  int64_t s = leaf.extent, d = leaf.stride;
  for (size_t i = 0; i + 1 < a->count && s > 1; ++i) {
    int64_t extent = a->leaves[i].extent;
    if (d % extent == 0) {
      d /= extent;
      continue;
    }
    if (extent % d)
      return false;
    int64_t taken = extent / d < s ? extent / d : s;
    if (s % taken)
      return false;
    largest[i] += (taken - 1) * d;
    if (largest[i] >= extent)
      return false;
    s /= taken;
    d = 1;
  }
  return true;
}

static bool stepLayout(CuteContext c, const LawFunction *a,
                       const LawFunction *b) {
  int64_t *largest =
      cuteArenaAllocate(&c->scratch, (a->count + 1) * sizeof *largest);
  memset(largest, 0, (a->count + 1) * sizeof *largest);
  for (size_t i = 0; i < b->count; ++i) {
    LawLeaf leaf = b->leaves[i];
    if (leaf.extent == 1 || !leaf.stride)
      continue;
    if (leaf.stride < 0 || !stepLeaf(a, leaf, largest))
      return false;
  }
  return true;
}

bool cuteLawCompositionDivides(CuteContext c, Mode a, Mode b) {
  if ((a.stride->flags | b.stride->flags) & HAS_BASIS)
    return false;
  CuteArenaMark mark = cuteArenaGetMark(&c->scratch);
  LawFunction from, to;
  bool divides = cuteLawFunction(c, a, NULL, &from) &&
                 cuteLawFunction(c, b, NULL, &to) && stepLayout(c, &from, &to);
  cuteArenaReset(&c->scratch, mark);
  return divides;
}

// Tells whether the leaves that a direction moves along are nested.
static bool isNestedAlong(CuteContext c, Mode a, CuteIntTuple path) {
  LawFunction f;
  if (!cuteLawFunction(c, a, path, &f))
    return false;
  size_t n = 0;
  for (size_t i = 0; i < f.count; ++i)
    if (f.leaves[i].stride)
      f.leaves[n++] = f.leaves[i];
  f.count = n;
  return cuteLawIsNested(c, &f);
}

bool cuteLawLeftInverseDivides(CuteContext c, Mode a) {
  LawPaths paths;
  if (!cuteLawPaths(a.stride, &paths))
    return false;
  CuteArenaMark mark = cuteArenaGetMark(&c->scratch);
  bool nested = true;
  for (size_t i = 0; nested && i < paths.count; ++i)
    nested = isNestedAlong(c, a, paths.data[i]);
  cuteArenaReset(&c->scratch, mark);
  return nested;
}
