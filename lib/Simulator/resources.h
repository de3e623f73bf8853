// Objects that sites of a program use, and the algebra in which they are made.
#ifndef CUTE_SIMULATOR_RESOURCES_H
#define CUTE_SIMULATOR_RESOURCES_H

#include "cute/Context.h"

#include <pthread.h>

typedef struct CuteSimResources {
  CuteContext context;
  pthread_mutex_t lock; // of the rest, and of the context
  size_t count, capacity;
  struct CuteSimResource {
    void *object;
    void (*destroy)(void *object);
  } * data;
} CuteSimResources;

void cuteSimResourcesCreate(CuteSimResources *resources);

// Keeps an object until then; the caller has the lock.
void cuteSimResourcesAdd(CuteSimResources *resources, void *object,
                         void (*destroy)(void *object));
void cuteSimResourcesDestroy(CuteSimResources *resources);

#endif
