// Which tile each block of many grids takes: as the order is defined, which is
// gone through here step by step, each tile once.
#include "simulate.h"

void mark(int32_t *, int, int, int, int);

static int32_t *marks, *expected; // number of the tile, x + y * rows
static int rows, columns, failures;

static void enumerate(void) {
  int n = 0;
  for (int start = 0; start < rows; start += GROUP)
    for (int y = 0; y < columns; ++y)
      for (int x = start; x < start + GROUP && x < rows; ++x)
        expected[n++] = x + y * rows;
}

static void run(void) {
  int number = sim.block[1] * rows + sim.block[0];
  mark(marks, rows, columns, rows, number + 1);
  failures += marks[expected[number]] != number + 1;
}

int main(void) {
  for (rows = 1; rows < 40; ++rows)
    for (columns = 1; columns < 12; ++columns) {
      size_t n = (size_t)(rows * columns);
      marks = calloc(n, sizeof *marks);
      expected = calloc(n, sizeof *expected);
      enumerate();
      launch(rows, columns, 1, run);
      free(marks);
      free(expected);
    }
  printf("%d failures\n", failures);
  return failures != 0;
}
