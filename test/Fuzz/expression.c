// A program of the calculator gives a value, whose text gives the value again
// where it is an int tuple or a layout, or a message with a place in the text.
#include "Calculator/language/calculator.h"
#include "fuzz.h"

// Longer texts take the same ways, for seconds.
enum { LONGEST_TEXT = 1 << 14 };

static void checkAgain(CuteContext c, CuteValue value) {
  CuteString text = {0};
  cuteAppendValue(&text, value);
  CHECK(text.length);
  size_t at;
  CuteCalculator *calculator = cuteCalculatorCreate(c);
  bool isText =
      value.kind == CUTE_VALUE_TUPLE || value.kind == CUTE_VALUE_LAYOUT;
  if (isText && text.length < LONGEST_TEXT) {
    CuteValue again =
        cuteCalculatorEvaluate(calculator, cuteStringGetRef(&text), &at);
    CHECK(again.kind == value.kind && again.tuple == value.tuple &&
          again.layout == value.layout);
  }
  cuteCalculatorDestroy(calculator);
  cuteStringDestroy(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  CuteStringRef input = {(const char *)data, size};
  CuteContext c = cuteContextCreate();
  CuteCalculator *calculator = cuteCalculatorCreate(c);
  size_t at = 0;
  CuteValue value = cuteCalculatorEvaluate(calculator, input, &at);
  CHECK(at <= size);
  if (cuteValueFailed(value))
    CHECK(*cuteContextGetError(c));
  else
    checkAgain(c, value);
  cuteCalculatorDestroy(calculator);
  cuteContextDestroy(c);
  return 0;
}
