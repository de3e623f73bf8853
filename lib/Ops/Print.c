// print, print_value and print_tensor.
#include "Algebra/trace.h"
#include "Hardware/element.h"
#include "Lowering/lowering.h"
#include "Ops/ops.h"

//===-- Elements and numbers ----------------------------------------------===//

// Numbers that printf can be given, perhaps wider.
static bool isPrintable(CuteElementType element) {
  unsigned bits = cuteElementTypeGetBits(element);
  return bits <= 64 && (bits >= 16 || !cuteElementTypeIsFloat(element));
}

static bool checkPrintable(CuteContext c, CuteStringRef name) {
  CuteElementType element;
  if (cuteElementTypeFind(name, &element) && isPrintable(element))
    return true;
  cuteFail(c,
           "%.*s cannot be printed; integers of up to 64 bits, f16, bf16, "
           "tf32, f32 and f64 can, and cute.convert makes these of others",
           (int)name.length, name.data);
  return false;
}

static bool isUnsigned(CuteElementType element) {
  return element == CUTE_ELEMENT_I1 || cuteElementGetInfo(element)->isUnsigned;
}

static const char *conversionOf(CuteElementType element) {
  if (cuteElementTypeIsFloat(element))
    return "%f";
  bool isWide = cuteElementTypeGetBits(element) == 64;
  return isUnsigned(element) ? isWide ? "%llu" : "%u" : isWide ? "%lld" : "%d";
}

// Promotes a value as printf takes it, to an i32, i64 or f64.
static MlirValue promote(CuteLowering *lowering, CuteElementType element,
                         MlirValue value) {
  const CuteBuilder *b = &lowering->builder;
  if (element == CUTE_ELEMENT_TF32)
    value = cuteBuildUnary(b, "llvm.bitcast", value,
                           cuteElementMlirType(b, CUTE_ELEMENT_F32));
  if (cuteElementTypeIsFloat(element))
    return element == CUTE_ELEMENT_F64
               ? value
               : cuteBuildUnary(b, "arith.extf", value,
                                cuteElementMlirType(b, CUTE_ELEMENT_F64));
  if (cuteElementTypeGetBits(element) >= 32)
    return value;
  return cuteBuildUnary(b, isUnsigned(element) ? "arith.extui" : "arith.extsi",
                        value, cuteIntType(b, 32));
}

//===-- Text with values --------------------------------------------------===//

// A format and what it takes.
typedef struct Line {
  CuteString format;
  MlirValue *values;
  size_t count;
} Line;

static void pushValue(CuteLowering *lowering, Line *line, MlirValue value) {
  line->values = cuteArenaGrow(&lowering->context->scratch, line->values,
                               line->count, sizeof *line->values);
  line->values[line->count++] = value;
}

static bool flush(CuteLowering *lowering, Line *line) {
  bool ok =
      cuteLoweringPrintf(lowering, &line->format, line->count, line->values);
  cuteStringDestroy(&line->format);
  *line = (Line){0};
  return ok;
}

static bool printText(CuteLowering *lowering, const char *text) {
  Line line = {0};
  cuteStringAppend(&line.format, text);
  return flush(lowering, &line);
}

// The text with a printf conversion for each dynamic leaf; '{...}' of a leaf is
// left out. No value's text has a '%'.
static void appendFormat(CuteString *format, const CuteString *text) {
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
}

static void pushLeaves(CuteLowering *lowering, Line *line, size_t n,
                       const CuteIntTuple *leaves) {
  for (size_t i = 0; i < n; ++i) { // printf reads at least 32 bits
    unsigned width = cuteLeafWidth(leaves[i]);
    pushValue(
        lowering, line,
        cuteLoweringGetInteger(lowering, leaves[i], width < 32 ? 32 : width));
  }
}

static void appendPiece(CuteStringRef piece, void *userData) {
  cuteStringAppendBytes(userData, piece.data, piece.length);
}

static void appendTupleValue(CuteLowering *lowering, Line *line,
                             CuteIntTuple tuple) {
  CuteString text = {0};
  size_t n = tuple->numDynamic;
  CuteIntTuple *leaves =
      cuteArenaAllocate(&lowering->context->scratch, (n + 1) * sizeof *leaves);
  CuteIntTuple *next = leaves;
  cuteIntTuplePrint(tuple, appendPiece, &text);
  appendFormat(&line->format, &text);
  cuteIntTupleCollectDynamic(tuple, &next);
  pushLeaves(lowering, line, n, leaves);
  cuteStringDestroy(&text);
}

// Dynamic leaves in the order of the text: A and the offset come before B.
static void appendLayoutValue(CuteLowering *lowering, Line *line,
                              CuteLayout layout) {
  CuteString text = {0};
  size_t n = cuteLayoutGetNumDynamic(layout);
  CuteIntTuple *leaves =
      cuteArenaAllocate(&lowering->context->scratch, (n + 1) * sizeof *leaves);
  CuteIntTuple *next = leaves;
  if (layout->inner)
    cuteLayoutCollectDynamic(layout->inner, &next);
  if (layout->offset)
    cuteIntTupleCollectDynamic(layout->offset, &next);
  cuteIntTupleCollectDynamic(layout->shape, &next);
  cuteIntTupleCollectDynamic(layout->stride, &next);
  cuteLayoutPrint(layout, appendPiece, &text);
  appendFormat(&line->format, &text);
  pushLeaves(lowering, line, n, leaves);
  cuteStringDestroy(&text);
}

