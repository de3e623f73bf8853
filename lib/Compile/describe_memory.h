// A description of a kernel's memory while it is written.
#pragma once

#include "Compile/memory_rows.h"
#include "IR/dialect.h"
#include "IR/position.h"

// Gives each kernel an attribute that says which tensors its arguments and its
// shared memory are, in lines "argument N PART TYPE" and "shared OFFSET LINE
// TYPE", and which of them the lines of its source touch (describe_memory.h).
// False with a diagnostic.
bool cuteDescribeMemory(MlirModule module);

typedef struct CuteMemoryText {
  CuteDialect *dialect;
  CuteString text;
  CutePointerMap offsets; // of allocations: MlirOperation -> byte offset + 1
  CutePointerMap numbers; // of tensors that have a row: MlirValue -> number + 1
  size_t numTensors;
  CutePointerMap said; // lines of the file at hand, with what they touch
} CuteMemoryText;

// Appends a row for a tensor, which gets the next number.
void cuteMemoryAppendTensor(CuteMemoryText *m, MlirValue tensor,
                            CuteMemoryRowKind kind, size_t first,
                            size_t second);

// Appends which tensors each line may read or write.
void cuteMemoryAppendTouched(CuteMemoryText *m, MlirOperation function);
