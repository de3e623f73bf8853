// Barriers in shared memory, by which cp.async says that data has arrived.
#include "Ops/copy_atoms.h"
#include "Ops/ops.h"

static bool checkBarrier(CuteOp *op) {
  CuteType type = op->operands[0];
  if (type->space == CUTE_SMEM && type->element == CUTE_ELEMENT_I64 &&
      type->align % 8 == 0)
    return true;
  CuteString text = {0};
  cuteAppendType(&text, type, CUTE_FORM_PRETTY);
  cuteFail(op->context,
           "a barrier is an i64 in smem, aligned to 8 bytes, not %s",
           cuteStringGet(&text));
  cuteStringDestroy(&text);
  return false;
}

static bool inferInit(CuteOp *op) {
  CuteIntTuple count = cuteOpGetIndex(op, 1);
  if (!checkBarrier(op) || !count)
    return false;
  // PTX ISA, "Size and alignment of mbarrier object".
  if (!isStatic(count) || (count->value >= 1 && count->value < 1 << 20))
    return true;
  cuteFail(op->context,
           "a barrier waits for 1 to 1048575 arrivals, not for %lld",
           (long long)count->value);
  return false;
}

static bool inferWait(CuteOp *op) {
  CuteIntTuple phase = cuteOpGetIndex(op, 1);
  if (!checkBarrier(op) || !phase)
    return false;
  if (!isStatic(phase) || phase->value == 0 || phase->value == 1)
    return true;
  cuteFail(op->context, "the parity of a phase is 0 or 1, not %lld",
           (long long)phase->value);
  return false;
}

//===-- Lowering ----------------------------------------------------------===//

static void build(CuteLowering *lowering, const char *name, size_t n,
                  const MlirValue *operands) {
  cuteBuild(&lowering->builder,
            (CuteOpSpec){.name = name, .numOperands = n, .operands = operands});
}

static bool lowerInit(CuteLowering *lowering, CuteOp *op,
                      MlirOperation source) {
  MlirValue operands[] = {
      cuteLoweringGetPointer(lowering, source, 0),
      cuteLoweringGetInteger(lowering, cuteOpGetIndex(op, 1), 32)};
  build(lowering, "nvvm.mbarrier.init", 2, operands);
  return true;
}

static bool lowerArrive(CuteLowering *lowering, CuteOp *op,
                        MlirOperation source) {
  (void)op;
  MlirValue barrier = cuteLoweringGetPointer(lowering, source, 0);
  cuteBuildUnary(&lowering->builder, "nvvm.mbarrier.arrive", barrier,
                 cuteIntType(&lowering->builder, 64));
  return true;
}

// Labels within braces are local to them.
static bool lowerWait(CuteLowering *lowering, CuteOp *op,
                      MlirOperation source) {
  MlirValue operands[] = {
      cuteLoweringGetPointer(lowering, source, 0),
      cuteLoweringGetInteger(lowering, cuteOpGetIndex(op, 1), 32)};
  cuteBuildAsm(&lowering->builder,
               "{\n\t.reg .pred arrived;\nagain:\n\t"
               "mbarrier.test_wait.parity.shared.b64 arrived, [$0], $1;\n\t"
               "@!arrived bra again;\n\t}",
               "l,r,~{memory}", 2, operands, (MlirType){NULL});
  return true;
}

static bool lowerCpAsyncArrive(CuteLowering *lowering, CuteOp *op,
                               MlirOperation source) {
  MlirValue barrier = cuteLoweringGetPointer(lowering, source, 0);
  bool noinc = cuteOpGetAttribute(op, "noinc");
  CuteNamedAttribute attribute = {"noinc",
                                  cuteIntAttr(&lowering->builder, 1, noinc)};
  cuteBuild(&lowering->builder,
            (CuteOpSpec){.name = "nvvm.cp.async.mbarrier.arrive",
                         .numOperands = 1,
                         .operands = &barrier,
                         .numAttributes = 1,
                         .attributes = &attribute});
  return true;
}

const CuteOpHooks cuteMbarrierOps[] = {
    {.name = "mbarrier_init", .infer = inferInit, .lower = lowerInit},
    {.name = "mbarrier_arrive", .infer = checkBarrier, .lower = lowerArrive},
    {.name = "mbarrier_wait", .infer = inferWait, .lower = lowerWait},
    {.name = "cp_async_mbarrier_arrive",
     .infer = checkBarrier,
     .lower = lowerCpAsyncArrive},
    {.name = NULL},
};
