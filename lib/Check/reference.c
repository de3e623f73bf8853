#include "Check/reference.h"
#include "Check/parallel.h"
#include "Check/program.h"
#include "Support/arena.h"

#include <math.h>

enum { PIECE = 512 }; // of the innermost index

typedef CuteProgram Program;
typedef CuteProgramAccess Access;
typedef CuteProgramStep Step;

static CuteStatus fail(const char *message) {
  return cuteStatusCreate("reference: %s", message);
}

//===-- Execution ---------------------------------------------------------===//

static int64_t offsetAt(const Program *p, const Access *access,
                        const int64_t *at) {
  int64_t offset = access->start;
  for (size_t i = 0; i < p->numIndices; ++i)
    offset += at[i] * access->steps[i];
  return offset;
}

static const double *pointerAt(const Program *p, const Access *access,
                               const int64_t *at) {
  return p->all->values[access->tensor] + offsetAt(p, access, at);
}

static int64_t innerStep(const Program *p, const Access *access) {
  return p->numIndices ? access->steps[p->numIndices - 1] : 0;
}

static void loadPiece(const Program *p, const Access *access, const int64_t *at,
                      size_t n, double *vector) {
  const double *values = pointerAt(p, access, at);
  int64_t step = innerStep(p, access);
  for (size_t i = 0; i < n; ++i)
    vector[i] = values[(int64_t)i * step];
}

// The elements at indices from the stack, without their fractions; NaN for
// indices outside the tensor.
static void gatherPiece(const Program *p, const Step *step, size_t n,
                        double (*stack)[PIECE]) {
  const CuteArray *array = &p->all->tensors[step->access.tensor];
  const double *values = p->all->values[step->access.tensor];
  for (size_t i = 0; i < n; ++i) {
    int64_t offset = 0;
    bool isInside = true;
    for (size_t mode = 0; mode < step->numGathered; ++mode) {
      double index = stack[mode][i];
      isInside = isInside && index >= 0 && index < (double)array->extents[mode];
      offset += isInside ? (int64_t)index * array->strides[mode] : 0;
    }
    stack[0][i] = isInside ? values[offset] : NAN;
    if (!isInside)
      p->all->isOutOfRange = true;
  }
}

static void countPiece(const Program *p, const Access *access,
                       const int64_t *at, size_t n, double *vector) {
  int64_t first = offsetAt(p, access, at), step = innerStep(p, access);
  for (size_t i = 0; i < n; ++i)
    vector[i] = (double)(first + (int64_t)i * step);
}

static void applyPiece(const Step *step, size_t n, double *a, const double *b) {
  for (size_t i = 0; i < n; ++i)
    switch (step->kind) {
    case CUTE_FORMULA_ADD:
      a[i] += b[i];
      break;
    case CUTE_FORMULA_SUBTRACT:
      a[i] -= b[i];
      break;
    case CUTE_FORMULA_MULTIPLY:
      a[i] *= b[i];
      break;
    case CUTE_FORMULA_DIVIDE:
      a[i] /= b[i];
      break;
    case CUTE_FORMULA_REMAINDER:
      a[i] -= b[i] * floor(a[i] / b[i]);
      break;
    case CUTE_FORMULA_NEGATE:
      a[i] = -a[i];
      break;
    default:
      a[i] =
          step->function1 ? step->function1(a[i]) : step->function2(a[i], b[i]);
    }
}

