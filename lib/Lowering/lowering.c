// Lowered values, and memory access through them.
#include "Lowering/lowering.h"

#include <mlir-c/Dialect/LLVM.h>

void cuteLoweringInit(CuteLowering *lowering, CuteDialect *dialect,
                      MlirOperation function) {
  *lowering = (CuteLowering){.dialect = dialect,
                             .context = dialect->context,
                             .function = function,
                             .values = cuteTaskMap(),
                             .bases = cuteTaskMap(),
                             .ids = cuteTaskMap(),
                             .sharedOffsets = cuteTaskMap(),
                             .tensorMaps = cuteTaskMap()};
}

//===-- Values ------------------------------------------------------------===//

void cuteLoweringSet(CuteLowering *lowering, MlirValue value,
                     CuteLowered lowered) {
  CuteLowered *copy = cuteTaskAllocate(sizeof *copy);
  *copy = lowered;
  cutePointerMapSet(&lowering->values, value.ptr, copy);
}

const CuteLowered *cuteLoweringGet(const CuteLowering *lowering,
                                   MlirValue value) {
  return cutePointerMapGet(&lowering->values, value.ptr);
}

MlirValue cuteLoweringGetPointer(CuteLowering *lowering, size_t i) {
  MlirValue operand = cuteLoweringGetOperand(lowering, i);
  return cuteLoweringGetBytePointer(lowering,
                                    *cuteLoweringGet(lowering, operand));
}

// The address of tensor memory an offset after another: addresses count words
// of 32 bits, 2^16 a lane.
static MlirValue advanceWords(CuteLowering *l, MlirValue pointer,
                              CuteElementType element, CuteIntTuple offset) {
  int64_t elements = 32 / cuteElementTypeGetBits(element);
  if (cuteLeafDivisor(offset) % elements) {
    l->failed = true;
    cuteFail(l->context,
             "a view of %s in tensor memory that may begin within a column has "
             "no address; begin with a multiple of %d elements",
             cuteElementTypeGetName(element), (int)elements);
  }
  return cuteLoweringAdvance(
      l, pointer, CUTE_ELEMENT_I8,
      elements == 1
          ? offset
          : cuteLeafDiv(l->context, offset, staticInt(l->context, elements)));
}

MlirValue cuteLoweringGetBytePointer(CuteLowering *lowering,
                                     CuteLowered value) {
  if (!value.start)
    return value.pointer;
  CuteElementType element = value.type->element;
  int64_t bits = cuteElementTypeGetBits(element);
  if (value.type->space == CUTE_DESC)
    return cuteLoweringAdvanceDescriptor(lowering, value.pointer, element,
                                         value.start);
  if (value.type->space == CUTE_TMEM)
    return advanceWords(lowering, value.pointer, element, value.start);
  if (cuteLeafDivisor(value.start) * bits % 8) {
    lowering->failed = true;
    cuteFail(lowering->context,
             "a view of %s that may begin within a byte has no address; begin "
             "with a multiple of %d elements",
             cuteElementTypeGetName(element), (int)(8 / bits));
  }
  return cuteLoweringAdvance(lowering, value.pointer, element, value.start);
}

const CuteLowered *cuteLoweringGetLowered(const CuteLowering *lowering,
                                          size_t i) {
  return cuteLoweringGet(lowering, cuteLoweringGetOperand(lowering, i));
}

void cuteLoweringSetResult(CuteLowering *lowering, size_t i,
                           CuteLowered lowered) {
  cuteLoweringSet(lowering, getResult(lowering->source, (intptr_t)i), lowered);
}

void cuteLoweringReplace(const CuteLowering *lowering, size_t i,
                         MlirValue value) {
  cuteMlirReplace(lowering->source, (intptr_t)i, value);
}

bool cuteLoweringReturnLowered(CuteLowering *lowering, CuteLowered lowered) {
  cuteLoweringSetResult(lowering, 0, lowered);
  return true;
}

bool cuteLoweringReturn(const CuteLowering *lowering, MlirValue value) {
  if (!mlirValueIsNull(value))
    cuteLoweringReplace(lowering, 0, value);
  return !mlirValueIsNull(value);
}

