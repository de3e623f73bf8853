// Kernels that compute the same, checked and timed on the same tensors.
#pragma once

#include "Check/reference.h"
#include "Run/measure.h"
#include "Run/operand.h"

enum { CUTE_MAX_CASE_OPERANDS = 32 };

// Operands, on the device throughout, and what a kernel makes of the output.
typedef struct CuteCase {
  const json_t *texts; // the operands'
  size_t numOperands, output;
  CuteOperand operands[CUTE_MAX_CASE_OPERANDS];
  CuteArray seen;          // the output of the latest run
  CuteReference reference; // at all elements or a sample of them
  CuteArray verified;      // the first output that was right; or without data
  double error;            // of it
} CuteCase;

typedef struct CuteRace {
  const CuteDevice *device;
  const char *directory, *check;
  const json_t
      *entries; // {"id": N, "arguments": [...], "checks": [[...], ...]}
  double tolerance;
  size_t numCases;
  CuteCase **cases; // made where they are needed first
} CuteRace;

// One of the kernels with the arguments that it is timed with.
typedef struct CuteRunner {
  size_t id;
  CuteManifest manifest; // DIRECTORY/ID.json
  CuteKernel kernel;
  CuteDeviceModule module;
  CuteLaunch launch;
  CuteCase *timed;
} CuteRunner;

// `json` is a race of tune.json, which must outlive it. Fails if it is
// incomplete.
CuteStatus cuteRaceOpen(CuteRace *race, const CuteDevice *device,
                        const char *directory, const json_t *json);
void cuteRaceClose(CuteRace *race);

size_t cuteRaceGetSize(const CuteRace *race);
size_t cuteRaceGetId(const CuteRace *race, size_t entry);

// Makes the tensors that an entry needs, and their references.
CuteStatus cuteRacePrepare(CuteRace *race, size_t entry);

// Writes all tensors anew, after a kernel that may have spoiled them.
CuteStatus cuteRaceRestore(const CuteRace *race);

// Loads the kernel of an entry, which has been prepared.
CuteStatus cuteRunnerCreate(CuteRunner *runner, CuteRace *race, size_t entry);
void cuteRunnerDestroy(CuteRunner *runner);

// Runs it on the small sizes of an entry: the results against float64, that the
// other tensors stay as they are unless they are from "poison", and the memory
// around all.
CuteStatus cuteRunnerCheck(CuteRunner *runner, CuteRace *race, size_t entry,
                           double *error);

// Runs it once on what it is timed with: the result against a sample in
// float64, and all of it against the first that was right.
CuteStatus cuteRunnerVerify(CuteRunner *runner, const CuteRace *race);

// Times several in turn; `milliseconds` has a place for each.
CuteStatus cuteRunnersMeasure(const CuteDevice *device, size_t n,
                              CuteRunner *runners, const CuteTiming *timing,
                              double *milliseconds);
