// cute-tune: the part of the tuner that needs a GPU. In each race all kernels
// are checked and timed shortly, one after another; then the fastest in turn,
// longer and longer, while the slower half of them is left out each time, so
// that a clock that changes slowly is no one's advantage.
#include "Run/tune.h"
#include "Run/race.h"
#include "Run/run_report.h"
#include "Run/tune_notes.h"
#include "Support/arena.h"
#include "Support/clock.h"
#include "Support/command_line.h"
#include "Support/say_error.h"
#include "Support/string_builder.h"

#include <errno.h>
#include <jansson.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

enum { DONE = 0, WRONG = 1, STOPPED = 3, BROKEN = 4 }; // exit codes
enum { FINALISTS = 16, WINNERS = 4 };

// Timing of each kernel, and again of the fastest; the last ones
// are timed as thoroughly as cute-run times.
static const CuteTiming heatTiming = {CUTE_CACHE_COLD, 1, 5, 20};
static const CuteTiming finalTiming = {CUTE_CACHE_COLD, 2, 10, 20};

typedef struct Tuner {
  const char *directory;
  long seconds, limit; // 0: as many as it takes
  long ordinal;        // of the device
  CuteDevice device;
  CuteNotes notes;
  const json_t *races;
  size_t done, total, failures, ran;
  double start;
} Tuner;

static volatile sig_atomic_t wantsStop;

static void onSignal(int number) { wantsStop = number; }

static double now(void) { return cuteNow() / 1e3; } // seconds

static bool shouldStop(const Tuner *t) {
  return wantsStop || (t->seconds && now() - t->start >= (double)t->seconds);
}

//===-- Messages ----------------------------------------------------------===//

// The message as one line of ASCII.
static void flatten(CuteStatus status, char *text, size_t capacity) {
  snprintf(text, capacity, "error: %s", cuteStatusGetMessage(status));
  for (; *text; ++text)
    if (*text < ' ' || *text > '~')
      *text = ' ';
}

// A bar with the time left, and the best so far of a race.
static void showBar(const Tuner *t, const json_t *race, double best) {
  enum { WIDTH = 30 };
  static const char full[] = "##############################";
  static const char empty[] = "..............................";
  const char *label = json_string_value(json_object_get(race, "label"));
  double operations = json_number_value(json_object_get(race, "operations"));
  double each = t->ran ? (now() - t->start) / (double)t->ran : 0;
  long left = (long)(each * (double)(t->total - t->done));
  int filled = (int)(WIDTH * t->done / (t->total ? t->total : 1));
  fprintf(stderr, "\r[%.*s%.*s] %zu/%zu, %zu failed, %ld:%02ld left  %s",
          filled, full, WIDTH - filled, empty, t->done, t->total, t->failures,
          left / 60, left % 60, label ? label : "");
  if (best > 0)
    fprintf(stderr, ": %.4g ms, %.1f TFLOP/s", best, operations / best * 1e-9);
  fputs("  ", stderr);
}

//===-- Heats -------------------------------------------------------------===//

typedef struct Heat {
  double milliseconds, error; // of the checks, -1 if they were made before
} Heat;

static CuteStatus tryKernel(Tuner *t, CuteRunner *runner, CuteRace *race,
                            size_t entry, Heat *heat) {
  heat->error = -1;
  if (!t->notes.passed[runner->id])
    CUTE_TRY(cuteRunnerCheck(runner, race, entry, &heat->error));
  CUTE_TRY(cuteRunnerVerify(runner, race));
  return cuteRunnersMeasure(&t->device, 1, runner, &heatTiming,
                            &heat->milliseconds);
}

static CuteStatus runKernel(Tuner *t, CuteRace *race, size_t entry,
                            Heat *heat) {
  CuteRunner runner;
  CUTE_TRY(cuteRunnerCreate(&runner, race, entry));
  CuteStatus status = tryKernel(t, &runner, race, entry, heat);
  cuteRunnerDestroy(&runner);
  return status;
}

