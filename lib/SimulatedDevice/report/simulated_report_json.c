// The report as JSON.
#include "SimulatedDevice/report/simulated_report.h"

#include <jansson.h>

static json_t *extentsToJson(const unsigned extents[3]) {
  return json_pack("[iii]", (int)extents[0], (int)extents[1], (int)extents[2]);
}

static json_t *trafficToJson(const CuteSimTrafficCounts *t, bool isShared) {
  json_t *object =
      json_pack("{sIsIsIsIsI}", "requests", (json_int_t)t->requests, "bytes",
                (json_int_t)t->bytes, "copied_bytes", (json_int_t)t->copied,
                isShared ? "wavefronts" : "sectors", (json_int_t)t->cost.taken,
                "least", (json_int_t)t->cost.least);
  if (isShared && t->requests) {
    json_object_set_new(
        object, "ways",
        json_real((double)t->cost.taken / (double)t->cost.least));
    json_object_set_new(
        object, "most_ways",
        json_real((double)t->worstCost.taken / (double)t->worstCost.least));
  }
  return object;
}

static void setCounts(json_t *object, const CuteSimCounts *counts) {
  static const char *const names[CUTE_SIM_TRAFFICS] = {
      [CUTE_SIM_SHARED_READ] = "shared_read",
      [CUTE_SIM_SHARED_WRITE] = "shared_write",
      [CUTE_SIM_GLOBAL_READ] = "global_read",
      [CUTE_SIM_GLOBAL_WRITE] = "global_write",
  };
  json_object_set_new(object, "instructions",
                      json_integer(counts->instructions));
  json_object_set_new(object, "operations", json_integer(counts->operations));
  for (int i = 0; i < CUTE_SIM_TRAFFICS; ++i)
    if (cuteSimTrafficGetBytes(&counts->traffic[i]))
      json_object_set_new(
          object, names[i],
          trafficToJson(&counts->traffic[i], cuteSimTrafficIsShared(i)));
}

static json_t *lineToJson(const CuteSimReportLine *line) {
  json_t *object = json_pack("{sssiss}", "file", line->file, "line",
                             (int)line->line, "source", line->text);
  setCounts(object, line->counts);
  return object;
}

static json_t *occupancyToJson(const CuteSimReport *report) {
  CuteOccupancy o = report->occupancy;
  return json_pack("{sisisissss}", "blocks", o.blocks, "warps", o.warps,
                   "of_warps", report->arch->warps, "limit", o.limit, "arch",
                   report->arch->name);
}

void cuteSimReportWriteJson(const CuteSimReport *report, CuteString *text) {
  const CuteSimStatistics *s = report->statistics;
  json_t *lines = json_array();
  json_auto_t *object = json_pack(
      "{s:s, s:I, s:o, s:o, s:o, s:I, s:o, s:f}", "kernel", s->kernel,
      "launches", (json_int_t)s->launches, "grid", extentsToJson(s->grid),
      "block", extentsToJson(s->block), "cluster", extentsToJson(s->cluster),
      "shared_bytes", (json_int_t)s->sharedBytes, "occupancy",
      occupancyToJson(report), "intensity", cuteSimReportGetIntensity(report));
  setCounts(object, &report->total);
  for (size_t i = 0; i < report->numLines; ++i)
    json_array_append_new(lines, lineToJson(&report->lines[i]));
  json_object_set_new(object, "lines", lines);
  CUTE_FREED char *dumped = json_dumps(object, JSON_INDENT(2));
  cuteStringAppendFormat(text, "%s\n", dumped ? dumped : "null");
}
