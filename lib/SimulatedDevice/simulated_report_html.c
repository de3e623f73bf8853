// The report as a page: the source with the numbers of each line beside it, and
// pictures of the requests that cost most.
#include "SimulatedDevice/request_picture.h"
#include "SimulatedDevice/simulated_report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char head[] =
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<style>\n"
    "body{font-family:system-ui,sans-serif;margin:2em;color:#1a1a1a}\n"
    "table{border-collapse:collapse;font:13px ui-monospace,Menlo,Consolas,"
    "\"DejaVu Sans Mono\",monospace}\n"
    "th,td{padding:1px 8px;text-align:right;white-space:pre;vertical-align:top}"
    "\n"
    "td.s,th.s{text-align:left}\n"
    "td.n{color:#888}\n"
    "tr.hot td{background:#fde0d8}\n"
    "tr.on td.s{font-weight:600}\n"
    "th{position:sticky;top:0;background:#fff;border-bottom:1px solid #888}\n"
    "details{font-family:system-ui,sans-serif;white-space:normal}\n"
    "svg text{font:10px ui-monospace,Menlo,Consolas,monospace;"
    "text-anchor:middle}\n"
    "</style>\n";

static void appendEscaped(CuteString *text, const char *raw) {
  for (; *raw; ++raw) {
    const char *entity = *raw == '&'   ? "&amp;"
                         : *raw == '<' ? "&lt;"
                         : *raw == '>' ? "&gt;"
                                       : NULL;
    if (entity)
      cuteStringAppend(text, entity);
    else
      cuteStringAppendChar(text, *raw);
  }
}

//===-- Cells -------------------------------------------------------------===//

static void appendNumber(CuteString *text, int64_t number) {
  cuteStringAppend(text, "<td>");
  if (number)
    cuteStringAppendInt(text, number);
  cuteStringAppend(text, "</td>");
}

// Bytes, and sectors of a request beside the least that they could be.
static void appendGlobal(CuteString *text, const CuteSimTrafficCounts *t) {
  appendNumber(text, cuteSimTrafficGetBytes(t));
  cuteStringAppend(text, "<td>");
  if (t->requests)
    cuteStringAppendFormat(text, "%.1f / %.1f",
                           (double)t->cost.taken / (double)t->requests,
                           (double)t->cost.least / (double)t->requests);
  cuteStringAppend(text, "</td>");
}

// Bytes, and ways of bank conflicts.
static void appendShared(CuteString *text, const CuteSimTrafficCounts *t) {
  appendNumber(text, cuteSimTrafficGetBytes(t));
  cuteStringAppend(text, "<td>");
  if (t->requests)
    cuteStringAppendFormat(text, "%.3g-way",
                           (double)t->cost.taken / (double)t->cost.least);
  cuteStringAppend(text, "</td>");
}

// Tells whether something takes half as much again as it need.
static bool isHot(const CuteSimCounts *counts) {
  bool hot = false;
  for (int i = 0; i < CUTE_SIM_TRAFFICS; ++i)
    hot |=
        2 * counts->traffic[i].cost.taken > 3 * counts->traffic[i].cost.least;
  return hot;
}

static void appendPictures(CuteString *text, const CuteSimCounts *counts) {
  for (int i = 0; i < CUTE_SIM_TRAFFICS; ++i) {
    const CuteSimTrafficCounts *t = &counts->traffic[i];
    if (!t->requests)
      continue;
    cuteStringAppendFormat(
        text,
        "<tr><td colspan=\"12\" class=\"s\"><details%s><summary>%s: the "
        "request that takes most, %lld %s of at least %lld; lanes by %s"
        "</summary>\n",
        t->worstCost.taken > t->worstCost.least ? " open" : "",
        cuteSimTrafficNames[i], (long long)t->worstCost.taken,
        cuteSimTrafficIsShared(i) ? "wavefronts" : "sectors",
        (long long)t->worstCost.least,
        cuteSimTrafficIsShared(i) ? "bank" : "word of 4 bytes");
    if (cuteSimTrafficIsShared(i))
      cuteRequestDrawBanks(&t->worst, text);
    else
      cuteRequestDrawSectors(&t->worst, text);
    cuteStringAppend(text, "</details></td></tr>\n");
  }
}

