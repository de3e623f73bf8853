#include "Check/program.h"
#include "Support/arena.h"

#include <math.h>

typedef CuteProgram Program;

// The reductions around an expression, the innermost first.
typedef struct Scope {
  const CuteFormula *reduction;
  const struct Scope *outer;
} Scope;

// The first failure stays.
static bool fail(const Program *p, const char *message, const char *detail) {
  if (!p->all->failure)
    p->all->failure = cuteStatusCreate("reference: %s%s", message, detail);
  return false;
}

//===-- Names -------------------------------------------------------------===//

// A..Z by position.
static bool findArgument(const Program *p, const char *name, size_t *argument) {
  *argument = (size_t)(name[0] - 'A');
  if (name[0] >= 'A' && !name[1] && *argument < p->all->numArguments &&
      p->all->tensors[*argument].data)
    return true;
  return fail(p,
              "tensors are called A, B, C, ... in the order of the arguments; "
              "no tensor argument is called ",
              name);
}

static bool findIndex(Program *p, const char *name, size_t *index) {
  for (*index = 0; *index < p->numIndices; ++*index)
    if (!strcmp(p->indices[*index].name, name))
      return true;
  if (p->numIndices == CUTE_MAX_INDICES)
    return fail(p, "too many indices", "");
  CuteIndex *added = &p->indices[p->numIndices++];
  memcpy(added->name, name, sizeof added->name);
  added->extent = -1;
  return true;
}

static bool isBound(const Scope *scope, const char *name) {
  for (; scope; scope = scope->outer)
    for (size_t i = 0; i + 1 < scope->reduction->numChildren; ++i)
      if (!strcmp(scope->reduction->children[i]->name, name))
        return true;
  return false;
}

//===-- Indices -----------------------------------------------------------===//

static bool add(int64_t *sum, int64_t value) {
  return !__builtin_add_overflow(*sum, value, sum);
}

// Multiplies by an integer; false, and no change, where it is none or
// overflows.
static bool multiply(const CuteFormula *e, int64_t *factor) {
  int64_t value, product;
  if (e->kind != CUTE_FORMULA_NUMBER || !cuteFormulaGetInteger(e, &value) ||
      __builtin_mul_overflow(*factor, value, &product))
    return false;
  *factor = product;
  return true;
}

// Adds factor * expression to coefs, whose last entry is the constant part.
// False where it is not linear in indices with factors of 64 bits.
static bool addLinear(Program *p, const CuteFormula *e, int64_t factor,
                      int64_t *coefs) {
  size_t index = CUTE_MAX_INDICES;
  const CuteFormula *a = e->children[0], *b = e->children[1];
  switch (e->kind) {
  case CUTE_FORMULA_NUMBER:
    return multiply(e, &factor) && add(&coefs[index], factor);
  case CUTE_FORMULA_NAME:
    return findIndex(p, e->name, &index) && add(&coefs[index], factor);
  case CUTE_FORMULA_ADD:
    return addLinear(p, a, factor, coefs) && addLinear(p, b, factor, coefs);
  case CUTE_FORMULA_SUBTRACT:
    return addLinear(p, a, factor, coefs) && factor != INT64_MIN &&
           addLinear(p, b, -factor, coefs);
  case CUTE_FORMULA_MULTIPLY:
    return multiply(a, &factor)   ? addLinear(p, b, factor, coefs)
           : multiply(b, &factor) ? addLinear(p, a, factor, coefs)
                                  : false;
  default:
    return false;
  }
}

static bool setExtent(Program *p, const CuteFormula *e, const Scope *scope,
                      int64_t extent) {
  size_t index;
  if (e->kind != CUTE_FORMULA_NAME || isBound(scope, e->name))
    return true;
  if (!findIndex(p, e->name, &index))
    return false;
  if (p->indices[index].extent >= 0 && p->indices[index].extent != extent)
    return fail(p,
                "modes of different sizes share an index; where it is not to "
                "run over the mode, write i + 0: ",
                e->name);
  p->indices[index].extent = extent;
  return true;
}

