// cute-share-smem: an allocation of shared memory whose uses begin after a
// barrier that comes after all uses of another one takes the other's bytes.
#include "Lowering/shared_plan.h"
#include "Transforms/edit/emit_ops.h"
#include "Transforms/pipeline/pipeline.h"

// The uses of an allocation, as numbers of ops in the function's one block,
// each including its regions.
typedef struct Life {
  MlirOperation alloc;
  CuteType type;
  int64_t bytes, first, last;
  bool isAsync; // written by cp.async, which must have been waited for
  bool escapes; // used where this file cannot follow
  size_t host;  // whose bytes it takes: at first its own
} Life;

typedef struct Sharing {
  CuteDialect *dialect;
  MlirBlock block;
  CutePointerMap numbers; // op of the block -> its number, from 1
  CutePointerMap seen;
  CuteOps ops;  // of the block; allocations may be gone
  bool *isWait; // of each: waits for all copies by cp.async
  bool *isBarrier;
  Life *lives;
  size_t numLives;
} Sharing;

//===-- Lives -------------------------------------------------------------===//

static int64_t numberOf(const Sharing *s, MlirOperation op) {
  op = cuteMlirGetAncestor(s->block, op);
  return mlirOperationIsNull(op)
             ? 0
             : (int64_t)(uintptr_t)cutePointerMapGet(&s->numbers, op.ptr);
}

static void use(Sharing *s, Life *life, MlirOperation op) {
  int64_t at = numberOf(s, op);
  life->first = life->first && life->first < at ? life->first : at;
  life->last = life->last > at ? life->last : at;
  life->isAsync |= cutePipelineIsFetch(s->dialect, op);
}

static void follow(Sharing *s, Life *life, MlirValue value);

static void followUse(Sharing *s, Life *life, MlirOperation user) {
  CuteEffect effect = cuteEffectGet(s->dialect, user);
  if (effect == CUTE_EFFECT_REGISTERS || cutePointerMapGet(&s->seen, user.ptr))
    return;
  cutePointerMapSet(&s->seen, user.ptr, user.ptr);
  if (effect == CUTE_EFFECT_ACCESS) {
    use(s, life, user);
  } else if (effect == CUTE_EFFECT_NONE &&
             cuteDialectGetDecl(s->dialect, user) &&
             !cuteDialectIsOp(s->dialect, user, CUTE_OP_PTR_TO_INT)) {
    CUTE_FOR_RESULTS(result, user)
      if (cuteViewIsIn(s->dialect, result, CUTE_SMEM))
        follow(s, life, result);
  } else {
    life->escapes = true;
  }
}

static void follow(Sharing *s, Life *life, MlirValue value) {
  CUTE_FOR_USES(it, value)
    followUse(s, life, mlirOpOperandGetOwner(it));
}

// The bytes that an allocation of whole bytes takes, or -1.
static int64_t bytesOf(CuteContext c, CuteType type) {
  int64_t bytes;
  bool isWhole = cuteElementTypeGetBits(type->element) >= 8;
  return isWhole && cuteSharedBytesOf(c, type, &bytes) ? bytes : -1;
}

static void addLife(Sharing *s, MlirOperation alloc) {
  MlirValue value = getResult(alloc, 0);
  Life life = {.alloc = alloc,
               .type = cuteDialectGetValueType(s->dialect, value),
               .host = s->numLives};
  life.bytes = bytesOf(s->dialect->context, life.type);
  cutePointerMapClear(&s->seen);
  follow(s, &life, value);
  if (life.bytes >= 0 && !life.escapes && life.first)
    s->lives[s->numLives++] = life;
}

static void collect(Sharing *s) {
  s->numbers = cuteTaskMap();
  s->seen = cuteTaskMap();
  CUTE_FOR_OPS(op, s->block) {
    cuteOpsPush(&s->ops, op);
    cutePointerMapSet(&s->numbers, op.ptr, (void *)(uintptr_t)s->ops.count);
  }
  s->isWait = cuteTaskAllocate((s->ops.count + 1) * sizeof *s->isWait);
  s->isBarrier = cuteTaskAllocate((s->ops.count + 1) * sizeof *s->isBarrier);
  for (size_t i = 0; i < s->ops.count; ++i) {
    MlirOperation op = s->ops.data[i];
    CuteEffect effect = cuteEffectGet(s->dialect, op);
    s->isBarrier[i] = effect == CUTE_EFFECT_BARRIER;
    s->isWait[i] =
        effect == CUTE_EFFECT_WAIT && !cuteEffectGetPending(s->dialect, op);
  }
  s->lives = cuteTaskAllocate((s->ops.count + 1) * sizeof *s->lives);
  for (size_t i = 0; i < s->ops.count; ++i)
    if (cuteDialectIsOp(s->dialect, s->ops.data[i], CUTE_OP_ALLOC_SMEM))
      addLife(s, s->ops.data[i]);
}

//===-- Sharing -----------------------------------------------------------===//

