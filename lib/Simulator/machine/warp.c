// Operations that the lanes of a warp do together.
#include "Simulator/checks/findings.h"
#include "Simulator/checks/vector_clock.h"
#include "Simulator/ptx/operation_table.h"
#include "Simulator/ptx/reduction.h"

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
  *unused =
      (CuteSimGroup){.warp = op.thread->warp, .site = op.site, .mask = mask};
  return unused;
}

static bool isComplete(const CuteSimWarp *warp, const CuteSimGroup *group) {
  return (group->arrived | warp->done) == (group->mask | warp->done);
}

// Runs a complete group and wakes its lanes, except `self`, which is running.
static void finish(CuteSimWarp *warp, CuteSimGroup *group, uint32_t self) {
  CuteSimGroup done = *group;
  group->site = NULL;
  done.function(&done);
  CUTE_SIM_FOR_LANES(i, done.arrived & ~self)
    cuteSimWake(&warp->threads[i]);
}

void cuteSimTogether(CuteSimOp op, uint64_t *values, uint32_t mask,
                     CuteSimGroupFunction *function) {
  CuteSimWarp *warp = op.thread->warp;
  uint32_t self = 1u << op.thread->lane;
  mask &= warp->lanes;
  if (!(mask & self))
    cuteSimFail(op,
                "$: lane %d is not in the mask 0x%x of the lanes that do it "
                "together; add it, or keep the lane out of here",
                op.thread->lane, mask);
  CuteSimGroup *group = findGroup(op, mask);
  group->function = function;
  group->arrived |= self;
  group->values[op.thread->lane] = values;
  op.thread->waitsFor[0] = mask;
  op.thread->waitsFor[1] = (uint64_t)countLanes(group->arrived);
  if (isComplete(warp, group))
    finish(warp, group, self);
  else
    cuteSimWait(op, NULL);
}

