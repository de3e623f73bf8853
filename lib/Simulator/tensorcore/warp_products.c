// Products of a warp and of a warpgroup as operations of the machine.
#include "Algebra/algebra.h"
#include "Hardware/atom.h"
#include "Simulator/checks/access.h"
#include "Simulator/checks/run_checks.h"
#include "Simulator/checks/shadow.h"
#include "Simulator/machine/launch_run.h"
#include "Simulator/machine/resources.h"
#include "Simulator/machine/scratch.h"
#include "Simulator/observe/observer.h"
#include "Simulator/ptx/operation_table.h"
#include "Simulator/tensorcore/warp_mma.h"
#include "Simulator/tensorcore/wgmma_checks.h"
#include "Support/text.h"

//===-- Instructions ------------------------------------------------------===//

static const CuteMmaAtom *atomOf(const CuteSimSite *site) {
  CuteStringRef name = {site->name, strlen(site->name)};
  return cuteTextStartsWith(name, "llvm.") ? cuteSimMmaFindIntrinsic(name)
                                           : cuteSimMmaFindInstruction(name);
}

// An instruction with its register operands: immediate operands follow E, SFA
// and SFB.
typedef struct Product {
  CuteSimMma *mma;
  size_t numInputs;
  bool isDouble; // and then each operand is two words
  unsigned registers[CUTE_SIM_MAX_MMA_WORDS];
} Product;

// The immediate operands of E, SFA and SFB, and how many there are.
static unsigned takeImmediates(CuteMmaOperand operand, const uint64_t *end,
                               CuteSimMmaSelectors *s) {
  if (operand == CUTE_OPERAND_SFB)
    s->byteB = (int)end[-2], s->threadB = (int)end[-1];
  else if (operand == CUTE_OPERAND_SFA)
    s->byteA = (int)end[-2], s->threadA = (int)end[-1];
  else if (operand == CUTE_OPERAND_E)
    s->e = (int)end[-1];
  return operand == CUTE_OPERAND_E ? 1 : operand >= CUTE_OPERAND_SFA ? 2 : 0;
}

// Tells registers from immediate operands, which follow the last matrices.
static CuteSimMmaSelectors takeOperands(const CuteMmaAtom *atom,
                                        const CuteSimSite *site,
                                        const uint64_t *operands,
                                        Product *product) {
  CuteSimMmaSelectors selectors = {0};
  bool isImmediate[2 * CUTE_SIM_MAX_MMA_WORDS] = {false};
  size_t count = 0;
  unsigned end = site->numOperands;
  for (int i = CUTE_NUM_MMA_OPERANDS; i-- > 0;) {
    if (!cuteMmaAtomHasOperand(atom, (CuteMmaOperand)i) || end < 3)
      continue;
    unsigned n = takeImmediates((CuteMmaOperand)i, operands + end, &selectors);
    for (unsigned k = 0; k < n; ++k)
      isImmediate[--end] = true;
    end -= n > 0;
  }
  for (unsigned i = 0; i < site->numOperands; ++i)
    if (!isImmediate[i] && count < CUTE_SIM_MAX_MMA_WORDS)
      product->registers[count++] = i;
  return selectors;
}

// Made when it is first done: immediate operands are known then.
static void *create(const CuteSimSite *site, const uint64_t *operands) {
  const CuteMmaAtom *atom = atomOf(site);
  CuteContext c = site->resources->context;
  Product *product = cuteArenaAllocate(&c->nodes, sizeof *product);
  CuteSimMma *mma =
      cuteSimMmaCreate(c, atom, takeOperands(atom, site, operands, product));
  if (!mma)
    return NULL;
  product->mma = mma;
  product->numInputs = cuteSimMmaGetNumInputs(mma);
  product->isDouble = cuteSimMmaGetNumOutputs(mma) == 2 * site->numResults;
  return product;
}

static void beginWatch(const CuteSimThread *thread) {
  if (thread->cluster->run->options->seeksNan)
    cuteSimMultiplyWatch();
}

//===-- Of a warp ---------------------------------------------------------===//

