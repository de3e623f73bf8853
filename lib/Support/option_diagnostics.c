// The options --diagnostics and --werror of all tools.
#include "Support/command_line.h"
#include "Support/diagnostic_format.h"

static const char *const formats[] = {"text", "json", "sarif", "github"};

static CuteStatus takeFormat(CUTE_UNUSED void *options, const char *value) {
  for (size_t i = 0; i < sizeof formats / sizeof *formats; ++i)
    if (!strcmp(value, formats[i])) {
      cuteDiagnosticSetFormat((CuteDiagnosticFormat)i);
      return NULL;
    }
  return cuteStatusCreate("unknown format '--diagnostics=%s'; known: text "
                          "(default), json, sarif, github",
                          value);
}

static CuteStatus takeStrict(CUTE_UNUSED void *options,
                             CUTE_UNUSED const char *value) {
  cuteDiagnosticSetStrict();
  return NULL;
}

const CuteOption cuteDiagnosticOptions[CUTE_NUM_DIAGNOSTIC_OPTIONS] = {
    {"--diagnostics", .kind = CUTE_OPTION_VALUE, .value = "FORMAT",
     .words = "text json sarif github", .take = takeFormat,
     .needs = "a format, as in --diagnostics=json",
     .help = "write diagnostics to standard error as text (default), as json, "
             "as sarif 2.1.0, or as GitHub Actions annotations"},
    {"--werror", .take = takeStrict,
     .help = "report warnings as errors, and fail"},
};