void cuteSimTogetherAll(CuteSimOp op, uint64_t *values,
                        CuteSimGroupFunction *function) {
  const CuteSimWarp *warp = op.thread->warp;
  if (warp->lanes != ~0u || warp->done)
    cuteSimFail(op,
                "$ needs all 32 lanes of the warp, but lanes 0x%x are not "
                "there; let no lane leave before",
                ~warp->lanes | warp->done);
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

//===-- Active lanes ------------------------------------------------------===//

static void setActive(CuteSimGroup *group) {
  CUTE_SIM_FOR_LANES(i, group->arrived)
    group->values[i][0] = group->arrived;
}

// Tells whether lanes that have not come to a group can run.
static bool mayCome(const CuteSimWarp *warp, const CuteSimGroup *group) {
  bool may = false;
  CUTE_SIM_FOR_LANES(i, warp->lanes & ~warp->done & ~group->arrived)
    may |= warp->threads[i].state == CUTE_SIM_READY;
  return may;
}

// The active lanes are the ones that come here before all others have ended,
// wait, or poll for something that has not happened.
void cuteSimActiveMask(CuteSimOp op, uint64_t *values) {
  enum { PATIENCE = 256 };
  CuteSimWarp *warp = op.thread->warp;
  CuteSimGroup *group = findGroup(op, warp->lanes);
  group->function = setActive;
  group->arrived |= 1u << op.thread->lane;
  group->values[op.thread->lane] = values;
  values[0] = 0;
  for (int i = 0; !values[0]; ++i)
    if (isComplete(warp, group) || i == PATIENCE || !mayCome(warp, group))
      finish(warp, group, warp->lanes);
    else
      cuteSimYield(op.thread);
}

// The words of a lane's operands, after the mask of an intrinsic.
static uint64_t *operandsOf(const CuteSimGroup *group, int lane) {
  bool isIntrinsic = group->site->words & CUTE_SIM_INTRINSIC;
  return group->values[lane] + group->site->numResults + isIntrinsic;
}

//===-- Shuffles ----------------------------------------------------------===//

// The lane that a lane reads, and whether it is one of its segment (PTX ISA,
// "shfl.sync").
static int sourceOf(unsigned direction, int lane, uint32_t b, uint32_t c,
                    bool *isValid) {
  int clamp = (int)(c & 31), segment = (int)(c >> 8 & 31), by = (int)(b & 31);
  int last = (lane & segment) | (clamp & ~segment);
  int from = direction == CUTE_SIM_UP     ? lane - by
             : direction == CUTE_SIM_DOWN ? lane + by
             : direction == CUTE_SIM_BUTTERFLY
                 ? lane ^ by
                 : (lane & segment) | (by & ~segment);
  *isValid = direction == CUTE_SIM_UP ? from >= last : from <= last;
  return *isValid ? from : lane;
}

// Operands: value, lanes, clamp. Results: value, and a predicate if there is
// one.
void cuteSimShuffle(CuteSimGroup *group) {
  uint64_t sources[CUTE_SIM_WARP] = {0};
  CUTE_SIM_FOR_LANES(i, group->arrived)
    sources[i] = *operandsOf(group, i);
  CUTE_SIM_FOR_LANES(i, group->arrived) {
    const uint64_t *operands = operandsOf(group, i);
    bool isValid;
    int from = sourceOf(group->site->variant, i, (uint32_t)operands[1],
                        (uint32_t)operands[2], &isValid);
    if (!(group->arrived >> from & 1))
      cuteSimFind(cuteSimGroupGetOp(group, i),
                  "$ reads lane %d, which is not in the mask 0x%x; its value "
                  "is undefined",
                  from, group->mask);
    group->values[i][0] = sources[from];
    if (group->site->numResults > 1)
      group->values[i][1] = isValid;
  }
}

//===-- Votes -------------------------------------------------------------===//

// The lanes whose value is not zero are counted.
void cuteSimVote(CuteSimGroup *group) {
  uint32_t lanes = 0, all = group->arrived;
  unsigned asked = group->site->variant;
  CUTE_SIM_FOR_LANES(i, all)
    lanes |= *operandsOf(group, i) ? 1u << i : 0;
  uint32_t result = asked == CUTE_SIM_BALLOT ? lanes
                    : asked == CUTE_SIM_ANY  ? lanes != 0
                    : asked == CUTE_SIM_ALL  ? lanes == all
                                             : !lanes || lanes == all;
  CUTE_SIM_FOR_LANES(i, all)
    group->values[i][0] = result;
}

//===-- Matches and elections ---------------------------------------------===//

static uint32_t lanesLike(const CuteSimGroup *group, int lane) {
  uint32_t lanes = 0;
  CUTE_SIM_FOR_LANES(i, group->arrived)
    if (*operandsOf(group, i) == *operandsOf(group, lane))
      lanes |= 1u << i;
  return lanes;
}

void cuteSimMatch(CuteSimGroup *group) {
  uint32_t lanes[CUTE_SIM_WARP] = {0}, all = group->arrived;
  bool asksAll = group->site->variant == CUTE_SIM_ALL;
  CUTE_SIM_FOR_LANES(i, all)
    lanes[i] = lanesLike(group, i);
  CUTE_SIM_FOR_LANES(i, all) {
    group->values[i][0] = asksAll && lanes[i] != all ? 0 : lanes[i];
    if (asksAll && group->site->numResults > 1)
      group->values[i][1] = lanes[i] == all;
  }
}

// The lowest lane is elected, as today's hardware does.
void cuteSimElect(CuteSimGroup *group) {
  int leader = __builtin_ctz(group->arrived);
  CUTE_SIM_FOR_LANES(i, group->arrived) {
    group->values[i][0] = (uint64_t)leader;
    group->values[i][1] = i == leader;
  }
}

// The lanes know of each other what came before.
void cuteSimWarpSync(CuteSimGroup *group) {
  CuteSimThread *threads = group->warp->threads;
  CuteSimClock *clock = NULL;
  if (!threads->cluster->checks)
    return;
  CUTE_SIM_FOR_LANES(i, group->arrived)
    cuteSimClockRelease(&threads[i], &clock);
  CUTE_SIM_FOR_LANES(i, group->arrived)
    cuteSimClockAcquire(&threads[i], clock);
  cuteSimClockDrop(clock);
}

//===-- Reductions --------------------------------------------------------===//

// PTX has "redux.sync.add.s32", LLVM "redux.sync.umax", .fmax and .add.
static CuteSimReduction reductionOf(const CuteSimSite *site,
                                    const CutePtxType **type) {
  const char *name = strstr(site->name, "redux.sync.") + strlen("redux.sync.");
  CuteSimReduction reduction = CUTE_SIM_REDUCE_ADD;
  const char *text = *name == 'f' || strstr(name, ".f32")   ? "f32"
                     : *name == 'u' || strstr(name, ".u32") ? "u32"
                                                            : "s32";
  *type = cutePtxFindType(cuteStringRef(text));
  size_t length = strcspn(name, ".");
  if (length == 4) // umin, fmax
    ++name, --length;
  cuteSimReductionFind((CuteStringRef){name, length}, &reduction);
  return reduction;
}

// Combines floats without their signs if ".abs" says so; ".NaN" keeps a NaN.
static void reduceLanes(CuteSimGroup *group) {
  const CutePtxType *type;
  CuteSimReduction reduction = reductionOf(group->site, &type);
  uint64_t kept = strstr(group->site->name, ".abs") ? INT32_MAX : UINT32_MAX;
  uint64_t last = strstr(group->site->name, ".NaN") ? 0x7f800000 : UINT32_MAX;
  uint64_t result = group->values[__builtin_ctz(group->arrived)][1] & kept;
  CUTE_SIM_FOR_LANES(i, group->arrived & (group->arrived - 1))
    result =
        cuteSimReduce(reduction, type, result, group->values[i][1] & kept, 0);
  CUTE_SIM_FOR_LANES(i, group->arrived)
    result = (group->values[i][1] & INT32_MAX) > last ? INT32_MAX : result;
  CUTE_SIM_FOR_LANES(i, group->arrived)
    group->values[i][0] = result & UINT32_MAX;
}

void cuteSimRedux(CuteSimOp op, uint64_t *values) {
  cuteSimTogether(op, values, (uint32_t)values[2], reduceLanes);
}
