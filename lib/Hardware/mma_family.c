#include "Hardware/mma_family.h"
#include "Hardware/atom.h"
#include "Hardware/atom_name.h"
#include "Hardware/element.h"
#include "Support/arena.h"
#include "Support/text.h"

#include <pthread.h>

static const CuteMmaFamily families[] = {
#define CUTE_MMA_FAMILY(label, ...) {.name = label, __VA_ARGS__},
#include "hardware/mma_sm100.def"
#undef CUTE_MMA_FAMILY
};

size_t cuteMmaFamilyGetNum(void) { return sizeof families / sizeof *families; }

const CuteMmaFamily *cuteMmaFamilyGet(size_t i) { return &families[i]; }

bool cuteMmaAtomIsTensor(const CuteMmaAtom *atom) { return atom->family; }

bool cuteMmaAtomIsInTmem(const CuteMmaAtom *atom, CuteMmaOperand operand) {
  return cuteMmaAtomIsTensor(atom) &&
         (operand >= CUTE_OPERAND_C ||
          (operand == CUTE_OPERAND_A && atom->sourceA == CUTE_MMA_TMEM));
}

//===-- Arguments ---------------------------------------------------------===//

typedef struct Arguments {
  const CuteMmaFamily *family;
  CuteElementType a, b, c, scale;
  int m, n, vector, shift;
  CuteMajor majorA, majorB;
  bool negatesA, negatesB, saturates;
} Arguments;

typedef struct Reader {
  CuteStringRef rest;
  char *problem;
  size_t size;
} Reader;

static bool fail(const Reader *r, const char *format, CuteStringRef word,
                 const char *valid) {
  snprintf(r->problem, r->size, format, CUTE_TEXT(word), valid);
  return false;
}

static void appendTypes(CuteString *text, uint64_t set) {
  bool isFirst = true;
  for (int i = 0; i < CUTE_NUM_TENSOR_ELEMENT_TYPES; ++i) {
    if (!(set >> i & 1))
      continue;
    cuteStringAppendFormat(text, "%s%s", isFirst ? "" : ", ",
                           cuteElementGetInfo((CuteElementType)i)->cpp[0]);
    isFirst = false;
  }
}

static bool takeType(Reader *r, uint64_t set, const char *what,
                     CuteElementType *type) {
  CuteStringRef word = cuteTextTakePart(&r->rest, ',');
  bool isFound = cuteElementTypeFindAny(word, type);
  if (cuteTextEquals(word, "float_ue4m3_t")) {
    isFound = true;
    *type = CUTE_ELEMENT_F8E4M3;
  }
  if (isFound && set >> *type & 1)
    return true;
  CUTE_SCOPED(String) valid = {0};
  cuteStringAppendFormat(&valid, "%s is one of ", what);
  appendTypes(&valid, set);
  fail(r, "'%.*s' is not a type for it: %s", word, cuteStringGet(&valid));
  return false;
}

static bool takeNumber(Reader *r, int *number) {
  CuteStringRef word = cuteTextTakePart(&r->rest, ',');
  *number = 0;
  for (size_t i = 0; i < word.length && *number < 1000; ++i) {
    if (word.data[i] < '0' || word.data[i] > '9')
      return fail(r, "'%.*s' is not a number: %s", word,
                  "M and N follow types");
    *number = *number * 10 + word.data[i] - '0';
  }
  return word.length || fail(r, "%.*sa number is missing: %s", word,
                             "M and N follow the types");
}

static bool takeMajor(Reader *r, CuteMajor *major) {
  CuteStringRef word = cuteTextTakePart(&r->rest, ',');
  *major = cuteTextEquals(word, "MN") ? CUTE_MAJOR_MN : CUTE_MAJOR_K;
  return *major == CUTE_MAJOR_MN || cuteTextEquals(word, "K") ||
         fail(r, "'%.*s' is not a major: %s", word, "valid are K and MN");
}

