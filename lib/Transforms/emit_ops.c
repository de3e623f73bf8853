#include "Transforms/emit_ops.h"

static MlirValue emitStatic(CuteRebuild *r, CuteTypeKind kind,
                            CuteIntTuple tuple) {
  return cuteBuildStatic(r->builder, r->dialect,
                         cuteTypeGetTuple(r->dialect->context, kind, tuple));
}

MlirValue cuteEmitShape(CuteRebuild *r, CuteIntTuple shape) {
  return emitStatic(r, CUTE_TYPE_SHAPE, shape);
}

MlirValue cuteEmitInt(CuteRebuild *r, int64_t value) {
  return emitStatic(r, CUTE_TYPE_INT_TUPLE,
                    staticInt(r->dialect->context, value));
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
  MlirOperation coord = cuteBuildDeclared(r->builder, r->dialect,
                                          CUTE_OP_MAKE_COORD, 1, &index, type);
  return cuteEmit2(r, CUTE_OP_SLICE, tensor, mlirOperationGetResult(coord, 0));
}

MlirValue cuteEmitGroupTile(CuteRebuild *r, MlirValue tensor) {
  CuteNamedAttribute attributes[] = {{"begin", cuteIntAttr(r->builder, 32, 0)},
                                     {"end", cuteIntAttr(r->builder, 32, 2)}};
  MlirOperation op =
      cuteRebuildCreate(r, CUTE_OP_GROUP_MODES, 1, &tensor, 2, attributes);
  return r->failed ? tensor : mlirOperationGetResult(op, 0);
}

MlirOperation cuteEmitNamed(CuteRebuild *r, CuteOpId id, const char *name,
                            const char *text, size_t n,
                            const MlirValue *operands) {
  CuteNamedAttribute attribute = {
      name, mlirStringAttrGet(r->builder->context, cuteMlirString(text))};
  return cuteRebuildCreate(r, id, n, operands, 1, &attribute);
}

MlirValue cuteEmitState(CuteRebuild *r, const char *role, MlirValue pipeline) {
  MlirOperation op =
      cuteEmitNamed(r, CUTE_OP_MAKE_PIPELINE_STATE, "role", role, 1, &pipeline);
  return r->failed ? pipeline : mlirOperationGetResult(op, 0);
}

MlirValue cuteEmitUniform(const CuteBuilder *b, MlirValue value) {
  MlirValue operands[] = {value, cuteBuildInt(b, 32, 0),
                          cuteBuildInt(b, 32, 32)};
  MlirType types[] = {cuteIntType(b, 32), cuteIntType(b, 1)};
  CuteNamedAttribute mode = {"mode",
                             cuteParsedAttr(b, "#gpu<shuffle_mode idx>")};
  MlirOperation shuffle = cuteBuild(b, (CuteOpSpec){.name = "gpu.shuffle",
                                                    .numOperands = 3,
                                                    .operands = operands,
                                                    .numResults = 2,
                                                    .results = types,
                                                    .numAttributes = 1,
                                                    .attributes = &mode});
  return mlirOperationGetResult(shuffle, 0);
}
