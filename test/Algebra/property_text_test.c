// Random values as text and back, with blanks wherever they may stand.
#include "property.h"

//===-- Random trees with every kind of leaf ------------------------------===//

static int64_t randomValue(void) {
  static const int64_t special[] = {0,         -1,        INT64_MAX,
                                    INT64_MIN, INT32_MAX, INT64_C(1) << 40};
  return pick(0, 4) ? pick(-20, 2000) : special[pick(0, 5)];
}

static CuteIntTuple randomDynamic(void) {
  static const unsigned widths[] = {1, 8, 16, 32, 64};
  return cuteIntTupleGetDynamic(context, widths[pick(0, 4)],
                                pick(0, 1) ? 1 : pick(1, INT64_C(1) << 31));
}

static CuteIntTuple randomLeaf(CuteIntTupleSyntax syntax) {
  if (syntax == CUTE_SYNTAX_COORD && pick(0, 3) == 0)
    return cuteIntTupleGetUnderscore(context);
  if (pick(0, 3) == 0)
    return randomDynamic();
  int64_t value = randomValue();
  if (syntax == CUTE_SYNTAX_SHAPE && value < 1)
    value = 1;
  return cuteIntTupleGetStatic(context, value);
}

static CuteIntTuple randomTuple(CuteIntTupleSyntax syntax, int64_t depth) {
  if (!depth || pick(0, 2) == 0)
    return randomLeaf(syntax);
  CuteIntTuple kids[4];
  size_t n = (size_t)pick(0, 4);
  for (size_t i = 0; i < n; ++i)
    kids[i] = randomTuple(syntax, depth - 1);
  return cuteIntTupleGetTuple(context, n, kids);
}

// A stride for a shape: all integers, or the units of its leaves, scaled.
static CuteIntTuple randomStride(CuteIntTuple shape, bool isScaled,
                                 int64_t *path, size_t depth) {
  if (cuteIntTupleGetKind(shape) != CUTE_TUPLE) {
    CuteIntTuple value = randomLeaf(CUTE_SYNTAX_STRIDE);
    return isScaled && depth ? cuteIntTupleGetBasis(context, value, depth, path)
                             : value;
  }
  CuteIntTuple kids[4];
  size_t n = cuteIntTupleGetRank(shape);
  for (size_t i = 0; i < n; ++i) {
    path[depth] = (int64_t)i;
    kids[i] = randomStride(cuteIntTupleGetElement(shape, i), isScaled, path,
                           depth + 1);
  }
  return cuteIntTupleGetTuple(context, n, kids);
}

static CuteLayout randomPlain(bool mayBeScaled) {
  int64_t path[16];
  CuteIntTuple shape = randomTuple(CUTE_SYNTAX_SHAPE, 1 + scale / 3);
  bool isScaled = mayBeScaled && pick(0, 2) == 0;
  return cuteLayoutGet(context, shape, randomStride(shape, isScaled, path, 0));
}

static CuteTile randomTile(int64_t depth) {
  if (!depth || pick(0, 2) == 0)
    return pick(0, 3) ? cuteTileGetLayout(context, randomPlain(true))
                      : cuteTileGetUnderscore(context);
  CuteTile kids[4];
  size_t n = (size_t)pick(0, 4);
  for (size_t i = 0; i < n; ++i)
    kids[i] = randomTile(depth - 1);
  return cuteTileGetTuple(context, n, kids);
}

//===-- Text --------------------------------------------------------------===//

static bool isWord(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || c == '_' ||
         c == '-' || (c >= 'A' && c <= 'Z');
}

// The text with blanks between tokens.
static void loosen(const CuteString *text, CuteString *loose) {
  for (size_t i = 0; i < text->length; ++i) {
    char c = text->data[i];
    cuteStringAppendChar(loose, c);
    while (!(isWord(c) && isWord(text->data[i + 1])) && pick(0, 5) == 0)
      cuteStringAppendChar(loose, " \t\n\r"[pick(0, 3)]);
  }
}

static const void *parseLayout(CuteStringRef text) {
  return cuteLayoutParse(context, text);
}

static const void *parseComposed(CuteStringRef text) {
  return cuteComposedLayoutParse(context, text);
}

static const void *parseTile(CuteStringRef text) {
  return cuteTileParse(context, text);
}

static CuteIntTupleSyntax syntaxAtHand;

static const void *parseTuple(CuteStringRef text) {
  return cuteIntTupleParse(context, text, syntaxAtHand);
}

