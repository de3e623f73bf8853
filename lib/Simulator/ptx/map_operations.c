// Tensor maps that a kernel changes in memory (PTX ISA, "tensormap.replace" and
// "tensormap.cp_fenceproxy"). All lanes of a warp may do it, with one result.
#include "Simulator/async/tensor_box.h"
#include "Simulator/checks/access.h"
#include "Simulator/ptx/operation_table.h"

enum { MAP_ALIGN = 64 };

static void checkPlace(CuteSimOp op, uint64_t address, CuteSimAccess access) {
  cuteSimAccessCheck(op, address, CUTE_SIM_MAP_BYTES, MAP_ALIGN, access);
}

// 128 zeros become a map, which has no rank yet.
static CuteSimTensorMap *mapAt(CuteSimOp op, uint64_t address,
                               CuteSimAccess access) {
  static const CuteSimTensorMap nothing;
  checkPlace(op, address, access);
  CuteSimTensorMap *map = (CuteSimTensorMap *)(uintptr_t)address;
  if (!memcmp(map, &nothing, sizeof nothing))
    map->sign = CUTE_SIM_MAP_SIGN;
  if (map->sign != CUTE_SIM_MAP_SIGN)
    cuteSimFail(op, "$: there is no tensor map at 0x%jx", address);
  return map;
}

// The mode that the second operand names, before the map's last `less`.
static unsigned modeOf(CuteSimOp op, const CuteSimTensorMap *map,
                       const uint64_t *values, int less) {
  int rank = map->rank ? map->rank : CUTE_SIM_MAP_RANK;
  if (values[1] >= (uint64_t)(rank - less))
    cuteSimFail(op, "$: the tensor map has rank %d, and no mode %ju", rank,
                values[1]);
  return (unsigned)values[1];
}

static void replaceStride(CuteSimOp op, CuteSimTensorMap *map,
                          const uint64_t *values) {
  enum { UNIT = 16 };
  if (values[2] % UNIT)
    cuteSimFail(op, "$: a stride of %ju bytes, which is not a multiple of %d",
                values[2], UNIT);
  map->strides[modeOf(op, map, values, 1)] = values[2];
}

// Numbers of PTX (PTX ISA, "tensormap.replace"), whose types f32.ftz, f64 and
// bf16 are 8, 9 and 10, but 10, 8 and 9 of the driver.
static void replaceNumber(CuteSimOp op, CuteSimTensorMap *map, uint64_t value) {
  enum { NUM_TYPES = 16 };
  if (strstr(op.site->name, ".rank.") && value < CUTE_SIM_MAP_RANK)
    map->rank = (uint8_t)(value + 1);
  else if (strstr(op.site->name, ".elemtype.") && value < NUM_TYPES)
    map->type = (uint8_t)(value - 8 < 3 ? 8 + (value - 6) % 3 : value);
  else if (strstr(op.site->name, ".swizzle_mode.") && value < 4)
    map->swizzle = (uint8_t)value;
  else if (strstr(op.site->name, ".fill_mode.") && value < 2)
    map->fill = (uint8_t)value;
  else if (!strstr(op.site->name, ".interleave_layout.") || value)
    cuteSimFailUnknown(op);
}

void cuteSimMapReplace(CuteSimOp op, uint64_t *values) {
  CuteSimTensorMap *map = mapAt(op, values[0], CUTE_SIM_ATOMIC);
  if (strstr(op.site->name, ".global_address."))
    map->address = values[1];
  else if (strstr(op.site->name, ".global_dim."))
    map->last[modeOf(op, map, values, 0)] = (uint32_t)values[2] - 1;
  else if (strstr(op.site->name, ".global_stride."))
    replaceStride(op, map, values);
  else if (strstr(op.site->name, ".box_dim."))
    map->box[modeOf(op, map, values, 0)] = (uint16_t)values[2];
  else if (strstr(op.site->name, ".element_stride."))
    map->steps[modeOf(op, map, values, 0)] = (uint8_t)values[2];
  else
    replaceNumber(op, map, values[1]);
}

// The lowest lane does it for its warp.
void cuteSimMapPublish(CuteSimGroup *group) {
  int lane = __builtin_ctz(group->arrived);
  CuteSimOp op = cuteSimGroupGetOp(group, lane);
  const uint64_t *values = group->values[lane];
  const CuteSimTensorMap *map = mapAt(op, values[1], CUTE_SIM_READ);
  checkPlace(op, values[0], CUTE_SIM_ATOMIC);
  memcpy((void *)(uintptr_t)values[0], map, CUTE_SIM_MAP_BYTES);
}
