// Shared by the two files that write a pipelined loop: stages and fetches, and
// the loop.
#pragma once

#include "Transforms/edit/emit_ops.h"
#include "Transforms/pipeline/pipeline.h"

typedef struct CutePipelineBuild {
  CutePipelineLoop *p;
  CuteContext context;
  CuteBuilder builder;
  MlirValue *staged, *first; // of each alloc: with all stages, and stage 0
  MlirOperation *created;    // what is undone on failure: 4 of each alloc
  size_t numCreated;
  MlirValue lower, upper;
  MlirOperation before; // the last op in front of the loop; or null
  bool failed;
  MlirOperation culprit; // that cannot be built, or null
} CutePipelineBuild;

// Begins in front of the loop.
CutePipelineBuild cutePipelineBuildBegin(CutePipelineLoop *p);

// (_, ..., _, last)
CuteIntTuple cutePipelineLastCoord(CutePipelineBuild *b, size_t rank,
                                   CuteIntTuple last);

// The layout of a tensor in shared memory with one more mode, of the stages:
// each begins where a swizzle repeats itself and as aligned as the first. Null
// if it is too large.
CuteLayout cutePipelineLayout(CuteContext c, CuteType tensor, int64_t stages);

// The allocation i with all stages in front of the plain one, whose uses become
// uses of its first stage.
void cutePipelineStage(CutePipelineBuild *b, size_t i);

// Ops for one tile: its stage replaces the tensors in shared memory, and
// `index` for the index of the loop. To be ended.
CuteRebuild cutePipelineTile(CutePipelineBuild *b, MlirValue stage,
                             MlirValue index);
// The same with a stage for each allocation.
CuteRebuild cutePipelineTiles(CutePipelineBuild *b, const MlirValue *stages,
                              MlirValue index);
void cutePipelineEndTile(CutePipelineBuild *b, CuteRebuild *r);

// Copies the computes [from, to) of the body.
void cutePipelineComputes(CutePipelineBuild *b, CuteRebuild *r, size_t from,
                          size_t to);

// An scf.for like the plain one that carries n values more, with an empty body.
MlirOperation cutePipelineCreateLoop(CutePipelineBuild *b, size_t n,
                                     const MlirValue *carried);

// Maps what the plain loop carries to the arguments of its body.
void cutePipelineCarry(CutePipelineBuild *b, CuteRebuild *r, MlirBlock block);

// Ends its body: what the plain loop yields, then what is carried besides.
void cutePipelineYield(CutePipelineBuild *b, CuteRebuild *r, size_t n,
                       const MlirValue *carried);

// Has the loop take the place of the plain one, which goes with its
// allocations.
void cutePipelineReplace(CutePipelineBuild *b, MlirOperation loop);

// The index of the loop some rounds after one.
MlirValue cutePipelineIndexAfter(CutePipelineBuild *b, MlirValue index,
                                 int64_t rounds);

// Fetches the first stages-1 tiles, or the one as many rounds after `index`.
void cutePipelineFetchFirst(CutePipelineBuild *b);
void cutePipelineFetchAhead(CutePipelineBuild *b, MlirValue write,
                            MlirValue index);
