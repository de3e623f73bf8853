// Constants and questions about architectures beyond cute/Arch.h.
#pragma once

#include "cute/Arch.h"
#include "cute/ElementType.h"

// The architecture that code is for where nobody says.
#define CUTE_DEFAULT_ARCH "sm_80"

// The same of all architectures: threads of a block, and KiB of shared memory
// that it has without asking for more.
enum { CUTE_BLOCK_THREADS = 1024, CUTE_STATIC_SHARED_KIB = 48 };

// Tells whether code with an instruction of an atom's `arch` and `suffix` runs
// on the architecture: 'a' is that one alone, 'f' later ones of its family,
// too, if they have a suffix, 's' all later ones with a suffix, and '\0' all
// later ones.
bool cuteArchHas(const CuteArch *arch, int number, char suffix);

// Tells whether an architecture, or for null all of them, convert to the
// element by an instruction.
bool cuteArchConverts(const CuteArch *arch, CuteElementType element);

// The most KiB that a block has on any architecture.
int cuteArchGetMostSharedKib(void);
