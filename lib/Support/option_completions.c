// Scripts that complete command lines in bash, zsh and fish.
#include "Support/command_line.h"

#include <string.h>

// The options of the tool or of a command of it, and whether there are any.
typedef struct Part {
  const CuteTool *tool;
  const char *command; // null: of the tool
} Part;

// Calls a function with each option of a part: rows of help that begin with a
// dash.
static void eachOption(Part part,
                       void (*visit)(const CuteOption *row, Part part,
                                     CuteString *text),
                       CuteString *text) {
  CuteOption row;
  for (size_t s = 0; s < CUTE_TOOL_SECTIONS && part.tool->sections[s].title;
       ++s) {
    const CuteOptionSection *section = &part.tool->sections[s];
    bool isOf = part.command ? section->command &&
                                   !strcmp(section->command, part.command)
                             : !section->command;
    for (size_t i = 0; isOf && cuteOptionGet(section, i, &row); ++i)
      if (row.kind != CUTE_OPTION_TEXT && row.help && *row.names == '-')
        visit(&row, part, text);
  }
}

// Tells whether the row is one of a command, such as "eval".
static bool isCommand(const CuteOption *row) {
  return row->kind == CUTE_OPTION_TEXT && row->names[0] >= 'a' &&
         row->names[0] <= 'z';
}

// Calls a function with each command.
static void eachCommand(const CuteTool *tool,
                        void (*visit)(const CuteOption *row, Part part,
                                      CuteString *text),
                        CuteString *text) {
  CuteOption row;
  for (size_t s = 0; s < CUTE_TOOL_SECTIONS && tool->sections[s].title; ++s)
    for (size_t i = 0; cuteOptionGet(&tool->sections[s], i, &row); ++i)
      if (isCommand(&row))
        visit(&row, (Part){tool, row.names}, text);
}

static bool hasCommands(const CuteTool *tool) {
  CuteOption row;
  bool has = false;
  for (size_t s = 0; s < CUTE_TOOL_SECTIONS && tool->sections[s].title; ++s)
    for (size_t i = 0; cuteOptionGet(&tool->sections[s], i, &row); ++i)
      has |= isCommand(&row);
  return has;
}

static void appendWords(CuteString *text, const CuteOption *row) {
  CuteStringRef word;
  for (size_t i = 0; (word = cuteOptionGetWord(row, i)).length; ++i) {
    if (i)
      cuteStringAppendChar(text, ' ');
    cuteStringAppendBytes(text, word.data, word.length);
  }
}

static bool hasWords(const CuteOption *row) {
  return cuteOptionGetWord(row, 0).length;
}

static bool needsValue(const CuteOption *row) {
  return row->kind == CUTE_OPTION_VALUE || row->kind == CUTE_OPTION_LETTER;
}

// Appends what a row's help says first, within single quotes, the characters
// that the shell needs escaped after a backslash.
static void appendSummary(CuteString *text, const CuteOption *row,
                          const char *escaped) {
  for (const char *c = row->help; *c; ++c) {
    bool ends = (strchr(";.", *c) && (c[1] == ' ' || !c[1])) ||
                (*c == ' ' && c[1] == '(');
    if (ends)
      return;
    if (*c == '\'')
      cuteStringAppend(text, strchr(escaped, '\'') ? "\\'" : "'\\''");
    else if (strchr(escaped, *c))
      cuteStringAppendFormat(text, "\\%c", *c);
    else
      cuteStringAppendChar(text, *c);
  }
}

//===-- bash --------------------------------------------------------------===//

static void appendBashNames(const CuteOption *row, Part part,
                            CuteString *text) {
  (void)part;
  const char *names = row->names;
  CuteStringRef name, word;
  while (cuteOptionNextName(&names, &name))
    cuteStringAppendFormat(text, " %.*s", (int)name.length, name.data);
  bool isJoined = row->kind == CUTE_OPTION_LETTER;
  for (size_t i = 0; isJoined && (word = cuteOptionGetWord(row, i)).length; ++i)
    cuteStringAppendFormat(text, " %s%.*s", row->names, (int)word.length,
                           word.data);
}

static void appendBashValues(const CuteOption *row, Part part,
                             CuteString *text) {
  (void)part;
  const char *names = row->names;
  CuteStringRef name;
  if (!hasWords(row))
    return;
  cuteStringAppend(text, "  ");
  for (size_t i = 0; cuteOptionNextName(&names, &name); ++i)
    cuteStringAppendFormat(text, "%s%.*s", i ? "|" : "", (int)name.length,
                           name.data);
  cuteStringAppend(text, ") words='");
  appendWords(text, row);
  cuteStringAppend(text, "' ;;\n");
}

static void appendBashCommand(const CuteOption *row, Part part,
                              CuteString *text) {
  cuteStringAppendFormat(text, "  %s) options='", row->names);
  eachOption(part, appendBashNames, text);
  cuteStringAppend(text, "' ;;\n");
}

static void appendBashCommandValues(const CuteOption *row, Part part,
                                    CuteString *text) {
  (void)row;
  eachOption(part, appendBashValues, text);
}

static void appendCommandName(const CuteOption *row, Part part,
                              CuteString *text) {
  (void)part;
  cuteStringAppendFormat(text, " %s", row->names);
}

