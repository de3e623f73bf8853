// Copies by TMA atoms: what they ask of their operands, and their instructions.
#include "Algebra/tma_check.h"
#include "Ops/copy_atoms.h"
#include "Ops/lower_ops.h"

//===-- Checks of a copy --------------------------------------------------===//

static bool failCopy(CuteContext c, CuteType copy, CuteType type,
                     const char *problem) {
  return cuteFail(c, "%s: %s, not %s", cuteTypeGetTmaAtomValue(copy).atom->name,
                  problem, cuteTypeText(c, type));
}

// The part of mode 0 that one instruction takes; null if there is none.
static CuteLayout instructionMode(CuteContext c, CuteLayout layout,
                                  int64_t values) {
  Mode mode = layoutMode(cuteLayoutGetOuter(c, layout));
  for (;;) {
    if (isStaticValue(cuteIntTupleProduct(c, mode.shape), values))
      return cuteLayoutCoalesce(c, cuteInternLayout(c, mode), NULL);
    if (!isTuple(mode.shape) || !mode.shape->rank)
      return NULL;
    mode = modeElement(mode, 0);
  }
}

static bool isLayout(CuteContext c, CuteLayout layout, CuteLayout wanted) {
  return layout && layout == cuteLayoutCoalesce(c, wanted, NULL);
}

// The hardware swizzles addresses, the layout the sums of offsets and indices:
// they agree where the tensor begins at a multiple of the pattern. A box begins
// at a multiple of 128 bytes.
static bool checkAlignment(CuteContext c, CuteType copy, CuteType smem) {
  CuteTmaAtom tma = cuteTypeGetTmaAtomValue(copy);
  enum { BOX = 128 };
  int64_t unit = (int64_t)BOX << tma.swizzle.bits;
  CuteIntTuple offset = smem->layout->offset;
  char problem[96];
  snprintf(problem, sizeof problem,
           "the tensor in smem begins at a multiple of %jd bytes", unit);
  if (smem->align % unit)
    return failCopy(c, copy, smem, problem);
  return !offset ||
         cuteLeafDivisor(offset) * cuteTmaBytesOf(tma.element) % BOX == 0 ||
         failCopy(c, copy, smem,
                  "the offset of the tensor in smem is a multiple of 128 "
                  "bytes");
}

static bool checkShared(CuteContext c, CuteType copy, CuteType smem) {
  CuteTmaAtom tma = cuteTypeGetTmaAtomValue(copy);
  CuteSwizzle s = cuteLayoutGetSwizzle(smem->layout), t = tma.swizzle;
  int64_t values = cuteLayoutGetSize(c, tma.box)->value;
  if (smem->kind != CUTE_TYPE_TENSOR || smem->space != CUTE_SMEM ||
      cuteElementTypeGetBits(smem->element) !=
          cuteElementTypeGetBits(tma.element))
    return failCopy(c, copy, smem,
                    "one operand is a tensor in smem of the atom's elements");
  if (s.bits)
    s.base += __builtin_ctzll((uint64_t)cuteTmaBytesOf(tma.element));
  if (s.bits != t.bits || (s.bits && (s.base != t.base || s.shift != t.shift)))
    return failCopy(c, copy, smem,
                    "the tensor in smem has the swizzle that the atom was made "
                    "with");
  CuteLayout contiguous = cuteLayoutGet(c, staticInt(c, values), NULL);
  if (!isLayout(c, instructionMode(c, smem->layout, values), contiguous))
    return failCopy(c, copy, smem,
                    "mode 0 begins with a box of neighbours, as tma_partition "
                    "gives it");
  return checkAlignment(c, copy, smem);
}

static bool checkCoords(CuteContext c, CuteType copy, CuteType coords) {
  CuteTmaAtom tma = cuteTypeGetTmaAtomValue(copy);
  size_t axes[CUTE_MAX_TMA_RANK];
  int64_t values = cuteLayoutGetSize(c, tma.box)->value;
  if (coords->kind != CUTE_TYPE_COORD_TENSOR)
    return failCopy(c, copy, coords,
                    "the operand in gmem is the coordinates that make_tma_atom "
                    "and tma_partition give");
  if (!isLayout(c, instructionMode(c, coords->layout, values), tma.box))
    return failCopy(c, copy, coords,
                    "mode 0 begins with the box of the atom, as tma_partition "
                    "gives it");
  return cuteTmaAtomGetAxes(c, tma, coords->tuple, axes);
}

