#include "Simulator/tensorcore/wgmma_checks.h"
#include "Simulator/async/bulk_transfer.h"
#include "Simulator/checks/shadow.h"
#include "Simulator/machine/launch_run.h"

enum { UNITS = CUTE_SIM_WINDOW / CUTE_SIM_UNIT, WORD = 64 };

// The units of an operand, a bit each.
typedef struct Units {
  uint64_t bits[UNITS / WORD];
  uint32_t twice; // offset of one that is there twice, UINT32_MAX: none
} Units;

static void addUnit(void *data, uint32_t offset, CUTE_UNUSED void *bytes) {
  Units *units = data;
  uint32_t unit = offset / CUTE_SIM_UNIT;
  uint64_t bit = 1ull << unit % WORD;
  if (units->bits[unit / WORD] & bit)
    units->twice = offset;
  units->bits[unit / WORD] |= bit;
}

static void checkTwice(CuteSimOp op, const CuteSimWgmma *wgmma,
                       const CuteSimWgmmaCall *call, CuteSimDescriptor d,
                       bool isB) {
  Units units = {.twice = UINT32_MAX};
  cuteSimWgmmaVisit(wgmma, call, isB, addUnit, &units);
  if (units.twice != UINT32_MAX)
    cuteSimFindKind(op, CUTE_SIM_NOTE,
                    "descriptor: that of %c, with offsets of %u (leading) and "
                    "%u bytes (stride), has two of its rows at offset %u of "
                    "shared memory; are the two exchanged?",
                    isB ? 'B' : 'A', d.leading, d.stride, units.twice);
}

// A tile begins in the first of the 8 rows that a swizzle permutes.
static void checkBase(CuteSimOp op, const CuteSimDescriptor *d, bool isB) {
  uint32_t row = (uint32_t)CUTE_SIM_UNIT << d->swizzleBits, pattern = 8 * row;
  if (d->swizzleBits && (d->start - (d->base << 7)) % pattern >= row)
    cuteSimFindKind(op, CUTE_SIM_NOTE,
                    "descriptor: that of %c has its start at offset %u of "
                    "shared memory and base %u, in the middle of the %u bytes "
                    "that its swizzle permutes; let the tile begin at a "
                    "multiple of them",
                    isB ? 'B' : 'A', d->start, d->base, pattern);
}

// The first unit represents all.
void cuteSimWgmmaCheckSwizzle(CuteSimOp op, const CuteSimDescriptor *d,
                              bool isB) {
  static const char *const bytes[] = {"0", "32", "64", "128", "128 (by 32)"};
  int own = d->isWide ? 4 : (int)d->swizzleBits;
  uint64_t at = (uint64_t)(uintptr_t)op.thread->block->shared + d->start;
  const CuteSimThread *thread;
  const CuteSimSite *copy = cuteSimShadowGetWriter(op, at, &thread);
  int swizzle = copy ? cuteSimBulkGetSwizzle(copy) : -1;
  if (swizzle >= 0 && swizzle != own)
    cuteSimFindKind(op, CUTE_SIM_NOTE,
                    "descriptor: that of %c has a swizzle of %s bytes, and "
                    "the copy on line %u, which brought it, one of %s; let "
                    "both have the same",
                    isB ? 'B' : 'A', bytes[own], copy->line, bytes[swizzle]);
}

void cuteSimWgmmaCheck(CuteSimOp op, const CuteSimWgmma *wgmma,
                       const CuteSimWgmmaCall *call) {
  if (!op.thread->cluster->checks)
    return;
  for (int isB = !call->descriptorA; isB < 2; ++isB) {
    CuteSimDescriptor d =
        cuteSimDescriptorDecode(isB ? call->descriptorB : call->descriptorA);
    checkTwice(op, wgmma, call, d, isB);
    checkBase(op, &d, isB);
    cuteSimWgmmaCheckSwizzle(op, &d, isB);
  }
}

//===-- Registers ---------------------------------------------------------===//

static CuteSimWarpgroup *warpgroupOf(const CuteSimThread *thread) {
  enum { THREADS = 4 * CUTE_SIM_WARP };
  return &thread->block->warpgroups[thread->index / THREADS];
}

// The entry of a product that was started last; null: it is too long ago.
static const struct CuteSimSums *findSums(const CuteSimWarpgroup *group,
                                          const CuteSimSite *product) {
  for (unsigned i = 1; i <= CUTE_SIM_SUMS && i <= group->numSums; ++i) {
    const struct CuteSimSums *sums =
        &group->sums[(group->numSums - i) % CUTE_SIM_SUMS];
    if (sums->product == product)
      return sums;
  }
  return NULL;
}

// One of the threads notes it for all, before: the text may commit and wait,
// too.
void cuteSimWgmmaStart(const CuteSimSite *product) {
  CuteSimThread *thread = cuteSimGetThread();
  CuteSimWarpgroup *group = warpgroupOf(thread);
  const struct CuteSimSums *sums = findSums(group, product);
  if (!sums || sums->group != thread->committed)
    group->sums[group->numSums++ % CUTE_SIM_SUMS] =
        (struct CuteSimSums){product, thread->committed};
}

static const char *const early[] = {
    [CUTE_SIM_READS_SUMS] =
        ("too early: uses sums of the product of line %u, which the tensor "
         "cores may still compute; write cute.warpgroup_wait<0> with the sums "
         "before"),
    [CUTE_SIM_WRITES_SUMS] =
        ("too early: writes registers of sums of the product of line %u, which "
         "the tensor cores may still compute; write cute.warpgroup_wait<0> "
         "before"),
    [CUTE_SIM_WRITES_A] =
        ("too early: computes A in registers that the product of line %u may "
         "still read; write cute.warpgroup_wait<0> before")};

void cuteSimWgmmaEarly(CuteSimOp op, uint64_t *values) {
  const CuteSimSite *product = (const CuteSimSite *)(uintptr_t)values[1];
  cuteSimFindPair(op, product, early[values[0]], product->line);
}

// Finds nothing with a breakpoint, for which all threads keep their tensors in
// memory and so store sums early.
void cuteSimWgmmaUse(const CuteSimSite *use, const CuteSimSite *product) {
  CuteSimThread *thread = cuteSimGetThread();
  const struct CuteSimSums *sums = findSums(warpgroupOf(thread), product);
  uint64_t values[] = {CUTE_SIM_READS_SUMS, (uintptr_t)product};
  if (sums && sums->group >= thread->waited &&
      !thread->cluster->run->options->breakAt.hits)
    cuteSimWgmmaEarly((CuteSimOp){thread, use}, values);
}
