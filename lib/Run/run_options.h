// The command line of cute-run as a struct.
#pragma once

#include "Run/measure.h"

enum {
  CUTE_RUN_MAX_ARGUMENTS = 32,
  CUTE_RUN_MAX_OUTPUTS = 32,
  CUTE_RUN_MAX_RUNS = 64
};

// The arguments of one run.
typedef struct CuteRunArguments {
  size_t count;
  const char *data[CUTE_RUN_MAX_ARGUMENTS];
} CuteRunArguments;

typedef struct CuteRunOptions {
  const char *manifest, *kernel, *check, *row, *flops;
  const char *lines; // a file of lines, or null
  const char *host;  // a function of the file that is called; null: a kernel
  const char *arch, *passes, *schedule, *timeout, *blocks, *checks; // or null
  bool reports;                                                     // of sim
  const char *trace;                         // a file, or null
  const char *breakAt;                       // LINE:BLOCK,THREAD, or null
  const char *reportFormat, *reportFile;     // null: text; to standard output
  int64_t schedules;                         // 0: one
  const char *outputs[CUTE_RUN_MAX_OUTPUTS]; // I=FILE
  const char *references[CUTE_RUN_MAX_OUTPUTS]; // I=FILE
  size_t numOutputs, numReferences;
  size_t numAgain; // runs after the first
  CuteRunArguments arguments[CUTE_RUN_MAX_RUNS];
  int64_t grid[3], block[3], sharedBytes;
  int64_t sample; // elements to check; 0: all
  uint64_t seed;  // of the sample
  double tolerance;
  bool unchanged;    // tensors that are not compared must stay as they are
  double benchTime;  // milliseconds of one round; 0: thoroughly
  bool copyBaseline; // time a copy of the largest tensor, too
  CuteCache cache;
  int device;
  bool hasGrid, hasBlock, bench, list, json, time;
  bool header, hasDevice, deviceArch, deviceName;
} CuteRunOptions;

// Fills in the options. *code is the exit code if one of them, such as --help,
// has been answered, or -1.
CuteStatus cuteRunOptionsTake(CuteRunOptions *options, int argc, char **argv,
                              int *code);

// Fails where a file that is written is one that is read, or written twice.
CuteStatus cuteRunFilesCheck(const CuteRunOptions *options);
