// cute-multicast: what all blocks of a cluster load comes once from the L2
// cache (docs/passes.md). Each block loads a part of such a tile, for all of
// them:
//
//   the cluster meets, once all barriers are made
//   loads:    a part of each shared tile to all blocks, the other tiles whole
//   release:  of a stage, in all blocks, whose loads write to it
//   the cluster meets, as barriers are arrived at until the end
//
// Blocks along a side of the cluster share a tile if nothing that says where it
// lies depends on the block's place there: in a GEMM those along x share B, and
// those along y A. A stage is released in the blocks that share any of its
// tiles.
#include "Transforms/edit/block_index.h"
#include "Transforms/roles/roles.h"
#include "Transforms/sm90.h"
#include "Transforms/tma/clusters.h"

typedef struct Multicast {
  CuteKernel *kernel;
  CuteRoles roles;
  MlirOperation ready; // the gpu.barrier after the barriers are made
  CuteCluster cluster;
  size_t shared; // tensors
  CuteRebuild r;
} Multicast;

//===-- Matching ----------------------------------------------------------===//

// Gives the blocks that share the tiles of an atom, along each side.
static CuteCluster sharersOf(Multicast *m, MlirOperation atom) {
  CuteDialect *dialect = m->kernel->dialect;
  MlirStringRef name =
      mlirStringAttrGetValue(cuteMlirGetAttribute(atom, "atom"));
  size_t parts = 0;
  bool ok = cuteTextEquals(fromMlirString(name), "SM90_TMA_LOAD");
  int64_t extents[] = {m->cluster.extents[0], m->cluster.extents[1]};
  CUTE_FOR_USES(use, getResult(atom, 0)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (!cuteDialectIsOp(dialect, user, CUTE_OP_TMA_PARTITION))
      continue;
    ++parts;
    ok = ok &&
         cuteMlirIsInside(user, mlirBlockGetParentOperation(m->roles.producer));
    MlirValue place = getOperand(user, 2);
    for (int side = 0; side < 2; ++side)
      if (extents[side] > 1 &&
          cuteBlockIndexIsOf(dialect, place, CUTE_IN_CLUSTER, side))
        extents[side] = 1;
  }
  return cuteClusterOf(ok && parts ? extents : (int64_t[]){1, 1});
}

static bool match(Multicast *m) {
  CuteKernel *kernel = m->kernel;
  m->cluster = cuteClusterGet(kernel);
  if (m->cluster.blocks < 2)
    return cuteKernelFail(kernel, kernel->function,
                          "needs clusters of two or more blocks");
  if (!cuteRolesFind(kernel, &m->roles))
    return cuteKernelFail(kernel, kernel->function,
                          "has no warp that loads; cute-specialize makes one");
  m->ready = cuteRolesFindReady(kernel, m->roles.branch);
  return !mlirOperationIsNull(m->ready) &&
         cuteClusterCheckFlow(kernel, m->roles.producer);
}

//===-- Building ----------------------------------------------------------===//

static bool isLine(const CuteCluster *cluster) {
  return cluster->extents[0] == 1 || cluster->extents[1] == 1;
}

// Emits the block's place in its cluster along a side.
static MlirValue emitRank(const CuteBuilder *b, int side) {
  return cuteBlockIndexEmit(b, "gpu.cluster_block_id", side);
}

// Emits the block's place among the blocks that share a tile.
static MlirValue emitPart(CuteRebuild *r, const CuteCluster *by) {
  return isLine(by) ? emitRank(&r->builder, by->extents[1] > 1)
                    : cuteEmit0(r, CUTE_OP_BLOCK_RANK_IN_CLUSTER);
}

