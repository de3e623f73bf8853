// Stages in shared memory, and the copies that fill them.
#include "Ops/copy_atoms.h"
#include "Transforms/pipeline/pipeline_build.h"

//===-- Small ops ---------------------------------------------------------===//

// An integer of the type of the loop's index.
static MlirValue indexConstant(CutePipelineBuild *b, int64_t value) {
  return cuteBuildNumber(&b->builder, mlirValueGetType(b->lower), value);
}

//===-- Stages ------------------------------------------------------------===//

CuteIntTuple cutePipelineLastCoord(CutePipelineBuild *b, size_t rank,
                                   CuteIntTuple last) {
  CuteArena *scratch = &b->context->scratch;
  CuteIntTuple *coord = cuteArenaAllocate(scratch, rank * sizeof *coord);
  for (size_t i = 0; i + 1 < rank; ++i)
    coord[i] = cuteIntTupleGetUnderscore(b->context);
  coord[rank - 1] = last;
  return cuteInternTuple(b->context, rank, coord);
}

CuteLayout cutePipelineLayout(CuteContext c, CuteType tensor, int64_t stages) {
  int64_t elements = cuteMemoryCountElements(c, tensor->layout);
  int64_t bits = cuteElementTypeGetBits(tensor->element);
  int64_t unit = tensor->align * 8 / (bits < 1 ? 1 : bits);
  unit = unit < 1 ? 1 : unit;
  if (elements < 0 || __builtin_add_overflow(elements, unit - 1, &elements))
    return NULL;
  CuteIntTuple stride = staticInt(c, elements / unit * unit);
  return cuteLayoutAppend(c, tensor->layout,
                          cuteLayoutGet(c, staticInt(c, stages), stride));
}

static void addCreated(CutePipelineBuild *b, MlirValue value) {
  b->created[b->numCreated++] = mlirOpResultGetOwner(value);
}

void cutePipelineStage(CutePipelineBuild *b, size_t i) {
  MlirOperation alloc = b->p->allocs.data[i];
  MlirValue old = getResult(alloc, 0);
  CuteRebuild r = cuteRebuildBefore(b->p->dialect, alloc);
  CuteLayout layout = cutePipelineLayout(
      b->context, cuteDialectGetValueType(b->p->dialect, old), b->p->stages);
  if (!layout) {
    b->failed = true;
    return;
  }
  MlirValue value = cuteEmitLayout(&r, layout);
  addCreated(b, value);
  cuteRebuildSet(&r, getOperand(alloc, 0), value);
  cuteRebuildOp(&r, alloc);
  b->staged[i] = cuteRebuildGet(&r, old);
  if (!r.failed) {
    addCreated(b, b->staged[i]);
    size_t rank = cuteLayoutGetRank(
        cuteDialectGetValueType(b->p->dialect, b->staged[i])->layout);
    b->first[i] = cuteRebuildSlice(
        &r, b->staged[i],
        cutePipelineLastCoord(b, rank, staticInt(b->context, 0)));
  }
  b->failed |= r.failed;
  if (b->failed)
    return;
  addCreated(b, getOperand(mlirOpResultGetOwner(b->first[i]), 1));
  addCreated(b, b->first[i]);
  if (!mlirTypeEqual(mlirValueGetType(b->first[i]), mlirValueGetType(old))) {
    cuteFail(b->context, "a stage of the tensor would change its type");
    b->failed = true;
    return;
  }
  mlirValueReplaceAllUsesOfWith(old, b->first[i]);
}

static CuteRebuild beginTile(CutePipelineBuild *b, MlirValue index) {
  CuteRebuild r = {.dialect = b->p->dialect,
                   .builder = b->builder,
                   .moves = &b->p->moves,
                   .failed = b->failed};
  cuteRebuildSet(&r, mlirBlockGetArgument(b->p->body, 0), index);
  return r;
}

static void setStage(CutePipelineBuild *b, CuteRebuild *r, size_t i,
                     MlirValue stage) {
  if (!r->failed)
    cuteRebuildSet(r, b->first[i], cuteEmitSliceLast(r, b->staged[i], stage));
}

CuteRebuild cutePipelineTile(CutePipelineBuild *b, MlirValue stage,
                             MlirValue index) {
  CuteRebuild r = beginTile(b, index);
  for (size_t i = 0; i < b->p->allocs.count; ++i)
    setStage(b, &r, i, stage);
  return r;
}

CuteRebuild cutePipelineTiles(CutePipelineBuild *b, const MlirValue *stages,
                              MlirValue index) {
  CuteRebuild r = beginTile(b, index);
  for (size_t i = 0; i < b->p->allocs.count; ++i)
    setStage(b, &r, i, stages[i]);
  return r;
}

void cutePipelineEndTile(CutePipelineBuild *b, CuteRebuild *r) {
  if (r->failed && !b->failed)
    b->culprit = r->culprit;
  b->failed |= r->failed;
}

//===-- Fetches -----------------------------------------------------------===//

