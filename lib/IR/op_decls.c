// The declarations of all ops, as the build makes them of
// dialect/cute.irdl.mlir.
#include "IR/op.h"

#define REF(text)                                                              \
  { text, sizeof text - 1 }
#define KIND(name) (CuteKindSet)1 << CUTE_TYPE_##name

static const CuteOpDecl decls[CUTE_NUM_OPS] = {
#include "op_decls.def"
};

const CuteOpDecl *cuteOpDeclGet(CuteOpId id) { return &decls[id]; }
