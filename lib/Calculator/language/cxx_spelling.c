// Expressions as CuTe C++ spells them:
//
//   _4{}, Int<4>{}, C<4>{}               4
//   make_shape(4,8), Shape<_4,_8>{}      (4,8), and so of strides, coordinates,
//                                        tuples, steps and tiles
//   Layout<Shape<_4,_8>,Stride<_8,_1>>{} (4,8):(8,1)
//   Swizzle<3,3,3>{}                     the swizzle
//   size<0>(L), size<1,0>(L)             size(get(L,(0))), size(get(L,(1,0)))
//   get<0>(L), layout<0>(L)              get(L,(0))
//   select<0,2>(L), take<0,2>(L)         select(L,(0,2)), take(L,0,2)
//   replace<1>(L,M), append_to_rank<3>(L,M)  replace(L,1,M), ...
//   append<3>(L,M)                       append(L,M,3)
//   recast_layout<half_t,uint8_t>(L)     recast_layout(L,half_t,uint8_t)
//   make_layout(s, LayoutRight{})        make_layout_right(s)
//   E<0,1>{}, ScaledBasis<_3,1>{}        1@1@0, 3@1
//   rank_v<T>, decltype(x), print(x)     rank(T), x, x
//   Copy_Atom<Op,half_t>{}, MMA_Atom<Op> make_copy_atom(Op,half_t), Op
//   auto L = x; using T = x;             let L = x; let T = x;
//   cute::X, X{}, // up to the line's end X, X, nothing
#include "Algebra/algebra.h"
#include "Calculator/language/expression_reader.h"

typedef CuteExpressionReader Reader;
typedef CuteValueList Values;

static bool isOneOf(CuteStringRef word, const char *list) {
  return cuteTextHasWord(cuteStringRef(list), word);
}

// An operation by another name than the one at this place.
static CuteValue applyAs(Reader *p, CuteStringRef word, const char *name,
                         const Values *values) {
  p->errorAt = word.data;
  return cuteCalcApply(p->context, cuteStringRef(name), values->count,
                       values->data);
}

static CuteValue leafOf(Reader *p, CuteStringRef text) {
  return cuteValueOfTuple(
      cuteIntTupleParse(p->context, text, CUTE_SYNTAX_STRIDE));
}

//===-- Values of what is in brackets -------------------------------------===//

// Makes a value of those in the brackets after a word.
typedef CuteValue MakeValue(Reader *p, CuteStringRef word,
                            const Values *values);

static CuteValue makeSame(Reader *p, CUTE_UNUSED CuteStringRef word,
                          const Values *values) {
  return values->count == 1 ? values->data[0]
                            : cuteExpressionFail(p, "one value in brackets");
}

static CuteValue makeTuple(Reader *p, CUTE_UNUSED CuteStringRef word,
                           const Values *values) {
  return cuteExpressionGetTuple(p, values);
}

// Layout<shape>, Layout<shape,stride>
static CuteValue makeLayout(Reader *p, CuteStringRef word,
                            const Values *values) {
  return values->count == 2
             ? cuteExpressionGetLayout(p, values->data[0], values->data[1])
             : applyAs(p, word, "make_layout", values);
}

// A basis by its path from the last part on: E<0,1> is 1@1@0. A ScaledBasis has
// its factor first.
static CuteValue makeBasis(Reader *p, CuteStringRef word,
                           const Values *values) {
  CUTE_SCOPED(String) text = {0};
  size_t first = word.length > 1 && values->count ? 1 : 0;
  if (first)
    cuteAppendValue(&text, values->data[0]);
  else
    cuteStringAppend(&text, "1");
  for (size_t i = values->count; i-- > first;) {
    cuteStringAppend(&text, "@");
    cuteAppendValue(&text, values->data[i]);
  }
  return leafOf(p, cuteStringGetRef(&text));
}

