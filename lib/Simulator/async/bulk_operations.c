// Operands of bulk copies as LLVM's intrinsics and as PTX have them.
#include "Simulator/async/bulk_transfer.h"
#include "Simulator/ptx/operation_table.h"
#include "Support/text.h"

#include <string.h>

static bool hasPart(const CuteSimSite *site, const char *part) {
  return strstr(site->name, part) != NULL;
}

static bool isIntrinsic(const CuteSimSite *site) {
  return !strncmp(site->name, "llvm.", 5);
}

static _Noreturn void failUnknown(const CuteSimThread *thread,
                                  const CuteSimSite *site) {
  cuteSimFail(thread, site, "the simulator does not know %s",
              cuteSimSiteGetName(site));
}

//===-- Reductions --------------------------------------------------------===//

// The word before or at the end of a name: "add" of ".add.noftz.f16".
static CuteStringRef takeLast(CuteStringRef *name) {
  size_t n = name->length;
  while (n && name->data[n - 1] != '.')
    --n;
  CuteStringRef word = {name->data + n, name->length - n};
  name->length = n ? n - 1 : 0;
  return word;
}

// "....add.noftz.f16": the operation and its type.
static void takeReduction(CuteSimTransfer *t) {
  CuteStringRef name = {t->site->name, strlen(t->site->name)};
  t->type = cutePtxFindType(takeLast(&name));
  CuteStringRef operation = takeLast(&name);
  if (cuteTextEquals(operation, "noftz"))
    operation = takeLast(&name);
  if (!t->type || !cuteSimReductionFind(operation, &t->reduction))
    failUnknown(t->thread, t->site);
}

// The operation of a box is a word of the name; its type is the map's.
static void takeBoxReduction(CuteSimTransfer *t) {
  static const char *const names[] = {"add", "min", "max", "inc",
                                      "dec", "and", "or",  "xor"};
  t->type = cutePtxFindType(cuteStringRef(cuteSimTensorMapGetType(&t->map)));
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    char part[8] = ".";
    strcat(strcat(part, names[i]), ".");
    if (hasPart(t->site, part)) {
      cuteSimReductionFind(cuteStringRef(names[i]), &t->reduction);
      return;
    }
  }
  failUnknown(t->thread, t->site);
}

//===-- Boxes -------------------------------------------------------------===//

// 2 of ".2d".
static unsigned rankOf(const CuteSimSite *site) {
  for (const char *at = site->name; (at = strchr(at, '.'));) {
    ++at;
    if (*at >= '1' && *at <= '5' && at[1] == 'd' && (at[2] == '.' || !at[2]))
      return (unsigned)(*at - '0');
  }
  return 0;
}

static const CuteSimTensorMap *
mapAt(const CuteSimThread *thread, const CuteSimSite *site, uint64_t address) {
  const CuteSimTensorMap *map = NULL;
  if (address)
    map = cuteSimTensorMapGet((const void *)(uintptr_t)address);
  if (!map)
    cuteSimFail(thread, site, "%s: there is no tensor map at 0x%llx",
                cuteSimSiteGetName(site), (unsigned long long)address);
  if (map->rank != rankOf(site))
    cuteSimFail(thread, site, "%s: the tensor map has rank %u",
                cuteSimSiteGetName(site), map->rank);
  if (map->isIm2col != hasPart(site, ".im2col") && !hasPart(site, "s2g") &&
      !hasPart(site, "global.shared"))
    cuteSimFail(thread, site, "%s: the tensor map is %sof im2col",
                cuteSimSiteGetName(site), map->isIm2col ? "" : "not ");
  return map;
}

static const uint64_t *takeCoords(CuteSimTransfer *t, const uint64_t *values) {
  for (unsigned i = 0; i < t->map.rank; ++i)
    t->coords[i] = (int32_t)(uint32_t)values[i];
  return values + t->map.rank;
}

static const uint64_t *takeOffsets(CuteSimTransfer *t, const uint64_t *values) {
  t->hasOffsets = hasPart(t->site, ".im2col");
  unsigned n = t->hasOffsets ? t->map.rank - 2u : 0;
  for (unsigned i = 0; i < n; ++i)
    t->offsets[i] = (uint16_t)values[i];
  return values + n;
}

