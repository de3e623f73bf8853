// Elements of outputs that nobody has written.
#ifndef CUTE_SIMULATOR_UNTOUCHED_H
#define CUTE_SIMULATOR_UNTOUCHED_H

#include "Simulator/machine/machine.h"

// Notes, after a run of all blocks, tensors of which only some elements were
// written, and those that nobody has touched.
void cuteSimUntouchedNote(CuteSimRun *run);

#endif
