#include "Check/random.h"

#include <math.h>
#include <pthread.h>
#include <stdbool.h>

enum { LAYERS = 128 };

static const double RIGHT = 3.442619855899;     // where the tail begins
static const double AREA = 9.91256303526217e-3; // of each layer

// Right ends of the layers, and what part of each is also in the one above.
static double ends[LAYERS + 1], inside[LAYERS];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void makeLayers(void) {
  double density = exp(-0.5 * RIGHT * RIGHT);
  ends[0] = AREA / density;
  ends[1] = RIGHT;
  for (int i = 2; i < LAYERS; ++i) {
    ends[i] = sqrt(-2 * log(AREA / ends[i - 1] + density));
    density = exp(-0.5 * ends[i] * ends[i]);
  }
  ends[LAYERS] = 0;
  for (int i = 0; i < LAYERS; ++i)
    inside[i] = ends[i + 1] / ends[i];
}

// Beyond RIGHT (Marsaglia 1964).
static double tail(CuteRandom *random) {
  double x, y;
  do {
    x = -log(1 - cuteRandomUniform(random)) / RIGHT;
    y = -log(1 - cuteRandomUniform(random));
  } while (2 * y < x * x);
  return RIGHT + x;
}

// Throws a random height of the layer at x: true under the density.
static bool isUnder(CuteRandom *random, int layer, double x) {
  double low = exp(-0.5 * (ends[layer] * ends[layer] - x * x));
  double high = exp(-0.5 * (ends[layer + 1] * ends[layer + 1] - x * x));
  return high + cuteRandomUniform(random) * (low - high) < 1;
}

// The ziggurat (Marsaglia, Tsang 2000) in the form of Doornik 2005, with the
// layer and the place in it from different bits.
double cuteRandomNormal(CuteRandom *random) {
  pthread_once(&once, makeLayers);
  for (;;) {
    uint64_t bits = cuteRandomNext(random);
    int layer = (int)(bits % LAYERS);
    double u = (double)(bits >> 11) * 0x1p-52 - 1;
    double x = u * ends[layer];
    if (fabs(u) < inside[layer])
      return x;
    if (!layer)
      return u < 0 ? -tail(random) : tail(random);
    if (isUnder(random, layer, x))
      return x;
  }
}
