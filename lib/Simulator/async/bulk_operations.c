// Operands of bulk copies as LLVM's intrinsics and as PTX have them.
#include "Simulator/async/bulk_transfer.h"
#include "Simulator/machine/cluster_end.h"
#include "Simulator/ptx/operation_table.h"
#include "Support/text.h"

static bool hasPart(const CuteSimSite *site, const char *part) {
  return strstr(site->name, part) != NULL;
}

static bool isIntrinsic(const CuteSimSite *site) {
  return site->words & CUTE_SIM_INTRINSIC;
}

static _Noreturn void failUnknown(CuteSimOp op) { cuteSimFailUnknown(op); }

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
  CuteStringRef name = {t->op.site->name, strlen(t->op.site->name)};
  t->type = cutePtxFindType(takeLast(&name));
  CuteStringRef operation = takeLast(&name);
  if (cuteTextEquals(operation, "noftz"))
    operation = takeLast(&name);
  if (!t->type || !cuteSimReductionFind(operation, &t->reduction))
    failUnknown(t->op);
}

// The operation of a box is a word of the name; its type is the map's.
static void takeBoxReduction(CuteSimTransfer *t) {
  static const char *const names[] = {"add", "min", "max", "inc",
                                      "dec", "and", "or",  "xor"};
  t->type = cutePtxFindType(cuteStringRef(cuteSimTensorMapGetType(&t->map)));
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    char part[8] = ".";
    strcat(strcat(part, names[i]), ".");
    if (hasPart(t->op.site, part)) {
      cuteSimReductionFind(cuteStringRef(names[i]), &t->reduction);
      return;
    }
  }
  failUnknown(t->op);
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

static const CuteSimTensorMap *mapAt(CuteSimOp op, uint64_t address) {
  const CuteSimTensorMap *map = NULL;
  if (address)
    map = cuteSimTensorMapGet((const void *)(uintptr_t)address);
  if (!map)
    cuteSimFail(op, "$: there is no tensor map at 0x%jx", address);
  if (map->rank != rankOf(op.site))
    cuteSimFail(op, "$: the tensor map has rank %u", map->rank);
  if (map->isIm2col != hasPart(op.site, ".im2col") &&
      !hasPart(op.site, "s2g") && !hasPart(op.site, "global.shared"))
    cuteSimFail(op, "$: the tensor map is %sof im2col",
                map->isIm2col ? "" : "not ");
  return map;
}

// A column and four rows of gather4 and scatter4, whose boxes have one row.
static const uint64_t *takeCoords(CuteSimTransfer *t, const uint64_t *values) {
  const CuteSimSite *site = t->op.site;
  t->map.isOfRows = hasPart(site, "gather4") || hasPart(site, "scatter4");
  if (t->map.isOfRows && (t->map.rank != 2 || t->map.box[1] != 1))
    cuteSimFail((CuteSimOp){t->op.thread, site},
                "$: the tensor map has rank %u and boxes of %u rows; four rows "
                "are copied with rank 2 and boxes of 1 row",
                t->map.rank, t->map.box[1]);
  unsigned n = t->map.isOfRows ? 1u + CUTE_SIM_MAP_ROWS : t->map.rank;
  for (unsigned i = 0; i < n; ++i)
    t->coords[i] = (int32_t)(uint32_t)values[i];
  return values + n;
}

static const uint64_t *takeOffsets(CuteSimTransfer *t, const uint64_t *values) {
  t->hasOffsets = hasPart(t->op.site, ".im2col");
  unsigned n = t->hasOffsets ? t->map.rank - 2u : 0;
  for (unsigned i = 0; i < n; ++i)
    t->offsets[i] = (uint16_t)values[i];
  return values + n;
}

// Intrinsic: to, barrier, map, coordinates, offsets, mask and flags. PTX: to,
// map, coordinates, barrier, offsets, mask.
static void takeBoxLoad(CuteSimTransfer *t, const uint64_t *values) {
  const CuteSimSite *site = t->op.site;
  const uint64_t *end = values + site->numOperands;
  bool hasMask = hasPart(site, ".multicast::cluster");
  t->to = values[0];
  t->map = *mapAt((CuteSimOp){t->op.thread, site},
                  values[isIntrinsic(site) ? 2 : 1]);
  if (isIntrinsic(site)) {
    t->barrier = values[1];
    values = takeOffsets(t, takeCoords(t, values + 3));
    hasMask = !hasPart(site, "g2s.cta.") && end[-3];
    t->isOfPair = !hasPart(site, "g2s.cta.") && end[-1] == 2;
  } else {
    values = takeCoords(t, values + 2);
    t->barrier = *values++;
    values = takeOffsets(t, values);
    t->isOfPair = hasPart(site, ".cta_group::2");
  }
  if (hasMask)
    t->blocks = (uint32_t)*values & 0xffff;
}

