#include "Simulator/checks/global_shadow.h"
#include "Simulator/checks/run_checks.h"
#include "Simulator/checks/tensor_names.h"
#include "Simulator/machine/launch_run.h"

// Counts of a tensor's elements by what was done to them, with the first that
// was not written, and the first that was written from memory never written.
typedef struct Count {
  int64_t written, read, rest, undefined, nans;
  uint64_t first, firstUndefined;
} Count;

// A page at hand: neighbours are mostly of one.
typedef struct Cursor {
  const CuteSimGlobalShadow *shadow;
  const CuteSimShadowPage *page;
  uint64_t number;
} Cursor;

static CuteSimTouched touchedAt(Cursor *cursor, uint64_t address) {
  uint64_t number = address / CUTE_SIM_SHADOW_PAGE + 1;
  if (number != cursor->number) {
    cursor->page = cuteSimGlobalShadowFindPage(cursor->shadow, address);
    cursor->number = number;
  }
  return cursor->page ? cuteSimGlobalShadowGetTouched(cursor->page, address)
                      : CUTE_SIM_UNTOUCHED;
}

// All bits are set in memory and registers that nothing was written to: of
// floats they are a NaN, which arithmetic hands on as it is.
static bool isUndefined(const CuteSimTensor *tensor, uint64_t address) {
  const unsigned char *bytes = (const unsigned char *)(uintptr_t)address;
  for (unsigned i = 0; i < tensor->bits / 8; ++i)
    if (bytes[i] != 255)
      return false;
  return tensor->isFloat;
}

// Tells whether an element may be NaN; formats of as many bits are not told
// from each other.
static bool mayBeNan(const CuteSimTensor *tensor, uint64_t address) {
  int exponent = tensor->bits == 64 ? 11 : tensor->bits == 32 ? 8 : 5;
  uint64_t bits = 0, all = UINT64_MAX >> (65 - tensor->bits);
  memcpy(&bits, (const void *)(uintptr_t)address, tensor->bits / 8);
  return (bits & all) > (all & ~(all >> exponent));
}

static void countElement(Cursor *cursor, const CuteSimTensor *tensor,
                         uint64_t address, Count *count) {
  CuteSimTouched touched = touchedAt(cursor, address);
  if (touched == CUTE_SIM_IS_WRITTEN) {
    ++count->written;
    count->nans += !tensor->isFloat || mayBeNan(tensor, address);
    if (isUndefined(tensor, address) && !count->undefined++)
      count->firstUndefined = address;
    return;
  }
  if (!count->read && !count->rest)
    count->first = address;
  ++*(touched == CUTE_SIM_IS_READ ? &count->read : &count->rest);
}

// Steps to the next coordinate; false after the last.
static bool step(size_t n, const int64_t *extents, int64_t *at) {
  for (size_t i = 0; i < n; at[i++] = 0)
    if (++at[i] < extents[i])
      return true;
  return false;
}

static Count countElements(const CuteSimGlobalShadow *shadow,
                           const CuteSimTensor *tensor) {
  enum { MOST = 1 << 26 };
  int64_t extents[CUTE_SIM_MAX_LEAVES], strides[CUTE_SIM_MAX_LEAVES],
      at[CUTE_SIM_MAX_LEAVES] = {0}, size = 1;
  size_t n = cuteSimTensorGetLeaves(tensor, extents, strides);
  Cursor cursor = {.shadow = shadow};
  Count count = {0};
  for (size_t i = 0; i < n && size <= MOST; ++i)
    size *= extents[i];
  if (!n || size <= 0 || size > MOST)
    return count;
  do {
    uint64_t index = 0;
    for (size_t i = 0; i < n; ++i)
      index += (uint64_t)(at[i] * strides[i]);
    countElement(&cursor, tensor, tensor->start + index * tensor->bits / 8,
                 &count);
  } while (step(n, extents, at));
  return count;
}

// Gives how many of its elements may come from registers that nothing was
// written to.
static int64_t note(CuteSimRun *run, const CuteSimTensor *tensor) {
  Count count = countElements(run->globalShadow, tensor);
  int64_t missing = count.read + count.rest;
  if (count.undefined && cuteSimFindingsHave(run, "uninitialised"))
    cuteSimFindOfRun(
        run, CUTE_SIM_MISTAKE,
        "uninitialised: %jd of %jd elements that were written of argument %u, "
        "the first%s, are NaNs of memory or registers that were never written",
        count.undefined, count.written, tensor->number,
        cuteSimNameElement(tensor, count.firstUndefined).text);
  if (count.written && missing)
    cuteSimFindOfRun(
        run, run->options->wantsWhole ? CUTE_SIM_MISTAKE : CUTE_SIM_NOTE,
        "never written: no thread writes %jd of %jd elements of argument %u, "
        "the first%s",
        missing, missing + count.written, tensor->number,
        cuteSimNameElement(tensor, count.first).text);
  else if (count.rest && !count.read)
    cuteSimFindOfRun(run, CUTE_SIM_NOTE,
                     "never touched: no thread reads or writes argument %u",
                     tensor->number);
  return count.nans;
}

void cuteSimUntouchedNote(CuteSimRun *run) {
  const CuteSimLaunch *launch = run->launch;
  if (!run->globalShadow || run->options->blocks)
    return;
  int64_t doubtful = 0;
  for (size_t i = 0; i < launch->numTensors; ++i)
    if (!launch->tensors[i].isShared && launch->tensors[i].bits >= 8)
      doubtful += note(run, &launch->tensors[i]);
    else
      doubtful += !launch->tensors[i].isShared;
  run->findings.dropsDoubts = !doubtful && launch->numTensors;
}