static void appendTileValue(CuteLowering *lowering, Line *line, CuteTile tile) {
  CuteString text = {0};
  size_t n = tile->numDynamic;
  CuteIntTuple *leaves =
      cuteArenaAllocate(&lowering->context->scratch, (n + 1) * sizeof *leaves);
  CuteIntTuple *next = leaves;
  cuteTilePrint(tile, appendPiece, &text);
  appendFormat(&line->format, &text);
  cuteTileCollectDynamic(tile, &next);
  pushLeaves(lowering, line, n, leaves);
  cuteStringDestroy(&text);
}

// Appends where a pointer or tensor begins: the byte, and the bit of it for
// packed elements that are not known to begin with a byte.
static void appendAddress(CuteLowering *lowering, Line *line,
                          CuteLowered value) {
  const CuteBuilder *b = &lowering->builder;
  CuteElementType element = (CuteElementType)value.type->element;
  int64_t bits = cuteElementTypeGetBits(element);
  MlirValue pointer = value.start ? cuteLoweringAdvance(lowering, value.pointer,
                                                        element, value.start)
                                  : value.pointer;
  pushValue(lowering, line,
            cuteBuildUnary(b, "llvm.ptrtoint", pointer, cuteIntType(b, 64)));
  bool isWhole = !value.start || cuteLeafDivisor(value.start) * bits % 8 == 0;
  cuteStringAppend(&line->format, isWhole ? "(0x%llx)" : "(0x%llx bit %d)");
  if (isWhole)
    return;
  MlirValue place = cuteLoweringGetInteger(lowering, value.start, 32);
  place = cuteBuildBinary(b, "arith.andi", place,
                          cuteBuildInt(b, 32, 8 / bits - 1));
  pushValue(lowering, line,
            cuteBuildBinary(b, "arith.muli", place, cuteBuildInt(b, 32, bits)));
}

// The type of a pointer and, in parentheses, where it points to. A tensor's
// layout follows.
static void appendMemoryValue(CuteLowering *lowering, Line *line,
                              CuteLowered value) {
  CuteType type = value.type;
  CuteType pointer =
      type->kind == CUTE_TYPE_TENSOR
          ? cuteTypeGetPointer(lowering->context,
                               (CuteElementType)type->element,
                               (CuteSpace)type->space, type->align)
          : type;
  CuteString text = {0};
  cuteAppendType(&text, pointer, CUTE_FORM_PRETTY);
  cuteStringAppend(&line->format, cuteStringGet(&text) + strlen("!cute."));
  cuteStringDestroy(&text);
  appendAddress(lowering, line, value);
  if (type->kind != CUTE_TYPE_TENSOR)
    return;
  cuteStringAppend(&line->format, " o ");
  appendLayoutValue(lowering, line, type->layout);
}

static void appendValue(CuteLowering *lowering, Line *line, CuteLowered value) {
  CuteType type = value.type;
  if (cuteTypeHasPointer(type))
    appendMemoryValue(lowering, line, value);
  else if (type->kind == CUTE_TYPE_SWIZZLE)
    cuteSwizzlePrint(type->swizzle, appendPiece, &line->format);
  else if (type->tile)
    appendTileValue(lowering, line, type->tile);
  if (type->tuple)
    appendTupleValue(lowering, line, type->tuple);
  if (type->kind == CUTE_TYPE_COORD_TENSOR)
    cuteStringAppend(&line->format, " o ");
  if (type->layout && type->kind != CUTE_TYPE_TENSOR)
    appendLayoutValue(lowering, line, type->layout);
}

//===-- print -------------------------------------------------------------===//

static bool inferPrint(CuteOp *op) {
  (void)op;
  return true;
}

static bool lowerPrint(CuteLowering *lowering, CuteOp *op,
                       MlirOperation source) {
  Line line = {0};
  (void)op;
  appendValue(lowering, &line,
              *cuteLoweringGet(lowering, mlirOperationGetOperand(source, 0)));
  cuteStringAppend(&line.format, "\n");
  return flush(lowering, &line);
}

//===-- print_value -------------------------------------------------------===//

static bool inferPrintValue(CuteOp *op) {
  return checkPrintable(op->context, op->operands[0]->foreign);
}

static bool lowerPrintValue(CuteLowering *lowering, CuteOp *op,
                            MlirOperation source) {
  MlirValue value = mlirOperationGetOperand(source, 0);
  CuteType type =
      cuteDialectGetType(lowering->dialect, mlirValueGetType(value));
  CuteElementType element = CUTE_ELEMENT_I1;
  Line line = {0};
  (void)op;
  cuteElementTypeFind(type->foreign, &element);
  cuteStringAppendFormat(&line.format, "%s\n", conversionOf(element));
  pushValue(lowering, &line, promote(lowering, element, value));
  return flush(lowering, &line);
}