static CuteType bindOperand(CuteLowering *l, MlirValue value) {
  CuteType type = cuteDialectGetValueType(l->dialect, value);
  if (!type)
    return NULL;
  if (type->kind != CUTE_TYPE_FOREIGN) {
    const CuteLowered *lowered = cuteLoweringGet(l, value);
    return lowered ? lowered->type
                   : cuteFail(l->context, "an operand is defined by an "
                                          "operation that cannot be lowered");
  }
  MlirType mlir = mlirValueGetType(value);
  if (mlirTypeIsAIndex(mlir)) {
    const CuteBuilder *b = &l->builder;
    value = cuteBuildUnary(b, "arith.index_cast", value, cuteIntType(b, 32));
    mlir = mlirValueGetType(value);
  }
  if (!mlirTypeIsAInteger(mlir) || mlirIntegerTypeGetWidth(mlir) < 32)
    return type;
  return cuteTypeGetTuple(l->context, CUTE_TYPE_INT_TUPLE,
                          cuteLoweringGetLeaf(l, value, 1));
}

CuteOp cuteLoweringBind(CuteLowering *lowering, const CuteOpDecl *decl,
                        MlirOperation source) {
  CuteOp op = cuteDialectGetOp(lowering->dialect, decl, source);
  CuteType *types =
      cuteScratch(lowering->context, op.numOperands * sizeof *types);
  for (size_t i = 0; i < op.numOperands; ++i)
    types[i] = bindOperand(lowering, getOperand(source, (intptr_t)i));
  op.operands = types;
  return op;
}

//===-- Indices beyond 32 bits --------------------------------------------===//

// Adds up what static modes contribute to the largest index, of either sign;
// INT64_MAX if that is too large.
static int64_t staticReach(Mode a) {
  int64_t sum = 0;
  if (!isTuple(a.shape)) {
    if (isDynamic(a.shape) || !isStatic(a.stride) || a.shape->value < 1 ||
        a.stride->value == INT64_MIN)
      return 0;
    return __builtin_mul_overflow(a.shape->value - 1, llabs(a.stride->value),
                                  &sum)
               ? INT64_MAX
               : sum;
  }
  for (size_t i = 0; i < a.shape->rank; ++i)
    if (__builtin_add_overflow(sum, staticReach(modeElement(a, i)), &sum))
      return INT64_MAX;
  return sum;
}

static bool isBeyond32Bits(CuteType tensor) {
  return tensor->kind == CUTE_TYPE_TENSOR &&
         staticReach(layoutMode(tensor->layout)) > INT32_MAX;
}

// The same tuple with all dynamic leaves in 64 bits.
static CuteIntTuple widened(CuteLowering *l, CuteIntTuple tuple) {
  CuteContext c = l->context;
  if (isTuple(tuple)) {
    return CUTE_TUPLE_OF(c, i, tuple->rank, widened(l, tuple->elements[i]));
  }
  if (!isDynamic(tuple) || tuple->width >= 64)
    return tuple;
  return cuteLoweringGetLeaf(l, cuteLoweringGetInteger(l, tuple, 64),
                             tuple->value);
}

// A view of a tensor with so many elements begins where coordinates and indices
// of 64 bits say. Fails where the offset is part of the view's type.
static bool widenOperands(CuteLowering *l, size_t viewed) {
  CuteContext c = l->context;
  if (!isBeyond32Bits(l->op->operands[viewed]))
    return true;
  CuteType *types = cuteScratch(c, l->op->numOperands * sizeof *types);
  bool changed = false;
  for (size_t i = 0; i < l->op->numOperands; ++i) {
    CuteType type = types[i] = l->op->operands[i];
    if (i == viewed ||
        (type->kind != CUTE_TYPE_COORD && type->kind != CUTE_TYPE_INT_TUPLE))
      continue;
    types[i] =
        cuteTypeGetTuple(c, (CuteTypeKind)type->kind, widened(l, type->tuple));
    changed |= types[i] != type;
  }
  l->op->operands = types;
  if (!changed || !cuteLayoutIsComposed(types[viewed]->layout))
    return true;
  return cuteFailTuple(
      c,
      "indices of the swizzled tensor do not fit in the 32 bits of the "
      "coordinate, which must be i64; the shape is ",
      types[viewed]->layout->shape);
}

