// cute.convert, whose row is with the other ops on memory.
#ifndef CUTE_OPS_CONVERT_FRAGMENT_H
#define CUTE_OPS_CONVERT_FRAGMENT_H

#include "Lowering/lowering.h"

bool cuteLowerConvertFragment(CuteLowering *lowering, CuteOp *op,
                              MlirOperation source);

#endif
