// What is known of an architecture.
#ifndef CUTE_HARDWARE_ARCH_H
#define CUTE_HARDWARE_ARCH_H

typedef struct CuteArch {
  const char *name;
  int ptx;       // the least version, times 10
  int sharedKib; // shared memory of a block, at most
  // What blocks share that run on a multiprocessor at a time.
  int warps, blocks, totalSharedKib;
} CuteArch;

// The row of that name, or null.
const CuteArch *cuteArchFind(const char *name);

#endif
