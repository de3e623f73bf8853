// cute.static.
#include "Ops/ops.h"

static bool inferStatic(CuteOp *op) {
  CuteType type = op->written[0];
  if (!cuteTypeIsStatic(type) && type->kind != CUTE_TYPE_COPY_ATOM) {
    cuteFail(op->context, "the result type must hold the whole value, but has "
                          "dynamic parts");
    return false;
  }
  return cuteOpPushResult(op, type);
}

const CuteOpHooks cuteConstantsOps[] = {
    {.name = "static", .infer = inferStatic, .declaresResults = true},
    {.name = NULL},
};
