// The options of cutec.
#ifndef CUTE_DRIVER_CUTEC_OPTIONS_H
#define CUTE_DRIVER_CUTEC_OPTIONS_H

#include "Driver/driver.h"
#include "cute/Target.h"

typedef struct CuteCutecOptions {
  const char *input, *output, *manifest, *passes;
  const char *exportPrefix; // of an object with its header; null: none
  const char *report;       // "", "text" or "json"; null: none
  CuteCompileOptions compile;
  CuteDriverParameters parameters; // the list is the caller's to free
  bool noManifest, time, strict, lint;
} CuteCutecOptions;

// Reads the arguments. Returns -1 to go on, or the exit code where there is
// nothing to compile: after an error, or after printing what was asked for.
int cuteCutecTakeOptions(CuteCutecOptions *options, int argc, char **argv);

// Gives the extension of a file of that kind: ".ptx".
const char *cuteCutecGetExtension(CuteEmit emit);

#endif
