// Pointers, tensors, fragments and shared memory.
#include "Algebra/trace.h"
#include "Lowering/lowering.h"
#include "Ops/ops.h"

//===-- Construction ------------------------------------------------------===//

// The logarithm of the bytes of an element; negative if a byte has several.
static int elementScale(CuteType type) {
  return __builtin_ctzll((uint64_t)cuteElementTypeGetBits(type->element)) - 3;
}

static int64_t elementsIn(CuteType type, int64_t bytes) {
  return bytes * 8 / cuteElementTypeGetBits(type->element);
}

// Gives what the pointer's alignment leaves unknown of where it points within a
// period of its swizzle, in elements.
static CuteIntTuple swizzleOffset(CuteContext c, CuteType pointer) {
  if (pointer->align >= cuteSwizzleGetPeriod(pointer->swizzle))
    return staticInt(c, 0);
  return cuteIntTupleGetDynamic(c, 32, elementsIn(pointer, pointer->align));
}

// The pointer's swizzle, in elements, goes into the layout: the tensor begins
// where a period does, and the offset is the way from there.
static CuteType swizzledTensor(CuteContext c, CuteType pointer,
                               CuteLayout layout) {
  if (layout && cuteLayoutIsComposed(layout))
    return cuteFail(c, "a pointer with a swizzle needs a plain layout, not a "
                       "composed one");
  CuteSwizzle s = pointer->swizzle;
  int64_t period = cuteSwizzleGetPeriod(s);
  s.base -= elementScale(pointer);
  return cuteTypeGetTensor(
      c, pointer->element, (CuteSpace)pointer->space,
      pointer->align > period ? pointer->align : period,
      cuteLayoutGetSwizzled(c, s, swizzleOffset(c, pointer), layout));
}

static CuteType failOrigin(CuteContext c, CuteIntTuple origin,
                           CuteLayout layout, CuteIntTuple first) {
  return cuteFail(c, "the origin %s%s%s%s%s", cuteTupleText(c, origin),
                  isTuple(first) ? " is not a coordinate as the layout "
                                 : " must be an integer, as the "
                                   "layout ",
                  cuteLayoutText(c, layout),
                  isTuple(first) ? " gives them, such as "
                                 : " gives integers, such as ",
                  cuteTupleText(c, first));
}

// Tells whether coordinates of a profile can be counted from an origin. The
// layout may not reach its last modes.
static bool isOrigin(CuteIntTuple origin, CuteIntTuple first) {
  if (!isTuple(first) || !isTuple(origin))
    return !isTuple(first) || isStaticValue(origin, 0);
  for (size_t i = 0; i < origin->rank && i < first->rank; ++i)
    if (!isOrigin(origin->elements[i], first->elements[i]))
      return false;
  return true;
}

// An integer is counted from an integer; (5) may be written 5.
static CuteType coordTensor(CuteContext c, CuteIntTuple origin,
                            CuteLayout layout) {
  struct CuteTrace *trace = cuteTracePause(c);
  CuteIntTuple first =
      layout ? cuteLayoutEval(c, layout, staticInt(c, 0)) : NULL;
  cuteTraceResume(c, trace);
  if (!first)
    return NULL;
  if (!isTuple(origin) && isTuple(first) && first->rank == 1 &&
      !isTuple(first->elements[0]))
    origin = cuteInternTuple(c, 1, &origin);
  bool isInteger = !isTuple(first) && !(layout->stride->flags & HAS_BASIS);
  if (isInteger ? isTuple(origin) : !isOrigin(origin, first))
    return failOrigin(c, origin, layout, first);
  return cuteTypeGetCoordTensor(c, origin, layout);
}

static bool inferMakeTensor(CuteOp *op) {
  CuteContext c = op->context;
  CuteType pointer = op->operands[0];
  CuteLayout layout = cuteOpGetLayout(op, 1);
  if (pointer->kind == CUTE_TYPE_INT_TUPLE)
    return cuteOpPushResult(op, coordTensor(c, pointer->tuple, layout));
  if (pointer->swizzle.bits)
    return cuteOpPushResult(op, swizzledTensor(c, pointer, layout));
  return cuteOpPushResult(op, cuteTypeGetTensor(c, pointer->element,
                                                (CuteSpace)pointer->space,
                                                pointer->align, layout));
}

