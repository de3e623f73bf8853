// Batch lines that ask for everything that is known of an atom or of a tiled
// MMA or copy: {"id", "kind", ...}.
#pragma once

#include "Calculator/language/calculator.h"

#include <jansson.h>

// An object with the computed fields of the line's kind:
//   mma, copy              "name"
//   copy_atom              "name", "ValType"
//   gmma_smem_atom         "name", "ValType"
//   gmma_smem_tile         and "target_shape", "order"
//   tiled_mma              "atom", "atom_layout", "permutation", "inputA",
//                          "inputB", "inputC", "threads"
//   tiled_copy             "copy_op", "ValType", "thr_layout", "val_layout",
//                          "input", "threads"
//   tiled_copy_from_mma    "copy_op", "ValType", "atom", "atom_layout",
//                          "permutation", "operand", "input", "threads"
// where threads is a list of {"thr"}; inputs and threads may be left out, and
// with them the fields that need them. Null with a message.
json_t *cuteBatchDescribeAtom(CuteContext c, const json_t *line);

// The canonical text of a value, as JSON.
json_t *cuteBatchTextOf(CuteValue value);
