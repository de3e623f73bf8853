// Reads JSON (RFC 8259): what jansson's archive has for it refers to stdin in a
// way that no shared library may.
#include "Server/lsp.h"

#include <stdlib.h>

enum { MAX_DEPTH = 512 };

typedef struct Reader {
  const char *at; // of a text that a NUL ends
  unsigned depth;
} Reader;

static char peek(Reader *reader) {
  reader->at += strspn(reader->at, " \t\r\n");
  return *reader->at;
}

static bool take(Reader *reader, char c) {
  bool is = peek(reader) == c;
  reader->at += is;
  return is;
}

//===-- Strings -----------------------------------------------------------===//

static void appendCodePoint(CuteString *text, uint32_t c) {
  static const unsigned char heads[] = {0, 0xC0, 0xE0, 0xF0};
  int more = c < 0x80 ? 0 : c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
  cuteStringAppendChar(text, (char)(heads[more] | c >> 6 * more));
  while (more--)
    cuteStringAppendChar(text, (char)(0x80 | (c >> 6 * more & 0x3F)));
}

// Takes the four digits of \u; UINT32_MAX if they are none.
static uint32_t takeUnit(Reader *reader) {
  uint32_t unit = 0;
  for (int i = 0; i < 4; ++i, ++reader->at) {
    char c = *reader->at;
    bool isLetter = (c | 32) >= 'a' && (c | 32) <= 'f';
    if (!isLetter && (c < '0' || c > '9'))
      return UINT32_MAX;
    unit = unit << 4 | (uint32_t)(isLetter ? (c | 32) - 'a' + 10 : c - '0');
  }
  return unit;
}

// Takes \uXXXX after the u; halves of a pair that stand alone are U+FFFD.
static bool takeUnicode(Reader *reader, CuteString *text) {
  uint32_t c = takeUnit(reader);
  if (c == UINT32_MAX)
    return false;
  if (c >= 0xD800 && c < 0xDC00 && !strncmp(reader->at, "\\u", 2)) {
    Reader ahead = {reader->at + 2, 0};
    uint32_t low = takeUnit(&ahead);
    if (low >= 0xDC00 && low < 0xE000) {
      reader->at = ahead.at;
      c = 0x10000 + ((c - 0xD800) << 10) + (low - 0xDC00);
    }
  }
  appendCodePoint(text, c >= 0xD800 && c < 0xE000 ? 0xFFFD : c);
  return true;
}

static bool takeEscape(Reader *reader, CuteString *text) {
  static const char names[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
  char c = *reader->at;
  if (!c)
    return false;
  ++reader->at;
  if (c == 'u')
    return takeUnicode(reader, text);
  const char *name = strchr(names, c);
  if (name)
    cuteStringAppendChar(text, values[name - names]);
  return name;
}

static bool takeString(Reader *reader, CuteString *text) {
  if (!take(reader, '"'))
    return false;
  while (*reader->at && *reader->at != '"') {
    char c = *reader->at++;
    if (c != '\\')
      cuteStringAppendChar(text, c);
    else if (!takeEscape(reader, text))
      return false;
  }
  return *reader->at++ == '"';
}

//===-- Values ------------------------------------------------------------===//

static json_t *takeValue(Reader *reader);

static json_t *takeText(Reader *reader) {
  CUTE_SCOPED(String) text = {0};
  return takeString(reader, &text)
             ? json_stringn(cuteStringGet(&text), text.length)
             : NULL;
}

static json_t *takeNumber(Reader *reader) {
  size_t n = strspn(reader->at, "+-.0123456789eE");
  bool isReal = strcspn(reader->at, ".eE") < n;
  const char *at = reader->at;
  reader->at += n;
  return !n       ? NULL
         : isReal ? json_real(strtod(at, NULL))
                  : json_integer(strtoll(at, NULL, 10));
}

// Takes a member into an object, or an element into an array.
static bool takeInto(Reader *reader, json_t *whole) {
  CUTE_SCOPED(String) key = {0};
  bool ok =
      json_is_array(whole) ||
      (peek(reader) == '"' && takeString(reader, &key) && take(reader, ':'));
  json_t *value = ok ? takeValue(reader) : NULL;
  ok = value && !(json_is_array(whole)
                      ? json_array_append_new(whole, value)
                      : json_object_set_new(whole, cuteStringGet(&key), value));
  return ok;
}

static json_t *takeWhole(Reader *reader, json_t *whole, char end) {
  ++reader->at;
  bool ok = ++reader->depth <= MAX_DEPTH, isFirst = true;
  while (ok && !take(reader, end)) {
    ok = (isFirst || take(reader, ',')) && takeInto(reader, whole);
    isFirst = false;
  }
  --reader->depth;
  if (ok)
    return whole;
  json_decref(whole);
  return NULL;
}

static bool takeWord(Reader *reader, const char *word) {
  size_t n = strlen(word);
  bool is = !strncmp(reader->at, word, n);
  reader->at += is ? n : 0;
  return is;
}

static json_t *takeValue(Reader *reader) {
  switch (peek(reader)) {
  case '{':
    return takeWhole(reader, json_object(), '}');
  case '[':
    return takeWhole(reader, json_array(), ']');
  case '"':
    return takeText(reader);
  default:
    return takeWord(reader, "null")    ? json_null()
           : takeWord(reader, "true")  ? json_true()
           : takeWord(reader, "false") ? json_false()
                                       : takeNumber(reader);
  }
}

json_t *cuteLspReadJson(const char *text) {
  Reader reader = {text, 0};
  json_t *value = takeValue(&reader);
  if (!value || !peek(&reader))
    return value;
  json_decref(value);
  return NULL;
}
