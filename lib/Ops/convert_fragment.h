// cute.convert, whose row is with the other ops on memory.
#pragma once

#include "Lowering/lowering.h"

bool cuteLowerConvertFragment(CuteLowering *lowering);
