// Options of callers, who may have been built with an older or a later header.
#pragma once

#include "cute/Jit.h"

// Copies a struct that begins with its size, as size_t, into one of `size`
// bytes: what the caller does not know of is 0, and what only the caller knows
// of must be 0. Fails otherwise, and if the size is not set.
CuteStatus cuteOptionsRead(void *all, size_t size, const void *given);

// The same with a diagnostic at the module.
bool cuteCompileOptionsRead(CuteCompileOptions *all,
                            const CuteCompileOptions *given, MlirModule module);

// Both structs; `all->kernels` becomes `kernels`, zeros where there are none.
CuteStatus cuteHostOptionsRead(CuteHostOptions *all,
                               CuteCompileOptions *kernels,
                               const CuteHostOptions *given);

// Takes a failure, which becomes a diagnostic at the module; true if there is
// none.
bool cuteOptionsReport(CuteStatus status, MlirModule module);

// Writes the file that options.reproducer names: the command of cutec, and the
// module. False with a diagnostic.
bool cuteReproducerWrite(MlirModule module, const CuteCompileOptions *options);
