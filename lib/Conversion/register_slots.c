#include "Conversion/register_slots.h"

typedef struct Place {
  CuteRegisters *memory;
  int64_t offset;
} Place;

enum { MAX_BYTES = 1 << 16 };

// Bytes of a value in memory, 0 if it is not one of integers and floats of
// whole bytes or one i1.
static int64_t bytesOf(MlirType type) {
  if (mlirTypeIsAVector(type)) {
    MlirType element = mlirShapedTypeGetElementType(type);
    bool isPlain =
        mlirShapedTypeGetRank(type) == 1 && !mlirVectorTypeIsScalable(type) &&
        !mlirTypeIsAVector(element) &&
        !(mlirTypeIsAInteger(element) && mlirIntegerTypeGetWidth(element) == 1);
    return isPlain ? mlirShapedTypeGetDimSize(type, 0) * bytesOf(element) : 0;
  }
  unsigned bits = cuteMlirGetBits(type);
  bool isPower = bits && !(bits & (bits - 1));
  return bits == 1 ? 1 : isPower && bits <= 128 ? bits / 8 : 0;
}

//===-- What uses the memory ----------------------------------------------===//

static bool isPlainAccess(MlirOperation op) {
  MlirAttribute ordering = cuteMlirGetAttribute(op, "ordering");
  return !cuteMlirHasAttribute(op, "volatile_") &&
         (mlirAttributeIsNull(ordering) ||
          !mlirIntegerAttrGetValueInt(ordering));
}

// The constant distance in bytes that a getelementptr adds; false for others.
static bool getDistance(MlirOperation op, int64_t *distance) {
  MlirAttribute indices = cuteMlirGetAttribute(op, "rawConstantIndices");
  MlirAttribute element = cuteMlirGetAttribute(op, "elem_type");
  int64_t bytes = bytesOf(mlirTypeAttrGetValue(element));
  if (getNumOperands(op) != 1 || !bytes ||
      mlirDenseArrayGetNumElements(indices) != 1)
    return false;
  *distance = bytes * mlirDenseI32ArrayGetElement(indices, 0);
  return true;
}

typedef struct Search {
  CuteArena *arena;
  const CuteRegisters *memory;
  struct Address {
    MlirOperation op;
    int64_t offset;
  } * addresses; // each after the one that it is computed from
  size_t count;
} Search;

static bool searchUses(Search *search, MlirValue pointer, int64_t offset);

static bool searchUse(Search *search, MlirOpOperand use, int64_t offset) {
  MlirOperation op = mlirOpOperandGetOwner(use);
  bool isStore = cuteMlirIs(op, "llvm.store");
  int64_t distance;
  if (isStore || cuteMlirIs(op, "llvm.load")) {
    MlirValue value = isStore ? getOperand(op, 0) : getResult(op, 0);
    int64_t bytes = bytesOf(mlirValueGetType(value));
    return bytes && offset >= 0 && offset + bytes <= search->memory->bytes &&
           mlirOpOperandGetOperandNumber(use) == isStore && isPlainAccess(op);
  }
  if (!cuteMlirIs(op, "llvm.getelementptr") || !getDistance(op, &distance) ||
      offset + distance < 0 || offset + distance >= search->memory->bytes)
    return false;
  CUTE_ARENA_PUSH(search->arena, search->addresses, search->count,
                  (struct Address){op, offset + distance});
  return searchUses(search, getResult(op, 0), offset + distance);
}

static bool searchUses(Search *search, MlirValue pointer, int64_t offset) {
  CUTE_FOR_USES(use, pointer)
    if (!searchUse(search, use, offset))
      return false;
  return true;
}

//===-- The file ----------------------------------------------------------===//

static void addPlace(CuteRegisterFile *file, CuteRegisters *memory,
                     MlirValue pointer, int64_t offset) {
  Place *place = cuteArenaAllocate(cuteTaskGetArena(), sizeof *place);
  *place = (Place){memory, offset};
  cutePointerMapSet(&file->places, pointer.ptr, place);
}

