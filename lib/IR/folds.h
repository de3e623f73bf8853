// Operations that fold values into one, such as their maximum: the rows of
// dialect/folds.def. Names are null where there is no such operation.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct CuteFold {
  const char *op;     // of arith, on two values
  const char *kind;   // of cute.reduce_vector and cute.warp_reduce
  const char *gpu;    // of gpu.subgroup_reduce
  const char *atomic; // of cute.atomic_rmw on floats, and integers with a sign
  const char *ptx;    // part of an instruction's name
  int64_t llvm;       // the kind of llvm.atomicrmw; 0: none
  bool mayRepeat;     // a value that is folded twice counts once
} CuteFold;

// Ends with a row without names.
extern const CuteFold cuteFolds[];

bool cuteFoldIsOfFloats(const CuteFold *fold);
