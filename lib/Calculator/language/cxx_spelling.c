// Expressions as CuTe C++ spells them, read as calculator expressions:
//
//   _4{}, Int<4>{}, C<4>{}               4
//   make_shape(4,8), Shape<_4,_8>{}      (4,8), and so of strides, coordinates,
//                                        tuples, steps and tiles
//   Layout<Shape<_4,_8>,Stride<_8,_1>>{} (4,8):(8,1)
//   Swizzle<3,3,3>{}                     Swizzle<3,3,3>
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
#include "Calculator/language/calculator.h"
#include "Support/growing_array.h"
#include "Support/text.h"

#include <ctype.h>

// Holds a bracket's own first and last comma, which are not in brackets
// inside it; null if there is none.
typedef struct Bracket {
  size_t outer; // the place of the bracket around it
  const char *firstComma, *lastComma;
  bool isClosed;
} Bracket;

// The text so far, and where each character of it comes from.
typedef struct Spelling {
  const char *begin, *at, *end; // of the source
  CuteString text;
  size_t *origins;
  size_t count, capacity;
  size_t numTypes; // around the place: X is `_` in a Step<_1,X>
  size_t depth;    // of brackets around the place
  size_t numBrackets;
  Bracket *brackets;   // by the place after the ( or < in the source
  const char *wrongAt; // the first bracket that closes one of the other kind
  char wanted;         // in its place
} Spelling;

// Finds the commas of all brackets in one pass: one that asks for each bracket
// anew is slow where they nest.
static void findBrackets(Spelling *s) {
  size_t length = (size_t)(s->end - s->begin), around = 0;
  CUTE_RESERVE(s->brackets, 0, s->numBrackets, length + 1);
  memset(s->brackets, 0, (length + 1) * sizeof *s->brackets);
  for (const char *at = s->begin; at < s->end; ++at) {
    Bracket *bracket = &s->brackets[around];
    if (*at == '(' || *at == '<') {
      size_t place = (size_t)(at + 1 - s->begin);
      s->brackets[place].outer = around;
      around = place;
    } else if (around && (*at == ')' || *at == '>')) {
      bracket->isClosed = true;
      around = bracket->outer;
    } else if (*at == ',') {
      bracket->lastComma = at;
      if (!bracket->firstComma)
        bracket->firstComma = at;
    }
  }
}

// The innermost bracket that is open at the place.
static const Bracket *getBracket(const Spelling *s) {
  return &s->brackets[s->at - s->begin];
}

static void put(Spelling *s, const char *text, const char *origin) {
  for (; *text; ++text) {
    cuteStringAppendChar(&s->text, *text);
    CUTE_PUSH(s->origins, s->count, s->capacity, (size_t)(origin - s->begin));
  }
}

static void putCharacter(Spelling *s) {
  char text[] = {*s->at, '\0'};
  put(s, text, s->at);
  ++s->at;
}

static void putRest(Spelling *s) {
  while (s->at < s->end)
    putCharacter(s);
}

static bool isInWord(char c) { return isalnum((unsigned char)c) || c == '_'; }

static bool takeText(Spelling *s, const char *text) {
  size_t n = strlen(text);
  if ((size_t)(s->end - s->at) < n || memcmp(s->at, text, n))
    return false;
  s->at += n;
  return true;
}

static bool isOneOf(CuteStringRef word, const char *list) {
  return cuteTextHasWord(cuteStringRef(list), word);
}

static void putWord(Spelling *s, CuteStringRef word) {
  for (size_t i = 0; i < word.length; ++i) {
    char text[] = {word.data[i], '\0'};
    put(s, text, word.data + i);
  }
}

static void skipBlanks(Spelling *s) {
  while (s->at < s->end && isspace((unsigned char)*s->at))
    ++s->at;
}

// Takes letters, digits and underscores.
static CuteStringRef takeWord(Spelling *s) {
  CuteStringRef word = {s->at, 0};
  while (s->at + word.length < s->end && isInWord(s->at[word.length]))
    ++word.length;
  s->at += word.length;
  return word;
}

static void spellOne(Spelling *s);

