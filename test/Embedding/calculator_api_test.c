// Expressions evaluated and drawn by a program.
#include "embed.h"

static void appendPiece(CuteStringRef piece, void *userData) {
  appendText(mlirStringRefCreate(piece.data, piece.length), userData);
}

static void assertGives(CuteCalculator *calculator, const char *expression,
                        const char *value) {
  Text text = {0};
  assert_true(cuteCalculatorEvaluateText(calculator, cuteStringRef(expression),
                                         NULL, appendPiece, &text));
  assert_string_equal(text.data, value);
  free(text.data);
}

static void evaluates(void **state) {
  (void)state;
  CuteContext c = cuteContextCreate();
  CuteCalculator *calculator = cuteCalculatorCreate(c);
  assertGives(calculator, "let A = (4,8):(8,1); size(A)", "32");
  assertGives(calculator, "A(1,2)", "10");
  assertGives(calculator, "make_layout(make_shape(4,8))", "(4,8):(1,4)");
  size_t at = 99;
  assert_false(cuteCalculatorEvaluateText(calculator, cuteStringRef("size(B)"),
                                          &at, appendPiece, NULL));
  assert_int_equal(at, 5);
  assert_non_null(strstr(cuteContextGetError(c), "'B'"));
  cuteContextSetLawPolicy(c, CUTE_LAWS_WARN);
  assertGives(calculator, "(6,4):(1,10) o 4:4", "(2,2):(4,10)");
  assert_int_equal(cuteContextGetNumWarnings(c), 1);
  cuteCalculatorDestroy(calculator);
  cuteCalculatorDestroy(NULL);
  cuteContextDestroy(c);
}

static void draws(void **state) {
  (void)state;
  static const struct {
    CuteDrawing drawing;
    const char *expression, *part;
  } pictures[] = {
      {{0}, "(2,2):(1,2)", "| 0 | 2 |"},
      {{.format = CUTE_PICTURE_SVG, .bits = 16}, "(8,64):(64,1)", "bank 4"},
      {{.format = CUTE_PICTURE_HTML},
       "SM80_16x8x16_F32F16F16F32_TN",
       "<!DOCTYPE html>"},
      {{.tile = "(2,4)"}, "(4,2):(2,1)", "T3V1"},
  };
  CuteContext c = cuteContextCreate();
  CuteCalculator *calculator = cuteCalculatorCreate(c);
  for (size_t i = 0; i < sizeof pictures / sizeof *pictures; ++i) {
    Text text = {0};
    assert_true(
        cuteCalculatorDraw(calculator, cuteStringRef(pictures[i].expression),
                           pictures[i].drawing, NULL, appendPiece, &text));
    if (!hasText(&text, pictures[i].part))
      fail_msg("no '%s' in %s", pictures[i].part, text.data);
    free(text.data);
  }
  cuteCalculatorDestroy(calculator);
  cuteContextDestroy(c);
}

static void saysWhatCannotBeDrawn(void **state) {
  (void)state;
  static const struct {
    CuteDrawing drawing;
    const char *expression, *message;
  } wrong[] = {
      {{0}, "(4,", "expected"},
      {{0}, "(?,4):(1,4)", "static"},
      {{.format = CUTE_PICTURE_SVG}, "(1024,1024)", "cells"},
      {{.format = (CutePictureFormat)9}, "4:1", "no picture format 9"},
      {{.tile = "(2,"}, "(4,2):(2,1)", "expected"},
      {{.tile = "(2,2)"}, "(4,2):(2,1)", "outside of the tile"},
  };
  CuteContext c = cuteContextCreate();
  CuteCalculator *calculator = cuteCalculatorCreate(c);
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    size_t at;
    assert_false(cuteCalculatorDraw(calculator,
                                    cuteStringRef(wrong[i].expression),
                                    wrong[i].drawing, &at, appendPiece, NULL));
    if (!strstr(cuteContextGetError(c), wrong[i].message))
      fail_msg("%s: %s", wrong[i].expression, cuteContextGetError(c));
  }
  cuteCalculatorDestroy(calculator);
  cuteContextDestroy(c);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(evaluates),
      cmocka_unit_test(draws),
      cmocka_unit_test(saysWhatCannotBeDrawn),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
