// Roles of warpgroups: which of them get where, what registers they have, and
// how many release stages.
//
// The kernel is followed for all threads at once. Of what is below conditions
// that are not known before it runs lint is silent, and about the registers and
// pipelines that are used there.
#include "Hardware/atom.h"
#include "Lanes/follow.h"
#include "Lint/async.h"

enum { WARPGROUP = 128, MAX_WARPGROUPS = 8, MAX_PIPELINES = 16 };

// The threads that wait for stages of a pipeline and release them.
typedef struct Users {
  MlirValue pipeline;
  MlirOperation op; // the first
  bool waits[CUTE_MAX_THREADS], releases[CUTE_MAX_THREADS];
  int64_t released; // agents that one op releases stages for, at most
  bool isOpen;      // others may
} Users;

typedef struct Roles {
  CuteDialect *dialect;
  int64_t threads;
  int64_t registers[MAX_WARPGROUPS]; // 0: as many as at the start
  MlirOperation lastSet;
  Users users[MAX_PIPELINES];
  size_t numUsers;
  bool hasTurns, hasOpenRegisters, failed;
  CutePointerMap told, followed; // of waits and releases
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
      roles->failed =
          cuteAsyncFail(op,
                        "a warpgroup is 128 threads from a multiple of 128 on; "
                        "give the block a multiple of 128 threads, and make "
                        "conditions the same throughout a warpgroup",
                        "needs a whole warpgroup, but is reached by only %jd "
                        "of the threads %jd to %jd",
                        n, first, first + WARPGROUP - 1);
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
    cuteStringAppendFormat(&text, "%s%jd", w ? " + " : "the warpgroups take ",
                           n);
    sum += n;
  }
  if (sum > groups * each && isNews(roles, roles->lastSet))
    roles->failed =
        cuteAsyncFail(roles->lastSet,
                      "for two consumers and a producer 232, 232 and 40, or "
                      "240, 240 and 24; for three and a producer 160 and 32",
                      "%s = %jd registers a thread, more than the %jd x %jd = "
                      "%jd of the block",
                      cuteStringGet(&text), sum, groups, each, groups * each);
}

//===-- Pipelines ---------------------------------------------------------===//

static Users *usersOf(Roles *roles, MlirOperation op) {
  MlirValue pipeline = getOperand(op, 0);
  for (size_t i = 0; i < roles->numUsers; ++i)
    if (mlirValueEqual(roles->users[i].pipeline, pipeline))
      return &roles->users[i];
  if (roles->numUsers == MAX_PIPELINES)
    return NULL;
  Users *users = &roles->users[roles->numUsers++];
  *users = (Users){.pipeline = pipeline, .op = op};
  return users;
}

static int64_t countAgents(const Roles *roles, const bool *acts,
                           CutePipelineAgent agent) {
  static const int64_t sizes[] = {[CUTE_AGENT_THREAD] = 1,
                                  [CUTE_AGENT_WARP] = CUTE_WARP,
                                  [CUTE_AGENT_WARPGROUP] = WARPGROUP,
                                  [CUTE_AGENT_TENSOR] = 1};
  int64_t n = 0;
  for (int64_t first = 0; first < roles->threads; first += sizes[agent]) {
    bool any = false;
    for (int64_t t = first; t < first + sizes[agent] && t < roles->threads; ++t)
      any |= acts[t];
    n += any;
  }
  return n;
}

static CutePipeline pipelineOf(const Roles *roles, const Users *users) {
  return cuteTypeGetPipelineValue(
      cuteDialectGetValueType(roles->dialect, users->pipeline));
}

static void noteUser(Roles *roles, const CuteFollow *follow, bool waits,
                     MlirOperation op) {
  Users *users = usersOf(roles, op);
  cutePointerMapSet(&roles->followed, op.ptr, roles);
  if (!users)
    return;
  users->isOpen |= follow->forks > 0 || (waits && follow->guards > 0);
  for (int64_t t = 0; t < roles->threads; ++t)
    (waits ? users->waits : users->releases)[t] |= follow->active[t];
  int64_t n = waits ? 0
                    : countAgents(roles, follow->active,
                                  pipelineOf(roles, users).agent);
  users->released = n > users->released ? n : users->released;
}

// Tells whether every wait and release of a pipeline was followed.
static bool areFollowed(const Roles *roles, MlirValue pipeline) {
  if (!cuteAsyncIsKept(roles->dialect, pipeline))
    return false;
  CUTE_FOR_USES(use, pipeline) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    CuteOpId id = cuteDialectGetDecl(roles->dialect, op)->id;
    if ((id == CUTE_OP_CONSUMER_WAIT || id == CUTE_OP_CONSUMER_RELEASE) &&
        !cutePointerMapGet(&roles->followed, op.ptr))
      return false;
  }
  return true;
}

// Tells whether all that release stages wait for them, too; those who do not
// may learn of them by a barrier.
static bool doReleasersWait(const Users *users) {
  for (int64_t t = 0; t < CUTE_MAX_THREADS; ++t)
    if (users->releases[t] && !users->waits[t])
      return false;
  return true;
}

static void checkConsumers(Roles *roles, const Users *users) {
  CutePipeline p = pipelineOf(roles, users);
  int64_t n = countAgents(roles, users->waits, p.agent);
  bool takesTurns = n % p.consumers == 0 && roles->hasTurns;
  bool isWrong =
      n < p.consumers
          ? doReleasersWait(users)
          : n > p.consumers && users->released > p.consumers && !takesTurns;
  if (!isWrong || users->isOpen || !areFollowed(roles, users->pipeline))
    return;
  const char *agent = cutePipelineAgentGetName(p.agent);
  const char *note =
      n < p.consumers
          ? "a stage would never be empty again; make the pipeline for as many "
            "consumers as there are"
          : "where consumers take stages in turn, a parity does not tell one "
            "round from the one before the last: cute.make_pipeline_order says "
            "whose turn it is, or named barriers that one arrives at and the "
            "next waits for. Otherwise make the pipeline for all";
  if (isNews(roles, users->op))
    roles->failed = cuteAsyncFail(
        users->op, note, "%jd %s%s wait%s for stages that %jd release%s", n,
        agent, n == 1 ? "" : "s", n == 1 ? "s" : "", p.consumers,
        p.consumers == 1 ? "s" : "");
}

//===-- The kernel --------------------------------------------------------===//

static void visit(CuteFollow *follow, CuteOp *op, MlirOperation source) {
  Roles *roles = follow->userData;
  roles->hasTurns |= op->decl->id == CUTE_OP_ORDER_WAIT ||
                     op->decl->id == CUTE_OP_NAMED_BARRIER_ARRIVE;
  bool waits = op->decl->id == CUTE_OP_CONSUMER_WAIT;
  if (waits || op->decl->id == CUTE_OP_CONSUMER_RELEASE)
    noteUser(roles, follow, waits, source);
  bool isOpen = follow->guards || follow->forks;
  roles->hasOpenRegisters |= isOpen && op->decl->id == CUTE_OP_SET_REGISTERS;
  if (isOpen)
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
  *roles = (Roles){
      .dialect = dialect, .told = cuteTaskMap(), .followed = cuteTaskMap()};
  follow(roles, kernel, block);
  if (!mlirOperationIsNull(roles->lastSet) && !roles->hasOpenRegisters &&
      !roles->failed)
    checkRegisters(roles, kernel, arch);
  for (size_t i = 0; i < roles->numUsers; ++i)
    checkConsumers(roles, &roles->users[i]);
  return !roles->failed;
}
