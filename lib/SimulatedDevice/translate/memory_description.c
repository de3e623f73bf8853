#include "SimulatedDevice/translate/memory_description.h"
#include "Compile/describe_memory.h"
#include "Lowering/lowering.h"
#include "Simulator/checks/tensor_names.h"
#include "Simulator/machine/resources.h"

enum { MAX_LEAVES = 64 };

// A line of a description: an argument's number and its first part; the line
// and the offset of an allocation, or a view of one; the line and the number of
// an operand with a layout; a line and the number of a tensor that it touches,
// or whether it touches one in shared memory that is not known.
typedef struct Row {
  CuteMemoryRowKind kind;
  unsigned number;
  uint64_t at;
  CuteType type; // of arguments and allocations a tensor; null: something else
  const char *file; // of touched and unknown
} Row;

struct CuteSimMemory {
  const char *kernel;
  size_t count;
  Row *rows;
  struct CuteSimMemory *next;
};

//===-- Reading -----------------------------------------------------------===//

static bool isTensorRow(const Row *row) {
  return row->kind <= CUTE_MEMORY_VIEW;
}

static bool readType(CuteContext context, CuteStringRef text, Row *row) {
  CuteType type = cuteTypeParse(context, text);
  bool isTensor = type && type->kind == CUTE_TYPE_TENSOR;
  row->type = isTensor || row->kind == CUTE_MEMORY_LAYOUT ? type : NULL;
  return row->kind == CUTE_MEMORY_SHARED || row->kind == CUTE_MEMORY_VIEW ||
         row->type;
}

// The kernel's shared memory: the offset of its variable. LLVM may have left
// parts of that, about which nothing is known.
typedef struct Shared {
  uint64_t base;
  bool isKnown;
} Shared;

// False where the row is of no use later.
static bool readRow(CuteTranslation *t, const CuteMemoryRow *read,
                    Shared shared, const char *file, Row *row) {
  bool isShared =
      read->kind == CUTE_MEMORY_SHARED || read->kind == CUTE_MEMORY_VIEW;
  *row = (Row){.kind = read->kind,
               .number = (unsigned)(isShared ? read->second : read->first),
               .at = isShared ? shared.base + read->first : read->second,
               .file = file};
  if (read->kind == CUTE_MEMORY_TOUCHED || read->kind == CUTE_MEMORY_UNKNOWN)
    return true;
  bool isRead = readType(t->resources->context, read->text, row);
  row->type = isShared && !shared.isKnown ? NULL : row->type;
  return isRead;
}

static void readRows(CuteTranslation *t, CuteSimMemory *memory,
                     const char *text, Shared shared) {
  size_t lines = 0;
  const char *file = "";
  CuteMemoryRow read;
  for (const char *at = text; *at; ++at)
    lines += *at == '\n';
  memory->rows = cuteArenaAllocate(t->arena, (lines + 1) * sizeof(Row));
  while (cuteMemoryRowTake(&text, &read)) {
    if (read.kind == CUTE_MEMORY_FILE)
      file = cuteArenaCopyText(t->arena, read.text.data, read.text.length);
    else if (readRow(t, &read, shared, file, &memory->rows[memory->count]))
      ++memory->count;
  }
}

static Shared sharedOf(CuteTranslation *t, const char *kernel) {
  LLVMValueRef global = LLVMGetNamedGlobal(
      t->module, cuteArenaFormat(t->arena, "%s_smem", kernel));
  return global ? (Shared){cuteTranslateSharedOffset(global), true}
                : (Shared){0};
}

void cuteTranslateMemory(CuteTranslation *t) {
  static const char name[] = CUTE_MEMORY_ATTRIBUTE;
  CUTE_FOR_LLVM(Function, f, t->module) {
    unsigned length;
    LLVMAttributeRef attribute = LLVMGetStringAttributeAtIndex(
        f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, name,
        sizeof name - 1);
    if (!attribute)
      continue;
    const char *kernel = cuteLlvmGetName(f);
    const char *text = LLVMGetStringAttributeValue(attribute, &length);
    CuteSimMemory *memory = cuteArenaAllocate(t->arena, sizeof *memory);
    *memory = (CuteSimMemory){.kernel = cuteArenaFormat(t->arena, "%s", kernel),
                              .next = t->memory};
    readRows(t, memory, cuteArenaCopyText(t->arena, text, length),
             sharedOf(t, kernel));
    t->memory = memory;
  }
}

const CuteSimMemory *cuteSimMemoryOfKernel(const CuteSimMemory *all,
                                           const char *kernel) {
  while (all && strcmp(all->kernel, kernel))
    all = all->next;
  return all;
}

//===-- Sites -------------------------------------------------------------===//

// Tells whether two paths may be of one file: one is the end of the other.
static bool isSameFile(const char *a, const char *b) {
  size_t n = strlen(a), m = strlen(b), least = n < m ? n : m;
  return least && !strcmp(a + n - least, b + m - least);
}

// The row of the tensor with a number; null if there is none.
static const Row *rowOf(const CuteSimMemory *memory, uint64_t number) {
  for (size_t i = 0; i < memory->count; ++i)
    if (isTensorRow(&memory->rows[i]) && !number--)
      return &memory->rows[i];
  return NULL;
}

