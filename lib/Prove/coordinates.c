#include "Prove/coordinates.h"

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
          cuteMonomialDivide(&m, cuteTermGetOnlySymbol(place->stride[r])))
        to = &result->modes[r];
    *to = cuteTermAdd(*to, cuteTermGetMonomial(terms, &m));
  }
  return true;
}
