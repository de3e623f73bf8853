#include "Simulator/resources.h"
#include "Support/growing_array.h"

#include <stdlib.h>

void cuteSimResourcesCreate(CuteSimResources *resources) {
  *resources = (CuteSimResources){.context = cuteContextCreate()};
  pthread_mutex_init(&resources->lock, NULL);
}

void cuteSimResourcesAdd(CuteSimResources *resources, void *object,
                         void (*destroy)(void *object)) {
  CUTE_PUSH(resources->data, resources->count, resources->capacity,
            (struct CuteSimResource){object, destroy});
}

void cuteSimResourcesDestroy(CuteSimResources *resources) {
  for (size_t i = 0; i < resources->count; ++i)
    resources->data[i].destroy(resources->data[i].object);
  free(resources->data);
  pthread_mutex_destroy(&resources->lock);
  cuteContextDestroy(resources->context);
}