// The values of the program at n innermost indices from `at`, in stack[0].
static void runPiece(const Program *p, const int64_t *at, size_t n,
                     double (*stack)[PIECE]) {
  size_t top = 0;
  for (size_t s = 0; s < p->numSteps; ++s) {
    const Step *step = &p->steps[s];
    if (step->numGathered) {
      top -= step->numGathered;
      gatherPiece(p, step, n, stack + top++);
    } else if (step->kind == CUTE_FORMULA_ACCESS) {
      loadPiece(p, &step->access, at, n, stack[top++]);
    } else if (step->kind == CUTE_FORMULA_NAME) {
      countPiece(p, &step->access, at, n, stack[top++]);
    } else if (step->kind == CUTE_FORMULA_NUMBER) {
      for (size_t i = 0; i < n; ++i)
        stack[top][i] = step->number;
      ++top;
    } else {
      bool isUnary = step->kind == CUTE_FORMULA_NEGATE ||
                     (step->kind == CUTE_FORMULA_CALL && step->function1);
      top -= !isUnary;
      applyPiece(step, n, stack[top - 1], stack[top]);
    }
  }
}

// Two accesses with unit steps multiplied: the common case, without copies.
static bool isDot(const Program *p) {
  size_t inner = p->numIndices - 1;
  return p->numSteps == 3 && p->numOuter < p->numIndices &&
         p->reduction == CUTE_REDUCE_SUM &&
         p->steps[2].kind == CUTE_FORMULA_MULTIPLY &&
         p->steps[0].kind == CUTE_FORMULA_ACCESS &&
         p->steps[1].kind == CUTE_FORMULA_ACCESS &&
         p->steps[0].access.steps[inner] == 1 &&
         p->steps[1].access.steps[inner] == 1;
}

static double dot(const double *a, const double *b, int64_t n) {
  enum { LANES = 8 };
  double sums[LANES] = {0}, sum = 0;
  int64_t i = 0;
  for (; i + LANES <= n; i += LANES)
    for (int j = 0; j < LANES; ++j)
      sums[j] += a[i + j] * b[i + j];
  for (; i < n; ++i)
    sum += a[i] * b[i];
  for (int j = 0; j < LANES; ++j)
    sum += sums[j];
  return sum;
}

static double identityOf(const Program *p) {
  return p->reduction == CUTE_REDUCE_MAX   ? -INFINITY
         : p->reduction == CUTE_REDUCE_MIN ? INFINITY
                                           : 0;
}

static double combine(const Program *p, double a, double b) {
  return p->reduction == CUTE_REDUCE_MAX   ? fmax(a, b)
         : p->reduction == CUTE_REDUCE_MIN ? fmin(a, b)
                                           : a + b;
}

// The reduction over the innermost index.
static double reduceInner(const Program *p, int64_t *at, bool fast,
                          double (*stack)[PIECE]) {
  size_t inner = p->numIndices - 1;
  int64_t extent = p->indices[inner].extent;
  at[inner] = 0;
  if (fast)
    return dot(pointerAt(p, &p->steps[0].access, at),
               pointerAt(p, &p->steps[1].access, at), extent);
  double result = identityOf(p);
  for (; at[inner] < extent; at[inner] += PIECE) {
    int64_t left = extent - at[inner];
    size_t n = (size_t)(left < PIECE ? left : PIECE);
    runPiece(p, at, n, stack);
    for (size_t i = 0; i < n; ++i)
      result = combine(p, result, stack[0][i]);
  }
  return result;
}

// Steps n indices like an odometer from begin to end; false when all were seen.
static bool advance(int64_t *at, size_t n, const int64_t *begin,
                    const int64_t *end) {
  for (size_t i = n; i-- > 0; at[i] = begin[i])
    if (++at[i] < end[i])
      return true;
  return false;
}

static double reduceAt(const Program *p, int64_t *at, bool fast,
                       double (*stack)[PIECE]) {
  if (p->numOuter == p->numIndices) {
    runPiece(p, at, 1, stack);
    return stack[0][0];
  }
  int64_t begin[CUTE_MAX_INDICES] = {0}, end[CUTE_MAX_INDICES];
  size_t n = p->numIndices - 1 - p->numOuter;
  double result = identityOf(p);
  double count = (double)p->indices[p->numIndices - 1].extent;
  for (size_t i = 0; i < n; ++i) {
    end[i] = p->indices[p->numOuter + i].extent;
    count *= (double)end[i];
  }
  if (count > 0)
    do
      result = combine(p, result, reduceInner(p, at, fast, stack));
    while (advance(at + p->numOuter, n, begin, end));
  return p->reduction == CUTE_REDUCE_MEAN ? result / count : result;
}

