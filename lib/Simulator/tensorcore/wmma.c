// Matrices of a warp in fragments without a layout that programs may know (PTX
// ISA, "wmma"). Here the element number 32 i + t of a row-major matrix is value
// i of lane t; registers that hold more repeat the first ones.
#include "Hardware/element.h"
#include "Simulator/checks/access.h"
#include "Simulator/machine/launch_run.h"
#include "Simulator/machine/scratch.h"
#include "Simulator/observe/observer.h"
#include "Simulator/ptx/operation_table.h"
#include "Simulator/tensorcore/matrix_product.h"
#include "Simulator/tensorcore/warp_mma.h"
#include "Support/text.h"

enum { MAX_MATRIX = 32 * 16, MAX_PARTS = 14, MAX_NAME = 96 };

// ".m16n16k16"
typedef struct Shape {
  int m, n, k;
} Shape;

// A fragment: its matrix, and the elements in a register.
typedef struct Fragment {
  int rows, columns;
  bool isTransposed; // in memory
  CuteElementType type;
  unsigned bits, perRegister;
} Fragment;

//===-- Names -------------------------------------------------------------===//

static bool readShape(CuteStringRef part, Shape *shape) {
  char text[24];
  snprintf(text, sizeof text, "%.*s", CUTE_TEXT(part));
  return sscanf(text, "m%dn%dk%d", &shape->m, &shape->n, &shape->k) == 3;
}

static bool findType(CuteStringRef ptx, CuteElementType *type) {
  static const CuteElementType types[] = {
      CUTE_ELEMENT_F16, CUTE_ELEMENT_BF16, CUTE_ELEMENT_TF32, CUTE_ELEMENT_F32,
      CUTE_ELEMENT_F64, CUTE_ELEMENT_I8,   CUTE_ELEMENT_UI8,  CUTE_ELEMENT_I32};
  for (size_t i = 0; i < sizeof types / sizeof *types; ++i)
    if (cuteTextEquals(ptx, cuteElementGetInfo(types[i])->ptx)) {
      *type = types[i];
      return true;
    }
  return false;
}

static bool initFragment(char operand, Shape s, CuteElementType type,
                         bool isRow, Fragment *f) {
  unsigned bits = cuteElementGetInfo(type)->bits;
  bits = type == CUTE_ELEMENT_TF32 ? 32 : bits;
  *f = (Fragment){.rows = operand == 'b' ? s.k : s.m,
                  .columns = operand == 'a' ? s.k : s.n,
                  .isTransposed = !isRow,
                  .type = type,
                  .bits = bits,
                  .perRegister = bits < 32 ? 32 / bits : 1};
  return f->rows > 0 && f->columns > 0 &&
         f->rows * f->columns % CUTE_SIM_WARP == 0 &&
         f->rows * f->columns <= MAX_MATRIX;
}

// "wmma.load.a.sync.aligned.row.m16n16k16.global.f16", and store.d.
static bool readMove(const char *text, Fragment *f) {
  CuteStringRef name = cuteStringRef(text), part, type = {NULL, 0};
  bool isRow = false, hasShape = false;
  char operand = '\0';
  Shape shape = {0};
  while (name.length) {
    part = cuteTextTakePart(&name, '.');
    if (part.length == 1 && strchr("abcd", *part.data))
      operand = *part.data;
    isRow |= cuteTextEquals(part, "row");
    hasShape |= readShape(part, &shape);
    type = part;
  }
  CuteElementType element;
  return operand && hasShape && findType(type, &element) &&
         initFragment(operand, shape, element, isRow, f);
}

//===-- Memory ------------------------------------------------------------===//

static unsigned countValues(const Fragment *f) {
  return (unsigned)(f->rows * f->columns / CUTE_SIM_WARP);
}

