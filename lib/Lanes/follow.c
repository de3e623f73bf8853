#include "Lanes/follow.h"
#include "Ops/ops.h"

//===-- Values ------------------------------------------------------------===//

const CuteFollowed *cuteFollowGet(const CuteFollow *follow, MlirValue value) {
  return cutePointerMapGet(&follow->values, value.ptr);
}

const CuteLanes *cuteFollowGetInteger(const CuteFollow *follow,
                                      MlirValue value) {
  return cutePointerMapGet(&follow->integers, value.ptr);
}

void cuteFollowSet(CuteFollow *follow, MlirValue value, CuteFollowed followed) {
  CuteFollowed *copy = cuteArenaAllocate(&follow->threads.arena, sizeof *copy);
  *copy = followed;
  cutePointerMapSet(&follow->values, value.ptr, copy);
}

void cuteFollowSetInteger(CuteFollow *follow, MlirValue value,
                          const CuteLanes *lanes) {
  if (lanes)
    cutePointerMapSet(&follow->integers, value.ptr, (void *)(uintptr_t)lanes);
}

void cuteFollowSetLike(CuteFollow *follow, MlirValue value, MlirValue other) {
  const CuteFollowed *followed = cuteFollowGet(follow, other);
  if (followed)
    cuteFollowSet(follow, value, *followed);
  cuteFollowSetInteger(follow, value, cuteFollowGetInteger(follow, other));
}

// Tells whether a stride is not 1, or dynamic, which may be.
static bool isNoUnit(CuteIntTuple stride) { return !isStaticValue(stride, 1); }

// Finds the dynamic leaf of a parameter's type that is 1 in this sample;
// SIZE_MAX for none.
static size_t unitLeaf(CuteFollow *follow, CuteType type) {
  int which = follow->threads.sample - CUTE_UNIT_SAMPLE;
  if (type->kind != CUTE_TYPE_TENSOR || !type->layout->stride->numDynamic ||
      !cuteIntTupleAll(type->layout->stride, isNoUnit))
    return SIZE_MAX;
  follow->hasOpenStrides = true;
  return which >= 0 && which < (int)type->layout->stride->numDynamic
             ? type->layout->shape->numDynamic + (size_t)which
             : SIZE_MAX;
}

static CuteType bindSamples(CuteFollow *follow, CuteType type) {
  CuteThreads *threads = &follow->threads;
  CuteContext c = follow->context;
  size_t n = cuteTypeGetNumDynamic(type), unit = unitLeaf(follow, type);
  size_t extents = type->layout ? type->layout->shape->numDynamic : n;
  CuteIntTuple *leaves = cuteScratch(c, n * sizeof *leaves);
  cuteTypeGetDynamicLeaves(type, leaves);
  for (size_t i = 0; i < n; ++i)
    leaves[i] = cuteThreadsGetLeaf(
        threads,
        i == unit ? cuteThreadsGetConstant(threads, leaves[i]->value)
                  : cuteThreadsGetSample(threads, leaves[i]->value,
                                         i < extents ? 0 : i - extents),
        leaves[i]->width, leaves[i]->value);
  return cuteTypeBind(c, type, leaves);
}

// A value that comes from outside.
static void setParameter(CuteFollow *follow, MlirValue value) {
  CuteThreads *threads = &follow->threads;
  MlirType mlir = mlirValueGetType(value);
  CuteType type = cuteDialectGetType(follow->dialect, mlir);
  if (mlirTypeIsAInteger(mlir) || mlirTypeIsAIndex(mlir))
    cuteFollowSetInteger(follow, value, cuteThreadsGetSample(threads, 1, 0));
  if (!type || type->kind == CUTE_TYPE_FOREIGN)
    return;
  const CuteLanes *zero = cuteThreadsGetConstant(threads, 0);
  cuteFollowSet(follow, value,
                (CuteFollowed){.type = bindSamples(follow, type),
                               .start = zero,
                               .rootStart = zero,
                               .root = value,
                               .memory = value});
}

//===-- Ops of the dialect ------------------------------------------------===//

static CuteType bindOperand(CuteFollow *follow, MlirValue value) {
  MlirType mlir = mlirValueGetType(value);
  CuteType type = cuteDialectGetType(follow->dialect, mlir);
  if (!type || type->kind != CUTE_TYPE_FOREIGN) {
    const CuteFollowed *followed = cuteFollowGet(follow, value);
    return followed ? followed->type : NULL;
  }
  unsigned width = cuteTypeGetCoordinateWidth(type);
  if (!width)
    return type;
  return cuteTypeGetTuple(
      follow->context, CUTE_TYPE_INT_TUPLE,
      cuteThreadsGetLeaf(&follow->threads, cuteFollowGetInteger(follow, value),
                         width, 1));
}

static bool bind(CuteFollow *follow, const CuteOpDecl *decl,
                 MlirOperation source, CuteOp *op) {
  *op = cuteDialectGetOp(follow->dialect, decl, source);
  CuteType *types =
      cuteScratch(follow->context, op->numOperands * sizeof *types);
  bool ok = true;
  for (size_t i = 0; i < op->numOperands; ++i) {
    types[i] = bindOperand(follow, getOperand(source, (intptr_t)i));
    ok &= types[i] != NULL;
  }
  op->operands = types;
  return ok;
}

// Offset elements after where another begins.
static const CuteLanes *advance(CuteFollow *follow, const CuteLanes *start,
                                CuteIntTuple offset, int64_t bits) {
  if (!offset || !start)
    return start;
  const CuteLanes *by = cuteThreadsGetLanes(&follow->threads, offset);
  if (!by)
    return NULL;
  CuteLanes *result = cuteThreadsAllocate(&follow->threads);
  result->isSampled = start->isSampled || by->isSampled;
  for (int64_t t = 0; t < follow->threads.count; ++t)
    result->values[t] = (int64_t)((uint64_t)start->values[t] +
                                  (uint64_t)by->values[t] * (uint64_t)bits);
  return result;
}

