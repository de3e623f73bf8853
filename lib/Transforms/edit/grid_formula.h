// Computes in a kernel what its attribute cute.grid says of the launch.
#pragma once

#include "Support/formula.h"
#include "Transforms/edit/kernel_edit.h"

enum { CUTE_MAX_GRID = 3 };

// The formulas of a kernel's grid and their texts, as long as the kernel has
// them.
typedef struct CuteGridFormulas {
  size_t count;
  MlirStringRef texts[CUTE_MAX_GRID];
  CuteFormula *formulas[CUTE_MAX_GRID];
} CuteGridFormulas;

// Reads cute.grid. False with the kernel's problem where it has none, or one of
// what a kernel does not know; to be destroyed either way.
bool cuteGridFormulasRead(CuteKernel *kernel, CuteGridFormulas *grid);
void cuteGridFormulasDestroy(CuteGridFormulas *grid);

// Emits extent i as an i32.
MlirValue cuteGridFormulasEmit(CuteKernel *kernel, CuteRebuild *r,
                               const CuteGridFormulas *grid, size_t i);
