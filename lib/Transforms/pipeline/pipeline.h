// Shared by the files of cute-pipeline: a loop that can be pipelined.
#pragma once

#include "IR/effects.h"
#include "IR/views.h"
#include "Transforms/edit/rebuild.h"
#include "Transforms/transforms.h"

typedef struct CutePipelineLoop {
  CuteDialect *dialect;
  MlirOperation loop; // scf.for
  MlirBlock body;
  int64_t stages, step;
  bool isUnsigned;      // how the loop compares
  CuteOps fetches;      // copies from global to shared memory by cp.async
  CuteOps computes;     // other ops with effects, no waits; of barriers
                        // only the ones that the round itself needs
  CuteOps allocs;       // of the tensors that are fetched to
  CutePointerMap moves; // ops of the body, and views of those tensors
  CutePointerMap seen;  // ops that need not be checked again
  // Set where a round's fetches are not made before it: they may depend on
  // divisions, and on what the kernel's inputs say.
  const struct CuteKernel *near;
  bool startsWithBarrier; // or must, in front of the first copies
  // For fragments that are loaded one k-block ahead: the computes before, in
  // and after [firstBlock, endBlocks) are copies to fragments and gemms on
  // them.
  int64_t blocks; // k-blocks; 1: as one
  size_t firstCopy, firstGemm, endGemms;
  const char *obstacle;  // after a failure, what is in the way
  MlirOperation culprit; // and the op that the message names
} CutePipelineLoop;

// Notes the op in the way, and what follows its name in a message; false.
bool cutePipelineObstruct(CutePipelineLoop *p, MlirOperation op,
                          const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// Tells whether the body of a loop has a copy by cp.async to shared memory.
bool cutePipelineIsFetch(CuteDialect *dialect, MlirOperation op);

// Tells whether operand i of a gemm has k-blocks: all but the MMA, D and C.
bool cutePipelineIsInput(intptr_t i);

// Tells whether an op of the body reads shared memory that the loop fetches to.
bool cutePipelineReadsFetched(CutePipelineLoop *p, MlirOperation op);

// Checks that a copy to shared memory writes the same place in each round,
// and leaves nothing there from the rounds before; else that is the obstacle.
bool cutePipelineCheckSteady(CutePipelineLoop *p, MlirOperation fetch);

// Tells whether the kernel may write global memory before the loop begins, so
// that a copy of a later round may read what another thread wrote.
bool cutePipelineFollowsStores(CutePipelineLoop *p);

// Checks that shared memory which the round writes is its own, and leaves the
// barriers that such accesses need among the computes; else false with the
// obstacle.
// (pipeline_exchange.c)
bool cutePipelineMatchExchange(CutePipelineLoop *p);

// Takes as many of the stages as the architecture has shared memory for beside
// the rest of the kernel, or, if it is null, as some architecture has; false
// with the obstacle if two are too many.
bool cutePipelineFitBytes(CutePipelineLoop *p, const CuteArch *arch);

// Counts the bytes of shared memory that the kernel takes once the loop has its
// stages and cute-share-smem has run; at most 0: not known. (share_smem.c)
int64_t cutePipelineCountBytes(const CutePipelineLoop *p);

// Fills the parts of `p` from its loop. False with the obstacle.
bool cutePipelineMatch(CutePipelineLoop *p);

// Finds what can be loaded one k-block ahead; where nothing can, `blocks` is 1
// after a remark.
void cutePipelineMatchFragments(CutePipelineLoop *p);

// Replaces the loop. False with the obstacle, and the function as it was, if an
// op cannot be built on the staged tensors.
bool cutePipelineBuild(CutePipelineLoop *p);
