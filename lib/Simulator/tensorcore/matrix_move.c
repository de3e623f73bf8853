// Matrices of 8 x 8 elements of 16 bits between shared memory and the registers
// of a warp (PTX ISA, "ldmatrix", "stmatrix", "movmatrix"). Lane t has elements
// 2 (t % 4) and 2 (t % 4) + 1 of row t / 4.
#include "Simulator/checks/access.h"
#include "Simulator/observe/observer.h"
#include "Simulator/ptx/operation_table.h"

#include <string.h>

enum { ROWS = 8, ROW_BYTES = 16, MATRICES = 4 };

typedef struct Matrix {
  uint16_t rows[ROWS][ROWS];
} Matrix;

static unsigned countMatrices(const CuteSimSite *site) {
  return site->words & CUTE_SIM_X4 ? 4 : site->words & CUTE_SIM_X2 ? 2 : 1;
}

// The word that a lane has of a matrix, and back.
static uint32_t wordOf(const Matrix *m, int lane, bool transposed) {
  int row = lane / 4, column = lane % 4 * 2;
  uint32_t low = transposed ? m->rows[column][row] : m->rows[row][column];
  uint32_t high =
      transposed ? m->rows[column + 1][row] : m->rows[row][column + 1];
  return low | high << 16;
}

static void setWord(Matrix *m, int lane, bool transposed, uint32_t word) {
  int row = lane / 4, column = lane % 4 * 2;
  for (int i = 0; i < 2; ++i) {
    uint16_t element = (uint16_t)(word >> 16 * i);
    if (transposed)
      m->rows[column + i][row] = element;
    else
      m->rows[row][column + i] = element;
  }
}

// The address of row `row` of matrix `m` is that of lane 8 m + row.
static char *rowOf(const CuteSimGroup *group, unsigned m, unsigned row,
                   CuteSimAccess access) {
  unsigned lane = m * ROWS + row;
  CuteSimOp op = cuteSimGroupGetOp(group, (int)lane);
  uint64_t at = group->values[lane][group->site->numResults];
  cuteSimAccessCheck(op, at, ROW_BYTES, ROW_BYTES, access);
  cuteSimObserveAccess(op, at, ROW_BYTES, access);
  return (char *)(uintptr_t)at;
}

void cuteSimMatrixLoad(CuteSimGroup *group) {
  Matrix matrices[MATRICES];
  unsigned n = countMatrices(group->site);
  bool transposed = group->site->words & CUTE_SIM_TRANSPOSED;
  for (unsigned m = 0; m < n; ++m)
    for (unsigned row = 0; row < ROWS; ++row)
      memcpy(matrices[m].rows[row], rowOf(group, m, row, CUTE_SIM_READ),
             ROW_BYTES);
  for (int lane = 0; lane < CUTE_SIM_WARP; ++lane)
    for (unsigned m = 0; m < n; ++m)
      group->values[lane][m] = wordOf(&matrices[m], lane, transposed);
}

// Operands: the address, and a register for each matrix.
void cuteSimMatrixStore(CuteSimGroup *group) {
  Matrix matrices[MATRICES];
  unsigned n = countMatrices(group->site);
  bool transposed = group->site->words & CUTE_SIM_TRANSPOSED;
  for (int lane = 0; lane < CUTE_SIM_WARP; ++lane)
    for (unsigned m = 0; m < n; ++m)
      setWord(&matrices[m], lane, transposed,
              (uint32_t)group->values[lane][m + 1]);
  for (unsigned m = 0; m < n; ++m)
    for (unsigned row = 0; row < ROWS; ++row)
      memcpy(rowOf(group, m, row, CUTE_SIM_WRITE), matrices[m].rows[row],
             ROW_BYTES);
}

void cuteSimMatrixTranspose(CuteSimGroup *group) {
  Matrix matrix;
  for (int lane = 0; lane < CUTE_SIM_WARP; ++lane)
    setWord(&matrix, lane, false, (uint32_t)group->values[lane][1]);
  for (int lane = 0; lane < CUTE_SIM_WARP; ++lane)
    group->values[lane][0] = wordOf(&matrix, lane, true);
}
