// Times the operations of the layout algebra on random layouts of 2 modes
// (small), 3 to 6 (typical) and 64 (large).
//
//   cold   every result is new to the context, as is every input to the
//          operation; a context is used for 1000 of them, some ten thousand
//          values, and one much larger is slower as it leaves the caches
//   warm   the same again: the result is found, not made
//   text   how many times as fast, cold, as printing the input and reading it
//          again in another context, which is what a tool pays that passes
//          layouts as text
//   linear time per mode, large over typical: 1 is linear
//
// Beside composition is the way without an algebra: a table of A(B(c)) for all
// c. usage: algebra [SECONDS-PER-FIGURE] [SEED] [OPERATION]
#include "Algebra/algebra.h"
#include "Support/string_builder.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

// Seconds that this thread has run, so that other programs disturb little.
static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

//===-- Inputs ------------------------------------------------------------===//

typedef struct Random {
  uint64_t state;
} Random;

static size_t pick(Random *r, size_t n) {
  r->state ^= r->state << 13;
  r->state ^= r->state >> 7;
  r->state ^= r->state << 17;
  return r->state % n;
}

typedef enum Size { SMALL, TYPICAL, LARGE, NUM_SIZES } Size;

enum { MAX_MODES = 64, BATCH = 1000 };

typedef struct Input {
  CuteLayout a, b;    // size(b) divides size(a)
  CuteLayout few;     // 4 elements in two modes
  CuteTile tiler;     // b, or a divisor of each mode of a
  CuteIntTuple coord; // in a, as an integer
  CuteIntTuple slice; // in a, with `_` for every other mode
  CuteString text;    // of a
  size_t modes;       // of a
} Input;

static size_t pickModes(Random *r, Size size) {
  return size == SMALL ? 2 : size == LARGE ? MAX_MODES : 3 + pick(r, 4);
}

// Bits of the extents: 10 to 14 in all, or, of a large layout, one for three of
// four modes.
static void pickBits(Random *r, size_t n, unsigned *bits) {
  for (size_t i = 0; i < n; ++i)
    bits[i] = n == MAX_MODES ? i % 4 != 3 : 1;
  for (size_t left = n == MAX_MODES ? 0 : 10 + pick(r, 5) - n; left; --left)
    ++bits[pick(r, n)];
}

// A permutation of the coordinates: compact strides in a random order. `factor`
// scales the last extent, so that few inputs are the same.
static CuteLayout makeLayout(CuteContext c, Random *r, size_t n,
                             const unsigned *bits, int64_t factor) {
  CuteIntTuple extents[MAX_MODES], strides[MAX_MODES];
  size_t order[MAX_MODES];
  for (size_t i = 0; i < n; ++i) {
    size_t j = pick(r, i + 1);
    order[i] = order[j];
    order[j] = i;
  }
  int64_t stride = 1;
  for (size_t i = 0; i < n; ++i) {
    size_t mode = order[i];
    int64_t extent = (mode + 1 == n ? factor : 1) << bits[mode];
    extents[mode] = staticInt(c, extent);
    strides[mode] = staticInt(c, stride);
    stride *= extent;
  }
  return cuteLayoutGet(c, cuteIntTupleGetTuple(c, n, extents),
                       cuteIntTupleGetTuple(c, n, strides));
}

static void append(CuteStringRef piece, void *text) {
  cuteStringAppendBytes(text, piece.data, piece.length);
}

static Input makeInput(CuteContext c, Random *r, Size size) {
  unsigned bits[MAX_MODES], smaller[MAX_MODES];
  Input input = {.modes = pickModes(r, size)};
  size_t n = input.modes;
  CuteIntTuple coord[MAX_MODES];
  pickBits(r, n, bits);
  input.a = makeLayout(c, r, n, bits, 2 + 2 * (int64_t)pick(r, 2048));
  for (size_t i = 0; i < n; ++i) {
    smaller[i] = bits[i] > 1 ? bits[i] - 1 : bits[i];
    coord[i] = i % 2 ? cuteIntTupleGetUnderscore(c) : staticInt(c, 0);
  }
  input.b = makeLayout(c, r, n, smaller, 1);
  input.few = makeLayout(c, r, 2, (unsigned[]){1, 1}, 1);
  input.tiler = cuteTileGetLayout(c, input.b);
  input.slice = cuteIntTupleGetTuple(c, n, coord);
  input.coord = staticInt(c, (int64_t)pick(r, 1 << 10));
  cuteLayoutPrint(input.a, append, &input.text);
  return input;
}

