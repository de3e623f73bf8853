// Pictures as LaTeX: a standalone document that needs TikZ.
#include "Calculator/pictures/picture_color.h"
#include "Calculator/pictures/picture_draw.h"

// The LaTeX for a character in typewriter text; null: itself.
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
    [CUTE_WORDS_LABEL] = {"label", 10, CUTE_COLOR_INK},
    [CUTE_WORDS_COORD] = {"coord", 9, CUTE_COLOR_MARGIN},
    [CUTE_WORDS_NOTE] = {"note", 9, CUTE_COLOR_MARGIN},
};

static const struct {
  const char *width;
  uint32_t color;
} rules[CUTE_NUM_RULES] = {{"0.5bp", CUTE_COLOR_HAIR},
                           {"1.5bp", CUTE_COLOR_INK},
                           {"3bp", CUTE_COLOR_INK},
                           {"2.2bp", CUTE_COLOR_INK}};

static void appendColor(CuteString *text, const char *name, size_t number,
                        uint32_t color) {
  cuteStringAppendFormat(text, "\\definecolor{%s%zu}{HTML}{%06X}\n", name,
                         number, color);
}

// The macros take pixels. Cells and words are TeX's rules and boxes, since
// paths and nodes of TikZ take many times the memory, and TeX has little.
static const char macros[] =
    "\\newdimen\\px \\px=0.75bp\n"
    "\\newbox\\cells \\newbox\\labels\n"
    "\\def\\cell#1#2#3#4{\\kern#1\\px\\vrule width#3\\px height-#2\\px "
    "depth\\dimexpr#2\\px+#4\\px\\relax\\kern-\\dimexpr#1\\px+#3\\px\\relax}\n"
    "\\def\\words#1#2#3{\\kern#1\\px\\raise-#2\\px\\hbox to 0pt{#3}"
    "\\kern-#1\\px}\n"
    "\\def\\mid#1#2#3{\\words{#1}{#2}{\\hss#3\\hss}}\n"
    "\\def\\start#1#2#3{\\words{#1}{#2}{#3\\hss}}\n"
    "\\def\\rul#1#2#3#4#5#6#7{\\draw[r#1,line width=#2,line cap=#3] "
    "(#4,#5) -- (#6,#7);}\n";

static void appendPreamble(CuteString *text, CutePictureKind kind) {
  cuteStringAppend(text, "\\documentclass[tikz]{standalone}\n");
  const uint32_t *colors = cutePictureColors(kind);
  for (size_t i = 0; i < CUTE_NUM_COLORS; ++i)
    appendColor(text, "c", i, colors[i]);
  appendColor(text, "c", CUTE_NUM_COLORS, CUTE_COLOR_EMPTY);
  for (size_t i = 0; i < CUTE_NUM_RULES; ++i)
    appendColor(text, "r", i, rules[i].color);
  for (size_t i = 0; i < CUTE_NUM_WORD_STYLES; ++i) {
    appendColor(text, "w", i, styles[i].color);
    cuteStringAppendFormat(text, "\\def\\%sfont{", styles[i].name);
    if (styles[i].color != CUTE_COLOR_INK) // that of the box
      cuteStringAppendFormat(text, "\\color{w%zu}", i);
    cuteStringAppendFormat(text, "\\fontsize{%d}{%d}\\selectfont}\n",
                           styles[i].size, styles[i].size + 2);
  }
  cuteStringAppend(text, macros);
}

//===-- Parts -------------------------------------------------------------===//

// Boxes by colour, empty cells last, and rules and words, all written at the
// end.
typedef struct LatexCanvas {
  CuteCanvas base;
  CuteString boxes[CUTE_NUM_COLORS + 1], rules, words;
  int width, height;
} LatexCanvas;

static LatexCanvas *latex(CuteCanvas *canvas) { return (LatexCanvas *)canvas; }

// The size is known first and needed last.
static void begin(CuteCanvas *canvas, int width, int height) {
  appendPreamble(canvas->text, canvas->picture->kind);
  latex(canvas)->width = width;
  latex(canvas)->height = height;
}

