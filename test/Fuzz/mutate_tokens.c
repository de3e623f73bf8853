// Mutations of assembly by tokens, every other time in place of libFuzzer's
// by bytes: more of what comes out is read to its end.
#include "cute/Support.h"
#include "fuzz.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

enum { MAX_TOKENS = 1024, LONGEST = 1 << 16 };

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t maxSize);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t maxSize,
                               unsigned seed);

static uint32_t next(uint32_t *state, uint32_t limit) {
  *state = *state * 1664525 + 1013904223;
  return (*state >> 8) % limit;
}

static bool isWord(uint8_t c) { return isalnum(c) || c == '_' || c == '.'; }

// Words and single characters, inside strings as well.
static size_t split(const uint8_t *data, size_t size, CuteStringRef *tokens) {
  size_t n = 0;
  for (size_t i = 0; i < size && n < MAX_TOKENS; ++i) {
    size_t start = i;
    while (i + 1 < size && isWord(data[i]) && isWord(data[i + 1]))
      ++i;
    if (!isspace(data[i]))
      tokens[n++] = (CuteStringRef){(const char *)data + start, i + 1 - start};
  }
  return n;
}

static size_t place(uint8_t *to, size_t at, const void *from, size_t n) {
  if (at + n <= LONGEST)
    memcpy(to + at, from, n);
  return at + n;
}

// Text with what is between two places replaced; 0 if it becomes too long.
static size_t replace(uint8_t *data, size_t size, size_t maxSize,
                      const char *from, const char *to, CuteStringRef by) {
  static uint8_t result[LONGEST];
  const char *start = (const char *)data, *end = start + size;
  size_t n = place(result, 0, start, (size_t)(from - start));
  n = place(result, n, by.data, by.length);
  n = place(result, n, to, (size_t)(end - to));
  if (n > maxSize || n > LONGEST)
    return 0;
  memcpy(data, result, n);
  return n;
}

static CuteStringRef inventToken(uint32_t *state) {
  static const char *const words[] = {"?",
                                      "_",
                                      "0",
                                      "1",
                                      "4",
                                      "(2,3)",
                                      "()",
                                      "?{i64}",
                                      "?{i64 div=8}",
                                      "9223372036854775807",
                                      "-1",
                                      "i64",
                                      "i32",
                                      "2147483648",
                                      "4:1",
                                      "1@0",
                                      "%a",
                                      "S<2,3,3> o 0 o "};
  const char *word = words[next(state, sizeof words / sizeof *words)];
  return (CuteStringRef){word, strlen(word)};
}

// A run of tokens goes, is replaced by one from elsewhere, or comes twice.
static size_t mutate(uint8_t *data, size_t size, size_t maxSize,
                     uint32_t *state) {
  static CuteStringRef tokens[MAX_TOKENS];
  uint32_t n = (uint32_t)split(data, size, tokens);
  if (!n)
    return 0;
  CuteStringRef a = tokens[next(state, n)], b = tokens[next(state, n)];
  const char *end = a.data + a.length;
  switch (next(state, 5)) {
  case 0:
    return replace(data, size, maxSize, a.data, end, b);
  case 1:
    return replace(data, size, maxSize, a.data, end, inventToken(state));
  case 2:
    return replace(data, size, maxSize, a.data, a.data, b);
  case 3:
    return replace(data, size, maxSize, a.data, end, (CuteStringRef){"", 0});
  default: {
    const char *from = a.data < b.data ? a.data : b.data;
    const char *to = a.data < b.data ? b.data + b.length : end;
    CuteStringRef run = {from, (size_t)(to - from)};
    const char *at = tokens[next(state, n)].data;
    return run.length < 300 ? replace(data, size, maxSize, at, at, run) : 0;
  }
  }
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t maxSize,
                               unsigned seed) {
  uint32_t state = seed;
  size_t mutated = next(&state, 3) ? mutate(data, size, maxSize, &state) : 0;
  return mutated ? mutated : LLVMFuzzerMutate(data, size, maxSize);
}
