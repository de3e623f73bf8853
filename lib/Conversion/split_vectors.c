// cute-split-vectors: elementwise ops on long vectors in gpu.modules become ops
// on pieces of 16 elements, each where the first of its elements is needed. So
// only one piece's intermediate values are alive at once, not all elements'.
// ptxas orders the instructions of a basic block as it likes, and mixes pieces
// until registers are full, so that each piece of a long function begins a
// block: after a branch that is never taken. LLVM would sink what follows the
// function to where its results are stored, past the other pieces, and keep
// more alive: results go through an instruction that it does not move.
//
// An op is split if all that is done with its result is to take elements of it,
// elementwise or by extract and shuffle, in its block or in regions of ops
// there. A block is read from its end, so that the uses of an op are split
// before it.
#include "Conversion/conversion.h"
#include "IR/effects.h"
#include "Ops/vector.h"

enum { PIECE = 8, MIN_SIZE = 64, MAX_PIECES = CUTE_MAX_VECTOR / PIECE };

typedef struct Splitter {
  CuteDialect *dialect;
  MlirBlock block;
  CutePointerMap places; // of an op of the block: its number + 1
  CutePointerMap longs;  // ops of the block that depend on a long function
  MlirOperation *fronts; // by number: where what is needed there goes
  unsigned *numBlocks;   // that were begun in the module
} Splitter;

// A vector whose elements are needed.
typedef struct Split {
  MlirOperation op;
  int64_t size;
  size_t first[MAX_PIECES];     // where a piece is needed first; SIZE_MAX:
                                // nowhere
  MlirValue pieces[MAX_PIECES]; // null: not needed
  bool isResult;                // single elements are taken of a long function
} Split;

//===-- Vectors -----------------------------------------------------------===//

// The number of elements of a vector of rank 1, or 0.
static int64_t sizeOf(MlirValue value) {
  MlirType type = mlirValueGetType(value);
  return mlirTypeIsAVector(type) && mlirShapedTypeGetRank(type) == 1 &&
                 !mlirVectorTypeIsScalable(type)
             ? mlirShapedTypeGetDimSize(type, 0)
             : 0;
}

static MlirType typeOf(MlirValue vector, int64_t size) {
  return mlirVectorTypeGet(
      1, &size, mlirShapedTypeGetElementType(mlirValueGetType(vector)));
}

// Tells whether the op takes elements [0, *count) of the indices out of one
// vector; indices may be null.
static bool takesElements(MlirOperation op, int64_t *count, int64_t *indices) {
  const char *name = "static_position";
  if (cuteMlirIs(op, "vector.shuffle"))
    name = "mask";
  else if (!cuteMlirIs(op, "vector.extract"))
    return false;
  MlirValue vector = getOperand(op, 0);
  MlirAttribute list = cuteMlirGetAttribute(op, name);
  *count = (int64_t)mlirDenseArrayGetNumElements(list);
  if (!sizeOf(vector) || *count > CUTE_MAX_VECTOR)
    return false;
  for (int64_t i = 0; indices && i < *count; ++i) {
    indices[i] = mlirDenseI64ArrayGetElement(list, (intptr_t)i);
    if (indices[i] < 0)
      return false;
    indices[i] %= sizeOf(vector);
  }
  return *name == 'm' ? mlirValueEqual(vector, getOperand(op, 1))
                      : getNumOperands(op) == 1 && *count == 1;
}

static MlirValue chooseElements(const CuteBuilder *b, MlirOperation elements,
                                int64_t count, const int64_t *indices,
                                MlirType type) {
  MlirValue chosen[CUTE_MAX_VECTOR];
  for (int64_t i = 0; i < count; ++i)
    chosen[i] = getOperand(elements, (intptr_t)indices[i]);
  return cuteBuildResult(b, "vector.from_elements", (size_t)count, chosen,
                         type);
}

// A constant of equal elements, or null.
static MlirValue splat(const CuteBuilder *b, MlirOperation op, MlirType type) {
  MlirAttribute value = cuteMlirGetAttribute(op, "value");
  if (!cuteMlirIs(op, "arith.constant") ||
      !mlirAttributeIsADenseElements(value) ||
      !mlirDenseElementsAttrIsSplat(value))
    return (MlirValue){NULL};
  return cuteBuildAttribute(
      b, mlirDenseElementsAttrSplatGet(
             type, mlirDenseElementsAttrGetSplatValue(value)));
}

