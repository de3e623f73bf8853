//===- cute/Pipeline.h - Stages between producers and consumers -*- C -*-===//
//
// Part of the open CuTe compiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A pipeline hands stages of shared memory from producers to consumers and
// back, in a ring. Each stage has a barrier `full`, which consumers wait for,
// and a barrier `empty`, which producers wait for (CUTLASS, "Asynchronous
// pipelines"). A state has the next stage and the parity of the phase to wait
// for.
//
//===----------------------------------------------------------------------===//
#ifndef CUTE_PIPELINE_H
#define CUTE_PIPELINE_H

#include "cute/IntTuple.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Names how stages are filled.
typedef enum CutePipelineKind {
  CUTE_PIPE_TMA,       ///< one thread loads by TMA; barriers count bytes
  CUTE_PIPE_ASYNC,     ///< threads write and arrive
  CUTE_PIPE_CP_ASYNC,  ///< threads copy by cp.async, which arrives for them
  CUTE_PIPE_TMA_STORE, ///< bulk groups of one thread; no barriers
  CUTE_PIPE_ORDER,     ///< groups of threads take turns
  CUTE_PIPE_TENSOR,    ///< one thread multiplies into tensor memory (tcgen05)
  CUTE_NUM_PIPES,
} CutePipelineKind;

/// Names the agent that makes one arrival when it is done with a stage.
typedef enum CutePipelineAgent {
  CUTE_AGENT_THREAD,
  CUTE_AGENT_WARP,
  CUTE_AGENT_WARPGROUP,
  CUTE_AGENT_TENSOR, ///< tcgen05: the products that read the stage
  CUTE_NUM_AGENTS,
} CutePipelineAgent;

/// The role that a state belongs to.
typedef enum CutePipelineRole {
  CUTE_ROLE_PRODUCER,
  CUTE_ROLE_CONSUMER,
  CUTE_ROLE_ORDER,
  CUTE_NUM_ROLES,
} CutePipelineRole;

/// Describes !cute.pipeline: stages of shared memory, each with a barrier
/// `full`, and `empty` if any thread waits for it.
typedef struct CutePipeline {
  CutePipelineKind kind;
  CutePipelineAgent agent; ///< of consumers
  int64_t stages;
  int64_t producers; ///< arrivals at `full`; ORDER: threads of a group
  int64_t consumers; ///< arrivals of one thread block at `empty`; ORDER: groups
  int64_t bytes;     ///< TMA: bytes of a stage
  CuteIntTuple mask; ///< a bit for each thread block of the cluster that gets
                     ///< what one loads, or of the pair that multiplies in
                     ///< tensor memory; null: stages belong to a block
} CutePipeline;

/// Names as the text of types and ops has them, static: "tma", "warpgroup",
/// "producer".
CUTE_API const char *cutePipelineKindGetName(CutePipelineKind kind);
CUTE_API const char *cutePipelineAgentGetName(CutePipelineAgent agent);
CUTE_API const char *cutePipelineRoleGetName(CutePipelineRole role);

#ifdef __cplusplus
}
#endif

#endif
