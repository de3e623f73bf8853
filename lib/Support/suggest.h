// "did you mean": the nearest of some words.
#pragma once

#include "cute/Support.h"

typedef struct CuteSuggestion {
  CuteStringRef word; // what was written
  CuteStringRef best; // the nearest word offered; empty if none is near
  size_t distance;    // of it
} CuteSuggestion;

// Begins a search for a word like this one.
CuteSuggestion cuteSuggestionBegin(CuteStringRef word);

// Takes the candidate, which must outlive the search, if it is nearer than
// those before, and near enough for a slip.
void cuteSuggestionOffer(CuteSuggestion *suggestion, CuteStringRef candidate);

// Gives the name in an argument: --name=value, -name.
CuteStringRef cuteSuggestionNameOf(const char *argument);
