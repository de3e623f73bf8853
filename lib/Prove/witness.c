// The command line of a run that shows a mistake.
#include "Prove/claims.h"

typedef struct Sizes {
  CuteClaims *claims;
  const CutePoint *point;
} Sizes;

static bool isAlike(const CuteSymbol *a, const CuteSymbol *b) {
  const char *x = strchr(a->name, '.'), *y = strchr(b->name, '.');
  return x && y && !strcmp(x, y) && !strncmp(x, ".shape", 6);
}

// A size of the point. A size that the point leaves open is at least the
// largest of the same mode in other tensors.
static int64_t sizeOf(const Sizes *sizes, const CuteSymbol *symbol) {
  const CutePoint *point = sizes->point;
  if (symbol->id < point->count && point->isUsed[symbol->id])
    return point->values[symbol->id];
  int64_t least = symbol->divisor;
  const CuteTerms *terms = &sizes->claims->prover->terms;
  for (size_t i = 0; i < point->count; ++i) {
    const CuteSymbol *other = terms->symbols[i];
    if (point->isUsed[i] && other->kind == CUTE_SYMBOL_SIZE &&
        isAlike(symbol, other) && point->values[i] > least)
      least = point->values[i];
  }
  return (least + symbol->divisor - 1) / symbol->divisor * symbol->divisor;
}

static int64_t evaluate(const Sizes *sizes, CuteTerm term) {
  int64_t value;
  if (cuteTermIsConstant(term, &value))
    return value;
  return sizeOf(sizes, cuteTermGetOnlySymbol(term));
}

// Strides of rows without gaps, rounded up to their divisors or raised to what
// the point gives.
static void fillStrides(const Sizes *sizes, const CutePlace *place,
                        const int64_t *shape, int64_t *stride) {
  int64_t next = 1;
  for (size_t r = place->rank; r-- > 0;)
    if (cuteTermIsConstant(place->stride[r], &stride[r]) &&
        stride[r] * shape[r] > next)
      next = stride[r] * shape[r];
  for (size_t r = place->rank; r-- > 0;) {
    if (cuteTermIsConstant(place->stride[r], &stride[r]))
      continue;
    const CuteSymbol *symbol = cuteTermGetOnlySymbol(place->stride[r]);
    int64_t given = sizeOf(sizes, symbol);
    stride[r] =
        (next + symbol->divisor - 1) / symbol->divisor * symbol->divisor;
    if (given > stride[r])
      stride[r] = given;
    next = stride[r] * shape[r];
  }
}

enum { MAX_RANK = 16 };

static bool appendTensor(const Sizes *sizes, const CutePlace *place,
                         CuteString *text) {
  int64_t shape[MAX_RANK], stride[MAX_RANK];
  if (!place->rank || place->rank > MAX_RANK)
    return false;
  for (size_t r = 0; r < place->rank; ++r)
    shape[r] = evaluate(sizes, place->shape[r]);
  fillStrides(sizes, place, shape, stride);
  cuteStringAppendFormat(text, " '%s[",
                         cuteElementTypeGetName(place->type->element));
  cuteStringAppend(text, place->rank == 1 ? "" : "(");
  for (size_t r = 0; r < place->rank; ++r)
    cuteStringAppendFormat(text, r ? ",%lld" : "%lld", (long long)shape[r]);
  cuteStringAppend(text, place->rank == 1 ? ":" : "):(");
  for (size_t r = 0; r < place->rank; ++r)
    cuteStringAppendFormat(text, r ? ",%lld" : "%lld", (long long)stride[r]);
  cuteStringAppend(text, place->rank == 1 ? "]'" : ")]'");
  return true;
}

// A number of a parameter that is one integer.
static bool appendNumber(const Sizes *sizes, size_t argument, MlirType type,
                         CuteString *text) {
  const CuteTerms *terms = &sizes->claims->prover->terms;
  CuteString name = {0};
  cuteStringAppendFormat(&name, "arg%zu", argument);
  const CuteSymbol *symbol = cuteWalkFindSize(terms, cuteStringGet(&name));
  cuteStringDestroy(&name);
  if (symbol)
    cuteStringAppendFormat(text, " %jd", sizeOf(sizes, symbol));
  else if (mlirTypeIsAFloat(type))
    cuteStringAppend(text, " 1.0");
  return symbol || mlirTypeIsAFloat(type);
}

bool cuteWitnessAppendArguments(CuteClaims *claims, const CutePoint *point,
                                CuteString *arguments) {
  Sizes sizes = {claims, point};
  CuteProver *prover = claims->prover;
  MlirBlock typed = cuteMlirGetBody(prover->typed, 0);
  bool ok = true;
  for (intptr_t i = 0; ok && i < mlirBlockGetNumArguments(typed); ++i) {
    const CutePlace *place = cuteWalkFindArgument(prover, (size_t)i);
    MlirType type = mlirValueGetType(mlirBlockGetArgument(typed, i));
    ok = place ? place->type && place->type->kind == CUTE_TYPE_TENSOR &&
                     appendTensor(&sizes, place, arguments)
               : appendNumber(&sizes, (size_t)i, type, arguments);
  }
  return ok;
}
