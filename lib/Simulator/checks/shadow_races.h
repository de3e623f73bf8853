// Messages of accesses to shared memory that race with an earlier one, or come
// too early after it.
#pragma once

#include "Simulator/machine/machine.h"
#include "Simulator/machine/resources.h"

// A reader of a byte of shared memory that does not know of the others, as a
// write after them must: its word (shadow.h), its site, and the place of the
// next; 0: none.
typedef struct CuteSimReader {
  uint32_t word, next;
  uint16_t site;
} CuteSimReader;

// The lists of all bytes of a cluster.
typedef struct CuteSimReaders {
  CuteSimReader *data;
  size_t count, capacity;
  uint32_t unused; // the first one in no list
} CuteSimReaders;

void cuteSimReadersReset(CuteSimReaders *readers);

void cuteSimReadersAdd(CuteSimReaders *readers, uint32_t *list,
                       CuteSimReader reader);

// Takes from a list the earlier reads of the next reader, and the reads that a
// thread knows of; null: none.
void cuteSimReadersForget(CuteSimReaders *readers, uint32_t *list,
                          const CuteSimThread *thread, CuteSimReader next);

// Gives the first reader, of `found` and a list, that the thread does not know
// of, products before others.
CuteSimReader cuteSimReadersFind(const CuteSimReaders *readers, uint32_t list,
                                 const CuteSimThread *thread,
                                 CuteSimReader found);

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
