// Questions about terminals.
#ifndef CUTE_SUPPORT_TERMINAL_H
#define CUTE_SUPPORT_TERMINAL_H

#include <stdbool.h>
#include <stdio.h>

// Tells whether a file is a terminal that shows colours: not where NO_COLOR is
// set (no-color.org) or TERM is "dumb".
bool cuteTerminalHasColors(FILE *file);

#endif