// The words are values of the option before, after "=" or a space, or else the
// names of options.
static void writeBash(const CuteTool *tool, CuteString *text) {
  Part part = {tool, NULL};
  cuteStringAppendFormat(text,
                         "_%s() {\n"
                         "  local word=${COMP_WORDS[COMP_CWORD]} "
                         "name=${COMP_WORDS[COMP_CWORD-1]}\n"
                         "  local words= options='",
                         tool->name);
  eachOption(part, appendBashNames, text);
  cuteStringAppend(text, "'\n"
                         "  COMPREPLY=()\n"
                         "  if [ \"$word\" = = ]; then word=\n"
                         "  elif [ \"$name\" = = ]; then "
                         "name=${COMP_WORDS[COMP_CWORD-2]}\n"
                         "  fi\n");
  if (hasCommands(tool)) {
    cuteStringAppend(text, "  case ${COMP_WORDS[1]} in\n");
    eachCommand(tool, appendBashCommand, text);
    cuteStringAppend(text, "  *) [ \"$COMP_CWORD\" != 1 ] || words='");
    eachCommand(tool, appendCommandName, text);
    cuteStringAppend(text, "' ;;\n  esac\n");
  }
  cuteStringAppend(text, "  case $name in\n");
  eachOption(part, appendBashValues, text);
  eachCommand(tool, appendBashCommandValues, text);
  cuteStringAppendFormat(text,
                         "  esac\n"
                         "  case $word in -*) words=$options ;; esac\n"
                         "  COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
                         "}\n"
                         "complete -o default -F _%s %s\n",
                         tool->name, tool->name);
}

//===-- zsh ---------------------------------------------------------------===//

static void appendZshOption(const CuteOption *row, Part part,
                            CuteString *text) {
  (void)part;
  const char *names = row->names;
  CuteStringRef name;
  while (cuteOptionNextName(&names, &name)) {
    bool isLong = name.data[1] == '-';
    cuteStringAppendFormat(text, "    '%.*s%s[", (int)name.length, name.data,
                           !row->value                         ? ""
                           : row->kind == CUTE_OPTION_OPTIONAL ? "=-"
                           : row->kind == CUTE_OPTION_LETTER   ? "+"
                           : isLong                            ? "="
                                                               : "");
    appendSummary(text, row, "\\[]:");
    cuteStringAppend(text, "]");
    if (row->value) {
      cuteStringAppend(text, row->kind == CUTE_OPTION_OPTIONAL ? "::value:"
                                                               : ":value:");
      cuteStringAppend(text, hasWords(row) ? "(" : "_files");
      appendWords(text, row);
      cuteStringAppend(text, hasWords(row) ? ")" : "");
    }
    cuteStringAppend(text, "' \\\n");
  }
}

static void appendZshCommand(const CuteOption *row, Part part,
                             CuteString *text) {
  cuteStringAppendFormat(text, "%s)\n  _arguments \\\n", row->names);
  eachOption(part, appendZshOption, text);
  cuteStringAppend(text, "    '*:argument: '\n  ;;\n");
}

static void writeZsh(const CuteTool *tool, CuteString *text) {
  cuteStringAppendFormat(text, "#compdef %s\ncase $words[2] in\n", tool->name);
  eachCommand(tool, appendZshCommand, text);
  cuteStringAppend(text, "*)\n  _arguments \\\n");
  eachOption((Part){tool, NULL}, appendZshOption, text);
  if (hasCommands(tool)) {
    cuteStringAppend(text, "    '1:command:(");
    eachCommand(tool, appendCommandName, text);
    cuteStringAppend(text, ")'\n");
  } else {
    cuteStringAppend(text, "    '*:file:_files'\n");
  }
  cuteStringAppend(text, "  ;;\nesac\n");
}

//===-- fish --------------------------------------------------------------===//

static void appendFishOption(const CuteOption *row, Part part,
                             CuteString *text) {
  const char *names = row->names;
  CuteStringRef name;
  cuteStringAppendFormat(text, "complete -c %s", part.tool->name);
  if (part.command)
    cuteStringAppendFormat(text, " -n '__fish_seen_subcommand_from %s'",
                           part.command);
  while (cuteOptionNextName(&names, &name)) {
    bool isLong = name.length > 2 && name.data[1] == '-';
    const char *form = isLong ? "-l" : name.length > 2 ? "-o" : "-s";
    cuteStringAppendFormat(text, " %s %.*s", form,
                           (int)name.length - (isLong ? 2 : 1),
                           name.data + (isLong ? 2 : 1));
  }
  if (hasWords(row)) {
    cuteStringAppend(text, needsValue(row) ? " -x -a '" : " -f -a '");
    appendWords(text, row);
    cuteStringAppend(text, "'");
  } else if (needsValue(row)) {
    cuteStringAppend(text, " -r");
  }
  cuteStringAppend(text, " -d '");
  appendSummary(text, row, "\\'");
  cuteStringAppend(text, "'\n");
}

static void appendFishCommand(const CuteOption *row, Part part,
                              CuteString *text) {
  cuteStringAppendFormat(text,
                         "complete -c %s -f -n '__fish_use_subcommand' -a %s "
                         "-d '",
                         part.tool->name, row->names);
  appendSummary(text, row, "\\'");
  cuteStringAppend(text, "'\n");
  eachOption(part, appendFishOption, text);
}

static void writeFish(const CuteTool *tool, CuteString *text) {
  eachOption((Part){tool, NULL}, appendFishOption, text);
  eachCommand(tool, appendFishCommand, text);
}

bool cuteOptionWriteCompletions(const CuteTool *tool, const char *shell,
                                CuteString *text) {
  if (!strcmp(shell, "bash"))
    writeBash(tool, text);
  else if (!strcmp(shell, "zsh"))
    writeZsh(tool, text);
  else if (!strcmp(shell, "fish"))
    writeFish(tool, text);
  else
    return false;
  return true;
}
