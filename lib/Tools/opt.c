// cute-opt: reads modules, runs passes on them, prints them.
#include "Tools/opt.h"

#include "Compile/pass_registry.h"
#include "Support/standard_files.h"

#include <errno.h>
#include <limits.h>

//===-- Questions ---------------------------------------------------------===//

static void appendCallback(CuteStringRef piece, CUTE_UNUSED void *userData) {
  fwrite(piece.data, 1, piece.length, stdout);
}

static int show(void (*print)(MlirContext, CuteStringCallback, void *)) {
  MlirContext context = cuteDriverCreateContext();
  if (mlirContextIsNull(context))
    return 1;
  print(context, appendCallback, NULL);
  cuteMlirContextDestroy(context);
  return 0;
}

static int showIrdl(CUTE_UNUSED const char *value) {
  return show(cuteDialectPrintIRDL);
}

static int showDoc(CUTE_UNUSED const char *value) {
  return show(cuteDialectPrintDocumentation);
}

//===-- Values of options -------------------------------------------------===//

static CuteStatus failValue(const char *name, const char *value,
                            const char *expected) {
  return cuteStatusCreate("'--%s=%s': expected %s", name, value, expected);
}

static bool isPass(CuteStringRef name) {
  return cutePassRowFind(name) || cutePassIsUpstream(name);
}

// Adds names of passes to print around.
static CuteStatus readPasses(const char *option, const char *value,
                             CuteString *list) {
  for (const char *at = value; at;) {
    CuteStringRef name = {at, strcspn(at, ",")};
    const CutePassRow *row = cutePassRowFind(name);
    if (row && !row->run)
      return failValue(option, value, "a pass, not a pipeline");
    if (!isPass(name))
      return failValue(option, value, "the name of a pass");
    at = at[name.length] ? at + name.length + 1 : NULL;
  }
  if (list->length)
    cuteStringAppendChar(list, ',');
  cuteStringAppend(list, value);
  return NULL;
}

static CuteStatus takePrintBefore(void *data, const char *value) {
  CuteOptOptions *options = data;
  return readPasses("mlir-print-ir-before", value, &options->printBefore);
}

static CuteStatus takePrintAfter(void *data, const char *value) {
  CuteOptOptions *options = data;
  return readPasses("mlir-print-ir-after", value, &options->printAfter);
}

static CuteStatus takeExplainAfter(void *data, const char *value) {
  CuteOptOptions *options = data;
  return readPasses("cute-explain-after", value, &options->explainAfter);
}

static CuteStatus takeVerifyDiagnostics(void *data, const char *value) {
  CuteOptOptions *options = data;
  options->verifyDiagnostics = true;
  options->onlyExpected = !strcmp(value, "only-expected");
  return !*value || !strcmp(value, "all") || options->onlyExpected
             ? NULL
             : failValue("verify-diagnostics", value, "all or only-expected");
}

static CuteStatus takeStatisticsDisplay(void *data, const char *value) {
  CuteOptOptions *options = data;
  options->statisticsAsList = !strcmp(value, "list");
  return options->statisticsAsList || !strcmp(value, "pipeline")
             ? NULL
             : failValue("mlir-pass-statistics-display", value,
                         "list or pipeline");
}

static CuteStatus takeSplit(void *data, const char *value) {
  CuteOptOptions *options = data;
  options->split = true;
  options->separator = *value ? value : "// -----";
  return NULL;
}

static CuteStatus takeExplain(void *data, const char *value) {
  CuteOptOptions *options = data;
  char *end = NULL;
  errno = 0;
  unsigned long depth = strtoul(value, &end, 10);
  options->explain = true;
  if (*value &&
      (*value < '0' || *value > '9' || *end || errno || depth > UINT_MAX))
    return failValue("cute-explain", value, "a number");
  options->explainDepth = *value ? (unsigned)depth : UINT_MAX;
  return NULL;
}

static CuteStatus takeParameter(void *data, const char *value) {
  CuteOptOptions *options = data;
  return cuteDriverTakeParameter(&options->parameters, value);
}

