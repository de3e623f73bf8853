// Shared memory that threads read and others write with no barrier between, and
// what cp.async brings that is read before it was waited for.
//
// Two accesses are looked at if nothing that may order threads was followed
// between them, from the first to the second, or around a loop that both are in
// with addresses that are the same in each round. Accesses whose addresses are
// made up, or which may exclude each other, are not.
#include "IR/effects.h"
#include "IR/loops.h"
#include "Lint/lint.h"

enum { MAX_BYTES = 256 * 1024, MAX_DEPTH = 64, MANY = -1 };

//===-- Where the accesses are --------------------------------------------===//

// Tells whether a value is the same in each round of a loop.
static bool isInvariant(const CuteLint *lint, MlirValue value,
                        MlirOperation loop, int depth) {
  MlirOperation op = cuteMlirGetScope(value);
  bool isInside = cuteMlirIsInside(op, loop);
  if (!isInside || mlirValueIsABlockArgument(value))
    return !isInside;
  CuteEffect effect = cuteEffectGet(lint->kernel.dialect, op);
  bool ok = depth < MAX_DEPTH && mlirOperationGetNumRegions(op) == 0 &&
            (effect == CUTE_EFFECT_NONE || effect == CUTE_EFFECT_REGISTERS);
  for (intptr_t i = 0; ok && i < getNumOperands(op); ++i)
    ok = isInvariant(lint, getOperand(op, i), loop, depth + 1);
  return ok;
}

// The same of what an op accesses.
static bool isPlaceInvariant(const CuteLint *lint, const CuteAccess *a,
                             MlirOperation loop) {
  const CuteOpDecl *decl = cuteDialectGetDecl(lint->kernel.dialect, a->op);
  int coord = decl->traits.access == CUTE_ACCESS_AT ? decl->traits.coord : -1;
  return isInvariant(lint, a->value, loop, 0) &&
         (coord < 0 || isInvariant(lint, getOperand(a->op, coord), loop, 0));
}

// Tells whether it is not known which threads get into the op's regions.
static bool isUncertain(const CuteLint *lint, MlirOperation op) {
  if (!cuteMlirIs(op, "scf.if") && !cuteMlirIs(op, "scf.index_switch"))
    return false;
  const CuteLanes *lanes =
      cuteFollowGetInteger(&lint->kernel.follow[0], getOperand(op, 0));
  return !lanes || lanes->isSampled;
}

static bool isUncertainWithin(const CuteLint *lint, MlirOperation op,
                              MlirOperation outer) {
  for (op = mlirOperationGetParentOperation(op);
       !mlirOperationIsNull(op) && !mlirOperationEqual(op, outer);
       op = mlirOperationGetParentOperation(op))
    if (isUncertain(lint, op))
      return true;
  return false;
}

// Tells whether the second follows the first in one run of the code, with the
// addresses that were followed: they are not in two branches of one choice, do
// not both depend on conditions of their own, and the first is at its place in
// the last round of loops that it alone is in.
static bool canFollow(const CuteLint *lint, const CuteAccess *first,
                      const CuteAccess *second) {
  MlirOperation outer = first->op, common = {NULL};
  bool isFixed = true;
  while (mlirOperationIsNull(common)) {
    common = cuteMlirGetAncestor(mlirOperationGetBlock(outer), second->op);
    if (!mlirOperationIsNull(common))
      break;
    outer = mlirOperationGetParentOperation(outer);
    if (mlirOperationIsNull(outer))
      return false;
    isFixed &= !CUTE_IS_ANY(outer, "scf.for", "scf.while") ||
               isPlaceInvariant(lint, first, outer);
  }
  MlirOperation around = mlirOperationGetParentOperation(outer);
  return isFixed && !mlirOperationEqual(outer, common) &&
         !(isUncertainWithin(lint, first->op, around) &&
           isUncertainWithin(lint, second->op, around));
}

//===-- Which threads meet ------------------------------------------------===//

// The thread that writes each byte, from 1, or MANY.
static void findWriters(const CuteAccess *write, int64_t threads, int *writer) {
  memset(writer, 0, MAX_BYTES * sizeof *writer);
  for (size_t i = 0; i < write->numRequests; ++i)
    for (int64_t t = 0; t < threads; ++t) {
      int64_t byte = write->byte[i][t];
      if (!write->active[t] || t % CUTE_WARP >= write->participants ||
          byte < 0 || byte + write->bytes > MAX_BYTES)
        continue;
      for (int64_t end = byte + write->bytes; byte < end; ++byte)
        writer[byte] =
            writer[byte] && writer[byte] != t + 1 ? MANY : (int)t + 1;
    }
}

typedef struct Meeting {
  int64_t reader, writer; // two threads that meet; writer -1: several
} Meeting;

// Tells whether bytes that one access writes the other reads: another thread,
// or any. Lanes of a warp that read or write a matrix together are one.
static bool doMeet(const CuteLint *lint, const CuteAccess *write,
                   const CuteAccess *read, bool anyThread, Meeting *meeting) {
  int64_t threads = lint->kernel.follow[0].threads.count;
  int64_t unit = write->isMatrix || read->isMatrix ? CUTE_WARP : 1;
  CUTE_FREED int *writer = cuteAllocate(MAX_BYTES * sizeof *writer);
  findWriters(write, threads, writer);
  bool found = false;
  for (size_t i = 0; !found && i < read->numRequests; ++i)
    for (int64_t t = 0; !found && t < threads; ++t) {
      int64_t byte = read->byte[i][t];
      if (!read->active[t] || t % CUTE_WARP >= read->participants || byte < 0 ||
          byte + read->bytes > MAX_BYTES)
        continue;
      for (int64_t end = byte + read->bytes; !found && byte < end; ++byte) {
        int by = writer[byte];
        *meeting = (Meeting){t, by == MANY ? -1 : by - 1};
        found = by && (anyThread ||
                       (by == MANY ? unit == 1 : (by - 1) / unit != t / unit));
      }
    }
  return found;
}

