// The names that a name of an expression may have been meant for.
#include "Calculator/language/calculator.h"
#include "Support/suggest.h"
#include "Support/text.h"

// Functions of CuTe that are not operations here, and what to use instead.
static const struct {
  const char *name, *instead;
} elsewhere[] = {
    {"print_layout", "`cute-layout show` prints tables of layouts"},
    {"print_latex", "`cute-layout show --svg` draws layouts"},
    {"print_svg", "`cute-layout show --svg` draws layouts"},
    {"transform", "functions of functions are not here"},
    {"transform_leaf", "functions of functions are not here"},
    {"transform_apply", "functions of functions are not here"},
    {"for_each", "functions of functions are not here"},
    {"fold", "functions of functions are not here"},
    {"make_tensor", "a tensor's layout alone is calculated with"},
    {"make_gmem_ptr", "a tensor's layout alone is calculated with"},
    {"make_smem_ptr", "a tensor's layout alone is calculated with"},
    {"recast", "write recast_layout(layout, old bits, new bits)"},
    {"zip2_by", "write zip, and group or flatten what it gives"},
};

static bool appendInstead(CuteString *text, CuteStringRef name) {
  for (size_t i = 0; i < sizeof elsewhere / sizeof *elsewhere; ++i)
    if (cuteTextEquals(name, elsewhere[i].name)) {
      cuteStringAppendFormat(text, "; %s", elsewhere[i].instead);
      return true;
    }
  return false;
}

// An operation's name needs no other, but operands.
static bool isOperation(CuteStringRef name) {
  size_t i = 0;
  while (cuteCalcGet(i) && !cuteTextEquals(name, cuteCalcGet(i)->name))
    ++i;
  return cuteCalcGet(i);
}

// Offers a name; what it begins with is as near as can be.
static void offer(CuteSuggestion *suggestion, const char *name) {
  bool isPrefix =
      suggestion->word.length >= 6 &&
      !strncmp(name, suggestion->word.data, suggestion->word.length);
  if (isPrefix && (!suggestion->best.length || suggestion->distance > 1)) {
    suggestion->best = cuteStringRef(name);
    suggestion->distance = 1;
  } else {
    cuteSuggestionOffer(suggestion, cuteStringRef(name));
  }
}

void cuteCalcAppendSuggestion(CuteString *text,
                              const CuteCalculator *calculator,
                              CuteStringRef name) {
  if (appendInstead(text, name))
    return;
  if (isOperation(name))
    return;
  CuteSuggestion suggestion = cuteSuggestionBegin(name);
  for (size_t i = 0; calculator && i < calculator->numVariables; ++i)
    offer(&suggestion, calculator->variables[i].name);
  for (size_t i = 0; cuteCalcGet(i); ++i)
    offer(&suggestion, cuteCalcGet(i)->name);
  for (size_t i = 0; i < cuteMmaAtomGetNum(); ++i)
    offer(&suggestion, cuteMmaAtomGet(i)->name);
  for (size_t i = 0; i < cuteCopyAtomGetNum(); ++i)
    offer(&suggestion, cuteCopyAtomGet(i)->name);
  for (size_t i = 0; i < cuteSmemAtomGetNum(); ++i)
    offer(&suggestion, cuteSmemAtomGet(i)->name);
  if (suggestion.best.length)
    cuteStringAppendFormat(text, "; did you mean '%.*s'?",
                           CUTE_TEXT(suggestion.best));
}