// The text gives the value, and so does the text with blanks.
static void checkText(const CuteString *text, const void *value,
                      const void *(*parse)(CuteStringRef text)) {
  cuteStringAppendFormat(&inputs, "  text = %s\n", cuteStringGet(text));
  const void *again = parse(cuteStringGetRef(text));
  REQUIRE_MADE(again);
  REQUIRE(again == value);
  CuteString loose = {0};
  loosen(text, &loose);
  cuteStringAppendFormat(&inputs, "  text = %s\n", cuteStringGet(&loose));
  again = parse(cuteStringGetRef(&loose));
  cuteStringDestroy(&loose);
  REQUIRE_MADE(again);
  REQUIRE(again == value);
}

static void layoutText(void) {
  CuteString text = {0};
  CuteLayout layout = randomPlain(true);
  REQUIRE_MADE(layout);
  cuteLayoutPrint(layout, appendText, &text);
  checkText(&text, layout, parseLayout);
  cuteStringDestroy(&text);
}

static void composedText(void) {
  CuteString text = {0};
  CuteSwizzle s = {.bits = (int32_t)pick(1, 4), .base = (int32_t)pick(0, 5)};
  s.shift = pick(0, 1) ? s.bits : -s.bits;
  CuteIntTuple offset = randomLeaf(CUTE_SYNTAX_INT_TUPLE);
  CuteLayout outer = randomPlain(false);
  CuteLayout layout =
      pick(0, 1)
          ? cuteLayoutGetSwizzled(context, s, offset, outer)
          : cuteLayoutGetComposed(context, randomPlain(false),
                                  cuteIntTupleGetStatic(context, 7), outer);
  REQUIRE(outer);
  if (!layout)
    return; // values of B that overflow, or that are no coordinates of A
  cuteLayoutPrint(layout, appendText, &text);
  checkText(&text, layout, parseComposed);
  cuteStringDestroy(&text);
}

static void tileText(void) {
  CuteString text = {0};
  CuteTile tile = randomTile(2);
  REQUIRE_MADE(tile);
  cuteTilePrint(tile, appendText, &text);
  checkText(&text, tile, parseTile);
  cuteStringDestroy(&text);
}

static void tupleText(void) {
  CuteString text = {0};
  syntaxAtHand =
      (CuteIntTupleSyntax)pick(CUTE_SYNTAX_INT_TUPLE, CUTE_SYNTAX_STRIDE);
  CuteIntTuple tuple = randomTuple(syntaxAtHand, scale);
  REQUIRE_MADE(tuple);
  cuteIntTuplePrint(tuple, appendText, &text);
  checkText(&text, tuple, parseTuple);
  cuteStringDestroy(&text);
}

static void swizzleText(void) {
  CuteString text = {0};
  CuteSwizzle s = {.bits = (int32_t)pick(0, 8), .base = (int32_t)pick(0, 16)};
  s.shift = (s.bits + (int32_t)pick(0, 8)) * (pick(0, 1) ? 1 : -1);
  CuteSwizzle again = {-1, -1, -1};
  cuteSwizzlePrint(s, appendText, &text);
  cuteStringAppendFormat(&inputs, "  text = %s\n", cuteStringGet(&text));
  bool ok = cuteSwizzleParse(context, cuteStringGetRef(&text), &again);
  cuteStringDestroy(&text);
  REQUIRE(ok == cuteSwizzleIsValid(s));
  REQUIRE(!ok || (again.bits == s.bits && again.base == s.base &&
                  again.shift == s.shift));
}

// Values made in another order are the same values.
static void interning(void) {
  CuteIntTuple tuple = randomTuple(CUTE_SYNTAX_COORD, scale);
  size_t n = cuteIntTupleGetRank(tuple);
  CuteIntTuple kids[4];
  for (size_t i = n; i-- > 0;)
    kids[i] = cuteIntTupleGetElement(tuple, i);
  givenTuple("tuple", tuple);
  if (cuteIntTupleGetKind(tuple) == CUTE_TUPLE)
    REQUIRE(cuteIntTupleGetTuple(context, n, kids) == tuple);
  else
    REQUIRE(kids[0] == tuple);
}

int main(void) {
  const Property properties[] = {
      {"text of layouts", layoutText},   {"text of composed", composedText},
      {"text of tiles", tileText},       {"text of int tuples", tupleText},
      {"text of swizzles", swizzleText}, {"interning", interning},
  };
  return runProperties(properties, sizeof properties / sizeof *properties);
}
