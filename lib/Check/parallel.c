#include "Check/parallel.h"

#include "Support/clock.h"
#include "Support/progress.h"

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

// Runs the next range; false if there is none.
static bool runRange(Loop *loop) {
  int64_t begin = atomic_fetch_add(&loop->next, loop->grain);
  if (begin >= loop->n)
    return false;
  int64_t left = loop->n - begin;
  loop->function(begin, begin + (left < loop->grain ? left : loop->grain),
                 loop->data);
  return true;
}

static void *work(void *loop) {
  while (runRange(loop))
    ;
  return NULL;
}

// The same with a bar on a terminal.
static void workAndShow(Loop *loop) {
  CuteProgress progress = cuteProgressBegin(cuteNow());
  while (runRange(loop)) {
    int64_t begun = atomic_load(&loop->next);
    cuteProgressShow(&progress, cuteNow(), begun < loop->n ? begun : loop->n,
                     loop->n);
  }
  cuteProgressEnd(&progress);
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
  workAndShow(&loop);
  for (int i = 0; i < started; ++i)
    pthread_join(threads[i], NULL);
}
