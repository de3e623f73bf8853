// Tiles that come by TMA through the stages of a loop of products, after its
// own.
#pragma once

#include "Transforms/products/sum_pieces.h"
#include "Transforms/tma/tma_tile.h"

enum {
  CUTE_MAX_OPERANDS = 4,
  CUTE_TMA_ALIGN = 1024, // bytes, after which every swizzle repeats itself
};

// A tile that threads load.
typedef struct CuteTmaOperand {
  CuteTmaTile tile;
  MlirValue fragment, mma, thread;
  CuteSumPieces pieces;
  int64_t rounds;
  MlirValue atom, coords;
  MlirOperation clear; // of the fragment, or null
  MlirOperation place; // where threads read the tile
} CuteTmaOperand;

// The loop whose stages they come through.
typedef struct CuteTmaOperands {
  CuteKernel *kernel;
  MlirOperation loop, loads; // loads: the scf.if in it that starts them
  MlirOperation end;         // the wait for products after the loop
  MlirValue pipeline;
  intptr_t filled, drained; // carried states
  CuteOps buffers;          // with a last mode of stages
  int64_t stages, taken;    // taken: rounds after the loop
  CutePointerMap moves;     // ops after the loop that only compute
  CuteTmaOperand operands[CUTE_MAX_OPERANDS];
  size_t count;
} CuteTmaOperands;

int64_t cuteTmaOperandGetBits(const CuteTmaOperands *s,
                              const CuteTmaOperand *o);

// Counts the pieces of an operand that a stage has room for.
int64_t cuteTmaOperandsCountInStage(const CuteTmaOperands *s,
                                    const CuteTmaOperand *o);

// Has one thread load the operands, and the others wait for and read them. The
// copies that did it are left. False with the kernel's problem.
bool cuteTmaOperandsBuild(CuteTmaOperands *s);
