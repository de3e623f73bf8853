#include "Transforms/tma_view.h"

enum { MOST_MODES = 8 };

// Gives the operand of which an op gives a part; -1 for other ops.
static intptr_t viewed(CuteDialect *dialect, MlirOperation op) {
  const CuteOpDecl *decl =
      mlirOperationIsNull(op) ? NULL : cuteDialectGetDecl(dialect, op);
  if (!decl)
    return -1;
  switch (decl->id) {
  case CUTE_OP_SLICE:
  case CUTE_OP_SELECT:
  case CUTE_OP_GROUP_MODES:
    return 0;
  case CUTE_OP_DOMAIN_OFFSET:
    return 1;
  default:
    return -1;
  }
}

MlirValue cuteTmaViewDropOrigin(CuteDialect *dialect, MlirValue tensor,
                                MlirValue *origin) {
  MlirOperation op = cuteValueGetOpOf(dialect, tensor, CUTE_OP_DOMAIN_OFFSET);
  if (mlirOperationIsNull(op))
    return tensor;
  *origin = mlirOperationGetOperand(op, 0);
  return mlirOperationGetOperand(op, 1);
}

MlirValue cuteTmaViewGetParameter(CuteDialect *dialect, MlirValue tensor) {
  MlirValue origin = {NULL};
  tensor = cuteTmaViewDropOrigin(dialect, tensor, &origin);
  MlirOperation op = cuteValueGetOp(tensor);
  while (viewed(dialect, op) == 0) {
    tensor = mlirOperationGetOperand(op, 0);
    op = cuteValueGetOp(tensor);
  }
  return tensor;
}

void cuteTmaViewEmit(CuteRebuild *r, MlirValue tensor) {
  MlirOperation op = cuteValueGetOp(tensor);
  intptr_t i = viewed(r->dialect, op);
  if (i < 0 || r->failed)
    return;
  MlirValue of = mlirOperationGetOperand(op, i);
  cuteTmaViewEmit(r, of);
  cuteRebuildOp(r, op);
  cuteRebuildSet(r, of, (MlirValue){NULL});
}

//===-- Tiles -------------------------------------------------------------===//

typedef struct TileModes {
  CuteIntTuple shape[MOST_MODES], stride[MOST_MODES];
  size_t rank;
} TileModes;

static bool addMode(TileModes *modes, CuteIntTuple shape, CuteIntTuple stride) {
  if (modes->rank == MOST_MODES)
    return false;
  modes->shape[modes->rank] = shape;
  modes->stride[modes->rank++] = stride;
  return true;
}

// The modes of a tile before a slice took those away that it is at one place
// of.
static bool addSliced(CuteContext c, TileModes *to, CuteIntTuple coord,
                      const TileModes *from) {
  size_t next = 0;
  for (size_t i = 0; isTuple(coord) && i < coord->rank; ++i) {
    bool isWhole = isUnderscore(coord->elements[i]);
    if (isTuple(coord->elements[i]) || (isWhole && next == from->rank) ||
        !addMode(to, isWhole ? from->shape[next] : staticInt(c, 1),
                 isWhole ? from->stride[next] : staticInt(c, 0)))
      return false;
    next += isWhole;
  }
  return isTuple(coord) && next == from->rank;
}

// The modes before they were put into another order, in which each is once.
static bool addSelected(TileModes *to, const CuteAttribute *order, size_t rank,
                        const TileModes *from) {
  if (order->numInts != rank || from->rank != rank || rank > MOST_MODES)
    return false;
  uint32_t seen = 0;
  for (size_t i = 0; i < rank; ++i) {
    to->shape[order->ints[i]] = from->shape[i];
    to->stride[order->ints[i]] = from->stride[i];
    seen |= 1u << order->ints[i];
  }
  to->rank = rank;
  return seen == (1u << rank) - 1;
}

// The modes before some of them became one.
static bool addGrouped(TileModes *to, size_t begin, size_t end,
                       const TileModes *from) {
  bool ok = true;
  for (size_t i = 0; ok && i < from->rank; ++i) {
    if (i != begin) {
      ok = addMode(to, from->shape[i], from->stride[i]);
      continue;
    }
    ok = isTuple(from->shape[i]) && from->shape[i]->rank == end - begin;
    for (size_t j = 0; ok && j < end - begin; ++j)
      ok = addMode(to, from->shape[i]->elements[j],
                   from->stride[i]->elements[j]);
  }
  return ok;
}

static bool addViewed(CuteDialect *dialect, MlirOperation op, TileModes *to,
                      const TileModes *from) {
  const CuteOp own =
      cuteDialectGetOp(dialect, cuteDialectGetDecl(dialect, op), op);
  switch (own.decl->id) {
  case CUTE_OP_SLICE:
    return addSliced(dialect->context, to, own.operands[1]->tuple, from);
  case CUTE_OP_SELECT:
    return addSelected(to, cuteOpGetAttribute(&own, "mode"),
                       cuteLayoutGetRank(own.operands[0]->layout), from);
  case CUTE_OP_GROUP_MODES:
    return addGrouped(to, (size_t)cuteOpGetAttribute(&own, "begin")->value,
                      (size_t)cuteOpGetAttribute(&own, "end")->value, from);
  default:
    *to = *from;
    return true;
  }
}

CuteLayout cuteTmaViewGetTile(CuteDialect *dialect, MlirValue tensor,
                              CuteIntTuple tiler) {
  CuteContext c = dialect->context;
  CuteLayout whole = cuteLayoutGet(c, tiler, NULL);
  TileModes modes = {.rank = 0};
  bool ok = whole && isTuple(tiler);
  for (size_t i = 0; ok && i < tiler->rank; ++i)
    ok = addMode(&modes, whole->shape->elements[i], whole->stride->elements[i]);
  MlirOperation op = cuteValueGetOp(tensor);
  for (intptr_t i; ok && (i = viewed(dialect, op)) >= 0;
       op = cuteValueGetOp(mlirOperationGetOperand(op, i))) {
    TileModes next = {.rank = 0};
    ok = addViewed(dialect, op, &next, &modes);
    modes = next;
  }
  return ok ? cuteLayoutGet(c, cuteInternTuple(c, modes.rank, modes.shape),
                            cuteInternTuple(c, modes.rank, modes.stride))
            : NULL;
}
