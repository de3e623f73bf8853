#include "Run/race.h"
#include "Support/arena.h"
#include "Support/string_builder.h"

#include <jansson.h>
#include <stdlib.h>

// Elements of a result that are computed in float64, or all if there are fewer.
enum { SAMPLE = 1 << 17, SEED = 1 };

//===-- Cases -------------------------------------------------------------===//

static void destroyCase(CuteCase *c, const CuteDevice *device) {
  for (size_t i = 0; i < c->numOperands; ++i) {
    cuteOperandRelease(&c->operands[i], device);
    cuteOperandDestroy(&c->operands[i]);
  }
  cuteArrayDestroy(&c->seen);
  cuteArrayDestroy(&c->verified);
  cuteReferenceDestroy(&c->reference);
  free(c);
}

static CuteStatus copyShape(CuteArray *copy, const CuteArray *array) {
  return cuteArrayCreate(copy, array->type, array->rank, array->extents,
                         array->strides);
}

// The tensors, and room for what the kernels leave.
static CuteStatus fillCase(CuteCase *c, const CuteRace *race,
                           const json_t *texts) {
  size_t n = json_array_size(texts);
  c->texts = texts;
  c->output = (size_t)(race->check[0] - 'A'); // OUTPUT[m,n] = ...
  if (n > CUTE_MAX_CASE_OPERANDS || c->output >= n)
    return cuteStatusCreate("%zu arguments do not go with '%s'", n,
                            race->check);
  while (c->numOperands < n) {
    const char *text = json_string_value(json_array_get(texts, c->numOperands));
    CuteOperand *operand = &c->operands[c->numOperands++];
    if (!text)
      return cuteStatusCreate("an argument is no text");
    CUTE_TRY(cuteOperandParse(operand, text));
    CUTE_TRY(cuteOperandSend(operand, race->device));
  }
  return copyShape(&c->seen, &c->operands[c->output].array);
}

static CuteStatus evaluateReference(CuteCase *c, const CuteRace *race) {
  CuteArray arrays[CUTE_MAX_CASE_OPERANDS];
  for (size_t i = 0; i < c->numOperands; ++i)
    arrays[i] = c->operands[i].array;
  return cuteReferenceSample(race->check, c->numOperands, arrays, SAMPLE, SEED,
                             &c->reference);
}

static CuteCase *findCase(const CuteRace *race, const json_t *texts) {
  for (size_t i = 0; i < race->numCases; ++i)
    if (json_equal(race->cases[i]->texts, texts))
      return race->cases[i];
  return NULL;
}

static CuteStatus addCase(CuteRace *race, const json_t *texts) {
  if (findCase(race, texts))
    return NULL;
  CuteCase *c = cuteAllocate(sizeof *c);
  *c = (CuteCase){0};
  CuteStatus status = fillCase(c, race, texts);
  if (!status)
    status = evaluateReference(c, race);
  if (status) {
    destroyCase(c, race->device);
    return status;
  }
  race->cases =
      cuteReallocate(race->cases, (race->numCases + 1) * sizeof *race->cases);
  race->cases[race->numCases++] = c;
  return NULL;
}

//===-- Races -------------------------------------------------------------===//

CuteStatus cuteRaceOpen(CuteRace *race, const CuteDevice *device,
                        const char *directory, const json_t *json) {
  *race = (CuteRace){.device = device,
                     .directory = directory,
                     .check = json_string_value(json_object_get(json, "check")),
                     .tolerance =
                         json_number_value(json_object_get(json, "tolerance")),
                     .entries = json_object_get(json, "entries")};
  return race->check && json_is_array(race->entries)
             ? NULL
             : cuteStatusCreate("a race has no \"check\" or no \"entries\"");
}

void cuteRaceClose(CuteRace *race) {
  for (size_t i = 0; i < race->numCases; ++i)
    destroyCase(race->cases[i], race->device);
  free(race->cases);
  *race = (CuteRace){0};
}

size_t cuteRaceGetSize(const CuteRace *race) {
  return json_array_size(race->entries);
}

static const json_t *partOf(const CuteRace *race, size_t entry,
                            const char *key) {
  return json_object_get(json_array_get(race->entries, entry), key);
}

size_t cuteRaceGetId(const CuteRace *race, size_t entry) {
  return (size_t)json_integer_value(partOf(race, entry, "id"));
}

CuteStatus cuteRacePrepare(CuteRace *race, size_t entry) {
  const json_t *checks = partOf(race, entry, "checks");
  for (size_t i = 0; i < json_array_size(checks); ++i)
    CUTE_TRY(addCase(race, json_array_get(checks, i)));
  return addCase(race, partOf(race, entry, "arguments"));
}

CuteStatus cuteRaceRestore(const CuteRace *race) {
  for (size_t i = 0; i < race->numCases; ++i)
    for (size_t j = 0; j < race->cases[i]->numOperands; ++j)
      CUTE_TRY(cuteOperandRestore(&race->cases[i]->operands[j], race->device));
  return NULL;
}

//===-- Runners -----------------------------------------------------------===//

static CuteStatus openRunner(CuteRunner *runner, const CuteRace *race,
                             const char *path) {
  CUTE_TRY(cuteManifestRead(&runner->manifest, path));
  CUTE_TRY(cuteManifestFindKernel(&runner->manifest, NULL, &runner->kernel));
  CUTE_TRY(cuteDeviceModuleLoadFile(&runner->module, race->device,
                                    runner->manifest.path));
  return cuteOperandsPrepare(&runner->launch, &runner->module, &runner->kernel,
                             runner->timed->numOperands,
                             runner->timed->operands, NULL);
}