// A vector of these elements.
static MlirValue take(const CuteBuilder *b, MlirValue vector, int64_t count,
                      const int64_t *indices) {
  MlirType type = typeOf(vector, count);
  if (!mlirValueIsABlockArgument(vector)) {
    MlirOperation op = mlirOpResultGetOwner(vector);
    MlirValue constant = splat(b, op, type);
    if (!mlirValueIsNull(constant))
      return constant;
    if (cuteMlirIs(op, "vector.from_elements"))
      return chooseElements(b, op, count, indices, type);
    if (cuteMlirIs(op, "vector.broadcast") &&
        !mlirTypeIsAVector(cuteMlirGetOperandType(op, 0)))
      return cuteBuildUnary(b, "vector.broadcast", getOperand(op, 0), type);
  }
  return cuteBuildVectorShuffle(b, vector, count, indices);
}

//===-- What can be split -------------------------------------------------===//

// Tells whether the result's elements are computed from the operands' elements
// of the same index, and from scalars.
static bool isElementwise(MlirOperation op, int64_t size) {
  MlirStringRef name = cuteMlirGetName(op);
  if (cuteMlirIs(op, "arith.constant") ||
      !(cuteMlirStartsWith(name, "arith.") ||
        cuteMlirStartsWith(name, "math.")))
    return false;
  CUTE_FOR_OPERANDS(operand, op)
    if (mlirTypeIsAVector(mlirValueGetType(operand)) && sizeOf(operand) != size)
      return false;
  return true;
}

static size_t placeOf(Splitter *s, MlirOperation op) {
  return (size_t)cutePointerMapGet(&s->places, op.ptr) - 1;
}

// Tells whether an op gives elements that memory takes.
static bool isStored(MlirOperation op) {
  CUTE_FOR_USES(use, getResult(op, 0))
    if (cuteMlirIs(mlirOpOperandGetOwner(use), "llvm.store"))
      return true;
  return false;
}

// Notes where each piece is needed first. False if more than elements are.
static bool findUses(Splitter *s, Split *split) {
  int64_t indices[CUTE_MAX_VECTOR], count;
  for (size_t i = 0; i < MAX_PIECES; ++i)
    split->first[i] = SIZE_MAX;
  CUTE_FOR_USES(use, getResult(split->op, 0)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    MlirOperation place = cuteMlirGetAncestor(s->block, user);
    if (mlirOperationIsNull(place) || !takesElements(user, &count, indices))
      return false;
    size_t at = placeOf(s, place);
    split->isResult |= (count < PIECE || isStored(user)) &&
                       cutePointerMapGet(&s->longs, split->op.ptr);
    for (int64_t i = 0; i < count; ++i) {
      size_t *first = &split->first[indices[i] / PIECE];
      *first = at < *first ? at : *first;
    }
  }
  return true;
}

static bool canSplit(Splitter *s, Split *split) {
  MlirOperation op = split->op;
  if (getNumResults(op) != 1 || mlirOperationGetNumRegions(op))
    return false;
  split->size = sizeOf(getResult(op, 0));
  int64_t count;
  return split->size >= MIN_SIZE && split->size <= CUTE_MAX_VECTOR &&
         (cuteMlirIs(op, "vector.shuffle") ? takesElements(op, &count, NULL)
                                           : isElementwise(op, split->size)) &&
         cuteEffectGet(s->dialect, op) == CUTE_EFFECT_NONE &&
         findUses(s, split);
}

//===-- Splitting ---------------------------------------------------------===//

// Notes that an op was built before everything at that place.
static MlirValue notePlaced(Splitter *s, size_t at, MlirValue value) {
  MlirOperation op = mlirOpResultGetOwner(value);
  cutePointerMapSet(&s->places, op.ptr, (void *)(at + 1));
  s->fronts[at] = op;
  return value;
}

// Elements of a vector, before everything at that place.
static MlirValue takeAt(Splitter *s, size_t at, MlirValue vector, int64_t count,
                        const int64_t *indices) {
  CuteBuilder b = cuteBuilderBefore(s->fronts[at]);
  return notePlaced(s, at, take(&b, vector, count, indices));
}

