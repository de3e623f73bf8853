#include "Transforms/tensor_sums.h"

#include "Transforms/loop_carry.h"
#include "Transforms/rounds.h"

#include <assert.h>
#include <stdio.h>

enum {
  WARP = 32,
  WARPGROUP = 128,
  LANES = 128,
  MOST_COLUMNS = 512,
  LEAST_COLUMNS = 32, // of an allocation
};

//===-- Places ------------------------------------------------------------===//

void cuteTensorSumsDestroy(CuteTensorSums *s) { free(s->places); }

static int64_t blocksOf(const CuteProduct *p) {
  return (p->rows + LANES - 1) / LANES;
}

// Tells whether the sums are zeros when a round's first product adds to them:
// by a cute.clear before it, or after all that the round before did with them.
static bool beginsEachRound(CuteTensorSums *s, MlirValue fragment) {
  CuteKernel *kernel = s->products->kernel;
  MlirOperation before = {NULL}, after = {NULL};
  bool isAfter = false;
  CUTE_FOR_OPS(op, cuteLoopGetBody(s->loop)) {
    if (!cuteProductsTouch(kernel, op, fragment))
      continue;
    isAfter |= cuteDialectIsOp(kernel->dialect, op, CUTE_OP_GEMM);
    *(isAfter ? &after : &before) = op;
  }
  MlirOperation clear = mlirOperationIsNull(before) ? after : before;
  return cuteDialectIsOp(kernel->dialect, clear, CUTE_OP_CLEAR) &&
         mlirValueEqual(mlirOperationGetOperand(clear, 0), fragment) &&
         (mlirOperationEqual(clear, before) ||
          !mlirOperationIsNull(
              cuteProductsFindClear(kernel, s->loop, fragment)));
}

static bool checkBegin(CuteTensorSums *s, size_t i) {
  CuteKernel *kernel = s->products->kernel;
  MlirValue fragment = s->places[i].fragment;
  bool isWhole = mlirValueEqual(
      cuteViewGetRoot(kernel->dialect, fragment, CUTE_RMEM), fragment);
  if (s->eachRound && isWhole)
    return beginsEachRound(s, fragment) ||
           cuteKernelFail(kernel, s->products->data[i].gemm,
                          "adds to sums of the rounds before, which its round "
                          "also takes; begin each round with cute.clear, and "
                          "add its sums to others");
  return (isWhole && !mlirOperationIsNull(
                         cuteProductsFindClear(kernel, s->loop, fragment))) ||
         cuteKernelFail(kernel, s->products->data[i].gemm,
                        "adds to sums that do not begin with cute.clear alone, "
                        "of a whole fragment; add what they begin with after "
                        "the loop");
}

bool cuteTensorSumsPlace(CuteTensorSums *s, int64_t stages) {
  const CuteProducts *products = s->products;
  s->places = cuteAllocate((products->count + 1) * sizeof *s->places);
  for (size_t i = 0; i < products->count; ++i) {
    CuteSumsPlace *place = &s->places[i];
    *place = (CuteSumsPlace){mlirOperationGetOperand(products->data[i].gemm, 1),
                             s->columns, true};
    for (size_t j = 0; j < i && place->isFirst; ++j)
      if (mlirValueEqual(s->places[j].fragment, place->fragment))
        *place = (CuteSumsPlace){place->fragment, s->places[j].column, false};
    if (!checkBegin(s, i))
      return false;
    if (place->isFirst)
      s->columns += blocksOf(&products->data[i]) * products->data[i].columns;
  }
  s->stages = stages * s->columns <= MOST_COLUMNS ? stages : 1;
  assert(s->columns <= MOST_COLUMNS); // as threads have room for all sums
  return true;
}

int64_t cuteTensorSumsCountColumns(const CuteTensorSums *s) {
  int64_t n = LEAST_COLUMNS;
  while (n < s->stages * s->columns)
    n *= 2;
  return n;
}

//===-- Short forms -------------------------------------------------------===//

