// What kernels with tensor cores call, for simulate.h: products, ldmatrix and
// cp.async of PTX. Where a lane has which element is from the PTX ISA, section
// "Warp-level matrix instructions", and not from the compiler's tables.
#ifndef SIMULATE_MMA_H
#define SIMULATE_MMA_H

#include "simulate.h"

#include <math.h>
#include <string.h>

typedef _Float16 half;

enum { EXCHANGED = 16, MAX_COPIES = 256 };

// What the lanes of each warp bring; slots alternate as in sim_bfly.
static uint64_t brought[MAX_THREADS][2][EXCHANGED];

// Gives n words to the other lanes of the warp; returns those of all lanes.
static uint64_t (*exchange(const uint64_t *words, int n))[2][EXCHANGED] {
  int self = sim.current, warp = self - self % WARP;
  int slot = ++sim.arrivedWarp[self] & 1;
  memcpy(brought[self][slot], words, (size_t)n * sizeof *words);
  await(sim.arrivedWarp, warp, WARP);
  return &brought[warp];
}

static int slotOf(void) { return sim.arrivedWarp[sim.current] & 1; }

// The number with the bits of a half, from a table: not all machines have an
// instruction for it.
static double halfOf(uint16_t bits) {
  static float values[1 << 16];
  static int isFilled;
  if (!isFilled) {
    isFilled = 1;
    for (int i = 0; i < 1 << 16; ++i) {
      uint16_t word = (uint16_t)i;
      half value;
      memcpy(&value, &word, sizeof value);
      values[i] = (float)value;
    }
  }
  return (double)values[bits];
}

static double elementOfPair(uint64_t word, int which) {
  return halfOf((uint16_t)(word >> 16 * which));
}

// D = A B + C of 16x8x16. Registers: A 4, B 2, with two elements each; C 4.
void sim_mma_f16(const uint32_t *a, const uint32_t *b, const float *c,
                 float *d) {
  uint64_t words[6] = {a[0], a[1], a[2], a[3], b[0], b[1]};
  uint64_t(*all)[2][EXCHANGED] = exchange(words, 6);
  int slot = slotOf(), lane = sim.current % WARP;
  double rows[2][16], columns[2][16];
  for (int i = 0; i < 2; ++i)
    for (int k = 0; k < 16; ++k) {
      int quad = k % 8 / 2, n = lane % 4 * 2 + i;
      uint64_t wordA = all[lane / 4 * 4 + quad][slot][i + k / 8 * 2];
      uint64_t wordB = all[n * 4 + quad][slot][4 + k / 8];
      rows[i][k] = elementOfPair(wordA, k % 2);
      columns[i][k] = elementOfPair(wordB, k % 2);
    }
  for (int i = 0; i < 4; ++i) {
    double sum = (double)c[i];
    for (int k = 0; k < 16; ++k)
      sum += rows[i / 2][k] * columns[i % 2][k];
    d[i] = (float)sum;
  }
}

// An f8E4M3FN that is a number.
static double decodeE4m3(unsigned code) {
  int exponent = code >> 3 & 15, mantissa = code & 7;
  double value =
      exponent ? ldexp(8 + mantissa, exponent - 10) : ldexp(mantissa, -9);
  return code & 128 ? -value : value;
}

// D = A B + C of 16x8x32 with f8E4M3FN. Registers: A 4, B 2, with four elements
// each; C 4.
void sim_mma_e4m3(const uint32_t *a, const uint32_t *b, const float *c,
                  float *d) {
  uint64_t words[6] = {a[0], a[1], a[2], a[3], b[0], b[1]};
  uint64_t(*all)[2][EXCHANGED] = exchange(words, 6);
  int slot = slotOf(), lane = sim.current % WARP;
  for (int i = 0; i < 4; ++i) {
    int m = lane / 4 + i / 2 * 8, n = lane % 4 * 2 + i % 2;
    double sum = (double)c[i];
    for (int k = 0; k < 32; ++k) {
      uint64_t wordA = all[m % 8 * 4 + k % 16 / 4][slot][m / 8 + k / 16 * 2];
      uint64_t wordB = all[n * 4 + k % 16 / 4][slot][4 + k / 16];
      sum += decodeE4m3(wordA >> k % 4 * 8 & 255) *
             decodeE4m3(wordB >> k % 4 * 8 & 255);
    }
    d[i] = (float)sum;
  }
}

