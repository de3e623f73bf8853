#include "Simulator/machine/resources.h"
#include "Simulator/machine/machine.h"
#include "Support/growing_array.h"

void cuteSimResourcesCreate(CuteSimResources *resources) {
  *resources = (CuteSimResources){.context = cuteContextCreate()};
  pthread_mutex_init(&resources->lock, NULL);
}

void cuteSimResourcesAdd(CuteSimResources *resources, void *object,
                         void (*destroy)(void *object)) {
  CUTE_PUSH(resources->data, resources->count, resources->capacity,
            (struct CuteSimResource){object, destroy});
}

uint16_t cuteSimResourcesAddSite(CuteSimResources *resources,
                                 const struct CuteSimSite *site) {
  if (resources->numSites == UINT16_MAX)
    return 0;
  CUTE_PUSH(resources->sites, resources->numSites, resources->siteCapacity,
            site);
  return (uint16_t)resources->numSites;
}

const struct CuteSimSite *
cuteSimResourcesGetSite(const CuteSimResources *resources, uint16_t number) {
  return number ? resources->sites[number - 1] : NULL;
}

void *cuteSimSitePrepare(const CuteSimSite *site, const uint64_t *operands,
                         void *(*create)(const CuteSimSite *site,
                                         const uint64_t *operands)) {
  CuteSimResources *resources = site->resources;
  void *object = __atomic_load_n(site->prepared, __ATOMIC_ACQUIRE);
  if (object)
    return object;
  pthread_mutex_lock(&resources->lock);
  object = *site->prepared ? *site->prepared : create(site, operands);
  __atomic_store_n(site->prepared, object, __ATOMIC_RELEASE);
  pthread_mutex_unlock(&resources->lock);
  return object;
}

void cuteSimResourcesDestroy(CuteSimResources *resources) {
  for (size_t i = 0; i < resources->count; ++i)
    resources->data[i].destroy(resources->data[i].object);
  free(resources->data);
  free(resources->sites);
  pthread_mutex_destroy(&resources->lock);
  cuteContextDestroy(resources->context);
}
