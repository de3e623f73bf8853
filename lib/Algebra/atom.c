// The rows of dialect/atoms.
#include "cute/Atom.h"

static const CuteMmaAtom mmaAtoms[] = {
#define CUTE_MMA_ATOM(name, arch, instruction, m, n, k, d, a, b, c, thrId,     \
                      layoutA, layoutB, layoutC)                               \
  {#name,                                                                      \
   arch,                                                                       \
   instruction,                                                                \
   m,                                                                          \
   n,                                                                          \
   k,                                                                          \
   CUTE_ELEMENT_##d,                                                           \
   CUTE_ELEMENT_##a,                                                           \
   CUTE_ELEMENT_##b,                                                           \
   CUTE_ELEMENT_##c,                                                           \
   thrId,                                                                      \
   layoutA,                                                                    \
   layoutB,                                                                    \
   layoutC},
#include "atoms/sm80.def"
#undef CUTE_MMA_ATOM
};

static const CuteCopyAtom copyAtoms[] = {
#define CUTE_COPY_ATOM(name, arch, kind, instruction, bits, zeroFill, thrId,   \
                       source, destination, reference)                         \
  {name,     arch,  CUTE_COPY_##kind, instruction, bits,                       \
   zeroFill, thrId, source,           destination, reference},
#include "atoms/copy.def"
#undef CUTE_COPY_ATOM
};

size_t cuteMmaAtomGetNum(void) { return sizeof mmaAtoms / sizeof *mmaAtoms; }

const CuteMmaAtom *cuteMmaAtomGet(size_t i) { return &mmaAtoms[i]; }

size_t cuteCopyAtomGetNum(void) { return sizeof copyAtoms / sizeof *copyAtoms; }

const CuteCopyAtom *cuteCopyAtomGet(size_t i) { return &copyAtoms[i]; }

static bool matches(const char *row, CuteStringRef name) {
  return strlen(row) == name.length && !memcmp(row, name.data, name.length);
}

const CuteMmaAtom *cuteMmaAtomFind(CuteStringRef name) {
  for (size_t i = 0; i < cuteMmaAtomGetNum(); ++i)
    if (matches(mmaAtoms[i].name, name))
      return &mmaAtoms[i];
  return NULL;
}

// The row's name without its template argument is `name`.
static bool matchesTemplate(const char *row, CuteStringRef name) {
  const char *angle = strchr(row, '<');
  return angle && (size_t)(angle - row) == name.length &&
         !memcmp(row, name.data, name.length);
}

const CuteCopyAtom *cuteCopyAtomFind(CuteStringRef name) {
  const CuteCopyAtom *found = NULL;
  size_t count = 0;
  for (size_t i = 0; i < cuteCopyAtomGetNum(); ++i) {
    if (matches(copyAtoms[i].name, name))
      return &copyAtoms[i];
    if (matchesTemplate(copyAtoms[i].name, name)) {
      found = &copyAtoms[i];
      ++count;
    }
  }
  return count == 1 ? found : NULL;
}
