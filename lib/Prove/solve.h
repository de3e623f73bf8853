// Asks isl whether conditions on terms can hold together: Presburger
// arithmetic, which decides that for all integers.
#pragma once

#include "Prove/condition.h"

typedef enum CuteAnswer {
  CUTE_ANSWER_NEVER,     // they cannot hold, whatever is unknown
  CUTE_ANSWER_POSSIBLE,  // they hold at the point
  CUTE_ANSWER_UNDECIDED, // nothing, for the reason
} CuteAnswer;

typedef struct CutePoint {
  CuteAnswer answer;
  const char *reason; // what is not known exactly; null: the point is exact
  CuteValues at;      // of the symbols that the condition is about
} CutePoint;

#define CUTE_REASON_PRODUCT "a product of sizes"

typedef struct CuteSolver CuteSolver;

CuteSolver *cuteSolverCreate(CuteTerms *terms);
void cuteSolverDestroy(CuteSolver *solver);

// Lets it be asked as much as at first: it gives up after so many questions, or
// after a few that take too long.
void cuteSolverRest(CuteSolver *solver);

// Finds values of symbols for which the condition holds: first small sizes,
// then small indices of blocks and threads. Products of symbols and what is
// opaque may be any number. The point's memory is that of the terms. If it has
// to be exact, and is not, there are no values.
CutePoint cuteSolve(CuteSolver *solver, CuteCondition condition, bool isExact);

// Tells whether the condition can never hold; false also where that is not
// decided.
bool cuteSolverRefutes(CuteSolver *solver, CuteCondition condition);

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
