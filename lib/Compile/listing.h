// Instructions of compiled code, counted: PTX, or SASS as nvdisasm writes it.
#pragma once

#include "Support/string_builder.h"

enum { CUTE_MAX_MIX = 64 };

typedef struct CuteMixRow {
  CuteStringRef name; // of the text: mma.sync, ld.global, HMMA
  int count;
} CuteMixRow;

typedef struct CuteMix {
  CuteMixRow
      rows[CUTE_MAX_MIX]; // the most frequent first; the last takes the rest
  size_t numRows;
  int total;
} CuteMix;

// Counts the instructions of the kernel's main loop: of those with the most
// matrix instructions, the shortest; if there are none, the longest without a
// loop in it. False if the kernel has no loop.
bool cuteListingCountLoop(CuteStringRef code, bool isSass, const char *kernel,
                          CuteMix *mix);

// Counts the kernel's loads from local memory and stores to it. In SASS spills
// are among them.
void cuteListingCountLocal(CuteStringRef code, bool isSass, const char *kernel,
                           int *loads, int *stores);
