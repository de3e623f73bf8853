// Matches loops that can be pipelined, and finds what each of their ops does.

#include "IR/loops.h"
#include "Transforms/edit/kernel_edit.h"

//===-- Remarks -----------------------------------------------------------===//

bool cutePipelineObstruct(CutePipelineLoop *p, MlirOperation op,
                          const char *format, ...) {
  CuteString text = {0};
  CUTE_APPEND_ARGUMENTS(&text, format);
  p->obstacle = cuteTaskTakeText(&text);
  p->culprit = op;
  return false;
}

//===-- The loop itself ---------------------------------------------------===//

static bool matchStep(CutePipelineLoop *p) {
  MlirValue step = getOperand(p->loop, 2);
  MlirType type = mlirValueGetType(step);
  int64_t ahead,
      width = mlirTypeIsAInteger(type) ? mlirIntegerTypeGetWidth(type) : 32;
  p->isUnsigned = cuteMlirHasAttribute(p->loop, "unsignedCmp");
  if (!cuteLoopBoundGet(p->dialect, step, &p->step) || p->step <= 0)
    return cutePipelineObstruct(p, p->loop,
                                "needs a step that is a positive constant");
  if (__builtin_mul_overflow(p->step, p->stages - 1, &ahead) ||
      (width < 64 && ahead >> (width - 1)))
    return cutePipelineObstruct(p, p->loop,
                                "has a step of %jd, too large to look %jd "
                                "rounds ahead in its type",
                                p->step, p->stages - 1);
  return true;
}

//===-- Fetches -----------------------------------------------------------===//

bool cutePipelineIsFetch(CuteDialect *dialect, MlirOperation op) {
  CuteCopyParts parts;
  if (!cuteEffectGetCopy(dialect, op, &parts) || mlirValueIsNull(parts.copy) ||
      !cuteViewIsIn(dialect, parts.destination, CUTE_SMEM))
    return false;
  CuteType copy = cuteDialectGetValueType(dialect, parts.copy);
  return copy && ((const CuteCopyAtom *)copy->atom)->kind->isAsync &&
         !cuteCopyAtomIsTma(copy->atom);
}

// Checks that what a fetch uses is known some rounds before: it follows from
// the index of the loop, and from no memory but perhaps inputs.
static bool checkFetchValue(CutePipelineLoop *p, MlirOperation fetch,
                            MlirValue value) {
  if (mlirValueIsABlockArgument(value)) {
    bool isCarried =
        mlirBlockEqual(mlirBlockArgumentGetOwner(value), p->body) &&
        mlirBlockArgumentGetArgNumber(value) > 0;
    return !isCarried ||
           cutePipelineObstruct(p, fetch,
                                "depends on a value that the loop carries, "
                                "which is not known some rounds ahead");
  }
  MlirOperation op = mlirOpResultGetOwner(value);
  if (!mlirBlockEqual(mlirOperationGetBlock(op), p->body) ||
      cutePointerMapGet(&p->seen, op.ptr))
    return true;
  cutePointerMapSet(&p->seen, op.ptr, op.ptr);
  bool isKnown = p->near ? cuteKernelOnlyComputes(p->near, op)
                         : cuteEffectGet(p->dialect, op) == CUTE_EFFECT_NONE;
  if (!isKnown)
    return cutePipelineObstruct(
        p, fetch,
        "depends on '%.*s', which cannot be computed some rounds ahead",
        CUTE_TEXT(cuteMlirGetName(op)));
  bool ok = true;
  CUTE_FOR_NESTED(inner, op)
    for (intptr_t i = 0; ok && i < getNumOperands(inner); ++i)
      ok = checkFetchValue(p, fetch, getOperand(inner, i));
  return ok;
}

// Tells whether what an op writes may lie in the fragment of predicates `root`.
static bool mayWritePredicate(CutePipelineLoop *p, MlirOperation op,
                              MlirValue root) {
  intptr_t i = cuteEffectGetWritten(p->dialect, op);
  if (i < 0 || !cuteViewIsIn(p->dialect, getOperand(op, i), CUTE_RMEM))
    return false;
  MlirValue written = cuteViewGetRoot(p->dialect, getOperand(op, i), CUTE_RMEM);
  CuteType type = cuteDialectGetValueType(p->dialect, written);
  CuteType own = cuteDialectGetValueType(p->dialect, root);
  return mlirValueEqual(root, written) ||
         (mlirValueIsABlockArgument(written) && type->element == own->element);
}

