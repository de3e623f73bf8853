#include "Tools/cutec_code.h"

#include "Compile/program_folder.h"
#include "Prove/prove.h"

#include <unistd.h>

enum { MAX_RUNS = 5 }; // of a kernel

typedef struct Runs {
  const CuteCutecOptions *options;
  const CuteSource *source;
  CuteFolder folder;
  const char *kernel; // of the last command, which is not run again
  CuteString last;
  int count;
} Runs;

//===-- Commands ----------------------------------------------------------===//

// Appends a tool: its name, or to run it the path beside this one, if known.
static void appendTool(CuteString *command, const char *name, bool isToRun) {
  char self[PATH_MAX];
  if (!isToRun) {
    cuteStringAppend(command, name);
    return;
  }
  ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
  self[n < 0 ? 0 : n] = '\0';
  char *slash = strrchr(self, '/');
  cuteStringAppendWord(command, "%.*s%s", slash ? (int)(slash - self + 1) : 0,
                       self, name);
}

// Appends what cute-run gets after the name of the file.
static void appendRun(CuteString *command, const CuteWitness *witness) {
  cuteStringAppend(command, " --device=sim");
  if (witness->kernel)
    cuteStringAppendWord(command, "--kernel=%s", witness->kernel);
  if (witness->grid[0])
    cuteStringAppendFormat(command, " --grid=%jd,%jd,%jd", witness->grid[0],
                           (witness->grid[1] ? witness->grid[1] : 1),
                           (witness->grid[2] ? witness->grid[2] : 1));
  if (witness->checks)
    cuteStringAppendFormat(command, " --checks=%s", witness->checks);
  cuteStringAppend(command, cuteStringGet(&witness->arguments));
}

// The options that say what is compiled.
static void appendOptions(CuteString *command, const CuteCutecOptions *o) {
  if (strcmp(o->compile.arch, CUTE_DEFAULT_ARCH))
    cuteStringAppendFormat(command, " --arch=%s", o->compile.arch);
  if (o->passes)
    cuteStringAppendWord(command, "--passes=%s", o->passes);
  for (size_t i = 0; i < o->parameters.count; ++i)
    cuteStringAppendWord(command, "-D%.*s=%.*s",
                         CUTE_TEXT(o->parameters.list[i].name),
                         CUTE_TEXT(o->parameters.list[i].value));
}

// The command as it is shown, or as it is run. cute-run takes no -D: then cutec
// compiles for the simulator first.
static void appendCommand(const Runs *runs, const CuteWitness *witness,
                          bool isToRun, CuteString *command) {
  const CuteCutecOptions *options = runs->options;
  const char *folder = isToRun ? runs->folder.path : ".";
  bool isStdin = !strcmp(runs->source->name, "<stdin>");
  const char *file = isStdin ? "-" : runs->source->name;
  bool isTwo = options->parameters.count;
  appendTool(command, isTwo ? "cutec" : "cute-run", isToRun);
  cuteStringAppendWord(command, "%s", file);
  appendOptions(command, options);
  if (isTwo) {
    cuteStringAppend(command, " --emit=llvm -g -o");
    cuteStringAppendWord(command, "%s/shown.ll", folder);
    cuteStringAppend(command, " && ");
    appendTool(command, "cute-run", isToRun);
    cuteStringAppendWord(command, "%s/shown.json", folder);
  }
  appendRun(command, witness);
  if (isToRun && isTwo) {
    cuteStringAppend(command, "; rm -f");
    cuteStringAppendWord(command, "%s/shown.ll", folder);
    cuteStringAppendWord(command, "%s/shown.json", folder);
  }
}

//===-- Runs --------------------------------------------------------------===//

// Tells whether a text says " line N", as of the other access of a race.
static bool saysLine(const char *text, unsigned line) {
  char words[32];
  int n = snprintf(words, sizeof words, " line %u", line);
  for (const char *at = text; (at = strstr(at, words)); at += n)
    if (!strchr("0123456789", at[n]) || !at[n])
      return true;
  return false;
}

