// Operations on mbarrier objects in shared memory (PTX ISA, "mbarrier").
#include "Simulator/async/mbarrier_operations.h"
#include "Simulator/async/cp_async.h"
#include "Simulator/async/mbarrier_phases.h"
#include "Simulator/async/mbarrier_state.h"
#include "Simulator/async/pending.h"
#include "Simulator/checks/access.h"
#include "Simulator/checks/findings.h"
#include "Simulator/checks/shadow.h"
#include "Simulator/machine/launch_run.h"
#include "Simulator/observe/observer.h"
#include "Simulator/ptx/operation_table.h"

#include <string.h>

// Operations on a barrier are in no order among themselves, but must know of
// the initialization.
static uint64_t *placeFor(CuteSimThread *thread, const CuteSimSite *site,
                          uint64_t address, CuteSimAccess access) {
  cuteSimAccessCheckVariable(thread, site, address, sizeof(uint64_t), access);
  return (uint64_t *)(uintptr_t)address;
}

static uint64_t *placeOf(CuteSimThread *thread, const CuteSimSite *site,
                         uint64_t address) {
  return placeFor(thread, site, address, CUTE_SIM_READ);
}

// Names the offset in the block's shared memory.
static void failIf(const CuteSimThread *thread, const CuteSimSite *site,
                   const uint64_t *place, const char *wrong) {
  if (wrong)
    cuteSimFail(thread, site, "%s: %s (barrier at offset %llu)",
                cuteSimSiteGetName(site), wrong,
                (unsigned long long)((uintptr_t)place % CUTE_SIM_WINDOW));
}

// Writes a barrier's state; who waits for a phase that is complete now knows
// what came before the arrivals.
static void set(CuteSimThread *thread, uint64_t *place, CuteSimMbarrier b) {
  unsigned before = cuteSimMbarrierDecode(*place).phase;
  *place = cuteSimMbarrierEncode(b);
  if (b.phase == before)
    return;
  uint64_t address = (uintptr_t)place;
  cuteSimShadowComplete(thread->block->cluster, address);
  cuteSimPhasesComplete(thread->block->cluster, address);
  cuteSimObservePhase(thread, address,
                      cuteSimShadowGetTime(thread->block->cluster, address));
}

// The same where no thread runs, which could end.
static void noteIf(const CuteSimThread *thread, const CuteSimSite *site,
                   const uint64_t *place, const char *wrong) {
  if (!wrong)
    return;
  cuteSimFind(thread, site, "%s: %s (barrier at offset %llu)",
              cuteSimSiteGetName(site), wrong,
              (unsigned long long)((uintptr_t)place % CUTE_SIM_WINDOW));
  atomic_store(&thread->block->cluster->run->isOver, true);
}

void cuteSimMbarrierCheckAt(CuteSimThread *thread, const CuteSimSite *site,
                            uint64_t address) {
  uint64_t *place = placeOf(thread, site, address);
  if (!cuteSimMbarrierDecode(*place).isValid)
    failIf(thread, site, place, "there is no barrier at the address");
}

void cuteSimMbarrierCompleteAt(CuteSimThread *thread, const CuteSimSite *site,
                               uint64_t address, uint64_t bytes) {
  uint64_t *place = (uint64_t *)(uintptr_t)address;
  CuteSimMbarrier b = cuteSimMbarrierDecode(*place);
  noteIf(thread, site, place, cuteSimMbarrierComplete(&b, bytes));
  set(thread, place, b);
}

void cuteSimMbarrierArriveAt(CuteSimThread *thread, const CuteSimSite *site,
                             uint64_t address) {
  uint64_t *place = (uint64_t *)(uintptr_t)address;
  CuteSimMbarrier b = cuteSimMbarrierDecode(*place);
  noteIf(thread, site, place, cuteSimMbarrierArrive(&b, 1, false));
  cuteSimPhasesArrived(thread, site, address);
  set(thread, place, b);
}

