#include "Prove/coordinates.h"

// The factor of a symbol in a monomial, as a term; null where it is none.
static CuteTerm divideMonomial(CuteTerms *terms, const CuteMonomial *m,
                               const CuteSymbol *by) {
  CuteTerm product = cuteTermGetConstant(terms, m->coefficient);
  bool isFound = false;
  for (size_t f = 0; f < m->degree; ++f) {
    if (m->factors[f] == by && !isFound)
      isFound = true;
    else
      product = cuteTermMultiply(terms, product,
                                 cuteTermGetSymbol(terms, m->factors[f]));
  }
  return isFound ? product : NULL;
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
    const CuteMonomial *m = &offset->monomials[i];
    CuteTerm factor = NULL;
    for (size_t r = 0; !factor && r < place->rank; ++r) {
      const CuteSymbol *stride = cuteTermGetOnlySymbol(place->stride[r]);
      factor = stride ? divideMonomial(terms, m, stride) : NULL;
      if (factor)
        result->modes[r] = cuteTermAdd(terms, result->modes[r], factor);
    }
    if (!factor)
      result->rest =
          cuteTermAdd(terms, result->rest, cuteTermGetMonomial(terms, m));
  }
  return true;
}