// Spells up to the bracket that closes the one before, or up to a comma.
// Text nested too deep for the calculator stays as it is, for its message.
static void spellUntil(Spelling *s, char close, bool stopsAtComma) {
  if (++s->depth > 2 * CUTE_MAX_DEPTH)
    putRest(s);
  while (s->at < s->end && *s->at != close && *s->at != ')' && *s->at != '>' &&
         (*s->at != ',' || !stopsAtComma))
    spellOne(s);
  --s->depth;
}

// Takes a closing bracket where the text may have another; one that
// is missing is missing there, too. One of the other kind is an error.
static void spellClose(Spelling *s, char close, const char *text) {
  if (s->at == s->end || (*s->at != ')' && *s->at != '>'))
    return;
  if (*s->at != close && !s->wrongAt) {
    s->wrongAt = s->at;
    s->wanted = close;
  }
  put(s, text, s->at);
  ++s->at;
}

// Spells what is in brackets as a tuple; the opening one has been taken.
static void spellTuple(Spelling *s, char close) {
  put(s, "(", s->at);
  spellUntil(s, close, false);
  spellClose(s, close, ")");
}

//===-- Types -------------------------------------------------------------===//

// Layout<shape>, Layout<shape,stride>
static void spellLayout(Spelling *s) {
  bool hasStride = getBracket(s)->firstComma;
  put(s, hasStride ? "" : "make_layout(", s->at);
  spellUntil(s, '>', true);
  if (takeText(s, ",")) {
    put(s, ":", s->at - 1);
    spellUntil(s, '>', false);
  }
  spellClose(s, '>', hasStride ? "" : ")");
}

// Writes the path of a basis from its last part on: E<0,1> is 1@1@0.
static void spellPath(Spelling *s) {
  const char *begin = s->at;
  while (s->at < s->end && *s->at != '>' && *s->at != ')')
    ++s->at;
  for (const char *end = s->at, *part; end > begin; end = part - 1) {
    for (part = end; part > begin && part[-1] != ',';)
      --part;
    put(s, "@", part);
    for (const char *at = part; at < end; ++at)
      if (isInWord(*at))
        putWord(s, (CuteStringRef){at, 1});
    if (part == begin)
      break;
  }
  put(s, s->at < s->end ? "" : "<", s->at);
  spellClose(s, '>', "");
}

// Copy_Atom<Op,Type>: the operation, by its name or as its traits.
static void spellAtom(Spelling *s, const char *maker) {
  put(s, maker, s->at);
  put(s, "(", s->at);
  spellUntil(s, '>', false);
  spellClose(s, '>', ")");
}

// A type that is a function of its arguments, whose < has been taken.
static bool spellMaker(Spelling *s, CuteStringRef word) {
  static const struct {
    const char *type, *maker;
  } makers[] = {
      {"rank_v", "rank"},
      {"depth_v", "depth"},
      {"size_v", "size"},
      {"cosize_v", "cosize"},
      {"Copy_Atom", "make_copy_atom"},
      {"TiledMMA", "make_tiled_mma"},
      {"ComposedLayout", "make_composed_layout"},
  };
  for (size_t i = 0; i < sizeof makers / sizeof *makers; ++i)
    if (cuteTextEquals(word, makers[i].type)) {
      spellAtom(s, makers[i].maker);
      return true;
    }
  return false;
}

// A type with arguments, whose < has been taken. False for others.
static bool spellType(Spelling *s, CuteStringRef word) {
  static const char alone[] = "Int C MMA_Atom Copy_Traits MMA_Traits";
  static const char tuples[] = "Shape Stride Coord Step Tile tuple";
  if (isOneOf(word, alone)) {
    spellUntil(s, '>', false);
    put(s, s->at < s->end && *s->at == '>' ? "" : "<", s->at);
    spellClose(s, '>', "");
  } else if (isOneOf(word, tuples)) {
    ++s->numTypes;
    spellTuple(s, '>');
    --s->numTypes;
  } else if (cuteTextEquals(word, "Layout")) {
    spellLayout(s);
  } else if (cuteTextEquals(word, "E")) {
    put(s, "1", s->at);
    spellPath(s);
  } else if (cuteTextEquals(word, "ScaledBasis")) {
    spellUntil(s, '>', true);
    takeText(s, ",");
    spellPath(s);
  } else {
    return spellMaker(s, word);
  }
  return true;
}