//===-- Initialization ----------------------------------------------------===//

void cuteSimMbarrierInitialize(CuteSimThread *thread, const CuteSimSite *site,
                               uint64_t *values) {
  uint64_t *place = placeFor(thread, site, values[0], CUTE_SIM_WRITE);
  CuteSimMbarrier b;
  failIf(thread, site, place, cuteSimMbarrierInit(&b, values[1] & UINT32_MAX));
  *place = cuteSimMbarrierEncode(b);
  cuteSimPhasesBegin(thread->block->cluster, (uintptr_t)place);
}

void cuteSimMbarrierInvalidate(CuteSimThread *thread, const CuteSimSite *site,
                               uint64_t *values) {
  uint64_t *place = placeFor(thread, site, values[0], CUTE_SIM_WRITE);
  if (!cuteSimMbarrierDecode(*place).isValid)
    failIf(thread, site, place, "there is no barrier at the address");
  *place = 0;
}

//===-- Arrivals ----------------------------------------------------------===//

// A relaxed operation orders nothing but itself, without a fence: of an arrival
// one before it, of a wait one after it.
static bool isRelaxed(const CuteSimSite *site) {
  return site->words & CUTE_SIM_RELAXED;
}

typedef struct Arrival {
  uint64_t count, bytes;
  bool expects, drops;
} Arrival;

// The state before is the result, if there is one.
static void arrive(CuteSimThread *thread, const CuteSimSite *site,
                   uint64_t *values, Arrival arrival) {
  uint64_t *place = placeOf(thread, site, values[site->numResults]);
  CuteSimMbarrier b = cuteSimMbarrierDecode(*place);
  uint64_t before = *place;
  if (arrival.expects)
    failIf(thread, site, place, cuteSimMbarrierExpect(&b, arrival.bytes));
  if (arrival.count)
    failIf(thread, site, place,
           cuteSimMbarrierArrive(&b, arrival.count, arrival.drops));
  if (!isRelaxed(site) || thread->hasFenced)
    cuteSimShadowRelease(thread, (uint64_t)(uintptr_t)place);
  cuteSimPhasesArrived(thread, site, (uint64_t)(uintptr_t)place);
  set(thread, place, b);
  if (site->numResults)
    values[0] = before;
}

// The operand after the address, or its default.
static uint64_t second(const CuteSimSite *site, const uint64_t *values,
                       uint64_t otherwise) {
  return site->numOperands > 1 ? values[site->numResults + 1] & UINT32_MAX
                               : otherwise;
}

void cuteSimMbarrierArriveOn(CuteSimThread *thread, const CuteSimSite *site,
                             uint64_t *values) {
  arrive(thread, site, values, (Arrival){.count = second(site, values, 1)});
}

void cuteSimMbarrierDrop(CuteSimThread *thread, const CuteSimSite *site,
                         uint64_t *values) {
  arrive(thread, site, values,
         (Arrival){.count = second(site, values, 1), .drops = true});
}

void cuteSimMbarrierArriveExpect(CuteSimThread *thread, const CuteSimSite *site,
                                 uint64_t *values) {
  arrive(
      thread, site, values,
      (Arrival){.count = 1, .bytes = second(site, values, 0), .expects = true});
}

void cuteSimMbarrierDropExpect(CuteSimThread *thread, const CuteSimSite *site,
                               uint64_t *values) {
  arrive(thread, site, values,
         (Arrival){.count = 1,
                   .bytes = second(site, values, 0),
                   .expects = true,
                   .drops = true});
}

void cuteSimMbarrierExpectBytes(CuteSimThread *thread, const CuteSimSite *site,
                                uint64_t *values) {
  arrive(thread, site, values,
         (Arrival){.bytes = second(site, values, 0), .expects = true});
}

void cuteSimMbarrierCompleteBytes(CuteSimThread *thread,
                                  const CuteSimSite *site, uint64_t *values) {
  cuteSimMbarrierCheckAt(thread, site, values[0]);
  cuteSimMbarrierCompleteAt(thread, site, values[0], second(site, values, 0));
}

