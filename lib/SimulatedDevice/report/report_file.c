#include "SimulatedDevice/driver/driver_status.h"
#include "SimulatedDevice/report/report_parts.h"
#include "Support/output_file.h"

static const char *const formats[][2] = {
    {".txt", "text"}, {".json", "json"}, {".html", "html"}};

// Null: none.
static const char *formatOf(const char *path) {
  const char *end = strrchr(path, '.');
  for (size_t i = 0; end && i < sizeof formats / sizeof *formats; ++i)
    if (!strcmp(end, formats[i][0]))
      return formats[i][1];
  return NULL;
}

CuteStatus cuteSimReportFileCheck(const char *path) {
  return formatOf(path) ? NULL
                        : cuteStatusCreate("report is a file that ends in "
                                           ".txt, .json or .html, not '%s'",
                                           path);
}

static void appendPath(CuteString *text, const char *path, const char *kernel) {
  for (const char *mark; (mark = strstr(path, "%k")); path = mark + 2) {
    cuteStringAppendBytes(text, path, (size_t)(mark - path));
    cuteStringAppend(text, kernel);
  }
  cuteStringAppend(text, path);
}

CuteStatus cuteSimReportFileWrite(const char *path, bool isTrace,
                                  const char *kernel) {
  const char *arch = getenv("CUTE_ARCH"), *text = "";
  if (!path)
    return NULL;
  CUTE_TRY(cuteSimDriverMakeReport(isTrace ? "trace" : formatOf(path),
                                   arch && *arch ? arch : CUTE_DEFAULT_ARCH,
                                   &text));
  CUTE_SCOPED(String) name = {0};
  appendPath(&name, path, kernel);
  int error = cuteOutputFileWrite(cuteStringGet(&name), cuteStringRef(text));
  return error
             ? cuteStatusCreate("%s: %s", cuteStringGet(&name), strerror(error))
             : NULL;
}
