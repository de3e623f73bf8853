// The report as a page: what costs most, and the source with the numbers of
// each line beside it and pictures of its requests and layouts below.
#include "Calculator/pictures/picture.h"
#include "SimulatedDevice/report/report_parts.h"

extern const char cuteReportStyle[]; // report_page.css

//===-- Costs -------------------------------------------------------------===//

static bool isHot(const CuteSimCounts *counts) {
  bool hot = false;
  for (int i = 0; i < CUTE_SIM_TRAFFICS; ++i)
    hot |= cuteSimTrafficIsCostly(&counts->traffic[i]);
  return hot;
}

// "shared read 8-way", "global read 8.0 sectors (least 4.0)".
static void appendCost(CuteString *text, int traffic,
                       const CuteSimTrafficCounts *t) {
  cuteStringAppendFormat(text, "%s%s", cuteSimTrafficNames[traffic],
                         t->requests ? " " : "");
  cuteSimTrafficAppendCost(text, traffic, t);
}

typedef struct Costly {
  const CuteSimReportLine *line;
  int traffic;
  int64_t excess;
} Costly;

static int compareCostly(const void *a, const void *b) {
  const Costly *x = a, *y = b;
  return (y->excess > x->excess) - (y->excess < x->excess);
}

static void appendCostly(CuteString *text, const Costly *costly) {
  const CuteSimTrafficCounts *t =
      &costly->line->counts->traffic[costly->traffic];
  cuteStringAppendFormat(text, "<li><a href=\"#L%u\">line %u</a>: <b>",
                         costly->line->line, costly->line->line);
  appendCost(text, costly->traffic, t);
  cuteStringAppendFormat(
      text, "</b>, %jd %s where %jd would do<br><code>", t->cost.taken,
      cuteSimTrafficIsShared(costly->traffic) ? "wavefronts" : "sectors",
      t->cost.least);
  cuteAppendXml(text, costly->line->text);
  cuteStringAppend(text, "</code></li>\n");
}

// Lists what takes more than it need, most first.
static void appendHottest(const CuteSimReport *report, CuteString *text) {
  enum { MOST = 8 };
  CUTE_FREED Costly *all =
      cuteAllocateZeros(report->numLines * CUTE_SIM_TRAFFICS + 1, sizeof *all);
  size_t n = 0;
  for (size_t i = 0; i < report->numLines; ++i)
    for (int k = 0; k < CUTE_SIM_TRAFFICS; ++k) {
      const CuteSimTrafficCounts *t = &report->lines[i].counts->traffic[k];
      if (cuteSimTrafficIsCostly(t))
        all[n++] =
            (Costly){&report->lines[i], k, t->cost.taken - t->cost.least};
    }
  qsort(all, n, sizeof *all, compareCostly);
  cuteStringAppend(text, n ? "<h2>What could cost less</h2>\n"
                             "<ol class=\"hottest\">\n"
                           : "<p>No line accesses memory half as often again "
                             "as it needs to.</p>\n");
  for (size_t i = 0; i < n && i < MOST; ++i)
    appendCostly(text, &all[i]);
  cuteStringAppend(text, n ? "</ol>\n" : "");
}

//===-- Lines -------------------------------------------------------------===//

static void appendNumber(CuteString *text, char column, int64_t number) {
  cuteStringAppendFormat(text, "<span class=\"%c\">", column);
  if (number)
    cuteStringAppendInt(text, number);
  cuteStringAppend(text, "</span>");
}

static void appendMemory(CuteString *text, const CuteSimCounts *counts) {
  const char *before = "";
  cuteStringAppend(text, "<span class=\"m\">");
  for (int i = 0; counts && i < CUTE_SIM_TRAFFICS; ++i) {
    const CuteSimTrafficCounts *t = &counts->traffic[i];
    int64_t bytes = cuteSimTrafficGetBytes(t);
    if (!bytes)
      continue;
    cuteStringAppend(text, before);
    appendCost(text, i, t);
    cuteStringAppendFormat(text, ", %jd B", bytes);
    before = "\n";
  }
  cuteStringAppend(text, "</span>");
}

// A line of the source; `line` is null where nothing was done on it.
static void appendRow(const CuteSimReport *report, unsigned number,
                      const char *source, const CuteSimReportLine *line,
                      CuteString *text) {
  const CuteSimCounts *counts = line ? line->counts : NULL;
  cuteStringAppendFormat(text,
                         "<div id=\"L%u\" class=\"row%s\"><span "
                         "class=\"n\">%u</span>",
                         number,
                         !counts         ? ""
                         : isHot(counts) ? " on hot"
                                         : " on",
                         number);
  appendNumber(text, 'i', counts ? counts->instructions : 0);
  appendNumber(text, 'o', counts ? counts->operations : 0);
  appendMemory(text, counts);
  cuteStringAppend(text, "<span class=\"s\">");
  cuteAppendXml(text, source);
  cuteStringAppend(text, "</span></div>\n");
  if (line)
    cuteReportAppendFigures(report, line, text);
}

static void appendHeader(CuteString *text, const char *file) {
  cuteStringAppend(text, "<h2>");
  cuteAppendXml(text, *file ? file : "no line of a source");
  cuteStringAppend(
      text, "</h2>\n<div class=\"code\">\n<div class=\"row names\">"
            "<span class=\"n\">line</span><span class=\"i\">instructions"
            "</span><span class=\"o\">operations</span><span class=\"m\">"
            "memory</span><span class=\"s\">source</span></div>\n");
}

// The whole file, with the numbers of the lines [first, end); where it cannot
// be read, these alone.
static void appendFile(const CuteSimReport *report, size_t first, size_t end,
                       CuteString *text) {
  const char *path = report->lines[first].file;
  FILE *file = *path ? fopen(path, "r") : NULL;
  CUTE_FREED char *source = NULL;
  size_t capacity = 0;
  unsigned number = 0;
  appendHeader(text, path);
  while (file && getline(&source, &capacity, file) >= 0) {
    const CuteSimReportLine *line = NULL;
    source[strcspn(source, "\r\n")] = '\0';
    ++number;
    if (first < end && report->lines[first].line == number)
      line = &report->lines[first++];
    appendRow(report, number, source, line, text);
  }
  for (; first < end; ++first)
    appendRow(report, report->lines[first].line, report->lines[first].text,
              &report->lines[first], text);
  cuteStringAppend(text, "</div>\n");
  if (file)
    fclose(file);
}

void cuteSimReportWriteHtml(const CuteSimReport *report, CuteString *text) {
  CUTE_SCOPED(String) summary = {0};
  cuteSimReportAppendSummary(report, &summary);
  cuteStringAppend(text, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
                         "<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
                         "content=\"width=device-width, initial-scale=1\">\n"
                         "<style>\n");
  cuteStringAppend(text, cuteReportStyle);
  cuteStringAppend(text, "</style>\n<title>");
  cuteAppendXml(text, report->statistics->kernel);
  cuteStringAppend(text, "</title>\n</head>\n<body>\n<h1>");
  cuteAppendXml(text, report->statistics->kernel);
  cuteStringAppend(text, "</h1>\n<p style=\"white-space:pre-line\">");
  cuteStringAppend(text, cuteStringGet(&summary));
  cuteStringAppend(text, "</p>\n");
  appendHottest(report, text);
  for (size_t i = 0, end; i < report->numLines; i = end) {
    for (end = i + 1; end < report->numLines &&
                      !strcmp(report->lines[i].file, report->lines[end].file);)
      ++end;
    appendFile(report, i, end, text);
  }
  cuteStringAppend(text, "</body>\n</html>\n");
}
