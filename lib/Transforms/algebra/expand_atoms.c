// cute-expand-atoms: copy and gemm become the calls of their atoms, on slices
// of the operands at static coordinates, or in a loop over dynamic extents.
#include "Hardware/atom.h"
#include "Hardware/mma_family.h"
#include "IR/effects.h"
#include "Ops/copy_atoms.h"
#include "Ops/ops.h"
#include "Transforms/edit/value_origin.h"
#include "Transforms/transforms.h"

typedef struct Expansion {
  CuteDialect *dialect;
  CuteContext context;
  CuteBuilder builder;
  CuteOp op;
  MlirOperation source;
  bool failed;
} Expansion;

static MlirValue operand(const Expansion *e, intptr_t i) {
  return getOperand(e->source, i);
}

// The part of operand i at a coordinate.
static MlirValue sliceOf(Expansion *e, intptr_t i, CuteIntTuple coord) {
  CuteType type = cuteTypeGetTuple(e->context, CUTE_TYPE_COORD, coord);
  MlirValue operands[] = {operand(e, i),
                          cuteBuildStatic(&e->builder, e->dialect, type)};
  MlirOperation slice =
      cuteBuildOp(&e->builder, e->dialect, CUTE_OP_SLICE, 2, operands, 0, NULL);
  e->failed |= mlirOperationIsNull(slice);
  return e->failed ? operands[0] : getResult(slice, 0);
}

static void call(Expansion *e, CuteOpId id, size_t n,
                 const MlirValue *operands) {
  if (!e->failed)
    e->failed = mlirOperationIsNull(
        cuteBuildOp(&e->builder, e->dialect, id, n, operands, 0, NULL));
}

static int64_t extentOf(const Expansion *e, size_t i, size_t mode) {
  CuteIntTuple shape = e->op.operands[i]->layout->shape;
  return mode < shape->rank
             ? cuteIntTupleProduct(e->context, element(shape, mode))->value
             : 1;
}

//===-- gemm --------------------------------------------------------------===//

// (_, x) or (_, x, y), as many modes as the operand has; (x) or (x, y) without
// a mode of values. A mode that is not a tuple has no brackets.
static MlirValue fragmentAt(Expansion *e, intptr_t i, int64_t x, int64_t y) {
  CuteContext c = e->context;
  CuteIntTuple coord[] = {cuteIntTupleGetUnderscore(c), staticInt(c, x),
                          staticInt(c, y)};
  CuteLayout layout = e->op.operands[i]->layout;
  size_t first = !cuteMmaHasValues(&e->op);
  return sliceOf(
      e, i,
      isTuple(layout->shape)
          ? cuteInternTuple(c, cuteLayoutGetRank(layout), coord + first)
          : coord[first]);
}

enum { MMA = 0, D = 1, A = 2, B = 3, C = 4 };

// One instruction; what the atom takes beside C goes along with A or B.
static void callMma(Expansion *e, int64_t m, int64_t n, int64_t k) {
  CuteMmaOperand inputs[CUTE_NUM_MMA_OPERANDS];
  size_t count = cuteMmaAtomGetInputs(
      cuteTypeGetMmaAtomValue(e->op.operands[MMA]), inputs);
  MlirValue operands[A + CUTE_NUM_MMA_OPERANDS + 2] = {operand(e, MMA),
                                                       fragmentAt(e, D, m, n)};
  for (size_t i = 0; i < count; ++i) {
    bool isOfB = inputs[i] == CUTE_OPERAND_B || inputs[i] == CUTE_OPERAND_SFB;
    intptr_t at = A + (intptr_t)i;
    operands[at] = at == C ? fragmentAt(e, k ? D : C, m, n)
                           : fragmentAt(e, at, isOfB ? n : m, k);
  }
  size_t total = A + count;
  for (size_t i = total; i < e->op.numOperands; ++i) {
    MlirValue other = operand(e, (intptr_t)i); // lanes, or whether C is added
    if (!k || mlirTypeIsAVector(mlirValueGetType(other)))
      operands[total++] = other;
  }
  call(e, CUTE_OP_MMA_ATOM_CALL, total, operands);
}

// Calls an instruction for each atom, back and forth, so that neighbouring
// calls share a fragment: along n, where a warp has at least 4 atoms along m,
// so that A's fragments become free one by one for the next k-block, which
// ptxas then loads between the calls; along m if it has fewer. C is added once;
// after the first k the sums are in D.
static void expandGemm(Expansion *e) {
  const CuteMmaAtom *atom = cuteTypeGetMmaAtomValue(e->op.operands[MMA]);
  bool isInPlace = cuteMmaAtomIsWarpgroup(atom) || cuteMmaAtomIsTensor(atom);
  if (isInPlace && !cuteValueIsSame(e->dialect, operand(e, C), operand(e, D))) {
    cuteEmitOpError(e->source, "%s",
                    cuteMmaAtomIsTensor(atom)
                        ? "products in tensor memory are added in "
                          "place; D must be C"
                        : "products of a warpgroup are added in "
                          "place; D must be C");
    e->failed = true;
    return;
  }
  size_t at = cuteMmaHasValues(&e->op);
  int64_t m = extentOf(e, C, at), n = extentOf(e, C, at + 1),
          k = extentOf(e, A, at + 1);
  bool byRows = m >= 4;
  int64_t outer = byRows ? m : n, inner = byRows ? n : m;
  for (int64_t kk = 0; kk < k; ++kk)
    for (int64_t i = 0; i < outer; ++i)
      for (int64_t step = 0; step < inner && !e->failed; ++step) {
        int64_t j = i % 2 ? inner - 1 - step : step;
        callMma(e, byRows ? i : j, byRows ? j : i, kk);
      }
}