static CuteStatus takePipeline(void *data, const char *value) {
  CuteOptOptions *options = data;
  cuteStringClear(&options->pipeline);
  cuteStringAppend(&options->pipeline, value);
  return NULL;
}

//===-- Rows --------------------------------------------------------------===//

#define AT(member) .offset = offsetof(CuteOptOptions, member)
#define BOOL(name, member, text)                                               \
  { name, .kind = CUTE_OPTION_BOOL, .help = text, AT(member) }

static const CuteOption rows[] = {
    {"-o", .kind = CUTE_OPTION_VALUE, .value = "FILE", .needs = "a file",
     .help = "write to FILE instead of standard output", AT(output)},
    {"-D", .kind = CUTE_OPTION_LETTER, .value = "NAME=VALUE",
     .needs = "a parameter's name and value, as in -D BM=128",
     .help = "set a parameter that the module declares", .take = takeParameter},
    {"--pass-pipeline", .kind = CUTE_OPTION_VALUE, .value = "TEXT",
     .needs = "a pipeline", .help = "run builtin.module(...), in MLIR's syntax",
     .take = takePipeline},
    BOOL("--dump-pass-pipeline", dumpPipeline,
         "print the passes that will run to standard error"),
    {"--list-passes", .help = "print the list above",
     .answer = cuteOptPrintPasses},
    {"--split-input-file", .kind = CUTE_OPTION_OPTIONAL, .value = "SEP",
     .help = "process the parts between lines '// -----' separately",
     .take = takeSplit},
    {"--output-split-marker", .kind = CUTE_OPTION_VALUE, .value = "SEP",
     .help = "print this line between the parts", AT(outputSeparator)},
    {"--verify-diagnostics", .kind = CUTE_OPTION_OPTIONAL,
     .value = "only-expected", .words = "all only-expected",
     .help = "compare diagnostics with expected-... comments; only-expected "
             "allows others",
     .take = takeVerifyDiagnostics},
    BOOL("--verify-roundtrip", verifyRoundtrip,
         "print and reparse the input, and fail if the module has changed"),
    BOOL("--verify-each", verifyEach, "verify after each pass (default: true)"),
    BOOL("--allow-unregistered-dialect", allowUnregistered,
         "accept ops of unknown dialects"),
    BOOL("--strict", strict,
         "report results that break a law of the algebra as errors, not "
         "warnings"),
    BOOL("--time", time, "print the CPU time of each stage to standard error"),
    BOOL("--read-bytecode", readBytecode,
         "accept MLIR bytecode as input; only from a trusted source, as MLIR "
         "does not check it"),
    BOOL("--emit-bytecode", bytecode, "write MLIR bytecode"),
    {"--emit-bytecode-version", .kind = CUTE_OPTION_NUMBER, .value = "N",
     .most = INT_MAX, .help = "write bytecode of an older version",
     AT(bytecodeVersion)},
    BOOL("--cute-sugar", print.sugar,
         "print expressions, for and if, and leave out types that can be "
         "inferred"),
    BOOL("--mlir-print-op-generic", print.generic, "print the generic form"),
    BOOL("--mlir-print-debuginfo", print.debugInfo, "print locations"),
    BOOL("--mlir-pretty-debuginfo", print.prettyDebugInfo,
         "print locations in a readable form"),
    BOOL("--mlir-print-local-scope", print.localScope, "print without aliases"),
    BOOL("--mlir-print-skip-regions", print.skipRegions,
         "print ops without their regions"),
    {"--mlir-elide-elementsattrs-if-larger", .kind = CUTE_OPTION_NUMBER,
     .value = "N",
     .help = "leave out elements attributes of more than N elements",
     AT(print.elideElements)},
    {"--mlir-elide-resource-strings-if-larger", .kind = CUTE_OPTION_NUMBER,
     .value = "N", .help = "leave out resources of more than N characters",
     AT(print.elideResources)},
    BOOL("--mlir-use-nameloc-as-prefix", print.namesFromLocations,
         "name values after their locations"),
    BOOL("--mlir-print-assume-verified", print.assumeVerified,
         "do not verify before printing"),
    BOOL("--mlir-print-ir-before-all", printBeforeAll,
         "print the IR before each pass, to standard error"),
    BOOL("--mlir-print-ir-after-all", printAfterAll,
         "print the IR after each pass"),
    {"--mlir-print-ir-before", .kind = CUTE_OPTION_VALUE, .value = "PASS,...",
     .needs = "the names of passes", .help = "print the IR before these passes",
     .take = takePrintBefore},
    {"--mlir-print-ir-after", .kind = CUTE_OPTION_VALUE, .value = "PASS,...",
     .needs = "the names of passes", .help = "print the IR after these passes",
     .take = takePrintAfter},
    BOOL("--mlir-print-ir-after-change", printAfterChange,
         "print the IR only after passes that changed it"),
    BOOL("--mlir-print-ir-after-failure", printAfterFailure,
         "print the IR after a pass that failed"),
    BOOL("--mlir-print-ir-module-scope", printModuleScope,
         "always print the whole module"),
    BOOL("--mlir-timing", timing, "print how long passes took"),
    BOOL("--mlir-pass-statistics", statistics, "print the passes' statistics"),
    {"--mlir-pass-statistics-display", .kind = CUTE_OPTION_VALUE,
     .value = "list|pipeline", .words = "list pipeline",
     .help = "print them as a list or by pipeline",
     .take = takeStatisticsDisplay},
    BOOL("--mlir-disable-threading", disablesThreading,
         "run passes on one thread"),
    {"--show-irdl",
     .help = "print the dialect as IRDL, for mlir-opt --irdl-file",
     .answer = showIrdl},
    BOOL("--cute-print-stock", print.stock,
         "print the generic form that stock mlir-opt reads with --irdl-file"),
    {"--cute-explain", .kind = CUTE_OPTION_OPTIONAL, .value = "DEPTH",
     .help = "explain in remarks how the results of layout ops are computed, "
             "in steps nested up to DEPTH",
     .take = takeExplain},
    {"--cute-explain-after", .kind = CUTE_OPTION_VALUE, .value = "PASS,...",
     .needs = "the names of passes",
     .help = "explain after these passes instead of the input",
     .take = takeExplainAfter},
    {"--show-doc", .help = "print the dialect's reference in Markdown",
     .answer = showDoc},
};

