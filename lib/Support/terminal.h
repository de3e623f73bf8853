// Questions about terminals.
#pragma once

#include <stdbool.h>
#include <stdio.h>

// Tells whether a file is a terminal that shows colours: not where NO_COLOR is
// set (no-color.org) or TERM is "dumb".
bool cuteTerminalHasColors(FILE *file);

// Text that begins and ends a word such as "error" or "warning" in its colour;
// empty where the file shows none.
const char *cuteTerminalBegin(FILE *file, const char *word);
const char *cuteTerminalEnd(FILE *file);
