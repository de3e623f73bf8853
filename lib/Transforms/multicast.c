// cute-multicast: what all blocks of a cluster load comes once from the L2
// cache (docs/passes.md). Each block loads a part of such a tile, for all of
// them:
//
//   the cluster meets, once all barriers are made
//   loads:    a part of each shared tile to all blocks, the other tiles whole
//   release:  of a stage, in all blocks, whose loads write to it
//   the cluster meets, as barriers are arrived at until the end
//
// A tile is shared if nothing that says where it lies depends on the block's
// rank.
#include "Transforms/block_index.h"
#include "Transforms/clusters.h"
#include "Transforms/roles.h"
#include "Transforms/sm90.h"

typedef struct Multicast {
  CuteKernel *kernel;
  CuteRoles roles;
  MlirOperation ready; // the gpu.barrier after the barriers are made
  int64_t blocks;      // of a cluster
  CuteOps atoms;       // of shared tiles
  CuteRebuild r;
} Multicast;

//===-- Matching ----------------------------------------------------------===//

static bool findReady(Multicast *m) {
  m->ready = cuteRolesFindReady(m->kernel, m->roles.branch);
  return !mlirOperationIsNull(m->ready) ||
         cuteKernelFail(m->kernel, m->roles.branch,
                        "needs a gpu.barrier after init_pipeline");
}

static bool isIn(MlirOperation op, MlirBlock block) {
  return cuteMlirIsInside(op, mlirBlockGetParentOperation(block));
}

// Tells whether an atom loads tiles that are the same in all blocks.
static bool isShared(Multicast *m, MlirOperation atom) {
  CuteDialect *dialect = m->kernel->dialect;
  MlirStringRef name =
      mlirStringAttrGetValue(cuteMlirGetAttribute(atom, "atom"));
  size_t parts = 0;
  bool is = cuteTextEquals(fromMlirString(name), "SM90_TMA_LOAD");
  CUTE_FOR_USES(use, mlirOperationGetResult(atom, 0)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (!cuteDialectIsOp(dialect, user, CUTE_OP_TMA_PARTITION))
      continue;
    ++parts;
    is = is && isIn(user, m->roles.producer) &&
         !cuteBlockIndexIsOfRank(dialect, mlirOperationGetOperand(user, 2));
  }
  return is && parts;
}

static bool match(Multicast *m) {
  CuteKernel *kernel = m->kernel;
  m->blocks = cuteClusterCountBlocks(kernel);
  if (m->blocks < 2)
    return cuteKernelFail(kernel, kernel->function,
                          "needs clusters of two or more blocks along x");
  if (!cuteRolesFind(kernel, &m->roles))
    return cuteKernelFail(kernel, kernel->function,
                          "has no warp that loads; cute-specialize makes one");
  if (!findReady(m) || !cuteClusterCheckFlow(kernel, m->roles.producer))
    return false;
  CUTE_FOR_NESTED(op, kernel->function)
    if (cuteDialectIsOp(kernel->dialect, op, CUTE_OP_MAKE_TMA_ATOM) &&
        isShared(m, op))
      cuteOpsPush(&m->atoms, op);
  return !kernel->problem.length &&
         (m->atoms.count ||
          cuteKernelFail(kernel, kernel->function,
                         "loads no tile that all blocks of a cluster share"));
}

//===-- Building ----------------------------------------------------------===//

// Emits what an op of a shared tile takes in addition: the number of blocks,
// the rank of this one, or a mask of all.
static MlirValue emitExtra(Multicast *m, CuteOpId id) {
  if (id == CUTE_OP_TMA_PARTITION)
    return cuteEmit0(&m->r, CUTE_OP_BLOCK_RANK_IN_CLUSTER);
  return cuteEmitInt(&m->r, id == CUTE_OP_MAKE_TMA_ATOM
                                ? m->blocks
                                : (INT64_C(1) << m->blocks) - 1);
}

static MlirOperation extend(Multicast *m, MlirOperation op) {
  m->r.builder = cuteBuilderBefore(op);
  MlirOperation copy = cuteRebuildExtend(
      &m->r, op, emitExtra(m, cuteDialectGetDecl(m->kernel->dialect, op)->id));
  if (m->r.failed)
    cuteKernelFailOp(m->kernel, op);
  return copy;
}

// Has an atom load parts, each block its own, and adds its pipelines to a list.
static void shareAtom(Multicast *m, MlirOperation atom, CuteOps *pipelines) {
  CuteDialect *dialect = m->kernel->dialect;
  m->r.builder = cuteBuilderBefore(atom);
  cuteMlirSetAttribute(
      atom, "atom", cuteStringAttr(&m->r.builder, "SM90_TMA_LOAD_MULTICAST"));
  atom = extend(m, atom);
  if (m->r.failed)
    return;
  CUTE_SCOPED(Ops) users = {0};
  CUTE_FOR_USES(use, mlirOperationGetResult(atom, 0))
    cuteOpsPush(&users, mlirOpOperandGetOwner(use));
  for (size_t i = 0; i < users.count && !m->r.failed; ++i) {
    MlirOperation op = users.data[i];
    if (cuteDialectIsOp(dialect, op, CUTE_OP_TMA_PARTITION) ||
        cuteDialectIsOp(dialect, op, CUTE_OP_WITH_BARRIER))
      extend(m, op);
    else if (cuteDialectIsOp(dialect, op, CUTE_OP_MAKE_PIPELINE_TMA) &&
             !cuteOpsContain(pipelines, op))
      cuteOpsPush(pipelines, op);
  }
}

static bool build(Multicast *m) {
  CUTE_SCOPED(Ops) pipelines = {0};
  for (size_t i = 0; i < m->atoms.count && !m->r.failed; ++i)
    shareAtom(m, m->atoms.data[i], &pipelines);
  for (size_t i = 0; i < pipelines.count && !m->r.failed; ++i)
    extend(m, pipelines.data[i]);
  if (m->r.failed)
    return false;
  cuteClusterEmitMeetings(m->kernel, &m->r, m->ready, true);
  return true;
}

bool cuteMulticastEdit(CuteKernel *kernel, void *data) {
  (void)data;
  Multicast m = {.kernel = kernel, .r = {.dialect = kernel->dialect}};
  bool ok = match(&m) && build(&m);
  if (ok)
    cuteKernelNote(kernel, mlirOperationGetLocation(kernel->function),
                   "%lld blocks of a cluster share the tiles of %zu of the "
                   "tensors; each loads a part for all",
                   (long long)m.blocks, m.atoms.count);
  free(m.atoms.data);
  return ok;
}

bool cuteRunMulticast(const CutePass *pass) {
  return cuteKernelsEdit(pass, "blocks share no loads", cuteMulticastEdit,
                         NULL);
}
