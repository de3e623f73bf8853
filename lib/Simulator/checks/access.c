#include "Simulator/checks/access.h"
#include "Simulator/checks/global_shadow.h"
#include "Simulator/checks/run_checks.h"
#include "Simulator/checks/shadow.h"
#include "Simulator/checks/tensor_names.h"
#include "Simulator/machine/cluster_end.h"
#include "Simulator/machine/device_memory.h"
#include "Simulator/machine/launch_run.h"
#include "Simulator/observe/observer.h"

//===-- Shared memory -----------------------------------------------------===//

static size_t sharedBytes(const CuteSimRun *run) {
  return run->launch->staticShared + run->launch->dynamicShared;
}

static bool isInShared(const CuteSimThread *thread, uint64_t address,
                       size_t bytes) {
  const CuteSimCluster *cluster = thread->cluster;
  return cuteSimClusterGetRank(cluster, address) >= 0 &&
         address % CUTE_SIM_WINDOW + bytes <= sharedBytes(cluster->run);
}

//===-- Checks ------------------------------------------------------------===//

static _Noreturn void failGlobal(CuteSimOp op, uint64_t address, size_t bytes,
                                 CuteSimAccess access) {
  uint64_t start;
  size_t size;
  bool isFound = cuteSimMemoryFind(address, &start, &size);
  if (isFound && address - start < size)
    cuteSimFail(op,
                "out of bounds: %s %zu bytes of global memory at 0x%jx, only "
                "%zu of them in an allocation of %zu bytes%s",
                cuteSimAccessGetVerb(access), bytes, address,
                size - (size_t)(address - start), size,
                cuteSimNameGlobal(op.thread, address).text);
  if (isFound && address - start < (uint64_t)1 << 32)
    cuteSimFail(op,
                "out of bounds: %s %zu bytes of global memory at 0x%jx, %jd "
                "bytes after the end of an allocation of %zu bytes%s",
                cuteSimAccessGetVerb(access), bytes, address,
                address - start - size, size,
                cuteSimNameGlobal(op.thread, address).text);
  cuteSimFail(op,
              "out of bounds: %s %zu bytes of global memory at 0x%jx, where "
              "nothing is allocated",
              cuteSimAccessGetVerb(access), bytes, address);
}

static _Noreturn void failShared(CuteSimOp op, uint64_t address, size_t bytes,
                                 CuteSimAccess access) {
  const CuteSimCluster *cluster = op.thread->cluster;
  if (cuteSimClusterGetRank(cluster, address) < 0)
    cuteSimFail(op,
                "out of bounds: %s %zu bytes of shared memory at 0x%jx, which "
                "lies outside it",
                cuteSimAccessGetVerb(access), bytes, address);
  cuteSimFail(op,
              "out of bounds: %s %zu bytes of shared memory at offset %ju%s; "
              "the block has %zu bytes",
              cuteSimAccessGetVerb(access), bytes, (address % CUTE_SIM_WINDOW),
              cuteSimNameShared(op.thread, address % CUTE_SIM_WINDOW).text,
              sharedBytes(cluster->run));
}

static _Noreturn void failNoBlock(CuteSimOp op, uint64_t address) {
  cuteSimFail(op,
              "mapa: there is no block %ju in a cluster of %d, whose shared "
              "memory this takes",
              (address - CUTE_SIM_NO_BLOCKS) / CUTE_SIM_WINDOW,
              op.thread->cluster->numBlocks);
}

static _Noreturn void failLocal(CuteSimOp op, uint64_t address, size_t bytes,
                                CuteSimAccess access) {
  cuteSimFail(op,
              "out of bounds: %s %zu bytes of local memory at 0x%jx, where the "
              "thread has nothing",
              cuteSimAccessGetVerb(access), bytes, address);
}

