// Arrays from text: files and generators.
#include "Check/array.h"
#include "Check/parallel.h"
#include "Check/random.h"
#include "Hardware/element.h"
#include "Support/text.h"

#include "cute/Layout.h"

#include <math.h>

//===-- Generators --------------------------------------------------------===//

typedef enum Generator {
  GENERATE_ZEROS,
  GENERATE_NORMAL,
  GENERATE_UNIFORM,
  GENERATE_INTEGERS,
  GENERATE_BITS,
  GENERATE_PLACES,
  GENERATE_SCALES,
  GENERATE_HARD,
  GENERATE_IOTA,
  GENERATE_FILL,
  GENERATE_POISON,
} Generator;

static const struct {
  const char *name;
  Generator generator;
  bool hasArgument;
} generators[] = {
    {"zeros", GENERATE_ZEROS, false},    {"normal", GENERATE_NORMAL, true},
    {"uniform", GENERATE_UNIFORM, true}, {"integers", GENERATE_INTEGERS, true},
    {"bits", GENERATE_BITS, true},       {"places", GENERATE_PLACES, true},
    {"scales", GENERATE_SCALES, true},   {"hard", GENERATE_HARD, true},
    {"iota", GENERATE_IOTA, false},      {"fill", GENERATE_FILL, true},
    {"poison", GENERATE_POISON, false},
};

static bool isUnsigned(CuteElementType type) {
  return cuteElementGetInfo(type)->isUnsigned;
}

// Any integer of the type is as likely as any other.
static double anyInteger(CuteElementType type, CuteRandom *random) {
  unsigned unused = 64 - cuteElementTypeGetBits(type);
  uint64_t bits = cuteRandomNext(random);
  return isUnsigned(type) ? (double)(bits >> unused)
                          : (double)((int64_t)bits >> unused);
}

// Metadata of a sparse matrix: of ui2, two neighbours are different places
// among four, in order; of ui4 an element is the first or second of two places
// as the tensor cores spell them (PTX ISA, "Sparse matrix storage"). `last` is
// the place before.
static double nextPlace(CuteElementType type, int64_t number,
                        CuteRandom *random, double last) {
  if (type == CUTE_ELEMENT_UI4)
    return cuteRandomNext(random) % 2 ? 14 : 4;
  double least = number % 2 ? last + 1 : 0, most = number % 2 ? 3 : 2;
  return least +
         (double)(cuteRandomNext(random) % (uint64_t)(most - least + 1));
}

// Draws a scale from 1/8 to below 16, a power of two if the type has no others.
static double nextScale(CuteElementType type, CuteRandom *random) {
  uint64_t bits = cuteRandomNext(random);
  double power = ldexp(1, (int)(bits % 7) - 3);
  return type == CUTE_ELEMENT_F8E8M0
             ? power
             : power * (1 + (double)(bits >> 32 & 7) / 8);
}

// Draws a float that is hard to add: of any magnitude of the type, denormal or
// zero, beside many near 1 with all bits of their mantissa, and one of 512
// infinite or NaN.
static double nextHard(CuteElementType type, CuteRandom *random) {
  uint64_t bits = cuteRandomNext(random), kind = bits >> 8 & 511;
  int all = 1 << cuteElementGetInfo(type)->exponentBits;
  int range = kind < 64 ? all + 24 : kind < 192 ? all / 4 + 2 : 8;
  double value = 1 + (double)(bits >> 32) * 0x1p-32;
  if (kind >= 511)
    return bits & 1 ? NAN : bits & 2 ? INFINITY : -INFINITY;
  if (kind >= 480)
    return bits & 1 ? 0.0 : -0.0;
  int exponent = (int)(bits >> 20 & 0xfff) % range - range / 2;
  return ldexp(bits & 1 ? value : -value, exponent);
}

typedef struct Generation {
  CuteArray *array;
  Generator generator;
  double argument;
} Generation;

