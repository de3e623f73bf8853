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
  if (elements < 0) {
    cuteFailTuples(op->context, "the layout of a member must be static, not ",
                   layout->shape, ":", layout->stride);
    return false;
  }
  if (elements <= member->count)
    return cuteTensorCheckAllocated(op->context, layout->stride);
  cuteFail(op->context,
           "the layout takes %lld elements, but member %.*s has %lld",
           (long long)elements, (int)member->name.length, member->name.data,
           (long long)member->count);
  return false;
}

static CuteType memberType(CuteOp *op, const CuteStructMember *member) {
  if (op->numOperands == 1)
    return cuteTypeGetPointer(op->context, member->element, CUTE_SMEM,
                              member->align);
  CuteLayout layout = operandLayout(op, 1);
  return checkRoom(op, member, layout)
             ? cuteTypeGetTensor(op->context, member->element, CUTE_SMEM,
                                 member->align, layout)
             : NULL;
}

static bool inferStructMember(CuteOp *op) {
  CuteContext c = op->context;
  CuteStructMember member;
  CuteStringRef path = cuteOpGetAttribute(op, "path")->text;
  if (!cuteTypeFindStructMember(c, op->operands[0], path, &member))
    return false;
  if (member.isStruct) {
    cuteFail(c,
             "member %.*s is a struct; name one of its members, as in "
             "\"%.*s.x\"",
             (int)path.length, path.data, (int)path.length, path.data);
    return false;
  }
  int64_t bits = cuteElementTypeGetBits(member.element);
  op->offset = staticInt(c, member.offset * 8 / bits);
  return cuteOpPushResult(op, memberType(op, &member));
}

const CuteOpHooks cuteStructOps[] = {
    {.name = "alloc_struct",
     .infer = inferAllocStruct,
     .declaresResults = true,
     .lower = cuteLowerAllocShared},
    {.name = "struct_member", .infer = inferStructMember},
    {.name = NULL},
};
