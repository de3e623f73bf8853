// Loops over the elements that a thread has of sums, one after the other: where
// each is treated by itself, others may be.
#include "IR/loops.h"
#include "Transforms/products/to_wgmma.h"

#define ELEMENTS "cute.elements" // of a loop, until it has as many as there are

typedef struct Elements {
  CuteProducts *products;
  const CutePointerMap *derived; // from an MMA, outside of the loop
  MlirOperation loop;
  int64_t trips;
  CutePointerMap wholes;   // what has all elements, in the loop
  CutePointerMap elements; // what is of one element
} Elements;

static CuteDialect *dialectOf(const Elements *e) {
  return e->products->kernel->dialect;
}

static bool isWhole(const Elements *e, MlirValue value) {
  return cutePointerMapGet(e->derived, value.ptr) ||
         cutePointerMapGet(&e->wholes, value.ptr);
}

static bool isElement(const Elements *e, MlirValue value) {
  return cutePointerMapGet(&e->elements, value.ptr) ||
         mlirValueEqual(value,
                        mlirBlockGetArgument(cuteMlirGetBody(e->loop, 0), 0));
}

static bool fail(const Elements *e, MlirOperation op) {
  return cuteKernelFail(
      e->products->kernel, op,
      "treats elements neither one by one, in the order of range(size(sums)), "
      "nor as whole fragments, so it depends on which thread holds which of "
      "them");
}

// Tells whether a tensor has as many elements as the loop rounds. One of a
// constant shape may become one of sums.
static bool hasElements(Elements *e, MlirValue tensor, bool *adopts) {
  CuteType type = cuteDialectGetValueType(dialectOf(e), tensor);
  CuteIntTuple size =
      type && type->layout
          ? cuteLayoutGetSize(dialectOf(e)->context, type->layout)
          : NULL;
  if (!size || !isStaticValue(size, e->trips))
    return false;
  if (!isWhole(e, tensor))
    *adopts = cuteProductsAdopt(e->products, tensor);
  return isWhole(e, tensor);
}

// Tells whether dynamic leaves promise no divisor, which elements of another
// division might not have.
static bool promisesNothing(CuteIntTuple tuple) {
  return !isDynamic(tuple) || tuple->value == 1;
}

static void add(CutePointerMap *to, MlirOperation op) {
  CUTE_FOR_RESULTS(result, op)
    cutePointerMapSet(to, result.ptr, op.ptr);
}

// Checks an op that takes a tensor of all elements.
static bool checkAccess(Elements *e, MlirOperation op, MlirValue counted,
                        bool *adopts) {
  CuteOpId id = cuteDialectGetOpId(dialectOf(e), op);
  switch (id) {
  case CUTE_OP_GET_ITER:
  case CUTE_OP_GET_LAYOUT:
    add(&e->wholes, op);
    return true;
  case CUTE_OP_SLICE:
  case CUTE_OP_LOAD:
    return hasElements(e, getOperand(op, 0), adopts) &&
           mlirValueEqual(getOperand(op, 1), counted);
  case CUTE_OP_STORE:
    return hasElements(e, getOperand(op, 1), adopts) &&
           mlirValueEqual(getOperand(op, 2), counted) &&
           !isWhole(e, getOperand(op, 0));
  case CUTE_OP_CRD2IDX:
  case CUTE_OP_LAYOUT_EVAL:
    return mlirValueEqual(getOperand(op, 0), counted);
  case CUTE_OP_ADD_OFFSET:
    return isElement(e, getOperand(op, 1));
  default:
    return false;
  }
}

// Tells whether an op writes registers that are not of one element.
static bool writesOthers(const Elements *e, MlirOperation op) {
  intptr_t written = cuteEffectGetWritten(dialectOf(e), op);
  if (written < 0)
    return false;
  MlirValue target = getOperand(op, written);
  return cuteViewIsIn(dialectOf(e), target, CUTE_RMEM) &&
         !isElement(e, target) && !isWhole(e, target);
}