//===-- Other arguments ---------------------------------------------------===//

static CuteStatus takeInput(void *data, const char *argument) {
  CuteOptOptions *options = data;
  if (options->input)
    return cuteStatusCreate("more than one input file: '%s' and '%s'",
                            options->input, argument);
  options->input = argument;
  return NULL;
}

static void offerPasses(CuteSuggestion *suggestion) {
  for (size_t i = 0; i < cutePassGetNum(); ++i)
    cuteSuggestionOffer(suggestion, cuteStringRef(cutePassGet(i).argument));
}

// Fails where -oFILE may be meant, which is read as the name of a pass.
static CuteStatus failJoined(const char *argument) {
  CuteSuggestion suggestion =
      cuteSuggestionBegin(cuteSuggestionNameOf(argument));
  offerPasses(&suggestion);
  return strncmp(argument, "-o", 2) || suggestion.best.length
             ? NULL
             : cuteStatusCreate(
                   "unknown option '%s'; to name the output, write '-o %s'",
                   argument, argument + 2);
}

static CuteStatus takePass(void *data, const char *argument, bool *isTaken) {
  CuteOptOptions *options = data;
  const char *name = argument + (argument[1] == '-' ? 2 : 1);
  size_t n = strcspn(name, "=");
  *isTaken = isPass((CuteStringRef){name, n});
  if (!*isTaken)
    return failJoined(argument);
  if (options->pipeline.length)
    cuteStringAppendChar(&options->pipeline, ',');
  cuteStringAppendBytes(&options->pipeline, name, n);
  if (!name[n])
    return NULL;
  const char *value = name + n + 1;
  size_t length = strlen(value);
  if (length && *value == '{' && value[length - 1] == '}')
    cuteStringAppend(&options->pipeline, value);
  else
    cuteStringAppendFormat(&options->pipeline, "{%s}", value);
  return NULL;
}

