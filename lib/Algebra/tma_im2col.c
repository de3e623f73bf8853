// The matrix of a convolution as coordinates of the images it is made from.
#include "Algebra/algebra.h"
#include "cute/Tma.h"

enum { MAX_SPATIAL = 3, MAX_MODES = MAX_SPATIAL + 2 };

static CuteIntTuple stepAlong(CuteContext c, int64_t value, size_t part,
                              size_t mode) {
  const int64_t path[] = {(int64_t)part, (int64_t)mode};
  return cuteIntTupleGetBasis(c, staticInt(c, value), 2, path);
}

// Counts the places of the filter along a mode:
// (extent + lower + upper - dilation (filter - 1) - 1) / step + 1.
static CuteIntTuple placesOf(CuteContext c, const CuteIm2col *p, size_t i,
                             CuteIntTuple extent) {
  int64_t more =
      p->lower[i] + p->upper[i] - p->dilation[i] * (p->filter[i] - 1) - 1;
  CuteIntTuple last = cuteLeafAdd(c, extent, staticInt(c, more));
  if (last && p->steps[i] != 1)
    last = cuteLeafDiv(c, last, staticInt(c, p->steps[i]));
  return last ? cuteLeafAdd(c, last, staticInt(c, 1)) : NULL;
}

CuteLayout cuteTmaIm2colGetMatrix(CuteContext c, const CuteIm2col *p,
                                  CuteIntTuple shape) {
  size_t n = p->rank;
  CuteIntTuple pixels[MAX_MODES], pixelSteps[MAX_MODES];
  CuteIntTuple taps[MAX_MODES], tapSteps[MAX_MODES];
  if (!isTuple(shape) || shape->rank != n + 2 || shape->numLeaves != n + 2)
    return cuteFailTuple(c,
                         "im2col: images are (N, [D, [H,]] W, C) with a filter "
                         "for each mode but the first and the last, unlike ",
                         shape);
  for (size_t i = 0; i < n; ++i) {
    size_t from = n - 1 - i;
    pixels[i] = placesOf(c, p, from, shape->elements[1 + from]);
    if (!pixels[i])
      return NULL;
    pixelSteps[i] = stepAlong(c, p->steps[from], 0, 1 + from);
    taps[i] = staticInt(c, p->filter[from]);
    tapSteps[i] = stepAlong(c, p->dilation[from], 1, from);
  }
  pixels[n] = shape->elements[0];
  pixelSteps[n] = stepAlong(c, 1, 0, 0);
  CuteIntTuple columns[] = {shape->elements[n + 1],
                            cuteInternTuple(c, n, taps)};
  CuteIntTuple columnSteps[] = {stepAlong(c, 1, 0, n + 1),
                                cuteInternTuple(c, n, tapSteps)};
  CuteIntTuple shapes[] = {cuteInternTuple(c, n + 1, pixels),
                           cuteInternTuple(c, 2, columns)};
  CuteIntTuple strides[] = {cuteInternTuple(c, n + 1, pixelSteps),
                            cuteInternTuple(c, 2, columnSteps)};
  return cuteLayoutGet(c, cuteInternTuple(c, 2, shapes),
                       cuteInternTuple(c, 2, strides));
}

CuteIntTuple cuteTmaIm2colGetOrigin(CuteContext c, const CuteIm2col *p) {
  CuteIntTuple pixel[MAX_MODES], tap[MAX_MODES];
  for (size_t i = 0; i < p->rank + 2; ++i)
    pixel[i] = tap[i] = staticInt(c, 0);
  for (size_t i = 0; i < p->rank; ++i)
    pixel[1 + i] = staticInt(c, -p->lower[i]);
  CuteIntTuple parts[] = {cuteInternTuple(c, p->rank + 2, pixel),
                          cuteInternTuple(c, p->rank, tap)};
  return cuteInternTuple(c, 2, parts);
}
