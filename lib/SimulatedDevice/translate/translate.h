// Translation of a module for NVIDIA's devices to one for the host.
#pragma once

#include "Jit/llvm_walk.h"
#include "Simulator/machine/machine.h"
#include "Simulator/ptx/ptx.h"
#include "Support/arena.h"
#include "Support/pointer_map.h"

#include <llvm-c/Target.h>

// The memory of a module's kernels, one after another.
typedef struct CuteSimMemory CuteSimMemory;

// A variable in global or constant memory: where kernels find it, and the
// symbol of its initial value.
typedef struct CuteSimVariable {
  const char *initial;
  uint64_t address;
  size_t bytes;
} CuteSimVariable;

typedef struct CuteTranslation {
  LLVMModuleRef module;
  LLVMContextRef context;
  LLVMTargetDataRef layout;           // of the device
  CuteArena *arena;                   // sites, which live as long as the code
  struct CuteSimResources *resources; // and what they use
  bool checks, seeksNan;
  struct CuteSimStatistics *statistics; // null: nothing is observed
  uint32_t numSteps;
  size_t localBytes;     // of local memory, of all functions together
  CuteSimMemory *memory; // as kernels describe it
  CuteSimVariable *variables;
  size_t numVariables;
  LLVMBuilderRef builder;
  LLVMTypeRef i64, i32, pointer, nothing;
  LLVMValueRef function;   // at hand, and in it:
  LLVMValueRef thread;     // a CuteSimThread
  LLVMValueRef sharedBase; // its block's window
  CutePointerMap left;     // its loads that an arrival does not wait for
  LLVMValueRef values;     // memory for the operands of calls
  unsigned numValues;      // as many as the largest call has
  CuteSimPtxScope scope;   // of inline PTX
  LLVMValueRef registers;  // memory for its registers; null: it has none
  LLVMValueRef clear;      // and what makes that unwritten
} CuteTranslation;

// Replaces all that the host does not know. Entries for kernels are functions
// "cute.entry.NAME", which take an array of pointers to the parameters; the i32
// "cute.parameters.NAME" counts them, and "cute.shared.NAME" the bytes of
// static shared memory.
CuteStatus cuteTranslate(CuteTranslation *t);

// Adds the i32 "cute.WHAT.NAME" of a kernel.
void cuteTranslateNumber(CuteTranslation *t, const char *what,
                         LLVMValueRef kernel, unsigned number);

// A site with the place of an instruction in the source.
CuteSimSite *cuteTranslateSite(CuteTranslation *t, LLVMValueRef instruction);

// A pointer of the host as a constant.
LLVMValueRef cuteTranslateAddress(CuteTranslation *t, const void *address);

// Calls an external function of the simulator.
LLVMValueRef cuteTranslateCall(CuteTranslation *t, const char *name,
                               LLVMTypeRef result, unsigned n,
                               LLVMValueRef *operands);

// An external function, which is declared if it is not yet.
LLVMValueRef cuteTranslateFunction(CuteTranslation *t, const char *name,
                                   LLVMTypeRef type);

// The address some bytes after another, and what is loaded from there.
LLVMValueRef cuteTranslateAt(CuteTranslation *t, LLVMValueRef base,
                             LLVMValueRef offset);
LLVMValueRef cuteTranslateMember(CuteTranslation *t, LLVMValueRef structure,
                                 size_t offset, LLVMTypeRef type);

//===-- Parts -------------------------------------------------------------===//

// Gives variables in shared memory their offsets.
CuteStatus cuteTranslateShared(CuteTranslation *t);
uint64_t cuteTranslateSharedOffset(LLVMValueRef global);

// Replaces the addresses of such variables in the operands of an instruction.
CuteStatus cuteTranslateSharedOperands(CuteTranslation *t,
                                       LLVMValueRef instruction);

// Allocates variables in global and constant memory, which the caller
// initializes and releases.
CuteStatus cuteTranslateGlobals(CuteTranslation *t);

// Replaces a call of an intrinsic or of inline PTX; others stay.
CuteStatus cuteTranslateCallSite(CuteTranslation *t, LLVMValueRef call);

// Gives memory for operands and for registers of inline PTX its size when a
// function's calls are known.
void cuteTranslateSizes(CuteTranslation *t);

CuteStatus cuteTranslateFence(CuteTranslation *t, LLVMValueRef fence);

// Puts checks before an access to memory.
CuteStatus cuteTranslateAccess(CuteTranslation *t, LLVMValueRef instruction);

// Makes calls of cute.unwritten undefined values, and removes their stores.
// Called before anything else.
void cuteTranslateUnwritten(LLVMModuleRef module);

// Makes what is undefined in the function's instructions NaNs, and puts notes
// before what uses it. Called before anything else is replaced.
void cuteTranslateUndefined(CuteTranslation *t, LLVMValueRef *all, size_t n);

// Fills memory of a thread's own with NaNs, and puts notes before what reads it
// where nothing was written.
void cuteTranslatePrivate(CuteTranslation *t, LLVMValueRef memory);
// The same for a call of llvm.memcpy, llvm.memmove or llvm.memset.
void cuteTranslateMemoryCall(CuteTranslation *t, LLVMValueRef call);

// Has an access to a variable checked, before anything else is done for it.
void cuteTranslateAccessVariable(CuteTranslation *t, LLVMValueRef access,
                                 LLVMValueRef variable);

// Has a thread fail that gets to an instruction which says that none does.
void cuteTranslateUnreachable(CuteTranslation *t, LLVMValueRef instruction);

// Tells whether the host can call a function of the module or of LLVM as it is.
bool cuteTranslateIsKnown(LLVMValueRef call, CuteStringRef name);
bool cuteTranslateIsTrap(CuteStringRef name);

// Finds loads of shared memory that may be under way when the thread arrives at
// an mbarrier. Called before anything is replaced.
void cuteTranslateLoads(CuteTranslation *t, LLVMValueRef *all, size_t n);

// Shows the results of the function's operations on floats to the simulator.
void cuteTranslateFinite(CuteTranslation *t, LLVMValueRef *all, size_t n);

// The text of inline PTX, or the name of the function that an instruction
// calls; empty of no call.
CuteStringRef cuteTranslateGetText(LLVMValueRef i);

// Tells whether that contains a part.
bool cuteTranslateHasText(LLVMValueRef i, const char *part);
unsigned cuteTranslateCountElements(LLVMTypeRef type); // of a scalar: 1

// Tells whether all pointers that an instruction takes lead to one value each,
// such as a parameter. Otherwise blocks of code that differed only in their
// tensors may have been merged, and the line is only one of theirs.
bool cuteTranslateHasSingleRoots(LLVMValueRef instruction);

// Puts checks before what uses sums of products of warpgroups, and what was
// loaded from tensor memory.
void cuteTranslateSums(CuteTranslation *t, LLVMValueRef *all, size_t n);

// Lets threads come to each basic block together, where they are observed.
// Called before anything else is replaced.
void cuteTranslateSteps(CuteTranslation *t);

// The number of an instruction's line; 0 where it is not known, or nothing is
// observed.
uint32_t cuteTranslatePlace(CuteTranslation *t, LLVMValueRef instruction);

// Puts a check before a division of integers by a variable.
void cuteTranslateDivision(CuteTranslation *t, LLVMValueRef instruction);

// Replaces a conversion of floats to integers by one that gives the nearest
// integer where the float is too large, and 0 of a NaN.
void cuteTranslateConversion(CuteTranslation *t, LLVMValueRef instruction);

// Lets loops give way to other threads.
void cuteTranslateLoops(CuteTranslation *t);
