// Compares pieces of text.
#pragma once

#include "cute/Support.h"

// Letters, digits and "_".
#define CUTE_LETTERS                                                           \
  "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"

static inline bool isDigit(char c) { return c >= '0' && c <= '9'; }
static inline bool isLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static inline bool cuteTextEquals(CuteStringRef text, const char *word) {
  return strlen(word) == text.length && !memcmp(word, text.data, text.length);
}

static inline bool cuteTextIsSame(CuteStringRef a, CuteStringRef b) {
  return a.length == b.length &&
         (!a.length || !memcmp(a.data, b.data, a.length));
}

static inline bool cuteTextStartsWith(CuteStringRef text, const char *prefix) {
  size_t n = strlen(prefix);
  return text.length >= n && !memcmp(text.data, prefix, n);
}

static inline bool cuteTextHas(CuteStringRef text, CuteStringRef part) {
  for (size_t i = 0; i + part.length <= text.length; ++i)
    if (!part.length || (text.data[i] == *part.data &&
                         !memcmp(text.data + i, part.data, part.length)))
      return true;
  return false;
}

// Takes the prefix off the text; false where it does not begin so.
static inline bool cuteTextTake(CuteStringRef *text, const char *prefix) {
  if (!cuteTextStartsWith(*text, prefix))
    return false;
  text->data += strlen(prefix);
  text->length -= strlen(prefix);
  return true;
}

// Takes the part before a separator, or all, off the text, and the separator.
static inline CuteStringRef cuteTextTakePart(CuteStringRef *text, char end) {
  const char *at = text->length ? memchr(text->data, end, text->length) : NULL;
  size_t n = at ? (size_t)(at - text->data) : text->length;
  CuteStringRef part = {text->data, n};
  n += at != NULL;
  *text = (CuteStringRef){text->data + n, text->length - n};
  return part;
}

// Takes an integer of digits alone; false for other words, and large ones.
static inline bool cuteTextGetInteger(CuteStringRef word, int64_t *value) {
  *value = 0;
  for (size_t i = 0; i < word.length; ++i)
    if (word.data[i] < '0' || word.data[i] > '9' ||
        __builtin_mul_overflow(*value, 10, value) ||
        __builtin_add_overflow(*value, word.data[i] - '0', value))
      return false;
  return word.length;
}

// Tells whether a word is in a list with commas between words.
static inline bool cuteTextListHas(CuteStringRef list, CuteStringRef word) {
  while (list.length)
    if (cuteTextIsSame(cuteTextTakePart(&list, ','), word))
      return true;
  return false;
}

// Tells whether a space-separated list has the word.
static inline bool cuteTextHasWord(CuteStringRef list, CuteStringRef word) {
  for (size_t i = 0; i + word.length <= list.length; ++i) {
    size_t end = i + word.length;
    if (!memcmp(list.data + i, word.data, word.length) &&
        (i == 0 || list.data[i - 1] == ' ') &&
        (end == list.length || list.data[end] == ' '))
      return true;
  }
  return false;
}
