// Rows of test/data/blackwell: lines of fields with tabs between.
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MAX_LINE = 2048, MAX_FIELDS = 8 };

// The fields of the next line; false at the end.
static inline bool next(FILE *file, char *line, const char **fields) {
  if (!fgets(line, MAX_LINE, file))
    return false;
  line[strcspn(line, "\n")] = '\0';
  char *rest = line;
  for (int i = 0; i < MAX_FIELDS; ++i) {
    fields[i] = rest ? rest : "";
    rest = rest ? strchr(rest, '\t') : NULL;
    if (rest)
      *rest++ = '\0';
  }
  return true;
}

static inline FILE *open_data(const char *name) {
  char path[512];
  snprintf(path, sizeof path, "%s/data/blackwell/%s", CUTE_TEST_DIR, name);
  FILE *file = fopen(path, "r");
  assert_non_null(file);
  return file;
}
