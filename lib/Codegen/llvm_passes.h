// Our passes on the LLVM IR of kernels, in the order of
// dialect/llvm_passes.def. They run after LLVM's, and insert by the builder.
#pragma once

#include <llvm-c/Types.h>

#include <stdbool.h>

typedef void CuteLlvmPass(LLVMModuleRef module, LLVMBuilderRef builder);

// Adds up the offsets of a chain of getelementptrs of one type, p + a + b, in
// integers, p + (a + b), in the first block of each function, where nothing
// else uses p + a and the address is used in that block. LLVM's optimizer takes
// sums apart like that, and the back end would then scale every part by the
// size of an element. Addresses in loops and after branches, and long-lived
// ones, stay as they are: parts of them can be computed again where registers
// are scarce. bench/addresses/gather has 14 registers, 18 without it.
CuteLlvmPass cuteMergeAddresses;

// Computes addresses in shared memory with 32 bits, which are all that they
// have, in the same places and for the same reason. Pointers have 64: ptxas
// cuts them, but then scales the index of an element with an instruction of its
// own. Where a swizzle makes several addresses of one number, they differ in an
// xor. bench/addresses/transpose has 20 registers, 22 without it.
CuteLlvmPass cuteNarrowAddresses;

// cp.async whose number of bytes is a choice of all or none, `c ? 16 : 0`,
// becomes one with a condition, under which nothing is read (the operand
// ignore-src of PTX 7.5), as inline PTX, as LLVM has no intrinsic for it. The
// machine's instruction has a condition, too, and ptxas compares the number of
// bytes with 0, two instructions for each copy. A condition from before the
// block, as a loop's, stays a number of bytes: that waits in any register, and
// a thread has seven for conditions. Before that LLVM knows what memory the
// intrinsic takes, therefore not earlier. Main loops for sm_80 have 5 to 14 %
// fewer instructions in 13 of the 15 kernels that change: gemm_sm80 263, 278
// without it (./dev ablate).
CuteLlvmPass cuteZeroFillIgnoreSources;

// Makes bits of one integer of the conditions that are computed before a loop
// of one block and combined in it by `and` with another one, as a row that
// exists with a column that does: where c0, c1, ... are combined with k, the
// loop tests bits of k ? mask : 0. For more than four of them, up to 32: a
// thread has seven predicate registers, and of what is more ptxas would keep
// the operands, one register each, and compare them again in each round.
// gemm_plain has 168 registers, 222 without it.
CuteLlvmPass cutePackConditions;

// Writes x + c as x - -c and x * 2^c as x << c where x is made of a float, as
// in exponential functions. That is the same code, but no candidate for LLVM's
// "straight line strength reduction", which compares each sum and product with
// all others of the same constant, and without which code generation is linear
// in the length of code. Addresses, for which that pass is, are not made of
// floats. 128 elements of tanh take 0.4 s to compile, 5 s without it.
CuteLlvmPass cuteHideFloatBits;

// Hides counters from the addresses that are made of them, by an empty inline
// assembly. LLVM's loop strength reduction would keep a register for each
// address and add to it in each round; GPUs add offsets to one address for
// nothing. It keeps counters that are multiplied by a run-time value such as a
// stride, since it saves these products, and counters of loops that end at a
// constant, which ptxas unrolls. gemm_f64 has 166 registers, 186 without it.
CuteLlvmPass cuteHideLoopCounters;

// Gives every 64 addresses of a function that are made of one base, and
// products by one stride, a copy of it of their own. LLVM's "straight line
// strength reduction" compares each with all others of the same base or stride,
// in a time that grows with the square of their number.
CuteLlvmPass cuteSplitAddressRuns;

// Adds the constant offsets of parts of tiles to their descriptors where wgmma
// or tcgen05.mma takes them. LLVM would do so before the loop if these are the
// same in each round, and keep two registers for each part.
CuteLlvmPass cuteKeepDescriptors;

//===-- Parts of passes ---------------------------------------------------===//

// Tells whether values of a type can be copied: pointers, and integers of 32
// and 64 bits.
bool cuteHasHiddenCopy(LLVMTypeRef type);

// Copies a value of such a type by an empty inline assembly, which is nothing
// in the code that ptxas makes.
LLVMValueRef cuteBuildHiddenCopy(LLVMBuilderRef builder, LLVMValueRef value);

// Has each element of a thread's memory hold at first what a function
// "cute.unwritten.N" gives, which is opaque to LLVM: otherwise it takes a
// value of its choice for what was not written, and instructions that use it
// are no more. For the simulator, which says who uses it.
void cuteMarkUnwritten(LLVMModuleRef module);
