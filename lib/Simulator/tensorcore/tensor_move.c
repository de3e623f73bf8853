// Loads and stores of tensor memory, which a warp does together (PTX ISA,
// "tcgen05.ld", "tcgen05.st").
#include "Algebra/algebra.h"
#include "Hardware/atom.h"
#include "Simulator/checks/findings.h"
#include "Simulator/machine/resources.h"
#include "Simulator/ptx/operation_table.h"
#include "Simulator/tensorcore/block_tmem.h"

// The half words of each register of each lane: which word of tensor memory
// they are, from the address on, and whether its upper half.
typedef struct Half {
  uint16_t lane, column;
  bool isUpper;
} Half;

typedef struct Move {
  const CuteCopyAtom *atom;
  int registers;
  Half halves[CUTE_SIM_WARP][CUTE_SIM_TENSOR_LANES][2];
} Move;

// Tells whether the site also compares what it loads.
static bool isReduction(const CuteSimSite *site) {
  return strstr(site->name, "tcgen05.ld.red.");
}

// The row of "llvm.nvvm.tcgen05.ld.32x32b.x4", packed or not, or of PTX's
// "tcgen05.ld.red.sync.aligned.32x32b.x4.max.f32".
static const CuteCopyAtom *findMove(const CuteSimSite *site, bool packs) {
  static const char prefix[] = "tcgen05.", other[] = ".aligned.";
  char wanted[96];
  const char *kind = strstr(site->name, prefix) + sizeof prefix - 1;
  const char *end = strstr(kind, other);
  const char *shape = end ? end + sizeof other - 1 : kind + 3;
  int n = (int)(strcspn(shape, ".") + 1);
  n += (int)strcspn(shape + n, ".");
  snprintf(wanted, sizeof wanted, "tcgen05.%.2s.sync.aligned.%.*s%s.b32", kind,
           n, shape,
           !packs           ? ""
           : kind[0] == 'l' ? ".pack::16b"
                            : ".unpack::16b");
  for (size_t i = 0; i < cuteCopyAtomGetNum(); ++i)
    if (!strcmp(cuteCopyAtomGet(i)->instruction, wanted))
      return cuteCopyAtomGet(i);
  return NULL;
}

static bool hasOffset(const CuteSimSite *site) {
  return strstr(site->name, ".16x32bx2.");
}

static CuteLayout parse(CuteContext c, const char *text) {
  return cuteLayoutParse(c, cuteStringRef(text));
}

static Half halfOf(CuteContext c, CuteLayout registers, CuteLayout place,
                   int lane, int bit) {
  enum { LANE_BITS = 1 << 21, WORD = 32 };
  CuteIntTuple coord[] = {staticInt(c, lane), staticInt(c, bit)};
  CuteIntTuple of = cuteLayoutEval(c, registers, cuteInternTuple(c, 2, coord));
  int64_t at = cuteLayoutEval(c, place, of)->value;
  return (Half){(uint16_t)(at / LANE_BITS), (uint16_t)(at % LANE_BITS / WORD),
                at % WORD >= WORD / 2};
}

static Move *createMove(CuteContext c, const CuteCopyAtom *atom) {
  bool isLoad = atom->kind->from == CUTE_IN_TMEM;
  CuteLayout registers = parse(c, isLoad ? atom->destination : atom->source);
  CuteLayout place = parse(c, atom->tmem);
  Move *move = cuteArenaAllocate(&c->nodes, sizeof *move);
  *move = (Move){.atom = atom, .registers = atom->bits / 32};
  for (int lane = 0; lane < CUTE_SIM_WARP; ++lane)
    for (int i = 0; i < move->registers; ++i)
      for (int half = 0; half < 2; ++half)
        move->halves[lane][i][half] =
            halfOf(c, registers, place, lane, 32 * i + 16 * half);
  return move;
}

