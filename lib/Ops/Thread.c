// Threads, warps and blocks by number, and what the threads of a warp tell each
// other.
#include "Ops/lower_ops.h"
#include "Ops/vector.h"

//===-- Numbers -----------------------------------------------------------===//

static const char *const dimensions[] = {"#gpu<dim x>", "#gpu<dim y>",
                                         "#gpu<dim z>"};

static bool inferNumber(CuteOp *op) { return cuteOpReturnForeign(op, "i32"); }

// An op of gpu that gives an index, as i32.
static MlirValue buildNumber(const CuteBuilder *b, const char *name,
                             const char *dimension) {
  MlirType index = mlirIndexTypeGet(b->context);
  CuteNamedAttribute attribute = {"dimension", {NULL}};
  if (dimension)
    attribute.value = cuteParsedAttr(b, dimension);
  MlirValue value =
      CUTE_BUILD_VALUE(b, name, CUTE_RESULTS(index), .numAttributes = 1,
                       .attributes = &attribute);
  return cuteBuildUnary(b, "arith.index_cast", value, cuteIntType(b, 32));
}

static bool isOneDimensional(const CuteLowering *l) {
  int64_t n[3];
  return cuteMlirGetSizes(l->function, "known_block_size", n) && n[1] == 1 &&
         n[2] == 1;
}

MlirValue cuteThreadBuildNumber(CuteLowering *lowering) {
  const CuteBuilder *b = &lowering->builder;
  int last = isOneDimensional(lowering) ? 0 : 2;
  MlirValue thread = buildNumber(b, "gpu.thread_id", dimensions[last]);
  for (int d = last - 1; d >= 0; --d) {
    MlirValue rows =
        muli(b, thread, buildNumber(b, "gpu.block_dim", dimensions[d]));
    thread = addi(b, rows, buildNumber(b, "gpu.thread_id", dimensions[d]));
  }
  return thread;
}

static bool lowerNumber(CuteLowering *l) {
  int d = cuteOpGetWord(l->op, "dim"); // x if the op does not say
  const char *dimension =
      l->op->decl->numAttributes ? dimensions[d < 0 ? 0 : d] : NULL;
  return cuteLoweringReturn(
      l, buildNumber(&l->builder, l->op->decl->hooks->target, dimension));
}

MlirValue cuteThreadBuildLane(const CuteBuilder *builder) {
  return buildNumber(builder, "gpu.lane_id", NULL);
}

//===-- Exchanges in a warp -----------------------------------------------===//

enum { ALL_LANES = -1 };

// An instruction for all threads of the warp: their mask, then the operands.
static MlirValue buildSync(const CuteBuilder *b, const char *name,
                           const char *kind, size_t n,
                           const MlirValue *operands, MlirType result) {
  MlirValue all[4] = {cuteBuildInt(b, 32, ALL_LANES)};
  for (size_t i = 0; i < n; ++i)
    all[1 + i] = operands[i];
  return CUTE_BUILD_VALUE(b, name, .numOperands = 1 + n, .operands = all,
                          CUTE_RESULTS(result),
                          CUTE_ATTRIBUTES({"kind", cuteParsedAttr(b, kind)}));
}

// In the order of CuteShuffle, and of the declared words.
static const struct {
  const char *kind;
  int64_t clamp; // the last lane that a value may come from, or the first
} shuffles[] = {{"#nvvm<shfl_kind idx>", 31},
                {"#nvvm<shfl_kind up>", 0},
                {"#nvvm<shfl_kind down>", 31},
                {"#nvvm<shfl_kind bfly>", 31}};

static MlirValue shuffleWord(const CuteBuilder *b, CuteShuffle kind,
                             MlirValue word, MlirValue lane) {
  MlirValue operands[] = {word, lane,
                          cuteBuildInt(b, 32, shuffles[kind].clamp)};
  return buildSync(b, "nvvm.shfl.sync", shuffles[kind].kind, 3, operands,
                   cuteIntType(b, 32));
}

static bool lowerWarpIdx(CuteLowering *l) {
  const CuteBuilder *b = &l->builder;
  MlirValue warp = shruiWith(b, cuteThreadBuildNumber(l), 5);
  return cuteLoweringReturn(
      l, shuffleWord(b, CUTE_SHUFFLE_IDX, warp, cuteBuildInt(b, 32, 0)));
}

//===-- Shuffles ----------------------------------------------------------===//

bool cuteThreadCheckCarried(CuteOp *op) {
  CuteType value = op->operands[0];
  CuteVector vector;
  if (!cuteVectorFindCarried(op, 0, &vector))
    vector = (CuteVector){0, CUTE_ELEMENT_F32};
  int64_t bits = vector.size * cuteElementTypeGetBits(vector.element);
  if (bits == 8 || bits == 16 || (bits && bits % 32 == 0))
    return true;
  return cuteFail(op->context,
                  "lanes exchange numbers and vectors of 8, 16 or a multiple "
                  "of 32 bits, not %s",
                  cuteTypeText(op->context, value));
}

