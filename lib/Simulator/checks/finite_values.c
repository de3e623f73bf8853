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
  CUTE_SCOPED(String) of = {0};
  appendOperands(&of, site, (const double[]){a, b, c});
  cuteSimFind((CuteSimOp){thread, site}, "not finite: makes %s%s",
              isnan(result) ? "NaN" : "Inf", cuteStringGet(&of));
}

void cuteSimFiniteLoad(const CuteSimSite *site, uint64_t address,
                       double value) {
  CuteSimThread *thread = cuteSimGetThread();
  uint64_t offset = address % CUTE_SIM_WINDOW;
  const char *kind = isnan(value) ? "NaN" : "Inf";
  if (isfinite(value) || cuteSimThreadHasLocal(thread, address) ||
      thread->isLooking)
    return;
  if (cuteSimClusterGetRank(thread->cluster, address) >= 0)
    cuteSimFind((CuteSimOp){thread, site},
                "not finite: reads %s in shared memory at offset %ju%s", kind,
                offset, cuteSimNameShared(thread, offset).text);
  else
    cuteSimFind((CuteSimOp){thread, site},
                "not finite: reads %s in global memory at 0x%jx%s", kind,
                address, cuteSimNameGlobal(thread, address).text);
}

void cuteSimFiniteProduct(CuteSimOp op) {
  const char *seen = cuteSimMultiplyGetSeen();
  if (seen)
    cuteSimFind(op, "not finite: %s", seen);
}
