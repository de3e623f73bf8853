#include "Transforms/tensor_memory/tensor_sums.h"

#include "Transforms/edit/loop_carry.h"

enum {
  WARP = 32,
  WARPGROUP = 128,
  LANES = 128,
  LANES_16 = 16 << 16, // of sums: half of a warp's
  MOST_COLUMNS = 512,
  LEAST_COLUMNS = 32, // of an allocation
};

//===-- Places ------------------------------------------------------------===//

bool cuteTensorSumsBeginEachRound(CuteTensorSums *s, size_t i) {
  CuteKernel *kernel = s->products->kernel;
  MlirValue fragment = cuteTensorSumsGetFragment(s, i);
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
         mlirValueEqual(getOperand(clear, 0), fragment) &&
         (mlirOperationEqual(clear, before) ||
          !mlirOperationIsNull(
              cuteProductsFindClear(kernel, s->loop, fragment)));
}

static bool checkBegin(CuteTensorSums *s, const CuteSumsRun *run, size_t i) {
  CuteKernel *kernel = s->products->kernel;
  MlirValue fragment = cuteTensorSumsGetFragment(s, i);
  bool isWhole = mlirValueEqual(
      cuteViewGetRoot(kernel->dialect, fragment, CUTE_RMEM), fragment);
  return (isWhole && (run->use != CUTE_SUMS_LAST ||
                      !mlirOperationIsNull(
                          cuteProductsFindClear(kernel, s->loop, fragment)))) ||
         cuteKernelFail(kernel, s->products->data[i].gemm,
                        "adds to sums that do not begin with cute.clear alone, "
                        "of a whole fragment; add what they begin with after "
                        "the loop");
}

// Gives the sums of a product, and an A that threads compute, their columns.
static bool place(CuteTensorSums *s, CuteSumsRun *run, size_t i) {
  const CuteProduct *p = &s->products->data[i];
  CuteSumsPlace *own = &s->places[i];
  *own = (CuteSumsPlace){.column = run->columns, .isFirst = true};
  for (size_t j = 0; j < i && own->isFirst; ++j)
    if (mlirValueEqual(cuteTensorSumsGetFragment(s, j),
                       cuteTensorSumsGetFragment(s, i)))
      *own = (CuteSumsPlace){.column = s->places[j].column};
  if (own->isFirst)
    run->columns += cuteTensorSumsCountBlocks(p) * p->columns /
                    (1 + cuteTensorSumsAreFolded(s->products, p));
  own->columnA = run->columns;
  for (int isB = 0; isB < 2; ++isB) {
    own->written[isB] = cuteProductsGetWritten(s->products, i, isB);
    run->isWritten |= !mlirOperationIsNull(own->written[isB]);
  }
  if (mlirValueIsNull(p->tileA))
    run->columns += p->depth * cuteElementTypeGetBits(p->atom->a) / 32;
  return checkBegin(s, run, i);
}

bool cuteTensorSumsPlace(CuteTensorSums *s, int64_t stages) {
  s->places = cuteTaskAllocate((s->products->count + 1) * sizeof *s->places);
  for (size_t k = 0; k < s->numRuns; ++k) {
    CuteSumsRun *run = &s->runs[k];
    for (size_t i = run->first; i < run->end; ++i)
      if (!place(s, run, i))
        return false;
    run->column = s->columns;
    run->stages = 1;
    s->columns += run->columns;
  }
  for (size_t k = 0; k < s->numRuns; ++k) {
    CuteSumsRun *run = &s->runs[k];
    if (run->use == CUTE_SUMS_TURNS || stages < 2 ||
        s->columns + run->columns > MOST_COLUMNS)
      continue;
    run->stages = 2;
    s->columns += run->columns;
    for (size_t j = k + 1; j < s->numRuns; ++j)
      s->runs[j].column += run->columns;
  }
  return s->columns <= MOST_COLUMNS ||
         cuteKernelFail(s->products->kernel, s->products->data[0].gemm,
                        "is one of products that need %jd columns of tensor "
                        "memory, which has 512: choose smaller tiles",
                        s->columns);
}

int64_t cuteTensorSumsCountColumns(const CuteTensorSums *s) {
  int64_t n = LEAST_COLUMNS;
  while (n < s->columns)
    n *= 2;
  return n;
}

//===-- Short forms -------------------------------------------------------===//

static MlirValue emitLayout(CuteRebuild *r, const char *text) {
  CuteContext c = r->dialect->context;
  CuteLayout layout = cuteLayoutParse(c, cuteStringRef(text));
  return cuteEmitLayout(r, layout);
}

