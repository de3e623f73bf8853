#include "Lowering/tensor_maps.h"
#include "Support/growing_array.h"

typedef struct Collection {
  CuteDialect *dialect;
  MlirBlock entry;
  CuteTensorMapList *list;
  bool isKernel, failed;
} Collection;

static bool isMakeTmaAtom(CuteDialect *dialect, MlirOperation op) {
  CuteOpId id = cuteDialectGetOpId(dialect, op);
  return id == CUTE_OP_MAKE_TMA_ATOM || id == CUTE_OP_MAKE_IM2COL_TMA_ATOM;
}

// Reads one of the operands, whose integers are all `least` to `most`.
static bool readModes(CuteContext c, const char *what, CuteIntTuple tuple,
                      size_t rank, int64_t least, int64_t most,
                      int64_t *values) {
  size_t n = isTuple(tuple) ? tuple->rank : 1;
  bool ok = n == rank && tuple->numLeaves == rank;
  for (size_t i = 0; ok && i < n; ++i) {
    CuteIntTuple leaf = element(tuple, i);
    ok = isStatic(leaf) && leaf->value >= least && leaf->value <= most;
    values[i] = ok ? leaf->value : 0;
  }
  if (!ok)
    cuteFail(c,
             "im2col: the %s is a static integer from %jd to %jd for each "
             "of the filter's 1 to 3 spatial modes",
             what, least, most);
  return ok;
}

bool cuteTensorMapReadIm2col(CuteContext c, const CuteType *operands,
                             CuteIm2col *im2col) {
  enum { MOST = 32767, MAX_STEP = 8 };
  CuteIntTuple filter = operands[0]->tuple;
  size_t n = isTuple(filter) ? filter->rank : 1;
  *im2col = (CuteIm2col){.rank = n};
  if (n > 3)
    n = 0; // the rank of no tuple
  return readModes(c, "filter's extent", filter, n, 1, MOST, im2col->filter) &&
         readModes(c, "step", operands[1]->tuple, n, 1, MAX_STEP,
                   im2col->steps) &&
         readModes(c, "lower padding", operands[2]->tuple, n, -MOST, MOST,
                   im2col->lower) &&
         readModes(c, "upper padding", operands[3]->tuple, n, -MOST, MOST,
                   im2col->upper) &&
         readModes(c, "dilation", operands[4]->tuple, n, 1, MOST,
                   im2col->dilation);
}

static bool fail(Collection *collection, MlirOperation op,
                 const char *message) {
  cuteEmitOpError(op, "%s", message);
  collection->failed = true;
  return false;
}

static bool readIm2col(CuteDialect *dialect, MlirOperation op,
                       CuteIm2col *im2col) {
  enum { FIRST = 2, COUNT = 5 };
  CuteType types[COUNT];
  for (intptr_t i = 0; i < COUNT; ++i) {
    types[i] = cuteDialectGetOperandType(dialect, op, FIRST + i);
    if (!types[i])
      return false;
  }
  return cuteTensorMapReadIm2col(dialect->context, types, im2col);
}

// Returns what a tensor is under promises (cute.assume).
static MlirValue skipPromises(CuteDialect *dialect, MlirValue tensor) {
  MlirOperation op = cuteMlirGetOwner(tensor);
  for (; cuteDialectIsOp(dialect, op, CUTE_OP_ASSUME);
       op = cuteMlirGetOwner(tensor))
    tensor = getOperand(op, 0);
  return tensor;
}

static bool visitAtom(Collection *collection, MlirOperation op) {
  CuteDialect *dialect = collection->dialect;
  MlirValue promised = getOperand(op, 0);
  MlirValue tensor = skipPromises(dialect, promised);
  if (!collection->isKernel)
    return fail(collection, op,
                "makes a parameter of the kernel, and must be in one (gpu.func "
                "... kernel)");
  if (!mlirValueIsABlockArgument(tensor) ||
      !mlirBlockEqual(mlirBlockArgumentGetOwner(tensor), collection->entry))
    return true; // the program writes the map
  CuteType atom = cuteDialectGetResultType(dialect, op, 0);
  CuteType type = cuteDialectGetValueType(dialect, promised);
  if (!atom || !type)
    return fail(collection, op, cuteContextGetError(dialect->context));
  CuteTensorMapParameter map = {.op = op,
                                .tma = cuteTypeGetTmaAtomValue(atom),
                                .tensor = type,
                                .argument =
                                    mlirBlockArgumentGetArgNumber(tensor)};
  if (map.tma.atom->isIm2col && !readIm2col(dialect, op, &map.im2col))
    return fail(collection, op, cuteContextGetError(dialect->context));
  CuteTensorMapList *list = collection->list;
  CUTE_PUSH(list->data, list->count, list->capacity, map);
  return true;
}

bool cuteTensorMapListCollect(CuteDialect *dialect, MlirOperation function,
                              CuteTensorMapList *list) {
  MlirAttribute kernel = cuteMlirGetAttribute(function, "gpu.kernel");
  Collection collection = {dialect, cuteMlirGetBody(function, 0), list,
                           !mlirAttributeIsNull(kernel), false};
  *list = (CuteTensorMapList){0};
  CUTE_FOR_NESTED(op, function)
    if (isMakeTmaAtom(dialect, op) && !visitAtom(&collection, op))
      return false;
  return true;
}

void cuteTensorMapListDestroy(CuteTensorMapList *list) {
  free(list->data);
  *list = (CuteTensorMapList){0};
}
