// Runs a kernel of bench/mma_atoms.py for an MMA atom that takes metadata or
// scale factors, and compares with the product of whole matrices. What the
// instruction does with the registers of all lanes is from the PTX ISA ("Matrix
// fragments for multiply-accumulate operation with sparse matrix A", "Block
// scaling"), and not from the compiler's tables.
//
// -DK=32 -DA=F16 -DB=F16 [-DSPARSE] [-DPAIRS] [-DFACTORS=2 -DFACTOR=UE8M0]
// [-DBITS_A=16 -DBITS_B=16: in registers] [-DSUM=int32_t -DSATURATES=1]
#include "simulate_mma.h"

#include <math.h>
#include <stdbool.h>

enum { M = 16, N = 8, MAX_WORDS = 24 };

//===-- Elements ----------------------------------------------------------===//

typedef enum Type {
  F16,
  BF16,
  TF32,
  E4M3,
  E5M2,
  E3M2,
  E2M3,
  E2M1,
  S8,
  U8,
  S4,
  U4,
  UE8M0,
  UE4M3
} Type;

static const struct {
  int bits, exponent, mantissa; // in memory
} formats[] = {[F16] = {16, 5, 10}, [BF16] = {16, 8, 7}, [TF32] = {32, 8, 23},
               [E4M3] = {8, 4, 3},  [E5M2] = {8, 5, 2},  [E3M2] = {8, 3, 2},
               [E2M3] = {8, 2, 3},  [E2M1] = {4, 2, 1},  [S8] = {8},
               [U8] = {8},          [S4] = {4},          [U4] = {4},
               [UE8M0] = {8, 8, 0}, [UE4M3] = {8, 4, 3}};

static double valueOf(Type type, uint32_t code) {
  int bits = formats[type].bits, e = formats[type].exponent,
      m = formats[type].mantissa;
  if (type == UE8M0)
    return ldexp(1, (int)code - 127);
  if (!e)
    return type == S8 || type == S4
               ? (int32_t)(code << (32 - bits)) >> (32 - bits)
               : (int32_t)code;
  int exponent = code >> m & ((1 << e) - 1), bias = (1 << (e - 1)) - 1;
  double fraction = ldexp(code & ((1u << m) - 1), -m);
  double value = exponent ? ldexp(1 + fraction, exponent - bias)
                          : ldexp(fraction, 1 - bias);
  return code >> (e + m) & 1 ? -value : value;
}

static uint32_t randomBits(void) {
  return (uint32_t)((nextValue() + 1) * 0x1p31);
}

// A code whose value is neither too large nor too small for exact sums.
static uint32_t randomCode(Type type) {
  int bits = formats[type].bits, e = formats[type].exponent;
  for (;;) {
    uint32_t code =
        randomBits() >> (32 - (type == E3M2 || type == E2M3 ? 6 : bits));
    if (type == TF32)
      code &= ~0x1fffu;
    double size = fabs(valueOf(type, code));
    bool isFactor = type == UE8M0 || type == UE4M3;
    if (!e || (size <= 16 && size >= (isFactor ? 0.0625 : 0.125) &&
               !(type == UE4M3 && code >> 7)))
      return code;
  }
}

//===-- The instruction ---------------------------------------------------===//

#ifndef FACTORS
#define FACTORS 0
#define FACTOR UE8M0
#endif
#ifdef SPARSE
enum { IS_SPARSE = 1, KA = K / 2 };
#else
enum { IS_SPARSE = 0, KA = K };
#endif
#ifdef PAIRS
enum { IS_OF_PAIRS = 1 };
#else
enum { IS_OF_PAIRS = 0 };
#endif
#ifdef SUM
enum { IS_FLOAT = 0 }; // D and C
#else
#define SUM float
#define SATURATES 0
enum { IS_FLOAT = 1 };
#endif

