// Expressions as CuTe C++ spells them, read as those of the calculator:
//
//   _4{}, Int<4>{}, C<4>{}               4
//   make_shape(4,8), Shape<_4,_8>{}      (4,8), and so of strides, coordinates,
//                                        tuples, steps and tiles
//   Layout<Shape<_4,_8>,Stride<_8,_1>>{} (4,8):(8,1)
//   Swizzle<3,3,3>{}                     Swizzle<3,3,3>
//   size<0>(L), size<1,0>(L)             size(get(L,(0))), size(get(L,(1,0)))
//   get<0>(L), layout<0>(L)              get(L,(0))
//   select<0,2>(L), take<0,2>(L)         select(L,(0,2)), take(L,0,2)
//   cute::X                              X
#include "Calculator/calculator.h"
#include "Support/growing_array.h"
#include "Support/text.h"

#include <ctype.h>
#include <stdlib.h>

// The text so far, and where each character of it comes from.
typedef struct Spelling {
  const char *begin, *at, *end; // of the source
  CuteString text;
  size_t *origins;
  size_t count, capacity;
  size_t numTypes; // around the place: X is `_` in a Step<_1,X>
} Spelling;

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

static bool isInWord(char c) { return isalnum((unsigned char)c) || c == '_'; }

static bool takeText(Spelling *s, const char *text) {
  size_t n = strlen(text);
  if ((size_t)(s->end - s->at) < n || memcmp(s->at, text, n))
    return false;
  s->at += n;
  return true;
}

static bool isOneOf(CuteStringRef word, const char *const *list) {
  while (*list && !cuteTextEquals(word, *list))
    ++list;
  return *list;
}

static void spellOne(Spelling *s);

// Spells up to the bracket that closes the one before, or up to a comma.
static void spellUntil(Spelling *s, char close, bool stopsAtComma) {
  while (s->at < s->end && *s->at != close && *s->at != ')' && *s->at != '>' &&
         (*s->at != ',' || !stopsAtComma))
    spellOne(s);
}