// Keeps one address of each place, right after the one that it is computed
// from.
static void mergeAddresses(CuteRegisterFile *file, CuteRegisters *memory,
                           const Search *search) {
  MlirValue *known = cuteArenaAllocate(cuteTaskGetArena(),
                                       (size_t)memory->bytes * sizeof *known);
  memset(known, 0, (size_t)memory->bytes * sizeof *known);
  known[0] = getResult(memory->alloca, 0);
  addPlace(file, memory, known[0], 0);
  for (size_t i = 0; i < search->count; ++i) {
    MlirOperation op = search->addresses[i].op;
    int64_t offset = search->addresses[i].offset;
    MlirValue pointer = getResult(op, 0);
    if (!mlirValueIsNull(known[offset])) {
      mlirValueReplaceAllUsesOfWith(pointer, known[offset]);
      mlirOperationDestroy(op);
      continue;
    }
    known[offset] = pointer;
    mlirOperationMoveAfter(op, mlirOpResultGetOwner(getOperand(op, 0)));
    addPlace(file, memory, pointer, offset);
    CUTE_ARENA_PUSH(cuteTaskGetArena(), file->addresses, file->numAddresses,
                    op);
  }
}

// The bytes of an alloca with a constant number of elements, or 0.
static int64_t allocatedBytes(MlirOperation alloca) {
  MlirOperation count = cuteMlirGetOwner(getOperand(alloca, 0));
  int64_t n =
      mlirOperationIsNull(count) ? 0 : cuteMlirGetInteger(count, "value");
  int64_t bytes =
      bytesOf(mlirTypeAttrGetValue(cuteMlirGetAttribute(alloca, "elem_type")));
  return n > 0 && n <= MAX_BYTES && n * bytes <= MAX_BYTES ? n * bytes : 0;
}

static void addMemory(CuteRegisterFile *file, MlirOperation alloca) {
  CuteArena *arena = cuteTaskGetArena();
  CuteRegisters *memory = cuteArenaAllocate(arena, sizeof *memory);
  *memory = (CuteRegisters){alloca, allocatedBytes(alloca), NULL, false};
  Search search = {.arena = arena, .memory = memory};
  if (!memory->bytes || !searchUses(&search, getResult(alloca, 0), 0))
    return;
  size_t size = (size_t)memory->bytes * sizeof *memory->contents;
  memory->contents = cuteArenaAllocate(arena, size);
  memset(memory->contents, 0, size);
  mergeAddresses(file, memory, &search);
  CUTE_ARENA_PUSH(arena, file->memories, file->count, memory);
}

void cuteRegisterFileInit(CuteRegisterFile *file, MlirOperation function) {
  *file = (CuteRegisterFile){.places = cuteTaskMap()};
  MlirOperation op = mlirBlockGetFirstOperation(cuteMlirGetBody(function, 0));
  for (MlirOperation next; !mlirOperationIsNull(op); op = next) {
    next = mlirOperationGetNextInBlock(op);
    if (!cuteMlirIs(op, "llvm.alloca"))
      continue;
    addMemory(file, op);
    next = mlirOperationGetNextInBlock(op); // addresses may have moved here
  }
}

bool cuteRegisterFileFind(const CuteRegisterFile *file, MlirOperation op,
                          CuteRegisterAccess *access, bool *isStore) {
  *isStore = cuteMlirIs(op, "llvm.store");
  if (!*isStore && !cuteMlirIs(op, "llvm.load"))
    return false;
  const Place *place =
      cutePointerMapGet(&file->places, getOperand(op, *isStore).ptr);
  if (!place)
    return false;
  MlirValue value = *isStore ? getOperand(op, 0) : getResult(op, 0);
  *access = (CuteRegisterAccess){place->memory, place->offset,
                                 bytesOf(mlirValueGetType(value))};
  return true;
}

//===-- Cleaning up -------------------------------------------------------===//

static void eraseStores(MlirValue pointer) {
  MlirOpOperand use = mlirValueGetFirstUse(pointer);
  while (!mlirOpOperandIsNull(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    use = mlirOpOperandGetNextUse(use);
    if (cuteMlirIs(op, "llvm.store"))
      mlirOperationDestroy(op);
  }
}

static void eraseUnused(MlirOperation op) {
  if (mlirOpOperandIsNull(mlirValueGetFirstUse(getResult(op, 0))))
    mlirOperationDestroy(op);
}

void cuteRegisterFileFinish(CuteRegisterFile *file) {
  for (size_t i = file->numAddresses; i-- > 0;) {
    MlirValue pointer = getResult(file->addresses[i], 0);
    const Place *place = cutePointerMapGet(&file->places, pointer.ptr);
    if (!place->memory->isLoaded)
      eraseStores(pointer);
    eraseUnused(file->addresses[i]);
  }
  for (size_t i = 0; i < file->count; ++i) {
    if (!file->memories[i]->isLoaded)
      eraseStores(getResult(file->memories[i]->alloca, 0));
    eraseUnused(file->memories[i]->alloca);
  }
}
