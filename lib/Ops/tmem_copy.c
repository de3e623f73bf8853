// tcgen05.cp: rows of shared memory, by a matrix descriptor, to tensor memory.
#include "Ops/copy_atoms.h"
#include "Ops/descriptors.h"
#include "Ops/ops.h"

// The tile that an instruction reads, from its name: "...::1.32x128b.warpx4" is
// 32 rows of 16 bytes.
typedef struct Tile {
  int rows, bits;
  const char *shape; // "32x128b.warpx4"
} Tile;

static Tile tileOf(const CuteCopyAtom *atom) {
  static const char prefix[] = "tcgen05.cp.cta_group::1.";
  Tile tile = {.shape = atom->instruction + strlen(prefix)};
  sscanf(tile.shape, "%dx%db", &tile.rows, &tile.bits);
  return tile;
}

// The tile of the tensor's values that one instruction takes, as ((rows,
// columns),1) -> element: rows come first, and of .warpx2::01_23 half of them
// before the columns.
static CuteLayout rowsAndColumns(CuteContext c, const Tile *tile,
                                 CuteType source) {
  int64_t columns =
      tile->bits / (int64_t)cuteElementTypeGetBits(source->element);
  int64_t first = strstr(tile->shape, "::01_23") ? tile->rows / 2 : tile->rows;
  CuteIntTuple rows[] = {staticInt(c, first), staticInt(c, tile->rows / first)};
  CuteIntTuple steps[] = {staticInt(c, 1), staticInt(c, first * columns)};
  CuteIntTuple shape[] = {cuteInternTuple(c, 2, rows), staticInt(c, columns)};
  CuteIntTuple stride[] = {cuteInternTuple(c, 2, steps), staticInt(c, first)};
  CuteIntTuple extents[] = {cuteInternTuple(c, 2, shape), staticInt(c, 1)};
  CuteIntTuple strides[] = {cuteInternTuple(c, 2, stride), staticInt(c, 0)};
  CuteLayout order = cuteLayoutGet(c, cuteInternTuple(c, 2, extents),
                                   cuteInternTuple(c, 2, strides));
  return cuteLayoutComposition(c, cuteLayoutGetOuter(c, source->layout),
                               cuteTileGetLayout(c, order));
}

// The elements of the tile are read several times: values after them are the
// same.
static bool repeats(CuteContext c, const Tile *tile, CuteType source,
                    int64_t values) {
  int64_t n = (int64_t)tile->rows * tile->bits /
              (int64_t)cuteElementTypeGetBits(source->element);
  CuteLayout layout = cuteLayoutGetOuter(c, source->layout);
  for (int64_t i = n; i < values; i += n)
    if (!isStaticValue(cuteEvalMode(c, staticInt(c, i), layoutMode(layout)), 0))
      return false;
  return true;
}

bool cuteTmemCopyDescribe(CuteContext c, CuteType copy, CuteType source,
                          CuteDescriptor *descriptor) {
  Tile tile = tileOf(copy->atom);
  int64_t values = cuteCopyAtomValues(c, copy, CUTE_SOURCE);
  CuteLayout layout = rowsAndColumns(c, &tile, source);
  if (layout && repeats(c, &tile, source, values) && source->align >= 16 &&
      cuteDescriptorMatch(c, CUTE_MAJOR_K, source, layout, descriptor))
    return true;
  return cuteFail(
      c,
      "%s reads %d rows of %d bytes: mode 0 of the source goes along the "
      "rows, then along a row, then again over all at stride 0, where 8 "
      "rows repeat a pattern of cute.tile_to_shape that is aligned to 16 "
      "bytes; the source is %s",
      ((const CuteCopyAtom *)copy->atom)->name, tile.rows, tile.bits / 8,
      cuteTypeText(c, source));
}

// Writes "llvm.nvvm.tcgen05.cp.32x128b_warpx4.cg1".
static void nameIntrinsic(const CuteCopyAtom *atom, char *name, size_t size) {
  static const char prefix[] = "tcgen05.cp.cta_group::";
  int n = snprintf(name, size, "llvm.nvvm.tcgen05.cp.");
  for (const char *at = tileOf(atom).shape; *at; ++at) {
    bool isColon = at[0] == ':' && at[1] == ':';
    name[n++] = *at == '.' || isColon ? '_' : *at;
    at += isColon;
  }
  snprintf(name + n, size - (size_t)n, ".cg%c",
           atom->instruction[strlen(prefix)]);
}

void cuteLowerTmemCopy(CuteLowering *lowering, const CuteCopyCall *call) {
  CuteDescriptor descriptor;
  CuteType source = call->source->type;
  CuteType copy = cuteTypeGetCopyAtom(lowering->context, call->atom,
                                      (CuteElementType)source->element);
  if (!cuteTmemCopyDescribe(lowering->context, copy, source, &descriptor)) {
    lowering->failed = true;
    return;
  }
  char name[64];
  nameIntrinsic(call->atom, name, sizeof name);
  MlirValue values[] = {
      cuteLoweringGetBytePointer(lowering, *call->destination),
      cuteLowerDescriptorAt(
          lowering, true, descriptor,
          cuteLoweringGetBytePointer(lowering, *call->source))};
  cuteBuildIntrinsic(&lowering->builder, name, 2, values, (MlirType){NULL});
}
