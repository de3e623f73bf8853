#include "Support/command_line.h"
#include "Support/say_error.h"
#include "Support/text.h"

#include <errno.h>

//===-- Rows --------------------------------------------------------------===//

// The last rows of OPTIONS, which `answer` takes.
static const CuteOption common[] = {
    {"-h, --help", .help = "print this"},
    {"--version", .help = "print the version"},
    {"--completions", .kind = CUTE_OPTION_VALUE, .value = "SHELL",
     .words = "bash zsh fish",
     .help = "print a script that completes options in bash, zsh or fish"},
    {"--manual", .help = "print the manual page, for man"},
};

bool cuteOptionGet(const CuteOptionSection *section, size_t i,
                   CuteOption *row) {
  if (section->get)
    return section->get(i, row);
  bool hasCommon = !strcmp(section->title, "OPTIONS");
  size_t n = section->numRows + hasCommon * (sizeof common / sizeof *common);
  if (i < n)
    *row =
        i < section->numRows ? section->rows[i] : common[i - section->numRows];
  return i < n;
}

bool cuteOptionNextName(const char **names, CuteStringRef *name) {
  if (!*names || !**names)
    return false;
  const char *at = *names + strspn(*names, " ,");
  *name = (CuteStringRef){at, strcspn(at, ",")};
  *names = at + name->length;
  return name->length;
}

CuteStringRef cuteOptionGetWord(const CuteOption *option, size_t i) {
  if (option->word) {
    const char *word = option->word(i);
    return cuteStringRef(word ? word : "");
  }
  const char *at = option->words ? option->words : "";
  for (; i && *at; --i) {
    at += strcspn(at, " ");
    at += strspn(at, " ");
  }
  return (CuteStringRef){at, strcspn(at, " ")};
}

// Without its dashes.
static CuteStringRef bare(CuteStringRef name) {
  size_t dashes = 0;
  while (dashes < name.length && name.data[dashes] == '-')
    ++dashes;
  return (CuteStringRef){name.data + dashes, name.length - dashes};
}

static bool isNamed(const char *names, CuteStringRef word) {
  CuteStringRef name;
  while (cuteOptionNextName(&names, &name)) {
    name = bare(name);
    if (cuteTextIsSame(name, word))
      return true;
  }
  return false;
}

static bool hasLetter(const CuteOption *row, const char *argument) {
  return row->kind == CUTE_OPTION_LETTER && argument[1] == row->names[1] &&
         argument[1] != '-';
}

static bool isOf(const CuteOptionSection *section, const char *command) {
  return section->command ? command && !strcmp(section->command, command)
                          : !command;
}

// Finds the row of an argument such as --name=VALUE; null if there is none.
static const CuteOption *find(const CuteTool *tool, const char *command,
                              const char *argument) {
  CuteStringRef word = cuteSuggestionNameOf(argument);
  for (size_t s = 0; s < CUTE_TOOL_SECTIONS; ++s) {
    const CuteOptionSection *section = &tool->sections[s];
    for (size_t i = 0; isOf(section, command) && i < section->numRows; ++i) {
      const CuteOption *row = &section->rows[i];
      if (row->kind != CUTE_OPTION_TEXT &&
          (isNamed(row->names, word) || isNamed(row->more, word) ||
           hasLetter(row, argument)))
        return row;
    }
  }
  return NULL;
}

//===-- Values ------------------------------------------------------------===//

static CuteStatus takeBool(const char *argument, const char *value,
                           bool *flag) {
  static const char *const words[][5] = {
      {"0", "false", "False", "FALSE"},
      {"1", "true", "True", "TRUE", ""},
  };
  for (int truth = 0; truth < 2; ++truth)
    for (int i = 0; i < 5 && words[truth][i]; ++i)
      if (!strcmp(value, words[truth][i])) {
        *flag = truth != 0;
        return NULL;
      }
  return cuteStatusCreate("'--%s': expected true or false",
                          cuteSuggestionNameOf(argument).data);
}

bool cuteOptionNeedsValue(const CuteOption *option) {
  return option->kind == CUTE_OPTION_VALUE ||
         option->kind == CUTE_OPTION_LETTER ||
         option->kind == CUTE_OPTION_NUMBER;
}