// D = A B + C of 8x8x4. Registers: A 1, B 1, C 2.
void sim_mma_f64(const double *a, const double *b, const double *c, double *d) {
  uint64_t words[2];
  memcpy(&words[0], a, sizeof *a);
  memcpy(&words[1], b, sizeof *b);
  uint64_t(*all)[2][EXCHANGED] = exchange(words, 2);
  int slot = slotOf(), lane = sim.current % WARP;
  for (int i = 0; i < 2; ++i) {
    int m = lane / 4, n = lane % 4 * 2 + i;
    d[i] = c[i];
    for (int k = 0; k < 4; ++k) {
      double valueA, valueB;
      memcpy(&valueA, &all[m * 4 + k][slot][0], sizeof valueA);
      memcpy(&valueB, &all[n * 4 + k][slot][1], sizeof valueB);
      d[i] += valueA * valueB;
    }
  }
}

// Row r of matrix j is at the address of lane 8 j + r; a lane gets two elements
// of each of the four matrices.
void sim_ldmatrix_x4(const void *row, uint32_t *d) {
  if ((uintptr_t)row % 16)
    printf("ldmatrix of an address that is not a multiple of 16\n"), exit(1);
  uint64_t word = (uint64_t)(uintptr_t)row;
  uint64_t(*all)[2][EXCHANGED] = exchange(&word, 1);
  int slot = slotOf(), lane = sim.current % WARP;
  for (int j = 0; j < 4; ++j) {
    const char *from = (const char *)(uintptr_t)all[8 * j + lane / 4][slot][0];
    noteRead(from + lane % 4 * 4, 4);
    memcpy(&d[j], from + lane % 4 * 4, sizeof d[j]);
  }
  exchange(&word, 1); // nobody writes the rows before all have read them
}

// The same of the transposed matrices: a lane has two elements of a column.
void sim_ldmatrix_x4_trans(const void *row, uint32_t *d) {
  if ((uintptr_t)row % 16)
    printf("ldmatrix of an address that is not a multiple of 16\n"), exit(1);
  uint64_t word = (uint64_t)(uintptr_t)row;
  uint64_t(*all)[2][EXCHANGED] = exchange(&word, 1);
  int slot = slotOf(), lane = sim.current % WARP;
  for (int j = 0; j < 4; ++j)
    for (int i = 0; i < 2; ++i) {
      uint64_t from = all[8 * j + lane % 4 * 2 + i][slot][0];
      const char *element = (const char *)(uintptr_t)from + lane / 4 * 2;
      noteRead(element, 2);
      memcpy((char *)&d[j] + 2 * i, element, 2);
    }
  exchange(&word, 1);
}

//===-- cp.async ----------------------------------------------------------===//

// Copies take effect as late as they may: when their group is waited for.
typedef struct AsyncCopy {
  char *to;
  const char *from;
  int bytes, read, group, since;
} AsyncCopy;

static struct {
  AsyncCopy copies[MAX_COPIES];
  int count, groups;
} async[MAX_THREADS];

void sim_cp_async(char *to, const char *from, int bytes, int read) {
  int self = sim.current, i = async[self].count++;
  if (i >= MAX_COPIES || (uintptr_t)to % (unsigned)bytes ||
      (read && (uintptr_t)from % (unsigned)bytes) || read > bytes)
    printf("cp.async that cannot be\n"), exit(1);
  async[self].copies[i] = (AsyncCopy){
      to, from, bytes, read, async[self].groups, sim.arrivedBlock[self]};
}

void sim_cp_async_16(char *to, const char *from, int read) {
  sim_cp_async(to, from, 16, read);
}

void sim_cp_async_8(char *to, const char *from, int read) {
  sim_cp_async(to, from, 8, read);
}

void sim_cp_async_4(char *to, const char *from, int read) {
  sim_cp_async(to, from, 4, read);
}

void sim_cp_async_commit(void) { ++async[sim.current].groups; }

// Until at most `pending` of the committed groups are left, and none of no
// group if that is -1.
void sim_cp_async_wait(int pending) {
  int self = sim.current, left = 0;
  for (int i = 0; i < async[self].count; ++i) {
    AsyncCopy copy = async[self].copies[i];
    if (copy.group >= async[self].groups - pending) {
      async[self].copies[left++] = copy;
      continue;
    }
    noteCopy(copy.to, copy.bytes, copy.since);
    memset(copy.to, 0, (size_t)copy.bytes);
    if (copy.read)
      memcpy(copy.to, copy.from, (size_t)copy.read);
  }
  async[self].count = left;
}

#endif
