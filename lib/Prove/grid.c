// The blocks that a kernel is launched with, as terms of its parameters: the
// grid it declares, or the one that all launches in its module give.
#include "Prove/walk.h"
#include "Support/formula.h"

static CuteTerm termOf(CuteProver *prover, const CuteFormula *f);

// argN.shape[M], which may be static.
static CuteTerm termOfAccess(CuteProver *prover, const CuteFormula *f) {
  size_t argument = 0;
  int64_t mode = 0;
  char role[8] = "";
  if (f->numChildren != 1 || !cuteFormulaGetInteger(f->children[0], &mode) ||
      sscanf(f->name, "arg%zu.%7s", &argument, role) != 2)
    return NULL;
  const CutePlace *p = cuteWalkFindArgument(prover, argument);
  if (!p || mode < 0 || (size_t)mode >= p->rank)
    return NULL;
  return strcmp(role, "shape") ? p->stride[mode] : p->shape[mode];
}

// Null where whoever launches the kernel knows more.
static CuteTerm termOf(CuteProver *prover, const CuteFormula *f) {
  CuteTerms *terms = prover->terms;
  int64_t number;
  if (f->kind == CUTE_FORMULA_NUMBER)
    return cuteFormulaGetInteger(f, &number)
               ? cuteTermGetConstant(terms, number)
               : NULL;
  if (f->kind == CUTE_FORMULA_NAME) {
    const CuteSymbol *size = cuteWalkFindSize(terms, f->name);
    return size ? cuteTermGetSymbol(size) : NULL;
  }
  if (f->kind == CUTE_FORMULA_ACCESS)
    return termOfAccess(prover, f);
  CuteTerm a = f->numChildren == 2 ? termOf(prover, f->children[0]) : NULL;
  CuteTerm b = a ? termOf(prover, f->children[1]) : NULL;
  if (!b)
    return NULL;
  if (f->kind == CUTE_FORMULA_CALL)
    return strcmp(f->name, "ceil_div")
               ? NULL
               : cuteTermQuotient(cuteTermAddConstant(cuteTermAdd(a, b), -1),
                                  b);
  if (f->kind == CUTE_FORMULA_ADD)
    return cuteTermAdd(a, b);
  if (f->kind == CUTE_FORMULA_SUBTRACT)
    return cuteTermSubtract(a, b);
  if (f->kind == CUTE_FORMULA_MULTIPLY)
    return cuteTermMultiply(a, b);
  return f->kind == CUTE_FORMULA_DIVIDE && cuteTermGetRange(a).low >= 0 &&
                 cuteTermGetRange(b).low >= 1
             ? cuteTermQuotient(a, b)
             : NULL;
}

static CuteTerm parse(CuteProver *prover, MlirAttribute text) {
  CUTE_SCOPED(String) copy = {0};
  CuteFormula *formula = NULL;
  cuteAppendMlirString(mlirStringAttrGetValue(text), &copy);
  if (!cuteStatusConsume(cuteFormulaParse(cuteStringGet(&copy), &formula)))
    return NULL;
  CuteTerm term = termOf(prover, formula);
  cuteFormulaDestroy(formula);
  return term;
}

void cuteGridRead(CuteProver *prover) {
  CuteTerms *terms = prover->terms;
  MlirAttribute formulas = cuteMlirGetAttribute(prover->kernel, "cute.grid");
  MlirAttribute known = cuteMlirGetAttribute(prover->kernel, "known_grid_size");
  prover->isLaunched =
      mlirAttributeIsNull(formulas) && mlirAttributeIsNull(known);
  if (prover->isLaunched)
    formulas = cuteMlirGetAttribute(prover->kernel, CUTE_LAUNCHED);
  intptr_t n =
      mlirAttributeIsNull(formulas) ? 0 : mlirArrayAttrGetNumElements(formulas);
  for (intptr_t i = 0; i < 3; ++i) {
    if (!mlirAttributeIsNull(known))
      prover->grid[i] =
          cuteTermGetConstant(terms, mlirDenseI32ArrayGetElement(known, i));
    else if (n)
      prover->grid[i] =
          i < n ? parse(prover, mlirArrayAttrGetElement(formulas, i))
                : cuteTermGetConstant(terms, 1);
    if (!prover->grid[i])
      continue;
    CuteTerm index = cuteTermGetSymbol(prover->block[i]);
    prover->block[i]->range.high = cuteTermGetRange(prover->grid[i]).high - 1;
    if (prover->block[i]->range.high >= CUTE_UNBOUNDED - 1)
      prover->block[i]->range.high = CUTE_UNBOUNDED;
    prover->types = cuteConditionAnd(
        prover->types,
        cuteConditionAtLeast(cuteTermAddConstant(prover->grid[i], -1)));
    prover->launch = cuteConditionAnd(
        prover->launch, cuteConditionIsLess(index, prover->grid[i]));
    const CuteSymbol *only = cuteTermGetOnlySymbol(prover->grid[i]);
    if (only && only->range.low < 1)
      terms->symbols[only->id]->range.low = 1;
  }
}

CuteTerm cuteGridCount(CuteProver *prover, int d) {
  bool isNew = !prover->count[d];
  if (prover->grid[d])
    return prover->grid[d];
  if (isNew)
    prover->count[d] = cuteSymbolCreate(
        prover->terms, CUTE_SYMBOL_SIZE,
        cuteArenaFormat(&prover->terms->arena, "%s %c",
                        prover->cluster[d] > 1 ? "clusters" : "grid", 'x' + d),
        (CuteInterval){1, CUTE_UNBOUNDED});
  CuteTerm count =
      cuteTermScale(cuteTermGetSymbol(prover->count[d]), prover->cluster[d]);
  if (isNew)
    prover->launch = cuteConditionAnd(
        prover->launch,
        cuteConditionIsLess(cuteTermGetSymbol(prover->block[d]), count));
  return count;
}
