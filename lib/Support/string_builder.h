// Text that grows. The buffer is always terminated by a NUL that `length` does
// not count.
#pragma once

#include "Support/scoped.h"
#include "cute/Support.h"

#include <stdarg.h>
#include <stdio.h>

typedef struct CuteString {
  char *data; // null while empty and never written
  size_t length, capacity;
} CuteString;

// The length and the characters of a CuteStringRef or MlirStringRef, which %.*s
// prints.
#define CUTE_TEXT(ref) (int)(ref).length, (ref).data

void cuteStringDestroy(CuteString *string);
void cuteStringClear(CuteString *string);

void cuteStringAppendChar(CuteString *string, char c);
void cuteStringAppendBytes(CuteString *string, const char *data, size_t length);
void cuteStringAppend(CuteString *string, const char *text);
// The same as a CuteStringCallback.
void cuteStringAppendPiece(CuteStringRef piece, void *string);
void cuteStringAppendInt(CuteString *string, int64_t value);
void cuteStringAppendFormat(CuteString *string, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void cuteStringAppendFormatV(CuteString *string, const char *format,
                             va_list args)
    __attribute__((format(printf, 2, 0)));

// Appends a space and a word as a shell takes it, in quotes if it needs them.
void cuteStringAppendWord(CuteString *string, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

// Appends the arguments of the function at hand, whose last parameters are a
// format and `...`.
#define CUTE_APPEND_ARGUMENTS(string, format)                                  \
  do {                                                                         \
    va_list cuteArguments;                                                     \
    va_start(cuteArguments, format);                                           \
    cuteStringAppendFormatV(string, format, cuteArguments);                    \
    va_end(cuteArguments);                                                     \
  } while (0)

// The text, "" while nothing was written. Valid until the next append.
const char *cuteStringGet(const CuteString *string);
CuteStringRef cuteStringGetRef(const CuteString *string);

// Gives as much of the text as fits into `most` bytes without a UTF-8 sequence
// that is cut off.
CuteStringRef cuteStringRefGetStart(CuteStringRef text, size_t most);
