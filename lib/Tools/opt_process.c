// The work of cute-opt: each part of the input is parsed, goes through the
// passes and is printed.
#include "Support/diagnostic_format.h"
#include "Tools/opt.h"

#include "Support/clock.h"
#include "Support/say_error.h"
#include "Text/parse.h"
#include "cute/Passes.h"

// Milliseconds of processor time of all parts together.
typedef struct Times {
  CuteParseTimes parse;
  double laws, passes, print;
} Times;

// One run over one part of the input.
typedef struct Run {
  const CuteOptOptions *options;
  CuteSource *source; // the whole file
  Times *times;
  CuteExpectations expectations;
  CuteString before; // IR before the current pass, for changes
  CuteString currentPass;
  bool failed;
  bool pipelineFailed; // no diagnostic of the input
  bool hasErrors;      // passes of MLIR may say one and succeed
} Run;

//===-- Diagnostics -------------------------------------------------------===//

static void handleOne(Run *run, const CuteDiagnostic *diagnostic) {
  if (run->options->verifyDiagnostics) {
    if (cuteExpectationsMeet(&run->expectations, diagnostic))
      return;
    if (diagnostic->severity == CUTE_SEVERITY_NOTE ||
        run->options->onlyExpected)
      return;
    run->failed = true;
    fputs("unexpected ", stderr);
  }
  cuteDriverPrintDiagnostic(stderr, diagnostic, run->source);
}

static void handleDiagnostic(const CuteDiagnostic *diagnostic, size_t numNotes,
                             const CuteDiagnostic *notes, void *userData) {
  Run *run = userData;
  run->hasErrors |= cuteDriverIsError(diagnostic->severity);
  handleOne(run, diagnostic);
  for (size_t i = 0; i < numNotes; ++i)
    handleOne(userData, &notes[i]);
}

static bool checkExpectations(Run *run) {
  for (size_t i = 0; i < run->expectations.count; ++i) {
    const CuteExpectation *expectation = &run->expectations.list[i];
    if (expectation->isMet)
      continue;
    fprintf(stderr,
            "%s:%u: error: expected %s \"%.*s\" was not produced on line %u\n",
            run->source->name, expectation->at,
            cuteDiagnosticGetName((CuteSaidKind)expectation->severity),
            CUTE_TEXT(expectation->message), expectation->line);
    run->failed = true;
  }
  return !run->failed;
}

//===-- Between passes ----------------------------------------------------===//

static bool isListed(const CuteString *list, const char *pass) {
  return !strcmp(cuteStringGet(list), "*") ||
         cuteTextListHas(cuteStringGetRef(list), cuteStringRef(pass));
}

static MlirOperation outermost(MlirOperation op) {
  for (MlirOperation parent = op; !mlirOperationIsNull(parent);
       parent = mlirOperationGetParentOperation(op))
    op = parent;
  return op;
}

static void printIr(Run *run, const char *when, const char *pass,
                    MlirOperation op, CuteString *text) {
  fprintf(stderr, "// -----// IR Dump %s %s //----- //\n", when, pass);
  if (text) {
    fwrite(cuteStringGet(text), 1, text->length, stderr);
  } else {
    CUTE_SCOPED(String) printed = {0};
    if (run->options->printModuleScope)
      op = outermost(op);
    cuteOperationPrint(op, run->options->print, cuteAppendMlirString, &printed);
    fwrite(cuteStringGet(&printed), 1, printed.length, stderr);
  }
  fputs("\n\n", stderr);
}

static bool visitBefore(const char *pass, MlirOperation op, void *userData) {
  Run *run = userData;
  cuteStringClear(&run->currentPass);
  cuteStringAppend(&run->currentPass, pass);
  if (isListed(&run->options->printBefore, pass))
    printIr(run, "Before", pass, op, NULL);
  if (!run->options->printAfterChange)
    return true;
  cuteStringClear(&run->before);
  cuteOperationPrint(op, run->options->print, cuteAppendMlirString,
                     &run->before);
  return true;
}

static bool hasChanged(const Run *run, MlirOperation op) {
  CUTE_SCOPED(String) now = {0};
  cuteOperationPrint(op, run->options->print, cuteAppendMlirString, &now);
  return !cuteTextIsSame(cuteStringGetRef(&now),
                         cuteStringGetRef(&run->before));
}

