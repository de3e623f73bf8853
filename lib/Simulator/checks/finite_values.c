#include "Simulator/checks/findings.h"
#include "Simulator/checks/run_checks.h"
#include "Simulator/checks/tensor_names.h"
#include "Simulator/tensorcore/matrix_product.h"

#include <math.h>

// "of 1, 0", of as many operands as the site has.
static void appendOperands(CuteString *text, const CuteSimSite *site,
                           const double *operands) {
  for (unsigned i = 0; i < site->numOperands; ++i)
    cuteStringAppendFormat(text, "%s%g", i ? ", " : " of ", operands[i]);
}

void cuteSimFiniteResult(const CuteSimSite *site, double result, double a,
                         double b, double c) {
  CuteSimThread *thread = cuteSimGetThread();
  bool takesNan = isnan(a) || isnan(b) || isnan(c);
  bool takesFinite = isfinite(a) && isfinite(b) && isfinite(c);
  if (isfinite(result) || (isnan(result) ? takesNan : !takesFinite) ||
      thread->isLooking)
    return;
  CuteString of = {0};
  appendOperands(&of, site, (const double[]){a, b, c});
  cuteSimFind((CuteSimOp){thread, site}, "not finite: makes %s%s",
              isnan(result) ? "NaN" : "Inf", cuteStringGet(&of));
  cuteStringDestroy(&of);
}

void cuteSimFiniteLoad(const CuteSimSite *site, uint64_t address,
                       double value) {
  CuteSimThread *thread = cuteSimGetThread();
  const CuteSimCluster *cluster = thread->cluster;
  uint64_t offset = address - (uint64_t)(uintptr_t)cluster->windows;
  uint64_t onStack = address - (uint64_t)(uintptr_t)thread->stack;
  const char *kind = isnan(value) ? "NaN" : "Inf";
  if (isfinite(value) || onStack < thread->cluster->stackSize ||
      thread->isLooking)
    return;
  if (offset < (uint64_t)cluster->numBlocks * CUTE_SIM_WINDOW)
    cuteSimFind((CuteSimOp){thread, site},
                "not finite: reads %s in shared memory at offset %llu%s", kind,
                (unsigned long long)(offset % CUTE_SIM_WINDOW),
                cuteSimNameShared(thread, offset % CUTE_SIM_WINDOW).text);
  else
    cuteSimFind((CuteSimOp){thread, site},
                "not finite: reads %s in global memory at 0x%llx%s", kind,
                (unsigned long long)address,
                cuteSimNameGlobal(thread, address).text);
}

void cuteSimFiniteProduct(CuteSimOp op) {
  const char *seen = cuteSimMultiplyGetSeen();
  if (seen)
    cuteSimFind(op, "not finite: %s", seen);
}
