#include "Transforms/memory/swizzle_search.h"

enum { MAX_BITS = 5, MAX_SHIFT = 20 };

// The accesses to one allocation whose elements are of one size.
typedef struct Group {
  const CuteInterpreter *kernel;
  const CuteAccess *like;
  int values;       // elements of the widest access, which stay together
  int64_t elements; // below this all indices lie
  CuteArena arena;
} Group;

static bool isInGroup(const Group *group, const CuteAccess *a) {
  return mlirValueEqual(a->root, group->like->root) && a->space == CUTE_SMEM &&
         a->type->element == group->like->type->element;
}

static const CuteAccessList *accessesOf(const Group *group) {
  return &group->kernel->accesses[0];
}

static int64_t threadsOf(const Group *group) {
  return group->kernel->follow[0].threads.count;
}

static void measureGroup(Group *group) {
  for (size_t i = 0; i < accessesOf(group)->count; ++i) {
    const CuteAccess *a = &accessesOf(group)->accesses[i];
    if (!isInGroup(group, a))
      continue;
    group->values = a->values > group->values ? a->values : group->values;
    for (size_t r = 0; r < a->numRequests; ++r)
      for (int64_t t = 0; t < threadsOf(group); ++t)
        if (a->active[t] && a->plain[r][t] + a->values > group->elements)
          group->elements = a->plain[r][t] + a->values;
  }
}

//===-- Costs -------------------------------------------------------------===//

static int64_t swizzled(CuteSwizzle s, int64_t index) {
  uint64_t mask = (UINT64_C(1) << s.bits) - 1;
  uint64_t high = (uint64_t)index >> (s.base + s.shift) & mask;
  return (int64_t)((uint64_t)index ^ high << s.base);
}

// Byte addresses of the access if this were the swizzle.
static const int64_t **addressesWith(Group *group, const CuteAccess *a,
                                     CuteSwizzle s) {
  int64_t bits = cuteElementTypeGetBits(a->type->element);
  const int64_t **rows =
      cuteArenaAllocate(&group->arena, a->numRequests * sizeof *rows);
  for (size_t r = 0; r < a->numRequests; ++r) {
    size_t bytes = (size_t)threadsOf(group) * sizeof(int64_t);
    int64_t *row = cuteArenaAllocate(&group->arena, bytes);
    for (int64_t t = 0; t < threadsOf(group); ++t)
      row[t] = swizzled(s, a->plain[r][t]) * bits / 8;
    rows[r] = row;
  }
  return rows;
}

// With a swizzle, or, if it is null, as the bytes lie now.
static int64_t excessWith(Group *group, const CuteSwizzle *s, int64_t limit) {
  int64_t excess = 0;
  for (size_t i = 0; i < accessesOf(group)->count && excess < limit; ++i) {
    const CuteAccess *a = &accessesOf(group)->accesses[i];
    if (!isInGroup(group, a))
      continue;
    CuteArenaMark mark = cuteArenaGetMark(&group->arena);
    CuteCost cost = cuteAccessGetCost(
        a, threadsOf(group), s ? addressesWith(group, a, *s) : a->byte);
    cuteArenaReset(&group->arena, mark);
    excess += cost.taken - cost.least;
  }
  return excess;
}

//===-- The search --------------------------------------------------------===//

static int32_t logOf(int64_t n) {
  int32_t bits = 0;
  while (INT64_C(1) << bits < n)
    ++bits;
  return bits;
}

// The best swizzle and what it leaves, less than the limit; false if there is
// none.
static bool search(Group *group, int64_t limit, CuteSwizzle *best,
                   int64_t *left) {
  int32_t from = logOf(group->values), to = logOf(group->elements);
  bool found = false;
  *left = limit;
  for (int32_t bits = 1; bits <= MAX_BITS; ++bits)
    for (int32_t base = from; base < to; ++base)
      for (int32_t shift = bits; shift <= MAX_SHIFT; ++shift) {
        if (base + shift >= to || !*left)
          break;
        CuteSwizzle s = {bits, base, shift};
        int64_t excess = excessWith(group, &s, *left);
        if (excess < *left) {
          *left = excess;
          *best = s;
          found = true;
        }
      }
  return found;
}

// The command that draws the allocation with the swizzle.
static void appendCommand(CuteString *note, const Group *group,
                          const CuteSwizzle *swizzle) {
  const CuteInterpreter *kernel = group->kernel;
  CuteContext c = kernel->context;
  CuteType root = cuteDialectGetValueType(kernel->dialect, group->like->root);
  if (!root || root->kind != CUTE_TYPE_TENSOR ||
      cuteLayoutGetNumDynamic(root->layout))
    return;
  CuteLayout layout = root->layout;
  if (swizzle)
    layout = cuteLayoutGetSwizzled(c, *swizzle, staticInt(c, 0),
                                   cuteLayoutGetOuter(c, layout));
  if (!layout)
    return;
  cuteStringAppendFormat(note, "; draw it: cute-layout show --element=%s '",
                         cuteElementTypeGetName(root->element));
  cuteAppendLayout(note, layout);
  cuteStringAppendChar(note, '\'');
}

static CuteSwizzleChoice choose(Group *group) {
  measureGroup(group);
  CuteSwizzleChoice choice = {.now = excessWith(group, NULL, INT64_MAX)};
  for (size_t i = 0; i < accessesOf(group)->count; ++i)
    choice.accesses += isInGroup(group, &accessesOf(group)->accesses[i]);
  choice.found = search(group, choice.now, &choice.swizzle, &choice.left);
  return choice;
}

CuteSwizzleChoice cuteSwizzleChoose(const CuteInterpreter *kernel,
                                    const CuteAccess *access) {
  Group group = {.kernel = kernel, .like = access};
  CuteSwizzleChoice choice = choose(&group);
  cuteArenaDestroy(&group.arena);
  return choice;
}

void cuteSwizzleAdvise(const CuteInterpreter *kernel, const CuteAccess *access,
                       CuteString *note) {
  Group group = {.kernel = kernel, .like = access};
  CuteSwizzleChoice choice = choose(&group);
  if (!choice.found) {
    cuteStringAppend(note, "no swizzle of its layout has fewer conflicts; pad "
                           "the rows, or go through them in another order");
  } else {
    cuteAppendSwizzle(note, choice.swizzle);
    cuteStringAppend(note, " over its layout ");
    if (choice.left)
      cuteStringAppendFormat(note, "leaves %jd of %jd conflicts", choice.left,
                             choice.now);
    else
      cuteStringAppend(note, "has no conflicts");
    cuteStringAppend(note, " in all accesses to this memory");
  }
  appendCommand(note, &group, choice.found ? &choice.swizzle : NULL);
  cuteArenaDestroy(&group.arena);
}