//===-- copy --------------------------------------------------------------===//

static int64_t atomValues(Expansion *e, CuteCopySide side) {
  return cuteCopyAtomValues(e->context, e->op.operands[0], side);
}

// The coordinate of access `index` in a shape whose mode 0, or the first part
// of it, holds `values` values: `_` there, and the index split over the rest.
static CuteIntTuple accessCoord(Expansion *e, CuteIntTuple shape,
                                int64_t values, bool isTop, int64_t *index) {
  CuteContext c = e->context;
  CuteIntTuple size = cuteIntTupleProduct(c, shape);
  if (!isTop && isStaticValue(size, values))
    return cuteIntTupleGetUnderscore(c);
  size_t rank = shape->rank;
  CuteIntTuple *coord = cuteScratch(c, rank * sizeof *coord);
  coord[0] = accessCoord(e, element(shape, 0), values, false, index);
  for (size_t i = 1; i < rank; ++i) {
    int64_t extent = cuteIntTupleProduct(c, shape->elements[i])->value;
    coord[i] = staticInt(c, *index % extent);
    *index /= extent;
  }
  return cuteInternTuple(c, rank, coord);
}

static MlirValue accessOf(Expansion *e, intptr_t i, CuteCopySide side,
                          int64_t index) {
  CuteIntTuple shape = e->op.operands[i]->layout->shape;
  CuteIntTuple coord =
      isTuple(shape) ? accessCoord(e, shape, atomValues(e, side), true, &index)
                     : cuteIntTupleGetUnderscore(e->context);
  return sliceOf(e, i, coord);
}

// Element `index` of the predicate as a tensor of one element.
static MlirValue predicateOf(Expansion *e, intptr_t i, int64_t index) {
  CuteContext c = e->context;
  CuteIntTuple shape = e->op.operands[i]->layout->shape;
  return sliceOf(e, i, cuteIdx2Crd(c, staticInt(c, index), shape));
}

static bool hasPredicate(const Expansion *e) {
  int predicate = e->op.decl->traits.predicate;
  return predicate >= 0 && (size_t)predicate < e->op.numOperands;
}

// Access i of the source and destination, with its attributes.
static void callCopy(Expansion *e, MlirValue source, MlirValue destination,
                     int64_t i) {
  const CuteOpTraits *traits = &e->op.decl->traits;
  MlirValue operands[4] = {operand(e, traits->by), source, destination};
  if (hasPredicate(e))
    operands[3] = predicateOf(e, traits->predicate, i);
  call(e, CUTE_OP_COPY_ATOM_CALL, hasPredicate(e) ? 4 : 3, operands);
}

static void expandCopy(Expansion *e) {
  const CuteOpTraits *traits = &e->op.decl->traits;
  CuteLayout source = e->op.operands[traits->source]->layout;
  int64_t accesses =
      cuteLayoutGetSize(e->context, source)->value / atomValues(e, CUTE_SOURCE);
  for (int64_t i = 0; i < accesses && !e->failed; ++i) {
    MlirValue from = accessOf(e, traits->source, CUTE_SOURCE, i);
    callCopy(e, from, accessOf(e, traits->written, CUTE_DESTINATION, i), i);
  }
}

//===-- copy of dynamic extents -------------------------------------------===//

static bool hasDynamicShape(const Expansion *e, size_t i) {
  return e->op.operands[i]->layout->shape->numDynamic;
}

static MlirValue build(Expansion *e, CuteOpId id, MlirValue operand, size_t n,
                       const CuteNamedAttribute *attributes) {
  MlirOperation op = e->failed ? (MlirOperation){NULL}
                               : cuteBuildOp(&e->builder, e->dialect, id, 1,
                                             &operand, n, attributes);
  e->failed |= mlirOperationIsNull(op);
  return e->failed ? operand : getResult(op, 0);
}

// The operand as (V, (REST...)).
static MlirValue withOneRest(Expansion *e, intptr_t i) {
  size_t rank = cuteLayoutGetRank(e->op.operands[i]->layout);
  CuteNamedAttribute modes[] = {
      {"begin", cuteIntAttr(&e->builder, 32, 1)},
      {"end", cuteIntAttr(&e->builder, 32, (int64_t)rank)}};
  return build(e, CUTE_OP_GROUP_MODES, operand(e, i), 2, modes);
}

