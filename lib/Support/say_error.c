#define _GNU_SOURCE // program_invocation_short_name
#include "Support/say_error.h"
#include "Support/diagnostic_format.h"
#include "Support/terminal.h"

#include <errno.h>

static bool say(FILE *stream, const char *format, va_list arguments) {
  CUTE_SCOPED(String) message = {0};
  cuteStringAppendFormatV(&message, format, arguments);
  const char *text = cuteStringGet(&message);
  if (stream != stderr || !cuteDiagnosticTakeError(text))
    fprintf(stream, "%s: %serror:%s %s\n", program_invocation_short_name,
            cuteTerminalBegin(stream, "error"), cuteTerminalEnd(stream), text);
  return false;
}

bool cuteSayError(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  say(stderr, format, arguments);
  va_end(arguments);
  return false;
}

bool cuteSayErrorOn(FILE *stream, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  say(stream, format, arguments);
  va_end(arguments);
  return false;
}
