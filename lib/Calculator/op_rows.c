// Ops of the dialect as operations: rows that the build makes of their
// declarations (cmake/PureOps.cmake), and inference on the values' types.
#include "Calculator/op_rows.h"
#include "Ops/ops.h"

#define REF(text)                                                              \
  { text, sizeof text - 1 }
#define KIND(name) (CuteKindSet)1 << CUTE_TYPE_##name

#include "pure_decls.def"

static const CuteCalcOperation rows[] = {
#define CUTE_PURE_ROW(op, operands, summary) {#op, operands, summary, NULL},
#include "pure_rows.def"
#undef CUTE_PURE_ROW
};

static const CuteOpDecl *const decls[] = {
#define CUTE_PURE_ROW(op, operands, summary) &op##_decl,
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

//===-- Values to types ---------------------------------------------------===//

static bool admits(CuteKindSet kinds, CuteTypeKind kind) {
  return kinds & (CuteKindSet)1 << kind;
}

// An operand that takes several kinds of tuples takes one with `_` as a
// coordinate, and one with bases as a stride.
static CuteType typeOfTuple(CuteContext c, CuteIntTuple tuple,
                            CuteKindSet kinds) {
  CuteTypeKind order[] = {CUTE_TYPE_INT_TUPLE, CUTE_TYPE_INT_TUPLE,
                          CUTE_TYPE_SHAPE, CUTE_TYPE_COORD, CUTE_TYPE_STRIDE};
  if (tuple->flags & HAS_UNDERSCORE)
    order[0] = CUTE_TYPE_COORD;
  if (tuple->flags & HAS_BASIS)
    order[0] = CUTE_TYPE_STRIDE;
  size_t i = 0;
  while (i < 4 && !admits(kinds, order[i]))
    ++i;
  return cuteTypeGetTuple(c, order[i], tuple);
}

// A layout stands for the tile that it is, or for its shape.
static CuteType typeOfLayout(CuteContext c, CuteLayout layout,
                             CuteKindSet kinds) {
  CuteTypeKind kind = cuteLayoutIsComposed(layout) ? CUTE_TYPE_COMPOSED_LAYOUT
                                                   : CUTE_TYPE_LAYOUT;
  if (admits(kinds, kind))
    return cuteTypeGetLayout(c, layout);
  if (admits(kinds, CUTE_TYPE_TILE))
    return cuteTypeGetTile(c, cuteTileGetLayout(c, layout));
  return admits(kinds, CUTE_TYPE_SHAPE) && !admits(kinds, CUTE_TYPE_INT_TUPLE)
             ? cuteTypeGetTuple(c, CUTE_TYPE_SHAPE, layout->shape)
             : cuteTypeGetLayout(c, layout);
}

// Null with a message.
static CuteType typeOf(CuteContext c, CuteValue value, CuteKindSet kinds) {
  switch (value.kind) {
  case CUTE_VALUE_TUPLE:
    return typeOfTuple(c, value.tuple, kinds);
  case CUTE_VALUE_LAYOUT:
    return typeOfLayout(c, value.layout, kinds);
  case CUTE_VALUE_TILE:
    return cuteTypeGetTile(c, value.tile);
  case CUTE_VALUE_SWIZZLE:
    return cuteTypeGetSwizzle(c, value.swizzle);
  case CUTE_VALUE_MMA_ATOM:
    return cuteTypeGetMmaAtom(c, value.mma.atom);
  case CUTE_VALUE_COPY_ATOM:
    return cuteCalcCheckHasElement(c, value)
               ? cuteTypeGetCopyAtom(c, value.copy.atom, value.copy.element)
               : NULL;
  case CUTE_VALUE_TILED_MMA:
    return cuteTypeGetTiledMma(c, value.mma);
  case CUTE_VALUE_TILED_COPY:
    return cuteTypeGetTiledCopy(c, value.copy);
  default:
    return cuteFail(c, "%s is no operand of an op",
                    cuteValueKindGetName(value.kind));
  }
}

//===-- Types to values ---------------------------------------------------===//

static CuteValue valueOf(CuteContext c, CuteType type) {
  switch ((CuteTypeKind)type->kind) {
  case CUTE_TYPE_INT_TUPLE:
  case CUTE_TYPE_SHAPE:
  case CUTE_TYPE_STRIDE:
  case CUTE_TYPE_COORD:
    return cuteValueOfTuple(type->tuple);
  case CUTE_TYPE_LAYOUT:
  case CUTE_TYPE_COMPOSED_LAYOUT:
    return cuteValueOfLayout(type->layout);
  case CUTE_TYPE_TILE:
    return cuteValueOfTile(type->tile, type->tile);
  case CUTE_TYPE_SWIZZLE:
    return cuteValueOfSwizzle(type->swizzle);
  case CUTE_TYPE_TILED_MMA:
    return (CuteValue){.kind = CUTE_VALUE_TILED_MMA,
                       .mma = cuteTypeGetTiledMmaValue(type)};
  case CUTE_TYPE_TILED_COPY:
    return (CuteValue){.kind = CUTE_VALUE_TILED_COPY,
                       .copy = cuteTypeGetTiledCopyValue(type)};
  default:
    cuteFail(c, "the result, a %s, is no value here",
             cuteTypeKindGetName((CuteTypeKind)type->kind));
    return (CuteValue){0};
  }
}

// Two results are a pair; more are a list, of tuples alone.
static CuteValue valueOfAll(CuteContext c, const CuteOp *op) {
  if (op->numResults == 1)
    return valueOf(c, op->results[0]);
  CuteIntTuple *elements =
      cuteArenaAllocate(&c->scratch, (op->numResults + 1) * sizeof *elements);
  for (size_t i = 0; i < op->numResults; ++i) {
    elements[i] = op->results[i]->tuple;
    if (!elements[i])
      return cuteValueOfList(cuteFail(c, "has several results, of which one is "
                                         "no tuple"));
  }
  return cuteValueOfList(cuteInternTuple(c, op->numResults, elements));
}

//===-- Application -------------------------------------------------------===//

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
  CuteOpDecl decl = *decls[row - rows];
  decl.hooks = findHooks(&decl);
  CuteType types[CUTE_MAX_OPERANDS];
  CuteAttribute attributes[CUTE_MAX_OPERANDS];
  int32_t ints[MAX_MODE_NUMBERS];
  size_t n = strlen(row->operands);
  size_t numTypes = decl.numAttributes ? decl.numOperands : n;
  for (size_t i = 0; i < numTypes; ++i) {
    size_t last = decl.numOperands - 1;
    types[i] = typeOf(c, values[i], decl.operands[i < last ? i : last].kinds);
    if (!types[i])
      return (CuteValue){0};
  }
  for (size_t i = numTypes; i < n; ++i)
    if (!setAttribute(c, values[i], &decl.attributes[i - numTypes],
                      &attributes[i - numTypes], ints))
      return (CuteValue){0};
  CuteArenaMark mark = cuteArenaGetMark(&c->scratch);
  CuteOp op = {.context = c,
               .decl = &decl,
               .numOperands = numTypes,
               .operands = types,
               .numAttributes = n - numTypes,
               .attributes = attributes};
  CuteValue value = cuteOpInfer(&op) ? valueOfAll(c, &op) : (CuteValue){0};
  cuteArenaReset(&c->scratch, mark);
  return value;
}