static bool visitAfter(const char *pass, MlirOperation op, void *userData) {
  Run *run = userData;
  if (isListed(&run->options->printAfter, pass) &&
      (!run->options->printAfterChange || hasChanged(run, op)))
    printIr(run, "After", pass, op, NULL);
  if (isListed(&run->options->explainAfter, pass))
    cuteOperationExplain(op, run->options->explainDepth);
  return !run->options->verifyEach ||
         (mlirOperationVerify(op) &&
          mlirLogicalResultIsSuccess(cuteOperationVerify(op)));
}

static void reportPipeline(MlirStringRef message, CUTE_UNUSED void *userData) {
  cuteSayError("%.*s", CUTE_TEXT(message));
}

// Adds the passes; false with a message if the pipeline is wrong.
static bool addPasses(Run *run, MlirContext context, MlirPassManager manager,
                      const CutePassObserver *observer) {
  const CuteOptOptions *options = run->options;
  MlirStringRef pipeline = cuteMlirText(&options->pipeline);
  return mlirLogicalResultIsSuccess(
      cutePipelineAdd(context, mlirPassManagerGetAsOpPassManager(manager),
                      pipeline, observer, reportPipeline, NULL));
}

// MLIR keeps its types, attributes and locations with less work while nothing
// else does: threads are for passes.
static bool runManager(const Run *run, MlirPassManager manager,
                       MlirOperation op) {
  MlirContext context = mlirOperationGetContext(op);
  mlirContextEnableMultithreading(context, !run->options->disablesThreading);
  bool ok = mlirLogicalResultIsSuccess(mlirPassManagerRunOnOp(manager, op));
  mlirContextEnableMultithreading(context, false);
  return ok;
}

static void appendToStderr(MlirStringRef text, CUTE_UNUSED void *userData) {
  fwrite(text.data, 1, text.length, stderr);
}

static MlirPassManager createManager(const CuteOptOptions *options,
                                     MlirContext context) {
  MlirPassManager manager = mlirPassManagerCreate(context);
  mlirPassManagerEnableVerifier(manager, false); // visitAfter does
  if (options->timing)
    mlirPassManagerEnableTiming(manager);
  if (options->statistics)
    mlirPassManagerEnableStatistics(
        manager, options->statisticsAsList ? MLIR_PASS_DISPLAY_MODE_LIST
                                           : MLIR_PASS_DISPLAY_MODE_PIPELINE);
  return manager;
}

// The passes alone, as --pass-pipeline takes them; errors are reported when the
// pipeline runs.
static void dumpPipeline(Run *run, MlirContext context) {
  const CutePassObserver none = {0};
  MlirPassManager manager = mlirPassManagerCreateOnOperation(
      context, cuteMlirString("builtin.module"));
  if (addPasses(run, context, manager, &none)) {
    mlirPrintPassPipeline(mlirPassManagerGetAsOpPassManager(manager),
                          appendToStderr, NULL);
    fputc('\n', stderr);
  }
  mlirPassManagerDestroy(manager);
}

static bool runPasses(Run *run, MlirModule module) {
  if (!run->options->pipeline.length && !run->options->timing)
    return true;
  MlirContext context = mlirModuleGetContext(module);
  MlirOperation op = mlirModuleGetOperation(module);
  const CuteOptOptions *o = run->options;
  MlirPassManager manager = createManager(o, context);
  bool before =
      o->printBefore.length || o->printAfterChange || o->printAfterFailure;
  CutePassObserver observer = {before ? visitBefore : NULL,
                               o->verifyEach || o->printAfter.length ||
                                       o->explainAfter.length
                                   ? visitAfter
                                   : NULL,
                               run};
  bool ok = addPasses(run, context, manager, &observer);
  if (ok && o->dumpPipeline)
    dumpPipeline(run, context);
  run->pipelineFailed = !ok;
  if (ok && !runManager(run, manager, op)) {
    ok = false;
    if (run->options->printAfterFailure) {
      CUTE_SCOPED(String) text = {0};
      CutePrintOptions generic = run->options->print;
      generic.generic = true;
      cuteOperationPrint(op, generic, cuteAppendMlirString, &text);
      printIr(run, "After Failed", cuteStringGet(&run->currentPass), op, &text);
    }
  }
  mlirPassManagerDestroy(manager);
  return ok;
}

//===-- One part of the input ---------------------------------------------===//

