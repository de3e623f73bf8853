// Pictures as SVG. Each cell is a group with its meaning in data attributes and
// in a title, which viewers show as a tooltip.
#include "Calculator/pictures/picture_color.h"
#include "Calculator/pictures/picture_draw.h"

void cuteAppendXml(CuteString *text, const char *raw) {
  for (; *raw; ++raw) {
    const char *entity = *raw == '&'    ? "&amp;"
                         : *raw == '<'  ? "&lt;"
                         : *raw == '>'  ? "&gt;"
                         : *raw == '"'  ? "&quot;"
                         : *raw == '\'' ? "&#39;"
                                        : NULL;
    if (entity)
      cuteStringAppend(text, entity);
    else // XML has no control characters
      cuteStringAppendChar(text, (unsigned char)*raw < ' ' ? ' ' : *raw);
  }
}

static void appendWords(CuteString *text, CuteStringRef words) {
  CUTE_SCOPED(String) copy = {0};
  cuteStringAppendBytes(&copy, words.data, words.length);
  cuteAppendXml(text, cuteStringGet(&copy));
}

//===-- Style -------------------------------------------------------------===//

static const struct {
  const char *name; // class
  const char *style;
  uint32_t color;
} styles[CUTE_NUM_WORD_STYLES] = {
    [CUTE_WORDS_TITLE] = {"title", "font-weight:600;", CUTE_COLOR_INK},
    [CUTE_WORDS_VALUE] = {"value", "", CUTE_COLOR_MARGIN},
    [CUTE_WORDS_HEADING] = {"heading", "font-weight:600;", CUTE_COLOR_INK},
    [CUTE_WORDS_LABEL] = {"label", "", CUTE_COLOR_INK},
    [CUTE_WORDS_COORD] = {"coord", "", CUTE_COLOR_MARGIN},
    [CUTE_WORDS_NOTE] = {"note", "", CUTE_COLOR_MARGIN},
};

static const struct {
  int width;
  uint32_t color;
} rules[CUTE_NUM_RULES] = {{1, CUTE_COLOR_HAIR},
                           {2, CUTE_COLOR_INK},
                           {4, CUTE_COLOR_INK},
                           {3, CUTE_COLOR_INK}};

// Cells stay as they are, with dark words on light colours.
extern const char cutePictureDark[]; // picture_dark.css

static void appendStyle(CuteString *text, CutePictureKind kind) {
  cuteStringAppend(
      text, "<style>\n"
            "text{font-family:ui-monospace,\"SF Mono\",Menlo,Consolas,\"DejaVu "
            "Sans Mono\",\"Liberation Mono\",monospace;white-space:pre}\n"
            ".mid,g text{text-anchor:middle}\n");
  for (size_t i = 0; i < CUTE_NUM_WORD_STYLES; ++i)
    cuteStringAppendFormat(text, ".%s%s{font-size:%dpx;%sfill:#%06x}\n",
                           styles[i].name,
                           i == CUTE_WORDS_LABEL ? ",g text" : "",
                           cuteFonts[i].size, styles[i].style, styles[i].color);
  for (size_t i = 0; i < CUTE_NUM_RULES; ++i)
    cuteStringAppendFormat(
        text, ".r%zu{stroke:#%06x;stroke-width:%d%s}\n", i, rules[i].color,
        rules[i].width, i == CUTE_RULE_BORDER ? ";stroke-linecap:square" : "");
  cuteStringAppendFormat(text, ".empty{fill:#%06x}\n", CUTE_COLOR_EMPTY);
  const uint32_t *colors = cutePictureColors(kind);
  for (size_t i = 0; i < CUTE_NUM_COLORS; ++i)
    cuteStringAppendFormat(text, ".c%zu{fill:#%06x}\n", i, colors[i]);
  cuteStringAppend(text, cutePictureDark);
  cuteStringAppend(text, "</style>\n");
}

//===-- Parts -------------------------------------------------------------===//

void cuteSvgBegin(const CuteSvg *svg, int width, int height) {
  CuteString *text = svg->text;
  cuteStringAppendFormat(
      text,
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
      "viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"",
      width, height, width, height);
  cuteAppendXml(text, svg->picture->expression);
  cuteStringAppend(text, "\">\n");
  appendStyle(text, svg->picture->kind);
  cuteStringAppendFormat(text,
                         "<rect class=\"paper\" width=\"%d\" height=\"%d\"/>\n",
                         width, height);
}

static void appendAttribute(CuteString *text, const char *name,
                            const char *value) {
  cuteStringAppendFormat(text, " data-%s=\"", name);
  cuteAppendXml(text, value);
  cuteStringAppendChar(text, '"');
}

