// Pointers, and what is accessed through them.
#include "Prove/walk.h"

#include "Support/growing_array.h"

#include <mlir-c/Dialect/LLVM.h>

//===-- Places ------------------------------------------------------------===//

// One place for each allocation of shared memory, in the order of their starts.
bool cuteWalkPlanShared(CuteProver *prover) {
  CutePointerMap offsets = {0};
  CuteSharedPlan plan;
  bool ok = cuteSharedPlanMake(prover->dialect, prover->typed, &offsets, &plan);
  prover->sharedBytes = plan.bytes;
  CuteOpList list = cuteOpListCollect(prover->dialect, prover->typed);
  for (size_t i = 0; ok && i < list.count; ++i) {
    uintptr_t at = (uintptr_t)cutePointerMapGet(&offsets, list.ops[i].ptr);
    if (!at)
      continue;
    CuteType type = cuteDialectGetType(
        prover->dialect,
        mlirValueGetType(mlirOperationGetResult(list.ops[i], 0)));
    CutePlace *place = cuteWalkAddPlace(prover, CUTE_PLACE_SHARED);
    place->start = (int64_t)at - 1;
    place->align = at == 1 ? plan.align : (place->start & -place->start);
    if (place->align > plan.align)
      place->align = plan.align;
    ok = cuteSharedBytesOf(prover->dialect->context, type, &place->bytes);
  }
  cutePointerMapDestroy(&offsets);
  return ok;
}

CutePlace *cuteWalkFindShared(const CuteProver *prover, int64_t address) {
  CutePlace *found = NULL;
  for (size_t i = 0; i < prover->numPlaces; ++i) {
    CutePlace *p = prover->places[i];
    if (p->kind == CUTE_PLACE_SHARED && p->start <= address &&
        address < p->start + p->bytes &&
        (!found || p->start > found->start ||
         (p->start == found->start && p->bytes > found->bytes)))
      found = p;
  }
  return found;
}

// Bytes of a scalar or vector; 0 for other types.
static int64_t bytesOf(MlirType type) {
  return mlirTypeIsAIndex(type) || mlirTypeIsALLVMPointerType(type)
             ? 8
             : (cuteMlirGetBits(type) + 7) / 8;
}

static MlirType typeAttribute(MlirOperation op, const char *name) {
  MlirAttribute attribute = cuteMlirGetAttribute(op, name);
  return mlirAttributeIsNull(attribute) ? (MlirType){NULL}
                                        : mlirTypeAttrGetValue(attribute);
}

static void setPointer(CuteProver *prover, MlirOperation op, CutePlace *place,
                       CuteTerm offset) {
  CuteValue pointer = {CUTE_VALUE_POINTER, offset, NULL, place};
  if (!place)
    pointer = (CuteValue){.kind = CUTE_VALUE_OTHER};
  cuteWalkSet(prover, mlirOperationGetResult(op, 0), pointer);
}

static void walkAlloca(CuteProver *prover, MlirOperation op) {
  int64_t count, bytes = bytesOf(typeAttribute(op, "elem_type"));
  bool isKnown =
      bytes && cuteTermIsConstant(cuteWalkGetOperand(prover, op, 0), &count);
  CutePlace *place =
      isKnown ? cuteWalkAddPlace(prover, CUTE_PLACE_REGISTER) : NULL;
  if (isKnown) {
    place->bytes = bytes * count;
    place->align = cuteMlirGetInteger(op, "alignment");
    place->marks = cuteArenaAllocate(&prover->terms->arena,
                                     (size_t)place->bytes * sizeof(size_t));
    place->there = cuteArenaAllocate(
        &prover->terms->arena, (size_t)place->bytes * sizeof *place->there);
    for (int64_t b = 0; b < place->bytes; ++b) {
      place->there[b] = cuteConditionGetConstant(false);
      place->marks[b] = 0;
    }
  }
  setPointer(prover, op, place, cuteTermGetConstant(prover->terms, 0));
}

static void walkAddressOf(CuteProver *prover, MlirOperation op) {
  setPointer(prover, op, cuteWalkFindShared(prover, 0),
             cuteTermGetConstant(prover->terms, 0));
}