static void takeWords(const Product *product, const uint64_t *operands,
                      uint32_t *words) {
  if (product->isDouble)
    memcpy(words, operands, product->numInputs * sizeof *words);
  else
    for (size_t i = 0; i < product->numInputs; ++i)
      words[i] = (uint32_t)operands[product->registers[i]];
}

static void giveWords(const Product *product, const uint32_t *words,
                      unsigned numResults, uint64_t *values) {
  if (product->isDouble)
    memcpy(values, words, numResults * sizeof *values);
  else
    for (unsigned i = 0; i < numResults; ++i)
      values[i] = words[i];
}

void cuteSimWarpMma(CuteSimGroup *group) {
  CuteSimOp op = cuteSimGroupGetOp(group, 0);
  const CuteSimSite *site = group->site;
  unsigned results = site->numResults;
  uint32_t in[CUTE_SIM_LANES][CUTE_SIM_MAX_MMA_WORDS],
      out[CUTE_SIM_LANES][CUTE_SIM_MAX_MMA_WORDS];
  const uint32_t *ins[CUTE_SIM_LANES];
  uint32_t *outs[CUTE_SIM_LANES];
  const Product *product =
      cuteSimSitePrepare(site, group->values[0] + results, create);
  if (!product)
    cuteSimFail(op, "$: %s", cuteContextGetError(site->resources->context));
  for (int i = 0; i < CUTE_SIM_LANES; ++i) {
    takeWords(product, group->values[i] + results, in[i]);
    ins[i] = in[i], outs[i] = out[i];
  }
  beginWatch(op.thread);
  const char *problem = cuteSimMmaRun(
      product->mma, op.thread->cluster->run->options->arch, ins, outs);
  cuteSimFiniteProduct(op);
  if (problem)
    cuteSimFind(op, "$: %s", problem);
  for (int i = 0; i < CUTE_SIM_LANES; ++i)
    giveWords(product, out[i], results, group->values[i]);
}

CuteStatus cuteSimWarpMmaPrepare(CuteSimSite *site) {
  return atomOf(site) ? NULL : cuteSimUnknown(site);
}

//===-- Of a warpgroup ----------------------------------------------------===//

CuteStatus cuteSimWgmmaPrepare(CuteSimSite *site) {
  CuteSimResources *resources = site->resources;
  CuteStringRef name = {site->name, strlen(site->name)};
  CuteSimWgmma *wgmma = cuteSimWgmmaCreate(resources->context, name,
                                           site->numResults, site->numOperands);
  if (!wgmma)
    return cuteStatusCreate("the simulator does not know %s: %s", site->name,
                            cuteContextGetError(resources->context));
  *site->prepared = wgmma;
  return NULL;
}

// The unit of a block's shared memory at an offset.
static void readUnit(void *data, uint32_t offset, void *bytes) {
  CuteSimThread *thread = data;
  uint64_t at = (uint64_t)(uintptr_t)thread->block->shared + offset;
  cuteSimAccessCheck((CuteSimOp){thread, thread->meetsAt}, at, CUTE_SIM_UNIT,
                     CUTE_SIM_UNIT, CUTE_SIM_READ);
  cuteSimShadowCheckFence((CuteSimOp){thread, thread->meetsAt}, at,
                          CUTE_SIM_UNIT);
  memcpy(bytes, (const void *)(uintptr_t)at, CUTE_SIM_UNIT);
}

static CuteSimWarpgroup *warpgroupOf(const CuteSimThread *thread) {
  return &thread->block->warpgroups[thread->index / CUTE_SIM_WARPGROUP];
}

void cuteSimWgmmaCommit(CuteSimOp op, CUTE_UNUSED uint64_t *values) {
  ++op.thread->committed;
}

void cuteSimWgmmaWait(CuteSimOp op, uint64_t *values) {
  uint32_t pending = (uint32_t)values[0];
  op.thread->waitedAt = op.site;
  if (op.thread->waited + pending >= op.thread->committed)
    return;
  op.thread->waited = op.thread->committed - pending;
  double end =
      warpgroupOf(op.thread)->ends[(op.thread->waited - 1) % CUTE_SIM_SUMS];
  op.thread->time = op.thread->time < end ? end : op.thread->time;
  cuteSimClockWaitProducts(op.thread, op.thread->waited);
}

