#include "Run/tune_notes.h"
#include "Support/arena.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

enum { NONE = -1 };

double *cuteNotesGetTime(const CuteNotes *notes, size_t race, size_t id) {
  return &notes->times[race * notes->numCandidates + id];
}

//===-- Writing -----------------------------------------------------------===//

// Takes the line.
static void writeLine(CuteNotes *notes, json_t *line) {
  json_dumpf(line, notes->file, JSON_REAL_PRECISION(6) | JSON_PRESERVE_ORDER);
  fputc('\n', notes->file);
  fflush(notes->file);
  json_decref(line);
}

static json_t *lineOf(size_t race, size_t id) {
  return json_pack("{s:I, s:I}", "race", (json_int_t)race, "id",
                   (json_int_t)id);
}

void cuteNoteStart(CuteNotes *notes, size_t race, size_t id) {
  json_t *line = lineOf(race, id);
  json_object_set_new(line, "started", json_true());
  writeLine(notes, line);
}

void cuteNoteTime(CuteNotes *notes, size_t race, size_t id, double milliseconds,
                  double error) {
  json_t *line = lineOf(race, id);
  json_object_set_new(line, "milliseconds", json_real(milliseconds));
  if (error >= 0)
    json_object_set_new(line, "error", json_real(error));
  writeLine(notes, line);
  *cuteNotesGetTime(notes, race, id) = milliseconds;
  notes->passed[id] = true;
}

void cuteNoteFailure(CuteNotes *notes, size_t race, size_t id,
                     const char *message) {
  json_t *line = lineOf(race, id), *text = json_string(message);
  json_object_set_new(line, "failed",
                      text ? text : json_string("the message is no UTF-8"));
  writeLine(notes, line);
  notes->failed[id] = true;
}

void cuteNoteFinal(CuteNotes *notes, size_t race, size_t id,
                   double milliseconds) {
  json_t *line = lineOf(race, id);
  json_object_set_new(line, "final", json_real(milliseconds));
  writeLine(notes, line);
}

void cuteNoteFinals(CuteNotes *notes, size_t race, CuteFinals finals) {
  writeLine(notes, json_pack("{s:I, s:s}", "race", (json_int_t)race, "finals",
                             finals == CUTE_FINALS_DONE ? "done" : "started"));
  notes->finals[race] = finals;
}

//===-- Reading -----------------------------------------------------------===//

typedef struct Started {
  json_int_t race, id; // NONE: nothing is under way
} Started;

static json_int_t numberOf(const json_t *line, const char *key, size_t n) {
  const json_t *value = json_object_get(line, key);
  json_int_t number = json_integer_value(value);
  bool ok = json_is_integer(value) && number >= 0 && (size_t)number < n;
  return ok ? number : NONE;
}

static void takeRaceLine(CuteNotes *notes, size_t race, const json_t *line) {
  const char *finals = json_string_value(json_object_get(line, "finals"));
  if (finals)
    notes->finals[race] =
        strcmp(finals, "done") ? CUTE_FINALS_STARTED : CUTE_FINALS_DONE;
}

static void takeLine(CuteNotes *notes, const json_t *line, Started *started) {
  json_int_t race = numberOf(line, "race", notes->numRaces);
  json_int_t id = numberOf(line, "id", notes->numCandidates);
  const json_t *time = json_object_get(line, "milliseconds");
  if (id == NONE && race != NONE)
    takeRaceLine(notes, (size_t)race, line);
  if (id == NONE)
    return;
  if (json_object_get(line, "failed"))
    notes->failed[id] = true;
  else if (race != NONE && time) {
    *cuteNotesGetTime(notes, (size_t)race, (size_t)id) =
        json_number_value(time);
    notes->passed[id] = true;
  }
  bool starts = json_object_get(line, "started");
  *started = starts ? (Started){race, id} : (Started){NONE, NONE};
}

// A line that was cut off is as good as none.
static Started readLines(CuteNotes *notes) {
  Started started = {NONE, NONE};
  char *text = NULL;
  size_t capacity = 0;
  ssize_t length;
  bool ends = true;
  rewind(notes->file);
  while ((length = getline(&text, &capacity, notes->file)) > 0) {
    json_t *line = json_loadb(text, (size_t)length, 0, NULL);
    takeLine(notes, line, &started);
    json_decref(line);
    ends = text[length - 1] == '\n';
  }
  if (!ends)
    fputc('\n', notes->file);
  free(text);
  return started;
}

static void *allocateZeros(size_t n, size_t size) {
  return memset(cuteAllocate(n * size + 1), 0, n * size + 1);
}

CuteStatus cuteNotesOpen(CuteNotes *notes, const char *path, size_t numRaces,
                         size_t numCandidates) {
  *notes = (CuteNotes){.file = fopen(path, "a+"),
                       .numRaces = numRaces,
                       .numCandidates = numCandidates};
  if (!notes->file)
    return cuteStatusCreate("cannot write '%s': %s", path, strerror(errno));
  notes->failed = allocateZeros(numCandidates, sizeof *notes->failed);
  notes->passed = allocateZeros(numCandidates, sizeof *notes->passed);
  notes->finals = allocateZeros(numRaces, sizeof *notes->finals);
  notes->times = allocateZeros(numRaces * numCandidates, sizeof *notes->times);
  Started started = readLines(notes);
  if (started.id != NONE)
    cuteNoteFailure(notes, (size_t)started.race, (size_t)started.id,
                    "it did not come back, or took too long");
  return NULL;
}

void cuteNotesClose(CuteNotes *notes) {
  if (notes->file)
    fclose(notes->file);
  free(notes->failed);
  free(notes->passed);
  free(notes->finals);
  free(notes->times);
  *notes = (CuteNotes){0};
}