static CuteValue makeSwizzle(Reader *p, CUTE_UNUSED CuteStringRef word,
                             const Values *values) {
  CUTE_SCOPED(String) text = {0};
  CuteSwizzle swizzle;
  cuteStringAppend(&text, "S<");
  for (size_t i = 0; i < values->count; ++i) {
    cuteStringAppend(&text, i ? "," : "");
    cuteAppendValue(&text, values->data[i]);
  }
  cuteStringAppend(&text, ">");
  return cuteSwizzleParse(p->context, cuteStringGetRef(&text), &swizzle)
             ? cuteValueOfSwizzle(swizzle)
             : (CuteValue){0};
}

// Words with a bracket, as a function of the values in it or as an
// operation of another name.
static const struct {
  char open;
  const char *words;
  MakeValue *make;
  const char *operation;
} forms[] = {
    {'<', "Int C MMA_Atom Copy_Traits MMA_Traits", makeSame, NULL},
    {'<', "Shape Stride Coord Step Tile tuple", makeTuple, NULL},
    {'<', "Layout", makeLayout, NULL},
    {'<', "E ScaledBasis", makeBasis, NULL},
    {'<', "S Sw Swizzle", makeSwizzle, NULL},
    {'<', "rank_v", NULL, "rank"},
    {'<', "depth_v", NULL, "depth"},
    {'<', "size_v", NULL, "size"},
    {'<', "cosize_v", NULL, "cosize"},
    {'<', "Copy_Atom", NULL, "make_copy_atom"},
    {'<', "TiledMMA", NULL, "make_tiled_mma"},
    {'<', "ComposedLayout", NULL, "make_composed_layout"},
    {'(', "make_shape make_stride make_coord make_tuple make_step make_tile",
     makeTuple, NULL},
    {'(', "print decltype", makeSame, NULL},
};

// Reads a word of the table and its bracket; false for others.
static bool readForm(Reader *p, CuteStringRef word, CuteValue *value) {
  size_t i = 0, n = sizeof forms / sizeof *forms;
  while (i < n && (p->at == p->end || *p->at != forms[i].open ||
                   !isOneOf(word, forms[i].words)))
    ++i;
  if (i == n)
    return false;
  Values values = {0};
  bool isType = forms[i].make == makeTuple && *p->at == '<';
  char close = *p->at++ == '<' ? '>' : ')';
  p->numTypes += isType;
  bool ok = cuteExpressionReadList(p, close, &values);
  p->numTypes -= isType;
  *value = !ok             ? (CuteValue){0}
           : forms[i].make ? forms[i].make(p, word, &values)
                           : applyAs(p, word, forms[i].operation, &values);
  cuteExpressionTakeText(p, "::value");
  return true;
}

//===-- Functions ---------------------------------------------------------===//

// Tells whether there is "<0,2>(" at the place, or such a list of names.
static bool hasModes(const Reader *p, bool areNames) {
  const char *at = p->at + 1;
  if (p->at == p->end || *p->at != '<')
    return false;
  while (at < p->end && (isDigit(*at) || *at == ',' || *at == ' ' ||
                         (areNames && (isLetter(*at) || *at == ':'))))
    ++at;
  return at > p->at + 1 && p->end - at > 1 && at[0] == '>' && at[1] == '(';
}

static void pushAll(Reader *p, Values *values, const Values *more, size_t begin,
                    size_t end) {
  for (size_t i = begin; i < end; ++i)
    cuteValueListPush(p->context, values, more->data[i]);
}

