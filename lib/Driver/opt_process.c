// The work of cute-opt: each part of the input is parsed, goes through the
// passes and is printed.
#include "Driver/opt.h"

#include "Support/clock.h"
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
  cuteDriverPrintDiagnostic(stderr, diagnostic, run->source);
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
            run->source->name, expectation->at, names[expectation->severity],
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
  CuteString now = {0};
  cuteOperationPrint(op, run->options->print, cuteAppendMlirString, &now);
  bool same =
      now.length == run->before.length &&
      !memcmp(cuteStringGet(&now), cuteStringGet(&run->before), now.length);
  cuteStringDestroy(&now);
  return !same;
}

static bool visitAfter(const char *pass, MlirOperation op, void *userData) {
  Run *run = userData;
  if (isListed(&run->options->printAfter, pass) &&
      (!run->options->printAfterChange || hasChanged(run, op)))
    printIr(run, "After", pass, op, NULL);
  return !run->options->verifyEach ||
         mlirLogicalResultIsSuccess(cuteOperationVerify(op));
}

static void reportPipeline(MlirStringRef message, void *userData) {
  (void)userData;
  fprintf(stderr, "error: %.*s\n", (int)message.length, message.data);
}

// Adds the passes; false with a message if the pipeline is wrong.
static bool addPasses(Run *run, MlirContext context, MlirPassManager manager,
                      CutePassObserver *observer) {
  const CuteOptOptions *options = run->options;
  MlirStringRef pipeline = mlirStringRefCreate(
      cuteStringGet(&options->pipeline), options->pipeline.length);
  return mlirLogicalResultIsSuccess(
      cutePipelineAdd(context, mlirPassManagerGetAsOpPassManager(manager),
                      pipeline, observer, reportPipeline, NULL));
}

// MLIR keeps its types, attributes and locations with less work while nothing
// else does: threads are for passes.
static bool runManager(const Run *run, MlirPassManager manager,
                       MlirOperation op) {
  MlirContext context = mlirOperationGetContext(op);
  mlirContextEnableMultithreading(context, run->options->threading);
  bool ok = mlirLogicalResultIsSuccess(mlirPassManagerRunOnOp(manager, op));
  mlirContextEnableMultithreading(context, false);
  return ok;
}

static bool runPasses(Run *run, MlirModule module) {
  if (!run->options->pipeline.length && !run->options->timing)
    return true;
  MlirContext context = mlirModuleGetContext(module);
  MlirOperation op = mlirModuleGetOperation(module);
  MlirPassManager manager = mlirPassManagerCreate(context);
  mlirPassManagerEnableVerifier(manager, run->options->verifyEach);
  if (run->options->timing)
    mlirPassManagerEnableTiming(manager);
  const CuteOptOptions *o = run->options;
  bool before =
      o->printBefore.length || o->printAfterChange || o->printAfterFailure;
  CutePassObserver observer = {
      before ? visitBefore : NULL,
      o->verifyEach || o->printAfter.length ? visitAfter : NULL, run};
  bool ok = addPasses(run, context, manager, &observer);
  run->pipelineFailed = !ok;
  if (ok && !runManager(run, manager, op)) {
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

static void printModule(const CuteOptOptions *options, MlirModule module,
                        CuteOutput *output) {
  MlirOperation op = mlirModuleGetOperation(module);
  if (options->bytecode) {
    mlirOperationWriteBytecode(op, cuteOutputAppend, output);
    return;
  }
  cuteOperationPrint(op, options->print, cuteOutputAppend, output);
  if (output->last != '\n')
    cuteOutputAppend(mlirStringRefCreate("\n", 1), output);
}

static bool checkLaws(const Run *run, MlirOperation op) {
  return mlirLogicalResultIsSuccess(cuteOperationCheckLaws(
      op, run->options->strict ? CUTE_LAWS_STRICT : CUTE_LAWS_WARN));
}

static bool processModule(Run *run, MlirModule module, CuteOutput *output) {
  Times *times = run->times;
  MlirOperation op = mlirModuleGetOperation(module);
  if (run->options->explain)
    cuteOperationExplain(op, run->options->explainDepth);
  double start = cuteProcessorNow();
  bool ok = checkLaws(run, op);
  cuteLap(&start, &times->laws);
  ok = ok && runPasses(run, module);
  cuteLap(&start, &times->passes);
  if (ok)
    printModule(run->options, module, output);
  cuteLap(&start, &times->print);
  return ok;
}

static bool processIn(Run *run, MlirContext context, CuteStringRef part,
                      unsigned firstLine, CuteOutput *output) {
  cuteDiagnosticHandlerAttach(context, handleDiagnostic, run);
  MlirModule module =
      cuteModuleParseFrom(context, toMlirString(part),
                          mlirStringRefCreateFromCString(run->source->name),
                          firstLine, &run->times->parse);
  bool ok = !mlirModuleIsNull(module) && processModule(run, module, output);
  if (!mlirModuleIsNull(module))
    mlirModuleDestroy(module);
  cuteDiagnosticHandlerDetach(context);
  return ok;
}

static bool processPart(const CuteOptOptions *options, MlirContext context,
                        CuteSource *source, CuteStringRef part,
                        unsigned firstLine, Times *times, CuteOutput *output) {
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

static void writeSeparator(const CuteOptOptions *options, CuteOutput *output) {
  cuteOutputAppend(mlirStringRefCreateFromCString(options->separator), output);
  cuteOutputAppend(mlirStringRefCreate("\n", 1), output);
}

// Cuts the text at lines that begin with the separator.
static bool processParts(const CuteOptOptions *options, MlirContext context,
                         CuteSource *source, Times *times, CuteOutput *output) {
  const CuteString *text = &source->text;
  const char *at = cuteStringGet(text), *end = at + text->length, *start = at;
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
                    CuteOutput *output) {
  MlirContext context = cuteDriverCreateContext();
  if (mlirContextIsNull(context))
    return false;
  mlirContextSetAllowUnregisteredDialects(context, options->allowUnregistered);
  Times times = {0};
  bool ok = processParts(options, context, source, &times, output);
  if (options->time)
    printTimes(&times);
  cuteDriverDestroyContext(context);
  return ok;
}
