#include "Ops/print_line.h"

#include "Hardware/element.h"

#include <ctype.h>

static void push(CuteLowering *l, CutePrintLine *line, MlirValue value) {
  CUTE_ARENA_PUSH(&l->context->scratch, line->values, line->count, value);
}

void cutePrintLineAppend(CutePrintLine *line, CuteStringRef text) {
  for (size_t i = 0; i < text.length; ++i) {
    cuteStringAppendChar(&line->format, text.data[i]);
    if (text.data[i] == '%')
      cuteStringAppendChar(&line->format, '%');
  }
}

//===-- Numbers -----------------------------------------------------------===//

static bool isUnsigned(CuteElementType element) {
  return element == CUTE_ELEMENT_I1 || cuteElementGetInfo(element)->isUnsigned;
}

// Promotes a number as printf takes it, to an i32, i64 or f64.
static MlirValue promote(CuteLowering *l, CuteElementType element,
                         MlirValue value) {
  const CuteBuilder *b = &l->builder;
  MlirType f64 = cuteElementMlirType(b, CUTE_ELEMENT_F64);
  if (cuteElementTypeIsFloat(element)) {
    value = cuteLoweringWidenElement(l, value, element);
    return cuteBuildCast(b, "arith.extf", value, f64);
  }
  if (mlirTypeIsAIndex(mlirValueGetType(value)))
    return cuteBuildUnary(b, "arith.index_cast", value, cuteIntType(b, 64));
  if (cuteElementTypeGetBits(element) >= 32)
    return value;
  return cuteBuildUnary(b, isUnsigned(element) ? "arith.extui" : "arith.extsi",
                        value, cuteIntType(b, 32));
}

// Appends an integer of 128 bits, in hexadecimal digits.
static void appendWide(CuteLowering *l, CutePrintLine *line, MlirValue value) {
  const CuteBuilder *b = &l->builder;
  MlirValue high = shruiWith(b, value, 64);
  push(l, line, trunci(b, high, cuteIntType(b, 64)));
  push(l, line, trunci(b, value, cuteIntType(b, 64)));
  cuteStringAppend(&line->format, "0x%016llx%016llx");
}

void cutePrintLineAppendNumber(CuteLowering *lowering, CutePrintLine *line,
                               CuteElementType element, CuteStringRef spec,
                               MlirValue value) {
  if (element == CUTE_ELEMENT_UI128) {
    appendWide(lowering, line, value);
    return;
  }
  bool isFloat = cuteElementTypeIsFloat(element);
  bool hasLetter =
      spec.length && isalpha((unsigned char)spec.data[spec.length - 1]);
  char letter = hasLetter             ? spec.data[spec.length - 1]
                : isFloat             ? 'g'
                : isUnsigned(element) ? 'u'
                                      : 'd';
  bool isWide = !isFloat && cuteElementTypeGetBits(element) == 64;
  cuteStringAppendChar(&line->format, '%');
  cuteStringAppendBytes(&line->format, spec.data, spec.length - hasLetter);
  cuteStringAppend(&line->format, isWide ? "ll" : "");
  cuteStringAppendChar(&line->format, letter);
  push(lowering, line, promote(lowering, element, value));
}

//===-- Values of the dialect ---------------------------------------------===//

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

// Appends a text with the dynamic leaves [leaves, end) in its order.
static void appendLeaves(CuteLowering *l, CutePrintLine *line,
                         const CuteString *text, const CuteIntTuple *leaves,
                         const CuteIntTuple *end) {
  appendFormat(&line->format, text);
  for (; leaves < end; ++leaves) { // printf reads at least 32 bits
    unsigned width = cuteLeafWidth(*leaves);
    push(l, line, cuteLoweringGetInteger(l, *leaves, width < 32 ? 32 : width));
  }
}

static CuteIntTuple *leavesOf(const CuteLowering *l, size_t n) {
  return cuteScratch(l->context, (n + 1) * sizeof(CuteIntTuple));
}

void cutePrintLineAppendTuple(CuteLowering *lowering, CutePrintLine *line,
                              CuteIntTuple tuple) {
  CUTE_SCOPED(String) text = {0};
  CuteIntTuple *leaves = leavesOf(lowering, tuple->numDynamic), *next = leaves;
  cuteAppendTuple(&text, tuple);
  cuteIntTupleCollectDynamic(tuple, &next);
  appendLeaves(lowering, line, &text, leaves, next);
}

