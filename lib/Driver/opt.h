// Options of cute-opt.
#ifndef CUTE_DRIVER_OPT_H
#define CUTE_DRIVER_OPT_H

#include "Driver/driver.h"
#include "cute/Assembly.h"

typedef struct CuteOptOptions {
  const char *input, *output;
  CuteString pipeline;
  CutePrintOptions print;
  bool split, verifyDiagnostics, verifyEach, timing, threading, bytecode;
  bool onlyExpected; // other diagnostics than those expected do not matter
  bool readBytecode;
  bool verifyRoundtrip, dumpPipeline;
  bool statistics, statisticsAsList;
  int64_t bytecodeVersion; // -1: the newest
  bool allowUnregistered, strict;
  const char *separator, *outputSeparator; // null: the same
  // Printing around passes: comma-separated names, or "*" for all.
  CuteString printBefore, printAfter;
  bool printBeforeAll, printAfterAll;
  bool printModuleScope, printAfterChange, printAfterFailure;
  CuteString explainAfter; // the passes, in the place of the module as read
  bool explain;
  unsigned explainDepth;
  bool time; // of each stage, to standard error
  CuteDriverParameters parameters;
} CuteOptOptions;

// The passes and pipelines of this tool, and all that --help says, to standard
// output. Both return true.
bool cuteOptPrintPasses(void);
bool cuteOptPrintHelp(void);

// The text of --help on the options.
extern const char cuteOptOptionsHelp[];

// Reads, processes and prints all parts of a text into the output, which begins
// with the first part that succeeds. False if something failed, of which
// diagnostics tell.
bool cuteOptProcess(const CuteOptOptions *options, CuteSource *source,
                    CuteOutputFile *output);

#endif