static double nextValue(const Generation *g, CuteRandom *random, int64_t number,
                        double last) {
  switch (g->generator) {
  case GENERATE_NORMAL:
    return cuteRandomNormal(random);
  case GENERATE_UNIFORM:
    return 2 * cuteRandomUniform(random) - 1;
  case GENERATE_INTEGERS:
    return (double)(cuteRandomNext(random) % 9) -
           (isUnsigned(g->array->type) ? 0 : 4);
  case GENERATE_BITS:
    return anyInteger(g->array->type, random);
  case GENERATE_PLACES:
    return nextPlace(g->array->type, number, random, last);
  case GENERATE_SCALES:
    return nextScale(g->array->type, random);
  case GENERATE_HARD:
    return nextHard(g->array->type, random);
  case GENERATE_IOTA:
    return (double)number;
  default:
    return g->argument;
  }
}

// Numbers [begin, end), whose random bits depend on `begin` and the seed alone.
static void generateRange(int64_t begin, int64_t end, void *data) {
  const Generation *g = data;
  CuteArray *array = g->array;
  int64_t line = array->rank ? array->extents[array->rank - 1] : 1;
  int64_t step = array->rank ? array->strides[array->rank - 1] : 0;
  CuteRandom random = {(uint64_t)(int64_t)g->argument};
  random.state =
      cuteRandomNext(&random) ^ (uint64_t)begin * 0xd1342543de82ef95u;
  double last = 0;
  while (begin < end) {
    int64_t offset = cuteArrayGetOffset(array, begin);
    int64_t next = begin + line - begin % line;
    for (next = next < end ? next : end; begin < next; offset += step) {
      last = nextValue(g, &random, begin++, last);
      cuteArrayStore(array, offset, last);
    }
  }
}

enum { GRAIN = 1 << 14, POISON_GRAIN = 1 << 20, POISON = 0xff };

static void poisonRange(int64_t begin, int64_t end, void *data) {
  memset((unsigned char *)data + begin, POISON, (size_t)(end - begin));
}

// Tells whether elements of several numbers may lie at one place: where a
// stride is within reach of the smaller ones.
static bool mayOverlap(const CuteArray *array) {
  for (size_t i = 0; i < array->rank; ++i) {
    int64_t reach = 0, stride = array->strides[i];
    for (size_t j = 0; j < array->rank; ++j)
      if (j != i && array->strides[j] <= stride)
        reach += (array->extents[j] - 1) * array->strides[j];
    if (array->extents[i] > 1 && stride <= reach)
      return true;
  }
  return false;
}

static void generate(CuteArray *array, Generator generator, double argument) {
  if (generator == GENERATE_ZEROS)
    return;
  // Also between the rows, where a kernel has no business.
  cuteParallelFor((int64_t)cuteArrayGetBytes(array), POISON_GRAIN, poisonRange,
                  array->data);
  Generation g = {array, generator, argument};
  int64_t size = cuteArrayGetSize(array);
  bool sharesBytes = cuteElementTypeGetBits(array->type) < 8;
  if (generator == GENERATE_POISON)
    return;
  if (sharesBytes)
    generateRange(0, size, &g);
  else if (mayOverlap(array)) // the last number of a place counts
    for (int64_t begin = 0; begin < size; begin += GRAIN)
      generateRange(begin, begin + GRAIN < size ? begin + GRAIN : size, &g);
  else
    cuteParallelFor(size, GRAIN, generateRange, &g);
}

static CuteStatus checkType(Generator generator, CuteElementType type) {
  bool isFloat = cuteElementTypeIsFloat(type);
  const char *makes = NULL;
  if (generator == GENERATE_BITS && isFloat)
    makes = "bits(SEED) makes integers";
  if (generator == GENERATE_SCALES && !isFloat)
    makes = "scales(SEED) makes floats";
  if (generator == GENERATE_HARD && !isFloat)
    makes = "hard(SEED) makes floats";
  if (generator == GENERATE_PLACES && type != CUTE_ELEMENT_UI2 &&
      type != CUTE_ELEMENT_UI4)
    makes = "places(SEED) makes ui2 and ui4";
  return makes ? cuteStatusCreate("%s, not %s", makes,
                                  cuteElementTypeGetName(type))
               : NULL;
}

