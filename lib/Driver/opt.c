// cute-opt: reads modules, runs passes on them, prints them.
#include "Driver/opt.h"
#include "Support/say_error.h"

#include "Compile/pass_registry.h"
#include "Support/standard_files.h"
#include "Support/suggest.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>

//===-- Questions ---------------------------------------------------------===//

static bool printVersion(void) {
  cuteDriverPrintVersion("cute-opt");
  return true;
}

static void appendCallback(CuteStringRef piece, void *userData) {
  (void)userData;
  fwrite(piece.data, 1, piece.length, stdout);
}

static bool show(void (*print)(MlirContext, CuteStringCallback, void *)) {
  MlirContext context = cuteDriverCreateContext();
  if (mlirContextIsNull(context))
    return false;
  print(context, appendCallback, NULL);
  cuteMlirContextDestroy(context);
  return true;
}

static bool showIrdl(void) { return show(cuteDialectPrintIRDL); }
static bool showDoc(void) { return show(cuteDialectPrintDocumentation); }

//===-- Values of options -------------------------------------------------===//

static void setText(CuteString *text, const char *value) {
  cuteStringClear(text);
  cuteStringAppend(text, value);
}

static bool failValue(const char *argument, const char *expected) {
  argument += strspn(argument, "-");
  cuteSayError("'--%s': expected %s", argument, expected);
  return false;
}

// MLIR's spellings; no value is true.
static bool readBool(const char *argument, const char *value, bool *result) {
  static const char *const words[][5] = {
      {"0", "false", "False", "FALSE"},
      {"1", "true", "True", "TRUE", ""},
  };
  for (int truth = 0; truth < 2; ++truth)
    for (int i = 0; i < 5 && words[truth][i]; ++i)
      if (!strcmp(value, words[truth][i])) {
        *result = truth != 0;
        return true;
      }
  return failValue(argument, "true or false");
}

static bool readNumber(const char *argument, const char *value, int64_t most,
                       int64_t *result) {
  char *end;
  errno = 0;
  long long number = strtoll(value, &end, 10);
  if (*value < '0' || *value > '9' || *end || errno || number > most)
    return failValue(argument, "a number");
  *result = number;
  return true;
}

static bool isPass(CuteStringRef name) {
  return cutePassRowFind(name) || cutePassIsUpstream(name);
}

// Adds names of passes to print around.
static bool readPasses(const char *argument, const char *value,
                       CuteString *list) {
  if (!*value)
    return failValue(argument, "the names of passes");
  for (const char *at = value; at;) {
    CuteStringRef name = {at, strcspn(at, ",")};
    const CutePassRow *row = cutePassRowFind(name);
    if (row && !row->run)
      return failValue(argument, "a pass, not a pipeline");
    if (!isPass(name))
      return failValue(argument, "the name of a pass");
    at = at[name.length] ? at + name.length + 1 : NULL;
  }
  if (list->length)
    cuteStringAppendChar(list, ',');
  cuteStringAppend(list, value);
  return true;
}

//===-- Arguments ---------------------------------------------------------===//

// The outcome of reading an argument: nothing that the function knows,
// something to go on after, or the end of the run.
typedef enum Taken { TAKEN_NO, TAKEN_YES, TAKEN_FAILED, TAKEN_DONE } Taken;

static Taken takenIf(bool ok) { return ok ? TAKEN_YES : TAKEN_FAILED; }

static Taken takeFlag(CuteOptOptions *options, const char *argument) {
  const struct {
    const char *name;
    bool *flag, isNegated;
  } flags[] = {
      {"verify-roundtrip", &options->verifyRoundtrip, false},
      {"dump-pass-pipeline", &options->dumpPipeline, false},
      {"mlir-pass-statistics", &options->statistics, false},
      {"verify-each", &options->verifyEach, false},
      {"allow-unregistered-dialect", &options->allowUnregistered, false},
      {"strict", &options->strict, false},
      {"time", &options->time, false},
      {"emit-bytecode", &options->bytecode, false},
      {"read-bytecode", &options->readBytecode, false},
      {"mlir-print-op-generic", &options->print.generic, false},
      {"cute-print-stock", &options->print.stock, false},
      {"mlir-print-debuginfo", &options->print.debugInfo, false},
      {"mlir-pretty-debuginfo", &options->print.prettyDebugInfo, false},
      {"mlir-print-local-scope", &options->print.localScope, false},
      {"mlir-print-skip-regions", &options->print.skipRegions, false},
      {"mlir-use-nameloc-as-prefix", &options->print.namesFromLocations, false},
      {"mlir-print-assume-verified", &options->print.assumeVerified, false},
      {"mlir-print-ir-before-all", &options->printBeforeAll, false},
      {"mlir-print-ir-after-all", &options->printAfterAll, false},
      {"mlir-print-ir-after-change", &options->printAfterChange, false},
      {"mlir-print-ir-module-scope", &options->printModuleScope, false},
      {"mlir-print-ir-after-failure", &options->printAfterFailure, false},
      {"mlir-timing", &options->timing, false},
      {"mlir-disable-threading", &options->threading, true},
  };
  const char *value;
  for (size_t i = 0; i < sizeof flags / sizeof *flags; ++i) {
    if (!cuteDriverOption(argument, flags[i].name, &value))
      continue;
    bool ok = readBool(argument, value, flags[i].flag);
    *flags[i].flag ^= ok && flags[i].isNegated;
    return takenIf(ok);
  }
  return TAKEN_NO;
}

