// Order between matrix products of a warpgroup and other accesses, its
// registers, and barriers of some of a block's threads.
#include "Hardware/arch.h"
#include "Ops/lower_ops.h"
#include "Ops/tied_registers.h"

//===-- Products ----------------------------------------------------------===//

static bool lowerFence(CuteLowering *l) {
  return cuteLowerTied(l, "wgmma.fence.sync.aligned;");
}

static bool lowerWait(CuteLowering *l) {
  char text[64];
  snprintf(text, sizeof text, "wgmma.wait_group.sync.aligned %jd;",
           cuteOpGetAttribute(l->op, "n")->value);
  return cuteLowerTied(l, text);
}

// Stores registers where no thread comes: a grid has a block, which ptxas does
// not know.
static bool lowerHold(CuteLowering *l) {
  CuteTied held = cuteTiedGet(l, cuteLoweringGetLowered(l, 0));
  MlirValue values[CUTE_MAX_TIED];
  CUTE_SCOPED(String) text = {0}, constraints = {0};
  cuteTiedLoad(l, &held, values);
  cuteStringAppend(&text,
                   "{\n\t.reg .pred never;\n\t.reg .b32 blocks;\n\t"
                   "mov.u32 blocks, %nctaid.x;\n\t"
                   "setp.eq.u32 never, blocks, 0;\n\t@!never bra held;\n\t");
  for (size_t i = 0; i < held.count; ++i) {
    cuteStringAppendFormat(&text, "st.shared.b32 [blocks+%zu], $%zu;\n\t",
                           4 * i, i);
    cuteStringAppendFormat(&constraints, "%c,", held.constraint);
  }
  cuteStringAppend(&text, "held:\n\t}");
  cuteStringAppend(&constraints, "~{memory}");
  cuteBuildAsm(&l->builder, cuteStringGet(&text), cuteStringGet(&constraints),
               held.count, values, (MlirType){NULL});
  return true;
}

//===-- Registers ---------------------------------------------------------===//

// PTX ISA, "setmaxnreg".
static bool inferSetRegisters(CuteOp *op) {
  int64_t n = cuteOpGetAttribute(op, "n")->value;
  if (n >= 24 && n <= 256 && n % 8 == 0)
    return true;
  return cuteFail(op->context,
                  "the number of registers is a multiple of 8 from 24 to 256, "
                  "not %jd",
                  n);
}

static bool lowerSetRegisters(CuteLowering *l) {
  static const char *const actions[] = {"#nvvm<action increase>",
                                        "#nvvm<action decrease>"};
  const CuteBuilder *b = &l->builder;
  MlirAttribute action =
      cuteParsedAttr(b, actions[cuteOpGetWord(l->op, "action")]);
  int64_t n = cuteOpGetAttribute(l->op, "n")->value;
  CUTE_BUILD(
      b, "nvvm.setmaxregister",
      CUTE_ATTRIBUTES({"action", action}, {"regCount", cuteIntAttr(b, 32, n)}));
  return true;
}

//===-- Named barriers ----------------------------------------------------===//

// PTX ISA, "bar".
static bool inferBarrier(CuteOp *op) {
  CuteIntTuple threads = cuteOpGetIndex(op, 1);
  if (!threads || !cuteOpCheckIndex(op, cuteOpGetIndex(op, 0), 1, 15,
                                    "the number of a barrier is 1 to 15 (0 is "
                                    "gpu.barrier's)"))
    return false;
  int64_t n = isStatic(threads) ? threads->value : 32;
  if (n >= 32 && n <= CUTE_BLOCK_THREADS && n % 32 == 0)
    return true;
  return cuteFail(op->context,
                  "the threads of a barrier are whole warps, a multiple of 32 "
                  "up to %d, not %jd",
                  CUTE_BLOCK_THREADS, n);
}

static bool lowerBarrier(CuteLowering *l) {
  MlirValue operands[] = {
      cuteLoweringGetInteger(l, cuteOpGetIndex(l->op, 0), 32),
      cuteLoweringGetInteger(l, cuteOpGetIndex(l->op, 1), 32)};
  cuteBuildAsm(&l->builder, l->op->decl->hooks->target, "r,r,~{memory}", 2,
               operands, (MlirType){NULL});
  return true;
}

const CuteOpHooks cuteWarpgroupOps[] = {
    CUTE_HOOKS("warpgroup_fence", cuteCheckTiedOperands, lowerFence),
    CUTE_HOOKS("warpgroup_commit", cuteOpInferNothing, cuteLowerToTarget,
               "nvvm.wgmma.commit.group.sync.aligned"),
    CUTE_HOOKS("warpgroup_wait", cuteCheckTiedOperands, lowerWait),
    CUTE_HOOKS("hold_registers", cuteCheckTiedOperands, lowerHold),
    CUTE_HOOKS("fence_proxy", cuteOpInferNothing, cuteLowerFenceProxy),
    CUTE_HOOKS("set_registers", inferSetRegisters, lowerSetRegisters),
    CUTE_HOOKS("named_barrier_sync", inferBarrier, lowerBarrier,
               "bar.sync $0, $1;"),
    CUTE_HOOKS("named_barrier_arrive", inferBarrier, lowerBarrier,
               "bar.arrive $0, $1;"),
    {.name = NULL},
};
