// The blocks that a kernel is launched with, as terms of its parameters: the
// grid it declares, or the one that all launches in its module give.
#include "Prove/walk.h"
#include "Support/formula.h"

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
    return strcmp(f->name, "ceil_div") ? NULL : cuteTermCeilQuotient(a, b);
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

//===-- Launches ----------------------------------------------------------===//

// The first of a launch's operands in a segment.
static intptr_t firstOperand(MlirOperation launch, intptr_t segment) {
  MlirAttribute sizes = cuteMlirGetAttribute(launch, "operandSegmentSizes");
  intptr_t first = 0;
  while (segment-- > 0)
    first += mlirDenseI32ArrayGetElement(sizes, segment);
  return first;
}

// The size of a tensor that a launch hands to its kernel.
static CuteTerm termOfSize(CuteProver *prover, MlirOperation launch,
                           MlirValue tensor) {
  enum { ARGUMENTS = 11 };
  intptr_t first = firstOperand(launch, ARGUMENTS), i = first;
  while (!mlirValueEqual(tensor, mlirOperationGetOperand(launch, i)))
    if (++i == mlirOperationGetNumOperands(launch))
      return NULL;
  const CutePlace *place = cuteWalkFindArgument(prover, (size_t)(i - first));
  CuteTerm size = cuteTermGetConstant(prover->terms, 1);
  for (size_t m = 0; place && m < place->rank; ++m)
    size = cuteTermMultiply(size, place->shape[m]);
  return place && place->rank ? size : NULL;
}

// A constant, a size, or cute.ceil_div of these; null for others.
static CuteTerm termOfOperand(CuteProver *prover, MlirOperation launch,
                              MlirValue value) {
  MlirOperation op = cuteMlirGetOwner(value);
  CuteType type = cuteDialectGetValueType(prover->dialect, value);
  int64_t number;
  if (type && cuteTypeIsTuple(type) && isStatic(type->tuple))
    return cuteTermGetConstant(prover->terms, type->tuple->value);
  if (cuteMlirIsConstant(value, &number))
    return cuteTermGetConstant(prover->terms, number);
  if (mlirOperationIsNull(op) || !mlirOperationGetNumOperands(op))
    return NULL;
  CuteOpId id = cuteDialectGetOpId(prover->dialect, op);
  MlirValue first = mlirOperationGetOperand(op, 0);
  if (id == CUTE_OP_SIZE)
    return termOfSize(prover, launch, first);
  bool isSame = cuteMlirIs(op, "arith.index_cast") || id == CUTE_OP_GET_SCALARS;
  CuteTerm a = isSame || id == CUTE_OP_CEIL_DIV
                   ? termOfOperand(prover, launch, first)
                   : NULL;
  CuteTerm b = a && !isSame ? termOfOperand(prover, launch,
                                            mlirOperationGetOperand(op, 1))
                            : NULL;
  return b ? cuteTermCeilQuotient(a, b) : isSame ? a : NULL;
}

// The blocks of all launches, where these are the same; null: they are not.
static CuteTerm termOfLaunches(CuteProver *prover, intptr_t dimension) {
  CuteTerm all = NULL;
  CUTE_FOR_NESTED(op, prover->module) {
    if (!cuteMlirIs(op, "gpu.launch_func") ||
        !mlirStringRefEqual(mlirSymbolRefAttrGetLeafReference(
                                cuteMlirGetAttribute(op, "kernel")),
                            cuteMlirString(prover->name)))
      continue;
    CuteTerm one = termOfOperand(
        prover, op,
        mlirOperationGetOperand(op, firstOperand(op, 1) + dimension));
    if (!one || (all && all != one))
      return NULL;
    all = one;
  }
  return all;
}

void cuteGridRead(CuteProver *prover) {
  CuteTerms *terms = prover->terms;
  MlirAttribute formulas = cuteMlirGetAttribute(prover->kernel, "cute.grid");
  MlirAttribute known = cuteMlirGetAttribute(prover->kernel, "known_grid_size");
  prover->isLaunched =
      mlirAttributeIsNull(formulas) && mlirAttributeIsNull(known);
  for (intptr_t i = 0; i < 3; ++i) {
    if (!mlirAttributeIsNull(known))
      prover->grid[i] =
          cuteTermGetConstant(terms, mlirDenseI32ArrayGetElement(known, i));
    else if (prover->isLaunched)
      prover->grid[i] = termOfLaunches(prover, i);
    else
      prover->grid[i] =
          i < mlirArrayAttrGetNumElements(formulas)
              ? parse(prover, mlirArrayAttrGetElement(formulas, i))
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
