// Bad text is an error with a message, however long or deep it is.
#include "algebra_test_util.h"

static const char *coordAgain(const char *text) {
  return tupleText(
      cuteIntTupleParse(context, cuteStringRef(text), CUTE_SYNTAX_COORD));
}

static const char *layoutAgain(const char *text) {
  return layoutText(cuteLayoutParse(context, cuteStringRef(text)));
}

static const char *const badTuples[] = {
    "",
    " ",
    "(",
    ")",
    "(1",
    "1)",
    "(1,2",
    "(1,,2)",
    "(,1)",
    "(,)",
    "(1 2)",
    "1,2",
    "(1)(2)",
    "[1]",
    "+5",
    "0x10",
    "1.5",
    "1e3",
    "--5",
    "- 5",
    "-",
    "-?",
    "-_",
    "?{",
    "?{i128}",
    "?{i7}",
    "?{div}",
    "?{div=}",
    "?{div=x}",
    "?{div=0}",
    "?{div=-4}",
    "?{i64",
    "?{i64,i32}",
    "?{div=2147483649}",
    "?{i64i32}",
    "??",
    "? ?",
    "__",
    "_1",
    "xx",
    "x1",
    "a",
    "()1",
    "(1;2)",
    "\"1\"",
    "9223372036854775808",
    "-9223372036854775809",
    "99999999999999999999999999999999999999",
    "?{div=99999999999999999999}",
    "(((((((((1))))))))))",
};

static const char *const badStrides[] = {
    "@0",
    "4@",
    "4@?",
    "4@_",
    "_@0",
    "_",
    "(1)@0",
    "4@@0",
    "(1,1@0)",
    "(?,1@0)",
    "(1@0,1@0@0)",
    "(1@0@0,1@0)",
    "1/2@0",
    "4/2",
    "4@9223372036854775807",
    "4@9223372036854775808",
    "4@1048576",
    "(1@0@0,1@1,1@0)",
    "(1@1048575@0,1@1048575@1)",
};

static const char *const badLayouts[] = {
    "",
    ":",
    ":4",
    "4:",
    "4:1:2",
    "(4,5):1",
    "4:(1)",
    "(4,0)",
    "(4,-1):(1,4)",
    "_",
    "4:_",
    "x",
    "4:x",
    "4:1 5",
    "4:1,",
    "[4:1]",
    "4@0",
    "4:1@0@",
    "4 1",
    "(4:1)",
    "(4,(5,6)):(1,2)",
    "(4611686018427387904,4)",
};

static const char *const badComposed[] = {
    "(8,8):(8,1)",
    "S<2,1,3>",
    "S<2,1,3> o",
    "S<2,1,3> o 0",
    "S<2,1,3> o 0 o",
    "S<2,1,3> o 0 o 8:1 o",
    "S<0,4,3> o 0 o 8:1",
    "S<3,4,3> o 0 o 0:1",
    "s<2,1,3> o 0 o 8:1",
    "S<3,4,3> o (0) o 8:1",
    "S<3,4,3> o 0 o (2,3):(1@0,1@1)",
    "20:1 o (1,2) o (2,3):(1@0,1@1)",
    "(4,5):(1,4) o 3 o (2,3):(1@0,1@1)",
    "(4,5):(1,4) o 0 o 6:1@0",
    "S<2,1,3> o _ o 8:1",
    "S<2,1,3> o x o 8:1",
    "S<2,1,3> o 0 o S<2,1,3>",
    "S<2,1,1> o 0 o 8:1",
    "o 0 o 8:1",
    "",
};

static const char *const badTiles[] = {
    "",        "[",      "]",     "[4",    "4]",
    "[;4]",    "[4;;5]", "[4,5]", "(4:1)", "[4:_]",
    "[4;5",    "[[4;5]", "[4]]",  "[_:1]", "[(2,3):(1,1@1)]",
    "[4:1@?]", "_ _",
};

static const char *const badSwizzles[] = {
    "",
    "S",
    "S<",
    "S<1>",
    "S<1,2>",
    "S<1,2,3",
    "S<1,2,3,4>",
    "S<1,2,3>>",
    "S<-1,0,3>",
    "S<1,-1,3>",
    "S<3,0,2>",
    "S<1,31,1>",
    "S<1,?,3>",
    "S<,,>",
    "S<65,0,65>",
    "S<9223372036854775807,0,0>",
    "S<99999999999999999999,0,0>",
    "s<1,2,3>",
    "S(1,2,3)",
    "S<1 2 3>",
    "T<1,2,3>",
    "S<1,2147483647,-2147483648>",
};

static bool parsesStride(const char *text) {
  return cuteIntTupleParse(context, cuteStringRef(text), CUTE_SYNTAX_STRIDE);
}

static bool parsesLayout(const char *text) {
  return cuteLayoutParse(context, cuteStringRef(text));
}

static bool parsesComposed(const char *text) {
  return cuteComposedLayoutParse(context, cuteStringRef(text));
}

static bool parsesTile(const char *text) {
  return cuteTileParse(context, cuteStringRef(text));
}

static bool parsesSwizzle(const char *text) {
  CuteSwizzle s;
  return cuteSwizzleParse(context, cuteStringRef(text), &s);
}

static void checkRejected(bool (*parses)(const char *), const char *text) {
  forgetError();
  char before[200];
  snprintf(before, sizeof before, "%s", cuteContextGetError(context));
  if (parses(text))
    fail_msg("accepted: %.60s", text);
  if (!strcmp(cuteContextGetError(context), before))
    fail_msg("no message for: %.60s", text);
}