bool cuteTmaCheckCopy(CuteContext c, CuteCopyOperands copy) {
  bool isLoad = cuteCopyAtomIsTmaLoad(copy.copy->atom);
  CuteType smem = isLoad ? copy.destination : copy.source;
  CuteType coords = isLoad ? copy.source : copy.destination;
  if (copy.predicate)
    return failCopy(c, copy.copy, copy.predicate,
                    "a copy has no predicate, as boxes are clipped at the "
                    "tensor's edges");
  if (smem->layout->shape->numDynamic || coords->layout->shape->numDynamic)
    return failCopy(c, copy.copy, coords,
                    "a copy has static extents (slice the rest)");
  if (!checkShared(c, copy.copy, smem) || !checkCoords(c, copy.copy, coords))
    return false;
  return cuteLayoutGetSize(c, smem->layout) ==
             cuteLayoutGetSize(c, coords->layout) ||
         failCopy(c, copy.copy, coords, "both operands have one size");
}

//===-- Caches ------------------------------------------------------------===//

// Policies that createpolicy makes for all of the data, in the order of the
// declared words: normal, first and last (CUTLASS, TMA::CacheHintSm90).
static const int64_t evictions[] = {0x1000000000000000, 0x12F0000000000000,
                                    0x14F0000000000000};

int64_t cuteTmaGetBytes(CuteContext c, CuteType atom) {
  CuteTmaAtom tma = cuteTypeGetTmaAtomValue(atom);
  return cuteLayoutGetSize(c, tma.values)->value * cuteTmaBytesOf(tma.element);
}

int64_t cuteTmaGetCachePolicy(const CuteOp *op) {
  int cache = cuteOpGetWord(op, "cache");
  return cache < 0 ? 0 : evictions[cache];
}

//===-- Lowering ----------------------------------------------------------===//

bool cuteCopyAtomHasBarrier(const CuteCopyAtom *atom) {
  return atom->kind->to != CUTE_IN_GMEM;
}

// The op that gives an atom a barrier, a hint or rows; null if there is none.
static MlirOperation withOf(CuteLowering *l, MlirValue atom, CuteOpId id) {
  MlirType type = mlirValueGetType(atom);
  while (mlirValueIsAOpResult(atom)) {
    MlirOperation op = mlirOpResultGetOwner(atom);
    if (cuteDialectIsOp(l->dialect, op, id))
      return op;
    if (!getNumOperands(op))
      break;
    atom = getOperand(op, 0);
    if (!mlirTypeEqual(mlirValueGetType(atom), type))
      break;
  }
  return (MlirOperation){NULL};
}

static MlirValue maskOf(CuteLowering *l, MlirOperation barrier) {
  if (getNumOperands(barrier) < 3)
    return (MlirValue){NULL};
  MlirValue mask = getOperand(barrier, 2);
  MlirType i16 = cuteIntType(&l->builder, 16);
  const CuteLowered *tuple = cuteLoweringGet(l, mask);
  if (tuple)
    mask = cuteLoweringGetInteger(l, tuple->type->tuple, 32);
  unsigned width = mlirIntegerTypeGetWidth(mlirValueGetType(mask));
  return width == 16
             ? mask
             : cuteBuildUnary(&l->builder,
                              width > 16 ? "arith.trunci" : "arith.extui", mask,
                              i16);
}

bool cuteTmaGetBarrier(CuteLowering *lowering, MlirValue atom,
                       const CuteCopyAtom *row, MlirValue *barrier,
                       MlirValue *mask) {
  *barrier = *mask = (MlirValue){NULL};
  if (!cuteCopyAtomHasBarrier(row))
    return true;
  MlirOperation with = withOf(lowering, atom, CUTE_OP_WITH_BARRIER);
  if (mlirOperationIsNull(with))
    return cuteFail(lowering->context,
                    "a copy by %s needs a barrier: give it the result of "
                    "cute.with_barrier(atom, barrier)",
                    row->name);
  *barrier = cuteLoweringGetBytePointer(
      lowering, *cuteLoweringGet(lowering, getOperand(with, 1)));
  *mask = maskOf(lowering, with);
  return true;
}

MlirValue cuteTmaGetPolicy(CuteLowering *lowering, MlirValue atom) {
  MlirOperation with = withOf(lowering, atom, CUTE_OP_WITH_BARRIER);
  if (mlirOperationIsNull(with))
    with = withOf(lowering, atom, CUTE_OP_WITH_CACHE);
  if (mlirOperationIsNull(with))
    return (MlirValue){NULL};
  CuteOp op = cuteDialectGetOp(
      lowering->dialect, cuteDialectGetDecl(lowering->dialect, with), with);
  int64_t policy = cuteTmaGetCachePolicy(&op);
  return policy ? cuteBuildInt(&lowering->builder, 64, policy)
                : (MlirValue){NULL};
}

enum { MAX_OPERANDS = 3 + 2 * CUTE_MAX_TMA_RANK + 3 };

typedef struct Operands {
  MlirValue values[MAX_OPERANDS];
  size_t count;
} Operands;

static void add(Operands *operands, MlirValue value) {
  operands->values[operands->count++] = value;
}

