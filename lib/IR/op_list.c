#include "IR/op_list.h"
#include "Support/growing_array.h"

CuteOpList cuteOpListCollect(CuteDialect *dialect, MlirOperation root) {
  CuteOpList list = {0};
  CUTE_FOR_NESTED(op, root) {
    const CuteOpDecl *decl = cuteDialectGetDecl(dialect, op);
    if (!decl)
      continue;
    size_t capacity = list.capacity;
    CUTE_RESERVE(list.ops, list.count, capacity, 1);
    CUTE_RESERVE(list.decls, list.count, list.capacity, 1);
    list.ops[list.count] = op;
    list.decls[list.count++] = decl;
  }
  return list;
}

void cuteOpListDestroy(CuteOpList *list) {
  free(list->ops);
  free(list->decls);
  *list = (CuteOpList){0};
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
  if (ops->count == ops->capacity) {
    MlirOperation *old = ops->data;
    ops->capacity = ops->capacity ? ops->capacity * 2 : 4;
    ops->data = cuteTaskAllocate(ops->capacity * sizeof *old);
    for (size_t i = 0; i < ops->count; ++i)
      ops->data[i] = old[i];
  }
  ops->data[ops->count++] = op;
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