//===-- Functions ---------------------------------------------------------===//

// The length of "0,2>(" at the place, or of such a list of names; else 0.
static size_t lengthOfModes(const Spelling *s, bool areNames) {
  const char *at = s->at;
  while (at < s->end &&
         (isdigit((unsigned char)*at) || *at == ',' || *at == ' ' ||
          (areNames && (isInWord(*at) || *at == ':'))))
    ++at;
  bool ok = at > s->at && s->end - at > 1 && at[0] == '>' && at[1] == '(';
  return ok ? (size_t)(at - s->at) + 2 : 0;
}

// f<modes>(arguments): the modes come before the place, which is in the
// parentheses.
static void spellCall(Spelling *s, CuteStringRef word, CuteStringRef modes) {
  static const char parts[] = "get layout";
  static const char ofPart[] = "size shape stride rank depth cosize product";
  static const char ofTuple[] = "select";
  static const char second[] = "replace append_to_rank prepend_to_rank";
  bool isOfPart = isOneOf(word, ofPart), isPart = isOneOf(word, parts);
  CUTE_SCOPED(String) name = {0}, path = {0};
  cuteStringAppendBytes(&name, word.data, word.length);
  put(s, isPart ? "get" : cuteStringGet(&name), word.data);
  put(s, isOfPart ? "(get(" : "(", word.data);
  spellUntil(s, ')', isOneOf(word, second));
  bool isTuple = isPart || isOfPart || isOneOf(word, ofTuple);
  cuteStringAppendFormat(&path, isTuple ? ",(%.*s)" : ",%.*s",
                         CUTE_TEXT(modes));
  put(s, cuteStringGet(&path), modes.data);
  spellUntil(s, ')', false);
  spellClose(s, ')', isOfPart ? "))" : ")");
}

// make_layout(shape, LayoutRight{}), the bracket taken; false for others.
static bool spellMajor(Spelling *s) {
  static const char left[] = "LayoutLeft GenColMajor";
  static const char right[] = "LayoutRight GenRowMajor";
  const Bracket *bracket = getBracket(s);
  const char *begin = s->at, *comma = bracket->lastComma;
  if (!comma || !bracket->isClosed)
    return false;
  s->at = comma + 1;
  skipBlanks(s);
  takeText(s, "cute::");
  CuteStringRef order = takeWord(s);
  bool isRight = isOneOf(order, right);
  bool ok = (isRight || isOneOf(order, left)) && takeText(s, "{}");
  const char *end = s->at;
  s->at = begin;
  if (!ok)
    return false;
  put(s, isRight ? "make_layout_right(" : "make_layout_left(", begin);
  while (s->at < comma)
    spellOne(s);
  s->at = end;
  spellClose(s, ')', ")");
  return true;
}

//===-- Words -------------------------------------------------------------===//

// _4, as an integer.
static bool isNumber(CuteStringRef word) {
  for (size_t i = 1; i < word.length; ++i)
    if (!isdigit((unsigned char)word.data[i]))
      return false;
  return word.length > 1 && *word.data == '_';
}

// A type of integers that are known at run time only; null for other words.
static const char *findDynamic(CuteStringRef word) {
  static const char words[] = "int int32_t uint32_t unsigned";
  static const char longWords[] = "int64_t uint64_t size_t";
  return isOneOf(word, words)       ? "?"
         : isOneOf(word, longWords) ? "?{i64}"
                                    : NULL;
}

// A word whose < has been taken; false where it is spelled like others.
static bool spellTemplate(Spelling *s, CuteStringRef word) {
  static const char swizzles[] = "S Sw Swizzle";
  bool areNames = cuteTextEquals(word, "recast_layout");
  CuteStringRef modes = {s->at, lengthOfModes(s, areNames)};
  if (!modes.length || isOneOf(word, swizzles))
    return spellType(s, word);
  s->at += modes.length;
  spellCall(s, word, (CuteStringRef){modes.data, modes.length - 2});
  return true;
}

