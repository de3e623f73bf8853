// print, print_value, print_tensor, printf and assert.
#include "Algebra/trace.h"
#include "Ops/ops.h"
#include "Ops/print_line.h"

static const CuteStringRef noSpec = {"", 0};

//===-- print and print_value ---------------------------------------------===//

static bool inferPrint(CuteOp *op) {
  CuteType type = op->operands[0];
  if (type->kind != CUTE_TYPE_FOREIGN)
    return true;
  return cuteFail(op->context,
                  "prints values of the dialect, not %.*s; print_value and "
                  "printf print numbers",
                  CUTE_TEXT(type->foreign));
}

static bool inferPrintValue(CuteOp *op) {
  CuteElementType element;
  if (cutePrintLineGetElements(op->operands[0], &element))
    return true;
  if (op->operands[0]->kind == CUTE_TYPE_FOREIGN)
    return cutePrintLineCheckType(op->context, op->operands[0]);
  return cuteFail(op->context, "prints numbers and vectors of numbers; print "
                               "and printf print values of the dialect");
}

// The value and a newline.
static bool lowerPrint(CuteLowering *l) {
  CutePrintLine line = {0};
  cutePrintLineAppendValue(l, &line, noSpec, cuteLoweringGetOperand(l, 0));
  cutePrintLineAppend(&line, cuteStringRef("\n"));
  return cutePrintLineFlush(l, &line);
}

//===-- print_tensor ------------------------------------------------------===//

static bool inferPrintTensor(CuteOp *op) {
  CuteType type = op->operands[0];
  if (type->kind != CUTE_TYPE_TENSOR || type->space != CUTE_DESC)
    return true;
  return cuteFail(op->context, "descriptors have no elements to print");
}

static bool printText(CuteLowering *l, const char *text) {
  CutePrintLine line = {0};
  cutePrintLineAppend(&line, cuteStringRef(text));
  return cutePrintLineFlush(l, &line);
}

// The tensor or layout, and the coordinates of the loops so far.
typedef struct Walk {
  CuteLowering *lowering;
  const CuteLowered *tensor;
  size_t rank;
  CuteIntTuple *coord;
  bool isVerbose; // a line for each element, with its coordinate
} Walk;

// The index of a layout or the coordinate of a coordinate tensor; null with a
// message.
static CuteIntTuple indexAt(CuteContext c, CuteType type, CuteIntTuple coord) {
  CuteIntTuple index = cuteLayoutEval(c, type->layout, coord);
  return index && type->kind == CUTE_TYPE_COORD_TENSOR
             ? cuteArithmeticTupleAdd(c, type->tuple, index)
             : index;
}

static bool appendElement(Walk *walk, CutePrintLine *line, CuteIntTuple coord) {
  CuteLowering *lowering = walk->lowering;
  CuteType type = walk->tensor->type;
  if (type->kind != CUTE_TYPE_TENSOR) {
    CuteIntTuple index = indexAt(lowering->context, type, coord);
    if (index)
      cutePrintLineAppendTuple(lowering, line, index);
    return index;
  }
  MlirValue value = cuteLoweringLoadElement(lowering, walk->tensor, coord);
  if (mlirValueIsNull(value))
    return false;
  cutePrintLineAppendNumber(lowering, line, type->element, noSpec, value);
  return true;
}

static bool printElement(Walk *walk) {
  CuteLowering *lowering = walk->lowering;
  CuteIntTuple coord =
      isTuple(walk->tensor->type->layout->shape)
          ? cuteInternTuple(lowering->context, walk->rank, walk->coord)
          : walk->coord[0];
  CutePrintLine line = {0};
  if (walk->isVerbose) {
    cutePrintLineAppendTuple(lowering, &line, coord);
    cutePrintLineAppend(&line, cuteStringRef(" = "));
  }
  bool ok = appendElement(walk, &line, coord);
  if (walk->isVerbose)
    cutePrintLineAppend(&line, cuteStringRef("\n"));
  return cutePrintLineFlush(lowering, &line) && ok;
}

// The separator between the elements of mode i: a comma, and lines for all but
// the last mode.
static bool printSeparator(Walk *walk, size_t i, CuteIntTuple index) {
  CuteLowering *lowering = walk->lowering;
  CuteBuilder outside = lowering->builder;
  MlirValue more =
      cuteLoweringCompareLess(lowering, staticInt(lowering->context, 0), index);
  lowering->builder = cuteBuildIf(&outside, more);
  CutePrintLine line = {0};
  cuteStringAppend(&line.format, i + 1 < walk->rank ? ",\n" : ", ");
  for (size_t j = 0; i + 1 < walk->rank && j <= i; ++j)
    cuteStringAppendChar(&line.format, ' ');
  bool ok = cutePrintLineFlush(lowering, &line);
  lowering->builder = outside;
  return ok;
}