// LLVM says by its last operand whether halves are packed, PTX by the name.
static bool packsHalves(const CuteSimSite *site, const uint64_t *operands) {
  bool isIntrinsic = site->words & CUTE_SIM_INTRINSIC;
  return isIntrinsic ? operands[site->numOperands - 1] & 1
                     : strstr(site->name, "pack::16b") != NULL;
}

// Tells whether PTX has as many registers as its instruction.
static bool hasRegisters(const CuteSimSite *site, const CuteCopyAtom *atom) {
  bool isLoad = site->variant == CUTE_SIM_TENSOR_LOAD;
  unsigned n = (unsigned)atom->bits / 32, others = 1 + hasOffset(site);
  return site->numResults == (isLoad ? n + isReduction(site) : 0) &&
         site->numOperands == (isLoad ? 0 : n) + others;
}

CuteStatus cuteSimTensorMovePrepare(CuteSimSite *site) {
  bool isIntrinsic = site->words & CUTE_SIM_INTRINSIC;
  const CuteCopyAtom *atom =
      findMove(site, !isIntrinsic && packsHalves(site, NULL));
  bool isKnown = atom && (isIntrinsic || hasRegisters(site, atom));
  return isKnown ? NULL : cuteSimUnknown(site);
}

// Made when the site is first executed: whether it packs is an operand.
static void *create(const CuteSimSite *site, const uint64_t *operands) {
  return createMove(site->resources->context,
                    findMove(site, packsHalves(site, operands)));
}

// The lane and the columns of a thread's address: a warp reaches 32 lanes,
// which it also finds by the addresses of the first 32, as kernels in use rely
// on.
static uint32_t checkAddress(CuteSimOp op, const Move *move, uint64_t address) {
  uint32_t at = (uint32_t)address, lane = at >> 16;
  uint32_t first =
      (uint32_t)op.thread->index / CUTE_SIM_WARP % 4 * CUTE_SIM_WARP;
  uint32_t lanes = strstr(move->atom->instruction, ".32x32b") ? 32 : 16;
  if (lane + lanes <= CUTE_SIM_WARP)
    return at + (first << 16);
  if (lane < first || lane + lanes > first + CUTE_SIM_WARP)
    cuteSimFind(op,
                "out of bounds: the warp reaches lanes %u to %u of tensor "
                "memory, but the address names lane %u",
                first, first + CUTE_SIM_WARP - 1, lane);
  return at;
}

// The word of a lane's register that is read from tensor memory, or written to
// it; false with a finding where it is not allocated.
static bool moveWord(CuteSimOp op, const Half halves[2], uint32_t at,
                     bool packs, uint32_t *word) {
  CuteSimTensorMove kind = (CuteSimTensorMove)op.site->variant;
  CuteSimTensorMemory *memory = cuteSimTensorMemoryGet(op.thread->block);
  uint32_t from = *word, read = 0;
  for (int half = 0; half < 2; ++half) {
    Half h = halves[half];
    uint32_t row = (at >> 16) + h.lane, column = (at & 0xffff) + h.column;
    uint32_t *place = cuteSimTensorMemoryAt(op, op.thread->block, row, column);
    if (!place)
      return false;
    if (!half || packs)
      cuteSimTensorMemoryCheck(op, row, column, kind);
    unsigned shift = h.isUpper ? 16 : 0, of = half ? 16 : 0;
    read |= (*place >> shift & 0xffff) << of;
    if (kind == CUTE_SIM_TENSOR_STORE)
      *place = (*place & ~(0xffffu << shift)) | (from >> of & 0xffff) << shift;
    memory->isWritten[row][column] |= kind == CUTE_SIM_TENSOR_STORE;
  }
  *word = read;
  return true;
}

// A float as an integer of the same order, without its sign for magnitudes.
static int64_t orderOf(uint32_t word, bool isMagnitude) {
  int64_t magnitude = word & INT32_MAX;
  return isMagnitude || word <= INT32_MAX ? magnitude : -magnitude - 1;
}

