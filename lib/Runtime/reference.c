#include "Runtime/reference.h"
#include "Runtime/parallel.h"
#include "Support/arena.h"

#include <math.h>
#include <stdlib.h>

// An expression is compiled to a program for a stack machine whose values are
// vectors over a piece of the innermost index.
enum { MAX_INDICES = 8, MAX_STEPS = 64, MAX_STACK = 16, PIECE = 512 };

typedef struct Index {
  char name[32];
  int64_t extent; // -1 until an access says it
} Index;

// values[start + sum(index[i] * steps[i])]
typedef struct Access {
  size_t argument;
  int64_t start, steps[MAX_INDICES];
} Access;

typedef struct Step {
  CuteExpressionKind kind;
  double number;
  Access access;
  double (*function1)(double);
  double (*function2)(double, double);
} Step;

typedef struct Program {
  size_t numIndices, numOuter; // outer: those of the left side come first
  Index indices[MAX_INDICES];
  size_t numSteps, depth;
  Step steps[MAX_STEPS];
  size_t numArguments;
  const CuteArray *arguments;
  double **values; // of arguments, by offset, where the program reads them
  double *result;
} Program;

static bool fail(const char *message, const char *detail) {
  fprintf(stderr, "error: reference: %s%s\n", message, detail);
  return false;
}

//===-- Compilation -------------------------------------------------------===//

// A..Z by position.
static bool findArgument(const Program *p, const char *name, size_t *argument) {
  *argument = (size_t)(name[0] - 'A');
  if (name[0] >= 'A' && !name[1] && *argument < p->numArguments &&
      p->arguments[*argument].data)
    return true;
  return fail("no tensor argument is called ", name);
}

static bool findIndex(Program *p, const char *name, size_t *index) {
  for (*index = 0; *index < p->numIndices; ++*index)
    if (!strcmp(p->indices[*index].name, name))
      return true;
  if (p->numIndices == MAX_INDICES)
    return fail("too many indices", "");
  Index *added = &p->indices[p->numIndices++];
  memcpy(added->name, name, sizeof added->name);
  added->extent = -1;
  return true;
}

// Adds factor * expression to coefs, whose last entry is the constant part.
static bool addLinear(Program *p, const CuteExpression *e, int64_t factor,
                      int64_t *coefs) {
  size_t index;
  const CuteExpression *a = e->children[0], *b = e->children[1];
  switch (e->kind) {
  case CUTE_EXPRESSION_NUMBER:
    coefs[MAX_INDICES] += factor * (int64_t)e->number;
    return true;
  case CUTE_EXPRESSION_NAME:
    if (!findIndex(p, e->name, &index))
      return false;
    coefs[index] += factor;
    return true;
  case CUTE_EXPRESSION_ADD:
    return addLinear(p, a, factor, coefs) && addLinear(p, b, factor, coefs);
  case CUTE_EXPRESSION_SUBTRACT:
    return addLinear(p, a, factor, coefs) && addLinear(p, b, -factor, coefs);
  case CUTE_EXPRESSION_MULTIPLY:
    if (a->kind == CUTE_EXPRESSION_NUMBER)
      return addLinear(p, b, factor * (int64_t)a->number, coefs);
    if (b->kind == CUTE_EXPRESSION_NUMBER)
      return addLinear(p, a, factor * (int64_t)b->number, coefs);
    return fail("indices must be linear", "");
  default:
    return fail("indices must be linear", "");
  }
}

static bool setExtent(Program *p, const CuteExpression *e, int64_t extent) {
  size_t index;
  if (e->kind != CUTE_EXPRESSION_NAME)
    return true;
  if (!findIndex(p, e->name, &index))
    return false;
  if (p->indices[index].extent >= 0 && p->indices[index].extent != extent)
    return fail("modes of different sizes share the index ", e->name);
  p->indices[index].extent = extent;
  return true;
}

// Finds all indices and extents under an expression.
static bool collectIndices(Program *p, const CuteExpression *e) {
  size_t argument;
  if (e->kind == CUTE_EXPRESSION_ACCESS) {
    if (!findArgument(p, e->name, &argument))
      return false;
    const CuteArray *array = &p->arguments[argument];
    if (array->rank != e->numChildren)
      return fail("wrong number of indices for ", e->name);
    for (size_t i = 0; i < e->numChildren; ++i)
      if (!setExtent(p, e->children[i], array->extents[i]))
        return false;
    return true;
  }
  for (size_t i = 0; i < e->numChildren; ++i)
    if (!collectIndices(p, e->children[i]))
      return false;
  return true;
}

