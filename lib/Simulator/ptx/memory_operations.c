// Instructions of PTX on memory: ld, st, atom, red, multimem. A multicast
// object is that of one device, whose memory is the only replica.
#include "Simulator/checks/access.h"
#include "Simulator/checks/vector_clock.h"
#include "Simulator/observe/observer.h"
#include "Simulator/ptx/operation_table.h"
#include "Simulator/ptx/reduction.h"
#include "Support/text.h"

// Bytes of a value by the last type of the name: 4 of ".b32", and of a type
// that is not known; of 128 bits there are two values.
static unsigned bytesOf(const CuteSimSite *site) {
  const char *dot = strrchr(site->name, '.');
  const CutePtxType *type =
      dot ? cutePtxFindType(cuteStringRef(dot + 1)) : NULL;
  unsigned bytes = type ? type->bits * type->count / 8 : 4;
  return bytes < 8 ? bytes : 8;
}

// A vector's registers follow each other: ".v4".
void cuteSimMemoryLoad(CuteSimOp op, uint64_t *values) {
  unsigned n = op.site->numResults, bytes = bytesOf(op.site);
  uint64_t at = values[n];
  CuteSimAccess access =
      op.site->words & CUTE_SIM_ORDERED ? CUTE_SIM_ORDERED_READ : CUTE_SIM_READ;
  bool isParameter = !strncmp(op.site->name, "ld.param", 8);
  if (!isParameter)
    cuteSimAccessCheck(op, at, n * bytes, n * bytes, access);
  if (!isParameter)
    cuteSimObserveAccess(op, at, n * bytes, CUTE_SIM_READ);
  for (unsigned i = 0; i < n; ++i) {
    values[i] = 0;
    memcpy(&values[i], (const void *)(uintptr_t)(at + i * bytes), bytes);
  }
  if (cuteSimAccessIsOrdered(access))
    cuteSimAccessEndAtomic(at);
}

// A policy of the L2 cache is the last operand.
void cuteSimMemoryStore(CuteSimOp op, uint64_t *values) {
  unsigned n = op.site->numOperands - 1, bytes = bytesOf(op.site);
  if (n > 1 && strstr(op.site->name, ".L2::cache_hint"))
    --n;
  cuteSimAccessCheck(op, values[0], n * bytes, n * bytes,
                     op.site->words & CUTE_SIM_ORDERED ? CUTE_SIM_ORDERED_WRITE
                                                       : CUTE_SIM_WRITE);
  cuteSimObserveAccess(op, values[0], n * bytes, CUTE_SIM_WRITE);
  for (unsigned i = 0; i < n; ++i)
    memcpy((void *)(uintptr_t)(values[0] + i * bytes), &values[i + 1], bytes);
}

// st.bulk: so many bytes of zeros.
void cuteSimMemoryZero(CuteSimOp op, uint64_t *values) {
  cuteSimAccessCheck(op, values[0], values[1], 16, CUTE_SIM_WRITE);
  cuteSimObserveAccess(op, values[0], values[1], CUTE_SIM_WRITE);
  memset((void *)(uintptr_t)values[0], 0, values[1]);
}

//===-- Atomic operations -------------------------------------------------===//

// An operation and its type. Uses the host's scopes and orders, which are
// stronger.
typedef struct Atomic {
  CuteSimReduction reduction;
  const CutePtxType *type;
} Atomic;

// The operation is a word of "atom.global.add.f32", the type the last one.
static Atomic atomicOf(CuteSimOp op) {
  Atomic atomic = {0};
  bool isKnown = false;
  for (const char *at = strchr(op.site->name, '.'); at;) {
    CuteStringRef word = {at + 1, strcspn(at + 1, ".")};
    isKnown |= cuteSimReductionFind(word, &atomic.reduction);
    const CutePtxType *type = cutePtxFindType(word);
    atomic.type = type ? type : atomic.type;
    at = strchr(at + 1, '.');
  }
  if (!isKnown || !atomic.type)
    cuteSimFailUnknown(op);
  return atomic;
}

