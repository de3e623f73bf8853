#include "Run/run.h"

#include <math.h>
#include <stdio.h>

//===-- Reports -----------------------------------------------------------===//

// Kernels that do much arithmetic per byte are rated by it.
static void formatRate(const CuteRunResults *results, double milliseconds,
                       char *text, size_t capacity) {
  if (milliseconds <= 0)
    *text = '\0';
  else if (results->operations > 8 * results->bytes)
    snprintf(text, capacity, "%.1f TFLOP/s",
             results->operations / milliseconds * 1e-9);
  else
    snprintf(text, capacity, "%.0f GB/s", results->bytes / milliseconds * 1e-6);
}

// "0.95x copy", or why there is none.
static void formatRatio(const CuteRunResults *results, char *text,
                        size_t capacity) {
  if (results->baseline > 0)
    snprintf(text, capacity, "%.2fx copy",
             results->baseline / results->milliseconds * results->bytes /
                 results->baselineBytes);
  else if (*results->baselineNote)
    snprintf(text, capacity, "- copy: %s", results->baselineNote);
  else
    snprintf(text, capacity, "-");
}

static void appendJson(const char *name, double value, bool isKnown) {
  if (isKnown)
    printf("\"%s\": %.6g, ", name, value);
  else
    printf("\"%s\": null, ", name);
}

static void printJson(const CuteRunResults *results) {
  putchar('{');
  appendJson("error", results->error,
             results->error >= 0 && isfinite(results->error));
  printf("\"sampled\": %s, ", results->isSampled ? "true" : "false");
  appendJson("milliseconds", results->milliseconds, results->milliseconds > 0);
  appendJson("baseline", results->baseline, results->baseline > 0);
  appendJson("operations", results->operations, results->operations > 0);
  printf("\"bytes\": %.0f}\n", results->bytes);
}

void cuteRunPrintHeader(void) {
  puts("kernel and size                      error    time      rate           "
       "baseline");
}

void cuteRunReport(const CuteRunOptions *options,
                   const CuteRunResults *results) {
  char rate[32], error[16] = "-", ratio[192];
  formatRate(results, results->milliseconds, rate, sizeof rate);
  formatRatio(results, ratio, sizeof ratio);
  if (results->error >= 0)
    snprintf(error, sizeof error, "%.1e%s", results->error,
             results->isSampled ? "~" : "");
  if (options->json)
    printJson(results);
  else if (options->row)
    printf("%-36s %-8s %-9.4g %-14s %s\n", options->row, error,
           results->milliseconds, rate, ratio);
  else if (results->milliseconds > 0)
    printf("%.4g ms, %s, %s\n", results->milliseconds, rate, ratio);
}

bool cuteRunReportIsAlone(const CuteRunOptions *options) {
  return options->reportFormat && !options->reportFile &&
         strcmp(options->reportFormat, "text") != 0;
}