//===-- Messages ----------------------------------------------------------===//

// "thread 0 reads what thread 127 writes"
static void appendMeeting(CuteString *text, Meeting m) {
  cuteStringAppendFormat(text, "thread %jd reads what ", m.reader);
  if (m.writer < 0)
    cuteStringAppend(text, "several threads write");
  else if (m.writer == m.reader)
    cuteStringAppend(text, "it brings itself");
  else
    cuteStringAppendFormat(text, "thread %jd writes", m.writer);
}

// ", line 12", where that is known.
static void appendLine(CuteString *text, MlirOperation op) {
  unsigned line = cutePositionOf(op).line;
  if (line)
    cuteStringAppendFormat(text, " in line %u", line);
}

static void tell(CuteLint *lint, const CuteAccess *first,
                 const CuteAccess *second, Meeting meeting, const char *problem,
                 const char *note) {
  CUTE_SCOPED(String) text = {0};
  appendLine(&text, first->op);
  cuteStringAppend(&text, problem);
  appendMeeting(&text, meeting);
  cuteLintEmit(lint, second->op, CUTE_SEVERITY_WARNING, note,
               "%s %s shared memory that %s%s", second->what,
               second->isStore ? "writes" : "reads",
               first->isStore ? "is written" : "is read", cuteStringGet(&text));
}

static bool tellOfThreads(CuteLint *lint, const CuteAccess *first,
                          const CuteAccess *second) {
  bool isRead = first->isStore;
  Meeting meeting;
  if (!doMeet(lint, isRead ? first : second, isRead ? second : first, false,
              &meeting))
    return false;
  tell(lint, first, second, meeting, ", with no barrier in between: ",
       "put a gpu.barrier between them, which all threads reach");
  return true;
}

static bool tellOfWait(CuteLint *lint, const CuteAccess *write,
                       const CuteAccess *read) {
  Meeting meeting;
  if (!doMeet(lint, write, read, true, &meeting))
    return false;
  tell(lint, write, read, meeting, " by cp.async, which nothing waits for: ",
       "cute.cp_async_commit after the copies; then cute.cp_async_wait<0> and "
       "a gpu.barrier before what they bring is read");
  return true;
}

//===-- Pairs -------------------------------------------------------------===//

// Checks the first access against the second, in program order.
static bool checkForward(CuteLint *lint, const CuteAccess *first,
                         const CuteAccess *second) {
  const CuteOrder *order = &lint->kernel.order;
  int from = first->time, to = second->time;
  if (first->isAsync && first->isStore) {
    const CuteOrderPoint *wait =
        cuteOrderFind(order, CUTE_ORDER_WAIT, from, to);
    if (!wait && !cuteOrderFind(order, CUTE_ORDER_OTHER, from, to))
      return canFollow(lint, first, second) && tellOfWait(lint, first, second);
    from = wait ? wait->time : from;
  }
  return !cuteOrderIsBetween(order, from, to) &&
         canFollow(lint, first, second) && tellOfThreads(lint, first, second);
}

// Checks the second access, later in a loop, against the first in the next
// round.
static bool checkAround(CuteLint *lint, const CuteAccess *first,
                        const CuteAccess *second, const CuteOrderPoint *loop) {
  const CuteOrder *order = &lint->kernel.order;
  int64_t trips;
  if (loop->kind != CUTE_ORDER_LOOP || first->time < loop->time ||
      second->time > loop->end ||
      cuteOrderIsBetween(order, second->time, loop->end + 1) ||
      cuteOrderIsBetween(order, loop->time, first->time) ||
      (cuteLoopGetTrips(lint->kernel.dialect, loop->op, &trips) && trips < 2))
    return false;
  return isPlaceInvariant(lint, first, loop->op) &&
         isPlaceInvariant(lint, second, loop->op) &&
         !isUncertainWithin(lint, first->op, loop->op) &&
         !isUncertainWithin(lint, second->op, loop->op) &&
         tellOfThreads(lint, second, first);
}

static bool isCandidate(const CuteAccess *a) {
  return a->space == CUTE_SMEM && !a->isSampled && !a->isReduction &&
         a->numRequests;
}

static void checkPair(CuteLint *lint, const CuteAccess *first,
                      const CuteAccess *second) {
  if (!isCandidate(second) || !mlirValueEqual(first->memory, second->memory) ||
      first->call != second->call || first->isStore == second->isStore ||
      mlirOperationEqual(first->op, second->op) ||
      checkForward(lint, first, second))
    return;
  const CuteOrder *order = &lint->kernel.order;
  for (size_t i = 0; i < order->count; ++i)
    if (checkAround(lint, first, second, &order->points[i]))
      return;
}

void cuteLintRaces(CuteLint *lint) {
  const CuteAccessList *list = &lint->kernel.accesses[0];
  if (!lint->kernel.isBlockKnown)
    return;
  for (size_t i = 0; i < list->count; ++i)
    for (size_t j = i + 1; isCandidate(&list->accesses[i]) && j < list->count;
         ++j)
      checkPair(lint, &list->accesses[i], &list->accesses[j]);
}