// Filled outside of the picture, where TeX need not keep what it reads.
static void appendContents(LatexCanvas *parts) {
  CuteString *text = parts->base.text;
  cuteStringAppend(text, "\\setbox\\cells=\\hbox{%\n");
  for (size_t i = 0; i <= CUTE_NUM_COLORS; ++i)
    if (parts->boxes[i].length)
      cuteStringAppendFormat(text, "{\\color{c%zu}%%\n%s}%%\n", i,
                             cuteStringGet(&parts->boxes[i]));
  cuteStringAppendFormat(text,
                         "}\n\\setbox\\labels=\\hbox{\\ttfamily\\color{w%d}"
                         "\\labelfont%%\n%s}\n",
                         CUTE_WORDS_LABEL, cuteStringGet(&parts->words));
}

static void end(CuteCanvas *canvas) {
  LatexCanvas *parts = latex(canvas);
  CuteString *text = canvas->text;
  cuteStringAppend(text, "\\begin{document}\n");
  appendContents(parts);
  cuteStringAppendFormat(text,
                         "\\begin{tikzpicture}[x=0.75bp,y=-0.75bp]\n"
                         "\\useasboundingbox (0,0) rectangle (%d,%d);\n"
                         "\\pgftext[left,base]{\\box\\cells}\n",
                         parts->width, parts->height);
  cuteStringAppend(text, cuteStringGet(&parts->rules));
  cuteStringAppend(text, "\\pgftext[left,base]{\\box\\labels}\n"
                         "\\end{tikzpicture}\n"
                         "\\end{document}\n");
}

static void appendSwatch(CuteCanvas *canvas, CuteBox box, unsigned color) {
  cuteStringAppendFormat(&latex(canvas)->boxes[color],
                         "\\cell{%d}{%d}{%d}{%d}%%\n", box.x, box.y, box.width,
                         box.height);
}

static void appendRule(CuteCanvas *canvas, int x1, int y1, int x2, int y2,
                       int weight) {
  cuteStringAppendFormat(
      &latex(canvas)->rules, "\\rul{%d}{%s}{%s}{%d}{%d}{%d}{%d}\n", weight,
      rules[weight].width, weight == CUTE_RULE_BORDER ? "rect" : "butt", x1, y1,
      x2, y2);
}

static void appendText(CuteCanvas *canvas, int x, int y, CuteAnchor anchor,
                       CuteWordStyle style, CuteStringRef words) {
  CuteString *text = &latex(canvas)->words;
  cuteStringAppendFormat(text, "\\%s{%d}{%d}{",
                         anchor == CUTE_ANCHOR_MIDDLE ? "mid" : "start", x,
                         y + cuteFonts[style].size * 36 / 100);
  if (style != CUTE_WORDS_LABEL) // that of the box
    cuteStringAppendFormat(text, "\\%sfont ", styles[style].name);
  appendWords(text, words);
  cuteStringAppend(text, "}%\n");
}

static void appendCell(CuteCanvas *canvas, CuteBox box,
                       const CutePictureGrid *grid, size_t row, size_t column) {
  const CutePictureCell *cell = cutePictureCellAt(grid, row, column);
  appendSwatch(canvas, box, cell->labels[0] ? cell->color : CUTE_NUM_COLORS);
  for (size_t i = 0; i < 2 && cell->labels[i]; ++i)
    appendText(canvas, box.x + box.width / 2, cutePictureLabelY(box, cell, i),
               CUTE_ANCHOR_MIDDLE, CUTE_WORDS_LABEL,
               cuteStringRef(cell->labels[i]));
}

bool cutePictureWriteLatex(CuteContext c, const CutePicture *picture,
                           CuteString *text) {
  LatexCanvas canvas = {.base = {.text = text,
                                 .picture = picture,
                                 .hasTitle = true,
                                 .begin = begin,
                                 .cell = appendCell,
                                 .swatch = appendSwatch,
                                 .rule = appendRule,
                                 .words = appendText,
                                 .end = end}};
  bool ok = cutePictureDraw(c, &canvas.base);
  for (size_t i = 0; i <= CUTE_NUM_COLORS; ++i)
    cuteStringDestroy(&canvas.boxes[i]);
  cuteStringDestroy(&canvas.rules);
  cuteStringDestroy(&canvas.words);
  return ok;
}
