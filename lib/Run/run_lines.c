// Runs of cute-run that are lines of a file, one after another in a process.
#include "Run/run.h"

#include <errno.h>
#include <stdio.h>

enum { MAX_WORDS = 256 };

// Splits a line at tabs, and appends the words to a command line.
static CuteStatus splitLine(char *line, int *argc, char **argv) {
  line[strcspn(line, "\r\n")] = '\0';
  for (char *at = *line ? line : NULL; at; ++*argc) {
    char *tab = strchr(at, '\t');
    if (*argc == MAX_WORDS)
      return cuteStatusCreate("more than %d arguments", MAX_WORDS - 1);
    argv[*argc] = at;
    if (tab)
      *tab = '\0';
    at = tab ? tab + 1 : NULL;
  }
  argv[*argc] = NULL;
  return NULL;
}

// Runs a line, a kernel and not lines or a question, on this device if it
// names no other.
static CuteStatus runLine(char *line, char *device, CuteRunFunction run,
                          CuteKept *kept) {
  char name[] = "cute-run";
  char *argv[MAX_WORDS + 1] = {name, device};
  int argc = 2;
  CuteRunOptions options;
  CUTE_TRY(splitLine(line, &argc, argv));
  int code;
  CUTE_TRY(cuteRunOptionsTake(&options, argc, argv, &code));
  return code < 0 && options.manifest && !options.lines
             ? run(&options, kept)
             : cuteStatusCreate("a line of --lines names a kernel and its "
                                "arguments");
}

// Says how a line ended, in one line.
static bool sayResult(CuteStatus status) {
  const char *message = status ? cuteStatusGetMessage(status) : "ok";
  if (status)
    fputs("error: ", stdout);
  for (; *message; ++message)
    putchar(*message == '\n' ? ' ' : *message);
  putchar('\n');
  fflush(stdout);
  return cuteStatusConsume(status);
}

static CuteStatus runLines(FILE *file, int ordinal, CuteRunFunction run,
                           CuteKept *kept) {
  char *line = NULL, simulated[] = "--device=sim", device[32];
  size_t capacity = 0, count = 0, failed = 0;
  bool isSimulated = cuteDeviceIsSimulated(ordinal);
  snprintf(device, sizeof device, "--device=%d", ordinal);
  for (; getline(&line, &capacity, file) >= 0; ++count)
    failed +=
        !sayResult(runLine(line, isSimulated ? simulated : device, run, kept));
  free(line);
  return failed ? cuteStatusCreate("%zu of %zu lines failed", failed, count)
                : NULL;
}

CuteStatus cuteRunLines(const CuteRunOptions *options, CuteRunFunction run,
                        CuteKept *kept) {
  bool isInput = !strcmp(options->lines, "-");
  FILE *file = isInput ? stdin : fopen(options->lines, "r");
  CuteDevice device;
  if (!file)
    return cuteStatusCreate("cannot read %s: %s", options->lines,
                            strerror(errno));
  CuteStatus status = cuteSimulatedOpen(&device, options->device);
  if (!status) {
    status = runLines(file, options->device, run, kept);
    cuteDeviceClose(&device);
  }
  if (!isInput)
    fclose(file);
  return status;
}
