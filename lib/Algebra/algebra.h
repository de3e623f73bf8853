// Shared by the files of the algebra: the nodes, interning, leaf arithmetic
// and the flat view of a layout on which most algorithms work.
//
// Conventions: a null CuteIntTuple is a failed computation. Constructors and
// leaf arithmetic take null operands and pass them on, so that algorithms check
// at their end only. Scratch memory comes from the context and is given back by
// the public function that started the computation.
#pragma once

#include "cute/Layout.h"

#include "Support/arena.h"
#include "Support/hash_table.h"

//===-- Nodes -------------------------------------------------------------===//

enum { // flags of a node: what occurs anywhere below it
  HAS_UNDERSCORE = 1,
  HAS_BASIS = 2,
  HAS_ERROR = 4,
};

struct CuteIntTupleImpl {
  uint64_t hash;
  uint8_t kind;  // CuteIntTupleKind
  uint8_t flags; // HAS_*
  uint8_t width; // dynamic: bits
  uint16_t depth;
  uint32_t rank; // tuple: elements; otherwise 1
  uint32_t numLeaves, numDynamic;
  uint32_t numTuples;           // in the tree, itself included
  uint32_t id;                  // dynamic: which value, 0 if anonymous
  int64_t value;                // static: the integer; dynamic: the divisor
  const CuteIntTuple *elements; // tuple: rank elements; basis: value, path
};

typedef enum InnerKind { INNER_NONE, INNER_SWIZZLE, INNER_LAYOUT } InnerKind;

struct CuteLayoutImpl {
  uint64_t hash;
  CuteIntTuple shape, stride;
  uint8_t innerKind; // InnerKind
  CuteSwizzle swizzle;
  CuteLayout inner;    // INNER_LAYOUT: a plain layout
  CuteIntTuple offset; // not INNER_NONE
};

typedef enum TileKind { TILE_UNDERSCORE, TILE_LAYOUT, TILE_TUPLE } TileKind;

struct CuteTileImpl {
  uint64_t hash;
  uint8_t kind; // TileKind
  uint16_t depth;
  uint32_t rank; // tuple: elements; otherwise 1
  uint32_t numLeaves, numDynamic;
  uint32_t numTuples;       // in the tree, itself included
  CuteLayout layout;        // TILE_LAYOUT
  const CuteTile *elements; // TILE_TUPLE
};

//===-- Context -----------------------------------------------------------===//

enum { SMALLEST_CACHED = -64, NUM_CACHED = 4096 };

struct CuteContextImpl {
  CuteArena nodes, scratch;
  CuteHashTable tuples, layouts, tiles, types;
  CuteIntTuple cachedInts[NUM_CACHED]; // SMALLEST_CACHED + i
  CuteIntTuple underscore;             // null until it is first asked for
  CuteString error;
  const struct CuteLeafArithmetic *arithmetic;
  void *arithmeticData;
  struct CuteTrace *trace; // see explain.h; null while nobody listens
  bool tracksDivisors;     // see cuteContextTrackDivisors
  uint8_t laws;            // CuteLawPolicy
  CuteString *warnings;    // CUTE_MAX_WARNINGS of them, null until the first
  size_t numWarnings;
};

// Uninitialized memory of the context, until a scope of its scratch arena ends.
static inline void *cuteScratch(CuteContext context, size_t size) {
  return cuteArenaAllocate(&context->scratch, size);
}

