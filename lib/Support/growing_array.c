#include "Support/growing_array.h"

#include "Support/arena.h"

enum { FIRST_CAPACITY = 16 };

void *cuteArrayReserve(void *data, size_t *capacity, size_t count,
                       size_t size) {
  if (count <= *capacity)
    return data;
  size_t room = *capacity ? *capacity : FIRST_CAPACITY, bytes;
  while (room < count && room <= SIZE_MAX / 2)
    room *= 2;
  if (room < count || __builtin_mul_overflow(room, size, &bytes))
    bytes = SIZE_MAX; // which nobody has
  *capacity = room;
  return cuteReallocate(data, bytes);
}
