// Structs in shared memory, and their members.
#include "Lowering/lowering.h"
#include "Ops/ops.h"

static bool inferAllocStruct(CuteOp *op) {
  return cuteOpPushResult(op, op->written[0]);
}

//===-- Members -----------------------------------------------------------===//

// The layout's elements must lie in the member.
static bool checkRoom(CuteOp *op, const CuteStructMember *member,
                      CuteLayout layout) {
  int64_t elements = cuteLayoutGetNumDynamic(layout)
                         ? -1
                         : cuteMemoryCountElements(op->context, layout);
  if (elements < 0)
    return cuteFailTuples(op->context,
                          "the layout of a member must be static, not ",
                          layout->shape, ":", layout->stride);
  if (elements <= member->count)
    return cuteTensorCheckAllocated(op->context, layout->stride);
  return cuteFail(op->context,
                  "the layout takes %jd elements, but member %.*s has %jd",
                  elements, CUTE_TEXT(member->name), member->count);
}

// The alignment of each of the elements, which a number chooses from.
static int64_t alignOfEach(const CuteStructMember *member) {
  int64_t align = member->align;
  while (member->stride % align)
    align /= 2;
  return align;
}

static CuteType failStruct(CuteOp *op, const CuteStructMember *member) {
  CuteStringRef path = cuteOpGetAttribute(op, "path")->text;
  if (member->count > 1 && op->numOperands == 1)
    return cuteFail(op->context,
                    "member %.*s is an array of %lld structs; name one, as in "
                    "\"%.*s[0]\", or give its number as the operand",
                    CUTE_TEXT(path), (long long)member->count, CUTE_TEXT(path));
  return cuteFail(op->context,
                  "member %.*s is a struct; give the layout to one of its "
                  "members, as in \"%.*s.x\"",
                  CUTE_TEXT(path), CUTE_TEXT(path));
}

static CuteType memberType(CuteOp *op, const CuteStructMember *member) {
  bool isWhole = op->numOperands == 1;
  CuteLayout layout = isWhole ? NULL : operandLayout(op, 1);
  if (member->isStruct)
    return layout || (isWhole && member->count > 1) ? failStruct(op, member)
                                                    : member->type;
  if (!layout)
    return cuteTypeGetPointer(op->context, member->element, CUTE_SMEM,
                              isWhole ? member->align : alignOfEach(member));
  return checkRoom(op, member, layout)
             ? cuteTypeGetTensor(op->context, member->element, CUTE_SMEM,
                                 member->align, layout)
             : NULL;
}

// The offset in elements of the member, or in bytes if it is a struct; null
// with a message if the element's number is not an integer.
static CuteIntTuple offsetOf(CuteOp *op, const CuteStructMember *member) {
  CuteContext c = op->context;
  int64_t bits = member->isStruct ? 8 : cuteElementTypeGetBits(member->element);
  CuteIntTuple offset = staticInt(c, member->offset * 8 / bits);
  if (op->numOperands == 1 || operandLayout(op, 1))
    return offset;
  CuteIntTuple index = cuteOpGetIndex(op, 1);
  if (isStatic(index) && (index->value < 0 || index->value >= member->count))
    return cuteFail(
        c, "the member has %jd elements, numbered from 0; %jd is out of range",
        member->count, index->value);
  return index
             ? cuteLeafAdd(c, offset,
                           cuteLeafMul(c, index,
                                       staticInt(c, member->stride * 8 / bits)))
             : NULL;
}

static bool failElement(CuteOp *op, const CuteStructMember *member,
                        CuteStringRef element) {
  return cuteFail(op->context,
                  "member %.*s cannot be viewed as elements of %.*s: it must "
                  "be an array aligned to one of them, whose size is a "
                  "multiple of theirs, and without an index",
                  CUTE_TEXT(member->name), CUTE_TEXT(element));
}

// Sees the bytes of an array as elements of the type that the op names, if it
// names one.
static bool recastMember(CuteOp *op, CuteStructMember *member) {
  const CuteAttribute *attribute = cuteOpGetAttribute(op, "element");
  CuteElementType element;
  if (!attribute)
    return true;
  if (!cuteElementTypeFind(attribute->text, &element) || member->isStruct ||
      (op->numOperands > 1 && !operandLayout(op, 1)))
    return failElement(op, member, attribute->text);
  int64_t bits = cuteElementTypeGetBits(element);
  int64_t all = member->count * cuteElementTypeGetBits(member->element);
  if (all % bits || member->offset * 8 % bits || member->align * 8 < bits)
    return failElement(op, member, attribute->text);
  member->element = element;
  member->count = all / bits;
  return true;
}

static bool inferStructMember(CuteOp *op) {
  CuteStructMember member = {0};
  CuteStringRef path = cuteOpGetAttribute(op, "path")->text;
  if (!cuteTypeFindStructMember(op->context, op->operands[0], path, &member) ||
      !recastMember(op, &member))
    return false;
  op->offset = offsetOf(op, &member);
  return op->offset && cuteOpPushResult(op, memberType(op, &member));
}

const CuteOpHooks cuteStructOps[] = {
    CUTE_HOOKS("alloc_struct", inferAllocStruct, cuteLowerAllocShared),
    CUTE_HOOKS("struct_member", inferStructMember),
    {.name = NULL},
};
