
#include "Lowering/shared_plan.h"
#include "Transforms/plain/plain_views.h"
#include "Transforms/plain/roll_loops.h"

#include <math.h>

//===-- Kernels -----------------------------------------------------------===//

// The threads of a block where they are known and all along x; otherwise 0.
static int64_t threadsOf(MlirOperation function) {
  int64_t n[3];
  bool isLine = cuteMlirGetSizes(function, "known_block_size", n) &&
                n[1] == 1 && n[2] == 1;
  return isLine ? n[0] : 0;
}

static bool isOneBlock(MlirOperation function) {
  MlirRegion body = mlirOperationGetRegion(function, 0);
  MlirBlock block = mlirRegionGetFirstBlock(body);
  return !mlirBlockIsNull(block) &&
         mlirBlockIsNull(mlirBlockGetNextInRegion(block));
}

typedef struct CuteKernelNote {
  struct CuteKernelNote *next;
  MlirLocation location;
  const char *text;
} CuteKernelNote;

// Says them in the order in which they came.
static void sayNotes(const CuteKernelNote *note) {
  if (!note)
    return;
  sayNotes(note->next);
  cuteEmitRemark(note->location, "%s", note->text);
}

// A clone of a function in front of it, to be edited.
static CuteKernel openClone(CuteDialect *dialect, MlirOperation function) {
  MlirOperation copy = mlirOperationClone(function);
  mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(function), function,
                                      copy);
  return (CuteKernel){.dialect = dialect,
                      .function = copy,
                      .block = cuteMlirGetBody(copy, 0),
                      .threads = isOneBlock(copy) ? threadsOf(copy) : 0,
                      .location = mlirOperationGetLocation(copy)};
}

//===-- Edits -------------------------------------------------------------===//

// Tells whether a value is a constant whose bits are zeros.
static bool isZero(MlirValue value) {
  MlirOperation op = cuteMlirGetOwner(value);
  int64_t number;
  if (cuteMlirIsConstant(value, &number))
    return !number;
  if (!cuteMlirIs(op, "arith.constant"))
    return false;
  MlirAttribute real = cuteMlirGetAttribute(op, "value");
  return mlirAttributeIsAFloat(real) &&
         mlirFloatAttrGetValueDouble(real) == 0 &&
         !signbit(mlirFloatAttrGetValueDouble(real));
}

// Makes cute.clear of cute.fill with 0, as passes know zeros.
static void clearZeros(CuteKernel *kernel) {
  CUTE_FOR_FOUND(op, cuteKernelFindOps(kernel, CUTE_OP_FILL)) {
    if (!isZero(getOperand(op, 1)))
      continue;
    CuteRebuild r = cuteRebuildBefore(kernel->dialect, op);
    cuteEmitDo(&r, CUTE_OP_CLEAR, CUTE_VALUES(getOperand(op, 0)));
    if (!r.failed)
      mlirOperationDestroy(op);
  }
}

// Edits a clone of the kernel. The second time it is written anew before, as
// passes know it: with loops for what is unrolled, and copies by cp.async.
// `first`, which may be null, comes before all that. False with the problem.
static bool editClone(CuteKernel *kernel, bool isSecond, CuteKernelEdit *first,
                      CuteKernelEdit *edit, void *data) {
  bool ok = true;
  clearZeros(kernel);
  if (isSecond && cuteRollLoops(kernel->dialect, kernel->function, &ok) && ok)
    cuteJoinLoops(kernel->dialect, kernel->function, false);
  if (!ok || (first && !first(kernel, data)) || !cutePlainViews(kernel))
    return false;
  if (isSecond)
    cutePlainPredicates(kernel);
  return (!isSecond || cutePlainCopies(kernel)) && edit(kernel, data);
}

static void editOne(CuteDialect *dialect, MlirOperation function,
                    const char *prefix, CuteKernelEdit *first,
                    CuteKernelEdit *edit, void *data) {
  CuteKernel kernel = openClone(dialect, function);
  int64_t threads = kernel.threads;
  bool isDone = editClone(&kernel, false, first, edit, data);
  if (!isDone && kernel.problem) {
    CuteKernel second = openClone(dialect, function);
    isDone = editClone(&second, true, first, edit, data);
    bool isBetter = isDone || second.problem;
    mlirOperationDestroy(isBetter ? kernel.function : second.function);
    kernel = isBetter ? second : kernel;
  }
  if (isDone)
    cuteKernelUpdateLaunches(&kernel, kernel.threads != threads);
  if (kernel.problem)
    cuteEmitRemark(kernel.location, "%s: %s", prefix, kernel.problem);
  if (isDone)
    sayNotes(kernel.notes);
  mlirOperationDestroy(isDone ? function : kernel.function);
}

