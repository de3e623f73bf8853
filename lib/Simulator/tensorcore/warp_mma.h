// Products of a warp as PTX's mma.sync and mma.sp compute them (PTX ISA,
// "Warp-level matrix instructions"): each row of dialect/hardware that a warp
// executes, by its layouts.
#pragma once

#include "cute/Atom.h"

enum { CUTE_SIM_LANES = 32, CUTE_SIM_MAX_MMA_WORDS = 32 };

// An instruction with the places of its elements, which lives as long as its
// context. Immutable: threads may share it.
typedef struct CuteSimMma CuteSimMma;

// The immediate operands: which of the lanes that could hold them hold E's
// indices, and from which lanes and which byte the factors are taken.
typedef struct CuteSimMmaSelectors {
  int e;
  int byteA, threadA;
  int byteB, threadB;
} CuteSimMmaSelectors;

// Tells whether a warp executes the atom, or less than one.
bool cuteSimMmaIsOfWarp(const CuteMmaAtom *atom);

// Null with a message if no warp executes the atom, or a selector is none of
// the instruction.
CuteSimMma *cuteSimMmaCreate(CuteContext context, const CuteMmaAtom *atom,
                             CuteSimMmaSelectors selectors);

// Words of 32 bits that a lane brings, in the order of the instruction's
// operands: registers of A, B, C, E, SFA and SFB, an f64 as two words, low one
// first; and the words of D.
size_t cuteSimMmaGetNumInputs(const CuteSimMma *mma);
size_t cuteSimMmaGetNumOutputs(const CuteSimMma *mma);

// Computes the words of D of all lanes from in[lane], as an architecture does,
// 90 for sm_90; out[lane] may be the same memory. Null, or what is undefined in
// the operands: the text of a message.
const char *cuteSimMmaRun(const CuteSimMma *mma, int arch,
                          const uint32_t *const in[CUTE_SIM_LANES],
                          uint32_t *const out[CUTE_SIM_LANES]);

//===-- Names -------------------------------------------------------------===//

// The row of a PTX mnemonic, "mma.sync.aligned.m16n8k16.row.col.f32...", or of
// an intrinsic of LLVM, "llvm.nvvm.mma.m16n8k16.row.col.f32.f32"; null if there
// is none.
const CuteMmaAtom *cuteSimMmaFindInstruction(CuteStringRef mnemonic);
const CuteMmaAtom *cuteSimMmaFindIntrinsic(CuteStringRef name);