// The number of coordinates of mode 1, dynamic, as an integer.
static MlirValue countRests(Expansion *e, MlirValue tensor) {
  int32_t mode = 1;
  CuteNamedAttribute attribute = {
      "mode", mlirDenseI32ArrayGet(e->builder.context, 1, &mode)};
  MlirValue size = build(e, CUTE_OP_SIZE, tensor, 1, &attribute);
  return build(e, CUTE_OP_GET_SCALARS, size, 0, NULL);
}

// The part of a tensor at a coordinate with one dynamic leaf.
static MlirValue dynamicSlice(Expansion *e, MlirValue tensor,
                              CuteIntTuple coord, MlirValue leaf) {
  if (e->failed)
    return tensor;
  CuteType type = cuteTypeGetTuple(e->context, CUTE_TYPE_COORD, coord);
  MlirOperation at = cuteBuildDeclared(&e->builder, e->dialect,
                                       CUTE_OP_MAKE_COORD, 1, &leaf, type);
  e->failed |= mlirOperationIsNull(at);
  if (e->failed)
    return tensor;
  MlirValue operands[] = {tensor, getResult(at, 0)};
  MlirOperation slice =
      cuteBuildOp(&e->builder, e->dialect, CUTE_OP_SLICE, 2, operands, 0, NULL);
  e->failed |= mlirOperationIsNull(slice);
  return e->failed ? tensor : getResult(slice, 0);
}

// Access `inner` of those in mode 0, at `rest` of the others.
static MlirValue dynamicAccess(Expansion *e, MlirValue tensor, intptr_t i,
                               CuteCopySide side, int64_t inner,
                               MlirValue rest) {
  CuteContext c = e->context;
  CuteIntTuple shape = element(e->op.operands[i]->layout->shape, 0);
  CuteIntTuple coord[] = {
      accessCoord(e, shape, atomValues(e, side), false, &inner),
      cuteDynamicLeaf(c, mlirIntegerTypeGetWidth(mlirValueGetType(rest)), 1,
                      0)};
  return dynamicSlice(e, tensor, cuteInternTuple(c, 2, coord), rest);
}

// A loop over the rests, in it the accesses of mode 0. A predicate says the
// same of all rests.
static void expandDynamicCopy(Expansion *e) {
  int source = e->op.decl->traits.source, written = e->op.decl->traits.written;
  MlirValue tensors[] = {withOneRest(e, source), withOneRest(e, written)};
  bool isOfSource = hasDynamicShape(e, (size_t)source);
  MlirValue count = countRests(e, tensors[isOfSource ? 0 : 1]);
  int64_t inner = extentOf(e, (size_t)source, 0) / atomValues(e, CUTE_SOURCE);
  if (e->failed)
    return;
  MlirBlock body = cuteBuildFor(&e->builder, count);
  MlirValue rest = mlirBlockGetArgument(body, 0);
  CuteBuilder outer = e->builder;
  e->builder = cuteBuilderAtStart(body, outer.location);
  for (int64_t i = 0; i < inner && !e->failed; ++i) {
    MlirValue from = dynamicAccess(e, tensors[0], source, CUTE_SOURCE, i, rest);
    callCopy(e, from,
             dynamicAccess(e, tensors[1], written, CUTE_DESTINATION, i, rest),
             i);
  }
  e->builder = outer;
}

//===-- The pass ----------------------------------------------------------===//

static bool expand(CuteDialect *dialect, const CuteOpDecl *decl,
                   MlirOperation source) {
  CuteArena *scratch = &dialect->context->scratch;
  CuteArenaMark mark = cuteArenaGetMark(scratch);
  Expansion e = {dialect,
                 dialect->context,
                 cuteBuilderBefore(source),
                 cuteDialectGetOp(dialect, decl, source),
                 source,
                 false};
  if (!cuteOpVerify(&e.op)) {
    cuteEmitOpError(source, "%s", cuteContextGetError(dialect->context));
    e.failed = true;
  } else if (decl->id == CUTE_OP_GEMM) {
    expandGemm(&e);
  } else if (hasDynamicShape(&e, (size_t)decl->traits.source) ||
             hasDynamicShape(&e, (size_t)decl->traits.written)) {
    expandDynamicCopy(&e);
  } else {
    expandCopy(&e);
  }
  cuteArenaReset(scratch, mark);
  if (!e.failed)
    mlirOperationDestroy(source);
  return !e.failed;
}

// Atoms that take as much as they can at once are not cut up.
static bool isCut(CuteDialect *dialect, const CuteOpDecl *decl,
                  MlirOperation op) {
  if (decl->id != CUTE_OP_COPY && decl->id != CUTE_OP_COPY_IF)
    return decl->id == CUTE_OP_GEMM;
  CuteType copy = cuteDialectGetOperandType(dialect, op, decl->traits.by);
  return copy && !((const CuteCopyAtom *)copy->atom)->kind->isElementwise;
}

bool cuteRunExpandAtoms(const CutePass *pass) {
  CuteOpList list = cuteOpListCollect(pass->dialect, pass->root);
  bool ok = true;
  for (size_t i = 0; ok && i < list.count; ++i)
    if (isCut(pass->dialect, list.decls[i], list.ops[i]))
      ok = expand(pass->dialect, list.decls[i], list.ops[i]);
  return ok;
}
