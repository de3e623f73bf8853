// tcgen05.mma: A and B by descriptors in shared memory, or A and always C in
// tensor memory.
#include "Hardware/atom_name.h"
#include "Hardware/mma_family.h"
#include "Simulator/checks/access.h"
#include "Simulator/checks/findings.h"
#include "Simulator/machine/launch_run.h"
#include "Simulator/machine/scratch.h"
#include "Simulator/observe/observer.h"
#include "Simulator/ptx/operation_table.h"
#include "Simulator/tensorcore/block_tmem.h"
#include "Simulator/tensorcore/matrix_product.h"
#include "Simulator/tensorcore/wgmma_descriptor.h"
#include "Support/text.h"

#include <math.h>
#include <stdio.h>

enum { MAX_M = 128, MAX_N = 256, MAX_K = 64 };

//===-- The instruction descriptor ----------------------------------------===//

// By kinds, as LLVM numbers them: the family without its source of A, and the
// types of codes of A and B and of C.
static const struct {
  const char *family;
  const char *types[8], *sums[3];
} kinds[] = {
    {"SM100_MMA_F16BF16", {"half_t", "bfloat16_t"}, {"half_t", "float"}},
    {"SM100_MMA_TF32", {NULL, NULL, "tfloat32_t"}, {NULL, "float"}},
    {"SM100_MMA_F8F6F4",
     {"float_e4m3_t", "float_e5m2_t", NULL, "float_e2m3_t", "float_e3m2_t",
      "float_e2m1_t"},
     {"half_t", "float"}},
    {"SM100_MMA_S8", {"uint8_t", "int8_t"}, {NULL, NULL, "int32_t"}}};
enum { NUM_KINDS = sizeof kinds / sizeof *kinds, INTEGERS = 3 };

static const char *orNone(const char *type) { return type ? type : "none"; }

// A call of the instruction: what its name says, and its last operands.
typedef struct Call {
  bool isTmem, isShifted; // A is in tensor memory, C is scaled
  uint32_t descriptor;
  uint64_t shift, kind, ctas;
} Call;

// d, a, b, instruction descriptor, whether C is added, the scale of C where it
// has one, kind, blocks, collector
static Call takeCall(const CuteSimSite *site, const uint64_t *values) {
  Call call = {.isTmem = strstr(site->name, "mma.tensor"),
               .isShifted = strstr(site->name, ".scale_d"),
               .descriptor = (uint32_t)values[3]};
  const uint64_t *next = values + 5;
  if (call.isShifted)
    call.shift = *next++;
  call.kind = next[0], call.ctas = next[1];
  return call;
}

// Writes what follows the majors in an atom's name.
static void nameEnd(const Call *call, char *text, size_t size) {
  static const char *const signs[] = {"One", "Neg"};
  uint32_t d = call->descriptor;
  int n = 0;
  text[0] = '\0';
  if (call->isShifted)
    n = snprintf(text, size, ",%u", (unsigned)call->shift);
  if (call->kind != INTEGERS)
    snprintf(text + n, size - (size_t)n, ",%s,%s", signs[d >> 13 & 1],
             signs[d >> 14 & 1]);
  else if (call->isTmem)
    snprintf(text, size, ",One,One,%u", d >> 3 & 1);
  else
    snprintf(text, size, ",%u", d >> 3 & 1);
}

// The atom that the call names; null with a message.
static const CuteMmaAtom *findAtom(const Call *call, char *problem,
                                   size_t size) {
  char name[CUTE_MAX_ATOM_NAME], end[32];
  uint32_t d = call->descriptor;
  snprintf(problem, size, "a kind that the simulator does not know");
  if (call->kind >= NUM_KINDS)
    return NULL;
  nameEnd(call, end, sizeof end);
  snprintf(name, sizeof name, "%s_%s%s<%s,%s,%s,%u,%u,%s,%s%s>",
           kinds[call->kind].family, call->isTmem ? "TS" : "SS",
           call->isShifted ? "_SCALED" : "",
           orNone(kinds[call->kind].types[d >> 7 & 7]),
           orNone(kinds[call->kind].types[d >> 10 & 7]),
           orNone((d >> 4 & 3) < 3 ? kinds[call->kind].sums[d >> 4 & 3] : NULL),
           (d >> 24 & 31) * 16, (d >> 17 & 63) * 8, d >> 15 & 1 ? "MN" : "K",
           d >> 16 & 1 ? "MN" : "K", end);
  return cuteMmaFamilyFindAtom(name, problem, size);
}

//===-- Running -----------------------------------------------------------===//

