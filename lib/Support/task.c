#include "Support/task.h"

#include <assert.h>

static _Thread_local CuteTask *current;

void cuteTaskBegin(CuteTask *task) {
  *task = (CuteTask){.outer = current};
  current = task;
}

void cuteTaskDestroy(CuteTask *task) {
  assert(current == task);
  current = task->outer;
  cuteArenaDestroy(&task->arena);
}

CuteArena *cuteTaskGetArena(void) {
  assert(current);
  return &current->arena;
}

void *cuteTaskAllocate(size_t size) {
  return cuteArenaAllocate(cuteTaskGetArena(), size);
}

void *cuteTaskAllocateZeros(size_t count, size_t size) {
  return memset(cuteTaskAllocate(count * size), 0, count * size);
}

const char *cuteTaskTakeText(CuteString *text) {
  return cuteArenaTakeString(cuteTaskGetArena(), text);
}

CutePointerMap cuteTaskMap(void) {
  return (CutePointerMap){{.arena = cuteTaskGetArena()}};
}
