#include "Simulator/checks/run_checks.h"
#include "Simulator/checks/tensor_names.h"
#include "Simulator/machine/launch_run.h"

// The tensors of a site, and the one that begins last before an access.
typedef struct Search {
  const CuteSimTensor *nearest; // null: none does
  bool isInside, isBetween;     // of one; between the elements of one
} Search;

static const CuteSimTensor *tensorOf(const CuteSimThread *thread,
                                     const CuteSimTensorList *list, size_t i) {
  const CuteSimLaunch *launch = thread->cluster->run->launch;
  return list->numbers[i] < launch->numTensors
             ? &launch->tensors[list->numbers[i]]
             : NULL;
}

static bool isBetween(const CuteSimTensor *t, uint64_t at, size_t bytes) {
  return t->hasHoles && (!cuteSimTensorHasElement(t, at) ||
                         !cuteSimTensorHasElement(t, at + bytes - 1));
}

// A tensor whose extent is not known may have the access.
static Search search(const CuteSimThread *thread, const CuteSimTensorList *list,
                     uint64_t at, size_t bytes) {
  Search s = {0};
  for (size_t i = 0; i < list->count && !s.isInside; ++i) {
    const CuteSimTensor *t = tensorOf(thread, list, i);
    if (!t || !t->bytes)
      return (Search){.isInside = true};
    if (at >= t->start && (!s.nearest || t->start > s.nearest->start))
      s.nearest = t;
    bool isWithin = at >= t->start && at - t->start <= t->bytes &&
                    bytes <= t->bytes - (at - t->start);
    bool isHole = isWithin && isBetween(t, at, bytes);
    s.isBetween |= isHole;
    s.isInside = isWithin && !isHole;
  }
  return s;
}

// Ends the thread before a write to global memory beyond its tensor: what lies
// there may be the program's own, where a tensor is memory of the host.
static void findBeyond(CuteSimOp op, bool isBefore, const char *where,
                       const char *name, size_t bytes, CuteSimAccess access,
                       bool isShared) {
  const char *format =
      "out of bounds: %s %zu bytes of %s, %s its tensor%s; what lies there is "
      "something else: predicate the access, or look at the coordinate";
  const char *side = isBefore ? "before the start of" : "after the end of";
  if (access == CUTE_SIM_READ || isShared)
    cuteSimFind(op, format, access == CUTE_SIM_READ ? "reads" : "writes", bytes,
                where, side, name);
  else
    cuteSimFail(op, format, "writes", bytes, where, side, name);
}

static void find(CuteSimOp op, const Search *s, const char *where, uint64_t at,
                 size_t bytes, CuteSimAccess access, bool isShared) {
  CuteSimElementName element = {""};
  if (s->nearest)
    element = cuteSimNameElement(s->nearest, at);
  const char *name = element.text;
  if (s->isBetween && access == CUTE_SIM_READ)
    cuteSimFindKind(op, CUTE_SIM_NOTE,
                    "out of bounds: reads %zu bytes of %s between the "
                    "elements of its tensor%s; predicate the access",
                    bytes, where, name);
  else if (s->isBetween)
    cuteSimFind(op,
                "out of bounds: writes %zu bytes of %s between the "
                "elements of its tensor%s; predicate the access",
                bytes, where, name);
  else
    findBeyond(op, !s->nearest, where, name, bytes, access, isShared);
}

void cuteSimTensorBoundsCheck(CuteSimOp op, bool isShared, uint64_t at,
                              size_t bytes, CuteSimAccess access) {
  const CuteSimTensorList *list =
      isShared ? &op.site->shared : &op.site->global;
  if (!list->count || cuteSimAccessIsOrdered(access))
    return;
  Search s = search(op.thread, list, at, bytes);
  if (s.isInside)
    return;
  char where[64];
  snprintf(where, sizeof where,
           isShared ? "shared memory at offset %ju" : "global memory at 0x%jx",
           at);
  find(op, &s, where, at, bytes, access, isShared);
}