// Intrinsic: from, map, coordinates. PTX: map, coordinates, from.
static void takeBoxStore(CuteSimTransfer *t, const uint64_t *values) {
  const CuteSimSite *site = t->op.site;
  t->direction = CUTE_SIM_TO_GLOBAL;
  t->map = *mapAt((CuteSimOp){t->op.thread, site}, values[isIntrinsic(site)]);
  const uint64_t *rest = takeCoords(t, values + 1 + isIntrinsic(site));
  t->from = isIntrinsic(site) ? values[0] : *rest;
  if (hasPart(site, "reduce."))
    takeBoxReduction(t);
}

// Keeps the swizzle of the site's last copy, plus 1.
static void noteSwizzle(const CuteSimTransfer *t) {
  __atomic_store_n(t->op.site->prepared,
                   (void *)(uintptr_t)(t->map.swizzle + 1), __ATOMIC_RELAXED);
}

int cuteSimBulkGetSwizzle(const CuteSimSite *site) {
  if (site->function != cuteSimBulkTensor)
    return -1;
  return (int)(uintptr_t)__atomic_load_n(site->prepared, __ATOMIC_RELAXED) - 1;
}

void cuteSimBulkTensor(CuteSimOp op, uint64_t *values) {
  CuteSimTransfer t = {.op = op};
  if (hasPart(op.site, "im2col_w") || hasPart(op.site, "im2col::w"))
    failUnknown(op);
  if (hasPart(op.site, ".g2s.") ||
      hasPart(op.site, ".shared::cluster.global") ||
      hasPart(op.site, ".shared::cta.global"))
    takeBoxLoad(&t, values);
  else
    takeBoxStore(&t, values);
  noteSwizzle(&t);
  t.bytes = cuteSimTensorMapGetBytes(&t.map);
  cuteSimTransferStart(&t);
}

//===-- Runs of bytes -----------------------------------------------------===//

// Intrinsics have the barrier after the destination, PTX after the bytes.
void cuteSimBulkCopy(CuteSimOp op, uint64_t *values) {
  bool isOurs = isIntrinsic(op.site);
  bool toGlobal = hasPart(op.site, "cta.to.global") ||
                  hasPart(op.site, ".global.shared::cta");
  bool toBlock = hasPart(op.site, "cta.to.cluster") ||
                 hasPart(op.site, ".shared::cluster.shared::cta");
  bool isBefore = isOurs && !toGlobal;
  CuteSimTransfer t = {.op = op,
                       .direction = toGlobal  ? CUTE_SIM_TO_GLOBAL
                                    : toBlock ? CUTE_SIM_TO_BLOCK
                                              : CUTE_SIM_TO_SHARED,
                       .to = values[0],
                       .from = values[1 + isBefore],
                       .bytes = (uint32_t)values[2 + isBefore]};
  if (toBlock)
    cuteSimClusterCheckLaunch(op);
  if (hasPart(op.site, "bytemask") || hasPart(op.site, "cp_mask"))
    failUnknown(op);
  if (!toGlobal)
    t.barrier = values[isOurs ? 1 : 3];
  bool hasMask = isOurs ? hasPart(op.site, "shared.cluster") && values[6]
                        : hasPart(op.site, ".multicast::cluster");
  if (hasMask)
    t.blocks = (uint32_t)values[4] & 0xffff;
  if (hasPart(op.site, "cp.reduce."))
    takeReduction(&t);
  cuteSimTransferStart(&t);
}

//===-- Groups ------------------------------------------------------------===//

void cuteSimBulkCommit(CuteSimOp op, CUTE_UNUSED uint64_t *values) {
  ++cuteSimQueueGet(op.thread, CUTE_SIM_STORES)->groups;
}

// Waits until shared memory was read, or all is done.
void cuteSimBulkWait(CuteSimOp op, uint64_t *values) {
  op.thread->waitedAt = op.site;
  cuteSimStoresWait(op.thread,
                    cuteSimQueueGet(op.thread, CUTE_SIM_STORES)->groups -
                        (int64_t)(uint32_t)values[0],
                    hasPart(op.site, ".read"));
}
