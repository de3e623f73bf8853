#include "Runtime/argument.h"
#include "Support/formula.h"

#include <jansson.h>
#include <stdlib.h>

//===-- Numbers -----------------------------------------------------------===//

static const char *takeNumber(const char *text, CuteNumber *number) {
  char *integerEnd, *realEnd;
  *number = (CuteNumber){.integer = strtoll(text, &integerEnd, 10),
                         .real = strtod(text, &realEnd)};
  number->isInteger = integerEnd == realEnd;
  return realEnd == text ? NULL : realEnd;
}

CuteStatus cuteArgumentParseNumbers(CuteArgument *argument, const char *text) {
  *argument = (CuteArgument){0};
  for (const char *at = text + strspn(text, "() "); *at;
       at += strspn(at, "(), :")) {
    if (argument->numNumbers == CUTE_MAX_NUMBERS)
      return cuteStatusCreate("more than %d numbers in '%s'", CUTE_MAX_NUMBERS,
                              text);
    at = takeNumber(at, &argument->numbers[argument->numNumbers]);
    if (!at)
      return cuteStatusCreate(
          "'%s' is not a number, tuple of numbers or tensor", text);
    ++argument->numNumbers;
  }
  return NULL;
}

//===-- Formulas ----------------------------------------------------------===//

static CuteStatus unknown(const CuteFormula *e) {
  return cuteStatusCreate("'%s' is unknown; write arg0.shape[1]", e->name);
}

// argI of e->name, and what follows it; null for other names.
static const CuteArgument *
findArgument(const CuteScope *scope, const CuteFormula *e, const char **after) {
  char *end;
  if (strncmp(e->name, "arg", 3))
    return NULL;
  size_t i = strtoul(e->name + 3, &end, 10);
  *after = end;
  return end > e->name + 3 && i < scope->numArguments ? &scope->arguments[i]
                                                      : NULL;
}

static CuteStatus lookUpFact(const CuteScope *scope, const CuteFormula *e,
                             int64_t *value) {
  const CuteLaunchFacts *facts = scope->facts;
  if (facts && !strcmp(e->name, CUTE_NAME_ACTIVE_CLUSTERS))
    return facts->getActiveClusters(facts->data, value);
  if (!facts || strcmp(e->name, CUTE_NAME_MULTIPROCESSORS))
    return unknown(e);
  *value = facts->multiprocessors;
  return NULL;
}

static CuteStatus lookUp(const CuteFormula *e, void *data, int64_t *value) {
  const CuteScope *scope = data;
  const char *after = "";
  const CuteArgument *argument = findArgument(scope, e, &after);
  if (!argument)
    return e->kind == CUTE_FORMULA_NAME ? lookUpFact(scope, e, value)
                                        : unknown(e);
  if (e->kind == CUTE_FORMULA_NAME) {
    if (*after || argument->numNumbers != 1 || !argument->numbers->isInteger)
      return unknown(e);
    *value = argument->numbers->integer;
    return NULL;
  }
  int64_t mode;
  bool isShape = !strcmp(after, ".shape"), isStride = !strcmp(after, ".stride");
  if (!argument->isTensor || (!isShape && !isStride) || e->numChildren != 1 ||
      e->children[0]->kind != CUTE_FORMULA_NUMBER ||
      !cuteFormulaGetInteger(e->children[0], &mode) || mode < 0 ||
      (uint64_t)mode >= argument->rank)
    return unknown(e);
  *value = isShape ? argument->extents[mode] : argument->strides[mode];
  return NULL;
}

CuteStatus cuteScopeEvaluate(const CuteScope *scope, const char *text,
                             int64_t *value) {
  CuteFormula *formula;
  CUTE_TRY(cuteFormulaParse(text, &formula));
  CuteStatus status =
      cuteFormulaEvaluate(formula, lookUp, (void *)scope, value);
  cuteFormulaDestroy(formula);
  return status;
}

CuteStatus cuteScopeEvaluateJson(const CuteScope *scope, const json_t *json,
                                 int64_t *value) {
  *value = json_integer_value(json);
  if (json_is_string(json))
    return cuteScopeEvaluate(scope, json_string_value(json), value);
  return json_is_integer(json)
             ? NULL
             : cuteStatusCreate("expected a formula or an integer");
}

CuteStatus cuteScopeGetGrid(const CuteKernel *kernel, const CuteScope *scope,
                            int64_t grid[3]) {
  grid[0] = grid[1] = grid[2] = 1;
  if (!json_is_array(kernel->grid))
    return cuteStatusCreate("kernel '%s' has no cute.grid; give a grid with "
                            "--grid",
                            kernel->name);
  for (size_t i = 0; i < 3 && i < json_array_size(kernel->grid); ++i)
    CUTE_TRY(cuteStatusAnnotate(
        cuteScopeEvaluateJson(scope, json_array_get(kernel->grid, i), &grid[i]),
        "the grid of '%s'", kernel->name));
  return NULL;
}
