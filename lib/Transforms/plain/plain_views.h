// Writes what kernels look at in the one form that passes know.
#pragma once

#include "Transforms/edit/kernel_edit.h"

// Has each tile be made at its coordinate before it is divided among threads,
// however the program came to it:
//
//   slice(partition_s(copy, local_tile(A, tiler, (m,_)), t), (_,_,_,k))
//     -> partition_s(copy, local_tile(A, tiler, (m,k)), t)
//   slice(zipped_divide(A, tiler), ((_,_),(m,k))) -> local_tile(A, tiler,
//   (m,k))
//
// and shared memory as cutePlainMemory has it. False with the kernel's problem.
bool cutePlainViews(CuteKernel *kernel);

// Has each tensor in shared memory have an allocation of its own, if the parts
// of one that tensors are made of lie apart, or be the allocation in another
// order (cute.composition), where it is made of the same bytes. False with the
// kernel's problem.
bool cutePlainMemory(CuteKernel *kernel);

// Has copies of tiles in loops, from global to shared memory by threads,
// directly or through registers of their own, be made by cp.async, and waits
// for them before the next barrier. False with the kernel's problem.
bool cutePlainCopies(CuteKernel *kernel);

// Has fragments of predicates that are filled one by one, by comparing the
// coordinates of each access of a copy with the shape, be what
// cute.make_predicate gives. What the program does not compare is compared,
// too: an access beyond the tensor has no meaning.
void cutePlainPredicates(CuteKernel *kernel);

// Has threads that access elements of a tile in global memory one by one, or as
// a vector, as they have the sums of a product, do so in a fragment. A copy
// fills it before, or stores it through shared memory, in whole rows. False
// with the kernel's problem.
bool cutePlainElements(CuteKernel *kernel);

// Tells whether there are any.
bool cutePlainElementsAre(CuteKernel *kernel);

// Takes a comparison of a component of a coordinate with an extent; false if it
// is not one that it knows.
typedef bool CutePlainLess(void *data, MlirValue component, MlirValue extent);

// Tells whether a condition is that all of some components of a coordinate are
// less than extents, and `match` takes each comparison.
bool cutePlainMatchLess(CuteDialect *dialect, MlirValue condition,
                        CutePlainLess *match, void *data);

// Has functions of a thread's sums as one long vector be done element by
// element (cutePingpongIsLong). False with the kernel's problem.
bool cutePlainVectors(CuteKernel *kernel);

// The attribute of a select between the bounds of a loop: the condition under
// which the kernel does what follows the loop, too.
extern const char cutePlainCondition[];

// Has what a branch around the products holds be in the kernel's own block, and
// its loops make no round where the condition does not hold. False with the
// kernel's problem.
bool cutePlainBranchTake(CuteKernel *kernel, void *data);

// Tells whether there was one.
bool cutePlainBranchIs(CuteKernel *kernel);

// The upper bound of a loop where the condition holds, or at all.
MlirValue cutePlainBranchBound(MlirValue upper);

// Puts what follows the products below that condition again, in the consumers'
// role. False with the kernel's problem.
bool cutePlainBranchGuard(CuteKernel *kernel);
