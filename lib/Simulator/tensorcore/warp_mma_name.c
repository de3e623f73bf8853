#include "Hardware/atom.h"
#include "Hardware/element.h"
#include "Simulator/tensorcore/warp_mma.h"
#include "Support/text.h"

enum { MAX_NAME = 160 };

static bool isKind(const CuteMmaAtom *atom, int kind) {
  return atom->kind == &cuteMmaAtomKinds[kind];
}

bool cuteSimMmaIsOfWarp(const CuteMmaAtom *atom) {
  return isKind(atom, CUTE_MMA_QUADPAIR) || isKind(atom, CUTE_MMA_WARP) ||
         isKind(atom, CUTE_MMA_SPARSE) || isKind(atom, CUTE_MMA_SCALED) ||
         isKind(atom, CUTE_MMA_SPARSE_SCALED);
}

// The mnemonic with `mma.sp.` as `mma.sp::ordered_metadata.`, which says in
// addition that indices ascend, as they do anyway.
static void spellOrdered(char text[MAX_NAME], CuteStringRef mnemonic) {
  static const char sparse[] = "mma.sp.";
  size_t n = strlen(sparse);
  bool isSparse = mnemonic.length > n && !strncmp(mnemonic.data, sparse, n);
  size_t skip = isSparse ? n : 0;
  snprintf(text, MAX_NAME, "%s%.*s",
           isSparse ? "mma.sp::ordered_metadata." : "",
           (int)(mnemonic.length - skip), mnemonic.data + skip);
}

const CuteMmaAtom *cuteSimMmaFindInstruction(CuteStringRef mnemonic) {
  char text[MAX_NAME];
  spellOrdered(text, mnemonic);
  for (size_t i = 0; i < cuteMmaAtomGetNum(); ++i) {
    const CuteMmaAtom *atom = cuteMmaAtomGet(i);
    if (cuteSimMmaIsOfWarp(atom) && !strcmp(atom->instruction, text))
      return atom;
  }
  return NULL;
}

// The types that tell apart intrinsics of one shape: D and C for f16, otherwise
// A, and B if it is another one.
static void spellTypes(char *text, size_t size, const CuteMmaAtom *atom) {
  const char *a = cuteElementGetInfo(atom->a)->ptx;
  const char *b = cuteElementGetInfo(atom->b)->ptx;
  if (atom->a == CUTE_ELEMENT_F16)
    snprintf(text, size, ".%s.%s", cuteElementGetInfo(atom->d)->ptx,
             cuteElementGetInfo(atom->c)->ptx);
  else if (atom->a == atom->b)
    snprintf(text, size, ".%s", a);
  else
    snprintf(text, size, ".%s.%s", a, b);
}

// MMA_NAME of llvm/IR/IntrinsicsNVVM.td.
static void spellIntrinsic(char text[MAX_NAME], const CuteMmaAtom *atom) {
  char types[32];
  spellTypes(types, sizeof types, atom);
  snprintf(text, MAX_NAME, "llvm.nvvm.mma%s.m%dn%dk%d.%s.%s%s%s",
           atom->bitOp == CUTE_BITS_AND   ? ".and.popc"
           : atom->bitOp == CUTE_BITS_XOR ? ".xor.popc"
                                          : "",
           atom->m, atom->n, atom->k,
           atom->majorA == CUTE_MAJOR_K ? "row" : "col",
           atom->majorB == CUTE_MAJOR_K ? "col" : "row",
           atom->saturates ? ".satfinite" : "", types);
}

const CuteMmaAtom *cuteSimMmaFindIntrinsic(CuteStringRef name) {
  for (size_t i = 0; i < cuteMmaAtomGetNum(); ++i) {
    const CuteMmaAtom *atom = cuteMmaAtomGet(i);
    char text[MAX_NAME];
    if (!isKind(atom, CUTE_MMA_WARP) && !isKind(atom, CUTE_MMA_QUADPAIR))
      continue;
    spellIntrinsic(text, atom);
    if (cuteTextEquals(name, text))
      return atom;
  }
  return NULL;
}