static bool isTouchedBy(const Row *row, const CuteSimSite *site) {
  return (row->kind == CUTE_MEMORY_TOUCHED ||
          row->kind == CUTE_MEMORY_UNKNOWN) &&
         row->number == site->line && isSameFile(row->file, site->file);
}

// The tensors on a site's line, in shared memory or outside; none where one is
// not known.
static CuteSimTensorList listOf(const CuteSimMemory *memory, CuteArena *arena,
                                const CuteSimSite *site, bool isShared) {
  uint16_t numbers[MAX_LEAVES];
  size_t n = 0;
  for (size_t i = 0; i < memory->count; ++i) {
    const Row *row = &memory->rows[i];
    if (!isTouchedBy(row, site))
      continue;
    const Row *tensor =
        row->kind == CUTE_MEMORY_TOUCHED ? rowOf(memory, row->at) : NULL;
    bool isOther =
        (tensor ? tensor->kind != CUTE_MEMORY_ARGUMENT : row->at) != isShared;
    if (!isOther && (!tensor || n == MAX_LEAVES))
      return (CuteSimTensorList){0};
    if (!isOther && !(n && numbers[n - 1] == row->at))
      numbers[n++] = (uint16_t)row->at;
  }
  uint16_t *copy = cuteArenaAllocate(arena, (n + 1) * sizeof *copy);
  memcpy(copy, numbers, n * sizeof *copy);
  return (CuteSimTensorList){n, copy};
}

void cuteSimMemoryFillSite(const CuteSimMemory *memory, CuteArena *arena,
                           CuteSimSite *site) {
  if (!memory || !site->file || !site->line)
    return;
  site->shared = listOf(memory, arena, site, true);
  site->global = listOf(memory, arena, site, false);
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
  if (row->kind != CUTE_MEMORY_ARGUMENT || !n)
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

// The lowest index of the layout: below 0 by its negative strides. Cosizes take
// these by their absolute value.
static int64_t lowestIndex(CuteIntTuple shape, CuteIntTuple stride) {
  if (shape->kind == CUTE_STATIC && stride->kind == CUTE_STATIC)
    return stride->value < 0 ? (shape->value - 1) * stride->value : 0;
  int64_t sum = 0;
  for (uint32_t i = 0; shape->kind == CUTE_TUPLE && i < shape->rank; ++i)
    sum += lowestIndex(shape->elements[i], stride->elements[i]);
  return sum;
}

// Fills what is known of where its elements lie. Those with a stride beyond all
// that smaller strides reach have one coordinate each.
static void measure(CuteContext c, CuteSimTensor *tensor) {
  int64_t extents[CUTE_SIM_MAX_LEAVES], strides[CUTE_SIM_MAX_LEAVES];
  int64_t n = tensor->layout ? cuteMemoryCountElements(c, tensor->layout) : 0;
  int64_t size = 1, reach = 0;
  bool isNested = n > 0 && tensor->bits >= 8;
  if (n <= 0)
    return;
  tensor->bytes = ((uint64_t)n * tensor->bits + 7) / 8;
  tensor->start +=
      (uint64_t)(lowestIndex(tensor->layout->shape, tensor->layout->stride) *
                 (int64_t)tensor->bits / 8);
  size_t leaves = cuteSimTensorGetLeaves(tensor, extents, strides);
  for (size_t i = 0; i < leaves; ++i) {
    isNested &= strides[i] > reach || extents[i] == 1;
    reach += (extents[i] - 1) * strides[i];
    size *= extents[i];
  }
  tensor->hasHoles = leaves && isNested && size < n;
}

static CuteSimTensor tensorOf(CuteContext c, const Row *row,
                              void **parameters) {
  CuteSimTensor tensor = {.isShared = row->kind != CUTE_MEMORY_ARGUMENT,
                          .isView = row->kind == CUTE_MEMORY_VIEW,
                          .start = row->at,
                          .number = row->number};
  if (!row->type)
    return tensor;
  CuteElementType element = row->type->element;
  unsigned packed = cuteElementGetPackedBits(element);
  tensor.bits =
      packed ? packed : (unsigned)(cuteElementTypeGetBits(element) + 7) / 8 * 8;
  tensor.isFloat = cuteElementTypeIsFloat(element);
  tensor.layout = layoutOf(c, row, parameters);
  if (row->kind == CUTE_MEMORY_ARGUMENT)
    memcpy(&tensor.start, parameters[row->at], sizeof tensor.start);
  measure(c, &tensor);
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
    if (isTensorRow(&memory->rows[i]))
      tensors[(*count)++] =
          tensorOf(resources->context, &memory->rows[i], parameters);
  pthread_mutex_unlock(&resources->lock);
  return tensors;
}

CuteType cuteSimMemoryNextLayout(const CuteSimMemory *memory, unsigned line,
                                 size_t *at) {
  while (memory && *at < memory->count) {
    const Row *row = &memory->rows[(*at)++];
    if (row->kind == CUTE_MEMORY_LAYOUT && row->number == line)
      return row->type;
  }
  return NULL;
}