static void walkElementPointer(CuteProver *prover, MlirOperation op) {
  CuteTerms *terms = prover->terms;
  MlirValue base = mlirOperationGetOperand(op, 0);
  CuteValue from = cuteWalkGet(prover, base);
  MlirAttribute constants = cuteMlirGetAttribute(op, "rawConstantIndices");
  int64_t bytes = bytesOf(typeAttribute(op, "elem_type"));
  if (from.kind != CUTE_VALUE_POINTER || !bytes ||
      mlirDenseArrayGetNumElements(constants) != 1) {
    setPointer(prover, op, NULL, NULL);
    return;
  }
  int32_t raw = mlirDenseI32ArrayGetElement(constants, 0);
  CuteTerm index = raw == INT32_MIN ? cuteWalkGetOperand(prover, op, 1)
                                    : cuteTermGetConstant(terms, raw);
  CuteTerm by = cuteTermScale(index, bytes);
  int64_t start;
  bool isBeginning = cuteMlirIs(cuteMlirGetOwner(base), "llvm.mlir.addressof");
  CutePlace *allocation = isBeginning && cuteTermIsConstant(by, &start)
                              ? cuteWalkFindShared(prover, start)
                              : NULL;
  if (allocation)
    setPointer(prover, op, allocation,
               cuteTermGetConstant(terms, start - allocation->start));
  else
    setPointer(prover, op, from.place, cuteTermAdd(from.term, by));
}

//===-- Registers ---------------------------------------------------------===//

static void write(CuteProver *prover, CutePlace *place, CuteWritten like) {
  CuteWritten *written =
      cuteArenaAllocate(&prover->terms->arena, sizeof *written);
  *written = like;
  written->next = place->written;
  place->written = written;
}

static void storeRegister(CuteProver *prover, const CuteReach *reach,
                          CuteValue value) {
  int64_t offset;
  CuteWritten like = {.offset = 0, .bytes = reach->place->bytes};
  if (cuteTermIsConstant(reach->offset, &offset))
    like =
        (CuteWritten){.offset = offset, .bytes = reach->bytes, .value = value};
  write(prover, reach->place, like);
}

void cuteWalkForget(CuteProver *prover, size_t count) {
  for (size_t i = count; i < prover->numStores; ++i)
    write(prover, prover->stores[i].place,
          (CuteWritten){.offset = prover->stores[i].offset,
                        .bytes = prover->stores[i].bytes});
}

// Gives what was stored there last as a whole; OTHER where that is not known.
static CuteValue loadRegister(const CuteReach *reach) {
  CuteValue unknown = {.kind = CUTE_VALUE_OTHER};
  int64_t offset;
  if (!cuteTermIsConstant(reach->offset, &offset))
    return unknown;
  for (CuteWritten *w = reach->place->written; w; w = w->next) {
    if (w->offset + w->bytes <= offset || offset + reach->bytes <= w->offset)
      continue;
    return w->offset == offset && w->bytes == reach->bytes ? w->value : unknown;
  }
  return unknown;
}

// The kinds of memory that an operand of an op may point to.
static unsigned spacesOf(MlirType type, bool isTma) {
  enum { GLOBAL = 1u << CUTE_PLACE_GLOBAL, SHARED = 1u << CUTE_PLACE_SHARED };
  if (!mlirTypeIsALLVMPointerType(type))
    return 0;
  unsigned space = mlirLLVMPointerTypeGetAddressSpace(type);
  return space == 3 || space == 7 ? SHARED
         : space == 1             ? GLOBAL
         : !space && !isTma       ? CUTE_TOUCHES_ALL
                                  : 0;
}

//===-- Accesses ----------------------------------------------------------===//

const CuteReach *cuteWalkList(CuteProver *prover, CuteReach like) {
  like.path = cuteConditionAnd(
      prover->path, like.path ? like.path : cuteConditionGetConstant(true));
  like.rounds = prover->rounds;
  like.segment = prover->segment;
  prover->last = like;
  if (!prover->rehearsals)
    CUTE_PUSH(prover->reaches, prover->numReaches, prover->reachCapacity, like);
  return &prover->last;
}

