// The memory of a kernel, as its module describes it.
#ifndef CUTE_SIMULATED_DEVICE_MEMORY_DESCRIPTION_H
#define CUTE_SIMULATED_DEVICE_MEMORY_DESCRIPTION_H

#include "SimulatedDevice/host_program.h"
#include "SimulatedDevice/translate.h"

// Reads the attribute "cute.memory" of each kernel, into t->described. Called
// after variables in shared memory have their offsets.
void cuteTranslateMemory(CuteTranslation *t);

const CuteSimMemory *cuteSimMemoryOfKernel(const CuteSimMemory *all,
                                           const char *kernel);

// The tensors of a kernel that is launched with these parameters, in the arena.
const struct CuteSimTensor *
cuteSimDescribeTensors(const CuteSimMemory *memory, struct CuteSimResources *r,
                       CuteArena *arena, void **parameters, size_t *count);

#endif
