#include "Transforms/edit/emit_ops.h"

MlirValue cuteEmitStatic(CuteRebuild *r, CuteType type) {
  return cuteBuildStatic(&r->builder, r->dialect, type);
}

MlirValue cuteEmitLayout(CuteRebuild *r, CuteLayout layout) {
  return cuteEmitStatic(r, cuteTypeGetLayout(r->dialect->context, layout));
}

MlirValue cuteEmitShape(CuteRebuild *r, CuteIntTuple shape) {
  return cuteEmitStatic(
      r, cuteTypeGetTuple(r->dialect->context, CUTE_TYPE_SHAPE, shape));
}

MlirValue cuteEmitInt(CuteRebuild *r, int64_t value) {
  CuteContext c = r->dialect->context;
  return cuteEmitStatic(
      r, cuteTypeGetTuple(c, CUTE_TYPE_INT_TUPLE, staticInt(c, value)));
}

MlirValue cuteEmitWith(CuteRebuild *r, const char *name, MlirValue value,
                       int64_t constant) {
  return cuteBuildWith(&r->builder, name, value, constant);
}

MlirValue cuteEmitThreadTest(CuteRebuild *r, int64_t predicate,
                             int64_t constant) {
  MlirValue thread = cuteEmit0(r, CUTE_OP_THREAD_IDX);
  return cuteBuildTest(&r->builder, predicate, thread, constant);
}

CuteBuilder cuteEmitEnterIf(CuteRebuild *r, MlirValue condition) {
  CuteBuilder outer = r->builder;
  r->builder = cuteBuildIf(&outer, condition);
  return outer;
}

MlirValue cuteEmitAlloc(CuteRebuild *r, CuteLayout layout,
                        MlirAttribute element, int64_t align) {
  MlirValue operand = cuteEmitLayout(r, layout);
  MlirOperation op = cuteRebuildCreate(
      r, CUTE_OP_ALLOC_SMEM, 1, &operand,
      CUTE_NAMED({"element", element},
                 {"align", cuteIntAttr(&r->builder, 32, align)}));
  return r->failed ? operand : getResult(op, 0);
}

MlirValue cuteEmitOver(CuteRebuild *r, MlirValue tensor,
                       CuteElementType element, MlirValue layout) {
  MlirValue pointer = cuteEmit1(r, CUTE_OP_GET_ITER, tensor);
  if (r->failed)
    return tensor;
  CuteType from = cuteDialectGetValueType(r->dialect, tensor);
  if (from->element != element) {
    CuteType type = cuteTypeGetPointer(r->dialect->context, element, CUTE_SMEM,
                                       from->align);
    pointer =
        getResult(cuteBuildDeclared(&r->builder, r->dialect, CUTE_OP_RECAST_PTR,
                                    1, &pointer, type),
                  0);
  }
  return cuteEmit2(r, CUTE_OP_MAKE_TENSOR, pointer, layout);
}

// Emits the parts of a tile and of its coordinates that a copy takes.
static bool emitParts(CuteRebuild *r, MlirValue atom, MlirValue *memory,
                      MlirValue *coords) {
  MlirOperation parts = cuteRebuildCreate(
      r, CUTE_OP_TMA_PARTITION, CUTE_VALUES(atom, *memory, *coords), 0, NULL);
  if (r->failed)
    return false;
  *memory = getResult(parts, 0);
  *coords = getResult(parts, 1);
  return true;
}

void cuteEmitTmaLoad(CuteRebuild *r, MlirValue atom, MlirValue barrier,
                     MlirValue memory, MlirValue coords, bool isStream) {
  if (!emitParts(r, atom, &memory, &coords))
    return;
  CuteNamedAttribute cache = {"cache",
                              cuteStringAttr(&r->builder, "evict_first")};
  MlirOperation with = cuteRebuildCreate(
      r, CUTE_OP_WITH_BARRIER, CUTE_VALUES(atom, barrier), isStream, &cache);
  if (!r->failed)
    cuteEmitDo(r, CUTE_OP_COPY,
               CUTE_VALUES(getResult(with, 0), coords, memory));
}

