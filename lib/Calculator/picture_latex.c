// Pictures as LaTeX: a standalone document that needs TikZ.
#include "Calculator/picture_color.h"
#include "Calculator/picture_draw.h"

// What stands for a character in typewriter text; null: itself.
static const char *escapeOf(char c) {
  switch (c) {
  case '\\':
    return "\\textbackslash{}";
  case '{':
    return "\\{";
  case '}':
    return "\\}";
  case '^':
    return "\\textasciicircum{}";
  case '~':
    return "\\textasciitilde{}";
  case '#':
    return "\\#";
  case '$':
    return "\\$";
  case '%':
    return "\\%";
  case '&':
    return "\\&";
  case '_':
    return "\\_";
  case '`':
    return "\\textasciigrave{}";
  case ' ':
    return "\\ ";
  default:
    return (unsigned char)c < ' ' ? "\\ " : NULL;
  }
}

static void appendWords(CuteString *text, CuteStringRef words) {
  for (size_t i = 0; i < words.length; ++i) {
    const char *escape = escapeOf(words.data[i]);
    if (escape)
      cuteStringAppend(text, escape);
    else
      cuteStringAppendChar(text, words.data[i]);
  }
}

// Sizes, in points, that the typewriter font comes in; a pixel is 3/4 bp.
static const struct {
  const char *name; // of the macro
  int size;
  uint32_t color;
} styles[CUTE_NUM_WORD_STYLES] = {
    [CUTE_WORDS_TITLE] = {"title", 12, CUTE_COLOR_INK},
    [CUTE_WORDS_VALUE] = {"value", 10, CUTE_COLOR_MARGIN},
    [CUTE_WORDS_HEADING] = {"heading", 10, CUTE_COLOR_INK},
    [CUTE_WORDS_LABEL] = {"lab", 10, CUTE_COLOR_INK},
    [CUTE_WORDS_COORD] = {"coord", 9, CUTE_COLOR_MARGIN},
    [CUTE_WORDS_NOTE] = {"note", 9, CUTE_COLOR_MARGIN},
};

static const struct {
  const char *width;
  uint32_t color;
} rules[CUTE_NUM_RULES] = {{"0.5bp", CUTE_COLOR_HAIR},
                           {"1.2bp", CUTE_COLOR_MARGIN},
                           {"2bp", CUTE_COLOR_INK},
                           {"1.5bp", CUTE_COLOR_INK}};

static void appendColor(CuteString *text, const char *name, size_t number,
                        uint32_t color) {
  cuteStringAppendFormat(text, "\\definecolor{%s%zu}{HTML}{%06X}\n", name,
                         number, color);
}

// Words are set by pgf's own commands: nodes would take many times the memory.
static void appendPreamble(CuteString *text, CutePictureKind kind) {
  cuteStringAppend(text, "\\documentclass[tikz]{standalone}\n");
  const uint32_t *colors = cutePictureColors(kind);
  for (size_t i = 0; i < CUTE_NUM_COLORS; ++i)
    appendColor(text, "c", i, colors[i]);
  appendColor(text, "empty", 0, CUTE_COLOR_EMPTY);
  for (size_t i = 0; i < CUTE_NUM_RULES; ++i)
    appendColor(text, "r", i, rules[i].color);
  for (size_t i = 0; i < CUTE_NUM_WORD_STYLES; ++i) {
    appendColor(text, "w", i, styles[i].color);
    cuteStringAppendFormat(
        text,
        "\\def\\%sfont{\\ttfamily\\fontsize{%d}{%d}\\selectfont"
        "\\color{w%zu}}\n",
        styles[i].name, styles[i].size, styles[i].size + 2, i);
  }
  cuteStringAppend(
      text, "\\def\\cell#1#2#3#4#5{\\fill[#1] (#2,#3) rectangle +(#4,#5);}\n"
            "\\def\\mid#1#2#3#4{\\pgftext[at={\\pgfpointxy{#1}{#2}}]"
            "{\\vphantom{0}\\smash{#3#4}}}\n"
            "\\def\\start#1#2#3#4{\\pgftext[left,at={\\pgfpointxy{#1}{#2}}]"
            "{\\vphantom{0}\\smash{#3#4}}}\n"
            "\\def\\hrul#1#2#3#4#5#6{\\draw[r#1,line width=#2,line cap=rect] "
            "(#3,#4) -- (#5,#6);}\n"
            "\\begin{document}\n");
}

static void begin(CuteCanvas *canvas, int width, int height) {
  appendPreamble(canvas->text, canvas->picture->kind);
  cuteStringAppendFormat(canvas->text,
                         "\\begin{tikzpicture}[x=0.75bp,y=-0.75bp]\n"
                         "\\useasboundingbox (0,0) rectangle (%d,%d);\n",
                         width, height);
}

static void end(CuteCanvas *canvas) {
  cuteStringAppend(canvas->text, "\\end{tikzpicture}\n\\end{document}\n");
}

static void appendBox(CuteString *text, CuteBox box, const char *color,
                      unsigned number) {
  cuteStringAppendFormat(text, "\\cell{%s%u}{%d}{%d}{%d}{%d}\n", color, number,
                         box.x, box.y, box.width, box.height);
}

static void appendSwatch(CuteCanvas *canvas, CuteBox box, unsigned color) {
  appendBox(canvas->text, box, "c", color);
}

static void appendRule(CuteCanvas *canvas, int x1, int y1, int x2, int y2,
                       int weight) {
  cuteStringAppendFormat(canvas->text, "\\hrul{%d}{%s}{%d}{%d}{%d}{%d}\n",
                         weight, rules[weight].width, x1, y1, x2, y2);
}

static void appendText(CuteCanvas *canvas, int x, int y, CuteAnchor anchor,
                       CuteWordStyle style, CuteStringRef words) {
  cuteStringAppendFormat(canvas->text, "\\%s{%d}{%d}{\\%sfont}{",
                         anchor == CUTE_ANCHOR_MIDDLE ? "mid" : "start", x, y,
                         styles[style].name);
  appendWords(canvas->text, words);
  cuteStringAppend(canvas->text, "}\n");
}

static void appendCell(CuteCanvas *canvas, CuteBox box,
                       const CutePictureGrid *grid, size_t row, size_t column) {
  const CutePictureCell *cell = cutePictureCellAt(grid, row, column);
  if (cell->labels[0])
    appendBox(canvas->text, box, "c", cell->color);
  else
    appendBox(canvas->text, box, "empty", 0);
  for (size_t i = 0; i < 2 && cell->labels[i]; ++i)
    appendText(canvas, box.x + box.width / 2, cutePictureLabelY(box, cell, i),
               CUTE_ANCHOR_MIDDLE, CUTE_WORDS_LABEL,
               cuteStringRef(cell->labels[i]));
}

bool cutePictureWriteLatex(CuteContext c, const CutePicture *picture,
                           CuteString *text) {
  CuteCanvas canvas = {.text = text,
                       .picture = picture,
                       .begin = begin,
                       .cell = appendCell,
                       .swatch = appendSwatch,
                       .rule = appendRule,
                       .words = appendText,
                       .end = end};
  return cutePictureDraw(c, &canvas);
}
