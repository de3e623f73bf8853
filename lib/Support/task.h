// Memory of the task that a thread is at, such as a pass: it is freed when the
// task ends, so that nobody destroys lists and maps one by one.
#pragma once

#include "Support/arena.h"
#include "Support/pointer_map.h"

typedef struct CuteTask {
  CuteArena arena;
  struct CuteTask *outer; // the thread's task before it; null: none
} CuteTask;

// Begins a task, which the same thread ends: CUTE_SCOPED(Task) task;
// cuteTaskBegin(&task);
void cuteTaskBegin(CuteTask *task);
void cuteTaskDestroy(CuteTask *task);

// The arena of the thread's task; there has to be one.
CuteArena *cuteTaskGetArena(void);

void *cuteTaskAllocate(size_t size);
void *cuteTaskAllocateZeros(size_t count, size_t size);

// Moves a string's text there.
const char *cuteTaskTakeText(CuteString *text);

// An empty map with its storage there.
CutePointerMap cuteTaskMap(void);
