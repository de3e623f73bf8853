// static and print.
#include "Ops/lowering.h"
#include "Ops/ops.h"

static bool inferStatic(CuteOp *op) {
  CuteType type = op->written[0];
  if (!cuteTypeIsStatic(type)) {
    cuteFail(op->context, "the result type must hold the whole value, but has "
                          "dynamic parts");
    return false;
  }
  return cuteOpPushResult(op, type);
}

static bool inferPrint(CuteOp *op) {
  (void)op;
  return true;
}

//===-- Printing ----------------------------------------------------------===//

// The type's text with a printf conversion for each dynamic leaf; '{...}' of a
// leaf is left out. No type has a '%'.
static void appendFormat(CuteString *format, CuteString *text) {
  for (const char *c = cuteStringGet(text); *c; ++c) {
    if (*c != '?') {
      cuteStringAppendChar(format, *c);
      continue;
    }
    bool wide = !strncmp(c + 1, "{i64", 4);
    cuteStringAppend(format, wide ? "%lld" : "%d");
    if (c[1] == '{')
      c = strchr(c, '}');
  }
  cuteStringAppend(format, "\n");
}

static void appendPiece(CuteStringRef piece, void *userData) {
  cuteStringAppendBytes(userData, piece.data, piece.length);
}

static void appendValue(CuteString *text, CuteType type) {
  if (type->tuple)
    cuteIntTuplePrint(type->tuple, appendPiece, text);
  else if (type->layout)
    cuteLayoutPrint(type->layout, appendPiece, text);
  else if (type->tile)
    cuteTilePrint(type->tile, appendPiece, text);
  else
    cuteSwizzlePrint(type->swizzle, appendPiece, text);
}

// Dynamic leaves in the order of the text: A and the offset come before B.
static size_t collectArguments(CuteType type, CuteIntTuple *leaves) {
  CuteIntTuple *next = leaves;
  CuteLayout layout = type->layout;
  if (!layout || !cuteLayoutIsComposed(layout)) {
    cuteTypeGetDynamicLeaves(type, leaves);
    return cuteTypeGetNumDynamic(type);
  }
  if (layout->inner)
    cuteLayoutCollectDynamic(layout->inner, &next);
  cuteIntTupleCollectDynamic(layout->offset, &next);
  cuteIntTupleCollectDynamic(layout->shape, &next);
  cuteIntTupleCollectDynamic(layout->stride, &next);
  return (size_t)(next - leaves);
}

static bool lowerPrint(CuteLowering *lowering, CuteOp *op,
                       MlirOperation source) {
  (void)source;
  CuteArena *scratch = &op->context->scratch;
  CuteType type = op->operands[0];
  CuteString text = {0}, format = {0};
  appendValue(&text, type);
  appendFormat(&format, &text);
  size_t n = cuteTypeGetNumDynamic(type);
  CuteIntTuple *leaves = cuteArenaAllocate(scratch, n * sizeof *leaves);
  MlirValue *values = cuteArenaAllocate(scratch, n * sizeof *values);
  collectArguments(type, leaves);
  for (size_t i = 0; i < n; ++i) { // printf reads at least 32 bits
    unsigned width = cuteLeafWidth(leaves[i]);
    values[i] =
        cuteLoweringGetInteger(lowering, leaves[i], width < 32 ? 32 : width);
  }
  bool ok = cuteLoweringPrintf(lowering, &format, n, values);
  cuteStringDestroy(&text);
  cuteStringDestroy(&format);
  return ok;
}

const CuteOpHooks cuteConstantsOps[] = {
    {.name = "static", .infer = inferStatic, .declaresResults = true},
    {.name = "print", .infer = inferPrint, .lower = lowerPrint},
    {.name = NULL},
};