//===-- print_tensor ------------------------------------------------------===//

static bool inferPrintTensor(CuteOp *op) {
  CuteType type = op->operands[0];
  return type->kind == CUTE_TYPE_COORD_TENSOR ||
         checkPrintable(op->context, cuteStringRef(cuteElementTypeGetName(
                                         (CuteElementType)type->element)));
}

// The tensor, and the coordinates of the loops so far.
typedef struct Walk {
  CuteLowering *lowering;
  const CuteLowered *tensor;
  size_t rank;
  CuteIntTuple *coord;
} Walk;

static bool printElement(Walk *walk) {
  CuteLowering *lowering = walk->lowering;
  CuteContext c = lowering->context;
  CuteType type = walk->tensor->type;
  CuteIntTuple coord = isTuple(type->layout->shape)
                           ? cuteInternTuple(c, walk->rank, walk->coord)
                           : walk->coord[0];
  Line line = {0};
  if (type->kind == CUTE_TYPE_COORD_TENSOR) {
    CuteIntTuple element = cuteArithmeticTupleAdd(
        c, type->tuple, cuteLayoutEval(c, type->layout, coord));
    if (!element)
      return false;
    appendTupleValue(lowering, &line, element);
    return flush(lowering, &line);
  }
  CuteElementType element = (CuteElementType)type->element;
  MlirValue value = cuteLoweringLoadElement(lowering, walk->tensor, coord);
  if (mlirValueIsNull(value))
    return false;
  cuteStringAppend(&line.format, conversionOf(element));
  pushValue(lowering, &line, promote(lowering, element, value));
  return flush(lowering, &line);
}

// The separator between the elements of mode i: a comma, and lines for all but
// the last mode.
static bool printSeparator(Walk *walk, size_t i, CuteIntTuple index) {
  CuteLowering *lowering = walk->lowering;
  CuteBuilder outside = lowering->builder;
  MlirValue more =
      cuteLoweringCompareLess(lowering, staticInt(lowering->context, 0), index);
  lowering->builder =
      cuteBuilderAtStart(cuteBuildIf(&outside, more), outside.location);
  Line line = {0};
  cuteStringAppend(&line.format, i + 1 < walk->rank ? ",\n" : ", ");
  for (size_t j = 0; i + 1 < walk->rank && j <= i; ++j)
    cuteStringAppendChar(&line.format, ' ');
  bool ok = flush(lowering, &line);
  lowering->builder = outside;
  return ok;
}

// Mode i in brackets, in a loop over its coordinates.
static bool printMode(Walk *walk, size_t i) {
  CuteLowering *lowering = walk->lowering;
  CuteContext c = lowering->context;
  if (i == walk->rank)
    return printElement(walk);
  CuteIntTuple shape = walk->tensor->type->layout->shape;
  CuteIntTuple size =
      cuteIntTupleProduct(c, isTuple(shape) ? shape->elements[i] : shape);
  if (!size || !printText(lowering, "["))
    return false;
  CuteBuilder outside = lowering->builder;
  MlirBlock body = cuteBuildFor(
      &outside, cuteLoweringGetInteger(lowering, size,
                                       cuteLeafWidth(size) > 32 ? 64 : 32));
  lowering->builder = cuteBuilderAtStart(body, outside.location);
  walk->coord[i] =
      cuteLoweringGetLeaf(lowering, mlirBlockGetArgument(body, 0), 1);
  bool ok = printSeparator(walk, i, walk->coord[i]) && printMode(walk, i + 1);
  lowering->builder = outside;
  return ok && printText(lowering, "]");
}

static bool lowerPrintTensor(CuteLowering *lowering, CuteOp *op,
                             MlirOperation source) {
  (void)op;
  const CuteLowered *tensor =
      cuteLoweringGet(lowering, mlirOperationGetOperand(source, 0));
  CuteIntTuple shape = tensor->type->layout->shape;
  size_t rank = isTuple(shape) ? shape->rank : 1;
  CuteIntTuple *coord = cuteArenaAllocate(&lowering->context->scratch,
                                          (rank + 1) * sizeof *coord);
  Walk walk = {lowering, tensor, rank, coord};
  Line line = {0};
  appendValue(lowering, &line, *tensor);
  cuteStringAppend(&line.format, " =\n");
  return flush(lowering, &line) && printMode(&walk, 0) &&
         printText(lowering, "\n");
}

const CuteOpHooks cutePrintOps[] = {
    {.name = "print", .infer = inferPrint, .lower = lowerPrint},
    {.name = "print_value", .infer = inferPrintValue, .lower = lowerPrintValue},
    {.name = "print_tensor",
     .infer = inferPrintTensor,
     .lower = lowerPrintTensor},
    {.name = NULL},
};