// The op on elements [first, first + size).
static MlirValue buildPiece(Splitter *s, MlirOperation op, size_t at,
                            int64_t first, int64_t size) {
  int64_t indices[CUTE_MAX_VECTOR], count;
  if (takesElements(op, &count, indices))
    return takeAt(s, at, getOperand(op, 0), size, indices + first);
  MlirOperation piece = mlirOperationClone(op);
  mlirBlockInsertOwnedOperationBefore(s->block, s->fronts[at], piece);
  MlirValue result = notePlaced(s, at, getResult(piece, 0));
  mlirValueSetType(result, typeOf(result, size));
  for (int64_t i = 0; i < size; ++i)
    indices[i] = first + i;
  for (intptr_t i = 0; i < getNumOperands(op); ++i) {
    MlirValue operand = getOperand(op, i);
    if (sizeOf(operand))
      mlirOperationSetOperand(piece, i, takeAt(s, at, operand, size, indices));
  }
  return result;
}

// The elements out of the pieces. Builds ops whose first is *first, or
// none.
static MlirValue takeOfPieces(const CuteBuilder *b, const Split *split,
                              int64_t count, int64_t *indices,
                              MlirOperation *first) {
  MlirValue elements[CUTE_MAX_VECTOR];
  MlirValue piece = split->pieces[indices[0] / PIECE];
  bool isWhole = sizeOf(piece) == count;
  for (int64_t i = 0; i < count; ++i)
    isWhole &=
        indices[i] / PIECE == indices[0] / PIECE && indices[i] % PIECE == i;
  if (isWhole)
    return piece;
  for (int64_t i = 0; i < count; ++i)
    elements[i] = cuteBuildVectorExtract(b, split->pieces[indices[i] / PIECE],
                                         indices[i] % PIECE);
  *first = mlirOpResultGetOwner(elements[0]);
  return cuteBuildResult(b, "vector.from_elements", (size_t)count, elements,
                         typeOf(piece, count));
}

// Forgets an op of the block. `first` is the first of the ops built before it,
// or the op itself.
static void removeOp(Splitter *s, MlirOperation op, MlirOperation first) {
  if (mlirBlockEqual(mlirOperationGetBlock(op), s->block)) {
    size_t at = placeOf(s, op);
    if (mlirOperationEqual(s->fronts[at], op))
      s->fronts[at] = mlirOperationEqual(first, op)
                          ? mlirOperationGetNextInBlock(op)
                          : first;
    for (; !mlirOperationEqual(first, op);
         first = mlirOperationGetNextInBlock(first))
      cutePointerMapSet(&s->places, first.ptr, (void *)(at + 1));
  }
  mlirOperationDestroy(op);
}

// Has an op that takes elements of the whole take them from the pieces.
static void replaceUse(Splitter *s, const Split *split, MlirOperation user) {
  int64_t indices[CUTE_MAX_VECTOR], count;
  CuteBuilder b = cuteBuilderBefore(user);
  MlirOperation first = user;
  MlirValue value;
  takesElements(user, &count, indices);
  if (cuteMlirIs(user, "vector.extract")) {
    value = cuteBuildVectorExtract(&b, split->pieces[indices[0] / PIECE],
                                   indices[0] % PIECE);
    first = mlirOpResultGetOwner(value);
  } else {
    value = takeOfPieces(&b, split, count, indices, &first);
  }
  cuteMlirReplace(user, 0, value);
  removeOp(s, user, first);
}

// Begins a basic block of ptxas before the op. The condition, on the number of
// blocks, is false on all devices. It is another one each time, as ptxas drops
// what it knows from an earlier branch.
static void beginBlock(Splitter *s, MlirOperation op) {
  CuteBuilder b = cuteBuilderBefore(op);
  char text[128];
  snprintf(text, sizeof text,
           "{ .reg .b32 n; .reg .pred p; mov.u32 n, %%nctaid.x; "
           "setp.eq.u32 p, n, 0x%x; @p exit; }",
           UINT32_MAX - (*s->numBlocks)++);
  cuteBuildAsm(&b, text, "", 0, NULL, (MlirType){NULL});
}

