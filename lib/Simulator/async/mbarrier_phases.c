#include "Simulator/async/mbarrier_phases.h"
#include "Simulator/async/mbarrier_state.h"
#include "Simulator/checks/shadow.h"
#include "Simulator/checks/tensor_names.h"
#include "Simulator/machine/launch_run.h"
#include "Simulator/ptx/operation_table.h"
#include "Support/arena.h"
#include "Support/pointer_map.h"

// The latest phase that a thread has waited for, its number plus one, and the
// thread's epoch then.
typedef struct Sight {
  int64_t phase;
  uint32_t epoch;
} Sight;

typedef struct Barrier {
  uint64_t address;
  int64_t completed;
  uint32_t number, phases; // in the clock, and of all barriers at the address
  CuteSimThread *latest;   // to arrive
  const CuteSimSite *site; // where it did; null: nobody has
  Sight sights[];          // of each thread of the cluster
} Barrier;

static const void *keyOf(uint64_t address) {
  return (const void *)(uintptr_t)address;
}

static Barrier *find(const CuteSimCluster *cluster, uint64_t address) {
  return cluster->phases ? cutePointerMapGet(cluster->phases, keyOf(address))
                         : NULL;
}

//===-- Creation ----------------------------------------------------------===//

void cuteSimPhasesCreate(CuteSimCluster *cluster) {
  if (cluster->checks)
    cluster->phases = calloc(1, sizeof *cluster->phases);
}

void cuteSimPhasesReset(CuteSimCluster *cluster) {
  size_t at = 0;
  if (!cluster->phases)
    return;
  for (void *barrier; (barrier = cutePointerMapNext(cluster->phases, &at));)
    free(barrier);
  cutePointerMapClear(cluster->phases);
}

void cuteSimPhasesDestroy(CuteSimCluster *cluster) {
  cuteSimPhasesReset(cluster);
  if (cluster->phases)
    cutePointerMapDestroy(cluster->phases);
  free(cluster->phases);
}

//===-- Phases ------------------------------------------------------------===//

void cuteSimPhasesBegin(CuteSimCluster *cluster, uint64_t address) {
  Barrier *barrier = find(cluster, address);
  size_t size = sizeof *barrier +
                (size_t)cuteSimClusterGetThreads(cluster) * sizeof(Sight);
  if (!cluster->phases)
    return;
  if (!barrier) {
    barrier = cuteAllocateZeros(1, size);
    barrier->number = (uint32_t)cluster->phases->table.count;
    cutePointerMapSet(cluster->phases, keyOf(address), barrier);
  }
  uint32_t number = barrier->number, phases = barrier->phases;
  memset(barrier, 0, size);
  barrier->address = address;
  barrier->number = number;
  barrier->phases = phases;
}

uint32_t cuteSimPhasesGetCopies(const CuteSimThread *thread, uint64_t address,
                                uint32_t epoch) {
  const CuteSimCluster *cluster = thread->cluster;
  const Barrier *barrier = find(cluster, address);
  if (!barrier || barrier->number >= CUTE_SIM_CLOCK_BARRIERS)
    return cuteSimShadowMakeWord(thread->number, epoch);
  return cuteSimShadowMakeWord(cuteSimClockGetCopies(cluster, barrier->number),
                               barrier->phases + 1);
}

void cuteSimPhasesArrived(CuteSimOp op, uint64_t address) {
  Barrier *barrier = find(op.thread->cluster, address);
  if (barrier)
    barrier->latest = op.thread, barrier->site = op.site;
}

// Tells whether the barrier's memory is still its own; inval has zeroed it.
static bool isBarrier(const Barrier *barrier) {
  const CuteSimThread *thread;
  const CuteSimSite *writer = cuteSimShadowGetWriter(
      (CuteSimOp){barrier->latest, barrier->site}, barrier->address, &thread);
  return writer && writer->function == cuteSimMbarrierInitialize &&
         *(const uint64_t *)(uintptr_t)barrier->address;
}

