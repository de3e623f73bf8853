// --help and manual pages.
#include "Support/command_line.h"

#include <ctype.h>

enum { WIDTH = 80 };

// "-o FILE", "--arch=sm_XX", "--report[=FORMAT]", "-g, --line-info".
static void appendSpelling(CuteString *text, const CuteOption *row) {
  cuteStringAppend(text, row->names);
  if (!row->value)
    return;
  const char *last = strrchr(row->names, ' ');
  last = last ? last + 1 : row->names;
  bool isLetter = strncmp(last, "--", 2) || row->kind == CUTE_OPTION_TEXT;
  bool isSpaced = isLetter || strchr(row->value, '=');
  cuteStringAppendFormat(text,
                         row->kind == CUTE_OPTION_OPTIONAL ? "[=%s]"
                         : isSpaced                        ? " %s"
                                                           : "=%s",
                         row->value);
}

// Appends words so that lines end before the width, those after the first
// indented.
static void appendWrapped(CuteString *text, const char *words, size_t indent) {
  size_t column = indent;
  while (*words) {
    size_t n = strcspn(words, " \n");
    bool isFirst = column == indent;
    if (!isFirst && column + 1 + n > WIDTH) {
      cuteStringAppendFormat(text, "\n%*s", (int)indent, "");
      column = indent;
    } else if (!isFirst) {
      cuteStringAppendChar(text, ' ');
      ++column;
    }
    cuteStringAppendBytes(text, words, n);
    column += n;
    words += n + (words[n] != '\0');
  }
}

void cuteOptionWriteRow(const CuteOption *row, size_t column,
                        CuteString *text) {
  size_t begin = text->length;
  if (!row->help)
    return;
  cuteStringAppend(text, "  ");
  appendSpelling(text, row);
  size_t length = text->length - begin;
  if (!*row->help) {
    cuteStringAppendChar(text, '\n');
    return;
  }
  if (length + 2 > column) {
    cuteStringAppendFormat(text, "\n%*s", (int)column, "");
  } else {
    cuteStringAppendFormat(text, "%*s", (int)(column - length), "");
  }
  appendWrapped(text, row->help, column);
  cuteStringAppendChar(text, '\n');
}

void cuteOptionWriteSection(const CuteTool *tool,
                            const CuteOptionSection *section,
                            CuteString *text) {
  CuteOption row;
  cuteStringAppendFormat(text, "%s:\n", section->title);
  if (section->text)
    cuteStringAppend(text, section->text);
  for (size_t i = 0; cuteOptionGet(section, i, &row); ++i)
    cuteOptionWriteRow(&row, tool->column, text);
}

void cuteOptionWriteHelp(const CuteTool *tool, CuteString *text) {
  cuteStringAppendFormat(text, "OVERVIEW: %s\n\nUSAGE: %s %s\n", tool->overview,
                         tool->name, tool->usage);
  if (tool->details)
    cuteStringAppendFormat(text, "\n%s", tool->details);
  for (size_t s = 0; s < CUTE_TOOL_SECTIONS && tool->sections[s].title; ++s) {
    cuteStringAppendChar(text, '\n');
    cuteOptionWriteSection(tool, &tool->sections[s], text);
  }
  if (tool->notes)
    cuteStringAppendFormat(text, "\n%s", tool->notes);
}

//===-- Manual pages ------------------------------------------------------===//

// Appends text for troff: no line begins with a request.
static void appendTroff(CuteString *text, const char *plain) {
  bool begins = !text->length || text->data[text->length - 1] == '\n';
  for (; *plain; ++plain) {
    if (begins && strchr(".'", *plain))
      cuteStringAppend(text, "\\&");
    if (*plain == '\\')
      cuteStringAppend(text, "\\e");
    else if (*plain == '-')
      cuteStringAppend(text, "\\-");
    else
      cuteStringAppendChar(text, *plain);
    begins = *plain == '\n';
  }
}

static void appendAsIs(CuteString *text, const char *lines) {
  cuteStringAppend(text, ".nf\n");
  appendTroff(text, lines);
  cuteStringAppend(text, ".fi\n");
}

static void appendTroffRow(CuteString *text, const CuteOption *row) {
  CUTE_SCOPED(String) spelling = {0};
  if (!row->help)
    return;
  appendSpelling(&spelling, row);
  cuteStringAppend(text, ".TP\n");
  appendTroff(text, cuteStringGet(&spelling));
  cuteStringAppendChar(text, '\n');
  appendTroff(text, row->help);
  cuteStringAppendChar(text, '\n');
}

void cuteOptionWriteManual(const CuteTool *tool, CuteString *text) {
  CuteOption row;
  cuteStringAppend(text, ".TH ");
  for (const char *c = tool->name; *c; ++c)
    cuteStringAppendChar(text, (char)toupper((unsigned char)*c));
  cuteStringAppendFormat(text, " 1 \"\" \"cute %s\"\n.SH NAME\n",
                         tool->version);
  appendTroff(text, tool->name);
  cuteStringAppend(text, " \\- ");
  appendTroff(text, tool->overview);
  cuteStringAppend(text, "\n.SH SYNOPSIS\n");
  appendTroff(text, tool->name);
  cuteStringAppendChar(text, ' ');
  appendTroff(text, tool->usage);
  cuteStringAppendChar(text, '\n');
  if (tool->details) {
    cuteStringAppend(text, ".SH DESCRIPTION\n");
    appendAsIs(text, tool->details);
  }
  for (size_t s = 0; s < CUTE_TOOL_SECTIONS && tool->sections[s].title; ++s) {
    const CuteOptionSection *section = &tool->sections[s];
    cuteStringAppendFormat(text, ".SH %s\n", section->title);
    if (section->text)
      appendAsIs(text, section->text);
    for (size_t i = 0; cuteOptionGet(section, i, &row); ++i)
      appendTroffRow(text, &row);
  }
  if (tool->notes) {
    cuteStringAppend(text, ".SH NOTES\n");
    appendAsIs(text, tool->notes);
  }
}
