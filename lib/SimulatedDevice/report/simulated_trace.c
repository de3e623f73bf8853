// The timeline of a run in the format of Chrome and Perfetto ("Trace Event
// Format"): a process for each block, a track for each warp, for the tensor
// cores, for copies that are under way at a time, and for each mbarrier.
// Processes and tracks have numbers from 1: 0 is the idle thread for Perfetto.
#include "SimulatedDevice/report/simulated_report.h"

#include <inttypes.h>
#include <jansson.h>

// Tracks after the warps'.
enum { PRODUCTS = 100, COPIES = 101, MAX_COPIES = 99, BARRIERS = 200 };

typedef struct Writer {
  CuteString *text;
  const CuteSimStatistics *statistics;
  const char **names; // of lines, by place
} Writer;

//===-- JSON --------------------------------------------------------------===//

// Adds an event, which it takes, of a track of a block; a name is cut.
static void add(Writer *w, const char *name, int64_t block, int64_t track,
                json_t *event) {
  enum { MOST = 60 };
  CuteStringRef start = cuteStringRefGetStart(cuteStringRef(name), MOST);
  json_t *text = json_stringn(start.data, start.length);
  json_object_set_new(event, "name", text ? text : json_string("(no text)"));
  json_object_set_new(event, "pid", json_integer(block + 1));
  json_object_set_new(event, "tid", json_integer(track + 1));
  CUTE_FREED char *line =
      json_dumps(event, JSON_COMPACT | JSON_REAL_PRECISION(12));
  cuteStringAppendFormat(w->text, "%s\n%s",
                         w->text->data[w->text->length - 1] == '[' ? "" : ",",
                         line);
  json_decref(event);
}

//===-- Events ------------------------------------------------------------===//

// A step is shown as a nanosecond; times are in microseconds.
static void appendSlice(Writer *w, const CuteSimEvent *e, const char *name,
                        int64_t track) {
  json_t *event = json_pack("{ss sf sf s{}}", "ph", "X", "ts", e->start / 1e3,
                            "dur", (e->end - e->start) / 1e3, "args");
  json_t *arguments = json_object_get(event, "args");
  if (e->place)
    json_object_set_new(arguments, "line",
                        json_integer(w->statistics->places[e->place - 1].line));
  if (e->kind == CUTE_SIM_EVENT_COPY)
    json_object_set_new(arguments, "bytes", json_integer(e->number));
  add(w, name, e->block, track, event);
}

static const char *nameOf(const Writer *w, const CuteSimEvent *e) {
  const char *name = w->names[e->place];
  return name && *name ? name : e->name ? e->name : "(no line)";
}

static void appendWait(Writer *w, const CuteSimEvent *e) {
  CUTE_SCOPED(String) name = {0};
  cuteStringAppendFormat(&name, "wait: %s", nameOf(w, e));
  appendSlice(w, e, cuteStringGet(&name), e->track);
}

static void appendEvent(Writer *w, const CuteSimEvent *e) {
  if (e->kind == CUTE_SIM_EVENT_WORK)
    appendSlice(w, e, nameOf(w, e), e->track);
  else if (e->kind == CUTE_SIM_EVENT_WAIT)
    appendWait(w, e);
  else if (e->kind == CUTE_SIM_EVENT_PRODUCT)
    appendSlice(w, e, nameOf(w, e), PRODUCTS);
}

//===-- Barriers ----------------------------------------------------------===//

static int order(double a, double b) { return (a > b) - (a < b); }

// Orders copies by block and start, and after them phases by block, barrier and
// end.
static int compareEvents(const void *a, const void *b) {
  const CuteSimEvent *x = a, *y = b;
  bool isPhase = x->kind == CUTE_SIM_EVENT_PHASE;
  int result = (x->kind > y->kind) - (x->kind < y->kind);
  if (!result)
    result = (x->block > y->block) - (x->block < y->block);
  if (!result && isPhase)
    result = (x->track > y->track) - (x->track < y->track);
  if (result)
    return result;
  return isPhase ? order(x->end, y->end) : order(x->start, y->start);
}

// A phase lasts from the end of the one before.
static void appendPhases(Writer *w, const CuteSimEvent *phases, size_t n) {
  double start = 0;
  int64_t number = 0;
  for (size_t i = 0; i < n; ++i, ++number) {
    CuteSimEvent e = phases[i];
    char name[32];
    if (i && (e.block != phases[i - 1].block || e.track != phases[i - 1].track))
      start = 0, number = 0;
    snprintf(name, sizeof name, "phase %" PRId64, number);
    e.start = start;
    appendSlice(w, &e, name, BARRIERS + e.track);
    start = e.end;
  }
}

//===-- Copies ------------------------------------------------------------===//

static void nameTrack(Writer *w, int64_t block, int64_t track,
                      const char *name) {
  add(w, "thread_name", block, track,
      json_pack("{ss s{ss}}", "ph", "M", "args", "name", name));
  add(w, "thread_sort_index", block, track,
      json_pack("{ss s{sI}}", "ph", "M", "args", "sort_index",
                (json_int_t)track));
}