static MlirValue emitLayout(CuteRebuild *r, const char *text) {
  CuteContext c = r->dialect->context;
  CuteLayout layout = cuteLayoutParse(c, cuteStringRef(text));
  return cuteEmitLayout(r, layout);
}

static MlirValue addInt(CuteRebuild *r, MlirValue value, int64_t n) {
  return n ? cuteEmitWith(r, "arith.addi", value, n) : value;
}

static MlirValue emitPointer(CuteRebuild *r, CuteElementType element,
                             MlirValue address) {
  enum { ALIGN = 16 };
  CuteType type =
      cuteTypeGetPointer(r->dialect->context, element, CUTE_TMEM, ALIGN);
  MlirOperation op = cuteBuildDeclared(&r->builder, r->dialect,
                                       CUTE_OP_MAKE_PTR, 1, &address, type);
  return mlirOperationGetResult(op, 0);
}

void cuteTensorSumsFence(CuteRebuild *r, const char *kind) {
  cuteEmitNamed(r, CUTE_OP_TCGEN05_FENCE, "kind", kind, 0, NULL);
}

// An op of one block on so many columns; 0: of none.
static void emitTmem(CuteRebuild *r, CuteOpId id, int64_t columns,
                     MlirValue operand) {
  CuteNamedAttribute attributes[] = {
      {"ctas", cuteIntAttr(&r->builder, 32, 1)},
      {"columns", cuteIntAttr(&r->builder, 32, columns)}};
  cuteRebuildCreate(r, id, columns > 0, &operand, columns ? 2 : 1, attributes);
}

//===-- Tensor memory -----------------------------------------------------===//

// The slot in shared memory for the address of tensor memory.
static MlirValue emitSlot(CuteRebuild *r) {
  CuteLayout one = cuteLayoutParse(r->dialect->context, cuteStringRef("1:1"));
  return cuteEmitAlloc(r, one, mlirTypeAttrGet(cuteIntType(&r->builder, 32)),
                       16);
}

static void emitPipeline(CuteTensorSums *s, CuteRebuild *r) {
  const CuteBuilder *b = &r->builder;
  int64_t warps = s->products->warpgroups * WARPGROUP / WARP;
  MlirOperation op =
      cuteRebuildCreate(r, CUTE_OP_MAKE_PIPELINE_ASYNC, 0, NULL,
                        CUTE_NAMED({"kind", cuteStringAttr(b, "tcgen05")},
                                   {"stages", cuteIntAttr(b, 32, s->stages)},
                                   {"producers", cuteIntAttr(b, 32, 1)},
                                   {"consumers", cuteIntAttr(b, 32, warps)},
                                   {"agent", cuteStringAttr(b, "warp")}));
  if (!r->failed)
    s->pipeline = mlirOperationGetResult(op, 0);
}

static void emitAlloc(CuteTensorSums *s, CuteRebuild *r, MlirValue slot) {
  s->isWarp0 = cuteEmitThreadTest(r, CUTE_CMPI_ULT, WARP);
  CuteBuilder outer = cuteEmitEnterIf(r, s->isWarp0);
  MlirValue pointer = cuteEmit1(r, CUTE_OP_GET_ITER, slot);
  if (!r->failed)
    emitTmem(r, CUTE_OP_TMEM_ALLOC, cuteTensorSumsCountColumns(s), pointer);
  emitTmem(r, CUTE_OP_TMEM_RELINQUISH, 0, pointer);
  r->builder = outer;
}

// Reads the address after the barrier that follows the branch, and begins the
// states.
static void emitAddress(CuteTensorSums *s, CuteRebuild *r, MlirValue slot,
                        MlirOperation branch) {
  CuteContext c = r->dialect->context;
  while (!cuteMlirIs(branch, "gpu.barrier"))
    branch = mlirOperationGetNextInBlock(branch);
  r->builder = cuteBuilderBefore(mlirOperationGetNextInBlock(branch));
  CuteType zero = cuteTypeGetTuple(c, CUTE_TYPE_COORD, staticInt(c, 0));
  s->address = cuteEmit2(r, CUTE_OP_LOAD, slot, cuteEmitStatic(r, zero));
  if (r->failed)
    return;
  s->memory = emitPointer(r, CUTE_ELEMENT_I32, s->address);
  s->fill = cuteEmitState(r, "producer", s->pipeline);
  s->drain = cuteEmitState(r, "consumer", s->pipeline);
}