static CuteStatus takeNumber(const CuteOption *row, const char *value,
                             int64_t *number) {
  char *end;
  errno = 0;
  *number = strtoll(value, &end, 10);
  if (strchr("0123456789", *value) && !*end && !errno &&
      *number >= row->least && (!row->most || *number <= row->most))
    return NULL;
  if (!row->most)
    return cuteStatusCreate("%s needs a number >= %jd, not '%s'", row->names,
                            row->least, value);
  return cuteStatusCreate("%s needs a number from %jd to %jd, not '%s'",
                          row->names, row->least, row->most, value);
}

static CuteStatus takeValue(const CuteOption *row, void *options,
                            const char *argument, const char *value) {
  void *place = (char *)options + row->offset;
  if (row->take)
    return row->take(options, value);
  if (row->kind == CUTE_OPTION_BOOL)
    return takeBool(argument, value, place);
  if (row->kind == CUTE_OPTION_NUMBER)
    return takeNumber(row, value, place);
  if (row->kind == CUTE_OPTION_FLAG)
    *(bool *)place = true;
  else
    memcpy(place, &value, sizeof value);
  return NULL;
}

// Finds the value of an option: after "=", behind a letter, or the next
// argument.
static const char *valueOf(const CuteOption *row, int argc, char **argv,
                           int *i) {
  const char *argument = argv[*i], *equals = strchr(argument, '=');
  CuteStringRef name = cuteSuggestionNameOf(argument);
  if (hasLetter(row, argument) && name.length > 1)
    return argument + 2;
  if (equals)
    return equals + 1;
  return cuteOptionNeedsValue(row) && *i + 1 < argc ? argv[++*i] : "";
}

// Spells the name in an argument as --help does.
static CuteStringRef spelled(const CuteOption *row, const char *argument) {
  CuteStringRef word = cuteSuggestionNameOf(argument), name = {0};
  const char *lists[] = {row->names, row->more};
  for (size_t i = 0; i < 2; ++i)
    for (const char *at = lists[i]; cuteOptionNextName(&at, &name);)
      if (cuteTextIsSame(bare(name), word))
        return name;
  return cuteStringRef(argument);
}

static CuteStatus takeRow(const CuteOption *row, void *options, int argc,
                          char **argv, int *i, int *code) {
  const char *argument = argv[*i];
  const char *value = valueOf(row, argc, argv, i);
  CuteStringRef name = spelled(row, argument);
  if (row->kind == CUTE_OPTION_FLAG && strchr(argument, '='))
    return cuteStatusCreate("'%s': the option takes no value", argument);
  if (cuteOptionNeedsValue(row) && !*value)
    return cuteStatusCreate("%.*s needs %s", CUTE_TEXT(name),
                            row->needs ? row->needs : "a value");
  if (!row->answer)
    return takeValue(row, options, argument, value);
  *code = row->answer(value);
  return NULL;
}

//===-- Questions that all tools answer -----------------------------------===//

static CuteStatus print(CuteString *text, int *code) {
  fputs(cuteStringGet(text), stdout);
  cuteStringDestroy(text);
  *code = 0;
  return NULL;
}

static CuteStatus answer(const CuteTool *tool, const char *argument,
                         bool *isTaken, int *code) {
  CuteStringRef name = cuteSuggestionNameOf(argument);
  const char *value = name.data[name.length] ? name.data + name.length + 1 : "";
  CuteString text = {0};
  *isTaken = true;
  if (isNamed("h, help, version, manual", name) && *value)
    return cuteStatusCreate("'%s': the option takes no value", argument);
  if (isNamed("h, help", name)) {
    cuteOptionWriteHelp(tool, &text);
    return print(&text, code);
  }
  if (isNamed("version", name)) {
    cuteStringAppendFormat(&text, "%s %s\n", tool->name, tool->version);
    return print(&text, code);
  }
  if (isNamed("manual", name)) {
    cuteOptionWriteManual(tool, &text);
    return print(&text, code);
  }
  if (isNamed("completions", name))
    return cuteOptionWriteCompletions(tool, value, &text)
               ? print(&text, code)
               : cuteStatusCreate("write --completions=bash, zsh or fish");
  *isTaken = false;
  return NULL;
}

//===-- Command lines -----------------------------------------------------===//