//===-- Lines -------------------------------------------------------------===//

static void appendRow(CuteString *text, unsigned number, const char *source,
                      const CuteSimCounts *counts) {
  cuteStringAppendFormat(text, "<tr class=\"%s\"><td class=\"n\">%u</td>",
                         !counts         ? ""
                         : isHot(counts) ? "on hot"
                                         : "on",
                         number);
  appendNumber(text, counts ? counts->instructions : 0);
  appendNumber(text, counts ? counts->operations : 0);
  for (int i = 0; i < CUTE_SIM_TRAFFICS; ++i)
    if (!counts)
      cuteStringAppend(text, "<td></td><td></td>");
    else if (cuteSimTrafficIsShared(i))
      appendShared(text, &counts->traffic[i]);
    else
      appendGlobal(text, &counts->traffic[i]);
  cuteStringAppend(text, "<td class=\"s\">");
  appendEscaped(text, source);
  cuteStringAppend(text, "</td></tr>\n");
  if (counts)
    appendPictures(text, counts);
}

static void appendHeader(CuteString *text, const char *file) {
  cuteStringAppend(text, "<h2>");
  appendEscaped(text, *file ? file : "no line of a source");
  cuteStringAppend(text, "</h2>\n<table>\n<tr><th>line</th><th>instructions"
                         "</th><th>operations</th>");
  for (int i = 0; i < CUTE_SIM_TRAFFICS; ++i)
    cuteStringAppendFormat(
        text, "<th>%s</th><th>%s</th>", cuteSimTrafficNames[i],
        cuteSimTrafficIsShared(i) ? "banks" : "sectors / least");
  cuteStringAppend(text, "<th class=\"s\">source</th></tr>\n");
}

// The whole file, with the numbers of the lines [first, end); where it cannot
// be read, these alone.
static void appendFile(const CuteSimReport *report, size_t first, size_t end,
                       CuteString *text) {
  const char *path = report->lines[first].file;
  FILE *file = *path ? fopen(path, "r") : NULL;
  char *line = NULL;
  size_t capacity = 0;
  unsigned number = 0;
  appendHeader(text, path);
  while (file && getline(&line, &capacity, file) >= 0) {
    const CuteSimCounts *counts = NULL;
    line[strcspn(line, "\r\n")] = '\0';
    ++number;
    if (first < end && report->lines[first].line == number)
      counts = report->lines[first++].counts;
    appendRow(text, number, line, counts);
  }
  for (; first < end; ++first)
    appendRow(text, report->lines[first].line, report->lines[first].text,
              report->lines[first].counts);
  cuteStringAppend(text, "</table>\n");
  free(line);
  if (file)
    fclose(file);
}

void cuteSimReportWriteHtml(const CuteSimReport *report, CuteString *text) {
  CuteString summary = {0};
  cuteSimReportAppendSummary(report, &summary);
  cuteStringAppend(text, head);
  cuteStringAppend(text, "<title>");
  appendEscaped(text, report->statistics->kernel);
  cuteStringAppend(text, "</title>\n</head>\n<body>\n<h1>");
  appendEscaped(text, report->statistics->kernel);
  cuteStringAppend(text, "</h1>\n<p style=\"white-space:pre-line\">");
  appendEscaped(text, cuteStringGet(&summary));
  cuteStringAppend(text, "</p>\n");
  for (size_t i = 0, end; i < report->numLines; i = end) {
    for (end = i + 1; end < report->numLines &&
                      !strcmp(report->lines[i].file, report->lines[end].file);)
      ++end;
    appendFile(report, i, end, text);
  }
  cuteStringAppend(text, "</body>\n</html>\n");
  cuteStringDestroy(&summary);
}
