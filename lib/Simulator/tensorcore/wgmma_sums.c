#include "Simulator/checks/findings.h"
#include "Simulator/machine/launch_run.h"
#include "Simulator/tensorcore/wgmma_checks.h"

static CuteSimWarpgroup *warpgroupOf(const CuteSimThread *thread) {
  enum { THREADS = 4 * CUTE_SIM_WARP };
  return &thread->block->warpgroups[thread->index / THREADS];
}

// The entry of a product that was started last; null: it is too long ago.
static struct CuteSimSums *findSums(CuteSimWarpgroup *group,
                                    const CuteSimSite *product) {
  for (unsigned i = 1; i <= CUTE_SIM_SUMS && i <= group->numSums; ++i) {
    struct CuteSimSums *sums =
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

// Tells whether a breakpoint is asked for, for which all threads keep their
// tensors in memory and so store sums early.
static bool hasBreakpoint(const CuteSimThread *thread) {
  return thread->cluster->run->options->breakAt.hits > 0;
}

void cuteSimWgmmaUse(const CuteSimSite *use, const CuteSimSite *product) {
  CuteSimThread *thread = cuteSimGetThread();
  const struct CuteSimSums *sums = findSums(warpgroupOf(thread), product);
  if (sums && sums->group >= thread->waited && !hasBreakpoint(thread))
    cuteSimFindPair((CuteSimOp){thread, use}, product,
                    "too early: uses sums of the product of line %u, which the "
                    "tensor cores may still compute; write "
                    "cute.warpgroup_wait<0> with the sums before",
                    product->line);
}
