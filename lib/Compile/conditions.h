// Conditions of an optimized LLVM module.
#ifndef CUTE_COMPILE_CONDITIONS_H
#define CUTE_COMPILE_CONDITIONS_H

#include <llvm-c/Types.h>

// Makes bits of one integer of the conditions that are computed before a loop
// of one block and combined in it by `and` with another one, as a row that
// exists with a column that does: where c0, c1, ... are combined with k, the
// loop tests bits of k ? mask : 0. For more than four of them, up to 32: a
// thread has seven predicate registers, and of what is more ptxas would keep
// the operands, one register each, and compare them again in each round.
void cutePackConditions(LLVMModuleRef module);

#endif