const CuteReach *cuteWalkReach(CuteProver *prover, MlirValue pointer,
                               CuteReach like) {
  MlirOperation owner = cuteMlirGetOwner(pointer);
  if (cuteMlirIs(owner, "llvm.ptrtoint"))
    pointer = mlirOperationGetOperand(owner, 0);
  CuteValue known = cuteWalkGet(prover, pointer);
  if (known.kind != CUTE_VALUE_POINTER || !like.bytes ||
      known.place->kind == CUTE_PLACE_MAP) {
    unsigned spaces = spacesOf(mlirValueGetType(pointer), false);
    cuteWalkAddBlindSpot(
        prover, (CuteBlindSpot){like.op, "a pointer that is not followed",
                                spaces ? spaces : ~0u});
    return NULL;
  }
  like.place = known.place;
  like.offset = known.term;
  return cuteWalkList(prover, like);
}

// The condition that selects take what an op loads, if that is computed before
// and nothing else uses it; or null.
static CuteCondition takenBySelects(CuteProver *prover, MlirOperation load) {
  CuteCondition is = cuteConditionGetConstant(false);
  CUTE_FOR_USES(use, mlirOperationGetResult(load, 0)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    MlirValue which = mlirOperationGetOperand(user, 0);
    MlirOperation owner = cuteMlirGetOwner(which);
    unsigned i = mlirOpOperandGetOperandNumber(use);
    if (!cuteMlirIs(user, "arith.select") || !i || !owner.ptr ||
        !mlirBlockEqual(mlirOperationGetBlock(owner),
                        mlirOperationGetBlock(load)) ||
        !mlirOperationIsBeforeInBlock(owner, load))
      return NULL;
    CuteCondition c = cuteWalkGetCondition(prover, which);
    is = cuteConditionOr(is, i == 1 ? c : cuteConditionNot(c));
  }
  return is;
}

static void walkLoad(CuteProver *prover, MlirOperation op) {
  MlirValue result = mlirOperationGetResult(op, 0);
  MlirType type = mlirValueGetType(result);
  const CuteReach *at =
      cuteWalkReach(prover, mlirOperationGetOperand(op, 0),
                    (CuteReach){.op = op,
                                .bytes = bytesOf(type),
                                .align = cuteMlirGetInteger(op, "alignment"),
                                .used = takenBySelects(prover, op)});
  CuteValue value = {.kind = CUTE_VALUE_OTHER};
  if (at && at->place->kind == CUTE_PLACE_REGISTER) {
    value = loadRegister(at);
    cuteWalkLoadLanes(prover, at, result);
  }
  CuteValue unknown =
      cuteWalkUnknown(prover, type, "an integer that is read from memory");
  cuteWalkSet(prover, result, value.kind == unknown.kind ? value : unknown);
}

static void walkStore(CuteProver *prover, MlirOperation op) {
  MlirValue stored = mlirOperationGetOperand(op, 0);
  const CuteReach *at =
      cuteWalkReach(prover, mlirOperationGetOperand(op, 1),
                    (CuteReach){.op = op,
                                .bytes = bytesOf(mlirValueGetType(stored)),
                                .align = cuteMlirGetInteger(op, "alignment"),
                                .isStore = true});
  if (at && at->place->kind == CUTE_PLACE_REGISTER) {
    storeRegister(prover, at, cuteWalkGet(prover, stored));
    cuteWalkStoreLanes(prover, at, stored);
  } else {
    cuteWalkNeedValue(prover, op, stored);
  }
}

static void reachAtomic(CuteProver *prover, MlirOperation op, int64_t bytes) {
  cuteWalkReach(prover, mlirOperationGetOperand(op, 0),
                (CuteReach){.op = op,
                            .bytes = bytes,
                            .align = bytes,
                            .isStore = true,
                            .isAtomic = true});
}

// An atomic operation, or one at an mbarrier, which has 8 bytes.
static void walkAtomic(CuteProver *prover, MlirOperation op) {
  reachAtomic(prover, op,
              cuteMlirIs(op, "llvm.atomicrmw")
                  ? bytesOf(cuteMlirGetResultType(op, 0))
                  : 8);
}

// ldmatrix and stmatrix: 8 lanes for each matrix name a row of 16 bytes.
static void walkMatrix(CuteProver *prover, MlirOperation op) {
  bool isStore = cuteMlirIs(op, "nvvm.stmatrix");
  int64_t matrices = isStore ? mlirOperationGetNumOperands(op) - 1
                             : cuteMlirGetInteger(op, "num");
  CuteTerm lane = cuteWalkGetLane(prover);
  CuteCondition names = cuteConditionAtLeast(
      cuteTermAddConstant(cuteTermScale(lane, -1), 8 * matrices - 1));
  cuteWalkReach(prover, mlirOperationGetOperand(op, 0),
                (CuteReach){.op = op,
                            .bytes = 16,
                            .align = 16,
                            .isStore = isStore,
                            .path = names});
}