// Fills the array with the bytes of a .npy file, whose elements may have
// another type: NumPy has none of 8 bits or fewer that are floats.
static CuteStatus takeBytes(CuteArray *array, const char *path) {
  CUTE_SCOPED(Array) file = {0};
  CUTE_TRY(cuteNpyRead(&file, path));
  size_t bytes = cuteArrayGetBytes(array), held = cuteArrayGetBytes(&file);
  if (bytes != held)
    return cuteStatusCreate("'%s' has %zu bytes, and the tensor %zu", path,
                            held, bytes);
  if (!cuteArrayIsRowMajor(array) || !cuteArrayIsRowMajor(&file))
    return cuteStatusCreate("bytes('%s') fills a row-major tensor from a "
                            "row-major file; the %s is not row-major",
                            path,
                            cuteArrayIsRowMajor(array) ? "file" : "tensor");
  memcpy(array->data, file.data, bytes);
  return NULL;
}

static CuteStatus parseFile(CuteArray *array, const char *text) {
  size_t n = strlen(text);
  if (n < 2 || text[n - 1] != ')')
    return cuteStatusCreate("'%s' is not bytes(FILE.npy)", text);
  CUTE_SCOPED(String) path = {0};
  cuteStringAppendBytes(&path, text + 6, n - 7);
  return takeBytes(array, cuteStringGet(&path));
}

// Parses NAME or NAME(NUMBER) and fills the array.
static CuteStatus parseGenerator(CuteArray *array, const char *text) {
  if (!strncmp(text, "bytes(", 6))
    return parseFile(array, text);
  size_t n = strcspn(text, "(");
  for (size_t i = 0; i < sizeof generators / sizeof *generators; ++i) {
    if (!cuteTextEquals((CuteStringRef){text, n}, generators[i].name))
      continue;
    double argument = 0;
    char *end = (char *)text + n;
    if (generators[i].hasArgument) {
      argument = *end ? strtod(end + 1, &end) : 0;
      if (end == text + n || strcmp(end, ")"))
        break;
    } else if (*end) {
      break;
    }
    CUTE_TRY(checkType(generators[i].generator, array->type));
    generate(array, generators[i].generator, argument);
    return NULL;
  }
  return cuteStatusCreate(
      "unknown generator '%s'; known: zeros, normal(SEED), uniform(SEED), "
      "integers(SEED), bits(SEED), places(SEED), scales(SEED), hard(SEED), "
      "iota, fill(VALUE), poison, bytes(FILE.npy)",
      text);
}

//===-- Shapes ------------------------------------------------------------===//

// 4096x128: row-major.
static bool parseExtents(const char *text, size_t *rank, int64_t *extents) {
  char *end = (char *)text;
  for (*rank = 0;; ++end) {
    if (*rank == CUTE_MAX_RANK)
      return false;
    const char *start = end;
    extents[*rank] = strtoll(start, &end, 10);
    if (end == start || extents[*rank] < 0)
      return false;
    ++*rank;
    if (*end != 'x')
      return !*end;
  }
}

static bool takeModes(CuteIntTuple tuple, size_t *rank, int64_t *values) {
  *rank = cuteIntTupleGetRank(tuple);
  if (*rank > CUTE_MAX_RANK)
    return false;
  for (size_t i = 0; i < *rank; ++i) {
    CuteIntTuple mode = cuteIntTupleGetElement(tuple, i);
    if (cuteIntTupleGetKind(mode) != CUTE_STATIC)
      return false;
    values[i] = cuteIntTupleGetValue(mode);
  }
  return true;
}

