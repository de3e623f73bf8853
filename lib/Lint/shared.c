// Shared memory of a kernel.
#include "Lint/lint.h"

#include "Conversion/conversion.h"

bool cuteLintShared(CuteLint *lint) {
  CuteSharedPlan plan;
  if (!cuteSharedPlanMake(lint->kernel.dialect, lint->kernel.function, NULL,
                          &plan))
    return false;
  int64_t most = (int64_t)lint->arch->sharedKib * 1024;
  if (plan.bytes > most)
    cuteLintEmit(lint, lint->kernel.function, CUTE_SEVERITY_WARNING,
                 "take smaller tiles or fewer stages",
                 "needs %lld bytes of shared memory; a block on %s has at most "
                 "%lld",
                 (long long)plan.bytes, lint->arch->name, (long long)most);
  return true;
}
