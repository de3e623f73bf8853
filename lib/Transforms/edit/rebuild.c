#include "Transforms/edit/rebuild.h"

void cuteRebuildSet(CuteRebuild *rebuild, MlirValue original, MlirValue value) {
  if (!rebuild->values.table.arena)
    rebuild->values = cuteTaskMap();
  cutePointerMapSet(&rebuild->values, original.ptr,
                    (void *)(uintptr_t)value.ptr);
}

MlirValue cuteRebuildGet(CuteRebuild *r, MlirValue original) {
  void *known = cutePointerMapGet(&r->values, original.ptr);
  if (known)
    return (MlirValue){known};
  if (r->failed || mlirValueIsABlockArgument(original) || !r->moves ||
      !cutePointerMapGet(r->moves, mlirOpResultGetOwner(original).ptr))
    return original;
  cuteRebuildOp(r, mlirOpResultGetOwner(original));
  known = cutePointerMapGet(&r->values, original.ptr);
  return known ? (MlirValue){known} : original;
}

//===-- Copies ------------------------------------------------------------===//

static bool isSegments(MlirStringRef name) {
  CuteStringRef text = fromMlirString(name);
  return cuteTextEquals(text, "operandSegmentSizes") ||
         cuteTextEquals(text, "resultSegmentSizes");
}

// The op on so many other operands, which may be of other types.
static MlirOperation infer(CuteRebuild *r, const CuteOpDecl *decl,
                           MlirOperation op, size_t numOperands,
                           const MlirValue *operands) {
  CuteArena *scratch = &r->dialect->context->scratch;
  size_t count = (size_t)mlirOperationGetNumAttributes(op), n = 0;
  CuteNamedAttribute *attributes =
      cuteArenaAllocate(scratch, (count + 1) * sizeof *attributes);
  for (size_t i = 0; i < count; ++i) {
    MlirNamedAttribute named = mlirOperationGetAttribute(op, (intptr_t)i);
    MlirStringRef name = mlirIdentifierStr(named.name);
    if (!isSegments(name))
      attributes[n++] = (CuteNamedAttribute){name.data, named.attribute};
  }
  CuteBuilder builder = r->builder;
  builder.location = mlirOperationGetLocation(op);
  return cuteBuildInferred(&builder, r->dialect,
                           (CuteDialectSpec){.decl = decl,
                                             .numOperands = numOperands,
                                             .operands = operands,
                                             .numAttributes = n,
                                             .attributes = attributes});
}

static MlirOperation cloneOn(CuteRebuild *r, MlirOperation op,
                             const MlirValue *operands) {
  MlirOperation copy = mlirOperationClone(op);
  mlirOperationSetOperands(copy, getNumOperands(op), operands);
  if (mlirOperationIsNull(r->builder.before))
    mlirBlockAppendOwnedOperation(r->builder.block, copy);
  else
    mlirBlockInsertOwnedOperationBefore(r->builder.block, r->builder.before,
                                        copy);
  return copy;
}

static bool haveOtherTypes(MlirOperation op, const MlirValue *operands) {
  for (intptr_t i = 0; i < getNumOperands(op); ++i)
    if (!mlirTypeEqual(mlirValueGetType(operands[i]),
                       cuteMlirGetOperandType(op, i)))
      return true;
  return false;
}

// A clone on operands of other types whose result types are written by hand.
// Null if these do not follow from those any more.
static MlirOperation cloneDeclared(CuteRebuild *r, MlirOperation op,
                                   const MlirValue *operands) {
  MlirOperation copy = cloneOn(r, op, operands);
  CuteOp instance =
      cuteDialectGetOp(r->dialect, cuteDialectGetDecl(r->dialect, copy), copy);
  if (cuteOpVerify(&instance))
    return copy;
  mlirOperationDestroy(copy);
  return (MlirOperation){NULL};
}

static MlirOperation copyOn(CuteRebuild *r, MlirOperation op,
                            const MlirValue *operands) {
  const CuteOpDecl *decl = cuteDialectGetDecl(r->dialect, op);
  if (!decl || !haveOtherTypes(op, operands))
    return cloneOn(r, op, operands);
  return decl->declaresResults
             ? cloneDeclared(r, op, operands)
             : infer(r, decl, op, (size_t)getNumOperands(op), operands);
}

//===-- Ops with regions --------------------------------------------------===//

static bool isWithin(MlirValue value, MlirOperation outer) {
  return cuteMlirIsInside(cuteMlirGetScope(value), outer);
}

// Makes the substitutes of the outside values that ops within one use. False,
// with r->failed, if one is of another type.
static bool makeOuterValues(CuteRebuild *r, MlirOperation outer) {
  CUTE_FOR_NESTED(op, outer)
    CUTE_FOR_OPERANDS(value, op)
      if (!r->failed && !isWithin(value, outer) &&
          !mlirTypeEqual(mlirValueGetType(cuteRebuildGet(r, value)),
                         mlirValueGetType(value)) &&
          !r->failed) {
        cuteFail(r->dialect->context,
                 "a value in its region would change its type");
        r->failed = true;
      }
  return !r->failed;
}

