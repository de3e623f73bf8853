// Checks of values, registers, accesses and outputs while a kernel runs.
#pragma once

#include "Simulator/machine/machine.h"

//===-- NaN and Inf -------------------------------------------------------===//

// Called by compiled code: the result of an operation on up to three floats,
// padded with zeros. Finds a NaN computed from numbers, and an infinity
// computed from finite ones.
void cuteSimFiniteResult(const CuteSimSite *site, double result, double a,
                         double b, double c);

// Called by compiled code: a load has brought a float.
void cuteSimFiniteLoad(const CuteSimSite *site, uint64_t address, double value);

// A product of matrices by the thread's warp or warpgroup has been computed
// since cuteSimMultiplyWatch.
void cuteSimFiniteProduct(CuteSimOp op);

//===-- Registers ---------------------------------------------------------===//

// Called before what uses a register; notes one that is undefined.
void cuteSimRegisterUse(const CuteSimSite *site, int32_t isUndefined);

// Called before a read of a thread's own memory: a byte whose mark is 0 has not
// been written.
void cuteSimRegisterLoad(const CuteSimSite *site, const unsigned char *marks,
                         uint64_t bytes);

// Finds, after the last thread of a block, warpgroups whose warps set numbers
// of registers that differ.
void cuteSimRegistersEnd(CuteSimThread *thread);

// Called before a division of integers: one by zero ends the run, as nobody
// knows what the device makes of it, or is noted where the quotient is not
// needed for sure: a choice may leave it out.
void cuteSimRegisterDivide(const CuteSimSite *site, uint64_t divisor,
                           uint32_t isNeeded);

//===-- Bounds of tensors -------------------------------------------------===//

// Checks an access at an address in global memory, or an offset in a block's
// shared memory, that lies in some allocation. One that begins beyond all
// tensors of the site, or ends there, is a mistake; so is a write between the
// elements of the only one. A read there is noted: what it gives is nobody's.
void cuteSimTensorBoundsCheck(CuteSimOp op, bool isShared, uint64_t at,
                              size_t bytes, CuteSimAccess access);

//===-- Outputs -----------------------------------------------------------===//

// Notes, after a run of all blocks, tensors with only some elements written,
// and tensors that nobody has touched.
void cuteSimUntouchedNote(CuteSimRun *run);
