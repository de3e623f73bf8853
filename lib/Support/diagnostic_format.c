#include "Support/diagnostic_format.h"
#include "Support/text.h"

#include <ctype.h>

// Diagnostics come one at a time: under the lock of a dialect, or from a tool.
static struct {
  CuteDiagnosticFormat format;
  bool isStrict;
  CuteString all, latest, notes; // entries; of the latest, and of its notes
} state;

void cuteDiagnosticSetFormat(CuteDiagnosticFormat format) {
  state.format = format;
}

void cuteDiagnosticSetStrict(void) { state.isStrict = true; }

CuteSaidKind cuteDiagnosticGetKind(CuteSaidKind kind) {
  return kind == CUTE_SAID_WARNING && state.isStrict ? CUTE_SAID_ERROR : kind;
}

//===-- Entries -----------------------------------------------------------===//

static void appendJsonText(CuteString *out, CuteStringRef text) {
  cuteStringAppendChar(out, '"');
  for (size_t i = 0; i < text.length; ++i) {
    unsigned char c = (unsigned char)text.data[i];
    if (c < ' ')
      cuteStringAppendFormat(out, "\\u%04x", c);
    else if (c == '"' || c == '\\')
      cuteStringAppendFormat(out, "\\%c", c);
    else
      cuteStringAppendChar(out, (char)c);
  }
  cuteStringAppendChar(out, '"');
}

const char *cuteDiagnosticGetName(CuteSaidKind kind) {
  static const char *const names[] = {"error", "warning", "remark", "note"};
  return names[kind];
}

// Appends the name of the rule in brackets at a message's end, "[prove-races]",
// as a member of an object; nothing where there is none.
static void appendRule(CuteString *out, CuteStringRef text, const char *key) {
  size_t end = text.length ? text.length - 1 : 0, at = end;
  while (at && (islower((unsigned char)text.data[at - 1]) ||
                text.data[at - 1] == '-'))
    --at;
  if (at > 1 && text.data[end] == ']' && text.data[at - 1] == '[' &&
      memchr(&text.data[at], '-', end - at))
    cuteStringAppendFormat(out, "\"%s\": \"%.*s\", ", key, (int)(end - at),
                           &text.data[at]);
}

static void appendJsonEntry(CuteString *out, const CuteSaid *said) {
  cuteStringAppendFormat(out, "{\"severity\": \"%s\", ",
                         cuteDiagnosticGetName(said->kind));
  appendRule(out, said->message, "rule");
  cuteStringAppend(out, "\"message\": ");
  appendJsonText(out, said->message);
  if (said->file.length) {
    cuteStringAppend(out, ", \"file\": ");
    appendJsonText(out, said->file);
  }
  if (said->line)
    cuteStringAppendFormat(out, ", \"line\": %u, \"column\": %u", said->line,
                           said->column);
}

// Appends text as an annotation has it: what would end it, as %XX.
static void appendEscaped(CuteString *out, CuteStringRef text,
                          const char *special) {
  for (size_t i = 0; i < text.length; ++i)
    if (strchr(special, text.data[i]))
      cuteStringAppendFormat(out, "%%%02X", (unsigned)text.data[i]);
    else
      cuteStringAppendChar(out, text.data[i]);
}

// Appends a path as part of a URI.
static void appendUri(CuteString *out, CuteStringRef path) {
  for (size_t i = 0; i < path.length; ++i)
    if (isalnum((unsigned char)path.data[i]) || strchr("/:,_.-~", path.data[i]))
      cuteStringAppendChar(out, path.data[i]);
    else
      cuteStringAppendFormat(out, "%%%02X", (unsigned char)path.data[i]);
}

// Appends a location without its braces.
static void appendSarifPlace(CuteString *out, const CuteSaid *said) {
  CUTE_SCOPED(String) uri = {0};
  appendUri(&uri, said->file);
  cuteStringAppend(out,
                   "\"physicalLocation\": {\"artifactLocation\": {\"uri\": ");
  appendJsonText(out, cuteStringGetRef(&uri));
  cuteStringAppendChar(out, '}');
  if (said->line)
    cuteStringAppendFormat(
        out, ", \"region\": {\"startLine\": %u, \"startColumn\": %u}",
        said->line, said->column ? said->column : 1);
  cuteStringAppendChar(out, '}');
}

static void appendSarifEntry(CuteString *out, const CuteSaid *said) {
  static const char *const levels[] = {"error", "warning", "note"};
  bool isNote = said->kind == CUTE_SAID_NOTE;
  cuteStringAppendChar(out, '{');
  if (!isNote) {
    appendRule(out, said->message, "ruleId");
    cuteStringAppendFormat(out, "\"level\": \"%s\", ", levels[said->kind]);
  }
  cuteStringAppend(out, "\"message\": {\"text\": ");
  appendJsonText(out, said->message);
  cuteStringAppendChar(out, '}');
  if (!said->file.length)
    return;
  cuteStringAppend(out, isNote ? ", " : ", \"locations\": [{");
  appendSarifPlace(out, said);
  cuteStringAppend(out, isNote ? "" : "}]");
}

static void appendGithubEntry(CuteString *out, const CuteSaid *said) {
  static const char *const commands[] = {"error", "warning", "notice"};
  if (said->kind == CUTE_SAID_NOTE) {
    cuteStringAppend(out, "%0Anote: ");
  } else {
    cuteStringAppendFormat(out, "::%s", commands[said->kind]);
    cuteStringAppend(out, said->file.length ? " file=" : "");
    appendEscaped(out, said->file, "%\r\n:,");
    if (said->line)
      cuteStringAppendFormat(out, ",line=%u,col=%u", said->line, said->column);
    cuteStringAppend(out, "::");
  }
  appendEscaped(out, said->message, "%\r\n");
}

