// Functions of all sums of a thread at once, as a long vector, become loops
// over the elements: the steps of a function need registers beside the sums.
// Functions that may not be approximated have too many steps for that.
#include "Transforms/plain/plain_views.h"
#include "Transforms/sm90.h"

enum {
  MOST_OPS = 64,
  MOST_ELEMENTS = 128, // of a warpgroup with a tile of its own
};

// The ops between loads of fragments, as vectors, and a store.
typedef struct Chain {
  CuteKernel *kernel;
  MlirOperation store;
  MlirOperation ops[MOST_OPS]; // each after those whose results it takes
  size_t count;
  bool hasFunction;
} Chain;

static MlirType elementOf(MlirValue vector) {
  return mlirShapedTypeGetElementType(mlirValueGetType(vector));
}

// Gives what is the same for all elements of a vector; null for others.
static MlirOperation findSplat(MlirValue vector) {
  MlirOperation op = cuteMlirGetOwner(vector);
  bool is = !mlirOperationIsNull(op) &&
            (cuteMlirIs(op, "vector.broadcast")
                 ? !mlirTypeIsAVector(cuteMlirGetOperandType(op, 0))
                 : cuteMlirIs(op, "arith.constant") &&
                       mlirDenseElementsAttrIsSplat(
                           cuteMlirGetAttribute(op, "value")));
  return is ? op : (MlirOperation){NULL};
}

static bool hasOp(const Chain *chain, MlirOperation op) {
  for (size_t i = 0; i < chain->count; ++i)
    if (mlirOperationEqual(chain->ops[i], op))
      return true;
  return mlirOperationEqual(op, chain->store);
}

// Adds the op that gives a vector, after what it takes. False if it is not one
// by elements, of vectors as long.
static bool addValue(Chain *chain, MlirValue vector, int64_t size) {
  CuteDialect *dialect = chain->kernel->dialect;
  MlirOperation op = cuteMlirGetOwner(vector);
  MlirType type = mlirValueGetType(vector);
  if (!mlirTypeIsAVector(type) || mlirShapedTypeGetRank(type) != 1 ||
      mlirShapedTypeGetDimSize(type, 0) != size)
    return false;
  if (mlirOperationIsNull(op))
    return false;
  if (!mlirOperationIsNull(findSplat(vector)) || hasOp(chain, op))
    return true;
  MlirStringRef name = cuteMlirGetName(op);
  bool isLoad = cuteDialectIsOp(dialect, op, CUTE_OP_LOAD_VECTOR) &&
                cuteViewIsIn(dialect, getOperand(op, 0), CUTE_RMEM);
  bool isFunction = cuteMlirStartsWith(name, "math.");
  if ((!isLoad && !isFunction && !cuteMlirStartsWith(name, "arith.")) ||
      (isFunction && !cuteMlirIsFast(op)) || getNumResults(op) != 1 ||
      !getNumOperands(op) || getNumOperands(op) > 3 ||
      mlirOperationGetNumRegions(op) || chain->count == MOST_OPS)
    return false;
  for (intptr_t i = 0; !isLoad && i < getNumOperands(op); ++i)
    if (!addValue(chain, getOperand(op, i), size))
      return false;
  chain->hasFunction |= isFunction;
  chain->ops[chain->count++] = op;
  return chain->count < MOST_OPS;
}

// Tells whether nothing else takes what an op of the chain gives.
static bool isAlone(const Chain *chain, MlirOperation op) {
  CUTE_FOR_USES(use, getResult(op, 0))
    if (!hasOp(chain, mlirOpOperandGetOwner(use)))
      return false;
  return true;
}

// Tells whether a fragment that an op loads is not written from there to the
// store.
static bool stays(const Chain *chain, MlirOperation load) {
  CuteDialect *dialect = chain->kernel->dialect;
  MlirValue root = cuteViewGetRoot(dialect, getOperand(load, 0), CUTE_RMEM);
  if (!mlirBlockEqual(mlirOperationGetBlock(load),
                      mlirOperationGetBlock(chain->store)))
    return false;
  CUTE_FOR_OPS_UNTIL(op, load, chain->store)
    CUTE_FOR_NESTED(inner, op)
      if (mlirValueEqual(cuteViewGetWritten(dialect, inner, CUTE_RMEM), root))
        return false;
  return true;
}

