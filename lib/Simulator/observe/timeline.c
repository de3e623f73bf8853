#include "Simulator/observe/timeline.h"
#include "Support/growing_array.h"

enum { MOST = 1 << 20 };

void cuteSimTimelineAdd(CuteSimTimeline *trace, CuteSimEvent event) {
  if (trace->count < MOST)
    CUTE_PUSH(trace->data, trace->count, trace->capacity, event);
  else
    trace->isFull = true;
}

void cuteSimTimelineJoin(CuteSimTimeline *trace, const CuteSimTimeline *other) {
  for (size_t i = 0; i < other->count; ++i)
    cuteSimTimelineAdd(trace, other->data[i]);
  trace->isFull |= other->isFull;
}
