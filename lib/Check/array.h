// Tensors on the host: arguments of kernels and references to compare with.
#pragma once

#include "Support/scoped.h"
#include "Support/status.h"
#include "cute/ElementType.h"

enum { CUTE_MAX_RANK = 8 };

// Elements at offsets sum(index[i] * stride[i]), all strides non-negative.
typedef struct CuteArray {
  CuteElementType type;
  size_t rank;
  int64_t extents[CUTE_MAX_RANK], strides[CUTE_MAX_RANK];
  int64_t cosize; // elements of memory
  unsigned char *data;
} CuteArray;

// A row-major array of zeros if `strides` is null. Fails if the size overflows
// or the rank is too large. The array of a failure may be destroyed, too.
CuteStatus cuteArrayCreate(CuteArray *array, CuteElementType type, size_t rank,
                           const int64_t *extents, const int64_t *strides);
void cuteArrayDestroy(CuteArray *array);

size_t cuteArrayGetBytes(const CuteArray *array);

// Number of coordinates.
int64_t cuteArrayGetSize(const CuteArray *array);

// The offset of the coordinate with this colexicographic-by-last (row-major)
// number: the last index counts fastest.
int64_t cuteArrayGetOffset(const CuteArray *array, int64_t number);

double cuteArrayLoad(const CuteArray *array, int64_t offset);

// Rounds to nearest even; integers truncate, and have the lowest bits of what
// does not fit.
void cuteArrayStore(CuteArray *array, int64_t offset, double value);

bool cuteArrayIsRowMajor(const CuteArray *array);

//===-- Text --------------------------------------------------------------===//

// Makes an array from FILE.npy or from TYPE[LAYOUT][:GENERATOR], where LAYOUT
// is 4096x4096 (row-major) or a static CuTe layout (777,129):(136,1), whose
// nested modes count as their leaves, and
// GENERATOR is normal(SEED), uniform(SEED) in [-1,1), integers(SEED) in [-4,4],
// or [0,8] of types without sign, bits(SEED) for any integer of the type,
// places(SEED) for the metadata of a sparse matrix in ui2 or ui4, scales(SEED)
// for positive factors near 1, iota, zeros (default), fill(VALUE) or poison
// (bytes 0xff: NaN, or -1). TYPE has at most 64 bits.
CuteStatus cuteArrayParse(CuteArray *array, const char *text);

CuteStatus cuteNpyRead(CuteArray *array, const char *path);
CuteStatus cuteNpyWrite(const CuteArray *array, const char *path);

//===-- Comparison --------------------------------------------------------===//

typedef struct CuteComparison {
  double maxError;    // max |a - b| / max |b|; infinite where a is NaN
  double frobenius;   // ||a - b|| / ||b||
  int64_t notNumbers; // elements of a that are NaN or infinite and not so in b
  int64_t unwritten;  // NaN outside of a sample: nobody has written them
  int64_t worst;      // number of the element with the largest error
  double found, wanted; // there
} CuteComparison;

// Compares elements with equal coordinates; the extents must agree.
CuteStatus cuteArrayCompare(const CuteArray *a, const CuteArray *b,
                            CuteComparison *comparison);