void cuteEmitTmaStore(CuteRebuild *r, MlirValue condition, MlirValue atom,
                      MlirValue memory, MlirValue coords) {
  CuteBuilder outer = r->builder;
  if (!emitParts(r, atom, &memory, &coords))
    return;
  if (!mlirValueIsNull(condition))
    cuteEmitEnterIf(r, condition);
  cuteEmitDo(r, CUTE_OP_COPY, CUTE_VALUES(atom, memory, coords));
  r->builder = outer;
}

MlirValue cuteEmitSliceLast(CuteRebuild *r, MlirValue tensor, MlirValue index) {
  if (r->failed)
    return tensor;
  CuteContext c = r->dialect->context;
  CUTE_SCOPED(ArenaScope) scope = cuteArenaScopeBegin(&c->scratch);
  size_t rank =
      cuteLayoutGetRank(cuteDialectGetValueType(r->dialect, tensor)->layout);
  CuteIntTuple *modes = cuteScratch(c, rank * sizeof *modes);
  for (size_t i = 0; i + 1 < rank; ++i)
    modes[i] = cuteIntTupleGetUnderscore(c);
  modes[rank - 1] = cuteDynamicLeaf(c, 32, 1, 0);
  CuteType type =
      cuteTypeGetTuple(c, CUTE_TYPE_COORD, cuteInternTuple(c, rank, modes));
  MlirOperation coord = cuteBuildDeclared(&r->builder, r->dialect,
                                          CUTE_OP_MAKE_COORD, 1, &index, type);
  return cuteEmit2(r, CUTE_OP_SLICE, tensor, getResult(coord, 0));
}

MlirValue cuteEmitGroupTile(CuteRebuild *r, MlirValue tensor) {
  MlirOperation op =
      cuteRebuildCreate(r, CUTE_OP_GROUP_MODES, 1, &tensor,
                        CUTE_NAMED({"begin", cuteIntAttr(&r->builder, 32, 0)},
                                   {"end", cuteIntAttr(&r->builder, 32, 2)}));
  return r->failed ? tensor : getResult(op, 0);
}

MlirOperation cuteEmitNamed(CuteRebuild *r, CuteOpId id, const char *name,
                            const char *text, size_t n,
                            const MlirValue *operands) {
  return cuteRebuildCreate(
      r, id, n, operands,
      CUTE_NAMED({name, cuteStringAttr(&r->builder, text)}));
}

MlirValue cuteEmitStorePipeline(CuteRebuild *r, int64_t stages) {
  MlirOperation op = cuteRebuildCreate(
      r, CUTE_OP_MAKE_PIPELINE_TMA_STORE, 0, NULL,
      CUTE_NAMED({"stages", cuteIntAttr(&r->builder, 32, stages)}));
  return r->failed ? (MlirValue){NULL} : getResult(op, 0);
}

MlirValue cuteEmitState(CuteRebuild *r, const char *role, MlirValue pipeline) {
  MlirOperation op =
      cuteEmitNamed(r, CUTE_OP_MAKE_PIPELINE_STATE, "role", role, 1, &pipeline);
  return r->failed ? pipeline : getResult(op, 0);
}

MlirValue cuteEmitUniform(const CuteBuilder *b, MlirValue value) {
  MlirOperation shuffle = CUTE_BUILD(
      b, "gpu.shuffle",
      CUTE_OPERANDS(value, cuteBuildInt(b, 32, 0), cuteBuildInt(b, 32, 32)),
      CUTE_RESULTS(cuteIntType(b, 32), cuteIntType(b, 1)),
      CUTE_ATTRIBUTES({"mode", cuteParsedAttr(b, "#gpu<shuffle_mode idx>")}));
  return getResult(shuffle, 0);
}
