#include "Conversion/conversion.h"
#include "Ops/lowering.h"

static int64_t roundUp(int64_t value, int64_t align) {
  return (value + align - 1) / align * align;
}

static bool place(CuteDialect *dialect, MlirOperation op,
                  CutePointerMap *offsets, CuteSharedPlan *plan) {
  CuteType type = cuteDialectGetType(
      dialect, mlirValueGetType(mlirOperationGetResult(op, 0)));
  int64_t elements =
      type ? cuteAllocationElements(dialect->context, type->layout) : -1;
  int64_t bits, bytes, offset, width = 0;
  if (type)
    width = cuteElementTypeGetBits((CuteElementType)type->element);
  if (elements < 0 || __builtin_mul_overflow(elements, width, &bits) ||
      __builtin_add_overflow(plan->bytes, type->align - 1, &offset) ||
      __builtin_add_overflow(roundUp(plan->bytes, type->align), (bits + 7) / 8,
                             &bytes)) {
    cuteEmitOpError(op, "the size of the allocation cannot be computed");
    return false;
  }
  offset = roundUp(plan->bytes, type->align);
  if (offsets)
    cutePointerMapSet(offsets, op.ptr, (void *)(uintptr_t)(offset + 1));
  plan->bytes = bytes;
  plan->align = type->align > plan->align ? type->align : plan->align;
  return true;
}

bool cuteSharedPlanMake(CuteDialect *dialect, MlirOperation function,
                        CutePointerMap *offsets, CuteSharedPlan *plan) {
  *plan = (CuteSharedPlan){.align = 16};
  CuteOpList list = cuteOpListCollect(dialect, function);
  bool ok = true;
  for (size_t i = 0; ok && i < list.count; ++i)
    if (cuteTextIs(list.decls[i]->name, "alloc_smem"))
      ok = place(dialect, list.ops[i], offsets, plan);
  cuteOpListDestroy(&list);
  plan->isDynamic = plan->bytes > CUTE_STATIC_SHARED_BYTES;
  return ok;
}