static bool writeBytecode(const CuteOptOptions *options, MlirOperation op,
                          MlirStringCallback callback, void *userData) {
  MlirBytecodeWriterConfig config = mlirBytecodeWriterConfigCreate();
  if (options->bytecodeVersion >= 0)
    mlirBytecodeWriterConfigDesiredEmitVersion(config,
                                               options->bytecodeVersion);
  MlirLogicalResult written =
      mlirOperationWriteBytecodeWithConfig(op, config, callback, userData);
  mlirBytecodeWriterConfigDestroy(config);
  return mlirLogicalResultIsSuccess(written);
}

// False with a diagnostic where the form cannot be written.
static bool print(const CuteOptOptions *options, MlirModule module,
                  MlirStringCallback callback, void *userData) {
  MlirOperation op = mlirModuleGetOperation(module);
  if (options->bytecode)
    return writeBytecode(options, op, callback, userData);
  cuteOperationPrint(op, options->print, callback, userData);
  return true;
}

// The module has been verified: after parsing, and after each pass.
static bool printModule(const CuteOptOptions *given, MlirModule module,
                        CuteOutputFile *output) {
  CuteOptOptions verified = *given, *options = &verified;
  options->print.assumeVerified |=
      options->verifyEach || !options->pipeline.length;
  if (!print(options, module, cuteDriverAppend, output))
    return false;
  if (!options->bytecode && output->last != '\n')
    cuteDriverAppend(mlirStringRefCreate("\n", 1), output);
  return true;
}

// The text that two modules are compared by: all of them, and locations if they
// are printed in a form that has all of these. Pretty forms have none for what
// they leave out, as scf.for for its yield.
static void printToCompare(const CuteOptOptions *options, MlirModule module,
                           CuteString *text) {
  const CutePrintOptions *o = &options->print;
  CutePrintOptions print = {.generic = true, .localScope = true};
  print.debugInfo = options->bytecode || (o->generic && o->debugInfo);
  cuteOperationPrint(mlirModuleGetOperation(module), print,
                     cuteAppendMlirString, text);
}

static void reportDifference(MlirOperation op, const char *a, const char *b) {
  while (*a && *a == *b) {
    size_t n = strcspn(a, "\n"), m = strcspn(b, "\n");
    if (n != m || memcmp(a, b, n))
      break;
    a += n + (a[n] == '\n');
    b += m + (b[m] == '\n');
  }
  CUTE_ERROR_AT(op,
                "the round trip changed the module: \"%.*s\" became \"%.*s\"",
                (int)strcspn(a, "\n"), a, (int)strcspn(b, "\n"), b);
}

// --verify-roundtrip
static bool readsAgain(const Run *run, MlirModule module) {
  MlirOperation op = mlirModuleGetOperation(module);
  CUTE_SCOPED(String) text = {0}, before = {0}, after = {0};
  if (!print(run->options, module, cuteAppendMlirString, &text))
    return false;
  MlirModule again =
      (run->options->bytecode ? cuteModuleParseBytecode : cuteModuleParse)(
          mlirModuleGetContext(module), cuteMlirText(&text),
          cuteMlirString("<round trip>"));
  if (mlirModuleIsNull(again))
    return false;
  printToCompare(run->options, module, &before);
  printToCompare(run->options, again, &after);
  mlirModuleDestroy(again);
  bool ok = !strcmp(cuteStringGet(&before), cuteStringGet(&after));
  if (!ok)
    reportDifference(op, cuteStringGet(&before), cuteStringGet(&after));
  return ok;
}

static bool processModule(Run *run, MlirModule module, CuteOutputFile *output) {
  Times *times = run->times;
  MlirOperation op = mlirModuleGetOperation(module);
  if (run->options->explain && !run->options->explainAfter.length)
    cuteOperationExplain(op, run->options->explainDepth);
  double start = cuteProcessorNow();
  bool ok =
      mlirLogicalResultIsSuccess(cuteOperationCheckLaws(
          op, run->options->strict ? CUTE_LAWS_STRICT : CUTE_LAWS_WARN)) &&
      (!run->options->verifyRoundtrip || readsAgain(run, module));
  cuteLap(&start, &times->laws);
  ok = ok && runPasses(run, module) && !run->hasErrors;
  cuteLap(&start, &times->passes);
  ok = ok && printModule(run->options, module, output);
  cuteLap(&start, &times->print);
  return ok;
}

