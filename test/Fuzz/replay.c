// Runs a fuzz target on a corpus: a file with one input in each line, in which
// \n, \\ and \xHH stand for bytes. corpus.py writes such files.
#include "fuzz.h"

#include <string.h>

// Replaces escapes in place; returns the new length.
static size_t unescape(char *text) {
  char *to = text;
  for (const char *from = text; *from; ++from) {
    unsigned byte;
    if (*from != '\\') {
      *to++ = *from;
    } else if (from[1] == 'x' && sscanf(from + 2, "%2x", &byte) == 1) {
      *to++ = (char)byte;
      from += 3;
    } else {
      *to++ = from[1] == 'n' ? '\n' : '\\';
      ++from;
    }
  }
  return (size_t)(to - text);
}

// A copy of the exact size, so that reading past its end is seen.
static void runInput(const char *text, size_t length) {
  uint8_t *copy = malloc(length ? length : 1);
  CHECK(copy);
  memcpy(copy, text, length);
  LLVMFuzzerTestOneInput(copy, length);
  free(copy);
}

int main(int argc, char **argv) {
  FILE *file = argc == 2 ? fopen(argv[1], "r") : NULL;
  if (!file)
    return fprintf(stderr, "usage: %s CORPUS\n", argv[0]), 2;
  char *line = NULL;
  size_t capacity = 0, count = 0;
  for (ssize_t n; (n = getline(&line, &capacity, file)) > 0; ++count) {
    line[n - 1] = '\0';
    runInput(line, unescape(line));
  }
  free(line);
  fclose(file);
  printf("%zu inputs\n", count);
  return count ? 0 : 1;
}
