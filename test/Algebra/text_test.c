// Text: what is read is printed in one way, and that reads as itself.
#include "algebra_test_util.h"

typedef const char *Reprint(const char *text);

static const char *coordAgain(const char *text) {
  return tupleText(
      cuteIntTupleParse(context, cuteStringRef(text), CUTE_SYNTAX_COORD));
}

static const char *strideAgain(const char *text) {
  return tupleText(
      cuteIntTupleParse(context, cuteStringRef(text), CUTE_SYNTAX_STRIDE));
}

static const char *layoutAgain(const char *text) {
  return layoutText(cuteLayoutParse(context, cuteStringRef(text)));
}

static const char *composedAgain(const char *text) {
  return layoutText(cuteComposedLayoutParse(context, cuteStringRef(text)));
}

static const char *tileAgain(const char *text) {
  return tileText(cuteTileParse(context, cuteStringRef(text)));
}

static const char *swizzleAgain(const char *text) {
  CuteSwizzle s;
  if (!cuteSwizzleParse(context, cuteStringRef(text), &s))
    return cuteContextGetError(context);
  TextBuffer *buffer = nextBuffer();
  cuteSwizzlePrint(s, appendPiece, buffer);
  return buffer->data;
}

static const struct {
  Reprint *again;
  const char *text, *printed;
} cases[] = {
    {coordAgain, " ( 1 , ( 2 , ? { i64 } ) ) ", "(1,(2,?{i64}))"},
    {coordAgain, "\t(\n1\r,\n_ )\n", "(1,_)"},
    {coordAgain, "(1,2,)", "(1,2)"},
    {coordAgain, "((1,),)", "((1))"},
    {coordAgain, "()", "()"},
    {coordAgain, "((),1)", "((),1)"},
    {coordAgain, "-5", "-5"},
    {coordAgain, "007", "7"},
    {coordAgain, "-0", "0"},
    {coordAgain, "000000000000000000000000000001", "1"},
    {coordAgain, "9223372036854775807", "9223372036854775807"},
    {coordAgain, "-9223372036854775808", "-9223372036854775808"},
    {coordAgain, "?{}", "?"},
    {coordAgain, "?{i32}", "?"},
    {coordAgain, "?{i64 i32}", "?"},
    {coordAgain, "?{i32 i64}", "?{i64}"},
    {coordAgain, "? {i64}", "?{i64}"},
    {coordAgain, "(?{i1},?{i8},?{i16})", "(?{i1},?{i8},?{i16})"},
    {coordAgain, "?{div=8}", "?{div=8}"},
    {coordAgain, "?{div=1}", "?"},
    {coordAgain, "?{ div = 8 i64 }", "?{i64 div=8}"},
    {coordAgain, "?{i64 div=4}", "?{i64 div=4}"},
    {coordAgain, "?{div=2147483648}", "?{div=2147483648}"},
    {coordAgain, "(x,1)", "(x,1)"},
    {strideAgain, "4 @ 1 @ 0", "4@1@0"},
    {strideAgain, "(?{i64}@1,0,-3@0)", "(?{i64}@1,0,-3@0)"},
    {strideAgain, "?{div=4}@2", "?{div=4}@2"},
    {strideAgain, "0@0", "0@0"},
    {layoutAgain, "20", "20:1"},
    {layoutAgain, "(20)", "(20):(1)"},
    {layoutAgain, "20:2", "20:2"},
    {layoutAgain, "(20):(2)", "(20):(2)"},
    {layoutAgain, "(4,(2,1),5)", "(4,(2,1),5):(1,(4,0),8)"},
    {layoutAgain, " ( 4 , 5 ) : ( -1 , ? ) ", "(4,5):(-1,?)"},
    {layoutAgain, "1:7", "1:7"},
    {composedAgain, "S<2,1,3>o0o(8,8)", "S<2,1,3> o 0 o (8,8):(1,8)"},
    {composedAgain, " S < 2 , 1 , -3 > o ? o 64 ", "S<2,1,-3> o ? o 64:1"},
    {composedAgain, "(4,5) o (0,?) o (2,3):(1@0,1@1)",
     "(4,5):(1,4) o (0,?) o (2,3):(1@0,1@1)"},
    {composedAgain, "S<3,4,3> o -4 o 8:1", "S<3,4,3> o -4 o 8:1"},
    {tileAgain, "[4;_;(2,3)]", "[4:1;_;(2,3):(1,2)]"},
    {tileAgain, "[4;]", "[4:1]"},
    {tileAgain, " [ [ 4 : 2 ; ] ; _ ] ", "[[4:2];_]"},
    {tileAgain, "[]", "[]"},
    {tileAgain, "_", "_"},
    {tileAgain, "[1]", "[1:0]"},
    {tileAgain, "[0:1]", "[0:1]"},
    {tileAgain, "[(4,5):1]", "[x:x]"},
    {swizzleAgain, " S < 3 , 0 , -3 > ", "S<3,0,-3>"},
    {swizzleAgain, "S<0,0,0>", "S<0,0,0>"},
    {swizzleAgain, "S<0,32,0>", "S<0,32,0>"},
};

static void canonicalForms(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    assert_string_equal(cases[i].again(cases[i].text), cases[i].printed);
    assert_string_equal(cases[i].again(cases[i].printed), cases[i].printed);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(canonicalForms)};
  return RUN_TESTS(tests);
}