static const CuteTool tool = {
    .name = "cute-opt",
    .version = cuteDriverVersion,
    .overview = "reads .mlir files of the cute dialect, runs passes and prints "
                "the result",
    .usage = "[options] [input file, default -]",
    .details = "Passes run in the order given. Options of a pass follow it:\n"
               "  --cute-to-ptx=\"arch=sm_90\"\n",
    .column = 32,
    .sections =
        {{"PASSES OF THIS TOOL",
          "MLIR's passes run as well: all of them if LLVM is a shared library, "
          "otherwise\nits transforms, its conversions, and the passes of "
          "arith, gpu, llvm and math. --cse and\n--canonicalize leave cute ops "
          "alone: see --cute-canonicalize.\n",
          .get = cuteOptGetPass},
         {"PIPELINES", .get = cuteOptGetPipeline},
         {"OPTIONS", .rows = rows, .numRows = sizeof rows / sizeof *rows},
         {"DIAGNOSTICS", .rows = cuteDiagnosticOptions,
          .numRows = CUTE_NUM_DIAGNOSTIC_OPTIONS}},
    .takeInput = takeInput,
    .takeOther = takePass,
    .offer = offerPasses,
};

int cuteOptPrintPasses(CUTE_UNUSED const char *value) {
  CUTE_SCOPED(String) text = {0};
  cuteOptionWriteSection(&tool, &tool.sections[0], &text);
  cuteStringAppendChar(&text, '\n');
  cuteOptionWriteSection(&tool, &tool.sections[1], &text);
  fputs(cuteStringGet(&text), stdout);
  return 0;
}

//===-- Main --------------------------------------------------------------===//

static void setAll(CuteString *passes) {
  cuteStringClear(passes);
  cuteStringAppend(passes, "*");
}

static int process(CuteOptOptions *options) {
  const char *input = options->input ? options->input : "-";
  CUTE_SCOPED(Source) source = {0};
  const char *path = options->output ? options->output : "-";
  CuteOutputFile output = {.path = options->verifyDiagnostics ? NULL : path};
  if ((output.path &&
       !cuteDriverMayReplace(path, input, "name another file with -o FILE")) ||
      !cuteSourceRead(&source, input, stderr))
    return 1;
  if (options->printBeforeAll)
    setAll(&options->printBefore);
  if (options->printAfterAll ||
      (options->printAfterChange && !options->printAfter.length))
    setAll(&options->printAfter);
  bool printsIr = options->printBefore.length || options->printAfter.length ||
                  options->explainAfter.length;
  options->disablesThreading |= printsIr;
  bool ok = cuteOptProcess(options, &source, &output);
  if (!ok && !options->split)
    cuteOutputFileDiscard(&output);
  else if (!cuteOutputFileCommit(&output))
    ok = cuteDriverCannotWrite(path, output.error);
  return ok ? 0 : 1;
}

int cuteOptMain(int argc, char **argv) {
  cuteStandardFilesOpen();
  CuteOptOptions options = {.bytecodeVersion = -1,
                            .explainDepth = UINT_MAX,
                            .verifyEach = true,
                            .separator = "// -----"};
  int code;
  if (!cuteCommandSucceeds(cuteOptionsTake(&tool, &options, argc, argv, &code)))
    code = 1;
  else if (code < 0)
    code = process(&options);
  cuteStringDestroy(&options.pipeline);
  cuteStringDestroy(&options.printBefore);
  cuteStringDestroy(&options.printAfter);
  cuteStringDestroy(&options.explainAfter);
  free(options.parameters.list);
  return cuteStandardFilesFinish(code);
}
