// The report as a table.
#include "SimulatedDevice/report/simulated_report.h"

static void appendCost(const CuteSimTrafficCounts *t, int traffic,
                       CuteString *text) {
  CUTE_SCOPED(String) cost = {0};
  cuteStringAppend(&cost, t->requests ? "" : "no requests");
  cuteSimTrafficAppendCost(&cost, traffic, t);
  if (t->requests && cuteSimTrafficIsShared(traffic) &&
      t->worstCost.taken * t->cost.least > t->worstCost.least * t->cost.taken)
    cuteStringAppendFormat(&cost, " (most %.3g)",
                           (double)t->worstCost.taken /
                               (double)t->worstCost.least);
  cuteStringAppendFormat(text, "%-13s%9lld%11lld  %-25s",
                         cuteSimTrafficNames[traffic], (long long)t->requests,
                         (long long)cuteSimTrafficGetBytes(t),
                         cuteStringGet(&cost));
}

static void endRow(CuteString *text, const char *source) {
  if (source && *source)
    cuteStringAppendFormat(text, "  %s", source);
  while (text->length && text->data[text->length - 1] == ' ')
    text->data[--text->length] = '\0';
  cuteStringAppendChar(text, '\n');
}

static bool hasTraffic(const CuteSimCounts *counts) {
  int64_t bytes = 0;
  for (int i = 0; i < CUTE_SIM_TRAFFICS; ++i)
    bytes += cuteSimTrafficGetBytes(&counts->traffic[i]);
  return bytes;
}

static void appendLine(const CuteSimReportLine *line, CuteString *text) {
  enum { COST = 60 };
  const char *source = line->text;
  cuteStringAppendFormat(text, "%6.0u%13lld%14lld  ", line->line,
                         (long long)line->counts->instructions,
                         (long long)line->counts->operations);
  if (!hasTraffic(line->counts)) {
    cuteStringAppendFormat(text, "%*s", COST, "");
    endRow(text, source);
  }
  for (int i = 0; i < CUTE_SIM_TRAFFICS; ++i) {
    const CuteSimTrafficCounts *t = &line->counts->traffic[i];
    if (!cuteSimTrafficGetBytes(t))
      continue;
    if (!source)
      cuteStringAppendFormat(text, "%35s", "");
    appendCost(t, i, text);
    endRow(text, source);
    source = NULL;
  }
}

// Tells whether a line is worth one of the table: it moves bytes, computes, or
// has a hundredth of all instructions.
static bool isShown(const CuteSimReport *report, const CuteSimCounts *counts) {
  enum { PART = 100 };
  return hasTraffic(counts) || counts->operations ||
         counts->instructions * PART >= report->total.instructions;
}

void cuteSimReportWriteText(const CuteSimReport *report, CuteString *text) {
  const char *file = NULL;
  int64_t others = 0, instructions = 0;
  cuteSimReportAppendSummary(report, text);
  for (size_t i = 0; i < report->numLines; ++i) {
    const CuteSimReportLine *line = &report->lines[i];
    if (!isShown(report, line->counts)) {
      ++others;
      instructions += line->counts->instructions;
      continue;
    }
    if (!file || strcmp(file, line->file) != 0)
      cuteStringAppendFormat(text, "\n%s\n%6s%13s%14s  %-13s%9s%11s  cost\n",
                             *line->file ? line->file : "(no line)", "line",
                             "instructions", "operations", "memory", "requests",
                             "bytes");
    file = line->file;
    appendLine(line, text);
  }
  if (others)
    cuteStringAppendFormat(text, "\n%jd other lines: %jd instructions\n",
                           others, instructions);
}
