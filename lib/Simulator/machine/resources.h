// Objects that sites of a program use, and the algebra in which they are made.
#pragma once

#include "cute/Context.h"

#include <pthread.h>

typedef struct CuteSimResources {
  CuteContext context;
  pthread_mutex_t lock; // of the rest, and of the context
  size_t numSites, siteCapacity;
  const struct CuteSimSite **sites; // by their numbers less 1
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

// Numbers a site; 0 where there are too many.
uint16_t cuteSimResourcesAddSite(CuteSimResources *resources,
                                 const struct CuteSimSite *site);
const struct CuteSimSite *
cuteSimResourcesGetSite(const CuteSimResources *resources, uint16_t number);

// Makes what a site's function needs from the operands, in memory of the
// context, when they are first known. Null where it cannot be made.
void *cuteSimSitePrepare(const struct CuteSimSite *site,
                         const uint64_t *operands,
                         void *(*create)(const struct CuteSimSite *site,
                                         const uint64_t *operands));

void cuteSimResourcesDestroy(CuteSimResources *resources);
