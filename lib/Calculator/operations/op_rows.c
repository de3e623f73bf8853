// Ops of the dialect as operations: rows that the build makes of their
// declarations (tools/dialect_tables.py), and inference on the values' types.
#include "Calculator/language/type_value.h"
#include "Calculator/operations/operations.h"
#include "Ops/ops.h"

static const CuteCalcOperation rows[] = {
#define CUTE_PURE_ROW(id, name, operands, summary)                             \
  {name, operands, summary, NULL},
#include "pure_rows.def"
#undef CUTE_PURE_ROW
};

static const CuteOpId ids[] = {
#define CUTE_PURE_ROW(id, name, operands, summary) CUTE_OP_##id,
#include "pure_rows.def"
#undef CUTE_PURE_ROW
};

const CuteCalcGroup cuteCalcOpRows = {rows, sizeof rows / sizeof *rows};

static const CuteOpHooks *const groups[] = {
    cuteAccessOps, cuteConstructionOps,    cuteIndexOps,
    cuteModesOps,  cuteLayoutAlgebraOps,   cutePartitionOps,
    cuteTiledOps,  cuteTupleArithmeticOps, cuteTilingOps,
};

static const CuteOpHooks *findHooks(const CuteOpDecl *decl) {
  for (size_t i = 0; i < sizeof groups / sizeof *groups; ++i)
    for (const CuteOpHooks *row = groups[i]; row->name; ++row)
      if (cuteTextEquals(decl->name, row->name))
        return row;
  return NULL;
}

//===-- Application -------------------------------------------------------===//

// Several results are a list, of tuples alone.
static CuteValue valueOfAll(CuteContext c, const CuteOp *op) {
  if (op->numResults == 1)
    return cuteValueOfType(c, op->results[0]);
  CuteIntTuple *elements =
      cuteScratch(c, (op->numResults + 1) * sizeof *elements);
  for (size_t i = 0; i < op->numResults; ++i) {
    elements[i] = op->results[i]->tuple;
    if (!elements[i])
      return cuteValueOfList(cuteFail(c, "has several results, and one is "
                                         "not a tuple"));
  }
  return cuteValueOfList(cuteInternTuple(c, op->numResults, elements));
}

enum { MAX_MODE_NUMBERS = 64 };

// An attribute that a value after the operands gives; false with a message.
static bool setAttribute(CuteContext c, CuteValue value,
                         const CuteAttributeDecl *decl,
                         CuteAttribute *attribute, int32_t *ints) {
  *attribute = (CuteAttribute){.decl = decl};
  if (decl->kind == CUTE_ATTRIBUTE_INT)
    attribute->value = value.tuple->value;
  else if (decl->kind == CUTE_ATTRIBUTE_TYPE)
    attribute->text = cuteStringRef(cuteElementTypeGetName(value.element));
  if (decl->kind != CUTE_ATTRIBUTE_INTS)
    return true;
  attribute->ints = ints;
  attribute->numInts = cuteIntTupleGetRank(value.tuple);
  for (size_t i = 0; i < attribute->numInts; ++i) {
    CuteIntTuple leaf = element(value.tuple, i);
    if (i == MAX_MODE_NUMBERS || !isStatic(leaf) || leaf->value < 0 ||
        leaf->value > INT32_MAX)
      return cuteFailTuple(c, "modes must be numbers from 0 on, not ",
                           value.tuple);
    ints[i] = (int32_t)leaf->value;
  }
  return true;
}

CuteValue cuteCalcApplyOp(CuteContext c, const CuteCalcOperation *row,
                          const CuteValue *values) {
  CuteOpDecl decl = *cuteOpDeclGet(ids[row - rows]);
  decl.hooks = findHooks(&decl);
  CuteType types[CUTE_MAX_OPERANDS];
  CuteAttribute attributes[CUTE_MAX_OPERANDS];
  int32_t ints[MAX_MODE_NUMBERS];
  size_t n = strlen(row->operands);
  size_t numTypes = decl.numAttributes ? decl.numOperands : n;
  for (size_t i = 0; i < numTypes; ++i) {
    size_t last = decl.numOperands - 1;
    types[i] =
        cuteTypeOfValue(c, values[i], decl.operands[i < last ? i : last].kinds);
    if (!types[i])
      return (CuteValue){0};
  }
  for (size_t i = numTypes; i < n; ++i)
    if (!setAttribute(c, values[i], &decl.attributes[i - numTypes],
                      &attributes[i - numTypes], ints))
      return (CuteValue){0};
  CUTE_SCOPED(ArenaScope) scope = cuteArenaScopeBegin(&c->scratch);
  CuteOp op = {.context = c,
               .decl = &decl,
               .numOperands = numTypes,
               .operands = types,
               .numAttributes = n - numTypes,
               .attributes = attributes};
  return cuteOpInfer(&op) ? valueOfAll(c, &op) : (CuteValue){0};
}
