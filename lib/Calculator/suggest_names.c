// The names that a name of an expression may have been meant for.
#include "Calculator/calculator.h"
#include "Support/suggest.h"
#include "Support/text.h"

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
                           (int)suggestion.best.length, suggestion.best.data);
}
