#include "Support/terminal.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct {
  const char *word, *color;
} colors[] = {{"error", "\x1b[1;31m"},
              {"warning", "\x1b[1;35m"},
              {"remark", "\x1b[1;34m"},
              {"note", "\x1b[1;36m"}};

const char *cuteTerminalBegin(FILE *file, const char *word) {
  for (size_t i = 0; i < sizeof colors / sizeof *colors; ++i)
    if (!strcmp(colors[i].word, word) && cuteTerminalHasColors(file))
      return colors[i].color;
  return "";
}

const char *cuteTerminalEnd(FILE *file) {
  return cuteTerminalHasColors(file) ? "\x1b[0m" : "";
}

bool cuteTerminalHasColors(FILE *file) {
  const char *no = getenv("NO_COLOR"), *term = getenv("TERM");
  return isatty(fileno(file)) && !(no && *no) && term && strcmp(term, "dumb");
}
