// The rows of dialect/atoms.
#include "Hardware/atom_name.h"

//===-- MMA ---------------------------------------------------------------===//

// `suffix` is that of the architecture, `ptx` the least version; behind kA come
// initializers of e, sfa and sfb.
#define CUTE_MMA_ROW_WITH(suffix, ptx, name, arch, instruction, m, n, k, d, a, \
                          b, c, sourceA, sourceB, thrId, layoutA, layoutB,     \
                          layoutC, ...)                                        \
  {name,                                                                       \
   arch,                                                                       \
   suffix,                                                                     \
   ptx,                                                                        \
   instruction,                                                                \
   m,                                                                          \
   n,                                                                          \
   k,                                                                          \
   CUTE_ELEMENT_##d,                                                           \
   CUTE_ELEMENT_##a,                                                           \
   CUTE_ELEMENT_##b,                                                           \
   CUTE_ELEMENT_##c,                                                           \
   CUTE_MMA_##sourceA,                                                         \
   CUTE_MMA_##sourceB,                                                         \
   thrId,                                                                      \
   layoutA,                                                                    \
   layoutB,                                                                    \
   layoutC,                                                                    \
   .kA = __VA_ARGS__},
#define CUTE_MMA_ROW(suffix, ptx, name, arch, instruction, m, n, k, ...)       \
  CUTE_MMA_ROW_WITH(suffix, ptx, name, arch, instruction, m, n, k,             \
                    __VA_ARGS__, k)

// One wgmma of n columns; n8 is n / 8.
#define GMMA_ROW(n, n8, types, suffix, k, d, a, b, instruction, sourceA,       \
                 sourceB, layoutA)                                             \
  CUTE_MMA_ROW('a', 80, "SM90_64x" #n "x" #k "_" #types "_" suffix, 90,        \
               "wgmma.mma_async.sync.aligned.m64n" #n "k" #k instruction, 64,  \
               n, k, d, a, b, d, sourceA, sourceB, "128:1", layoutA,           \
               "(128,(" #n "," #k ")):(0,(1," #n "))",                         \
               "((4,8,4),(2,2," #n8 ")):((128,1,16),(64,8,512))")

#define GMMA_SHARED_A(k) "(128,(64," #k ")):(0,(1,64))"

// A row for each N that floating-point numbers have beside those of integers,
// and for each that both have.
#define GMMA_N_FLOAT(ROW, ...)                                                 \
  ROW(40, 5, __VA_ARGS__)                                                      \
  ROW(56, 7, __VA_ARGS__)                                                      \
  ROW(72, 9, __VA_ARGS__)                                                      \
  ROW(88, 11, __VA_ARGS__)                                                     \
  ROW(104, 13, __VA_ARGS__)                                                    \
  ROW(120, 15, __VA_ARGS__)                                                    \
  ROW(136, 17, __VA_ARGS__)                                                    \
  ROW(152, 19, __VA_ARGS__)                                                    \
  ROW(168, 21, __VA_ARGS__)                                                    \
  ROW(184, 23, __VA_ARGS__)                                                    \
  ROW(200, 25, __VA_ARGS__)                                                    \
  ROW(216, 27, __VA_ARGS__)                                                    \
  ROW(232, 29, __VA_ARGS__)                                                    \
  ROW(248, 31, __VA_ARGS__)                                                    \
  GMMA_N_INTEGER(ROW, __VA_ARGS__)
#define GMMA_N_INTEGER(ROW, ...)                                               \
  ROW(8, 1, __VA_ARGS__)                                                       \
  ROW(16, 2, __VA_ARGS__)                                                      \
  ROW(24, 3, __VA_ARGS__)                                                      \
  ROW(32, 4, __VA_ARGS__)                                                      \
  ROW(48, 6, __VA_ARGS__)                                                      \
  ROW(64, 8, __VA_ARGS__)                                                      \
  ROW(80, 10, __VA_ARGS__)                                                     \
  ROW(96, 12, __VA_ARGS__)                                                     \
  ROW(112, 14, __VA_ARGS__)                                                    \
  ROW(128, 16, __VA_ARGS__)                                                    \
  ROW(144, 18, __VA_ARGS__)                                                    \
  ROW(160, 20, __VA_ARGS__)                                                    \
  ROW(176, 22, __VA_ARGS__)                                                    \
  ROW(192, 24, __VA_ARGS__)                                                    \
  ROW(208, 26, __VA_ARGS__)                                                    \
  ROW(224, 28, __VA_ARGS__)                                                    \
  ROW(240, 30, __VA_ARGS__)                                                    \
  ROW(256, 32, __VA_ARGS__)

static const CuteMmaAtom mmaAtoms[] = {
#define CUTE_MMA_ATOM_SINCE(suffix, ptx, name, arch, instruction, m, n, k, d,  \
                            a, b, c, ...)                                      \
  CUTE_MMA_ROW(suffix, ptx, name, arch, instruction, m, n, k, d, a, b, c,      \
               REGISTERS, REGISTERS, __VA_ARGS__)
#define CUTE_MMA_ATOM(...) CUTE_MMA_ATOM_SINCE('\0', 80, __VA_ARGS__)
// What takes E or factors is executed by a warp.
#define CUTE_MMA_WARP(suffix, ptx, name, arch, instruction, m, n, k, d, a, b,  \
                      c, ...)                                                  \
  CUTE_MMA_ROW_WITH(suffix, ptx, name, arch, instruction, m, n, k, d, a, b, c, \
                    REGISTERS, REGISTERS, "32:1", __VA_ARGS__)
