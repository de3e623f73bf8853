// cutec --prove: claims about kernels for every size, proved, refuted by a run
// of the simulator, or named as not decided.
#pragma once

#include "Prove/claims.h"

typedef struct CuteProveOptions {
  const char *arch;     // sm_XX
  MlirModule plain;     // kernels to compare with; null: none
  bool isOther;         // from another file, which has to have all kernels
  CuteConfirm *confirm; // null: nothing is refuted
  void *confirmData;
} CuteProveOptions;

// Inlines a module's single-block functions into its kernels.
void cuteInlineCalls(MlirOperation module);

// Decides the claims about all kernels of a module, which stays as it is, and
// appends a line for each; without a report, warns of what is refuted.
// False, with a diagnostic if there is a report, where the module does not
// compile. *isRefuted tells whether one was refuted.
bool cuteProveModule(CuteDialect *dialect, MlirModule module,
                     const CuteProveOptions *options, CuteString *report,
                     bool *isRefuted);
