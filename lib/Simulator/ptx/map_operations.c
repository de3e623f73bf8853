// Tensor maps that a kernel changes in memory (PTX ISA, "tensormap.replace" and
// "tensormap.cp_fenceproxy"). All lanes of a warp may do it, with one result.
#include "Simulator/async/tensor_box.h"
#include "Simulator/checks/access.h"
#include "Simulator/ptx/operation_table.h"

enum { MAP_ALIGN = 64 };

static bool hasPart(const CuteSimSite *site, const char *part) {
  return strstr(site->name, part) != NULL;
}

static void checkPlace(CuteSimOp op, uint64_t address, CuteSimAccess access) {
  cuteSimAccessCheck(op, address, CUTE_SIM_MAP_BYTES, MAP_ALIGN, access);
}

static CuteSimTensorMap *mapAt(CuteSimOp op, uint64_t address,
                               CuteSimAccess access) {
  checkPlace(op, address, access);
  if (!cuteSimTensorMapGet((const void *)(uintptr_t)address))
    cuteSimFail(op, "$: there is no tensor map at 0x%jx", address);
  return (CuteSimTensorMap *)(uintptr_t)address;
}

// The mode that the second operand names, of `count`.
static unsigned modeOf(CuteSimOp op, const uint64_t *values, int count) {
  if (values[1] >= (uint64_t)count)
    cuteSimFail(op, "$: the tensor map has rank %d, and no mode %ju", count,
                values[1]);
  return (unsigned)values[1];
}

static void replaceStride(CuteSimOp op, CuteSimTensorMap *map,
                          const uint64_t *values) {
  enum { UNIT = 16 };
  if (values[2] % UNIT)
    cuteSimFail(op, "$: a stride of %ju bytes, which is not a multiple of %d",
                values[2], UNIT);
  map->strides[modeOf(op, values, map->rank - 1)] = values[2];
}

void cuteSimMapReplace(CuteSimOp op, uint64_t *values) {
  CuteSimTensorMap *map = mapAt(op, values[0], CUTE_SIM_ATOMIC);
  if (hasPart(op.site, ".global_address."))
    map->address = values[1];
  else if (hasPart(op.site, ".global_dim."))
    map->last[modeOf(op, values, map->rank)] = (uint32_t)values[2] - 1;
  else if (hasPart(op.site, ".global_stride."))
    replaceStride(op, map, values);
  else if (hasPart(op.site, ".box_dim."))
    map->box[modeOf(op, values, map->rank)] = (uint16_t)values[2];
  else
    cuteSimFailUnknown(op);
}

void cuteSimMapPublish(CuteSimOp op, uint64_t *values) {
  const CuteSimTensorMap *map = mapAt(op, values[1], CUTE_SIM_READ);
  checkPlace(op, values[0], CUTE_SIM_ATOMIC);
  memcpy((void *)(uintptr_t)values[0], map, CUTE_SIM_MAP_BYTES);
}