static bool match(Chain *chain) {
  MlirValue stored = getOperand(chain->store, 0);
  CuteDialect *dialect = chain->kernel->dialect;
  if (!cutePingpongIsLong(mlirValueGetType(stored)))
    return false;
  int64_t size = mlirShapedTypeGetDimSize(mlirValueGetType(stored), 0);
  if (size > MOST_ELEMENTS ||
      !cuteViewIsIn(dialect, getOperand(chain->store, 1), CUTE_RMEM) ||
      !addValue(chain, stored, size) || !chain->hasFunction)
    return false;
  for (size_t i = 0; i < chain->count; ++i) {
    MlirOperation op = chain->ops[i];
    if (!isAlone(chain, op) ||
        (cuteDialectIsOp(dialect, op, CUTE_OP_LOAD_VECTOR) &&
         !stays(chain, op)))
      return false;
  }
  return true;
}

//===-- Loops -------------------------------------------------------------===//

// The element of a vector in a round of the loop.
static MlirValue elementIn(const Chain *chain, const CuteBuilder *b,
                           const MlirValue *elements, MlirValue vector) {
  MlirOperation op = cuteMlirGetOwner(vector);
  for (size_t i = 0; i < chain->count; ++i)
    if (mlirOperationEqual(chain->ops[i], op))
      return elements[i];
  if (cuteMlirIs(op, "vector.broadcast"))
    return getOperand(op, 0);
  MlirAttribute all = cuteMlirGetAttribute(op, "value");
  return CUTE_BUILD_VALUE(
      b, "arith.constant", CUTE_RESULTS(elementOf(vector)),
      CUTE_ATTRIBUTES({"value", mlirDenseElementsAttrGetSplatValue(all)}));
}

// Has a loop over the elements take the chain's place.
static bool build(Chain *chain) {
  enum { MOST_OPERANDS = 3 };
  CuteDialect *dialect = chain->kernel->dialect;
  MlirOperation store = chain->store;
  CuteRebuild r = cuteRebuildBefore(dialect, store);
  MlirValue stored = getOperand(store, 0), elements[MOST_OPS];
  int64_t size = mlirShapedTypeGetDimSize(mlirValueGetType(stored), 0);
  MlirBlock body = cuteBuildFor(&r.builder, cuteBuildInt(&r.builder, 32, size));
  r.builder = cuteBuilderBefore(mlirBlockGetTerminator(body));
  r.builder.location = mlirOperationGetLocation(store);
  MlirValue count = mlirBlockGetArgument(body, 0);
  CuteType type = cuteTypeGetTuple(dialect->context, CUTE_TYPE_COORD,
                                   cuteDynamicLeaf(dialect->context, 32, 1, 0));
  MlirValue at =
      getResult(cuteBuildDeclared(&r.builder, dialect, CUTE_OP_MAKE_COORD, 1,
                                  &count, type),
                0);
  for (size_t i = 0; i < chain->count; ++i) {
    MlirOperation op = chain->ops[i];
    if (cuteDialectIsOp(dialect, op, CUTE_OP_LOAD_VECTOR)) {
      elements[i] = cuteEmit2(&r, CUTE_OP_LOAD, getOperand(op, 0), at);
      continue;
    }
    MlirValue operands[MOST_OPERANDS];
    MlirType result = elementOf(getResult(op, 0));
    intptr_t n = getNumOperands(op);
    for (intptr_t k = 0; k < n; ++k)
      operands[k] = elementIn(chain, &r.builder, elements, getOperand(op, k));
    elements[i] = getResult(
        cuteBuildAgain(&r.builder, op, (size_t)n, operands, 1, &result), 0);
  }
  cuteEmitDo(&r, CUTE_OP_STORE,
             CUTE_VALUES(elementIn(chain, &r.builder, elements, stored),
                         getOperand(store, 1), at));
  if (r.failed)
    return cuteKernelFailOp(chain->kernel, store);
  mlirOperationDestroy(store);
  while (chain->count)
    mlirOperationDestroy(chain->ops[--chain->count]);
  return true;
}

bool cutePlainVectors(CuteKernel *kernel) {
  CUTE_FOR_FOUND(op, cuteKernelFindOps(kernel, CUTE_OP_STORE_VECTOR)) {
    Chain chain = {.kernel = kernel, .store = op};
    if (mlirBlockEqual(mlirOperationGetBlock(op), kernel->block) &&
        match(&chain) && !build(&chain))
      return false;
  }
  return true;
}
