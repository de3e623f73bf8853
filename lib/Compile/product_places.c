#include "Compile/product_places.h"
#include "Hardware/atom.h"
#include "Support/growing_array.h"

#include <stdlib.h>

typedef struct Collection {
  CuteDialect *dialect;
  CuteProductPlaces *places;
  MlirOperation kernel; // that is being walked
  bool isFound;
} Collection;

static bool isProduct(CuteDialect *dialect, MlirOperation op) {
  if (!cuteDialectIsOp(dialect, op, CUTE_OP_GEMM))
    return false;
  CuteType mma = cuteDialectGetOperandType(dialect, op, 0);
  const CuteMmaAtom *atom = mma ? cuteTypeGetMmaAtomValue(mma) : NULL;
  return atom && cuteMmaAtomIsWarpgroup(atom);
}

static MlirOperation loopAround(MlirOperation op, MlirOperation kernel) {
  MlirOperation at = mlirOperationGetParentOperation(op);
  while (!mlirOperationEqual(at, kernel) && !cuteMlirIs(at, "scf.for") &&
         !cuteMlirIs(at, "scf.while"))
    at = mlirOperationGetParentOperation(at);
  return mlirOperationEqual(at, kernel) ? op : at;
}

static void add(CuteProductPlaces *places, MlirOperation kernel,
                MlirOperation at) {
  MlirStringRef name =
      mlirStringAttrGetValue(cuteMlirGetAttribute(kernel, "sym_name"));
  CuteStringRef copy = {
      cuteArenaCopyText(&places->arena, name.data, name.length), name.length};
  CUTE_PUSH(places->places, places->count, places->capacity,
            (CuteProductPlace){copy, mlirOperationGetLocation(at)});
}

static MlirWalkResult visit(MlirOperation op, void *userData) {
  Collection *c = userData;
  if (cuteMlirIs(op, "gpu.func")) {
    c->kernel = op;
    c->isFound = false;
  } else if (!mlirOperationIsNull(c->kernel) && !c->isFound &&
             isProduct(c->dialect, op)) {
    add(c->places, c->kernel, loopAround(op, c->kernel));
    c->isFound = true;
  }
  return MlirWalkResultAdvance;
}

void cuteProductPlacesCollect(CuteProductPlaces *places, MlirModule module) {
  *places = (CuteProductPlaces){.count = 0};
  cuteArenaInit(&places->arena);
  Collection collection = {
      cuteDialectLock(mlirModuleGetContext(module)), places, {NULL}, false};
  if (!collection.dialect)
    return;
  mlirOperationWalk(mlirModuleGetOperation(module), visit, &collection,
                    MlirWalkPreOrder);
  cuteDialectUnlock(collection.dialect);
}

void cuteProductPlacesDestroy(CuteProductPlaces *places) {
  free(places->places);
  cuteArenaDestroy(&places->arena);
}

MlirLocation cuteProductPlacesFind(const CuteProductPlaces *places,
                                   CuteStringRef message,
                                   MlirLocation otherwise) {
  static const char mark[] = "function '";
  size_t n = strlen(mark);
  for (size_t i = 0; places && i + n < message.length; ++i) {
    CuteStringRef rest = {message.data + i, message.length - i};
    if (!cuteTextStartsWith(rest, mark))
      continue;
    rest.data += n;
    rest.length -= n;
    const char *end = memchr(rest.data, '\'', rest.length);
    rest.length = end ? (size_t)(end - rest.data) : rest.length;
    for (size_t k = 0; k < places->count; ++k)
      if (cuteTextIsSame(places->places[k].kernel, rest))
        return places->places[k].location;
  }
  return otherwise;
}
