// cute-opt: reads modules, runs passes on them, prints them.
#include "Driver/driver.h"

#include "cute/Assembly.h"
#include "cute/Passes.h"

#include <llvm-c/Core.h>
#include <mlir-c/RegisterEverything.h>

#include <errno.h>
#include <stdlib.h>

#define VERSION "0.1.0"

typedef struct Options {
  const char *input, *output;
  CuteString pipeline;
  CutePrintOptions print;
  bool split, verifyDiagnostics, verifyEach, timing, threading, bytecode;
  bool allowUnregistered;
  const char *separator;
  // Printing around passes: comma-separated names, or "*" for all.
  CuteString printBefore, printAfter;
  bool printModuleScope, printAfterChange, printAfterFailure;
} Options;

// One run over one part of the input.
typedef struct Run {
  const Options *options;
  const CuteString *text; // the whole file
  const char *name;
  CuteExpectations expectations;
  CuteString before; // IR before the current pass, for changes
  CuteString currentPass;
  bool failed;
} Run;

//===-- Diagnostics -------------------------------------------------------===//

static void handleOne(Run *run, const CuteDiagnostic *diagnostic) {
  if (run->options->verifyDiagnostics) {
    if (cuteExpectationsMeet(&run->expectations, diagnostic))
      return;
    if (diagnostic->severity == CUTE_SEVERITY_NOTE)
      return;
    run->failed = true;
    fputs("unexpected ", stderr);
  }
  cuteDriverPrintDiagnostic(stderr, diagnostic, run->name, run->text);
}

static void handleDiagnostic(const CuteDiagnostic *diagnostic, size_t numNotes,
                             const CuteDiagnostic *notes, void *userData) {
  handleOne(userData, diagnostic);
  for (size_t i = 0; i < numNotes; ++i)
    handleOne(userData, &notes[i]);
}

static bool checkExpectations(Run *run) {
  for (size_t i = 0; i < run->expectations.count; ++i) {
    const CuteExpectation *expectation = &run->expectations.list[i];
    if (expectation->isMet)
      continue;
    static const char *const names[] = {"error", "warning", "remark", "note"};
    fprintf(stderr,
            "%s:%u: error: expected %s \"%.*s\" was not produced on line %u\n",
            run->name, expectation->at, names[expectation->severity],
            (int)expectation->message.length, expectation->message.data,
            expectation->line);
    run->failed = true;
  }
  return !run->failed;
}

//===-- Between passes ----------------------------------------------------===//

static bool isListed(const CuteString *list, const char *pass) {
  const char *at = cuteStringGet(list);
  if (!strcmp(at, "*"))
    return true;
  size_t n = strlen(pass);
  while (*at) {
    size_t length = strcspn(at, ",");
    if (length == n && !memcmp(at, pass, n))
      return true;
    at += length + (at[length] == ',');
  }
  return false;
}

static MlirOperation outermost(MlirOperation op) {
  for (MlirOperation parent = op; !mlirOperationIsNull(parent);
       parent = mlirOperationGetParentOperation(op))
    op = parent;
  return op;
}

static void printIr(Run *run, const char *when, const char *pass,
                    MlirOperation op, CuteString *text) {
  CuteString header = {0};
  cuteStringAppendFormat(&header, "// -----// IR Dump %s %s //----- //\n", when,
                         pass);
  fputs(cuteStringGet(&header), stderr);
  cuteStringDestroy(&header);
  if (text) {
    fwrite(cuteStringGet(text), 1, text->length, stderr);
  } else {
    CuteString printed = {0};
    if (run->options->printModuleScope)
      op = outermost(op);
    cuteOperationPrint(op, run->options->print, cuteAppendMlirString, &printed);
    fwrite(cuteStringGet(&printed), 1, printed.length, stderr);
    cuteStringDestroy(&printed);
  }
  fputs("\n\n", stderr);
}