// Frees tensor memory when all threads have taken their sums.
static void emitFree(CuteTensorSums *s, CuteRebuild *r) {
  r->builder =
      cuteBuilderBefore(mlirBlockGetTerminator(s->products->kernel->block));
  CUTE_BUILD(&r->builder, "gpu.barrier");
  cuteEmitEnterIf(r, s->isWarp0);
  emitTmem(r, CUTE_OP_TMEM_DEALLOC, cuteTensorSumsCountColumns(s), s->memory);
}

bool cuteTensorSumsBegin(CuteTensorSums *s, CuteRebuild *r) {
  CuteKernel *kernel = s->products->kernel;
  CUTE_SCOPED(Ops) inits = cuteKernelFindOps(kernel, CUTE_OP_INIT_PIPELINE);
  MlirOperation branch = mlirOperationGetParentOperation(inits.data[0]);
  r->builder = cuteBuilderBefore(branch);
  MlirValue slot = emitSlot(r);
  emitPipeline(s, r);
  if (!r->failed) {
    emitAlloc(s, r, slot);
    r->builder = cuteBuilderBefore(inits.data[0]);
    cuteEmitDo(r, CUTE_OP_INIT_PIPELINE, 1, &s->pipeline);
    emitAddress(s, r, slot, branch);
  }
  if (!r->failed)
    emitFree(s, r);
  return !r->failed || cuteKernelFailOp(kernel, s->loop);
}

// Lanes of 128 rows, or of 64 as tcgen05.mma lays them out (PTX ISA, "Data path
// layout F").
static const char *lanesOf(const CuteProduct *p, bool isShape) {
  if (p->atom->m < LANES)
    return isShape ? "(16,4)" : "(65536,2097152)";
  return isShape ? "128" : "65536";
}

MlirValue cuteTensorSumsEmit(CuteTensorSums *s, CuteRebuild *r, size_t i) {
  const CuteProduct *p = &s->products->data[i];
  const CuteMmaAtom *atom = p->atom;
  char text[160];
  snprintf(text, sizeof text, "((%s,%d),%d,%d,%d):((%s,1),%d,%d,%d)",
           lanesOf(p, true), atom->n, (int)blocksOf(p),
           (int)(p->columns / atom->n), (int)s->stages, lanesOf(p, false),
           (int)p->columns, atom->n, (int)s->columns);
  MlirValue address = addInt(r, s->address, s->places[i].column);
  return cuteEmit2(r, CUTE_OP_MAKE_TENSOR, emitPointer(r, atom->d, address),
                   emitLayout(r, text));
}

//===-- Threads that take them --------------------------------------------===//

// A condition under which the loop makes a round; null: it always does.
static MlirValue emitAny(CuteTensorSums *s, const CuteBuilder *b) {
  return cuteRoundsAreSome(s->products->kernel,
                           mlirOperationGetOperand(s->loop, 0),
                           mlirOperationGetOperand(s->loop, 1))
             ? (MlirValue){NULL}
             : cuteLoopEmitAny(s->loop, b);
}