// Checks an op of the loop and notes what it makes.
static bool checkOp(Elements *e, MlirOperation op, bool *adopts) {
  bool takesWhole = false, takesElement = false;
  MlirValue counted = {NULL};
  CUTE_FOR_OPERANDS(operand, op) {
    takesWhole |= isWhole(e, operand);
    takesElement |= isElement(e, operand);
    if (cuteValueIsCounter(dialectOf(e), operand, e->loop))
      counted = operand;
  }
  bool takesCount = !mlirValueIsNull(counted);
  CuteType type = getNumResults(op) == 1
                      ? cuteDialectGetResultType(dialectOf(e), op, 0)
                      : NULL;
  const CuteOpDecl *decl = cuteDialectGetDecl(dialectOf(e), op);
  if (takesCount && getNumResults(op) == 1 &&
      cuteValueIsCounter(dialectOf(e), getResult(op, 0), e->loop)) {
    add(&e->elements, op);
    return true;
  }
  if (takesWhole || takesCount) {
    if (!checkAccess(e, op, counted, adopts))
      return false;
  } else if (takesElement && decl && decl->declaresResults && type &&
             cuteTypeIsTuple(type) &&
             !cuteIntTupleAll(type->tuple, promisesNothing)) {
    return false;
  }
  if (takesElement)
    add(&e->elements, op);
  CuteEffect effect = cuteEffectGet(dialectOf(e), op);
  return !writesOthers(e, op) && effect != CUTE_EFFECT_WAIT &&
         effect != CUTE_EFFECT_BARRIER && effect != CUTE_EFFECT_LANES;
}

// Tells whether a loop counts from 0 by 1, and is none around products: it may
// carry numbers.
static bool isCounted(const Elements *e) {
  int64_t lower, step;
  CuteDialect *dialect = dialectOf(e);
  for (intptr_t i = 0; i < getNumResults(e->loop); ++i)
    if (!cuteMlirGetBits(cuteMlirGetResultType(e->loop, i)))
      return false;
  return !cuteOpListHas(dialect, e->loop, CUTE_OP_GEMM) &&
         cuteLoopBoundGet(dialect, getOperand(e->loop, 0), &lower) &&
         cuteLoopBoundGet(dialect, getOperand(e->loop, 2), &step) && !lower &&
         step == 1;
}

bool cuteProductsAreElements(CuteProducts *products,
                             const CutePointerMap *derived, MlirOperation loop,
                             CutePointerMap *folds, bool *adopts) {
  Elements e = {.products = products,
                .derived = derived,
                .loop = loop,
                .wholes = cuteTaskMap(),
                .elements = cuteTaskMap()};
  CuteDialect *dialect = dialectOf(&e);
  if (!cuteMlirIs(loop, "scf.for") ||
      !cuteLoopGetTrips(dialect, loop, &e.trips) || !isCounted(&e))
    return false;
  bool ok = true, isOf = false;
  CUTE_FOR_NESTED(op, loop)
    CUTE_FOR_OPERANDS(operand, op)
      isOf |= isWhole(&e, operand);
  CUTE_FOR_NESTED(op, loop)
    if (ok && !mlirOperationEqual(op, loop)) {
      ok = isOf && checkOp(&e, op, adopts);
      if (!ok && isOf && !*adopts)
        fail(&e, op);
    }
  if (ok && isOf && !cuteProductsNoteFolds(loop, folds))
    ok = cuteKernelFail(products->kernel, loop,
                        "carries from one element to the next what is not "
                        "folded from a constant, by one operation such as "
                        "maxnumf, or addf from 0");
  if (ok && isOf)
    cuteMlirSetAttribute(
        loop, ELEMENTS,
        mlirUnitAttrGet(mlirOperationGetContext(products->kernel->function)));
  return ok && isOf;
}

// The tensor that a loop has an element of in each round.
static MlirValue findTensor(CuteDialect *dialect, MlirOperation loop) {
  CUTE_FOR_NESTED(op, loop) {
    CuteOpId id = cuteDialectGetOpId(dialect, op);
    if (id != CUTE_OP_SLICE && id != CUTE_OP_LOAD && id != CUTE_OP_STORE)
      continue;
    bool isStore = id == CUTE_OP_STORE;
    MlirOperation coord =
        cuteValueGetMaker(dialect, op, isStore ? 2 : 1, CUTE_OP_MAKE_COORD);
    if (!mlirOperationIsNull(coord) &&
        mlirValueEqual(getOperand(coord, 0),
                       mlirBlockGetArgument(cuteMlirGetBody(loop, 0), 0)))
      return getOperand(op, isStore);
  }
  return (MlirValue){NULL};
}

void cuteProductsCountElements(CuteKernel *kernel) {
  CuteDialect *dialect = kernel->dialect;
  CUTE_FOR_NESTED(op, kernel->function) {
    MlirValue tensor = cuteMlirHasAttribute(op, ELEMENTS)
                           ? findTensor(dialect, op)
                           : (MlirValue){NULL};
    if (mlirValueIsNull(tensor))
      continue;
    CuteIntTuple size = cuteLayoutGetSize(
        dialect->context, cuteDialectGetValueType(dialect, tensor)->layout);
    CuteBuilder b = cuteBuilderBefore(op);
    unsigned width = mlirIntegerTypeGetWidth(cuteMlirGetOperandType(op, 1));
    mlirOperationSetOperand(op, 1, cuteBuildInt(&b, width, size->value));
    mlirOperationRemoveAttributeByName(op, cuteMlirString(ELEMENTS));
  }
}