static MlirValue emitPointer(CuteRebuild *r, CuteElementType element,
                             MlirValue address) {
  enum { ALIGN = 16 };
  CuteType type =
      cuteTypeGetPointer(r->dialect->context, element, CUTE_TMEM, ALIGN);
  MlirOperation op = cuteBuildDeclared(&r->builder, r->dialect,
                                       CUTE_OP_MAKE_PTR, 1, &address, type);
  return getResult(op, 0);
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

static void emitPipeline(CuteTensorSums *s, CuteRebuild *r, CuteSumsRun *run) {
  const CuteBuilder *b = &r->builder;
  int64_t warps = s->products->warpgroups * WARPGROUP / WARP;
  MlirOperation op =
      cuteRebuildCreate(r, CUTE_OP_MAKE_PIPELINE_ASYNC, 0, NULL,
                        CUTE_NAMED({"kind", cuteStringAttr(b, "tcgen05")},
                                   {"stages", cuteIntAttr(b, 32, run->stages)},
                                   {"producers", cuteIntAttr(b, 32, 1)},
                                   {"consumers", cuteIntAttr(b, 32, warps)},
                                   {"agent", cuteStringAttr(b, "warp")}));
  if (!r->failed)
    run->pipeline = getResult(op, 0);
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
  for (size_t i = 0; i < s->numRuns; ++i)
    s->runs[i].fill.start = cuteEmitState(r, "producer", s->runs[i].pipeline);
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
  CuteOps inits = cuteKernelFindOps(kernel, CUTE_OP_INIT_PIPELINE);
  MlirOperation branch = mlirOperationGetParentOperation(inits.data[0]);
  r->builder = cuteBuilderBefore(branch);
  MlirValue slot = emitSlot(r);
  for (size_t i = 0; i < s->numRuns; ++i)
    emitPipeline(s, r, &s->runs[i]);
  if (!r->failed) {
    emitAlloc(s, r, slot);
    r->builder = cuteBuilderBefore(inits.data[0]);
    for (size_t i = 0; i < s->numRuns; ++i)
      cuteEmitDo(r, CUTE_OP_INIT_PIPELINE, 1, &s->runs[i].pipeline);
    emitAddress(s, r, slot, branch);
  }
  if (!r->failed)
    emitFree(s, r);
  return !r->failed || cuteKernelFailOp(kernel, s->loop);
}

//===-- Tiles -------------------------------------------------------------===//

MlirValue cuteTensorSumsEmitAddress(const CuteTensorSums *s, CuteRebuild *r,
                                    int64_t column) {
  return column ? cuteEmitWith(r, "arith.addi", s->address, column)
                : s->address;
}

MlirValue cuteTensorSumsGetEnd(const CuteTensorSums *s,
                               const CuteSumsState *state) {
  return state->carried < 0 ? state->start : getResult(s->loop, state->carried);
}

// Writes the shape, or the strides, of the lanes of 128 rows, or of 64 as
// tcgen05.mma lays them out (PTX ISA, "Data path layout F").
static void writeLanes(char text[static 24], int64_t rows, bool isShape,
                       CuteElementType element) {
  enum { LANE = 65536, SIZE = 24 };
  int lane = (int)(32 / cuteElementTypeGetBits(element)) * LANE;
  if (rows < LANES)
    snprintf(text, SIZE, "(%d,%d)", isShape ? 16 : lane,
             isShape ? 4 : 32 * lane);
  else
    snprintf(text, SIZE, "%d", isShape ? LANES : lane);
}

MlirValue cuteTensorSumsEmitTile(CuteRebuild *r, CuteElementType element,
                                 MlirValue address, int64_t rows,
                                 int64_t columns) {
  char shape[24], stride[24], text[80];
  writeLanes(shape, rows, true, element);
  writeLanes(stride, rows, false, element);
  snprintf(text, sizeof text, "(%s,%d):(%s,1)", shape, (int)columns, stride);
  return cuteEmit2(r, CUTE_OP_MAKE_TENSOR, emitPointer(r, element, address),
                   emitLayout(r, text));
}

MlirValue cuteTensorSumsEmit(CuteTensorSums *s, CuteRebuild *r, size_t i) {
  const CuteProduct *p = &s->products->data[i];
  const CuteMmaAtom *atom = p->atom;
  const CuteSumsRun *run = s->runs;
  while (i >= run->end)
    ++run;
  char shape[24], stride[24], text[160];
  writeLanes(shape, atom->m, true, atom->d);
  writeLanes(stride, atom->m, false, atom->d);
  snprintf(text, sizeof text, "((%s,%d),%d,%d,%d):((%s,1),%d,%d,%d)", shape,
           atom->n, (int)cuteTensorSumsCountBlocks(p),
           (int)(p->columns / atom->n), (int)run->stages, stride,
           (int)p->columns,
           cuteTensorSumsAreFolded(s->products, p) ? LANES_16 : atom->n,
           (int)run->columns);
  MlirValue address =
      cuteTensorSumsEmitAddress(s, r, run->column + s->places[i].column);
  return cuteEmit2(r, CUTE_OP_MAKE_TENSOR, emitPointer(r, atom->d, address),
                   emitLayout(r, text));
}
