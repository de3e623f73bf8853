#include "Hardware/memory_model.h"

#include "Support/arena.h"
#include "Support/sort.h"

enum { BANKS = 32, WORD = 4, LINE = 128, SECTOR = 32, WARP = 32 };

static int64_t floorDivide(int64_t a, int64_t b) { return a / b - (a % b < 0); }

//===-- Banks -------------------------------------------------------------===//

// Wavefronts of threads [first, end), which go at once: the most words that a
// bank gives. An access has one word of a bank at most.
static int64_t wavefrontsOf(const CuteRequest *r, int first, int end) {
  int64_t words[BANKS][WARP];
  int counts[BANKS] = {0}, most = 0;
  for (int t = first; t < end; ++t) {
    int64_t last = floorDivide(r->addresses[t] + r->bytes - 1, WORD);
    for (int64_t w = floorDivide(r->addresses[t], WORD);
         r->active[t] && w <= last; ++w) {
      size_t bank = (uint64_t)w % BANKS;
      int i = 0;
      while (i < counts[bank] && words[bank][i] != w)
        ++i;
      words[bank][i] = w;
      counts[bank] += i == counts[bank];
      most = counts[bank] > most ? counts[bank] : most;
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

static int64_t larger(int64_t a, int64_t b) { return a > b ? a : b; }

static CuteCost costOfSorted(const int64_t *sorted, int n, int bytes) {
  int64_t covered = 0, sectors = 0, end = INT64_MIN, next = INT64_MIN;
  for (int i = 0; i < n; ++i) {
    covered += sorted[i] + bytes - larger(sorted[i], end);
    end = sorted[i] + bytes;
    int64_t first = larger(floorDivide(sorted[i], SECTOR), next);
    next = floorDivide(end - 1, SECTOR) + 1;
    sectors += next - first;
  }
  return (CuteCost){sectors, (covered + SECTOR - 1) / SECTOR};
}

CuteCost cuteCostOfSectors(const CuteRequest *r) {
  CUTE_FREED int64_t *sorted = cuteAllocate((size_t)r->n * sizeof *sorted);
  int n = 0;
  for (int t = 0; t < r->n; ++t)
    if (r->active[t])
      sorted[n++] = r->addresses[t];
  cuteSortNumbers(sorted, (size_t)n);
  return costOfSorted(sorted, n, r->bytes);
}
