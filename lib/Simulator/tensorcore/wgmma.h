// Products of a warpgroup (PTX ISA, "Asynchronous Warpgroup Level Matrix
// Instructions"): each wgmma row of dialect/hardware by its layouts, operands
// in shared memory by their descriptors.
#pragma once

#include "Simulator/tensorcore/wgmma_descriptor.h"

enum { CUTE_SIM_WARPGROUP = 128 };

// An instruction with the places of its elements, which lives as long as its
// context. Immutable: threads may share it.
typedef struct CuteSimWgmma CuteSimWgmma;

// Takes the mnemonic and the numbers of values that its text has: registers of
// D, and what follows them. Null with a message if there is no such
// instruction.
CuteSimWgmma *cuteSimWgmmaCreate(CuteContext context, CuteStringRef mnemonic,
                                 size_t numResults, size_t numOperands);

const CuteMmaAtom *cuteSimWgmmaGetAtom(const CuteSimWgmma *wgmma);

// One execution, as the first thread's operands describe it: all threads'
// operands agree, except the registers.
typedef struct CuteSimWgmmaCall {
  uint64_t descriptorA, descriptorB; // A: only if it is in shared memory
  CuteMajor majorA, majorB;
  bool addsC, negatesA, negatesB;
} CuteSimWgmmaCall;

// The text of a message, or null: takes apart the operands of a thread, in 64
// bits each, in the text's order after D.
const char *cuteSimWgmmaTake(const CuteSimWgmma *wgmma,
                             const uint64_t *operands, CuteSimWgmmaCall *call);

// Takes the words that a thread brings from the values of the text: registers
// of D, then A's if it is in registers, then E's of a sparse A.
void cuteSimWgmmaTakeWords(const CuteSimWgmma *wgmma, const uint64_t *results,
                           const uint64_t *operands, uint32_t *words);

// Calls `read` for each unit of 16 bytes of A (if it is in shared memory) or B,
// without computing anything: for checks of what may be read.
void cuteSimWgmmaVisit(const CuteSimWgmma *wgmma, const CuteSimWgmmaCall *call,
                       bool isB, CuteSimReadUnit *read, void *data);

// Reads A and B as they are now and computes D of all threads, from in[thread]
// to out[thread], which may be the same memory. Null, or what is undefined.
const char *cuteSimWgmmaRun(const CuteSimWgmma *wgmma,
                            const CuteSimWgmmaCall *call,
                            const uint32_t *const in[CUTE_SIM_WARPGROUP],
                            uint32_t *const out[CUTE_SIM_WARPGROUP],
                            CuteSimReadUnit *read, void *data);