static void rest(void *userData) {
  const CuteSource *source = userData;
  cuteFileTextRest(&source->file);
}

static MlirModule parse(const Run *run, MlirContext context, MlirStringRef text,
                        unsigned firstLine) {
  MlirStringRef name = cuteMlirString(run->source->name);
  if (run->options->readBytecode && cuteParseIsBytecode(text))
    return cuteModuleParseBytecode(context, text, name);
  const CuteDriverParameters *parameters = &run->options->parameters;
  CuteParseOptions options = {.firstLine = firstLine,
                              .numParameters = parameters->count,
                              .parameters = parameters->list,
                              .notesLaws = true,
                              .rest = rest,
                              .restData = run->source};
  return cuteModuleParseFrom(context, text, name, options, &run->times->parse);
}

static bool processIn(Run *run, MlirContext context, CuteStringRef part,
                      unsigned firstLine, CuteOutputFile *output) {
  cuteDiagnosticHandlerAttach(context, handleDiagnostic, run);
  MlirModule module = parse(run, context, toMlirString(part), firstLine);
  bool ok = !mlirModuleIsNull(module) && processModule(run, module, output);
  if (!mlirModuleIsNull(module))
    mlirModuleDestroy(module);
  cuteDiagnosticHandlerDetach(context);
  return ok;
}

static bool processPart(const CuteOptOptions *options, MlirContext context,
                        CuteSource *source, CuteStringRef part,
                        unsigned firstLine, Times *times,
                        CuteOutputFile *output) {
  Run run = {.options = options, .source = source, .times = times};
  bool ok = !options->verifyDiagnostics ||
            cuteExpectationsRead(&run.expectations, part, firstLine);
  if (ok) {
    bool processed = processIn(&run, context, part, firstLine, output);
    ok = options->verifyDiagnostics
             ? checkExpectations(&run) && !run.pipelineFailed
             : processed;
  }
  cuteExpectationsDestroy(&run.expectations);
  cuteStringDestroy(&run.before);
  cuteStringDestroy(&run.currentPass);
  return ok;
}

static void writeSeparator(const CuteOptOptions *options,
                           CuteOutputFile *output) {
  const char *text =
      options->outputSeparator ? options->outputSeparator : options->separator;
  cuteDriverAppend(cuteMlirString(text), output);
  cuteDriverAppend(mlirStringRefCreate("\n", 1), output);
}

// Cuts the text at lines that begin with the separator.
static bool processParts(const CuteOptOptions *options, MlirContext context,
                         CuteSource *source, Times *times,
                         CuteOutputFile *output) {
  CuteStringRef text = source->text;
  const char *at = text.data, *end = at + text.length, *start = at;
  size_t n = strlen(options->separator);
  unsigned line = 1, firstLine = 1;
  bool ok = true, isFirst = true;
  while (at <= end) {
    const char *newline =
        at < end ? memchr(at, '\n', (size_t)(end - at)) : NULL;
    const char *stop = newline ? newline : end;
    bool separates = options->split && (size_t)(stop - at) >= n &&
                     !memcmp(at, options->separator, n);
    if (separates || stop == end) {
      if (!isFirst)
        writeSeparator(options, output);
      isFirst = false;
      CuteStringRef part = {start, (size_t)((separates ? at : stop) - start)};
      ok &=
          processPart(options, context, source, part, firstLine, times, output);
      start = stop + 1;
      firstLine = line + 1;
    }
    at = stop + 1;
    ++line;
  }
  return ok;
}

static void printTimes(const Times *times) {
  fprintf(stderr,
          "read %.1f ms, parse %.1f ms, locate %.1f ms, verify %.1f ms, "
          "laws %.1f ms, passes %.1f ms, print %.1f ms\n",
          times->parse.read, times->parse.parse, times->parse.locate,
          times->parse.verify, times->laws, times->passes, times->print);
}

bool cuteOptProcess(const CuteOptOptions *options, CuteSource *source,
                    CuteOutputFile *output) {
  MlirContext context = cuteDriverCreateContext();
  if (mlirContextIsNull(context))
    return false;
  mlirContextSetAllowUnregisteredDialects(context, options->allowUnregistered);
  Times times = {0};
  bool ok = processParts(options, context, source, &times, output);
  if (options->time)
    printTimes(&times);
  cuteMlirContextDestroy(context);
  return ok;
}