// False if the context is broken. A kernel that takes too long ends the
// process.
static bool runHeat(Tuner *t, size_t number, CuteRace *race, size_t entry) {
  char message[400];
  Heat heat = {0, -1};
  size_t id = cuteRaceGetId(race, entry);
  cuteNoteStart(&t->notes, number, id);
  alarm((unsigned)t->limit);
  CuteStatus status = runKernel(t, race, entry, &heat);
  bool works = cuteStatusConsume(cuteDeviceSynchronize(&t->device)) &&
               (!status || cuteStatusConsume(cuteRaceRestore(race)));
  alarm(0);
  ++t->ran;
  if (status) {
    flatten(status, message, sizeof message);
    cuteNoteFailure(&t->notes, number, id, message);
  } else {
    cuteNoteTime(&t->notes, number, id, heat.milliseconds, heat.error);
  }
  t->failures += status != NULL;
  cuteStatusDestroy(status);
  return works;
}

static double bestTime(const Tuner *t, size_t number, const CuteRace *race) {
  double best = 0;
  for (size_t i = 0; i < cuteRaceGetSize(race); ++i) {
    size_t id = cuteRaceGetId(race, i);
    double time = *cuteNotesGetTime(&t->notes, number, id);
    if (time > 0 && !t->notes.failed[id] && (best == 0 || time < best))
      best = time;
  }
  return best;
}

static int runHeats(Tuner *t, size_t number, CuteRace *race) {
  for (size_t i = 0; i < cuteRaceGetSize(race); ++i) {
    size_t id = cuteRaceGetId(race, i);
    ++t->done;
    if (t->notes.failed[id] || *cuteNotesGetTime(&t->notes, number, id) > 0)
      continue;
    if (shouldStop(t))
      return STOPPED;
    if (!cuteRunSucceeded(cuteRacePrepare(race, i)))
      return WRONG;
    bool works = runHeat(t, number, race, i);
    showBar(t, json_array_get(t->races, number), bestTime(t, number, race));
    if (!works)
      return BROKEN;
  }
  return DONE;
}

//===-- Finals ------------------------------------------------------------===//

typedef struct Finalist {
  size_t entry;
  double milliseconds;
} Finalist;

static int compareFinalists(const void *first, const void *second) {
  double a = ((const Finalist *)first)->milliseconds;
  double b = ((const Finalist *)second)->milliseconds;
  return (a > b) - (a < b);
}

// The fastest of the heats, the fastest first; how many.
static size_t chooseFinalists(const Tuner *t, size_t number,
                              const CuteRace *race, Finalist *finalists) {
  size_t n = 0;
  for (size_t i = 0; i < cuteRaceGetSize(race); ++i) {
    size_t id = cuteRaceGetId(race, i);
    double time = *cuteNotesGetTime(&t->notes, number, id);
    if (time > 0 && !t->notes.failed[id])
      finalists[n++] = (Finalist){i, time};
  }
  qsort(finalists, n, sizeof *finalists, compareFinalists);
  return n < FINALISTS ? n : FINALISTS;
}

static CuteStatus createRunner(CuteRunner *runner, CuteRace *race,
                               size_t entry) {
  CUTE_TRY(cuteRacePrepare(race, entry));
  return cuteRunnerCreate(runner, race, entry);
}

static CuteStatus measureFinalists(Tuner *t, CuteRace *race, size_t n,
                                   const CuteTiming *timing,
                                   Finalist *finalists) {
  CuteRunner *runners = cuteAllocate(FINALISTS * sizeof *runners);
  double times[FINALISTS];
  size_t made = 0;
  CuteStatus status = NULL;
  for (; !status && made < n; made += !status)
    status = createRunner(&runners[made], race, finalists[made].entry);
  if (!status)
    status = cuteRunnersMeasure(&t->device, n, runners, timing, times);
  for (size_t i = 0; i < made; ++i)
    cuteRunnerDestroy(&runners[i]);
  free(runners);
  for (size_t i = 0; !status && i < n; ++i)
    finalists[i].milliseconds = times[i];
  qsort(finalists, n, sizeof *finalists, compareFinalists);
  return status;
}

