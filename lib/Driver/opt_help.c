// The help of cute-opt on its passes and options.
#include "Driver/opt.h"
#include "cute/Passes.h"

static void printOptionRows(const char *pass) {
  for (size_t i = 0; i < cutePassOptionGetNum(); ++i) {
    CutePassOptionInfo info = cutePassOptionGetInfo(i);
    if (!strcmp(info.pass, pass))
      printf(*info.defaultValue ? "      %-24s %s (default: %s)\n"
                                : "      %-24s %s\n",
             info.name, info.summary, info.defaultValue);
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

bool cuteOptPrintPasses(void) {
  puts("PASSES OF THIS TOOL (all of MLIR's run too, but --cse and\n"
       "--canonicalize leave cute ops alone: see --cute-canonicalize):");
  printPassRows(false);
  puts("\nPIPELINES:");
  printPassRows(true);
  return true;
}

const char cuteOptOptionsHelp[] =
    "\nOPTIONS:\n"
    "  -o FILE                       write there instead of standard output\n"
    "  -D NAME=VALUE                 value of a parameter that the module "
    "declares\n"
    "  --pass-pipeline=TEXT          builtin.module(...), in MLIR's syntax\n"
    "  --dump-pass-pipeline          print the passes to run to standard "
    "error\n"
    "  --list-passes                 print the list above\n"
    "  --split-input-file[=SEP]      handle parts between lines '// -----' "
    "apart\n"
    "  --output-split-marker=SEP     the line between the parts printed\n"
    "  --verify-diagnostics          compare diagnostics with expected-... "
    "comments\n"
    "  --verify-diagnostics=only-expected\n"
    "                                ... and let others pass\n"
    "  --verify-roundtrip            print the input, read that again, and "
    "fail if\n"
    "                                it is another module\n"
    "  --verify-each[=BOOL]          verify after each pass (default: true)\n"
    "  --allow-unregistered-dialect  accept ops of unknown dialects\n"
    "  --strict                      ops whose result breaks a law of the "
    "algebra\n"
    "                                are errors, not warnings\n"
    "  --time                        print the processor time of each stage "
    "to\n"
    "                                standard error\n"
    "  --read-bytecode               read MLIR bytecode, too, which must be "
    "trusted:\n"
    "                                MLIR does not check it\n"
    "  --emit-bytecode               write MLIR bytecode\n"
    "  --emit-bytecode-version=N     ... of an older version\n"
    "  --mlir-print-op-generic       print the generic form\n"
    "  --mlir-print-debuginfo        print locations\n"
    "  --mlir-pretty-debuginfo       print locations for people to read\n"
    "  --mlir-print-local-scope      print without aliases\n"
    "  --mlir-print-skip-regions     print ops without their regions\n"
    "  --mlir-elide-elementsattrs-if-larger=N\n"
    "  --mlir-elide-resource-strings-if-larger=N\n"
    "  --mlir-use-nameloc-as-prefix  name values after their locations\n"
    "  --mlir-print-assume-verified  do not verify before printing\n"
    "  --mlir-print-ir-before-all    print the IR around passes, to "
    "standard\n"
    "  --mlir-print-ir-after-all     error\n"
    "  --mlir-print-ir-before=LIST   ... around the named passes\n"
    "  --mlir-print-ir-after=LIST\n"
    "  --mlir-print-ir-after-change  ... only where it changed\n"
    "  --mlir-print-ir-after-failure ... when a pass fails\n"
    "  --mlir-print-ir-module-scope  ... always the whole module\n"
    "  --mlir-timing                 print the time that passes took\n"
    "  --mlir-pass-statistics        print what passes counted\n"
    "  --mlir-pass-statistics-display=list|pipeline\n"
    "  --mlir-disable-threading      run passes on one thread\n"
    "  --show-irdl                   print the dialect as IRDL, for\n"
    "                                mlir-opt --irdl-file\n"
    "  --cute-print-stock            print the generic form that it reads "
    "then\n"
    "  --cute-explain[=DEPTH]        explain in remarks how the results of "
    "layout ops\n"
    "                                come about, in nested steps down to "
    "DEPTH\n"
    "  --cute-explain-after=LIST     ... after the named passes, not as "
    "read\n"
    "  --show-doc                    print the dialect's reference in "
    "Markdown\n"
    "  --help, --version";

bool cuteOptPrintHelp(void) {
  puts("OVERVIEW: reads .mlir files of the cute dialect, runs passes, prints\n"
       "\n"
       "USAGE: cute-opt [options] [input file, default -]\n"
       "\n"
       "Passes run in the order in which they are named. Options of a pass "
       "follow it:\n"
       "  --cute-to-ptx=\"arch=sm_90\"\n");
  cuteOptPrintPasses();
  puts(cuteOptOptionsHelp);
  return true;
}
