// Explanations: the same results with and without a tracer, laws whose numbers
// are true, depths that balance, contexts that do not hear one another.
// REQUIRES: full
#include "algebra_test_util.h"
#include "cute/Atom.h"
#include "cute/Explain.h"

#include <pthread.h>

//===-- Listening ---------------------------------------------------------===//

typedef struct Heard {
  unsigned steps, errors, results, operations, lastDepth;
  uint64_t hash;
  char check[2000]; // the last one
} Heard;

static void listen(const CuteStep *step, void *userData) {
  Heard *heard = userData;
  // One level at a time inwards; any number outwards.
  assert_true(!heard->steps || step->depth <= heard->lastDepth + 1);
  heard->lastDepth = step->depth;
  ++heard->steps;
  heard->errors += step->kind == CUTE_STEP_ERROR;
  heard->results += step->kind == CUTE_STEP_RESULT;
  heard->operations += step->kind == CUTE_STEP_OPERATION;
  for (size_t i = 0; i < step->text.length; ++i) {
    assert_int_not_equal(step->text.data[i], '\n');
    heard->hash = (heard->hash ^ (uint8_t)step->text.data[i]) * 1099511628211u;
  }
  if (step->kind == CUTE_STEP_CHECK) {
    assert_int_equal(step->depth, 1);
    assert_true(step->text.length < sizeof heard->check);
    memcpy(heard->check, step->text.data, step->text.length);
    heard->check[step->text.length] = '\0';
  }
}

//===-- Operations of two layouts -----------------------------------------===//

typedef const void *Operation(CuteContext c, CuteLayout a, CuteLayout b);

static const void *composition(CuteContext c, CuteLayout a, CuteLayout b) {
  return cuteLayoutComposition(c, a, cuteTileGetLayout(c, b));
}
static const void *coalesce(CuteContext c, CuteLayout a, CuteLayout b) {
  (void)b;
  return cuteLayoutCoalesce(c, a, NULL);
}
static const void *filter(CuteContext c, CuteLayout a, CuteLayout b) {
  (void)b;
  return cuteLayoutFilter(c, a, NULL);
}
static const void *complement(CuteContext c, CuteLayout a, CuteLayout b) {
  (void)b;
  return cuteLayoutComplement(c, a, NULL);
}
static const void *complementWithin(CuteContext c, CuteLayout a, CuteLayout b) {
  (void)b;
  return cuteLayoutComplement(c, a, cuteIntTupleGetStatic(c, 4096));
}
static const void *rightInverse(CuteContext c, CuteLayout a, CuteLayout b) {
  (void)b;
  return cuteLayoutRightInverse(c, a);
}
static const void *leftInverse(CuteContext c, CuteLayout a, CuteLayout b) {
  (void)b;
  return cuteLayoutLeftInverse(c, a);
}
static const void *logicalDivide(CuteContext c, CuteLayout a, CuteLayout b) {
  return cuteLayoutLogicalDivide(c, a, cuteTileGetLayout(c, b));
}
static const void *flatDivide(CuteContext c, CuteLayout a, CuteLayout b) {
  return cuteLayoutFlatDivide(c, a, cuteTileGetLayout(c, b));
}
static const void *logicalProduct(CuteContext c, CuteLayout a, CuteLayout b) {
  return cuteLayoutLogicalProduct(c, a, b);
}
static const void *blockedProduct(CuteContext c, CuteLayout a, CuteLayout b) {
  return cuteLayoutBlockedProduct(c, a, b);
}
static const void *rakedProduct(CuteContext c, CuteLayout a, CuteLayout b) {
  return cuteLayoutRakedProduct(c, a, b);
}
static const void *like(CuteContext c, CuteLayout a, CuteLayout b) {
  (void)b;
  return cuteLayoutGetLike(c, a);
}
static const void *upcast(CuteContext c, CuteLayout a, CuteLayout b) {
  (void)b;
  return cuteLayoutUpcast(c, a, 2);
}
static const void *downcast(CuteContext c, CuteLayout a, CuteLayout b) {
  (void)b;
  return cuteLayoutDowncast(c, a, 4);
}
static const void *tileToShape(CuteContext c, CuteLayout a, CuteLayout b) {
  return cuteLayoutTileToShape(c, a, cuteLayoutGetShape(b), NULL);
}
static const void *partition(CuteContext c, CuteLayout a, CuteLayout b) {
  return cuteLayoutLocalPartition(c, a, b, cuteIntTupleGetStatic(c, 1), NULL)
      .layout;
}
static const void *maxCommon(CuteContext c, CuteLayout a, CuteLayout b) {
  return cuteLayoutMaxCommonVector(c, a, b);
}
static const void *alignment(CuteContext c, CuteLayout a, CuteLayout b) {
  (void)b;
  return cuteLayoutMaxAlignment(c, a);
}
static const void *value(CuteContext c, CuteLayout a, CuteLayout b) {
  return cuteLayoutEval(c, a, cuteLayoutGetSize(c, b));
}
static const void *coordinate(CuteContext c, CuteLayout a, CuteLayout b) {
  return cuteIdx2Crd(c, cuteLayoutGetSize(c, b), cuteLayoutGetShape(a));
}

