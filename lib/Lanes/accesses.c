#include "Lanes/interpreter.h"

#include "Ops/copy_atoms.h"

// Elements in an order in which `values` at a time are accessed together.
typedef struct Order {
  CuteLayout order; // null: as they are counted
  int64_t values;
} Order;

//===-- Addresses ---------------------------------------------------------===//

static int64_t *allocateNumbers(CuteFollow *follow) {
  return cuteArenaAllocate(&follow->threads.arena,
                           (size_t)follow->threads.count * sizeof(int64_t));
}

static int64_t floorShift(int64_t value, int bits) {
  return value < 0 ? -((-value + (INT64_C(1) << bits) - 1) >> bits)
                   : value >> bits;
}

// Evaluates a layout at a coordinate, and before its swizzle; false if that
// is not known.
static bool evaluate(CuteFollow *follow, CuteLayout layout, CuteIntTuple coord,
                     const CuteLanes *index[2]) {
  CuteContext c = follow->context;
  CuteIntTuple at = cuteLayoutEval(c, layout, coord);
  CuteIntTuple plain = cuteEvalMode(c, coord, layoutMode(layout));
  if (at && isTuple(at)) // the layout of one element
    at = plain = staticInt(c, 0);
  if (plain && cuteLayoutIsComposed(layout))
    plain = cuteLeafAdd(c, layout->offset, plain);
  index[0] = at ? cuteThreadsGetLanes(&follow->threads, at) : NULL;
  index[1] = plain ? cuteThreadsGetLanes(&follow->threads, plain) : NULL;
  return index[0] && index[1];
}

// Adds the request for the element at a coordinate. False if it is not known
// where that is.
static bool addRequest(CuteFollow *follow, CuteAccess *a,
                       const CuteFollowed *tensor, CuteIntTuple coord) {
  int64_t *bytes = allocateNumbers(follow), *elements = allocateNumbers(follow);
  CuteThreadsMark mark = cuteThreadsGetMark(&follow->threads);
  const CuteLanes *index[2];
  bool ok = evaluate(follow, tensor->type->layout, coord, index);
  a->isSampled |= ok && (tensor->start->isSampled || index[0]->isSampled);
  int64_t bits = cuteElementTypeGetBits(tensor->type->element);
  for (int64_t t = 0; ok && t < follow->threads.count; ++t) {
    int64_t start = tensor->start->values[t];
    bytes[t] = floorShift(start + index[0]->values[t] * bits, 3);
    elements[t] =
        (start - tensor->rootStart->values[t]) / bits + index[1]->values[t];
  }
  cuteThreadsReset(&follow->threads, mark);
  a->byte[a->numRequests] = bytes;
  a->plain[a->numRequests] = elements;
  a->numRequests += ok;
  return ok;
}

// The number of elements; with dynamic extents, mode 0's or one.
static int64_t countElements(CuteContext c, CuteType tensor) {
  CuteIntTuple shape = tensor->layout->shape;
  CuteIntTuple size = cuteIntTupleProduct(c, shape);
  if (!isStatic(size))
    size = cuteIntTupleProduct(c, element(shape, 0));
  return isStatic(size) ? size->value : 1;
}

static bool addRequests(CuteFollow *follow, CuteAccess *a,
                        const CuteFollowed *tensor, Order order) {
  CuteContext c = follow->context;
  int64_t n = countElements(c, tensor->type);
  bool ok = true;
  for (int64_t i = 0; ok && i < n && a->numRequests < CUTE_MAX_REQUESTS;
       i += order.values) {
    CuteIntTuple at = staticInt(c, i);
    if (order.order)
      at = cuteEvalMode(c, at, layoutMode(order.order));
    ok = addRequest(follow, a, tensor, at);
  }
  return ok;
}

//===-- Tensors -----------------------------------------------------------===//

static int bytesOf(CuteType tensor, int64_t values) {
  int64_t bits = values * cuteElementTypeGetBits(tensor->element);
  return bits < 8 ? 1 : (int)(bits / 8);
}

