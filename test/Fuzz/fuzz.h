// A fuzz target is a function of bytes that must return. It is linked with
// libFuzzer (./dev fuzz) or with replay.c, which runs the corpus.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// A property of the input does not hold.
#define CHECK(property)                                                        \
  do {                                                                         \
    if (!(property)) {                                                         \
      fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #property);   \
      abort();                                                                 \
    }                                                                          \
  } while (0)