static const struct {
  const char *name;
  Operation *apply;
  bool hasRepetitions; // its law speaks of A*
} operations[] = {
    {"composition", composition, false},
    {"coalesce", coalesce, false},
    {"filter", filter, false},
    {"complement", complement, false},
    {"complement within", complementWithin, false},
    {"right_inverse", rightInverse, false},
    {"left_inverse", leftInverse, false},
    {"logical_divide", logicalDivide, false},
    {"flat_divide", flatDivide, false},
    {"logical_product", logicalProduct, true},
    {"blocked_product", blockedProduct, true},
    {"raked_product", rakedProduct, true},
    {"make_layout_like", like, false},
    {"upcast", upcast, false},
    {"downcast", downcast, false},
    {"tile_to_shape", tileToShape, false},
    {"local_partition", partition, false},
    {"max_common_vector", maxCommon, false},
    {"max_alignment", alignment, false},
    {"eval", value, false},
    {"idx2crd", coordinate, false},
};
enum { NUM_OPERATIONS = sizeof operations / sizeof *operations };

//===-- The same with and without -----------------------------------------===//

static void checkSame(size_t i, CuteLayout a, CuteLayout b) {
  Heard heard = {0};
  forgetError();
  const void *alone = operations[i].apply(context, a, b);
  char message[600];
  snprintf(message, sizeof message, "%s", cuteContextGetError(context));
  forgetError();
  cuteContextSetTracer(context, listen, &heard);
  const void *traced = operations[i].apply(context, a, b);
  if (traced != alone || strcmp(message, cuteContextGetError(context)))
    fail_msg("%s of %s and %s differs under a tracer: '%s', not '%s'",
             operations[i].name, layoutText(a), layoutText(b),
             cuteContextGetError(context), message);
  assert_int_equal(cuteContextGetTraceDepth(context), 0);
  assert_int_equal(heard.errors, !traced);
  if (traced)
    assert_true(heard.results >= 1 && heard.operations >= 1);
  cuteContextSetTracer(context, NULL, NULL);
}

static void resultsAreTheSame(void **state) {
  (void)state;
  for (int round = 0; round < 8; ++round)
    for (Strides kind = ANY_STRIDES; kind <= BIT_STRIDES; ++kind) {
      CuteLayout a = randomLayout(kind), b = randomLayoutOfSize(kind, 24);
      for (size_t i = 0; i < NUM_OPERATIONS; ++i)
        checkSame(i, a, b);
    }
}

//===-- Laws are true -----------------------------------------------------===//

// The layouts that the letters of a law stand for.
typedef struct Names {
  CuteLayout a, b, r, repetitions;
} Names;

// Takes the name before a parenthesis, and gives its layout.
static CuteLayout takeName(const char **at, const Names *names) {
  const char *name = *at;
  bool isStarred = *name == 'A' && name[1] == '*';
  size_t length = isStarred ? 2 : 1;
  if (!*name || !strchr("ABR", *name) || name[length] != '(')
    return NULL;
  *at += length;
  return isStarred      ? names->repetitions
         : *name == 'A' ? names->a
         : *name == 'B' ? names->b
                        : names->r;
}

// The end of the tuple or number that begins here.
static const char *endOfTuple(const char *at) {
  int open = 0;
  while (*at && (open || !strchr(" /,)", *at))) {
    open += (*at == '(') - (*at == ')');
    ++at;
  }
  return at;
}

// A number, a tuple, or a layout's value, where a coordinate may be a value.
static CuteIntTuple evaluateTerm(const char **at, const Names *names) {
  CuteLayout function = takeName(at, names);
  const char *begin = *at, *inner = begin + 1;
  if (function && takeName(&inner, names)) {
    inner = begin + 1;
    CuteIntTuple coord = evaluateTerm(&inner, names);
    assert_int_equal(*inner, ')');
    *at = inner + 1;
    return made(cuteLayoutEval(context, function, coord), begin);
  }
  const char *end = endOfTuple(begin);
  bool isNumber = !memchr(begin, ',', (size_t)(end - begin));
  bool unwraps = isNumber && *begin == '(';
  CuteStringRef text = {begin + unwraps, (size_t)(end - begin) - 2 * unwraps};
  *at = end;
  CuteIntTuple tuple =
      made(cuteIntTupleParse(context, text, CUTE_SYNTAX_COORD), begin);
  return function ? made(cuteLayoutEval(context, function, tuple), begin)
                  : tuple;
}

