#include "Simulator/checks/findings.h"
#include "Simulator/checks/run_checks.h"

//===-- Registers ---------------------------------------------------------===//

// A site is noted once.
void cuteSimRegisterUse(const CuteSimSite *site, int32_t isUndefined) {
  CuteSimThread *thread = cuteSimGetThread();
  if (!isUndefined || thread->isLooking ||
      __atomic_exchange_n(site->prepared, (void *)(uintptr_t)site,
                          __ATOMIC_RELAXED))
    return;
  cuteSimFindKind((CuteSimOp){thread, site}, CUTE_SIM_DOUBT,
                  "uninitialised: uses a register that was never written "
                  "on the way here; write the fragment before, in all threads");
}

void cuteSimRegisterLoad(const CuteSimSite *site, const unsigned char *marks,
                         uint64_t bytes) {
  cuteSimRegisterUse(site, memchr(marks, 0, bytes) != NULL);
}

//===-- Divisions ---------------------------------------------------------===//

void cuteSimRegisterDivide(const CuteSimSite *site, uint64_t divisor,
                           uint32_t isNeeded) {
  CuteSimThread *thread = cuteSimGetThread();
  if (divisor || thread->isLooking)
    return;
  if (isNeeded)
    cuteSimFail((CuteSimOp){thread, site},
                "an integer is divided by zero; the quotient is undefined");
  cuteSimFindKind((CuteSimOp){thread, site}, CUTE_SIM_NOTE,
                  "an integer is divided by zero; the quotient is undefined, "
                  "and nothing may depend on it");
}
