// Tensor maps that lie in memory: ops that write them, and use them.
#pragma once

#include "Lowering/lowering.h"
#include "Ops/ops.h"

// Infer and lower with_tensor_map, copy_tensor_map and update_tensor_map.
bool cuteInferWithTensorMap(CuteOp *op);
bool cuteInferCopyTensorMap(CuteOp *op);
bool cuteInferUpdateTensorMap(CuteOp *op);
bool cuteLowerWithTensorMap(CuteLowering *lowering);
bool cuteLowerCopyTensorMap(CuteLowering *lowering);
bool cuteLowerUpdateTensorMap(CuteLowering *lowering);
