#include "Support/suggest.h"
#include "Support/edit_distance.h"
#include "Support/say_error.h"

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

void cuteSuggestionOfferOptions(CuteSuggestion *suggestion, const char *help) {
  for (const char *at = strstr(help, "--"); at; at = strstr(at, "--")) {
    bool begins = at == help || strchr(" \n", at[-1]);
    at += 2;
    size_t n = strspn(at, "abcdefghijklmnopqrstuvwxyz0123456789-");
    if (begins && n)
      cuteSuggestionOffer(suggestion, (CuteStringRef){at, n});
    at += n;
  }
}

CuteStringRef cuteSuggestionNameOf(const char *argument) {
  while (*argument == '-')
    ++argument;
  return (CuteStringRef){argument, strcspn(argument, "=")};
}

bool cuteSuggestionFailOption(CuteSuggestion *suggestion, const char *argument,
                              const char *help) {
  CuteSuggestion own = cuteSuggestionBegin(cuteSuggestionNameOf(argument));
  if (!suggestion)
    suggestion = &own;
  cuteSuggestionOfferOptions(suggestion, help);
  CuteStringRef best = suggestion->best;
  if (best.length && suggestion->distance)
    cuteSayError("unknown option '%s'; did you mean '--%.*s'? See --help",
                 argument, (int)best.length, best.data);
  else
    cuteSayError("unknown option '%s'; see --help", argument);
  return false;
}