bool cuteKernelTry(CuteKernel *kernel, CuteKernelEdit *edit, void *data) {
  CuteKernel copy = openClone(kernel->dialect, kernel->function);
  bool isDone = edit(&copy, data);
  if (isDone) {
    CuteKernelNote **last = &copy.notes;
    while (*last)
      last = &(*last)->next;
    *last = kernel->notes;
    mlirOperationDestroy(kernel->function);
    *kernel = copy;
    return true;
  }
  kernel->problem = copy.problem;
  kernel->location = copy.location;
  mlirOperationDestroy(copy.function);
  return false;
}

bool cuteKernelsEdit(const CutePass *pass, const char *prefix,
                     CuteKernelEdit *first, CuteKernelEdit *edit, void *data) {
  CUTE_FOR_FOUND(op, cuteOpsFind(pass->root, "gpu.func"))
    if (!mlirOperationEqual(op, pass->root) &&
        cuteMlirHasAttribute(op, "gpu.kernel"))
      editOne(pass->dialect, op, prefix, first, edit, data);
  return true;
}

void cuteKernelNote(CuteKernel *kernel, MlirLocation location,
                    const char *format, ...) {
  CuteString text = {0};
  CUTE_APPEND_ARGUMENTS(&text, format);
  CuteKernelNote *note = cuteTaskAllocate(sizeof *note);
  *note = (CuteKernelNote){kernel->notes, location, cuteTaskTakeText(&text)};
  kernel->notes = note;
}

bool cuteKernelFail(CuteKernel *kernel, MlirOperation op, const char *format,
                    ...) {
  if (kernel->problem)
    return false;
  CuteString text = {0};
  MlirStringRef name = cuteMlirGetName(op);
  cuteStringAppendFormat(&text, "'%.*s' ", CUTE_TEXT(name));
  CUTE_APPEND_ARGUMENTS(&text, format);
  kernel->problem = cuteTaskTakeText(&text);
  kernel->location = mlirOperationGetLocation(op);
  return false;
}

bool cuteKernelCheckThreads(CuteKernel *kernel) {
  if (cuteMlirHasAttribute(kernel->function, "known_cluster_size"))
    return cuteKernelFail(
        kernel, kernel->function,
        "has a cluster size, so it is already written for clusters");
  return kernel->threads ||
         cuteKernelFail(kernel, kernel->function,
                        "must have known_block_size with all threads along x, "
                        "and its ops in one block");
}

void cuteKernelNoteProblem(CuteKernel *kernel, const char *what) {
  if (what && kernel->problem)
    cuteKernelNote(kernel, kernel->location, "%s: %s", what, kernel->problem);
  kernel->problem = NULL;
}

bool cuteKernelFailOp(CuteKernel *kernel, MlirOperation op) {
  return cuteKernelFail(kernel, op, "%s",
                        cuteContextGetError(kernel->dialect->context));
}

bool cuteKernelRetype(CuteKernel *kernel, CuteRetype *retype) {
  bool ok = !retype->problem && cuteRetypeRun(retype, kernel->function);
  if (!ok && !kernel->problem) {
    kernel->problem = retype->problem;
    kernel->location = mlirOperationGetLocation(retype->culprit);
  }
  return ok;
}

void cuteKernelSetThreads(CuteKernel *kernel, int64_t threads) {
  int32_t sizes[] = {(int32_t)threads, 1, 1};
  MlirContext context = mlirOperationGetContext(kernel->function);
  cuteMlirSetAttribute(kernel->function, "known_block_size",
                       mlirDenseI32ArrayGet(context, 3, sizes));
  kernel->threads = threads;
}

//===-- Looking -----------------------------------------------------------===//