void cuteSimPhasesCheckInit(CuteSimOp op, uint64_t address) {
  const Barrier *barrier = find(op.thread->cluster, address);
  if (barrier && barrier->site && isBarrier(barrier))
    cuteSimFindPair(
        op, barrier->site,
        "initializes the barrier at offset %ju%s, at which thread %d arrived "
        "on line %u; write cute.mbarrier_inval before, or initialize it once",
        (address % CUTE_SIM_WINDOW),
        cuteSimNameShared(op.thread, address % CUTE_SIM_WINDOW).text,
        barrier->latest->index, barrier->site->line);
}

void cuteSimPhasesEnd(CuteSimCluster *cluster) {
  size_t at = 0;
  if (!cluster->phases)
    return;
  for (Barrier *barrier;
       (barrier = cutePointerMapNext(cluster->phases, &at));) {
    if (!barrier->site || !isBarrier(barrier))
      continue;
    uint64_t offset = barrier->address % CUTE_SIM_WINDOW;
    CuteSimMbarrier b =
        cuteSimMbarrierDecode(*(const uint64_t *)(uintptr_t)barrier->address);
    if (b.isValid && (b.pending != b.expected || b.bytes))
      cuteSimFind((CuteSimOp){barrier->latest, barrier->site},
                  "unfinished phase: the kernel ends in phase %jd of the "
                  "barrier at offset %ju%s, which waits for %u of %u arrivals "
                  "and %d bytes after this arrival",
                  barrier->completed, offset,
                  cuteSimNameShared(barrier->latest, offset).text, b.pending,
                  b.expected, b.bytes);
  }
}

void cuteSimPhasesComplete(CuteSimCluster *cluster, uint64_t address) {
  Barrier *barrier = find(cluster, address);
  if (!barrier)
    return;
  ++barrier->completed;
  ++barrier->phases;
  if (barrier->number < CUTE_SIM_CLOCK_BARRIERS)
    cuteSimShadowTell(cluster, address,
                      cuteSimClockGetCopies(cluster, barrier->number),
                      barrier->phases);
}

// Tells whether what a thread does now comes after a wait, its own or another
// one's, that ended with a phase or a later one.
static bool isAfter(const CuteSimThread *thread, const Barrier *barrier,
                    int64_t phase) {
  const Sight *sights = barrier->sights;
  if (sights[thread->number].phase > phase)
    return true;
  for (uint32_t i = 0; i < (size_t)cuteSimClusterGetThreads(thread->cluster);
       ++i)
    if (sights[i].phase > phase &&
        cuteSimClockKnows(thread, i, sights[i].epoch))
      return true;
  return false;
}

void cuteSimPhasesWaited(CuteSimOp op, uint64_t address, bool isParity) {
  Barrier *barrier = find(op.thread->cluster, address);
  if (!barrier)
    return;
  uint64_t offset = address % CUTE_SIM_WINDOW;
  int64_t latest = barrier->completed - 1;
  if (isParity && latest > 0 && !isAfter(op.thread, barrier, latest - 1))
    cuteSimFind(op,
                "phase: ends with phase %jd of the barrier at offset %ju%s, "
                "but nothing has this thread wait for phase %jd before, and "
                "phase %jd has the same parity: in another order it ends with "
                "that one; wait for each phase in turn",
                latest, offset, cuteSimNameShared(op.thread, offset).text,
                latest - 1, latest - 2);
  barrier->sights[op.thread->number] = (Sight){latest + 1, op.thread->epoch};
}

void cuteSimPhasesAppend(CuteString *text, const CuteSimThread *thread,
                         uint64_t address) {
  const Barrier *barrier = find(thread->cluster, address);
  if (!barrier || !barrier->completed)
    return;
  int64_t seen = barrier->sights[thread->number].phase;
  cuteStringAppendFormat(text, "; %jd of its phases are complete, and ",
                         barrier->completed);
  if (seen)
    cuteStringAppendFormat(text, "this thread has waited for number %jd last",
                           seen - 1);
  else
    cuteStringAppend(text, "this thread has waited for none");
}
