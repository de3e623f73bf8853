#include "Support/suggest.h"
#include "Support/edit_distance.h"

CuteSuggestion cuteSuggestionBegin(CuteStringRef word) {
  return (CuteSuggestion){.word = word, .distance = word.length / 3 + 1};
}

void cuteSuggestionOffer(CuteSuggestion *suggestion, CuteStringRef candidate) {
  CuteStringRef word = suggestion->word;
  size_t distance = cuteEditDistance(word.data, word.length, candidate.data,
                                     candidate.length);
  bool isFar =
      2 * distance >= word.length &&
      !(word.length && candidate.length && word.data[0] == candidate.data[0]);
  if (isFar || distance > suggestion->distance ||
      (suggestion->best.length && distance == suggestion->distance))
    return;
  suggestion->distance = distance;
  suggestion->best = candidate;
}

CuteStringRef cuteSuggestionNameOf(const char *argument) {
  while (*argument == '-')
    ++argument;
  return (CuteStringRef){argument, strcspn(argument, "=")};
}