// Takes a flag, a number or an enumerator's name, which is off where the
// arguments end before it.
static bool takeFlag(Reader *r, const char *off, const char *on, bool *isOn) {
  char valid[64];
  CuteStringRef word = cuteTextTakePart(&r->rest, ',');
  *isOn = cuteTextEquals(word, "1") || cuteTextEquals(word, on);
  if (*isOn || !word.length || cuteTextEquals(word, "0") ||
      cuteTextEquals(word, off))
    return true;
  snprintf(valid, sizeof valid, "valid are %s and %s", off, on);
  return fail(r, "'%.*s' comes after the majors: %s", word, valid);
}

static bool isInteger(const CuteMmaFamily *f) { return !strcmp(f->kind, "i8"); }

static bool isMxf4(const CuteMmaFamily *f) { return !strcmp(f->kind, "mxf4"); }

// Integers in shared memory have no signs.
static bool takesSigns(const CuteMmaFamily *f) {
  return !isInteger(f) || f->sourceA == CUTE_MMA_TMEM;
}

// Takes what follows the majors.
static bool readEnd(Reader *r, Arguments *x) {
  const CuteMmaFamily *f = x->family;
  if (f->shiftsSums && !takeNumber(r, &x->shift))
    return false;
  if (x->shift > 15)
    return fail(r, "%.*sC is shifted by too much: %s", (CuteStringRef){"", 0},
                "valid are 0 to 15");
  if (takesSigns(f) && (!takeFlag(r, "One", "Neg", &x->negatesA) ||
                        !takeFlag(r, "One", "Neg", &x->negatesB)))
    return false;
  if ((isInteger(f) || f->sourceA == CUTE_MMA_TMEM) &&
      !takeFlag(r, "False", "True", &x->saturates))
    return false;
  return !r->rest.length ||
         fail(r, "'%.*s' is too much: %s", r->rest, "the arguments end there");
}

static bool checkM(const Reader *r, const Arguments *x) {
  const CuteMmaFamily *f = x->family;
  bool isBetween = f->isStationary && x->m == 64;
  if (x->m == f->leastM || x->m == f->mostM || isBetween)
    return true;
  snprintf(r->problem, r->size, "M is %d%s or %d, not %d", f->leastM,
           f->isStationary ? ", 64" : "", f->mostM, x->m);
  return false;
}

static bool checkN(const Reader *r, const Arguments *x) {
  const CuteMmaFamily *f = x->family;
  int step = f->stepN;
  if (f->stepNOf128 && x->m == 128)
    step = f->stepNOf128;
  if (f->stepNMajor && x->majorB == CUTE_MAJOR_MN && f->stepNMajor > step)
    step = f->stepNMajor;
  if (f->isStationary && x->n == 192) {
    snprintf(r->problem, r->size, "N is 64, 128 or 256, not 192");
    return false;
  }
  if (x->n <= 256 && x->n >= step && x->n % step == 0)
    return true;
  if (f->leastN && x->n == f->leastN)
    return true;
  snprintf(r->problem, r->size, "N is a multiple of %d up to 256, not %d", step,
           x->n);
  return false;
}

// PTX ISA, "tcgen05.mma": only 32-bit and 16-bit elements and bytes may have M
// or N contiguous.
static bool checkMajors(const Reader *r, const Arguments *x) {
  if ((!x->family->isKMajor ||
       (x->majorA == CUTE_MAJOR_K && x->majorB == CUTE_MAJOR_K)) &&
      (x->family->sourceA != CUTE_MMA_TMEM || x->majorA == CUTE_MAJOR_K))
    return true;
  snprintf(r->problem, r->size, "%s has K contiguous",
           x->family->isKMajor ? "each operand" : "A in tensor memory");
  return false;
}

