#include "IR/op_list.h"

CuteOpList cuteOpListCollect(CuteDialect *dialect, MlirOperation root) {
  CuteArena *arena = cuteTaskGetArena();
  CuteOpList list = {0};
  CUTE_FOR_NESTED(op, root) {
    const CuteOpDecl *decl = cuteDialectGetDecl(dialect, op);
    if (!decl)
      continue;
    list.ops = cuteArenaGrow(arena, list.ops, list.count, sizeof op);
    list.ops[list.count] = op;
    CUTE_ARENA_PUSH(arena, list.decls, list.count, decl);
  }
  return list;
}

bool cuteOpListHas(CuteDialect *dialect, MlirOperation root, CuteOpId id) {
  CUTE_FOR_NESTED(op, root)
    if (cuteDialectIsOp(dialect, op, id))
      return true;
  return false;
}

bool cuteOpListHasOn(CuteDialect *dialect, MlirOperation root, CuteOpId id,
                     intptr_t i, MlirValue value) {
  CUTE_FOR_NESTED(op, root)
    if (cuteDialectIsOp(dialect, op, id) &&
        mlirValueEqual(getOperand(op, i), value))
      return true;
  return false;
}

void cuteOpsPush(CuteOps *ops, MlirOperation op) {
  CUTE_ARENA_PUSH(cuteTaskGetArena(), ops->data, ops->count, op);
}

bool cuteOpsContain(const CuteOps *ops, MlirOperation op) {
  for (size_t i = 0; i < ops->count; ++i)
    if (mlirOperationEqual(ops->data[i], op))
      return true;
  return false;
}

CuteOps cuteOpsFind(MlirOperation root, const char *name) {
  CuteOps found = {0};
  CUTE_FOR_NESTED(op, root)
    if (cuteMlirIs(op, name))
      cuteOpsPush(&found, op);
  return found;
}
