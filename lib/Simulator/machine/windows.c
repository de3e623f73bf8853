#define _GNU_SOURCE
#include "Simulator/machine/windows.h"

#include <sys/mman.h>

CuteStatus cuteSimWindowsMap(int64_t count, char **windows) {
  enum { FIRST = 1 << 28 };
  size_t bytes = (size_t)count * CUTE_SIM_WINDOW;
  for (uint64_t at = FIRST; at + bytes <= UINT32_MAX; at += FIRST) {
    void *memory =
        mmap((void *)(uintptr_t)at, bytes, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE,
             -1, 0);
    *windows = memory;
    if (memory == (void *)(uintptr_t)at)
      return NULL;
    if (memory != MAP_FAILED)
      munmap(memory, bytes);
  }
  return cuteStatusCreate("there are no %zu bytes of addresses below 4 GiB for "
                          "shared memory",
                          bytes);
}

void cuteSimWindowsUnmap(char *windows, int64_t count) {
  munmap(windows, (size_t)count * CUTE_SIM_WINDOW);
}
