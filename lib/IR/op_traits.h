// An op's effects on memory, its results and its needs, as its
// declaration in dialect/cute.irdl.mlir says it.
#pragma once

#include "IR/type.h"

// An op's effect on memory, for passes that move ops past each other.
typedef enum CuteEffect {
  CUTE_EFFECT_NONE,      // can be copied: its results follow from its operands
  CUTE_EFFECT_REGISTERS, // the same, and its result is a new fragment
  CUTE_EFFECT_ACCESS,    // reads tensors among its operands, or writes one
  CUTE_EFFECT_COMMIT,    // closes a group of cp.async
  CUTE_EFFECT_WAIT,      // waits for groups of cp.async
  CUTE_EFFECT_BARRIER,   // of the block
  CUTE_EFFECT_LANES,     // exchanges registers between threads, no memory
  CUTE_EFFECT_UNKNOWN,
} CuteEffect;

// The number of elements that an op takes at once.
typedef enum CuteAccessForm {
  CUTE_ACCESS_UNKNOWN,
  CUTE_ACCESS_ATOM,     // as many as the copy atom says
  CUTE_ACCESS_AT,       // the one at a coordinate
  CUTE_ACCESS_ELEMENTS, // one after the other
  CUTE_ACCESS_RUNS,     // as many as lie side by side, in any order
  CUTE_ACCESS_VECTORS,  // the same in the order of the coordinates
} CuteAccessForm;

// Asynchronous operations that are waited for in groups, by what issues them.
typedef enum CuteAsyncGroup {
  CUTE_GROUP_CP_ASYNC,
  CUTE_GROUP_BULK,
  CUTE_GROUP_WGMMA,
} CuteAsyncGroup;

typedef enum CuteGroupUse {
  CUTE_GROUP_UNUSED,
  CUTE_GROUP_ISSUES,  // its accesses are complete when the group is
  CUTE_GROUP_COMMITS, // closes the group of all issued so far
  CUTE_GROUP_WAITS,   // until all but attribute `n` of the groups are complete
  CUTE_GROUP_TRACKS,  // arrives at a barrier when all issued so far is complete
} CuteGroupUse;

typedef enum CuteBarrierUse {
  CUTE_BARRIER_UNUSED,
  CUTE_BARRIER_INITS,
  CUTE_BARRIER_ARRIVES, // waiting threads see what the thread did before
  CUTE_BARRIER_AWAITS,
} CuteBarrierUse;

// Names how an op's elements are divided among threads.
typedef enum CuteDivision {
  CUTE_DIVISION_OWN, // it depends on which thread has which of them
  CUTE_DIVISION_ANY, // as what it takes is: it treats all of them alike
  CUTE_DIVISION_A,   // as a tiled MMA divides one of its operands
  CUTE_DIVISION_B,
  CUTE_DIVISION_C,
} CuteDivision;

enum { CUTE_NO_OPERAND = -1 };

// Operands are numbers of operands as they are declared, or CUTE_NO_OPERAND.
typedef struct CuteOpTraits {
  CuteEffect effect;
  bool isPure;      // may be removed when its results are unused
  uint32_t reads;   // operands whose elements it reads, one bit each
  int8_t written;   // operand to whose elements it writes
  int8_t source;    // of a copy, whose destination is `written`
  int8_t predicate; // says for which elements
  int8_t by;        // the copy or MMA that says how
  int8_t view;      // operand that the results are views of
  int8_t divider;   // tiled copy, tiled MMA or thread layout of a partition
  int8_t thread;    // which of its threads has the part that the result is
  CuteDivision follows;
  bool prints;
  bool exchanges; // registers with other threads of the warp
  bool declares;  // adds a parameter to its kernel
  CuteAccessForm access;
  int8_t coord;   // of CUTE_ACCESS_AT
  bool allocates; // its result is memory in `space`, with nothing in it yet
  CuteSpace space;
  CuteGroupUse groupUse;
  CuteAsyncGroup group;
  CuteBarrierUse barrierUse;
  int8_t barrier;
  bool orders; // accesses that others make are not moved past it
  int arch;    // the least sm_XX that has its instructions; 0: any
  char suffix; // 'a': of that architecture alone, else '\0'
} CuteOpTraits;

// Tells whether the op reads elements of its operand i.
bool cuteOpTraitsReads(const CuteOpTraits *traits, intptr_t i);

// The tensor that an op other than a copy accesses.
int cuteOpTraitsGetTensor(const CuteOpTraits *traits);
