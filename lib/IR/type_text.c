// Types in running text, and atoms by their names.
#include "Hardware/element.h"
#include "Hardware/mma_family.h"
#include "IR/type.h"
#include "Support/lexer.h"
#include "Support/suggest.h"

static const char *nameOfMma(size_t i) { return cuteMmaAtomGet(i)->name; }
static const char *nameOfCopy(size_t i) { return cuteCopyAtomGet(i)->name; }

// Fails with the closest of n names, if one is close.
static bool failAtom(CuteContext c, const char *kind, CuteStringRef name,
                     size_t n, const char *(*nameOf)(size_t i)) {
  CuteSuggestion suggestion = cuteSuggestionBegin(name);
  for (size_t i = 0; i < n; ++i)
    cuteSuggestionOffer(&suggestion, cuteStringRef(nameOf(i)));
  return cuteFail(c,
                  suggestion.best.length
                      ? "no %s atom is named '%.*s'; did you mean '%.*s'?"
                      : "no %s atom is named '%.*s'; cutec --list-atoms has "
                        "their names",
                  kind, CUTE_TEXT(name), CUTE_TEXT(suggestion.best));
}

bool cuteTypeFindElement(CuteContext c, CuteStringRef name,
                         CuteElementType *element) {
  if (cuteElementTypeFind(name, element))
    return true;
  CUTE_SCOPED(String) text = {0};
  cuteElementAppendUnknown(&text, name);
  return cuteFail(c, "%s", cuteStringGet(&text));
}

bool cuteTypeFindMma(CuteContext c, CuteStringRef name, const void **atom) {
  char problem[256];
  *atom = cuteMmaAtomFind(name);
  if (!*atom && cuteMmaFamilyExplain(name, problem, sizeof problem))
    return cuteFail(c, "MMA atom %.*s: %s", CUTE_TEXT(name), problem);
  return *atom || failAtom(c, "MMA", name, cuteMmaAtomGetNum(), nameOfMma);
}

bool cuteTypeFindCopy(CuteContext c, CuteStringRef name, const void **atom) {
  *atom = cuteCopyAtomFind(name);
  return *atom || failAtom(c, "copy", name, cuteCopyAtomGetNum(), nameOfCopy);
}

static bool endsForeign(char c) { return strchr(">)]}{,=/ \n\t\r", c); }

// The length of a type of another dialect: up to a delimiter outside brackets;
// 0 where a bracket is not closed.
static size_t foreignLength(CuteStringRef text) {
  CuteLexer lexer = {text.data, text.data + text.length};
  while (lexer.at < lexer.end && !endsForeign(*lexer.at)) {
    CuteStringRef token;
    if (!strchr("(<[", *lexer.at))
      cuteLexerNext(&lexer, &token);
    else if (!cuteLexerSkipBracket(&lexer))
      return 0;
  }
  return (size_t)(lexer.at - text.data);
}

static CuteType parseForeign(CuteContext context, CuteStringRef text,
                             size_t *length) {
  *length = foreignLength(text);
  if (!*length)
    return cuteFail(context, !text.length || endsForeign(*text.data)
                                 ? "expected a type"
                                 : "the type's brackets are not closed");
  return cuteTypeGetForeign(context, (CuteStringRef){text.data, *length});
}

// !cute.layout<"...">, or the same as MLIR spells it at length,
// !cute<layout<"...">>.
CuteType cuteTypeParsePrefix(CuteContext context, CuteStringRef text,
                             size_t *length) {
  bool atLength = cuteTextStartsWith(text, "!cute<");
  if (!atLength && !cuteTextStartsWith(text, "!cute."))
    return parseForeign(context, text, length);
  CuteLexer lexer = {text.data + 6, text.data + text.length};
  CuteStringRef word = cuteLexerTakeWord(&lexer);
  CuteTypeKind kind;
  *length = (size_t)(lexer.at - text.data);
  if (!cuteTypeKindFind(word, &kind))
    return cuteFail(context, "no type is named '!cute.%.*s'", CUTE_TEXT(word));
  size_t rest;
  CuteType type = cuteTypeParseParameters(
      context, kind, (CuteStringRef){lexer.at, (size_t)(lexer.end - lexer.at)},
      &rest);
  lexer.at += rest;
  if (type && atLength && !cuteLexerTake(&lexer, '>'))
    type = cuteFail(context, "expected '>' after the type");
  *length = (size_t)(lexer.at - text.data);
  return type;
}

CuteType cuteTypeParse(CuteContext context, CuteStringRef text) {
  size_t length;
  CuteType type = cuteTypeParsePrefix(context, text, &length);
  if (type && length != text.length)
    return cuteFail(context, "unexpected text after the type");
  return type;
}