//===-- Views -------------------------------------------------------------===//

// The pointer of a view of a tensor or pointer: offset elements after it. A
// view of another element type begins where the viewed does.
static void advanceView(CuteLowering *l, CuteLowered *view,
                        const CuteLowered *viewed, CuteIntTuple offset) {
  CuteElementType element = view->type->element;
  bool isRecast = viewed->type->element != view->type->element;
  view->pointer =
      isRecast ? cuteLoweringGetBytePointer(l, *viewed) : viewed->pointer;
  view->start = isRecast ? NULL : viewed->start;
  if (!offset)
    return;
  bool isMoved = !cuteElementGetPackedBits(element) &&
                 view->type->space != CUTE_DESC &&
                 view->type->space != CUTE_TMEM;
  if (isMoved)
    view->pointer = cuteLoweringAdvance(l, view->pointer, element, offset);
  else
    view->start =
        view->start ? cuteLeafAdd(l->context, view->start, offset) : offset;
}

bool cuteLowerByInference(CuteLowering *lowering) {
  int view = lowering->op->decl->traits.view;
  size_t viewed = view < 0 ? 0 : (size_t)view;
  if ((lowering->op->numOperands > viewed &&
       !widenOperands(lowering, viewed)) ||
      !cuteOpInfer(lowering->op))
    return false;
  for (size_t i = 0; i < lowering->op->numResults; ++i) {
    CuteType type = lowering->op->results[i];
    if (type->kind == CUTE_TYPE_FOREIGN)
      continue;
    CuteLowered lowered = {.type = type};
    if (cuteTypeHasPointer(type))
      advanceView(lowering, &lowered, cuteLoweringGetLowered(lowering, viewed),
                  lowering->op->offset);
    cuteLoweringSetResult(lowering, i, lowered);
  }
  return true;
}

bool cuteLowerUnexpanded(CuteLowering *lowering) {
  return cuteFail(lowering->context,
                  "must be expanded into atoms first (cute-expand-atoms)");
}

bool cuteLoweringBuildTarget(CuteLowering *lowering, size_t n,
                             const MlirValue *operands) {
  const CuteOpDecl *decl = lowering->op->decl;
  bool hasResult = decl->numResults;
  MlirType type = {NULL};
  if (hasResult)
    type = cuteMlirGetResultType(lowering->source, 0);
  MlirOperation op = CUTE_BUILD(&lowering->builder, decl->hooks->target,
                                .numOperands = n, .operands = operands,
                                .numResults = hasResult, .results = &type);
  return !hasResult || cuteLoweringReturn(lowering, getResult(op, 0));
}

bool cuteLowerToTarget(CuteLowering *lowering) {
  return cuteLoweringBuildTarget(lowering, 0, NULL);
}

bool cuteLoweringFailNotCompiled(CuteContext c, const char *atom) {
  return cuteFail(c, "cutec cannot compile %s yet; cute-layout knows it", atom);
}

//===-- Pointers ----------------------------------------------------------===//

CuteLowered cuteLoweringAllocate(CuteLowering *lowering, CuteType tensor) {
  CuteBuilder builder = cuteBuilderAtStart(
      lowering->entry, mlirOperationGetLocation(lowering->source));
  MlirType element = cuteElementStorageType(&builder, tensor->element);
  int64_t n = cuteMemoryCountElements(lowering->context, tensor->layout);
  unsigned bits = cuteElementGetPackedBits(tensor->element);
  if (bits)
    n = (n * bits + 7) / 8;
  MlirValue count = cuteBuildInt(&builder, 32, n < 1 ? 1 : n);
  MlirType pointer = cuteLoweringPointerType(lowering, CUTE_RMEM);
  MlirValue memory = CUTE_BUILD_VALUE(
      &builder, "llvm.alloca", CUTE_OPERANDS(count), CUTE_RESULTS(pointer),
      CUTE_ATTRIBUTES({"elem_type", mlirTypeAttrGet(element)},
                      {"alignment", cuteIntAttr(&builder, 64, tensor->align)}));
  return (CuteLowered){.type = tensor, .pointer = memory};
}

