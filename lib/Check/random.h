// Random numbers: equal seeds, equal numbers everywhere.
#pragma once

#include <stdint.h>

typedef struct CuteRandom {
  uint64_t state;
} CuteRandom;

// splitmix64 (Steele, Lea, Flood 2014).
static inline uint64_t cuteRandomNext(CuteRandom *random) {
  uint64_t z = random->state += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}

// Draws from [0, 1) a multiple of 2^-53.
static inline double cuteRandomUniform(CuteRandom *random) {
  return (double)(cuteRandomNext(random) >> 11) * 0x1p-53;
}

// Draws from the normal distribution with mean 0 and variance 1. Thread-safe.
double cuteRandomNormal(CuteRandom *random);