// Help and the like end the run.
static Taken takeQuestion(const char *argument) {
  static const struct {
    const char *name;
    bool (*answer)(void);
  } questions[] = {
      {"help", cuteOptPrintHelp}, {"h", cuteOptPrintHelp},
      {"version", printVersion},  {"list-passes", cuteOptPrintPasses},
      {"show-irdl", showIrdl},    {"show-doc", showDoc}};
  const char *value;
  for (size_t i = 0; i < sizeof questions / sizeof *questions; ++i) {
    if (!cuteDriverOption(argument, questions[i].name, &value))
      continue;
    bool ok = *value ? failValue(argument, "no value") : questions[i].answer();
    return ok ? TAKEN_DONE : TAKEN_FAILED;
  }
  return TAKEN_NO;
}

// One of some words; "" if there is no value.
static bool readWord(const char *argument, const char *value,
                     const char *const *words, const char *expected,
                     size_t *index) {
  for (size_t i = 0; words[i]; ++i)
    if (!strcmp(value, words[i])) {
      *index = i;
      return true;
    }
  return failValue(argument, expected);
}

static Taken takeVerifyDiagnostics(CuteOptOptions *options,
                                   const char *argument, const char *value) {
  static const char *const words[] = {"", "all", "only-expected", NULL};
  size_t index = 0;
  bool ok = readWord(argument, value, words, "all or only-expected", &index);
  options->verifyDiagnostics = true;
  options->onlyExpected = index == 2;
  return takenIf(ok);
}

static Taken takeStatisticsDisplay(CuteOptOptions *options,
                                   const char *argument, const char *value) {
  static const char *const words[] = {"pipeline", "list", NULL};
  size_t index = 0;
  bool ok = readWord(argument, value, words, "list or pipeline", &index);
  options->statisticsAsList = index;
  return takenIf(ok);
}

static Taken takeNumber(CuteOptOptions *options, const char *argument) {
  const struct {
    const char *name;
    int64_t *number, most;
  } numbers[] = {
      {"mlir-elide-elementsattrs-if-larger", &options->print.elideElements,
       INT64_MAX},
      {"mlir-elide-resource-strings-if-larger", &options->print.elideResources,
       INT64_MAX},
      {"emit-bytecode-version", &options->bytecodeVersion, INT_MAX},
  };
  const char *value;
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i)
    if (cuteDriverOption(argument, numbers[i].name, &value))
      return takenIf(
          readNumber(argument, value, numbers[i].most, numbers[i].number));
  return TAKEN_NO;
}

static Taken takeLists(CuteOptOptions *options, const char *argument) {
  const struct {
    const char *name;
    CuteString *list;
  } lists[] = {{"mlir-print-ir-before", &options->printBefore},
               {"mlir-print-ir-after", &options->printAfter},
               {"cute-explain-after", &options->explainAfter}};
  const char *value;
  for (size_t i = 0; i < sizeof lists / sizeof *lists; ++i)
    if (cuteDriverOption(argument, lists[i].name, &value))
      return takenIf(readPasses(argument, value, lists[i].list));
  return TAKEN_NO;
}

static Taken takeValue(CuteOptOptions *options, const char *argument) {
  const char *value;
  int64_t depth = UINT_MAX;
  if (cuteDriverOption(argument, "split-input-file", &value)) {
    options->split = true;
    options->separator = *value ? value : "// -----";
    return TAKEN_YES;
  }
  if (cuteDriverOption(argument, "output-split-marker", &value)) {
    options->outputSeparator = value;
    return TAKEN_YES;
  }
  if (cuteDriverOption(argument, "verify-diagnostics", &value))
    return takeVerifyDiagnostics(options, argument, value);
  if (cuteDriverOption(argument, "mlir-pass-statistics-display", &value))
    return takeStatisticsDisplay(options, argument, value);
  if (cuteDriverOption(argument, "cute-explain", &value)) {
    bool ok = !*value || readNumber(argument, value, UINT_MAX, &depth);
    options->explain = true;
    options->explainDepth = (unsigned)depth;
    return takenIf(ok);
  }
  return TAKEN_NO;
}

