#include "Transforms/edit/grid_formula.h"

//===-- Reading -----------------------------------------------------------===//

// The parameter that "argN" or "argN.shape" names, and what follows; -1: none.
static intptr_t parameterOf(const char *name, const char **after) {
  char *end;
  if (strncmp(name, "arg", 3))
    return -1;
  long i = strtol(name + 3, &end, 10);
  *after = end;
  return end == name + 3 ? -1 : i;
}

// CuteFormulaLookup of what a kernel knows.
static CuteStatus checkAccess(const CuteFormula *f, void *data,
                              int64_t *value) {
  CuteKernel *kernel = data;
  const char *after = "";
  intptr_t i = parameterOf(f->name, &after);
  bool isKnown = i >= 0 && i < mlirBlockGetNumArguments(kernel->block);
  MlirType type = isKnown
                      ? mlirValueGetType(mlirBlockGetArgument(kernel->block, i))
                      : (MlirType){NULL};
  *value = 0;
  if (isKnown && f->kind == CUTE_FORMULA_NAME)
    isKnown = !*after && mlirTypeIsAInteger(type) &&
              mlirIntegerTypeGetWidth(type) == 32;
  else if (isKnown)
    isKnown = !strcmp(after, ".shape") &&
              cuteTypeIsKind(cuteDialectGetType(kernel->dialect, type),
                             CUTE_TYPE_TENSOR);
  return isKnown
             ? NULL
             : cuteStatusCreate(
                   "has a grid by '%s', whose value only the launcher knows",
                   f->name);
}

static bool hasNegation(const CuteFormula *f) {
  bool has = f->kind == CUTE_FORMULA_NEGATE;
  for (size_t i = 0; i < f->numChildren; ++i)
    has |= hasNegation(f->children[i]);
  return has;
}

// Checks that an i32 computed without a sign is what the launcher computes.
static bool check(CuteKernel *kernel, const CuteFormula *f) {
  CuteStatus status = cuteFormulaCheck(f, checkAccess, kernel);
  if (status)
    cuteKernelFail(kernel, kernel->function, "%s",
                   cuteStatusGetMessage(status));
  else if (hasNegation(f))
    cuteKernelFail(kernel, kernel->function,
                   "has a negative number in its grid");
  cuteStatusDestroy(status);
  return !kernel->problem;
}

bool cuteGridFormulasRead(CuteKernel *kernel, CuteGridFormulas *grid) {
  MlirAttribute all = cuteMlirGetAttribute(kernel->function, "cute.grid");
  *grid = (CuteGridFormulas){0};
  if (mlirAttributeIsNull(all) || !mlirAttributeIsAArray(all) ||
      mlirArrayAttrGetNumElements(all) > CUTE_MAX_GRID)
    return cuteKernelFail(kernel, kernel->function,
                          "has no attribute cute.grid, which says how many "
                          "tiles there are");
  for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(all); ++i) {
    MlirStringRef text =
        mlirStringAttrGetValue(mlirArrayAttrGetElement(all, i));
    CUTE_SCOPED(String) copy = {0};
    cuteStringAppendBytes(&copy, text.data, text.length);
    CuteFormula *formula = NULL;
    if (!cuteStatusConsume(cuteFormulaParse(cuteStringGet(&copy), &formula)))
      return cuteKernelFail(kernel, kernel->function,
                            "has a grid that is not a formula");
    grid->texts[grid->count] = text;
    grid->formulas[grid->count++] = formula;
    if (!check(kernel, formula))
      return false;
  }
  return grid->count > 0;
}

void cuteGridFormulasDestroy(CuteGridFormulas *grid) {
  for (size_t i = 0; i < grid->count; ++i)
    cuteFormulaDestroy(grid->formulas[i]);
}

//===-- Emitting ----------------------------------------------------------===//

// Leaf `mode` of a tensor's shape.
static MlirValue emitExtent(CuteRebuild *r, MlirValue tensor, int64_t mode) {
  MlirValue shape = cuteEmit1(r, CUTE_OP_GET_SHAPE, tensor);
  MlirOperation leaves =
      cuteRebuildCreate(r, CUTE_OP_GET_SCALARS, 1, &shape, 0, NULL);
  if (r->failed || mode >= getNumResults(leaves))
    return tensor;
  MlirValue leaf = getResult(leaves, mode);
  MlirType type = mlirValueGetType(leaf);
  return mlirIntegerTypeGetWidth(type) == 32
             ? leaf
             : trunci(&r->builder, leaf, cuteIntType(&r->builder, 32));
}

static MlirValue emit(CuteKernel *kernel, CuteRebuild *r,
                      const CuteFormula *f) {
  static const char *const operators[] = {
      [CUTE_FORMULA_ADD] = "arith.addi",
      [CUTE_FORMULA_SUBTRACT] = "arith.subi",
      [CUTE_FORMULA_MULTIPLY] = "arith.muli",
      [CUTE_FORMULA_DIVIDE] = "arith.divui",
      [CUTE_FORMULA_REMAINDER] = "arith.remui"};
  int64_t number = 0;
  const char *after;
  if (f->kind == CUTE_FORMULA_NUMBER) {
    cuteFormulaGetInteger(f, &number);
    return cuteBuildInt(&r->builder, 32, number);
  }
  if (f->kind == CUTE_FORMULA_NAME || f->kind == CUTE_FORMULA_ACCESS) {
    MlirValue parameter =
        mlirBlockGetArgument(kernel->block, parameterOf(f->name, &after));
    if (f->kind == CUTE_FORMULA_NAME)
      return parameter;
    cuteFormulaGetInteger(f->children[0], &number);
    return emitExtent(r, parameter, number);
  }
  MlirValue a = emit(kernel, r, f->children[0]);
  MlirValue b = emit(kernel, r, f->children[1]);
  const char *op = f->kind != CUTE_FORMULA_CALL ? operators[f->kind]
                   : !strcmp(f->name, "min")    ? "arith.minui"
                   : !strcmp(f->name, "max")    ? "arith.maxui"
                                                : "arith.ceildivui";
  return cuteBuildBinary(&r->builder, op, a, b);
}

MlirValue cuteGridFormulasEmit(CuteKernel *kernel, CuteRebuild *r,
                               const CuteGridFormulas *grid, size_t i) {
  return emit(kernel, r, grid->formulas[i]);
}