// PTX ISA, "tcgen05.mma", tables of block sizes.
static bool checkVector(const Reader *r, const Arguments *x) {
  const CuteMmaFamily *f = x->family;
  if (!isMxf4(f))
    return true;
  int half = f->isSparse ? 32 : 16;
  bool isPlain = x->scale == CUTE_ELEMENT_F8E8M0;
  if (x->vector == half || (x->vector == 2 * half && isPlain))
    return true;
  snprintf(r->problem, r->size,
           "a scale factor is for %d elements, or for %d with float_ue8m0_t, "
           "not for %d",
           half, 2 * half, x->vector);
  return false;
}

// The template arguments, in the order of CUTLASS.
static bool read(Reader *r, Arguments *x) {
  const CuteMmaFamily *f = x->family;
  if (!takeType(r, f->types, "A", &x->a) ||
      !takeType(r, f->types, "B", &x->b) || !takeType(r, f->sums, "C", &x->c))
    return false;
  if (f->scales && !takeType(r, f->scales, "a scale factor", &x->scale))
    return false;
  x->vector = f->scales ? f->k : 0;
  if (!takeNumber(r, &x->m) || !takeNumber(r, &x->n) ||
      (isMxf4(f) && !takeNumber(r, &x->vector)) || !takeMajor(r, &x->majorA) ||
      !takeMajor(r, &x->majorB) || !readEnd(r, x))
    return false;
  return checkM(r, x) && checkN(r, x) && checkMajors(r, x) && checkVector(r, x);
}

//===-- The instruction descriptor ----------------------------------------===//

// Codes of types by kind (PTX ISA, "Instruction descriptor").
static uint32_t codeOf(const CuteMmaFamily *f, CuteElementType type) {
  switch (type) {
  case CUTE_ELEMENT_BF16:
  case CUTE_ELEMENT_I8:
  case CUTE_ELEMENT_F8E5M2:
    return 1;
  case CUTE_ELEMENT_TF32:
    return 2;
  case CUTE_ELEMENT_F6E2M3:
    return 3;
  case CUTE_ELEMENT_F6E3M2:
    return 4;
  case CUTE_ELEMENT_F4E2M1:
    return isMxf4(f) ? 1 : 5;
  default:
    return 0;
  }
}

static uint32_t describe(const Arguments *x) {
  const CuteMmaFamily *f = x->family;
  uint32_t bits = (uint32_t)f->isSparse << 2 | (uint32_t)x->saturates << 3 |
                  codeOf(f, x->a) << 7 | codeOf(f, x->b) << 10 |
                  (uint32_t)x->negatesA << 13 | (uint32_t)x->negatesB << 14 |
                  (uint32_t)(x->majorA == CUTE_MAJOR_MN) << 15 |
                  (uint32_t)(x->majorB == CUTE_MAJOR_MN) << 16 |
                  (uint32_t)(x->n / 8) << 17 | (uint32_t)(x->m / 16) << 24;
  if (!f->scales)
    return bits | (x->c == CUTE_ELEMENT_I32 ? 2U : x->c == CUTE_ELEMENT_F32)
                      << 4;
  bits |= (uint32_t)(x->scale == CUTE_ELEMENT_F8E8M0) << 23;
  return bits | (uint32_t)f->isOnlySm103 << 31;
}

//===-- Making ------------------------------------------------------------===//

enum { MAX_TEXT = 96 };

typedef struct Made Made;
struct Made {
  Made *next;
  CuteMmaAtom atom;
  char name[CUTE_MAX_ATOM_NAME], instruction[MAX_TEXT];
  char layouts[6][MAX_TEXT];
};

static void nameKind(const Arguments *x, char *text) {
  const CuteMmaFamily *f = x->family;
  int half = f->isSparse ? 32 : 16;
  bool isWide = x->vector == 2 * half;
  snprintf(text, MAX_TEXT, "tcgen05.mma%s%s.cta_group::%d.kind::%s%s%s",
           f->isStationary ? ".ws" : "", f->isSparse ? ".sp" : "", f->ctas,
           isMxf4(f) && (!isWide || f->isOnlySm103) ? "mxf4nvf4" : f->kind,
           f->scales ? ".block_scale" : "",
           !isMxf4(f) ? ""
           : isWide   ? ".block32"
                      : ".block16");
}