// Terms added, or divided with the rest dropped.
static CuteIntTuple evaluateSide(const char **at, const Names *names) {
  CuteIntTuple sum = evaluateTerm(at, names);
  while (!strncmp(*at, " + ", 3) || **at == '/') {
    bool divides = **at == '/';
    *at += divides ? 1 : 3;
    CuteIntTuple next = evaluateTerm(at, names);
    sum = divides
              ? integer(cuteIntTupleGetValue(sum) / cuteIntTupleGetValue(next))
              : cuteIntTupleAdd(context, sum, next);
    assert_non_null(sum);
  }
  return sum;
}

// Every equation in the text; gives how many equal signs there were.
static int checkEquations(const char *text, const Names *names) {
  int equations = 0;
  for (const char *at = text; *at;) {
    const char *name = at;
    if (!takeName(&name, names)) {
      ++at;
      continue;
    }
    CuteIntTuple left = evaluateSide(&at, names);
    while (!strncmp(at, " = ", 3)) {
      at += 3;
      if (evaluateSide(&at, names) != left)
        fail_msg("untrue: %s of A = %s, B = %s, R = %s", text,
                 layoutText(names->a), layoutText(names->b),
                 layoutText(names->r));
      ++equations;
    }
  }
  return equations;
}

static int checkLaw(size_t i, CuteLayout a, CuteLayout b) {
  Heard heard = {0};
  cuteContextSetTracer(context, listen, &heard);
  CuteLayout r = operations[i].apply(context, a, b);
  cuteContextSetTracer(context, NULL, NULL);
  if (!r || !*heard.check)
    return 0;
  if (strstr(heard.check, "fails"))
    fail_msg("%s: %s of A = %s, B = %s, R = %s", operations[i].name,
             heard.check, layoutText(a), layoutText(b), layoutText(r));
  Names names = {a, b, r, a};
  if (operations[i].hasRepetitions)
    names.repetitions = made(cuteLayoutComplement(context, a, NULL), "A*");
  return checkEquations(heard.check, &names);
}

// Those whose result is a layout and whose law is an equation.
static void lawsAreTrue(void **state) {
  (void)state;
  int equations[NUM_OPERATIONS] = {0};
  for (int round = 0; round < 50; ++round) {
    CuteLayout a = randomLayout(BIT_STRIDES);
    CuteLayout b = randomLayoutOfSize(BIT_STRIDES, 16);
    for (size_t i = 0; operations[i].apply != tileToShape; ++i)
      if (operations[i].apply != logicalDivide &&
          operations[i].apply != flatDivide && operations[i].apply != like)
        equations[i] += checkLaw(i, a, b);
    CuteLayout whole =
        made(cuteLayoutGet(context, integer(sizeOf(a)), integer(1)), "whole");
    equations[7] += checkLaw(7, whole, b);
    equations[8] += checkLaw(8, whole, b);
  }
  for (size_t i = 0; operations[i].apply != tileToShape; ++i)
    if (operations[i].apply != like && equations[i] < 20)
      fail_msg("%s: %d equations only", operations[i].name, equations[i]);
}

// The tiler goes through elements that the law does not have: it says so.
static void brokenLawsAreSaid(void **state) {
  (void)state;
  Heard heard = {0};
  cuteContextSetTracer(context, listen, &heard);
  assert_non_null(
      composition(context, layout("(4,8):(1,100)"), layout("(3,2):(1,3)")));
  cuteContextSetTracer(context, NULL, NULL);
  assert_non_null(strstr(heard.check, "here the law fails"));
}

//===-- Failures ----------------------------------------------------------===//

