// Tensor maps that a kernel changes in memory (PTX ISA, "tensormap.replace" and
// "tensormap.cp_fenceproxy"). All lanes of a warp may do it, with one result.
#include "Simulator/async/tensor_box.h"
#include "Simulator/checks/access.h"
#include "Simulator/ptx/operation_table.h"

#include <string.h>

enum { MAP_ALIGN = 64 };

static bool hasPart(const CuteSimSite *site, const char *part) {
  return strstr(site->name, part) != NULL;
}

static void checkPlace(CuteSimThread *thread, const CuteSimSite *site,
                       uint64_t address, CuteSimAccess access) {
  cuteSimAccessCheck(thread, site, address, CUTE_SIM_MAP_BYTES, MAP_ALIGN,
                     access);
}

static CuteSimTensorMap *mapAt(CuteSimThread *thread, const CuteSimSite *site,
                               uint64_t address, CuteSimAccess access) {
  checkPlace(thread, site, address, access);
  if (!cuteSimTensorMapGet((const void *)(uintptr_t)address))
    cuteSimFail(thread, site, "%s: there is no tensor map at 0x%llx",
                cuteSimSiteGetName(site), (unsigned long long)address);
  return (CuteSimTensorMap *)(uintptr_t)address;
}

// The mode that the second operand names, of `count`.
static unsigned modeOf(const CuteSimThread *thread, const CuteSimSite *site,
                       const uint64_t *values, int count) {
  if (values[1] >= (uint64_t)count)
    cuteSimFail(thread, site,
                "%s: the tensor map has rank %d, and no mode %llu",
                cuteSimSiteGetName(site), count, (unsigned long long)values[1]);
  return (unsigned)values[1];
}

static void replaceStride(const CuteSimThread *thread, const CuteSimSite *site,
                          CuteSimTensorMap *map, const uint64_t *values) {
  enum { UNIT = 16 };
  if (values[2] % UNIT)
    cuteSimFail(thread, site,
                "%s: a stride of %llu bytes, which is no multiple of %d",
                cuteSimSiteGetName(site), (unsigned long long)values[2], UNIT);
  map->strides[modeOf(thread, site, values, map->rank - 1)] = values[2];
}

void cuteSimMapReplace(CuteSimThread *thread, const CuteSimSite *site,
                       uint64_t *values) {
  CuteSimTensorMap *map = mapAt(thread, site, values[0], CUTE_SIM_ATOMIC);
  if (hasPart(site, ".global_address."))
    map->address = values[1];
  else if (hasPart(site, ".global_dim."))
    map->last[modeOf(thread, site, values, map->rank)] =
        (uint32_t)values[2] - 1;
  else if (hasPart(site, ".global_stride."))
    replaceStride(thread, site, map, values);
  else if (hasPart(site, ".box_dim."))
    map->box[modeOf(thread, site, values, map->rank)] = (uint16_t)values[2];
  else
    cuteSimFail(thread, site, "the simulator does not know %s",
                cuteSimSiteGetName(site));
}

void cuteSimMapPublish(CuteSimThread *thread, const CuteSimSite *site,
                       uint64_t *values) {
  const CuteSimTensorMap *map = mapAt(thread, site, values[1], CUTE_SIM_READ);
  checkPlace(thread, site, values[0], CUTE_SIM_ATOMIC);
  memcpy((void *)(uintptr_t)values[0], map, CUTE_SIM_MAP_BYTES);
}