// A predicate that lies in registers from outside must not change in the loop.
static bool checkPredicate(CutePipelineLoop *p, MlirValue predicate) {
  MlirValue root = cuteViewGetRoot(p->dialect, predicate, CUTE_RMEM);
  for (size_t i = 0; i < p->computes.count; ++i)
    CUTE_FOR_NESTED(op, p->computes.data[i])
      if (mayWritePredicate(p, op, root))
        return cutePipelineObstruct(
            p, op,
            "writes the predicate of a copy to shared memory; make another "
            "for each round, by cute.make_predicate");
  return true;
}

static bool checkFetch(CutePipelineLoop *p, MlirOperation fetch) {
  CuteCopyParts parts;
  cuteEffectGetCopy(p->dialect, fetch, &parts);
  CuteType source = cuteDialectGetValueType(p->dialect, parts.source);
  if (!source || source->layout->shape->numDynamic)
    return cutePipelineObstruct(p, fetch,
                                "copies a dynamic number of elements");
  CUTE_FOR_OPERANDS(operand, fetch)
    if (!checkFetchValue(p, fetch, operand))
      return false;
  return (mlirValueIsNull(parts.predicate) ||
          checkPredicate(p, parts.predicate)) &&
         cutePipelineCheckSteady(p, fetch);
}

static bool matchAlloc(CutePipelineLoop *p, MlirOperation fetch) {
  CuteCopyParts parts;
  cuteEffectGetCopy(p->dialect, fetch, &parts);
  MlirValue root = cuteViewGetRoot(p->dialect, parts.destination, CUTE_SMEM);
  if (mlirValueIsABlockArgument(root) ||
      !cuteDialectIsOp(p->dialect, mlirOpResultGetOwner(root),
                       CUTE_OP_ALLOC_SMEM))
    return cutePipelineObstruct(
        p, fetch, "writes shared memory that is not a cute.alloc_smem");
  MlirOperation alloc = mlirOpResultGetOwner(root);
  if (!cuteOpsContain(&p->allocs, alloc))
    cuteOpsPush(&p->allocs, alloc);
  return true;
}

//===-- Uses of the tensors in shared memory ------------------------------===//

static bool followUses(CutePipelineLoop *p, MlirValue value);

static bool followUse(CutePipelineLoop *p, MlirOperation user) {
  CuteEffect effect = cuteEffectGet(p->dialect, user);
  if (effect == CUTE_EFFECT_REGISTERS)
    return true; // looks at the type only
  if (effect == CUTE_EFFECT_NONE && cuteDialectGetDecl(p->dialect, user) &&
      !cuteDialectIsOp(p->dialect, user, CUTE_OP_PTR_TO_INT)) {
    if (cutePointerMapGet(&p->seen, user.ptr))
      return true;
    cutePointerMapSet(&p->seen, user.ptr, user.ptr);
    cutePointerMapSet(&p->moves, user.ptr, user.ptr);
    bool ok = true;
    for (intptr_t i = 0; ok && i < getNumResults(user); ++i)
      if (cuteViewIsIn(p->dialect, getResult(user, i), CUTE_SMEM))
        ok = followUses(p, getResult(user, i));
    return ok;
  }
  MlirOperation of = cuteMlirGetAncestor(p->body, user);
  return (!mlirOperationIsNull(of) && effect == CUTE_EFFECT_ACCESS) ||
         cutePipelineObstruct(p, user,
                              "uses a tensor in shared memory that the loop "
                              "fetches to, outside of the loop's copies");
}

static bool followUses(CutePipelineLoop *p, MlirValue value) {
  CUTE_FOR_USES(use, value)
    if (!followUse(p, mlirOpOperandGetOwner(use)))
      return false;
  return true;
}

//===-- Computes ----------------------------------------------------------===//

static bool isFetchedTo(CutePipelineLoop *p, MlirValue value) {
  if (!cuteViewIsIn(p->dialect, value, CUTE_SMEM))
    return false;
  MlirValue root = cuteViewGetRoot(p->dialect, value, CUTE_SMEM);
  return !mlirValueIsABlockArgument(root) &&
         cuteOpsContain(&p->allocs, mlirOpResultGetOwner(root));
}

bool cutePipelineReadsFetched(CutePipelineLoop *p, MlirOperation outer) {
  CUTE_FOR_NESTED(op, outer) {
    bool isAccess = cuteEffectGet(p->dialect, op) == CUTE_EFFECT_ACCESS;
    for (intptr_t i = 0; isAccess && i < getNumOperands(op); ++i)
      if (isFetchedTo(p, getOperand(op, i)))
        return true;
  }
  return false;
}