static void depthsBalance(void **state) {
  (void)state;
  Heard heard = {0};
  cuteContextSetTracer(context, listen, &heard);
  assertFails(composition(context, layout("(6,2):(2,1)"), layout("8:1")),
              "composition:");
  assert_int_equal(cuteContextGetTraceDepth(context), 0);
  assert_true(heard.errors >= 1);
  assertFails(cuteLayoutZippedDivide(context, layout("((6,2),4):((2,1),12)"),
                                     tile("[8:1;2:1]")),
              "composition:");
  assert_int_equal(cuteContextGetTraceDepth(context), 0);
  assertFails(logicalProduct(context, layout("(3,2):(2,3)"), layout("4:1")),
              "complement:");
  assert_int_equal(cuteContextGetTraceDepth(context), 0);
  heard = (Heard){0};
  assert_non_null(coalesce(context, layout("(2,4):(1,2)"), NULL));
  assert_string_equal(heard.check, "check: A(4) = 4 = R(4)");
  cuteContextSetTracer(context, NULL, NULL);
}

//===-- Tiled MMA and copy ------------------------------------------------===//

// Their parts are explained, too, through the divides that they are made of.
static void partsOfThreads(void **state) {
  (void)state;
  const CuteMmaAtom *atom =
      cuteMmaAtomFind(cuteStringRef("SM80_16x8x16_F32F16F16F32_TN"));
  CuteTiledMma mma = {made(atom, "atom"), layout("(2,2,1):(1,2,0)"),
                      tile("[_;_;_]")};
  CuteElementType f16;
  assert_true(cuteElementTypeFind(cuteStringRef("f16"), &f16));
  CuteTiledCopy copy = cuteTiledCopyGet(
      context,
      made(cuteCopyAtomFind(cuteStringRef("UniversalCopy<uint128_t>")), "copy"),
      f16, layout("(16,8):(8,1)"), layout("(1,8):(0,1)"));
  CuteLayout whole = layout("(64,64):(64,1)");
  CutePartition parts[2][2];
  Heard heard[2] = {{0}, {0}};
  for (int traced = 0; traced < 2; ++traced) {
    cuteContextSetTracer(context, traced ? listen : NULL, &heard[0]);
    parts[0][traced] =
        cuteTiledMmaPartition(context, mma, CUTE_OPERAND_A, whole, integer(37));
    cuteContextSetTracer(context, traced ? listen : NULL, &heard[1]);
    parts[1][traced] =
        cuteTiledCopyPartition(context, copy, CUTE_SOURCE, whole, integer(37));
    assert_int_equal(cuteContextGetTraceDepth(context), 0);
  }
  cuteContextSetTracer(context, NULL, NULL);
  for (int i = 0; i < 2; ++i) {
    assert_non_null(parts[i][0].layout);
    assert_ptr_equal(parts[i][0].layout, parts[i][1].layout);
    assert_ptr_equal(parts[i][0].offset, parts[i][1].offset);
    assert_true(heard[i].operations > 5 && heard[i].errors == 0);
    assert_int_equal(heard[i].lastDepth, 1);
  }
}

//===-- Threads -----------------------------------------------------------===//

typedef struct Work {
  const char *a, *b;
  Heard heard;
} Work;

static void *explainAll(void *userData) {
  Work *work = userData;
  CuteContext c = cuteContextCreate();
  cuteContextSetTracer(c, listen, &work->heard);
  for (int round = 0; round < 20; ++round)
    for (size_t i = 0; i < NUM_OPERATIONS; ++i)
      operations[i].apply(c, cuteLayoutParse(c, cuteStringRef(work->a)),
                          cuteLayoutParse(c, cuteStringRef(work->b)));
  cuteContextDestroy(c);
  return NULL;
}

static void contextsAreApart(void **state) {
  (void)state;
  Work alone[] = {{.a = "(4,(2,8)):(2,(1,8))", .b = "(4,2):(2,1)"},
                  {.a = "(8,6):(1,8)", .b = "(2,3):(3,1)"}};
  Work together[] = {alone[0], alone[1]};
  pthread_t threads[2];
  for (size_t i = 0; i < 2; ++i)
    explainAll(&alone[i]);
  for (size_t i = 0; i < 2; ++i)
    assert_int_equal(
        pthread_create(&threads[i], NULL, explainAll, &together[i]), 0);
  for (size_t i = 0; i < 2; ++i) {
    pthread_join(threads[i], NULL);
    assert_true(together[i].heard.steps > 1000);
    assert_int_equal(together[i].heard.steps, alone[i].heard.steps);
    assert_true(together[i].heard.hash == alone[i].heard.hash);
  }
  assert_true(alone[0].heard.hash != alone[1].heard.hash);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(resultsAreTheSame), cmocka_unit_test(lawsAreTrue),
      cmocka_unit_test(brokenLawsAreSaid), cmocka_unit_test(depthsBalance),
      cmocka_unit_test(partsOfThreads),    cmocka_unit_test(contextsAreApart),
  };
  return cmocka_run_group_tests(tests, createContext, destroyContext);
}