// Gives the place where an allocation of shared memory begins; null with a
// message outside of kernels.
static MlirValue getShared(CuteLowering *lowering) {
  void *found =
      cutePointerMapGet(&lowering->sharedOffsets, lowering->source.ptr);
  if (!found) {
    cuteFail(lowering->context,
             "shared memory can be allocated in a kernel only");
    return (MlirValue){NULL};
  }
  return cuteLoweringAdvance(
      lowering, lowering->sharedBase, CUTE_ELEMENT_I8,
      staticInt(lowering->context, (int64_t)(uintptr_t)found - 1));
}

bool cuteLowerAllocShared(CuteLowering *lowering) {
  if (!cuteOpInfer(lowering->op))
    return false;
  MlirValue pointer = getShared(lowering);
  cuteLoweringSetResult(
      lowering, 0,
      (CuteLowered){.type = lowering->op->results[0], .pointer = pointer});
  return !mlirValueIsNull(pointer);
}

MlirType cuteLoweringPointerType(const CuteLowering *lowering,
                                 CuteSpace space) {
  if (space == CUTE_DESC)
    return mlirIntegerTypeGet(lowering->dialect->mlir, 64);
  return mlirLLVMPointerTypeGet(lowering->dialect->mlir,
                                cuteTypeGetAddressSpace(space));
}

// pointer + index elements, where exactly one of a value and a constant counts.
static MlirValue step(CuteLowering *l, MlirValue pointer, MlirType element,
                      MlirValue index, int64_t constant) {
  const CuteBuilder *b = &l->builder;
  bool isDynamicStep = !mlirValueIsNull(index);
  if (!isDynamicStep && !constant)
    return pointer;
  MlirValue operands[] = {pointer, index};
  MlirType result = mlirValueGetType(pointer);
  bool fits = constant == (int32_t)constant;
  if (!isDynamicStep && !fits) {
    operands[1] = cuteBuildInt(b, 64, constant);
    isDynamicStep = true;
  }
  int32_t raw = isDynamicStep ? INT32_MIN : (int32_t)constant; // kDynamicIndex
  return CUTE_BUILD_VALUE(
      b, "llvm.getelementptr", .numOperands = isDynamicStep ? 2 : 1,
      .operands = operands, CUTE_RESULTS(result),
      CUTE_ATTRIBUTES(
          {"elem_type", mlirTypeAttrGet(element)},
          {"rawConstantIndices", mlirDenseI32ArrayGet(b->context, 1, &raw)}));
}

static MlirValue advanceParts(CuteLowering *l, MlirValue pointer, MlirType type,
                              CuteEmitted e) {
  pointer = step(l, pointer, type, e.base, 0);
  pointer = step(l, pointer, type, e.high, 0);
  return step(l, pointer, type, (MlirValue){NULL}, e.constant);
}

bool cuteLoweringHasWholeBytes(const CuteLowering *lowering,
                               CuteIntTuple offset, int64_t n,
                               int64_t *constant) {
  if (isStatic(offset)) {
    *constant = offset->value;
    return true;
  }
  const CuteEmitted *e = &lowering->emitted[offset->id];
  *constant = e->constant;
  return (mlirValueIsNull(e->base) || e->baseDivisor % n == 0) &&
         (mlirValueIsNull(e->high) || e->highDivisor % n == 0);
}

static MlirValue shiftRight(const CuteBuilder *b, MlirValue value,
                            int64_t bits) {
  return mlirValueIsNull(value) ? value
                                : cuteBuildWith(b, "arith.shrsi", value, bits);
}