// Halves them, with twice the rounds each time, until few are left.
static int runFinals(Tuner *t, size_t number, CuteRace *race) {
  Finalist *finalists =
      cuteAllocate((cuteRaceGetSize(race) + 1) * sizeof *finalists);
  size_t n = chooseFinalists(t, number, race, finalists);
  CuteTiming timing = finalTiming;
  CuteStatus status = NULL;
  cuteNoteFinals(&t->notes, number, CUTE_FINALS_STARTED);
  for (; !status && n > WINNERS; n = (n + 1) / 2, timing.rounds *= 2)
    status = measureFinalists(t, race, n, &timing, finalists);
  if (!status)
    status = measureFinalists(t, race, n, &cuteTimingThorough, finalists);
  bool ok = cuteRunSucceeded(status);
  for (size_t i = 0; ok && i < n; ++i)
    cuteNoteFinal(&t->notes, number, cuteRaceGetId(race, finalists[i].entry),
                  finalists[i].milliseconds);
  if (ok)
    cuteNoteFinals(&t->notes, number, CUTE_FINALS_DONE);
  if (ok && n)
    showBar(t, json_array_get(t->races, number), finalists[0].milliseconds);
  free(finalists);
  return ok ? DONE : BROKEN;
}

//===-- All races ---------------------------------------------------------===//

static int runRace(Tuner *t, size_t number) {
  CuteRace race;
  if (!cuteRunSucceeded(cuteRaceOpen(&race, &t->device, t->directory,
                                     json_array_get(t->races, number))))
    return WRONG;
  int code = runHeats(t, number, &race);
  if (code == DONE && t->notes.finals[number] == CUTE_FINALS_AHEAD)
    code = shouldStop(t) ? STOPPED : runFinals(t, number, &race);
  cuteRaceClose(&race);
  return code;
}

static const json_t *entriesOf(const json_t *races, size_t race) {
  return json_object_get(json_array_get(races, race), "entries");
}

static int runRaces(Tuner *t) {
  size_t n = json_array_size(t->races);
  int code = DONE;
  for (size_t i = 0; i < n; ++i)
    t->total += json_array_size(entriesOf(t->races, i));
  for (size_t i = 0; i < t->notes.numCandidates; ++i)
    t->failures += t->notes.failed[i];
  for (size_t i = 0; code == DONE && i < n; ++i)
    code = runRace(t, i);
  if (t->ran)
    fprintf(stderr, "\n%zu kernels in %.0f s\n", t->ran, now() - t->start);
  if (code == STOPPED)
    fprintf(stderr, "stopped; start again to go on\n");
  return code;
}

static CuteStatus openNotes(Tuner *t, size_t numCandidates) {
  CuteString path = {0};
  cuteStringAppendFormat(&path, "%s/results.jsonl", t->directory);
  CuteStatus status = cuteNotesOpen(&t->notes, path.data,
                                    json_array_size(t->races), numCandidates);
  cuteStringDestroy(&path);
  return status;
}

// All entries must have candidates that there are.
static CuteStatus checkEntries(const Tuner *t, size_t numCandidates) {
  for (size_t i = 0; i < json_array_size(t->races); ++i)
    for (size_t j = 0; j < json_array_size(entriesOf(t->races, i)); ++j) {
      const json_t *entry = json_array_get(entriesOf(t->races, i), j);
      json_int_t id = json_integer_value(json_object_get(entry, "id"));
      if (id < 0 || (size_t)id >= numCandidates)
        return cuteStatusCreate("a race has candidate %lld of %zu",
                                (long long)id, numCandidates);
    }
  return NULL;
}

static CuteStatus readList(const Tuner *t, json_t **json) {
  CuteString path = {0};
  json_error_t error;
  CuteStatus status = NULL;
  cuteStringAppendFormat(&path, "%s/tune.json", t->directory);
  FILE *file = fopen(path.data, "r");
  *json = file ? json_loadf(file, 0, &error) : NULL;
  if (!*json)
    status = cuteStatusCreate("cannot read '%s': %s", path.data,
                              file ? error.text : strerror(errno));
  if (file)
    fclose(file);
  cuteStringDestroy(&path);
  return status;
}