static bool inferGetIter(CuteOp *op) {
  CuteType tensor = op->operands[0];
  if (tensor->kind == CUTE_TYPE_COORD_TENSOR)
    return cuteOpReturnTuple(op, CUTE_TYPE_INT_TUPLE, tensor->tuple);
  return cuteOpPushResult(op, cuteTypeGetPointer(op->context, tensor->element,
                                                 (CuteSpace)tensor->space,
                                                 tensor->align));
}

CUTE_INFER(inferGetLayout, cuteOpReturnLayout, LAYOUT(0));

// The coordinate (0, (0, 0)) of a shape.
static CuteIntTuple originOf(CuteContext c, CuteIntTuple shape) {
  if (!isTuple(shape))
    return staticInt(c, 0);
  return CUTE_TUPLE_OF(c, i, shape->rank, originOf(c, shape->elements[i]));
}

bool cuteOpReturnIdentityTensor(CuteOp *op, CuteIntTuple shape) {
  return cuteOpPushResult(
      op, cuteTypeGetCoordTensor(op->context, originOf(op->context, shape),
                                 cuteLayoutGetIdentity(op->context, shape)));
}

bool cuteOpInferMakeIdentityTensor(CuteOp *op) {
  CuteType type = op->operands[0];
  return cuteOpReturnIdentityTensor(
      op, type->kind == CUTE_TYPE_TENSOR ? type->layout->shape : type->tuple);
}

//===-- Views -------------------------------------------------------------===//

bool cuteOpInferDomainOffset(CuteOp *op) {
  CuteType tensor = op->operands[1];
  CuteIntTuple coord = operandTuple(op, 0);
  if (coord->flags & HAS_UNDERSCORE)
    return cuteFailTuple(op->context,
                         "the coordinate of an offset has no _: ", coord);
  return cuteOpReturnPartition(
      op, tensor, cuteLayoutDomainOffset(op->context, tensor->layout, coord));
}

static bool elementOf(CuteOp *op, CuteElementType *element);

// Tells whether n elements that are neighbours are always one, as far as a mode
// is known: it counts parts of a whole number of them, or whole ones.
static bool countsGroups(CuteIntTuple extent, CuteIntTuple stride, int64_t n) {
  if (isTuple(extent)) {
    bool ok = true;
    for (size_t i = 0; ok && i < extent->rank; ++i)
      ok = countsGroups(extent->elements[i], stride->elements[i], n);
    return ok;
  }
  if (!isStatic(stride) || isStaticValue(extent, 1) || stride->value % n == 0)
    return true;
  int64_t parts = stride->value < 0 ? -stride->value : stride->value;
  return n % parts == 0 &&
         (!isStatic(extent) || extent->value % (n / parts) == 0);
}

// recast_layout rounds up what it cannot divide; memory has no such elements.
static bool checkRecast(CuteOp *op, int64_t from, int64_t to) {
  CuteLayout layout = op->operands[0]->layout;
  if (to % from || countsGroups(layout->shape, layout->stride, to / from))
    return true;
  return cuteFail(
      op->context,
      "each %jd elements that become one must be contiguous within a mode: "
      "strides must be multiples of it, and so must extents where the stride "
      "is smaller, unlike %s",
      (to / from),
      cuteLayoutText(op->context, cuteLayoutGetOuter(op->context, layout)));
}

static bool inferRecastTensor(CuteOp *op) {
  CuteElementType element;
  CuteType tensor = op->operands[0];
  if (!elementOf(op, &element) ||
      !checkRecast(op, cuteElementTypeGetBits(tensor->element),
                   cuteElementTypeGetBits(element)))
    return false;
  bool tracked = cuteContextTrackDivisors(op->context, true);
  CuteLayout layout = cuteLayoutRecast(op->context, tensor->layout,
                                       cuteElementTypeGetBits(element),
                                       cuteElementTypeGetBits(tensor->element));
  cuteContextTrackDivisors(op->context, tracked);
  return cuteOpPushResult(op, cuteTypeGetTensor(op->context, element,
                                                (CuteSpace)tensor->space,
                                                tensor->align, layout));
}

//===-- Assumptions -------------------------------------------------------===//

