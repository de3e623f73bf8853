// Messages of accesses to shared memory that race with an earlier one, or come
// too early after it.
#pragma once

#include "Simulator/checks/shadow_readers.h"
#include "Simulator/machine/resources.h"

typedef struct CuteSimThreadName {
  char text[64];
} CuteSimThreadName;

static inline const CuteSimSite *siteOf(const CuteSimSite *site,
                                        uint16_t number) {
  return cuteSimResourcesGetSite(site->resources, number);
}

static inline unsigned lineOf(const CuteSimSite *site) {
  return site ? site->line : 0;
}

// Names the thread of a word: "thread 3", "thread 3 of block 1 of the cluster".
CuteSimThreadName cuteSimRaceNameThread(const CuteSimThread *thread,
                                        uint32_t word);

// An access that nothing orders after the last one, which wrote or read.
void cuteSimRaceFind(CuteSimOp op, size_t offset, const char *verb,
                     const char *otherVerb, CuteSimReader last);

// An access to where a copy has not arrived.
void cuteSimRaceFindPending(CuteSimOp op, size_t offset, const char *verb,
                            CuteSimReader copy);

// A write to what a copy or a product may still read, and a copy to what
// somebody may.
void cuteSimRaceFindLeaving(CuteSimOp op, size_t offset, CuteSimReader copy);
void cuteSimRaceFindProduct(CuteSimOp op, size_t offset, CuteSimReader reader);
void cuteSimRaceFindReuse(CuteSimOp op, size_t offset, CuteSimReader reader);

// A copy by the asynchronous proxy to what a thread has read before it arrived
// at an mbarrier: its load may be under way.
void cuteSimRaceFindUnderWay(CuteSimOp op, size_t offset, CuteSimReader reader);
