// Checks of what a kernel starts and waits for later: matrix products of
// warpgroups, stages of pipelines, and the roles of warpgroups. All look at
// kernels that have not been lowered.
#pragma once

#include "Hardware/arch.h"
#include "IR/dialect.h"

// Reports an error at an op, with a note of what would be valid, or null.
// Returns true.
bool cuteAsyncFail(MlirOperation op, const char *note, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// Tells whether ops of the dialect alone give and use a value: no function,
// loop or choice hands it on.
bool cuteAsyncIsKept(CuteDialect *dialect, MlirValue value);

// Tells whether a kernel has ops that these checks are about.
bool cuteAsyncIsUsed(CuteDialect *dialect, MlirOperation kernel);

// Runs the checks of what cannot be right. False after errors.
bool cuteAsyncCheck(CuteDialect *dialect, MlirOperation kernel,
                    const CuteArch *arch);

// Adds to each warpgroup_wait without operands the sums that it completes, and
// to each warpgroup_fence without operands the registers that later products
// use.
void cuteAsyncNameSums(CuteDialect *dialect, MlirOperation kernel);

// Checks that nobody touches sums between a product and the wait that completes
// it, nor writes fragments that it reads. False after errors.
bool cuteAsyncCheckProducts(CuteDialect *dialect, MlirOperation kernel);

// Warns of memory that threads write and TMA or products read without a fence
// between: fence_proxy for shared memory, warpgroup_fence for registers.
void cuteAsyncWarnOfProxies(CuteDialect *dialect, MlirOperation kernel);

// Checks that as many bytes come to a barrier as it waits for, that stages
// which are acquired are committed, and that blocks which share loads are in
// one cluster. False after errors.
bool cuteAsyncCheckStages(CuteDialect *dialect, MlirOperation kernel);

// Checks that warpgroups act as a whole, have the registers that they ask for,
// and that as many release stages as the barriers wait for. False after errors.
bool cuteAsyncCheckRoles(CuteDialect *dialect, MlirOperation kernel,
                         const CuteArch *arch);
