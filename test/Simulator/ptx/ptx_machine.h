// A machine for inline PTX whose operations note their values, and random
// numbers.
#pragma once

#include "Simulator/ptx/ptx.h"
#include "check.h"
#include "check_status.h"

#include <stdio.h>
#include <string.h>

static uint64_t state = 88172645463325252;

static inline uint64_t nextRandom(void) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state * 0x2545f4914f6cdd1d;
}

//===-- A machine ---------------------------------------------------------===//

// Operations that note their values.
static char called[8][64];
static uint64_t seen[8][16];
static unsigned operands[8], results[8];
static int numFound, numTicks;

static inline void *find(void *data, CuteStringRef mnemonic,
                         CuteSimPtxOperands count) {
  (void)data;
  if (!strncmp(mnemonic.data, "unknown", 7) || numFound >= 8)
    return NULL;
  snprintf(called[numFound], sizeof *called, "%.*s", (int)mnemonic.length,
           mnemonic.data);
  results[numFound] = count.results;
  operands[numFound] = count.operands;
  return &called[numFound++];
}

static void call(void *handle, void *thread, uint64_t *values) {
  size_t i = (size_t)((char(*)[64])handle - called);
  memcpy(seen[i], values, (results[i] + operands[i]) * sizeof *values);
  for (unsigned k = 0; k < results[i]; ++k)
    values[k] = 1000 + k + *(uint64_t *)thread;
}

static void tick(void) { ++numTicks; }

static CuteSimPtxScope *scope; // of the function; null: text has its own

static CuteStatus parse(const char *text, const char *constraints,
                        CuteSimPtx **program) {
  numFound = numTicks = 0;
  return cuteSimPtxParse(cuteStringRef(text), constraints,
                         (CuteSimPtxOperations){.find = find, .tick = tick},
                         scope, program);
}

static void run(const char *text, const char *constraints, uint64_t *values) {
  uint64_t thread = 0;
  CuteSimPtx *program;
  assertSucceeds(parse(text, constraints, &program));
  cuteSimPtxRun(program, call, &thread, values);
  cuteSimPtxDestroy(program);
}
