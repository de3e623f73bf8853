#include "Simulator/ptx/operation_table.h"
#include "Support/text.h"

typedef struct Row {
  const char *name;
  CuteSimFunction *function;
} Row;

// Names as PTX spells them; those of intrinsics that differ begin with "llvm.".
static const Row operations[] = {
    {"%clock", cuteSimClockRead},
    {"%clock64", cuteSimClockRead},
    {"%clock_hi", cuteSimClockRead},
    {"%globaltimer", cuteSimClockRead},
    {"%globaltimer_hi", cuteSimClockRead},
    {"%globaltimer_lo", cuteSimClockRead},
    {"activemask", cuteSimActiveMask},
    {"applypriority", cuteSimNothing},
    {"atom", cuteSimAtomic},
    {"bar.arrive", cuteSimBarrierArrive},
    {"bar.cta.arrive", cuteSimBarrierArrive},
    {"bar.cta.red.and", cuteSimBarrierReduceAnd},
    {"bar.cta.red.or", cuteSimBarrierReduceOr},
    {"bar.cta.red.popc", cuteSimBarrierReducePopc},
    {"bar.cta.sync", cuteSimBarrierCount},
    {"bar.red.and", cuteSimBarrierReduceAnd},
    {"bar.red.or", cuteSimBarrierReduceOr},
    {"bar.red.popc", cuteSimBarrierReducePopc},
    {"bar.sync", cuteSimBarrierCount},
    {"bar.warp.sync", cuteSimWarpSync},
    {"brkpt", cuteSimBreakEnd},
    {"barrier.arrive", cuteSimBarrierArrive},
    {"barrier.cluster.arrive", cuteSimClusterArrive},
    {"barrier.cluster.wait", cuteSimClusterWait},
    {"barrier.cta.arrive", cuteSimBarrierArrive},
    {"barrier.cta.red.and", cuteSimBarrierReduceAnd},
    {"barrier.cta.red.or", cuteSimBarrierReduceOr},
    {"barrier.cta.red.popc", cuteSimBarrierReducePopc},
    {"barrier.cta.sync", cuteSimBarrierCount},
    {"barrier.red.and", cuteSimBarrierReduceAnd},
    {"barrier.red.or", cuteSimBarrierReduceOr},
    {"barrier.red.popc", cuteSimBarrierReducePopc},
    {"barrier.sync", cuteSimBarrierCount},
    {"cp.async.bulk", cuteSimBulkCopy},
    {"cp.async.bulk.commit_group", cuteSimBulkCommit},
    {"cp.async.bulk.prefetch", cuteSimNothing},
    {"cp.async.bulk.tensor", cuteSimBulkTensor},
    {"cp.async.bulk.wait_group", cuteSimBulkWait},
    {"cp.async.ca.shared.global", cuteSimCpAsyncOfPtx},
    {"cp.async.cg.shared.global", cuteSimCpAsyncOfPtx},
    {"cp.async.commit_group", cuteSimCpAsyncCommit},
    {"cp.async.mbarrier.arrive", cuteSimCpAsyncMbarrierArrive},
    {"cp.async.wait_all", cuteSimCpAsyncWaitAll},
    {"cp.async.wait_group", cuteSimCpAsyncWait},
    {"cp.reduce.async.bulk", cuteSimBulkCopy},
    {"cp.reduce.async.bulk.tensor", cuteSimBulkTensor},
    {"call.__assertfail", cuteSimCallAssertFail},
    {"call.vprintf", cuteSimCallPrintf},
    {"createpolicy", cuteSimPtxCreatePolicy},
    {"cute.break", cuteSimBreakBegin},
    {"cvta", cuteSimPtxConvertAddress},
    {"discard", cuteSimNothing},
    {"elect.sync", cuteSimElect},
    {"exit", cuteSimExit},
    {"fence", cuteSimFence},
    {"fence.mbarrier_init", cuteSimFenceInits},
    {"fence.proxy", cuteSimNothing},
    {"fence.proxy.async", cuteSimFenceProxy},
    {"fence.proxy.async.global", cuteSimNothing},
    {"fence.proxy.tensormap::generic", cuteSimNothing},
    {"getctarank", cuteSimPtxGetRank},
    {"griddepcontrol", cuteSimNothing},
    {"isspacep", cuteSimPtxIsInSpace},
    {"ld", cuteSimMemoryLoad},
    {"ldmatrix.sync.aligned.m8n8", cuteSimMatrixLoad},
    {"mapa", cuteSimMapa},
    {"match.all.sync", cuteSimPtxMatchAll},
    {"match.any.sync", cuteSimPtxMatchAny},
    {"mbarrier.arrive", cuteSimMbarrierArriveOn},
    {"mbarrier.arrive.expect_tx", cuteSimMbarrierArriveExpect},
    {"mbarrier.arrive_drop", cuteSimMbarrierDrop},
    {"mbarrier.arrive_drop.expect_tx", cuteSimMbarrierDropExpect},
    {"mbarrier.complete_tx", cuteSimMbarrierCompleteBytes},
    {"mbarrier.expect_tx", cuteSimMbarrierExpectBytes},
    {"mbarrier.init", cuteSimMbarrierInitialize},
    {"mbarrier.inval", cuteSimMbarrierInvalidate},
    {"mbarrier.pending_count", cuteSimMbarrierPending},
    {"mbarrier.test_wait", cuteSimMbarrierTest},
    {"mbarrier.try_wait", cuteSimMbarrierTry},
    {"membar", cuteSimFence},
    {"mma.sp.sync.aligned", cuteSimWarpMma},
    {"mma.sp::ordered_metadata.sync.aligned", cuteSimWarpMma},
    {"mma.sync.aligned", cuteSimWarpMma},
    {"movmatrix.sync.aligned.m8n8.trans", cuteSimMatrixTranspose},
    {"nanosleep", cuteSimNothing},
    {"pmevent", cuteSimNothing},
    {"prefetch", cuteSimNothing},
    {"prefetchu", cuteSimNothing},
    {"red", cuteSimAtomic},
    {"redux.sync", cuteSimRedux},
    {"setmaxnreg", cuteSimSetMaxRegisters},
    {"shfl.sync.bfly", cuteSimPtxShuffleButterfly},
    {"shfl.sync.down", cuteSimPtxShuffleDown},
    {"shfl.sync.idx", cuteSimPtxShuffleIndex},
    {"shfl.sync.up", cuteSimPtxShuffleUp},
    {"st", cuteSimMemoryStore},
    {"st.async", cuteSimAsyncStore},
    {"stmatrix.sync.aligned.m8n8", cuteSimMatrixStore},
    {"tensormap.cp_fenceproxy", cuteSimMapPublish},
    {"tensormap.replace", cuteSimMapReplace},
    {"tcgen05.wait::ld.sync.aligned", cuteSimTensorWait},
    {"trap", cuteSimTrap},
    {"vote.sync.all", cuteSimPtxVoteAll},
    {"vote.sync.any", cuteSimPtxVoteAny},
    {"vote.sync.ballot", cuteSimPtxVoteBallot},
    {"vote.sync.uni", cuteSimPtxVoteUniform},
    {"wgmma.commit_group.sync.aligned", cuteSimWgmmaCommit},
    {"wgmma.fence.sync.aligned", cuteSimNothing},
    {"wgmma.mma_async.sp.sync.aligned", cuteSimWgmma},
    {"wgmma.mma_async.sync.aligned", cuteSimWgmma},
    {"wgmma.wait_group.sync.aligned", cuteSimWgmmaWait},
    {"wmma.load", cuteSimWmmaLoad},
    {"wmma.mma.sync.aligned", cuteSimWmma},
    {"wmma.store", cuteSimWmmaStore},
    {"llvm.barrier.cta.sync.aligned.all", cuteSimBarrierAll},
    {"llvm.barrier.cta.sync.all", cuteSimBarrierAll},
    {"llvm.cp.async.bulk.tensor.prefetch", cuteSimNothing},
    {"llvm.cp.async.ca.shared.global", cuteSimCpAsync},
    {"llvm.cp.async.cg.shared.global", cuteSimCpAsync},
    {"llvm.match.all.sync", cuteSimMatchAll},
    {"llvm.match.any.sync", cuteSimMatchAny},
    {"llvm.mma", cuteSimWarpMma},
    {"llvm.read.ptx.sreg.clock", cuteSimClockRead},
    {"llvm.read.ptx.sreg.clock64", cuteSimClockRead},
    {"llvm.read.ptx.sreg.globaltimer", cuteSimClockRead},
    {"llvm.shfl.sync.bfly", cuteSimShuffleButterfly},
    {"llvm.shfl.sync.down", cuteSimShuffleDown},
    {"llvm.shfl.sync.idx", cuteSimShuffleIndex},
    {"llvm.shfl.sync.up", cuteSimShuffleUp},
    {"llvm.vote.all.sync", cuteSimVoteAll},
    {"llvm.vote.any.sync", cuteSimVoteAny},
    {"llvm.vote.ballot.sync", cuteSimVoteBallot},
    {"llvm.vote.uni.sync", cuteSimVoteUniform},
    {"llvm.tcgen05.alloc", cuteSimTensorAllocate},
    {"llvm.tcgen05.commit", cuteSimTensorCommit},
    {"llvm.tcgen05.cp", cuteSimTensorCopy},
    {"llvm.tcgen05.dealloc", cuteSimTensorFree},
    {"llvm.tcgen05.fence.after.thread.sync", cuteSimTensorFenceAfter},
    {"llvm.tcgen05.fence.before.thread.sync", cuteSimTensorFenceBefore},
    {"llvm.tcgen05.ld", cuteSimTensorLoad},
    {"llvm.tcgen05.mma", cuteSimTensorMma},
    {"llvm.tcgen05.relinq.alloc.permit", cuteSimTensorRelinquish},
    {"llvm.tcgen05.st", cuteSimTensorStore},
    {"llvm.tcgen05.wait.ld", cuteSimTensorWait},
    {"llvm.tcgen05.wait.st", cuteSimTensorWait},
};

