// Bank conflicts and sectors against a count of each bank's words by hand, on
// strides, broadcasts and random addresses, some of whose threads are off.
#include "Hardware/memory_model.h"
#include "check.h"

#include <stdlib.h>
#include <string.h>

enum { LANES = 32, MEMORY = 1 << 13, BANKS = 32 };

static int64_t addresses[LANES];
static bool active[LANES];

static CuteRequest request(int bytes) {
  return (CuteRequest){LANES, bytes, addresses, active};
}

// Wavefronts of lanes [first, end): the most words of one bank.
static int64_t wavefronts(int first, int end, int bytes) {
  static bool wanted[MEMORY / 4];
  int64_t most = 0;
  memset(wanted, 0, sizeof wanted);
  for (int lane = first; lane < end; ++lane)
    for (int b = 0; active[lane] && b < bytes; ++b)
      wanted[(addresses[lane] + b) / 4] = true;
  for (int bank = 0; bank < BANKS; ++bank) {
    int64_t n = 0;
    for (int word = bank; word < MEMORY / 4; word += BANKS)
      n += wanted[word];
    most = n > most ? n : most;
  }
  return most;
}

// Whole warps up to 4 bytes a lane, half warps of 8, quarter warps of 16.
static void checkBanks(int bytes) {
  int lanes = bytes == 16 ? 8 : bytes == 8 ? 16 : 32;
  CuteRequest r = request(bytes);
  CuteCost cost = cuteCostOfBanks(&r);
  int64_t taken = 0, least = 0;
  for (int first = 0; first < LANES; first += lanes) {
    int64_t n = wavefronts(first, first + lanes, bytes);
    taken += n;
    least += n > 0;
  }
  assert_int_equal(cost.taken, taken);
  assert_int_equal(cost.least, least);
}

static void checkSectors(int bytes) {
  bool sectors[MEMORY / 32] = {0};
  CuteRequest r = request(bytes);
  int64_t n = 0;
  for (int lane = 0; lane < LANES; ++lane)
    for (int b = 0; active[lane] && b < bytes; ++b)
      sectors[(addresses[lane] + b) / 32] = true;
  for (int i = 0; i < MEMORY / 32; ++i)
    n += sectors[i];
  assert_int_equal(cuteCostOfSectors(&r).taken, n);
}

static void stride(int bytes, int64_t step) {
  for (int lane = 0; lane < LANES; ++lane) {
    addresses[lane] = lane * step;
    active[lane] = true;
  }
  checkBanks(bytes);
  checkSectors(bytes);
}

static void strides(void **state) {
  (void)state;
  for (int bytes = 1; bytes <= 16; bytes *= 2)
    for (int64_t step = 0; step * (LANES - 1) + bytes <= MEMORY; step += bytes)
      stride(bytes, step);
}

static void randomAddresses(void **state) {
  (void)state;
  enum { RUNS = 2000 };
  srand(1);
  for (int run = 0; run < RUNS; ++run) {
    int bytes = 1 << rand() % 5, range = 64 << rand() % 8;
    for (int lane = 0; lane < LANES; ++lane) {
      addresses[lane] = rand() % (range / bytes) * bytes;
      active[lane] = rand() % 4 != 0;
    }
    checkBanks(bytes);
    checkSectors(bytes);
  }
}

// Figures of the CUDA C++ Programming Guide and of ncu.
static void knownCases(void **state) {
  (void)state;
  static const struct {
    int bytes, step;
    int64_t taken, least;
  } rows[] = {
      {4, 4, 1, 1},    {4, 0, 1, 1},    {4, 8, 2, 1},     {4, 12, 1, 1},
      {4, 128, 32, 1}, {2, 2, 1, 1},    {8, 8, 2, 2},     {8, 16, 4, 2},
      {16, 16, 4, 4},  {16, 64, 16, 4}, {16, 128, 32, 4}, {16, 144, 4, 4},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    stride(rows[i].bytes, rows[i].step);
    CuteRequest r = request(rows[i].bytes);
    CuteCost cost = cuteCostOfBanks(&r);
    assert_int_equal(cost.taken, rows[i].taken);
    assert_int_equal(cost.least, rows[i].least);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(strides),
      cmocka_unit_test(randomAddresses),
      cmocka_unit_test(knownCases),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
