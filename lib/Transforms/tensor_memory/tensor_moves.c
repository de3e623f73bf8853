// Threads that take sums from tensor memory, put them back, and leave there
// what products take.
#include "Transforms/edit/loop_carry.h"
#include "Transforms/edit/rounds.h"
#include "Transforms/tensor_memory/tensor_sums.h"

enum { WARPGROUP = 128, LANES = 128 };

// The part of the sums of a product that a warpgroup takes: so many pieces of
// so many columns of each of so many blocks of 128 rows.
typedef struct Share {
  int64_t blocks, pieces, width;
  int64_t pitch;  // columns from one piece to the next
  int64_t step;   // in address, from one warpgroup to the next
  int64_t halves; // of 32 lanes that a warp takes
} Share;

static Share shareOf(const CuteTensorSums *s, const CuteProduct *p) {
  enum { LANES_16 = 16 << 16 };
  bool isInterleaved = s->products->isInterleaved;
  int64_t groups = s->products->warpgroups;
  int64_t blocks = cuteTensorSumsCountBlocks(p);
  int64_t width = cuteProductsGetWidth(s->products, p);
  int64_t halves = isInterleaved || p->atom->m < LANES ? 1 : 2;
  if (isInterleaved)
    return (Share){blocks, 1, width, 0, LANES_16, halves};
  if (width == p->columns)
    return (Share){blocks / groups,         1,     width, 0,
                   blocks / groups * width, halves};
  int64_t all = groups * width;
  bool isFolded = cuteTensorSumsAreFolded(s->products, p);
  return (Share){
      blocks, p->columns / all, width, all, isFolded ? LANES_16 : width,
      halves};
}

//===-- Copies ------------------------------------------------------------===//

// A copy between tensor memory and elements of a fragment.
typedef struct Move {
  CuteElementType element;
  int64_t width;     // columns, in elements
  int64_t halves;    // of 32 lanes that a warp takes
  int64_t rows;      // of 8 that a thread has in a fragment's column
  MlirValue address; // of the thread's warpgroup
  MlirValue fragment;
  int64_t start; // of its elements
  bool isStore;
} Move;

// Columns of an instruction, in units of 8.
static int64_t repeatsOf(const Move *m) {
  bool is16 = cuteElementTypeGetBits(m->element) == 16;
  int64_t most = is16 ? 64 : m->isStore ? 32 : 16, n = 1;
  while (n < most && m->width % (16 * n) == 0)
    n *= 2;
  return n;
}

// The elements of the fragment from one on, in the order in which instructions
// move a piece of a block.
static MlirValue emitFragment(CuteRebuild *r, const Move *m) {
  CuteContext c = r->dialect->context;
  CuteLayout own = cuteDialectGetValueType(r->dialect, m->fragment)->layout;
  int n = (int)repeatsOf(m), rows = (int)m->rows;
  char text[128];
  snprintf(text, sizeof text, "(((2,2,%d),1),%d,%d):(((1,2,%d),0),4,%d)", n,
           (int)m->halves, (int)m->width / (8 * n), 4 * rows, 4 * rows * n);
  CuteLayout order = cuteLayoutParse(c, cuteStringRef(text));
  CuteLayout view = cuteLayoutComposition(c, own, cuteTileGetLayout(c, order));
  CuteIntTuple offset = cuteLayoutEval(c, own, staticInt(c, m->start));
  if (!view || !offset) {
    r->failed = true;
    return m->fragment;
  }
  MlirValue pointer = cuteEmit2(r, CUTE_OP_ADD_OFFSET,
                                cuteEmit1(r, CUTE_OP_GET_ITER, m->fragment),
                                cuteEmitInt(r, offset->value));
  return cuteEmit2(r, CUTE_OP_MAKE_TENSOR, pointer, cuteEmitLayout(r, view));
}