static void visitBefore(Run *run, const char *pass, MlirOperation op) {
  cuteStringClear(&run->currentPass);
  cuteStringAppend(&run->currentPass, pass);
  if (isListed(&run->options->printBefore, pass))
    printIr(run, "Before", pass, op, NULL);
  if (!run->options->printAfterChange)
    return;
  cuteStringClear(&run->before);
  cuteOperationPrint(op, run->options->print, cuteAppendMlirString,
                     &run->before);
}

static void visitAfter(Run *run, const char *pass, MlirOperation op) {
  if (!isListed(&run->options->printAfter, pass))
    return;
  if (run->options->printAfterChange) {
    CuteString now = {0};
    cuteOperationPrint(op, run->options->print, cuteAppendMlirString, &now);
    bool same = now.length == run->before.length &&
                !memcmp(cuteStringGet(&now), cuteStringGet(&run->before),
                        now.length);
    cuteStringDestroy(&now);
    if (same)
      return;
  }
  printIr(run, "After", pass, op, NULL);
}

static bool visit(const char *pass, bool after, MlirOperation op,
                  void *userData) {
  Run *run = userData;
  if (!after) {
    visitBefore(run, pass, op);
    return true;
  }
  visitAfter(run, pass, op);
  return !run->options->verifyEach ||
         mlirLogicalResultIsSuccess(cuteOperationVerify(op));
}

static void reportPipeline(MlirStringRef message, void *userData) {
  (void)userData;
  fprintf(stderr, "error: %.*s\n", (int)message.length, message.data);
}

static bool needsObserver(const Options *options) {
  return options->verifyEach || options->printBefore.length ||
         options->printAfter.length || options->printAfterFailure;
}

// Adds the passes; false with a message if the pipeline is wrong.
static bool addPasses(Run *run, MlirContext context, MlirPassManager manager,
                      CutePassObserver *observer) {
  const Options *options = run->options;
  MlirStringRef pipeline = mlirStringRefCreate(
      cuteStringGet(&options->pipeline), options->pipeline.length);
  return mlirLogicalResultIsSuccess(cutePipelineAdd(
      context, mlirPassManagerGetAsOpPassManager(manager), pipeline,
      needsObserver(options) ? observer : NULL, reportPipeline, NULL));
}

static bool runPasses(Run *run, MlirModule module) {
  MlirContext context = mlirModuleGetContext(module);
  MlirOperation op = mlirModuleGetOperation(module);
  MlirPassManager manager = mlirPassManagerCreate(context);
  mlirPassManagerEnableVerifier(manager, run->options->verifyEach);
  if (run->options->timing)
    mlirPassManagerEnableTiming(manager);
  CutePassObserver observer = {visit, run};
  bool ok = addPasses(run, context, manager, &observer);
  if (ok && mlirLogicalResultIsFailure(mlirPassManagerRunOnOp(manager, op))) {
    ok = false;
    if (run->options->printAfterFailure) {
      CuteString text = {0};
      CutePrintOptions generic = run->options->print;
      generic.generic = true;
      cuteOperationPrint(op, generic, cuteAppendMlirString, &text);
      printIr(run, "After Failed", cuteStringGet(&run->currentPass), op, &text);
      cuteStringDestroy(&text);
    }
  }
  mlirPassManagerDestroy(manager);
  return ok;
}

//===-- One part of the input ---------------------------------------------===//

static void printModule(const Options *options, MlirModule module,
                        CuteString *output) {
  MlirOperation op = mlirModuleGetOperation(module);
  if (options->bytecode) {
    mlirOperationWriteBytecode(op, cuteAppendMlirString, output);
    return;
  }
  cuteOperationPrint(op, options->print, cuteAppendMlirString, output);
  if (output->length && output->data[output->length - 1] != '\n')
    cuteStringAppendChar(output, '\n');
}

