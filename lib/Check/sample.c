#include "Check/sample.h"
#include "Check/random.h"
#include "Support/arena.h"

#include <math.h>

static int64_t numEdges(int64_t extent, int64_t tile) {
  int64_t rest = extent % tile;
  return extent / tile * 2 + (rest > 1 ? 2 : rest);
}

// `count` of the coordinates below an extent that has more, at least 4. All
// coordinates except edges are equally likely (Knuth, 3.4.2, S).
static int64_t *choose(int64_t extent, int64_t count, CuteRandom *random) {
  int64_t *chosen = cuteAllocate((size_t)count * sizeof *chosen);
  int64_t tile = 2, n = 0;
  while (numEdges(extent, tile) > count / 2)
    tile *= 2;
  int64_t wanted = count - numEdges(extent, tile);
  int64_t left = extent - numEdges(extent, tile);
  for (int64_t x = 0; n < count; ++x) {
    if (x % tile == 0 || x % tile == tile - 1 || x == extent - 1) {
      chosen[n++] = x;
    } else if (cuteRandomUniform(random) * (double)left-- < (double)wanted) {
      chosen[n++] = x;
      --wanted;
    }
  }
  return chosen;
}

// The smallest mode that has no count yet.
static size_t leastMode(const CuteSample *sample, const int64_t *extents) {
  size_t least = sample->rank;
  for (size_t i = 0; i < sample->rank; ++i)
    if (sample->counts[i] < 0 &&
        (least == sample->rank || extents[i] < extents[least]))
      least = i;
  return least;
}

// All elements at modes that have no count.
static double sizeLeft(const CuteSample *sample, const int64_t *extents) {
  double size = 1;
  for (size_t i = 0; i < sample->rank; ++i)
    if (sample->counts[i] < 0)
      size *= (double)extents[i];
  return size;
}

void cuteSampleCreate(CuteSample *sample, size_t rank, const int64_t *extents,
                      int64_t count, uint64_t seed) {
  enum { LEAST = 4 };
  CuteRandom random = {seed};
  double left = (double)count;
  *sample = (CuteSample){.rank = rank};
  for (size_t i = 0; i < rank; ++i)
    sample->counts[i] = -1;
  for (size_t modes = rank; modes > 0; --modes) {
    size_t i = leastMode(sample, extents);
    double part = pow(left / sizeLeft(sample, extents), 1 / (double)modes);
    double share = fmax(ceil((double)extents[i] * part), LEAST);
    bool isWhole = share >= (double)extents[i];
    sample->counts[i] = isWhole ? extents[i] : (int64_t)share;
    left = fmax(left / (double)sample->counts[i], 1);
    if (!isWhole)
      sample->coordinates[i] = choose(extents[i], sample->counts[i], &random);
  }
}

void cuteSampleDestroy(CuteSample *sample) {
  for (size_t i = 0; i < sample->rank; ++i)
    free(sample->coordinates[i]);
  *sample = (CuteSample){0};
}

int64_t cuteSampleGetSize(const CuteSample *sample) {
  int64_t size = 1;
  for (size_t i = 0; i < sample->rank; ++i)
    size *= sample->counts[i];
  return size;
}
