// References with sum(...): each sum is evaluated on its own, as a tensor with
// the indices of the left side, which then stands in its place.
#include "Runtime/reference.h"
#include "Support/arena.h"

typedef struct Sums {
  const CuteExpression *left;
  CuteArray arguments[CUTE_MAX_TENSORS]; // the sums after those given
  size_t numGiven, count;
  double operations;
} Sums;

static CuteExpression *copyOf(const CuteExpression *e) {
  CuteExpression *copy = cuteAllocate(sizeof *copy);
  *copy = *e;
  for (size_t i = 0; i < e->numChildren; ++i)
    copy->children[i] = copyOf(e->children[i]);
  return copy;
}

static bool isSum(const CuteExpression *e) {
  return e->kind == CUTE_EXPRESSION_CALL && !strcmp(e->name, "sum") &&
         e->numChildren == 1;
}

// left = summand, which is evaluated as the next argument.
static bool evaluateSum(Sums *sums, CuteExpression *summand) {
  CuteExpression equation = {
      .kind = CUTE_EXPRESSION_CALL,
      .name = "=",
      .numChildren = 2,
      .children = {(CuteExpression *)(uintptr_t)sums->left, summand}};
  CuteReference reference;
  if (sums->count == CUTE_MAX_TENSORS) {
    fprintf(stderr, "error: reference: too many sums\n");
    return false;
  }
  if (!cuteReferenceEvaluateParsed(&equation, sums->numGiven, sums->arguments,
                                   &reference))
    return false;
  sums->arguments[sums->count++] = reference.values;
  sums->operations += reference.operations;
  return true;
}

// Replaces the sums under an expression by accesses to their values.
static bool replaceSums(Sums *sums, CuteExpression **place) {
  CuteExpression *e = *place;
  if (!isSum(e)) {
    bool ok = true;
    for (size_t i = 0; ok && i < e->numChildren; ++i)
      ok = replaceSums(sums, &e->children[i]);
    return ok;
  }
  if (!evaluateSum(sums, e->children[0]))
    return false;
  CuteExpression *access = copyOf(sums->left);
  access->name[0] = (char)('A' + sums->count - 1);
  cuteExpressionDestroy(e);
  *place = access;
  return true;
}

bool cuteReferenceEvaluate(const char *text, size_t numArguments,
                           const CuteArray *arguments,
                           CuteReference *reference) {
  *reference = (CuteReference){0};
  CuteExpression *e = cuteExpressionParse(text);
  if (!e)
    return false;
  size_t n = numArguments < CUTE_MAX_TENSORS ? numArguments : CUTE_MAX_TENSORS;
  Sums sums = {.left = e->children[0], .numGiven = n, .count = n};
  memcpy(sums.arguments, arguments, n * sizeof *arguments);
  bool ok =
      (e->numChildren < 2 || replaceSums(&sums, &e->children[1])) &&
      cuteReferenceEvaluateParsed(e, sums.count, sums.arguments, reference);
  reference->operations += sums.operations;
  for (size_t i = n; i < sums.count; ++i)
    cuteArrayDestroy(&sums.arguments[i]);
  cuteExpressionDestroy(e);
  return ok;
}