// The third operand, where there is one, says how many bytes are read.
static void walkAsyncCopy(CuteProver *prover, MlirOperation op) {
  int64_t bytes = cuteMlirGetInteger(op, "size");
  CuteReach like = {.op = op,
                    .bytes = bytes,
                    .align = bytes,
                    .isStore = true,
                    .flight = CUTE_FLIGHT_CP_ASYNC};
  cuteWalkReach(prover, mlirOperationGetOperand(op, 0), like);
  like.isStore = false;
  if (mlirOperationGetNumOperands(op) > 2)
    like.path = cuteConditionIsPositive(cuteWalkGetOperand(prover, op, 2));
  cuteWalkReach(prover, mlirOperationGetOperand(op, 1), like);
}

// Tells whether nobody can make an address again of an integer: comparisons and
// gpu.printf alone get it, and what arith computes of it.
static bool isOnlyCompared(MlirOperation op) {
  bool is = true;
  CUTE_FOR_USES(use, mlirOperationGetResult(op, 0)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    is &= cuteMlirIs(user, "gpu.printf") || cuteMlirIs(user, "arith.cmpi") ||
          (cuteMlirStartsWith(cuteMlirGetName(user), "arith.") &&
           isOnlyCompared(user));
  }
  return is;
}

// Lists an atomic operation whose result nothing gets: "red.global.add.f32
// [$0], $1;".
static void walkReduction(CuteProver *prover, MlirOperation op) {
  int64_t bytes = 0;
  for (intptr_t i = 1; i < mlirOperationGetNumOperands(op); ++i)
    bytes += bytesOf(mlirValueGetType(mlirOperationGetOperand(op, i)));
  reachAtomic(prover, op, bytes);
}

// Follows inline assembly. What that of mbarriers orders is left.
static void walkAssembly(CuteProver *prover, MlirOperation op) {
  static const char product[] = "wgmma.mma_async.sync.aligned.";
  const char *all = cuteWalkGetAssembly(op), *text = strstr(all, product);
  if (strstr(all, "_wait.parity.shared") && !mlirOperationGetNumResults(op))
    walkAtomic(prover, op);
  else if (strstr(all, "mbarrier.") || !strncmp(all, "bar.arrive", 10))
    cuteWalkDoubtShared(prover, op,
                        "an arrival or test of a barrier that is not followed");
  else if (text)
    cuteWalkProduct(prover, op, text + sizeof product - 1);
  else if (!strncmp(all, "red.", 4))
    walkReduction(prover, op);
  else if (strncmp(all, "wgmma.fence", 11) &&
           strncmp(all, "tcgen05.wait::", 14))
    cuteWalkNoteBlindSpot(prover, op, false);
}

// Follows what tcgen05 does with shared memory. Its loads and stores are of
// tensor memory.
static void walkIntrinsic(CuteProver *prover, MlirOperation op) {
  static const char *const others[] = {"llvm.nvvm.tcgen05.ld.",
                                       "llvm.nvvm.tcgen05.st.",
                                       "llvm.nvvm.tcgen05.fence.",
                                       "llvm.nvvm.tcgen05.wait.",
                                       "llvm.nvvm.tcgen05.dealloc.",
                                       "llvm.nvvm.tcgen05.relinq",
                                       NULL};
  MlirStringRef name = cuteMlirString(cuteWalkGetAssembly(op));
  if (CUTE_TEXT_IS_ANY(name, "llvm.nvvm.tcgen05.alloc.shared.cg1"))
    reachAtomic(prover, op, 4);
  else if (CUTE_TEXT_IS_ANY(name, "llvm.nvvm.tcgen05.commit.shared.cg1"))
    walkAtomic(prover, op);
  else if (CUTE_TEXT_IS_ANY(name, "llvm.nvvm.tcgen05.mma.shared",
                            "llvm.nvvm.tcgen05.mma.tensor"))
    cuteWalkTensorProduct(prover, op);
  else if (!cuteMlirIsListed(name, true, others))
    cuteWalkNoteBlindSpot(prover, op, false);
}

