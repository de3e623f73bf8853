// Checks of kernels before they are lowered.
#pragma once

#include "Hardware/arch.h"
#include "IR/dialect.h"
#include "cute/Kernels.h"

// Checks what kernels are on any architecture: their names, also that no two of
// the module have one, the types of their values, and how they are launched.
// False with diagnostics.
bool cuteCheckKernels(MlirModule module);

// Checks the size of a kernel's blocks and the formulas of its grid. False with
// diagnostics.
bool cuteCheckLaunch(CuteDialect *dialect, MlirOperation kernel);

// Checks that a loop's counter goes up and stays in its type, and that constant
// coordinates of type index fit into the 32 bits that they have. Emits an error
// and returns false otherwise.
bool cuteCheckCounters(CuteDialect *dialect, MlirOperation op);

// Checks the constraints of an llvm.inline_asm: outputs first, one for each
// result, inputs for the operands, each of a class of registers as wide as its
// value. Emits an error and returns false otherwise.
bool cuteCheckAsmConstraints(MlirOperation op);

// Checks that the kernels of a module, which has not been lowered, can run on
// the architecture. False with a diagnostic at each that cannot. `ptx` becomes
// the least PTX version, times 10, that its atoms need, 0 if they need none.
bool cuteCheckLimits(MlirModule module, const CuteArch *arch, int *ptx);

// Describes a gpu.func, or a func.func of the host, in the arena. False with a
// diagnostic.
bool cuteKernelDescribe(CuteDialect *dialect, MlirOperation function,
                        CuteArena *arena, CuteKernelInfo *kernel);
