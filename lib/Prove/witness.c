// The command line of a run that shows a mistake.
#include "Prove/claims.h"

bool cuteWitnessIsAlike(const CuteSymbol *a, const CuteSymbol *b) {
  const char *x = strstr(a->name, ".shape"), *y = strstr(b->name, ".shape");
  return x && y && !strcmp(x, y);
}

// A size of the point. A size that the point leaves open is at least the
// largest of the same mode in other tensors.
static int64_t sizeOf(const CuteTerms *terms, const CutePoint *point,
                      const CuteSymbol *symbol) {
  if (cuteValuesHas(&point->at, symbol->id))
    return point->at.values[symbol->id];
  int64_t least = symbol->divisor;
  for (size_t i = 0; i < point->at.count; ++i) {
    const CuteSymbol *other = terms->symbols[i];
    if (cuteValuesHas(&point->at, i) && other->kind == CUTE_SYMBOL_SIZE &&
        cuteWitnessIsAlike(symbol, other) && point->at.values[i] > least)
      least = point->at.values[i];
  }
  return (least + symbol->divisor - 1) / symbol->divisor * symbol->divisor;
}

static int64_t evaluate(const CuteTerms *terms, const CutePoint *point,
                        CuteTerm term) {
  int64_t value;
  if (cuteTermIsConstant(term, &value))
    return value;
  return sizeOf(terms, point, cuteTermGetOnlySymbol(term));
}

// Strides of rows without gaps, rounded up to their divisors or raised to what
// the point gives.
static void fillStrides(const CuteTerms *terms, const CutePoint *point,
                        const CutePlace *place, const int64_t *shape,
                        int64_t *stride) {
  int64_t next = 1;
  for (size_t r = place->rank; r-- > 0;)
    if (cuteTermIsConstant(place->stride[r], &stride[r]) &&
        stride[r] * shape[r] > next)
      next = stride[r] * shape[r];
  for (size_t r = place->rank; r-- > 0;) {
    if (cuteTermIsConstant(place->stride[r], &stride[r]))
      continue;
    const CuteSymbol *symbol = cuteTermGetOnlySymbol(place->stride[r]);
    int64_t given = sizeOf(terms, point, symbol);
    stride[r] =
        (next + symbol->divisor - 1) / symbol->divisor * symbol->divisor;
    if (given > stride[r])
      stride[r] = given;
    next = stride[r] * shape[r];
  }
}

static void appendList(CuteString *text, const int64_t *list, size_t n) {
  for (size_t i = 0; i < n; ++i)
    cuteStringAppendFormat(text, "%s%jd", i ? "," : n > 1 ? "(" : "", list[i]);
  cuteStringAppend(text, n > 1 ? ")" : "");
}

static bool appendTensor(const CuteTerms *terms, const CutePoint *point,
                         const CutePlace *place, CuteString *text) {
  int64_t shape[CUTE_MAX_MODES], stride[CUTE_MAX_MODES];
  if (!place->rank || place->rank > CUTE_MAX_MODES)
    return false;
  for (size_t r = 0; r < place->rank; ++r)
    shape[r] = evaluate(terms, point, place->shape[r]);
  fillStrides(terms, point, place, shape, stride);
  cuteStringAppendFormat(text, " '%s[",
                         cuteElementTypeGetName(place->type->element));
  appendList(text, shape, place->rank);
  cuteStringAppend(text, ":");
  appendList(text, stride, place->rank);
  cuteStringAppend(text, "]'");
  return true;
}

// A number of a parameter that is one integer.
static bool appendNumber(const CuteTerms *terms, const CutePoint *point,
                         size_t argument, MlirType type, CuteString *text) {
  char name[32];
  snprintf(name, sizeof name, "arg%zu", argument);
  const CuteSymbol *symbol = cuteWalkFindSize(terms, name);
  if (symbol)
    cuteStringAppendFormat(text, " %jd", sizeOf(terms, point, symbol));
  else if (mlirTypeIsAFloat(type))
    cuteStringAppend(text, " 1.0");
  return symbol || mlirTypeIsAFloat(type);
}

bool cuteWitnessAppendArguments(CuteClaims *claims, const CutePoint *point,
                                CuteString *arguments) {
  CuteProver *prover = claims->prover;
  MlirBlock typed = cuteMlirGetBody(prover->typed, 0);
  bool ok = true;
  for (intptr_t i = 0; ok && i < mlirBlockGetNumArguments(typed); ++i) {
    const CutePlace *place = cuteWalkFindArgument(prover, (size_t)i);
    MlirType type = mlirValueGetType(mlirBlockGetArgument(typed, i));
    ok = place ? place->type && place->type->kind == CUTE_TYPE_TENSOR &&
                     appendTensor(prover->terms, point, place, arguments)
               : appendNumber(prover->terms, point, (size_t)i, type, arguments);
  }
  return ok;
}
