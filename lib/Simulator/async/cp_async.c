#include "Simulator/async/cp_async.h"
#include "Simulator/checks/access.h"
#include "Simulator/checks/shadow.h"
#include "Simulator/observe/observer.h"
#include "Simulator/ptx/operation_table.h"
#include "Support/growing_array.h"

#include <string.h>

// The bytes of "cp.async.cg.shared.global.16.s".
static uint32_t bytesOf(const CuteSimSite *site) {
  const char *at = strstr(site->name, ".global.");
  return at ? (uint32_t)(at[8] == '1' ? 16 : at[8] - '0') : 0;
}

static void start(CuteSimOp op, const uint64_t *values, uint32_t bytes,
                  uint64_t read) {
  CuteSimCopies *copies = cuteSimGetCopies(op.thread);
  CuteSimCopy copy = {.site = op.site,
                      .to = (char *)(uintptr_t)values[0],
                      .from = (const char *)(uintptr_t)values[1],
                      .bytes = bytes,
                      .read = (uint32_t)read,
                      .group = copies->groups,
                      .arrival = cuteSimObserveCopyStart(op, read)};
  if (read > bytes)
    cuteSimFail(op, "cp.async of %u bytes reads %llu bytes", bytes,
                (unsigned long long)read);
  cuteSimAccessStart(op, values[0], bytes, bytes, CUTE_SIM_WRITE);
  if (copy.read)
    cuteSimAccessCheck(op, values[1], copy.read, bytes, CUTE_SIM_READ);
  cuteSimObserveAccess(op, values[0], bytes, CUTE_SIM_WRITE);
  cuteSimObserveAccess(op, values[1], copy.read, CUTE_SIM_READ);
  CUTE_PUSH(copies->data, copies->count, copies->capacity, copy);
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

void cuteSimCpAsyncCommit(CuteSimOp op, uint64_t *values) {
  (void)values;
  ++cuteSimGetCopies(op.thread)->groups;
}

// Lets copies of groups before `end` arrive.
static void finish(CuteSimThread *thread, int64_t end) {
  CuteSimCopies *copies = cuteSimGetCopies(thread);
  size_t left = 0;
  for (size_t i = 0; i < copies->count; ++i) {
    CuteSimCopy copy = copies->data[i];
    if (copy.group >= end) {
      copies->data[left++] = copy;
      continue;
    }
    memcpy(copy.to, copy.from, copy.read);
    memset(copy.to + copy.read, 0, copy.bytes - copy.read);
    cuteSimShadowArrive((CuteSimOp){thread, copy.site},
                        (uint64_t)(uintptr_t)copy.to, copy.bytes,
                        thread->epoch);
    cuteSimObserveArrival(thread, copy.arrival);
  }
  copies->count = left;
}

void cuteSimCpAsyncWait(CuteSimOp op, uint64_t *values) {
  int64_t groups = cuteSimGetCopies(op.thread)->groups;
  bool isOfAll = !op.site->numOperands;
  op.thread->waitedAt = op.site;
  finish(op.thread, isOfAll ? INT64_MAX : groups - (int64_t)(uint32_t)*values);
}

void cuteSimCopiesFinish(CuteSimThread *thread) { finish(thread, INT64_MAX); }
