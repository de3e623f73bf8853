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

// Offers the names of options, without their dashes, that a help text lists:
// each
// "--name" after a space.
void cuteSuggestionOfferOptions(CuteSuggestion *suggestion, const char *help);

// Prints "error: unknown option 'argument'; ..." to standard error, with the
// nearest other option of the help text; false. `suggestion` has been offered
// others, or is null.
bool cuteSuggestionFailOption(CuteSuggestion *suggestion, const char *argument,
                              const char *help);

// Gives the name in an argument: --name=value, -name.
CuteStringRef cuteSuggestionNameOf(const char *argument);
