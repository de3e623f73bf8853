// The memory of a kernel, as its module describes it.
#pragma once

#include "SimulatedDevice/driver/host_program.h"
#include "SimulatedDevice/translate/translate.h"
#include "cute/Type.h"

// Reads the attribute "cute.memory" of each kernel, into t->described. Called
// after variables in shared memory have their offsets.
void cuteTranslateMemory(CuteTranslation *t);

// Gives a site of a kernel the tensors that its line touches, in the arena.
void cuteSimMemoryFillSite(const CuteSimMemory *memory, CuteArena *arena,
                           CuteSimSite *site);

const CuteSimMemory *cuteSimMemoryOfKernel(const CuteSimMemory *all,
                                           const char *kernel);

// The tensors of a kernel that is launched with these parameters, in the arena.
const struct CuteSimTensor *
cuteSimDescribeTensors(const CuteSimMemory *memory, struct CuteSimResources *r,
                       CuteArena *arena, void **parameters, size_t *count);

// The next type with a layout of what is copied on a line: a tiled copy, or a
// tensor in shared memory. `at` begins at 0. Null after the last.
CuteType cuteSimMemoryNextLayout(const CuteSimMemory *memory, unsigned line,
                                 size_t *at);
