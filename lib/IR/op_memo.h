// Results that are known of ops that differ in nothing but their operands'
// values: verification and the laws depend on the name, the types and the
// attributes alone, and code repeats its ops.
#pragma once

#include "Support/arena.h"
#include "Support/hash_table.h"
#include "cute/Laws.h"

#include <mlir-c/IR.h>

typedef struct CuteOpFacts {
  bool verifies;
  bool lawsChecked; // with these warnings
  size_t numWarnings;
  const char **warnings;
} CuteOpFacts;

typedef struct CuteOpMemo {
  CuteArena arena;
  CuteHashTable entries;
} CuteOpMemo;

void cuteOpMemoInit(CuteOpMemo *memo);
void cuteOpMemoDestroy(CuteOpMemo *memo);

// The facts of all ops like this one, at first none. Valid until the next call.
CuteOpFacts *cuteOpMemoGet(CuteOpMemo *memo, MlirOperation op);

// Keeps the context's warnings, which an inference under CUTE_LAWS_WARN left.
void cuteOpMemoNoteLaws(CuteOpMemo *memo, CuteOpFacts *facts,
                        CuteContext context);
