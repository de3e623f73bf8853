// The form of a launch, in which compiled host functions ask libcute-run for it
// (docs/abi.md).
#pragma once

// The words, int64_t, of a launch: three of each size, where a cluster of zeros
// is the kernel's own.
typedef enum CuteHostWord {
  CUTE_HOST_GRID = 0,
  CUTE_HOST_BLOCK = 3,
  CUTE_HOST_CLUSTER = 6,
  CUTE_HOST_SHARED = 9, // bytes of dynamic shared memory
  CUTE_HOST_FLAGS,
  CUTE_HOST_STREAM,
  CUTE_HOST_WORDS
} CuteHostWord;

// Flags of a launch.
enum {
  CUTE_HOST_PDL = 1,         // may start before the one before it ends
  CUTE_HOST_COOPERATIVE = 2, // all blocks run at once
  CUTE_HOST_PERSISTENT = 4   // blocks along x alone, as many as run at a time
                             // and no more than the grid has
};