// Takes a closing bracket, in the place of which the text has another; one that
// is missing is missing there, too.
static void spellClose(Spelling *s, char close, const char *text) {
  if (s->at == s->end || *s->at != close)
    return;
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

// Tells whether a comma stands before the bracket that closes the one before.
static bool hasSecond(const Spelling *s) {
  size_t depth = 0;
  for (const char *at = s->at; at < s->end; ++at) {
    if (!depth && (*at == ',' || *at == '>'))
      return *at == ',';
    depth += *at == '<' || *at == '(';
    depth -= depth && (*at == '>' || *at == ')');
  }
  return false;
}

// Layout<shape>, Layout<shape,stride>
static void spellLayout(Spelling *s) {
  bool hasStride = hasSecond(s);
  put(s, hasStride ? "" : "make_layout(", s->at);
  spellUntil(s, '>', true);
  if (takeText(s, ",")) {
    put(s, ":", s->at - 1);
    spellUntil(s, '>', false);
  }
  spellClose(s, '>', hasStride ? "" : ")");
}

// A type with arguments, whose < has been taken. False for others.
static bool spellType(Spelling *s, CuteStringRef word) {
  static const char *const integers[] = {"Int", "C", "constant", NULL};
  static const char *const tuples[] = {"Shape", "Stride", "Coord", "Step",
                                       "Tile",  "tuple",  NULL};
  if (isOneOf(word, integers)) {
    spellUntil(s, '>', false);
    put(s, s->at < s->end && *s->at == '>' ? "" : "<", s->at);
    spellClose(s, '>', "");
  } else if (isOneOf(word, tuples)) {
    ++s->numTypes;
    spellTuple(s, '>');
    --s->numTypes;
  } else if (cuteTextEquals(word, "Layout")) {
    spellLayout(s);
  } else {
    return false;
  }
  takeText(s, "{}");
  return true;
}

//===-- Functions ---------------------------------------------------------===//

// The length of "0,2>(" at the place, or 0.
static size_t lengthOfModes(const Spelling *s) {
  const char *at = s->at;
  while (at < s->end && (isdigit((unsigned char)*at) || *at == ','))
    ++at;
  bool ok = at > s->at && s->end - at > 1 && at[0] == '>' && at[1] == '(';
  return ok ? (size_t)(at - s->at) + 2 : 0;
}

// f<modes>(arguments): the modes stand before the place, which is in the
// parentheses.
static void spellCall(Spelling *s, CuteStringRef word, CuteStringRef modes) {
  static const char *const parts[] = {"get", "layout", NULL};
  static const char *const ofPart[] = {"size",  "shape",  "stride",  "rank",
                                       "depth", "cosize", "product", NULL};
  static const char *const ofTuple[] = {"select", NULL};
  bool isOfPart = isOneOf(word, ofPart), isPart = isOneOf(word, parts);
  CuteString name = {0}, path = {0};
  cuteStringAppendBytes(&name, word.data, word.length);
  put(s, isPart ? "get" : cuteStringGet(&name), word.data);
  put(s, isOfPart ? "(get(" : "(", word.data);
  spellUntil(s, ')', false);
  bool isTuple = isPart || isOfPart || isOneOf(word, ofTuple);
  cuteStringAppendFormat(&path, isTuple ? ",(%.*s)" : ",%.*s",
                         (int)modes.length, modes.data);
  put(s, cuteStringGet(&path), modes.data);
  spellClose(s, ')', isOfPart ? "))" : ")");
  cuteStringDestroy(&name);
  cuteStringDestroy(&path);
}

//===-- Words -------------------------------------------------------------===//

// _4, as an integer.
static bool isNumber(CuteStringRef word) {
  for (size_t i = 1; i < word.length; ++i)
    if (!isdigit((unsigned char)word.data[i]))
      return false;
  return word.length > 1 && *word.data == '_';
}

static void putWord(Spelling *s, CuteStringRef word) {
  for (size_t i = 0; i < word.length; ++i) {
    char text[] = {word.data[i], '\0'};
    put(s, text, word.data + i);
  }
}

static void spellWord(Spelling *s) {
  static const char *const makers[] = {
      "make_shape", "make_stride", "make_coord", "make_tuple",
      "make_step",  "make_tile",   NULL};
  CuteStringRef word = {s->at, 0};
  while (s->at + word.length < s->end && isInWord(s->at[word.length]))
    ++word.length;
  s->at += word.length;
  if (isNumber(word)) {
    putWord(s, (CuteStringRef){word.data + 1, word.length - 1});
    takeText(s, "{}");
    return;
  }
  bool isLeftOut = cuteTextEquals(word, "X") || cuteTextEquals(word, "_");
  if (isLeftOut && (takeText(s, "{}") || s->numTypes)) {
    put(s, "_", word.data);
    return;
  }
  if (isOneOf(word, makers) && takeText(s, "(")) {
    spellTuple(s, ')');
    return;
  }
  if (takeText(s, "<")) {
    static const char *const swizzles[] = {"S", "Sw", "Swizzle", NULL};
    CuteStringRef modes = {s->at, lengthOfModes(s)};
    if (modes.length && !isOneOf(word, swizzles)) {
      s->at += modes.length;
      spellCall(s, word, (CuteStringRef){modes.data, modes.length - 2});
      return;
    }
    if (spellType(s, word))
      return;
    --s->at;
  }
  putWord(s, word);
}

static void spellOne(Spelling *s) {
  if (takeText(s, "cute::"))
    return;
  if (isalpha((unsigned char)*s->at) || *s->at == '_') {
    spellWord(s);
    return;
  }
  if (isdigit((unsigned char)*s->at)) { // 1_or_so is no word
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

CuteValue cuteCalculatorEvaluate(CuteCalculator *calculator, CuteStringRef text,
                                 size_t *errorAt) {
  Spelling s = {
      .begin = text.data, .at = text.data, .end = text.data + text.length};
  while (s.at < s.end)
    spellOne(&s);
  CuteValue value = cuteCalculatorEvaluatePlain(
      calculator, cuteStringGetRef(&s.text), errorAt);
  *errorAt = *errorAt < s.count ? s.origins[*errorAt] : text.length;
  cuteStringDestroy(&s.text);
  free(s.origins);
  return value;
}