typedef struct Tiles {
  double a[MAX_M * MAX_K], b[MAX_K * MAX_N], sums[MAX_M * MAX_N];
} Tiles;

static CuteSimDescribed describedOf(const CuteMmaAtom *atom, bool isB,
                                    uint64_t descriptor,
                                    const CuteSimElement *element) {
  CuteSimDescribed x = {.major = isB ? atom->majorB : atom->majorA,
                        .element = element,
                        .mn = (uint32_t)(isB ? atom->n : atom->m),
                        .k = (uint32_t)atom->k,
                        .step = isB ? 1 : atom->k,
                        .next = isB ? atom->n : 1};
  cuteSimDescriptorDecodeTensor(descriptor, &x.descriptor);
  return x;
}

static void readUnit(void *data, uint32_t offset, void *bytes) {
  const CuteSimTensorProduct *p = data;
  char *unit = p->thread->block->shared + offset;
  memcpy(bytes, unit, CUTE_SIM_UNIT);
  cuteSimAccessEndRead(p->thread, p->site, (uint64_t)(uintptr_t)unit,
                       CUTE_SIM_UNIT, p->epoch);
}

// Operands are complete, and seen by the asynchronous proxy, when it starts,
// and stay as they are until it ends.
static void checkUnit(void *data, uint32_t offset, void *bytes) {
  CuteSimThread *thread = data;
  uint64_t at = (uint64_t)(uintptr_t)thread->block->shared + offset;
  cuteSimAccessCheck(thread, thread->meetsAt, at, CUTE_SIM_UNIT, CUTE_SIM_UNIT,
                     CUTE_SIM_READ);
  cuteSimAccessStartRead(thread, thread->meetsAt, at, CUTE_SIM_UNIT,
                         CUTE_SIM_UNIT);
  (void)bytes;
}

static void multiplyBy(double *elements, int n, double factor) {
  for (int i = 0; i < n; ++i)
    elements[i] *= factor;
}

// The lane of row m, after the first.
static uint32_t laneOf(const CuteMmaAtom *atom, int m) {
  uint32_t row = (uint32_t)m;
  bool isHalf = atom->m == CUTE_SIM_TENSOR_LANES / 2;
  return isHalf ? row % 16 + row / 16 * 32 : row;
}

static uint32_t *wordAt(const CuteSimTensorProduct *p, uint32_t address, int m,
                        uint32_t column) {
  uint32_t lane = (address >> 16) + laneOf(p->atom, m);
  return &p->thread->block->tensorMemory
              ->words[lane & 127][((address & 0xffff) + column) & 511];
}

static void fetchA(const CuteSimTensorProduct *p, const CuteSimElement *element,
                   double *tile) {
  const CuteMmaAtom *atom = p->atom;
  CuteSimTensorProduct product = *p;
  if (atom->sourceA == CUTE_MMA_SMEM) {
    CuteSimDescribed x = describedOf(atom, false, p->descriptorA, element);
    cuteSimDescribedFetch(&x, readUnit, &product, tile);
    return;
  }
  for (int m = 0; m < atom->m; ++m)
    for (int k = 0; k < atom->k; ++k) {
      uint32_t bit = (uint32_t)k * element->bits;
      uint32_t word = *wordAt(p, p->a, m, bit / 32);
      tile[m * atom->k + k] = cuteSimElementDecode(element, word >> bit % 32);
    }
}

static void moveSums(const CuteSimTensorProduct *p, double *sums,
                     bool isStore) {
  CuteSimTensorMemory *memory = p->thread->block->tensorMemory;
  CuteSimElement element;
  cuteSimElementInit(&element, p->atom->d, false);
  for (int m = 0; m < p->atom->m; ++m)
    for (int n = 0; n < p->atom->n; ++n) {
      uint32_t *word = wordAt(p, p->d, m, (uint32_t)n);
      double *sum = &sums[m * p->atom->n + n];
      if (!isStore) {
        *sum = cuteSimElementDecode(&element, *word);
        continue;
      }
      *word = (uint32_t)cuteSimElementEncode(&element, *sum);
      size_t at = (size_t)(word - memory->words[0]);
      (*memory->isWritten)[at] = true;
      (*memory->writer)[at] = (uint32_t)memory->pipe.numDone;
    }
}

