// Arrays on the heap that grow as elements are added.
#pragma once

#include <stddef.h>

// The data with room for `count` elements of `size` bytes, which is twice as
// much as before where it grows; ends the program where that is more than a
// size_t counts.
void *cuteArrayReserve(void *data, size_t *capacity, size_t count, size_t size);

// Makes room for `more` elements beside `count`.
#define CUTE_RESERVE(data, count, capacity, more)                              \
  ((data) = cuteArrayReserve((data), &(capacity), (count) + (more),            \
                             sizeof *(data)))

// Adds an element at the end.
#define CUTE_PUSH(data, count, capacity, ...)                                  \
  (CUTE_RESERVE(data, count, capacity, 1), (data)[(count)++] = (__VA_ARGS__))
