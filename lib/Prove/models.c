#include "Prove/solve.h"

#include "Support/growing_array.h"

void cuteModelsDestroy(CuteModels *models) {
  for (size_t i = 0; i < models->count; ++i) {
    free(models->list[i].values.values);
    free(models->list[i].values.stamps);
    free(models->list[i].products);
  }
}

void cuteModelsUse(CuteModels *models, size_t i) {
  CuteModel used = models->list[i];
  memmove(models->list + 1, models->list, i * sizeof used);
  models->list[0] = used;
}

// The number next to 0 that a symbol may be.
static int64_t leastOf(const CuteSymbol *s) {
  int64_t low = s->range.low > 0 ? s->range.low : 0;
  return s->range.high < 0 ? s->range.high
                           : (low + s->divisor - 1) / s->divisor * s->divisor;
}

// Gives values to symbols that are newer than a model.
static void extend(CuteValues *v, const CuteTerms *terms) {
  size_t i = v->count;
  if (i == terms->count)
    return;
  v->count = terms->count;
  v->values = cuteReallocate(v->values, v->count * sizeof *v->values);
  v->stamps = cuteReallocate(v->stamps, v->count * sizeof *v->stamps);
  memset(&v->stamps[i], 0, (v->count - i) * sizeof *v->stamps);
  for (; i < v->count; ++i)
    if (terms->symbols[i]->kind <= CUTE_SYMBOL_OPAQUE)
      cuteValuesSet(v, terms->symbols[i], leastOf(terms->symbols[i]));
}

static CuteModel *begin(CuteModels *models, const CuteTerms *terms) {
  if (models->count < CUTE_MAX_MODELS)
    models->list[models->count++] = (CuteModel){.values.stamp = 1};
  cuteModelsUse(models, models->count - 1);
  models->list[0].count = models->list[0].values.count = 0;
  extend(&models->list[0].values, terms);
  return &models->list[0];
}

void cuteModelsAdd(CuteModels *models, const CuteTerms *terms,
                   const CuteMonomial *list, size_t count,
                   const int64_t *values) {
  for (int isComputed = 0; isComputed < 2; ++isComputed) {
    CuteModel *model = begin(models, terms);
    CuteSymbolKind last = isComputed ? CUTE_SYMBOL_OPAQUE : CUTE_SYMBOL_CHOICE;
    for (size_t i = 0; i < count; ++i) {
      CuteMonomial m = list[i];
      m.coefficient = values[i];
      if (m.degree == 1 && m.factors[0]->kind <= last)
        cuteValuesSet(&model->values, m.factors[0], values[i]);
      else if (m.degree > 1 && !isComputed)
        CUTE_PUSH(model->products, model->count, model->capacity, m);
    }
  }
}

static bool get(CuteModel *model, const CuteMonomial *m, int64_t *value) {
  CuteMonomial one = *m;
  one.coefficient = 1;
  for (size_t i = 0; m->degree > 1 && i < model->count; ++i)
    if (!memcmp(model->products[i].factors, m->factors, sizeof m->factors)) {
      *value = model->products[i].coefficient;
      return true;
    }
  return cuteValuesGetMonomial(&model->values, &one, value);
}

bool cuteModelGetAll(CuteModel *model, const CuteTerms *terms,
                     const CuteMonomial *list, size_t count, int64_t *values) {
  extend(&model->values, terms);
  for (size_t i = 0; i < count; ++i) {
    int64_t scale = cuteMonomialGetScale(&list[i]);
    if (!get(model, &list[i], &values[i]) || values[i] % scale)
      return false;
    values[i] /= scale;
  }
  return true;
}
