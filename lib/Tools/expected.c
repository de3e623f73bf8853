// --verify-diagnostics: comments that say which diagnostics a file gives.
//
//   expected-error {{text}}          on the same line
//   expected-remark @+2 {{text}}     two lines further; @-1, @above, @below
//   expected-error @unknown {{text}} without a line
//   expected-error-re {{a {{.*}}}}   regular expressions in inner braces
//
// Only expected-error, -warning, -remark and -note before @ or {{ count.
#include "Support/diagnostic_format.h"
#include "Support/growing_array.h"
#include "Support/say_error.h"
#include "Tools/driver.h"

#include <regex.h>

typedef struct Scanner {
  const char *at, *end;
  unsigned line; // of `at`
} Scanner;

static bool take(Scanner *s, const char *word) {
  size_t n = strlen(word);
  if ((size_t)(s->end - s->at) < n || memcmp(s->at, word, n))
    return false;
  s->at += n;
  return true;
}

static void skipSpaces(Scanner *s) {
  while (s->at < s->end && (*s->at == ' ' || *s->at == '\t'))
    ++s->at;
}

static unsigned takeNumber(Scanner *s) {
  unsigned value = 0;
  while (s->at < s->end && *s->at >= '0' && *s->at <= '9')
    value = value * 10 + (unsigned)(*s->at++ - '0');
  return value;
}

// The line of code before or after the comment's, comments skipped.
static unsigned neighbour(CuteStringRef text, unsigned firstLine, unsigned from,
                          int direction) {
  unsigned best = from, line = firstLine;
  const char *at = text.data, *end = text.data + text.length;
  while (at < end) {
    const char *newline = memchr(at, '\n', (size_t)(end - at));
    const char *stop = newline ? newline : end;
    const char *first = at + strspn(at, " \t");
    bool isComment = stop - first >= 2 && first[0] == '/' && first[1] == '/';
    if (first < stop && !isComment) {
      if (direction < 0 && line < from)
        best = line;
      if (direction > 0 && line > from)
        return line;
    }
    at = stop + 1;
    ++line;
  }
  return best;
}

static bool takeLine(Scanner *s, CuteStringRef text, unsigned firstLine,
                     unsigned *line) {
  *line = s->line;
  if (!take(s, "@"))
    return true;
  if (take(s, "+"))
    *line += takeNumber(s);
  else if (take(s, "-"))
    *line -= takeNumber(s);
  else if (take(s, "above"))
    *line = neighbour(text, firstLine, s->line, -1);
  else if (take(s, "below"))
    *line = neighbour(text, firstLine, s->line, 1);
  else if (take(s, "unknown"))
    *line = 0;
  else
    return false;
  return true;
}

// {{ ... }} with balanced inner braces.
static bool takeMessage(Scanner *s, CuteStringRef *message) {
  skipSpaces(s);
  if (!take(s, "{{"))
    return false;
  const char *start = s->at;
  for (int depth = 1; s->at + 1 < s->end && *s->at != '\n'; ++s->at) {
    bool opens = s->at[0] == '{' && s->at[1] == '{';
    bool closes = s->at[0] == '}' && s->at[1] == '}' &&
                  !(depth == 1 && s->at + 2 < s->end && s->at[2] == '}');
    if (closes && !--depth) {
      *message = (CuteStringRef){start, (size_t)(s->at - start)};
      s->at += 2;
      return true;
    }
    depth += opens;
    s->at += opens || closes;
  }
  return false;
}

static void push(CuteExpectations *expectations, CuteExpectation expectation) {
  CUTE_PUSH(expectations->list, expectations->count, expectations->capacity,
            expectation);
}

// The words that begin an expectation; others that look like it are prose.
static bool takeStart(Scanner *s, CuteExpectation *expectation) {
  if (!take(s, "expected-"))
    return false;
  int severity = 0;
  while (severity < 4 &&
         !take(s, cuteDiagnosticGetName((CuteSaidKind)severity)))
    ++severity;
  if (severity == 4)
    return false;
  *expectation = (CuteExpectation){.severity = (CuteSeverity)severity,
                                   .isRegex = take(s, "-re"),
                                   .at = s->line};
  skipSpaces(s);
  Scanner next = *s;
  return take(&next, "@") || take(&next, "{{");
}

static bool readRest(Scanner *s, CuteStringRef text, unsigned firstLine,
                     CuteExpectation *expectation) {
  return takeLine(s, text, firstLine, &expectation->line) &&
         takeMessage(s, &expectation->message);
}

bool cuteExpectationsRead(CuteExpectations *expectations, CuteStringRef text,
                          unsigned firstLine) {
  Scanner s = {text.data, text.data + text.length, firstLine};
  while (s.at < s.end) {
    if (*s.at == '\n')
      ++s.line;
    Scanner start = s;
    CuteExpectation expectation;
    if (!takeStart(&start, &expectation)) {
      ++s.at;
      continue;
    }
    s = start;
    if (!readRest(&s, text, firstLine, &expectation)) {
      return cuteSayError("line %u: malformed expected-... comment", s.line);
    }
    push(expectations, expectation);
  }
  return true;
}

void cuteExpectationsDestroy(CuteExpectations *expectations) {
  free(expectations->list);
  *expectations = (CuteExpectations){0};
}

//===-- Matching ----------------------------------------------------------===//

// Text outside inner braces is literal.
static bool matchesRegex(CuteStringRef message, CuteStringRef pattern) {
  CUTE_SCOPED(String) regex = {0}, text = {0};
  bool inside = false;
  for (size_t i = 0; i < pattern.length; ++i) {
    const char *at = pattern.data + i;
    bool isBrace = i + 1 < pattern.length && at[0] == at[1] &&
                   at[0] == (inside ? '}' : '{');
    if (isBrace) {
      cuteStringAppendChar(&regex, inside ? ')' : '(');
      inside = !inside;
      ++i;
      continue;
    }
    if (!inside && strchr(".[]{}()*+?^$|\\", *at))
      cuteStringAppendChar(&regex, '\\');
    cuteStringAppendChar(&regex, *at);
  }
  cuteStringAppendBytes(&text, message.data, message.length);
  regex_t compiled;
  bool matches = false;
  if (!regcomp(&compiled, cuteStringGet(&regex), REG_EXTENDED | REG_NOSUB)) {
    matches = !regexec(&compiled, cuteStringGet(&text), 0, NULL, 0);
    regfree(&compiled);
  }
  return matches;
}

bool cuteExpectationsMeet(CuteExpectations *expectations,
                          const CuteDiagnostic *diagnostic) {
  unsigned line = cutePositionGet(diagnostic->location).line;
  for (size_t i = 0; i < expectations->count; ++i) {
    CuteExpectation *expectation = &expectations->list[i];
    if (expectation->isMet || expectation->line != line ||
        expectation->severity != diagnostic->severity)
      continue;
    CuteStringRef message = fromMlirString(diagnostic->message);
    bool matches = expectation->isRegex
                       ? matchesRegex(message, expectation->message)
                       : cuteTextHas(message, expectation->message);
    if (matches)
      return expectation->isMet = true;
  }
  return false;
}