// (64,0):(8,1): the algebra has no layouts of no elements, arrays may.
static bool parseEmpty(CuteContext context, const char *text, size_t *rank,
                       int64_t *extents, int64_t *strides) {
  const char *colon = strchr(text, ':');
  if (!colon)
    return false;
  CuteIntTuple shape =
      cuteIntTupleParse(context, (CuteStringRef){text, (size_t)(colon - text)},
                        CUTE_SYNTAX_INT_TUPLE);
  CuteIntTuple stride = cuteIntTupleParse(context, cuteStringRef(colon + 1),
                                          CUTE_SYNTAX_INT_TUPLE);
  size_t strideRank;
  bool ok =
      shape && stride && cuteIntTupleIsCongruent(shape, stride) &&
      takeModes(cuteIntTupleFlatten(context, shape), rank, extents) &&
      takeModes(cuteIntTupleFlatten(context, stride), &strideRank, strides);
  for (size_t i = 0; ok && i < *rank; ++i)
    ok = extents[i] >= 0;
  return ok;
}

// A static layout in CuTe's text, with a mode for each leaf.
static bool parseLayout(const char *text, size_t *rank, int64_t *extents,
                        int64_t *strides) {
  CuteContext context = cuteContextCreate();
  CuteLayout layout = cuteLayoutParse(context, cuteStringRef(text));
  layout = layout ? cuteLayoutFlatten(context, layout) : NULL;
  size_t strideRank;
  bool ok = layout && takeModes(cuteLayoutGetShape(layout), rank, extents) &&
            takeModes(cuteLayoutGetStride(layout), &strideRank, strides);
  ok = ok || parseEmpty(context, text, rank, extents, strides);
  cuteContextDestroy(context);
  return ok;
}

static bool canGenerate(CuteElementType type) {
  return cuteElementTypeGetBits(type) <= 64;
}

static CuteStatus failElementType(CuteStringRef name) {
  CUTE_SCOPED(String) known = {0};
  for (int i = 0; i < CUTE_NUM_TENSOR_ELEMENT_TYPES; ++i)
    if (canGenerate((CuteElementType)i))
      cuteStringAppendFormat(&known, "%s%s", known.length ? ", " : "",
                             cuteElementTypeGetName((CuteElementType)i));
  return cuteStatusCreate("unknown element type '%.*s'; known: %s",
                          CUTE_TEXT(name), cuteStringGet(&known));
}

static CuteStatus parseTyped(CuteArray *array, char *text) {
  char *open = strchr(text, '['), *close = open ? strchr(open, ']') : NULL;
  CuteElementType type;
  if (!close || (close[1] && close[1] != ':'))
    return cuteStatusCreate(
        "'%s' is neither a .npy file nor TYPE[SHAPE]:GENERATOR", text);
  *close = '\0';
  CuteStringRef name = {text, (size_t)(open - text)};
  if (!cuteElementTypeFind(name, &type) || !canGenerate(type))
    return failElementType(name);
  size_t rank;
  int64_t extents[CUTE_MAX_RANK], strides[CUTE_MAX_RANK];
  bool isPlain = parseExtents(open + 1, &rank, extents);
  if (!isPlain && !parseLayout(open + 1, &rank, extents, strides))
    return cuteStatusCreate("'%s' is neither a shape such as 64x32 nor a "
                            "layout such as (64,32):(40,1) of at most %d modes",
                            open + 1, CUTE_MAX_RANK);
  CUTE_TRY(
      cuteArrayCreate(array, type, rank, extents, isPlain ? NULL : strides));
  return close[1] ? parseGenerator(array, close + 2) : NULL;
}

CuteStatus cuteArrayParse(CuteArray *array, const char *text) {
  *array = (CuteArray){0};
  size_t n = strlen(text);
  if (n > 4 && !strcmp(text + n - 4, ".npy"))
    return cuteNpyRead(array, text);
  CUTE_SCOPED(String) copy = {0};
  cuteStringAppend(&copy, text);
  CuteStatus status = parseTyped(array, copy.data);
  if (status)
    cuteArrayDestroy(array);
  return status;
}