// Functions whose sites are prepared.
static const struct {
  CuteSimFunction *function;
  CuteStatus (*prepare)(CuteSimSite *site);
} preparations[] = {
    {cuteSimWarpMma, cuteSimWarpMmaPrepare},
    {cuteSimWgmma, cuteSimWgmmaPrepare},
    {cuteSimWmma, cuteSimWmmaPrepare},
    {cuteSimWmmaLoad, cuteSimWmmaPrepare},
    {cuteSimWmmaStore, cuteSimWmmaPrepare},
    {cuteSimTensorLoad, cuteSimTensorMovePrepare},
    {cuteSimTensorStore, cuteSimTensorMovePrepare},
    {cuteSimMemoryLoad, cuteSimMemoryPrepare},
    {cuteSimMemoryStore, cuteSimMemoryPrepare},
    {cuteSimAtomic, cuteSimMemoryPrepare},
};

// Takes a character of a name, in which intrinsics have '.' for '_' and "::".
static char takeSpelling(const char **at, const char *end) {
  if (*at == end)
    return '\0';
  *at += 1 + (end - *at > 1 && !memcmp(*at, "::", 2));
  return (*at)[-1] == '_' || (*at)[-1] == ':' ? '.' : (*at)[-1];
}

// The length of a row's name if another begins with it, up to a dot; else 0.
static size_t matchedLength(CuteStringRef name, const char *row) {
  const char *at = name.data, *end = at + name.length;
  const char *rowEnd = row + strlen(row);
  size_t length = 0;
  for (; row < rowEnd; ++length)
    if (takeSpelling(&row, rowEnd) != takeSpelling(&at, end))
      return 0;
  return at == end || *at == '.' ? length : 0;
}

