// Measures how much one word differs from another, for suggestions in messages.
#pragma once

#include <stddef.h>

// Longer words are as far from all others.
enum { CUTE_MAX_EDIT_DISTANCE = 80 };

// Counts the characters that must be inserted, left out or replaced to make b
// of a.
size_t cuteEditDistance(const char *a, size_t aLength, const char *b,
                        size_t bLength);
