#include "IR/attribute_text.h"
#include "IR/lexer.h"

static void appendPiece(CuteStringRef piece, void *userData) {
  cuteStringAppendBytes(userData, piece.data, piece.length);
}

static bool appendTuple(CuteString *output, CuteIntTuple tuple) {
  if (tuple)
    cuteAppendTuple(output, tuple);
  return tuple;
}

// As a leaf of a tile, whose extents are not checked.
static bool appendLoose(CuteContext c, CuteStringRef text, CuteString *output) {
  if (memchr(text.data, '[', text.length) ||
      memchr(text.data, '_', text.length))
    return false;
  CuteTile tile = cuteTileParse(c, text);
  if (tile)
    cuteTilePrint(tile, appendPiece, output);
  return tile;
}

// A plain layout where the kind is one; or a composed one.
static bool appendLayout(CuteContext c, CuteTypeKind kind, CuteStringRef text,
                         CuteString *output) {
  bool isComposed =
      kind == CUTE_TYPE_COMPOSED_LAYOUT && memchr(text.data, 'o', text.length);
  CuteLayout layout =
      isComposed ? cuteComposedLayoutParse(c, text) : cuteLayoutParse(c, text);
  if (layout)
    cuteAppendLayout(output, layout);
  return layout || (!isComposed && appendLoose(c, text, output));
}

static bool appendSwizzle(CuteContext c, CuteStringRef text,
                          CuteString *output) {
  CuteSwizzle swizzle;
  if (!cuteSwizzleParse(c, text, &swizzle))
    return false;
  cuteStringAppendFormat(output, "S<%d,%d,%d>", swizzle.bits, swizzle.base,
                         swizzle.shift);
  return true;
}

static bool appendValue(CuteContext c, CuteTypeKind kind, CuteStringRef text,
                        CuteString *output) {
  switch (kind) {
  case CUTE_TYPE_INT_TUPLE:
    return appendTuple(output,
                       cuteIntTupleParse(c, text, CUTE_SYNTAX_INT_TUPLE));
  case CUTE_TYPE_SHAPE:
    return appendTuple(output, cuteIntTupleParse(c, text, CUTE_SYNTAX_SHAPE));
  case CUTE_TYPE_STRIDE:
    return appendTuple(output, cuteIntTupleParse(c, text, CUTE_SYNTAX_STRIDE));
  case CUTE_TYPE_COORD:
    return appendTuple(output, cuteIntTupleParse(c, text, CUTE_SYNTAX_COORD));
  case CUTE_TYPE_TILE: {
    CuteTile tile = cuteTileParse(c, text);
    if (tile)
      cuteTilePrint(tile, appendPiece, output);
    return tile;
  }
  case CUTE_TYPE_SWIZZLE:
    return appendSwizzle(c, text, output);
  default:
    return appendLayout(c, kind, text, output);
  }
}

// The name before the brackets: #cute.NAME<, or #cute<NAME<.
static bool takeKind(CuteContext c, CuteLexer *lexer, CuteTypeKind *kind) {
  CuteStringRef name;
  cuteLexerNext(lexer, &name);
  if (!cuteTextEquals(name, "#cute"))
    name = (CuteStringRef){name.data + 6, name.length - 6};
  else if (cuteLexerTake(lexer, '<'))
    cuteLexerNext(lexer, &name);
  if (cuteTypeKindFind(name, kind) && *kind <= CUTE_TYPE_SWIZZLE)
    return true;
  cuteFail(c, "no attribute is named '#cute.%.*s'",
           (int)(name.length > 100 ? 100 : name.length), name.data);
  return false;
}

// The inside of the string in <"...">.
static bool takeValue(CuteLexer *lexer, CuteStringRef *value) {
  if (!cuteLexerTake(lexer, '<') ||
      cuteLexerNext(lexer, value) != CUTE_TOKEN_STRING || value->length < 2 ||
      value->data[value->length - 1] != '"' || !cuteLexerTake(lexer, '>'))
    return false;
  *value = (CuteStringRef){value->data + 1, value->length - 2};
  return true;
}

bool cuteAttributeParsePrefix(CuteContext context, CuteStringRef text,
                              size_t *length, CuteString *canonical) {
  CuteLexer lexer = {text.data, text.data + text.length};
  CuteTypeKind kind;
  CuteStringRef value;
  if (!takeKind(context, &lexer, &kind))
    return false;
  if (!takeValue(&lexer, &value) ||
      (cuteTextStartsWith(text, "#cute<") && !cuteLexerTake(&lexer, '>'))) {
    cuteFail(context, "expected '#cute.%s<\"...\">'",
             cuteTypeKindGetName(kind));
    return false;
  }
  *length = (size_t)(lexer.at - text.data);
  cuteStringAppendFormat(canonical, "#cute.%s<\"", cuteTypeKindGetName(kind));
  bool ok = appendValue(context, kind, value, canonical);
  cuteStringAppend(canonical, "\">");
  return ok;
}