//===-- All ---------------------------------------------------------------===//

// Each format: text around the entries and around the notes of one.
static const struct {
  void (*append)(CuteString *out, const CuteSaid *said);
  const char *beginNotes, *betweenNotes, *endNotes, *end, *between;
} rows[] = {
    [CUTE_DIAGNOSTICS_JSON] = {appendJsonEntry, ", \"notes\": [", "}, ", "}]",
                               "}", ",\n"},
    [CUTE_DIAGNOSTICS_SARIF] = {appendSarifEntry, ", \"relatedLocations\": [",
                                "}, ", "}]", "}", ",\n"},
    [CUTE_DIAGNOSTICS_GITHUB] = {appendGithubEntry, "", "", "", "", "\n"},
};

// Adds the latest diagnostic, with its notes, to all.
static void endLatest(void) {
  if (!state.latest.length)
    return;
  if (state.all.length)
    cuteStringAppend(&state.all, rows[state.format].between);
  cuteStringAppend(&state.all, cuteStringGet(&state.latest));
  if (state.notes.length)
    cuteStringAppendFormat(&state.all, "%s%s%s", rows[state.format].beginNotes,
                           cuteStringGet(&state.notes),
                           rows[state.format].endNotes);
  cuteStringAppend(&state.all, rows[state.format].end);
  cuteStringClear(&state.latest);
  cuteStringClear(&state.notes);
}

bool cuteDiagnosticTake(CuteSaid said) {
  if (state.format == CUTE_DIAGNOSTICS_TEXT)
    return false;
  said.kind = cuteDiagnosticGetKind(said.kind);
  bool isNote = said.kind == CUTE_SAID_NOTE && state.latest.length;
  if (!isNote)
    endLatest();
  else if (state.notes.length)
    cuteStringAppend(&state.notes, rows[state.format].betweenNotes);
  rows[state.format].append(isNote ? &state.notes : &state.latest, &said);
  return true;
}

// Cuts FILE:LINE:COLUMN off a line that begins so.
static bool cutPlace(CuteStringRef line, CuteSaid *said) {
  for (const char *at = line.data; at < line.data + line.length; ++at) {
    unsigned number, column;
    int length = 0;
    if (*at == ' ')
      return false;
    if (*at != ':' || at == line.data ||
        sscanf(at, ":%u:%u: %n", &number, &column, &length) != 2 || !length)
      continue;
    const char *end = line.data + line.length;
    *said = (CuteSaid){CUTE_SAID_ERROR,
                       {line.data, (size_t)(at - line.data)},
                       number,
                       column,
                       {at + length, (size_t)(end - at) - (size_t)length}};
    return at + length <= end;
  }
  return false;
}

// Takes the word of a severity off the message, as tools print it.
static void cutSeverity(CuteSaid *said) {
  static const char *const words[] = {
      "error: ", "warning: ", "remark: ", "note: "};
  for (size_t i = 0; i < sizeof words / sizeof *words; ++i) {
    if (cuteTextTake(&said->message, words[i])) {
      said->kind = (CuteSaidKind)i;
      return;
    }
  }
}

bool cuteDiagnosticTakeError(const char *message) {
  bool isPlaced = false;
  if (state.format == CUTE_DIAGNOSTICS_TEXT)
    return false;
  for (const char *line = message; *line;) {
    size_t n = strcspn(line, "\n");
    CuteSaid said;
    if (cutPlace((CuteStringRef){line, n}, &said)) {
      isPlaced = true;
      cutSeverity(&said);
      cuteDiagnosticTake(said);
    }
    line += n + (line[n] == '\n');
  }
  return isPlaced ||
         cuteDiagnosticTake((CuteSaid){.message = cuteStringRef(message)});
}

static void appendHead(CuteString *out, const char *tool) {
  if (state.format == CUTE_DIAGNOSTICS_SARIF)
    cuteStringAppendFormat(
        out,
        "{\"version\": \"2.1.0\",\n\"$schema\": "
        "\"https://json.schemastore.org/sarif-2.1.0.json\",\n\"runs\": "
        "[{\"tool\": {\"driver\": {\"name\": \"%s\", \"version\": "
        "\"" CUTE_VERSION "\"}},\n\"results\": ",
        tool);
  cuteStringAppend(out, state.format == CUTE_DIAGNOSTICS_GITHUB ? "" : "[");
}

void cuteDiagnosticFinish(const char *tool) {
  CUTE_SCOPED(String) out = {0};
  if (state.format == CUTE_DIAGNOSTICS_TEXT)
    return;
  endLatest();
  appendHead(&out, tool);
  cuteStringAppend(&out, cuteStringGet(&state.all));
  cuteStringAppend(&out, state.format == CUTE_DIAGNOSTICS_JSON    ? "]\n"
                         : state.format == CUTE_DIAGNOSTICS_SARIF ? "]}]}\n"
                         : state.all.length                       ? "\n"
                                                                  : "");
  fputs(cuteStringGet(&out), stderr);
  cuteStringDestroy(&state.all);
  cuteStringDestroy(&state.latest);
  cuteStringDestroy(&state.notes);
}