// Finds the line that says what is expected at the witness's op, or of its
// tensor, or a race: LLVM may have merged the op with another. Where no words
// are expected, one that says that a register held the NaN of one that was
// never written.
static bool findLine(const Runs *runs, const CuteWitness *witness,
                     CuteString *said) {
  CUTE_SCOPED(String) text = {0};
  CutePosition position = cutePositionOf(witness->op);
  char place[32], argument[48];
  if (!position.file.data || !cuteFileAppend(runs->folder.messages, &text) ||
      (!witness->expected && strstr(cuteStringGet(&text), "not finite: makes")))
    return false;
  snprintf(place, sizeof place, ":%u:", position.line);
  snprintf(argument, sizeof argument, " argument %jd,", witness->argument);
  for (char *at = text.data, *next; at && *at; at = next) {
    char *end = at + strcspn(at, "\n");
    next = *end ? end + 1 : end;
    *end = '\0';
    bool isRace = strstr(at, ": race: ") || strstr(at, ": too early: ");
    if (!witness->expected
            ? strstr(at, "uninitialised: ") || strstr(at, "not finite: takes")
            : strstr(at, witness->expected) &&
                  ((witness->isElsewhere && isRace) || strstr(at, place) ||
                   strstr(at, argument) || saysLine(at, position.line))) {
      cuteStringAppend(said, at);
      return true;
    }
  }
  return false;
}

// CuteConfirm: runs cute-run.
static bool confirm(void *data, const CuteWitness *witness, CuteString *command,
                    CuteString *said) {
  Runs *runs = data;
  CUTE_SCOPED(String) line = {0};
  bool isStdin = !strcmp(runs->source->name, "<stdin>");
  if (runs->kernel != witness->kernel)
    runs->count = 0;
  runs->kernel = witness->kernel;
  appendCommand(runs, witness, false, command);
  cuteStringAppend(&line, isStdin ? "ulimit -t 10; exec <" : "ulimit -t 10");
  if (isStdin)
    cuteStringAppendWord(&line, "%s", runs->folder.input);
  cuteStringAppend(&line, "; export CUTE_SIM_QUICK=1; ");
  appendCommand(runs, witness, true, &line);
  if (strcmp(cuteStringGet(&runs->last), line.data)) {
    char shell[] = "/bin/sh", flag[] = "-c";
    char *arguments[] = {shell, flag, line.data, NULL};
    if (runs->count++ >= MAX_RUNS ||
        cuteProgramRun(arguments, runs->folder.messages) < 0)
      return false;
    cuteStringClear(&runs->last);
    cuteStringAppend(&runs->last, line.data);
  }
  return findLine(runs, witness, said);
}

bool cuteCutecProve(const CuteCutecOptions *options, MlirContext context,
                    const CuteSource *source, MlirModule module,
                    MlirModule plain) {
  Runs runs = {.options = options, .source = source};
  CUTE_SCOPED(String) report = {0}, text = {0};
  bool isRefuted = false;
  bool hasFolder = cuteFolderCreate(&runs.folder);
  cuteStringAppendBytes(&text, source->text.data, source->text.length);
  if (hasFolder && !strcmp(source->name, "<stdin>"))
    hasFolder = cuteFolderWrite(runs.folder.input, &text);
  CuteProveOptions prove = {.arch = options->compile.arch,
                            .plain = plain,
                            .isOther = options->plain,
                            .confirm = hasFolder ? confirm : NULL,
                            .confirmData = &runs};
  CuteDialect *dialect = cuteDialectLock(context);
  bool ok = cuteProveModule(dialect, module, &prove,
                            options->prove ? &report : NULL, &isRefuted);
  cuteDialectUnlock(dialect);
  fputs(cuteStringGet(&report), stdout);
  cuteStringDestroy(&runs.last);
  cuteFolderDestroy(&runs.folder);
  return ok && !isRefuted;
}
