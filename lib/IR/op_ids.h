// The ops of the dialect as numbers, from dialect/cute.irdl.mlir.
#pragma once

typedef enum CuteOpId {
#define CUTE_OP(id, name) CUTE_OP_##id,
#include "op_ids.def"
#undef CUTE_OP
  CUTE_NUM_OPS
} CuteOpId;

// The name of the op, with that of the dialect before it.
const char *cuteOpIdGetName(CuteOpId id);
