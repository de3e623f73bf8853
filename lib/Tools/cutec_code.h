// Compiles one input to all that cutec writes of it.
#pragma once

#include "Tools/cutec_options.h"

enum { CUTE_CUTEC_NUM_TEMPS = 3 };

typedef struct CuteCutecCode {
  CuteString code, manifest;
  CuteString header;                      // beside the code, if that is C
  CuteString report;                      // with --report
  CuteString temps[CUTE_CUTEC_NUM_TEMPS]; // with --save-temps
  CuteCompileTimes times;                 // of the last architecture
  double parse;
} CuteCutecCode;

// The extensions of the files with what lies before the code.
extern const char *const cuteCutecTempExtensions[CUTE_CUTEC_NUM_TEMPS];

// Compiles a source as the options say; `file` is the code's name in the
// manifest, `name` that of a module in C. False with diagnostics.
bool cuteCutecProduce(const CuteCutecOptions *options, MlirContext context,
                      const CuteSource *source, const char *file,
                      const char *name, CuteCutecCode *code);
// Parses a source and runs passes as for compiling it, and proves what it can
// of its kernels. False with diagnostics, or where something is refuted.
bool cuteCutecProveSource(const CuteCutecOptions *options, MlirContext context,
                          const CuteSource *source);
void cuteCutecDestroyCode(CuteCutecCode *code);

// With --prove, prints what is proved and refuted of a source, and not decided,
// to standard output: false with diagnostics where it does not compile, and
// where something is refuted. Without it, warns of what is refuted. Kernels of
// `plain` are compared, unless it is null.
bool cuteCutecProve(const CuteCutecOptions *options, MlirContext context,
                    const CuteSource *source, MlirModule module,
                    MlirModule plain);
