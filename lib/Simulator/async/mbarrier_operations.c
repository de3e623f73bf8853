// Operations on mbarrier objects in shared memory (PTX ISA, "mbarrier").
#include "Simulator/async/mbarrier_operations.h"
#include "Simulator/async/bulk_transfer.h"
#include "Simulator/async/mbarrier_phases.h"
#include "Simulator/async/mbarrier_state.h"
#include "Simulator/async/pending.h"
#include "Simulator/checks/access.h"
#include "Simulator/checks/shadow.h"
#include "Simulator/machine/launch_run.h"
#include "Simulator/observe/observer.h"
#include "Simulator/ptx/operation_table.h"

// Operations on a barrier are in no order among themselves, but must know of
// the initialization.
static uint64_t *placeFor(CuteSimOp op, uint64_t address,
                          CuteSimAccess access) {
  cuteSimAccessCheckVariable(op, address, sizeof(uint64_t), access);
  return (uint64_t *)(uintptr_t)address;
}

static uint64_t *placeOf(CuteSimOp op, uint64_t address) {
  return placeFor(op, address, CUTE_SIM_READ);
}

// Names the offset in the block's shared memory. Where no thread runs which
// could end, notes it and ends the run.
static void failIf(CuteSimOp op, const uint64_t *place, const char *wrong) {
  static const char format[] = "$: %s (barrier at offset %ju)";
  uint64_t offset = (uintptr_t)place % CUTE_SIM_WINDOW;
  if (wrong && op.thread->cluster->current)
    cuteSimFail(op, format, wrong, offset);
  if (!wrong)
    return;
  cuteSimFind(op, format, wrong, offset);
  atomic_store(&op.thread->cluster->run->isOver, true);
}

// Writes a barrier's state; who waits for a phase that is complete now knows
// what came before the arrivals.
static void set(CuteSimThread *thread, uint64_t *place, CuteSimMbarrier b) {
  unsigned before = cuteSimMbarrierDecode(*place).phase;
  *place = cuteSimMbarrierEncode(b);
  if (b.phase == before)
    return;
  uint64_t address = (uintptr_t)place;
  cuteSimPhasesComplete(thread->cluster, address);
  cuteSimShadowComplete(thread->cluster, address);
  const CuteSimClock *clock = cuteSimShadowGetClock(thread->cluster, address);
  cuteSimObservePhase(thread, address, clock ? clock->time : 0);
}

// Decodes a barrier, which there must be.
static CuteSimMbarrier get(CuteSimOp op, const uint64_t *place) {
  CuteSimMbarrier b = cuteSimMbarrierDecode(*place);
  failIf(op, place,
         b.isValid ? NULL
                   : "there is no barrier at the address: mbarrier.init makes "
                     "one, and threads see it after a barrier");
  return b;
}

void cuteSimMbarrierCheckAt(CuteSimOp op, uint64_t address) {
  get(op, placeOf(op, address));
}

void cuteSimMbarrierCompleteAt(CuteSimOp op, uint64_t address, uint64_t bytes) {
  uint64_t *place = (uint64_t *)(uintptr_t)address;
  CuteSimMbarrier b = cuteSimMbarrierDecode(*place);
  failIf(op, place, cuteSimMbarrierComplete(&b, bytes));
  set(op.thread, place, b);
}

void cuteSimMbarrierArriveAt(CuteSimOp op, uint64_t address) {
  uint64_t *place = (uint64_t *)(uintptr_t)address;
  CuteSimMbarrier b = cuteSimMbarrierDecode(*place);
  failIf(op, place, cuteSimMbarrierArrival(&b, 1, false));
  cuteSimPhasesArrived(op, address);
  set(op.thread, place, b);
}

//===-- Initialization ----------------------------------------------------===//

void cuteSimMbarrierInitialize(CuteSimOp op, uint64_t *values) {
  cuteSimPhasesCheckInit(op, values[0]);
  uint64_t *place = placeFor(op, values[0], CUTE_SIM_WRITE);
  CuteSimMbarrier b;
  failIf(op, place, cuteSimMbarrierInit(&b, values[1] & UINT32_MAX));
  *place = cuteSimMbarrierEncode(b);
  cuteSimPhasesBegin(op.thread->cluster, (uintptr_t)place);
}

void cuteSimMbarrierInvalidate(CuteSimOp op, uint64_t *values) {
  uint64_t *place = placeOf(op, values[0]);
  get(op, place);
  *place = 0;
}

//===-- Arrivals ----------------------------------------------------------===//

// A relaxed operation orders nothing but itself, without a fence: of an arrival
// one before it, of a wait one after it.
static bool isRelaxed(const CuteSimSite *site) {
  return site->words & CUTE_SIM_RELAXED;
}

// The operand after the address, or its default.
static uint64_t second(const CuteSimSite *site, const uint64_t *values,
                       uint64_t otherwise) {
  return site->numOperands > 1 ? values[site->numResults + 1] & UINT32_MAX
                               : otherwise;
}

