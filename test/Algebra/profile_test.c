// Walks over the leaves of tuples, and edits of tuples.
#include "algebra_test_util.h"

static void front(void **state) {
  (void)state;
  assertTuple(cuteIntTupleFront(context, tuple("7")), "7");
  assertTuple(cuteIntTupleFront(context, tuple("((2,3),4)")), "2");
  assertTuple(cuteIntTupleFront(context, tuple("((),((),(5)),4)")), "5");
  assertFails(cuteIntTupleFront(context, tuple("((),())")),
              "front: there is no leaf in ((),())");
}

static CuteIntTuple find(int64_t x, const char *in) {
  return cuteIntTupleFind(context, integer(x), tuple(in), NULL, NULL);
}

static void findGivesThePath(void **state) {
  (void)state;
  assertTuple(find(5, "5"), "0");
  assertTuple(find(3, "(1,(2,3),3)"), "(1,1)");
  assertTuple(find(7, "(1,(2,3))"), "()");
  assertTuple(find(4, "?"), "()");
  assertTuple(cuteIntTupleFind(context, integer(1), tuple("(1,(1,1))"),
                               integer(4), tuple("(4,(4,8))")),
              "(1,1)");
  assertFails(cuteIntTupleFind(context, tuple("(1)"), tuple("(1)"), NULL, NULL),
              "find: looks for static integers, not (1)");
  assertFails(cuteIntTupleFind(context, integer(1), tuple("(1,2)"), integer(4),
                               tuple("(1,2,3)")),
              "find: (1,2,3) is not congruent to (1,2)");
}

// get(tuple, path) is what was looked for, at every leaf.
static void findAndGetAgree(void **state) {
  (void)state;
  CuteIntTuple all = tuple("(0,((1,2),(),(3)),(4,(5,(6))))");
  for (int32_t i = 0; i < 7; ++i) {
    CuteIntTuple path = cuteIntTupleFind(context, integer(i), all, NULL, NULL);
    CuteIntTuple leaves[8];
    int32_t modes[8];
    size_t n = cuteIntTupleGetNumLeaves(path);
    cuteIntTupleGetLeaves(path, leaves);
    for (size_t k = 0; k < n; ++k)
      modes[k] = (int32_t)cuteIntTupleGetValue(leaves[k]);
    assert_ptr_equal(cuteIntTupleGetAt(context, all, n, modes), integer(i));
  }
}

static void alongAProfile(void **state) {
  (void)state;
  assertTuple(
      cuteIntTupleRepeatLike(context, integer(0), tuple("((1,2),(),3)")),
      "((0,0),(),0)");
  assertTuple(cuteIntTupleRepeatLike(context, integer(2), tuple("5")), "2");
  assertTuple(cuteIntTupleProductLike(context, tuple("(2,(3,4),(5,(6)))"),
                                      tuple("(_,_,(_,_))")),
              "(2,12,(5,6))");
  assertTuple(cuteIntTupleProductLike(context, tuple("(2,3)"), tuple("_")),
              "6");
  assertFails(
      cuteIntTupleProductLike(context, tuple("(2,3)"), tuple("(_,(_,_))")),
      "product_like: profile (_,(_,_)) is not weakly congruent to (2,3)");
}

static void assume(void **state) {
  (void)state;
  assertTuple(cuteIntTupleAssume(context, tuple("12"), 4), "12");
  assertTuple(cuteIntTupleAssume(context, tuple("?{i64}"), 16),
              "?{i64 div=16}");
  assertTuple(cuteIntTupleAssume(context, tuple("?{div=6}"), 4), "?{div=12}");
  assertFails(cuteIntTupleAssume(context, tuple("10"), 4),
              "assume: 10 is not a multiple of 4");
  assertFails(cuteIntTupleAssume(context, tuple("?"), 0),
              "assume: divisor 0 is not in [1, 2^31]");
  assertFails(cuteIntTupleAssume(context, tuple("(4)"), 2),
              "assume: needs an integer, not (4)");
  assertFails(cuteIntTupleAssume(context, tuple("?{div=1073741824}"), 3),
              "too large");
}

static void tupleEdits(void **state) {
  (void)state;
  CuteIntTuple t = tuple("(2,(3,4),5)");
  assertTuple(cuteIntTupleTake(context, t, 1, 3), "((3,4),5)");
  assertTuple(cuteIntTupleTake(context, tuple("7"), 0, 1), "(7)");
  assertTuple(cuteIntTupleAppend(context, t, integer(6)), "(2,(3,4),5,6)");
  assertTuple(cuteIntTupleAppend(context, integer(1), t), "(1,(2,(3,4),5))");
  assertTuple(cuteIntTuplePrepend(context, t, integer(6)), "(6,2,(3,4),5)");
  assertTuple(cuteIntTupleReplace(context, t, 1, integer(6)), "(2,6,5)");
  assertTuple(cuteIntTupleReplace(context, integer(1), 0, t), "(2,(3,4),5)");
  assertTuple(cuteIntTupleZip(context, t, tuple("(6,7,8)")),
              "((2,6),((3,4),7),(5,8))");
  assertTuple(
      cuteIntTupleUnflatten(context, tuple("(1,2,3)"), tuple("((_,_),(_))")),
      "((1,2),(3))");
  assertFails(cuteIntTupleTake(context, t, 2, 4), "take: [2, 4)");
  assertFails(cuteIntTupleReplace(context, t, 3, t), "replace: mode 3");
  assertFails(cuteIntTupleUnflatten(context, t, tuple("(_,_,_)")),
              "unflatten: the modes of (2,(3,4),5)");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(front),           cmocka_unit_test(findGivesThePath),
      cmocka_unit_test(findAndGetAgree), cmocka_unit_test(alongAProfile),
      cmocka_unit_test(assume),          cmocka_unit_test(tupleEdits),
  };
  return RUN_TESTS(tests);
}
