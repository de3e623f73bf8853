// Copies of runs of bytes, and what copies that reduce add.
#pragma once

#include "Ops/copy_atoms.h"

// The type in PTX with which an atom that reduces in that space, gmem or dsmem,
// takes elements: "f16". Null with a message where it does not take them.
const char *cuteBulkReductionGetType(CuteContext c, const CuteCopyAtom *atom,
                                     CuteElementType element, CuteSpace space);

// False with a message unless the atom can move the source to the destination:
// static, of one size, with runs of multiples of 16 bytes on both sides.
bool cuteBulkCheckCopy(CuteContext c, CuteCopyOperands copy);