// Intrinsic: to, barrier, map, coordinates, offsets, mask and flags. PTX: to,
// map, coordinates, barrier, offsets, mask.
static void takeBoxLoad(CuteSimTransfer *t, const uint64_t *values) {
  const CuteSimSite *site = t->site;
  const uint64_t *end = values + site->numOperands;
  bool hasMask = hasPart(site, ".multicast::cluster");
  t->to = values[0];
  t->map = *mapAt(t->thread, site, values[isIntrinsic(site) ? 2 : 1]);
  if (isIntrinsic(site)) {
    t->barrier = values[1];
    values = takeOffsets(t, takeCoords(t, values + 3));
    hasMask = !hasPart(site, "g2s.cta.") && end[-3];
  } else {
    values = takeCoords(t, values + 2);
    t->barrier = *values++;
    values = takeOffsets(t, values);
  }
  if (hasMask)
    t->blocks = (uint32_t)*values & 0xffff;
}

// Intrinsic: from, map, coordinates. PTX: map, coordinates, from.
static void takeBoxStore(CuteSimTransfer *t, const uint64_t *values) {
  const CuteSimSite *site = t->site;
  t->direction = CUTE_SIM_TO_GLOBAL;
  t->map = *mapAt(t->thread, site, values[isIntrinsic(site)]);
  const uint64_t *rest = takeCoords(t, values + 1 + isIntrinsic(site));
  t->from = isIntrinsic(site) ? values[0] : *rest;
  if (hasPart(site, "reduce."))
    takeBoxReduction(t);
}

// Keeps the swizzle of the site's last copy, plus 1.
static void noteSwizzle(const CuteSimTransfer *t) {
  __atomic_store_n(t->site->prepared, (void *)(uintptr_t)(t->map.swizzle + 1),
                   __ATOMIC_RELAXED);
}

int cuteSimBulkGetSwizzle(const CuteSimSite *site) {
  if (site->function != cuteSimBulkTensor)
    return -1;
  return (int)(uintptr_t)__atomic_load_n(site->prepared, __ATOMIC_RELAXED) - 1;
}

void cuteSimBulkTensor(CuteSimThread *thread, const CuteSimSite *site,
                       uint64_t *values) {
  CuteSimTransfer t = {.thread = thread, .site = site};
  if (hasPart(site, "gather4") || hasPart(site, "scatter4") ||
      hasPart(site, "im2col_w") || hasPart(site, "im2col::w"))
    failUnknown(thread, site);
  if (hasPart(site, ".g2s.") || hasPart(site, ".shared::cluster.global") ||
      hasPart(site, ".shared::cta.global"))
    takeBoxLoad(&t, values);
  else
    takeBoxStore(&t, values);
  noteSwizzle(&t);
  t.bytes = cuteSimTensorMapGetBytes(&t.map);
  cuteSimTransferStart(&t);
}

//===-- Runs of bytes -----------------------------------------------------===//

// Intrinsics have the barrier after the destination, PTX after the bytes.
void cuteSimBulkCopy(CuteSimThread *thread, const CuteSimSite *site,
                     uint64_t *values) {
  bool isOurs = isIntrinsic(site);
  bool toGlobal =
      hasPart(site, "cta.to.global") || hasPart(site, ".global.shared::cta");
  bool toBlock = hasPart(site, "cta.to.cluster") ||
                 hasPart(site, ".shared::cluster.shared::cta");
  bool isBefore = isOurs && !toGlobal;
  CuteSimTransfer t = {.thread = thread,
                       .site = site,
                       .direction = toGlobal  ? CUTE_SIM_TO_GLOBAL
                                    : toBlock ? CUTE_SIM_TO_BLOCK
                                              : CUTE_SIM_TO_SHARED,
                       .to = values[0],
                       .from = values[1 + isBefore],
                       .bytes = (uint32_t)values[2 + isBefore]};
  if (hasPart(site, "bytemask") || hasPart(site, "cp_mask"))
    failUnknown(thread, site);
  if (!toGlobal)
    t.barrier = values[isOurs ? 1 : 3];
  bool hasMask = isOurs ? hasPart(site, "shared.cluster") && values[6]
                        : hasPart(site, ".multicast::cluster");
  if (hasMask)
    t.blocks = (uint32_t)values[4] & 0xffff;
  if (hasPart(site, "cp.reduce."))
    takeReduction(&t);
  cuteSimTransferStart(&t);
}

//===-- Groups ------------------------------------------------------------===//

void cuteSimBulkCommit(CuteSimThread *thread, const CuteSimSite *site,
                       uint64_t *values) {
  (void)site, (void)values;
  ++cuteSimGetStores(thread)->groups;
}

// Waits until shared memory was read, or all is done: here they are one.
void cuteSimBulkWait(CuteSimThread *thread, const CuteSimSite *site,
                     uint64_t *values) {
  thread->waitedAt = site;
  cuteSimStoresFinish(thread, cuteSimGetStores(thread)->groups -
                                  (int64_t)(uint32_t)values[0]);
}
