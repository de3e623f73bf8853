#include "Text/reader.h"

static bool appendTuple(CuteString *output, CuteIntTuple tuple) {
  if (tuple)
    cuteAppendTuple(output, tuple);
  return tuple;
}

static bool appendTile(CuteString *output, CuteTile tile) {
  if (tile)
    cuteAppendTile(output, tile);
  return tile;
}

// Appends a leaf of a tile, where neither extents nor strides are checked.
static bool appendLayout(CuteContext c, CuteStringRef text,
                         CuteString *output) {
  static const char notInLayouts[] = "[_;";
  for (const char *at = notInLayouts; *at; ++at)
    if (memchr(text.data, *at, text.length)) {
      cuteLayoutParse(c, text); // says where
      return false;
    }
  return appendTile(output, cuteTileParseUnchecked(c, text));
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

// Takes the text up to the next " o " and that.
static bool takePart(CuteStringRef *text, CuteStringRef *part) {
  const char *o = text->length ? memchr(text->data, 'o', text->length) : NULL;
  if (!o)
    return false;
  *part = (CuteStringRef){text->data, (size_t)(o - text->data)};
  *text = (CuteStringRef){o + 1, text->length - part->length - 1};
  return true;
}

static bool isSwizzle(CuteStringRef text) {
  return memchr(text.data, '<', text.length);
}

// Tells whether a swizzle of no bits and no offset leave the layout as it is.
static bool isPlain(CuteContext c, CuteStringRef inner, CuteIntTuple offset) {
  CuteSwizzle swizzle;
  return isSwizzle(inner) && cuteSwizzleParse(c, inner, &swizzle) &&
         !swizzle.bits && isStaticValue(offset, 0);
}

// A o offset o B, or a layout.
static bool appendComposed(CuteContext c, CuteStringRef text,
                           CuteString *output) {
  CuteStringRef inner, middle;
  if (!takePart(&text, &inner))
    return appendLayout(c, text, output);
  if (!takePart(&text, &middle))
    return cuteFail(c, "expected 'o' at the end of the text");
  CuteIntTuple offset = cuteIntTupleParse(c, middle, CUTE_SYNTAX_INT_TUPLE);
  if (!offset)
    return false;
  if (isPlain(c, inner, offset))
    return appendLayout(c, text, output);
  if (isSwizzle(inner) ? !appendSwizzle(c, inner, output)
                       : !appendLayout(c, inner, output))
    return false;
  cuteStringAppend(output, " o ");
  cuteAppendTuple(output, offset);
  cuteStringAppend(output, " o ");
  return appendLayout(c, text, output);
}

static bool appendValue(CuteContext c, CuteTypeKind kind, CuteStringRef text,
                        CuteString *output) {
  static const CuteIntTupleSyntax syntax[] = {
      [CUTE_TYPE_INT_TUPLE] = CUTE_SYNTAX_INT_TUPLE,
      [CUTE_TYPE_SHAPE] = CUTE_SYNTAX_SHAPE,
      [CUTE_TYPE_STRIDE] = CUTE_SYNTAX_UNCHECKED_STRIDE,
      [CUTE_TYPE_COORD] = CUTE_SYNTAX_COORD};
  switch (kind) {
  case CUTE_TYPE_TILE:
    return appendTile(output, cuteTileParseUnchecked(c, text));
  case CUTE_TYPE_SWIZZLE:
    return appendSwizzle(c, text, output);
  case CUTE_TYPE_LAYOUT:
    return appendLayout(c, text, output);
  case CUTE_TYPE_COMPOSED_LAYOUT:
    return appendComposed(c, text, output);
  default:
    return appendTuple(output, cuteIntTupleParse(c, text, syntax[kind]));
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
  return cuteFail(c, "no attribute is named '#cute.%.*s'",
                  (int)(name.length > 100 ? 100 : name.length), name.data);
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
      (cuteTextStartsWith(text, "#cute<") && !cuteLexerTake(&lexer, '>')))
    return cuteFail(context, "expected '#cute.%s<\"...\">'",
                    cuteTypeKindGetName(kind));
  *length = (size_t)(lexer.at - text.data);
  cuteStringAppendFormat(canonical, "#cute.%s<\"", cuteTypeKindGetName(kind));
  bool ok = appendValue(context, kind, value, canonical);
  cuteStringAppend(canonical, "\">");
  return ok;
}
