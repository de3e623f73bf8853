// Inline PTX as an operation of the machine, with its own operations.
#include "Simulator/ptx/operation_table.h"
#include "Simulator/ptx/ptx.h"

static void call(void *handle, void *thread, uint64_t *values) {
  const CuteSimSite *site = handle;
  site->function((CuteSimOp){thread, site}, values);
}

void cuteSimPtxFail(CuteSimOp op, uint64_t *values) {
  (void)values;
  cuteSimFail((CuteSimOp){op.thread, NULL}, "%s", op.site->name);
}

void cuteSimPtxExecute(CuteSimOp op, uint64_t *values) {
  cuteSimPtxRun(*op.site->prepared, call, op.thread, values);
}
