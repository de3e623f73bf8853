// Whether simulate_races.h sees which kernels of races.mlir have races.
#include "simulate_mma.h"

void good(int *, int *, int);
void early(int *, int *, int);
void copied(int *, int *, int);

static int a[32], b[32];

static void runGood(void) { good(a, b, 3); }
static void runEarly(void) { early(a, b, 3); }
static void runCopied(void) { copied(a, b, 1); }

static void check(const char *name, void (*body)(void)) {
  races = 0;
  launch(2, 1, 32, body);
  printf("%s: %s\n", name, races ? "races" : "no races");
}

int main(void) {
  check("good", runGood);
  check("early", runEarly);
  check("copied", runCopied);
  return 0;
}