// Returns whether the value is not null.
static int32_t addOptional(Operands *operands, MlirValue value) {
  if (mlirValueIsNull(value))
    return 0;
  add(operands, value);
  return 1;
}

// Adds the numbers that a copy's atom was given, from the `first` on.
static bool addRows(CuteLowering *l, const CuteCopyAtom *atom,
                    CuteIntTuple first, Operands *operands) {
  MlirOperation with =
      withOf(l, cuteLoweringGetOperand(l, 0), CUTE_OP_WITH_ROWS);
  if (mlirOperationIsNull(with))
    return cuteFail(l->context,
                    "a copy by %s needs the numbers of its rows: give it the "
                    "result of cute.with_rows(atom, rows)",
                    atom->name);
  CuteLowered rows = *cuteLoweringGet(l, getOperand(with, 1));
  for (int64_t i = 0; i < CUTE_TMA_ROWS; ++i) {
    CuteIntTuple at = cuteLeafAdd(l->context, first, staticInt(l->context, i));
    MlirValue address = cuteLoweringGetAddress(l, rows, at);
    add(operands, cuteLoweringLoad(l, address, cuteIntType(&l->builder, 32),
                                   (int64_t)sizeof(int32_t)));
  }
  return true;
}

// The coordinate of the box, the innermost first, or a column and rows; returns
// how many, 0 with a message.
static int32_t addCoords(CuteLowering *l, CuteTmaAtom tma, CuteType coords,
                         Operands *operands) {
  CuteContext c = l->context;
  size_t axes[CUTE_MAX_TMA_RANK], before = operands->count;
  size_t rank = cuteTmaAtomGetAxes(c, tma, coords->tuple, axes);
  Modes leaves = {0};
  modesPushLeaves(c, &leaves, tupleMode(coords->tuple));
  for (size_t i = 0; i < (tma.atom->isOfRows ? 1 : rank); ++i)
    add(operands, cuteLoweringGetInteger(l, leaves.data[axes[i]].shape, 32));
  if (tma.atom->isOfRows &&
      !addRows(l, tma.atom, leaves.data[axes[1]].shape, operands))
    return 0;
  return (int32_t)(operands->count - before);
}

// Adds the place within the filter, the innermost mode first; returns how many.
static size_t addPlaces(CuteLowering *l, CuteType coords, Operands *operands) {
  const CuteBuilder *b = &l->builder;
  CuteIntTuple places = coords->tuple->elements[1];
  size_t n = isTuple(places) ? places->rank : 1;
  for (size_t i = 0; i < n; ++i) {
    MlirValue place = cuteLoweringGetInteger(l, element(places, n - 1 - i), 32);
    add(operands, trunci(b, place, cuteIntType(b, 16)));
  }
  return n;
}

static MlirAttribute segments(const CuteBuilder *b, size_t n,
                              const int32_t *sizes) {
  return mlirDenseI32ArrayGet(b->context, (intptr_t)n, sizes);
}

MlirValue cuteTmaGetMap(CuteLowering *lowering) {
  MlirValue map = cuteLoweringGetLowered(lowering, 0)->pointer;
  if (mlirValueIsNull(map))
    cuteFail(
        lowering->context,
        "the atom has no tensor map: the launcher makes that of a parameter "
        "of the kernel, and only for the atom itself, not through "
        "branches, loops and calls; others need cute.with_tensor_map");
  return map;
}

// The same barrier of the first block of the pair. It is an address of shared
// memory as the block's own are.
static MlirValue firstOfPair(CuteLowering *l, MlirValue barrier) {
  const CuteBuilder *b = &l->builder;
  MlirType i64 = cuteIntType(b, 64);
  MlirValue rank = cuteBuildResult(b, "nvvm.read.ptx.sreg.cluster.ctarank", 0,
                                   NULL, cuteIntType(b, 32));
  MlirValue operands[] = {barrier, andiWith(b, rank, ~1)};
  MlirValue there = cuteBuildResult(b, "nvvm.mapa", 2, operands,
                                    cuteParsedType(b, "!llvm.ptr<7>"));
  return cuteBuildUnary(b, "llvm.inttoptr",
                        cuteBuildUnary(b, "llvm.ptrtoint", there, i64),
                        mlirValueGetType(barrier));
}

// Gives the address of the box: the hardware swizzles that of each piece.
static MlirValue boxAddress(CuteLowering *l, const CuteLowered *smem) {
  CuteLayout layout = smem->type->layout;
  if (!layout->offset || !cuteLayoutGetSwizzle(layout).bits)
    return cuteLoweringGetAddress(l, *smem, staticInt(l->context, 0));
  return cuteLoweringAdvance(l, smem->pointer, smem->type->element,
                             layout->offset);
}

