// The CuTe shapes of vectors, as far as the text tells: a vector has that of
// the tensor it was loaded from, or what the dialect's ops make of it, and
// keeps it through arith and math. So ops on modes need not repeat it, and
// %v[_,0] is a slice.
#include "Text/reader_parts.h"

static const CuteAttribute *findAttribute(const CuteReaderParts *parts,
                                          const char *name) {
  for (size_t i = 0; i < parts->numAttributes; ++i)
    if (cuteTextEquals(parts->attributes[i].decl->name, name))
      return &parts->attributes[i];
  return NULL;
}

static CuteIntTuple parseAttribute(CuteReader *reader,
                                   const CuteReaderParts *parts,
                                   const char *name,
                                   CuteIntTupleSyntax syntax) {
  const CuteAttribute *attribute = findAttribute(parts, name);
  return attribute ? cuteIntTupleParse(reader->context, attribute->text, syntax)
                   : NULL;
}

bool cuteTypeIsVector(CuteType type) {
  return cuteTypeIsKind(type, CUTE_TYPE_FOREIGN) &&
         cuteTextStartsWith(type->foreign, "vector<");
}

//===-- Shapes of results -------------------------------------------------===//

// The modes of the vector's shape under `_` of another attribute.
static CuteIntTuple slicedShape(CuteReader *reader,
                                const CuteReaderParts *parts,
                                const char *name) {
  CuteIntTuple shape =
      parseAttribute(reader, parts, "shape", CUTE_SYNTAX_SHAPE);
  CuteIntTuple coord = parseAttribute(reader, parts, name, CUTE_SYNTAX_COORD);
  return shape && coord ? cuteIntTupleSlice(reader->context, shape, coord)
                        : NULL;
}

static CuteIntTuple gatheredShape(CuteReader *reader,
                                  const CuteReaderParts *parts) {
  const CuteAttribute *attribute = findAttribute(parts, "layout");
  CuteLayout layout =
      attribute ? cuteLayoutParse(reader->context, attribute->text) : NULL;
  return layout ? layout->shape : NULL;
}

static CuteIntTuple shapeOfResult(CuteReader *reader,
                                  const CuteReaderParts *parts) {
  switch (parts->decl->id) {
  case CUTE_OP_LOAD_VECTOR:
    return parts->types[0]->layout ? parts->types[0]->layout->shape : NULL;
  case CUTE_OP_SLICE_VECTOR:
    return slicedShape(reader, parts, "coord");
  case CUTE_OP_REDUCE_VECTOR:
    return slicedShape(reader, parts, "profile");
  case CUTE_OP_BROADCAST_VECTOR:
    return parseAttribute(reader, parts, "to", CUTE_SYNTAX_SHAPE);
  case CUTE_OP_GATHER_VECTOR:
    return gatheredShape(reader, parts);
  default:
    return parts->types[0] == parts->results[0]
               ? cuteValueTypesGetShape(&reader->values, reader->context,
                                        parts->operands[0])
               : NULL;
  }
}

void cuteReaderNoteShape(CuteReader *reader, const CuteReaderParts *parts,
                         CuteStringRef name) {
  bool hasOne = parts->numResults == 1 && parts->numTypes &&
                cuteTypeIsVector(parts->results[0]);
  CuteIntTuple shape = hasOne ? shapeOfResult(reader, parts) : NULL;
  if (shape && cuteIntTupleIsStatic(shape))
    cuteValueTypesSetShape(&reader->values, name, shape);
}

//===-- Shapes of operands ------------------------------------------------===//

bool cuteReaderMayLeaveOut(const CuteOpDecl *decl, size_t i) {
  bool isVector = decl->id == CUTE_OP_SLICE_VECTOR ||
                  decl->id == CUTE_OP_REDUCE_VECTOR ||
                  decl->id == CUTE_OP_BROADCAST_VECTOR;
  CuteStringRef name = decl->attributes[i].name;
  return isVector &&
         (cuteTextEquals(name, "shape") || cuteTextEquals(name, "from"));
}