static bool inferShuffle(CuteOp *op) {
  return cuteThreadCheckCarried(op) && cuteOpGetIndex(op, 1) &&
         cuteOpPushResult(op, op->operands[0]);
}

// Less than a word, in its lower bits.
static MlirValue shufflePart(const CuteBuilder *b, CuteShuffle kind,
                             MlirValue value, MlirValue lane, int64_t bits) {
  MlirType part = cuteIntType(b, (unsigned)bits);
  MlirValue word = extui(b, bitcast(b, value, part), cuteIntType(b, 32));
  return trunci(b, shuffleWord(b, kind, word, lane), part);
}

static MlirValue shuffleWords(const CuteBuilder *b, CuteShuffle kind,
                              MlirValue value, MlirValue lane, int64_t n) {
  MlirType words = mlirVectorTypeGet(1, &n, cuteIntType(b, 32));
  MlirValue from = bitcast(b, value, words), to = from;
  for (int64_t i = 0; i < n; ++i) {
    to = CUTE_BUILD_VALUE(
        b, "llvm.insertelement",
        CUTE_OPERANDS(
            to, shuffleWord(b, kind, cuteBuildVectorExtract(b, from, i), lane),
            cuteBuildInt(b, 32, i)),
        CUTE_RESULTS(words));
  }
  return to;
}

MlirValue cuteThreadBuildShuffle(const CuteBuilder *builder, CuteShuffle kind,
                                 MlirValue value, MlirValue lane) {
  const CuteBuilder *b = builder;
  MlirType type = mlirValueGetType(value), word = cuteIntType(b, 32);
  int64_t bits = cuteMlirGetBits(type);
  MlirValue result = bits < 32 ? shufflePart(b, kind, value, lane, bits)
                     : bits == 32
                         ? shuffleWord(b, kind, bitcast(b, value, word), lane)
                         : shuffleWords(b, kind, value, lane, bits / 32);
  return bitcast(b, result, type);
}

static bool lowerShuffle(CuteLowering *l) {
  MlirValue lane = cuteLoweringGetInteger(l, cuteOpGetIndex(l->op, 1), 32);
  return cuteLoweringReturn(
      l, cuteThreadBuildShuffle(&l->builder,
                                (CuteShuffle)cuteOpGetWord(l->op, "kind"),
                                cuteLoweringGetOperand(l, 0), lane));
}

//===-- Votes and matches -------------------------------------------------===//

static bool checkPredicate(CuteOp *op) {
  CuteType value = op->operands[0];
  if (value->kind == CUTE_TYPE_FOREIGN && cuteTextEquals(value->foreign, "i1"))
    return true;
  return cuteFail(op->context, "threads vote with an i1, not %s",
                  cuteTypeText(op->context, value));
}

static bool inferVote(CuteOp *op) {
  return checkPredicate(op) && cuteOpReturnForeign(op, "i1");
}

static bool inferBallot(CuteOp *op) {
  return checkPredicate(op) && cuteOpReturnForeign(op, "i32");
}

static bool lowerVote(CuteLowering *l) {
  MlirValue value = cuteLoweringGetOperand(l, 0);
  MlirType type = cuteMlirGetResultType(l->source, 0);
  return cuteLoweringReturn(l, buildSync(&l->builder, "nvvm.vote.sync",
                                         l->op->decl->hooks->target, 1, &value,
                                         type));
}

static bool inferMatch(CuteOp *op) {
  return cuteOpGetIndex(op, 0) && cuteOpReturnForeign(op, "i32");
}

static bool lowerMatch(CuteLowering *l) {
  MlirValue value = cuteLoweringGetInteger(l, cuteOpGetIndex(l->op, 0), 0);
  return cuteLoweringReturn(l, buildSync(&l->builder, "nvvm.match.sync",
                                         "#nvvm<match_sync_kind any>", 1,
                                         &value, cuteIntType(&l->builder, 32)));
}

const CuteOpHooks cuteThreadOps[] = {
    CUTE_HOOKS("thread_idx", inferNumber, lowerNumber, "gpu.thread_id"),
    CUTE_HOOKS("block_idx", inferNumber, lowerNumber, "gpu.block_id"),
    CUTE_HOOKS("block_dim", inferNumber, lowerNumber, "gpu.block_dim"),
    CUTE_HOOKS("grid_dim", inferNumber, lowerNumber, "gpu.grid_dim"),
    CUTE_HOOKS("lane_idx", inferNumber, lowerNumber, "gpu.lane_id"),
    CUTE_HOOKS("warp_idx", inferNumber, lowerWarpIdx),
    CUTE_HOOKS("shuffle_sync", inferShuffle, lowerShuffle),
    CUTE_HOOKS("vote_all_sync", inferVote, lowerVote,
               "#nvvm<vote_sync_kind all>"),
    CUTE_HOOKS("vote_any_sync", inferVote, lowerVote,
               "#nvvm<vote_sync_kind any>"),
    CUTE_HOOKS("vote_ballot_sync", inferBallot, lowerVote,
               "#nvvm<vote_sync_kind ballot>"),
    CUTE_HOOKS("match_any_sync", inferMatch, lowerMatch),
    {.name = NULL},
};