// The row with the longest name that `name` begins with; of two that are as
// long, an intrinsic's own.
static const Row *find(CuteStringRef name, bool isIntrinsic) {
  static const char own[] = "llvm.";
  size_t longest = 0;
  const Row *found = NULL;
  for (size_t i = 0; i < sizeof operations / sizeof *operations; ++i) {
    const char *rest = operations[i].name;
    bool isOwn = !strncmp(rest, own, sizeof own - 1);
    if (isOwn && !isIntrinsic)
      continue;
    size_t length = matchedLength(name, rest + (isOwn ? sizeof own - 1 : 0));
    if (length && 2 * length + isOwn > longest) {
      longest = 2 * length + isOwn;
      found = &operations[i];
    }
  }
  return found;
}

static const struct {
  const char *text;
  CuteSimWords word;
} words[] = {
    {".aligned", CUTE_SIM_ALIGNED}, {"bar.", CUTE_SIM_ALIGNED},
    {"cta", CUTE_SIM_CTA},          {"bulk", CUTE_SIM_BULK},
    {".f", CUTE_SIM_FLOAT},         {".noinc", CUTE_SIM_NOINC},
    {".parity", CUTE_SIM_PARITY},   {".relaxed", CUTE_SIM_RELAXED},
    {".relaxed", CUTE_SIM_ORDERED}, {".acquire", CUTE_SIM_ORDERED},
    {".release", CUTE_SIM_ORDERED}, {".volatile", CUTE_SIM_ORDERED},
    {".mmio", CUTE_SIM_ORDERED},    {".trans", CUTE_SIM_TRANSPOSED},
    {".x2", CUTE_SIM_X2},           {".x4", CUTE_SIM_X4},
};

bool cuteSimOperationIsKnown(CuteStringRef name) { return find(name, false); }

