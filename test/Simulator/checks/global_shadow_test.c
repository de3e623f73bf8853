// Two blocks whose atomic operations take turns: what one reads after it has
// seen the other's release is no race, also where its operation was checked
// before the other one wrote. Without its operation, it is one.
#include "Simulator/checks/access.h"
#include "Simulator/checks/global_shadow.h"
#include "Simulator/machine/device_memory.h"
#include "Simulator/machine/resources.h"
#include "check.h"
#include "check_status.h"

#include <stdatomic.h>
#include <string.h>

typedef struct Turns {
  CuteSimSite read, write, count;
  uint64_t data;
  bool isEarly; // the operation was done before the other block wrote
  atomic_int turn;
} Turns;

static void waitForTurn(Turns *turns, int turn) {
  while (atomic_load(&turns->turn) != turn)
    cuteSimYield(cuteSimGetThread());
}

// Block 0 is about to do an atomic operation when block 1 writes and releases.
static void kernel(void **parameters) {
  Turns *turns = parameters[0];
  uint64_t flag = turns->data + 4;
  if (cuteSimGetThread()->block->number == 0) {
    cuteSimAccess(&turns->count, flag);
    if (turns->isEarly)
      cuteSimAccessEndAtomic(flag);
    atomic_store(&turns->turn, 1);
    waitForTurn(turns, 2);
    if (!turns->isEarly)
      cuteSimAccessEndAtomic(flag);
    cuteSimAccess(&turns->read, turns->data);
  } else {
    waitForTurn(turns, 1);
    cuteSimAccess(&turns->write, turns->data);
    cuteSimAccess(&turns->count, flag);
    cuteSimAccessEndAtomic(flag);
    atomic_store(&turns->turn, 2);
  }
}

static CuteSimSite siteOf(CuteSimResources *resources, const char *name,
                          CuteSimAccess access) {
  CuteSimSite site = {.name = name,
                      .access = access,
                      .space = CUTE_SIM_GLOBAL,
                      .bytes = 4,
                      .align = 4,
                      .resources = resources};
  return site;
}

static CuteStatus run(bool isEarly, uint32_t words) {
  CuteSimResources resources;
  CuteString notes = {0};
  cuteSimResourcesCreate(&resources);
  Turns turns = {.read = siteOf(&resources, "ld", CUTE_SIM_READ),
                 .write = siteOf(&resources, "st", CUTE_SIM_WRITE),
                 .count = siteOf(&resources, "atom", CUTE_SIM_ATOMIC),
                 .data = cuteSimMemoryAllocate(8),
                 .isEarly = isEarly};
  CuteSimSite *sites[] = {&turns.read, &turns.write, &turns.count};
  turns.count.words = words;
  for (int i = 0; i < 3; ++i)
    sites[i]->number = cuteSimResourcesAddSite(&resources, sites[i]);
  void *parameters[] = {&turns};
  CuteSimLaunch launch = {.kernel = kernel,
                          .parameters = parameters,
                          .grid = {2, 1, 1},
                          .block = {1, 1, 1},
                          .cluster = {1, 1, 1},
                          .isCooperative = true};
  CuteSimOptions options = {.checks = true, .timeout = 60};
  CuteStatus status = cuteSimRun(&launch, &options, &notes);
  assert_true(cuteSimMemoryRelease(turns.data));
  cuteStringDestroy(&notes);
  cuteSimResourcesDestroy(&resources);
  return status;
}

enum { BOTH = CUTE_SIM_ACQUIRES | CUTE_SIM_RELEASES };

static void operationThatIsSlow(void **state) {
  (void)state;
  assertSucceeds(run(false, BOTH));
}

static void operationBefore(void **state) {
  (void)state;
  assertFails(run(true, BOTH), "race: reads global memory at byte 0");
}

// Either side must order the memory around it.
static void operationThatIsRelaxed(void **state) {
  (void)state;
  assertFails(run(false, CUTE_SIM_ACQUIRES), "that are relaxed");
  assertFails(run(false, CUTE_SIM_RELEASES), "that are relaxed");
}

// Clusters are told apart by 32 bits.
static void clustersBeyondCount(void **state) {
  (void)state;
  assert_null(cuteSimGlobalShadowCreate(UINT32_MAX));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(operationThatIsSlow),
      cmocka_unit_test(operationBefore),
      cmocka_unit_test(operationThatIsRelaxed),
      cmocka_unit_test(clustersBeyondCount),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
