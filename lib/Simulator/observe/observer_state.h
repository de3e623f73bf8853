// An observer as its parts know it.
#pragma once

#include "Simulator/observe/observer.h"

struct CuteSimObserver {
  CuteSimCounts *counts;
  struct CuteSimRequests *requests; // by warp
  size_t numWarps;
  bool traces;
  CuteSimTimeline trace;
};

// Lanes of a warp enter a basic block: its clock advances, too.
void cuteSimObserverAdvance(CuteSimWarp *warp, uint32_t lanes,
                            const CuteSimStep *step);
