// An architecture: a row of dialect/hardware/arch.def.
#ifndef CUTE_HARDWARE_ARCH_H
#define CUTE_HARDWARE_ARCH_H

#include <stdbool.h>
#include <stddef.h>

// The architecture that code is for where nobody says.
#define CUTE_DEFAULT_ARCH "sm_80"

// The same of all architectures: threads of a block, and KiB of shared memory
// that it has without asking for more.
enum { CUTE_BLOCK_THREADS = 1024, CUTE_STATIC_SHARED_KIB = 48 };

typedef struct CuteArch {
  const char *name; // "sm_90a"
  int number;       // 90
  char suffix;      // 'a', 'f' or '\0'
  int ptx;          // the least version, times 10
  // KiB of shared memory: what a block can have, and without asking for it;
  // what a multiprocessor has, and the system takes of it for each block.
  int sharedKib, staticKib, totalSharedKib, reservedKib;
  // Limits of what runs on a multiprocessor at a time.
  int warps, blocks;
  int maxThreads;              // of a block
  int registers, maxRegisters; // of a multiprocessor and of a thread, 32 bits
  int clusterSize;             // blocks of a portable cluster; 0: no clusters
  bool hasTma, hasWgmma, hasTcgen05;
} CuteArch;

// i is below the number.
size_t cuteArchGetNum(void);
const CuteArch *cuteArchGet(size_t i);

// The row of that name, or null.
const CuteArch *cuteArchFind(const char *name);

// Tells whether code with an instruction of an atom's `arch` and `suffix` runs
// on the architecture: 'a' is that one alone, 'f' later ones of its family,
// too, as long as they are no plain sm_XX, and '\0' all later ones.
bool cuteArchHas(const CuteArch *arch, int number, char suffix);

// The most KiB that a block has on any architecture.
int cuteArchGetMostSharedKib(void);

#endif
