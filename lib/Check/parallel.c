#include "Check/parallel.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

enum { MAX_THREADS = 64 };

typedef struct Loop {
  int64_t n, grain;
  CuteRangeFunction *function;
  void *data;
  atomic_llong next;
} Loop;

static void *work(void *argument) {
  Loop *loop = argument;
  for (;;) {
    int64_t begin = atomic_fetch_add(&loop->next, loop->grain);
    if (begin >= loop->n)
      return NULL;
    int64_t left = loop->n - begin;
    loop->function(begin, begin + (left < loop->grain ? left : loop->grain),
                   loop->data);
  }
}

void cuteParallelFor(int64_t n, int64_t grain, CuteRangeFunction *function,
                     void *data) {
  Loop loop = {.n = n, .grain = grain, .function = function, .data = data};
  pthread_t threads[MAX_THREADS];
  long processors = sysconf(_SC_NPROCESSORS_ONLN);
  int wanted = processors > MAX_THREADS ? MAX_THREADS : (int)processors;
  int started = 0;
  while (started < wanted - 1 && (int64_t)started * grain < n &&
         !pthread_create(&threads[started], NULL, work, &loop))
    ++started;
  work(&loop);
  for (int i = 0; i < started; ++i)
    pthread_join(threads[i], NULL);
}
