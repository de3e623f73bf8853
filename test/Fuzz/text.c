// What a parser accepts prints as a text that gives the same value again.
#include "cute/Layout.h"
#include "fuzz.h"

#include "Support/string_builder.h"

static void append(CuteStringRef piece, void *text) {
  cuteStringAppendBytes(text, piece.data, piece.length);
}

static void checkTuple(CuteContext c, CuteStringRef input,
                       CuteIntTupleSyntax syntax) {
  CuteIntTuple tuple = cuteIntTupleParse(c, input, syntax);
  CuteString text = {0};
  if (tuple) {
    cuteIntTuplePrint(tuple, append, &text);
    CHECK(cuteIntTupleParse(c, cuteStringGetRef(&text), syntax) == tuple);
  } else {
    CHECK(*cuteContextGetError(c));
  }
  cuteStringDestroy(&text);
}

typedef CuteLayout ParseLayout(CuteContext c, CuteStringRef text);

static void checkLayout(CuteContext c, CuteStringRef input,
                        ParseLayout *parse) {
  CuteLayout layout = parse(c, input);
  CuteString text = {0};
  if (layout) {
    cuteLayoutPrint(layout, append, &text);
    CHECK(parse(c, cuteStringGetRef(&text)) == layout);
  } else {
    CHECK(*cuteContextGetError(c));
  }
  cuteStringDestroy(&text);
}

static void checkTile(CuteContext c, CuteStringRef input) {
  CuteTile tile = cuteTileParse(c, input);
  CuteString text = {0};
  if (tile) {
    cuteTilePrint(tile, append, &text);
    CHECK(cuteTileParse(c, cuteStringGetRef(&text)) == tile);
  } else {
    CHECK(*cuteContextGetError(c));
  }
  cuteStringDestroy(&text);
}

static void checkSwizzle(CuteContext c, CuteStringRef input) {
  CuteSwizzle first, second;
  CuteString text = {0};
  if (cuteSwizzleParse(c, input, &first)) {
    cuteSwizzlePrint(first, append, &text);
    CHECK(cuteSwizzleParse(c, cuteStringGetRef(&text), &second));
    CHECK(first.bits == second.bits && first.base == second.base &&
          first.shift == second.shift);
  } else {
    CHECK(*cuteContextGetError(c));
  }
  cuteStringDestroy(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  CuteStringRef input = {(const char *)data, size};
  CuteContext c = cuteContextCreate();
  for (int i = CUTE_SYNTAX_INT_TUPLE; i <= CUTE_SYNTAX_STRIDE; ++i)
    checkTuple(c, input, (CuteIntTupleSyntax)i);
  checkLayout(c, input, cuteLayoutParse);
  checkLayout(c, input, cuteComposedLayoutParse);
  checkTile(c, input);
  checkSwizzle(c, input);
  cuteContextDestroy(c);
  return 0;
}
