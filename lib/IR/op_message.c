// Messages that say what is wrong with an op, and how to mend it.
#include "IR/op.h"

void cuteOpNote(CuteOp *op, const char *format, ...) {
  cuteStringAppend(&op->context->error, "\nnote: ");
  CUTE_APPEND_ARGUMENTS(&op->context->error, format);
}

//===-- Kinds of operands -------------------------------------------------===//

static void appendKinds(CuteString *text, CuteKindSet kinds) {
  bool isFirst = true;
  for (int kind = 0; kind <= CUTE_TYPE_FOREIGN; ++kind) {
    if (!(kinds & (CuteKindSet)1 << kind))
      continue;
    if (!isFirst)
      cuteStringAppend(text, " or ");
    cuteStringAppend(text, kind == CUTE_TYPE_FOREIGN
                               ? "an integer or float"
                               : cuteTypeKindGetName((CuteTypeKind)kind));
    isFirst = false;
  }
}

// The op that makes a value of one kind from one of another. The first row that
// fits counts.
static const struct {
  CuteTypeKind from, to;
  CuteOpId op;
} conversions[] = {
    {CUTE_TYPE_INT_TUPLE, CUTE_TYPE_SHAPE, CUTE_OP_TO_SHAPE},
    {CUTE_TYPE_INT_TUPLE, CUTE_TYPE_COORD, CUTE_OP_TO_COORD},
    {CUTE_TYPE_INT_TUPLE, CUTE_TYPE_STRIDE, CUTE_OP_TO_STRIDE},
    {CUTE_TYPE_SHAPE, CUTE_TYPE_INT_TUPLE, CUTE_OP_TO_INT_TUPLE},
    {CUTE_TYPE_COORD, CUTE_TYPE_INT_TUPLE, CUTE_OP_TO_INT_TUPLE},
    {CUTE_TYPE_STRIDE, CUTE_TYPE_INT_TUPLE, CUTE_OP_TO_INT_TUPLE},
    {CUTE_TYPE_COMPOSED_LAYOUT, CUTE_TYPE_LAYOUT, CUTE_OP_COMPOSED_GET_OUTER},
    {CUTE_TYPE_LAYOUT, CUTE_TYPE_SHAPE, CUTE_OP_GET_SHAPE},
    {CUTE_TYPE_COMPOSED_LAYOUT, CUTE_TYPE_SHAPE, CUTE_OP_GET_SHAPE},
    {CUTE_TYPE_TILE, CUTE_TYPE_SHAPE, CUTE_OP_GET_SHAPE},
    {CUTE_TYPE_LAYOUT, CUTE_TYPE_STRIDE, CUTE_OP_GET_STRIDE},
    {CUTE_TYPE_TENSOR, CUTE_TYPE_LAYOUT, CUTE_OP_GET_LAYOUT},
    {CUTE_TYPE_TENSOR, CUTE_TYPE_PTR, CUTE_OP_GET_ITER},
    {CUTE_TYPE_FOREIGN, CUTE_TYPE_INT_TUPLE, CUTE_OP_MAKE_INT_TUPLE},
    {CUTE_TYPE_FOREIGN, CUTE_TYPE_COORD, CUTE_OP_MAKE_COORD},
    {CUTE_TYPE_FOREIGN, CUTE_TYPE_SHAPE, CUTE_OP_MAKE_SHAPE},
};

static void noteConversion(CuteOp *op, CuteType from, CuteKindSet kinds) {
  if (from->kind == CUTE_TYPE_FOREIGN && !cuteTypeGetIntegerWidth(from))
    return;
  if (from->kind == CUTE_TYPE_COORD_TENSOR && kinds & (CuteKindSet)1
                                                          << CUTE_TYPE_TENSOR)
    cuteOpNote(op, "a coordinate tensor has no memory; its element at a "
                   "coordinate is cute.get_iter of its cute.slice there");
  for (size_t i = 0; i < sizeof conversions / sizeof *conversions; ++i)
    if (from->kind == conversions[i].from && kinds & (CuteKindSet)1
                                                         << conversions[i].to) {
      cuteOpNote(op, "%s makes !cute.%s of it",
                 cuteOpIdGetName(conversions[i].op),
                 cuteTypeKindGetName(conversions[i].to));
      return;
    }
}

static void failKind(CuteOp *op, const char *what, size_t i,
                     const CuteValueDecl *decl, CuteType found) {
  CUTE_SCOPED(String) text = {0};
  cuteStringAppendFormat(&text, "%s #%zu (%.*s) must be ", what, i,
                         CUTE_TEXT(decl->name));
  appendKinds(&text, decl->kinds);
  cuteStringAppend(&text, ", not ");
  cuteAppendType(&text, found, CUTE_FORM_PRETTY);
  cuteFail(op->context, "%s", cuteStringGet(&text));
}

