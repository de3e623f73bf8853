// The geometry of drawn pictures: every box, rule and text, in pixels from the
// upper left corner. Formats say how these are written.
#pragma once

#include "Calculator/pictures/picture.h"

typedef struct CuteBox {
  int x, y, width, height;
} CuteBox;

typedef enum CuteWordStyle {
  CUTE_WORDS_TITLE,   // the expression
  CUTE_WORDS_VALUE,   // what it gives
  CUTE_WORDS_HEADING, // of a grid
  CUTE_WORDS_LABEL,   // of a cell
  CUTE_WORDS_COORD,   // in the margins
  CUTE_WORDS_NOTE,
} CuteWordStyle;

enum { CUTE_NUM_WORD_STYLES = CUTE_WORDS_NOTE + 1 };

// Font size, and no less than the width of a character. All fonts are
// monospaced.
typedef struct CuteFont {
  int size, advance;
} CuteFont;
extern const CuteFont cuteFonts[CUTE_NUM_WORD_STYLES];

typedef enum CuteAnchor { CUTE_ANCHOR_START, CUTE_ANCHOR_MIDDLE } CuteAnchor;

// Rules by weight, from that between neighbours to that around a grid.
enum { CUTE_NUM_RULES = 4, CUTE_RULE_BORDER = 3 };

// A format's functions, which append to `text`.
typedef struct CuteCanvas CuteCanvas;
struct CuteCanvas {
  CuteString *text;
  const CutePicture *picture;
  bool hasTitle; // the expression and its value, above
  void (*begin)(CuteCanvas *canvas, int width, int height);
  void (*cell)(CuteCanvas *canvas, CuteBox box, const CutePictureGrid *grid,
               size_t row, size_t column);
  void (*swatch)(CuteCanvas *canvas, CuteBox box, unsigned color);
  void (*rule)(CuteCanvas *canvas, int x1, int y1, int x2, int y2, int weight);
  // y is the middle of the line.
  void (*words)(CuteCanvas *canvas, int x, int y, CuteAnchor anchor,
                CuteWordStyle style, CuteStringRef words);
  void (*end)(CuteCanvas *canvas);
};

// False with a message where the picture is wider or higher than the limit.
bool cutePictureDraw(CuteContext c, CuteCanvas *canvas);

// The middles of a cell's lines of labels.
int cutePictureLabelY(CuteBox box, const CutePictureCell *cell, size_t line);
