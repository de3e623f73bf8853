#include "IR/op_list.h"
#include "Support/growing_array.h"

#include <stdlib.h>

typedef struct Collection {
  CuteDialect *dialect;
  CuteOpList *list;
} Collection;

static MlirWalkResult visit(MlirOperation op, void *userData) {
  Collection *collection = userData;
  CuteOpList *list = collection->list;
  const CuteOpDecl *decl = cuteDialectGetDecl(collection->dialect, op);
  if (!decl)
    return MlirWalkResultAdvance;
  size_t capacity = list->capacity;
  CUTE_RESERVE(list->ops, list->count, capacity, 1);
  CUTE_RESERVE(list->decls, list->count, list->capacity, 1);
  list->ops[list->count] = op;
  list->decls[list->count++] = decl;
  return MlirWalkResultAdvance;
}

CuteOpList cuteOpListCollect(CuteDialect *dialect, MlirOperation root) {
  CuteOpList list = {0};
  Collection collection = {dialect, &list};
  mlirOperationWalk(root, visit, &collection, MlirWalkPreOrder);
  return list;
}

void cuteOpListDestroy(CuteOpList *list) {
  free(list->ops);
  free(list->decls);
  *list = (CuteOpList){0};
}

bool cuteOpListHas(CuteDialect *dialect, MlirOperation root, CuteOpId id) {
  CuteOpList list = cuteOpListCollect(dialect, root);
  bool found = false;
  for (size_t i = 0; i < list.count; ++i)
    found |= list.decls[i]->id == id;
  cuteOpListDestroy(&list);
  return found;
}
