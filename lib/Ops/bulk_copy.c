// Copies of runs of bytes by the atoms that need no tensor map.
#include "Ops/copy_atoms.h"
#include "Ops/lower_ops.h"

//===-- Reductions --------------------------------------------------------===//

// Elements that an operator takes, in gmem and in dsmem.
static const struct {
  const char *reduction;
  CuteElementType element;
  const char *ptx;
  int spaces;
} reductions[] = {
#define BULK_REDUCTION(name, element, ptx, spaces)                             \
  {name, CUTE_ELEMENT_##element, ptx, spaces},
#include "hardware/bulk_reduction.def"
#undef BULK_REDUCTION
};

enum { NUM_REDUCTIONS = sizeof reductions / sizeof *reductions };

const char *cuteBulkReductionGetType(CuteContext c, const CuteCopyAtom *atom,
                                     CuteElementType element, CuteSpace space) {
  CUTE_SCOPED(String) valid = {0};
  for (size_t i = 0; i < NUM_REDUCTIONS; ++i) {
    if (strcmp(reductions[i].reduction, atom->reduction) ||
        !(reductions[i].spaces >> space & 1))
      continue;
    if (reductions[i].element == element) {
      return reductions[i].ptx;
    }
    cuteStringAppendFormat(&valid, "%s%s",
                           cuteStringGetRef(&valid).length ? ", " : "",
                           cuteElementTypeGetName(reductions[i].element));
  }
  return cuteFail(c, "%s takes elements of %s, not %s", atom->name,
                  cuteArenaTakeString(&c->scratch, &valid),
                  cuteElementTypeGetName(element));
}

//===-- Checks ------------------------------------------------------------===//

static bool fail(CuteContext c, CuteCopyOperands copy, const char *problem) {
  return cuteFail(c, "%s: %s, unlike %s and %s",
                  ((const CuteCopyAtom *)copy.copy->atom)->name, problem,
                  cuteTypeText(c, copy.source),
                  cuteTypeText(c, copy.destination));
}

bool cuteBulkCheckCopy(CuteContext c, CuteCopyOperands copy) {
  const CuteCopyAtom *atom = copy.copy->atom;
  if (copy.predicate)
    return fail(c, copy, "a copy has no predicate; put an scf.if around it");
  if (copy.source->layout->shape->numDynamic ||
      copy.destination->layout->shape->numDynamic)
    return fail(c, copy, "a copy has static extents");
  if (cuteCopyCountElements(c, copy.source) !=
      cuteCopyCountElements(c, copy.destination))
    return fail(c, copy, "both sides have one size");
  if (atom->reduction &&
      !cuteBulkReductionGetType(c, atom, copy.source->element,
                                (CuteSpace)copy.destination->space))
    return false;
  CuteRuns runs = cuteBulkCopyGetRuns(c, copy.source, copy.destination);
  if (!runs.length)
    return fail(c, copy,
                "runs of both sides are multiples of 16 bytes and aligned to "
                "them (align<16>, ?{div=8} in strides of f16)");
  return cuteCheckUnrolled(c,
                           cuteCopyCountElements(c, copy.source) / runs.length);
}

//===-- Lowering ----------------------------------------------------------===//

typedef struct Run {
  const CuteCopyAtom *atom;
  MlirValue from, to, barrier, mask;
  MlirValue policy; // null: none
  int64_t bytes;
  const char *type; // of a reduction
} Run;

static void buildLoad(const CuteBuilder *b, const Run *run) {
  MlirValue operands[6] = {cuteBuildUnary(b, "llvm.addrspacecast", run->to,
                                          cuteParsedType(b, "!llvm.ptr<7>")),
                           run->from, run->barrier,
                           cuteBuildInt(b, 32, run->bytes)};
  size_t n = 4;
  int32_t sizes[6] = {1, 1, 1, 1};
  if (!mlirValueIsNull(run->mask))
    operands[n++] = run->mask, sizes[4] = 1;
  if (!mlirValueIsNull(run->policy))
    operands[n++] = run->policy, sizes[5] = 1;
  CUTE_BUILD(b, "nvvm.cp.async.bulk.shared.cluster.global", .numOperands = n,
             .operands = operands,
             CUTE_ATTRIBUTES({"operandSegmentSizes",
                              mlirDenseI32ArrayGet(b->context, 6, sizes)}));
}

static void buildStore(const CuteBuilder *b, const Run *run) {
  bool hasPolicy = !mlirValueIsNull(run->policy);
  MlirValue operands[] = {run->to, run->from, cuteBuildInt(b, 32, run->bytes),
                          run->policy};
  int32_t sizes[] = {1, 1, 1, hasPolicy, 0};
  CUTE_BUILD(b, "nvvm.cp.async.bulk.global.shared.cta",
             .numOperands = hasPolicy ? 4 : 3, .operands = operands,
             CUTE_ATTRIBUTES({"operandSegmentSizes",
                              mlirDenseI32ArrayGet(b->context, 5, sizes)}));
}

// Writes PTX as text: MLIR has no reductions without a tensor map, and no
// copies whose barrier is that of another block.
static void buildText(const CuteBuilder *b, const Run *run, bool isToBlock) {
  MlirValue operands[] = {run->to, run->from, cuteBuildInt(b, 32, run->bytes),
                          isToBlock ? run->barrier : run->policy};
  bool hasFourth = !mlirValueIsNull(operands[3]);
  bool hasPolicy = hasFourth && !isToBlock;
  CUTE_SCOPED(String) text = {0};
  cuteStringAppendFormat(&text, "%s.%s%s", run->atom->instruction,
                         isToBlock ? "shared::cluster.shared::cta."
                                     "mbarrier::complete_tx::bytes"
                                   : "global.shared::cta.bulk_group",
                         hasPolicy ? ".L2::cache_hint" : "");
  if (run->type)
    cuteStringAppendFormat(&text, ".%s.%s", run->atom->reduction, run->type);
  cuteStringAppendFormat(&text, " [$0], [$1], $2%s;",
                         isToBlock   ? ", [$3]"
                         : hasPolicy ? ", $3"
                                     : "");
  cuteBuildAsm(b, cuteStringGet(&text),
               hasFourth ? "l,l,r,l,~{memory}" : "l,l,r,~{memory}",
               hasFourth ? 4 : 3, operands, (MlirType){NULL});
}

static void buildRun(const CuteBuilder *b, const Run *run) {
  bool isToBlock = run->atom->kind->to == CUTE_IN_DSMEM;
  if (run->atom->kind->to == CUTE_IN_SMEM)
    buildLoad(b, run);
  else if (isToBlock || run->type)
    buildText(b, run, isToBlock);
  else
    buildStore(b, run);
}

bool cuteLowerBulkCopy(CuteLowering *lowering, CuteCopyOperands types) {
  CuteContext c = lowering->context;
  const CuteLowered *sides[2];
  for (size_t i = 0; i < 2; ++i)
    sides[i] = cuteLoweringGetLowered(lowering, i + 1);
  Run run = {.atom = types.copy->atom};
  CuteElementType element = types.source->element;
  if (run.atom->reduction)
    run.type = cuteBulkReductionGetType(c, run.atom, element,
                                        (CuteSpace)types.destination->space);
  MlirValue atom = cuteLoweringGetOperand(lowering, 0);
  if (!cuteTmaGetBarrier(lowering, atom, run.atom, &run.barrier, &run.mask))
    return false;
  run.policy = cuteTmaGetPolicy(lowering, atom);
  CuteRuns runs = cuteBulkCopyGetRuns(c, types.source, types.destination);
  run.bytes = runs.length * cuteElementTypeGetBits(element) / 8;
  for (int64_t i = 0; i < cuteCopyCountElements(c, types.source);
       i += runs.length) {
    CuteIntTuple at = staticInt(c, cuteRunsGetElement(c, runs, i));
    run.from = cuteLoweringGetAddress(lowering, *sides[0], at);
    run.to = cuteLoweringGetAddress(lowering, *sides[1], at);
    buildRun(&lowering->builder, &run);
  }
  return true;
}
