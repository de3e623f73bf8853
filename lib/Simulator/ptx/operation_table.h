// The operations that a program may call, by their names in LLVM IR and PTX.
#pragma once

#include "Simulator/machine/machine.h"

// Sets the function of a site whose name is that of an intrinsic, such as
// "llvm.nvvm.vote.any.sync", or of a PTX instruction, such as "bar.sync", and
// whose numbers of results and operands are set; and prepares it. Fails where
// the name is not known. The longest name in the table that the site's begins
// with, up to a dot, counts.
CuteStatus cuteSimOperationFind(CuteSimSite *site);

// Tells whether a PTX instruction has a function.
bool cuteSimOperationIsKnown(CuteStringRef name);

// Scalar functions of intrinsics, which compiled code calls with their own
// types; null if there is none of that name.
typedef struct CuteSimScalar {
  const char *intrinsic, *name;
  void *address;
} CuteSimScalar;
const CuteSimScalar *cuteSimFindScalar(CuteStringRef intrinsic);

// Special registers: "tid.x"; CUTE_SIM_REGISTERS where there is none.
CuteSimRegister cuteSimFindRegister(CuteStringRef name);

//===-- Functions ---------------------------------------------------------===//

#define OPERATION(name, function, ...) CuteSimFunction function;
#define TOGETHER(name, function, ...) CuteSimGroupFunction function;
#define MASKED(name, function, ...) CuteSimGroupFunction function;
#include "hardware/operation.def"

CuteSimFunction cuteSimRegisterRead, cuteSimPtxExecute, cuteSimPtxFail;

// Look whether there is an instruction of that name, and may make what its site
// needs.
CuteStatus cuteSimWarpMmaPrepare(CuteSimSite *site);
CuteStatus cuteSimWgmmaPrepare(CuteSimSite *site);
CuteStatus cuteSimWmmaPrepare(CuteSimSite *site);
CuteStatus cuteSimTensorMmaPrepare(CuteSimSite *site);
CuteStatus cuteSimTensorMovePrepare(CuteSimSite *site);
CuteStatus cuteSimMemoryPrepare(CuteSimSite *site);

// Ends with a row without a name; names without "llvm.nvvm.".
extern const CuteSimScalar cuteSimScalars[];
