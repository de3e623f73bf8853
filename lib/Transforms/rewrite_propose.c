// Proposals of ops in the place of one.
#include "Transforms/rewrite.h"

MlirOperation cuteRewritePropose(CuteRewrite *r, CuteOpSpec spec,
                                 CuteOp *instance) {
  MlirOperation op =
      cuteNumberingBuild(&r->rewriter->numbering, &r->builder, spec, instance);
  if (mlirOperationIsNull(r->first))
    r->first = op;
  return op;
}

MlirValue cuteRewriteProposeValue(CuteRewrite *r, CuteOpId id,
                                  size_t numOperands,
                                  const MlirValue *operands) {
  CuteOp instance;
  CuteOpSpec spec = {.name = cuteOpIdGetName(id),
                     .numOperands = numOperands,
                     .operands = operands};
  MlirOperation op = cuteRewritePropose(r, spec, &instance);
  return mlirOperationIsNull(op) ? (MlirValue){NULL}
                                 : mlirOperationGetResult(op, 0);
}

bool cuteRewriteAccept(CuteRewrite *r, MlirOperation proposed,
                       const CuteOp *instance) {
  if (mlirOperationIsNull(proposed) ||
      instance->numResults != r->instance->numResults)
    return false;
  for (size_t i = 0; i < instance->numResults; ++i)
    if (instance->results[i] != r->instance->results[i])
      return false;
  for (size_t i = 0; i < instance->numResults; ++i)
    mlirValueReplaceAllUsesOfWith(
        mlirOperationGetResult(r->op, (intptr_t)i),
        mlirOperationGetResult(proposed, (intptr_t)i));
  return true;
}

bool cuteRewriteAcceptOp(CuteRewrite *r, CuteOpSpec spec) {
  CuteArena *scratch = &r->instance->context->scratch;
  spec.numResults = r->instance->numResults;
  MlirType *types = cuteArenaAllocate(scratch, spec.numResults * sizeof *types);
  for (size_t i = 0; i < spec.numResults; ++i)
    types[i] = mlirValueGetType(mlirOperationGetResult(r->op, (intptr_t)i));
  spec.results = types;
  CuteOp instance;
  return cuteRewriteAccept(r, cuteRewritePropose(r, spec, &instance),
                           &instance);
}

size_t cuteRewriteGetAttributes(const CuteRewrite *r,
                                CuteNamedAttribute **attributes) {
  size_t n = (size_t)mlirOperationGetNumAttributes(r->op);
  *attributes = cuteArenaAllocate(&r->instance->context->scratch,
                                  n * sizeof **attributes);
  for (size_t i = 0; i < n; ++i) {
    MlirNamedAttribute named = mlirOperationGetAttribute(r->op, (intptr_t)i);
    (*attributes)[i] = (CuteNamedAttribute){mlirIdentifierStr(named.name).data,
                                            named.attribute};
  }
  return n;
}
