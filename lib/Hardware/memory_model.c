#include "Hardware/memory_model.h"

#include "Support/arena.h"
#include "Support/sort.h"

enum { BANKS = 32, WORD = 4, LINE = 128, SECTOR = 32, WARP = 32 };

// The words that accesses want of each bank.
typedef struct Banks {
  int count, words[BANKS]; // in all, and of each bank
  int last[BANKS];         // the latest of a bank, from 1; 0: none
  int before[WARP * 5];    // each access has bytes of 5 words at most
  int64_t members[WARP * 5];
} Banks;

// Adds a word; gives how many its bank has.
static int addToBank(Banks *banks, int64_t word) {
  size_t bank = (uint64_t)word % BANKS;
  int i = banks->last[bank];
  while (i && banks->members[i - 1] != word)
    i = banks->before[i - 1];
  if (i)
    return banks->words[bank];
  banks->members[banks->count] = word;
  banks->before[banks->count] = banks->last[bank];
  banks->last[bank] = ++banks->count;
  return ++banks->words[bank];
}

static int64_t floorDivide(int64_t a, int64_t b) { return a / b - (a % b < 0); }

//===-- Banks -------------------------------------------------------------===//

// Wavefronts of threads [first, end), which go at once.
static int64_t wavefrontsOf(const CuteRequest *r, int first, int end) {
  Banks banks;
  int most = 0;
  banks.count = 0;
  memset(banks.words, 0, sizeof banks.words);
  memset(banks.last, 0, sizeof banks.last);
  for (int t = first; t < end; ++t) {
    int64_t begin = floorDivide(r->addresses[t], WORD);
    int64_t last = floorDivide(r->addresses[t] + r->bytes - 1, WORD);
    for (int64_t w = begin; r->active[t] && w <= last; ++w) {
      int words = addToBank(&banks, w);
      most = words > most ? words : most;
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
  CUTE_FREED int64_t *sorted = cuteAllocate((size_t)r->n * sizeof *sorted);
  int n = 0;
  for (int t = 0; t < r->n; ++t)
    if (r->active[t])
      sorted[n++] = r->addresses[t];
  cuteSortNumbers(sorted, (size_t)n);
  return costOfSorted(sorted, n, r->bytes);
}
