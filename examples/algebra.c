// The layout algebra alone, as a C library without a compiler: how 32 threads
// read a tile of 16 x 8 numbers.
//
//   cc examples/algebra.c $(pkg-config --cflags --libs cute-algebra)
#include "cute/Layout.h"

#include <stdio.h>

// The library gives text in pieces.
static void print(CuteStringRef piece, void *file) {
  fwrite(piece.data, 1, piece.length, file);
}

int main(void) {
  // A context owns all values; nothing else needs to be freed.
  CuteContext c = cuteContextCreate();

  // A column-major tile, and four blocks of it, each for 8 x 4 threads.
  CuteLayout tile = cuteLayoutParse(c, cuteStringRef("(16,8):(1,16)"));
  CuteTile block = cuteTileParse(c, cuteStringRef("[8:1;4:1]"));
  CuteLayout divided = cuteLayoutZippedDivide(c, tile, block);

  // A failed call gives null and leaves a message, and null arguments pass
  // through: one check at the end of a chain is enough.
  if (!divided)
    return fprintf(stderr, "%s\n", cuteContextGetError(c)), 1;
  cuteLayoutPrint(divided, print, stdout); // ((threads), (blocks))

  // Thread 9 in block 2: a coordinate is a tuple like any other.
  CuteIntTuple coord =
      cuteIntTupleParse(c, cuteStringRef("(9,2)"), CUTE_SYNTAX_COORD);
  CuteIntTuple index = cuteLayoutEval(c, divided, coord);
  printf("\nthread 9 of block 2 reads index %lld\n",
         (long long)cuteIntTupleGetValue(index));
  cuteContextDestroy(c);
}
