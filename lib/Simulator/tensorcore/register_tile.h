// Operands of matrix instructions that threads hold in registers, and where
// their elements are in a tile, by the layouts of the instruction's row.
#pragma once

#include "Simulator/tensorcore/matrix_product.h"

// Tiles live as long as their context.

// Value v of thread t has the place places[t * numValues + v] in the row-major
// tile: (M,K), (K,N) or (M,N).
typedef struct CuteSimRegisterTile {
  CuteSimElement element;
  int numThreads, numValues, numWords; // of 32 bits, of one thread
  uint16_t *places;
} CuteSimRegisterTile;

void cuteSimRegisterTileInit(CuteContext context, const CuteMmaAtom *atom,
                             CuteMmaOperand operand, CuteElementType type,
                             CuteSimRegisterTile *tile);

// The elements of all threads, whose words begin at `first` of each.
void cuteSimRegisterTileUnpack(const CuteSimRegisterTile *tile,
                               const uint32_t *const *threads, int first,
                               double *elements);
void cuteSimRegisterTilePack(const CuteSimRegisterTile *tile,
                             const double *elements, uint32_t *const *threads);

//===-- Operands that several threads hold --------------------------------===//

// E, SFA or SFB: element (row, column) is taken from one thread's word.
typedef struct CuteSimSharedTile {
  CuteSimElement element;
  int columns;
  struct CuteSimWordPlace {
    uint8_t thread, shift;
  } * places;
} CuteSimSharedTile;

// Takes each element from the `choice`-th of the threads that have it, from a
// byte of its word on. False if there is no such thread or byte.
bool cuteSimSharedTileInit(CuteContext context, const CuteMmaAtom *atom,
                           CuteMmaOperand operand, int choice, int byte,
                           CuteSimSharedTile *tile);

// The bits of an element and those above it; `word` is that of each thread.
uint32_t cuteSimSharedTileGet(const CuteSimSharedTile *tile,
                              const uint32_t *const *threads, int word, int row,
                              int column);

enum { CUTE_SIM_MAX_INDICES = 32 }; // of a row

// Spreads the stored elements of a row of a sparse A over all of K, by their
// indices; the others are zero. Null, or what is undefined in the indices.
const char *cuteSimSpreadRow(const CuteMmaAtom *atom, const uint32_t *indices,
                             const double *stored, double *row);

// The same of all rows. Null, or what is undefined in the metadata.
const char *cuteSimSpreadSparse(const CuteMmaAtom *atom,
                                const CuteSimSharedTile *e,
                                const uint32_t *const *threads, int word,
                                const double *stored, double *a);

// The index at a coordinate of a static layout, counted colexicographically.
int cuteSimEvalLayout(CuteContext context, CuteLayout layout, int coordinate);
