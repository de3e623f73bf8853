#include "Support/terminal.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool cuteTerminalHasColors(FILE *file) {
  const char *no = getenv("NO_COLOR"), *term = getenv("TERM");
  return isatty(fileno(file)) && !(no && *no) && term && strcmp(term, "dumb");
}