// Blocks of the last two outer modes keep operands in the cache.
enum { BLOCK = 32 };

// Counts the coordinates of an outer index that are computed.
static int64_t countOf(const Program *p, size_t i) {
  const CuteIndex *index = &p->indices[i];
  return index->coordinates ? index->count : index->extent;
}

static int64_t blocksOf(const Program *p, size_t i) {
  return (countOf(p, i) + BLOCK - 1) / BLOCK;
}

static int64_t numBlocks(const Program *p) {
  int64_t n = 1;
  for (size_t i = 0; i < p->numOuter; ++i)
    n *= i + 2 < p->numOuter ? countOf(p, i) : blocksOf(p, i);
  return n;
}

// Fills in the positions of a block's first element, and of its end.
static void blockRange(const Program *p, int64_t block, int64_t *begin,
                       int64_t *end) {
  for (size_t i = p->numOuter; i-- > 0;) {
    bool isBlocked = i + 2 >= p->numOuter;
    int64_t n = isBlocked ? blocksOf(p, i) : countOf(p, i);
    int64_t size = isBlocked ? BLOCK : 1, most = countOf(p, i);
    begin[i] = block % n * size;
    end[i] = begin[i] + size < most ? begin[i] + size : most;
    block /= n;
  }
}

// The coordinates at positions among the computed ones.
static void coordinatesAt(const Program *p, const int64_t *positions,
                          int64_t *at) {
  for (size_t i = 0; i < p->numOuter; ++i) {
    const int64_t *coordinates = p->indices[i].coordinates;
    at[i] = coordinates ? coordinates[positions[i]] : positions[i];
  }
}

static int64_t numberOf(const Program *p, const int64_t *at) {
  int64_t number = 0;
  for (size_t i = 0; i < p->numOuter; ++i)
    number = number * p->indices[i].extent + at[i];
  return number;
}

static void evaluateBlocks(int64_t first, int64_t last, void *data) {
  const Program *p = data;
  double(*stack)[PIECE] = cuteAllocate(CUTE_MAX_STACK * sizeof *stack);
  bool fast = isDot(p);
  for (int64_t block = first; block < last; ++block) {
    int64_t begin[CUTE_MAX_INDICES], end[CUTE_MAX_INDICES],
        positions[CUTE_MAX_INDICES], at[CUTE_MAX_INDICES] = {0};
    blockRange(p, block, begin, end);
    memcpy(positions, begin, p->numOuter * sizeof *positions);
    do {
      coordinatesAt(p, positions, at);
      p->result[numberOf(p, at)] = reduceAt(p, at, fast, stack);
    } while (advance(positions, p->numOuter, begin, end));
  }
  free(stack);
}

//===-- Entry -------------------------------------------------------------===//

typedef struct Conversion {
  const CuteArray *array;
  double *values;
} Conversion;

static void convertRange(int64_t begin, int64_t end, void *data) {
  const Conversion *conversion = data;
  for (int64_t i = begin; i < end; ++i)
    conversion->values[i] = cuteArrayLoad(conversion->array, i);
}

// The values of arguments that the program reads.
static CuteStatus readArguments(Program *p) {
  for (size_t s = 0; s < p->numSteps; ++s) {
    size_t tensor = p->steps[s].access.tensor;
    if (p->steps[s].kind != CUTE_FORMULA_ACCESS || p->all->values[tensor])
      continue;
    const CuteArray *array = &p->all->tensors[tensor];
    double *values = malloc(((size_t)array->cosize + 1) * sizeof *values);
    if (!values)
      return fail("out of memory");
    Conversion conversion = {array, values};
    cuteParallelFor(array->cosize, 1 << 16, convertRange, &conversion);
    p->all->values[tensor] = values;
  }
  return NULL;
}

