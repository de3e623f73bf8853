// Compares pieces of text.
#pragma once

#include "cute/Support.h"

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

// Takes the prefix off the text; false where it does not begin so.
static inline bool cuteTextTake(CuteStringRef *text, const char *prefix) {
  if (!cuteTextStartsWith(*text, prefix))
    return false;
  text->data += strlen(prefix);
  text->length -= strlen(prefix);
  return true;
}

// Tells whether a word is in a list with commas between words.
static inline bool cuteTextListHas(CuteStringRef list, CuteStringRef word) {
  while (list.length) {
    const char *comma = memchr(list.data, ',', list.length);
    size_t n = comma ? (size_t)(comma - list.data) : list.length;
    if (cuteTextIsSame((CuteStringRef){list.data, n}, word))
      return true;
    n += comma != NULL;
    list = (CuteStringRef){list.data + n, list.length - n};
  }
  return false;
}

// Tells whether a word is among those of a list with spaces between them.
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