// A fragment of integers of so many bits.
static MlirValue predicateFragment(CuteRebuild *r, CuteLayout layout,
                                   unsigned bits) {
  if (r->failed)
    return (MlirValue){NULL};
  MlirValue value = cuteEmitLayout(r, layout);
  MlirAttribute element = mlirTypeAttrGet(cuteIntType(&r->builder, bits));
  MlirOperation fragment = cuteRebuildCreate(
      r, CUTE_OP_MAKE_FRAGMENT, 1, &value, CUTE_NAMED({"element", element}));
  return mlirOperationIsNull(fragment) ? value : getResult(fragment, 0);
}

// `when` for each access of a copy that has no predicate.
static MlirValue newPredicate(CuteRebuild *r, const CuteCopyParts *parts,
                              MlirValue when) {
  CuteContext c = r->dialect->context;
  CuteType source = cuteDialectGetValueType(r->dialect, parts->source);
  CuteType copy = cuteDialectGetValueType(r->dialect, parts->copy);
  int64_t accesses = cuteLayoutGetSize(c, source->layout)->value /
                     cuteCopyAtomValues(c, copy, CUTE_SOURCE);
  MlirValue fragment = predicateFragment(
      r, cuteLayoutGet(c, staticInt(c, accesses), staticInt(c, 0)), 1);
  cuteEmitDo(r, CUTE_OP_FILL, CUTE_VALUES(fragment, when));
  return fragment;
}

// The predicate, or counts, where `when` is true, else false, or 0.
static MlirValue andPredicate(CuteRebuild *r, MlirValue predicate,
                              MlirValue when) {
  CuteContext c = r->dialect->context;
  CuteType type = cuteDialectGetValueType(r->dialect, predicate);
  unsigned bits = type->element == CUTE_ELEMENT_I1 ? 1 : 8;
  MlirValue fragment =
      predicateFragment(r, cuteLayoutGet(c, type->layout->shape, NULL), bits);
  MlirValue vector = cuteEmit1(r, CUTE_OP_LOAD_VECTOR, predicate);
  if (r->failed)
    return fragment;
  MlirValue mask = bits == 1 ? when
                             : cuteBuildUnary(&r->builder, "arith.extsi", when,
                                              cuteIntType(&r->builder, bits));
  MlirValue all = cuteBuildUnary(&r->builder, "vector.broadcast", mask,
                                 mlirValueGetType(vector));
  MlirValue both = andi(&r->builder, vector, all);
  cuteEmitDo(r, CUTE_OP_STORE_VECTOR, CUTE_VALUES(both, fragment));
  return fragment;
}

static void fetchOne(CuteRebuild *r, MlirOperation fetch, MlirValue when) {
  CuteCopyParts parts;
  cuteEffectGetCopy(r->dialect, fetch, &parts);
  bool hasPredicate = !mlirValueIsNull(parts.predicate);
  MlirValue operands[] = {cuteRebuildGet(r, parts.copy),
                          cuteRebuildGet(r, parts.source),
                          cuteRebuildGet(r, parts.destination),
                          {NULL}};
  operands[3] = hasPredicate
                    ? andPredicate(r, cuteRebuildGet(r, parts.predicate), when)
                    : newPredicate(r, &parts, when);
  cuteRebuildCreate(r, CUTE_OP_COPY, 4, operands, 0, NULL);
}

// The group of one tile.
static void fetch(CutePipelineBuild *b, MlirValue stage, MlirValue index,
                  MlirValue when) {
  CuteRebuild r = cutePipelineTile(b, stage, index);
  for (size_t i = 0; i < b->p->fetches.count; ++i) {
    r.builder.location = mlirOperationGetLocation(b->p->fetches.data[i]);
    fetchOne(&r, b->p->fetches.data[i], when);
  }
  CUTE_BUILD(&r.builder, cuteOpIdGetName(CUTE_OP_CP_ASYNC_COMMIT));
  cutePipelineEndTile(b, &r);
}

// Emits a test of whether there is a tile `rounds` after an index that is below
// the bound.
static MlirValue isAhead(CutePipelineBuild *b, MlirValue index,
                         int64_t rounds) {
  MlirValue left = subi(&b->builder, b->upper, index);
  return cuteBuildCompare(&b->builder, CUTE_CMPI_UGT, left,
                          indexConstant(b, rounds * b->p->step));
}

MlirValue cutePipelineIndexAfter(CutePipelineBuild *b, MlirValue index,
                                 int64_t rounds) {
  return rounds
             ? addi(&b->builder, index, indexConstant(b, rounds * b->p->step))
             : index;
}

void cutePipelineFetchFirst(CutePipelineBuild *b) {
  MlirValue any = cuteBuildCompare(
      &b->builder, b->p->isUnsigned ? CUTE_CMPI_ULT : CUTE_CMPI_SLT, b->lower,
      b->upper);
  for (int64_t i = 0; i + 1 < b->p->stages && !b->failed; ++i) {
    MlirValue when = any;
    if (i)
      when = andi(&b->builder, any, isAhead(b, b->lower, i));
    fetch(b, cuteBuildInt(&b->builder, 32, i),
          cutePipelineIndexAfter(b, b->lower, i), when);
  }
}

void cutePipelineFetchAhead(CutePipelineBuild *b, MlirValue write,
                            MlirValue index) {
  fetch(b, write, cutePipelineIndexAfter(b, index, b->p->stages - 1),
        isAhead(b, index, b->p->stages - 1));
}
