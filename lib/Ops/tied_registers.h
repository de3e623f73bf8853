// Shared by ops on registers of a warpgroup: sums that are tied to PTX.
#pragma once

#include "Lowering/lowering.h"

// Registers of 32 bits that a thread has of a tensor in rmem: f32, two elements
// of 16 bits, or i32 with others.
typedef struct CuteTied {
  const CuteLowered *tensor;
  MlirType type;
  char constraint;     // 'f' or 'r'
  int64_t perRegister; // elements
  size_t count;
  bool isOverwritten; // an output alone: what the registers hold is not read
} CuteTied;

// Unit attributes of inline assembly: its results are tied to as many operands,
// the first ones; and it reads these only where its last operand is not 0.
#define CUTE_TIED "cute.tied"
#define CUTE_TIED_ADDS "cute.tied_adds"

// The most registers that an asm may have in all, as a thread has 255, and that
// one of its tensors may.
enum { CUTE_MAX_TIED = 256, CUTE_MAX_TIED_TENSOR = 192 };

// False with a message unless each operand fills registers of 32 bits, and all
// together have no more than an asm may.
bool cuteCheckTiedOperands(CuteOp *op);

CuteTied cuteTiedGet(CuteLowering *lowering, const CuteLowered *tensor);

// Writes the registers' values.
void cuteTiedLoad(CuteLowering *lowering, const CuteTied *tied,
                  MlirValue *values);

// The text with all registers of the tensors as outputs $0, $1, ... tied to
// inputs in the same order, except overwritten ones; other inputs follow. Has
// side effects. `constraints`, of the other inputs, begins with a comma or is
// empty. Returns the op.
MlirOperation cuteBuildTied(CuteLowering *lowering, const char *text,
                            const char *constraints, size_t numTied,
                            const CuteTied *tied, size_t numOthers,
                            const MlirValue *others);

// The text with the registers of the tensor as outputs $0, $1, ..., another of
// their type after them, which is returned, and one input of 32 bits.
MlirValue cuteTiedFill(CuteLowering *lowering, const CuteTied *tied,
                       const char *text, MlirValue input);

// An instruction without operands whose outputs the registers of all operands
// of `source` are, so that nothing that reads them comes before it.
bool cuteLowerTied(CuteLowering *lowering, const char *text);
