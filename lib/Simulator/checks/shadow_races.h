// Messages of accesses to shared memory that race with an earlier one, or come
// too early after it.
#pragma once

#include "Simulator/checks/shadow_readers.h"
#include "Simulator/machine/resources.h"

static inline const CuteSimSite *siteOf(const CuteSimSite *site,
                                        uint16_t number) {
  return cuteSimResourcesGetSite(site->resources, number);
}

static inline unsigned lineOf(const CuteSimSite *site) {
  return site ? site->line : 0;
}

// An access that nothing orders after the last one, which wrote or read.
void cuteSimRaceFind(CuteSimOp op, size_t offset, const char *verb,
                     const char *otherVerb, CuteSimReader last);

// Accesses that are too early after one before.
typedef enum CuteSimRaceKind {
  CUTE_SIM_RACE_PENDING, // where a copy has not arrived
  CUTE_SIM_RACE_LEAVING, // a write to what a copy or a product may still read
  CUTE_SIM_RACE_PRODUCT,
  CUTE_SIM_RACE_LOAD,  // by the asynchronous proxy, after a load under way
  CUTE_SIM_RACE_FENCE, // or after a store, with no fence between
  CUTE_SIM_RACE_INIT,  // or after the initialization of an mbarrier
} CuteSimRaceKind;

void cuteSimRaceFindEarly(CuteSimOp op, CuteSimRaceKind kind, size_t offset,
                          const char *verb, CuteSimReader last);

// A copy to what somebody may still read.
void cuteSimRaceFindReuse(CuteSimOp op, size_t offset, CuteSimReader reader);
