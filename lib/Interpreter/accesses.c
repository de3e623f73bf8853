#include "Interpreter/accesses.h"

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

// What the layout gives at a coordinate, and before its swizzle; false if that
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
  int64_t bits = cuteElementTypeGetBits((CuteElementType)tensor->type->element);
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

// The number of elements: of dynamic extents those of mode 0, or one.
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
  int64_t bits =
      values * cuteElementTypeGetBits((CuteElementType)tensor->element);
  return bits < 8 ? 1 : (int)(bits / 8);
}

// An access to what operand i is, without its requests; false for registers and
// what is not known.
static bool beginAccess(CuteFollow *follow, MlirOperation source, intptr_t i,
                        CuteAccess *a) {
  MlirValue value = mlirOperationGetOperand(source, i);
  const CuteFollowed *tensor = cuteFollowGet(follow, value);
  if (!tensor || tensor->type->kind != CUTE_TYPE_TENSOR || !tensor->start ||
      !tensor->rootStart || tensor->type->space == CUTE_RMEM)
    return false;
  size_t bytes = CUTE_MAX_REQUESTS * sizeof *a->byte;
  *a = (CuteAccess){.op = source,
                    .call = follow->call ? follow->call->number : 0,
                    .what = "tensor",
                    .value = value,
                    .root = tensor->root,
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
  list->accesses = cuteArenaGrow(&follow->threads.arena, list->accesses,
                                 list->count, sizeof *a);
  list->accesses[list->count++] = *a;
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
  a.isMatrix = like.isMatrix;
  if (like.participants)
    a.participants = like.participants;
  if (addRequests(follow, &a, cuteFollowGet(follow, a.value), order))
    push(list, follow, &a, order.values);
}

//===-- Copies ------------------------------------------------------------===//

static CuteType typeOf(CuteFollow *follow, MlirOperation op, intptr_t i) {
  return cuteDialectGetType(follow->dialect,
                            mlirValueGetType(mlirOperationGetOperand(op, i)));
}

// Of a copy from operand i to operand j by the widest accesses; i may be j.
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
                 cuteElementTypeGetBits((CuteElementType)copy->element);
  return (int)(bits / 32 * 8);
}

static void addAtomCopy(CuteAccessList *list, CuteFollow *follow, CuteOp *op,
                        MlirOperation source, intptr_t first,
                        bool isPredicated) {
  CuteType copy = op->operands[0];
  const CuteCopyAtom *atom = copy->atom;
  Order widest = {NULL, 1};
  if (atom->kind == CUTE_COPY_ELEMENTWISE && !isPredicated)
    widest = widestOrder(follow, source, first, first + 1, atom->maxBits,
                         atom->assumesAlignment);
  bool isMatrix =
      atom->kind == CUTE_COPY_LDMATRIX || atom->kind == CUTE_COPY_STMATRIX;
  for (CuteCopySide side = CUTE_SOURCE; side <= CUTE_DESTINATION; ++side) {
    CuteAccess like = {.what = side ? "destination" : "source",
                       .isStore = side == CUTE_DESTINATION,
                       .isMatrix = isMatrix,
                       .isReduction = atom->kind == CUTE_COPY_REDUCE,
                       .isPredicated = isPredicated};
    if (isMatrix)
      like.participants = matrixThreads(follow->context, copy,
                                        side ? CUTE_SOURCE : CUTE_DESTINATION);
    Order order = widest;
    if (atom->kind != CUTE_COPY_ELEMENTWISE)
      order.values = cuteCopyAtomValues(follow->context, copy, side);
    addTensor(list, follow, source, first + (intptr_t)side, like, order);
  }
}

static void addPlainCopy(CuteAccessList *list, CuteFollow *follow,
                         MlirOperation source, intptr_t first, Order order) {
  CuteAccess from = {.what = "source", .isPredicated = first > 0};
  CuteAccess to = {
      .what = "destination", .isStore = true, .isPredicated = first > 0};
  addTensor(list, follow, source, first, from, order);
  addTensor(list, follow, source, first + 1, to, order);
}

//===-- Elements and vectors ----------------------------------------------===//

static void addElement(CuteAccessList *list, CuteFollow *follow, CuteOp *op,
                       MlirOperation source, intptr_t tensor) {
  CuteAccess a;
  if (!beginAccess(follow, source, tensor, &a))
    return;
  a.isStore = tensor > 0;
  if (addRequest(follow, &a, cuteFollowGet(follow, a.value),
                 op->operands[tensor + 1]->tuple))
    push(list, follow, &a, 1);
}

// As load_vector and store_vector are lowered: the widest accesses within what
// one predicate is for.
static Order vectorOrder(CuteFollow *follow, CuteOp *op, MlirOperation source,
                         intptr_t tensor) {
  CuteContext c = follow->context;
  CuteType type = typeOf(follow, source, tensor);
  int64_t run = cuteTensorGetSize(c, type), values;
  if (op->numOperands > (size_t)tensor + 1)
    run /= cuteTensorGetSize(c, op->operands[tensor + 1]);
  values = type->element == CUTE_ELEMENT_I1
               ? 1
               : 128 / cuteElementTypeGetBits((CuteElementType)type->element);
  while (values > 1 &&
         (run % values || !cuteTensorIsVectorizable(c, type, values)))
    values /= 2;
  return (Order){NULL, values};
}

static void addVector(CuteAccessList *list, CuteFollow *follow, CuteOp *op,
                      MlirOperation source, intptr_t tensor) {
  CuteAccess like = {.what = "tensor",
                     .isStore = tensor > 0,
                     .isPredicated = op->numOperands > (size_t)tensor + 1};
  addTensor(list, follow, source, tensor, like,
            vectorOrder(follow, op, source, tensor));
}

//===-- Ops ---------------------------------------------------------------===//

void cuteAccessListAdd(CuteAccessList *list, CuteFollow *follow, CuteOp *op,
                       MlirOperation source) {
  CuteStringRef name = op->decl->name;
  if (cuteTextEquals(name, "copy") || cuteTextEquals(name, "copy_atom_call"))
    addAtomCopy(list, follow, op, source, 1, op->numOperands > 3);
  else if (cuteTextEquals(name, "copy_if"))
    addAtomCopy(list, follow, op, source, 2, true);
  else if (cuteTextEquals(name, "basic_copy"))
    addPlainCopy(list, follow, source, 0, (Order){NULL, 1});
  else if (cuteTextEquals(name, "basic_copy_if"))
    addPlainCopy(list, follow, source, 1, (Order){NULL, 1});
  else if (cuteTextEquals(name, "autovec_copy"))
    addPlainCopy(list, follow, source, 0,
                 widestOrder(follow, source, 0, 1, 128, false));
  else if (cuteTextEquals(name, "fill") || cuteTextEquals(name, "clear"))
    addTensor(list, follow, source, 0,
              (CuteAccess){.what = "tensor", .isStore = true},
              widestOrder(follow, source, 0, 0, 128, false));
  else if (cuteTextEquals(name, "load"))
    addElement(list, follow, op, source, 0);
  else if (cuteTextEquals(name, "store"))
    addElement(list, follow, op, source, 1);
  else if (cuteTextEquals(name, "load_vector"))
    addVector(list, follow, op, source, 0);
  else if (cuteTextEquals(name, "store_vector"))
    addVector(list, follow, op, source, 1);
}
