#include "IR/dialect.h"

#include <mlir-c/Dialect/IRDL.h>

// Made of dialect/cute.irdl.mlir by the build: IRDL in which mixed groups are
// split, and the reference.
extern const char cuteDialectText[], cuteDialectPage[];

static pthread_mutex_t registryLock = PTHREAD_MUTEX_INITIALIZER;
static CuteDialect *registry;

//===-- Registry ----------------------------------------------------------===//

static CuteDialect *find(MlirContext context) {
  CuteDialect *dialect = registry;
  while (dialect && !mlirContextEqual(dialect->mlir, context))
    dialect = dialect->next;
  return dialect;
}

// Tells whether the registry's dialect is that of the context, and not left
// over from one that had this address before.
static bool isLoaded(MlirContext context) {
  return mlirContextIsRegisteredOperation(
      context, cuteMlirString(cuteOpIdGetName(CUTE_OP_STATIC)));
}

CuteDialect *cuteDialectFind(MlirContext context) {
  pthread_mutex_lock(&registryLock);
  CuteDialect *dialect = find(context);
  pthread_mutex_unlock(&registryLock);
  return dialect && isLoaded(context) ? dialect : NULL;
}

CuteDialect *cuteDialectLock(MlirContext context) {
  CuteDialect *dialect = cuteDialectFind(context);
  if (!dialect)
    return NULL;
  pthread_mutex_lock(&dialect->lock);
  if (!dialect->locks++)
    cuteTaskBegin(&dialect->task);
  return dialect;
}

CuteDialect *cuteDialectLockAt(MlirLocation location) {
  CuteDialect *dialect = cuteDialectLock(mlirLocationGetContext(location));
  if (!dialect)
    cuteEmitError(location, "the cute dialect is not loaded");
  return dialect;
}

void cuteDialectUnlock(CuteDialect *dialect) {
  if (!--dialect->locks)
    cuteTaskDestroy(&dialect->task);
  pthread_mutex_unlock(&dialect->lock);
}

static void initLock(pthread_mutex_t *lock) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(lock, &attributes);
  pthread_mutexattr_destroy(&attributes);
}

static CuteDialect *create(MlirContext context) {
  CuteDialect *dialect = cuteAllocate(sizeof *dialect);
  memset(dialect, 0, sizeof *dialect);
  dialect->mlir = context;
  dialect->context = cuteContextCreate();
  initLock(&dialect->lock);
  initLock(&dialect->handlerLock);
  return dialect;
}

static void destroy(CuteDialect *dialect) {
  pthread_mutex_destroy(&dialect->lock);
  pthread_mutex_destroy(&dialect->handlerLock);
  cuteContextDestroy(dialect->context);
  cuteContextDestroy(dialect->messages);
  free(dialect->ops);
  cutePointerMapDestroy(&dialect->byName);
  cutePointerMapDestroy(&dialect->toCute);
  cutePointerMapDestroy(&dialect->toMlir);
  cuteTypeCacheDestroy(&dialect->types);
  cuteOpMemoDestroy(&dialect->memo);
  cuteHashTableDestroy(&dialect->parsed);
  cuteArenaDestroy(&dialect->parsedTexts);
  free(dialect);
}

void cuteDialectUnload(MlirContext context) {
  pthread_mutex_lock(&registryLock);
  CuteDialect **link = &registry;
  while (*link && !mlirContextEqual((*link)->mlir, context))
    link = &(*link)->next;
  CuteDialect *dialect = *link;
  if (dialect)
    *link = dialect->next;
  pthread_mutex_unlock(&registryLock);
  if (dialect)
    destroy(dialect);
}

//===-- Loading -----------------------------------------------------------===//

static const CuteOpHooks *findHooks(CuteOpTable table, CuteStringRef name) {
  for (; *table; ++table)
    for (const CuteOpHooks *row = *table; row->name; ++row)
      if (*row->name == *name.data && cuteTextEquals(name, row->name))
        return row;
  return NULL;
}

