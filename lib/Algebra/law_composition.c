// The laws that say what a result is at each coordinate: composition, divides,
// products, inverses.
#include "Algebra/laws.h"

//===-- Equations ---------------------------------------------------------===//

// One summand a(b(c)).
typedef struct Term {
  LawFunction a, b;
} Term;

// left(c) = outer(the sum of the terms at c), in one direction of the codomain.
typedef struct Equation {
  LawFunction left;
  Term terms[MAX_LAW_PATHS];
  size_t numTerms;
  const LawFunction *outer; // null: the sum itself
} Equation;

typedef struct Failure {
  int64_t at, left, right;
  CuteIntTuple path;
} Failure;

static bool isZero(const LawFunction *f) {
  for (size_t i = 0; i < f->count; ++i)
    if (f->leaves[i].stride)
      return false;
  return true;
}

static bool evalRight(const Equation *e, int64_t coord, int64_t *value) {
  int64_t sum = 0, inner, outer;
  for (size_t i = 0; i < e->numTerms; ++i)
    if (!cuteLawEval(&e->terms[i].b, coord, &inner) ||
        !cuteLawEval(&e->terms[i].a, inner, &outer) ||
        __builtin_add_overflow(sum, outer, &sum))
      return false;
  *value = sum;
  return !e->outer || cuteLawEval(e->outer, sum, value);
}

// Coordinates at which something overflows do not count.
static bool fails(const Equation *e, const LawDomain *domain,
                  Failure *failure) {
  if (!e->numTerms && isZero(&e->left))
    return false;
  int64_t n = cuteLawDomainCount(domain);
  for (int64_t k = 0; k < n; ++k) {
    int64_t at = cuteLawDomainGet(domain, k), left, right;
    if (!cuteLawEval(&e->left, at, &left) || !evalRight(e, at, &right) ||
        left == right)
      continue;
    failure->at = at;
    failure->left = left;
    failure->right = right;
    return true;
  }
  return false;
}

// Adds a(b(c)) in a direction of a's codomain: each direction of b's is a
// coordinate for its own part of a. False if that cannot be evaluated.
static bool addTerms(CuteContext c, Mode a, Mode b, CuteIntTuple path,
                     Equation *e) {
  LawPaths paths;
  if (!cuteLawPaths(b.stride, &paths))
    return false;
  for (size_t i = 0; i < paths.count; ++i) {
    Mode part = cuteModeAt(a, paths.data[i]);
    Term *term = &e->terms[e->numTerms];
    if (modeFailed(part) || !cuteLawFunction(c, part, path, &term->a) ||
        !cuteLawFunction(c, b, paths.data[i], &term->b))
      return false;
    e->numTerms += !isZero(&term->a);
  }
  return true;
}

static bool domainOf(CuteContext c, Mode m, LawDomain *domain) {
  LawFunction f;
  return cuteLawFunction(c, m, NULL, &f) && cuteLawDomain(c, &f, domain);
}

//===-- Where r(c) = a(b(c)) fails ----------------------------------------===//

static bool compositionFailsIn(CuteContext c, Mode a, Mode b, Mode r,
                               const LawDomain *domain, CuteIntTuple path,
                               Failure *failure) {
  Equation e = {.numTerms = 0};
  failure->path = path;
  return cuteLawFunction(c, r, path, &e.left) && addTerms(c, a, b, path, &e) &&
         fails(&e, domain, failure);
}

// At the coordinates of r, which are those of b or the first of them.
static bool compositionFails(CuteContext c, Mode a, Mode b, Mode r,
                             Failure *failure) {
  LawPaths paths;
  LawDomain domain;
  if (!cuteLawPaths(a.stride, &paths) || !domainOf(c, r, &domain))
    return false;
  for (size_t i = 0; i < paths.count; ++i)
    if (compositionFailsIn(c, a, b, r, &domain, paths.data[i], failure))
      return true;
  return false;
}

//===-- Messages ----------------------------------------------------------===//

// "LAW fails for A = ..., B = ..."; the names and modes end with a null name.
typedef struct Named {
  const char *name;
  Mode mode;
} Named;

static void beginFailure(CuteString *text, const char *law,
                         const Named *operands) {
  cuteStringAppendFormat(text, "%s fails for", law);
  for (size_t i = 0; operands[i].name; ++i) {
    cuteStringAppendFormat(text, "%s %s = ", i ? "," : "", operands[i].name);
    cuteAppendMode(text, operands[i].mode);
  }
}

// " c = 3: 0 is not 16": the result's value, then the one that it should have.
static void endFailure(CuteContext c, CuteString *text, const char *variable,
                       int64_t at, const Failure *failure) {
  cuteStringAppendFormat(text, " %s = %lld: ", variable, (long long)at);
  cuteAppendLawValue(c, text, failure->left, failure->path);
  cuteStringAppend(text, " is not ");
  cuteAppendLawValue(c, text, failure->right, failure->path);
  cuteLawFails(c, text);
}

static void sayFails(CuteContext c, const char *law, const Named *operands,
                     const char *variable, const Failure *failure) {
  CuteString text = {0};
  beginFailure(&text, law, operands);
  cuteStringAppend(&text, " at");
  endFailure(c, &text, variable, failure->at, failure);
}

//===-- Composition, products, divides ------------------------------------===//

bool cuteLawComposition(CuteContext c, Mode a, Mode b, Mode r) {
  CuteArenaMark mark = cuteArenaGetMark(&c->scratch);
  Failure failure;
  bool holds = !compositionFails(c, a, b, r, &failure);
  if (!holds)
    sayFails(c, "composition: R(c) = A(B(c))",
             (Named[]){{"A", a}, {"B", b}, {NULL, failedMode}}, "c", &failure);
  cuteArenaReset(&c->scratch, mark);
  return holds;
}