static bool lowerLoad(CuteLowering *l, const CuteLowered *coords,
                      const CuteLowered *smem) {
  const CuteBuilder *b = &l->builder;
  MlirValue atom = cuteLoweringGetOperand(l, 0), barrier, mask;
  CuteTmaAtom tma = cuteTypeGetTmaAtomValue(cuteLoweringGet(l, atom)->type);
  MlirValue map = cuteTmaGetMap(l);
  if (mlirValueIsNull(map) ||
      !cuteTmaGetBarrier(l, atom, tma.atom, &barrier, &mask))
    return false;
  Operands operands = {.count = 0};
  bool isPair = tma.atom->isPair, isIm2col = tma.atom->isIm2col;
  bool isOwn = tma.atom->isOfRows && !isPair && !tma.atom->isMulticast;
  MlirValue to = boxAddress(l, smem);
  add(&operands,
      isOwn ? to
            : cuteBuildUnary(&l->builder, "llvm.addrspacecast", to,
                             cuteParsedType(&l->builder, "!llvm.ptr<7>")));
  add(&operands, map);
  int32_t sizes[] = {1, 1, 0, 1, 0, 0, 0, 0};
  sizes[2] = addCoords(l, tma, coords->type, &operands);
  if (!sizes[2])
    return false;
  add(&operands, isPair ? firstOfPair(l, barrier) : barrier);
  if (isIm2col)
    sizes[4] = (int32_t)addPlaces(l, coords->type, &operands);
  sizes[5] = addOptional(&operands, mask);
  sizes[6] = addOptional(&operands, cuteTmaGetPolicy(l, atom));
  CuteNamedAttribute attributes[] = {
      {"isCTAOnly", cuteIntAttr(b, 1, isOwn)},
      {"mode", cuteParsedAttr(b, isIm2col ? "#nvvm.tma_load_mode<im2col>"
                                 : tma.atom->isOfRows
                                     ? "#nvvm.tma_load_mode<tile_gather4>"
                                     : "#nvvm.tma_load_mode<tile>")},
      {"operandSegmentSizes", segments(b, 8, sizes)},
      {"group", cuteParsedAttr(b, "#nvvm.cta_group<cta_2>")}};
  CUTE_BUILD(b, "nvvm.cp.async.bulk.tensor.shared.cluster.global",
             .numOperands = operands.count, .operands = operands.values,
             .numAttributes = 3 + isPair, .attributes = attributes);
  return true;
}

// Stores and reductions.
static bool lowerStore(CuteLowering *l, const CuteLowered *smem,
                       const CuteLowered *coords) {
  const CuteBuilder *b = &l->builder;
  MlirValue map = cuteTmaGetMap(l);
  CuteTmaAtom tma = cuteTypeGetTmaAtomValue(cuteLoweringGetLowered(l, 0)->type);
  if (mlirValueIsNull(map))
    return false;
  bool isReduction = tma.atom->reduction;
  Operands operands = {.count = 0};
  add(&operands, map);
  add(&operands, boxAddress(l, smem));
  int32_t sizes[] = {1, 1, 0, 0, 0};
  sizes[2] = addCoords(l, tma, coords->type, &operands);
  if (!sizes[2])
    return false;
  sizes[3] =
      addOptional(&operands, cuteTmaGetPolicy(l, cuteLoweringGetOperand(l, 0)));
  CUTE_SCOPED(String) kind = {0};
  cuteStringAppendFormat(&kind, "#nvvm.tma_redux_kind<%s>",
                         isReduction ? tma.atom->reduction : "add");
  CuteNamedAttribute attributes[] = {
      {"mode",
       cuteParsedAttr(b, tma.atom->isIm2col ? "#nvvm.tma_store_mode<im2col>"
                         : tma.atom->isOfRows
                             ? "#nvvm.tma_store_mode<tile_scatter4>"
                             : "#nvvm.tma_store_mode<tile>")},
      {"operandSegmentSizes", segments(b, isReduction ? 4 : 5, sizes)},
      {"redKind", isReduction ? cuteParsedAttr(b, cuteStringGet(&kind))
                              : (MlirAttribute){NULL}}};
  CUTE_BUILD(b,
             isReduction ? "nvvm.cp.async.bulk.tensor.reduce"
                         : "nvvm.cp.async.bulk.tensor.global.shared.cta",
             .numOperands = operands.count, .operands = operands.values,
             .numAttributes = 3, .attributes = attributes);
  return true;
}

bool cuteLowerTmaCopy(CuteLowering *lowering, CuteCopyOperands types) {
  const CuteLowered *from = cuteLoweringGetLowered(lowering, 1);
  const CuteLowered *to = cuteLoweringGetLowered(lowering, 2);
  return cuteCopyAtomIsTmaLoad(types.copy->atom)
             ? lowerLoad(lowering, from, to)
             : lowerStore(lowering, from, to);
}