// Gives the first of a block's tracks that is free at a time, by when each is.
static int freeTrack(double *free, double start) {
  int track = 0;
  while (track < MAX_COPIES - 1 && free[track] > start)
    ++track;
  return track;
}

// Copies in the order of blocks and starts. Those under way at a time are on
// different tracks, the first ones named by what moves them.
static void appendCopies(Writer *w, const CuteSimEvent *copies, size_t n) {
  double free[MAX_COPIES];
  int numTracks = 0;
  for (size_t i = 0; i < n; ++i) {
    const CuteSimEvent *e = &copies[i];
    bool isBulk = e->name && strstr(e->name, "bulk");
    if (!i || e->block != copies[i - 1].block)
      numTracks = 0, memset(free, 0, sizeof free);
    int track = freeTrack(free, e->start);
    for (; numTracks <= track; ++numTracks)
      nameTrack(w, e->block, COPIES + numTracks, isBulk ? "TMA" : "cp.async");
    appendSlice(w, e, nameOf(w, e), COPIES + track);
    free[track] = e->end;
  }
}

//===-- Tracks ------------------------------------------------------------===//

typedef struct Track {
  int64_t block, number;
  bool isBarrier, isProducts;
  bool copies, multiplies;
} Track;

static void appendTrack(Writer *w, const Track *track) {
  char name[64], block[40];
  if (track->isBarrier)
    snprintf(name, sizeof name, "mbarrier at %" PRId64,
             track->number - BARRIERS);
  else if (track->isProducts)
    snprintf(name, sizeof name, "tensor cores");
  else
    snprintf(name, sizeof name, "warp %" PRId64 "%s%s", track->number,
             track->copies ? ", copies" : "",
             track->multiplies ? ", multiplies" : "");
  snprintf(block, sizeof block, "block %" PRId64, track->block);
  nameTrack(w, track->block, track->number, name);
  add(w, "process_name", track->block, 0,
      json_pack("{ss s{ss}}", "ph", "M", "args", "name", block));
}

static Track trackOf(const CuteSimEvent *e) {
  Track track = {.block = e->block, .number = e->track};
  track.copies = e->kind == CUTE_SIM_EVENT_COPY;
  track.isBarrier = e->kind == CUTE_SIM_EVENT_PHASE;
  track.number += track.isBarrier ? BARRIERS : 0;
  return track;
}

// Names each track once. Tracks are few, and events of one follow each other.
static void appendTracks(Writer *w, const CuteSimTimeline *trace) {
  size_t count = 0;
  CUTE_FREED Track *tracks =
      cuteAllocate((2 * trace->count + 1) * sizeof *tracks);
  for (size_t i = 0; i < 2 * trace->count; ++i) {
    const CuteSimEvent *e = &trace->data[i / 2];
    bool isProduct = e->kind == CUTE_SIM_EVENT_PRODUCT;
    Track track = trackOf(e);
    size_t at = count;
    if (isProduct && i % 2)
      track.isProducts = true, track.number = PRODUCTS;
    track.multiplies = isProduct && !track.isProducts;
    while (at > 0 && (tracks[at - 1].block != track.block ||
                      tracks[at - 1].number != track.number))
      --at;
    if (!at)
      tracks[count++] = track;
    else
      tracks[at - 1].copies |= track.copies,
          tracks[at - 1].multiplies |= track.multiplies;
  }
  for (size_t i = 0; i < count; ++i)
    appendTrack(w, &tracks[i]);
}

//===-- Entry -------------------------------------------------------------===//

void cuteSimReportWriteTrace(const CuteSimReport *report, CuteString *text) {
  const CuteSimStatistics *s = report->statistics;
  const CuteSimTimeline *trace = &s->trace;
  size_t count = 0, numCopies = 0;
  CUTE_FREED CuteSimEvent *sorted =
      cuteAllocate((trace->count + 1) * sizeof *sorted);
  CUTE_FREED const char **names =
      cuteAllocateZeros(s->numPlaces + 1, sizeof *names);
  Writer w = {text, s, names};
  for (size_t i = 0; i < report->numLines; ++i)
    names[report->lines[i].counts - s->counts] = report->lines[i].text;
  cuteStringAppendFormat(text,
                         "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"kernel\""
                         ":\"%s\",\"unit\":\"1 ns is a step\",\"is_cut_off\":%s"
                         "},\"traceEvents\":[",
                         s->kernel, trace->isFull ? "true" : "false");
  appendTracks(&w, trace);
  for (size_t i = 0; i < trace->count; ++i) {
    appendEvent(&w, &trace->data[i]);
    bool isCopy = trace->data[i].kind == CUTE_SIM_EVENT_COPY;
    numCopies += isCopy;
    if (isCopy || trace->data[i].kind == CUTE_SIM_EVENT_PHASE)
      sorted[count++] = trace->data[i];
  }
  qsort(sorted, count, sizeof *sorted, compareEvents);
  appendPhases(&w, sorted + numCopies, count - numCopies);
  appendCopies(&w, sorted, numCopies);
  cuteStringAppend(text, "\n]}\n");
}
