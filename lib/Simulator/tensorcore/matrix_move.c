// Matrices between shared memory and the registers of a warp (PTX ISA,
// "ldmatrix", "stmatrix", "movmatrix"): 8 x 8 elements of 16 bits, 16 x 16 or
// 16 x 8 bytes that are transposed, 8 x 16 bytes that may be of 4 or 6 bits in
// memory. Each register has 4 bytes of a lane, and 8 lanes give the addresses
// of its rows of 16 bytes.
#include "Simulator/checks/access.h"
#include "Simulator/observe/observer.h"
#include "Simulator/ptx/operation_table.h"
#include "Simulator/tensorcore/tensor_copy.h"

enum { ROWS = 8, ROW_BYTES = 16, MAX_REGISTERS = 4, WORD = 4 };

// The rows by the lanes that give their addresses.
typedef struct Rows {
  uint8_t bytes[MAX_REGISTERS * ROWS][ROW_BYTES];
} Rows;

static unsigned countRegisters(const CuteSimSite *site) {
  unsigned n = site->words & CUTE_SIM_X4   ? 4
               : site->words & CUTE_SIM_X2 ? 2
                                           : 1;
  return site->variant == CUTE_SIM_M16N16 ? 2 * n : n;
}

// Byte `b` of a lane's register, perhaps in a matrix that is transposed.
static uint8_t *byteOf(Rows *rows, const CuteSimSite *site, bool isTransposed,
                       int lane, unsigned number, unsigned b) {
  unsigned group = (unsigned)lane / 4, four = (unsigned)lane % 4;
  if (!isTransposed)
    return &rows->bytes[number * ROWS + group][four * WORD + b];
  if (site->variant == CUTE_SIM_M16N16)
    return &rows->bytes[number / 2 * 16 + four * 4 + b][number % 2 * 8 + group];
  if (site->variant == CUTE_SIM_M16N8)
    return &rows->bytes[number * ROWS + four * 2 + b % 2][b / 2 * 8 + group];
  return &rows->bytes[number * ROWS + four * 2 + b / 2][group * 2 + b % 2];
}

static uint32_t wordOf(Rows *rows, const CuteSimSite *site, bool isTransposed,
                       int lane, unsigned number) {
  uint32_t word = 0;
  for (unsigned b = 0; b < WORD; ++b)
    word |= (uint32_t)*byteOf(rows, site, isTransposed, lane, number, b)
            << 8 * b;
  return word;
}

static void setWord(Rows *rows, const CuteSimSite *site, bool isTransposed,
                    int lane, unsigned number, uint32_t word) {
  for (unsigned b = 0; b < WORD; ++b)
    *byteOf(rows, site, isTransposed, lane, number, b) =
        (uint8_t)(word >> 8 * b);
}

// Bits of an element in memory that becomes a byte.
static unsigned bitsOf(const CuteSimSite *site) {
  return site->words & CUTE_SIM_B4X16   ? 4
         : site->words & CUTE_SIM_B6X16 ? 6
                                        : 8;
}

void cuteSimUnpackUnit(uint8_t unit[CUTE_SIM_UNIT], unsigned bits) {
  uint8_t packed[CUTE_SIM_UNIT + 1] = {0};
  memcpy(packed, unit, CUTE_SIM_UNIT);
  for (unsigned i = 0; bits < 8 && i < CUTE_SIM_UNIT; ++i) {
    unsigned at = i * bits;
    unsigned pair = packed[at / 8] | (unsigned)packed[at / 8 + 1] << 8;
    unit[i] = (uint8_t)(pair >> at % 8 & ((1u << bits) - 1));
  }
}

// The bytes of a row that count, at the address that a lane gives.
static char *rowOf(const CuteSimGroup *group, int lane, unsigned bytes,
                   CuteSimAccess access) {
  CuteSimOp op = cuteSimGroupGetOp(group, lane);
  uint64_t at = group->values[lane][group->site->numResults];
  cuteSimAccessCheck(op, at, bytes, ROW_BYTES, access);
  cuteSimObserveAccess(op, at, bytes, access);
  return (char *)(uintptr_t)at;
}

void cuteSimMatrixLoad(CuteSimGroup *group) {
  Rows rows;
  const CuteSimSite *site = group->site;
  unsigned n = countRegisters(site), bits = bitsOf(site);
  for (unsigned row = 0; row < n * ROWS; ++row) {
    memcpy(rows.bytes[row], rowOf(group, (int)row, 2 * bits, CUTE_SIM_READ),
           2 * bits);
    cuteSimUnpackUnit(rows.bytes[row], bits);
  }
  for (int lane = 0; lane < CUTE_SIM_WARP; ++lane)
    for (unsigned r = 0; r < n; ++r)
      group->values[lane][r] =
          wordOf(&rows, site, site->words & CUTE_SIM_TRANSPOSED, lane, r);
}

// Operands: the address, and the registers.
void cuteSimMatrixStore(CuteSimGroup *group) {
  Rows rows;
  const CuteSimSite *site = group->site;
  unsigned n = countRegisters(site);
  for (int lane = 0; lane < CUTE_SIM_WARP; ++lane)
    for (unsigned r = 0; r < n; ++r)
      setWord(&rows, site, site->words & CUTE_SIM_TRANSPOSED, lane, r,
              (uint32_t)group->values[lane][r + 1]);
  for (unsigned row = 0; row < n * ROWS; ++row)
    memcpy(rowOf(group, (int)row, ROW_BYTES, CUTE_SIM_WRITE), rows.bytes[row],
           ROW_BYTES);
}

void cuteSimMatrixTranspose(CuteSimGroup *group) {
  Rows rows;
  const CuteSimSite *site = group->site;
  for (int lane = 0; lane < CUTE_SIM_WARP; ++lane)
    setWord(&rows, site, false, lane, 0, (uint32_t)group->values[lane][1]);
  for (int lane = 0; lane < CUTE_SIM_WARP; ++lane)
    group->values[lane][0] = wordOf(&rows, site, true, lane, 0);
}