// f<modes>(arguments): the modes follow the arguments, or the first of them.
// The functions of parts take the part first.
static CuteValue readCall(Reader *p, CuteStringRef word) {
  bool isOfPart = isOneOf(word, "size shape stride rank depth cosize product");
  bool isPart = isOfPart || isOneOf(word, "get layout");
  bool isTuple = isPart || isOneOf(word, "select");
  bool areSecond = isOneOf(word, "replace append_to_rank prepend_to_rank");
  Values modes = {0}, given = {0}, all = {0};
  ++p->at;
  if (!cuteExpressionReadList(p, '>', &modes) || !cuteExpressionTake(p, '(') ||
      !cuteExpressionReadList(p, ')', &given))
    return (CuteValue){0};
  size_t before = areSecond && given.count ? 1 : given.count;
  CuteValue path = cuteExpressionGetTuple(p, &modes);
  pushAll(p, &all, &given, 0, before);
  pushAll(p, &all, isTuple ? &(Values){&path, 1} : &modes, 0,
          isTuple ? 1 : modes.count);
  pushAll(p, &all, &given, before, given.count);
  CuteValue value = isPart ? applyAs(p, word, "get", &all)
                           : cuteExpressionApply(p, word, &all);
  return isOfPart && !cuteValueFailed(value)
             ? cuteExpressionApply(p, word, &(Values){&value, 1})
             : value;
}

// Takes LayoutRight{} and the like, and sets the operation that makes such a
// layout.
static bool takeOrder(Reader *p, const char **operation) {
  CuteStringRef order = cuteExpressionPeekName(p);
  bool isRight = isOneOf(order, "LayoutRight GenRowMajor");
  if (!order.length || (!isRight && !isOneOf(order, "LayoutLeft GenColMajor")))
    return false;
  p->at += order.length;
  *operation = isRight ? "make_layout_right" : "make_layout_left";
  return cuteExpressionTakeText(p, "{}");
}

// make_layout(shape, LayoutRight{})
static CuteValue readMakeLayout(Reader *p, CuteStringRef word) {
  const char *operation = "make_layout";
  Values values = {0};
  ++p->at;
  while (!cuteExpressionTake(p, ')'))
    if (!takeOrder(p, &operation) && !cuteExpressionReadItem(p, ')', &values))
      return (CuteValue){0};
  return applyAs(p, word, operation, &values);
}

//===-- Words -------------------------------------------------------------===//

// The leaf that a word stands for; failed, without a message, for others. In
// types, words for integers are numbers that are known at run time only.
static CuteValue findLeaf(Reader *p, CuteStringRef word) {
  CuteStringRef number = {word.data + 1, word.length - 1};
  bool isBraced = p->end - p->at > 1 && !memcmp(p->at, "{}", 2);
  int64_t value;
  if (*word.data == '_' && cuteTextGetInteger(number, &value))
    return leafOf(p, number);
  if (isOneOf(word, "X Underscore") && (isBraced || p->numTypes))
    return cuteValueOfTuple(cuteIntTupleGetUnderscore(p->context));
  if (p->numTypes && isOneOf(word, "int int32_t uint32_t unsigned"))
    return leafOf(p, cuteStringRef("?"));
  if (p->numTypes && isOneOf(word, "int64_t uint64_t size_t"))
    return leafOf(p, cuteStringRef("?{i64}"));
  return (CuteValue){0};
}

bool cuteExpressionReadCxx(Reader *p, CuteStringRef word, CuteValue *value) {
  static const char swizzles[] = "S Sw Swizzle";
  *value = findLeaf(p, word);
  if (!cuteValueFailed(*value))
    return true;
  if (hasModes(p, cuteTextEquals(word, "recast_layout")) &&
      !isOneOf(word, swizzles))
    *value = readCall(p, word);
  else if (cuteTextEquals(word, "make_layout") && p->at < p->end &&
           *p->at == '(')
    *value = readMakeLayout(p, word);
  else
    return readForm(p, word, value);
  return true;
}

bool cuteExpressionTakeDeclaration(Reader *p) {
  static const char words[] = "auto const constexpr static using Layout Tensor";
  const char *begin = p->at;
  bool isWord, isDeclaration = false;
  CuteStringRef name;
  do {
    cuteExpressionTake(p, '&');
    name = cuteExpressionPeekName(p);
    isWord = name.length && isOneOf(name, words);
    isDeclaration |= isWord;
    p->at += name.length;
  } while (isWord);
  isDeclaration &= name.length && cuteExpressionTake(p, '=');
  p->at = isDeclaration ? name.data : begin;
  return isDeclaration;
}
