// The canonical text of algebra values: that of the open dialect.
#include "Algebra/algebra.h"

static void appendDynamic(CuteString *text, CuteIntTuple leaf) {
  cuteStringAppendChar(text, '?');
  if (leaf->width == 32 && leaf->value == 1)
    return;
  cuteStringAppendChar(text, '{');
  if (leaf->width != 32)
    cuteStringAppendFormat(text, "i%u", (unsigned)leaf->width);
  if (leaf->width != 32 && leaf->value != 1)
    cuteStringAppendChar(text, ' ');
  if (leaf->value != 1)
    cuteStringAppendFormat(text, "div=%jd", leaf->value);
  cuteStringAppendChar(text, '}');
}

static void appendBasis(CuteString *text, CuteIntTuple leaf) {
  cuteAppendTuple(text, basisValue(leaf));
  CuteIntTuple path = basisPath(leaf);
  for (size_t i = path->rank; i-- > 0;) {
    cuteStringAppendChar(text, '@');
    cuteStringAppendInt(text, path->elements[i]->value);
  }
}

void cuteAppendTuple(CuteString *text, CuteIntTuple tuple) {
  switch ((CuteIntTupleKind)tuple->kind) {
  case CUTE_STATIC:
    cuteStringAppendInt(text, tuple->value);
    return;
  case CUTE_DYNAMIC:
    appendDynamic(text, tuple);
    return;
  case CUTE_UNDERSCORE:
    cuteStringAppendChar(text, '_');
    return;
  case CUTE_ERROR:
    cuteStringAppendChar(text, 'x');
    return;
  case CUTE_BASIS:
    appendBasis(text, tuple);
    return;
  case CUTE_TUPLE:
    break;
  }
  cuteStringAppendChar(text, '(');
  for (size_t i = 0; i < tuple->rank; ++i) {
    if (i)
      cuteStringAppendChar(text, ',');
    cuteAppendTuple(text, tuple->elements[i]);
  }
  cuteStringAppendChar(text, ')');
}

void cuteAppendSwizzle(CuteString *text, CuteSwizzle s) {
  cuteStringAppendFormat(text, "S<%d,%d,%d>", s.bits, s.base, s.shift);
}

void cuteAppendMode(CuteString *text, Mode mode) {
  cuteAppendTuple(text, mode.shape);
  cuteStringAppendChar(text, ':');
  cuteAppendTuple(text, mode.stride);
}

void cuteAppendLayout(CuteString *text, CuteLayout layout) {
  if (layout->innerKind != INNER_NONE) {
    if (layout->innerKind == INNER_SWIZZLE)
      cuteAppendSwizzle(text, layout->swizzle);
    else
      cuteAppendMode(text, layoutMode(layout->inner));
    cuteStringAppend(text, " o ");
    cuteAppendTuple(text, layout->offset);
    cuteStringAppend(text, " o ");
  }
  cuteAppendMode(text, layoutMode(layout));
}

void cuteAppendTile(CuteString *text, CuteTile tile) {
  if (tile->kind == TILE_UNDERSCORE) {
    cuteStringAppendChar(text, '_');
    return;
  }
  if (tile->kind == TILE_LAYOUT) {
    cuteAppendLayout(text, tile->layout);
    return;
  }
  cuteStringAppendChar(text, '[');
  for (size_t i = 0; i < tile->rank; ++i) {
    if (i)
      cuteStringAppendChar(text, ';');
    cuteAppendTile(text, tile->elements[i]);
  }
  cuteStringAppendChar(text, ']');
}

const char *cuteTupleText(CuteContext c, CuteIntTuple tuple) {
  CuteString text = {0};
  cuteAppendTuple(&text, tuple);
  return cuteArenaTakeString(&c->scratch, &text);
}

const char *cuteModeText(CuteContext c, Mode mode) {
  CuteString text = {0};
  cuteAppendMode(&text, mode);
  return cuteArenaTakeString(&c->scratch, &text);
}

const char *cuteLayoutText(CuteContext c, CuteLayout layout) {
  CuteString text = {0};
  cuteAppendLayout(&text, layout);
  return cuteArenaTakeString(&c->scratch, &text);
}

//===-- Callbacks ---------------------------------------------------------===//

#define PRINT(name, type, append)                                              \
  void name(type value, CuteStringCallback callback, void *userData) {         \
    CUTE_SCOPED(String) text = {0};                                            \
    append(&text, value);                                                      \
    callback(cuteStringGetRef(&text), userData);                               \
  }
PRINT(cuteIntTuplePrint, CuteIntTuple, cuteAppendTuple)
PRINT(cuteLayoutPrint, CuteLayout, cuteAppendLayout)
PRINT(cuteTilePrint, CuteTile, cuteAppendTile)
PRINT(cuteSwizzlePrint, CuteSwizzle, cuteAppendSwizzle)
