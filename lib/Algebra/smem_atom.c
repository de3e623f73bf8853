// Tiles in shared memory that wgmma reads.
#include "Algebra/algebra.h"
#include "Hardware/atom_name.h"

static const CuteSmemAtom smemAtoms[] = {
#define CUTE_SMEM_ATOM(name, major, swizzleBits)                               \
  {#name, CUTE_MMA_SMEM_##major, swizzleBits},
#include "atoms/smem.def"
#undef CUTE_SMEM_ATOM
};

size_t cuteSmemAtomGetNum(void) { return sizeof smemAtoms / sizeof *smemAtoms; }

const CuteSmemAtom *cuteSmemAtomGet(size_t i) { return &smemAtoms[i]; }

const CuteSmemAtom *cuteSmemAtomFind(CuteStringRef name) {
  static const char suffix[] = "_Bits";
  size_t n = strlen(suffix);
  CuteAtomName normal;
  if (!cuteAtomNameNormalize(&normal, name))
    return NULL;
  if (normal.length > n && !strcmp(normal.text + normal.length - n, suffix))
    normal.text[normal.length - n] = '\0';
  for (size_t i = 0; i < cuteSmemAtomGetNum(); ++i)
    if (!strcmp(smemAtoms[i].name, normal.text))
      return &smemAtoms[i];
  return NULL;
}

// Rows of 16 bytes; the swizzle's bits come from 8 of them.
enum { UNIT_BYTES_LOG2 = 4, UNIT_BITS = 128, ROWS = 8, ROWS_LOG2 = 3 };

CuteSwizzle cuteSmemAtomGetByteSwizzle(const CuteSmemAtom *atom) {
  return (CuteSwizzle){(int32_t)atom->swizzleBits, UNIT_BYTES_LOG2, ROWS_LOG2};
}

CuteLayout cuteSmemAtomGetPlainLayout(CuteContext context,
                                      const CuteSmemAtom *atom, unsigned bits) {
  CuteContext c = context;
  if (!bits || bits > UNIT_BITS || bits & (bits - 1))
    return cuteFail(c, "%s: elements have 1, 2, 4, ... or 128 bits, not %u",
                    atom->name, bits);
  CuteIntTuple row =
      staticInt(c, ((int64_t)UNIT_BITS << atom->swizzleBits) / bits);
  CuteIntTuple one = staticInt(c, 1), rows = staticInt(c, ROWS);
  bool isMn = atom->major == CUTE_MMA_SMEM_MN;
  CuteIntTuple shape[] = {isMn ? row : rows, isMn ? rows : row};
  CuteIntTuple stride[] = {isMn ? one : row, isMn ? row : one};
  return cuteLayoutGet(c, cuteInternTuple(c, 2, shape),
                       cuteInternTuple(c, 2, stride));
}

CuteLayout cuteSmemAtomGetLayout(CuteContext context, const CuteSmemAtom *atom,
                                 unsigned bits) {
  CuteLayout plain = cuteSmemAtomGetPlainLayout(context, atom, bits);
  CuteSwizzle swizzle = cuteSmemAtomGetByteSwizzle(atom);
  if (!plain || !atom->swizzleBits)
    return plain;
  bool ok = cuteSwizzleDowncast(context, swizzle, 8, &swizzle) &&
            cuteSwizzleUpcast(context, swizzle, bits, &swizzle);
  return ok ? cuteLayoutComposeSwizzle(context, swizzle, staticInt(context, 0),
                                       plain)
            : NULL;
}