// Gives the parameter of the kernel that a value in global memory is a view of,
// or null.
static MlirValue parameterOf(CutePipelineLoop *p, MlirValue value) {
  MlirValue root = cuteViewGetRoot(p->dialect, value, CUTE_GMEM);
  bool isParameter =
      mlirValueIsABlockArgument(root) &&
      cuteMlirIs(mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(root)),
                 "gpu.func");
  return isParameter ? root : (MlirValue){NULL};
}

static bool isNoalias(MlirValue parameter) {
  MlirOperation function =
      mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(parameter));
  MlirAttribute all = cuteMlirGetAttribute(function, "arg_attrs");
  intptr_t i = mlirBlockArgumentGetArgNumber(parameter);
  return !mlirAttributeIsNull(all) && i < mlirArrayAttrGetNumElements(all) &&
         !mlirAttributeIsNull(mlirDictionaryAttrGetElementByName(
             mlirArrayAttrGetElement(all, i), cuteMlirString("llvm.noalias")));
}

// Tells whether an op reads global memory that may be the parameter's.
static bool mayRead(CutePipelineLoop *p, MlirOperation op,
                    MlirValue parameter) {
  for (intptr_t i = 0; i < getNumOperands(op); ++i) {
    MlirValue operand = getOperand(op, i);
    if (!cuteEffectReads(p->dialect, op, i) ||
        !cuteViewIsIn(p->dialect, operand, CUTE_GMEM) ||
        cuteViewIsCounted(p->dialect, op))
      continue;
    MlirValue other = parameterOf(p, operand);
    if (mlirValueIsNull(other) || mlirValueEqual(other, parameter))
      return true;
  }
  return false;
}

// Tells whether the loop reads nothing of what it writes there: a parameter
// with llvm.noalias, while all that is read are others.
static bool isOutput(CutePipelineLoop *p, MlirValue written) {
  MlirValue parameter = parameterOf(p, written);
  if (mlirValueIsNull(parameter) || !isNoalias(parameter))
    return false;
  CUTE_FOR_NESTED(op, p->loop)
    if (mayRead(p, op, parameter))
      return false;
  return true;
}

// Writes go to registers, to where the loop does not read, or to shared memory
// between barriers, which stay: the order of all else may change, and other
// barriers are left out.
static bool checkCompute(CutePipelineLoop *p, MlirOperation op) {
  intptr_t written = cuteEffectGetWritten(p->dialect, op);
  if (written < 0)
    return true;
  MlirValue target = getOperand(op, written);
  if (cuteViewIsIn(p->dialect, target, CUTE_GMEM) && !isOutput(p, target))
    return cutePipelineObstruct(
        p, op,
        "writes global memory, which the copies of later rounds may read; "
        "it may write that of a parameter with llvm.noalias that it does "
        "not read");
  return true;
}

//===-- The order in the body ---------------------------------------------===//

typedef struct Order {
  bool fetched, waited, visible, read, released;
} Order;

static bool visitWait(CutePipelineLoop *p, Order *order, MlirOperation op) {
  int64_t pending = cuteEffectGetPending(p->dialect, op);
  if (pending > 0)
    return cutePipelineObstruct(
        p, op, "leaves copies pending: the loop is pipelined already");
  order->waited |= order->fetched;
  return true;
}

static void visitBarrier(CutePipelineLoop *p, Order *order) {
  p->startsWithBarrier |= !order->fetched;
  order->visible |= order->waited;
  order->released |= order->read;
}

static bool visitRead(CutePipelineLoop *p, Order *order, MlirOperation op) {
  if (!order->waited)
    return cutePipelineObstruct(p, op,
                                "reads shared memory before the loop has "
                                "waited for its copies (cp_async_wait<0>)");
  if (!order->visible)
    return cutePipelineObstruct(p, op,
                                "reads shared memory without a gpu.barrier "
                                "between it and the wait for the copies");
  order->read = true;
  order->released = false;
  return true;
}

static bool visitFetch(CutePipelineLoop *p, Order *order, MlirOperation op) {
  if (order->read)
    return cutePipelineObstruct(p, op,
                                "follows a read of the shared memory "
                                "that the loop fetches to");
  order->fetched = true;
  order->waited = order->visible = false;
  return true;
}

static bool visitOp(CutePipelineLoop *p, Order *order, MlirOperation op) {
  if (cuteOpsContain(&p->fetches, op))
    return visitFetch(p, order, op);
  switch (cuteEffectGet(p->dialect, op)) {
  case CUTE_EFFECT_WAIT:
    return visitWait(p, order, op);
  case CUTE_EFFECT_BARRIER:
    visitBarrier(p, order);
    return true;
  default:
    return !cutePipelineReadsFetched(p, op) || visitRead(p, order, op);
  }
}