static void setResult(CuteFollow *follow, const CuteOp *op,
                      MlirOperation source, intptr_t i) {
  MlirValue value = getResult(source, i);
  CuteType type = op->results[i];
  CuteFollowed followed = {.type = type, .root = value, .memory = value};
  intptr_t viewed = op->decl->traits.view;
  const CuteFollowed *from =
      viewed < 0 ? NULL : cuteFollowGet(follow, getOperand(source, viewed));
  if (from) {
    followed.part = from->part;
    followed.residue = from->residue;
  }
  if (cuteTypeIsKind(type, CUTE_TYPE_TENSOR)) {
    const CuteThreadPart *part = cutePartGet(follow, op, source);
    const CuteResidue *residue = cutePartGetResidue(follow, op, source);
    followed.part = part ? part : followed.part;
    followed.residue = residue ? residue : followed.residue;
  }
  if (cuteTypeHasPointer(type)) {
    bool isView = from && cuteTypeHasPointer(from->type);
    followed.start = isView ? advance(follow, from->start, op->offset,
                                      cuteElementTypeGetBits(type->element))
                            : cuteThreadsGetConstant(&follow->threads, 0);
    bool isRoot = !isView || op->decl->id == CUTE_OP_MAKE_TENSOR;
    followed.memory = isView ? from->memory : value;
    followed.root = isRoot ? value : from->root;
    followed.rootStart = isRoot ? followed.start : from->rootStart;
  }
  cuteFollowSet(follow, value, followed);
}

static void setScalars(CuteFollow *follow, CuteOp *op, MlirOperation source) {
  const CuteIntTuple *leaves;
  size_t n = cuteOpGetScalars(op, &leaves);
  for (size_t i = 0; i < n; ++i)
    cuteFollowSetInteger(follow, getResult(source, (intptr_t)i),
                         cuteThreadsGetLanes(&follow->threads, leaves[i]));
}

static void followOp(CuteFollow *follow, const CuteOpDecl *decl,
                     MlirOperation source) {
  CuteContext c = follow->context;
  CUTE_SCOPED(ArenaScope) scope = cuteArenaScopeBegin(&c->scratch);
  CuteOp op;
  if (bind(follow, decl, source, &op) && cuteOpInfer(&op)) {
    if (decl->id == CUTE_OP_GET_SCALARS)
      setScalars(follow, &op, source);
    else
      cuteFollowIntegers(follow, source);
    for (size_t i = 0; i < op.numResults; ++i)
      if (op.results[i]->kind != CUTE_TYPE_FOREIGN)
        setResult(follow, &op, source, (intptr_t)i);
    follow->visit(follow, &op, source);
  }
}

//===-- Regions -----------------------------------------------------------===//

static void followForeign(CuteFollow *follow, MlirOperation op) {
  cuteFollowIntegers(follow, op);
  if (cuteFollowControlFlow(follow, op))
    return;
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
    cuteFollowRegion(follow, mlirOperationGetRegion(op, r));
}

static void followBlock(CuteFollow *follow, MlirBlock block) {
  CUTE_FOR_OPS(op, block) {
    const CuteOpDecl *decl = cuteDialectGetDecl(follow->dialect, op);
    int time = ++follow->time;
    if (decl)
      followOp(follow, decl, op);
    else
      followForeign(follow, op);
    if (follow->leave)
      follow->leave(follow, op, time);
  }
}

void cuteFollowRegion(CuteFollow *follow, MlirRegion region) {
  MlirBlock block = mlirRegionGetFirstBlock(region);
  if (mlirBlockIsNull(block))
    return;
  followBlock(follow, block);
  ++follow->guards, ++follow->forks;
  while (!mlirBlockIsNull(block = mlirBlockGetNextInRegion(block)))
    followBlock(follow, block);
  --follow->guards, --follow->forks;
}

//===-- Functions ---------------------------------------------------------===//

bool cuteFollowGetBlock(MlirOperation function, int64_t block[3]) {
  block[0] = CUTE_WARP;
  block[1] = block[2] = 1;
  int64_t found[3], count = 1;
  if (!cuteMlirGetSizes(function, "known_block_size", found))
    return false;
  for (int i = 0; i < 3; ++i) {
    if (found[i] < 1 || found[i] > CUTE_MAX_THREADS)
      return false;
    count *= found[i];
  }
  if (count > CUTE_MAX_THREADS)
    return false;
  memcpy(block, found, sizeof found);
  return true;
}

void cuteFollowRun(CuteFollow *follow) {
  CuteContext c = follow->context;
  CUTE_SCOPED(Arithmetic)
  ofThreads = cuteArithmeticBegin(c, &cuteThreadArithmetic, &follow->threads);
  bool tracked = cuteContextTrackDivisors(c, true);
  CUTE_SCOPED(ArenaScope) scope = cuteArenaScopeBegin(&c->scratch);
  bool *active =
      cuteArenaAllocate(&follow->threads.arena, (size_t)follow->threads.count);
  memset(active, true, (size_t)follow->threads.count);
  follow->active = active;
  MlirRegion body = mlirOperationGetRegion(follow->function, 0);
  MlirBlock entry = mlirRegionGetFirstBlock(body);
  for (intptr_t i = 0;
       !mlirBlockIsNull(entry) && i < mlirBlockGetNumArguments(entry); ++i)
    setParameter(follow, mlirBlockGetArgument(entry, i));
  cuteFollowRegion(follow, body);
  cuteContextTrackDivisors(c, tracked);
}
