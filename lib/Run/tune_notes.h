// results.jsonl of the tuner: a line of JSON for all that happened, so that it
// may be stopped, or die of a kernel, and go on.
//
//   {"race": R, "id": N, "started": true}
//   {"race": R, "id": N, "milliseconds": T, "error": E}    E where it was
//   checked
//   {"race": R, "id": N, "failed": "why"}
//   {"race": R, "finals": "started"}                        then "done"
//   {"race": R, "id": N, "final": T}
#pragma once

#include "Support/status.h"

#include <stdio.h>

typedef enum CuteFinals {
  CUTE_FINALS_AHEAD,
  CUTE_FINALS_STARTED,
  CUTE_FINALS_DONE,
} CuteFinals;

typedef struct CuteNotes {
  FILE *file;
  size_t numRaces, numCandidates;
  bool *failed, *passed; // by candidate: passed the checks at small sizes
  double *times;         // milliseconds by race and candidate; 0: not timed
  CuteFinals *finals;    // by race
} CuteNotes;

// Reads what there is. A kernel that was started and did not come back has
// failed, which is noted. Fails if the file cannot be used.
CuteStatus cuteNotesOpen(CuteNotes *notes, const char *path, size_t numRaces,
                         size_t numCandidates);
void cuteNotesClose(CuteNotes *notes);

double *cuteNotesGetTime(const CuteNotes *notes, size_t race, size_t id);

void cuteNoteStart(CuteNotes *notes, size_t race, size_t id);

// `error` is of the checks, negative if they were made before.
void cuteNoteTime(CuteNotes *notes, size_t race, size_t id, double milliseconds,
                  double error);
void cuteNoteFailure(CuteNotes *notes, size_t race, size_t id,
                     const char *message);
void cuteNoteFinal(CuteNotes *notes, size_t race, size_t id,
                   double milliseconds);
void cuteNoteFinals(CuteNotes *notes, size_t race, CuteFinals finals);
