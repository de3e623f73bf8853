// Ops that make fragments of a tiled MMA.
#pragma once

#include "Lowering/lowering.h"

bool cuteOpInferMakeFragmentA(CuteOp *op);
bool cuteOpInferMakeFragmentB(CuteOp *op);
bool cuteOpInferMakeFragmentC(CuteOp *op);
bool cuteOpInferMakeFragmentOperand(CuteOp *op);

// Lowers all of them.
bool cuteLowerMakeFragment(CuteLowering *lowering);
