// Order between matrix products of a warpgroup and other accesses, its
// registers, and barriers of some of a block's threads.
#include "Hardware/arch.h"
#include "Ops/ops.h"
#include "Ops/tied_registers.h"

//===-- Products ----------------------------------------------------------===//

static bool inferWait(CuteOp *op) {
  int64_t n = cuteOpGetAttribute(op, "n")->value;
  if (n >= 0 && n < 8)
    return cuteCheckTiedOperands(op);
  return cuteFail(
      op->context,
      "the number of groups that may be pending is 0 to 7, not %lld",
      (long long)n);
}

static bool lowerFence(CuteLowering *l) {
  return cuteLowerTied(l, "wgmma.fence.sync.aligned;");
}

static bool lowerWait(CuteLowering *l) {
  char text[64];
  snprintf(text, sizeof text, "wgmma.wait_group.sync.aligned %lld;",
           (long long)cuteOpGetAttribute(l->op, "n")->value);
  return cuteLowerTied(l, text);
}

//===-- Proxies -----------------------------------------------------------===//

static const struct {
  const char *kind, *attribute, *space;
} proxies[] = {{"async", "#nvvm.proxy_kind<async>", NULL},
               {"async.global", "#nvvm.proxy_kind<async.global>", NULL},
               {"async.shared", "#nvvm.proxy_kind<async.shared>",
                "#nvvm.shared_space<cta>"}};
enum { NUM_PROXIES = sizeof proxies / sizeof *proxies };

static size_t proxyOf(const CuteOp *op) {
  CuteStringRef kind = cuteOpGetAttribute(op, "kind")->text;
  size_t i = 0;
  while (i < NUM_PROXIES && !cuteTextEquals(kind, proxies[i].kind))
    ++i;
  return i;
}

static bool inferFenceProxy(CuteOp *op) {
  CuteStringRef kind = cuteOpGetAttribute(op, "kind")->text;
  if (proxyOf(op) < NUM_PROXIES)
    return true;
  return cuteFail(op->context,
                  "'%.*s' is none of the kinds \"async\", \"async.global\" and "
                  "\"async.shared\"",
                  (int)kind.length, kind.data);
}

static bool lowerFenceProxy(CuteLowering *l) {
  size_t i = proxyOf(l->op);
  const CuteBuilder *b = &l->builder;
  CuteNamedAttribute attributes[] = {
      {"kind", cuteParsedAttr(b, proxies[i].attribute)},
      {"space", proxies[i].space ? cuteParsedAttr(b, proxies[i].space)
                                 : (MlirAttribute){NULL}}};
  cuteBuild(b, (CuteOpSpec){.name = "nvvm.fence.proxy",
                            .numAttributes = 2,
                            .attributes = attributes});
  return true;
}

//===-- Registers ---------------------------------------------------------===//

static bool isIncrease(const CuteOp *op) {
  return cuteTextEquals(cuteOpGetAttribute(op, "action")->text, "increase");
}

// PTX ISA, "setmaxnreg".
static bool inferSetRegisters(CuteOp *op) {
  CuteStringRef action = cuteOpGetAttribute(op, "action")->text;
  int64_t n = cuteOpGetAttribute(op, "n")->value;
  if (!isIncrease(op) && !cuteTextEquals(action, "decrease"))
    cuteFail(op->context, "'%.*s' is neither \"increase\" nor \"decrease\"",
             (int)action.length, action.data);
  else if (n < 24 || n > 256 || n % 8)
    cuteFail(op->context,
             "the number of registers is a multiple of 8 from 24 to 256, not "
             "%lld",
             (long long)n);
  else
    return true;
  return false;
}

static bool lowerSetRegisters(CuteLowering *l) {
  const CuteBuilder *b = &l->builder;
  CuteNamedAttribute attributes[] = {
      {"action",
       cuteParsedAttr(b, isIncrease(l->op) ? "#nvvm<action increase>"
                                           : "#nvvm<action decrease>")},
      {"regCount", cuteIntAttr(b, 32, cuteOpGetAttribute(l->op, "n")->value)}};
  cuteBuild(b, (CuteOpSpec){.name = "nvvm.setmaxregister",
                            .numAttributes = 2,
                            .attributes = attributes});
  return true;
}

//===-- Named barriers ----------------------------------------------------===//

// PTX ISA, "bar".
static bool inferBarrier(CuteOp *op) {
  CuteIntTuple id = cuteOpGetIndex(op, 0), threads = cuteOpGetIndex(op, 1);
  if (!id || !threads)
    return false;
  int64_t n = isStatic(threads) ? threads->value : 32;
  if (isStatic(id) && (id->value < 1 || id->value > 15))
    cuteFail(op->context,
             "the number of a barrier is 1 to 15, not %lld; 0 is gpu.barrier's",
             (long long)id->value);
  else if (n < 32 || n > CUTE_BLOCK_THREADS || n % 32)
    cuteFail(op->context,
             "the threads of a barrier are whole warps, a multiple of 32 up to "
             "%d, not %lld",
             CUTE_BLOCK_THREADS, (long long)n);
  else
    return true;
  return false;
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
    CUTE_HOOKS("warpgroup_fence", cuteCheckTiedOperands, .lower = lowerFence),
    CUTE_HOOKS("warpgroup_commit", cuteOpInferNothing,
               .lower = cuteLowerToTarget,
               .target = "nvvm.wgmma.commit.group.sync.aligned"),
    CUTE_HOOKS("warpgroup_wait", inferWait, .lower = lowerWait),
    CUTE_HOOKS("fence_proxy", inferFenceProxy, .lower = lowerFenceProxy),
    CUTE_HOOKS("set_registers", inferSetRegisters, .lower = lowerSetRegisters),
    CUTE_HOOKS("named_barrier_sync", inferBarrier, .lower = lowerBarrier,
               .target = "bar.sync $0, $1;"),
    CUTE_HOOKS("named_barrier_arrive", inferBarrier, .lower = lowerBarrier,
               .target = "bar.arrive $0, $1;"),
    {.name = NULL},
};