//===-- Operations --------------------------------------------------------===//

typedef const void *Run(CuteContext c, Input *input);

#define OPERATION(name, call)                                                  \
  static const void *name(CuteContext c, Input *input) { return call; }

OPERATION(coalesce, cuteLayoutCoalesce(c, input->a, NULL))
OPERATION(filter, cuteLayoutFilter(c, input->a, NULL))
OPERATION(flatten, cuteLayoutFlatten(c, input->a))
OPERATION(composition, cuteLayoutComposition(c, input->a, input->tiler))
OPERATION(complement,
          cuteLayoutComplement(c, input->b, cuteLayoutGetSize(c, input->a)))
OPERATION(rightInverse, cuteLayoutRightInverse(c, input->a))
OPERATION(leftInverse, cuteLayoutLeftInverse(c, input->a))
OPERATION(logicalDivide, cuteLayoutLogicalDivide(c, input->a, input->tiler))
OPERATION(zippedDivide, cuteLayoutZippedDivide(c, input->a, input->tiler))
OPERATION(blockedProduct, cuteLayoutBlockedProduct(c, input->a, input->few))
OPERATION(maxCommonVector, cuteLayoutMaxCommonVector(c, input->a, input->b))
OPERATION(upcast, cuteLayoutUpcast(c, input->a, 2))
OPERATION(slice, cuteLayoutSliceAndOffset(c, input->a, input->slice).layout)
OPERATION(evaluate, cuteLayoutEval(c, input->a, input->coord))
OPERATION(idx2crd, cuteIdx2Crd(c, input->coord, input->a->shape))
OPERATION(parse, cuteLayoutParse(c, cuteStringGetRef(&input->text)))

static const void *print(CuteContext c, Input *input) {
  (void)c;
  cuteStringClear(&input->text);
  cuteLayoutPrint(input->a, append, &input->text);
  return input->text.data;
}

// The index of a static flat layout at a coordinate.
static int64_t indexAt(CuteLayout layout, int64_t coord) {
  int64_t index = 0;
  for (size_t i = 0; i < layout->shape->rank; ++i) {
    int64_t extent = layout->shape->elements[i]->value;
    index += coord % extent * layout->stride->elements[i]->value;
    coord /= extent;
  }
  return index;
}

static const void *tabulate(CuteContext c, Input *input) {
  static _Thread_local int64_t table[1 << 15];
  int64_t size = cuteLayoutGetSize(c, input->b)->value;
  for (int64_t i = 0; i < size; ++i)
    table[i] = indexAt(input->a, indexAt(input->b, i));
  return table;
}

typedef struct Operation {
  const char *name;
  Run *run;
  bool isNaive; // not for large layouts: the table would be
} Operation;

static const Operation operations[] = {
    {"composition", composition, false},
    {"- as a table of A(B(c))", tabulate, true},
    {"coalesce", coalesce, false},
    {"filter", filter, false},
    {"flatten", flatten, false},
    {"complement (sorts)", complement, false},
    {"right_inverse (sorts)", rightInverse, false},
    {"left_inverse (sorts)", leftInverse, false},
    {"logical_divide (sorts)", logicalDivide, false},
    {"zipped_divide (sorts)", zippedDivide, false},
    {"blocked_product (sorts)", blockedProduct, false},
    {"max_common_vector", maxCommonVector, false},
    {"upcast", upcast, false},
    {"slice", slice, false},
    {"layout(coordinate)", evaluate, false},
    {"idx2crd", idx2crd, false},
    {"print", print, false},
    {"parse", parse, false},
};

//===-- Measurement -------------------------------------------------------===//

typedef struct Figures {
  double cold, warm; // seconds for an operation
  double modes;      // of an input, on average
  double bytes;      // of new values, for an operation
} Figures;

static double timeBatch(CuteContext c, Run *run, Input *inputs, size_t n) {
  double start = now();
  for (size_t i = 0; i < n; ++i)
    if (!run(c, &inputs[i])) {
      fprintf(stderr, "%s\n", cuteContextGetError(c));
      exit(1);
    }
  return now() - start;
}