CuteOps cuteKernelFindOps(const CuteKernel *kernel, CuteOpId id) {
  CuteOps found = {0};
  CUTE_FOR_NESTED(op, kernel->function)
    if (cuteDialectIsOp(kernel->dialect, op, id))
      cuteOpsPush(&found, op);
  return found;
}

MlirOperation cuteKernelFindBarrier(const CuteKernel *kernel,
                                    MlirOperation from, MlirOperation to) {
  MlirOperation last = {NULL};
  CUTE_FOR_OPS_UNTIL(op, from, to)
    if (cuteEffectGet(kernel->dialect, op) == CUTE_EFFECT_BARRIER)
      last = op;
  return last;
}

bool cuteKernelWrites(const CuteKernel *kernel, MlirValue tensor) {
  CUTE_FOR_NESTED(op, kernel->function)
    if (mlirValueEqual(cuteViewGetWritten(kernel->dialect, op, CUTE_GMEM),
                       tensor))
      return true;
  return false;
}

// Tells whether an op reads an element of a parameter that the kernel does not
// write.
static bool readsParameter(const CuteKernel *kernel, MlirOperation op) {
  CuteDialect *dialect = kernel->dialect;
  if (!cuteDialectIsOp(dialect, op, CUTE_OP_LOAD) ||
      !cuteViewIsIn(dialect, getOperand(op, 0), CUTE_GMEM))
    return false;
  MlirValue root = cuteViewGetRoot(dialect, getOperand(op, 0), CUTE_GMEM);
  return mlirValueIsABlockArgument(root) && !cuteKernelWrites(kernel, root);
}

bool cuteKernelOnlyComputes(const CuteKernel *kernel, MlirOperation op) {
  if (!cuteMlirIs(op, "scf.for") && !cuteMlirIs(op, "scf.if"))
    return cuteEffectGet(kernel->dialect, op) == CUTE_EFFECT_NONE ||
           cuteMlirStartsWith(cuteMlirGetName(op), "arith.") ||
           cuteMlirIs(op, "scf.yield") || readsParameter(kernel, op);
  CUTE_FOR_INNER_BLOCKS(block, op)
    CUTE_FOR_OPS(inner, block)
      if (!cuteKernelOnlyComputes(kernel, inner))
        return false;
  return true;
}

MlirOperation cuteKernelFindWriter(const CuteKernel *kernel, MlirValue root,
                                   CuteSpace space) {
  MlirOperation writer = {NULL};
  CUTE_FOR_NESTED(op, kernel->function) {
    if (!mlirValueEqual(cuteViewGetWritten(kernel->dialect, op, space), root))
      continue;
    if (!mlirOperationIsNull(writer))
      return (MlirOperation){NULL};
    writer = op;
  }
  return writer;
}

void cuteKernelMoveOps(MlirOperation from, MlirOperation to, MlirBlock block) {
  MlirOperation end = mlirBlockGetTerminator(block);
  CUTE_FOR_OPS_UNTIL(op, from, to)
    mlirOperationMoveBefore(op, end);
}

int64_t cuteKernelGetSharedBytes(const CuteKernel *kernel) {
  int64_t sum = 0, bytes;
  CUTE_FOR_NESTED(op, kernel->function)
    if (cuteDialectIsOp(kernel->dialect, op, CUTE_OP_ALLOC_SMEM) &&
        cuteSharedBytesOf(kernel->dialect->context,
                          cuteDialectGetResultType(kernel->dialect, op, 0),
                          &bytes) &&
        bytes > 8)
      sum += (bytes + 1023) / 1024 * 1024;
  return sum;
}

// Tells whether an op does nothing but make its results.
static bool onlyMakes(const CuteOpTraits *traits) {
  bool isEffect = traits->orders || traits->prints || traits->declares ||
                  (traits->allocates && traits->space != CUTE_RMEM);
  return traits->isPure || traits->effect == CUTE_EFFECT_REGISTERS ||
         (traits->effect == CUTE_EFFECT_NONE && !isEffect);
}

void cuteKernelRemoveDead(const CuteKernel *kernel) {
  CuteOpList list = cuteOpListCollect(kernel->dialect, kernel->function);
  for (size_t i = list.count; i-- > 0;)
    if (getNumResults(list.ops[i]) && onlyMakes(&list.decls[i]->traits) &&
        !cuteMlirIsUsed(list.ops[i]))
      mlirOperationDestroy(list.ops[i]);
}
