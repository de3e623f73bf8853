// Roles of warpgroups: which of them get where, what registers they have, and
// how many release stages.
//
// The kernel is followed for all threads at once. Of what is below conditions
// that are not known before it runs lint is silent, and about the registers and
// pipelines that are used there.
#include "Hardware/atom.h"
#include "IR/emit.h"
#include "Lanes/follow.h"
#include "Lint/async.h"

enum { WARPGROUP = 128, MAX_WARPGROUPS = 8, MAX_PIPELINES = 16 };

// The threads that wait for stages of a pipeline, or for turns.
typedef struct Users {
  MlirValue pipeline;
  MlirOperation op; // the first
  bool waits[CUTE_MAX_THREADS];
  bool isOpen; // others may wait
} Users;

typedef struct Roles {
  CuteDialect *dialect;
  int64_t threads;
  int64_t registers[MAX_WARPGROUPS]; // 0: as many as at the start
  MlirOperation lastSet;
  Users users[MAX_PIPELINES];
  size_t numUsers;
  bool hasTurns, hasOpenRegisters, failed;
  CutePointerMap told;
} Roles;

// Tells whether nothing has been said of an op yet, where something is now.
static bool isNews(Roles *roles, MlirOperation op) {
  bool isKnown = cutePointerMapGet(&roles->told, op.ptr);
  cutePointerMapSet(&roles->told, op.ptr, roles);
  return !isKnown;
}

//===-- Whole warpgroups --------------------------------------------------===//

static int64_t countActive(const CuteFollow *follow, int64_t first) {
  int64_t n = 0;
  for (int64_t t = first; t < first + WARPGROUP; ++t)
    n += t < follow->threads.count && follow->active[t];
  return n;
}

static void checkWhole(Roles *roles, const CuteFollow *follow,
                       MlirOperation op) {
  for (int64_t first = 0; first < roles->threads; first += WARPGROUP) {
    int64_t n = countActive(follow, first);
    if (n == 0 || n == WARPGROUP)
      continue;
    if (isNews(roles, op))
      roles->failed = cuteAsyncFail(
          op,
          "warpgroups are 128 threads from a multiple of 128 on; a block has a "
          "multiple of 128, and conditions around are the same in all threads "
          "of one",
          "is of a whole warpgroup, but of the threads %lld to %lld only %lld "
          "get here",
          (long long)first, (long long)first + WARPGROUP - 1, (long long)n);
    return;
  }
}

static bool isOfWarpgroup(const CuteOp *op) {
  if (op->decl->id == CUTE_OP_GEMM) {
    const CuteMmaAtom *atom = cuteTypeGetMmaAtomValue(op->operands[0]);
    return atom && cuteMmaAtomIsWarpgroup(atom);
  }
  return op->decl->id == CUTE_OP_WARPGROUP_FENCE ||
         op->decl->id == CUTE_OP_WARPGROUP_COMMIT ||
         op->decl->id == CUTE_OP_WARPGROUP_WAIT ||
         op->decl->id == CUTE_OP_SET_REGISTERS;
}

//===-- Registers ---------------------------------------------------------===//

static void noteRegisters(Roles *roles, const CuteFollow *follow,
                          const CuteOp *op, MlirOperation source) {
  int64_t n = cuteOpGetAttribute(op, "n")->value;
  for (int w = 0; w < MAX_WARPGROUPS && w * WARPGROUP < roles->threads; ++w)
    if (countActive(follow, w * WARPGROUP))
      roles->registers[w] = n;
  roles->lastSet = source;
}

// A block gets as many for each thread as the register file holds for so many,
// in whole steps of 8; blocks that share it get parts.
static void checkRegisters(Roles *roles, MlirOperation kernel,
                           const CuteArch *arch) {
  MlirAttribute least = cuteMlirGetAttribute(kernel, "nvvm.minctasm");
  int64_t blocks = !mlirAttributeIsNull(least) &&
                           mlirAttributeIsAInteger(least) &&
                           mlirIntegerAttrGetValueInt(least) > 1
                       ? mlirIntegerAttrGetValueInt(least)
                       : 1;
  int64_t each = arch->registers / (roles->threads * blocks) / 8 * 8;
  int64_t groups = roles->threads / WARPGROUP, sum = 0;
  CUTE_SCOPED(String) text = {0};
  for (int64_t w = 0; w < groups; ++w) {
    int64_t n = roles->registers[w] ? roles->registers[w] : each;
    cuteStringAppendFormat(&text, "%s%lld", w ? " + " : "the warpgroups take ",
                           (long long)n);
    sum += n;
  }
  if (sum > groups * each && isNews(roles, roles->lastSet))
    roles->failed = cuteAsyncFail(
        roles->lastSet,
        "of two consumers and a producer 232, 232 and 40 or 240, 240 and 24; "
        "of three and a producer 160 and 32",
        "%s = %lld registers a thread, more than the %lld x %lld = %lld of the "
        "block",
        cuteStringGet(&text), (long long)sum, (long long)groups,
        (long long)each, (long long)(groups * each));
}