// A word whose ( has been taken; false where it is spelled like others.
static bool spellFunction(Spelling *s, CuteStringRef word) {
  static const char makers[] =
      "make_shape make_stride make_coord make_tuple make_step make_tile";
  static const char same[] = "print decltype";
  if (isOneOf(word, same)) {
    spellUntil(s, ')', false);
    spellClose(s, ')', "");
    takeText(s, "::value");
    return true;
  }
  if (!isOneOf(word, makers))
    return cuteTextEquals(word, "make_layout") && spellMajor(s);
  spellTuple(s, ')');
  return true;
}

// A word and the bracket after it, spelled otherwise; else takes no bracket.
static bool spellNamed(Spelling *s, CuteStringRef word) {
  const char *begin = s->at;
  if (takeText(s, "(") ? spellFunction(s, word)
                       : takeText(s, "<") && spellTemplate(s, word))
    return true;
  s->at = begin;
  return false;
}

static void spellWord(Spelling *s) {
  CuteStringRef word = takeWord(s);
  const char *dynamic = s->numTypes ? findDynamic(word) : NULL;
  bool isLeftOut = cuteTextEquals(word, "X") || cuteTextEquals(word, "_") ||
                   cuteTextEquals(word, "Underscore");
  if (isNumber(word)) {
    putWord(s, (CuteStringRef){word.data + 1, word.length - 1});
  } else if (dynamic) {
    put(s, dynamic, word.data);
  } else if (isLeftOut && (takeText(s, "{}") || s->numTypes)) {
    put(s, "_", word.data);
  } else if (!spellNamed(s, word)) {
    putWord(s, word);
  }
  takeText(s, "{}");
}

static void spellOne(Spelling *s) {
  if (takeText(s, "cute::"))
    return;
  if (takeText(s, "//")) {
    while (s->at < s->end && *s->at != '\n')
      ++s->at;
    return;
  }
  if (isalpha((unsigned char)*s->at) || *s->at == '_') {
    spellWord(s);
    return;
  }
  if (isdigit((unsigned char)*s->at)) { // 1_or_so is not a word
    while (s->at < s->end && isInWord(*s->at))
      putCharacter(s);
    return;
  }
  bool closes = *s->at == '>';
  bool opens = *s->at == '(' || *s->at == '<';
  char close = *s->at == '(' ? ')' : '>';
  putCharacter(s);
  if (opens) {
    spellUntil(s, close, false);
    closes = s->at < s->end && *s->at == '>';
    if (s->at < s->end)
      putCharacter(s);
  }
  if (closes) // Swizzle<3,3,3>{}
    takeText(s, "{}");
}

//===-- Statements --------------------------------------------------------===//

// Spells `const auto &L =` as `let L `; what else there is stays as it is.
static void spellDeclaration(Spelling *s) {
  static const char words[] = "auto const constexpr static using Layout Tensor";
  const char *begin = s->at;
  bool isDeclaration = false;
  CuteStringRef name;
  do {
    skipBlanks(s);
    takeText(s, "&");
    skipBlanks(s);
    name = takeWord(s);
    isDeclaration |= isOneOf(name, words);
  } while (isOneOf(name, words));
  skipBlanks(s);
  if (!isDeclaration || !name.length || s->at == s->end || *s->at != '=') {
    s->at = begin;
    return;
  }
  put(s, "let ", begin);
  putWord(s, name);
  put(s, " ", s->at);
}

static void spellStatement(Spelling *s) {
  spellDeclaration(s);
  while (s->at < s->end && *s->at != ';')
    spellOne(s);
  if (s->at < s->end)
    putCharacter(s);
}

CuteValue cuteCalculatorEvaluate(CuteCalculator *calculator, CuteStringRef text,
                                 size_t *errorAt) {
  Spelling s = {
      .begin = text.data, .at = text.data, .end = text.data + text.length};
  findBrackets(&s);
  while (s.at < s.end)
    spellStatement(&s);
  CuteValue value = {0};
  if (s.wrongAt) {
    cuteFail(calculator->context, "expected '%c', found '%c'", s.wanted,
             *s.wrongAt);
    *errorAt = (size_t)(s.wrongAt - s.begin);
  } else {
    value = cuteCalculatorEvaluatePlain(calculator, cuteStringGetRef(&s.text),
                                        errorAt);
    *errorAt = *errorAt < s.count ? s.origins[*errorAt] : text.length;
  }
  cuteStringDestroy(&s.text);
  free(s.origins);
  free(s.brackets);
  return value;
}