// The rows of an operand that a block has, and columns that all have.
static void nameLayout(const CuteMmaFamily *f, int rows, int columns,
                       char *text) {
  int own = rows / f->ctas;
  snprintf(text, MAX_TEXT, "(%d,(%d,%d)):(%d,(1,%d))", f->ctas, own, columns,
           f->ctas == 1 ? 0 : own, rows);
}

static const char *cppOf(CuteElementType type) {
  return cuteElementGetInfo(type)->cpp[0];
}

// Writes the end of the name, after the majors, as short as it can be.
static void nameEnd(const Arguments *x, char *text, size_t size) {
  const CuteMmaFamily *f = x->family;
  char shift[8] = "", signs[16] = "";
  bool hasSigns = x->negatesA || x->negatesB || x->saturates;
  if (f->shiftsSums)
    snprintf(shift, sizeof shift, ",%d", x->shift);
  if (takesSigns(f) && hasSigns)
    snprintf(signs, sizeof signs, ",%s,%s", x->negatesA ? "Neg" : "One",
             x->negatesB ? "Neg" : "One");
  snprintf(text, size, "%s%s%s", shift, signs, x->saturates ? ",1" : "");
}

static void nameAtom(const Arguments *x, char *text) {
  const CuteMmaFamily *f = x->family;
  char scale[MAX_TEXT] = "", vector[16] = "", end[64];
  nameEnd(x, end, sizeof end);
  if (f->scales)
    snprintf(scale, sizeof scale, ",%s",
             x->scale == CUTE_ELEMENT_F8E4M3 ? "float_ue4m3_t"
                                             : cppOf(x->scale));
  if (isMxf4(f))
    snprintf(vector, sizeof vector, ",%d", x->vector);
  snprintf(text, CUTE_MAX_ATOM_NAME, "%s<%s,%s,%s%s,%d,%d%s,%s,%s%s>", f->name,
           cppOf(x->a), cppOf(x->b), cppOf(x->c), scale, x->m, x->n, vector,
           x->majorA == CUTE_MAJOR_K ? "K" : "MN",
           x->majorB == CUTE_MAJOR_K ? "K" : "MN", end);
}

// PTX ISA, "Target ISA Notes" of tcgen05.mma.
static void setNeeds(CuteMmaAtom *atom) {
  const CuteMmaFamily *f = atom->family;
  atom->arch = 100;
  atom->feature = f->isOnlySm103             ? CUTE_FEATURE_TCGEN05_96
                  : isInteger(f)             ? CUTE_FEATURE_TCGEN05_INTEGER
                  : f->isSparse && isMxf4(f) ? CUTE_FEATURE_TCGEN05_EXACT
                  : f->shiftsSums            ? CUTE_FEATURE_TCGEN05_SHIFT
                                             : CUTE_FEATURE_TCGEN05;
  atom->ptx = f->scales ? 88 : 86;
}

// Sets the metadata that places the stored half of A: 2 bits for each element,
// or pair of 4-bit elements, and 4 bits for a 32-bit one.
static void setMetadata(Made *made, const Arguments *x) {
  const CuteMmaFamily *f = x->family;
  bool isWord = cuteElementGetValueBits(x->a) > 16;
  int n = f->k / (isMxf4(f) ? 4 : 2);
  nameLayout(f, x->m, n, made->layouts[5]);
  made->atom.e = (CuteMmaExtra){isWord ? CUTE_ELEMENT_UI4 : CUTE_ELEMENT_UI2, n,
                                made->layouts[5]};
}