// Marks the place of loads by a cute.clear of each fragment.
void cuteTensorSumsWait(CuteTensorSums *s, CuteRebuild *r,
                        MlirOperation before) {
  CuteKernel *kernel = s->products->kernel;
  MlirValue operands[] = {s->pipeline, s->drain};
  CuteBuilder b = r->builder = cuteBuilderBefore(before);
  cuteEmitDo(r, CUTE_OP_CONSUMER_WAIT, 2, operands);
  cuteTensorSumsFence(r, "after");
  MlirValue any = s->eachRound ? (MlirValue){NULL} : emitAny(s, &b);
  if (!mlirValueIsNull(any))
    cuteEmitEnterIf(r, any);
  for (size_t i = 0; i < s->products->count; ++i) {
    MlirValue fragment = s->places[i].fragment;
    if (!s->places[i].isFirst)
      continue;
    if (mlirValueIsNull(any) && !s->eachRound)
      mlirOperationDestroy(cuteProductsFindClear(kernel, s->loop, fragment));
    cuteEmitDo(r, CUTE_OP_CLEAR, 1, &fragment);
  }
  s->wait = cuteEmitNamed(r, CUTE_OP_TMEM_WAIT, "kind", "ld", 0, NULL);
  r->builder = b;
  cuteTensorSumsFence(r, "before");
  cuteEmitDo(r, CUTE_OP_CONSUMER_RELEASE, 2, operands);
}

// The part of the sums of a product that a warpgroup takes: so many pieces of
// so many columns of each of so many blocks of 128 rows.
typedef struct Share {
  int64_t blocks, pieces, width;
  int64_t pitch; // columns from one piece to the next
  int64_t step;  // and from those of one warpgroup to those of the next
} Share;

static Share shareOf(const CuteTensorSums *s, const CuteProduct *p) {
  int64_t groups = s->products->warpgroups, blocks = blocksOf(p);
  int64_t width = cuteProductsGetWidth(s->products, p);
  if (width == p->columns)
    return (Share){blocks / groups, 1, width, 0, blocks / groups * width};
  return (Share){blocks, p->columns / (groups * width), width, groups * width,
                 width};
}

// Columns of a load, in units of 8.
static int64_t repeatsOf(const Share *share) {
  int64_t n = 1;
  while (n < 16 && share->width % (16 * n) == 0)
    n *= 2;
  return n;
}

// The elements of a fragment from one on, in the order in which loads bring a
// piece of a block to it.
static MlirValue emitFragment(CuteRebuild *r, MlirValue fragment,
                              const Share *share, int64_t halves,
                              int64_t start) {
  CuteContext c = r->dialect->context;
  CuteLayout own = cuteDialectGetValueType(r->dialect, fragment)->layout;
  int n = (int)repeatsOf(share), rows = (int)(halves * share->blocks);
  char text[128];
  snprintf(text, sizeof text, "(((2,2,%d),1),%d,%d):(((1,2,%d),0),4,%d)", n,
           (int)halves, (int)share->width / (8 * n), 4 * rows, 4 * rows * n);
  CuteLayout order = cuteLayoutParse(c, cuteStringRef(text));
  CuteLayout view = cuteLayoutComposition(c, own, cuteTileGetLayout(c, order));
  CuteIntTuple offset = cuteLayoutEval(c, own, staticInt(c, start));
  if (!view || !offset) {
    r->failed = true;
    return fragment;
  }
  MlirValue pointer =
      cuteEmit2(r, CUTE_OP_ADD_OFFSET, cuteEmit1(r, CUTE_OP_GET_ITER, fragment),
                cuteEmitInt(r, offset->value));
  return cuteEmit2(r, CUTE_OP_MAKE_TENSOR, pointer, cuteEmitLayout(r, view));
}

// The address of the sums of a product for the thread's warpgroup.
static MlirValue emitStart(CuteTensorSums *s, CuteRebuild *r, size_t i,
                           const Share *share, MlirValue thread) {
  const CuteBuilder *b = &r->builder;
  MlirValue stage = cuteEmit1(r, CUTE_OP_PIPELINE_STAGE, s->drain);
  MlirValue address = cuteBuildBinary(
      b, "arith.addi", addInt(r, s->address, s->places[i].column),
      cuteEmitWith(r, "arith.muli", stage, s->columns));
  if (s->products->warpgroups == 1)
    return address;
  MlirValue group =
      cuteEmitUniform(b, cuteEmitWith(r, "arith.divui", thread, WARPGROUP));
  return cuteBuildBinary(b, "arith.addi", address,
                         cuteEmitWith(r, "arith.muli", group, share->step));
}

