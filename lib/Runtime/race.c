#include "Runtime/race.h"
#include "Support/arena.h"
#include "Support/string_builder.h"

#include <jansson.h>
#include <stdlib.h>

// Of how many elements the result is known in float64: of all where there are
// no more.
enum { SAMPLE = 1 << 17, SEED = 1 };

//===-- Cases -------------------------------------------------------------===//

static void destroyCase(CuteCase *c, const CuteCuda *cuda) {
  for (size_t i = 0; i < c->numArguments; ++i) {
    cuteDeviceArrayDestroy(cuda, c->arguments[i].address);
    cuteArrayDestroy(&c->arguments[i].array);
  }
  cuteArrayDestroy(&c->seen);
  cuteArrayDestroy(&c->verified);
  cuteReferenceDestroy(&c->reference);
  free(c);
}

static bool copyShape(CuteArray *copy, const CuteArray *array) {
  return cuteArrayCreate(copy, array->type, array->rank, array->extents,
                         array->strides);
}

// The tensors, and room for what the kernels leave.
static bool fillCase(CuteCase *c, const CuteRace *race, const json_t *texts) {
  size_t n = json_array_size(texts);
  c->texts = texts;
  c->output = (size_t)(race->check[0] - 'A'); // OUTPUT[m,n] = ...
  if (n > CUTE_MAX_CASE_ARGUMENTS || c->output >= n) {
    fprintf(stderr, "error: %zu arguments do not go with '%s'\n", n,
            race->check);
    return false;
  }
  for (; c->numArguments < n; ++c->numArguments) {
    CuteArgument *argument = &c->arguments[c->numArguments];
    const char *text =
        json_string_value(json_array_get(texts, c->numArguments));
    if (!text || !cuteArgumentParse(argument, text))
      return false;
    if (argument->array.data &&
        !cuteDeviceArrayCreate(race->cuda, &argument->array,
                               &argument->address)) {
      ++c->numArguments;
      return false;
    }
  }
  return copyShape(&c->seen, &c->arguments[c->output].array);
}

static bool evaluateReference(CuteCase *c, const CuteRace *race) {
  CuteArray arrays[CUTE_MAX_CASE_ARGUMENTS];
  for (size_t i = 0; i < c->numArguments; ++i)
    arrays[i] = c->arguments[i].array;
  return cuteReferenceSample(race->check, c->numArguments, arrays, SAMPLE, SEED,
                             &c->reference);
}

static CuteCase *findCase(const CuteRace *race, const json_t *texts) {
  for (size_t i = 0; i < race->numCases; ++i)
    if (json_equal(race->cases[i]->texts, texts))
      return race->cases[i];
  return NULL;
}

static bool addCase(CuteRace *race, const json_t *texts) {
  if (findCase(race, texts))
    return true;
  CuteCase *c = cuteAllocate(sizeof *c);
  *c = (CuteCase){0};
  if (!fillCase(c, race, texts) || !evaluateReference(c, race)) {
    destroyCase(c, race->cuda);
    return false;
  }
  race->cases =
      cuteReallocate(race->cases, (race->numCases + 1) * sizeof *race->cases);
  race->cases[race->numCases++] = c;
  return true;
}

//===-- Races -------------------------------------------------------------===//

bool cuteRaceOpen(CuteRace *race, const CuteCuda *cuda, const char *directory,
                  const json_t *json) {
  *race = (CuteRace){.cuda = cuda,
                     .directory = directory,
                     .check = json_string_value(json_object_get(json, "check")),
                     .tolerance =
                         json_number_value(json_object_get(json, "tolerance")),
                     .entries = json_object_get(json, "entries")};
  if (race->check && json_is_array(race->entries))
    return true;
  fprintf(stderr, "error: a race has no \"check\" or no \"entries\"\n");
  return false;
}

