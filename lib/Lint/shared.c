// Shared memory of a kernel.
#include "Lint/lint.h"

#include "Conversion/conversion.h"

bool cuteLintShared(CuteLint *lint) {
  CuteSharedPlan plan;
  if (!cuteSharedPlanMake(lint->kernel.dialect, lint->kernel.function, NULL,
                          &plan))
    return false;
  CUTE_SCOPED(String) problem = {0};
  if (!cuteSharedFits(plan.bytes, lint->arch, &problem))
    cuteLintEmit(lint, lint->kernel.function, CUTE_SEVERITY_WARNING, NULL, "%s",
                 cuteStringGet(&problem));
  return true;
}
