// cute-forward-registers: what was stored to stack memory is used where it is
// loaded again in the same block, and stores that nobody can read go. LLVM
// would do it later; until then, each access costs in every pass.
//
// Stack memory of a function is tracked where all that is done with it are
// plain loads and stores at constant places. Addresses of one place become one.
#include "Conversion/register_slots.h"
#include "Support/growing_array.h"

// The contents of bytes at the point that was reached.
typedef struct Content {
  const CuteRegisters *memory;
  int64_t offset, bytes;
  MlirValue value, cast; // cast: the value as it was last asked for, or null
  MlirOperation store;   // null: the value was loaded
  bool isRead;           // the store, perhaps
} Content;

typedef struct Forwarding {
  CuteRegisterFile *file;
  Content *contents; // a byte of memory has the index + 1 of its content
  size_t count, capacity;
} Forwarding;

static Content *contentAt(Forwarding *f, const CuteRegisters *memory,
                          int64_t i) {
  size_t index = memory->contents[i];
  return index ? &f->contents[index - 1] : NULL;
}

static void addContent(Forwarding *f, Content content) {
  CUTE_PUSH(f->contents, f->count, f->capacity, content);
  for (int64_t i = 0; i < content.bytes; ++i)
    content.memory->contents[content.offset + i] = f->count;
}

//===-- Loads -------------------------------------------------------------===//

// Builds at the first place where the value can be used.
static CuteBuilder builderAfter(MlirValue value) {
  if (mlirValueIsABlockArgument(value))
    return cuteBuilderAtStart(mlirBlockArgumentGetOwner(value),
                              mlirValueGetLocation(value));
  CuteBuilder b = cuteBuilderBefore(mlirOpResultGetOwner(value));
  b.before = mlirOperationGetNextInBlock(b.before);
  return b;
}

// The content as a value of this type, or null if that is not a matter of bits.
static MlirValue castContent(Content *content, MlirType type) {
  MlirType from = mlirValueGetType(content->value);
  if (mlirTypeEqual(from, type))
    return content->value;
  if (cuteMlirGetBits(from) != cuteMlirGetBits(type))
    return (MlirValue){NULL};
  if (mlirValueIsNull(content->cast) ||
      !mlirTypeEqual(mlirValueGetType(content->cast), type)) {
    CuteBuilder b = builderAfter(content->value);
    content->cast = bitcast(&b, content->value, type);
  }
  return content->cast;
}

// The content that lies in exactly these bytes, or null.
static Content *contentOf(Forwarding *f, CuteRegisterAccess access) {
  Content *content = contentAt(f, access.memory, access.offset);
  if (!content || content->offset != access.offset ||
      content->bytes != access.bytes)
    return NULL;
  for (int64_t i = 1; i < access.bytes; ++i)
    if (contentAt(f, access.memory, access.offset + i) != content)
      return NULL;
  return content;
}

static void forwardLoad(Forwarding *f, MlirOperation load,
                        CuteRegisterAccess access) {
  MlirValue result = getResult(load, 0);
  Content *content = contentOf(f, access);
  MlirValue value = content ? castContent(content, mlirValueGetType(result))
                            : (MlirValue){NULL};
  if (!mlirValueIsNull(value)) {
    mlirValueReplaceAllUsesOfWith(result, value);
    mlirOperationDestroy(load);
    return;
  }
  for (int64_t i = 0; i < access.bytes; ++i) {
    content = contentAt(f, access.memory, access.offset + i);
    if (content)
      content->isRead = true;
  }
  access.memory->isLoaded = true;
  addContent(f, (Content){.memory = access.memory,
                          .offset = access.offset,
                          .bytes = access.bytes,
                          .value = result});
}

//===-- Stores ------------------------------------------------------------===//

// Stores whose bytes are all overwritten before they were read go.
static void eraseOverwritten(Forwarding *f, CuteRegisterAccess access) {
  for (int64_t i = 0; i < access.bytes; ++i) {
    Content *content = contentAt(f, access.memory, access.offset + i);
    if (!content || mlirOperationIsNull(content->store) || content->isRead ||
        content->offset < access.offset ||
        content->offset + content->bytes > access.offset + access.bytes)
      continue;
    mlirOperationDestroy(content->store);
    content->store = (MlirOperation){NULL};
  }
}

static void recordStore(Forwarding *f, MlirOperation store,
                        CuteRegisterAccess access) {
  eraseOverwritten(f, access);
  addContent(f, (Content){.memory = access.memory,
                          .offset = access.offset,
                          .bytes = access.bytes,
                          .value = getOperand(store, 0),
                          .store = store});
}

//===-- Regions -----------------------------------------------------------===//

// Contents that were added after the first `count` are forgotten: their values
// may be inside a region that ended.
static void forgetSince(Forwarding *f, size_t count) {
  for (size_t i = count; i < f->count; ++i) {
    const Content *content = &f->contents[i];
    for (int64_t j = 0; j < content->bytes; ++j)
      if (content->memory->contents[content->offset + j] > count)
        content->memory->contents[content->offset + j] = 0;
  }
  f->count = count;
}

// Forgets what the op's regions store to, in them, as they may be repeated, and
// after; what they load stays as it is.
static void enterOp(Forwarding *f, MlirOperation op) {
  CuteRegisterAccess access;
  bool isStore;
  if (!cuteRegisterFileFind(f->file, op, &access, &isStore))
    return;
  for (int64_t i = 0; i < access.bytes; ++i) {
    size_t *index = &access.memory->contents[access.offset + i];
    if (*index)
      f->contents[*index - 1].isRead = true;
    if (isStore)
      *index = 0;
  }
}

static void forwardRegion(Forwarding *f, MlirRegion region);

static void forwardOp(Forwarding *f, MlirOperation op) {
  CuteRegisterAccess access;
  bool isStore;
  if (cuteRegisterFileFind(f->file, op, &access, &isStore)) {
    if (isStore)
      recordStore(f, op, access);
    else
      forwardLoad(f, op, access);
    return;
  }
  intptr_t n = mlirOperationGetNumRegions(op);
  if (n)
    CUTE_FOR_NESTED(inner, op)
      enterOp(f, inner);
  for (intptr_t i = 0; i < n; ++i)
    forwardRegion(f, mlirOperationGetRegion(op, i));
}

static void forwardRegion(Forwarding *f, MlirRegion region) {
  size_t count = f->count;
  CUTE_FOR_BLOCKS(block, region) {
    CUTE_FOR_MOVED_OPS(op, block)
      forwardOp(f, op);
    forgetSince(f, count);
  }
}

//===-- The pass ----------------------------------------------------------===//

static bool forwardFunction(CUTE_UNUSED CuteDialect *dialect,
                            MlirOperation function) {
  MlirRegion body = mlirOperationGetRegion(function, 0);
  if (mlirBlockIsNull(mlirRegionGetFirstBlock(body)))
    return true;
  CuteRegisterFile file = {0};
  cuteRegisterFileInit(&file, function);
  Forwarding f = {.file = &file};
  if (file.count)
    forwardRegion(&f, body);
  free(f.contents);
  cuteRegisterFileFinish(&file);
  return true;
}

static bool forwardModule(CuteDialect *dialect, MlirOperation module) {
  return cuteFunctionForEach(dialect, module, "gpu.func", forwardFunction) &&
         cuteFunctionForEach(dialect, module, "func.func", forwardFunction);
}

bool cuteRunForwardRegisters(const CutePass *pass) {
  return cuteFunctionForEach(pass->dialect, pass->root, "gpu.module",
                             forwardModule);
}
