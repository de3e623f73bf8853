// Lines from a person: with editing, history and completion where stdin is a
// terminal and the library was built with libedit; plain lines otherwise.
#pragma once

#include <stdbool.h>
#include <stddef.h>

// The i-th name that a line may contain, null past the last.
typedef const char *CuteCompletion(void *userData, size_t i);

// Before the first line: reads the history and installs the completion.
void cuteLineEditorOpen(CuteCompletion *completion, void *userData);

// The next line without its end, to be freed; null at the end of the input. The
// prompt is shown on a terminal only.
char *cuteLineEditorRead(const char *prompt);

// Writes the history.
void cuteLineEditorClose(void);

bool cuteLineEditorIsInteractive(void);