// Options whose value may be the next argument.
static Taken takeWithNext(CuteOptOptions *options, int argc, char **argv,
                          int *i) {
  const char *value;
  int taken = cuteDriverTakeParameter(&options->parameters, argc, argv, i);
  if (taken)
    return takenIf(taken > 0);
  const char *argument = argv[*i];
  bool isPipeline = cuteDriverTakeValue(argc, argv, i, "pass-pipeline", &value);
  bool isOutput =
      !isPipeline && cuteDriverTakeValue(argc, argv, i, "o", &value);
  if (!isPipeline && !isOutput)
    return TAKEN_NO;
  if (!*value) {
    cuteSayError("%s needs a %s", argument, isOutput ? "file" : "pipeline");
    return TAKEN_FAILED;
  }
  if (isOutput) {
    options->output = value;
  } else {
    setText(&options->pipeline, value);
  }
  return TAKEN_YES;
}

static Taken takeInput(CuteOptOptions *options, const char *argument) {
  if (options->input) {
    cuteSayError("more than one input file: '%s' and '%s'", options->input,
                 argument);
    return TAKEN_FAILED;
  }
  options->input = argument;
  return TAKEN_YES;
}

static Taken failPass(const char *argument, CuteStringRef name) {
  CuteSuggestion suggestion = cuteSuggestionBegin(name);
  for (size_t i = 0; i < cutePassGetNum(); ++i)
    cuteSuggestionOffer(&suggestion, cuteStringRef(cutePassGet(i).argument));
  if (argument[1] == 'o' && !suggestion.best.length)
    cuteSayError("unknown option '%s'; to name the output, write '-o %s'",
                 argument, argument + 2);
  else
    cuteSuggestionFailOption(&suggestion, argument, cuteOptOptionsHelp);
  return TAKEN_FAILED;
}

static Taken takePass(CuteOptOptions *options, const char *argument) {
  const char *name = argument + (argument[1] == '-' ? 2 : 1);
  size_t n = strcspn(name, "=");
  if (!isPass((CuteStringRef){name, n}))
    return failPass(argument, (CuteStringRef){name, n});
  if (options->pipeline.length)
    cuteStringAppendChar(&options->pipeline, ',');
  cuteStringAppendBytes(&options->pipeline, name, n);
  if (!name[n])
    return TAKEN_YES;
  const char *value = name + n + 1;
  size_t length = strlen(value);
  if (length && *value == '{' && value[length - 1] == '}')
    cuteStringAppend(&options->pipeline, value);
  else
    cuteStringAppendFormat(&options->pipeline, "{%s}", value);
  return TAKEN_YES;
}

static Taken takeArgument(CuteOptOptions *options, int argc, char **argv,
                          int *i) {
  const char *argument = argv[*i];
  if (*argument != '-' || !argument[1])
    return takeInput(options, argument);
  Taken taken = takeQuestion(argument);
  if (!taken)
    taken = takeWithNext(options, argc, argv, i);
  if (!taken)
    taken = takeFlag(options, argument);
  if (!taken)
    taken = takeNumber(options, argument);
  if (!taken)
    taken = takeLists(options, argument);
  if (!taken)
    taken = takeValue(options, argument);
  return taken ? taken : takePass(options, argument);
}

//===-- Main --------------------------------------------------------------===//

static int process(CuteOptOptions *options) {
  const char *input = options->input ? options->input : "-";
  CuteSource source = {0};
  const char *path = options->output ? options->output : "-";
  CuteOutputFile output = {.path = options->verifyDiagnostics ? NULL : path};
  if ((output.path &&
       !cuteDriverMayReplace(path, input, "name another file with -o FILE")) ||
      !cuteSourceRead(&source, input, stderr))
    return 1;
  if (options->printBeforeAll)
    setText(&options->printBefore, "*");
  if (options->printAfterAll ||
      (options->printAfterChange && !options->printAfter.length))
    setText(&options->printAfter, "*");
  bool printsIr = options->printBefore.length || options->printAfter.length ||
                  options->explainAfter.length;
  options->threading &= !printsIr;
  bool ok = cuteOptProcess(options, &source, &output);
  if (!ok && !options->split)
    cuteOutputFileDiscard(&output);
  else if (!cuteOutputFileCommit(&output))
    ok = cuteDriverCannotWrite(path, output.error);
  cuteSourceDestroy(&source);
  return ok ? 0 : 1;
}

int cuteOptMain(int argc, char **argv) {
  cuteStandardFilesOpen();
  CuteOptOptions options = {.bytecodeVersion = -1,
                            .explainDepth = UINT_MAX,
                            .verifyEach = true,
                            .threading = true,
                            .separator = "// -----"};
  Taken taken = TAKEN_YES;
  int i = 1;
  for (; i < argc && taken == TAKEN_YES && strcmp(argv[i], "--"); ++i)
    taken = takeArgument(&options, argc, argv, &i);
  for (++i; i < argc && taken == TAKEN_YES; ++i)
    taken = takeInput(&options, argv[i]);
  int code = taken == TAKEN_FAILED;
  if (taken == TAKEN_YES)
    code = process(&options);
  cuteStringDestroy(&options.pipeline);
  cuteStringDestroy(&options.printBefore);
  cuteStringDestroy(&options.printAfter);
  cuteStringDestroy(&options.explainAfter);
  free(options.parameters.list);
  return cuteStandardFilesFinish(code);
}