CuteStatus cuteRunnerCreate(CuteRunner *runner, CuteRace *race, size_t entry) {
  *runner = (CuteRunner){.id = cuteRaceGetId(race, entry)};
  runner->timed = findCase(race, partOf(race, entry, "arguments"));
  CuteString path = {0};
  cuteStringAppendFormat(&path, "%s/%zu.json", race->directory, runner->id);
  CuteStatus status = openRunner(runner, race, path.data);
  cuteStringDestroy(&path);
  if (status)
    cuteRunnerDestroy(runner);
  return status;
}

void cuteRunnerDestroy(CuteRunner *runner) {
  cuteDeviceModuleUnload(&runner->module);
  cuteManifestDestroy(&runner->manifest);
}

// The output, and what a kernel may use as it likes.
static bool isWritten(const CuteCase *c, size_t i) {
  return i == c->output || cuteOperandIsFrom(&c->operands[i], "poison");
}

// Copies an operand back, into `array`.
static CuteStatus readBack(const CuteDevice *device, const CuteCase *c,
                           size_t i, const CuteArray *array) {
  return cuteStatusAnnotate(cuteOperandRead(&c->operands[i], device, array),
                            "argument %zu", i);
}

// Runs the kernel on the output as it was before.
static CuteStatus runOnce(const CuteLaunch *launch, CuteCase *c) {
  for (size_t i = 0; i < c->numOperands; ++i)
    if (isWritten(c, i))
      CUTE_TRY(cuteOperandRestore(&c->operands[i], launch->device));
  CUTE_TRY(cuteLaunchStart(launch, NULL));
  CUTE_TRY(cuteDeviceSynchronize(launch->device));
  return readBack(launch->device, c, c->output, &c->seen);
}

static bool isSame(const CuteArray *a, const CuteArray *b) {
  return !memcmp(a->data, b->data, cuteArrayGetBytes(a));
}

static CuteStatus checkUnchanged(const CuteDevice *device, const CuteCase *c,
                                 size_t i) {
  const CuteArray *before = &c->operands[i].array;
  CuteArray now = {0};
  if (isWritten(c, i) || !before->data)
    return NULL;
  CuteStatus status = copyShape(&now, before);
  if (!status)
    status = readBack(device, c, i, &now);
  if (!status && !isSame(&now, before))
    status = cuteStatusCreate("the kernel changed argument %zu", i);
  cuteArrayDestroy(&now);
  return status;
}

static CuteStatus checkClose(const CuteComparison *c, double tolerance,
                             const char *what) {
  if (c->maxError <= tolerance)
    return NULL;
  return cuteStatusCreate("the result differs from %s: element %lld is %g, not "
                          "%g; relative error %.2e",
                          what, (long long)c->worst, c->found, c->wanted,
                          c->maxError);
}

// Compares with float64 unless the same bits were right before. What is right
// where float64 is not known may differ by the tolerance, and so may what is
// new.
static CuteStatus checkRight(CuteCase *c, double tolerance, double *error) {
  CuteArray *verified = &c->verified;
  CuteComparison other;
  *error = c->error;
  if (verified->data && isSame(&c->seen, verified))
    return NULL;
  CUTE_TRY(cuteSampleCompare(&c->reference.sample, &c->seen,
                             &c->reference.values, &other));
  *error = other.maxError;
  CUTE_TRY(checkClose(&other, tolerance, "float64"));
  if (verified->data) {
    CUTE_TRY(cuteArrayCompare(&c->seen, verified, &other));
    return checkClose(&other, 2 * tolerance, "another kernel's");
  }
  CUTE_TRY(copyShape(verified, &c->seen));
  memcpy(verified->data, c->seen.data, cuteArrayGetBytes(verified));
  c->error = *error;
  return NULL;
}

static CuteStatus checkCase(const CuteRunner *runner, const CuteRace *race,
                            CuteCase *c, double *error) {
  CuteLaunch launch;
  CUTE_TRY(cuteOperandsPrepare(&launch, &runner->module, &runner->kernel,
                               c->numOperands, c->operands, NULL));
  CUTE_TRY(runOnce(&launch, c));
  CUTE_TRY(checkRight(c, race->tolerance, error));
  for (size_t i = 0; i < c->numOperands; ++i)
    CUTE_TRY(checkUnchanged(race->device, c, i));
  return NULL;
}

CuteStatus cuteRunnerCheck(CuteRunner *runner, CuteRace *race, size_t entry,
                           double *error) {
  const json_t *checks = partOf(race, entry, "checks");
  *error = 0;
  for (size_t i = 0; i < json_array_size(checks); ++i) {
    double here = 0;
    CUTE_TRY(checkCase(runner, race, findCase(race, json_array_get(checks, i)),
                       &here));
    *error = here > *error ? here : *error;
  }
  return NULL;
}

CuteStatus cuteRunnerVerify(CuteRunner *runner, const CuteRace *race) {
  double error = 0;
  CUTE_TRY(runOnce(&runner->launch, runner->timed));
  return checkRight(runner->timed, race->tolerance, &error);
}

static CuteStatus startLaunch(void *launch) {
  return cuteLaunchStart(launch, NULL);
}

CuteStatus cuteRunnersMeasure(const CuteDevice *device, size_t n,
                              CuteRunner *runners, const CuteTiming *timing,
                              double *milliseconds) {
  CuteTimed *timed = cuteAllocate(n * sizeof *timed);
  for (size_t i = 0; i < n; ++i)
    timed[i] = (CuteTimed){startLaunch, &runners[i].launch, 0};
  CuteStatus status = cuteMeasure(device, n, timed, timing);
  for (size_t i = 0; i < n; ++i)
    milliseconds[i] = timed[i].milliseconds;
  free(timed);
  return status;
}
