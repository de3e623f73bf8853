// Copies of a thread to shared memory that arrive when their group is waited
// for (PTX ISA, "cp.async").
#include "Simulator/async/bulk_transfer.h"
#include "Simulator/checks/access.h"
#include "Simulator/observe/observer.h"
#include "Simulator/ptx/operation_table.h"

// The bytes of "cp.async.cg.shared.global.16.s".
static uint32_t bytesOf(const CuteSimSite *site) {
  const char *at = strstr(site->name, ".global.");
  return at ? (uint32_t)(at[8] == '1' ? 16 : at[8] - '0') : 0;
}

static void start(CuteSimOp op, const uint64_t *values, uint32_t bytes,
                  uint64_t read) {
  CuteSimTransfer copy = {.op = op,
                          .to = values[0],
                          .from = values[1],
                          .bytes = bytes,
                          .read = (uint32_t)read,
                          .arrival = cuteSimObserveCopyStart(op, read)};
  if (read > bytes)
    cuteSimFail(op, "cp.async of %u bytes reads %ju bytes", bytes, read);
  cuteSimAccessStart(op, copy.to, bytes, bytes, CUTE_SIM_WRITE);
  if (copy.read)
    cuteSimAccessCheck(op, copy.from, copy.read, bytes, CUTE_SIM_READ);
  cuteSimObserveAccess(op, copy.to, bytes, CUTE_SIM_WRITE);
  cuteSimObserveAccess(op, copy.from, copy.read, CUTE_SIM_READ);
  cuteSimQueueAdd(CUTE_SIM_COPIES, copy);
}

// An intrinsic: to, from, and perhaps the bytes to read.
void cuteSimCpAsync(CuteSimOp op, uint64_t *values) {
  uint32_t bytes = bytesOf(op.site);
  start(op, values, bytes,
        op.site->numOperands > 2 ? (uint32_t)values[2] : bytes);
}

// The instruction: to, from, bytes, and perhaps the bytes to read, or a
// predicate to read nothing; and a cache policy.
void cuteSimCpAsyncOfPtx(CuteSimOp op, uint64_t *values) {
  bool hasPolicy = strstr(op.site->name, "cache_hint");
  bool isBounded = op.site->numOperands > (hasPolicy ? 4u : 3u);
  uint64_t bytes = (uint32_t)values[2], read = bytes;
  if (isBounded && op.site->words & CUTE_SIM_PREDICATE)
    read = values[3] & 1 ? 0 : bytes;
  else if (isBounded)
    read = (uint32_t)values[3];
  start(op, values, (uint32_t)bytes, read);
}

void cuteSimCpAsyncCommit(CuteSimOp op, CUTE_UNUSED uint64_t *values) {
  ++cuteSimQueueGet(op.thread, CUTE_SIM_COPIES)->groups;
}

void cuteSimCpAsyncWait(CuteSimOp op, uint64_t *values) {
  int64_t groups = cuteSimQueueGet(op.thread, CUTE_SIM_COPIES)->groups;
  bool isOfAll = !op.site->numOperands;
  op.thread->waitedAt = op.site;
  cuteSimCopiesWait(op.thread, isOfAll ? INT64_MAX
                                       : groups - (int64_t)(uint32_t)values[0]);
}
