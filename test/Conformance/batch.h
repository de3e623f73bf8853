// JSON lines in, JSON lines out: {"id", "op", "args"} or {"id", "kind", ...}
// (batch_atoms.h) gives {"id", "result"}, with "warning" where a law fails, or
// {"id", "error"}.
#pragma once

#include "cute/Laws.h"

#include <stdbool.h>
#include <stdio.h>

// Answers every line of `in` on `out`; false if one could not be written.
bool cuteBatchRun(FILE *in, FILE *out, CuteLawPolicy policy);
