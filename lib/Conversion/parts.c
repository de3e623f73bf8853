// Values of the dialect as lists of SSA values: the pointer, if there is one,
// then the dynamic leaves in the order in which types hold them.
#include "Conversion/conversion.h"

size_t cuteCountParts(CuteType type) {
  return (cuteTypeHasPointer(type) ? 1 : 0) + cuteTypeGetNumDynamic(type);
}

static CuteIntTuple *leavesOf(CuteContext c, CuteType type) {
  CuteIntTuple *leaves = cuteArenaAllocate(
      &c->scratch, (cuteTypeGetNumDynamic(type) + 1) * sizeof *leaves);
  cuteTypeGetDynamicLeaves(type, leaves);
  return leaves;
}

void cuteGetPartTypes(CuteLowering *lowering, CuteType type, MlirType *types) {
  CuteArena *scratch = &lowering->context->scratch;
  CuteArenaMark mark = cuteArenaGetMark(scratch);
  CuteIntTuple *leaves = leavesOf(lowering->context, type);
  if (cuteTypeHasPointer(type))
    *types++ = cuteLoweringPointerType(lowering, cuteTypeGetMemory(type));
  for (size_t i = 0; i < cuteTypeGetNumDynamic(type); ++i)
    types[i] = cuteIntType(&lowering->builder, leaves[i]->width);
  cuteArenaReset(scratch, mark);
}

void cuteGetParts(CuteLowering *lowering, const CuteLowered *value,
                  MlirValue *parts) {
  CuteArena *scratch = &lowering->context->scratch;
  CuteArenaMark mark = cuteArenaGetMark(scratch);
  CuteIntTuple *leaves = leavesOf(lowering->context, value->type);
  if (cuteTypeHasPointer(value->type))
    *parts++ = value->pointer;
  for (size_t i = 0; i < cuteTypeGetNumDynamic(value->type); ++i)
    parts[i] = cuteLoweringGetInteger(lowering, leaves[i], 0);
  cuteArenaReset(scratch, mark);
}

CuteLowered cuteBindParts(CuteLowering *lowering, CuteType type,
                          const MlirValue *parts) {
  CuteContext c = lowering->context;
  CuteArenaMark mark = cuteArenaGetMark(&c->scratch);
  CuteIntTuple *leaves = leavesOf(c, type);
  CuteLowered lowered = {.type = type};
  if (cuteTypeHasPointer(type))
    lowered.pointer = *parts++;
  for (size_t i = 0; i < cuteTypeGetNumDynamic(type); ++i)
    leaves[i] = cuteLoweringGetLeaf(lowering, parts[i], leaves[i]->value);
  lowered.type = cuteTypeBind(c, type, leaves);
  cuteArenaReset(&c->scratch, mark);
  return lowered;
}
