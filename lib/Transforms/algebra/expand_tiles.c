// cute-expand-tiles: predicated tiles become the ops that they are short for.
#include "Ops/copy_atoms.h"
#include "Ops/ops.h"
#include "Transforms/transforms.h"

typedef struct Expansion {
  CuteDialect *dialect;
  CuteBuilder builder;
  MlirOperation op;
  bool failed;
} Expansion;

static MlirValue create(Expansion *e, CuteOpId id, size_t n,
                        const MlirValue *operands,
                        const CuteNamedAttribute *attribute) {
  bool hasAttribute = attribute && !mlirAttributeIsNull(attribute->value);
  MlirOperation op = e->failed ? (MlirOperation){NULL}
                               : cuteBuildOp(&e->builder, e->dialect, id, n,
                                             operands, hasAttribute, attribute);
  e->failed |= mlirOperationIsNull(op);
  return e->failed ? operands[0] : getResult(op, 0);
}

enum { ORIGIN = 5 };

static bool hasOrigin(const Expansion *e) {
  return getNumOperands(e->op) > ORIGIN;
}

// The part that the thread has of the tile of a tensor.
static MlirValue buildPart(Expansion *e, CuteOpId partition, MlirValue tensor) {
  if (hasOrigin(e)) {
    MlirValue moved[] = {getOperand(e->op, ORIGIN), tensor};
    tensor = create(e, CUTE_OP_DOMAIN_OFFSET, 2, moved, NULL);
  }
  CuteNamedAttribute projection = {"proj", cuteMlirGetAttribute(e->op, "proj")};
  MlirValue tile[] = {tensor, getOperand(e->op, 2), getOperand(e->op, 3)};
  MlirValue part[] = {getOperand(e->op, 0),
                      create(e, CUTE_OP_LOCAL_TILE, 3, tile, &projection),
                      getOperand(e->op, 4)};
  return create(e, partition, 3, part, NULL);
}

// Builds the predicate of the accesses to the part of the coordinates.
static MlirValue buildPredicate(Expansion *e, CuteCopySide side,
                                MlirValue coords, MlirValue tensor) {
  CuteContext c = e->dialect->context;
  if (e->failed)
    return coords;
  CuteType copy = cuteDialectGetOperandType(e->dialect, e->op, 0);
  CuteType part = cuteDialectGetValueType(e->dialect, coords);
  CuteType bound = cuteDialectGetValueType(e->dialect, tensor);
  CuteType lower =
      hasOrigin(e) ? cuteCopyGetLowerBound(c, cuteDialectGetOperandType(
                                                  e->dialect, e->op, ORIGIN))
                   : NULL;
  MlirValue least =
      lower ? cuteBuildStatic(&e->builder, e->dialect, lower) : coords;
  if (cuteCopyTakesCounts(c, copy, side, part, bound)) {
    MlirValue counted[] = {getOperand(e->op, 0), coords, tensor, least};
    return create(e, CUTE_OP_MAKE_COUNTS, lower ? 4 : 3, counted, NULL);
  }
  CuteType first =
      cuteTypeGetTuple(c, CUTE_TYPE_COORD,
                       cuteCopyGetFirstOfAccesses(c, copy, side, part->layout));
  MlirValue slice[] = {coords, cuteBuildStatic(&e->builder, e->dialect, first)};
  MlirValue compared[] = {create(e, CUTE_OP_SLICE, 2, slice, NULL), tensor,
                          least};
  return create(e, CUTE_OP_MAKE_PREDICATE, lower ? 3 : 2, compared, NULL);
}

bool cuteExpandTile(CuteDialect *dialect, MlirOperation op) {
  bool isSource = cuteDialectIsOp(dialect, op, CUTE_OP_PREDICATED_TILE_S);
  CuteCopySide side = isSource ? CUTE_SOURCE : CUTE_DESTINATION;
  Expansion e = {dialect, cuteBuilderBefore(op), op, false};
  MlirValue tensor = getOperand(op, 1);
  CuteOpId partition = isSource ? CUTE_OP_PARTITION_S : CUTE_OP_PARTITION_D;
  MlirValue part = buildPart(&e, partition, tensor);
  MlirValue identity =
      create(&e, CUTE_OP_MAKE_IDENTITY_TENSOR, 1, &tensor, NULL);
  MlirValue predicate =
      buildPredicate(&e, side, buildPart(&e, partition, identity), tensor);
  if (e.failed)
    return cuteEmitOpError(op, "%s", cuteContextGetError(dialect->context));
  cuteMlirReplace(op, 0, part);
  cuteMlirReplace(op, 1, predicate);
  mlirOperationDestroy(op);
  return true;
}

bool cuteExpandTilesIsNeeded(CuteDialect *dialect, MlirOperation root) {
  return cuteOpListHas(dialect, root, CUTE_OP_PREDICATED_TILE_S) ||
         cuteOpListHas(dialect, root, CUTE_OP_PREDICATED_TILE_D);
}

bool cuteRunExpandTiles(const CutePass *pass) {
  CuteOpList list = cuteOpListCollect(pass->dialect, pass->root);
  bool ok = true;
  for (size_t i = 0; ok && i < list.count; ++i)
    if (list.decls[i]->id == CUTE_OP_PREDICATED_TILE_S ||
        list.decls[i]->id == CUTE_OP_PREDICATED_TILE_D)
      ok = cuteExpandTile(pass->dialect, list.ops[i]);
  return ok;
}
