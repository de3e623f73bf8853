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

// Adds two models of a solution, in place of the ones not used for longest:
// itself, and one with products and choices computed, which may solve more.
// Other symbols have values near 0 in them.
void cuteModelsAdd(CuteModels *models, const CuteTerms *terms,
                   const CuteMonomial *list, size_t count,
                   const int64_t *values);

// Moves a model to the front.
void cuteModelsUse(CuteModels *models, size_t i);

// Gets the values of symbols and products, in multiples of their scales. One
// that was not set is computed of others; false where it cannot be.
bool cuteModelGetAll(CuteModel *model, const CuteTerms *terms,
                     const CuteMonomial *list, size_t count, int64_t *values);