// The declared type may differ in divisors and alignment only.
static bool inferAssume(CuteOp *op) {
  CuteContext c = op->context;
  CuteType from = op->operands[0], to = op->written[0];
  size_t n = cuteTypeGetNumDynamic(from);
  bool matches = from->kind == to->kind && n == cuteTypeGetNumDynamic(to);
  if (matches) {
    CuteIntTuple *leaves = cuteScratch(c, (2 * n + 1) * sizeof *leaves);
    cuteTypeGetDynamicLeaves(from, leaves);
    cuteTypeGetDynamicLeaves(to, leaves + n);
    // The operand with the result's divisors and alignment is the result.
    for (size_t i = 0; i < n; ++i)
      leaves[i] = cuteDynamicLeaf(c, leaves[i]->width, leaves[n + i]->value,
                                  leaves[i]->id);
    CuteType bound = cuteTypeBind(c, from, leaves);
    if (bound && bound->kind == CUTE_TYPE_TENSOR)
      bound = cuteTypeGetTensor(c, bound->element, (CuteSpace)bound->space,
                                to->align, bound->layout);
    if (bound && bound->kind == CUTE_TYPE_PTR)
      bound =
          cuteTypeGetSwizzledPointer(c, bound->element, (CuteSpace)bound->space,
                                     to->align, bound->swizzle);
    if (bound && cuteTypeUnbind(c, bound) == to)
      return cuteOpPushResult(op, bound);
  }
  return cuteFail(
      c, "the result type may differ from the operand's in the divisors "
         "of dynamic leaves, ?{div=N}, and in alignment only");
}

static bool inferAssumeRange(CuteOp *op) {
  int64_t least = cuteOpGetAttribute(op, "min")->value;
  int64_t most = cuteOpGetAttribute(op, "max")->value;
  CuteIntTuple x = cuteOpGetIndex(op, 0);
  if (!x)
    return false;
  if (least < 0 || most < least)
    cuteFail(op->context, "the range [%jd, %jd] must not be empty or below 0",
             least, most);
  else if (isStatic(x) && (x->value < least || x->value > most))
    cuteFail(op->context, "%jd is not in the range [%jd, %jd]", x->value, least,
             most);
  else // another leaf than the operand's, with less known
    return cuteOpReturnTuple(
        op, CUTE_TYPE_INT_TUPLE,
        isStatic(x) ? x
                    : cuteIntTupleGetDynamic(op->context, x->width, x->value));
  return false;
}

// The integer again, as one whose higher bits are known to be 0.
static bool lowerAssumeRange(CuteLowering *l) {
  if (!cuteOpInfer(l->op))
    return false;
  CuteType type = l->op->results[0];
  int64_t most = cuteOpGetAttribute(l->op, "max")->value;
  if (isDynamic(type->tuple))
    type =
        cuteTypeGetTuple(l->context, CUTE_TYPE_INT_TUPLE,
                         cuteLoweringLimit(l, cuteOpGetIndex(l->op, 0), most));
  return cuteLoweringReturnLowered(l, (CuteLowered){.type = type});
}

//===-- Memory ------------------------------------------------------------===//

static bool elementOf(CuteOp *op, CuteElementType *element) {
  return cuteTypeFindElement(op->context,
                             cuteOpGetAttribute(op, "element")->text, element);
}

// Elements of an allocation lie at and after its start: strides that are not
// negative. False with a message.
static bool checkAllocated(CuteContext c, CuteIntTuple stride) {
  for (size_t i = 0; isTuple(stride) && i < stride->rank; ++i)
    if (!checkAllocated(c, stride->elements[i]))
      return false;
  if (isTuple(stride) || !isStatic(stride) || stride->value >= 0)
    return true;
  return cuteFailTuple(
      c, "an allocation needs strides that are not negative, not ", stride);
}

static bool inferAllocSmem(CuteOp *op) {
  CuteElementType element;
  CuteLayout layout = operandLayout(op, 0);
  if (!elementOf(op, &element))
    return false;
  if (cuteLayoutGetNumDynamic(layout))
    return cuteFail(op->context, "the layout of an allocation must be static");
  if (!checkAllocated(op->context, layout->stride))
    return false;
  return cuteOpPushResult(
      op, cuteTypeGetTensor(op->context, element, CUTE_SMEM,
                            cuteOpGetAttribute(op, "align")->value, layout));
}

// A thread has 255 registers of 32 bits; what is far more is a mistake, and
// would be unrolled for very long.
enum { FRAGMENT_ALIGN = 16, MAX_FRAGMENT = 1 << 14 };

static CuteType fragmentType(CuteContext c, CuteElementType element,
                             CuteLayout layout) {
  CuteIntTuple size = layout ? cuteLayoutGetSize(c, layout) : NULL;
  if (!size || !checkAllocated(c, layout->stride))
    return NULL;
  if (isStatic(size) && size->value > MAX_FRAGMENT)
    return cuteFail(c,
                    "a fragment of %jd elements is too large for registers; "
                    "the limit is %d",
                    size->value, MAX_FRAGMENT);
  return layout
             ? cuteTypeGetTensor(c, element, CUTE_RMEM, FRAGMENT_ALIGN, layout)
             : NULL;
}