// The whole range of a linear index must lie in the mode.
static bool checkRange(const Program *p, const int64_t *coefs, int64_t extent,
                       const char *name) {
  int64_t least = coefs[MAX_INDICES], most = least;
  for (size_t i = 0; i < p->numIndices; ++i) {
    int64_t reach = coefs[i] * (p->indices[i].extent - 1);
    *(reach < 0 ? &least : &most) += reach;
    if (!p->indices[i].extent)
      return true;
  }
  return (least >= 0 && most < extent) || fail("index out of range for ", name);
}

static bool compileAccess(Program *p, const CuteExpression *e, Access *access) {
  *access = (Access){0};
  if (!findArgument(p, e->name, &access->argument))
    return false;
  const CuteArray *array = &p->arguments[access->argument];
  for (size_t mode = 0; mode < array->rank; ++mode) {
    int64_t coefs[MAX_INDICES + 1] = {0};
    if (!addLinear(p, e->children[mode], 1, coefs) ||
        !checkRange(p, coefs, array->extents[mode], e->name))
      return false;
    access->start += coefs[MAX_INDICES] * array->strides[mode];
    for (size_t i = 0; i < p->numIndices; ++i)
      access->steps[i] += coefs[i] * array->strides[mode];
  }
  return true;
}

// The integer of 32 bits that is left of one of 53.
static double wrap32(double value) {
  if (!(fabs(value) < 0x1p63))
    return NAN;
  return (double)(int32_t)(uint32_t)(int64_t)value;
}

static const struct {
  const char *name;
  double (*function1)(double);
  double (*function2)(double, double);
} functions[] = {{"exp", exp, NULL},   {"log", log, NULL},
                 {"sqrt", sqrt, NULL}, {"abs", fabs, NULL},
                 {"tanh", tanh, NULL}, {"max", NULL, fmax},
                 {"min", NULL, fmin},  {"wrap32", wrap32, NULL}};

static bool compileCall(const CuteExpression *e, Step *step) {
  for (size_t i = 0; i < sizeof functions / sizeof *functions; ++i) {
    if (strcmp(functions[i].name, e->name))
      continue;
    step->function1 = functions[i].function1;
    step->function2 = functions[i].function2;
    return e->numChildren == (step->function1 ? 1u : 2u) ||
           fail("wrong number of operands for ", e->name);
  }
  return fail("unknown function ", e->name);
}

// Appends the steps of an expression, in postfix order.
static bool compile(Program *p, const CuteExpression *e, size_t depth) {
  if (e->kind != CUTE_EXPRESSION_ACCESS)
    for (size_t i = 0; i < e->numChildren; ++i)
      if (!compile(p, e->children[i], depth + i))
        return false;
  if (p->numSteps == MAX_STEPS || depth >= MAX_STACK)
    return fail("expression too long", "");
  Step *step = &p->steps[p->numSteps++];
  step->kind = e->kind;
  step->number = e->number;
  if (e->kind == CUTE_EXPRESSION_ACCESS)
    return compileAccess(p, e, &step->access);
  if (e->kind == CUTE_EXPRESSION_CALL)
    return compileCall(e, step);
  return e->kind != CUTE_EXPRESSION_NAME ||
         fail("an index is no value: ", e->name);
}

//===-- Execution ---------------------------------------------------------===//

static void loadPiece(const Program *p, const Access *access, const int64_t *at,
                      size_t n, double *vector) {
  size_t inner = p->numIndices - 1;
  int64_t offset = access->start, step = access->steps[inner];
  for (size_t i = 0; i < p->numIndices; ++i)
    offset += at[i] * access->steps[i];
  const double *values = p->values[access->argument];
  for (size_t i = 0; i < n; ++i, offset += step)
    vector[i] = values[offset];
}

