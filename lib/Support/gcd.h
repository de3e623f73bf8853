#pragma once

#include <stdint.h>

// The greatest common divisor; a for b = 0. Its sign is some operand's.
static inline int64_t cuteGcd(int64_t a, int64_t b) {
  while (b) {
    int64_t rest = b == -1 ? 0 : a % b; // INT64_MIN % -1 is undefined
    a = b;
    b = rest;
  }
  return a;
}