CuteStatus cuteSimOperationFind(CuteSimSite *site) {
  CuteStringRef name = {site->name, strlen(site->name)};
  bool isIntrinsic = cuteTextTake(&name, "llvm.nvvm.");
  const Row *row = find(name, isIntrinsic);
  if (!row)
    return cuteStatusCreate("the simulator does not know %s", site->name);
  site->function = row->function;
  for (size_t i = 0; i < sizeof words / sizeof *words; ++i)
    if (strstr(site->name, words[i].text))
      site->words |= words[i].word;
  for (size_t i = 0; i < sizeof preparations / sizeof *preparations; ++i)
    if (preparations[i].function == row->function)
      return preparations[i].prepare(site);
  return NULL;
}

//===-- Special registers -------------------------------------------------===//

static const struct {
  const char *name;
  CuteSimRegister number;
  bool hasModes;
} registers[] = {
    {"tid", CUTE_SIM_TID_X, true},
    {"ntid", CUTE_SIM_NTID_X, true},
    {"ctaid", CUTE_SIM_CTAID_X, true},
    {"nctaid", CUTE_SIM_NCTAID_X, true},
    {"clusterid", CUTE_SIM_CLUSTERID_X, true},
    {"nclusterid", CUTE_SIM_NCLUSTERID_X, true},
    {"cluster_ctaid", CUTE_SIM_CLUSTER_CTAID_X, true},
    {"cluster_nctaid", CUTE_SIM_CLUSTER_NCTAID_X, true},
    {"cluster_ctarank", CUTE_SIM_CLUSTER_CTARANK, false},
    {"cluster_nctarank", CUTE_SIM_CLUSTER_NCTARANK, false},
    {"laneid", CUTE_SIM_LANEID, false},
    {"warpid", CUTE_SIM_WARPID, false},
    {"lanemask_eq", CUTE_SIM_LANEMASK_EQ, false},
    {"lanemask_lt", CUTE_SIM_LANEMASK_LT, false},
    {"lanemask_le", CUTE_SIM_LANEMASK_LE, false},
    {"lanemask_gt", CUTE_SIM_LANEMASK_GT, false},
    {"lanemask_ge", CUTE_SIM_LANEMASK_GE, false},
    {"nwarpid", CUTE_SIM_NWARPID, false},
    {"smid", CUTE_SIM_SMID, false},
    {"nsmid", CUTE_SIM_NSMID, false},
    {"warpsize", CUTE_SIM_WARPSIZE, false},
    {"dynamic_smem_size", CUTE_SIM_DYNAMIC_SMEM_SIZE, false},
    {"total_smem_size", CUTE_SIM_TOTAL_SMEM_SIZE, false},
};

CuteSimRegister cuteSimFindRegister(CuteStringRef name) {
  for (size_t i = 0; i < sizeof registers / sizeof *registers; ++i) {
    size_t length = matchedLength(name, registers[i].name);
    if (!length || name.length != length + (registers[i].hasModes ? 2 : 0))
      continue;
    if (!registers[i].hasModes)
      return registers[i].number;
    char mode = name.data[length + 1];
    if (mode >= 'x' && mode <= 'z')
      return registers[i].number + (CuteSimRegister)(mode - 'x');
  }
  return CUTE_SIM_REGISTERS;
}

//===-- Scalar functions --------------------------------------------------===//

const CuteSimScalar *cuteSimFindScalar(CuteStringRef intrinsic) {
  CuteStringRef name = intrinsic;
  if (!cuteTextTake(&name, "llvm.nvvm."))
    return NULL;
  for (const CuteSimScalar *row = cuteSimScalars; row->intrinsic; ++row)
    if (cuteTextEquals(name, row->intrinsic))
      return row;
  return NULL;
}

//===-- Small operations --------------------------------------------------===//

void cuteSimNothing(CuteSimOp op, uint64_t *values) { (void)op, (void)values; }

void cuteSimTrap(CuteSimOp op, uint64_t *values) {
  (void)values;
  cuteSimFail(op, "trap: the kernel ends itself");
}

// The lanes that have not ended: nobody knows which of them converge.
void cuteSimActiveMask(CuteSimOp op, uint64_t *values) {
  values[0] = op.thread->warp->lanes & ~op.thread->warp->done;
}

// The address of the same place in the shared memory of another block.
void cuteSimMapa(CuteSimOp op, uint64_t *values) {
  const CuteSimCluster *cluster = op.thread->cluster;
  uint64_t rank = values[2], offset = values[1] % CUTE_SIM_WINDOW;
  if (rank >= (uint64_t)cluster->numBlocks)
    cuteSimFail(op, "mapa: there is no block %llu in a cluster of %d",
                (unsigned long long)rank, cluster->numBlocks);
  values[0] =
      (uint64_t)(uintptr_t)cluster->windows + rank * CUTE_SIM_WINDOW + offset;
}