// Loads or stores the first `n` values of a thread. A matrix has its lines as
// many elements apart as the stride says; null: side by side.
static void move(CuteSimOp op, const Fragment *f, uint64_t base,
                 const uint64_t *given, unsigned n, uint64_t *registers,
                 CuteSimAccess access) {
  unsigned bytes = f->bits / 8;
  int64_t stride = given             ? (int64_t)(int32_t)*given
                   : f->isTransposed ? f->rows
                                     : f->columns;
  for (unsigned i = 0; i < n; ++i) {
    int number = (int)(i % countValues(f)) * CUTE_SIM_WARP +
                 (int)(op.thread->index % CUTE_SIM_WARP);
    int row = number / f->columns, column = number % f->columns;
    int64_t line = f->isTransposed ? column : row;
    int64_t at = line * stride + (f->isTransposed ? row : column);
    uint64_t address = base + (uint64_t)(at * (int64_t)bytes), element = 0;
    unsigned shift = i % f->perRegister * f->bits;
    cuteSimAccessCheck(op, address, bytes, bytes, access);
    cuteSimObserveAccess(op, address, bytes, access);
    if (access == CUTE_SIM_READ) {
      memcpy(&element, (const void *)(uintptr_t)address, bytes);
      registers[i / f->perRegister] |= element << shift;
    } else {
      element = registers[i / f->perRegister] >> shift;
      memcpy((void *)(uintptr_t)address, &element, bytes);
    }
  }
}

static Fragment fragmentOf(const CuteSimSite *site) {
  Fragment f = {0};
  readMove(site->name, &f); // prepared: it is known
  return f;
}

// Operands: the address, and perhaps the stride.
void cuteSimWmmaLoad(CuteSimOp op, uint64_t *values) {
  Fragment f = fragmentOf(op.site);
  unsigned n = op.site->numResults;
  uint64_t base = values[n], stride = values[n + 1];
  memset(values, 0, n * sizeof *values);
  move(op, &f, base, op.site->numOperands > 1 ? &stride : NULL,
       n * f.perRegister, values, CUTE_SIM_READ);
}

// Operands: the address, the registers, and perhaps the stride.
void cuteSimWmmaStore(CuteSimOp op, uint64_t *values) {
  Fragment f = fragmentOf(op.site);
  unsigned count = countValues(&f), end = 1 + count / f.perRegister;
  move(op, &f, values[0], op.site->numOperands > end ? &values[end] : NULL,
       count, values + 1, CUTE_SIM_WRITE);
}

//===-- Products ----------------------------------------------------------===//

// "wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32", with D and C for f16, else
// with D, A, B and C.
typedef struct Product {
  const CuteMmaAtom *atom; // whose arithmetic it has
  Shape shape;
  Fragment a, b, c, d;
} Product;

// The product of mma.sync with these types.
static const CuteMmaAtom *findAtom(const CuteStringRef types[4],
                                   bool saturates) {
  char name[MAX_NAME];
  bool isTf32 = cuteTextEquals(types[1], "tf32");
  snprintf(name, sizeof name,
           "mma.sync.aligned.m16n8k%d.row.col%s.%.*s.%.*s.%.*s.%.*s",
           isTf32 ? 8 : 16, saturates ? ".satfinite" : "", CUTE_TEXT(types[0]),
           CUTE_TEXT(types[1]), CUTE_TEXT(types[2]), CUTE_TEXT(types[3]));
  return cuteSimMmaFindInstruction(cuteStringRef(name));
}

static bool readTypes(CuteStringRef name, CuteStringRef types[4],
                      bool *saturates) {
  int count = 0;
  for (; name.length && count < 4;) {
    CuteStringRef part = cuteTextTakePart(&name, '.');
    *saturates |= cuteTextEquals(part, "satfinite");
    if (!cuteTextEquals(part, "satfinite"))
      types[count++] = part;
  }
  *saturates |= cuteTextEquals(name, "satfinite");
  if (count == 2) { // of f16
    types[3] = types[1];
    types[1] = types[2] = cuteStringRef("f16");
  }
  return count == 2 || count == 4;
}