static void emitMove(CuteRebuild *r, const Move *m, MlirValue thread) {
  CuteContext c = r->dialect->context;
  char name[48];
  snprintf(name, sizeof name, "SM100_TMEM_%s_16dp%db%dx",
           m->isStore ? "STORE" : "LOAD",
           (int)(8 * cuteElementTypeGetBits(m->element)), (int)repeatsOf(m));
  CuteType atom =
      cuteTypeGetCopyAtom(c, cuteCopyAtomFind(cuteStringRef(name)), m->element);
  MlirValue memory = cuteTensorSumsEmitTile(
      r, m->element, m->address, m->halves == 1 ? LANES / 2 : LANES, m->width);
  MlirValue copy =
      cuteEmit2(r, CUTE_OP_MAKE_TMEM_COPY, cuteEmitStatic(r, atom), memory);
  MlirValue part =
      cuteEmit3(r, m->isStore ? CUTE_OP_PARTITION_D : CUTE_OP_PARTITION_S, copy,
                memory, thread);
  MlirValue own = emitFragment(r, m);
  if (!r->failed)
    cuteEmitDo(
        r, CUTE_OP_COPY,
        CUTE_VALUES(copy, m->isStore ? own : part, m->isStore ? part : own));
}

// An address in tensor memory for the thread's warpgroup; the thread's number
// in it.
static MlirValue emitStart(CuteTensorSums *s, CuteRebuild *r, int64_t column,
                           int64_t step, MlirValue *thread) {
  const CuteBuilder *b = &r->builder;
  MlirValue address = cuteTensorSumsEmitAddress(s, r, column), group;
  *thread = cuteEmit0(r, CUTE_OP_THREAD_IDX);
  if (s->products->warpgroups > 1) {
    group =
        cuteEmitUniform(b, cuteEmitWith(r, "arith.divui", *thread, WARPGROUP));
    address = addi(b, address, cuteEmitWith(r, "arith.muli", group, step));
  }
  *thread = cuteEmitWith(r, "arith.andi", *thread, WARPGROUP - 1);
  return address;
}

// Moves what the thread has of the sums of a product, in the stage of a state.
static void emitSums(CuteTensorSums *s, CuteRebuild *r, size_t i,
                     const CuteSumsRun *run, MlirValue state, bool isStore) {
  const CuteProduct *p = &s->products->data[i];
  Share share = shareOf(s, p);
  int64_t own = 4 * share.halves; // elements in 8 columns of a block
  MlirValue thread;
  MlirValue start =
      emitStart(s, r, run->column + s->places[i].column, share.step, &thread);
  MlirValue stage = cuteEmit1(r, CUTE_OP_PIPELINE_STAGE, state);
  start = addi(&r->builder, start,
               cuteEmitWith(r, "arith.muli", stage, run->columns));
  Move move = {.element = p->atom->d,
               .width = share.width,
               .halves = share.halves,
               .rows = share.halves * share.blocks,
               .fragment = cuteTensorSumsGetFragment(s, i),
               .isStore = isStore};
  for (int64_t block = 0; block < share.blocks; ++block)
    for (int64_t piece = 0; piece < share.pieces && !r->failed; ++piece) {
      int64_t column = block * p->columns + piece * share.pitch;
      move.address =
          column ? cuteEmitWith(r, "arith.addi", start, column) : start;
      move.start = own * (block + piece * share.blocks * share.width / 8);
      emitMove(r, &move, thread);
    }
}

// Stores A of a product, which threads have computed.
static void emitOperand(CuteTensorSums *s, CuteRebuild *r, size_t i,
                        const CuteSumsRun *run) {
  const CuteProduct *p = &s->products->data[i];
  Share share = shareOf(s, p);
  MlirValue thread;
  MlirValue start =
      emitStart(s, r, run->column + s->places[i].columnA, share.step, &thread);
  emitMove(r,
           &(Move){.element = p->atom->a,
                   .width = p->depth,
                   .halves = 1,
                   .rows = 1,
                   .address = start,
                   .fragment = getOperand(p->gemm, 2),
                   .isStore = true},
           thread);
}

//===-- Turns -------------------------------------------------------------===//

static void emitWait(CuteRebuild *r, const CuteSumsRun *run, MlirValue state) {
  cuteEmitDo(r, CUTE_OP_CONSUMER_WAIT, CUTE_VALUES(run->pipeline, state));
  cuteTensorSumsFence(r, "after");
}

// Waits for the thread's stores to tensor memory.
static void emitStored(CuteRebuild *r) {
  cuteEmitNamed(r, CUTE_OP_TMEM_WAIT, "kind", "st", 0, NULL);
}

static void emitRelease(CuteRebuild *r, const CuteSumsRun *run,
                        MlirValue state) {
  cuteTensorSumsFence(r, "before");
  cuteEmitDo(r, CUTE_OP_CONSUMER_RELEASE, CUTE_VALUES(run->pipeline, state));
}

