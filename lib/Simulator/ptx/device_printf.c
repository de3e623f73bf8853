#include "Simulator/ptx/device_printf.h"
#include "Simulator/ptx/operation_table.h"

typedef struct Arguments {
  const char *data;
  size_t at;
  int32_t count;
} Arguments;

static const void *take(Arguments *arguments, size_t size) {
  arguments->at = (arguments->at + size - 1) / size * size;
  const void *value = arguments->data + arguments->at;
  arguments->at += size;
  ++arguments->count;
  return value;
}

static int64_t takeInteger(Arguments *arguments, bool isLong) {
  int64_t wide = 0;
  int32_t narrow = 0;
  if (isLong)
    memcpy(&wide, take(arguments, sizeof wide), sizeof wide);
  else
    memcpy(&narrow, take(arguments, sizeof narrow), sizeof narrow);
  return isLong ? wide : narrow;
}

// A conversion with flags and width, up to its letter: integers as "ll".
static void append(CuteString *text, CuteStringRef flags, bool isLong,
                   char letter, Arguments *arguments) {
  char format[48];
  bool isFloat = strchr("aAeEfFgG", letter);
  snprintf(format, sizeof format, "%%%.*s%s%c", CUTE_TEXT(flags),
           strchr("diuoxX", letter) ? "ll" : "", letter);
  if (isFloat) {
    double value;
    memcpy(&value, take(arguments, sizeof value), sizeof value);
    cuteStringAppendFormat(text, format, value);
  } else if (letter == 's' || letter == 'p') {
    const char *value;
    memcpy(&value, take(arguments, sizeof value), sizeof value);
    cuteStringAppendFormat(text, format, value ? value : "(null)");
  } else if (letter == 'c') {
    cuteStringAppendFormat(text, format, (int)takeInteger(arguments, false));
  } else {
    int64_t value = takeInteger(arguments, isLong);
    bool isUnsigned = strchr("uoxX", letter);
    cuteStringAppendFormat(text, format,
                           isUnsigned && !isLong ? (long long)(uint32_t)value
                                                 : (long long)value);
  }
}

int32_t cuteSimPrintf(const char *format, const void *data) {
  Arguments arguments = {data, 0, 0};
  CUTE_SCOPED(String) text = {0};
  for (const char *at = format; *at;) {
    if (at[0] != '%' || at[1] == '%') {
      cuteStringAppendChar(&text, *at);
      at += 1 + (at[0] == '%');
      continue;
    }
    size_t flags = strspn(at + 1, "-+ #0123456789.");
    size_t lengths = strspn(at + 1 + flags, "hlzjt");
    const char *end = at + 1 + flags + lengths;
    if (!*end || flags > 16 || !strchr("diuoxXcspaAeEfFgG", *end))
      break;
    append(&text, (CuteStringRef){at + 1, flags},
           memchr(at + 1 + flags, 'l', lengths) ||
               memchr(at + 1 + flags, 'z', lengths),
           *end, &arguments);
    at = end + 1;
  }
  fputs(cuteStringGet(&text), stdout);
  return arguments.count;
}

_Noreturn void cuteSimPrintfAssertFail(const char *message, const char *file,
                                       uint32_t line, const char *function,
                                       size_t charSize) {
  (void)charSize;
  cuteSimFail((CuteSimOp){cuteSimGetThread(), NULL},
              "%s:%u: %s: assertion '%s' failed", file ? file : "", line,
              function ? function : "", message ? message : "");
}

//===-- Calls in PTX ------------------------------------------------------===//

// The value of a .param variable, at whose address it is.
static uint64_t valueAt(uint64_t address, size_t bytes) {
  uint64_t value = 0;
  memcpy(&value, (const void *)(uintptr_t)address, bytes);
  return value;
}

static const char *textAt(uint64_t address) {
  return (const char *)(uintptr_t)valueAt(address, sizeof(uint64_t));
}

// call (result), vprintf, (format, arguments);
void cuteSimCallPrintf(CUTE_UNUSED CuteSimOp op, uint64_t *values) {
  int32_t count = cuteSimPrintf(textAt(values[1]), textAt(values[2]));
  memcpy((void *)(uintptr_t)values[0], &count, sizeof count);
}

// call __assertfail, (message, file, line, function, size);
void cuteSimCallAssertFail(CUTE_UNUSED CuteSimOp op, uint64_t *values) {
  cuteSimPrintfAssertFail(textAt(values[0]), textAt(values[1]),
                          (uint32_t)valueAt(values[2], sizeof(uint32_t)),
                          textAt(values[3]), 1);
}
