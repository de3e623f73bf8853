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
#include "Transforms/roles.h"
#include "Transforms/sm90.h"
#include "Transforms/transforms.h"

#include <stdlib.h>

typedef struct Multicast {
  CuteKernel *kernel;
  CuteRoles roles;
  MlirOperation ready; // the gpu.barrier after the barriers are made
  int64_t blocks;      // of a cluster
  CuteOps atoms;       // of shared tiles
  CuteRebuild r;
} Multicast;

//===-- Matching ----------------------------------------------------------===//

// Reads the size of clusters along x, the only ones that are supported.
static bool readSize(Multicast *m) {
  CuteKernel *kernel = m->kernel;
  MlirAttribute size =
      cuteMlirGetAttribute(kernel->function, "known_cluster_size");
  bool ok = !mlirAttributeIsNull(size) &&
            mlirDenseArrayGetNumElements(size) == 3 &&
            mlirDenseI32ArrayGetElement(size, 1) == 1 &&
            mlirDenseI32ArrayGetElement(size, 2) == 1;
  m->blocks = ok ? mlirDenseI32ArrayGetElement(size, 0) : 1;
  return m->blocks > 1 ||
         cuteKernelFail(kernel, kernel->function,
                        "has no clusters of two blocks or more along x");
}

static bool findReady(Multicast *m) {
  m->ready = cuteRolesFindReady(m->kernel, m->roles.branch);
  return !mlirOperationIsNull(m->ready) ||
         cuteKernelFail(m->kernel, m->roles.branch,
                        "comes without a gpu.barrier after init_pipeline");
}

// Checks that blocks of a cluster take the loops and branches of loads
// together.
static void checkFlow(CuteKernel *kernel, MlirOperation load) {
  CUTE_FOR_NESTED(op, load) {
    intptr_t n = cuteMlirIs(op, "scf.for") ? 3 : cuteMlirIs(op, "scf.if");
    for (intptr_t i = 0; i < n; ++i)
      if (cuteBlockIndexIsOfRank(kernel->dialect,
                                 mlirOperationGetOperand(op, i)))
        cuteKernelFail(kernel, op,
                       "depends on the rank of the block in its cluster, but "
                       "blocks that share loads make them together");
  }
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
  if (!readSize(m))
    return false;
  if (!cuteRolesFind(kernel, &m->roles))
    return cuteKernelFail(kernel, kernel->function,
                          "has no warp that loads; cute-specialize makes one");
  if (!findReady(m))
    return false;
  CUTE_FOR_OPS(op, m->roles.producer)
    checkFlow(kernel, op);
  CUTE_FOR_NESTED(op, kernel->function)
    if (cuteDialectIsOp(kernel->dialect, op, CUTE_OP_MAKE_TMA_ATOM) &&
        isShared(m, op))
      cuteOpsPush(&m->atoms, op);
  return !kernel->problem.length &&
         (m->atoms.count ||
          cuteKernelFail(kernel, kernel->function,
                         "loads no tile that all blocks of a cluster need"));
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

// Makes an op anew with that for its last operand. Null where it fails.
static MlirOperation extend(Multicast *m, MlirOperation op) {
  CuteOpId id = cuteDialectGetDecl(m->kernel->dialect, op)->id;
  m->r.builder = cuteBuilderBefore(op);
  size_t n = (size_t)mlirOperationGetNumOperands(op);
  CUTE_FREED MlirValue *operands = cuteAllocate((n + 1) * sizeof *operands);
  for (size_t i = 0; i < n; ++i)
    operands[i] = mlirOperationGetOperand(op, (intptr_t)i);
  operands[n++] = emitExtra(m, id);
  MlirOperation copy =
      id == CUTE_OP_MAKE_TMA_ATOM
          ? cuteEmitNamed(&m->r, id, "atom", "SM90_TMA_LOAD_MULTICAST", n,
                          operands)
          : cuteRebuildCreate(
                &m->r, id, n, operands,
                CUTE_NAMED({"stages", cuteMlirGetAttribute(op, "stages")},
                           {"consumers", cuteMlirGetAttribute(op, "consumers")},
                           {"agent", cuteMlirGetAttribute(op, "agent")}));
  if (m->r.failed) {
    cuteKernelFailOp(m->kernel, op);
    return (MlirOperation){NULL};
  }
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    cuteMlirReplace(op, i, mlirOperationGetResult(copy, i));
  mlirOperationDestroy(op);
  return copy;
}

// Has an atom load parts, each block its own, and adds its pipelines to a list.
static void shareAtom(Multicast *m, MlirOperation atom, CuteOps *pipelines) {
  CuteDialect *dialect = m->kernel->dialect;
  atom = extend(m, atom);
  if (mlirOperationIsNull(atom))
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

static void emitMeeting(Multicast *m, MlirOperation before, bool isRelaxed) {
  m->r.builder = cuteBuilderBefore(before);
  CuteNamedAttribute relaxed = {"relaxed",
                                mlirUnitAttrGet(m->r.builder.context)};
  cuteRebuildCreate(&m->r, CUTE_OP_CLUSTER_ARRIVE, 0, NULL, isRelaxed,
                    &relaxed);
  cuteEmitDo(&m->r, CUTE_OP_CLUSTER_WAIT, 0, NULL);
}

static bool build(Multicast *m) {
  CUTE_SCOPED(Ops) pipelines = {0};
  for (size_t i = 0; i < m->atoms.count && !m->r.failed; ++i)
    shareAtom(m, m->atoms.data[i], &pipelines);
  for (size_t i = 0; i < pipelines.count && !m->r.failed; ++i)
    extend(m, pipelines.data[i]);
  if (m->r.failed)
    return false;
  emitMeeting(m, m->ready, true);
  mlirOperationDestroy(m->ready);
  emitMeeting(m, mlirBlockGetTerminator(m->kernel->block), false);
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