// The values after the address are operands, of a vector one for each element;
// cas has two.
void cuteSimAtomic(CuteSimOp op, uint64_t *values) {
  Atomic atomic = atomicOf(op);
  const uint64_t *operands = values + op.site->numResults;
  bool isSwap = atomic.reduction == CUTE_SIM_REDUCE_COMPARE;
  unsigned n = isSwap ? 1 : op.site->numOperands - 1;
  unsigned each = atomic.type->bits * atomic.type->count / 8;
  uint64_t old[8];
  if (n < 1 || n > 8 || (op.site->numResults && op.site->numResults != n) ||
      op.site->numOperands != n + 1 + isSwap)
    cuteSimFail(op, "$ with %u operands", op.site->numOperands);
  CuteSimAccess access = atomic.reduction == CUTE_SIM_REDUCE_EXCHANGE
                             ? CUTE_SIM_ORDERED_WRITE
                             : CUTE_SIM_ATOMIC;
  cuteSimAccessCheck(op, operands[0], each * n, each * n, access);
  cuteSimObserveAccess(op, operands[0], each * n, CUTE_SIM_ATOMIC);
  for (unsigned i = 0; i < n; ++i)
    old[i] = cuteSimReduceAt(atomic.reduction, atomic.type,
                             (char *)(uintptr_t)operands[0] + (size_t)i * each,
                             operands[1 + i], isSwap ? operands[2] : 0);
  cuteSimAccessEndAtomic(operands[0]);
  memcpy(values, old, op.site->numResults * sizeof *values);
}

//===-- Words of names ----------------------------------------------------===//

// A word that is not known may mean another instruction, as in st.bulk.
static const char words[] =
    "weak relaxed acquire release acq_rel volatile mmio cta cluster gpu sys "
    "global shared shared::cta shared::cluster local const param param::entry "
    "param::func nc ca cg cs cv lu wb wt v2 v4 v8 noftz unified acc::f16 "
    "acc::f32";

static bool isKnown(CuteStringRef word, bool isAtomic) {
  CuteSimReduction reduction;
  return cuteTextHasWord(cuteStringRef(words), word) ||
         cuteTextStartsWith(word, "L1::") || cuteTextStartsWith(word, "L2::") ||
         (isAtomic && cuteSimReductionFind(word, &reduction));
}

static bool isType(CuteStringRef word, bool isAtomic) {
  const CutePtxType *type = cutePtxFindType(word);
  return type ? type->bits * type->count <= (isAtomic ? 64 : 128)
              : cuteTextHasWord(cuteStringRef("e4m3x4 e5m2x4"), word);
}

// A type of at most 64 bits is the last word, or one of 128 if not atomic.
CuteStatus cuteSimMemoryPrepare(CuteSimSite *site) {
  bool hasType = false;
  bool isMulticast = !strncmp(site->name, "multimem.", 9);
  bool isAtomic = site->function == cuteSimAtomic || isMulticast;
  if (site->words & CUTE_SIM_INTRINSIC)
    return NULL;
  const char *at = strchr(site->name + (isMulticast ? 9 : 0), '.');
  for (; at; at = strchr(at + 1, '.')) {
    CuteStringRef word = {at + 1, strcspn(at + 1, ".")};
    hasType = isType(word, isAtomic);
    if (!hasType && !cutePtxFindType(word) && !isKnown(word, isAtomic))
      return cuteSimUnknown(site);
  }
  return hasType ? NULL : cuteSimUnknown(site);
}

//===-- Others ------------------------------------------------------------===//

void cuteSimFenceProxy(CuteSimOp op, CUTE_UNUSED uint64_t *values) {
  if (op.thread->cluster->checks)
    cuteSimClockFence(op.thread);
}

// Proxy fences of global memory alone are not told apart: accesses to it are
// not looked at any more.
void cuteSimFenceGlobal(CuteSimOp op, CUTE_UNUSED uint64_t *values) {
  op.thread->cluster->hasFencedGlobal = true;
}

void cuteSimRegisterRead(CuteSimOp op, uint64_t *values) {
  unsigned number = op.site->bytes;
  values[0] = (uint32_t)(number < CUTE_SIM_THREAD_REGISTERS
                             ? op.thread->registers[number]
                             : op.thread->block->registers[number]);
}