// Mode i in brackets, in a loop over its coordinates; in a list mode 0 runs
// fastest.
static bool printMode(Walk *walk, size_t i) {
  CuteLowering *lowering = walk->lowering;
  CuteContext c = lowering->context;
  if (i == walk->rank)
    return printElement(walk);
  size_t mode = walk->isVerbose ? walk->rank - 1 - i : i;
  CuteIntTuple shape = walk->tensor->type->layout->shape;
  CuteIntTuple size =
      cuteIntTupleProduct(c, isTuple(shape) ? shape->elements[mode] : shape);
  if (!size || !(walk->isVerbose || printText(lowering, "[")))
    return false;
  CuteBuilder outside = lowering->builder;
  MlirBlock body = cuteBuildFor(
      &outside, cuteLoweringGetInteger(lowering, size,
                                       cuteLeafWidth(size) > 32 ? 64 : 32));
  lowering->builder = cuteBuilderAtStart(body, outside.location);
  walk->coord[mode] =
      cuteLoweringGetLeaf(lowering, mlirBlockGetArgument(body, 0), 1);
  bool ok = (walk->isVerbose || printSeparator(walk, i, walk->coord[i])) &&
            printMode(walk, i + 1);
  lowering->builder = outside;
  return ok && (walk->isVerbose || printText(lowering, "]"));
}

static bool lowerPrintTensor(CuteLowering *l) {
  const CuteLowered *tensor = cuteLoweringGetLowered(l, 0);
  CuteIntTuple shape = tensor->type->layout->shape;
  size_t rank = isTuple(shape) ? shape->rank : 1;
  CuteIntTuple *coord = cuteScratch(l->context, (rank + 1) * sizeof *coord);
  Walk walk = {l, tensor, rank, coord,
               cuteOpGetAttribute(l->op, "verbose") != NULL};
  CutePrintLine line = {0};
  cutePrintLineAppendValue(l, &line, noSpec, cuteLoweringGetOperand(l, 0));
  cuteStringAppend(&line.format, " =\n");
  return cutePrintLineFlush(l, &line) && printMode(&walk, 0) &&
         (walk.isVerbose || printText(l, "\n"));
}

//===-- printf ------------------------------------------------------------===//

// Takes the text up to the next placeholder off the front, and {} or {:spec}
// itself: its spec. False at the end; with a message where braces do not match.
static bool takePlaceholder(CuteContext c, CuteStringRef *format,
                            CutePrintLine *line, CuteStringRef *spec,
                            bool *failed) {
  const char *at = format->data, *end = at + format->length;
  for (; at < end; ++at) {
    if (*at != '{' && *at != '}') {
      cutePrintLineAppend(line, (CuteStringRef){at, 1});
      continue;
    }
    if (at + 1 < end && at[1] == *at) {
      cutePrintLineAppend(line, (CuteStringRef){at++, 1});
      continue;
    }
    const char *close = *at == '{' ? memchr(at, '}', (size_t)(end - at)) : NULL;
    *failed = !close || (close > at + 1 && at[1] != ':');
    if (*failed)
      return cuteFail(c,
                      "expected {} or {:.3f} in the format, and {{ or }} for a "
                      "brace, not '%.*s'",
                      (int)(end - at > 20 ? 20 : end - at), at);
    bool hasSpec = close > at + 1;
    *spec =
        (CuteStringRef){at + 1 + hasSpec, (size_t)(close - at) - 1 - hasSpec};
    *format = (CuteStringRef){close + 1, (size_t)(end - close) - 1};
    return true;
  }
  return false;
}