bool cuteLawMaxCommon(CuteContext c, Mode a, Mode inverse, Mode common) {
  CuteArenaMark mark = cuteArenaGetMark(&c->scratch);
  Failure failure;
  bool holds = !compositionFails(c, a, inverse, common, &failure);
  if (!holds)
    sayFails(c, "max_common: i = A(R(i)), where B(R(i)) = i,",
             (Named[]){{"A", a}, {"R", inverse}, {NULL, failedMode}}, "i",
             &failure);
  cuteArenaReset(&c->scratch, mark);
  return holds;
}

bool cuteLawProduct(CuteContext c, Mode rest, Mode b, Mode r) {
  CuteArenaMark mark = cuteArenaGetMark(&c->scratch);
  Failure failure;
  bool holds = !compositionFails(c, rest, b, r, &failure);
  if (!holds)
    sayFails(c, "product: R(j) = C(B(j)) with the block's complement C",
             (Named[]){{"C", rest}, {"B", b}, {NULL, failedMode}}, "j",
             &failure);
  cuteArenaReset(&c->scratch, mark);
  return holds;
}

// The index in (t, rest) as one in each.
static bool splitAt(CuteContext c, Mode t, int64_t at, int64_t *i, int64_t *j) {
  LawFunction f;
  int64_t size;
  if (!cuteLawFunction(c, t, NULL, &f) || !cuteLawSize(&f, &size))
    return false;
  *i = at % size;
  *j = at / size;
  return true;
}

bool cuteLawDivide(CuteContext c, Mode a, Mode t, Mode rest, Mode r) {
  CuteArenaMark mark = cuteArenaGetMark(&c->scratch);
  Failure failure;
  int64_t i, j;
  bool holds = !compositionFails(c, a, cuteModePair(c, t, rest), r, &failure) ||
               !splitAt(c, t, failure.at, &i, &j);
  if (!holds) {
    CuteString text = {0};
    beginFailure(
        &text, "divide: R(i,j) = A(T(i) + C(j))",
        (Named[]){{"A", a}, {"T", t}, {"C", rest}, {NULL, failedMode}});
    cuteStringAppendFormat(&text, " at i = %lld and", (long long)i);
    endFailure(c, &text, "j", j, &failure);
  }
  cuteArenaReset(&c->scratch, mark);
  return holds;
}

//===-- Inverses ----------------------------------------------------------===//

// Equations have the simple side on the left, these laws on the right.
static bool swapSides(Failure *failure) {
  int64_t left = failure->left;
  failure->left = failure->right;
  failure->right = left;
  return true;
}

static bool leftInverseFails(CuteContext c, Mode a, Mode r, Failure *failure) {
  LawPaths paths;
  LawDomain domain;
  if (!cuteLawPaths(a.stride, &paths) || !domainOf(c, a, &domain))
    return false;
  for (size_t i = 0; i < paths.count; ++i) {
    Equation e = {.numTerms = 0};
    failure->path = paths.data[i];
    if (!cuteLawFunction(c, a, paths.data[i], &e.left) ||
        !addTerms(c, r, a, NULL, &e))
      return false;
    e.outer = &e.left;
    if (fails(&e, &domain, failure))
      return swapSides(failure);
  }
  return false;
}

bool cuteLawLeftInverse(CuteContext c, Mode a, Mode r) {
  CuteArenaMark mark = cuteArenaGetMark(&c->scratch);
  Failure failure;
  bool holds = !leftInverseFails(c, a, r, &failure);
  if (!holds)
    sayFails(c, "left_inverse: A(R(A(i))) = A(i)",
             (Named[]){{"A", a}, {"R", r}, {NULL, failedMode}}, "i", &failure);
  cuteArenaReset(&c->scratch, mark);
  return holds;
}

// a(r(i)) for the i of direction `from`, in the direction `to`.
static bool rightInverseFailsIn(CuteContext c, Mode a, Mode r,
                                CuteIntTuple from, CuteIntTuple to,
                                Failure *failure) {
  Mode part = cuteModeAt(r, from);
  LawDomain domain;
  if (modeFailed(part) || !domainOf(c, part, &domain))
    return false;
  LawLeaf identity = {domain.size, from == to};
  Equation e = {.left = {&identity, 1}, .numTerms = 1};
  failure->path = to;
  return cuteLawFunction(c, part, NULL, &e.terms[0].b) &&
         cuteLawFunction(c, a, to, &e.terms[0].a) &&
         fails(&e, &domain, failure) && swapSides(failure);
}

static bool rightInverseFails(CuteContext c, Mode a, Mode r, Failure *failure) {
  LawPaths paths;
  if (!cuteLawPaths(a.stride, &paths))
    return false;
  for (size_t i = 0; i < paths.count; ++i)
    for (size_t j = 0; j < paths.count; ++j)
      if (rightInverseFailsIn(c, a, r, paths.data[i], paths.data[j], failure))
        return true;
  return false;
}

bool cuteLawRightInverse(CuteContext c, Mode a, Mode r) {
  CuteArenaMark mark = cuteArenaGetMark(&c->scratch);
  Failure failure;
  bool holds = !rightInverseFails(c, a, r, &failure);
  if (!holds)
    sayFails(c, "right_inverse: A(R(i)) = i",
             (Named[]){{"A", a}, {"R", r}, {NULL, failedMode}}, "i", &failure);
  cuteArenaReset(&c->scratch, mark);
  return holds;
}