//===-- Arrivals after copies ---------------------------------------------===//

typedef struct Later {
  CuteSimThread *thread;
  const CuteSimSite *site;
  uint64_t *place;
} Later;

// All copies that the thread has started arrive before.
static void arriveLater(CuteSimCluster *cluster, void *data) {
  const Later *later = data;
  CuteSimMbarrier b = cuteSimMbarrierDecode(*later->place);
  (void)cluster;
  cuteSimCopiesFinish(later->thread);
  noteIf(later->thread, later->site, later->place,
         cuteSimMbarrierArrive(&b, 1, false));
  cuteSimShadowRelease(later->thread, (uint64_t)(uintptr_t)later->place);
  cuteSimPhasesArrived(later->thread, later->site,
                       (uint64_t)(uintptr_t)later->place);
  set(later->thread, later->place, b);
}

// Without .noinc the arrival is one more than the phase waits for.
void cuteSimCpAsyncMbarrierArrive(CuteSimThread *thread,
                                  const CuteSimSite *site, uint64_t *values) {
  uint64_t *place = placeOf(thread, site, values[0]);
  CuteSimMbarrier b = cuteSimMbarrierDecode(*place);
  Later later = {thread, site, place};
  if (!b.isValid)
    failIf(thread, site, place, "there is no barrier at the address");
  if (!(site->words & CUTE_SIM_NOINC) && b.pending++ == b.expected)
    b.expected = b.pending;
  *place = cuteSimMbarrierEncode(b);
  cuteSimPendingStart(thread->block->cluster, arriveLater, &later,
                      sizeof later);
}

//===-- Waits -------------------------------------------------------------===//

// Results: whether the phase of a state, or with this parity, has completed.
static bool isComplete(CuteSimThread *thread, const CuteSimSite *site,
                       const uint64_t *values) {
  uint64_t *place = placeOf(thread, site, values[1]);
  CuteSimMbarrier b = cuteSimMbarrierDecode(*place);
  bool isParity = site->words & CUTE_SIM_PARITY;
  if (!b.isValid)
    failIf(thread, site, place,
           "there is no barrier at the address: mbarrier.init makes one, and "
           "threads see it after a barrier");
  bool is = cuteSimMbarrierIsComplete(
      b,
      isParity ? (unsigned)values[2] : cuteSimMbarrierDecode(values[2]).phase);
  if (!is)
    return false;
  cuteSimPhasesWaited(thread, site, (uint64_t)(uintptr_t)place, isParity);
  (isRelaxed(site) ? cuteSimShadowSee
                   : cuteSimShadowAcquire)(thread, (uint64_t)(uintptr_t)place);
  return true;
}

void cuteSimMbarrierTest(CuteSimThread *thread, const CuteSimSite *site,
                         uint64_t *values) {
  values[0] = isComplete(thread, site, values);
}

// Lets others run before it says no.
void cuteSimMbarrierTry(CuteSimThread *thread, const CuteSimSite *site,
                        uint64_t *values) {
  thread->waitedAt = site;
  values[0] = isComplete(thread, site, values);
  if (values[0])
    return;
  thread->waitsAt = site;
  thread->waitsFor[0] = values[1] % CUTE_SIM_WINDOW;
  thread->waitsFor[1] = values[2];
  cuteSimYield(thread);
  thread->waitsAt = NULL;
  values[0] = isComplete(thread, site, values);
}

void cuteSimMbarrierPending(CuteSimThread *thread, const CuteSimSite *site,
                            uint64_t *values) {
  (void)thread, (void)site;
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
                         " (the barrier at offset %llu is in phase %u and "
                         "waits for %u of %u arrivals and %d bytes",
                         (unsigned long long)thread->waitsFor[0], b.phase,
                         b.pending, b.expected, b.bytes);
  if (b.bytes > 0 && !thread->block->cluster->numPending)
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
