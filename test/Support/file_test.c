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
  assertFails(cuteFileRead("/tmp", 10, &text), "'/tmp' is not a regular file");
  assertFails(cuteFileRead("/dev/zero", 10, &text), "is not a regular file");
  assertFails(cuteFileRead("/dev/stdin/x", 10, &text), "cannot open");
  assertFails(cuteFileRead("/nowhere", 10, &text),
              "cannot open '/nowhere': No such file or directory");
}

enum { PAGES = 600 };

// Makes a file of so many pages and some more bytes.
static void writePages(char *path, size_t more) {
  long page = sysconf(_SC_PAGESIZE);
  int file = mkstemp(path);
  assert_true(file >= 0);
  assert_int_equal(ftruncate(file, PAGES * page + (long)more), 0);
  assert_int_equal(pwrite(file, "here", 4, 99 * page), 4);
  close(file);
}

static long residentPages(void) {
  long all, resident = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  assert_non_null(file);
  assert_int_equal(fscanf(file, "%ld %ld", &all, &resident), 2);
  fclose(file);
  return resident;
}

static size_t countBytes(CuteStringRef text) {
  size_t count = 0;
  for (size_t i = 0; i < text.length; ++i)
    count += text.data[i] != '\0';
  return count;
}

// Memory of large files is given back, and comes again with the same text.
static void mapsLargeFiles(void **state) {
  (void)state;
  char path[] = "/tmp/cute-file-XXXXXX";
  writePages(path, 1);
  CuteFileText file;
  assert_true(cuteFileTextOpen(&file, path));
  unlink(path);
  assert_int_equal(file.text.length, PAGES * sysconf(_SC_PAGESIZE) + 1);
  assert_int_equal(countBytes(file.text), 4);
  assert_int_equal(file.text.data[file.text.length], 0);
  long before = residentPages();
  cuteFileTextRest(&file);
  assert_true(residentPages() < before - PAGES / 2);
  assert_memory_equal(file.text.data + 99 * sysconf(_SC_PAGESIZE), "here", 4);
  assert_int_equal(countBytes(file.text), 4);
  cuteFileTextClose(&file);
}

// A mapped file would end without NUL at the end of a page.
static void readsWholePages(void **state) {
  (void)state;
  char path[] = "/tmp/cute-file-XXXXXX";
  writePages(path, 0);
  CuteFileText file;
  assert_true(cuteFileTextOpen(&file, path));
  assert_null(file.mapping);
  cuteFileTextRest(&file);
  assert_int_equal(countBytes(file.text), 4);
  assert_int_equal(file.text.data[file.text.length], 0);
  cuteFileTextClose(&file);
  unlink(path);
  assert_false(cuteFileTextOpen(&file, path));
  cuteFileTextClose(&file);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(readsRegularFiles),
      cmocka_unit_test(rejectsOthers),
      cmocka_unit_test(mapsLargeFiles),
      cmocka_unit_test(readsWholePages),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