static bool checkReduction(const Program *p, const CuteFormula *e) {
  for (size_t i = 0; i + 1 < e->numChildren; ++i)
    if (e->children[i]->kind != CUTE_FORMULA_NAME)
      return fail(p, "expected the names of indices in ", e->name);
  return true;
}

// Finds all indices and extents under an expression, except in its reductions.
static bool collectIndices(Program *p, const CuteFormula *e,
                           const Scope *scope) {
  size_t argument;
  if (e->kind == CUTE_FORMULA_ACCESS) {
    if (!findArgument(p, e->name, &argument))
      return false;
    const CuteArray *array = &p->all->tensors[argument];
    if (array->rank != e->numChildren)
      return fail(p, "wrong number of indices for ", e->name);
    for (size_t i = 0; i < e->numChildren; ++i)
      if (!setExtent(p, e->children[i], scope, array->extents[i]) ||
          !collectIndices(p, e->children[i], scope))
        return false;
    return true;
  }
  size_t index;
  if (e->kind == CUTE_FORMULA_NAME)
    return isBound(scope, e->name) || findIndex(p, e->name, &index);
  if (e->kind == CUTE_FORMULA_REDUCE) {
    Scope inner = {e, scope};
    return checkReduction(p, e) &&
           collectIndices(p, e->children[e->numChildren - 1], &inner);
  }
  for (size_t i = 0; i < e->numChildren; ++i)
    if (!collectIndices(p, e->children[i], scope))
      return false;
  return true;
}

static bool checkExtents(const Program *p) {
  for (size_t i = 0; i < p->numIndices; ++i)
    if (p->indices[i].extent < 0)
      return fail(p, "no mode has the index alone: ", p->indices[i].name);
  return true;
}

//===-- Steps -------------------------------------------------------------===//

// Says whether some index has no values, so that nothing is computed.
static bool isEmpty(const Program *p) {
  for (size_t i = 0; i < p->numIndices; ++i)
    if (!p->indices[i].extent)
      return true;
  return false;
}

// The whole range of a linear index must lie in the mode.
static bool checkRange(const Program *p, const int64_t *coefs, int64_t extent,
                       const char *name) {
  int64_t least = coefs[CUTE_MAX_INDICES], most = least;
  for (size_t i = 0; i < p->numIndices; ++i) {
    int64_t reach;
    if (__builtin_mul_overflow(coefs[i], p->indices[i].extent - 1, &reach) ||
        !add(reach < 0 ? &least : &most, reach))
      return fail(p, "index out of range for ", name);
  }
  return (least >= 0 && most < extent) ||
         fail(p, "index out of range for ", name);
}

static bool compileAccess(Program *p, const CuteFormula *e,
                          CuteProgramAccess *access) {
  *access = (CuteProgramAccess){0};
  if (!findArgument(p, e->name, &access->tensor))
    return false;
  const CuteArray *array = &p->all->tensors[access->tensor];
  for (size_t mode = 0; mode < array->rank && !isEmpty(p); ++mode) {
    int64_t coefs[CUTE_MAX_INDICES + 1] = {0};
    if (!addLinear(p, e->children[mode], 1, coefs) ||
        !checkRange(p, coefs, array->extents[mode], e->name))
      return false;
    access->start += coefs[CUTE_MAX_INDICES] * array->strides[mode];
    for (size_t i = 0; i < p->numIndices; ++i)
      if (p->indices[i].extent > 1)
        access->steps[i] += coefs[i] * array->strides[mode];
  }
  return true;
}

