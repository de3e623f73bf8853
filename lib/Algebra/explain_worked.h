// Shared by the laws of explanations: computing unheard, and looking for a
// coordinate that is worth showing.
#pragma once

#include "Algebra/explain_laws.h"

// Between the two nobody listens, and the context's message stays.
typedef struct CuteQuiet {
  struct CuteTrace *trace;
  CuteString error;
  CuteArenaMark mark;
} CuteQuiet;
CuteQuiet cuteQuietEnter(CuteContext c);
void cuteQuietLeave(CuteContext c, CuteQuiet quiet);

// Both sides of a law at a coordinate; null where they cannot be computed.
typedef struct CuteSides {
  CuteIntTuple at, left, right;
  // The coordinate of an equation and what each layout makes of it, on the
  // left and then on the right.
  CuteIntTuple steps[1 + 2 * CUTE_LAW_STEPS];
  CuteIntTuple via, other, x, y; // of other laws, as each needs them
} CuteSides;

typedef CuteSides CuteSidesAt(CuteContext c, const CuteLawCase *law,
                              CuteIntTuple at);

static inline bool areComputed(CuteSides s) {
  return s.at && s.left && s.right;
}

static inline bool isStaticLayout(CuteLayout layout) {
  return layout && !cuteLayoutGetNumDynamic(layout);
}

static inline int64_t staticSizeOf(CuteContext c, CuteIntTuple shape) {
  CuteIntTuple size = cuteIntTupleProduct(c, shape);
  return isStatic(size) ? size->value : 1;
}

// The first coordinate at which the sides differ, else one in the middle, or
// the first, at which they are not 0, else 0.
CuteSides cuteLawFind(CuteContext c, const CuteLawCase *law,
                      CuteSidesAt *sidesAt);

// The sides of an equation.
CuteSides cuteLawSidesAt(CuteContext c, const CuteLawCase *law,
                         CuteIntTuple at);

// The value at a coordinate in which trailing modes may be missing: they are
// at 0.
CuteIntTuple cuteLawValue(CuteContext c, CuteLayout layout, CuteIntTuple coord);

// Number i of a shape as a coordinate of one integer a mode.
CuteIntTuple cuteLawSplit(CuteContext c, CuteIntTuple shape, int64_t i);

// The first index at which the layout's value is n * value or above by less
// than n; -1 if there is none among those looked at.
int64_t cuteLawFindValue(CuteContext c, CuteLayout layout, CuteIntTuple value,
                         int64_t n);
