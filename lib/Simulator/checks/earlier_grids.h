// Programmatic dependent launch: a grid that may begin before those before it
// have ended touches what they do only after griddepcontrol.wait, which waits
// for their ends and makes their writes seen (PTX ISA, "griddepcontrol").
#pragma once

#include "Simulator/checks/global_shadow.h"

#include <stdatomic.h>

// The grids before a launch that may not have ended, and what its
// threads have done about that.
typedef struct CuteSimEarlier {
  CuteSimGlobalShadow *before; // the last of them; null: all have ended
  atomic_bool hasWaited, launchesDependents;
} CuteSimEarlier;

CuteSimEarlier *cuteSimGlobalShadowGetEarlier(CuteSimGlobalShadow *shadow);

// Gives a launch those before it, if it may overlap them, and its shadow, null
// without checks.
void cuteSimEarlierTake(const CuteSimLaunch *launch,
                        CuteSimGlobalShadow *shadow);

// The grids that may not have ended after a launch: itself, and those before
// that it has not waited for. Takes its shadow.
CuteSimGlobalShadow *cuteSimEarlierKeep(CuteSimGlobalShadow *shadow);

// All have ended.
void cuteSimEarlierForget(CuteSimGlobalShadow **earlier);

// Finds what an access touches too early, of a launch that has grids before it:
// reads of what they write, and if they let it begin before their ends, writes
// to what they touch.
void cuteSimEarlierCheck(CuteSimOp op, uint64_t address, size_t bytes,
                         CuteSimAccess access);
