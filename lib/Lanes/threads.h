// Integers in all threads of a block at once, and the leaf arithmetic that
// computes with them: what lowering emits as one integer of a thread is here a
// number for each thread.
//
// Numbers that the code does not say (sizes, block indices, loop counters, the
// same in all threads) are sampled: a number is made up, one for each `sample`,
// and what follows from it is marked. From CUTE_UNIT_SAMPLE on one of the
// strides is 1 of tensors that do not say which is. What may differ between
// threads in a way that cannot be computed, as loaded values do, is unknown:
// null.
#pragma once

#include "Algebra/algebra.h"
#include "Hardware/arch.h"
#include "Support/pointer_map.h"

typedef struct CuteLanes {
  int64_t *values; // of each thread
  bool isSampled;
} CuteLanes;

typedef struct CuteThreads {
  CuteContext context;
  CuteArena arena;
  CuteArena constantArena;
  CutePointerMap constants; // static leaf -> CuteLanes
  int64_t count;            // threads of the block
  int64_t block[3];         // its extents
  int sample;
  const CuteLanes **lanes; // by id, from 1
  size_t numLanes, capacity;
} CuteThreads;

enum {
  CUTE_UNIT_SAMPLE = 2,
  CUTE_NUM_SAMPLES = CUTE_UNIT_SAMPLE + 3,
  CUTE_WARP = 32,
  CUTE_MAX_THREADS = CUTE_BLOCK_THREADS
};

void cuteThreadsInit(CuteThreads *threads, CuteContext context,
                     const int64_t block[3], int sample);
void cuteThreadsDestroy(CuteThreads *threads);

// Numbers that the caller fills in.
CuteLanes *cuteThreadsAllocate(CuteThreads *threads);

const CuteLanes *cuteThreadsGetConstant(CuteThreads *threads, int64_t value);

// A size or stride that nobody knows: a large multiple of the divisor. Strides
// of one layout, counted by i, are so far apart that its tiles have each index
// once.
const CuteLanes *cuteThreadsGetSample(CuteThreads *threads, int64_t divisor,
                                      size_t i);

// A dynamic leaf for the numbers; null: for unknown ones.
CuteIntTuple cuteThreadsGetLeaf(CuteThreads *threads, const CuteLanes *lanes,
                                unsigned width, int64_t divisor);

// The numbers of a static or dynamic leaf, or null.
const CuteLanes *cuteThreadsGetLanes(CuteThreads *threads, CuteIntTuple leaf);

// A mark; resetting to it forgets what was computed since.
typedef struct CuteThreadsMark {
  CuteArenaMark arena;
  size_t numLanes;
} CuteThreadsMark;

CuteThreadsMark cuteThreadsGetMark(const CuteThreads *threads);
void cuteThreadsReset(CuteThreads *threads, CuteThreadsMark mark);

// The leaf arithmetic; its data is the CuteThreads.
extern const CuteLeafArithmetic cuteThreadArithmetic;
