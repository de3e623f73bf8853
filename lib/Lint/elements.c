// Copies between elements of different meaning: an atom moves bits.
#include "Lint/lint.h"

// Tells whether a value keeps its meaning in the other type, of as many bits:
// integers do, and tensor cores read f32 as tf32.
static bool isSameValue(CuteElementType a, CuteElementType b) {
  if (a == b)
    return true;
  if (cuteElementTypeIsFloat(a) || cuteElementTypeIsFloat(b))
    return (a == CUTE_ELEMENT_F32 && b == CUTE_ELEMENT_TF32) ||
           (a == CUTE_ELEMENT_TF32 && b == CUTE_ELEMENT_F32);
  return true;
}

// Tells whether the op copies from a tensor to another by an atom.
static bool isByAtom(const CuteLint *lint, MlirOperation op,
                     const CuteOpTraits *traits) {
  if (traits->source < 0 || traits->written < 0)
    return false;
  CuteType by = cuteDialectGetOperandType(lint->kernel.dialect, op, 0);
  return cuteTypeIsKind(by, CUTE_TYPE_TILED_COPY) ||
         cuteTypeIsKind(by, CUTE_TYPE_COPY_ATOM);
}

void cuteLintElements(CuteLint *lint, size_t i) {
  MlirOperation op = lint->kernel.accesses[0].accesses[i].op;
  const CuteOpTraits *traits =
      &cuteDialectGetDecl(lint->kernel.dialect, op)->traits;
  if (!isByAtom(lint, op, traits))
    return;
  CuteElementType from =
      cuteDialectGetOperandType(lint->kernel.dialect, op, traits->source)
          ->element;
  CuteElementType to =
      cuteDialectGetOperandType(lint->kernel.dialect, op, traits->written)
          ->element;
  if (!isSameValue(from, to))
    cuteLintEmit(lint, op, CUTE_SEVERITY_WARNING,
                 "cute.convert converts values; to reinterpret their bits, "
                 "apply cute.recast_tensor to one side",
                 "copies the bits of %s elements to %s elements, which changes "
                 "the numbers",
                 cuteElementTypeGetName(from), cuteElementTypeGetName(to));
}