//===-- Pipelines ---------------------------------------------------------===//

static Users *usersOf(Roles *roles, MlirOperation op) {
  MlirValue pipeline = mlirOperationGetOperand(op, 0);
  for (size_t i = 0; i < roles->numUsers; ++i)
    if (mlirValueEqual(roles->users[i].pipeline, pipeline))
      return &roles->users[i];
  if (roles->numUsers == MAX_PIPELINES)
    return NULL;
  Users *users = &roles->users[roles->numUsers++];
  *users = (Users){.pipeline = pipeline, .op = op};
  return users;
}

static void noteWait(Roles *roles, const CuteFollow *follow, MlirOperation op) {
  Users *users = usersOf(roles, op);
  if (users)
    users->isOpen |= follow->guards > 0;
  for (int64_t t = 0; users && t < roles->threads; ++t)
    users->waits[t] |= follow->active[t];
}

static int64_t countAgents(const Roles *roles, const Users *users,
                           CutePipelineAgent agent) {
  static const int64_t sizes[] = {[CUTE_AGENT_THREAD] = 1,
                                  [CUTE_AGENT_WARP] = CUTE_WARP,
                                  [CUTE_AGENT_WARPGROUP] = WARPGROUP,
                                  [CUTE_AGENT_TENSOR] = 1};
  int64_t n = 0;
  for (int64_t first = 0; first < roles->threads; first += sizes[agent]) {
    bool waits = false;
    for (int64_t t = first; t < first + sizes[agent] && t < roles->threads; ++t)
      waits |= users->waits[t];
    n += waits;
  }
  return n;
}

static void checkConsumers(Roles *roles, const Users *users) {
  CutePipeline p = cuteTypeGetPipelineValue(
      cuteDialectGetValueType(roles->dialect, users->pipeline));
  int64_t n = countAgents(roles, users, p.agent);
  bool takesTurns = n > p.consumers && n % p.consumers == 0 && roles->hasTurns;
  if (n == p.consumers || takesTurns || users->isOpen)
    return;
  const char *agent = cutePipelineAgentGetName(p.agent);
  const char *note =
      n < p.consumers
          ? "a stage would never be empty again; make the pipeline for as "
            "many consumers as there are"
          : "where consumers take stages in turn, a parity does not tell one "
            "round from the one before the last: cute.make_pipeline_order "
            "says whose turn it is, or named barriers that one arrives at and "
            "the next waits for. Otherwise make the pipeline for all";
  if (isNews(roles, users->op))
    roles->failed = cuteAsyncFail(
        users->op, note, "%lld %s%s wait%s for stages that %lld release%s",
        (long long)n, agent, n == 1 ? "" : "s", n == 1 ? "s" : "",
        (long long)p.consumers, p.consumers == 1 ? "s" : "");
}

//===-- The kernel --------------------------------------------------------===//

static void visit(CuteFollow *follow, CuteOp *op, MlirOperation source) {
  Roles *roles = follow->userData;
  roles->hasTurns |= op->decl->id == CUTE_OP_ORDER_WAIT ||
                     op->decl->id == CUTE_OP_NAMED_BARRIER_ARRIVE;
  if (op->decl->id == CUTE_OP_CONSUMER_WAIT)
    noteWait(roles, follow, source);
  roles->hasOpenRegisters |=
      follow->guards && op->decl->id == CUTE_OP_SET_REGISTERS;
  if (follow->guards)
    return;
  if (isOfWarpgroup(op))
    checkWhole(roles, follow, source);
  if (op->decl->id == CUTE_OP_SET_REGISTERS)
    noteRegisters(roles, follow, op, source);
}

static void follow(Roles *roles, MlirOperation kernel, const int64_t block[3]) {
  CuteFollow follow = {.dialect = roles->dialect,
                       .context = roles->dialect->context,
                       .function = kernel,
                       .visit = visit,
                       .userData = roles};
  cuteThreadsInit(&follow.threads, follow.context, block, 0);
  roles->threads = follow.threads.count;
  cuteFollowRun(&follow);
  cuteThreadsDestroy(&follow.threads);
  cutePointerMapDestroy(&follow.values);
  cutePointerMapDestroy(&follow.integers);
}

bool cuteAsyncCheckRoles(CuteDialect *dialect, MlirOperation kernel,
                         const CuteArch *arch) {
  int64_t block[3];
  if (!cuteFollowGetBlock(kernel, block))
    return true;
  CUTE_FREED Roles *roles = cuteAllocate(sizeof *roles);
  *roles = (Roles){.dialect = dialect};
  follow(roles, kernel, block);
  if (!mlirOperationIsNull(roles->lastSet) && !roles->hasOpenRegisters &&
      !roles->failed)
    checkRegisters(roles, kernel, arch);
  for (size_t i = 0; i < roles->numUsers; ++i)
    checkConsumers(roles, &roles->users[i]);
  bool ok = !roles->failed;
  cutePointerMapDestroy(&roles->told);
  return ok;
}
