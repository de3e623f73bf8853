// Comparison of arrays, on all processors.
#include "Check/parallel.h"
#include "Check/sample.h"

#include <math.h>
#include <pthread.h>

typedef struct Sums {
  CuteComparison comparison;
  double largest, worst; // |wanted|, error
  double squares, errorSquares;
  int64_t nans; // found
} Sums;

typedef struct Task {
  bool scans; // for NaN alone
  const CuteSample *sample;
  const CuteArray *found, *wanted;
  Sums sums; // of all ranges that are done
  pthread_mutex_t lock;
} Task;

//===-- Coordinates -------------------------------------------------------===//

// Finds the coordinate of element number `number` of a sample: the last mode
// counts fastest.
static void locate(const CuteSample *sample, int64_t number,
                   int64_t *positions) {
  for (size_t i = sample->rank; i-- > 0; number /= sample->counts[i])
    positions[i] = number % sample->counts[i];
}

static void advance(const CuteSample *sample, int64_t *positions) {
  for (size_t i = sample->rank; i-- > 0; positions[i] = 0)
    if (++positions[i] < sample->counts[i])
      return;
}

static double load(const Task *task, const CuteArray *array,
                   const int64_t *positions) {
  int64_t offset = 0;
  for (size_t i = 0; i < array->rank; ++i)
    offset += cuteSampleGetCoordinate(task->sample, i, positions[i]) *
              array->strides[i];
  return cuteArrayLoad(array, offset);
}

// The row-major number in the whole array.
static int64_t numberOf(const Task *task, const int64_t *positions) {
  int64_t number = 0;
  for (size_t i = 0; i < task->wanted->rank; ++i)
    number = number * task->wanted->extents[i] +
             cuteSampleGetCoordinate(task->sample, i, positions[i]);
  return number;
}

//===-- Elements ----------------------------------------------------------===//

static void addElement(const Task *task, Sums *sums, const int64_t *positions) {
  double found = load(task, task->found, positions);
  double wanted = load(task, task->wanted, positions);
  bool same = found == wanted || (isnan(found) && isnan(wanted));
  double error = same ? 0 : fabs(found - wanted);
  sums->nans += isnan(found) != 0;
  if (!isfinite(error)) {
    ++sums->comparison.notNumbers;
    error = INFINITY;
  }
  if (error > sums->worst) {
    sums->worst = error;
    sums->comparison.worst = numberOf(task, positions);
    sums->comparison.found = found;
    sums->comparison.wanted = wanted;
  }
  sums->errorSquares += error * error;
  if (isfinite(wanted)) {
    sums->largest = fmax(sums->largest, fabs(wanted));
    sums->squares += wanted * wanted;
  }
}

static void addSums(Sums *sums, const Sums *more) {
  bool isWorse = more->worst > sums->worst ||
                 (more->worst == sums->worst &&
                  more->comparison.worst < sums->comparison.worst);
  int64_t notNumbers =
      sums->comparison.notNumbers + more->comparison.notNumbers;
  if (isWorse) {
    sums->worst = more->worst;
    sums->comparison = more->comparison;
  }
  sums->comparison.notNumbers = notNumbers;
  sums->largest = fmax(sums->largest, more->largest);
  sums->squares += more->squares;
  sums->errorSquares += more->errorSquares;
  sums->nans += more->nans;
}

static void compareRange(int64_t begin, int64_t end, void *data) {
  Task *task = data;
  Sums sums = {.worst = -1};
  int64_t positions[CUTE_MAX_RANK];
  locate(task->sample, begin, positions);
  for (; begin < end; ++begin, advance(task->sample, positions))
    if (task->scans)
      sums.nans += isnan(load(task, task->found, positions)) != 0;
    else
      addElement(task, &sums, positions);
  pthread_mutex_lock(&task->lock);
  addSums(&task->sums, &sums);
  pthread_mutex_unlock(&task->lock);
}

static void runTask(Task *task) {
  enum { GRAIN = 1 << 15 };
  task->sums = (Sums){.worst = -1};
  pthread_mutex_init(&task->lock, NULL);
  cuteParallelFor(cuteSampleGetSize(task->sample), GRAIN, compareRange, task);
  pthread_mutex_destroy(&task->lock);
}

//===-- Entry -------------------------------------------------------------===//

static bool sameExtents(const CuteArray *a, const CuteArray *b) {
  for (size_t i = 0; a->rank == b->rank && i < a->rank; ++i)
    if (a->extents[i] != b->extents[i])
      return false;
  return a->rank == b->rank;
}

static CuteSample allOf(const CuteArray *array) {
  CuteSample all = {.rank = array->rank};
  memcpy(all.counts, array->extents, sizeof all.counts);
  return all;
}

// NaN among the elements that are not in the sample, which has `nans`.
static int64_t countUnwritten(const CuteSample *sample, const CuteArray *a,
                              int64_t nans) {
  CuteSample all = allOf(a);
  Task task = {.scans = true, .sample = &all, .found = a, .wanted = a};
  if (!cuteElementTypeIsFloat(a->type) ||
      cuteSampleGetSize(sample) == cuteSampleGetSize(&all))
    return 0;
  runTask(&task);
  return task.sums.nans - nans;
}

CuteStatus cuteSampleCompare(const CuteSample *sample, const CuteArray *a,
                             const CuteArray *b, CuteComparison *comparison) {
  *comparison = (CuteComparison){0};
  if (!sameExtents(a, b))
    return cuteStatusCreate("arrays to compare have different shapes");
  Task task = {.sample = sample, .found = a, .wanted = b};
  runTask(&task);
  const Sums *sums = &task.sums;
  *comparison = sums->comparison;
  comparison->maxError = sums->worst > 0 ? sums->worst / sums->largest : 0;
  comparison->frobenius =
      sums->errorSquares > 0 ? sqrt(sums->errorSquares / sums->squares) : 0;
  comparison->unwritten = countUnwritten(sample, a, sums->nans);
  if (comparison->unwritten)
    comparison->maxError = INFINITY;
  return NULL;
}

CuteStatus cuteArrayCompare(const CuteArray *a, const CuteArray *b,
                            CuteComparison *comparison) {
  CuteSample all = allOf(a);
  return cuteSampleCompare(&all, a, b, comparison);
}
