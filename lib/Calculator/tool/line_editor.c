#include "Calculator/tool/line_editor.h"
#include "Support/arena.h"

#include <signal.h>
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

//===-- Ctrl-C ------------------------------------------------------------===//

static volatile sig_atomic_t isInterrupted;

static void interrupt(CUTE_UNUSED int number) { isInterrupted = 1; }

// Reads a line, while Ctrl-C drops what was typed, and a new line begins.
static char *readUninterrupted(const char *prompt,
                               char *(*read)(const char *prompt)) {
  struct sigaction action = {.sa_handler = interrupt}, before;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, &before);
  char *line;
  do {
    isInterrupted = 0;
    line = read(prompt);
    if (!line && isInterrupted) {
      clearerr(stdin);
      putchar('\n');
    }
  } while (!line && isInterrupted);
  sigaction(SIGINT, &before, NULL);
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

static char **complete(const char *text, CUTE_UNUSED int start,
                       CUTE_UNUSED int end) {
  rl_attempted_completion_over = 1; // no names of files
  if (!*text)
    return NULL; // all names there are
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

// The history is written with each line, however the session ends.
char *cuteLineEditorRead(const char *prompt) {
  if (!cuteLineEditorIsInteractive())
    return readPlainLine();
  char *line = readUninterrupted(prompt, readline);
  if (line && line[strspn(line, " \t")]) {
    add_history(line);
    if (editor.historyFile)
      write_history(editor.historyFile);
  }
  return line;
}

void cuteLineEditorClose(void) {
  free(editor.historyFile);
  editor.historyFile = NULL;
}

#else

void cuteLineEditorOpen(CUTE_UNUSED CuteCompletion *completion,
                        CUTE_UNUSED void *userData) {}

static char *readPrompted(const char *prompt) {
  fputs(prompt, stdout);
  fflush(stdout);
  return readPlainLine();
}

char *cuteLineEditorRead(const char *prompt) {
  return cuteLineEditorIsInteractive() ? readUninterrupted(prompt, readPrompted)
                                       : readPlainLine();
}

void cuteLineEditorClose(void) {}

#endif
