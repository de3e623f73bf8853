// Pointers: from addresses and back, offsets and other element types.
#include "Ops/lower_ops.h"

static CuteType pointerWithAlign(CuteContext c, CuteType pointer,
                                 int64_t align) {
  return cuteTypeGetSwizzledPointer(
      c, pointer->element, (CuteSpace)pointer->space, align, pointer->swizzle);
}

//===-- Addresses ---------------------------------------------------------===//

// The address space of !llvm.ptr or !llvm.ptr<3>; -1 for other types.
static int addressSpaceOf(CuteType type) {
  static const char prefix[] = "!llvm.ptr";
  size_t n = sizeof prefix - 1;
  CuteStringRef text = type->foreign;
  if (type->kind != CUTE_TYPE_FOREIGN || !cuteTextStartsWith(text, prefix))
    return -1;
  return text.length == n ? 0 : (int)strtol(text.data + n + 1, NULL, 10);
}

// The width of an integer address, 0 for other types.
static unsigned addressWidth(CuteType type) {
  if (type->kind == CUTE_TYPE_INT_TUPLE && !isTuple(type->tuple))
    return cuteLeafWidth(type->tuple);
  return cuteTypeGetIntegerWidth(type);
}

// Tells whether addresses have 32 bits.
static bool isNarrow(CuteSpace space) {
  return space == CUTE_SMEM || space == CUTE_DSMEM || space == CUTE_TMEM;
}

static bool isAddressOf(CuteType address, CuteSpace space) {
  int addressSpace = addressSpaceOf(address);
  unsigned width = addressWidth(address);
  if (addressSpace >= 0)
    return space != CUTE_DESC &&
           (addressSpace == 0 ||
            (unsigned)addressSpace == cuteTypeGetAddressSpace(space));
  return width == 64 || (width == 32 && isNarrow(space));
}

static bool inferMakePtr(CuteOp *op) {
  CuteType address = op->operands[0], result = op->written[0];
  CuteSpace space = (CuteSpace)result->space;
  if (isAddressOf(address, space))
    return cuteOpPushResult(op, result);
  unsigned number = cuteTypeGetAddressSpace(space);
  char same[32] = "";
  if (number)
    snprintf(same, sizeof same, " and !llvm.ptr<%u>", number);
  return cuteFail(op->context,
                  "%s is not an address in %s; valid are i64%s%s%s",
                  cuteTypeText(op->context, address),
                  cuteTypeGetSpaceName(space), isNarrow(space) ? ", i32" : "",
                  space == CUTE_DESC ? "" : ", !llvm.ptr", same);
}

static bool lowerMakePtr(CuteLowering *l) {
  if (!cuteOpInfer(l->op))
    return false;
  const CuteBuilder *b = &l->builder;
  CuteType type = l->op->results[0], address = l->op->operands[0];
  MlirType pointer = cuteLoweringPointerType(l, (CuteSpace)type->space);
  MlirValue value = cuteLoweringGetOperand(l, 0);
  if (address->kind == CUTE_TYPE_INT_TUPLE)
    value = cuteLoweringGetInteger(l, address->tuple, 0);
  value = cuteBuildCast(
      b, addressSpaceOf(address) < 0 ? "llvm.inttoptr" : "llvm.addrspacecast",
      value, pointer);
  return cuteLoweringReturnLowered(
      l, (CuteLowered){.type = type, .pointer = value});
}

static bool inferPtrToInt(CuteOp *op) { return cuteOpReturnForeign(op, "i64"); }

static bool lowerPtrToInt(CuteLowering *l) {
  const CuteBuilder *b = &l->builder;
  MlirValue pointer = cuteLoweringGetPointer(l, 0);
  return cuteLoweringReturn(
      l, cuteBuildCast(b, "llvm.ptrtoint", pointer, cuteIntType(b, 64)));
}

//===-- Elements ----------------------------------------------------------===//
// Tells whether a coordinate has an integer that no element of the shape has.
static bool isOutside(CuteContext c, CuteIntTuple coord, CuteIntTuple shape) {
  if (isTuple(coord) && isTuple(shape) && coord->rank == shape->rank) {
    bool outside = false;
    for (size_t i = 0; i < coord->rank; ++i)
      outside |= isOutside(c, coord->elements[i], shape->elements[i]);
    return outside;
  }
  CuteIntTuple size = isStatic(coord) && isFullyStatic(shape)
                          ? cuteIntTupleProduct(c, shape)
                          : NULL;
  return size && (coord->value < 0 || coord->value >= size->value);
}

