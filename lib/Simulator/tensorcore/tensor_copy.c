// tcgen05.cp: rows of shared memory to tensor memory (PTX ISA, "tcgen05.cp").
#include "Simulator/tensorcore/tensor_copy.h"
#include "Simulator/checks/access.h"
#include "Simulator/checks/shadow.h"
#include "Simulator/ptx/operation_table.h"

void cuteSimTensorUnitRead(void *source, uint32_t offset, void *bytes) {
  const CuteSimTensorSource *s = source;
  char *unit = s->block->shared + offset;
  memcpy(bytes, unit, CUTE_SIM_UNIT);
  cuteSimShadowEndRead(s->product->op, (uint64_t)(uintptr_t)unit, CUTE_SIM_UNIT,
                       s->product->epoch);
}

// Checks the first bytes of a unit.
static void checkUnit(const CuteSimTensorSource *s, uint32_t offset,
                      unsigned bytes) {
  CuteSimOp op = {s->product->op.thread, s->product->op.site};
  uint64_t at = (uint64_t)(uintptr_t)s->block->shared + offset;
  cuteSimAccessCheck(op, at, bytes, CUTE_SIM_UNIT, CUTE_SIM_READ);
  cuteSimAccessStart(op, at, bytes, CUTE_SIM_UNIT, CUTE_SIM_READ);
}

void cuteSimTensorUnitCheck(void *source, uint32_t offset,
                            CUTE_UNUSED void *bytes) {
  checkUnit(source, offset, CUTE_SIM_UNIT);
}

//===-- Copies ------------------------------------------------------------===//

// The rows of 16-byte units that an instruction copies, each to `copies` lanes
// `distance` apart.
typedef struct Shape {
  unsigned rows, units, copies, distance;
  unsigned bits; // of an element that becomes a byte
} Shape;

static Shape shapeOf(const CuteSimSite *site) {
  unsigned bits = 0;
  Shape shape = {.copies = 1,
                 .bits = strstr(site->name, ".b4x16_p64")   ? 4
                         : strstr(site->name, ".b6x16_p32") ? 6
                                                            : 8};
  const char *text = strstr(site->name, ".cp.") + 4;
  text += strncmp(text, "cta_group", 9) ? 0 : strcspn(text, ".") + 1;
  sscanf(text, "%ux%ub", &shape.rows, &bits);
  shape.units = bits / 8 / CUTE_SIM_UNIT;
  if (strstr(site->name, "warpx4"))
    shape.copies = 4, shape.distance = 32;
  else if (strstr(site->name, "02_13"))
    shape.copies = 2, shape.distance = 64;
  else if (strstr(site->name, "01_23"))
    shape.copies = 2, shape.distance = 32;
  return shape;
}

// The first lane of a row: of two copies side by side, 32 rows are followed by
// theirs; each of four rows has one of another quarter.
static uint32_t laneOf(const Shape *shape, uint32_t row) {
  if (shape->rows == 4)
    return row * 32;
  bool isSplit = shape->copies == 2 && shape->distance == 32;
  return isSplit ? row % 32 + row / 32 * 64 : row;
}

static void copyRow(const CuteSimTensorProduct *p, CuteSimBlock *block,
                    const Shape *shape, uint32_t row) {
  enum { WORDS = CUTE_SIM_UNIT / 4 };
  CuteSimTensorMemory *memory = cuteSimTensorMemoryGet(block);
  CuteSimTensorSource source = {p, block};
  CuteSimDescriptor d;
  cuteSimDescriptorDecodeTensor(p->descriptorA, false, &d);
  for (uint32_t unit = 0; unit < shape->units; ++unit) {
    uint32_t words[WORDS];
    cuteSimTensorUnitRead(
        &source, cuteSimDescriptorGetOffset(&d, CUTE_MAJOR_K, row, unit),
        words);
    cuteSimUnpackUnit((uint8_t *)words, shape->bits);
    for (uint32_t copy = 0; copy < shape->copies; ++copy)
      for (uint32_t i = 0; i < WORDS; ++i) {
        uint32_t lane =
            (p->d >> 16) + laneOf(shape, row) + copy * shape->distance;
        uint32_t column = (p->d & 0xffff) + unit * WORDS + i;
        memory->words[lane & 127][column & 511] = words[i];
        memory->isWritten[lane & 127][column & 511] = true;
        memory->writer[lane & 127][column & 511] =
            (uint32_t)cuteSimTensorPipeGet(p->op.thread->block)->numDone;
      }
  }
}

static void copy(const CuteSimTensorProduct *p) {
  Shape shape = shapeOf(p->op.site);
  for (int i = 0; i < p->numBlocks; ++i)
    for (uint32_t row = 0; row < shape.rows; ++row)
      copyRow(p, cuteSimTensorBlockGet(p->op.thread, p->numBlocks, i), &shape,
              row);
}

static void checkSource(CuteSimTensorProduct *p, const CuteSimBlock *block,
                        const Shape *shape, const CuteSimDescriptor *d) {
  CuteSimTensorSource source = {p, block};
  for (uint32_t row = 0; row < shape->rows; ++row)
    for (uint32_t unit = 0; unit < shape->units; ++unit)
      checkUnit(&source, cuteSimDescriptorGetOffset(d, CUTE_MAJOR_K, row, unit),
                CUTE_SIM_UNIT * shape->bits / 8);
}

void cuteSimTensorCopy(CuteSimOp op, uint64_t *values) {
  Shape shape = shapeOf(op.site);
  CuteSimDescriptor d;
  const char *problem = cuteSimDescriptorDecodeTensor(values[1], false, &d);
  if (problem)
    cuteSimFail(op, "$: the source has %s", problem);
  CuteSimTensorProduct p = {
      .op = op,
      .epoch = op.thread->epoch,
      .execute = copy,
      .numBlocks = cuteSimTensorBegin(op, op.site->words & CUTE_SIM_PAIR),
      .d = (uint32_t)values[0],
      .descriptorA = values[1],
      .numAreas = 1};
  p.areas[0].column = p.d & 0xffff;
  p.areas[0].columns = shape.units * CUTE_SIM_UNIT / 4;
  for (uint32_t row = 0; row < shape.rows; ++row)
    for (uint32_t i = 0; i < shape.copies; ++i) {
      uint32_t lane = (p.d >> 16) + laneOf(&shape, row) + i * shape.distance;
      p.areas[0].lanes[lane / 64 % 2] |= UINT64_C(1) << lane % 64;
    }
  for (int i = 0; i < p.numBlocks; ++i)
    checkSource(&p, cuteSimTensorBlockGet(op.thread, p.numBlocks, i), &shape,
                &d);
  cuteSimTensorProductCheck(&p);
  cuteSimTensorPipeStart(&p);
}
