#include "SimulatedDevice/report/simulated_report.h"

const char *const cuteSimTrafficNames[CUTE_SIM_TRAFFICS] = {
    [CUTE_SIM_SHARED_READ] = "shared read",
    [CUTE_SIM_SHARED_WRITE] = "shared write",
    [CUTE_SIM_GLOBAL_READ] = "global read",
    [CUTE_SIM_GLOBAL_WRITE] = "global write",
};

int64_t cuteSimTrafficGetBytes(const CuteSimTrafficCounts *traffic) {
  return traffic->bytes + traffic->copied;
}

void cuteSimTrafficAppendCost(CuteString *text, int traffic,
                              const CuteSimTrafficCounts *counts) {
  double taken = (double)counts->cost.taken, least = (double)counts->cost.least;
  double requests = (double)counts->requests;
  if (counts->requests && cuteSimTrafficIsShared(traffic))
    cuteStringAppendFormat(text, "%.3g-way", taken / least);
  else if (counts->requests)
    cuteStringAppendFormat(text, "%.1f sectors (least %.1f)", taken / requests,
                           least / requests);
}

//===-- Lines -------------------------------------------------------------===//

// Orders lines; lines without a file come last.
static int compareLines(const void *a, const void *b) {
  const CuteSimReportLine *x = a, *y = b;
  int order = !*x->file - !*y->file;
  if (!order)
    order = strcmp(x->file, y->file);
  return order ? order : (x->line > y->line) - (x->line < y->line);
}

static bool hasCounts(const CuteSimCounts *counts) {
  int64_t sum = counts->instructions;
  for (int i = 0; i < CUTE_SIM_TRAFFICS; ++i)
    sum += counts->traffic[i].requests + counts->traffic[i].copied;
  return sum;
}

static void collectLines(CuteSimReport *report) {
  const CuteSimStatistics *s = report->statistics;
  report->lines = cuteArenaAllocate(&report->arena, (s->numPlaces + 1) *
                                                        sizeof(*report->lines));
  for (size_t i = 0; i <= s->numPlaces; ++i) {
    CuteSimReportLine line = {"", 0, "", &s->counts[i]};
    if (i)
      line.file = s->places[i - 1].file, line.line = s->places[i - 1].line;
    if (!hasCounts(line.counts))
      continue;
    report->lines[report->numLines++] = line;
    cuteSimCountsAdd(&report->total, line.counts);
  }
  qsort(report->lines, report->numLines, sizeof *report->lines, compareLines);
}

static const char *trimmed(CuteArena *arena, const char *text) {
  size_t length = strlen(text);
  while (length && strchr(" \t\r\n", text[length - 1]))
    --length;
  while (length && strchr(" \t", *text))
    ++text, --length;
  return cuteArenaCopyText(arena, text, length);
}

// Reads the text of the lines [first, end), which are of one file.
static void readLines(CuteSimReport *report, size_t first, size_t end) {
  FILE *file = fopen(report->lines[first].file, "r");
  CUTE_FREED char *text = NULL;
  size_t capacity = 0;
  unsigned number = 0;
  while (file && first < end && getline(&text, &capacity, file) >= 0)
    if (++number == report->lines[first].line)
      report->lines[first++].text = trimmed(&report->arena, text);
  if (file)
    fclose(file);
}

static void readSources(CuteSimReport *report) {
  for (size_t i = 0, end; i < report->numLines; i = end) {
    for (end = i + 1; end < report->numLines &&
                      !strcmp(report->lines[i].file, report->lines[end].file);)
      ++end;
    if (*report->lines[i].file)
      readLines(report, i, end);
  }
}

//===-- Summary -----------------------------------------------------------===//

static const char *pluralOf(int n) { return n == 1 ? "" : "s"; }

static int volumeOf(const unsigned extents[3]) {
  return (int)(extents[0] * extents[1] * extents[2]);
}

double cuteSimReportGetIntensity(const CuteSimReport *report) {
  const CuteSimTrafficCounts *traffic = report->total.traffic;
  int64_t bytes = cuteSimTrafficGetBytes(&traffic[CUTE_SIM_GLOBAL_READ]) +
                  cuteSimTrafficGetBytes(&traffic[CUTE_SIM_GLOBAL_WRITE]);
  return bytes ? (double)report->total.operations / (double)bytes : 0;
}

void cuteSimReportAppendSummary(const CuteSimReport *report, CuteString *text) {
  const CuteSimStatistics *s = report->statistics;
  const CuteSimTrafficCounts *traffic = report->total.traffic;
  CuteOccupancy o = report->occupancy;
  cuteStringAppendFormat(
      text, "%s: %d block%s of %d threads, %u bytes of shared memory each",
      s->kernel, volumeOf(s->grid), pluralOf(volumeOf(s->grid)),
      volumeOf(s->block), s->sharedBytes);
  if (s->launches > 1)
    cuteStringAppendFormat(text, "; %u launches together", s->launches);
  if (s->isCutOff)
    cuteStringAppend(text, "; the run failed, and this is what was before");
  cuteStringAppendFormat(
      text,
      "\noccupancy: %d block%s of a multiprocessor of %s, %d of %d warps, "
      "limited by %s; registers are not counted\n",
      o.blocks, pluralOf(o.blocks), report->arch->name, o.warps,
      report->arch->warps, o.limit);
  cuteStringAppendFormat(
      text,
      "%jd instructions of warps, %jd operations on floats; global memory: "
      "%jd bytes read, %jd written, %.3g operations a byte\n",
      report->total.instructions, report->total.operations,
      cuteSimTrafficGetBytes(&traffic[CUTE_SIM_GLOBAL_READ]),
      cuteSimTrafficGetBytes(&traffic[CUTE_SIM_GLOBAL_WRITE]),
      cuteSimReportGetIntensity(report));
}

//===-- Writing -----------------------------------------------------------===//

static const struct {
  const char *name;
  void (*write)(const CuteSimReport *report, CuteString *text);
} formats[] = {
    {"text", cuteSimReportWriteText},
    {"json", cuteSimReportWriteJson},
    {"html", cuteSimReportWriteHtml},
    {"trace", cuteSimReportWriteTrace},
};

static CuteStatus write(CuteSimReport *report, const char *format,
                        CuteString *text) {
  const CuteSimStatistics *s = report->statistics;
  for (size_t i = 0; i < sizeof formats / sizeof *formats; ++i) {
    if (strcmp(formats[i].name, format) != 0)
      continue;
    report->occupancy = cuteArchGetOccupancy(report->arch, volumeOf(s->block),
                                             0, (int)s->sharedBytes);
    collectLines(report);
    readSources(report);
    formats[i].write(report, text);
    return NULL;
  }
  return cuteStatusCreate("--report is text, json or html, not '%s'", format);
}

CuteStatus cuteSimReportWrite(const CuteSimKernel *kernel, size_t numTensors,
                              const struct CuteSimTensor *tensors,
                              const char *arch, const char *format,
                              CuteString *text) {
  CuteSimReport report = {.kernel = kernel,
                          .numTensors = numTensors,
                          .tensors = tensors,
                          .statistics = kernel ? kernel->statistics : NULL,
                          .arch = cuteArchFind(arch)};
  if (!report.statistics || !report.statistics->counts)
    return cuteStatusCreate("nothing to report: no kernel was run");
  CuteStatus status = write(&report, format, text);
  cuteArenaDestroy(&report.arena);
  return status;
}