static void noteDevice(Tuner *t) {
  json_t *line = json_pack("{s:s}", "device", t->device.name);
  json_dumpf(line, t->notes.file, 0);
  fputc('\n', t->notes.file);
  json_decref(line);
}

static CuteStatus openAll(Tuner *t, json_t **json) {
  CUTE_TRY(readList(t, json));
  size_t n = json_array_size(json_object_get(*json, "candidates"));
  t->races = json_object_get(*json, "races");
  CUTE_TRY(checkEntries(t, n));
  CUTE_TRY(cuteDeviceOpen(&t->device, (int)t->ordinal));
  return openNotes(t, n);
}

static int tune(Tuner *t) {
  json_t *json = NULL;
  int code = WRONG;
  if (cuteRunSucceeded(openAll(t, &json))) {
    noteDevice(t);
    code = runRaces(t);
  }
  cuteNotesClose(&t->notes);
  cuteDeviceClose(&t->device);
  json_decref(json);
  return code;
}

//===-- Main --------------------------------------------------------------===//

static CuteStatus takeNumber(const char *name, const char *text, long least,
                             long *number) {
  char *end;
  *number = strtol(text, &end, 10);
  return !*end && *number >= least && *number <= INT32_MAX
             ? NULL
             : cuteStatusCreate("--%s needs a number >= %ld, not '%s'", name,
                                least, text);
}

static CuteStatus takeSeconds(void *data, const char *text) {
  return takeNumber("seconds", text, 1, &((Tuner *)data)->seconds);
}

static CuteStatus takeLimit(void *data, const char *text) {
  return takeNumber("limit", text, 1, &((Tuner *)data)->limit);
}

static CuteStatus takeDevice(void *data, const char *text) {
  return takeNumber("device", text, 0, &((Tuner *)data)->ordinal);
}

static CuteStatus takeDirectory(void *data, const char *argument) {
  Tuner *t = data;
  if (t->directory)
    return cuteStatusCreate("more than one directory: '%s' and '%s'",
                            t->directory, argument);
  t->directory = argument;
  return NULL;
}

static const CuteOption rows[] = {
    {"--seconds", .kind = CUTE_OPTION_VALUE, .value = "N", .take = takeSeconds,
     .help = "stop after N seconds, between two kernels"},
    {"--limit", .kind = CUTE_OPTION_VALUE, .value = "N", .take = takeLimit,
     .help = "allow one kernel N seconds (default: 20)"},
    {"--device", .kind = CUTE_OPTION_VALUE, .value = "N", .take = takeDevice,
     .help = "run on this CUDA device (default: 0)"},
};

static const CuteTool tool = {
    .name = "cute-tune",
    .version = CUTE_VERSION CUTE_REVISION,
    .overview = "checks and times the kernels that ./dev tune has compiled",
    .usage = "[options] DIRECTORY",
    .details = "DIRECTORY contains tune.json and the kernels. Progress is "
               "appended to\nresults.jsonl in it; a restart skips finished "
               "work (docs/kernels.md).\n",
    .notes = "The exit code is 0 if everything is done, 3 if it stopped early, "
             "also by a\nsignal, and 4 if a kernel broke the device's context. "
             "Start it again after 4,\nand after a signal that ended it "
             "because a kernel took too long.\n",
    .column = 16,
    .sections = {{"OPTIONS", .rows = rows,
                  .numRows = sizeof rows / sizeof *rows},
                 {"DIAGNOSTICS", .rows = cuteDiagnosticOptions, .numRows = 1}},
    .takeInput = takeDirectory,
};

int cuteTuneMain(int argc, char **argv) {
  Tuner t = {.limit = 20, .start = now()};
  int code;
  CuteStatus status = cuteOptionsTake(&tool, &t, argc, argv, &code);
  if (!status && code < 0 && !t.directory)
    status = cuteStatusCreate("no directory; see --help");
  if (status) {
    cuteSayError("%s", cuteStatusGetMessage(status));
    cuteStatusDestroy(status);
    return WRONG;
  }
  if (code >= 0)
    return code;
  struct sigaction action = {.sa_handler = onSignal};
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
  return tune(&t);
}
