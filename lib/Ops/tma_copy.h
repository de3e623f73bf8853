// Shared by the ops and the copies of TMA atoms.
#pragma once

#include "Lowering/lowering.h"

// The word that tells the L2 cache what a with_barrier's hint says; 0: none.
int64_t cuteTmaGetCachePolicy(const CuteOp *op);

// Finds the barrier and the mask that a copy's atom was given by with_barrier,
// null where there is none. False with a message where a load has no barrier.
bool cuteTmaGetBarrier(CuteLowering *lowering, MlirValue atom,
                       const CuteCopyAtom *row, MlirValue *barrier,
                       MlirValue *mask);

// The word of its hint for the L2 cache; null: it has none.
MlirValue cuteTmaGetPolicy(CuteLowering *lowering, MlirValue atom);

// Tells whether a barrier counts the bytes of the atom's copies, which
// otherwise are waited for in groups.
bool cuteCopyAtomHasBarrier(const CuteCopyAtom *atom);

// The tensor map of the atom that is operand 0; null with a message where the
// atom came through a branch, a loop or a call.
MlirValue cuteTmaGetMap(CuteLowering *lowering);

// Counts the bytes of a tile of an atom.
int64_t cuteTmaGetBytes(CuteContext context, CuteType atom);
