// cute-canonicalize: values that types spell become static, equal ops become
// one, and unused ops go. For readers: lowering finds the same without it.
#include "Support/hash.h"
#include "Transforms/transforms.h"

// The ops of a block that others may take the place of; `outside` is that of
// the block around it, null where its values are out of sight.
typedef struct Scope {
  const struct Scope *outside;
  CuteHashTable ops;
} Scope;

//===-- Equality ----------------------------------------------------------===//

static uint64_t hashOp(MlirOperation op) {
  uint64_t hash = cuteHashPointer(mlirOperationGetName(op).ptr);
  CUTE_FOR_OPERANDS(operand, op)
    hash = cuteHashMix(hash, cuteHashPointer(operand.ptr));
  for (intptr_t i = 0; i < getNumResults(op); ++i) {
    MlirType type = cuteMlirGetResultType(op, i);
    hash = cuteHashMix(hash, cuteHashPointer(type.ptr));
  }
  return hash;
}

// Tells whether two ops do the same with the same operands.
static bool isSameOp(const void *item, const void *key) {
  MlirOperation a = {(void *)item}, b = {(void *)key};
  intptr_t operands = getNumOperands(a);
  intptr_t results = getNumResults(a);
  bool isSame =
      mlirIdentifierEqual(mlirOperationGetName(a), mlirOperationGetName(b)) &&
      operands == getNumOperands(b) && results == getNumResults(b) &&
      cuteMlirHaveSameAttributes(a, b);
  for (intptr_t i = 0; isSame && i < operands; ++i)
    isSame = mlirValueEqual(getOperand(a, i), getOperand(b, i));
  for (intptr_t i = 0; isSame && i < results; ++i)
    isSame =
        mlirTypeEqual(cuteMlirGetResultType(a, i), cuteMlirGetResultType(b, i));
  return isSame;
}

//===-- Merging -----------------------------------------------------------===//

// Replaces the op by an equal one before it, or remembers it: equal pure ops on
// equal operands have equal results.
static void mergeOp(Scope *scope, MlirOperation op) {
  uint64_t hash = hashOp(op);
  const Scope *at = scope;
  MlirOperation same = {NULL};
  for (; at && !same.ptr; at = at->outside)
    same.ptr = cuteHashTableGet(&at->ops, hash, op.ptr, isSameOp);
  if (!same.ptr) {
    CuteHashSlot *slot = cuteHashTableFind(&scope->ops, hash, op.ptr, isSameOp);
    cuteHashTableFill(&scope->ops, slot, hash, op.ptr);
    return;
  }
  for (intptr_t i = 0; i < getNumResults(op); ++i)
    cuteMlirReplace(op, i, getResult(same, i));
}

// Ops whose regions see no values from outside.
static bool isIsolated(MlirOperation op) {
  return cuteMlirIs(op, "builtin.module") || cuteMlirIs(op, "gpu.module") ||
         cuteMlirHasAttribute(op, "function_type");
}

static void visitRegions(CuteDialect *dialect, MlirOperation parent,
                         const Scope *outside);

static void visitBlock(CuteDialect *dialect, MlirBlock block,
                       const Scope *outside) {
  Scope scope = {.outside = outside};
  CUTE_FOR_OPS(op, block) {
    const CuteOpDecl *decl = cuteDialectGetDecl(dialect, op);
    if (!decl)
      visitRegions(dialect, op, isIsolated(op) ? NULL : &scope);
    else if (decl->traits.isPure && cuteMlirIsUsed(op))
      mergeOp(&scope, op);
  }
  cuteHashTableDestroy(&scope.ops);
}

static void visitRegions(CuteDialect *dialect, MlirOperation parent,
                         const Scope *outside) {
  CUTE_FOR_INNER_BLOCKS(b, parent)
    visitBlock(dialect, b, outside);
}

static void eraseUnused(CuteDialect *dialect, MlirOperation root) {
  CuteOpList list = cuteOpListCollect(dialect, root);
  for (size_t i = list.count; i-- > 0;)
    if (list.decls[i]->traits.isPure && !cuteMlirIsUsed(list.ops[i]))
      mlirOperationDestroy(list.ops[i]);
}

bool cuteRunCanonicalize(const CutePass *pass) {
  if (!cuteRunFoldStatic(pass))
    return false;
  visitRegions(pass->dialect, pass->root, NULL);
  eraseUnused(pass->dialect, pass->root);
  return true;
}
