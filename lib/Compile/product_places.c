#include "Compile/assemble.h"
#include "Hardware/atom.h"
#include "Support/growing_array.h"

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
  MlirStringRef name = cuteMlirGetSymbol(kernel);
  CuteStringRef copy = {
      cuteArenaCopyText(&places->arena, name.data, name.length), name.length};
  CUTE_PUSH(places->places, places->count, places->capacity,
            (CuteProductPlace){copy, mlirOperationGetLocation(at)});
}

void cuteProductPlacesCollect(CuteProductPlaces *places, MlirModule module) {
  *places = (CuteProductPlaces){.count = 0};
  CUTE_LOCKED *dialect = cuteDialectLock(mlirModuleGetContext(module));
  if (!dialect)
    return;
  MlirOperation kernel = {NULL}; // whose first product is looked for
  CUTE_FOR_NESTED(op, mlirModuleGetOperation(module)) {
    if (cuteMlirIs(op, "gpu.func"))
      kernel = op;
    if (mlirOperationIsNull(kernel) || !isProduct(dialect, op))
      continue;
    add(places, kernel, loopAround(op, kernel));
    kernel = (MlirOperation){NULL};
  }
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