void cuteRaceClose(CuteRace *race) {
  for (size_t i = 0; i < race->numCases; ++i)
    destroyCase(race->cases[i], race->cuda);
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

bool cuteRacePrepare(CuteRace *race, size_t entry) {
  const json_t *checks = partOf(race, entry, "checks");
  bool ok = true;
  for (size_t i = 0; ok && i < json_array_size(checks); ++i)
    ok = addCase(race, json_array_get(checks, i));
  return ok && addCase(race, partOf(race, entry, "arguments"));
}

bool cuteRaceRestore(const CuteRace *race) {
  bool ok = true;
  for (size_t i = 0; i < race->numCases; ++i)
    for (size_t j = 0; j < race->cases[i]->numArguments; ++j) {
      const CuteArgument *argument = &race->cases[i]->arguments[j];
      ok = ok && (!argument->array.data ||
                  cuteDeviceArrayWrite(race->cuda, &argument->array,
                                       argument->address));
    }
  return ok;
}

//===-- Runners -----------------------------------------------------------===//

bool cuteRunnerCreate(CuteRunner *runner, CuteRace *race, size_t entry) {
  *runner = (CuteRunner){.id = cuteRaceGetId(race, entry)};
  runner->timed = findCase(race, partOf(race, entry, "arguments"));
  CuteString path = {0};
  cuteStringAppendFormat(&path, "%s/%zu.json", race->directory, runner->id);
  bool ok = cuteManifestRead(&runner->manifest, path.data) &&
            cuteManifestGetKernel(&runner->manifest, NULL, &runner->kernel) &&
            cuteLaunchCreate(&runner->launch, race->cuda, runner->manifest.path,
                             &runner->kernel, runner->timed->numArguments,
                             runner->timed->arguments, NULL);
  cuteStringDestroy(&path);
  if (!ok)
    cuteRunnerDestroy(runner);
  return ok;
}

void cuteRunnerDestroy(CuteRunner *runner) {
  cuteLaunchDestroy(&runner->launch);
  if (runner->manifest.root)
    cuteManifestDestroy(&runner->manifest);
}

// The output, and what a kernel may use as it likes.
static bool isWritten(const CuteCase *c, size_t i) {
  return i == c->output || cuteArgumentIsFrom(&c->arguments[i], "poison");
}

// From the output as it is before to what the kernel leaves.
static bool runOnce(const CuteLaunch *launch, CuteCase *c) {
  bool ok = true;
  for (size_t i = 0; ok && i < c->numArguments; ++i)
    ok = !isWritten(c, i) ||
         cuteDeviceArrayWrite(launch->cuda, &c->arguments[i].array,
                              c->arguments[i].address);
  return ok && cuteLaunchStart(launch) && cuteLaunchFinish(launch) &&
         cuteDeviceArrayRead(launch->cuda, c->arguments[c->output].address,
                             c->output, &c->seen);
}

static bool isSame(const CuteArray *a, const CuteArray *b) {
  return !memcmp(a->data, b->data, cuteArrayGetBytes(a));
}

static bool isUnchanged(const CuteCuda *cuda, const CuteCase *c, size_t i) {
  const CuteArgument *argument = &c->arguments[i];
  CuteArray now = {0};
  if (isWritten(c, i) || !argument->array.data)
    return true;
  bool ok = copyShape(&now, &argument->array) &&
            cuteDeviceArrayRead(cuda, argument->address, i, &now);
  bool same = ok && isSame(&now, &argument->array);
  if (ok && !same)
    fprintf(stderr, "error: the kernel changed argument %zu\n", i);
  cuteArrayDestroy(&now);
  return same;
}

static bool isClose(const CuteComparison *c, double tolerance,
                    const char *what) {
  if (c->maxError <= tolerance)
    return true;
  fprintf(stderr,
          "error: the result differs from %s: element %lld is %g, not %g; "
          "relative error %.2e\n",
          what, (long long)c->worst, c->found, c->wanted, c->maxError);
  return false;
}

// With float64 unless the same bits were right before. What is right where
// float64 is not known may differ by the tolerance, and so may what is new.
static bool isRight(CuteCase *c, double tolerance, double *error) {
  CuteArray *verified = &c->verified;
  CuteComparison other;
  *error = c->error;
  if (verified->data && isSame(&c->seen, verified))
    return true;
  if (!cuteSampleCompare(&c->reference.sample, &c->seen, &c->reference.values,
                         &other))
    return false;
  *error = other.maxError;
  if (!isClose(&other, tolerance, "float64"))
    return false;
  if (verified->data)
    return cuteArrayCompare(&c->seen, verified, &other) &&
           isClose(&other, 2 * tolerance, "another kernel's");
  if (!copyShape(verified, &c->seen))
    return false;
  memcpy(verified->data, c->seen.data, cuteArrayGetBytes(verified));
  c->error = *error;
  return true;
}

static bool checkCase(CuteRunner *runner, const CuteRace *race, CuteCase *c,
                      double *error) {
  CuteLaunch launch;
  if (!cuteLaunchCreate(&launch, race->cuda, runner->manifest.path,
                        &runner->kernel, c->numArguments, c->arguments, NULL))
    return false;
  bool ok = runOnce(&launch, c) && isRight(c, race->tolerance, error);
  for (size_t i = 0; ok && i < c->numArguments; ++i)
    ok = isUnchanged(race->cuda, c, i);
  cuteLaunchDestroy(&launch);
  return ok;
}

bool cuteRunnerCheck(CuteRunner *runner, CuteRace *race, size_t entry,
                     double *error) {
  const json_t *checks = partOf(race, entry, "checks");
  bool ok = true;
  *error = 0;
  for (size_t i = 0; ok && i < json_array_size(checks); ++i) {
    double here = 0;
    ok = checkCase(runner, race, findCase(race, json_array_get(checks, i)),
                   &here);
    *error = here > *error ? here : *error;
  }
  return ok;
}

bool cuteRunnerVerify(CuteRunner *runner, const CuteRace *race) {
  double error = 0;
  return runOnce(&runner->launch, runner->timed) &&
         isRight(runner->timed, race->tolerance, &error);
}

static bool startLaunch(void *launch) { return cuteLaunchStart(launch); }

bool cuteRunnersMeasure(const CuteCuda *cuda, size_t n, CuteRunner *runners,
                        const CuteTiming *timing, double *milliseconds) {
  CuteTimed *timed = cuteAllocate(n * sizeof *timed);
  for (size_t i = 0; i < n; ++i)
    timed[i] = (CuteTimed){startLaunch, &runners[i].launch, 0};
  bool ok = cuteMeasure(cuda, n, timed, timing);
  for (size_t i = 0; i < n; ++i)
    milliseconds[i] = timed[i].milliseconds;
  free(timed);
  return ok;
}
