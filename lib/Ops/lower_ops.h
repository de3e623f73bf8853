// Functions of ops that several files of lib/Ops share.
#pragma once

#include "Lowering/lowering.h"
#include "Ops/ops.h"

//===-- Atoms of TMA ------------------------------------------------------===//

// The word that tells the L2 cache what a with_barrier's hint says; 0: none.
int64_t cuteTmaGetCachePolicy(const CuteOp *op);

// Finds the barrier and the mask that a copy's atom was given by with_barrier,
// null where there is none. False with a message where a load has no barrier.
bool cuteTmaGetBarrier(CuteLowering *lowering, MlirValue atom,
                       const CuteCopyAtom *row, MlirValue *barrier,
                       MlirValue *mask);

// The word of its hint for the L2 cache; null: it has none.
MlirValue cuteTmaGetPolicy(CuteLowering *lowering, MlirValue atom);

// Tells whether a barrier counts the bytes of the atom's copies, which
// otherwise are waited for in groups.
bool cuteCopyAtomHasBarrier(const CuteCopyAtom *atom);

// The tensor map of the atom that is operand 0; null with a message where the
// atom came through a branch, a loop or a call.
MlirValue cuteTmaGetMap(CuteLowering *lowering);

// Counts the bytes of a tile of an atom.
int64_t cuteTmaGetBytes(CuteContext context, CuteType atom);

// Lowers a call of an atom of tcgen05.mma, to an intrinsic of LLVM, which knows
// its targets where MLIR's nvvm ops do not. The operands are D, A, B, C, the
// metadata of a sparse A, factors of scaled products, and, each or null, an i1
// that says whether C is added and the lanes of D that keep their sums.
bool cuteLowerTensorMma(CuteLowering *lowering, const CuteMmaAtom *atom,
                        const CuteLowered *const *operands);

//===-- Threads and clusters ----------------------------------------------===//

// The number of the thread in its block, i32: x + dim x (y + dim y z).
MlirValue cuteThreadBuildNumber(CuteLowering *lowering);

// Checks that words of 32 bits can carry operand 0: a number or a vector of 8,
// 16 or a multiple of 32 bits. False with a message.
bool cuteThreadCheckCarried(CuteOp *op);

// Says which lane a value comes from: that of a number, so many lanes before
// or after, or that whose number differs in these bits.
typedef enum CuteShuffle {
  CUTE_SHUFFLE_IDX,
  CUTE_SHUFFLE_UP,
  CUTE_SHUFFLE_DOWN,
  CUTE_SHUFFLE_BFLY,
} CuteShuffle;

// The value that another lane has; `lane` is an i32. All lanes get there.
MlirValue cuteThreadBuildShuffle(const CuteBuilder *builder, CuteShuffle kind,
                                 MlirValue value, MlirValue lane);

// The number of the thread in its warp, i32.
MlirValue cuteThreadBuildLane(const CuteBuilder *builder);

// Checks that operand i can be the rank of a block in its cluster. False
// with a message.
bool cuteClusterCheckRank(CuteOp *op, size_t i);

// The place in the shared memory of the block with this rank that a pointer has
// in that of the own.
MlirValue cuteClusterMapToRank(CuteLowering *lowering, MlirValue pointer,
                               CuteIntTuple rank);

//===-- Ops whose rows are in other files ---------------------------------===//

CuteInferFunction cuteOpInferMakeFragmentA, cuteOpInferMakeFragmentB,
    cuteOpInferMakeFragmentC, cuteOpInferMakeFragmentOperand;
CuteLowerFunction cuteLowerConvertFragment, cuteLowerMakeFragment;

// Tensor maps that lie in memory.
CuteInferFunction cuteInferWithTensorMap, cuteInferCopyTensorMap,
    cuteInferUpdateTensorMap;
CuteLowerFunction cuteLowerWithTensorMap, cuteLowerCopyTensorMap,
    cuteLowerUpdateTensorMap;

// Pipelines, which become mbarriers.
CuteLowerFunction cuteLowerInitPipeline, cuteLowerMakePipelineState,
    cuteLowerPipelineAdvance, cuteLowerPipelineStage, cuteLowerProducerAcquire,
    cuteLowerProducerBarrier, cuteLowerProducerCommit, cuteLowerProducerTail,
    cuteLowerConsumerWait, cuteLowerConsumerRelease, cuteLowerFenceLoads,
    cuteLowerFenceProxy, cuteLowerOrderWait, cuteLowerOrderArrive;
