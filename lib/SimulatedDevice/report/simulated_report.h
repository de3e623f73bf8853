// Reports on what kernels did on the simulator, line by line of their source.
#pragma once

#include "Hardware/occupancy.h"
#include "SimulatedDevice/driver/host_program.h"
#include "Simulator/observe/statistics.h"
#include "Support/arena.h"

// A line that something was done on.
typedef struct CuteSimReportLine {
  const char *file; // "": of no line
  unsigned line;
  const char *text; // without spaces around it; "" where it is not known
  const CuteSimCounts *counts;
} CuteSimReportLine;

typedef struct CuteSimReport {
  CuteArena arena;
  const CuteSimKernel *kernel;
  size_t numTensors; // of its latest launch
  const struct CuteSimTensor *tensors;
  const CuteSimStatistics *statistics;
  const CuteArch *arch;
  CuteOccupancy occupancy;
  size_t numLines;
  CuteSimReportLine *lines; // in order
  CuteSimCounts total;
} CuteSimReport;

// Appends a report on a kernel, which was launched with these tensors, in a
// format: text, json, html, or the timeline as trace. Fails if the format is
// unknown, or nothing was run.
CuteStatus cuteSimReportWrite(const CuteSimKernel *kernel, size_t numTensors,
                              const struct CuteSimTensor *tensors,
                              const char *arch, const char *format,
                              CuteString *text);

//===-- Formats -----------------------------------------------------------===//

void cuteSimReportWriteText(const CuteSimReport *report, CuteString *text);
void cuteSimReportWriteJson(const CuteSimReport *report, CuteString *text);
void cuteSimReportWriteHtml(const CuteSimReport *report, CuteString *text);
void cuteSimReportWriteTrace(const CuteSimReport *report, CuteString *text);

// "shared read", by CuteSimTraffic.
extern const char *const cuteSimTrafficNames[CUTE_SIM_TRAFFICS];

static inline bool cuteSimTrafficIsShared(int traffic) {
  return traffic <= CUTE_SIM_SHARED_WRITE;
}

// Tells whether requests take half as much again as they need.
static inline bool cuteSimTrafficIsCostly(const CuteSimTrafficCounts *traffic) {
  return 2 * traffic->cost.taken > 3 * traffic->cost.least;
}

// Bytes with and without requests.
int64_t cuteSimTrafficGetBytes(const CuteSimTrafficCounts *traffic);

// Appends the ways of bank conflicts, or sectors of a request and the least
// that they could be; nothing without a request.
void cuteSimTrafficAppendCost(CuteString *text, int traffic,
                              const CuteSimTrafficCounts *counts);

// Operations on floats for each byte of global memory; 0 where no byte is
// touched.
double cuteSimReportGetIntensity(const CuteSimReport *report);

// The sentences at the head of a report, each with a new line.
void cuteSimReportAppendSummary(const CuteSimReport *report, CuteString *text);