// Texts are read in a context that does not have them.
static void measureBatch(Run *run, Random *r, Size size, size_t n,
                         Figures *sum) {
  static _Thread_local Input inputs[BATCH];
  CuteContext c = cuteContextCreate(), other = cuteContextCreate();
  CuteContext used = run == parse ? other : c;
  for (size_t i = 0; i < n; ++i) {
    inputs[i] = makeInput(c, r, size);
    sum->modes += (double)inputs[i].modes;
  }
  size_t before = cuteContextGetBytes(used);
  sum->cold += timeBatch(used, run, inputs, n);
  sum->bytes += (double)(cuteContextGetBytes(used) - before);
  sum->warm += timeBatch(used, run, inputs, n);
  for (size_t i = 0; i < n; ++i) {
    cuteStringDestroy(&inputs[i].text);
  }
  cuteContextDestroy(c);
  cuteContextDestroy(other);
}

static Figures measure(Run *run, Random *r, Size size, double seconds) {
  Figures sum = {0};
  double count = 0;
  size_t n = size == LARGE ? BATCH / 10 : run == tabulate ? 500 : BATCH;
  while (sum.cold < seconds) {
    measureBatch(run, r, size, n, &sum);
    count += (double)n;
  }
  return (Figures){sum.cold / count, sum.warm / count, sum.modes / count,
                   sum.bytes / count};
}

static void report(const Operation *op, Random *r, double seconds,
                   const double *textSeconds) {
  printf("%-24s", op->name);
  double perMode[NUM_SIZES] = {0}, bytes = 0;
  for (Size size = SMALL; size < NUM_SIZES; ++size) {
    if (op->isNaive && size == LARGE)
      continue;
    Figures f = measure(op->run, r, size, seconds);
    perMode[size] = f.cold / f.modes;
    bytes = size == TYPICAL ? f.bytes : bytes;
    printf(" %8.3f %8.3f", 1e-6 / f.cold, 1e-6 / f.warm);
    if (size == TYPICAL)
      printf(" %6.1f", textSeconds[size] / f.cold);
    fflush(stdout);
  }
  if (!op->isNaive)
    printf(" %7.2f %7.0f", perMode[LARGE] / perMode[TYPICAL], bytes);
  printf("\n");
}

//===-- Memory and threads ------------------------------------------------===//

static void reportMemory(Random *r) {
  CuteContext c = cuteContextCreate();
  for (size_t i = 0; i < 10 * BATCH; ++i) {
    Input input = makeInput(c, r, TYPICAL);
    composition(c, &input);
    cuteStringDestroy(&input.text);
  }
  size_t count = c->tuples.count + c->layouts.count + c->tiles.count;
  printf("\nmemory: %.0f bytes for each of %zu interned values (%zu tuples and "
         "leaves, %zu layouts)\n",
         (double)cuteContextGetBytes(c) / (double)count, count, c->tuples.count,
         c->layouts.count);
  cuteContextDestroy(c);
}

typedef struct Worker {
  Random random;
  double seconds, perSecond;
} Worker;

static void *work(void *data) {
  Worker *w = data;
  w->perSecond = 1 / measure(composition, &w->random, TYPICAL, w->seconds).cold;
  return NULL;
}

static void reportThreads(uint64_t seed, double seconds) {
  Worker alone = {{seed}, seconds, 0}, pair[2];
  work(&alone);
  pthread_t threads[2];
  for (size_t i = 0; i < 2; ++i) {
    pair[i] = (Worker){{seed + i + 1}, seconds, 0};
    if (pthread_create(&threads[i], NULL, work, &pair[i]))
      exit(1);
  }
  for (size_t i = 0; i < 2; ++i)
    pthread_join(threads[i], NULL);
  printf("threads: two, each with a context, compose %.2f times as fast as "
         "one\n",
         (pair[0].perSecond + pair[1].perSecond) / alone.perSecond);
}

int main(int argc, char **argv) {
  double seconds = argc > 1 ? atof(argv[1]) : 0.1;
  uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 0;
  Random r = {seed * 2 + 0x9e3779b97f4a7c15u};
  double text[NUM_SIZES];
  for (Size size = SMALL; size < NUM_SIZES; ++size)
    text[size] = measure(print, &r, size, seconds).cold +
                 measure(parse, &r, size, seconds).cold;
  printf("million/s %21s %25s %17s %15s %7s\n", "small", "typical", "large",
         "linear", "bytes");
  printf("%-24s %8s %8s %8s %8s %6s %8s %8s\n", "", "cold", "warm", "cold",
         "warm", "text", "cold", "warm");
  for (size_t i = 0; i < sizeof operations / sizeof *operations; ++i)
    if (argc <= 3 || !strcmp(operations[i].name, argv[3]))
      report(&operations[i], &r, seconds, text);
  reportMemory(&r);
  reportThreads(r.state, seconds * 5);
}