static bool processIn(Run *run, MlirContext context, CuteStringRef part,
                      unsigned firstLine, CuteString *output) {
  cuteDiagnosticHandlerAttach(context, handleDiagnostic, run);
  MlirModule module =
      cuteModuleParseFrom(context, toMlirString(part),
                          mlirStringRefCreateFromCString(run->name), firstLine);
  bool ok = !mlirModuleIsNull(module) && runPasses(run, module);
  if (ok)
    printModule(run->options, module, output);
  if (!mlirModuleIsNull(module))
    mlirModuleDestroy(module);
  cuteDiagnosticHandlerDetach(context);
  return ok;
}

static bool processPart(const Options *options, const CuteString *text,
                        const char *name, CuteStringRef part,
                        unsigned firstLine, CuteString *output) {
  Run run = {.options = options, .text = text, .name = name};
  MlirContext context = cuteDriverCreateContext(options->threading);
  if (mlirContextIsNull(context))
    return false;
  mlirContextSetAllowUnregisteredDialects(context, options->allowUnregistered);
  bool ok = !options->verifyDiagnostics ||
            cuteExpectationsRead(&run.expectations, part, firstLine);
  if (ok) {
    bool processed = processIn(&run, context, part, firstLine, output);
    ok = options->verifyDiagnostics ? checkExpectations(&run) : processed;
  }
  cuteDriverDestroyContext(context);
  cuteExpectationsDestroy(&run.expectations);
  cuteStringDestroy(&run.before);
  cuteStringDestroy(&run.currentPass);
  return ok;
}

// Cuts the text at lines that are the separator.
static bool processParts(const Options *options, const CuteString *text,
                         const char *name, CuteString *output) {
  const char *at = cuteStringGet(text), *end = at + text->length, *start = at;
  size_t n = strlen(options->separator);
  unsigned line = 1, firstLine = 1;
  bool ok = true, isFirst = true;
  while (at <= end) {
    const char *newline = at < end ? memchr(at, '\n', (size_t)(end - at)) : NULL;
    const char *stop = newline ? newline : end;
    bool separates = options->split && (size_t)(stop - at) >= n &&
                     !memcmp(at, options->separator, n);
    if (separates || stop == end) {
      if (!isFirst)
        cuteStringAppendFormat(output, "%s\n", options->separator);
      isFirst = false;
      CuteStringRef part = {start,
                            (size_t)((separates ? at : stop) - start)};
      ok &= processPart(options, text, name, part, firstLine, output);
      start = stop + 1;
      firstLine = line + 1;
    }
    at = stop + 1;
    ++line;
  }
  return ok;
}

//===-- Arguments ---------------------------------------------------------===//

static void printOptionRows(const char *pass) {
  for (size_t i = 0; i < cutePassOptionGetNum(); ++i) {
    CutePassOptionInfo info = cutePassOptionGetInfo(i);
    if (!strcmp(info.pass, pass))
      printf("      %-24s %s (default: %s)\n", info.name, info.summary,
             info.defaultValue);
  }
}

static void printPassRows(bool pipelines) {
  for (size_t i = 0; i < cutePassGetNum(); ++i) {
    CutePassInfo info = cutePassGet(i);
    if (info.isPipeline != pipelines)
      continue;
    printf("  --%-26s %s\n", info.argument, info.summary);
    printOptionRows(info.argument);
  }
}