// Sums of floats that the product adds to, and that nobody has cleared, are
// words in which all bits are set.
static void noteUncleared(CuteSimOp op, const CuteMmaAtom *atom,
                          const uint32_t *words) {
  if (!cuteElementTypeIsFloat(atom->d))
    return;
  for (unsigned i = 0; i < op.site->numResults; ++i)
    if (words[i] == UINT32_MAX) {
      cuteSimFindKind(
          op, CUTE_SIM_NOTE,
          "uninitialised: adds to sums that were never written; clear them "
          "before, or let the first product not add to them");
      return;
    }
}

static void multiplyGroup(CuteSimOp op, uint64_t *const *values) {
  const CuteSimWgmma *wgmma = *op.site->prepared;
  const CuteMmaAtom *atom = cuteSimWgmmaGetAtom(wgmma);
  enum { MOST = 160 };
  uint32_t(*words)[MOST] = cuteSimScratchGet(
      CUTE_SIM_SCRATCH_WORDS, CUTE_SIM_WARPGROUP * sizeof *words);
  const uint32_t *ins[CUTE_SIM_WARPGROUP];
  uint32_t *outs[CUTE_SIM_WARPGROUP];
  unsigned results = op.site->numResults;
  CuteSimWgmmaCall call;
  const char *problem = cuteSimWgmmaTake(wgmma, values[0] + results, &call);
  if (problem)
    cuteSimFail(op, "$: %s", problem);
  for (int i = 0; i < CUTE_SIM_WARPGROUP; ++i) {
    cuteSimWgmmaTakeWords(wgmma, values[i], values[i] + results, words[i]);
    ins[i] = outs[i] = words[i];
  }
  op.thread->meetsAt = op.site;
  cuteSimWgmmaCheck(op, wgmma, &call);
  if (call.addsC)
    noteUncleared(op, atom, words[0]);
  beginWatch(op.thread);
  op.thread->isMultiplying = true;
  problem = cuteSimWgmmaRun(wgmma, &call, ins, outs, readUnit, op.thread);
  op.thread->isMultiplying = false;
  cuteSimFiniteProduct(op);
  cuteSimObserveProduct(op, 2.0 * atom->m * atom->n * atom->k);
  warpgroupOf(op.thread)->ends[op.thread->committed % CUTE_SIM_SUMS] =
      op.thread->arrival;
  if (problem)
    cuteSimFind(op, "$: %s", problem);
  for (int i = 0; i < CUTE_SIM_WARPGROUP; ++i)
    for (unsigned k = 0; k < results; ++k)
      values[i][k] = words[i][k];
}

// The last of the 128 threads multiplies for all.
void cuteSimWgmma(CuteSimOp op, uint64_t *values) {
  CuteSimBlock *block = op.thread->block;
  CuteSimWarpgroup *group = warpgroupOf(op.thread);
  int first = op.thread->index - op.thread->index % CUTE_SIM_WARPGROUP;
  if (first + CUTE_SIM_WARPGROUP > block->numThreads)
    cuteSimFail(op,
                "$ needs a warpgroup of 128 threads; the block has %d threads",
                block->numThreads);
  if (group->arrived && group->site != op.site)
    cuteSimFail(op,
                "$: other warps of the warpgroup are at another product, on "
                "line %u; all four must do the same",
                group->site->line);
  group->site = op.site;
  group->values[op.thread->index - first] = values;
  if (++group->arrived < CUTE_SIM_WARPGROUP) {
    cuteSimWait(op, group);
    return;
  }
  group->arrived = 0;
  multiplyGroup(op, group->values);
  for (int i = 0; i < CUTE_SIM_WARPGROUP; ++i)
    if (block->threads[first + i].waitsOn == group)
      cuteSimWake(&block->threads[first + i]);
}
