// A reference as programs for a stack machine whose values are vectors over a
// piece of the innermost index: one for the left side, and before it one for
// each reduction, whose results it reads like a tensor.
#pragma once

#include "Check/sample.h"
#include "Support/formula.h"

#include <stdatomic.h>

enum {
  CUTE_MAX_INDICES = 12,
  CUTE_MAX_STEPS = 256,
  CUTE_MAX_STACK = 16,
  CUTE_MAX_ARGUMENTS = 26,
  CUTE_MAX_REDUCTIONS = 16,
  CUTE_MAX_TENSORS = CUTE_MAX_ARGUMENTS + CUTE_MAX_REDUCTIONS
};

typedef struct CuteIndex {
  char name[32];
  int64_t extent;             // -1 until an access says it
  int64_t count;              // of coordinates that are computed
  const int64_t *coordinates; // those; null: all
} CuteIndex;

// values[start + sum(index[i] * steps[i])]; of an index as a value, the sum.
typedef struct CuteProgramAccess {
  size_t tensor;
  int64_t start, steps[CUTE_MAX_INDICES];
} CuteProgramAccess;

typedef struct CuteProgramStep {
  CuteFormulaKind kind;
  double number;
  CuteProgramAccess access;
  size_t numGathered; // indices of an access that are on the stack; 0: linear
  double (*function1)(double);
  double (*function2)(double, double);
} CuteProgramStep;

typedef enum CuteReduction {
  CUTE_REDUCE_SUM,
  CUTE_REDUCE_MEAN,
  CUTE_REDUCE_MAX,
  CUTE_REDUCE_MIN,
} CuteReduction;

typedef struct CuteProgram {
  size_t numIndices, numOuter; // outer: the result's, which come first
  CuteIndex indices[CUTE_MAX_INDICES];
  size_t numSteps;
  CuteProgramStep steps[CUTE_MAX_STEPS];
  CuteReduction reduction; // over the other indices
  double *result;
  struct CutePrograms *all;
} CuteProgram;

// Tensors are the arguments, then the results of reductions.
typedef struct CutePrograms {
  size_t numArguments, numReductions;
  CuteArray tensors[CUTE_MAX_TENSORS]; // of results: extents and strides only
  double *values[CUTE_MAX_TENSORS];    // by offset; null until they are needed
  CuteProgram *reductions[CUTE_MAX_REDUCTIONS]; // each reads earlier ones only
  CuteProgram whole;
  CuteStatus failure;       // of compiling
  atomic_bool isOutOfRange; // an index that was computed
} CutePrograms;

// Names the elements that are to be computed.
typedef struct CuteProgramTarget {
  size_t argument;   // the left side
  int64_t count;     // at least so many elements, or all
  uint64_t seed;     // of the choice
  CuteSample sample; // those
} CuteProgramTarget;

// Compiles TENSOR[indices] = EXPRESSION for `count` elements of the left side,
// and fills in the target's argument and sample, which lives as long as the
// programs run.
CuteStatus cuteProgramsCompile(CutePrograms *programs, const CuteFormula *e,
                               size_t numArguments, const CuteArray *arguments,
                               CuteProgramTarget *target);
void cuteProgramsDestroy(CutePrograms *programs);