// A condition under which the loop makes a round; null: it always does.
static MlirValue emitAny(CuteTensorSums *s, const CuteBuilder *b) {
  return cuteRoundsAreSome(s->products->kernel, getOperand(s->loop, 0),
                           getOperand(s->loop, 1))
             ? (MlirValue){NULL}
             : cuteLoopEmitAny(s->loop, b);
}

// Loads the sums of a run.
static void emitLoads(CuteTensorSums *s, CuteRebuild *r, const CuteSumsRun *run,
                      MlirValue state) {
  for (size_t i = run->first; i < run->end && !r->failed; ++i)
    if (s->places[i].isFirst)
      emitSums(s, r, i, run, state, false);
  for (size_t i = run->first; i < run->end && !r->failed; ++i) {
    MlirValue fragment = cuteTensorSumsGetFragment(s, i);
    if (s->places[i].isFirst)
      cuteEmitNamed(r, CUTE_OP_TMEM_WAIT, "kind", "ld", 1, &fragment);
  }
}

void cuteTensorSumsTake(CuteTensorSums *s, CuteRebuild *r,
                        const CuteSumsRun *run, MlirValue state,
                        MlirOperation before) {
  bool isLast = run->use == CUTE_SUMS_LAST;
  CuteBuilder b = r->builder = cuteBuilderBefore(before);
  emitWait(r, run, state);
  MlirValue any = isLast ? emitAny(s, &b) : (MlirValue){NULL};
  if (!mlirValueIsNull(any))
    cuteEmitEnterIf(r, any);
  for (size_t i = run->first; i < run->end; ++i)
    if (isLast && mlirValueIsNull(any) && s->places[i].isFirst)
      mlirOperationDestroy(cuteProductsFindClear(
          s->products->kernel, s->loop, cuteTensorSumsGetFragment(s, i)));
  emitLoads(s, r, run, state);
  r->builder = b;
  emitRelease(r, run, state);
}

//===-- Exchange ----------------------------------------------------------===//

// The ops of a block from one on up to another that have an access to a
// fragment.
typedef struct Accesses {
  MlirOperation first, last; // null: none
} Accesses;

static Accesses findAccesses(CuteKernel *kernel, MlirOperation from,
                             MlirOperation to, MlirValue fragment) {
  Accesses found = {0};
  CUTE_FOR_OPS_UNTIL(op, from, to) {
    if (!cuteProductsTouch(kernel, op, fragment))
      continue;
    if (mlirOperationIsNull(found.first))
      found.first = op;
    found.last = op;
  }
  return found;
}

static bool isChanged(CuteKernel *kernel, Accesses a, MlirValue fragment) {
  CUTE_FOR_OPS_UNTIL(outer, a.first, mlirOperationGetNextInBlock(a.last))
    CUTE_FOR_NESTED(op, outer)
      if (mlirValueEqual(cuteViewGetWritten(kernel->dialect, op, CUTE_RMEM),
                         fragment))
        return true;
  return false;
}

// Has threads load the sums of a product for accesses between two ops of a
// block, and store them again if they change; within a branch that has all.
static void emitAccesses(CuteTensorSums *s, CuteRebuild *r, size_t i,
                         const CuteSumsRun *run, MlirValue state,
                         MlirOperation from, MlirOperation to) {
  CuteKernel *kernel = s->products->kernel;
  MlirValue fragment = cuteTensorSumsGetFragment(s, i);
  Accesses a = findAccesses(kernel, from, to, fragment);
  if (mlirOperationIsNull(a.first))
    return;
  if (mlirOperationEqual(a.first, a.last) && cuteMlirIs(a.first, "scf.if")) {
    for (intptr_t side = 0; side < 2; ++side) {
      MlirBlock block =
          mlirRegionGetFirstBlock(mlirOperationGetRegion(a.first, side));
      if (!mlirBlockIsNull(block))
        emitAccesses(s, r, i, run, state, mlirBlockGetFirstOperation(block),
                     mlirBlockGetTerminator(block));
    }
    return;
  }
  bool changes = isChanged(kernel, a, fragment);
  r->builder = cuteBuilderBefore(a.first);
  emitSums(s, r, i, run, state, false);
  cuteEmitNamed(r, CUTE_OP_TMEM_WAIT, "kind", "ld", 1, &fragment);
  r->builder = cuteBuilderBefore(mlirOperationGetNextInBlock(a.last));
  if (!changes)
    return;
  emitSums(s, r, i, run, state, true);
  emitStored(r);
}

