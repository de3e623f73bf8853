// Readers of a byte of shared memory that do not know of one another: a write
// after them must know of all.
#pragma once

#include "Simulator/machine/machine.h"

// A reader, by its word (shadow.h) and site, and the place of the next; 0:
// none.
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