static void offerRows(CuteSuggestion *suggestion, const CuteTool *tool,
                      const char *command) {
  CuteStringRef name;
  for (size_t s = 0; s < CUTE_TOOL_SECTIONS; ++s) {
    const CuteOptionSection *section = &tool->sections[s];
    for (size_t i = 0; isOf(section, command) && i < section->numRows; ++i) {
      const char *names = section->rows[i].names;
      bool isOption = *names == '-';
      while (isOption && cuteOptionNextName(&names, &name))
        if (bare(name).length > 1)
          cuteSuggestionOffer(suggestion, bare(name));
    }
  }
  for (size_t i = 0; i < sizeof common / sizeof *common; ++i)
    cuteSuggestionOffer(suggestion,
                        bare(cuteStringRef(common[i].names + 4 * !i)));
}

static CuteStatus fail(const CuteTool *tool, const char *command,
                       const char *argument) {
  CuteSuggestion suggestion =
      cuteSuggestionBegin(cuteSuggestionNameOf(argument));
  if (!command && tool->offer)
    tool->offer(&suggestion);
  offerRows(&suggestion, tool, command);
  if (!suggestion.best.length)
    return cuteStatusCreate("unknown option '%s'; see --help", argument);
  return cuteStatusCreate("unknown option '%s'; did you mean '--%.*s'? See "
                          "--help",
                          argument, CUTE_TEXT(suggestion.best));
}

// Numbers may begin with a dash, and a dash alone is a file.
static bool isOption(const char *argument) {
  return argument[0] == '-' && argument[1] &&
         !strchr(".0123456789", argument[1]);
}

static CuteStatus takeArgument(const CuteTool *tool, void *options, int argc,
                               char **argv, int *i, int *code) {
  const char *argument = argv[*i];
  bool isTaken = false;
  if (!isOption(argument))
    return tool->takeInput(options, argument);
  // A longer name that no row has comes before a letter with its value.
  const CuteOption *row = find(tool, NULL, argument);
  if (row)
    return takeRow(row, options, argc, argv, i, code);
  CUTE_TRY(answer(tool, argument, &isTaken, code));
  if (!isTaken && tool->takeOther)
    CUTE_TRY(tool->takeOther(options, argument, &isTaken));
  return isTaken ? NULL : fail(tool, NULL, argument);
}

CuteStatus cuteOptionsTake(const CuteTool *tool, void *options, int argc,
                           char **argv, int *code) {
  int i = 1;
  *code = -1;
  if (argc > 2 && !strcmp(argv[1], "--completions=words")) {
    CuteString text = {0};
    cuteOptionsComplete(tool, argc - 3, argv + 3, &text);
    return print(&text, code);
  }
  for (; i < argc && *code < 0 && strcmp(argv[i], "--"); ++i)
    CUTE_TRY(takeArgument(tool, options, argc, argv, &i, code));
  for (++i; i < argc && *code < 0; ++i)
    CUTE_TRY(tool->takeInput(options, argv[i]));
  return NULL;
}

CuteStatus cuteOptionsTakeCommand(const CuteTool *tool, void *options,
                                  CuteStatus (*takeInput)(void *options,
                                                          const char *argument),
                                  int argc, char **argv) {
  int i = 1, code = -1;
  for (; i < argc && strcmp(argv[i], "--"); ++i) {
    const CuteOption *row =
        isOption(argv[i]) ? find(tool, argv[0], argv[i]) : NULL;
    if (row)
      CUTE_TRY(takeRow(row, options, argc, argv, &i, &code));
    else if (isOption(argv[i]))
      return fail(tool, argv[0], argv[i]);
    else
      CUTE_TRY(takeInput(options, argv[i]));
  }
  for (++i; i < argc; ++i)
    CUTE_TRY(takeInput(options, argv[i]));
  return NULL;
}

bool cuteOptionsTakeNext(const CuteTool *tool, const char *command,
                         const char *argument) {
  const CuteOption *row =
      isOption(argument) ? find(tool, command, argument) : NULL;
  return row && cuteOptionNeedsValue(row) && !strchr(argument, '=');
}

bool cuteCommandSucceeds(CuteStatus status) {
  if (status)
    cuteSayError("%s", cuteStatusGetMessage(status));
  return cuteStatusConsume(status);
}
