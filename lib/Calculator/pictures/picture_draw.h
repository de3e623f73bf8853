// The geometry of drawn pictures: every box, rule and text, in pixels from the
// upper left corner; and how SVG writes them.
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

// A picture that is being written as SVG.
typedef struct CuteSvg {
  CuteString *text;
  const CutePicture *picture;
  bool hasTitle; // the expression and its value, above
} CuteSvg;

void cuteSvgBegin(const CuteSvg *svg, int width, int height);
void cuteSvgAppendCell(const CuteSvg *svg, CuteBox box,
                       const CutePictureGrid *grid, size_t row, size_t column);
void cuteSvgAppendSwatch(const CuteSvg *svg, CuteBox box, unsigned color);
void cuteSvgAppendRule(const CuteSvg *svg, int x1, int y1, int x2, int y2,
                       int weight);
// y is the middle of the line.
void cuteSvgAppendWords(const CuteSvg *svg, int x, int y, CuteAnchor anchor,
                        CuteWordStyle style, CuteStringRef words);

// False with a message where the picture is wider or higher than the limit.
bool cutePictureDraw(CuteContext c, const CuteSvg *svg);

// The middles of a cell's lines of labels.
int cutePictureLabelY(CuteBox box, const CutePictureCell *cell, size_t line);
