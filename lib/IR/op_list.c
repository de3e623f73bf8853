#include "IR/op_list.h"

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
  if (list->count == list->capacity) {
    list->capacity = list->capacity ? list->capacity * 2 : 256;
    list->ops = cuteReallocate(list->ops, list->capacity * sizeof *list->ops);
    list->decls =
        cuteReallocate(list->decls, list->capacity * sizeof *list->decls);
  }
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
