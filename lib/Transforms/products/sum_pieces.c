#include "Transforms/products/sum_pieces.h"
#include "Transforms/products/to_wgmma.h"

// The sums of the pieces: each has so many adjacent values in every row of
// instructions, which one piece shares or each piece has for itself.
static CuteLayout fragmentLayout(CuteContext c, const CuteSumPieces *p,
                                 CuteType fragment) {
  int64_t values = p->columns / 2;
  int64_t rows =
      p->down > 1
          ? 1
          : cuteIntTupleProduct(c, element(fragment->layout->shape, 1))->value;
  CuteIntTuple two = staticInt(c, 2), one = staticInt(c, 1);
  CuteIntTuple inner[] = {two, two, staticInt(c, values / 4)};
  CuteIntTuple steps[] = {one, two, staticInt(c, 4)};
  CuteIntTuple pieces[] = {staticInt(c, p->across), staticInt(c, p->down)};
  CuteIntTuple next[] = {staticInt(c, values),
                         staticInt(c, values * p->across)};
  CuteIntTuple shape[] = {cuteInternTuple(c, 3, inner), staticInt(c, rows), one,
                          cuteInternTuple(c, 2, pieces)};
  CuteIntTuple stride[] = {cuteInternTuple(c, 3, steps),
                           staticInt(c, rows > 1 ? values * p->across : 0),
                           staticInt(c, 0), cuteInternTuple(c, 2, next)};
  return cuteLayoutGet(c, cuteInternTuple(c, 4, shape),
                       cuteInternTuple(c, 4, stride));
}

bool cuteSumPiecesEmit(CuteRebuild *r, CuteSumPieces *p, MlirValue atom,
                       MlirValue mma, MlirValue fragment) {
  CuteContext c = r->dialect->context;
  CuteType whole = cuteDialectGetValueType(r->dialect, mma);
  const CuteMmaAtom *like = whole->atom;
  const CuteMmaAtom *found = cuteProductsFindAtom(
      like, p->columns, like->sourceA, like->majorA, like->majorB);
  if (!found)
    return cuteFail(c, "has no instruction that takes pieces of %jd columns",
                    p->columns);
  MlirValue piece = cuteEmitStatic(r, cuteTypeGetMmaAtom(c, found));
  MlirValue small = cuteEmit2(r, CUTE_OP_MAKE_TILED_MMA, piece,
                              cuteEmitLayout(r, whole->layout));
  p->copy = cuteEmit2(r, CUTE_OP_MAKE_TILED_COPY_C, atom, small);
  CuteType type = cuteDialectGetValueType(r->dialect, fragment);
  p->fragments = cuteEmitOver(r, fragment, type->element,
                              cuteEmitLayout(r, fragmentLayout(c, p, type)));
  return !r->failed;
}

CuteIntTuple cuteSumPiecesShape(CuteContext c, int64_t rows, int64_t columns) {
  CuteIntTuple extents[] = {staticInt(c, rows), staticInt(c, columns)};
  return cuteInternTuple(c, 2, extents);
}

CuteLayout cuteSumPiecesLayout(CuteContext c, int64_t rows, int64_t columns,
                               int64_t buffers, int64_t bits) {
  static const char *const names[] = {
      "Layout_K_SW32_Atom", "Layout_K_SW64_Atom", "Layout_K_SW128_Atom"};
  int64_t bytes = columns * bits / 8;
  const CuteSmemAtom *atom =
      cuteSmemAtomFind(cuteStringRef(names[(bytes > 32) + (bytes > 64)]));
  CuteIntTuple shape[] = {staticInt(c, rows), staticInt(c, columns),
                          staticInt(c, buffers)};
  return cuteLayoutTileToShape(
      c, cuteSmemAtomGetLayout(c, atom, (unsigned)bits),
      cuteInternTuple(c, buffers ? 3 : 2, shape), NULL);
}

CuteIntTuple cuteSumPiecesAt(CuteContext c, size_t rank, int64_t i) {
  CuteIntTuple coord[4];
  for (size_t j = 0; j + 1 < rank; ++j)
    coord[j] = cuteIntTupleGetUnderscore(c);
  coord[rank - 1] = staticInt(c, i);
  return cuteInternTuple(c, rank, coord);
}