// An access to what operand i is, without its requests; false for registers and
// what is not known.
static bool beginAccess(CuteFollow *follow, MlirOperation source, intptr_t i,
                        CuteAccess *a) {
  MlirValue value = getOperand(source, i);
  const CuteFollowed *tensor = cuteFollowGet(follow, value);
  if (!tensor || tensor->type->kind != CUTE_TYPE_TENSOR || !tensor->start ||
      !tensor->rootStart || tensor->type->space == CUTE_RMEM ||
      tensor->type->space == CUTE_DSMEM)
    return false;
  size_t bytes = CUTE_MAX_REQUESTS * sizeof *a->byte;
  *a = (CuteAccess){.op = source,
                    .call = follow->call ? follow->call->number : 0,
                    .time = follow->time,
                    .what = "tensor",
                    .value = value,
                    .root = tensor->root,
                    .memory = tensor->memory,
                    .type = tensor->type,
                    .space = (CuteSpace)tensor->type->space,
                    .participants = CUTE_WARP,
                    .part = tensor->part,
                    .residue = tensor->residue,
                    .isConditional = follow->guards > 0,
                    .byte = cuteArenaAllocate(&follow->threads.arena, bytes),
                    .plain = cuteArenaAllocate(&follow->threads.arena, bytes),
                    .active = follow->active};
  return true;
}

static void push(CuteAccessList *list, CuteFollow *follow, CuteAccess *a,
                 int64_t values) {
  a->values = (int)values;
  a->bytes = bytesOf(a->type, values);
  if (!a->numRequests || a->bytes > 16)
    return;
  CUTE_ARENA_PUSH(&follow->threads.arena, list->accesses, list->count, *a);
}

static void addTensor(CuteAccessList *list, CuteFollow *follow,
                      MlirOperation source, intptr_t i, CuteAccess like,
                      Order order) {
  CuteAccess a;
  if (!order.values || !beginAccess(follow, source, i, &a))
    return;
  a.what = like.what;
  a.isStore = like.isStore;
  a.isPredicated = like.isPredicated;
  a.isReduction = like.isReduction;
  a.isAsync = like.isAsync;
  a.isMatrix = like.isMatrix;
  if (like.participants)
    a.participants = like.participants;
  if (addRequests(follow, &a, cuteFollowGet(follow, a.value), order))
    push(list, follow, &a, order.values);
}

//===-- Copies ------------------------------------------------------------===//

static CuteType typeOf(CuteFollow *follow, MlirOperation op, intptr_t i) {
  return cuteDialectGetOperandType(follow->dialect, op, i);
}

// Orders the elements of a copy from operand i to operand j by the widest
// accesses; i may be j.
static Order widestOrder(CuteFollow *follow, MlirOperation source, intptr_t i,
                         intptr_t j, int64_t maxBits, bool assumed) {
  CuteType from = typeOf(follow, source, i), to = typeOf(follow, source, j);
  if (from->layout->shape->numDynamic || to->layout->shape->numDynamic)
    return (Order){NULL, 1};
  CuteRuns runs =
      cuteVectorCopyGetRuns(follow->context, from, to, maxBits, assumed);
  return (Order){runs.order, runs.length};
}

// Matrices of 8 rows of 16 bytes that an ldmatrix or stmatrix takes: each has
// 32 bits of each thread's registers.
static int matrixThreads(CuteContext c, CuteType copy, CuteCopySide registers) {
  int64_t bits = cuteCopyAtomValues(c, copy, registers) *
                 cuteElementTypeGetBits(copy->element);
  return (int)(bits / 32 * 8);
}

// Describes what an op accesses in that role.
static CuteAccess likeOf(const CuteOp *op, bool isStore) {
  const CuteOpTraits *traits = &op->decl->traits;
  return (CuteAccess){.what = traits->source < 0 ? "tensor"
                              : isStore          ? "destination"
                                                 : "source",
                      .isStore = isStore,
                      .isPredicated =
                          traits->predicate >= 0 &&
                          (size_t)traits->predicate < op->numOperands};
}

static void addAtomCopy(CuteAccessList *list, CuteFollow *follow, CuteOp *op,
                        MlirOperation source) {
  const CuteOpTraits *traits = &op->decl->traits;
  const intptr_t operands[] = {traits->source, traits->written};
  CuteType copy = op->operands[traits->by];
  const CuteCopyAtom *atom = copy->atom;
  if (atom->kind->isTma || atom->kind->isBulk)
    return; // no thread of the block accesses memory
  Order widest = {NULL, 1};
  if (atom->kind->isElementwise && !likeOf(op, false).isPredicated)
    widest = widestOrder(follow, source, operands[0], operands[1],
                         atom->maxBits, atom->assumesAlignment);
  bool isMatrix = atom->kind->isMatrix;
  for (CuteCopySide side = CUTE_SOURCE; side <= CUTE_DESTINATION; ++side) {
    CuteAccess like = likeOf(op, side == CUTE_DESTINATION);
    like.isMatrix = isMatrix;
    like.isReduction = atom->kind->adds;
    like.isAsync = atom->kind->isAsync;
    if (isMatrix)
      like.participants = matrixThreads(follow->context, copy,
                                        side ? CUTE_SOURCE : CUTE_DESTINATION);
    Order order = widest;
    if (!atom->kind->isElementwise)
      order.values = cuteCopyAtomValues(follow->context, copy, side);
    addTensor(list, follow, source, operands[side], like, order);
  }
}

