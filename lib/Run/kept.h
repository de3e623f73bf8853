// Keeps what runs in one process share: generated tensors, and references.
#pragma once

#include "Check/reference.h"
#include "Run/operand.h"
#include "Run/run_options.h"

enum {
  CUTE_KEPT_TENSORS = 2 * CUTE_RUN_MAX_ARGUMENTS,
  CUTE_KEPT_REFERENCES = 8
};

typedef struct CuteKept {
  size_t numTensors, numReferences, bytes;
  CuteOperand tensors[CUTE_KEPT_TENSORS];
  char *texts[CUTE_KEPT_TENSORS];
  CuteReference references[CUTE_KEPT_REFERENCES];
  char *keys[CUTE_KEPT_REFERENCES]; // null: not to be found again
} CuteKept;

// Frees everything that no run uses any more.
void cuteKeptDestroy(CuteKept *kept);

// Parses the arguments of a run, at most CUTE_RUN_MAX_ARGUMENTS, into
// `operands`; `*count` were made. Tensors stay in `kept`, which forgets earlier
// ones once it has many: operands of earlier runs are gone.
CuteStatus cuteKeptParse(CuteKept *kept, const CuteRunArguments *arguments,
                         CuteOperand *operands, size_t *count);

// Evaluates --check on the operands, or finds what an earlier run evaluated on
// equal ones. The reference lives as long as the operands.
CuteStatus cuteKeptEvaluate(CuteKept *kept, const CuteRunOptions *options,
                            size_t n, const CuteOperand *operands,
                            const CuteReference **reference);
