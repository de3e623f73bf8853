#include "Simulator/machine/device_memory.h"
#include "Support/growing_array.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

//===-- Allocations -------------------------------------------------------===//

typedef struct Allocation {
  uint64_t address;
  size_t bytes;
  void *memory; // that malloc gave; null: the host's
} Allocation;

// Allocations in the order of their addresses. While kernels run nothing is
// allocated: they read without the lock.
static struct {
  pthread_mutex_t lock;
  size_t count, capacity;
  Allocation *data;
} device = {PTHREAD_MUTEX_INITIALIZER, 0, 0, NULL};

// Memory of the host that may be read only. No two overlap.
static struct {
  size_t count, capacity;
  Allocation *data;
} readOnly;

// Takes bytes out of what may be read only.
static void allowWrites(uint64_t address, size_t bytes) {
  uint64_t end = address + bytes;
  for (size_t i = readOnly.count; i--;) {
    Allocation a = readOnly.data[i];
    uint64_t last = a.address + a.bytes;
    if (a.address >= end || last <= address)
      continue;
    readOnly.data[i] = readOnly.data[--readOnly.count];
    CUTE_RESERVE(readOnly.data, readOnly.count, readOnly.capacity, 2);
    if (a.address < address)
      readOnly.data[readOnly.count++] =
          (Allocation){a.address, address - a.address, NULL};
    if (last > end)
      readOnly.data[readOnly.count++] = (Allocation){end, last - end, NULL};
  }
}

// The number of allocations that begin at or before the address.
static size_t countUpTo(uint64_t address) {
  size_t low = 0, high = device.count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (device.data[middle].address <= address)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static void insert(Allocation allocation) {
  size_t at = countUpTo(allocation.address);
  CUTE_RESERVE(device.data, device.count, device.capacity, 1);
  memmove(&device.data[at + 1], &device.data[at],
          (device.count++ - at) * sizeof *device.data);
  device.data[at] = allocation;
}

static void removeAt(size_t i) {
  memmove(&device.data[i], &device.data[i + 1],
          (--device.count - i) * sizeof *device.data);
}

// Bytes on each side that are nobody's, so that what strays from a tensor by up
// to its size does not get into another. They take addresses, but no memory.
static size_t guardOf(size_t bytes) {
  enum { LEAST = 512, MOST = 1 << 24 };
  return bytes < LEAST ? LEAST : bytes > MOST ? MOST : bytes;
}

uint64_t cuteSimMemoryAllocate(size_t bytes) {
  enum { ALIGN = 512 };
  size_t guard = guardOf(bytes);
  char *memory = bytes <= SIZE_MAX - ALIGN - 2 * guard
                     ? malloc(bytes + ALIGN + 2 * guard)
                     : NULL;
  if (!memory)
    return 0;
  uint64_t address =
      ((uint64_t)(uintptr_t)memory + guard + ALIGN - 1) / ALIGN * ALIGN;
  pthread_mutex_lock(&device.lock);
  insert((Allocation){address, bytes, memory});
  allowWrites(address, bytes);
  pthread_mutex_unlock(&device.lock);
  return address;
}

static void registerBytes(uint64_t address, size_t bytes) {
  uint64_t end = address + bytes;
  for (size_t i = device.count; i--;) {
    Allocation a = device.data[i];
    uint64_t last = a.address + a.bytes;
    if (a.memory || a.address > end || last < address)
      continue;
    address = a.address < address ? a.address : address;
    end = last > end ? last : end;
    removeAt(i);
  }
  insert((Allocation){address, end - address, NULL});
}

void cuteSimMemoryRegister(uint64_t address, size_t bytes, bool isReadOnly) {
  pthread_mutex_lock(&device.lock);
  registerBytes(address, bytes);
  allowWrites(address, bytes);
  if (isReadOnly)
    CUTE_PUSH(readOnly.data, readOnly.count, readOnly.capacity,
              (Allocation){address, bytes, NULL});
  pthread_mutex_unlock(&device.lock);
}

bool cuteSimMemoryIsReadOnly(uint64_t address, size_t bytes) {
  for (size_t i = 0; i < readOnly.count; ++i)
    if (readOnly.data[i].address < address + bytes &&
        address < readOnly.data[i].address + readOnly.data[i].bytes)
      return true;
  return false;
}

bool cuteSimMemoryRelease(uint64_t address) {
  pthread_mutex_lock(&device.lock);
  size_t n = countUpTo(address);
  bool found = n && device.data[n - 1].address == address;
  if (found) {
    free(device.data[n - 1].memory);
    removeAt(n - 1);
  }
  pthread_mutex_unlock(&device.lock);
  return found;
}

static const Allocation *allocationOf(uint64_t address) {
  size_t n = countUpTo(address);
  return n ? &device.data[n - 1] : NULL;
}

static bool holds(const Allocation *a, uint64_t address, size_t bytes) {
  return a && address - a->address <= a->bytes &&
         bytes <= a->bytes - (address - a->address);
}

bool cuteSimMemoryHas(uint64_t address, size_t bytes) {
  return holds(allocationOf(address), address, bytes);
}

bool cuteSimMemoryFind(uint64_t address, uint64_t *start, size_t *bytes) {
  const Allocation *found = allocationOf(address);
  if (found)
    *start = found->address, *bytes = found->bytes;
  return found;
}