static void applyPiece(const Step *step, size_t n, double *a, const double *b) {
  for (size_t i = 0; i < n; ++i)
    switch (step->kind) {
    case CUTE_EXPRESSION_ADD:
      a[i] += b[i];
      break;
    case CUTE_EXPRESSION_SUBTRACT:
      a[i] -= b[i];
      break;
    case CUTE_EXPRESSION_MULTIPLY:
      a[i] *= b[i];
      break;
    case CUTE_EXPRESSION_DIVIDE:
      a[i] /= b[i];
      break;
    case CUTE_EXPRESSION_NEGATE:
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
    if (step->kind == CUTE_EXPRESSION_ACCESS) {
      loadPiece(p, &step->access, at, n, stack[top++]);
    } else if (step->kind == CUTE_EXPRESSION_NUMBER) {
      for (size_t i = 0; i < n; ++i)
        stack[top][i] = step->number;
      ++top;
    } else {
      bool isUnary = step->kind == CUTE_EXPRESSION_NEGATE ||
                     (step->kind == CUTE_EXPRESSION_CALL && step->function1);
      top -= !isUnary;
      applyPiece(step, n, stack[top - 1], stack[top]);
    }
  }
}

// Two accesses with unit steps multiplied: the common case, without copies.
static bool isDot(const Program *p) {
  size_t inner = p->numIndices - 1;
  return p->numSteps == 3 && p->numOuter < p->numIndices &&
         p->steps[2].kind == CUTE_EXPRESSION_MULTIPLY &&
         p->steps[0].kind == CUTE_EXPRESSION_ACCESS &&
         p->steps[1].kind == CUTE_EXPRESSION_ACCESS &&
         p->steps[0].access.steps[inner] == 1 &&
         p->steps[1].access.steps[inner] == 1;
}

