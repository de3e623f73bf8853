// The public functions of a module on the host, and what they are called with.
#pragma once

#include "IR/dialect.h"
#include "cute/Jit.h"

typedef struct CuteHostSignatures {
  CuteArena arena;
  CuteHostSignature *data;
  size_t count, capacity;
} CuteHostSignatures;

// Tells whether an op is such a function.
bool cuteHostSignatureHas(MlirOperation op);

// Lists the public func.funcs with bodies of a module that has not been
// lowered. False with a diagnostic; the list is to be destroyed either way.
bool cuteHostSignaturesCollect(CuteHostSignatures *signatures,
                               MlirModule module);
void cuteHostSignaturesDestroy(CuteHostSignatures *signatures);