bool cuteOpFailKind(CuteOp *op, size_t i, const CuteValueDecl *decl) {
  failKind(op, "operand", i, decl, op->operands[i]);
  noteConversion(op, op->operands[i], decl->kinds);
  return false;
}

bool cuteOpFailResultKind(CuteOp *op, size_t i, const CuteValueDecl *decl) {
  failKind(op, "result", i, decl, op->written[i]);
  return false;
}

//===-- Where types differ ------------------------------------------------===//

// The first place in which two values of one kind differ.
typedef struct Difference {
  const char *part; // "stride", null for the whole
  size_t depth;
  size_t path[CUTE_MAX_DEPTH];
  CuteIntTuple inferred, written; // null: nothing to show
} Difference;

static bool differTuples(Difference *d, const char *part, CuteIntTuple inferred,
                         CuteIntTuple written) {
  if (inferred == written)
    return false;
  d->part = part;
  bool descends = isTuple(inferred) && isTuple(written) &&
                  inferred->rank == written->rank && d->depth < CUTE_MAX_DEPTH;
  for (size_t i = 0; descends && i < inferred->rank; ++i) {
    d->path[d->depth++] = i;
    if (differTuples(d, part, inferred->elements[i], written->elements[i]))
      return true;
    --d->depth;
  }
  d->inferred = inferred;
  d->written = written;
  return true;
}

static bool differLayouts(Difference *d, CuteLayout inferred,
                          CuteLayout written) {
  if (differTuples(d, "shape", inferred->shape, written->shape) ||
      differTuples(d, "stride", inferred->stride, written->stride))
    return true;
  return inferred->offset && written->offset &&
         differTuples(d, "offset", inferred->offset, written->offset);
}

static bool differTiles(Difference *d, CuteTile inferred, CuteTile written) {
  if (inferred->kind == TILE_LAYOUT && written->kind == TILE_LAYOUT)
    return differLayouts(d, inferred->layout, written->layout);
  bool descends = inferred->kind == TILE_TUPLE && written->kind == TILE_TUPLE &&
                  inferred->rank == written->rank && d->depth < CUTE_MAX_DEPTH;
  for (size_t i = 0; descends && i < inferred->rank; ++i) {
    d->path[d->depth++] = i;
    if (differTiles(d, inferred->elements[i], written->elements[i]))
      return true;
    --d->depth;
  }
  return false;
}

static bool differTypes(Difference *d, CuteType inferred, CuteType written) {
  if (inferred->kind != written->kind)
    return false;
  if (inferred->layout && written->layout)
    return differLayouts(d, inferred->layout, written->layout);
  if (inferred->tile && written->tile)
    return differTiles(d, inferred->tile, written->tile);
  return inferred->tuple && written->tuple &&
         differTuples(d, NULL, inferred->tuple, written->tuple);
}

// ": mode [1, 0] of the stride is 4, not 8", unless that is all of the type.
static void appendDifference(CuteString *text, CuteType inferred,
                             CuteType written) {
  Difference d = {0};
  if (!differTypes(&d, inferred, written) || (!d.part && !d.depth))
    return;
  cuteStringAppend(text, ": ");
  for (size_t i = 0; i < d.depth; ++i)
    cuteStringAppendFormat(text, "%s%zu", i ? ", " : "mode [", d.path[i]);
  if (d.depth)
    cuteStringAppend(text, d.part ? "] of " : "]");
  if (d.part)
    cuteStringAppendFormat(text, "the %s", d.part);
  cuteStringAppend(text, " is ");
  cuteAppendTuple(text, d.inferred);
  cuteStringAppend(text, ", not ");
  cuteAppendTuple(text, d.written);
}

bool cuteOpFailResult(CuteOp *op, size_t i) {
  CUTE_SCOPED(String) text = {0};
  if (op->numResults > 1)
    cuteStringAppendFormat(&text, "result #%zu: ", i);
  cuteStringAppend(&text, "inferred result type ");
  cuteAppendType(&text, op->results[i], CUTE_FORM_PRETTY);
  cuteStringAppend(&text, " differs from the written ");
  cuteAppendType(&text, op->written[i], CUTE_FORM_PRETTY);
  appendDifference(&text, op->results[i], op->written[i]);
  cuteStringClear(&op->context->error);
  cuteStringAppend(&op->context->error, cuteStringGet(&text));
  if (op->decl->types == CUTE_TYPES_FUNCTIONAL ||
      op->decl->types == CUTE_TYPES_ARROW)
    cuteOpNote(op, "without '-> ...' the result type is inferred");
  return false;
}
