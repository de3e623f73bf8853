// Completion of command lines: scripts for shells, which ask the tool.
#include "Support/command_line.h"
#include "Support/text.h"

//===-- Scripts -----------------------------------------------------------===//

// The scripts hand over the words up to the cursor, and read the lines that
// cuteOptionsComplete writes: option_bash.txt, ...
extern const char cuteOptionBash[], cuteOptionZsh[], cuteOptionFish[];

bool cuteOptionWriteCompletions(const CuteTool *tool, const char *shell,
                                CuteString *text) {
  static const char *const scripts[][2] = {{"bash", cuteOptionBash},
                                           {"zsh", cuteOptionZsh},
                                           {"fish", cuteOptionFish}};
  const char *at = NULL;
  for (size_t i = 0; i < sizeof scripts / sizeof *scripts; ++i)
    if (!strcmp(shell, scripts[i][0]))
      at = scripts[i][1];
  if (!at)
    return false;
  for (const char *name; (name = strstr(at, "TOOL")); at = name + 4) {
    cuteStringAppendBytes(text, at, (size_t)(name - at));
    cuteStringAppend(text, tool->name);
  }
  cuteStringAppend(text, at);
  return true;
}

//===-- Words -------------------------------------------------------------===//

// Says which word of a command line is completed.
typedef struct Completion {
  const char *command; // of the tool, or null
  const char *before;  // the option whose value it is; "": none
  bool hasEquals;      // between them
  const char *word;    // as far as it is written
  CuteString *text;
} Completion;

// Adds a line if it begins with the word: START NAME, and after a tab what the
// help says first.
static void offer(const Completion *c, CuteStringRef start, CuteStringRef name,
                  const char *help) {
  size_t begin = c->text->length, n = 0;
  cuteStringAppendPiece(start, c->text);
  cuteStringAppendPiece(name, c->text);
  if (strncmp(c->text->data + begin, c->word, strlen(c->word)) != 0) {
    c->text->data[c->text->length = begin] = '\0';
    return;
  }
  while (help[n] && (!strchr(";.", help[n]) || (help[n + 1] > ' ')) &&
         strncmp(help + n, " (", 2) != 0)
    ++n;
  cuteStringAppendFormat(c->text, n ? "\t%.*s\n" : "\n", (int)n, help);
}

static void offerWords(const Completion *c, CuteStringRef start,
                       const CuteOption *row) {
  CuteStringRef word;
  for (size_t i = 0; (word = cuteOptionGetWord(row, i)).length; ++i)
    offer(c, start, word, "");
}

static bool isNamed(const CuteOption *row, CuteStringRef word) {
  const char *names = row->names;
  CuteStringRef name;
  while (cuteOptionNextName(&names, &name))
    if (cuteTextIsSame(name, word))
      return true;
  return false;
}

static void offerNames(const Completion *c, const CuteOption *row) {
  const char *names = row->names;
  CuteStringRef name;
  while (cuteOptionNextName(&names, &name))
    offer(c, cuteStringRef(""), name, row->help);
  if (row->kind == CUTE_OPTION_LETTER)
    offerWords(c, cuteStringRef(row->names), row);
}

// Offers the values of an option if they are due, or else its names.
static void offerOption(const Completion *c, const CuteOption *row) {
  size_t n = strcspn(c->word, "=");
  bool isDue = c->hasEquals || cuteOptionNeedsValue(row);
  if (isDue && isNamed(row, cuteStringRef(c->before)))
    offerWords(c, cuteStringRef(""), row);
  else if (c->word[n] && isNamed(row, (CuteStringRef){c->word, n}))
    offerWords(c, (CuteStringRef){c->word, n + 1}, row);
  else if (*c->word == '-')
    offerNames(c, row);
}

static bool isCommand(const CuteOption *row) {
  return row->kind == CUTE_OPTION_TEXT && row->names[0] >= 'a' &&
         row->names[0] <= 'z';
}

// Takes the last words of a command line; bash makes three of --name=VALUE.
static void takeWords(Completion *c, int n, char **words) {
  c->word = n ? words[n - 1] : "";
  c->hasEquals = !strcmp(c->word, "=");
  if (c->hasEquals)
    c->word = "";
  else if (n > 1 && !strcmp(words[n - 2], "="))
    c->hasEquals = true, --n;
  c->before = n > 1 ? words[n - 2] : "";
}

static void offerArguments(const Completion *c, const CuteTool *tool) {
  const char *word;
  bool isArgument = c->command && *c->word != '-' && !c->hasEquals &&
                    !cuteOptionsTakeNext(tool, c->command, c->before);
  for (size_t i = 0; isArgument && (word = tool->getArgument(c->command, i));
       ++i)
    if (*word)
      offer(c, cuteStringRef(""), cuteStringRef(word), "");
}

void cuteOptionsComplete(const CuteTool *tool, int n, char **words,
                         CuteString *text) {
  Completion c = {.text = text};
  CuteOption row;
  takeWords(&c, n, words);
  for (size_t s = 0; s < CUTE_TOOL_SECTIONS && tool->sections[s].title; ++s) {
    const CuteOptionSection *section = &tool->sections[s];
    bool isOf = section->command
                    ? c.command && !strcmp(section->command, c.command)
                    : !c.command;
    for (size_t i = 0; cuteOptionGet(section, i, &row); ++i)
      if (isCommand(&row) && n > 1 && !strcmp(row.names, words[0]))
        c.command = row.names;
      else if (isCommand(&row) && n == 1)
        offer(&c, cuteStringRef(""), cuteStringRef(row.names), row.help);
      else if (isOf && row.kind != CUTE_OPTION_TEXT && row.help &&
               *row.names == '-')
        offerOption(&c, &row);
  }
  if (tool->getArgument)
    offerArguments(&c, tool);
}