static bool checkOrder(CutePipelineLoop *p) {
  Order order = {0};
  CUTE_FOR_OPS(op, p->body)
    if (!visitOp(p, &order, op))
      return false;
  if (!order.read)
    return cutePipelineObstruct(
        p, p->loop, "reads nothing of the shared memory that it fetches to");
  return order.released || p->startsWithBarrier ||
         cutePipelineObstruct(p, p->loop,
                              "lacks a gpu.barrier between the last read of "
                              "shared memory and the copies of the next round");
}

//===-- All ---------------------------------------------------------------===//

// Integer division stays where it is, as it may have no result elsewhere.
static bool checkUnknown(CutePipelineLoop *p, MlirOperation op) {
  return cuteMlirStartsWith(cuteMlirGetName(op), "arith.") ||
         cutePipelineObstruct(p, op,
                              "is an op whose effects on memory are unknown");
}

// Tells whether an op does no more than those in its regions.
static bool isControl(MlirOperation op) {
  return CUTE_IS_ANY(op, "scf.for", "scf.if", "scf.index_switch", "scf.while",
                     "scf.condition", "scf.yield");
}

// Gives the effect of an op; counting is writing, as nothing else reads there.
static CuteEffect effectOf(CutePipelineLoop *p, MlirOperation op) {
  return cuteViewIsCounted(p->dialect, op) ? CUTE_EFFECT_ACCESS
                                           : cuteEffectGet(p->dialect, op);
}

// An op in a loop or branch of the body stays there, so it must not be one
// that the pipeline has elsewhere.
static bool checkInner(CutePipelineLoop *p, MlirOperation op) {
  if (cutePipelineIsFetch(p->dialect, op))
    return cutePipelineObstruct(
        p, op,
        "copies to shared memory in an inner loop or branch; one cute.copy "
        "with all modes, and a predicate, does it in the loop itself");
  switch (effectOf(p, op)) {
  case CUTE_EFFECT_ACCESS:
    return checkCompute(p, op);
  case CUTE_EFFECT_WAIT:
  case CUTE_EFFECT_BARRIER:
    return cutePipelineObstruct(p, op,
                                "is in an inner loop or branch; waits "
                                "and barriers must be in the loop "
                                "itself");
  case CUTE_EFFECT_UNKNOWN:
    return isControl(op) || checkUnknown(p, op);
  default:
    return true;
  }
}

// A loop or branch computes as one op does.
static bool sortControl(CutePipelineLoop *p, MlirOperation outer) {
  cuteOpsPush(&p->computes, outer);
  CUTE_FOR_NESTED(op, outer)
    if (!mlirOperationEqual(op, outer) && !checkInner(p, op))
      return false;
  return true;
}

static bool sortOp(CutePipelineLoop *p, MlirOperation op) {
  cutePointerMapSet(&p->moves, op.ptr, op.ptr);
  if (isControl(op))
    return sortControl(p, op);
  if (cutePipelineIsFetch(p->dialect, op)) {
    cuteOpsPush(&p->fetches, op);
    return true;
  }
  switch (effectOf(p, op)) {
  case CUTE_EFFECT_ACCESS:
  case CUTE_EFFECT_LANES:
  case CUTE_EFFECT_BARRIER:
    cuteOpsPush(&p->computes, op);
    return checkCompute(p, op);
  case CUTE_EFFECT_UNKNOWN:
    return checkUnknown(p, op);
  default:
    return true;
  }
}

static bool sortBody(CutePipelineLoop *p) {
  CUTE_FOR_OPS_BEFORE(op, mlirBlockGetTerminator(p->body))
    if (!sortOp(p, op))
      return false;
  return true;
}

bool cutePipelineMatch(CutePipelineLoop *p) {
  p->body = cuteMlirGetBody(p->loop, 0);
  p->blocks = 1;
  p->moves = cuteTaskMap();
  p->seen = cuteTaskMap();
  if (!matchStep(p) || !sortBody(p))
    return false;
  for (size_t i = 0; i < p->fetches.count; ++i)
    if (!checkFetch(p, p->fetches.data[i]) ||
        !matchAlloc(p, p->fetches.data[i]))
      return false;
  cutePointerMapClear(&p->seen);
  for (size_t i = 0; i < p->allocs.count; ++i)
    if (!followUses(p, getResult(p->allocs.data[i], 0)))
      return false;
  if (!cutePipelineMatchExchange(p) || !checkOrder(p) ||
      !cutePipelineFitBytes(p, NULL))
    return false;
  p->startsWithBarrier |= cutePipelineFollowsStores(p);
  return true;
}