// Copies the declarations, which get their rows; false with a diagnostic.
static bool joinRows(CuteDialect *dialect, CuteOpTable table) {
  dialect->ops = cuteAllocate(CUTE_NUM_OPS * sizeof *dialect->ops);
  memcpy(dialect->ops, cuteOpDeclGet((CuteOpId)0),
         CUTE_NUM_OPS * sizeof *dialect->ops);
  for (CuteOpDecl *op = dialect->ops; op < dialect->ops + CUTE_NUM_OPS; ++op) {
    op->hooks = findHooks(table, op->name);
    if (!op->hooks)
      return cuteEmitError(mlirLocationUnknownGet(dialect->mlir),
                           "declaration of '%.*s': lib/Ops has no row for it",
                           CUTE_TEXT(op->name));
  }
  return true;
}

static bool load(CuteDialect *dialect, CuteOpTable table) {
  mlirDialectHandleLoadDialect(mlirGetDialectHandle__irdl__(), dialect->mlir);
  return joinRows(dialect, table) && cuteDialectDeclare(dialect->mlir);
}

MlirLogicalResult cuteDialectLoadOps(MlirContext context, CuteOpTable table) {
  pthread_mutex_lock(&registryLock);
  CuteDialect *found = find(context);
  bool current = found && isLoaded(context);
  pthread_mutex_unlock(&registryLock);
  if (current)
    return mlirLogicalResultSuccess();
  if (found)
    cuteDialectUnload(context);
  CuteDialect *dialect = create(context);
  if (!load(dialect, table)) {
    destroy(dialect);
    return mlirLogicalResultFailure();
  }
  pthread_mutex_lock(&registryLock);
  dialect->next = registry;
  registry = dialect;
  pthread_mutex_unlock(&registryLock);
  return mlirLogicalResultSuccess();
}

void cuteDialectPrintIRDL(MlirContext context, CuteStringCallback callback,
                          void *userData) {
  if (cuteDialectFind(context))
    callback(cuteStringRef(cuteDialectText), userData);
}

void cuteDialectPrintDocumentation(MlirContext context,
                                   CuteStringCallback callback,
                                   void *userData) {
  if (cuteDialectFind(context))
    callback(cuteStringRef(cuteDialectPage), userData);
}

//===-- Ops by name -------------------------------------------------------===//

static int compareNames(CuteStringRef a, CuteStringRef b) {
  size_t n = a.length < b.length ? a.length : b.length;
  int order = memcmp(a.data, b.data, n);
  return order ? order : (a.length > b.length) - (a.length < b.length);
}

const CuteOpDecl *cuteDialectFindOp(const CuteDialect *dialect,
                                    CuteStringRef name) {
  size_t low = 0, high = CUTE_NUM_OPS;
  while (low < high) {
    size_t middle = (low + high) / 2;
    int order = compareNames(dialect->ops[middle].name, name);
    if (!order)
      return &dialect->ops[middle];
    if (order < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return NULL;
}

const CuteOpDecl *cuteDialectGetDecl(CuteDialect *dialect, MlirOperation op) {
  static const CuteOpDecl foreign = {0};
  if (mlirOperationIsNull(op))
    return NULL;
  MlirIdentifier identifier = mlirOperationGetName(op);
  const CuteOpDecl *decl = cutePointerMapGet(&dialect->byName, identifier.ptr);
  if (!decl) {
    CuteStringRef name = fromMlirString(mlirIdentifierStr(identifier));
    if (cuteTextTake(&name, "cute."))
      decl = cuteDialectFindOp(dialect, name);
    decl = decl ? decl : &foreign;
    cutePointerMapSet(&dialect->byName, identifier.ptr,
                      (void *)(uintptr_t)decl);
  }
  return decl == &foreign ? NULL : decl;
}
