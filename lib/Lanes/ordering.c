#include "Lanes/interpreter.h"

#include "IR/effects.h"

// Tells whether an op of another dialect leaves memory as it is, or is known by
// what is in it.
static bool isTransparent(MlirOperation op) {
  return CUTE_IS_ANY(op, "scf.if", "scf.for", "scf.while", "scf.index_switch",
                     "scf.yield", "gpu.return", "func.return", "scf.condition",
                     "scf.execute_region");
}

// Ops with a barrier of the block in them count, too.
static bool isBarrier(const CuteOpDecl *decl, MlirOperation op) {
  return decl ? decl->id == CUTE_OP_BLOCK_REDUCE
              : CUTE_IS_ANY(op, "gpu.barrier", "gpu.all_reduce",
                            "nvvm.barrier0");
}

// The numbers of an operand that is an integer or an int_tuple of one leaf.
static const CuteLanes *lanesOf(CuteFollow *follow, MlirValue value) {
  const CuteFollowed *followed = cuteFollowGet(follow, value);
  return followed ? cuteThreadsGetLanes(&follow->threads, followed->type->tuple)
                  : cuteFollowGetInteger(follow, value);
}

static bool mayOrderThreads(CuteFollow *follow, const CuteOpDecl *decl,
                            MlirOperation op) {
  if (decl)
    return decl->traits.orders ||
           decl->traits.barrierUse != CUTE_BARRIER_UNUSED ||
           decl->traits.groupUse == CUTE_GROUP_TRACKS ||
           decl->traits.groupUse == CUTE_GROUP_WAITS;
  CuteEffect effect = cuteEffectGet(follow->dialect, op);
  return effect != CUTE_EFFECT_NONE && effect != CUTE_EFFECT_LANES &&
         !isTransparent(op);
}

static void addNamed(CuteFollow *follow, CuteOrderPoint *point) {
  point->kind = CUTE_ORDER_NAMED;
  point->barrier = lanesOf(follow, getOperand(point->op, 0));
  point->participants = lanesOf(follow, getOperand(point->op, 1));
}

void cuteOrderAdd(CuteOrder *order, CuteFollow *follow, MlirOperation op,
                  int time) {
  const CuteOpDecl *decl = cuteDialectGetDecl(follow->dialect, op);
  CuteOrderPoint point = {.op = op,
                          .time = time,
                          .end = follow->time,
                          .active = follow->active,
                          .isCertain = !follow->guards};
  if (CUTE_IS_ANY(op, "scf.for", "scf.while"))
    point.kind = CUTE_ORDER_LOOP;
  else if (decl && decl->traits.groupUse == CUTE_GROUP_WAITS &&
           decl->traits.group == CUTE_GROUP_CP_ASYNC)
    point.kind = CUTE_ORDER_WAIT;
  else if (isBarrier(decl, op))
    point.kind = CUTE_ORDER_BARRIER;
  else if (decl && (decl->id == CUTE_OP_NAMED_BARRIER_SYNC ||
                    decl->id == CUTE_OP_NAMED_BARRIER_ARRIVE))
    addNamed(follow, &point);
  else if (mayOrderThreads(follow, decl, op))
    point.kind = CUTE_ORDER_OTHER;
  else
    return;
  CUTE_ARENA_PUSH(&follow->threads.arena, order->points, order->count, point);
}

const CuteOrderPoint *cuteOrderFind(const CuteOrder *order, CuteOrderKind kind,
                                    int after, int before) {
  const CuteOrderPoint *first = NULL;
  for (size_t i = 0; i < order->count; ++i) {
    const CuteOrderPoint *point = &order->points[i];
    if (point->kind == kind && point->time > after && point->time < before &&
        (!first || point->time < first->time))
      first = point;
  }
  return first;
}

bool cuteOrderIsBetween(const CuteOrder *order, int after, int before) {
  return cuteOrderFind(order, CUTE_ORDER_BARRIER, after, before) ||
         cuteOrderFind(order, CUTE_ORDER_NAMED, after, before) ||
         cuteOrderFind(order, CUTE_ORDER_OTHER, after, before);
}