// Emits a bit for each of the ranks that share a tile with this block. A rank
// counts blocks along x first. Static, where the cluster is a line of blocks.
static MlirValue emitMask(Multicast *m, const CuteCluster *by) {
  const CuteBuilder *b = &m->r.builder;
  int64_t row = m->cluster.extents[0], bits = 0;
  for (int64_t i = 0; i < by->blocks; ++i)
    bits |= INT64_C(1) << (i % by->extents[0] + i / by->extents[0] * row);
  if (isLine(&m->cluster))
    return cuteEmitInt(&m->r, bits);
  MlirValue mask = cuteBuildInt(b, 32, bits);
  if (by->extents[0] == 1)
    return shli(b, mask, emitRank(b, 0));
  if (by->extents[1] > 1)
    return mask;
  MlirValue first = cuteEmitWith(&m->r, "arith.muli", emitRank(b, 1), row);
  return shli(b, mask, first);
}

static MlirOperation extend(Multicast *m, MlirOperation op, MlirValue last) {
  m->r.builder = cuteBuilderBefore(op);
  MlirOperation copy = cuteRebuildExtend(&m->r, op, last);
  if (m->r.failed)
    cuteKernelFailOp(m->kernel, op);
  return copy;
}

// Has the stages of a pipeline be released in the blocks of a mask, too.
static void addMask(Multicast *m, MlirOperation pipeline, MlirValue mask) {
  intptr_t last = getNumOperands(pipeline) - 1;
  MlirValue known = getOperand(pipeline, last);
  if (cuteTypeIsKind(cuteDialectGetValueType(m->kernel->dialect, known),
                     CUTE_TYPE_TMA_ATOM)) {
    extend(m, pipeline, mask);
  } else if (!isLine(&m->cluster)) {
    CuteBuilder b = cuteBuilderBefore(pipeline);
    mlirOperationSetOperand(pipeline, last, ori(&b, known, mask));
  }
}

// Has an atom load parts, each block its own.
static void shareAtom(Multicast *m, MlirOperation atom, const CuteCluster *by) {
  CuteRebuild *r = &m->r;
  r->builder = cuteBuilderBefore(atom);
  cuteMlirSetAttribute(atom, "atom",
                       cuteStringAttr(&r->builder, "SM90_TMA_LOAD_MULTICAST"));
  MlirValue part = emitPart(r, by), mask = emitMask(m, by);
  atom = extend(m, atom, cuteEmitInt(r, by->blocks));
  if (r->failed)
    return;
  CuteOps users = {0};
  CUTE_FOR_USES(use, getResult(atom, 0))
    cuteOpsPush(&users, mlirOpOperandGetOwner(use));
  for (size_t i = 0; i < users.count && !r->failed; ++i) {
    CuteOpId id = cuteDialectGetOpId(r->dialect, users.data[i]);
    if (id == CUTE_OP_TMA_PARTITION || id == CUTE_OP_WITH_BARRIER)
      extend(m, users.data[i], id == CUTE_OP_TMA_PARTITION ? part : mask);
    else if (id == CUTE_OP_MAKE_PIPELINE_TMA)
      addMask(m, users.data[i], mask);
  }
}

static bool build(Multicast *m) {
  CuteKernel *kernel = m->kernel;
  CuteOps atoms = cuteKernelFindOps(kernel, CUTE_OP_MAKE_TMA_ATOM);
  for (size_t i = 0; i < atoms.count && !m->r.failed; ++i) {
    CuteCluster by = sharersOf(m, atoms.data[i]);
    if (by.blocks == 1)
      continue;
    shareAtom(m, atoms.data[i], &by);
    ++m->shared;
  }
  if (!m->shared)
    return cuteKernelFail(kernel, kernel->function,
                          "loads no tile that blocks of a cluster share");
  if (m->r.failed)
    return false;
  cuteClusterEmitMeetings(kernel, &m->r, m->ready, true);
  return true;
}

bool cuteMulticastEdit(CuteKernel *kernel, CUTE_UNUSED void *data) {
  Multicast m = {.kernel = kernel, .r = {.dialect = kernel->dialect}};
  bool ok = match(&m) && build(&m);
  if (ok)
    cuteKernelNote(kernel, mlirOperationGetLocation(kernel->function),
                   "%jd blocks of a cluster share the tiles of %zu of the "
                   "tensors; each loads a part for all",
                   m.cluster.blocks, m.shared);
  return ok;
}
