// What a kernel prints: 8x16 numbers from 0 on, in blocks of 8 threads.
#include "simulate.h"

#include <string.h>

void print_tile(float *, int, int, int64_t);

static float a[8 * 16];

// The arguments lie one behind the other, each at a multiple of its size.
static const char *takeArgument(const char *from, size_t size, void *to) {
  from += (size - (uintptr_t)from % size) % size;
  memcpy(to, from, size);
  return from + size;
}

int32_t sim_vprintf(const char *format, const char *args) {
  for (; *format; ++format) {
    int32_t number;
    int64_t wide;
    double real;
    if (*format != '%')
      putchar(*format);
    else if (*++format == 'd')
      args = takeArgument(args, sizeof number, &number), printf("%d", number);
    else if (*format == 'g')
      args = takeArgument(args, sizeof real, &real), printf("%g", real);
    else if (!strncmp(format, "lld", 3))
      args = takeArgument(args, sizeof wide, &wide), format += 2,
      printf("%lld", (long long)wide);
    else if (!strncmp(format, "llx", 3)) // an address: which element it is
      args = takeArgument(args, sizeof wide, &wide), format += 2,
      printf("%llx", (long long)((float *)(intptr_t)wide - a));
    else
      printf("a conversion that is not known: %s", format), exit(1);
  }
  return 0;
}

static void run(void) { print_tile(a, 8, 16, 16); }

int main(void) {
  for (int i = 0; i < 8 * 16; ++i)
    a[i] = (float)i;
  launch(2, 2, 8, run);
  return 0;
}