static bool isNan(uint32_t word) { return (word & INT32_MAX) > 0x7f800000; }

// PTX ISA, "tcgen05.ld.red": the largest or smallest of a thread's words. A NaN
// counts for nothing, or with .NaN for all.
static uint32_t reduce(const char *name, const uint64_t *words, int n) {
  enum { NAN_OF_F32 = 0x7fffffff };
  bool isFloat = strstr(name, ".f32"), isMost = strstr(name, ".max.");
  bool isSigned = strstr(name, ".s32"), isMagnitude = strstr(name, ".abs.");
  bool keepsNan = strstr(name, ".NaN.");
  uint32_t best = NAN_OF_F32;
  bool isFirst = true;
  int64_t bestOrder = 0;
  for (int i = 0; i < n; ++i) {
    uint32_t word = (uint32_t)words[i];
    if (isFloat && isNan(word) && keepsNan)
      return NAN_OF_F32;
    if (isFloat && isNan(word))
      continue;
    int64_t order = isFloat    ? orderOf(word, isMagnitude)
                    : isSigned ? (int32_t)word
                               : (int64_t)word;
    if (!isFirst && (isMost ? order <= bestOrder : order >= bestOrder))
      continue;
    best = isFloat && isMagnitude ? word & INT32_MAX : word;
    bestOrder = order;
    isFirst = false;
  }
  return best;
}

void cuteSimTensorMove(CuteSimGroup *group) {
  const CuteSimSite *site = group->site;
  bool isLoad = site->variant == CUTE_SIM_TENSOR_LOAD;
  unsigned results = site->numResults;
  const uint64_t *first = group->values[0] + results;
  bool packs = packsHalves(site, first);
  const Move *move = cuteSimSitePrepare(site, first, create);
  if (hasOffset(site) && first[1] != (uint64_t)move->registers)
    cuteSimFail(cuteSimGroupGetOp(group, 0),
                "$: the simulator knows a distance of %d columns only",
                move->registers);
  for (int lane = 0; lane < CUTE_SIM_WARP; ++lane) {
    CuteSimOp op = cuteSimGroupGetOp(group, lane);
    uint64_t *values = group->values[lane];
    uint32_t at = checkAddress(op, move, values[results]);
    uint64_t *words = isLoad ? values : values + results + 1 + hasOffset(site);
    ++cuteSimTensorThreadGet(op.thread)->moves[site->variant].started;
    for (int i = 0; i < move->registers; ++i) {
      uint32_t word = (uint32_t)words[i];
      if (!moveWord(op, move->halves[lane][i], at, packs, &word))
        return;
      if (isLoad)
        words[i] = word;
    }
    if (isReduction(site))
      words[move->registers] = reduce(site->name, words, move->registers);
  }
}

static CuteSimTensorMoves *loadsOf(CuteSimThread *thread) {
  return &cuteSimTensorThreadGet(thread)->moves[CUTE_SIM_TENSOR_LOAD];
}

void cuteSimTensorStart(const CuteSimSite *load) {
  CuteSimTensorMoves *loads = loadsOf(cuteSimGetThread());
  loads->sites[(loads->started + 1) % CUTE_SIM_TENSOR_SITES] = load;
}

void cuteSimTensorUse(const CuteSimSite *use, const CuteSimSite *load) {
  CuteSimThread *thread = cuteSimGetThread();
  const CuteSimTensorMoves *loads = loadsOf(thread);
  uint32_t number = loads->started;
  while (number > loads->waited &&
         number + CUTE_SIM_TENSOR_SITES > loads->started) {
    if (loads->sites[number-- % CUTE_SIM_TENSOR_SITES] != load)
      continue;
    cuteSimFindPair((CuteSimOp){thread, use}, load,
                    "too early: uses registers that the load of tensor memory "
                    "of line %u has not brought; write cute.tmem_wait<\"ld\"> "
                    "with the fragment before",
                    load->line);
    return;
  }
}
