// JSON lines in, JSON lines out: {"id", "op", "args"} or {"id", "kind", ...}
// (batch_atoms.h) gives {"id", "result"}, with "warning" where a law fails, or
// {"id", "error"}.
#ifndef CUTE_CONFORMANCE_BATCH_H
#define CUTE_CONFORMANCE_BATCH_H

#include "cute/Laws.h"

#include <stdbool.h>
#include <stdio.h>

// Answers every line of `in` on `out`; false if one could not be written.
bool cuteBatchRun(FILE *in, FILE *out, CuteLawPolicy policy);

#endif
