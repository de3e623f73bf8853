// Copies of a thread to shared memory that arrive when their group is waited
// for (PTX ISA, "cp.async").
#include "Simulator/async/bulk_transfer.h"
#include "Simulator/checks/access.h"
#include "Simulator/checks/findings.h"
#include "Simulator/checks/shadow.h"
#include "Simulator/observe/observer.h"
#include "Simulator/ptx/operation_table.h"

// The bytes in an intrinsic's name, "cp.async.cg.shared.global.16.s"; 0 of PTX.
static uint32_t bytesOf(const CuteSimSite *site) {
  const char *at = strstr(site->name, ".global.");
  return at ? (uint32_t)strtoul(at + 8, NULL, 10) : 0;
}

// Tells whether a copy of this statement by another thread brings the same.
static bool isTwin(const CuteSimTransfer *copy) {
  const void *to = (const void *)(uintptr_t)copy->to,
             *from = (const void *)(uintptr_t)copy->from;
  const CuteSimThread *other;
  const CuteSimSite *site = cuteSimShadowGetWriter(copy->op, copy->to, &other);
  if (!cuteSimFindIsOfPlace(site, copy->op.site) || other == copy->op.thread)
    return false;
  const CuteSimQueue *queue =
      other ? cuteSimQueueGet(other, CUTE_SIM_COPIES) : NULL;
  bool isTwin = copy->read == copy->bytes && !memcmp(to, from, copy->bytes) &&
                !cuteSimShadowIsRead(copy->op, copy->to, copy->bytes);
  for (size_t i = 0; queue && i < queue->count; ++i) {
    const CuteSimTransfer *t = &queue->data[i];
    isTwin |= t->to == copy->to && t->from == copy->from &&
              t->bytes == copy->bytes && t->read == copy->read;
  }
  return isTwin;
}

// To, from, in PTX bytes, perhaps bytes to read or a predicate, and a policy.
void cuteSimCpAsync(CuteSimOp op, uint64_t *values) {
  uint32_t named = bytesOf(op.site), first = named ? 2 : 3;
  uint32_t bytes = named ? named : (uint32_t)values[2], read = bytes;
  bool hasPolicy = strstr(op.site->name, "cache_hint");
  bool isChoice = !named && op.site->words & CUTE_SIM_PREDICATE;
  if (op.site->numOperands - hasPolicy > first)
    read = (uint32_t)(isChoice ? bytes * (~values[first] & 1) : values[first]);
  CuteSimTransfer copy = {.op = op,
                          .to = values[0],
                          .from = values[1],
                          .bytes = bytes,
                          .read = read,
                          .arrival = cuteSimObserveCopyStart(op, read)};
  if (read > bytes)
    cuteSimFail(op, "cp.async of %u bytes reads %u bytes", bytes, read);
  if (copy.read)
    cuteSimAccessCheck(op, copy.from, copy.read, bytes, CUTE_SIM_READ);
  if (!isTwin(&copy))
    cuteSimAccessStart(op, copy.to, bytes, bytes, CUTE_SIM_WRITE);
  cuteSimObserveAccess(op, copy.to, bytes, CUTE_SIM_WRITE);
  cuteSimObserveAccess(op, copy.from, copy.read, CUTE_SIM_READ);
  cuteSimQueueAdd(CUTE_SIM_COPIES, copy);
}

void cuteSimCpAsyncCommit(CuteSimOp op, CUTE_UNUSED uint64_t *values) {
  ++cuteSimQueueGet(op.thread, CUTE_SIM_COPIES)->groups;
}

void cuteSimCpAsyncWait(CuteSimOp op, uint64_t *values) {
  int64_t groups = cuteSimQueueGet(op.thread, CUTE_SIM_COPIES)->groups;
  op.thread->waitedAt = op.site;
  cuteSimCopiesWait(op.thread, op.site->numOperands
                                   ? groups - (int64_t)(uint32_t)values[0]
                                   : INT64_MAX);
}