// The parts of an offset in elements, 1 << shift to a byte, as bytes.
static CuteEmitted bytesOfParts(CuteLowering *l, CuteIntTuple offset,
                                int64_t shift) {
  const CuteBuilder *b = &l->builder;
  CuteEmitted e = l->emitted[offset->id];
  int64_t constant;
  if (cuteLoweringHasWholeBytes(l, offset, INT64_C(1) << shift, &constant))
    return (CuteEmitted){.base = shiftRight(b, e.base, shift),
                         .high = shiftRight(b, e.high, shift),
                         .constant = constant >> shift};
  MlirValue sum = cuteLoweringGetInteger(l, offset, e.width);
  return (CuteEmitted){.base = shiftRight(b, sum, shift)};
}

MlirValue cuteLoweringAdvance(CuteLowering *lowering, MlirValue pointer,
                              CuteElementType element, CuteIntTuple offset) {
  MlirType type = cuteElementStorageType(&lowering->builder, element);
  const MlirValue none = {NULL};
  unsigned bits = cuteElementGetPackedBits(element);
  int64_t shift = bits ? __builtin_ctz(8 / bits) : 0;
  if (isStatic(offset))
    return step(lowering, pointer, type, none, offset->value >> shift);
  return advanceParts(lowering, pointer, type,
                      shift ? bytesOfParts(lowering, offset, shift)
                            : lowering->emitted[offset->id]);
}

// The constant part is added last, so that neighbours share the rest.
MlirValue cuteLoweringAdvanceDescriptor(CuteLowering *lowering,
                                        MlirValue descriptor,
                                        CuteElementType element,
                                        CuteIntTuple offset) {
  const CuteBuilder *b = &lowering->builder;
  CuteContext c = lowering->context;
  int64_t unit = 128 / cuteElementTypeGetBits(element), constant;
  cuteLoweringHasWholeBytes(lowering, offset, unit, &constant);
  if (!isStatic(offset)) {
    CuteIntTuple rest = cuteLeafAdd(c, offset, staticInt(c, -constant));
    MlirValue units = shiftRight(b, cuteLoweringGetInteger(lowering, rest, 32),
                                 __builtin_ctzll((uint64_t)unit));
    descriptor = addi(b, descriptor, extui(b, units, cuteIntType(b, 64)));
  }
  return constant ? addiWith(b, descriptor, constant / unit) : descriptor;
}

CuteIntTuple cuteLoweringGetIndex(CuteLowering *lowering, CuteLowered tensor,
                                  CuteIntTuple coord) {
  CuteContext c = lowering->context;
  if (isBeyond32Bits(tensor.type))
    coord = widened(lowering, coord);
  CuteIntTuple index = cuteLayoutEval(c, tensor.type->layout, coord);
  if (index && isTuple(index)) // of the empty layout, which has one element
    index = staticInt(c, 0);
  return index && tensor.start ? cuteLeafAdd(c, tensor.start, index) : index;
}

MlirValue cuteLoweringGetAddress(CuteLowering *lowering, CuteLowered tensor,
                                 CuteIntTuple coord) {
  CuteIntTuple index = cuteLoweringGetIndex(lowering, tensor, coord);
  return index ? cuteLoweringAdvance(lowering, tensor.pointer,
                                     tensor.type->element, index)
               : (MlirValue){NULL};
}

//===-- Comparisons -------------------------------------------------------===//

static MlirValue compareLeaves(CuteLowering *l, int64_t predicate,
                               CuteIntTuple a, CuteIntTuple b) {
  unsigned wa = cuteLeafWidth(a), wb = cuteLeafWidth(b);
  unsigned width = wa > wb ? wa : wb;
  return cuteBuildCompare(&l->builder, predicate,
                          cuteLoweringGetInteger(l, a, width),
                          cuteLoweringGetInteger(l, b, width));
}

MlirValue cuteLoweringCompareLess(CuteLowering *lowering, CuteIntTuple a,
                                  CuteIntTuple b) {
  return compareLeaves(lowering, CUTE_CMPI_SLT, a, b);
}

MlirValue cuteLoweringCompareEqual(CuteLowering *lowering, CuteIntTuple a,
                                   CuteIntTuple b) {
  return compareLeaves(lowering, CUTE_CMPI_EQ, a, b);
}