static bool inferMakeFragment(CuteOp *op) {
  CuteElementType element;
  if (!elementOf(op, &element))
    return false;
  CuteLayout layout = cuteOpGetLayout(op, 0);
  return cuteOpPushResult(op, fragmentType(op->context, element, layout));
}

static bool inferMakeFragmentLike(CuteOp *op) {
  CuteElementType element = CUTE_ELEMENT_I1;
  if (cuteOpGetAttribute(op, "element") && !elementOf(op, &element))
    return false;
  if (!cuteOpGetAttribute(op, "element")) {
    if (operandKind(op, 0) != CUTE_TYPE_TENSOR)
      return cuteFail(op->context,
                      "the element type of a fragment like a layout must "
                      "be given, as in <f32>");
    element = (CuteElementType)op->operands[0]->element;
  }
  return cuteOpPushResult(
      op, fragmentType(
              op->context, element,
              cuteLayoutGetFragmentLike(op->context, operandLayout(op, 0))));
}

//===-- Lowering ----------------------------------------------------------===//

// The pointer's place within a period of its swizzle, in elements, as the
// leaf of a type; the tensor begins that many bytes before.
static CuteIntTuple splitPointer(CuteLowering *l, CuteType type,
                                 MlirValue *pointer) {
  const CuteBuilder *b = &l->builder;
  int64_t period = cuteSwizzleGetPeriod(type->swizzle);
  int scale = elementScale(type);
  MlirValue address =
      cuteBuildUnary(b, "llvm.ptrtoint", *pointer, cuteIntType(b, 32));
  MlirValue place = andiWith(b, address, period - 1);
  MlirValue back = subi(b, cuteBuildInt(b, 32, 0), place);
  *pointer = cuteLoweringAdvance(l, *pointer, CUTE_ELEMENT_I8,
                                 cuteLoweringGetLeaf(l, back, 1));
  MlirValue elements = cuteBuildWith(
      b, scale < 0 ? "arith.shli" : "arith.shrui", place, abs(scale));
  return cuteLoweringLimit(
      l, cuteLoweringGetLeaf(l, elements, elementsIn(type, type->align)),
      elementsIn(type, period) - 1);
}

static bool lowerMakeTensor(CuteLowering *l) {
  CuteContext c = l->context;
  CuteType pointer = l->op->operands[0];
  if (pointer->kind != CUTE_TYPE_PTR || !pointer->swizzle.bits ||
      pointer->align >= cuteSwizzleGetPeriod(pointer->swizzle))
    return cuteLowerByInference(l);
  if (!cuteOpInfer(l->op))
    return false;
  CuteType type = l->op->results[0];
  size_t n = cuteTypeGetNumDynamic(type);
  CuteIntTuple *leaves = cuteScratch(c, n * sizeof *leaves);
  cuteTypeGetDynamicLeaves(type, leaves);
  MlirValue start = cuteLoweringGetPointer(l, 0);
  leaves[n - 1] = splitPointer(l, pointer, &start); // after the layout's
  cuteLoweringSetResult(
      l, 0,
      (CuteLowered){.type = cuteTypeBind(c, type, leaves), .pointer = start});
  return true;
}

static bool lowerMakeFragment(CuteLowering *l) {
  return cuteOpInfer(l->op) &&
         cuteLoweringReturnLowered(l,
                                   cuteLoweringAllocate(l, l->op->results[0]));
}

const CuteOpHooks cuteTensorOps[] = {
    CUTE_HOOKS("make_tensor", inferMakeTensor, lowerMakeTensor),
    CUTE_HOOKS("get_iter", inferGetIter),
    CUTE_HOOKS("get_layout", inferGetLayout),
    CUTE_HOOKS("make_identity_tensor", cuteOpInferMakeIdentityTensor),
    CUTE_HOOKS("domain_offset", cuteOpInferDomainOffset),
    CUTE_HOOKS("recast_tensor", inferRecastTensor),
    CUTE_HOOKS("assume", inferAssume),
    CUTE_HOOKS("assume_range", inferAssumeRange, lowerAssumeRange),
    CUTE_HOOKS("alloc_smem", inferAllocSmem, cuteLowerAllocShared),
    CUTE_HOOKS("make_fragment", inferMakeFragment, lowerMakeFragment),
    CUTE_HOOKS("make_fragment_like", inferMakeFragmentLike, lowerMakeFragment),
    {.name = NULL},
};