static void multiply(const CuteSimTensorProduct *p) {
  Tiles *tiles = cuteSimScratchGet(CUTE_SIM_SCRATCH_TILES, sizeof *tiles);
  const CuteMmaAtom *atom = p->atom;
  CuteSimTensorProduct product = *p;
  int n = atom->m * atom->n;
  CuteSimElement a, b;
  cuteSimElementInit(&a, atom->a, false);
  cuteSimElementInit(&b, atom->b, false);
  fetchA(p, &a, tiles->a);
  CuteSimDescribed y = describedOf(atom, true, p->descriptorB, &b);
  cuteSimDescribedFetch(&y, readUnit, &product, tiles->b);
  if (atom->negatesA != atom->negatesB)
    multiplyBy(tiles->a, atom->m * atom->k, -1);
  if (p->addsC)
    moveSums(p, tiles->sums, false);
  else
    memset(tiles->sums, 0, (size_t)n * sizeof *tiles->sums);
  multiplyBy(tiles->sums, n, ldexp(1, -atom->sumShift));
  CuteSimMatrices matrices = {.m = atom->m,
                              .n = atom->n,
                              .k = atom->k,
                              .a = tiles->a,
                              .b = tiles->b,
                              .sums = tiles->sums};
  cuteSimMultiply(atom, p->thread->block->cluster->run->options->arch,
                  &matrices);
  moveSums(p, tiles->sums, true);
}

//===-- Starting ----------------------------------------------------------===//

static void checkShared(CuteSimThread *thread, const CuteSimSite *site,
                        const CuteSimTensorProduct *p, bool isB) {
  uint64_t bits = isB ? p->descriptorB : p->descriptorA;
  CuteSimDescriptor d;
  CuteSimElement element;
  const char *problem = cuteSimDescriptorDecodeTensor(bits, &d);
  if (problem)
    cuteSimFail(thread, site, "%s: operand %c has %s", cuteSimSiteGetName(site),
                isB ? 'B' : 'A', problem);
  cuteSimElementInit(&element, isB ? p->atom->b : p->atom->a, false);
  CuteSimDescribed x = describedOf(p->atom, isB, bits, &element);
  thread->meetsAt = site;
  cuteSimDescribedFetch(&x, checkUnit, thread, NULL);
}

// Adds the lanes of rows from an address on, and columns.
static void addArea(CuteSimTensorProduct *p, uint32_t address,
                    uint32_t columns) {
  CuteSimTensorArea *area = &p->areas[p->numAreas++];
  *area = (CuteSimTensorArea){.column = address & 0xffff, .columns = columns};
  for (int m = 0; m < p->atom->m; ++m) {
    uint32_t lane = (address >> 16) + laneOf(p->atom, m);
    area->lanes[lane / 64 % 2] |= UINT64_C(1) << lane % 64;
  }
}

static void failUnknown(CuteSimThread *thread, const CuteSimSite *site,
                        const Call *call) {
  static const char *const parts[] = {".sp.", "block_scale", ".ws", ".ashift"};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; ++i)
    if (strstr(site->name, parts[i]))
      cuteSimFail(thread, site, "the simulator does not know %s yet",
                  cuteSimSiteGetName(site));
  if (call->ctas != 1)
    cuteSimFail(thread, site,
                "%s: the simulator does not know pairs of blocks "
                "(cta_group::2) yet",
                cuteSimSiteGetName(site));
}

void cuteSimTensorMma(CuteSimThread *thread, const CuteSimSite *site,
                      uint64_t *values) {
  char problem[256];
  Call call = takeCall(site, values);
  failUnknown(thread, site, &call);
  const CuteMmaAtom *atom = findAtom(&call, problem, sizeof problem);
  if (!atom)
    cuteSimFail(thread, site, "%s: instruction descriptor 0x%08x: %s",
                cuteSimSiteGetName(site), call.descriptor, problem);
  if (cuteElementTypeGetBits(atom->a) < 8 ||
      cuteElementTypeGetBits(atom->b) < 8)
    cuteSimFail(thread, site,
                "%s: the simulator does not know floats of 4 and 6 bits here "
                "yet",
                cuteSimSiteGetName(site));
  CuteSimTensorProduct product = {.thread = thread,
                                  .site = site,
                                  .epoch = thread->epoch,
                                  .execute = multiply,
                                  .atom = atom,
                                  .d = (uint32_t)values[0],
                                  .a = (uint32_t)values[1],
                                  .descriptorA = values[1],
                                  .descriptorB = values[2],
                                  .addsC = values[4] & 1};
  addArea(&product, product.d, (uint32_t)atom->n);
  if (call.isTmem)
    addArea(&product, product.a,
            (uint32_t)atom->k * cuteElementTypeGetBits(atom->a) / 32);
  else
    checkShared(thread, site, &product, false);
  checkShared(thread, site, &product, true);
  cuteSimTensorProductCheck(&product);
  cuteSimObserveProduct(thread, site, 2.0 * atom->m * atom->n * atom->k);
  cuteSimTensorPipeStart(&product);
}