// The second operand is the bytes that are expected, or else the number of
// arrivals. The state before is the result, if there is one.
void cuteSimMbarrierArrive(CuteSimOp op, uint64_t *values) {
  unsigned does = op.site->variant;
  uint64_t *place = placeOf(op, values[op.site->numResults]);
  CuteSimMbarrier b = cuteSimMbarrierDecode(*place);
  uint64_t before = *place, count = second(op.site, values, 1);
  if (does & CUTE_SIM_EXPECTS) {
    failIf(op, place, cuteSimMbarrierExpect(&b, second(op.site, values, 0)));
    count = 1;
  }
  if (does & CUTE_SIM_ARRIVES)
    failIf(op, place, cuteSimMbarrierArrival(&b, count, does & CUTE_SIM_DROPS));
  if (op.site->words & CUTE_SIM_NOINC &&
      b.phase != cuteSimMbarrierDecode(before).phase)
    failIf(op, place, "completes the phase, which .noComplete denies");
  if (op.site->words & CUTE_SIM_TO_CLUSTER)
    cuteSimClockPass(op.thread, &op.thread->clock, CUTE_SIM_LOADS);
  if (!isRelaxed(op.site) || op.thread->hasFenced)
    cuteSimShadowRelease(op.thread, (uint64_t)(uintptr_t)place);
  cuteSimPhasesArrived(op, (uint64_t)(uintptr_t)place);
  set(op.thread, place, b);
  if (op.site->numResults)
    values[0] = before;
}

void cuteSimMbarrierCompleteBytes(CuteSimOp op, uint64_t *values) {
  cuteSimMbarrierCheckAt(op, values[0]);
  cuteSimMbarrierCompleteAt(op, values[0], second(op.site, values, 0));
}

//===-- Arrivals after copies ---------------------------------------------===//

typedef struct Later {
  CuteSimOp op;
  uint64_t address;
  uint32_t epoch;
} Later;

// The copies that the thread had started arrive before.
static void arriveLater(CUTE_UNUSED CuteSimCluster *cluster, void *data) {
  const Later *later = data;
  CuteSimThread *thread = later->op.thread;
  cuteSimCopiesArrive(thread, later->epoch);
  thread->arrival = thread->time;
  cuteSimShadowPublish(thread, later->address, later->epoch);
  cuteSimMbarrierArriveAt(later->op, later->address);
}

// Without .noinc the arrival is one more than the phase waits for.
void cuteSimCpAsyncMbarrierArrive(CuteSimOp op, uint64_t *values) {
  uint64_t *place = placeOf(op, values[0]);
  CuteSimMbarrier b = get(op, place);
  Later later = {op, values[0], cuteSimCopiesTrack(op.thread)};
  b.pending += !(op.site->words & CUTE_SIM_NOINC);
  *place = cuteSimMbarrierEncode(b);
  cuteSimPendingStart(op.thread->cluster, arriveLater, &later, sizeof later);
}

//===-- Waits -------------------------------------------------------------===//

// Results: whether the phase of a state, or with this parity, has completed.
static bool isComplete(CuteSimOp op, const uint64_t *values) {
  uint64_t *place = placeOf(op, values[1]);
  CuteSimMbarrier b = get(op, place);
  bool isParity = op.site->words & CUTE_SIM_PARITY;
  bool is = cuteSimMbarrierIsComplete(
      b,
      isParity ? (unsigned)values[2] : cuteSimMbarrierDecode(values[2]).phase);
  if (!is)
    return false;
  cuteSimPhasesWaited(op, (uint64_t)(uintptr_t)place, isParity);
  cuteSimShadowAcquire(op.thread, (uint64_t)(uintptr_t)place,
                       isRelaxed(op.site));
  return true;
}

void cuteSimMbarrierTest(CuteSimOp op, uint64_t *values) {
  values[0] = isComplete(op, values);
}

// Lets others run before it says no.
void cuteSimMbarrierTry(CuteSimOp op, uint64_t *values) {
  op.thread->waitedAt = op.site;
  values[0] = isComplete(op, values);
  if (values[0])
    return;
  op.thread->waitsAt = op.site;
  op.thread->waitsFor[0] = values[1] % CUTE_SIM_WINDOW;
  op.thread->waitsFor[1] = values[2];
  cuteSimYield(op.thread);
  op.thread->waitsAt = NULL;
  values[0] = isComplete(op, values);
}

void cuteSimMbarrierPending(CUTE_UNUSED CuteSimOp op, uint64_t *values) {
  values[0] = cuteSimMbarrierDecode(values[1]).pending;
}

void cuteSimMbarrierAppendState(CuteString *text, const CuteSimThread *thread) {
  const CuteSimSite *site = thread->waitsAt;
  uint64_t bits;
  if (!site || site->function != cuteSimMbarrierTry)
    return;
  memcpy(&bits, thread->block->shared + thread->waitsFor[0], sizeof bits);
  CuteSimMbarrier b = cuteSimMbarrierDecode(bits);
  cuteStringAppendFormat(text,
                         " (the barrier at offset %ju is in phase %u and "
                         "waits for %u of %u arrivals and %d bytes",
                         thread->waitsFor[0], b.phase, b.pending, b.expected,
                         b.bytes);
  if (b.bytes > 0 && !thread->cluster->numPending)
    cuteStringAppend(text, ", which no copy brings: "
                           "mbarrier.arrive.expect_tx says too many");
  if (b.bytes < 0)
    cuteStringAppend(text, ": copies have brought more than "
                           "mbarrier.arrive.expect_tx says");
  cuteSimPhasesAppend(text, thread,
                      (uint64_t)(uintptr_t)thread->block->shared +
                          thread->waitsFor[0]);
  cuteStringAppend(text, ")");
}