enum {
  PER_A = 32 / BITS_A, // elements of a register
  PER_B = 32 / BITS_B,
  WORDS_A = M * KA / WARP / PER_A,
  WORDS_B = N * K / WARP / PER_B,
  FIRST_C = WORDS_A + WORDS_B,
  FIRST_E = FIRST_C + 4,
  FIRST_FACTOR = FIRST_E + IS_SPARSE,
  NUM_WORDS = FIRST_FACTOR + (FACTORS ? 2 : 0),
  BITS_E = A == TF32 ? 4 : 2,
  K_E = KA / (IS_OF_PAIRS ? 2 : 1),
};

static uint64_t (*lanes)[2][EXCHANGED];
static int slot;

static uint32_t wordOf(int lane, int word) {
  return (uint32_t)lanes[lane][slot][word];
}

// Element i of a register; 4-bit floats beside 8-bit ones are in the middle of
// a byte.
static double elementOf(Type type, int bits, uint32_t word, int i) {
  uint32_t code = word >> bits * i;
  if (bits < 32)
    code &= (1u << bits) - 1;
  if (type == E2M1 && bits == 8 && code & 0xc3)
    printf("bits beside a float of 4\n"), exit(1);
  return valueOf(type, type == E2M1 && bits == 8 ? code >> 2 : code);
}

// Stored element j of row m: four lanes have neighbours, a row 8 below in the
// next register, and what follows to the right in the one after that.
static double inA(int m, int j) {
  int word = m / 8 + j / (4 * PER_A) * 2;
  int lane = m % 8 * 4 + j / PER_A % 4;
  return elementOf(A, BITS_A, wordOf(lane, word), j % PER_A);
}

static double inB(int n, int k) {
  int lane = n * 4 + k / PER_B % 4;
  return elementOf(B, BITS_B, wordOf(lane, WORDS_A + k / (4 * PER_B)),
                   k % PER_B);
}

// Index q of row m, with a sparsity selector of 0: of 16 and 32 bits 16 bits in
// a lane, and those of the row 8 below above them; else 32 bits.
static int inE(int m, int q) {
  bool isWide = BITS_A >= 16;
  int perLane = (isWide ? 16 : 32) / BITS_E, part = q / perLane;
  int lane = m % 8 * 4 + (isWide ? part : m / 8 + 2 * part);
  int bit = q % perLane * BITS_E + (isWide ? m / 8 * 16 : 0);
  return wordOf(lane, FIRST_E) >> bit & ((1 << BITS_E) - 1);
}

static double factorOf(int lane, int word, int block) {
  return valueOf(FACTOR, wordOf(lane, FIRST_FACTOR + word) >> 8 * block & 255);
}

// Where stored element j stands, by its index.
static int placeOf(int j, int index) {
  return !IS_SPARSE    ? j
         : A == TF32   ? 2 * j + (index == 14)
         : IS_OF_PAIRS ? j / 4 * 8 + 2 * index + j % 2
                       : j / 2 * 4 + index;
}

static int indexOf(int j) { return IS_OF_PAIRS ? j / 2 : j; }

static SUM rounded(double sum) {
  if (SATURATES)
    return (SUM)(sum > 2147483647     ? 2147483647
                 : sum < -2147483648. ? -2147483648.
                                      : sum);
  return IS_FLOAT ? (SUM)sum : (SUM)(uint32_t)(int64_t)sum;
}

void sim_atom_words(const uint32_t *words, uint32_t *d) {
  uint64_t wide[MAX_WORDS];
  for (int i = 0; i < NUM_WORDS; ++i)
    wide[i] = words[i];
  lanes = exchange(wide, NUM_WORDS);
  slot = slotOf();
  int lane = sim.current % WARP;
  for (int i = 0; i < 4; ++i) {
    int m = lane / 4 + i / 2 * 8, n = lane % 4 * 2 + i % 2;
    SUM c;
    memcpy(&c, &words[FIRST_C + i], sizeof c);
    double sum = (double)c;
    for (int j = 0; j < KA; ++j) {
      int k = placeOf(j, IS_SPARSE ? inE(m, indexOf(j)) : 0);
      double product = inA(m, j) * inB(n, k);
      if (FACTORS)
        product *= factorOf(m % 8 * 4 + m / 8, 0, k * FACTORS / K) *
                   factorOf(n * 4, 1, k * FACTORS / K);
      sum += product;
    }
    c = rounded(sum);
    memcpy(&d[i], &c, sizeof c);
  }
}