// Loads a piece of a block, at an address, to the elements of a fragment from
// one on.
static void emitPiece(CuteRebuild *r, const CuteProduct *p, const Share *share,
                      MlirValue address, MlirValue thread, MlirValue fragment,
                      int64_t start) {
  CuteContext c = r->dialect->context;
  char name[48], text[80];
  snprintf(name, sizeof name, "SM100_TMEM_LOAD_16dp256b%dx",
           (int)repeatsOf(share));
  snprintf(text, sizeof text, "(%s,%d):(%s,1)", lanesOf(p, true),
           (int)share->width, lanesOf(p, false));
  CuteType atom =
      cuteTypeGetCopyAtom(c, cuteCopyAtomFind(cuteStringRef(name)), p->atom->d);
  MlirValue memory =
      cuteEmit2(r, CUTE_OP_MAKE_TENSOR, emitPointer(r, p->atom->d, address),
                emitLayout(r, text));
  MlirValue copy =
      cuteEmit2(r, CUTE_OP_MAKE_TMEM_COPY, cuteEmitStatic(r, atom), memory);
  MlirValue operands[] = {
      copy, cuteEmit3(r, CUTE_OP_PARTITION_S, copy, memory, thread),
      emitFragment(r, fragment, share, p->atom->m < LANES ? 1 : 2, start)};
  if (!r->failed)
    cuteEmitDo(r, CUTE_OP_COPY, 3, operands);
}

// Loads what the thread has of the sums of a product.
static void emitLoads(CuteTensorSums *s, CuteRebuild *r, size_t i,
                      MlirValue fragment) {
  const CuteProduct *p = &s->products->data[i];
  Share share = shareOf(s, p);
  int64_t own = p->atom->m < LANES ? 4 : 8; // elements in 8 columns of a block
  MlirValue thread = cuteEmit0(r, CUTE_OP_THREAD_IDX);
  MlirValue start = emitStart(s, r, i, &share, thread);
  thread = cuteEmitWith(r, "arith.andi", thread, WARPGROUP - 1);
  for (int64_t block = 0; block < share.blocks; ++block)
    for (int64_t piece = 0; piece < share.pieces && !r->failed; ++piece)
      emitPiece(r, p, &share,
                addInt(r, start, block * p->columns + piece * share.pitch),
                thread, fragment,
                own * (block + piece * share.blocks * share.width / 8));
}

// Lists the marks in front of the wait for loads.
static CuteOps takeMarks(CuteTensorSums *s) {
  CuteDialect *dialect = s->products->kernel->dialect;
  CuteOps marks = {0};
  for (MlirOperation op =
           mlirBlockGetFirstOperation(mlirOperationGetBlock(s->wait));
       !mlirOperationEqual(op, s->wait); op = mlirOperationGetNextInBlock(op)) {
    if (cuteDialectIsOp(dialect, op, CUTE_OP_CLEAR))
      cuteOpsPush(&marks, op);
    else if (cuteDialectIsOp(dialect, op, CUTE_OP_TCGEN05_FENCE))
      marks.count = 0;
  }
  return marks;
}

bool cuteTensorSumsLoad(CuteTensorSums *s, CuteRebuild *r) {
  CuteKernel *kernel = s->products->kernel;
  CUTE_SCOPED(Ops) marks = takeMarks(s);
  CUTE_FREED MlirValue *fragments =
      cuteAllocate((marks.count + 1) * sizeof *fragments);
  size_t n = 0;
  r->builder = cuteBuilderBefore(s->wait);
  for (size_t i = 0; i < s->products->count && !r->failed; ++i) {
    if (!s->places[i].isFirst)
      continue;
    fragments[n] = mlirOperationGetOperand(marks.data[n], 0);
    emitLoads(s, r, i, fragments[n]);
    mlirOperationDestroy(marks.data[n++]);
  }
  for (size_t i = 0; i < n && !r->failed; ++i)
    cuteEmitNamed(r, CUTE_OP_TMEM_WAIT, "kind", "ld", 1, &fragments[i]);
  mlirOperationDestroy(s->wait);
  return !r->failed || cuteKernelFailOp(kernel, s->loop);
}
