// Pointers, tensors, fragments and shared memory.
#include "Ops/lowering.h"
#include "Ops/ops.h"

//===-- Construction ------------------------------------------------------===//

static bool inferMakeTensor(CuteOp *op) {
  CuteType pointer = op->operands[0];
  return cuteOpPushResult(
      op, cuteTypeGetTensor(op->context, (CuteElementType)pointer->element,
                            (CuteSpace)pointer->space, pointer->align,
                            operandLayout(op, 1)));
}

static bool inferGetIter(CuteOp *op) {
  CuteType tensor = op->operands[0];
  return cuteOpPushResult(
      op, cuteTypeGetPointer(op->context, (CuteElementType)tensor->element,
                             (CuteSpace)tensor->space, tensor->align));
}

static bool inferGetLayout(CuteOp *op) {
  return cuteOpReturnLayout(op, operandLayout(op, 0));
}

// The coordinate (0, (0, 0)) of a shape.
static CuteIntTuple originOf(CuteContext c, CuteIntTuple shape) {
  if (!isTuple(shape))
    return staticInt(c, 0);
  CuteIntTuple *zeros =
      cuteArenaAllocate(&c->scratch, shape->rank * sizeof *zeros);
  for (size_t i = 0; i < shape->rank; ++i)
    zeros[i] = originOf(c, shape->elements[i]);
  return cuteInternTuple(c, shape->rank, zeros);
}

static bool inferMakeIdentityTensor(CuteOp *op) {
  CuteIntTuple shape = operandTuple(op, 0);
  return cuteOpPushResult(
      op, cuteTypeGetCoordTensor(op->context, originOf(op->context, shape),
                                 cuteLayoutGetIdentity(op->context, shape)));
}

//===-- Assumptions -------------------------------------------------------===//

// The declared type may differ in divisors and alignment only.
static bool inferAssume(CuteOp *op) {
  CuteContext c = op->context;
  CuteType from = op->operands[0], to = op->written[0];
  size_t n = cuteTypeGetNumDynamic(from);
  bool matches = from->kind == to->kind && n == cuteTypeGetNumDynamic(to);
  if (matches) {
    CuteIntTuple *leaves =
        cuteArenaAllocate(&c->scratch, (2 * n + 1) * sizeof *leaves);
    cuteTypeGetDynamicLeaves(from, leaves);
    cuteTypeGetDynamicLeaves(to, leaves + n);
    // The operand with the result's divisors and alignment is the result.
    for (size_t i = 0; i < n; ++i)
      leaves[i] = cuteDynamicLeaf(c, leaves[i]->width, leaves[n + i]->value,
                                  leaves[i]->id);
    CuteType bound = cuteTypeBind(c, from, leaves);
    if (bound && bound->kind == CUTE_TYPE_TENSOR)
      bound =
          cuteTypeGetTensor(c, (CuteElementType)bound->element,
                            (CuteSpace)bound->space, to->align, bound->layout);
    if (bound && cuteTypeUnbind(c, bound) == to)
      return cuteOpPushResult(op, bound);
  }
  cuteFail(c, "the result type may differ from the operand's in the divisors "
              "of dynamic leaves, ?{div=N}, and in alignment only");
  return false;
}

//===-- Memory ------------------------------------------------------------===//

static bool elementOf(CuteOp *op, CuteElementType *element) {
  CuteStringRef text = cuteOpGetAttribute(op, "element")->text;
  if (cuteElementTypeFind(text, element))
    return true;
  cuteFail(op->context, "'%.*s' is not a type of tensor elements",
           (int)text.length, text.data);
  return false;
}

// Elements of an allocation lie at and after its start.
static bool checkAllocated(CuteContext c, CuteIntTuple stride) {
  for (size_t i = 0; isTuple(stride) && i < stride->rank; ++i)
    if (!checkAllocated(c, stride->elements[i]))
      return false;
  if (isTuple(stride) || !isStatic(stride) || stride->value >= 0)
    return true;
  cuteFailTuple(c, "an allocation needs strides that are not negative, not ",
                stride);
  return false;
}

