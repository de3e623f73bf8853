// The arithmetic of matrix instructions on whole tiles: elements as doubles.
#pragma once

#include "cute/Atom.h"

// Stands in A for an element that a sparse one does not store: smaller than any
// number, so that its product with a finite one is lost.
#define CUTE_SIM_HOLE 0x1p-1074

// Row-major: a is m x k, b is k x n, sums is m x n. Where blocks of k have
// scale factors, scaleA is m x blocks and scaleB blocks x n.
typedef struct CuteSimMatrices {
  int m, n, k;
  double *a, *b, *sums;
  int blocks; // 0: without factors
  const double *scaleA, *scaleB;
} CuteSimMatrices;

// The matrices of an atom, without factors.
static inline CuteSimMatrices
cuteSimMatricesOf(const CuteMmaAtom *atom, double *a, double *b, double *sums) {
  return (CuteSimMatrices){atom->m, atom->n, atom->k, a,   b,
                           sums,    0,       NULL,    NULL};
}

// Makes holes zeros, where all of B is finite: it is faster.
void cuteSimDropHoles(const CuteSimMatrices *matrices);

// Adds a b to sums as the atom's instruction does on an architecture, 90 for
// sm_90, or the first that has it. Floats: as tensor cores do (mma_sum.def),
// f64 by a chain of fused multiply-adds along k, as PTX says. Integers wrap, or
// stop at the ends of their range. n is a multiple of 8.
void cuteSimMultiply(const CuteMmaAtom *atom, int arch,
                     const CuteSimMatrices *matrices);

// The same of sums of floats, bit for bit as tensor cores compute them.
// Infinities and NaNs come out as IEEE 754 has them, of the sum without
// rounding.
void cuteSimFusedSum(const CuteMmaAtom *atom, int arch,
                     const CuteSimMatrices *matrices);

// From here on the calling thread's products note what is not finite in them.
void cuteSimMultiplyWatch(void);

// Gives what they have noted since then, as the text of a message; null:
// nothing, or nobody watches. Nothing is noted any more.
const char *cuteSimMultiplyGetSeen(void);

// The number of an element with these lowest bits, and the bits of a number of
// sums. 4-bit floats that the atom spreads are in the middle of a byte.
typedef struct CuteSimElement {
  CuteElementType type;
  unsigned bits; // in registers
  double table[256];
  bool hasTable;
} CuteSimElement;

void cuteSimElementInit(CuteSimElement *element, CuteElementType type,
                        bool spreads);
double cuteSimElementDecode(const CuteSimElement *element, uint64_t bits);
uint64_t cuteSimElementEncode(const CuteSimElement *element, double value);
