// What the ops and the copies of TMA atoms share.
#ifndef CUTE_OPS_TMA_COPY_H
#define CUTE_OPS_TMA_COPY_H

#include "Lowering/lowering.h"

// The word that tells the L2 cache what a with_barrier's hint says; 0: none.
// False with a message for an unknown hint.
bool cuteTmaFindCache(const CuteOp *op, int64_t *policy);

// The tensor map of the atom that is operand 0; null with a message where the
// atom came through a branch, a loop or a call.
MlirValue cuteTmaGetMap(CuteLowering *lowering, MlirOperation source);

#endif
