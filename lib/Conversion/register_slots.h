// Stack memory of a function that only plain accesses at constant places use.
#pragma once

#include "Conversion/conversion.h"

// One llvm.alloca in the first block of the function.
typedef struct CuteRegisters {
  MlirOperation alloca;
  int64_t bytes;
  size_t *contents; // for each byte, for who tracks it; 0 at first
  bool isLoaded;    // stores to it must stay; false at first
} CuteRegisters;

typedef struct CuteRegisterAccess {
  CuteRegisters *memory;
  int64_t offset, bytes;
} CuteRegisterAccess;

typedef struct CuteRegisterFile {
  CutePointerMap places; // MlirValue -> a place, for all its addresses
  CuteRegisters **memories;
  MlirOperation *addresses; // a getelementptr for each place but the first
  size_t count, numAddresses;
} CuteRegisterFile;

// Finds the memory, and makes one of getelementptrs to one place, next to the
// memory's alloca.
void cuteRegisterFileInit(CuteRegisterFile *file, MlirOperation function);

// Tells whether the op accesses such memory, and where.
bool cuteRegisterFileFind(const CuteRegisterFile *file, MlirOperation op,
                          CuteRegisterAccess *access, bool *isStore);

// Erases stores to memory that is not loaded, and addresses and memory without
// uses; destroys the file.
void cuteRegisterFileFinish(CuteRegisterFile *file);
