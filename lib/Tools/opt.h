// Options of cute-opt.
#pragma once

#include "Tools/driver.h"

typedef struct CuteOptOptions {
  const char *input, *output;
  CuteString pipeline;
  CutePrintOptions print;
  bool split, verifyDiagnostics, verifyEach, timing, bytecode;
  bool disablesThreading;
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
  CuteString explainAfter; // the passes, in place of the module as read
  bool explain;
  unsigned explainDepth;
  bool time; // of each stage, to standard error
  CuteDriverParameters parameters;
} CuteOptOptions;

// Prints the passes and pipelines of this tool; gives the exit code.
int cuteOptPrintPasses(const char *value);

// Give the i-th row of --help on passes and on pipelines; their options are
// rows, too.
bool cuteOptGetPass(size_t i, CuteOption *row);
bool cuteOptGetPipeline(size_t i, CuteOption *row);

// Reads, processes and prints all parts of a text into the output, which begins
// with the first part that succeeds. False if something failed, about which
// diagnostics tell.
bool cuteOptProcess(const CuteOptOptions *options, CuteSource *source,
                    CuteOutputFile *output);