static void printHelp(void) {
  puts("OVERVIEW: reads .mlir files of the cute dialect, runs passes, prints\n"
       "\n"
       "USAGE: cute-opt [options] [input file, default -]\n"
       "\n"
       "Passes run in the order in which they are named. Options of a pass "
       "follow it:\n"
       "  --cute-to-ptx=\"arch=sm_90\"\n"
       "\n"
       "PASSES OF THIS TOOL (all of MLIR's work too):");
  printPassRows(false);
  puts("\nPIPELINES:");
  printPassRows(true);
  puts(
      "\nOPTIONS:\n"
      "  -o FILE                       write there instead of standard output\n"
      "  --pass-pipeline=TEXT          builtin.module(...), in MLIR's syntax\n"
      "  --split-input-file[=SEP]      handle parts between lines '// -----' "
      "apart\n"
      "  --verify-diagnostics          compare diagnostics with expected-... "
      "comments\n"
      "  --verify-each[=BOOL]          verify after each pass (default: true)\n"
      "  --allow-unregistered-dialect  accept ops of unknown dialects\n"
      "  --emit-bytecode               write MLIR bytecode\n"
      "  --mlir-print-op-generic       print the generic form\n"
      "  --mlir-print-debuginfo        print locations\n"
      "  --mlir-pretty-debuginfo       print locations to be read, not parsed\n"
      "  --mlir-print-local-scope      print without aliases\n"
      "  --mlir-elide-elementsattrs-if-larger=N\n"
      "  --mlir-print-ir-before-all    print the IR around passes, to standard\n"
      "  --mlir-print-ir-after-all     error\n"
      "  --mlir-print-ir-before=LIST   ... around the named passes\n"
      "  --mlir-print-ir-after=LIST\n"
      "  --mlir-print-ir-after-change  ... only where it changed\n"
      "  --mlir-print-ir-after-failure ... when a pass fails\n"
      "  --mlir-print-ir-module-scope  ... always the whole module\n"
      "  --mlir-timing                 print the time that passes took\n"
      "  --mlir-disable-threading      run passes on one thread\n"
      "  --show-irdl                   print the dialect as IRDL, for\n"
      "                                mlir-opt --irdl-file\n"
      "  --help, --version");
}

static void printVersion(void) {
  unsigned major, minor, patch;
  LLVMGetVersion(&major, &minor, &patch);
  printf("cute-opt %s, LLVM/MLIR %u.%u.%u\n", VERSION, major, minor, patch);
}

static void appendCallback(CuteStringRef piece, void *userData) {
  (void)userData;
  fwrite(piece.data, 1, piece.length, stdout);
}

static int showIrdl(void) {
  MlirContext context = cuteDriverCreateContext(false);
  if (mlirContextIsNull(context))
    return 1;
  cuteDialectPrintIRDL(context, appendCallback, NULL);
  cuteDriverDestroyContext(context);
  return 0;
}

static bool isFalse(const char *value) {
  return !strcmp(value, "0") || !strcmp(value, "false");
}

// A flag that only sets a boolean; false if the argument is none.
static bool takeFlag(Options *options, const char *argument) {
  const struct {
    const char *name;
    bool *flag, value;
  } flags[] = {
      {"verify-diagnostics", &options->verifyDiagnostics, true},
      {"verify-each", &options->verifyEach, true},
      {"allow-unregistered-dialect", &options->allowUnregistered, true},
      {"emit-bytecode", &options->bytecode, true},
      {"mlir-print-op-generic", &options->print.generic, true},
      {"mlir-print-debuginfo", &options->print.debugInfo, true},
      {"mlir-pretty-debuginfo", &options->print.prettyDebugInfo, true},
      {"mlir-print-local-scope", &options->print.localScope, true},
      {"mlir-print-ir-module-scope", &options->printModuleScope, true},
      {"mlir-print-ir-after-failure", &options->printAfterFailure, true},
      {"mlir-timing", &options->timing, true},
      {"mlir-disable-threading", &options->threading, false},
  };
  const char *value;
  for (size_t i = 0; i < sizeof flags / sizeof *flags; ++i) {
    if (!cuteDriverOption(argument, flags[i].name, &value))
      continue;
    *flags[i].flag = isFalse(value) ? !flags[i].value : flags[i].value;
    return true;
  }
  return false;
}

static void setText(CuteString *text, const char *value) {
  cuteStringClear(text);
  cuteStringAppend(text, value);
}

