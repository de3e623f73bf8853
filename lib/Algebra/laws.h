// Functions that layouts denote, as 64-bit integers, to test laws on them; and
// the hooks by which operations have their results tested.
#pragma once

#include "Algebra/trace.h"
#include "cute/Laws.h"

//===-- Functions ---------------------------------------------------------===//

typedef struct LawLeaf {
  int64_t extent, stride;
} LawLeaf;

// index -> the sum of the leaves' coordinates times strides, where the last
// leaf takes what is left of the index. The other leaves have extents above 1.
typedef struct LawFunction {
  LawLeaf *leaves;
  size_t count;
} LawFunction;

// The directions of a stride: the paths of its scaled bases, each once, or null
// alone if it has none. False if there are too many.
enum { MAX_LAW_PATHS = 32 };
typedef struct LawPaths {
  CuteIntTuple data[MAX_LAW_PATHS];
  size_t count;
} LawPaths;
bool cuteLawPaths(CuteIntTuple stride, LawPaths *paths);

// Evaluates the layout in the direction `path` (null: as an integer). False if
// the layout has a dynamic leaf.
bool cuteLawFunction(CuteContext c, Mode m, CuteIntTuple path, LawFunction *f);

// False where something overflows.
bool cuteLawEval(const LawFunction *f, int64_t index, int64_t *value);
bool cuteLawSize(const LawFunction *f, int64_t *size);

// The coordinates at which a law is tested: all of a small domain, otherwise
// the corners of all pairs of leaves and a sample.
typedef struct LawDomain {
  int64_t size, *corners;
  size_t numCorners;
} LawDomain;
bool cuteLawDomain(CuteContext c, const LawFunction *f, LawDomain *domain);
int64_t cuteLawDomainCount(const LawDomain *domain);
int64_t cuteLawDomainGet(const LawDomain *domain, int64_t k);

// Sorts the leaves by ascending stride.
void cuteLawSortLeaves(CuteContext c, LawFunction *f);

// Two coordinates, the first less than the second, with the same value. False
// if none was found.
typedef struct LawCollision {
  int64_t first, second;
} LawCollision;
bool cuteLawCollision(CuteContext c, const LawFunction *f,
                      LawCollision *collision);

//===-- Laws that are equations -------------------------------------------===//

typedef enum CuteLaw {
#define CUTE_LAW(name, ...) CUTE_LAW_##name,
#include "Algebra/laws.def"
} CuteLaw;

enum { CUTE_LAW_STEPS = 3 }; // of layouts in a side, at most

// A row of laws.def.
typedef struct CuteLawSides {
  const char *left, *right;
  char domain;
  const char *text, *variable, *operands;
  CuteTraceEvent holds, fails;
} CuteLawSides;
const CuteLawSides *cuteLawGetSides(CuteLaw law);

// The layouts of a law by name; the list ends without one. In the directions
// of the first one's codomain the sides are compared.
typedef struct CuteLawOperand {
  char name;
  Mode mode;
} CuteLawOperand;
#define CUTE_LAW_OPERANDS(...)                                                 \
  ((const CuteLawOperand[]){__VA_ARGS__, {0, {NULL, NULL}}})

// Tests the law at the indices of its domain; false with a message.
bool cuteLawHolds(CuteContext c, CuteLaw law, const CuteLawOperand *operands);

// The strides of I for a right inverse of this shape.
CuteIntTuple cuteLawIdentity(CuteContext c, Mode a, CuteIntTuple shape);

//===-- Other laws --------------------------------------------------------===//

bool cuteLawComplement(CuteContext c, Mode a, CuteIntTuple cotarget, Mode r);
bool cuteLawTileToShape(CuteContext c, Mode block, Mode r);
// Each element of A is in one of the tiles that T and its rest make, once for
// every coordinate of T's stride-0 modes, and no tile is outside of A.
bool cuteLawTiles(CuteContext c, Mode a, Mode tiler, Mode rest);
// The same at every value that dynamic leaves of the coordinate, which is
// within the shape, and of the offset can have.
bool cuteLawSlice(CuteContext c, CuteLayout a, CuteIntTuple coord,
                  CuteLayout r);
bool cuteLawCompact(CuteContext c, const char *name, Mode r);

//===-- Messages ----------------------------------------------------------===//

// Sets the context's message, which is not an error yet; returns false.
bool cuteLawFails(CuteContext c, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

//===-- Hooks -------------------------------------------------------------===//

// Operations end with
//   if (checksLaws(c) && !cuteLawAccepts(c, cuteLawX(c, ...)))
//     return failed;
static inline bool checksLaws(CuteContext c) {
  return c->laws != CUTE_LAWS_IGNORE;
}

// Tells whether the operation may continue; notes the message of a law that
// does not hold as a warning, if that is the policy.
bool cuteLawAccepts(CuteContext c, bool holds);

// The same of a law by which R, a composition, may have failed.
bool cuteLawAcceptsComposition(CuteContext c, CuteLaw law,
                               const CuteLawOperand *operands);
