// Values of the calculator: what expressions and batch arguments are, and what
// operations give.
#pragma once

#include "Support/string_builder.h"
#include "cute/Atom.h"

typedef enum CuteValueKind {
  CUTE_VALUE_FAILED, // the context has the message
  CUTE_VALUE_TUPLE,  // an integer, a coordinate, a shape, a stride
  CUTE_VALUE_LAYOUT,
  CUTE_VALUE_TILE,
  CUTE_VALUE_SWIZZLE,
  CUTE_VALUE_BOOL,
  CUTE_VALUE_PART,    // offset o layout: a part of a tensor
  CUTE_VALUE_PAIR,    // (layout,offset)
  CUTE_VALUE_LIST,    // the elements of a tuple, one after another
  CUTE_VALUE_ELEMENT, // an element type
  CUTE_VALUE_MMA_ATOM,
  CUTE_VALUE_COPY_ATOM, // of bits, or of an element type
  CUTE_VALUE_TILED_MMA,
  CUTE_VALUE_TILED_COPY,
  CUTE_VALUE_TILER_TV, // (tiler,layout), a tile and its TV layout
} CuteValueKind;

typedef struct CuteValue {
  CuteValueKind kind;
  CuteIntTuple tuple;      // TUPLE, LIST; the offset of PART and PAIR;
                           // the tiler of TILER_TV
  CuteLayout layout;       // LAYOUT, PART, PAIR, TILER_TV
  CuteTile tile;           // TILE: integers n beside layouts are n:1 ...
  CuteTile compactTile;    // ... and compact layouts, 1:0 for 1, to products
  CuteSwizzle swizzle;     // SWIZZLE
  bool truth;              // BOOL
  CuteElementType element; // ELEMENT
  CuteTiledMma mma;        // TILED_MMA; MMA_ATOM: its atom
  CuteTiledCopy copy;      // TILED_COPY; COPY_ATOM: its atom and element
  bool hasElement;         // COPY_ATOM: values are of copy.element, not bits
} CuteValue;

// Null members make a failed value.
CuteValue cuteValueOfTuple(CuteIntTuple tuple);
CuteValue cuteValueOfLayout(CuteLayout layout);
CuteValue cuteValueOfTile(CuteTile tile, CuteTile compactTile);
CuteValue cuteValueOfSwizzle(CuteSwizzle swizzle);
CuteValue cuteValueOfBool(bool truth);
CuteValue cuteValueOfPart(CuteValueKind kind, CutePartition part);
CuteValue cuteValueOfList(CuteIntTuple elements);
CuteValue cuteValueOfElement(CuteElementType element);
CuteValue cuteValueOfMmaAtom(const CuteMmaAtom *atom);

// Looks up a name: an atom, an element type, or the layout of a tile in
// shared memory (Layout_K_SW128_Atom<half_t>). Failed, without a
// message, if nothing has.
CuteValue cuteValueOfHardware(CuteContext c, CuteStringRef name);

static inline bool cuteValueFailed(CuteValue value) {
  return value.kind == CUTE_VALUE_FAILED;
}

// The value as one of another kind, where it can be one: a tuple for a
// tiler, a layout for a tiler, a shape for its compact layout. Fails otherwise,
// naming `where`.
CuteValue cuteValueConvert(CuteContext c, CuteValue value, CuteValueKind kind,
                           const char *where);

// Fails with a message that names the kind of value that was found, and the one
// that is wanted ("a layout").
CuteValue cuteValueRefuse(CuteContext c, CuteValue value, const char *wanted,
                          const char *where);

// The value in a tuple that is a tiler because of its neighbours: there an
// integer n is the layout n:1. (A tuple of integers alone is a shape, in which
// 1 is 1:0.)
CuteValue cuteValueToTilerElement(CuteContext c, CuteValue value);

// Canonical text.
void cuteAppendValue(CuteString *text, CuteValue value);

// "a layout", "a tiler", ...
const char *cuteValueKindGetName(CuteValueKind kind);