static double countOperations(const Program *p) {
  double n = p->numIndices > p->numOuter; // the reduction
  for (size_t i = 0; i < p->numSteps; ++i)
    n += p->steps[i].kind != CUTE_FORMULA_ACCESS &&
         p->steps[i].kind != CUTE_FORMULA_NAME &&
         p->steps[i].kind != CUTE_FORMULA_NUMBER;
  for (size_t i = 0; i < p->numIndices; ++i)
    n *= (double)p->indices[i].extent;
  return n;
}

// Computes all results of a program, where the reductions that it reads have
// been computed.
static CuteStatus runProgram(Program *p, double *result,
                             CuteReference *reference) {
  p->result = result;
  reference->operations += countOperations(p);
  CUTE_TRY(readArguments(p));
  cuteParallelFor(numBlocks(p), 1, evaluateBlocks, p);
  return p->all->isOutOfRange ? fail("a computed index is out of range") : NULL;
}

static CuteStatus runReductions(CutePrograms *programs,
                                CuteReference *reference) {
  for (size_t i = 0; i < programs->numReductions; ++i) {
    size_t tensor = CUTE_MAX_ARGUMENTS + i;
    size_t n = (size_t)programs->tensors[tensor].cosize;
    double *values = malloc((n + 1) * sizeof *values);
    if (!values)
      return fail("out of memory");
    programs->values[tensor] = values;
    CUTE_TRY(runProgram(programs->reductions[i], values, reference));
  }
  return NULL;
}

static CuteStatus evaluate(CutePrograms *programs, CuteReference *reference) {
  Program *whole = &programs->whole;
  int64_t extents[CUTE_MAX_INDICES];
  for (size_t i = 0; i < whole->numOuter; ++i)
    extents[i] = whole->indices[i].extent;
  CUTE_TRY(cuteArrayCreate(&reference->values, CUTE_ELEMENT_F64,
                           whole->numOuter, extents, NULL));
  CUTE_TRY(runReductions(programs, reference));
  return runProgram(whole, (double *)(void *)reference->values.data, reference);
}

// Compiles the text for the target and, with a reference, evaluates it.
static CuteStatus compile(const char *text, size_t numArguments,
                          const CuteArray *arguments, CuteProgramTarget *target,
                          CuteReference *reference) {
  CuteFormula *formula;
  CUTE_TRY(cuteStatusAnnotate(cuteFormulaParse(text, &formula), "reference"));
  CUTE_FREED CutePrograms *programs = cuteAllocate(sizeof *programs);
  CuteStatus status =
      cuteProgramsCompile(programs, formula, numArguments, arguments, target);
  if (!status && reference)
    status = evaluate(programs, reference);
  cuteProgramsDestroy(programs);
  cuteFormulaDestroy(formula);
  return status;
}

CuteStatus cuteReferenceSample(const char *text, size_t numArguments,
                               const CuteArray *arguments, int64_t count,
                               uint64_t seed, CuteReference *reference) {
  *reference = (CuteReference){0};
  CuteProgramTarget target = {.count = count, .seed = seed};
  CuteStatus status =
      compile(text, numArguments, arguments, &target, reference);
  reference->argument = target.argument;
  reference->sample = target.sample;
  if (status)
    cuteReferenceDestroy(reference);
  return status;
}

CuteStatus cuteReferenceCheck(const char *text, size_t numArguments,
                              const CuteArray *arguments) {
  CuteProgramTarget target = {.count = 1};
  CuteStatus status = compile(text, numArguments, arguments, &target, NULL);
  cuteSampleDestroy(&target.sample);
  return status;
}

void cuteReferenceDestroy(CuteReference *reference) {
  cuteArrayDestroy(&reference->values);
  cuteSampleDestroy(&reference->sample);
}