static bool readProduct(const char *text, Product *p) {
  CuteStringRef name = cuteStringRef(text), types[4], part;
  CuteElementType element[4];
  bool saturates = false;
  do
    part = cuteTextTakePart(&name, '.');
  while (name.length && !readShape(part, &p->shape));
  if (!readTypes(name, types, &saturates))
    return false;
  p->atom = findAtom(types, saturates);
  // A mixed sum is an f32's.
  if (!p->atom)
    p->atom = findAtom((CuteStringRef[]){cuteStringRef("f32"), types[1],
                                         types[2], cuteStringRef("f32")},
                       saturates);
  for (int i = 0; i < 4; ++i)
    if (!findType(types[i], &element[i]))
      return false;
  return p->atom && initFragment('d', p->shape, element[0], true, &p->d) &&
         initFragment('a', p->shape, element[1], true, &p->a) &&
         initFragment('b', p->shape, element[2], true, &p->b) &&
         initFragment('c', p->shape, element[3], true, &p->c);
}

static void unpack(const Fragment *f, CuteSimGroup *group, unsigned first,
                   double *matrix) {
  CuteSimElement element;
  cuteSimElementInit(&element, f->type, false);
  for (int lane = 0; lane < CUTE_SIM_WARP; ++lane)
    for (unsigned i = 0; i < countValues(f); ++i)
      matrix[i * CUTE_SIM_WARP + (unsigned)lane] = cuteSimElementDecode(
          &element, group->values[lane][first + i / f->perRegister] >>
                        (i % f->perRegister * f->bits));
}

static void pack(const Fragment *f, CuteSimGroup *group, const double *matrix) {
  CuteSimElement element;
  cuteSimElementInit(&element, f->type, false);
  for (int lane = 0; lane < CUTE_SIM_WARP; ++lane) {
    uint64_t *values = group->values[lane];
    memset(values, 0, countValues(f) / f->perRegister * sizeof *values);
    for (unsigned i = 0; i < countValues(f); ++i)
      values[i / f->perRegister] |=
          (cuteSimElementEncode(&element,
                                matrix[i * CUTE_SIM_WARP + (unsigned)lane]) &
           (f->bits < 64 ? (UINT64_C(1) << f->bits) - 1 : UINT64_MAX))
          << (i % f->perRegister * f->bits);
  }
}

typedef struct Matrices {
  double a[MAX_MATRIX], b[MAX_MATRIX], sums[MAX_MATRIX];
} Matrices;

void cuteSimWmma(CuteSimGroup *group) {
  const CuteSimSite *site = group->site;
  Product p = {0};
  readProduct(site->name, &p);
  Matrices *m = cuteSimScratchGet(CUTE_SIM_SCRATCH_TILES, sizeof *m);
  unsigned numC = countValues(&p.c) / p.c.perRegister;
  // A and B of f16 have 8 registers each, whatever their shapes.
  unsigned numB =
      p.b.type == CUTE_ELEMENT_F16 ? 8 : countValues(&p.b) / p.b.perRegister;
  unsigned first = site->numResults;
  unpack(&p.a, group, first, m->a);
  unpack(&p.b, group, first + site->numOperands - numC - numB, m->b);
  unpack(&p.c, group, first + site->numOperands - numC, m->sums);
  CuteSimMatrices x = {p.shape.m, p.shape.n, p.shape.k, m->a, m->b,
                       m->sums,   0,         NULL,      NULL};
  cuteSimMultiply(p.atom, group->warp->threads->cluster->run->options->arch,
                  &x);
  pack(&p.d, group, m->sums);
}

CuteStatus cuteSimWmmaPrepare(CuteSimSite *site) {
  Fragment f;
  Product p = {0};
  bool isProduct = site->group == cuteSimWmma;
  return (isProduct ? readProduct(site->name, &p) : readMove(site->name, &f))
             ? NULL
             : cuteSimUnknown(site);
}
