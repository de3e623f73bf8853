// Solutions of the questions so far. Where one of them solves the next
// question, too, isl need not be asked.
#pragma once

#include "Prove/condition.h"

// Values of symbols and of products, which isl takes for symbols.
typedef struct CuteModel {
  CuteValues values;
  CuteMonomial *products; // their coefficients are the values
  size_t count, capacity;
} CuteModel;

enum { CUTE_MAX_MODELS = 32 };

typedef struct CuteModels {
  CuteModel list[CUTE_MAX_MODELS]; // the one that was used last comes first
  size_t count;
} CuteModels;

void cuteModelsDestroy(CuteModels *models);

// Begins a model, in place of the one not used for longest. Symbols have values
// near 0 in it until they are set.
CuteModel *cuteModelsBegin(CuteModels *models, const CuteTerms *terms);

// Moves a model to the front.
void cuteModelsUse(CuteModels *models, size_t i);

// Sets the value of a symbol or product.
void cuteModelSet(CuteModel *model, const CuteMonomial *m, int64_t value);

// Gets the values of symbols and products, in multiples of their scales. One
// that was not set is computed of others; false where it cannot be.
bool cuteModelGetAll(CuteModel *model, const CuteTerms *terms,
                     const CuteMonomial *list, size_t count, int64_t *values);