// Sets the message; returns null, to be returned by the caller.
void *cuteFail(CuteContext context, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

// Like cuteFail, where the message ends in a rendering of the tuples, for
// instance "slice: coordinate (1,2) against (3,(4,5))".
void *cuteFailTuple(CuteContext context, const char *text, CuteIntTuple tuple);
void *cuteFailTuples(CuteContext context, const char *before, CuteIntTuple a,
                     const char *between, CuteIntTuple b);

//===-- Leaf arithmetic ---------------------------------------------------===//

typedef enum CuteLeafOp {
  CUTE_LEAF_ADD,
  CUTE_LEAF_SUB,
  CUTE_LEAF_MUL,
  CUTE_LEAF_DIV, // toward zero
  CUTE_LEAF_MOD, // sign of the dividend
  CUTE_LEAF_CEIL_DIV,
  CUTE_LEAF_MIN,
  CUTE_LEAF_MAX,
  CUTE_LEAF_ABS,
  CUTE_LEAF_SIGNUM,
  CUTE_LEAF_AND,
  CUTE_LEAF_XOR,
  CUTE_LEAF_SHL,
  CUTE_LEAF_SHR,       // logical
  CUTE_LEAF_SHAPE_DIV, // a / b, or signum(a) * signum(b) where that is 0
  CUTE_LEAF_SELECT_LT, // a < b ? c : d
} CuteLeafOp;

// Does an operation on leaves, at least one dynamic: the one place
// where inference, evaluation and emission of IR differ. Operands that are
// static among themselves, and the folds with 0 and 1, never get here.
// `operands` has 1, 2 or 4 leaves; the result has `width` bits. Returns a
// static or dynamic leaf, null after an error.
typedef struct CuteLeafArithmetic {
  CuteIntTuple (*apply)(void *data, CuteContext context, CuteLeafOp op,
                        const CuteIntTuple *operands, unsigned width,
                        int64_t divisor);
} CuteLeafArithmetic;

// The arithmetic that CUTE_SCOPED(Arithmetic) installs again when it ends.
typedef struct CuteArithmetic {
  CuteContext context;
  const CuteLeafArithmetic *before;
  void *data;
} CuteArithmetic;

// Installs an arithmetic; null installs inference, whose results are anonymous
// dynamic leaves.
CuteArithmetic cuteArithmeticBegin(CuteContext context,
                                   const CuteLeafArithmetic *arithmetic,
                                   void *data);
void cuteArithmeticDestroy(CuteArithmetic *arithmetic);

// While on, every dynamic result carries the divisor that follows from its
// operands; while off (the open dialect's rule) only divisors that follow from
// a written one. Returns the setting before.
bool cuteContextTrackDivisors(CuteContext context, bool on);

// Replaces dynamic leaves in order by the leaves that `next` points to, which
// it advances. Composed layouts: shape, stride, offset, then A.
CuteIntTuple cuteIntTupleBind(CuteContext c, CuteIntTuple tuple,
                              const CuteIntTuple **next);
CuteLayout cuteLayoutBind(CuteContext c, CuteLayout layout,
                          const CuteIntTuple **next);
CuteTile cuteTileBind(CuteContext c, CuteTile tile, const CuteIntTuple **next);

// Writes the dynamic leaves in the same order and advances `next`.
void cuteIntTupleCollectDynamic(CuteIntTuple tuple, CuteIntTuple **next);
void cuteLayoutCollectDynamic(CuteLayout layout, CuteIntTuple **next);
void cuteTileCollectDynamic(CuteTile tile, CuteIntTuple **next);

// The dynamic leaf of value number `id` of an arithmetic.
CuteIntTuple cuteDynamicLeaf(CuteContext context, unsigned width,
                             int64_t divisor, uint32_t id);

// The largest known divisor of a static or dynamic leaf; 0 for static 0.
int64_t cuteLeafDivisor(CuteIntTuple leaf);

// Bits in which the leaf takes part in arithmetic: its width, or for a static
// leaf 32 if it fits, else 64.
unsigned cuteLeafWidth(CuteIntTuple leaf);

// A static leaf as a value that the arithmetic at hand computes: for the place
// of a `?` that must not turn static.
CuteIntTuple cuteLeafToDynamic(CuteContext c, CuteIntTuple leaf, unsigned width,
                               int64_t divisor);

CuteIntTuple cuteLeafAdd(CuteContext c, CuteIntTuple a, CuteIntTuple b);
CuteIntTuple cuteLeafSub(CuteContext c, CuteIntTuple a, CuteIntTuple b);
// A scaled basis on either side of a product, or on the left of a quotient,
// scales its value.
CuteIntTuple cuteLeafMul(CuteContext c, CuteIntTuple a, CuteIntTuple b);
CuteIntTuple cuteLeafDiv(CuteContext c, CuteIntTuple a, CuteIntTuple b);
CuteIntTuple cuteLeafMod(CuteContext c, CuteIntTuple a, CuteIntTuple b);
CuteIntTuple cuteLeafCeilDiv(CuteContext c, CuteIntTuple a, CuteIntTuple b);
CuteIntTuple cuteLeafMin(CuteContext c, CuteIntTuple a, CuteIntTuple b);
CuteIntTuple cuteLeafAbs(CuteContext c, CuteIntTuple a);
CuteIntTuple cuteLeafSignum(CuteContext c, CuteIntTuple a);
CuteIntTuple cuteLeafAnd(CuteContext c, CuteIntTuple a, CuteIntTuple b);
CuteIntTuple cuteLeafXor(CuteContext c, CuteIntTuple a, CuteIntTuple b);
CuteIntTuple cuteLeafShl(CuteContext c, CuteIntTuple a, unsigned bits);
CuteIntTuple cuteLeafShr(CuteContext c, CuteIntTuple a, unsigned bits);
CuteIntTuple cuteLeafShapeDiv(CuteContext c, CuteIntTuple a, CuteIntTuple b);
CuteIntTuple cuteLeafSelectLess(CuteContext c, CuteIntTuple a, CuteIntTuple b,
                                CuteIntTuple ifLess, CuteIntTuple otherwise);

//===-- Text --------------------------------------------------------------===//

void cuteAppendTuple(CuteString *text, CuteIntTuple tuple);
void cuteAppendLayout(CuteString *text, CuteLayout layout);
void cuteAppendTile(CuteString *text, CuteTile tile);
void cuteAppendSwizzle(CuteString *text, CuteSwizzle s);

// The same in the context's scratch memory, for messages.
const char *cuteTupleText(CuteContext c, CuteIntTuple tuple);
const char *cuteLayoutText(CuteContext c, CuteLayout layout);

//===-- Interning and tests on tuples -------------------------------------===//

CuteIntTuple cuteInternTuple(CuteContext context, size_t rank,
                             const CuteIntTuple *elements);

// The tuple of `count` elements that an expression of their number i gives.
#define CUTE_TUPLE_OF(context, i, count, ...)                                  \
  ({                                                                           \
    size_t i##Count = (count);                                                 \
    CuteIntTuple *i##Parts =                                                   \
        cuteScratch(context, i##Count * sizeof *i##Parts);                     \
    for (size_t i = 0; i < i##Count; ++i)                                      \
      i##Parts[i] = (__VA_ARGS__);                                             \
    cuteInternTuple(context, i##Count, i##Parts);                              \
  })

CuteIntTuple cuteInternBasis(CuteContext context, CuteIntTuple value,
                             CuteIntTuple path);
CuteIntTuple cuteInternErrorLeaf(CuteContext context);

// Finds or adds the node equal to the candidate under `equal`; the copy is made
// by `copy` only when it is new.
typedef void *InternCopy(CuteContext context, const void *candidate);
const void *cuteIntern(CuteContext context, CuteHashTable *table, uint64_t hash,
                       const void *candidate, CuteHashIsSame *equal,
                       InternCopy *copy);

static inline bool isStatic(CuteIntTuple t) {
  return t && t->kind == CUTE_STATIC;
}
static inline bool isStaticValue(CuteIntTuple t, int64_t value) {
  return isStatic(t) && t->value == value;
}
static inline bool isDynamic(CuteIntTuple t) {
  return t && t->kind == CUTE_DYNAMIC;
}
static inline bool isTuple(CuteIntTuple t) {
  return t && t->kind == CUTE_TUPLE;
}
static inline bool isBasis(CuteIntTuple t) {
  return t && t->kind == CUTE_BASIS;
}
static inline bool isUnderscore(CuteIntTuple t) {
  return t && t->kind == CUTE_UNDERSCORE;
}

// Tells whether all leaves are such ones.
bool cuteIntTupleAll(CuteIntTuple tuple, bool (*holds)(CuteIntTuple leaf));
static inline bool isFullyStatic(CuteIntTuple t) { return t && !t->numDynamic; }
static inline CuteIntTuple basisValue(CuteIntTuple t) { return t->elements[0]; }
// Outermost mode first, a tuple of static leaves.
static inline CuteIntTuple basisPath(CuteIntTuple t) { return t->elements[1]; }
static inline CuteIntTuple element(CuteIntTuple t, size_t i) {
  return t->kind == CUTE_TUPLE ? t->elements[i] : t;
}
static inline CuteIntTuple staticInt(CuteContext context, int64_t value) {
  return cuteIntTupleGetStatic(context, value);
}

//===-- Layouts by value --------------------------------------------------===//

// A layout or a part of one: shape and stride are congruent. Not interned as a
// pair; null members mean a failed computation.
typedef struct Mode {
  CuteIntTuple shape, stride;
} Mode;

typedef struct Modes {
  Mode *data;
  size_t count, capacity;
} Modes;

static const Mode failedMode = {NULL, NULL};

static inline Mode modeElement(Mode m, size_t i) {
  return (Mode){element(m.shape, i), element(m.stride, i)};
}
// A tuple as both sides of a layout: code that moves modes works for it, too.
static inline Mode tupleMode(CuteIntTuple tuple) {
  return (Mode){tuple, tuple};
}
static inline bool modeFailed(Mode m) { return !m.shape || !m.stride; }
// The failed mode after a message: return modeFail(cuteFail(c, ...)).
static inline Mode modeFail(CUTE_UNUSED const void *failed) {
  return failedMode;
}
// As a layout is written.
void cuteAppendMode(CuteString *text, Mode mode);
const char *cuteModeText(CuteContext c, Mode mode);

void modesPush(CuteContext context, Modes *modes, Mode mode);

// Appends the leaf modes of a layout in order.
void modesPushLeaves(CuteContext context, Modes *modes, Mode mode);

// Appends the top-level modes of a layout, or the one mode that it is.
void modesPushModes(CuteContext context, Modes *modes, Mode mode);

// The tuple with the results of `leaf` at the leaf modes, called left to right.
// `a` may be any two trees where the second has a part for each leaf of the
// first.
typedef CuteIntTuple ModeLeafMap(CuteContext c, Mode leaf, void *state);
CuteIntTuple cuteMapLeaves(CuteContext c, Mode a, ModeLeafMap *leaf,
                           void *state);

// The modes as one layout of that rank.
Mode modesGetTuple(CuteContext context, const Modes *modes);

// The same, but a single mode is not wrapped in a tuple.
Mode modesGetUnwrapped(CuteContext context, const Modes *modes);

//===-- Algorithms on layouts by value ------------------------------------===//

// Fails with a problem at an extent that is not positive.
bool cuteExtentsCheck(CuteContext c, const char *problem, CuteIntTuple shape);

// The rules for a stride alone: leaves are all integers, or all scaled bases
// and zeros whose paths form a tree. False with a message.
bool cuteStrideCheck(CuteContext c, CuteIntTuple stride);

// A layout as a tiler's text may have it: only its stride was checked.
CuteLayout cuteInternUncheckedLayout(CuteContext c, Mode mode);

// Compact column-major strides from `start`, the strides of a shape that serves
// as a layout: a static extent 1 gets stride 0 and does not advance.
CuteIntTuple cuteCompactStrides(CuteContext c, CuteIntTuple shape,
                                CuteIntTuple start);

typedef enum CoalesceKind {
  COALESCE,           // the normal form
  COALESCE_KEEP_LAST, // keeps a last mode of extent 1 after others
} CoalesceKind;
Mode cuteCoalesceModes(CuteContext c, const Modes *modes, CoalesceKind kind);
Mode cuteCoalesce(CuteContext c, Mode a, CoalesceKind kind);
Mode cuteCoalesceProfile(CuteContext c, Mode a, CuteIntTuple profile,
                         CoalesceKind kind);

// A function below each leaf of the profile; modes past its rank stay.
typedef Mode ModeFunction(CuteContext c, Mode a, CoalesceKind kind);
Mode cuteModeByProfile(CuteContext c, ModeFunction *function, CoalesceKind kind,
                       const char *name, Mode a, CuteIntTuple profile);

// The part that a scaled basis' path leads to; failed, without a message, if
// there is none. A null path leads to the whole.
Mode cuteModeAt(Mode m, CuteIntTuple path);

Mode cuteComposition(CuteContext c, Mode a, Mode b);

// (first, second)
Mode cuteModePair(CuteContext c, Mode first, Mode second);

// A layout whose modes are (tile, rest) along the tiler's profile, with the
// tiles gathered: ((tiles), (rests)), ((tiles), rests...), (tiles...,
// rests...). CuTe C++ leaves a single mode nested where it unpacks; the open
// dialect does not.
typedef enum Unpacking { UNPACK_ALL, KEEP_SINGLES } Unpacking;
Mode cuteGatherTiles(CuteContext c, Mode divided, CuteTile tiler,
                     CuteTileForm form, Unpacking unpacking);

// Divides so that each element is in one tile, as cuteLayoutZippedDivide and so
// on do (DIVIDE_WHOLE), or takes the tiles along each leaf of the shape alone
// (DIVIDE_LEAVES). The types of the open dialect's ops are the latter: where a
// tile ends inside a leaf they have tiles too few or too many.
typedef enum DivideTarget { DIVIDE_WHOLE, DIVIDE_LEAVES } DivideTarget;
CuteLayout cuteLayoutDivideInto(CuteContext c, CuteLayout a, CuteTile tiler,
                                CuteTileForm form, DivideTarget target);

// The minimal complement: no target, so it ends in 1:cosize.
Mode cuteComplementMinimal(CuteContext c, Mode a);

// The same with its last mode extended over the shape `target`, which is what a
// layout of that shape has left beside the tiler.
Mode cuteComplementOver(CuteContext c, Mode tiler, CuteIntTuple target);

// The shape of the complement within `target`, which is not checked.
CuteIntTuple cuteComplementShape(CuteContext c, CuteLayout a,
                                 CuteIntTuple target);

// 1@path@... at each leaf: the strides of an identity layout below a path,
// which is null at the top.
CuteIntTuple cuteUnitStrides(CuteContext c, CuteIntTuple shape,
                             CuteIntTuple path);

// The tree in which paths of scaled bases in `stride` lead: `_` at a leaf that
// a path ends in. A stride without bases gives `_`.
CuteIntTuple cuteCodomainProfile(CuteContext c, CuteIntTuple stride);

// Tells whether there is such a tree; false with a message. Makes no value.
bool cuteCodomainCheck(CuteContext c, CuteIntTuple stride);

// A path of mode numbers, null while empty, extended by one inner mode.
CuteIntTuple cutePathExtend(CuteContext c, CuteIntTuple path, size_t mode);

// Sum of arithmetic tuples: missing elements count as 0, and a leaf 0 is the
// zero of every tuple.
CuteIntTuple cuteArithmeticTupleAdd(CuteContext c, CuteIntTuple a,
                                    CuteIntTuple b);

// The layout's value at a coordinate that is a leaf or matches the rank, on
// each level; `_` counts as 0.
CuteIntTuple cuteEvalMode(CuteContext c, CuteIntTuple coord, Mode a);

// The part of a layout under `_` of a coordinate, and the part beside it.
Mode cuteSliceMode(CuteContext c, Mode a, CuteIntTuple coord);
Mode cuteDiceMode(CuteContext c, Mode a, CuteIntTuple coord);

// The integers of a coordinate without its `_`, to go with cuteDiceMode.
CuteIntTuple cuteIntTupleDiceCoord(CuteContext c, CuteIntTuple coord);

CuteLayout cuteSliceSwizzled(CuteContext c, CuteLayout layout,
                             CuteIntTuple coord);

// The offset that a slice of a swizzled layout computes with: the active bits
// of what the coordinate fixes, xor'ed with the layout's.
CuteIntTuple cuteSliceSwizzleOffset(CuteContext c, CuteLayout layout,
                                    CuteIntTuple coord);

// The swizzle after an offset as a layout, on indices whose active bits meet no
// partner. Its shape does not depend on the offset.
Mode cuteSwizzleUnfold(CuteContext c, CuteSwizzle s, CuteIntTuple offset);

// Computes that of two static leaves.
CuteIntTuple cuteGreatestCommonDivisor(CuteContext c, CuteIntTuple a,
                                       CuteIntTuple b);

CuteIntTuple cuteSwizzleApply(CuteContext c, CuteSwizzle swizzle,
                              CuteIntTuple value);

static inline Mode layoutMode(CuteLayout layout) {
  return layout ? (Mode){layout->shape, layout->stride} : failedMode;
}
CuteLayout cuteInternLayout(CuteContext c, Mode mode);

// The layout with its outer part replaced, and plain if that leaves nothing to
// compose (a swizzle of 0 bits with offset 0).
CuteLayout cuteLayoutWithOuter(CuteContext c, CuteLayout layout, Mode outer);

CuteTile cuteInternTileTuple(CuteContext c, size_t n, const CuteTile *elements);

// The same of tiles.
#define CUTE_TILE_OF(context, i, count, ...)                                   \
  ({                                                                           \
    size_t i##Count = (count);                                                 \
    CuteTile *i##Parts = cuteScratch(context, i##Count * sizeof *i##Parts);    \
    for (size_t i = 0; i < i##Count; ++i)                                      \
      i##Parts[i] = (__VA_ARGS__);                                             \
    cuteInternTileTuple(context, i##Count, i##Parts);                          \
  })