static bool inferAllocSmem(CuteOp *op) {
  CuteElementType element;
  CuteLayout layout = operandLayout(op, 0);
  if (!elementOf(op, &element))
    return false;
  if (cuteLayoutGetNumDynamic(layout)) {
    cuteFail(op->context, "the layout of an allocation must be static");
    return false;
  }
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
                    "a fragment of %lld elements is too large for registers; "
                    "at most %d are possible",
                    (long long)size->value, MAX_FRAGMENT);
  return layout
             ? cuteTypeGetTensor(c, element, CUTE_RMEM, FRAGMENT_ALIGN, layout)
             : NULL;
}

static bool inferMakeFragment(CuteOp *op) {
  CuteElementType element;
  if (!elementOf(op, &element))
    return false;
  CuteLayout layout =
      operandLayout(op, 0)
          ? operandLayout(op, 0)
          : cuteLayoutGet(op->context, operandTuple(op, 0), NULL);
  return cuteOpPushResult(op, fragmentType(op->context, element, layout));
}

static bool inferMakeFragmentLike(CuteOp *op) {
  CuteElementType element = CUTE_ELEMENT_I1;
  if (cuteOpGetAttribute(op, "element") && !elementOf(op, &element))
    return false;
  if (!cuteOpGetAttribute(op, "element")) {
    if (operandKind(op, 0) != CUTE_TYPE_TENSOR) {
      cuteFail(op->context, "the element type of a fragment like a layout must "
                            "be given, as in <f32>");
      return false;
    }
    element = (CuteElementType)op->operands[0]->element;
  }
  return cuteOpPushResult(
      op, fragmentType(
              op->context, element,
              cuteLayoutGetFragmentLike(op->context, operandLayout(op, 0))));
}

//===-- Lowering ----------------------------------------------------------===//

int64_t cuteAllocationElements(CuteContext c, CuteLayout layout) {
  CuteIntTuple cosize = cuteLayoutGetCosize(c, layout);
  if (!isStatic(cosize))
    return -1;
  int64_t n = cosize->value;
  if (!cuteLayoutHasSwizzle(layout))
    return n;
  CuteSwizzle s = layout->swizzle;
  int32_t distance = s.shift < 0 ? -s.shift : s.shift;
  int64_t block = INT64_C(1) << (s.base + s.bits + distance);
  if (isStatic(layout->offset))
    n += layout->offset->value;
  return (n + block - 1) / block * block;
}

static bool lowerMakeFragment(CuteLowering *lowering, CuteOp *op,
                              MlirOperation source) {
  if (!cuteOpInfer(op))
    return false;
  CuteType type = op->results[0];
  MlirValue memory =
      cuteLoweringAllocate(lowering, type, mlirOperationGetLocation(source));
  cuteLoweringSet(lowering, mlirOperationGetResult(source, 0),
                  (CuteLowered){.type = type, .pointer = memory});
  return true;
}

static bool lowerAllocSmem(CuteLowering *lowering, CuteOp *op,
                           MlirOperation source) {
  if (!cuteOpInfer(op))
    return false;
  void *found = cutePointerMapGet(&lowering->sharedOffsets, source.ptr);
  if (!found) {
    cuteFail(lowering->context, "shared memory can be allocated in a kernel "
                                "only");
    return false;
  }
  CuteIntTuple offset =
      staticInt(lowering->context, (int64_t)(uintptr_t)found - 1);
  MlirValue pointer = cuteLoweringAdvance(lowering, lowering->sharedBase,
                                          CUTE_ELEMENT_I8, offset);
  cuteLoweringSet(lowering, mlirOperationGetResult(source, 0),
                  (CuteLowered){.type = op->results[0], .pointer = pointer});
  return true;
}

const CuteOpHooks cuteTensorOps[] = {
    {.name = "make_tensor", .infer = inferMakeTensor},
    {.name = "get_iter", .infer = inferGetIter},
    {.name = "get_layout", .infer = inferGetLayout},
    {.name = "make_identity_tensor", .infer = inferMakeIdentityTensor},
    {.name = "assume", .infer = inferAssume, .declaresResults = true},
    {.name = "alloc_smem", .infer = inferAllocSmem, .lower = lowerAllocSmem},
    {.name = "make_fragment",
     .infer = inferMakeFragment,
     .lower = lowerMakeFragment},
    {.name = "make_fragment_like",
     .infer = inferMakeFragmentLike,
     .lower = lowerMakeFragment},
    {.name = NULL},
};