// Adds what the op reads, and then what it writes, in the same order.
static void addTensors(CuteAccessList *list, CuteFollow *follow, CuteOp *op,
                       MlirOperation source, Order order) {
  const CuteOpTraits *traits = &op->decl->traits;
  if (traits->source >= 0)
    addTensor(list, follow, source, traits->source, likeOf(op, false), order);
  addTensor(list, follow, source, cuteOpTraitsGetTensor(traits),
            likeOf(op, traits->written >= 0), order);
}

static Order runsOrder(CuteFollow *follow, CuteOp *op, MlirOperation source) {
  int to = cuteOpTraitsGetTensor(&op->decl->traits);
  int from = op->decl->traits.source < 0 ? to : op->decl->traits.source;
  return widestOrder(follow, source, from, to, 128, false);
}

//===-- Elements and vectors ----------------------------------------------===//

static void addElement(CuteAccessList *list, CuteFollow *follow, CuteOp *op,
                       MlirOperation source) {
  const CuteOpTraits *traits = &op->decl->traits;
  CuteAccess a;
  if (!beginAccess(follow, source, cuteOpTraitsGetTensor(traits), &a))
    return;
  a.isStore = traits->written >= 0;
  if (addRequest(follow, &a, cuteFollowGet(follow, a.value),
                 op->operands[traits->coord]->tuple))
    push(list, follow, &a, 1);
}

// Orders elements as load_vector and store_vector are lowered: by the widest
// accesses within what one predicate is for.
static Order vectorOrder(CuteFollow *follow, CuteOp *op, MlirOperation source) {
  CuteContext c = follow->context;
  const CuteOpTraits *traits = &op->decl->traits;
  CuteType type = typeOf(follow, source, cuteOpTraitsGetTensor(traits));
  int64_t run = cuteCopyCountElements(c, type), values;
  if (likeOf(op, false).isPredicated)
    run /= cuteCopyCountElements(c, op->operands[traits->predicate]);
  values = type->element == CUTE_ELEMENT_I1
               ? 1
               : 128 / cuteElementTypeGetBits(type->element);
  while (values > 1 &&
         (run % values || !cuteMemoryIsVectorizable(c, type, values)))
    values /= 2;
  return (Order){NULL, values};
}

//===-- Ops ---------------------------------------------------------------===//

void cuteAccessListAdd(CuteAccessList *list, CuteFollow *follow, CuteOp *op,
                       MlirOperation source) {
  switch (op->decl->traits.access) {
  case CUTE_ACCESS_ATOM:
    addAtomCopy(list, follow, op, source);
    break;
  case CUTE_ACCESS_AT:
    addElement(list, follow, op, source);
    break;
  case CUTE_ACCESS_ELEMENTS:
    addTensors(list, follow, op, source, (Order){NULL, 1});
    break;
  case CUTE_ACCESS_RUNS:
    addTensors(list, follow, op, source, runsOrder(follow, op, source));
    break;
  case CUTE_ACCESS_VECTORS:
    addTensors(list, follow, op, source, vectorOrder(follow, op, source));
    break;
  case CUTE_ACCESS_UNKNOWN:
    break;
  }
}

//===-- Costs -------------------------------------------------------------===//

CuteCost cuteAccessGetCost(const CuteAccess *a, int64_t threads,
                           const int64_t *const *addresses) {
  CuteCost sum = {0, 0};
  for (size_t i = 0; i < a->numRequests; ++i)
    for (int64_t first = 0; first < threads; first += CUTE_WARP) {
      int64_t rest = threads - first;
      CuteRequest request = {
          .n = (int)(rest < a->participants ? rest : a->participants),
          .bytes = a->bytes,
          .addresses = addresses[i] + first,
          .active = a->active + first};
      CuteCost cost = a->space == CUTE_SMEM ? cuteCostOfBanks(&request)
                                            : cuteCostOfSectors(&request);
      sum.taken += cost.taken;
      sum.least += cost.least;
    }
  return sum;
}
