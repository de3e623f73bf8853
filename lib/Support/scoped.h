// Variables that are destroyed where their block ends, however it is left.
#pragma once

#include <stdlib.h>

// Begins the declaration of one, which has to be initialized:
// CUTE_SCOPED(String) text = {0}; is a CuteString that cuteStringDestroy gets.
#define CUTE_SCOPED(type)                                                      \
  __attribute__((cleanup(cute##type##Destroy), unused)) Cute##type

// Begins the declaration of a pointer whose memory is freed; it may be null.
#define CUTE_FREED __attribute__((cleanup(cuteScopedFree)))

// Begins the declaration of a parameter that a function has for its callers
// alone.
#define CUTE_UNUSED __attribute__((unused))

static inline void cuteScopedFree(void *pointer) { free(*(void **)pointer); }