static void walkAddress(CuteProver *prover, MlirOperation op) {
  CuteTerm address = cuteWalkGetShared(prover, mlirOperationGetOperand(op, 0));
  prover->hasAddress |= address != NULL;
  if (address)
    cuteWalkSetResult(prover, op, address);
  else if (!isOnlyCompared(op))
    cuteWalkNoteBlindSpot(prover, op, false);
}

static void walkSamePointer(CuteProver *prover, MlirOperation op) {
  cuteWalkSet(prover, mlirOperationGetResult(op, 0),
              cuteWalkGet(prover, mlirOperationGetOperand(op, 0)));
}

static const struct {
  const char *name;
  void (*function)(CuteProver *prover, MlirOperation op);
} rows[] = {
    {"llvm.alloca", walkAlloca},
    {"llvm.mlir.addressof", walkAddressOf},
    {"llvm.getelementptr", walkElementPointer},
    {"llvm.addrspacecast", walkSamePointer},
    {"llvm.load", walkLoad},
    {"llvm.store", walkStore},
    {"llvm.ptrtoint", walkAddress},
    {"llvm.inline_asm", walkAssembly},
    {"llvm.call_intrinsic", walkIntrinsic},
    {"llvm.atomicrmw", walkAtomic},
    {"nvvm.ldmatrix", walkMatrix},
    {"nvvm.stmatrix", walkMatrix},
    {"nvvm.cp.async.shared.global", walkAsyncCopy},
    {"nvvm.cp.async.bulk.tensor.shared.cluster.global", cuteWalkLoadBox},
    {"nvvm.cp.async.bulk.tensor.global.shared.cta", cuteWalkStoreBox},
    {"nvvm.mbarrier.init", walkAtomic},
    {"nvvm.mbarrier.arrive", walkAtomic},
    {"nvvm.mbarrier.arrive.expect_tx", walkAtomic},
    {"nvvm.prefetch", NULL},
    {"nvvm.mapa", NULL},
};

//===-- Which op ----------------------------------------------------------===//

// "llvm.inline_asm, which is not followed".
static const char *reasonOf(CuteProver *prover, MlirOperation op) {
  MlirStringRef name = cuteMlirGetName(op);
  return cuteArenaFormat(&prover->terms->arena, "%.*s, which is not followed",
                         (int)name.length, name.data);
}

void cuteWalkNoteBlindSpot(CuteProver *prover, MlirOperation op,
                           bool isFollowed) {
  enum { SHARED = 1u << CUTE_PLACE_SHARED };
  MlirStringRef name = cuteMlirGetName(op);
  unsigned touches = 0;
  bool isTma = cuteMlirStartsWith(name, "nvvm.cp.async.bulk");
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    touches |=
        spacesOf(mlirValueGetType(mlirOperationGetOperand(op, i)), isTma);
  if (cuteMlirIs(op, "func.call"))
    touches |= CUTE_TOUCHES_ALL;
  if (isFollowed)
    touches &= ~(unsigned)SHARED;
  if (prover->hasAddress && (cuteMlirIs(op, "llvm.inline_asm") ||
                             cuteMlirIs(op, "llvm.call_intrinsic") ||
                             cuteMlirStartsWith(name, "nvvm.tcgen05")))
    touches |= SHARED;
  static const char *const tiles[] = {"nvvm.cp.async.bulk.tensor.global",
                                      "nvvm.cp.async.bulk.tensor.reduce",
                                      "nvvm.cp.async.bulk.global", NULL};
  if (cuteMlirIsListed(name, true, tiles))
    touches |= 1u << CUTE_PLACE_MAP;
  if (touches & ~(1u << CUTE_PLACE_REGISTER))
    cuteWalkAddBlindSpot(prover,
                         (CuteBlindSpot){op, reasonOf(prover, op), touches});
}

bool cuteWalkMemory(CuteProver *prover, MlirOperation op) {
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
    if (cuteMlirIs(op, rows[i].name)) {
      cuteWalkSetUnknown(prover, op, "an integer that is read from memory");
      if (rows[i].function)
        rows[i].function(prover, op);
      return true;
    }
  cuteWalkNoteBlindSpot(prover, op, false);
  return false;
}
