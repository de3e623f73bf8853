
#include "Support/arena.h"
#include "Support/text.h"

void cuteStringDestroy(CuteString *string) {
  free(string->data);
  *string = (CuteString){0};
}

void cuteStringClear(CuteString *string) {
  string->length = 0;
  if (string->data)
    string->data[0] = '\0';
}

static void grow(CuteString *string, size_t needed) {
  size_t capacity = string->capacity ? string->capacity * 2 : 64;
  string->capacity = capacity < needed ? needed : capacity;
  string->data = cuteReallocate(string->data, string->capacity);
}

static inline void reserve(CuteString *string, size_t extra) {
  size_t needed = string->length + extra + 1;
  if (needed > string->capacity)
    grow(string, needed);
}

// Copies the first and the last `size` bytes of a piece that these cover.
static inline void copyEnds(char *to, const char *from, size_t length,
                            size_t size) {
  memcpy(to, from, size);
  memcpy(to + length - size, from + length - size, size);
}

// Most pieces are a few bytes, which are copied without a call.
static inline void copyPiece(char *to, const char *from, size_t length) {
  if (length > 16)
    memcpy(to, from, length);
  else if (length >= 8)
    copyEnds(to, from, length, 8);
  else if (length >= 4)
    copyEnds(to, from, length, 4);
  else if (length >= 2)
    copyEnds(to, from, length, 2);
  else if (length)
    *to = *from;
}

void cuteStringAppendChar(CuteString *string, char c) {
  reserve(string, 1);
  string->data[string->length++] = c;
  string->data[string->length] = '\0';
}

void cuteStringAppendBytes(CuteString *string, const char *data,
                           size_t length) {
  reserve(string, length);
  copyPiece(string->data + string->length, data, length);
  string->length += length;
  string->data[string->length] = '\0';
}

void cuteStringAppend(CuteString *string, const char *text) {
  cuteStringAppendBytes(string, text, strlen(text));
}

void cuteStringAppendPiece(CuteStringRef piece, void *string) {
  cuteStringAppendBytes(string, piece.data, piece.length);
}

void cuteStringAppendInt(CuteString *string, int64_t value) {
  char digits[24], *end = digits + sizeof digits, *begin = end;
  uint64_t rest = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
  do {
    *--begin = (char)('0' + rest % 10);
    rest /= 10;
  } while (rest);
  if (value < 0)
    *--begin = '-';
  cuteStringAppendBytes(string, begin, (size_t)(end - begin));
}

void cuteStringAppendFormat(CuteString *string, const char *format, ...) {
  CUTE_APPEND_ARGUMENTS(string, format);
}

void cuteStringAppendFormatV(CuteString *string, const char *format,
                             va_list args) {
  va_list again;
  va_copy(again, args);
  int length = vsnprintf(NULL, 0, format, args);
  if (length > 0) {
    reserve(string, (size_t)length);
    vsnprintf(string->data + string->length, (size_t)length + 1, format, again);
    string->length += (size_t)length;
  }
  va_end(again);
}

void cuteStringAppendWord(CuteString *string, const char *format, ...) {
  static const char plain[] = CUTE_LETTERS "-+=:,./%@";
  CUTE_SCOPED(String) word = {0};
  CUTE_APPEND_ARGUMENTS(&word, format);
  const char *at = cuteStringGet(&word);
  bool isPlain = *at && !at[strspn(at, plain)];
  cuteStringAppend(string, isPlain ? " " : " '");
  for (; *at; ++at)
    if (*at == '\'')
      cuteStringAppend(string, "'\\''");
    else
      cuteStringAppendChar(string, *at);
  cuteStringAppend(string, isPlain ? "" : "'");
}

const char *cuteStringGet(const CuteString *string) {
  return string->data ? string->data : "";
}

CuteStringRef cuteStringGetRef(const CuteString *string) {
  return (CuteStringRef){cuteStringGet(string), string->length};
}

CuteStringRef cuteStringRefGetStart(CuteStringRef text, size_t most) {
  if (text.length <= most)
    return text;
  while (most && ((unsigned char)text.data[most] & 0xc0) == 0x80)
    --most;
  return (CuteStringRef){text.data, most};
}