// Each block has the factors of its rows of A, and of all of B.
static void setFactors(Made *made, const Arguments *x) {
  const CuteMmaFamily *f = x->family;
  int n = f->k / x->vector;
  nameLayout(f, x->m, n, made->layouts[3]);
  snprintf(made->layouts[4], MAX_TEXT, "(%d,(%d,%d)):(0,(1,%d))", f->ctas, x->n,
           n, x->n);
  made->atom.sfa = (CuteMmaExtra){x->scale, n, made->layouts[3]};
  made->atom.sfb = (CuteMmaExtra){x->scale, n, made->layouts[4]};
}

static void fill(Made *made, const Arguments *x) {
  const CuteMmaFamily *f = x->family;
  bool isPair = f->ctas == 2;
  nameAtom(x, made->name);
  nameKind(x, made->instruction);
  nameLayout(f, x->m, f->k, made->layouts[0]);
  nameLayout(f, x->n, f->k, made->layouts[1]);
  snprintf(made->layouts[2], MAX_TEXT, "(%d,(%d,%d)):(%d,(1,%d))", f->ctas,
           x->m / f->ctas, x->n, isPair ? x->m / 2 : 0, x->m);
  made->atom = (CuteMmaAtom){
      .name = made->name,
      .kind =
          &cuteMmaAtomKinds[isPair ? CUTE_MMA_TENSOR_PAIR : CUTE_MMA_TENSOR],
      .instruction = made->instruction,
      .m = x->m,
      .n = x->n,
      .k = f->k,
      .d = x->c,
      .a = x->a,
      .b = x->b,
      .c = x->c,
      .sourceA = f->sourceA,
      .sourceB = CUTE_MMA_SMEM,
      .majorA = x->majorA,
      .majorB = x->majorB,
      .layoutA = made->layouts[0],
      .layoutB = made->layouts[1],
      .layoutC = made->layouts[2],
      .family = f,
      .negatesA = x->negatesA,
      .negatesB = x->negatesB,
      .saturates = x->saturates,
      .spreads = !isMxf4(f),
      .scaleVector = x->vector,
      .sumShift = x->shift,
      .descriptor = describe(x)};
  if (x->vector)
    setFactors(made, x);
  if (f->isSparse)
    setMetadata(made, x);
  setNeeds(&made->atom);
}

// The atom of these arguments, which are valid.
static const CuteMmaAtom *intern(const Arguments *x) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  static Made *all;
  char name[CUTE_MAX_ATOM_NAME];
  nameAtom(x, name);
  pthread_mutex_lock(&lock);
  Made *made = all;
  while (made && strcmp(made->name, name))
    made = made->next;
  if (!made) {
    made = cuteAllocate(sizeof *made);
    fill(made, x);
    made->next = all;
    all = made;
  }
  pthread_mutex_unlock(&lock);
  return &made->atom;
}

static const CuteMmaFamily *findFamily(const char *name, size_t length) {
  for (size_t i = 0; i < cuteMmaFamilyGetNum(); ++i)
    if (cuteTextEquals((CuteStringRef){name, length}, families[i].name))
      return &families[i];
  return NULL;
}

bool cuteMmaFamilyExplain(CuteStringRef name, char *problem, size_t size) {
  CuteAtomName normal;
  return cuteAtomNameNormalize(&normal, name) &&
         !cuteMmaFamilyFindAtom(normal.text, problem, size) && problem[0];
}

const CuteMmaAtom *cuteMmaFamilyFindAtom(const char *name, char *problem,
                                         size_t size) {
  size_t length = strcspn(name, "<"), end = strlen(name);
  Arguments x = {.family = findFamily(name, length)};
  problem[0] = '\0';
  if (!x.family)
    return NULL;
  Reader r = {{"", 0}, problem, size};
  if (length < end && name[end - 1] == '>')
    r.rest = (CuteStringRef){name + length + 1, end - length - 2};
  return read(&r, &x) ? intern(&x) : NULL;
}