// Has threads store what the sums begin with before the loop.
static void emitBegin(CuteTensorSums *s, CuteRebuild *r,
                      const CuteSumsRun *run) {
  r->builder = cuteBuilderBefore(s->loop);
  emitWait(r, run, run->drain.start);
  for (size_t i = run->first; i < run->end && !r->failed; ++i)
    if (s->places[i].isFirst)
      emitSums(s, r, i, run, run->drain.start, true);
  emitStored(r);
}

bool cuteTensorSumsIsLoaded(CuteKernel *kernel, MlirOperation alloc) {
  CUTE_FOR_NESTED(op, kernel->function)
    if (cuteDialectIsOp(kernel->dialect, op, CUTE_OP_TMA_PARTITION) &&
        cuteViewIsOf(kernel->dialect, getOperand(op, 1), CUTE_SMEM,
                     getResult(alloc, 0)))
      return true;
  return false;
}

bool cuteTensorSumsWrites(CuteKernel *kernel, MlirOperation outer,
                          MlirValue alloc) {
  CUTE_FOR_NESTED(op, outer)
    if (mlirValueEqual(cuteViewGetWritten(kernel->dialect, op, CUTE_SMEM),
                       alloc))
      return true;
  return false;
}

// Tells whether an op has an access to the sums of product i, or writes an
// operand of it that TMA does not load: the last product still reads that.
static bool isAccess(CuteTensorSums *s, size_t i, MlirOperation op) {
  CuteKernel *kernel = s->products->kernel;
  bool is = cuteProductsTouch(kernel, op, cuteTensorSumsGetFragment(s, i));
  for (int isB = 0; isB < 2 && !is; ++isB) {
    MlirOperation alloc = s->places[i].written[isB];
    is = !mlirOperationIsNull(alloc) &&
         !cuteTensorSumsIsLoaded(kernel, alloc) &&
         cuteTensorSumsWrites(kernel, op, getResult(alloc, 0));
  }
  return is;
}

// The first access of a run between two ops; null: none.
static MlirOperation findFirst(CuteTensorSums *s, const CuteSumsRun *run,
                               MlirOperation from, MlirOperation to) {
  CUTE_FOR_OPS_UNTIL(op, from, to)
    for (size_t i = run->first; i < run->end; ++i)
      if (isAccess(s, i, op))
        return op;
  return (MlirOperation){NULL};
}

void cuteTensorSumsExchange(CuteTensorSums *s, CuteRebuild *r,
                            const CuteSumsRun *run) {
  MlirBlock body = cuteLoopGetBody(s->loop);
  MlirOperation begin = mlirBlockGetFirstOperation(body);
  MlirOperation first = s->products->data[run->first].gemm;
  MlirOperation last = s->products->data[run->end - 1].gemm;
  MlirOperation after = mlirOperationGetNextInBlock(last);
  MlirOperation end = mlirBlockGetTerminator(body);
  MlirOperation wait = findFirst(s, run, after, end);
  bool isAfter = !mlirOperationIsNull(wait);
  if (isAfter)
    mlirOperationMoveBefore(mlirOpResultGetOwner(run->drain.next), wait);
  else
    wait = findFirst(s, run, begin, after); // the product, if nothing else
  emitBegin(s, r, run);
  r->builder = cuteBuilderBefore(wait);
  emitWait(r, run, isAfter ? run->drain.next : run->drain.now);
  for (size_t i = run->first; i < run->end && !r->failed; ++i) {
    if (!s->places[i].isFirst)
      continue;
    emitAccesses(s, r, i, run, run->drain.now, begin, first);
    emitAccesses(s, r, i, run, run->drain.next, after, end);
  }
  r->builder = cuteBuilderBefore(last);
  for (size_t i = run->first; i < run->end && !r->failed; ++i)
    if (mlirValueIsNull(s->products->data[i].tileA))
      emitOperand(s, r, i, run);
  emitStored(r);
  if (run->isWritten)
    cuteEmitNamed(r, CUTE_OP_FENCE_PROXY, "kind", "async.shared", 0, NULL);
  emitRelease(r, run, run->drain.now);
}
