// Line indices: every offset is in the line that counting newlines finds.
#include "Support/lines.h"
#include "check.h"

#include <string.h>

static void checkEveryOffset(const char *data, size_t length) {
  CuteLines lines;
  cuteLinesInit(&lines, (CuteStringRef){data, length});
  size_t number = 0, start = 0;
  for (size_t i = 0; i <= length; ++i) {
    assert_int_equal(cuteLinesFind(&lines, i), number);
    assert_int_equal(lines.starts[number], start);
    for (size_t near = 0; near <= lines.count; ++near)
      assert_int_equal(cuteLinesFindNear(&lines, i, near), number);
    if (i < length && data[i] != '\n')
      continue;
    CuteStringRef line = cuteLinesGet(&lines, number);
    assert_int_equal(line.length, i - start);
    assert_memory_equal(line.data, data + start, line.length);
    number += i < length;
    start = i + 1;
  }
  assert_int_equal(lines.count, number + 1);
  assert_int_equal(cuteLinesGet(&lines, number + 1).length, 0);
  cuteLinesDestroy(&lines);
}

static void findsLines(void **state) {
  (void)state;
  static const char *const texts[] = {
      "", "a", "\n", "a\n", "\na", "ab\n\nc", "ab\r\ncd\n\n\n", "one line",
  };
  for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i)
    checkEveryOffset(texts[i], strlen(texts[i]));
  checkEveryOffset("a\0\nb", 4);
}

static void findsLinesOfRandomTexts(void **state) {
  (void)state;
  uint32_t random = 1;
  for (int n = 0; n < 200; ++n) {
    char text[300] = {0};
    size_t length = (size_t)n;
    for (size_t i = 0; i < length; ++i) {
      random = random * 1664525 + 1013904223;
      text[i] = "abc\n"[random >> 30];
    }
    checkEveryOffset(text, length);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(findsLines),
      cmocka_unit_test(findsLinesOfRandomTexts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
