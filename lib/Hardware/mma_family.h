// Atoms of the families of dialect/hardware/mma_sm100.def.
#pragma once

#include "cute/Atom.h"

// Finds or makes the atom of a name as cuteAtomNameNormalize gives it. It lives
// as long as the process. Null if no family begins the name; for arguments that
// the family does not take, null as well, and `problem` says what is wrong and
// what would be valid, in up to `size` characters.
const CuteMmaAtom *cuteMmaFamilyFindAtom(const char *name, char *problem,
                                         size_t size);

// Tells what is wrong with the arguments of a name that begins with a family;
// false for other names, and where nothing is.
bool cuteMmaFamilyExplain(CuteStringRef name, char *problem, size_t size);

// Tells whether tcgen05.mma executes the atom.
bool cuteMmaAtomIsTensor(const CuteMmaAtom *atom);

// Tells whether it has the operand in tensor memory.
bool cuteMmaAtomIsInTmem(const CuteMmaAtom *atom, CuteMmaOperand operand);
