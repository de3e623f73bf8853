// cute-opt: reads modules, runs passes on them, prints them.
#include "Driver/opt.h"

#include "cute/Passes.h"

#include <llvm-c/Core.h>
#include <mlir-c/RegisterEverything.h>

#include <errno.h>
#include <stdlib.h>

//===-- Help --------------------------------------------------------------===//

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
      "  --strict                      ops whose result breaks a law of the "
      "algebra\n"
      "                                are errors, not warnings\n"
      "  --emit-bytecode               write MLIR bytecode\n"
      "  --mlir-print-op-generic       print the generic form\n"
      "  --mlir-print-debuginfo        print locations\n"
      "  --mlir-pretty-debuginfo       print locations to be read, not parsed\n"
      "  --mlir-print-local-scope      print without aliases\n"
      "  --mlir-elide-elementsattrs-if-larger=N\n"
      "  --mlir-print-ir-before-all    print the IR around passes, to "
      "standard\n"
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
  printf("cute-opt %s, LLVM/MLIR %u.%u.%u\n", CUTE_VERSION, major, minor,
         patch);
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

//===-- Arguments ---------------------------------------------------------===//

static bool isFalse(const char *value) {
  return !strcmp(value, "0") || !strcmp(value, "false");
}

// A flag that only sets a boolean; false if the argument is none.
static bool takeFlag(CuteOptOptions *options, const char *argument) {
  const struct {
    const char *name;
    bool *flag, value;
  } flags[] = {
      {"verify-diagnostics", &options->verifyDiagnostics, true},
      {"verify-each", &options->verifyEach, true},
      {"allow-unregistered-dialect", &options->allowUnregistered, true},
      {"strict", &options->strict, true},
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

static bool takePrinting(CuteOptOptions *options, const char *argument) {
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

static void appendPass(CuteOptOptions *options, const char *argument) {
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
static int takeArgument(CuteOptOptions *options, int argc, char **argv,
                        int *i) {
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

//===-- Main --------------------------------------------------------------===//

static int process(CuteOptOptions *options) {
  const char *input = options->input ? options->input : "-";
  CuteString text = {0}, output = {0};
  if (!cuteReadFile(input, &text)) {
    fprintf(stderr, "error: cannot open input file '%s': %s\n", input,
            strerror(errno));
    return 1;
  }
  bool printsIr = options->printBefore.length || options->printAfter.length;
  options->threading &= !printsIr;
  bool ok = cuteOptProcess(options, &text,
                           strcmp(input, "-") ? input : "<stdin>", &output);
  if (!options->verifyDiagnostics && (ok || options->split))
    ok &= cuteDriverWrite(options->output ? options->output : "-", &output);
  cuteStringDestroy(&text);
  cuteStringDestroy(&output);
  return ok ? 0 : 1;
}

int cuteOptMain(int argc, char **argv) {
  CuteOptOptions options = {
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
