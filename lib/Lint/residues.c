// Tiles that reach past the end of a tensor, accessed without a predicate.
#include "Lint/lint.h"

static void tellOfResidue(CuteLint *lint, const CuteAccess *a,
                          const CuteResidue *r) {
  const char *note = "give the copy a predicate (cute.make_predicate of an "
                     "identity tensor that is cut in the same way), or choose "
                     "a tile that divides";
  int64_t beyond = r->extent ? r->tile - r->extent % r->tile : 0;
  if (a->isPredicated)
    cuteLintEmit(lint, a->op, CUTE_SEVERITY_REMARK,
                 "choose a tile that divides, or let the predicate bound the "
                 "tile, too",
                 "%s is a tile that is cut again, into tiles of %jd in mode "
                 "%zu, which has %jd elements: the last reaches %jd into the "
                 "next tile, which the extents of the tensor allow",
                 a->what, r->tile, r->mode, r->extent, beyond);
  else if (r->extent)
    cuteLintEmit(lint, a->op, CUTE_SEVERITY_WARNING, note,
                 "%s is cut into tiles of %jd in mode %zu, which has %jd "
                 "elements: the last reaches %jd past the end, and nothing "
                 "stops accesses there",
                 a->what, r->tile, r->mode, r->extent, beyond);
  else
    cuteLintEmit(lint, a->op, CUTE_SEVERITY_REMARK, note,
                 "%s is cut into tiles of %jd in mode %zu, whose extent is "
                 "not known to be a multiple: promise it, ?{div=%jd}, or stop "
                 "accesses past the end",
                 a->what, r->tile, r->mode, r->tile);
}

void cuteLintResidue(CuteLint *lint, size_t i) {
  const CuteAccess *a = &lint->kernel.accesses[0].accesses[i];
  if (!a->residue || a->isConditional ||
      (a->isPredicated && !(a->residue->isInTile && a->residue->extent)) ||
      cutePointerMapGet(&lint->advised, a->residue->op.ptr))
    return;
  cutePointerMapSet(&lint->advised, a->residue->op.ptr, lint);
  tellOfResidue(lint, a, a->residue);
}
