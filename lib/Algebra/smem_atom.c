// Tiles in shared memory that wgmma reads.
#include "Algebra/algebra.h"
#include "cute/Atom.h"

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