// Dynamic leaves in the order of the text: A and the offset come before B.
static void appendLayoutValue(CuteLowering *l, CutePrintLine *line,
                              CuteLayout layout) {
  CUTE_SCOPED(String) text = {0};
  CuteIntTuple *leaves = leavesOf(l, cuteLayoutGetNumDynamic(layout));
  CuteIntTuple *next = leaves;
  if (layout->inner)
    cuteLayoutCollectDynamic(layout->inner, &next);
  if (layout->offset)
    cuteIntTupleCollectDynamic(layout->offset, &next);
  cuteIntTupleCollectDynamic(layout->shape, &next);
  cuteIntTupleCollectDynamic(layout->stride, &next);
  cuteAppendLayout(&text, layout);
  appendLeaves(l, line, &text, leaves, next);
}

static void appendTileValue(CuteLowering *l, CutePrintLine *line,
                            CuteTile tile) {
  CUTE_SCOPED(String) text = {0};
  CuteIntTuple *leaves = leavesOf(l, tile->numDynamic), *next = leaves;
  cuteAppendTile(&text, tile);
  cuteTileCollectDynamic(tile, &next);
  appendLeaves(l, line, &text, leaves, next);
}

// Appends where a pointer or tensor begins: the byte, and the bit of it for
// packed elements that are not known to begin with a byte.
static void appendAddress(CuteLowering *l, CutePrintLine *line,
                          CuteLowered value) {
  const CuteBuilder *b = &l->builder;
  CuteElementType element = value.type->element;
  int64_t bits = cuteElementTypeGetBits(element);
  MlirValue pointer =
      value.start ? cuteLoweringAdvance(l, value.pointer, element, value.start)
                  : value.pointer;
  push(l, line,
       cuteBuildUnary(b, "llvm.ptrtoint", pointer, cuteIntType(b, 64)));
  bool isWhole = !value.start || cuteLeafDivisor(value.start) * bits % 8 == 0;
  cuteStringAppend(&line->format, isWhole ? "(0x%llx)" : "(0x%llx bit %d)");
  if (isWhole)
    return;
  MlirValue place = cuteLoweringGetInteger(l, value.start, 32);
  place = andiWith(b, place, 8 / bits - 1);
  push(l, line, muliWith(b, place, bits));
}

// The type of a pointer and, in parentheses, where it points to. A tensor's
// layout follows.
static void appendMemoryValue(CuteLowering *l, CutePrintLine *line,
                              CuteLowered value) {
  CuteType type = value.type;
  CuteType pointer =
      type->kind == CUTE_TYPE_TENSOR
          ? cuteTypeGetPointer(l->context, type->element,
                               (CuteSpace)type->space, type->align)
          : type;
  CUTE_SCOPED(String) text = {0};
  cuteAppendType(&text, pointer, CUTE_FORM_PRETTY);
  cuteStringAppend(&line->format, cuteStringGet(&text) + strlen("!cute."));
  appendAddress(l, line, value);
  if (type->kind != CUTE_TYPE_TENSOR)
    return;
  cuteStringAppend(&line->format, " o ");
  appendLayoutValue(l, line, type->layout);
}

// Appends a value of a type that says all of it.
static void appendTypeText(CutePrintLine *line, CuteType type) {
  CUTE_SCOPED(String) text = {0};
  cuteAppendType(&text, type, CUTE_FORM_PRETTY);
  CuteStringRef rest = cuteStringGetRef(&text);
  cuteTextTake(&rest, "!cute.");
  cutePrintLineAppend(line, rest);
}

static void appendLowered(CuteLowering *l, CutePrintLine *line,
                          CuteLowered value) {
  CuteType type = value.type;
  bool isDescriptors =
      type->kind == CUTE_TYPE_TENSOR && type->space == CUTE_DESC;
  if (type->kind >= CUTE_TYPE_MMA_ATOM || isDescriptors) {
    appendTypeText(line, type);
    return;
  }
  if (cuteTypeHasPointer(type))
    appendMemoryValue(l, line, value);
  else if (type->kind == CUTE_TYPE_SWIZZLE)
    cuteAppendSwizzle(&line->format, type->swizzle);
  else if (type->tile)
    appendTileValue(l, line, type->tile);
  if (type->tuple)
    cutePrintLineAppendTuple(l, line, type->tuple);
  if (type->kind == CUTE_TYPE_COORD_TENSOR)
    cuteStringAppend(&line->format, " o ");
  if (type->layout && type->kind != CUTE_TYPE_TENSOR)
    appendLayoutValue(l, line, type->layout);
}

