// Copies without an atom: element by element or by the widest accesses, and
// prefetches.
#include "Ops/copy_atoms.h"
#include "Ops/ops.h"

//===-- Checks ------------------------------------------------------------===//

static bool failTypes(CuteContext c, const char *what, CuteType a,
                      const char *between, CuteType b) {
  return cuteFail(c, "%s %s%s%s", what, cuteTypeText(c, a), between,
                  b ? cuteTypeText(c, b) : "");
}

static bool isStaticShape(CuteType tensor) {
  return !tensor->layout->shape->numDynamic;
}

// Elements of one type, and as many where that is known.
static bool checkPair(CuteOp *op, CuteType source, CuteType destination) {
  CuteContext c = op->context;
  if (source->element != destination->element)
    return failTypes(
        c, "needs elements of one type (cute.convert changes it), not", source,
        " and ", destination);
  if (isStaticShape(source) && isStaticShape(destination) &&
      cuteCopyCountElements(c, source) != cuteCopyCountElements(c, destination))
    return failTypes(c, "needs tensors of one size, not", source, " and ",
                     destination);
  return true;
}

static bool inferBasicCopy(CuteOp *op) {
  return checkPair(op, op->operands[0], op->operands[1]);
}

static bool inferBasicCopyIf(CuteOp *op) {
  CuteType predicate = op->operands[0], source = op->operands[1];
  if (!checkPair(op, source, op->operands[2]))
    return false;
  bool sizesFit = !isStaticShape(source) || !isStaticShape(predicate) ||
                  cuteCopyCountElements(op->context, source) ==
                      cuteCopyCountElements(op->context, predicate);
  return (predicate->element == CUTE_ELEMENT_I1 && sizesFit) ||
         failTypes(op->context,
                   "needs a predicate of i1 with one element for each of the "
                   "source's, not",
                   predicate, " for ", source);
}

static bool inferAutovecCopy(CuteOp *op) {
  for (size_t i = 0; i < 2; ++i)
    if (!isStaticShape(op->operands[i]))
      return failTypes(
          op->context,
          "needs static shapes (cute.basic_copy copies others), not",
          op->operands[i], "", NULL);
  return checkPair(op, op->operands[0], op->operands[1]) &&
         cuteCheckUnrolled(op->context,
                           cuteCopyCountElements(op->context, op->operands[0]));
}

//===-- Lowering ----------------------------------------------------------===//

static bool lowerBasicCopy(CuteLowering *l) {
  return cuteLowerElements(
      l, (CuteElements){.source = cuteLoweringGetLowered(l, 0),
                        .destination = cuteLoweringGetLowered(l, 1)});
}

static bool lowerBasicCopyIf(CuteLowering *l) {
  return cuteLowerElements(
      l, (CuteElements){.predicate = cuteLoweringGetLowered(l, 0),
                        .source = cuteLoweringGetLowered(l, 1),
                        .destination = cuteLoweringGetLowered(l, 2)});
}

static bool lowerAutovecCopy(CuteLowering *l) {
  cuteLowerVectorCopy(l, l->source, 0, 128, false);
  return true;
}

//===-- prefetch ----------------------------------------------------------===//

enum { LINE = 128 }; // bytes of a cache line

static bool inferPrefetch(CuteOp *op) {
  CuteType tensor = op->operands[0];
  if (tensor->space != CUTE_GMEM || !isStaticShape(tensor))
    return failTypes(op->context,
                     "prefetches a tensor in gmem with a static shape, not",
                     tensor, "", NULL);
  return cuteCheckUnrolled(op->context,
                           cuteCopyCountElements(op->context, tensor) / 64);
}

// Writes PTX as text, since LLVM 22 selects nvvm.prefetch from sm_90 on only.
static void prefetchAt(CuteLowering *l, const CuteLowered *tensor, int64_t i,
                       bool isL1) {
  MlirValue address =
      cuteLoweringGetAddress(l, *tensor, staticInt(l->context, i));
  cuteBuildAsm(&l->builder,
               isL1 ? "prefetch.global.L1 [$0];" : "prefetch.global.L2 [$0];",
               "l", 1, &address, (MlirType){NULL});
}

// Every 128 bytes of each run of neighbours, and its last element, as the run
// need not begin with a line.
static bool lowerPrefetch(CuteLowering *l) {
  CuteContext c = l->context;
  const CuteLowered *tensor = cuteLoweringGetLowered(l, 0);
  bool isL1 = !cuteOpGetWord(l->op, "level"); // of L1, L2
  CuteType type = cuteDialectGetOperandType(l->dialect, l->source, 0);
  CuteRuns runs = cuteTensorGetRuns(c, type);
  int64_t bits = cuteElementTypeGetBits(type->element);
  int64_t n = cuteCopyCountElements(c, type), step = LINE * 8 / bits;
  for (int64_t first = 0; first < n; first += runs.length) {
    for (int64_t i = 0; i < runs.length; i += step)
      prefetchAt(l, tensor, cuteRunsGetElement(c, runs, first + i), isL1);
    if (runs.length > 1 && runs.length % step != 1)
      prefetchAt(l, tensor,
                 cuteRunsGetElement(c, runs, first + runs.length - 1), isL1);
  }
  return true;
}

const CuteOpHooks cutePlainCopyOps[] = {
    CUTE_HOOKS("basic_copy", inferBasicCopy, lowerBasicCopy),
    CUTE_HOOKS("basic_copy_if", inferBasicCopyIf, lowerBasicCopyIf),
    CUTE_HOOKS("autovec_copy", inferAutovecCopy, lowerAutovecCopy),
    CUTE_HOOKS("prefetch", inferPrefetch, lowerPrefetch),
    {.name = NULL},
};
