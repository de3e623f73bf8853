// The options of cutec.
#pragma once

#include "Tools/driver.h"
#include "cute/Target.h"

// The form in which compiled code is written.
typedef enum CuteCutecForm {
  CUTE_CUTEC_PLAIN,  // as compile.emit says
  CUTE_CUTEC_FATBIN, // cubins, and PTX for later architectures
  CUTE_CUTEC_C       // source in C with one of those in it
} CuteCutecForm;

enum { CUTE_CUTEC_MAX_ARCHS = 7 }; // and PTX, in a fat binary

typedef struct CuteCutecOptions {
  const char **inputs;
  size_t numInputs;
  const char *output, *manifest, *passes, *depfile, *reproducer, *cache;
  const char *archs[CUTE_CUTEC_MAX_ARCHS]; // compile.arch is the first
  size_t numArchs;
  CuteCutecForm form, embed; // embed, embedEmit: what C has in it
  CuteEmit embedEmit;
  bool saveTemps, verbose, noCache, depfiles; // depfiles: with names of ours
  const char *exportPrefix; // of an object with its header; null: none
  const char *report;       // "", "text" or "json"; null: none
  CuteCompileOptions compile;
  CuteDriverParameters parameters;
  bool noManifest, time, strict, lint, lintFast, prove;
  const char *plain; // a file whose kernels --prove compares; null: none
} CuteCutecOptions;

// Reads the arguments; cuteCutecDestroyOptions ends them. Returns -1 to
// continue, or the exit code if there is nothing to compile: after an error, or
// after printing what was asked for.
int cuteCutecTakeOptions(CuteCutecOptions *options, int argc, char **argv);

void cuteCutecDestroyOptions(CuteCutecOptions *options);

// Gives the extension of a file of the kind that is asked for: ".ptx".
const char *cuteCutecGetExtension(const CuteCutecOptions *options);

// The name of device 0's architecture, sm_90a rather than sm_90 if it exists,
// or null with a message without a driver, a device, or a name for it.
const char *cuteNativeArchGet(const char **message);
