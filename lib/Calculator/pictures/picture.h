// Pictures of layouts: a model of grids of cells, filled from a value, and a
// renderer for each format.
#pragma once

#include "Calculator/language/value.h"
#include "Support/arena.h"
#include "cute/Calculator.h"

typedef enum CutePictureKind {
  CUTE_PICTURE_INDEX, // cells have the layout's value, coloured by it
  CUTE_PICTURE_BANK,  // the same, coloured by bank of shared memory
  CUTE_PICTURE_TV,    // cells have thread and value, coloured by thread
} CutePictureKind;

// A cell without labels is one that nothing leads to.
typedef struct CutePictureCell {
  const char *labels[2];  // the value; T and V with their numbers
  int32_t thread, value;  // these numbers
  uint32_t others;        // further (thread,value) pairs that lead here
  const char *otherPairs; // the first of them: "T4 V0, T8 V0"; or null
  uint8_t color;          // of the kind's CUTE_NUM_COLORS
  bool isFaint;           // as SVG: of the class "faint", not meant
} CutePictureCell;

// The rows or columns of a grid: one mode of the domain.
typedef struct CutePictureAxis {
  size_t extent, step; // positions, and coordinates from one to the next
  size_t first;        // the coordinate at the first, where not 0
  const char **coords; // the mode's coordinate at each position
  size_t numLevels;    // leaves with extent > 1 if there are several, else 0
  int64_t *levels;     // their extents, innermost first
} CutePictureAxis;

// The part of the domain with one coordinate in all modes past the second.
typedef struct CutePictureGrid {
  const char *title, *subtitle; // null if there is nothing to tell apart
  const char *operand;          // A, B, C, S, D; "" where there is one
  CutePictureAxis rows, columns;
  size_t rank;            // modes on the axes: 2, 1 (columns), 0
  const char *tail;       // what follows these in coordinates: ")", ",3)", ""
  bool isTransposed;      // rows are mode 1
  CutePictureCell *cells; // row by row
  size_t slotRow, slotColumn;
} CutePictureGrid;

// Everything lives in the arena.
typedef struct CutePicture {
  CuteArena arena;
  CutePictureKind kind;
  const char *expression, *value; // as given, and as calculated
  CutePictureGrid *grids;
  size_t numGrids;
  const char **notes;
  size_t numNotes;
  int64_t least, greatest; // indices, where cells have them
  bool hasIndices;         // cells have integers
  int64_t bits;            // of an element: CUTE_PICTURE_BANK
  bool isColored;          // as text, for a terminal
} CutePicture;

typedef struct CutePictureOptions {
  const char *expression;
  CuteIntTuple tile; // that (thread,value) lead into; null: not such a layout
  int64_t bits;      // of an element; 0 if not said
  int64_t maxCells;
  bool elements;  // of a copy or a large MMA, each in a cell of its own
  bool isColored; // text is for a terminal that shows colours
} CutePictureOptions;

// False with a message unless the value is a static layout, an atom, or a tiled
// MMA or copy, and the picture is within the limits. Destroy it either way.
bool cutePictureCreate(CuteContext c, CuteValue value,
                       CutePictureOptions options, CutePicture *picture);
void cutePictureDestroy(CutePicture *picture);

//===-- Parts of the model ------------------------------------------------===//

// Grids over a domain: one for each coordinate of the modes past the second.
typedef struct CutePictureGrids {
  CutePictureGrid *data;
  size_t count;
  size_t rows, columns; // of each: extents of the first and the second mode
} CutePictureGrids;

// Grids of empty cells; fails where the picture would have more than maxCells.
bool cutePictureAddGrids(CuteContext c, CutePicture *picture,
                         CuteIntTuple domain, bool isTransposed,
                         int64_t maxCells, CutePictureGrids *grids);

// The cell with a colexicographic index of the domain.
CutePictureCell *cutePictureGetCell(CutePictureGrids grids, int64_t index);

bool cutePictureAddTV(CuteContext c, CutePicture *picture, CuteValue value,
                      CutePictureOptions options);

// Makes one cell of the elements that a thread has side by side, in grids from
// `first` on, if they all go in runs of one length.
void cutePictureMergeVectors(CutePicture *picture, size_t first);

// Places the grids of the destination, from `first` on, after the source's.
// True where both are alike: then only the source's stay.
bool cutePicturePlaceSides(CutePicture *picture, size_t first);

const char *cutePictureTupleText(CutePicture *picture, CuteIntTuple tuple);
const char *cutePictureLayoutText(CutePicture *picture, CuteLayout layout);
void cutePictureAddNote(CutePicture *picture, const char *note);

//===-- Reading the model -------------------------------------------------===//

// The coordinate of a cell in the domain: ((1,0),2).
void cutePictureAppendCoord(CuteString *text, const CutePictureGrid *grid,
                            size_t row, size_t column);

// Counts the levels of the hierarchy that begin anew at a position; 0 at the
// ends and where only the innermost continues.
size_t cutePictureGetRule(const CutePictureAxis *axis, size_t position);

static inline const CutePictureCell *
cutePictureCellAt(const CutePictureGrid *grid, size_t row, size_t column) {
  return &grid->cells[row * grid->columns.extent + column];
}

//===-- Formats -----------------------------------------------------------===//

enum { CUTE_MAX_DRAWN_PIXELS = 32000 };

// The most cells that the grids of a picture in this format have together.
int64_t cutePictureFormatGetMaxCells(CutePictureFormat format);

// "text", "svg", ...
const char *cutePictureFormatGetName(CutePictureFormat format);

// The format that files with this extension have; false if none.
bool cutePictureFormatFindExtension(CuteStringRef extension,
                                    CutePictureFormat *format);

// Write a picture; false with a message where it is too large.
bool cutePictureWrite(CuteContext c, const CutePicture *picture,
                      CutePictureFormat format, CuteString *text);
bool cutePictureWriteText(CuteContext c, const CutePicture *picture,
                          CuteString *text);
bool cutePictureWriteSvg(CuteContext c, const CutePicture *picture,
                         CuteString *text);
// Without title, to be part of a page that has one.
bool cutePictureWriteSvgBody(CuteContext c, const CutePicture *picture,
                             CuteString *text);
bool cutePictureWriteHtml(CuteContext c, const CutePicture *picture,
                          CuteString *text);

// Text with what XML reserves written as entities.
void cuteAppendXml(CuteString *text, const char *raw);

// Coordinates and values of all of a layout's indices, one a line.
bool cuteWriteTable(CuteContext c, CuteValue value, CuteString *text);