//===-- Values of all types -----------------------------------------------===//

size_t cutePrintLineGetElements(CuteType type, CuteElementType *element) {
  size_t count = 1;
  CuteStringRef text = type->foreign;
  if (type->kind != CUTE_TYPE_FOREIGN)
    return 0;
  if (cuteTextTake(&text, "vector<")) {
    char *end;
    count = (size_t)strtoul(text.data, &end, 10);
    if (end == text.data || *end != 'x' || text.data[text.length - 1] != '>')
      return 0;
    text.length -= (size_t)(end + 2 - text.data);
    text.data = end + 1;
  }
  if (cuteTextEquals(text, "index")) {
    *element = CUTE_ELEMENT_I64;
    return count;
  }
  return cuteElementTypeFind(text, element) ? count : 0;
}

static void appendVector(CuteLowering *l, CutePrintLine *line,
                         CuteElementType element, CuteStringRef spec, size_t n,
                         MlirValue value) {
  const CuteBuilder *b = &l->builder;
  cuteStringAppendChar(&line->format, '[');
  for (size_t i = 0; i < n; ++i) {
    cuteStringAppend(&line->format, i ? ", " : "");
    cutePrintLineAppendNumber(l, line, element, spec,
                              cuteBuildVectorExtract(b, value, (int64_t)i));
  }
  cuteStringAppendChar(&line->format, ']');
}

void cutePrintLineAppendValue(CuteLowering *lowering, CutePrintLine *line,
                              CuteStringRef spec, MlirValue value) {
  const CuteLowered *lowered = cuteLoweringGet(lowering, value);
  MlirType type = mlirValueGetType(value);
  CuteElementType element = CUTE_ELEMENT_I32;
  CuteType known = cuteDialectGetType(lowering->dialect, type);
  size_t n = cutePrintLineGetElements(known, &element);
  if (known->kind != CUTE_TYPE_FOREIGN)
    appendLowered(lowering, line,
                  lowered ? *lowered : (CuteLowered){.type = known});
  else if (mlirTypeIsAVector(type))
    appendVector(lowering, line, element, spec, n, value);
  else
    cutePrintLineAppendNumber(lowering, line, element, spec, value);
}

bool cutePrintLineCheckType(CuteContext c, CuteType type) {
  CuteElementType element;
  if (type->kind != CUTE_TYPE_FOREIGN ||
      cutePrintLineGetElements(type, &element))
    return true;
  return cuteFail(
      c,
      "%.*s cannot be printed; values of the dialect can, integers of 1 "
      "to 64 bits by powers of two, index, floats, and vectors of these",
      CUTE_TEXT(type->foreign));
}

//===-- Printing ----------------------------------------------------------===//

// The length of the format up to after its n-th conversion.
static size_t lengthOf(const CuteString *format, size_t from, size_t n) {
  size_t i = from;
  for (; i < format->length && n; ++i) {
    if (format->data[i] != '%')
      continue;
    ++i;
    if (format->data[i] == '%')
      continue;
    while (!isalpha((unsigned char)format->data[i]) || format->data[i] == 'l')
      ++i;
    --n;
  }
  return i;
}

bool cutePrintLineFlush(CuteLowering *lowering, CutePrintLine *line) {
  enum { MOST = 32 }; // of vprintf in CUDA
  bool ok = true;
  size_t at = 0, done = 0;
  while (ok && line->count - done > MOST) {
    size_t next = lengthOf(&line->format, at, MOST);
    CUTE_SCOPED(String) part = {0};
    cuteStringAppendBytes(&part, line->format.data + at, next - at);
    ok = cuteLoweringPrintf(lowering, &part, MOST, line->values + done);
    at = next;
    done += MOST;
  }
  CUTE_SCOPED(String) rest = {0};
  cuteStringAppendBytes(&rest, cuteStringGet(&line->format) + at,
                        line->format.length - at);
  ok = ok && cuteLoweringPrintf(lowering, &rest, line->count - done,
                                line->values + done);
  cuteStringDestroy(&line->format);
  *line = (CutePrintLine){0};
  return ok;
}
