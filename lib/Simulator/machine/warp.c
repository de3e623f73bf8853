// Operations that the lanes of a warp do together.
#include "Simulator/checks/findings.h"
#include "Simulator/checks/vector_clock.h"
#include "Simulator/machine/launch_run.h"
#include "Simulator/machine/machine.h"
#include "Simulator/ptx/operation_table.h"

static int countLanes(uint32_t mask) { return __builtin_popcount(mask); }

static CuteSimGroup *findGroup(CuteSimOp op, uint32_t mask) {
  CuteSimGroup *unused = NULL;
  uint32_t self = 1u << op.thread->lane;
  for (int i = 0; i < CUTE_SIM_WARP; ++i) {
    CuteSimGroup *group = &op.thread->warp->groups[i];
    if (group->site == op.site && group->mask == mask &&
        !(group->arrived & self))
      return group;
    if (!group->site && !unused)
      unused = group;
  }
  *unused = (CuteSimGroup){.site = op.site, .mask = mask};
  return unused;
}

static bool isComplete(const CuteSimWarp *warp, const CuteSimGroup *group) {
  return (group->arrived | warp->done) == (group->mask | warp->done);
}

// Runs a group that is complete; `self` is no lane that waits.
static void finish(CuteSimWarp *warp, CuteSimGroup *group, uint32_t self) {
  CuteSimGroup done = *group;
  group->site = NULL;
  done.function(warp, &done);
  for (int i = 0; i < CUTE_SIM_WARP; ++i)
    if (done.arrived & ~self & 1u << i)
      cuteSimWake(&warp->threads[i]);
}

void cuteSimTogether(CuteSimOp op, uint64_t *values, uint32_t mask,
                     CuteSimGroupFunction *function) {
  CuteSimWarp *warp = op.thread->warp;
  uint32_t self = 1u << op.thread->lane;
  mask &= warp->lanes;
  if (!(mask & self))
    cuteSimFail(op,
                "%s: lane %d is not in the mask 0x%x of the lanes that do it "
                "together; add it, or keep the lane out of here",
                cuteSimSiteGetName(op.site), op.thread->lane, mask);
  CuteSimGroup *group = findGroup(op, mask);
  group->function = function;
  group->arrived |= self;
  group->values[op.thread->lane] = values;
  op.thread->waitsFor[0] = mask;
  op.thread->waitsFor[1] = (uint64_t)countLanes(group->arrived);
  if (isComplete(warp, group))
    finish(warp, group, self);
  else
    cuteSimWait(op);
}

void cuteSimTogetherAll(CuteSimOp op, uint64_t *values,
                        CuteSimGroupFunction *function) {
  const CuteSimWarp *warp = op.thread->warp;
  if (warp->lanes != ~0u || warp->done)
    cuteSimFail(op,
                "%s needs all 32 lanes of the warp, but lanes 0x%x are not "
                "there; let no lane leave before",
                cuteSimSiteGetName(op.site), ~warp->lanes | warp->done);
  cuteSimTogether(op, values, ~0u, function);
}

void cuteSimWarpLeave(CuteSimThread *thread) {
  CuteSimWarp *warp = thread->warp;
  warp->done |= 1u << thread->lane;
  for (int i = 0; i < CUTE_SIM_WARP; ++i) {
    CuteSimGroup *group = &warp->groups[i];
    if (group->site && isComplete(warp, group))
      finish(warp, group, 0);
  }
}

//===-- Shuffles ----------------------------------------------------------===//

typedef enum Shuffle { UP, DOWN, BUTTERFLY, INDEX } Shuffle;

// The lane that a lane reads, and whether it is one of its segment (PTX ISA,
// "shfl.sync").
static int sourceOf(Shuffle kind, int lane, uint32_t b, uint32_t c,
                    bool *isValid) {
  int clamp = (int)(c & 31), segment = (int)(c >> 8 & 31), by = (int)(b & 31);
  int last = (lane & segment) | (clamp & ~segment);
  int from = kind == UP          ? lane - by
             : kind == DOWN      ? lane + by
             : kind == BUTTERFLY ? lane ^ by
                                 : (lane & segment) | (by & ~segment);
  *isValid = kind == UP ? from >= last : from <= last;
  return *isValid ? from : lane;
}

// Operands: mask, value, lanes, clamp. Results: value, and a predicate if there
// is one.
static void shuffle(CuteSimWarp *warp, CuteSimGroup *group, Shuffle kind) {
  unsigned results = group->site->numResults;
  uint64_t sources[CUTE_SIM_WARP] = {0};
  for (int i = 0; i < CUTE_SIM_WARP; ++i)
    if (group->arrived >> i & 1)
      sources[i] = group->values[i][results + 1];
  for (int i = 0; i < CUTE_SIM_WARP; ++i) {
    uint64_t *values = group->values[i];
    bool isValid;
    if (!(group->arrived >> i & 1))
      continue;
    int from = sourceOf(kind, i, (uint32_t)values[results + 2],
                        (uint32_t)values[results + 3], &isValid);
    if (!(group->arrived >> from & 1))
      cuteSimFind((CuteSimOp){&warp->threads[i], group->site},
                  "%s reads lane %d, which is not in the mask 0x%x; its value "
                  "is undefined",
                  cuteSimSiteGetName(group->site), from, group->mask);
    values[0] = sources[from];
    if (results > 1)
      values[1] = isValid;
  }
}

