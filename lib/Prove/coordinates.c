#include "Prove/coordinates.h"

// Divides a monomial by a symbol; false if it is not a factor.
static bool divide(CuteMonomial *m, const CuteSymbol *by) {
  for (size_t f = 0; f < m->degree; ++f)
    if (m->factors[f] == by) {
      --m->degree;
      memmove(&m->factors[f], &m->factors[f + 1],
              (m->degree - f) * sizeof *m->factors);
      return true;
    }
  return false;
}

bool cuteCoordinatesFind(CuteProver *prover, const CutePlace *place,
                         CuteTerm offset, CuteCoordinates *result) {
  CuteTerms *terms = &prover->terms;
  *result = (CuteCoordinates){.rest = cuteTermGetConstant(terms, 0)};
  if (!place->rank || place->rank > CUTE_MAX_MODES)
    return false;
  for (size_t r = 0; r < place->rank; ++r)
    if (cuteTermGetOnlySymbol(place->stride[r]))
      result->modes[r] = cuteTermGetConstant(terms, 0);
  for (size_t i = 0; i < offset->count; ++i) {
    CuteMonomial m = offset->monomials[i];
    CuteTerm *to = &result->rest;
    for (size_t r = 0; to == &result->rest && r < place->rank; ++r)
      if (result->modes[r] &&
          divide(&m, cuteTermGetOnlySymbol(place->stride[r])))
        to = &result->modes[r];
    *to = cuteTermAdd(*to, cuteTermGetMonomial(terms, &m));
  }
  return true;
}