//===-- Matrices ----------------------------------------------------------===//

typedef struct Matrix {
  int columns, bits;
  uint32_t codes[M * K];
  uint8_t memory[M * K * 4]; // row-major, elements below 8 bits side by side
} Matrix;

static Matrix a = {KA, 0}, b = {K, 0}, c = {N, 32}, d = {N, 32},
              e = {K_E, BITS_E}, sfa = {FACTORS, 8}, sfb = {FACTORS, 8};

static void set(Matrix *x, int i, uint32_t code) {
  x->codes[i] = code;
  for (int bit = 0; bit < x->bits; ++bit) {
    int at = i * x->bits + bit;
    x->memory[at / 8] |= (code >> bit & 1) << at % 8;
  }
}

static void fill(Matrix *x, int rows, Type type) {
  if (!x->bits)
    x->bits = formats[type].bits;
  for (int i = 0; i < rows * x->columns; ++i)
    set(x, i, randomCode(type));
}

static void fillC(void) {
  for (int i = 0; i < M * N; ++i) {
    SUM value = (SUM)(IS_FLOAT ? floor(nextValue() * 0x1p14) / 1024
                               : nextValue() * 0x1p31);
    uint32_t code;
    memcpy(&code, &value, sizeof code);
    set(&c, i, code);
  }
}

// Two places of four in order, or one of two.
static void fillE(void) {
  for (int i = 0; i < M * K_E; ++i) {
    uint32_t least = i % 2 ? e.codes[i - 1] + 1 : 0, most = i % 2 ? 3 : 2;
    set(&e, i,
        BITS_E == 4 ? (randomBits() & 1 ? 14 : 4)
                    : least + randomBits() % (most - least + 1));
  }
}

// The whole A, by the definition of the metadata.
static double wholeA(int m, int k) {
  double sum = 0;
  for (int j = 0; j < KA; ++j)
    if (placeOf(j, (int)e.codes[m * K_E + indexOf(j)]) == k)
      sum += valueOf(A, a.codes[m * KA + j]);
  return sum;
}

void atom();
static void body(void) {
  void *extra[3];
  int n = 0;
  if (IS_SPARSE)
    extra[n++] = e.memory;
  if (FACTORS) {
    extra[n++] = sfa.memory;
    extra[n++] = sfb.memory;
  }
  atom(a.memory, b.memory, c.memory, d.memory, extra[0], extra[1], extra[2]);
}

static void check(void) {
  for (int m = 0; m < M; ++m)
    for (int n = 0; n < N; ++n) {
      SUM sum, found;
      memcpy(&sum, &c.codes[m * N + n], sizeof sum);
      memcpy(&found, d.memory + 4 * (m * N + n), sizeof found);
      double wanted = (double)sum;
      for (int k = 0; k < K; ++k) {
        double factor = 1;
        if (FACTORS)
          factor = valueOf(FACTOR, sfa.codes[m * FACTORS + k * FACTORS / K]) *
                   valueOf(FACTOR, sfb.codes[n * FACTORS + k * FACTORS / K]);
        wanted += factor * wholeA(m, k) * valueOf(B, b.codes[n * K + k]);
      }
      if (rounded(wanted) == found)
        continue;
      printf("(%d,%d): %g, not %g\n", m, n, (double)found, wanted);
      ++failures;
    }
}

int main(void) {
  fill(&a, M, A);
  fill(&b, N, B);
  fillC();
  if (IS_SPARSE)
    fillE();
  if (FACTORS) {
    fill(&sfa, M, FACTOR);
    fill(&sfb, N, FACTOR);
  }
  memset(d.memory, 0xff, sizeof d.memory);
  launch(1, 1, WARP, body);
  check();
  printf("%d elements, %d wrong\n", M * N, failures);
  return failures != 0;
}