static void shuffleUp(CuteSimWarp *warp, CuteSimGroup *group) {
  shuffle(warp, group, UP);
}
static void shuffleDown(CuteSimWarp *warp, CuteSimGroup *group) {
  shuffle(warp, group, DOWN);
}
static void shuffleButterfly(CuteSimWarp *warp, CuteSimGroup *group) {
  shuffle(warp, group, BUTTERFLY);
}
static void shuffleIndex(CuteSimWarp *warp, CuteSimGroup *group) {
  shuffle(warp, group, INDEX);
}

// The mask is the first operand.
#define CUTE_SIM_MASKED(name, function)                                        \
  void name(CuteSimOp op, uint64_t *values) {                                  \
    cuteSimTogether(op, values, (uint32_t)values[op.site->numResults],         \
                    function);                                                 \
  }

CUTE_SIM_MASKED(cuteSimShuffleUp, shuffleUp)
CUTE_SIM_MASKED(cuteSimShuffleDown, shuffleDown)
CUTE_SIM_MASKED(cuteSimShuffleButterfly, shuffleButterfly)
CUTE_SIM_MASKED(cuteSimShuffleIndex, shuffleIndex)

//===-- Votes -------------------------------------------------------------===//

// The lanes whose value is not zero.
static uint32_t ballot(const CuteSimGroup *group) {
  uint32_t lanes = 0;
  for (int i = 0; i < CUTE_SIM_WARP; ++i)
    if (group->arrived >> i & 1 &&
        group->values[i][group->site->numResults + 1])
      lanes |= 1u << i;
  return lanes;
}

static void giveAll(CuteSimGroup *group, uint64_t value) {
  for (int i = 0; i < CUTE_SIM_WARP; ++i)
    if (group->arrived >> i & 1)
      group->values[i][0] = value;
}

static void voteBallot(CuteSimWarp *warp, CuteSimGroup *group) {
  (void)warp;
  giveAll(group, ballot(group));
}
static void voteAny(CuteSimWarp *warp, CuteSimGroup *group) {
  (void)warp;
  giveAll(group, ballot(group) != 0);
}
static void voteAll(CuteSimWarp *warp, CuteSimGroup *group) {
  (void)warp;
  giveAll(group, ballot(group) == group->arrived);
}
static void voteUniform(CuteSimWarp *warp, CuteSimGroup *group) {
  (void)warp;
  uint32_t lanes = ballot(group);
  giveAll(group, !lanes || lanes == group->arrived);
}

CUTE_SIM_MASKED(cuteSimVoteBallot, voteBallot)
CUTE_SIM_MASKED(cuteSimVoteAny, voteAny)
CUTE_SIM_MASKED(cuteSimVoteAll, voteAll)
CUTE_SIM_MASKED(cuteSimVoteUniform, voteUniform)

//===-- Matches and elections ---------------------------------------------===//

static uint32_t lanesLike(const CuteSimGroup *group, int lane) {
  unsigned at = group->site->numResults + 1;
  uint32_t lanes = 0;
  for (int i = 0; i < CUTE_SIM_WARP; ++i)
    if (group->arrived >> i & 1 &&
        group->values[i][at] == group->values[lane][at])
      lanes |= 1u << i;
  return lanes;
}

static void matchAny(CuteSimWarp *warp, CuteSimGroup *group) {
  (void)warp;
  uint32_t lanes[CUTE_SIM_WARP];
  for (int i = 0; i < CUTE_SIM_WARP; ++i)
    if (group->arrived >> i & 1)
      lanes[i] = lanesLike(group, i);
  for (int i = 0; i < CUTE_SIM_WARP; ++i)
    if (group->arrived >> i & 1)
      group->values[i][0] = lanes[i];
}

static void matchAll(CuteSimWarp *warp, CuteSimGroup *group) {
  (void)warp;
  int first = __builtin_ctz(group->arrived);
  bool isAll = lanesLike(group, first) == group->arrived;
  for (int i = 0; i < CUTE_SIM_WARP; ++i)
    if (group->arrived >> i & 1) {
      group->values[i][0] = isAll ? group->arrived : 0;
      if (group->site->numResults > 1)
        group->values[i][1] = isAll;
    }
}

// The lowest lane is elected, as today's hardware does.
static void elect(CuteSimWarp *warp, CuteSimGroup *group) {
  (void)warp;
  int leader = __builtin_ctz(group->arrived);
  for (int i = 0; i < CUTE_SIM_WARP; ++i)
    if (group->arrived >> i & 1) {
      group->values[i][0] = (uint64_t)leader;
      group->values[i][1] = i == leader;
    }
}

CUTE_SIM_MASKED(cuteSimMatchAny, matchAny)
CUTE_SIM_MASKED(cuteSimMatchAll, matchAll)
CUTE_SIM_MASKED(cuteSimElect, elect)

// The lanes know of each other what came before.
static void synchronize(CuteSimWarp *warp, CuteSimGroup *group) {
  CuteSimClock *clock = NULL;
  if (!warp->threads->cluster->run->options->checks)
    return;
  for (int i = 0; i < CUTE_SIM_WARP; ++i)
    if (group->arrived >> i & 1)
      cuteSimClockRelease(&warp->threads[i], &clock);
  for (int i = 0; i < CUTE_SIM_WARP; ++i)
    if (group->arrived >> i & 1)
      cuteSimClockAcquire(&warp->threads[i], clock);
  cuteSimClockDrop(clock);
}

CUTE_SIM_MASKED(cuteSimWarpSync, synchronize)
