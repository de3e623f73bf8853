// Shared by the laws of explanations: computing unheard, and looking for a
// coordinate that is worth showing.
#ifndef CUTE_ALGEBRA_EXPLAIN_WORKED_H
#define CUTE_ALGEBRA_EXPLAIN_WORKED_H

#include "Algebra/explain_laws.h"

// Gives the number of a layout's coordinates that are looked at: at most 512,
// and fewer where a value takes long to compute. Null: as of a small one.
int64_t cuteLawTries(CuteLayout layout);

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
  CuteIntTuple at, via, left, right;
  CuteIntTuple other, x, y; // a second coordinate; summands of `left`
} CuteSides;

// The operands of a law; each law sets those that it needs.
typedef struct CuteLaw {
  CuteLayout a, b, r;
  CuteTile tiler;
  CuteTileForm form;
  CutePartition part;
  CuteIntTuple coord;
  Mode block, repeated;
  CutePairing pairing;
  bool prefersFirst; // of the coordinates that say something
} CuteLaw;

typedef CuteSides CuteSidesAt(CuteContext c, const CuteLaw *law, int64_t i);

static inline bool areComputed(CuteSides s) {
  return s.at && s.left && s.right;
}

static inline bool isStaticLayout(CuteLayout layout) {
  return layout && !cuteLayoutGetNumDynamic(layout);
}

// The first of `size` coordinates at which the sides differ, else one in the
// middle, or the first, at which they are not 0, else 0.
CuteSides cuteLawFind(CuteContext c, const CuteLaw *law, CuteIntTuple size,
                      CuteSidesAt *sidesAt);

// The same over the coordinates of a layout.
CuteSides cuteLawFindIn(CuteContext c, const CuteLaw *law, CuteLayout layout,
                        CuteSidesAt *sidesAt);

// The value at a coordinate in which trailing modes may be missing: they are
// at 0.
CuteIntTuple cuteLawValue(CuteContext c, CuteLayout layout, CuteIntTuple coord);

// Number i of a shape as a coordinate of one integer a mode.
CuteIntTuple cuteLawSplit(CuteContext c, CuteIntTuple shape, int64_t i);

// Finds where a tiler takes a coordinate of its tile.
CuteIntTuple cuteLawThroughTiler(CuteContext c, CuteTile tiler,
                                 CuteIntTuple coord);

// The first index at which the layout's value is n * value or above by less
// than n; -1 if there is none among those looked at.
int64_t cuteLawFindValue(CuteContext c, CuteLayout layout, CuteIntTuple value,
                         int64_t n);

#endif
