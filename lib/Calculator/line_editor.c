#include "Calculator/line_editor.h"
#include "Support/arena.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool cuteLineEditorIsInteractive(void) { return isatty(STDIN_FILENO); }

static char *readPlainLine(void) {
  char *line = NULL;
  size_t capacity = 0;
  ssize_t n = getline(&line, &capacity, stdin);
  if (n < 0) {
    free(line);
    return NULL;
  }
  if (n && line[n - 1] == '\n')
    line[n - 1] = '\0';
  return line;
}

#ifdef CUTE_HAVE_LIBEDIT

#include <editline/readline.h>

// libedit keeps one editor per process, so this is one per process, too.
static struct {
  CuteCompletion *completion;
  void *userData;
  char *historyFile;
} editor;

static char *copyText(const char *text) {
  char *copy = cuteAllocate(strlen(text) + 1);
  return strcpy(copy, text);
}

// The next name that begins with the text; libedit asks with state 0 first.
static char *nextMatch(const char *text, int state) {
  static size_t next;
  if (!state)
    next = 0;
  const char *name;
  while ((name = editor.completion(editor.userData, next++)))
    if (!strncmp(name, text, strlen(text)))
      return copyText(name);
  return NULL;
}

static char **complete(const char *text, int start, int end) {
  (void)start;
  (void)end;
  rl_attempted_completion_over = 1; // no names of files
  return rl_completion_matches(text, nextMatch);
}

static char *findHistoryFile(void) {
  static const char name[] = "/.cute_layout_history";
  const char *home = getenv("HOME");
  if (!home || !*home)
    return NULL;
  char *path = cuteAllocate(strlen(home) + sizeof name);
  return strcat(strcpy(path, home), name);
}

enum { MAX_HISTORY = 1000 };

void cuteLineEditorOpen(CuteCompletion *completion, void *userData) {
  if (!cuteLineEditorIsInteractive())
    return;
  editor.completion = completion;
  editor.userData = userData;
  editor.historyFile = findHistoryFile();
  rl_readline_name = "cute-layout";
  rl_initialize();
  rl_completer_word_break_characters = " \t(),:;=";
  rl_attempted_completion_function = complete;
  stifle_history(MAX_HISTORY);
  if (editor.historyFile)
    read_history(editor.historyFile);
}

char *cuteLineEditorRead(const char *prompt) {
  if (!cuteLineEditorIsInteractive())
    return readPlainLine();
  char *line = readline(prompt);
  if (line && line[strspn(line, " \t")])
    add_history(line);
  return line;
}

void cuteLineEditorClose(void) {
  if (editor.historyFile)
    write_history(editor.historyFile);
  free(editor.historyFile);
  editor.historyFile = NULL;
}

#else

void cuteLineEditorOpen(CuteCompletion *completion, void *userData) {
  (void)completion;
  (void)userData;
}

char *cuteLineEditorRead(const char *prompt) {
  if (cuteLineEditorIsInteractive()) {
    fputs(prompt, stdout);
    fflush(stdout);
  }
  return readPlainLine();
}

void cuteLineEditorClose(void) {}

#endif