static CuteStringRef copyText(const CuteString *text) {
  return (CuteStringRef){
      cuteArenaCopyText(cuteTaskGetArena(), cuteStringGet(text), text->length),
      text->length};
}

// The text of the value's shape, of a number 1 where that may be one; empty
// with an error if it is not known.
static CuteStringRef takeShape(CuteReader *reader, CuteStringRef name,
                               bool isOne) {
  CuteContext c = reader->context;
  CuteType type = cuteValueTypesGet(&reader->values, c, name);
  if (isOne && type && !cuteTypeIsVector(cuteReaderResolve(reader, type)))
    return cuteStringRef("1");
  CuteIntTuple shape = cuteValueTypesGetShape(&reader->values, c, name);
  if (!shape) {
    cuteReaderFail(reader, name.data,
                   "the shape of '%.*s' is not known here; write it, as in "
                   "cute.slice_vector<\"(8,4)\", \"(_,0)\">",
                   CUTE_TEXT(name));
    return (CuteStringRef){0};
  }
  CUTE_SCOPED(String) text = {0};
  cuteAppendTuple(&text, shape);
  return copyText(&text);
}

bool cuteReaderFillShape(CuteReader *reader, CuteReaderParts *parts) {
  if (!parts->leftOut)
    return true;
  if (!parts->numOperands)
    return cuteReaderFail(reader, parts->start, "expected a vector");
  parts->leftOut->text = takeShape(reader, parts->operands[0],
                                   parts->decl->id == CUTE_OP_BROADCAST_VECTOR);
  return parts->leftOut->text.length;
}

//===-- Slices ------------------------------------------------------------===//

// The coordinate between brackets as one for the op; empty with an error.
static CuteStringRef takeCoord(CuteReader *reader) {
  const char *at = reader->lexer.at;
  if (!cuteLexerSkipBracket(&reader->lexer)) {
    cuteReaderFail(reader, at, "no ']' ends this");
    return (CuteStringRef){0};
  }
  CUTE_SCOPED(String) inside = {0}, text = {0};
  cuteStringAppendBytes(&inside, at + 1, (size_t)(reader->lexer.at - at) - 2);
  bool hasSeveral = cuteReaderHasSeveral(cuteStringGet(&inside));
  cuteStringAppendFormat(&text, hasSeveral ? "(%s)" : "%s",
                         cuteStringGet(&inside));
  CuteStringRef coord = copyText(&text);
  if (!coord.length)
    cuteReaderFail(reader, at, "expected a coordinate, such as [_,0]");
  if (memchr(coord.data, '%', coord.length)) {
    cuteReaderFail(reader, at,
                   "the coordinate of a vector's elements is static; slice "
                   "the tensor that it is loaded from");
    coord.length = 0;
  }
  return coord;
}

bool cuteReaderTakeElements(CuteReader *reader, CuteStringRef name,
                            CuteReaderLiteral *slice) {
  const CuteOpDecl *decl = &reader->dialect->ops[CUTE_OP_SLICE_VECTOR];
  CuteStringRef *operand = cuteScratch(reader->context, sizeof *operand);
  *operand = name;
  *slice = (CuteReaderLiteral){.parts = {.decl = decl,
                                         .start = name.data,
                                         .operands = operand,
                                         .numOperands = 1,
                                         .numAttributes = 2,
                                         .numKnown = 2}};
  CuteStringRef shape = takeShape(reader, name, false);
  CuteStringRef coord = shape.length ? takeCoord(reader) : shape;
  slice->parts.attributes[0] =
      (CuteAttribute){.decl = &decl->attributes[0], .text = shape};
  slice->parts.attributes[1] =
      (CuteAttribute){.decl = &decl->attributes[1], .text = coord};
  return coord.length;
}
