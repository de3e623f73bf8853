// tcgen05.mma: A and B by descriptors in shared memory, C in tensor memory.
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
enum { NUM_KINDS = sizeof kinds / sizeof *kinds };

static const char *orNone(const char *type) { return type ? type : "none"; }

// The atom that the descriptor names; null with a message.
static const CuteMmaAtom *findAtom(uint32_t d, uint64_t kind, char *problem,
                                   size_t size) {
  char name[CUTE_MAX_ATOM_NAME];
  snprintf(problem, size, "a kind that the simulator does not know");
  if (kind >= NUM_KINDS)
    return NULL;
  bool hasSigns = kind != 3;
  snprintf(name, sizeof name, "%s_SS<%s,%s,%s,%u,%u,%s,%s%s%s>",
           kinds[kind].family, orNone(kinds[kind].types[d >> 7 & 7]),
           orNone(kinds[kind].types[d >> 10 & 7]),
           orNone((d >> 4 & 3) < 3 ? kinds[kind].sums[d >> 4 & 3] : NULL),
           (d >> 24 & 31) * 16, (d >> 17 & 63) * 8, d >> 15 & 1 ? "MN" : "K",
           d >> 16 & 1 ? "MN" : "K",
           !hasSigns     ? ""
           : d >> 13 & 1 ? ",Neg"
                         : ",One",
           !hasSigns     ? ""
           : d >> 14 & 1 ? ",Neg"
                         : ",One");
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

static void negate(double *elements, int n) {
  for (int i = 0; i < n; ++i)
    elements[i] = -elements[i];
}

static void moveSums(const CuteSimTensorProduct *p, double *sums,
                     bool isStore) {
  CuteSimTensorMemory *memory = p->thread->block->tensorMemory;
  CuteSimElement element;
  cuteSimElementInit(&element, p->atom->d, false);
  for (int m = 0; m < p->atom->m; ++m)
    for (int n = 0; n < p->atom->n; ++n) {
      uint32_t lane = cuteSimTensorProductGetLane(p, m) & 127;
      uint32_t column = ((p->d & 0xffff) + (uint32_t)n) & 511;
      double *sum = &sums[m * p->atom->n + n];
      if (!isStore) {
        *sum = cuteSimElementDecode(&element, memory->words[lane][column]);
        continue;
      }
      memory->words[lane][column] =
          (uint32_t)cuteSimElementEncode(&element, *sum);
      memory->isWritten[lane][column] = true;
      memory->writer[lane][column] = (uint32_t)memory->numDone;
    }
}

static void multiply(const CuteSimTensorProduct *p) {
  CuteSimTensorProduct product = *p;
  Tiles *tiles = cuteSimScratchGet(CUTE_SIM_SCRATCH_TILES, sizeof *tiles);
  const CuteMmaAtom *atom = p->atom;
  CuteSimElement a, b;
  cuteSimElementInit(&a, atom->a, false);
  cuteSimElementInit(&b, atom->b, false);
  CuteSimDescribed x = describedOf(atom, false, p->descriptorA, &a);
  cuteSimDescribedFetch(&x, readUnit, &product, tiles->a);
  CuteSimDescribed y = describedOf(atom, true, p->descriptorB, &b);
  cuteSimDescribedFetch(&y, readUnit, &product, tiles->b);
  if (atom->negatesA != atom->negatesB)
    negate(tiles->a, atom->m * atom->k);
  if (p->addsC)
    moveSums(p, tiles->sums, false);
  else
    memset(tiles->sums, 0, (size_t)(atom->m * atom->n) * sizeof *tiles->sums);
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

// D is allocated, and of sums that are added to all have values.
static void checkSums(CuteSimThread *thread, const CuteSimSite *site,
                      const CuteSimTensorProduct *p) {
  const CuteSimTensorMemory *memory = cuteSimTensorMemoryGet(thread);
  for (int m = 0; m < p->atom->m; ++m)
    for (int n = 0; n < p->atom->n; ++n) {
      uint32_t lane = cuteSimTensorProductGetLane(p, m);
      uint32_t column = (p->d & 0xffff) + (uint32_t)n;
      if (!cuteSimTensorMemoryAt(thread, site, lane, column))
        return;
      if (p->addsC && !memory->isWritten[lane][column] &&
          memory->numDone == memory->numProducts) {
        cuteSimFind(thread, site,
                    "uninitialised: adds to sums in tensor memory that "
                    "nothing was written to; let the first product not add "
                    "to them");
        return;
      }
    }
}

// d, a, b, instruction descriptor, whether C is added, kind, blocks, collector
void cuteSimTensorMma(CuteSimThread *thread, const CuteSimSite *site,
                      uint64_t *values) {
  char problem[256];
  if (!strstr(site->name, "mma.shared") || strstr(site->name, ".scale_d") ||
      strstr(site->name, ".sp.") || strstr(site->name, "block_scale") ||
      strstr(site->name, ".ws"))
    cuteSimFail(thread, site, "the simulator does not know %s yet",
                cuteSimSiteGetName(site));
  if (values[6] != 1)
    cuteSimFail(thread, site,
                "%s: the simulator does not know pairs of blocks "
                "(cta_group::2) yet",
                cuteSimSiteGetName(site));
  uint32_t descriptor = (uint32_t)values[3];
  const CuteMmaAtom *atom =
      findAtom(descriptor, values[5], problem, sizeof problem);
  if (!atom)
    cuteSimFail(thread, site, "%s: instruction descriptor 0x%08x: %s",
                cuteSimSiteGetName(site), descriptor, problem);
  if (cuteElementTypeGetBits(atom->a) < 8 ||
      cuteElementTypeGetBits(atom->b) < 8)
    cuteSimFail(thread, site,
                "%s: the simulator does not know floats of 4 and 6 bits here "
                "yet",
                cuteSimSiteGetName(site));
  CuteSimTensorProduct product = {.thread = thread,
                                  .site = site,
                                  .epoch = thread->epoch,
                                  .multiply = multiply,
                                  .atom = atom,
                                  .d = (uint32_t)values[0],
                                  .descriptorA = values[1],
                                  .descriptorB = values[2],
                                  .addsC = values[4] & 1};
  checkShared(thread, site, &product, false);
  checkShared(thread, site, &product, true);
  checkSums(thread, site, &product);
  cuteSimObserveProduct(thread, site, 2.0 * atom->m * atom->n * atom->k);
  cuteSimTensorMemoryStart(thread, &product);
}
