// Functions of C that code of the host needs for operations that processors
// lack: mathematics, copies of memory, conversions of 16-bit floats, divisions
// of 128 bits.
#pragma once

#include "Jit/jit.h"

// The table, whose size goes to `count`.
const CuteJitSymbol *cuteCSymbolsGet(size_t *count);
