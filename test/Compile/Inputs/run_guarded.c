// The kernel of guarded_copies.py with matrices of many sizes.
#include "simulate_mma.h"

void copies(half *, int, int, int64_t, half *, int, int, int64_t);

enum { COLUMNS = 40, PITCH = 48 };
static half a[ROWS * PITCH] __attribute__((aligned(16)));
static half c[ROWS * PITCH] __attribute__((aligned(16)));
static int rows, columns, failures;

static void run(void) {
  copies(a, rows, columns, PITCH, c, ROWS, COLUMNS, PITCH);
}

static void check(void) {
  for (int i = 0; i < ROWS; ++i)
    for (int k = 0; k < COLUMNS; ++k) {
      half wanted = i < rows && k < columns ? a[i * PITCH + k] : (half)0;
      failures += c[i * PITCH + k] != wanted;
    }
}

int main(void) {
  for (int i = 0; i < ROWS * PITCH; ++i)
    a[i] = (half)(i + 1);
  for (rows = 0; rows <= ROWS; ++rows)
    for (columns = 0; columns <= COLUMNS; columns += 8) {
      memset(c, 0xff, sizeof c);
      launch(1, 1, 1, run);
      check();
    }
  printf("%d failures\n", failures);
  return failures != 0;
}
