// Inline PTX as an operation of the machine, with its own operations.
#include "Simulator/ptx/operation_table.h"
#include "Simulator/ptx/ptx.h"

static void call(void *handle, void *thread, uint64_t *values) {
  const CuteSimSite *site = handle;
  site->function(thread, site, values);
}

void cuteSimPtxFail(CuteSimThread *thread, const CuteSimSite *site,
                    uint64_t *values) {
  (void)values;
  cuteSimFail(thread, NULL, "%s", site->name);
}

void cuteSimPtxExecute(CuteSimThread *thread, const CuteSimSite *site,
                       uint64_t *values) {
  cuteSimPtxRun(*site->prepared, call, thread, values);
}
