// Tiles in shared memory that wgmma and tcgen05.mma read.
#include "Algebra/algebra.h"
#include "cute/Atom.h"

enum { UNIT_BYTES_LOG2 = 4, ROWS_LOG2 = 3, MOST_BITS = 128 };

CuteSwizzle cuteSmemAtomGetByteSwizzle(const CuteSmemAtom *atom) {
  return (CuteSwizzle){(int32_t)atom->swizzleBits,
                       UNIT_BYTES_LOG2 + atom->isWide,
                       ROWS_LOG2 - atom->isWide};
}

CuteLayout cuteSmemAtomGetPlainLayout(CuteContext context,
                                      const CuteSmemAtom *atom, unsigned bits) {
  CuteContext c = context;
  if (!bits || bits > MOST_BITS || bits & (bits - 1))
    return cuteFail(c, "%s: elements have 1, 2, 4, ... or 128 bits, not %u",
                    atom->name, bits);
  CuteSwizzle s = cuteSmemAtomGetByteSwizzle(atom);
  CuteIntTuple row = staticInt(c, (INT64_C(8) << (s.bits + s.base)) / bits);
  CuteIntTuple one = staticInt(c, 1),
               rows = staticInt(c, INT64_C(1) << s.shift);
  bool isMn = atom->major == CUTE_MAJOR_MN;
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
