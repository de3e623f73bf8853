#include "Support/suggest.h"

// Longer words are as far from all others.
enum { MAX_DISTANCE = 80 };

// Counts the characters that must be inserted, left out or replaced to make b
// of a.
static size_t distanceOf(const char *a, size_t aLength, const char *b,
                         size_t bLength) {
  size_t row[MAX_DISTANCE + 1];
  if (aLength > MAX_DISTANCE || bLength > MAX_DISTANCE)
    return MAX_DISTANCE;
  for (size_t j = 0; j <= bLength; ++j)
    row[j] = j;
  for (size_t i = 1; i <= aLength; ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= bLength; ++j) {
      size_t replace = diagonal + (a[i - 1] != b[j - 1]);
      size_t least = row[j] < row[j - 1] ? row[j] : row[j - 1];
      diagonal = row[j];
      row[j] = replace < least + 1 ? replace : least + 1;
    }
  }
  return row[bLength];
}

CuteSuggestion cuteSuggestionBegin(CuteStringRef word) {
  return (CuteSuggestion){.word = word, .distance = word.length / 3 + 1};
}

void cuteSuggestionOffer(CuteSuggestion *suggestion, CuteStringRef candidate) {
  CuteStringRef word = suggestion->word;
  size_t distance =
      distanceOf(word.data, word.length, candidate.data, candidate.length);
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