static const double *pointerAt(const Program *p, const Access *access,
                               const int64_t *at) {
  int64_t offset = access->start;
  for (size_t i = 0; i < p->numIndices; ++i)
    offset += at[i] * access->steps[i];
  return p->values[access->argument] + offset;
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

// Sum over the innermost index.
static double sumInner(const Program *p, int64_t *at, bool fast,
                       double (*stack)[PIECE]) {
  size_t inner = p->numIndices - 1;
  int64_t extent = p->indices[inner].extent;
  at[inner] = 0;
  if (fast)
    return dot(pointerAt(p, &p->steps[0].access, at),
               pointerAt(p, &p->steps[1].access, at), extent);
  double sum = 0;
  for (; at[inner] < extent; at[inner] += PIECE) {
    int64_t left = extent - at[inner];
    size_t n = (size_t)(left < PIECE ? left : PIECE);
    runPiece(p, at, n, stack);
    for (size_t i = 0; i < n; ++i)
      sum += stack[0][i];
  }
  return sum;
}

// Steps n indices like an odometer from begin to end; false when all were seen.
static bool advance(int64_t *at, size_t n, const int64_t *begin,
                    const int64_t *end) {
  for (size_t i = n; i-- > 0; at[i] = begin[i])
    if (++at[i] < end[i])
      return true;
  return false;
}

static double sumAt(const Program *p, int64_t *at, bool fast,
                    double (*stack)[PIECE]) {
  if (p->numOuter == p->numIndices) {
    runPiece(p, at, 1, stack);
    return stack[0][0];
  }
  int64_t begin[MAX_INDICES] = {0}, end[MAX_INDICES];
  size_t n = p->numIndices - 1 - p->numOuter;
  for (size_t i = 0; i < n; ++i) {
    end[i] = p->indices[p->numOuter + i].extent;
    if (!end[i])
      return 0;
  }
  double sum = 0;
  do
    sum += sumInner(p, at, fast, stack);
  while (advance(at + p->numOuter, n, begin, end));
  return sum;
}

// Blocks of the last two outer modes keep operands in the cache.
enum { BLOCK = 32 };

static int64_t blocksOf(const Program *p, size_t i) {
  return (p->indices[i].extent + BLOCK - 1) / BLOCK;
}

static int64_t numBlocks(const Program *p) {
  int64_t n = 1;
  for (size_t i = 0; i < p->numOuter; ++i)
    n *= i + 2 < p->numOuter ? p->indices[i].extent : blocksOf(p, i);
  return n;
}

// Fills in the coordinates of a block's first element, and of its end.
static void blockRange(const Program *p, int64_t block, int64_t *begin,
                       int64_t *end) {
  for (size_t i = p->numOuter; i-- > 0;) {
    bool isBlocked = i + 2 >= p->numOuter;
    int64_t n = isBlocked ? blocksOf(p, i) : p->indices[i].extent;
    int64_t size = isBlocked ? BLOCK : 1;
    begin[i] = block % n * size;
    end[i] = begin[i] + size < p->indices[i].extent ? begin[i] + size
                                                    : p->indices[i].extent;
    block /= n;
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
  double(*stack)[PIECE] = cuteAllocate(MAX_STACK * sizeof *stack);
  bool fast = isDot(p);
  for (int64_t block = first; block < last; ++block) {
    int64_t begin[MAX_INDICES], end[MAX_INDICES], at[MAX_INDICES] = {0};
    blockRange(p, block, begin, end);
    memcpy(at, begin, p->numOuter * sizeof *at);
    do
      p->result[numberOf(p, at)] = sumAt(p, at, fast, stack);
    while (advance(at, p->numOuter, begin, end));
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

static bool readArguments(Program *p) {
  for (size_t s = 0; s < p->numSteps; ++s) {
    size_t argument = p->steps[s].access.argument;
    if (p->steps[s].kind != CUTE_EXPRESSION_ACCESS || p->values[argument])
      continue;
    const CuteArray *array = &p->arguments[argument];
    double *values = malloc(((size_t)array->cosize + 1) * sizeof *values);
    if (!values)
      return fail("out of memory", "");
    Conversion conversion = {array, values};
    cuteParallelFor(array->cosize, 1 << 16, convertRange, &conversion);
    p->values[argument] = values;
  }
  return true;
}

static bool prepare(Program *p, const CuteExpression *e, size_t *argument) {
  if (e->kind != CUTE_EXPRESSION_CALL || strcmp(e->name, "=") ||
      e->children[0]->kind != CUTE_EXPRESSION_ACCESS)
    return fail("must have the form T[i, ...] = ...", "");
  const CuteExpression *left = e->children[0];
  if (!collectIndices(p, left) || !findArgument(p, left->name, argument))
    return false;
  p->numOuter = p->numIndices;
  if (p->numOuter != left->numChildren)
    return fail("the left side must have a different index for each mode", "");
  if (!collectIndices(p, e->children[1]) || !compile(p, e->children[1], 0))
    return false;
  for (size_t i = 0; i < p->numIndices; ++i)
    if (p->indices[i].extent < 0)
      return fail("no mode has the index alone: ", p->indices[i].name);
  return true;
}

static double countOperations(const Program *p) {
  double n = p->numIndices > p->numOuter; // the sum
  for (size_t i = 0; i < p->numSteps; ++i)
    n += p->steps[i].kind != CUTE_EXPRESSION_ACCESS &&
         p->steps[i].kind != CUTE_EXPRESSION_NUMBER;
  for (size_t i = 0; i < p->numIndices; ++i)
    n *= (double)p->indices[i].extent;
  return n;
}

static bool evaluate(Program *p, CuteReference *reference) {
  int64_t extents[MAX_INDICES];
  reference->operations = countOperations(p);
  for (size_t i = 0; i < p->numOuter; ++i)
    extents[i] = p->indices[i].extent;
  if (!cuteArrayCreate(&reference->values, CUTE_ELEMENT_F64, p->numOuter,
                       extents, NULL) ||
      !readArguments(p))
    return false;
  p->result = (double *)(void *)reference->values.data;
  if (reference->values.cosize)
    cuteParallelFor(numBlocks(p), 1, evaluateBlocks, p);
  return true;
}

bool cuteReferenceEvaluateParsed(const CuteExpression *expression,
                                 size_t numArguments,
                                 const CuteArray *arguments,
                                 CuteReference *reference) {
  *reference = (CuteReference){0};
  double *values[CUTE_MAX_TENSORS] = {NULL};
  Program program = {.numArguments = numArguments < CUTE_MAX_TENSORS
                                         ? numArguments
                                         : CUTE_MAX_TENSORS,
                     .arguments = arguments,
                     .values = values};
  bool ok = prepare(&program, expression, &reference->argument) &&
            evaluate(&program, reference);
  for (size_t i = 0; i < CUTE_MAX_TENSORS; ++i)
    free(values[i]);
  if (!ok)
    cuteArrayDestroy(&reference->values);
  return ok;
}