static bool isLinearAccess(Program *p, const CuteFormula *e) {
  for (size_t i = 0; i < e->numChildren; ++i) {
    int64_t coefs[CUTE_MAX_INDICES + 1] = {0};
    if (!addLinear(p, e->children[i], 1, coefs))
      return false;
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
} functions[] = {
    {"exp", exp, NULL},      {"log", log, NULL},   {"sqrt", sqrt, NULL},
    {"abs", fabs, NULL},     {"tanh", tanh, NULL}, {"erf", erf, NULL},
    {"sin", sin, NULL},      {"cos", cos, NULL},   {"floor", floor, NULL},
    {"max", NULL, fmax},     {"min", NULL, fmin},  {"pow", NULL, pow},
    {"wrap32", wrap32, NULL}};

static bool compileCall(const Program *p, const CuteFormula *e,
                        CuteProgramStep *step) {
  for (size_t i = 0; i < sizeof functions / sizeof *functions; ++i) {
    if (strcmp(functions[i].name, e->name))
      continue;
    step->function1 = functions[i].function1;
    step->function2 = functions[i].function2;
    return e->numChildren == (step->function1 ? 1u : 2u) ||
           fail(p, "wrong number of operands for ", e->name);
  }
  static const char *const reductions[] = {"sum", "mean"};
  for (size_t i = 0; i < sizeof reductions / sizeof *reductions; ++i)
    if (!strcmp(reductions[i], e->name))
      return fail(
          p, "a reduction names its index, as in sum[k](A[m,k]): ", e->name);
  return fail(p, "unknown function ", e->name);
}

// An index as a value.
static bool compileIndex(Program *p, const CuteFormula *e,
                         CuteProgramAccess *access) {
  size_t index;
  *access = (CuteProgramAccess){0};
  if (!findIndex(p, e->name, &index))
    return false;
  access->steps[index] = 1;
  return true;
}

static bool compileReduction(Program *p, const CuteFormula *e,
                             CuteProgramAccess *access);

// Appends the steps of an expression, in postfix order. Indices that are not
// linear are values on the stack.
static bool compile(Program *p, const CuteFormula *e, size_t depth) {
  bool isAccess = e->kind == CUTE_FORMULA_ACCESS;
  bool isTensor = isAccess || e->kind == CUTE_FORMULA_REDUCE;
  bool isGather = isAccess && !isLinearAccess(p, e);
  if (!isTensor || isGather)
    for (size_t i = 0; i < e->numChildren; ++i)
      if (!compile(p, e->children[i], depth + i))
        return false;
  if (p->numSteps == CUTE_MAX_STEPS || depth >= CUTE_MAX_STACK)
    return fail(p, "expression too long", "");
  CuteProgramStep *step = &p->steps[p->numSteps++];
  step->kind = isTensor ? CUTE_FORMULA_ACCESS : e->kind;
  step->number = e->number;
  step->numGathered = isGather ? e->numChildren : 0;
  if (isGather)
    return findArgument(p, e->name, &step->access.tensor);
  if (isAccess)
    return compileAccess(p, e, &step->access);
  if (e->kind == CUTE_FORMULA_REDUCE)
    return compileReduction(p, e, &step->access);
  if (e->kind == CUTE_FORMULA_NAME)
    return compileIndex(p, e, &step->access);
  return e->kind != CUTE_FORMULA_CALL || compileCall(p, e, step);
}

//===-- Reductions --------------------------------------------------------===//

static bool findReduction(const Program *p, const char *name,
                          CuteReduction *reduction) {
  static const char *const names[] = {[CUTE_REDUCE_SUM] = "sum",
                                      [CUTE_REDUCE_MEAN] = "mean",
                                      [CUTE_REDUCE_MAX] = "max",
                                      [CUTE_REDUCE_MIN] = "min"};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    if (!strcmp(names[i], name)) {
      *reduction = (CuteReduction)i;
      return true;
    }
  return fail(p, "unknown reduction ", name);
}

// The indices of a reduction's program: first those shared with `outer`, in
// which they have their extents, then its own.
static bool prepareReduction(Program *p, const CuteFormula *e,
                             const Program *outer) {
  const CuteFormula *body = e->children[e->numChildren - 1];
  Scope scope = {e, NULL};
  size_t index;
  if (!checkReduction(p, e) || !findReduction(p, e->name, &p->reduction) ||
      !collectIndices(p, body, &scope))
    return false;
  p->numOuter = p->numIndices;
  for (size_t i = 0; i < p->numOuter; ++i)
    for (size_t j = 0; j < outer->numIndices; ++j)
      if (!strcmp(p->indices[i].name, outer->indices[j].name))
        p->indices[i] = outer->indices[j];
  for (size_t i = 0; i + 1 < e->numChildren; ++i)
    if (!findIndex(p, e->children[i]->name, &index))
      return false;
  bool isNew = p->numIndices == p->numOuter + e->numChildren - 1;
  return (isNew || fail(p, "an index occurs twice in ", e->name)) &&
         collectIndices(p, body, NULL) && checkExtents(p) &&
         compile(p, body, 0);
}

// The program of a reduction, and the access by which `p` reads its result.
static bool compileReduction(Program *p, const CuteFormula *e,
                             CuteProgramAccess *access) {
  CutePrograms *all = p->all;
  Program *inner = cuteAllocate(sizeof *inner);
  *inner = (Program){.all = all};
  bool ok = prepareReduction(inner, e, p);
  if (ok && all->numReductions == CUTE_MAX_REDUCTIONS)
    ok = fail(p, "too many reductions", "");
  if (!ok) {
    free(inner);
    return false;
  }
  *access =
      (CuteProgramAccess){.tensor = CUTE_MAX_ARGUMENTS + all->numReductions};
  CuteArray *result = &all->tensors[access->tensor];
  *result = (CuteArray){.rank = inner->numOuter, .cosize = 1};
  for (size_t i = inner->numOuter; i-- > 0;) {
    size_t index;
    result->extents[i] = inner->indices[i].extent;
    result->strides[i] = result->cosize;
    ok = ok && findIndex(p, inner->indices[i].name, &index) &&
         (!__builtin_mul_overflow(result->cosize, result->extents[i],
                                  &result->cosize) ||
          fail(p, "too many results of ", e->name));
    if (ok)
      access->steps[index] = result->strides[i];
  }
  all->reductions[all->numReductions++] = inner;
  return ok;
}

//===-- Entry -------------------------------------------------------------===//

// The indices of the left side, which are computed at the coordinates of a
// sample.
static bool prepareTarget(Program *p, const CuteFormula *left,
                          CuteProgramTarget *target) {
  int64_t extents[CUTE_MAX_RANK];
  for (size_t i = 0; i < left->numChildren; ++i)
    if (left->children[i]->kind != CUTE_FORMULA_NAME)
      return fail(p, "the left side must have an index for each mode", "");
  if (!collectIndices(p, left, NULL) ||
      !findArgument(p, left->name, &target->argument))
    return false;
  p->numOuter = p->numIndices;
  if (p->numOuter != left->numChildren)
    return fail(p, "the left side must have a different index for each mode",
                "");
  for (size_t i = 0; i < p->numOuter; ++i)
    extents[i] = p->indices[i].extent;
  cuteSampleCreate(&target->sample, p->numOuter, extents, target->count,
                   target->seed);
  for (size_t i = 0; i < p->numOuter; ++i) {
    p->indices[i].count = target->sample.counts[i];
    p->indices[i].coordinates = target->sample.coordinates[i];
  }
  return true;
}

static bool compileWhole(Program *p, const CuteFormula *e,
                         CuteProgramTarget *target) {
  if (e->kind != CUTE_FORMULA_CALL || strcmp(e->name, "=") ||
      e->children[0]->kind != CUTE_FORMULA_ACCESS)
    return fail(p, "must have the form T[i, ...] = ...", "");
  return prepareTarget(p, e->children[0], target) &&
         collectIndices(p, e->children[1], NULL) && checkExtents(p) &&
         compile(p, e->children[1], 0);
}

CuteStatus cuteProgramsCompile(CutePrograms *programs, const CuteFormula *e,
                               size_t numArguments, const CuteArray *arguments,
                               CuteProgramTarget *target) {
  *programs = (CutePrograms){.numArguments = numArguments < CUTE_MAX_ARGUMENTS
                                                 ? numArguments
                                                 : CUTE_MAX_ARGUMENTS};
  Program *p = &programs->whole;
  p->all = programs;
  memcpy(programs->tensors, arguments,
         programs->numArguments * sizeof *arguments);
  compileWhole(p, e, target);
  return programs->failure;
}

void cuteProgramsDestroy(CutePrograms *programs) {
  for (size_t i = 0; i < CUTE_MAX_TENSORS; ++i)
    free(programs->values[i]);
  for (size_t i = 0; i < programs->numReductions; ++i)
    free(programs->reductions[i]);
}