// A piece that is computed before all that comes after it.
static MlirValue pin(MlirValue piece) {
  MlirType type = mlirValueGetType(piece);
  int64_t bits = cuteMlirGetBits(type);
  int64_t count = bits / 32;
  if (!count || bits % 32)
    return piece;
  CuteBuilder b = cuteBuilderBefore(
      mlirOperationGetNextInBlock(mlirOpResultGetOwner(piece)));
  MlirType i32 = cuteIntType(&b, 32);
  MlirType words = mlirVectorTypeGet(1, &count, i32);
  MlirValue all = cuteBuildUnary(&b, "vector.bitcast", piece, words);
  MlirValue pinned[CUTE_MAX_VECTOR];
  for (int64_t i = 0; i < count; ++i) {
    MlirValue word = cuteBuildVectorExtract(&b, all, i);
    pinned[i] = cuteBuildAsm(&b, "mov.b32 $0, $1;", "=r,r", 1, &word, i32);
  }
  all =
      cuteBuildResult(&b, "vector.from_elements", (size_t)count, pinned, words);
  return cuteBuildUnary(&b, "vector.bitcast", all, type);
}

static void splitOp(Splitter *s, Split *split) {
  bool isLong = cuteMathIsLong(split->op);
  for (int64_t i = 0; i * PIECE < split->size; ++i) {
    int64_t rest = split->size - i * PIECE;
    if (split->first[i] == SIZE_MAX)
      continue;
    split->pieces[i] = buildPiece(s, split->op, split->first[i], i * PIECE,
                                  rest < PIECE ? rest : PIECE);
    if (isLong)
      beginBlock(s, mlirOpResultGetOwner(split->pieces[i]));
    if (split->isResult)
      split->pieces[i] = pin(split->pieces[i]);
  }
  MlirValue whole = getResult(split->op, 0);
  for (MlirOpOperand use = mlirValueGetFirstUse(whole);
       !mlirOpOperandIsNull(use); use = mlirValueGetFirstUse(whole))
    replaceUse(s, split, mlirOpOperandGetOwner(use));
  removeOp(s, split->op, split->op);
}

//===-- The pass ----------------------------------------------------------===//

static void noteLong(Splitter *s, MlirOperation op) {
  bool isLong = cuteMathIsLong(op);
  CUTE_FOR_OPERANDS(operand, op)
    isLong |= !mlirValueIsABlockArgument(operand) &&
              cutePointerMapGet(&s->longs, mlirOpResultGetOwner(operand).ptr);
  if (isLong)
    cutePointerMapSet(&s->longs, op.ptr, op.ptr);
}

static void splitBlock(CuteDialect *dialect, MlirBlock block,
                       unsigned *numBlocks);

static void splitRegions(CuteDialect *dialect, MlirOperation op,
                         unsigned *numBlocks) {
  CUTE_FOR_INNER_BLOCKS(block, op)
    splitBlock(dialect, block, numBlocks);
}

static void splitBlock(CuteDialect *dialect, MlirBlock block,
                       unsigned *numBlocks) {
  Splitter s = {.dialect = dialect, .block = block, .numBlocks = numBlocks};
  CuteOps ops = {0}, fronts = {0};
  CUTE_FOR_OPS(op, block) {
    cuteOpsPush(&ops, op);
    cuteOpsPush(&fronts, op);
    cutePointerMapSet(&s.places, op.ptr, (void *)ops.count);
    noteLong(&s, op);
  }
  s.fronts = fronts.data;
  for (size_t i = ops.count; i-- > 0;) {
    Split split = {.op = ops.data[i]};
    splitRegions(dialect, ops.data[i], numBlocks);
    if (canSplit(&s, &split))
      splitOp(&s, &split);
  }
  cutePointerMapDestroy(&s.longs);
  cutePointerMapDestroy(&s.places);
}

static bool splitModule(CuteDialect *dialect, MlirOperation module) {
  unsigned numBlocks = 0;
  CUTE_FOR_NESTED(op, module)
    if (getNumResults(op) && sizeOf(getResult(op, 0)) >= MIN_SIZE &&
        cuteMathIsLong(op)) {
      splitRegions(dialect, module, &numBlocks);
      break;
    }
  return true;
}

bool cuteRunSplitVectors(const CutePass *pass) {
  return cuteFunctionForEach(pass->dialect, pass->root, "gpu.module",
                             splitModule);
}