// Tells whether all threads are done with `a`, and its copies have come, before
// any begins with `b`.
static bool endsBefore(const Sharing *s, const Life *a, const Life *b) {
  bool waited = !a->isAsync;
  for (int64_t at = a->last + 1; at < b->first; ++at) {
    waited |= s->isWait[at - 1];
    if (waited && s->isBarrier[at - 1])
      return true;
  }
  return false;
}

// Tells whether the bytes of `host` are enough, as aligned, and free while
// `guest` is used: all who have them are done by then.
static bool isFree(const Sharing *s, size_t host, const Life *guest) {
  const Life *owner = &s->lives[host];
  if (owner->host != host || owner->bytes < guest->bytes ||
      owner->type->align != guest->type->align)
    return false;
  for (size_t i = 0; i < s->numLives; ++i)
    if (s->lives[i].host == host && !endsBefore(s, &s->lives[i], guest))
      return false;
  return true;
}

// A tensor over the host's bytes of the guest's type; null if there is none.
static MlirValue view(Sharing *s, const Life *host, const Life *guest) {
  CuteRebuild r = cuteRebuildBefore(s->dialect, guest->alloc);
  MlirValue tensor =
      cuteEmitOver(&r, getResult(host->alloc, 0), guest->type->element,
                   getOperand(guest->alloc, 0));
  return r.failed ? (MlirValue){NULL} : tensor;
}

static void report(const Life *guest) {
  CUTE_REMARK_AT(guest->alloc,
                 "takes %jd bytes of an allocation that is no longer used",
                 guest->bytes);
}

static bool takeBytes(Sharing *s, size_t host, Life *guest) {
  MlirValue old = getResult(guest->alloc, 0);
  MlirValue tensor = view(s, &s->lives[host], guest);
  if (mlirValueIsNull(tensor) ||
      !mlirTypeEqual(mlirValueGetType(tensor), mlirValueGetType(old)))
    return false;
  report(guest);
  mlirValueReplaceAllUsesOfWith(old, tensor);
  mlirOperationDestroy(guest->alloc);
  guest->host = host;
  return true;
}

static void shareBlock(CuteDialect *dialect, MlirBlock block) {
  Sharing s = {.dialect = dialect, .block = block};
  collect(&s);
  for (size_t guest = 1; guest < s.numLives; ++guest)
    for (size_t host = 0; host < guest; ++host)
      if (isFree(&s, host, &s.lives[guest]) &&
          takeBytes(&s, host, &s.lives[guest]))
        break;
}

//===-- A loop before it has stages ---------------------------------------===//

// Makes the lives what they will be: the loop ends with a wait and a barrier.
static void giveStages(Sharing *s, const CutePipelineLoop *p) {
  bool isHere = mlirBlockEqual(mlirOperationGetBlock(p->loop), s->block);
  int64_t at = isHere ? numberOf(s, p->loop) : 0;
  for (size_t i = 0; i < s->numLives; ++i) {
    Life *life = &s->lives[i];
    if (!cuteOpsContain(&p->allocs, life->alloc))
      continue;
    life->bytes *= p->stages;
    life->last -= life->last == at;
  }
  if (at)
    s->isWait[at - 1] = s->isBarrier[at - 1] = true;
}

static int64_t countStages(const CutePipelineLoop *p) {
  int64_t bytes = 0, all = 0;
  for (size_t i = 0; i < p->allocs.count; ++i)
    if (cuteSharedBytesOf(
            p->dialect->context,
            cuteDialectGetResultType(p->dialect, p->allocs.data[i], 0), &bytes))
      all += bytes;
  return all * (p->stages - 1);
}

static int64_t countShared(Sharing *s) {
  int64_t bytes = 0;
  for (size_t guest = 1; guest < s->numLives; ++guest)
    for (size_t host = 0; host < guest; ++host)
      if (isFree(s, host, &s->lives[guest])) {
        s->lives[guest].host = host;
        bytes += s->lives[guest].bytes;
        break;
      }
  return bytes;
}

int64_t cutePipelineCountBytes(const CutePipelineLoop *p) {
  MlirOperation function = cuteMlirGetAround(p->loop, "gpu.func");
  CuteSharedPlan plan;
  if (mlirOperationIsNull(function) ||
      !cuteSharedPlanMake(p->dialect, function, NULL, &plan))
    return 0;
  Sharing s = {.dialect = p->dialect, .block = cuteMlirGetBody(function, 0)};
  collect(&s);
  giveStages(&s, p);
  int64_t bytes = plan.bytes + countStages(p);
  if (mlirBlockIsNull(mlirBlockGetNextInRegion(s.block)))
    bytes -= countShared(&s);
  return bytes;
}

//===-- The pass ----------------------------------------------------------===//

// Only the one block of a kernel runs once, in its order.
bool cuteRunShareSmem(const CutePass *pass) {
  CUTE_FOR_FOUND(op, cuteOpsFind(pass->root, "gpu.func")) {
    MlirRegion region = mlirOperationGetRegion(op, 0);
    MlirBlock block = mlirRegionGetFirstBlock(region);
    if (!mlirBlockIsNull(block) &&
        mlirBlockIsNull(mlirBlockGetNextInRegion(block)))
      shareBlock(pass->dialect, block);
  }
  return true;
}