// Flags, width, precision and a letter of printf, which the number takes.
static bool checkSpec(CuteContext c, CuteStringRef spec, CuteType type) {
  CuteElementType element = CUTE_ELEMENT_I32;
  size_t i = 0, n = spec.length;
  bool isNumber = cutePrintLineGetElements(type, &element);
  const char *letters = cuteElementTypeIsFloat(element) ? "feEgG" : "diuxXo";
  while (i < n && strchr("-+ 0#", spec.data[i]))
    ++i;
  while (i < n && spec.data[i] >= '0' && spec.data[i] <= '9')
    ++i;
  if (i < n && spec.data[i] == '.')
    for (++i; i < n && spec.data[i] >= '0' && spec.data[i] <= '9';)
      ++i;
  if (i < n && strchr(letters, spec.data[i]))
    ++i;
  if (n < 16 && i == n && (isNumber || !n))
    return true;
  return cuteFail(c,
                  "'{:%.*s}' does not suit %s; integers take a width and d, u, "
                  "x or o, as in {:08x}, floats a precision and f, e or g, as "
                  "in {:.3f}, and others {}",
                  (int)n, spec.data, cuteTypeText(c, type));
}

// Checks that the format has a placeholder for each operand from `first` on.
static bool checkFormat(CuteOp *op, size_t first) {
  const CuteAttribute *attribute = cuteOpGetAttribute(op, "format");
  CuteStringRef format = attribute ? attribute->text : noSpec, spec = noSpec;
  CutePrintLine line = {0};
  bool failed = false;
  size_t count = first;
  while (!failed &&
         takePlaceholder(op->context, &format, &line, &spec, &failed)) {
    if (count < op->numOperands)
      failed = !cutePrintLineCheckType(op->context, op->operands[count]) ||
               !checkSpec(op->context, spec, op->operands[count]);
    ++count;
  }
  cuteStringDestroy(&line.format);
  if (!failed && count != op->numOperands)
    return cuteFail(op->context,
                    "the format has %zu {}, but there are %zu values",
                    count - first, op->numOperands - first);
  return !failed;
}

static bool inferPrintf(CuteOp *op) { return checkFormat(op, 0); }

// Appends the text of the attribute, with the operands from `first` on.
static void appendFormatted(CuteLowering *l, CutePrintLine *line,
                            size_t first) {
  MlirAttribute attribute = cuteMlirGetAttribute(l->source, "format");
  CuteStringRef format = noSpec, spec = noSpec;
  bool failed = false;
  if (!mlirAttributeIsNull(attribute))
    format = fromMlirString(mlirStringAttrGetValue(attribute));
  for (size_t i = first;
       takePlaceholder(l->context, &format, line, &spec, &failed); ++i)
    cutePrintLineAppendValue(l, line, spec, cuteLoweringGetOperand(l, i));
}

static bool lowerPrintf(CuteLowering *l) {
  CutePrintLine line = {0};
  appendFormatted(l, &line, 0);
  return cutePrintLineFlush(l, &line);
}

//===-- assert ------------------------------------------------------------===//

static bool inferAssert(CuteOp *op) {
  if (op->numOperands && op->operands[0]->kind == CUTE_TYPE_FOREIGN &&
      cuteTextEquals(op->operands[0]->foreign, "i1"))
    return checkFormat(op, 1);
  return cuteFail(op->context, "operand #0 is the condition, an i1");
}

static void appendPlace(CutePrintLine *line, MlirLocation location) {
  CUTE_SCOPED(String) text = {0};
  cuteLoweringAppendPlace(&text, location);
  cutePrintLineAppend(line, cuteStringGetRef(&text));
}

// Prints place and message, and traps, if the condition does not hold.
static bool lowerAssert(CuteLowering *l) {
  CuteBuilder outside = l->builder, *b = &l->builder;
  CutePrintLine line = {0};
  MlirValue fails = xoriWith(b, cuteLoweringGetOperand(l, 0), 1);
  *b = cuteBuildIf(b, fails);
  appendPlace(&line, mlirOperationGetLocation(l->source));
  cutePrintLineAppend(&line, cuteStringRef(": assertion failed"));
  size_t length = line.format.length;
  cutePrintLineAppend(&line, cuteStringRef(": "));
  size_t start = line.format.length;
  appendFormatted(l, &line, 1);
  if (line.format.length == start)
    line.format.data[line.format.length = length] = '\0';
  bool ok = cuteLoweringFail(l, &line.format, line.count, line.values);
  cuteStringDestroy(&line.format);
  l->builder = outside;
  return ok;
}

const CuteOpHooks cutePrintOps[] = {
    CUTE_HOOKS("print", inferPrint, lowerPrint),
    CUTE_HOOKS("print_value", inferPrintValue, lowerPrint),
    CUTE_HOOKS("print_tensor", inferPrintTensor, lowerPrintTensor),
    CUTE_HOOKS("printf", inferPrintf, lowerPrintf),
    CUTE_HOOKS("assert", inferAssert, lowerAssert),
    {.name = NULL},
};
