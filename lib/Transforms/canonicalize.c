// cute-canonicalize: equal pure ops become one, unused ones go. MLIR's own cse
// and dce do not touch ops whose effects they cannot know.
#include "Support/hash.h"
#include "Transforms/transforms.h"

#include <stdlib.h>

// An op that dominates the current place; entries with one bucket are chained.
typedef struct Entry {
  MlirOperation op;
  uint64_t hash;
  size_t next; // index + 1
} Entry;

typedef struct Scope {
  CuteDialect *dialect;
  Entry *entries;              // room for all ops
  size_t count, visible;       // entries below `visible` are out of sight
  size_t *buckets, numBuckets; // index + 1 of the latest entry
} Scope;

static uint64_t hashOp(MlirOperation op) {
  uint64_t hash = cuteHashPointer(mlirOperationGetName(op).ptr);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    hash =
        cuteHashMix(hash, cuteHashPointer(mlirOperationGetOperand(op, i).ptr));
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    MlirType type = mlirValueGetType(mlirOperationGetResult(op, i));
    hash = cuteHashMix(hash, cuteHashPointer(type.ptr));
  }
  return hash;
}

static bool sameAttributes(MlirOperation a, MlirOperation b) {
  intptr_t n = mlirOperationGetNumAttributes(a);
  if (n != mlirOperationGetNumAttributes(b))
    return false;
  for (intptr_t i = 0; i < n; ++i) {
    MlirNamedAttribute x = mlirOperationGetAttribute(a, i);
    MlirNamedAttribute y = mlirOperationGetAttribute(b, i);
    if (!mlirIdentifierEqual(x.name, y.name) ||
        !mlirAttributeEqual(x.attribute, y.attribute))
      return false;
  }
  return true;
}

static bool sameOp(MlirOperation a, MlirOperation b) {
  intptr_t operands = mlirOperationGetNumOperands(a);
  intptr_t results = mlirOperationGetNumResults(a);
  if (!mlirIdentifierEqual(mlirOperationGetName(a), mlirOperationGetName(b)) ||
      operands != mlirOperationGetNumOperands(b) ||
      results != mlirOperationGetNumResults(b))
    return false;
  for (intptr_t i = 0; i < operands; ++i)
    if (!mlirValueEqual(mlirOperationGetOperand(a, i),
                        mlirOperationGetOperand(b, i)))
      return false;
  for (intptr_t i = 0; i < results; ++i)
    if (!mlirTypeEqual(mlirValueGetType(mlirOperationGetResult(a, i)),
                       mlirValueGetType(mlirOperationGetResult(b, i))))
      return false;
  return sameAttributes(a, b);
}

//===-- Common subexpressions ---------------------------------------------===//

static MlirOperation findEqual(const Scope *scope, MlirOperation op,
                               uint64_t hash) {
  size_t index = scope->buckets[hash & (scope->numBuckets - 1)];
  for (; index > scope->visible; index = scope->entries[index - 1].next) {
    const Entry *entry = &scope->entries[index - 1];
    if (entry->hash == hash && sameOp(entry->op, op))
      return entry->op;
  }
  return (MlirOperation){NULL};
}

static void pushEntry(Scope *scope, MlirOperation op, uint64_t hash) {
  size_t *bucket = &scope->buckets[hash & (scope->numBuckets - 1)];
  scope->entries[scope->count] = (Entry){op, hash, *bucket};
  *bucket = ++scope->count;
}

static void popTo(Scope *scope, size_t count) {
  while (scope->count > count) {
    const Entry *entry = &scope->entries[--scope->count];
    scope->buckets[entry->hash & (scope->numBuckets - 1)] = entry->next;
  }
}

// Replaces the op by an equal one before it, or remembers it.
static void mergeOp(Scope *scope, MlirOperation op) {
  uint64_t hash = hashOp(op);
  MlirOperation equal = findEqual(scope, op, hash);
  if (mlirOperationIsNull(equal)) {
    pushEntry(scope, op, hash);
    return;
  }
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, i),
                                  mlirOperationGetResult(equal, i));
  mlirOperationDestroy(op);
}

// Ops whose regions see no values from outside.
static bool isIsolated(MlirOperation op) {
  static const char *const names[] = {"builtin.module", "func.func",
                                      "gpu.module", "gpu.func", "llvm.func"};
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    if (mlirStringRefEqual(name, mlirStringRefCreateFromCString(names[i])))
      return true;
  return false;
}

static void mergeRegions(Scope *scope, MlirOperation parent);

// Blocks of one region do not see each other's ops: that needs dominance.
static void mergeBlock(Scope *scope, MlirBlock block) {
  size_t mark = scope->count;
  MlirOperation next, op = mlirBlockGetFirstOperation(block);
  for (; !mlirOperationIsNull(op); op = next) {
    next = mlirOperationGetNextInBlock(op);
    const CuteOpDecl *decl = cuteDialectGetDecl(scope->dialect, op);
    if (!decl)
      mergeRegions(scope, op);
    else if (decl->isPure)
      mergeOp(scope, op);
  }
  popTo(scope, mark);
}

static void mergeRegions(Scope *scope, MlirOperation parent) {
  size_t visible = scope->visible;
  if (isIsolated(parent))
    scope->visible = scope->count;
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(parent); ++r) {
    MlirBlock block =
        mlirRegionGetFirstBlock(mlirOperationGetRegion(parent, r));
    for (; !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block))
      mergeBlock(scope, block);
  }
  scope->visible = visible;
}

static void mergeEqualOps(CuteDialect *dialect, MlirOperation root,
                          size_t numOps) {
  Scope scope = {.dialect = dialect, .numBuckets = 64};
  while (scope.numBuckets < numOps * 2)
    scope.numBuckets *= 2;
  scope.entries = cuteAllocate(numOps * sizeof *scope.entries);
  scope.buckets = cuteAllocate(scope.numBuckets * sizeof *scope.buckets);
  memset(scope.buckets, 0, scope.numBuckets * sizeof *scope.buckets);
  mergeRegions(&scope, root);
  free(scope.entries);
  free(scope.buckets);
}

//===-- The pass ----------------------------------------------------------===//

static void eraseUnused(CuteDialect *dialect, MlirOperation root) {
  CuteOpList list = cuteOpListCollect(dialect, root);
  for (size_t i = list.count; i-- > 0;)
    if (list.decls[i]->isPure && cuteOperationIsUnused(list.ops[i]))
      mlirOperationDestroy(list.ops[i]);
  cuteOpListDestroy(&list);
}

bool cuteRunCanonicalize(CuteDialect *dialect, MlirOperation root,
                         const CutePassOptions *options) {
  (void)options;
  CuteOpList list = cuteOpListCollect(dialect, root);
  size_t numOps = list.count;
  cuteOpListDestroy(&list);
  mergeEqualOps(dialect, root, numOps);
  eraseUnused(dialect, root);
  return true;
}
