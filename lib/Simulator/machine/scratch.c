#include "Simulator/machine/scratch.h"

#include "Support/arena.h"

#include <pthread.h>

typedef struct Scratch {
  void *memory[CUTE_SIM_NUM_SCRATCH];
  size_t bytes[CUTE_SIM_NUM_SCRATCH];
} Scratch;

static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void destroy(void *value) {
  CUTE_FREED Scratch *scratch = value;
  for (int i = 0; i < CUTE_SIM_NUM_SCRATCH; ++i)
    free(scratch->memory[i]);
}

static void createKey(void) {
  if (pthread_key_create(&key, destroy))
    abort();
}

static Scratch *get(void) {
  pthread_once(&once, createKey);
  Scratch *scratch = pthread_getspecific(key);
  if (scratch)
    return scratch;
  scratch = cuteAllocateZeros(1, sizeof *scratch);
  if (pthread_setspecific(key, scratch))
    abort();
  return scratch;
}

void *cuteSimScratchGet(CuteSimScratchUse use, size_t bytes) {
  Scratch *scratch = get();
  if (scratch->bytes[use] < bytes) {
    free(scratch->memory[use]);
    scratch->memory[use] = cuteAllocate(bytes);
    scratch->bytes[use] = bytes;
  }
  return scratch->memory[use];
}