#define CUTE_MMA_SPARSE(suffix, ptx, name, arch, instruction, m, n, k, d, a,   \
                        b, c, layoutA, layoutB, layoutC, typeE, kE, layoutE)   \
  CUTE_MMA_WARP(suffix, ptx, name, arch, instruction, m, n, k, d, a, b, c,     \
                layoutA, layoutB, layoutC, k / 2,                              \
                .e = {CUTE_ELEMENT_##typeE, kE, layoutE})
#define CUTE_MMA_SCALED(suffix, ptx, name, arch, instruction, m, n, k, d, a,   \
                        b, c, layoutA, layoutB, layoutC, sf, kSf, layoutSfa,   \
                        layoutSfb)                                             \
  CUTE_MMA_WARP(suffix, ptx, name, arch, instruction, m, n, k, d, a, b, c,     \
                layoutA, layoutB, layoutC, k,                                  \
                .sfa = {CUTE_ELEMENT_##sf, kSf, layoutSfa},                    \
                .sfb = {CUTE_ELEMENT_##sf, kSf, layoutSfb})
#define CUTE_MMA_SPARSE_SCALED(suffix, ptx, name, arch, instruction, m, n, k,  \
                               d, a, b, c, layoutA, layoutB, layoutC, typeE,   \
                               kE, layoutE, sf, kSf, layoutSfa, layoutSfb)     \
  CUTE_MMA_WARP(suffix, ptx, name, arch, instruction, m, n, k, d, a, b, c,     \
                layoutA, layoutB, layoutC, k / 2,                              \
                .e = {CUTE_ELEMENT_##typeE, kE, layoutE},                      \
                .sfa = {CUTE_ELEMENT_##sf, kSf, layoutSfa},                    \
                .sfb = {CUTE_ELEMENT_##sf, kSf, layoutSfb})
#include "atoms/sm120.def"
#include "atoms/sm120_scaled.def"
#include "atoms/sm70.def"
#include "atoms/sm75.def"
#include "atoms/sm80.def"
#include "atoms/sm80_integer.def"
#include "atoms/sm89.def"
#include "atoms/sm90.def"
#include "atoms/sparse.def"
#include "atoms/universal.def"
#undef CUTE_MMA_ATOM
#undef CUTE_MMA_WARP
#undef CUTE_MMA_SPARSE
#undef CUTE_MMA_SCALED
#undef CUTE_MMA_SPARSE_SCALED
#undef CUTE_MMA_ATOM_SINCE

#define CUTE_GMMA_MAJORS(types, k, d, a, b, ptx, fragment)                     \
  GMMA_N_FLOAT(GMMA_ROW, types, "SS<K,K>", k, d, a, b, "." ptx, SMEM_K,        \
               SMEM_K, GMMA_SHARED_A(k))                                       \
  GMMA_N_FLOAT(GMMA_ROW, types, "SS<K,MN>", k, d, a, b, "." ptx, SMEM_K,       \
               SMEM_MN, GMMA_SHARED_A(k))                                      \
  GMMA_N_FLOAT(GMMA_ROW, types, "SS<MN,K>", k, d, a, b, "." ptx, SMEM_MN,      \
               SMEM_K, GMMA_SHARED_A(k))                                       \
  GMMA_N_FLOAT(GMMA_ROW, types, "SS<MN,MN>", k, d, a, b, "." ptx, SMEM_MN,     \
               SMEM_MN, GMMA_SHARED_A(k))                                      \
  GMMA_N_FLOAT(GMMA_ROW, types, "RS<K,K>", k, d, a, b, "." ptx, REGISTERS,     \
               SMEM_K, fragment)                                               \
  GMMA_N_FLOAT(GMMA_ROW, types, "RS<K,MN>", k, d, a, b, "." ptx, REGISTERS,    \
               SMEM_MN, fragment)
#define CUTE_GMMA_TN(types, k, d, a, b, ptx, fragment)                         \
  GMMA_N_FLOAT(GMMA_ROW, types, "SS_TN", k, d, a, b, "." ptx, SMEM_K, SMEM_K,  \
               GMMA_SHARED_A(k))                                               \
  GMMA_N_FLOAT(GMMA_ROW, types, "RS_TN", k, d, a, b, "." ptx, REGISTERS,       \
               SMEM_K, fragment)
#define GMMA_INTEGERS(suffix, types, k, d, a, b, ptx, fragment)                \
  GMMA_N_INTEGER(GMMA_ROW, types, "SS_TN" suffix, k, d, a, b, ptx, SMEM_K,     \
                 SMEM_K, GMMA_SHARED_A(k))                                     \
  GMMA_N_INTEGER(GMMA_ROW, types, "RS_TN" suffix, k, d, a, b, ptx, REGISTERS,  \
                 SMEM_K, fragment)
#define CUTE_GMMA_INTEGER(types, k, d, a, b, ptx, fragment)                    \
  GMMA_INTEGERS("", types, k, d, a, b, "." ptx, fragment)                      \
  GMMA_INTEGERS("_SATURATE", types, k, d, a, b, "." ptx ".satfinite", fragment)
#include "atoms/sm90_gmma.def"
#undef CUTE_GMMA_MAJORS
#undef CUTE_GMMA_TN
#undef CUTE_GMMA_INTEGER
};

size_t cuteMmaAtomGetNum(void) { return sizeof mmaAtoms / sizeof *mmaAtoms; }

const CuteMmaAtom *cuteMmaAtomGet(size_t i) { return &mmaAtoms[i]; }

const CuteMmaAtom *cuteMmaAtomFind(CuteStringRef name) {
  CuteAtomName normal;
  if (!cuteAtomNameOfMma(&normal, name))
    return NULL;
  for (size_t i = 0; i < cuteMmaAtomGetNum(); ++i)
    if (!strcmp(mmaAtoms[i].name, normal.text))
      return &mmaAtoms[i];
  return NULL;
}

//===-- Copies ------------------------------------------------------------===//

#define SIDE_BY_SIDE(bits) "(1," #bits "):(0,1)"

// Of one thread, which moves bits that lie side by side.
#define THREAD_ROW(name, arch, kind, instruction, bits, zeroFill)              \
  {                                                                            \
    name, arch, CUTE_COPY_##kind, instruction, bits, zeroFill, "1:0",          \
        SIDE_BY_SIDE(bits), SIDE_BY_SIDE(bits), SIDE_BY_SIDE(bits), 0, false   \
  }

#define PREFETCH_ROWS(name, argument, instruction, bits, bytes)                \
  THREAD_ROW(name "_L2_" bytes argument, 80, CP_ASYNC,                         \
             instruction ".L2::" bytes, bits, false),                          \
      THREAD_ROW(name "_ZFILL_L2_" bytes argument, 80, CP_ASYNC,               \
                 instruction ".L2::" bytes, bits, true)

static const CuteCopyAtom copyAtoms[] = {
#define CUTE_COPY_ATOM(name, arch, kind, instruction, bits, zeroFill, thrId,   \
                       source, destination, reference)                         \
  {name,  arch,   CUTE_COPY_##kind, instruction, bits, zeroFill,               \
   thrId, source, destination,      reference,   0,    false},
#define CUTE_PREFETCH_ATOM(name, argument, instruction, bits)                  \
  PREFETCH_ROWS(name, argument, instruction, bits, "64B"),                     \
      PREFETCH_ROWS(name, argument, instruction, bits, "128B"),                \
      PREFETCH_ROWS(name, argument, instruction, bits, "256B"),
#define CUTE_GLOBAL_ATOM(name, arch, kind, instruction)                        \
  THREAD_ROW(name "<uint32_t>", arch, kind, instruction, 32, false),           \
      THREAD_ROW(name "<uint64_t>", arch, kind, instruction, 64, false),       \
      THREAD_ROW(name "<uint128_t>", arch, kind, instruction, 128, false),
#define CUTE_VECTOR_ATOM(name, maxBits, assumesAlignment)                      \
  {name,                                                                       \
   0,                                                                          \
   CUTE_COPY_ELEMENTWISE,                                                      \
   "",                                                                         \
   0,                                                                          \
   false,                                                                      \
   "1:0",                                                                      \
   "(1,1):(0,0)",                                                              \
   "(1,1):(0,0)",                                                              \
   "(1,1):(0,0)",                                                              \
   maxBits,                                                                    \
   assumesAlignment},
#include "atoms/copy.def"
#undef CUTE_COPY_ATOM
#undef CUTE_PREFETCH_ATOM
#undef CUTE_GLOBAL_ATOM
#undef CUTE_VECTOR_ATOM
};

size_t cuteCopyAtomGetNum(void) { return sizeof copyAtoms / sizeof *copyAtoms; }

const CuteCopyAtom *cuteCopyAtomGet(size_t i) { return &copyAtoms[i]; }

// The row's name without its template argument is `name`.
static bool matchesTemplate(const char *row, const char *name) {
  const char *angle = strchr(row, '<');
  return angle && (size_t)(angle - row) == strlen(name) &&
         !memcmp(row, name, strlen(name));
}

const CuteCopyAtom *cuteCopyAtomFind(CuteStringRef name) {
  const CuteCopyAtom *found = NULL;
  CuteAtomName normal;
  size_t count = 0;
  if (!cuteAtomNameOfCopy(&normal, name))
    return NULL;
  for (size_t i = 0; i < cuteCopyAtomGetNum(); ++i) {
    if (!strcmp(copyAtoms[i].name, normal.text))
      return &copyAtoms[i];
    if (matchesTemplate(copyAtoms[i].name, normal.text)) {
      found = &copyAtoms[i];
      ++count;
    }
  }
  return count == 1 ? found : NULL;
}