// A clone of an op with regions; null if it cannot be made.
static MlirOperation cloneRegions(CuteRebuild *r, MlirOperation original,
                                  const MlirValue *operands) {
  if (!makeOuterValues(r, original))
    return (MlirOperation){NULL};
  MlirOperation copy = cloneOn(r, original, operands);
  CUTE_FOR_NESTED(op, copy)
    for (intptr_t i = 0; i < getNumOperands(op); ++i) {
      MlirValue value = getOperand(op, i);
      if (!isWithin(value, copy))
        mlirOperationSetOperand(op, i, cuteRebuildGet(r, value));
    }
  return copy;
}

void cuteRebuildOp(CuteRebuild *r, MlirOperation op) {
  CuteArena *scratch = &r->dialect->context->scratch;
  CUTE_SCOPED(ArenaScope) scope = cuteArenaScopeBegin(scratch);
  intptr_t n = getNumOperands(op);
  MlirValue *operands =
      cuteArenaAllocate(scratch, ((size_t)n + 1) * sizeof *operands);
  for (intptr_t i = 0; i < n; ++i)
    operands[i] = cuteRebuildGet(r, getOperand(op, i));
  MlirOperation copy = {NULL};
  if (!r->failed) {
    copy = mlirOperationGetNumRegions(op) ? cloneRegions(r, op, operands)
                                          : copyOn(r, op, operands);
    r->failed = mlirOperationIsNull(copy);
    r->culprit = r->failed ? op : (MlirOperation){NULL};
  }
  r->latest = copy;
  for (intptr_t i = 0; !r->failed && i < getNumResults(op); ++i)
    cuteRebuildSet(r, getResult(op, i), getResult(copy, i));
}

//===-- New ops -----------------------------------------------------------===//

MlirOperation cuteRebuildLike(CuteRebuild *r, MlirOperation op,
                              size_t numOperands, const MlirValue *operands) {
  if (r->failed)
    return (MlirOperation){NULL};
  CuteArena *scratch = &r->dialect->context->scratch;
  CUTE_SCOPED(ArenaScope) scope = cuteArenaScopeBegin(scratch);
  r->builder = cuteBuilderBefore(op);
  MlirOperation copy =
      infer(r, cuteDialectGetDecl(r->dialect, op), op, numOperands, operands);
  r->failed = mlirOperationIsNull(copy);
  r->culprit = r->failed ? op : (MlirOperation){NULL};
  return copy;
}

MlirOperation cuteRebuildExtend(CuteRebuild *r, MlirOperation op,
                                MlirValue last) {
  size_t n = (size_t)getNumOperands(op);
  MlirValue *operands = cuteTaskAllocate((n + 1) * sizeof *operands);
  for (size_t i = 0; i < n; ++i)
    operands[i] = getOperand(op, (intptr_t)i);
  operands[n] = last;
  MlirOperation copy = cuteRebuildLike(r, op, n + 1, operands);
  for (intptr_t i = 0; !r->failed && i < getNumResults(op); ++i)
    cuteMlirReplace(op, i, getResult(copy, i));
  if (!r->failed)
    mlirOperationDestroy(op);
  return copy;
}

MlirOperation cuteRebuildCreate(CuteRebuild *r, CuteOpId id, size_t numOperands,
                                const MlirValue *operands, size_t numAttributes,
                                const CuteNamedAttribute *attributes) {
  if (r->failed)
    return (MlirOperation){NULL};
  CuteArena *scratch = &r->dialect->context->scratch;
  CUTE_SCOPED(ArenaScope) scope = cuteArenaScopeBegin(scratch);
  MlirOperation op =
      cuteBuildInferred(&r->builder, r->dialect,
                        (CuteDialectSpec){.decl = &r->dialect->ops[id],
                                          .numOperands = numOperands,
                                          .operands = operands,
                                          .numAttributes = numAttributes,
                                          .attributes = attributes});
  r->failed |= mlirOperationIsNull(op);
  return op;
}

MlirValue cuteRebuildCreateValue(CuteRebuild *r, CuteOpId id,
                                 size_t numOperands,
                                 const MlirValue *operands) {
  MlirOperation op = cuteRebuildCreate(r, id, numOperands, operands, 0, NULL);
  if (!mlirOperationIsNull(op))
    return getResult(op, 0);
  return numOperands ? operands[0] : (MlirValue){NULL};
}

MlirValue cuteRebuildSlice(CuteRebuild *r, MlirValue tensor,
                           CuteIntTuple coord) {
  if (r->failed)
    return tensor;
  CuteType type = cuteTypeGetTuple(r->dialect->context, CUTE_TYPE_COORD, coord);
  MlirValue operands[] = {tensor,
                          cuteBuildStatic(&r->builder, r->dialect, type)};
  return cuteRebuildCreateValue(r, CUTE_OP_SLICE, 2, operands);
}
