// A description of a kernel's memory while it is written.
#pragma once

#include "IR/dialect.h"

// An attribute of kernels in LLVM IR that says what their memory holds: a row
// "KIND FIRST SECOND TEXT" on each line.
#define CUTE_MEMORY_ATTRIBUTE "cute.memory"

// Rows of tensors come first; tensors are numbered in the order of their rows.
typedef enum CuteMemoryRowKind {
  CUTE_MEMORY_ARGUMENT, // number, first part of all arguments' parts; its type
  CUTE_MEMORY_SHARED,   // byte offset and line of an allocation; its type
  CUTE_MEMORY_VIEW,     // the same of a part that is itself a tensor
  CUTE_MEMORY_LAYOUT,   // line and operand; the type of a tiled copy or tensor
  CUTE_MEMORY_TOUCHED,  // line and number of a tensor that it may touch
  CUTE_MEMORY_UNKNOWN,  // line, where it may touch any: 1 shared, 0 global
  CUTE_MEMORY_FILE,     // the file of the lines that follow
  CUTE_NUM_MEMORY_ROW_KINDS
} CuteMemoryRowKind;

typedef struct CuteMemoryRow {
  CuteMemoryRowKind kind;
  uint64_t first, second;
  CuteStringRef text;
} CuteMemoryRow;

void cuteMemoryRowAppend(CuteString *text, CuteMemoryRow row);

// Takes the next row off a text, whose memory the row's text shares. False at
// the end, and at a line that is not a row.
bool cuteMemoryRowTake(const char **text, CuteMemoryRow *row);

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