static bool takePrinting(Options *options, const char *argument) {
  const char *value;
  if (cuteDriverOption(argument, "mlir-print-ir-before-all", &value))
    setText(&options->printBefore, "*");
  else if (cuteDriverOption(argument, "mlir-print-ir-after-all", &value))
    setText(&options->printAfter, "*");
  else if (cuteDriverOption(argument, "mlir-print-ir-before", &value))
    setText(&options->printBefore, value);
  else if (cuteDriverOption(argument, "mlir-print-ir-after", &value))
    setText(&options->printAfter, value);
  else if (cuteDriverOption(argument, "mlir-print-ir-after-change", &value)) {
    options->printAfterChange = true;
    if (!options->printAfter.length)
      setText(&options->printAfter, "*");
  } else
    return false;
  return true;
}

static void appendPass(Options *options, const char *argument) {
  argument += argument[1] == '-' ? 2 : 1;
  size_t n = strcspn(argument, "=");
  if (options->pipeline.length)
    cuteStringAppendChar(&options->pipeline, ',');
  cuteStringAppendBytes(&options->pipeline, argument, n);
  if (!argument[n])
    return;
  const char *value = argument + n + 1;
  size_t length = strlen(value);
  if (length && *value == '{' && value[length - 1] == '}')
    cuteStringAppend(&options->pipeline, value);
  else
    cuteStringAppendFormat(&options->pipeline, "{%s}", value);
}

// Returns -1 to go on, or an exit code.
static int takeArgument(Options *options, int argc, char **argv, int *i) {
  const char *argument = argv[*i], *value;
  if (*argument != '-' || !argument[1]) {
    if (options->input) {
      fprintf(stderr, "error: more than one input file: '%s' and '%s'\n",
              options->input, argument);
      return 1;
    }
    options->input = argument;
  } else if (cuteDriverOption(argument, "help", &value) ||
             cuteDriverOption(argument, "h", &value)) {
    printHelp();
    return 0;
  } else if (cuteDriverOption(argument, "version", &value)) {
    printVersion();
    return 0;
  } else if (cuteDriverOption(argument, "show-irdl", &value)) {
    return showIrdl();
  } else if (cuteDriverOption(argument, "o", &value)) {
    options->output = *value ? value : ++*i < argc ? argv[*i] : NULL;
    if (!options->output) {
      fprintf(stderr, "error: -o needs a file\n");
      return 1;
    }
  } else if (cuteDriverOption(argument, "pass-pipeline", &value)) {
    if (!*value && ++*i < argc)
      value = argv[*i];
    setText(&options->pipeline, value);
  } else if (cuteDriverOption(argument, "split-input-file", &value)) {
    options->split = true;
    options->separator = *value ? value : "// -----";
  } else if (cuteDriverOption(argument, "mlir-elide-elementsattrs-if-larger",
                              &value)) {
    options->print.elideElements = atoll(value);
  } else if (!takeFlag(options, argument) && !takePrinting(options, argument)) {
    appendPass(options, argument);
  }
  return -1;
}

static int process(Options *options) {
  const char *input = options->input ? options->input : "-";
  CuteString text = {0}, output = {0};
  if (!cuteReadFile(input, &text)) {
    fprintf(stderr, "error: cannot open input file '%s': %s\n", input,
            strerror(errno));
    return 1;
  }
  bool printsIr = options->printBefore.length || options->printAfter.length;
  options->threading &= !printsIr;
  bool ok = processParts(options, &text,
                         strcmp(input, "-") ? input : "<stdin>", &output);
  if (!options->verifyDiagnostics && (ok || options->split))
    ok &= cuteDriverWrite(options->output ? options->output : "-", &output);
  cuteStringDestroy(&text);
  cuteStringDestroy(&output);
  return ok ? 0 : 1;
}

int cuteOptMain(int argc, char **argv) {
  Options options = {
      .verifyEach = true, .threading = true, .separator = "// -----"};
  int code = -1;
  for (int i = 1; i < argc && code < 0; ++i)
    code = takeArgument(&options, argc, argv, &i);
  if (code < 0) {
    if (options.pipeline.length)
      mlirRegisterAllPasses();
    code = process(&options);
  }
  cuteStringDestroy(&options.pipeline);
  cuteStringDestroy(&options.printBefore);
  cuteStringDestroy(&options.printAfter);
  return code;
}
