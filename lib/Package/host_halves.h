// Objects with both halves of a module with functions on the host: its kernels,
// compiled for a GPU, and its functions, for this machine. The module stays as
// it is.
#pragma once

#include "Package/host_signatures.h"

// Verifies a module and appends an object to the output, in which
// PREFIX_module is a CuteExportedModule; its code is for any processor of this
// kind, or for this one. False with diagnostics; the signatures are to be
// destroyed either way.
bool cuteHostHalvesEmit(MlirModule module, CuteHostOptions options,
                        const char *prefix, bool isForAnyHost,
                        CuteHostSignatures *signatures, CuteString *object);