CuteIntTuple cuteOpGetElementPlace(CuteOp *op, size_t i) {
  CuteType memory = op->operands[i];
  bool hasCoord = op->numOperands > i + 1;
  bool isPointer = memory->kind == CUTE_TYPE_PTR;
  if (isPointer && hasCoord) {
    cuteFail(op->context, "a pointer takes no coordinate: it points to the "
                          "element (cute.add_offset)");
  } else if (isPointer && memory->swizzle.bits) {
    cuteFail(op->context, "the swizzle of the pointer moves the element "
                          "elsewhere; make a tensor of it");
  } else if (isPointer) {
    return staticInt(op->context, 0);
  } else if (!hasCoord) {
    cuteFail(op->context, "a tensor takes the coordinate of one element");
  } else if (operandTuple(op, i + 1)->flags & HAS_UNDERSCORE) {
    cuteFailTuple(op->context, "the coordinate of an element has no _: ",
                  operandTuple(op, i + 1));
  } else if (isOutside(op->context, operandTuple(op, i + 1),
                       memory->layout->shape)) {
    cuteFailTuples(op->context, "coordinate ", operandTuple(op, i + 1),
                   " is out of bounds of the shape ", memory->layout->shape);
  } else {
    return cuteEvalMode(op->context, operandTuple(op, i + 1),
                        layoutMode(memory->layout));
  }
  return NULL;
}

MlirValue cuteLoweringGetElementAddress(CuteLowering *lowering, size_t i) {
  const CuteLowered *memory = cuteLoweringGetLowered(lowering, i);
  return lowering->op->operands[i]->kind == CUTE_TYPE_PTR
             ? cuteLoweringGetBytePointer(lowering, *memory)
             : cuteLoweringGetAddress(lowering, *memory,
                                      operandTuple(lowering->op, i + 1));
}

static bool inferMapAddress(CuteOp *op) {
  if (op->numOperands != 1)
    return cuteFail(op->context,
                    "a tensor map has no coordinates; leave them out");
  return cuteOpReturnForeign(op, "!llvm.ptr");
}

static bool inferToLlvmPtr(CuteOp *op) {
  CuteType memory = op->operands[0];
  CuteElementType element = memory->element;
  if (memory->kind == CUTE_TYPE_TMA_ATOM)
    return inferMapAddress(op);
  if (!cuteOpGetElementPlace(op, 0))
    return false;
  if (cuteElementGetPackedBits(element))
    return cuteFail(op->context,
                    "elements of %s share bytes and have no address",
                    cuteElementTypeGetName(element));
  if (memory->space == CUTE_DESC)
    return cuteFail(op->context, "descriptors are not addresses; use the smem "
                                 "tensor that they describe");
  unsigned space = cuteTypeGetAddressSpace((CuteSpace)memory->space);
  char text[32];
  snprintf(text, sizeof text, space ? "!llvm.ptr<%u>" : "!llvm.ptr", space);
  return cuteOpReturnForeign(op, text);
}

static bool lowerToLlvmPtr(CuteLowering *l) {
  bool isMap = l->op->operands[0]->kind == CUTE_TYPE_TMA_ATOM;
  return cuteLoweringReturn(l, isMap ? cuteTmaGetMap(l)
                                     : cuteLoweringGetElementAddress(l, 0));
}

//===-- Views -------------------------------------------------------------===//

static bool inferAddOffset(CuteOp *op) {
  CuteType pointer = op->operands[0];
  op->offset = cuteOpGetIndex(op, 1);
  return op->offset &&
         cuteOpPushResult(
             op, pointerWithAlign(op->context, pointer,
                                  cuteTypeGetAlignAfter(pointer, op->offset)));
}

static bool inferRecastPtr(CuteOp *op) {
  CuteType from = op->operands[0], to = op->written[0];
  if (from->space == to->space && from->align == to->align)
    return cuteOpPushResult(op, to);
  return cuteFail(
      op->context,
      "the result must be a pointer to %s with align<%jd>, as the "
      "operand is; element type and swizzle may differ (cute.assume "
      "changes the alignment)",
      cuteTypeGetSpaceName((CuteSpace)from->space), from->align);
}

const CuteOpHooks cutePointerOps[] = {
    CUTE_HOOKS("make_ptr", inferMakePtr, lowerMakePtr),
    CUTE_HOOKS("ptr_to_int", inferPtrToInt, lowerPtrToInt),
    CUTE_HOOKS("to_llvm_ptr", inferToLlvmPtr, lowerToLlvmPtr),
    CUTE_HOOKS("add_offset", inferAddOffset),
    CUTE_HOOKS("recast_ptr", inferRecastPtr),
    {.name = NULL},
};
