#include "SimulatedDevice/memory_description.h"
#include "Algebra/algebra.h"
#include "IR/type.h"
#include "Lowering/lowering.h"
#include "Simulator/resources.h"
#include "Simulator/tensor_names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_LEAVES = 64 };

typedef enum RowKind { ARGUMENT, SHARED, LAYOUT } RowKind;

// A line of a description: an argument's number and its first part, the line
// and the offset of an allocation, or the line and the number of an operand
// with a layout.
typedef struct Row {
  RowKind kind;
  unsigned number;
  uint64_t at;
  CuteType type; // of arguments and allocations a tensor; null: something else
} Row;

struct CuteSimMemory {
  const char *kernel;
  size_t count;
  Row *rows;
  struct CuteSimMemory *next;
};

//===-- Reading -----------------------------------------------------------===//

static bool readRow(CuteContext context, CuteStringRef line, uint64_t base,
                    Row *row) {
  char kind[16];
  unsigned long first, second;
  int length = 0;
  if (sscanf(line.data, "%15s %lu %lu %n", kind, &first, &second, &length) < 3)
    return false;
  row->kind = !strcmp(kind, "shared")   ? SHARED
              : !strcmp(kind, "layout") ? LAYOUT
                                        : ARGUMENT;
  row->number = (unsigned)(row->kind == SHARED ? second : first);
  row->at = row->kind == SHARED ? base + first : second;
  CuteType type =
      cuteTypeParse(context, (CuteStringRef){line.data + length,
                                             line.length - (size_t)length});
  bool isTensor = type && type->kind == CUTE_TYPE_TENSOR;
  row->type = isTensor || row->kind == LAYOUT ? type : NULL;
  return row->kind == SHARED || row->type;
}

static void readRows(CuteTranslation *t, CuteSimMemory *memory,
                     const char *text, uint64_t base) {
  size_t lines = 0;
  for (const char *at = text; *at; ++at)
    lines += *at == '\n';
  memory->rows = cuteArenaAllocate(t->arena, (lines + 1) * sizeof(Row));
  for (const char *end; (end = strchr(text, '\n')); text = end + 1)
    if (readRow(t->resources->context,
                (CuteStringRef){text, (size_t)(end - text)}, base,
                &memory->rows[memory->count]))
      ++memory->count;
}

static uint64_t baseOf(CuteTranslation *t, const char *kernel) {
  char name[256];
  snprintf(name, sizeof name, "%s_smem", kernel);
  LLVMValueRef global = LLVMGetNamedGlobal(t->module, name);
  return global ? cuteTranslateSharedOffset(global) : 0;
}

void cuteTranslateMemory(CuteTranslation *t) {
  static const char name[] = "cute.memory";
  for (LLVMValueRef f = LLVMGetFirstFunction(t->module); f;
       f = LLVMGetNextFunction(f)) {
    size_t length;
    unsigned textLength;
    LLVMAttributeRef attribute = LLVMGetStringAttributeAtIndex(
        f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, name,
        sizeof name - 1);
    if (!attribute)
      continue;
    const char *kernel = LLVMGetValueName2(f, &length);
    const char *text = LLVMGetStringAttributeValue(attribute, &textLength);
    CuteSimMemory *memory = cuteArenaAllocate(t->arena, sizeof *memory);
    *memory =
        (CuteSimMemory){.kernel = cuteArenaCopyText(t->arena, kernel, length),
                        .next = t->memory};
    readRows(t, memory, cuteArenaCopyText(t->arena, text, textLength),
             baseOf(t, kernel));
    t->memory = memory;
  }
}

const CuteSimMemory *cuteSimMemoryOfKernel(const CuteSimMemory *all,
                                           const char *kernel) {
  while (all && strcmp(all->kernel, kernel))
    all = all->next;
  return all;
}

//===-- Launches ----------------------------------------------------------===//

static int64_t readInteger(const void *at, unsigned bits) {
  int64_t value = 0;
  memcpy(&value, at, bits / 8);
  unsigned unused = 64 - bits;
  return (int64_t)((uint64_t)value << unused) >> unused;
}

// The layout with the numbers that follow the pointer; null where it cannot be.
static CuteLayout layoutOf(CuteContext c, const Row *row, void **parameters) {
  CuteIntTuple leaves[MAX_LEAVES];
  size_t n = cuteTypeGetNumDynamic(row->type);
  if (row->kind == SHARED || !n)
    return n ? NULL : row->type->layout;
  if (n > MAX_LEAVES)
    return NULL;
  cuteTypeGetDynamicLeaves(row->type, leaves);
  for (size_t i = 0; i < n; ++i)
    leaves[i] = cuteIntTupleGetStatic(
        c, readInteger(parameters[row->at + 1 + i], leaves[i]->width));
  CuteType type = cuteTypeBind(c, row->type, leaves);
  return type ? type->layout : NULL;
}

static CuteSimTensor tensorOf(CuteContext c, const Row *row,
                              void **parameters) {
  CuteSimTensor tensor = {
      .isShared = row->kind == SHARED, .start = row->at, .number = row->number};
  if (!row->type)
    return tensor;
  CuteElementType element = (CuteElementType)row->type->element;
  unsigned packed = cuteElementGetPackedBits(element);
  tensor.bits =
      packed ? packed : (unsigned)(cuteElementTypeGetBits(element) + 7) / 8 * 8;
  tensor.layout = layoutOf(c, row, parameters);
  if (row->kind == ARGUMENT)
    memcpy(&tensor.start, parameters[row->at], sizeof tensor.start);
  return tensor;
}

const CuteSimTensor *cuteSimDescribeTensors(const CuteSimMemory *memory,
                                            CuteSimResources *resources,
                                            CuteArena *arena, void **parameters,
                                            size_t *count) {
  size_t rows = memory ? memory->count : 0;
  CuteSimTensor *tensors =
      cuteArenaAllocate(arena, (rows + 1) * sizeof *tensors);
  *count = 0;
  pthread_mutex_lock(&resources->lock);
  for (size_t i = 0; i < rows; ++i)
    if (memory->rows[i].kind != LAYOUT)
      tensors[(*count)++] =
          tensorOf(resources->context, &memory->rows[i], parameters);
  pthread_mutex_unlock(&resources->lock);
  return tensors;
}

CuteType cuteSimMemoryNextLayout(const CuteSimMemory *memory, unsigned line,
                                 size_t *at) {
  while (memory && *at < memory->count) {
    const Row *row = &memory->rows[(*at)++];
    if (row->kind == LAYOUT && row->number == line)
      return row->type;
  }
  return NULL;
}
