#include "Hardware/memory_model.h"

#include "Support/arena.h"

#include <stdlib.h>

enum { BANKS = 32, WORD = 4, LINE = 128, SECTOR = 32, WARP = 32 };

// A set of a few numbers.
typedef struct Set {
  int count;
  int64_t members[WARP * 5]; // each access has bytes of 5 words at most
} Set;

static bool addToSet(Set *set, int64_t member) {
  for (int i = 0; i < set->count; ++i)
    if (set->members[i] == member)
      return false;
  set->members[set->count++] = member;
  return true;
}

static int64_t floorDivide(int64_t a, int64_t b) { return a / b - (a % b < 0); }

//===-- Banks -------------------------------------------------------------===//

// Wavefronts of threads [first, end), which go at once.
static int64_t wavefrontsOf(const CuteRequest *r, int first, int end) {
  Set words = {0};
  int64_t perBank[BANKS] = {0}, most = 0;
  for (int t = first; t < end; ++t) {
    int64_t begin = floorDivide(r->addresses[t], WORD);
    int64_t last = floorDivide(r->addresses[t] + r->bytes - 1, WORD);
    for (int64_t w = begin; r->active[t] && w <= last; ++w) {
      int64_t *bank = &perBank[(uint64_t)w % BANKS];
      *bank += addToSet(&words, w);
      most = *bank > most ? *bank : most;
    }
  }
  return most;
}

CuteCost cuteCostOfBanks(const CuteRequest *r) {
  CuteCost cost = {0, 0};
  int step = r->bytes <= WORD ? WARP : LINE / r->bytes;
  for (int first = 0; first < r->n; first += step) {
    int end = first + step < r->n ? first + step : r->n;
    int64_t wavefronts = wavefrontsOf(r, first, end);
    cost.taken += wavefronts;
    cost.least += wavefronts > 0;
  }
  return cost;
}

//===-- Sectors -----------------------------------------------------------===//

static int compareNumbers(const void *a, const void *b) {
  int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return (x > y) - (x < y);
}

static CuteCost costOfSorted(const int64_t *sorted, int n, int bytes) {
  int64_t covered = 0, sectors = 0, end = INT64_MIN, sector = INT64_MIN;
  for (int i = 0; i < n; ++i) {
    int64_t from = sorted[i] > end ? sorted[i] : end, to = sorted[i] + bytes;
    covered += to > from ? to - from : 0;
    end = to > end ? to : end;
    for (int64_t s = floorDivide(sorted[i], SECTOR);
         s <= floorDivide(to - 1, SECTOR); ++s)
      if (s > sector) {
        ++sectors;
        sector = s;
      }
  }
  return (CuteCost){sectors, (covered + SECTOR - 1) / SECTOR};
}

CuteCost cuteCostOfSectors(const CuteRequest *r) {
  int64_t *sorted = cuteAllocate((size_t)r->n * sizeof *sorted);
  int n = 0;
  for (int t = 0; t < r->n; ++t)
    if (r->active[t])
      sorted[n++] = r->addresses[t];
  qsort(sorted, (size_t)n, sizeof *sorted, compareNumbers);
  CuteCost cost = costOfSorted(sorted, n, r->bytes);
  free(sorted);
  return cost;
}
