#include "Transforms/plain/plain_views.h"

enum { MOST = 16 }; // tensors of an allocation

// A tensor that is made in a part of an allocation.
typedef struct Part {
  MlirOperation tensor; // the make_tensor, or the allocation itself
  int64_t begin, end;   // bytes
  CuteLayout order;     // of the elements of the first tensor of these bytes
  size_t first;         // which that is
} Part;

typedef struct Parts {
  CuteDialect *dialect;
  Part data[MOST];
  size_t count;
} Parts;

static CuteType typeOf(const Parts *parts, size_t i) {
  return cuteDialectGetResultType(parts->dialect, parts->data[i].tensor, 0);
}

static int64_t bitsOf(CuteType type) {
  return (int64_t)cuteElementTypeGetBits(type->element);
}

// Adds a tensor so many bytes after the allocation's beginning; false without
// room or a static layout.
static bool addPart(Parts *parts, MlirOperation op, int64_t at) {
  CuteType type = cuteDialectGetResultType(parts->dialect, op, 0);
  CuteIntTuple cosize =
      !type || !type->layout || cuteLayoutGetNumDynamic(type->layout)
          ? NULL
          : cuteLayoutGetCosize(parts->dialect->context, type->layout);
  if (!cosize || !isStatic(cosize) || parts->count == MOST)
    return false;
  size_t i = parts->count++;
  while (i > 0 &&
         mlirBlockEqual(mlirOperationGetBlock(parts->data[i - 1].tensor),
                        mlirOperationGetBlock(op)) &&
         mlirOperationIsBeforeInBlock(op, parts->data[i - 1].tensor)) {
    parts->data[i] = parts->data[i - 1];
    --i;
  }
  parts->data[i] = (Part){
      .tensor = op,
      .begin = at,
      .end = at + (cosize->value * bitsOf(type) + 7) / 8,
  };
  return true;
}

// Adds the tensors made at a pointer. False where there is another use, or a
// place that is not known.
static bool addPointer(Parts *parts, MlirValue pointer, int64_t at) {
  bool ok = true;
  CUTE_FOR_USES(use, pointer) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    CuteDialect *dialect = parts->dialect;
    const CuteOpDecl *decl = cuteDialectGetDecl(dialect, op);
    CuteOpId id = decl ? decl->id : CUTE_NUM_OPS;
    if (id == CUTE_OP_RECAST_PTR) {
      ok = ok && addPointer(parts, getResult(op, 0), at);
    } else if (id == CUTE_OP_ADD_OFFSET) {
      CuteType offset = cuteDialectGetOperandType(dialect, op, 1);
      CuteType type = cuteDialectGetResultType(dialect, op, 0);
      ok = ok && offset->tuple && isStatic(offset->tuple) &&
           addPointer(parts, getResult(op, 0),
                      at + offset->tuple->value * bitsOf(type) / 8);
    } else {
      ok = ok && id == CUTE_OP_MAKE_TENSOR && addPart(parts, op, at);
    }
  }
  return ok;
}

// Gives the coordinates of one layout at which another one's elements lie, as
// numbers; null if there are none, or not in the order of a layout.
static CuteLayout orderOf(CuteContext c, CuteLayout of, CuteLayout view) {
  if (cuteLayoutIsComposed(of) || cuteLayoutIsComposed(view))
    return NULL;
  CuteLayout inverse = cuteLayoutRightInverse(c, of);
  CuteLayout order =
      inverse && cuteLayoutGetSize(c, inverse) == cuteLayoutGetSize(c, of)
          ? cuteLayoutComposition(c, inverse, cuteTileGetLayout(c, view))
          : NULL;
  CuteLayout again =
      order ? cuteLayoutComposition(c, of, cuteTileGetLayout(c, order)) : NULL;
  return again == view ? order : NULL;
}

// Tells whether tensors lie apart, or have the bytes of the first one there.
static bool sortParts(Parts *parts) {
  CuteContext c = parts->dialect->context;
  for (size_t i = 0; i < parts->count; ++i) {
    Part *part = &parts->data[i];
    part->first = i;
    for (size_t j = 0; j < i; ++j) {
      const Part *other = &parts->data[j];
      if (part->begin >= other->end || other->begin >= part->end)
        continue;
      if (other->first != j || part->first != i ||
          part->begin != other->begin || part->end > other->end ||
          typeOf(parts, i)->element != typeOf(parts, j)->element)
        return false;
      part->first = j;
      part->order =
          orderOf(c, typeOf(parts, j)->layout, typeOf(parts, i)->layout);
      if (!part->order)
        return false;
    }
  }
  return parts->count;
}

// Makes the tensors again in allocations of their own.
static bool emitParts(CuteKernel *kernel, const Parts *parts,
                      MlirOperation alloc, CuteRetype *retype) {
  MlirValue made[MOST];
  for (size_t i = 0; i < parts->count; ++i) {
    const Part *part = &parts->data[i];
    CuteType type = typeOf(parts, i);
    bool isAlloc = mlirOperationEqual(part->tensor, alloc);
    CuteRebuild r = cuteRebuildBefore(kernel->dialect,
                                      part->first == i ? alloc : part->tensor);
    if (part->first != i)
      made[i] = cuteEmit2(&r, CUTE_OP_COMPOSITION, made[part->first],
                          cuteEmitLayout(&r, part->order));
    else if (isAlloc)
      made[i] = getResult(alloc, 0);
    else
      made[i] = cuteEmitAlloc(
          &r, type->layout,
          mlirTypeAttrGet(cuteElementMlirType(&r.builder, type->element)),
          (int64_t)type->align);
    if (r.failed)
      return cuteKernelFailOp(kernel, part->tensor);
    if (!isAlloc)
      cuteRetypeSet(retype, getResult(part->tensor, 0), made[i]);
  }
  return true;
}

// Lists the tensors of an allocation whose pointer is taken. False where there
// is nothing to do.
static bool findParts(Parts *parts, MlirOperation alloc) {
  bool isTensor = false, isPointer = false, ok = true;
  CUTE_FOR_USES(use, getResult(alloc, 0)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    bool takes = cuteDialectIsOp(parts->dialect, user, CUTE_OP_GET_ITER);
    ok = ok && (!takes || addPointer(parts, getResult(user, 0), 0));
    isTensor |= !takes;
    isPointer |= takes;
  }
  return ok && isPointer && (!isTensor || addPart(parts, alloc, 0)) &&
         sortParts(parts);
}

bool cutePlainMemory(CuteKernel *kernel) {
  CuteOps allocs = cuteKernelFindOps(kernel, CUTE_OP_ALLOC_SMEM);
  CuteRetype retype = cuteRetypeBegin(kernel->dialect);
  bool isChanged = false;
  CUTE_FOR_LIST(op, allocs) {
    Parts parts = {.dialect = kernel->dialect};
    if (!findParts(&parts, op))
      continue;
    isChanged = true;
    if (!emitParts(kernel, &parts, op, &retype))
      return false;
  }
  if (!isChanged)
    return true;
  if (!cuteKernelRetype(kernel, &retype))
    return false;
  cuteKernelRemoveDead(kernel);
  CUTE_FOR_LIST(one, allocs)
    if (!cuteMlirIsUsed(one))
      mlirOperationDestroy(one);
  return true;
}