static void check(CuteSimOp op, uint64_t address, size_t bytes, size_t align,
                  CuteSimAccess access, CuteSimSpace space, bool looks) {
  int rank = cuteSimClusterGetRank(op.thread->cluster, address);
  bool isLocal = cuteSimThreadHasLocal(op.thread, address);
  if (space != CUTE_SIM_GLOBAL && space != CUTE_SIM_LOCAL &&
      address >= CUTE_SIM_NO_BLOCKS && address <= UINT32_MAX)
    failNoBlock(op, address);
  if (address % align)
    cuteSimFail(
        op, "misaligned: %s %zu bytes at 0x%jx, which is not a multiple of %zu",
        cuteSimAccessGetVerb(access), bytes, address, align);
  if (rank >= 0 || space == CUTE_SIM_SHARED || space == CUTE_SIM_CLUSTER) {
    if (!isInShared(op.thread, address, bytes))
      failShared(op, address, bytes, access);
    cuteSimClusterTouch(op, rank);
    if (looks)
      cuteSimShadowAccess(op, address, bytes, access);
  } else if (space == CUTE_SIM_LOCAL ||
             (space == CUTE_SIM_GENERIC && isLocal)) {
    if (!isLocal || !cuteSimThreadHasLocal(op.thread, address + bytes - 1))
      failLocal(op, address, bytes, access);
  } else {
    if (!cuteSimMemoryHas(address, bytes))
      failGlobal(op, address, bytes, access);
    if (access != CUTE_SIM_READ && cuteSimMemoryIsReadOnly(address, bytes))
      cuteSimFail(op,
                  "%s %zu bytes of global memory at 0x%jx, which is read-only: "
                  "pass a copy of the array%s",
                  cuteSimAccessGetVerb(access), bytes, address,
                  cuteSimNameGlobal(op.thread, address).text);
    cuteSimGlobalShadowAccess(op, address, bytes, access);
  }
}

// The same, of an access to a tensor.
static void checkTensor(CuteSimOp op, uint64_t address, size_t bytes,
                        size_t align, CuteSimAccess access, CuteSimSpace space,
                        bool looks) {
  check(op, address, bytes, align, access, space, looks);
  bool shared = cuteSimClusterGetRank(op.thread->cluster, address) >= 0;
  if (shared || !(space == CUTE_SIM_LOCAL || space == CUTE_SIM_CONSTANT ||
                  cuteSimThreadHasLocal(op.thread, address)))
    cuteSimTensorBoundsCheck(op, shared,
                             shared ? address % CUTE_SIM_WINDOW : address,
                             bytes, access);
}

static void accessBytes(const CuteSimSite *site, uint64_t address, size_t bytes,
                        size_t align) {
  CuteSimOp op = {cuteSimGetThread(), site};
  if (!bytes || op.thread->isLooking)
    return;
  if (op.thread->cluster->checks)
    checkTensor(op, address, bytes, align, site->access, site->space, true);
  cuteSimObserveAccess(op, address, bytes, site->access);
}

void cuteSimAccess(const CuteSimSite *site, uint64_t address) {
  accessBytes(site, address, site->bytes, site->align);
}

void cuteSimAccessEndAtomic(uint64_t address) {
  CuteSimThread *thread = cuteSimGetThread();
  CuteSimCluster *cluster = thread->cluster;
  if (cluster->checks && cuteSimClusterGetRank(cluster, address) < 0 &&
      !cuteSimThreadHasLocal(thread, address))
    cuteSimGlobalShadowEndAtomic(cluster);
}

void cuteSimAccessRange(const CuteSimSite *site, uint64_t address,
                        uint64_t bytes) {
  accessBytes(site, address, bytes, 1);
}

void cuteSimAccessLocal(const CuteSimSite *site, uint64_t address,
                        uint64_t base, uint64_t size) {
  CuteSimThread *thread = cuteSimGetThread();
  if (address - base > size || site->bytes > size - (address - base))
    cuteSimFail((CuteSimOp){thread, site},
                "out of bounds: %s %u bytes at byte %jd of a variable of %ju "
                "bytes in registers or local memory",
                cuteSimAccessGetVerb(site->access), site->bytes, address - base,
                size);
}

void cuteSimAccessCheck(CuteSimOp op, uint64_t address, size_t bytes,
                        size_t align, CuteSimAccess access) {
  if (op.thread->cluster->checks)
    checkTensor(op, address, bytes, align, access, CUTE_SIM_GENERIC, true);
}

void cuteSimAccessCheckVariable(CuteSimOp op, uint64_t address, size_t bytes,
                                CuteSimAccess access) {
  bool isWrite = access == CUTE_SIM_WRITE;
  if (!op.thread->cluster->checks)
    return;
  check(op, address, bytes, bytes, access, CUTE_SIM_GENERIC, isWrite);
  if (!isWrite && cuteSimClusterGetRank(op.thread->cluster, address) >= 0)
    cuteSimShadowTest(op, address);
}

void cuteSimAccessStart(CuteSimOp op, uint64_t address, size_t bytes,
                        size_t align, CuteSimAccess access) {
  if (!op.thread->cluster->checks)
    return;
  checkTensor(op, address, bytes, align, access, CUTE_SIM_SHARED, false);
  if (access == CUTE_SIM_WRITE) {
    cuteSimShadowStart(op, address, bytes);
  } else {
    cuteSimShadowStartRead(op, address, bytes);
    cuteSimShadowCheckFence(op, address, bytes);
  }
}