// A cell's meaning: an index or a coordinate, or a thread and its value.
static void appendMeaning(CuteString *text, const CutePicture *picture,
                          const CutePictureCell *cell) {
  if (!cell->labels[0])
    return;
  if (picture->kind != CUTE_PICTURE_TV) {
    appendAttribute(text, "offset", cell->labels[0]);
    if (picture->kind == CUTE_PICTURE_BANK)
      cuteStringAppendFormat(text, " data-bank=\"%d\"", cell->color);
    return;
  }
  // Without the letters.
  appendAttribute(text, "thread", cell->labels[0] + 1);
  appendAttribute(text, "value", cell->labels[1] + 1);
  if (cell->others)
    cuteStringAppendFormat(text, " data-others=\"%u\"", cell->others);
}

static uint32_t countPairs(const char *pairs) {
  uint32_t n = pairs ? 1 : 0;
  for (; pairs && *pairs; ++pairs)
    n += *pairs == ',';
  return n;
}

// "(1,2): 10", "C(1,2): T5 V1, also T9 V1 and 8 more".
static void appendTooltip(CuteString *text, const CutePicture *picture,
                          const CutePictureGrid *grid,
                          const CutePictureCell *cell, const char *coord) {
  cuteStringAppendFormat(text, "<title>%s%s: ", grid->operand, coord);
  if (!cell->labels[0])
    cuteStringAppend(text, "nothing");
  for (size_t i = 0; i < 2 && cell->labels[i]; ++i)
    cuteStringAppendFormat(text, "%s%s", i ? " " : "", cell->labels[i]);
  if (picture->kind == CUTE_PICTURE_BANK)
    cuteStringAppendFormat(text, ", bank %d", cell->color);
  if (cell->otherPairs)
    cuteStringAppendFormat(text, ", also %s", cell->otherPairs);
  if (cell->others > countPairs(cell->otherPairs))
    cuteStringAppendFormat(text, " and %u more",
                           cell->others - countPairs(cell->otherPairs));
  cuteStringAppend(text, "</title>");
}

static void appendLabels(CuteString *text, CuteBox box,
                         const CutePictureCell *cell) {
  int down = cuteFonts[CUTE_WORDS_LABEL].size * 36 / 100;
  for (size_t i = 0; i < 2 && cell->labels[i]; ++i) {
    cuteStringAppendFormat(text, "<text class=\"label mid\" x=\"%d\" y=\"%d\">",
                           box.x + box.width / 2,
                           cutePictureLabelY(box, cell, i) + down);
    cuteAppendXml(text, cell->labels[i]);
    cuteStringAppend(text, "</text>");
  }
}

void cuteSvgAppendCell(const CuteSvg *svg, CuteBox box,
                       const CutePictureGrid *grid, size_t row, size_t column) {
  CuteString *text = svg->text, coord = {0};
  const CutePictureCell *cell = cutePictureCellAt(grid, row, column);
  cutePictureAppendCoord(&coord, grid, row, column);
  cuteStringAppend(text, cell->isFaint ? "<g class=\"faint\"" : "<g");
  if (*grid->operand)
    appendAttribute(text, "operand", grid->operand);
  appendAttribute(text, "coord", cuteStringGet(&coord));
  appendMeaning(text, svg->picture, cell);
  cuteStringAppend(text, ">");
  appendTooltip(text, svg->picture, grid, cell, cuteStringGet(&coord));
  char color[16] = "empty";
  if (cell->labels[0])
    snprintf(color, sizeof color, "c%d", cell->color);
  cuteStringAppendFormat(
      text, "<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>",
      color, box.x, box.y, box.width, box.height);
  appendLabels(text, box, cell);
  cuteStringAppend(text, "</g>\n");
  cuteStringDestroy(&coord);
}

void cuteSvgAppendSwatch(const CuteSvg *svg, CuteBox box, unsigned color) {
  cuteStringAppendFormat(
      svg->text,
      "<rect class=\"c%u\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>\n",
      color, box.x, box.y, box.width, box.height);
}

void cuteSvgAppendRule(const CuteSvg *svg, int x1, int y1, int x2, int y2,
                       int weight) {
  cuteStringAppendFormat(
      svg->text,
      "<line class=\"r%d\" x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\"/>\n", weight,
      x1, y1, x2, y2);
}

void cuteSvgAppendWords(const CuteSvg *svg, int x, int y, CuteAnchor anchor,
                        CuteWordStyle style, CuteStringRef words) {
  cuteStringAppendFormat(svg->text, "<text class=\"%s%s\" x=\"%d\" y=\"%d\">",
                         styles[style].name,
                         anchor == CUTE_ANCHOR_MIDDLE ? " mid" : "", x,
                         y + cuteFonts[style].size * 36 / 100);
  appendWords(svg->text, words);
  cuteStringAppend(svg->text, "</text>\n");
}

bool cutePictureWriteSvg(CuteContext c, const CutePicture *picture,
                         CuteString *text) {
  return cutePictureDraw(c, &(CuteSvg){text, picture, true});
}

bool cutePictureWriteSvgBody(CuteContext c, const CutePicture *picture,
                             CuteString *text) {
  return cutePictureDraw(c, &(CuteSvg){text, picture, false});
}