static bool parsesAsAnyTuple(const char *text) {
  for (int s = CUTE_SYNTAX_INT_TUPLE; s <= CUTE_SYNTAX_STRIDE; ++s)
    if (cuteIntTupleParse(context, cuteStringRef(text), (CuteIntTupleSyntax)s))
      return true;
  return false;
}

#define CHECK_REJECTED(parses, texts)                                          \
  for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i)                    \
  checkRejected(parses, texts[i])

static void badText(void **state) {
  (void)state;
  CHECK_REJECTED(parsesAsAnyTuple, badTuples);
  CHECK_REJECTED(parsesStride, badStrides);
  CHECK_REJECTED(parsesLayout, badLayouts);
  CHECK_REJECTED(parsesComposed, badComposed);
  CHECK_REJECTED(parsesTile, badTiles);
  CHECK_REJECTED(parsesSwizzle, badSwizzles);
}

// `_` is for coordinates, `@` for strides.
static void leavesBelongToTheirKind(void **state) {
  (void)state;
  for (int s = CUTE_SYNTAX_INT_TUPLE; s <= CUTE_SYNTAX_STRIDE; ++s) {
    CuteIntTupleSyntax syntax = (CuteIntTupleSyntax)s;
    assert_int_equal(cuteIntTupleParse(context, cuteStringRef("(_)"), syntax) !=
                         NULL,
                     syntax == CUTE_SYNTAX_COORD);
    assert_int_equal(cuteIntTupleParse(context, cuteStringRef("4@0"), syntax) !=
                         NULL,
                     syntax == CUTE_SYNTAX_STRIDE);
    assert_non_null(cuteIntTupleParse(context, cuteStringRef("(x,?)"), syntax));
  }
}

static void messagesSayWhere(void **state) {
  (void)state;
  assert_string_equal(coordAgain("(1,2"),
                      "expected ',' or ')' at the end of the text");
  assert_string_equal(coordAgain("(1;2)"),
                      "expected ',' or ')' at column 3, found ';2)'");
  assert_string_equal(layoutAgain("4:1 5"),
                      "expected the end of the text at column 5, found '5'");
  assert_string_equal(coordAgain("9223372036854775808"),
                      "'9223372036854775808' does not fit 64 bits");
}

// The text need not end in a NUL, and a NUL in it is no end.
static void textHasALength(void **state) {
  (void)state;
  CuteIntTuple five =
      cuteIntTupleParse(context, (CuteStringRef){"56", 1}, CUTE_SYNTAX_COORD);
  assert_ptr_equal(five, integer(5));
  assertFails(cuteIntTupleParse(context, (CuteStringRef){"5\0006", 3},
                                CUTE_SYNTAX_COORD),
              "expected the end of the text at column 2");
  assertFails(
      cuteIntTupleParse(context, (CuteStringRef){"(5)", 2}, CUTE_SYNTAX_COORD),
      "at the end of the text");
}

static char *repeated(const char *unit, size_t n, const char *rest) {
  size_t length = strlen(unit);
  char *text = malloc(length * n + strlen(rest) + 1);
  for (size_t i = 0; i < n; ++i)
    memcpy(text + i * length, unit, length);
  strcpy(text + n * length, rest);
  return text;
}

static void deepText(void **state) {
  (void)state;
  static const struct {
    const char *unit, *rest;
    bool (*parses)(const char *);
  } cases[] = {
      {"(", "1", parsesAsAnyTuple},
      {"((),", "", parsesAsAnyTuple},
      {"(", "", parsesLayout},
      {"[", "", parsesTile},
      {"4:", "", parsesLayout},
      {"1@", "0", parsesStride},
      {"9", "", parsesAsAnyTuple},
      {"-", "1", parsesAsAnyTuple},
      {"1@0@0", "", parsesStride},
      {"1@1", "@0", parsesStride},
      {"S<1,0,1> o 0 o ", "8:1", parsesComposed},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    char *text = repeated(cases[i].unit, 100000, cases[i].rest);
    checkRejected(cases[i].parses, text);
    free(text);
  }
  char *deepest = repeated("(", CUTE_MAX_DEPTH, "");
  char *closed = repeated(")", CUTE_MAX_DEPTH, "");
  char both[2 * CUTE_MAX_DEPTH + 4];
  snprintf(both, sizeof both, "%s%s", deepest, closed);
  assert_non_null(tuple(both));
  snprintf(both, sizeof both, "(%s%s)", deepest, closed);
  checkRejected(parsesAsAnyTuple, both);
  free(deepest);
  free(closed);
}

// Thousands of modes are no problem.
static void wideText(void **state) {
  (void)state;
  size_t n = 20000;
  char *text = repeated("1,", n, ")");
  text[0] = '('; // "(" for the first "1"
  text[1] = ' ';
  CuteLayout wide = cuteLayoutParse(context, cuteStringRef(text));
  assert_non_null(wide);
  assert_int_equal(cuteLayoutGetRank(wide), n - 1);
  assertLayout(cuteLayoutCoalesce(context, wide, NULL), "1:0");
  free(text);
  text = repeated("(1),", 5000, ")");
  memcpy(text, "(   ", 4);
  CuteIntTuple nested = tuple(text);
  assert_int_equal(cuteIntTupleGetRank(nested), 4999);
  free(text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(badText),
      cmocka_unit_test(leavesBelongToTheirKind),
      cmocka_unit_test(messagesSayWhere),
      cmocka_unit_test(textHasALength),
      cmocka_unit_test(deepText),
      cmocka_unit_test(wideText),
  };
  return RUN_TESTS(tests);
}
