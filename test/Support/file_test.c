// Whole files: what is read, and what is none.
#include "Support/file.h"
#include "check_status.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void readsRegularFiles(void **state) {
  (void)state;
  char path[] = "/tmp/cute-file-XXXXXX";
  int file = mkstemp(path);
  CuteString text;
  assert_true(file >= 0);
  for (int i = 0; i < 5000; ++i)
    assert_int_equal(write(file, "seven\n", 7), 7);
  close(file);
  assertSucceeds(cuteFileRead(path, 35000, &text));
  assert_int_equal(text.length, 35000);
  assert_memory_equal(text.data + 34993, "seven\n", 7);
  cuteStringDestroy(&text);
  assertFails(cuteFileRead(path, 34999, &text),
              "has 35000 bytes; at most 34999 are read");
  assert_int_equal(text.length, 0);
  unlink(path);
}

static void rejectsOthers(void **state) {
  (void)state;
  CuteString text;
  assertFails(cuteFileRead("/tmp", 10, &text), "'/tmp' is no regular file");
  assertFails(cuteFileRead("/dev/zero", 10, &text), "is no regular file");
  assertFails(cuteFileRead("/dev/stdin/x", 10, &text), "cannot open");
  assertFails(cuteFileRead("/nowhere", 10, &text),
              "cannot open '/nowhere': No such file or directory");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(readsRegularFiles),
      cmocka_unit_test(rejectsOthers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
