#include "Lowering/tensor_maps.h"
#include "Support/growing_array.h"

#include <stdlib.h>

typedef struct Collection {
  CuteDialect *dialect;
  MlirBlock entry;
  CuteTensorMapList *list;
  bool isKernel, failed;
} Collection;

static bool isMakeTmaAtom(CuteDialect *dialect, MlirOperation op) {
  const CuteOpDecl *decl = cuteDialectGetDecl(dialect, op);
  return decl && decl->id == CUTE_OP_MAKE_TMA_ATOM;
}

static bool fail(Collection *collection, MlirOperation op,
                 const char *message) {
  cuteEmitOpError(op, message);
  collection->failed = true;
  return false;
}

static bool visitAtom(Collection *collection, MlirOperation op) {
  CuteDialect *dialect = collection->dialect;
  MlirValue tensor = mlirOperationGetOperand(op, 0);
  if (!collection->isKernel)
    return fail(collection, op,
                "makes a parameter of the kernel, and must "
                "stand in one (gpu.func ... kernel)");
  if (!mlirValueIsABlockArgument(tensor) ||
      !mlirBlockEqual(mlirBlockArgumentGetOwner(tensor), collection->entry))
    return fail(collection, op,
                "needs a tensor that is a parameter of the kernel, as the "
                "launcher makes the tensor map from it; take a part by "
                "cute.local_tile of the coordinates");
  CuteType atom = cuteDialectGetType(
      dialect, mlirValueGetType(mlirOperationGetResult(op, 0)));
  CuteType type = cuteDialectGetType(dialect, mlirValueGetType(tensor));
  if (!atom || !type)
    return fail(collection, op, cuteContextGetError(dialect->context));
  CuteTensorMapList *list = collection->list;
  CUTE_PUSH(list->data, list->count, list->capacity,
            (CuteTensorMapParameter){op, cuteTypeGetTmaAtomValue(atom), type,
                                     mlirBlockArgumentGetArgNumber(tensor)});
  return true;
}

static MlirWalkResult visit(MlirOperation op, void *userData) {
  Collection *collection = userData;
  bool goesOn =
      !isMakeTmaAtom(collection->dialect, op) || visitAtom(collection, op);
  return goesOn ? MlirWalkResultAdvance : MlirWalkResultInterrupt;
}

bool cuteTensorMapListCollect(CuteDialect *dialect, MlirOperation function,
                              CuteTensorMapList *list) {
  MlirAttribute kernel = cuteMlirGetAttribute(function, "gpu.kernel");
  Collection collection = {
      dialect, mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0)),
      list, !mlirAttributeIsNull(kernel), false};
  *list = (CuteTensorMapList){0};
  mlirOperationWalk(function, visit, &collection, MlirWalkPreOrder);
  return !collection.failed;
}

void cuteTensorMapListDestroy(CuteTensorMapList *list) {
  free(list->data);
  *list = (CuteTensorMapList){0};
}

MlirValue cuteLoweringGetTensorMap(CuteLowering *lowering, MlirOperation op) {
  void *found = cutePointerMapGet(&lowering->tensorMaps, op.ptr);
  if (!found)
    cuteFail(lowering->context,
             "a tensor map can be made in a kernel that is lowered as a whole "
             "only");
  return (MlirValue){found};
}
