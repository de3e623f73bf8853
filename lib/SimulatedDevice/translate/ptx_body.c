// Bodies of kernels and functions of PTX, as inline PTX.
#include "SimulatedDevice/translate/ptx_text.h"
#include "Support/growing_array.h"
#include "Support/text.h"

enum {
  MAX_BODY = 4 << 20, // bytes, with the bodies of functions
  MAX_ARGUMENTS = 64, // results and parameters of a call
};

//===-- Functions ---------------------------------------------------------===//

void cutePtxTakeFunction(CutePtxText *m, CutePtxFunction *function) {
  CutePtxFunction f = {0};
  CuteStringRef word;
  while ((word = cutePtxTextWord(m)).length && word.data[0] == '.')
    continue; // .noreturn
  if (!word.length && cutePtxTextTake(m, '(')) {
    f.results = m->at;
    cutePtxSkipPast(m, ')');
    word = cutePtxTextWord(m);
  }
  f.name = word;
  if (cutePtxTextTake(m, '(')) {
    f.parameters = m->at;
    cutePtxSkipPast(m, ')');
  }
  while ((word = cutePtxTextWord(m)).length)
    continue;
  if (cutePtxTextTake(m, '{')) {
    f.body = m->at;
    cutePtxSkipBlock(m);
  } else {
    cutePtxSkipPast(m, ';');
  }
  if (function)
    *function = f;
}

void cutePtxReadFunctions(CutePtxText *m) {
  static const char directive[] = ".func";
  const char *start = m->at;
  for (const char *at = m->text; (at = strstr(at, directive)); at = m->at) {
    CutePtxFunction f;
    m->at = at + sizeof directive - 1;
    cutePtxTakeFunction(m, &f);
    if (f.body)
      CUTE_PUSH(m->functions, m->numFunctions, m->functionCapacity, f);
  }
  m->at = start;
}

static const CutePtxFunction *findFunction(const CutePtxText *m,
                                           CuteStringRef name) {
  for (size_t i = 0; i < m->numFunctions; ++i)
    if (cuteTextIsSame(m->functions[i].name, name))
      return &m->functions[i];
  return NULL;
}

//===-- Calls -------------------------------------------------------------===//

typedef struct Call {
  CuteStringRef name;
  CuteStringRef arguments[MAX_ARGUMENTS]; // results first
  size_t numResults, numArguments;
} Call;

// Takes "a, b)" after the bracket.
static bool takeArguments(CutePtxText *m, Call *call) {
  while (!cutePtxTextTake(m, ')')) {
    CuteStringRef word = cutePtxTextWord(m);
    if (!word.length || call->numArguments == MAX_ARGUMENTS)
      return false;
    call->arguments[call->numArguments++] = word;
    cutePtxTextTake(m, ',');
  }
  return true;
}

// Takes "(results), name, (parameters);".
static bool takeCall(CutePtxText *m, Call *call) {
  *call = (Call){0};
  if (cutePtxTextTake(m, '(')) {
    if (!takeArguments(m, call) || !cutePtxTextTake(m, ','))
      return false;
    call->numResults = call->numArguments;
  }
  call->name = cutePtxTextWord(m);
  if (cutePtxTextTake(m, ',') && cutePtxTextTake(m, '(') &&
      !takeArguments(m, call))
    return false;
  cutePtxSkipPast(m, ';');
  return call->name.length;
}

// Makes ".param .b32 name, ...)" names of the arguments of a call.
static CuteStatus pushAliases(CutePtxText *m, const char *list,
                              const CuteStringRef *arguments, size_t count) {
  size_t i = 0;
  m->at = list;
  while (list && !cutePtxTextTake(m, ')')) {
    CutePtxSymbol s;
    cutePtxTextWord(m); // .param
    CUTE_TRY(cutePtxTakeVariable(m, CUTE_PTX_ALIAS, &s));
    s.kind = CUTE_PTX_ALIAS;
    s.target = i < count ? cutePtxFindSymbol(m, arguments[i]) : -1;
    if (s.target < 0)
      return cutePtxTextFail(m, m->at, "a call has other parameters");
    if (m->symbols[s.target].kind == CUTE_PTX_ALIAS)
      s.target = m->symbols[s.target].target;
    cutePtxPushSymbol(m, s);
    cutePtxTextTake(m, ',');
    ++i;
  }
  return NULL;
}

static void appendPlace(const CutePtxText *m, CuteString *body) {
  if (m->line)
    cuteStringAppendFormat(body, ".loc %lu,%lu,\"%.*s\";", m->line, m->column,
                           CUTE_TEXT(m->path));
}

void cutePtxAppendLine(const CutePtxText *m, CuteString *body) {
  cuteStringAppendFormat(body, ".line %u;", cutePtxLineAt(m, m->at));
}

// Copies the body of a function, which `ret` leaves by a branch.
static CuteStatus copyFunction(CutePtxText *m, const CutePtxFunction *f,
                               const Call *call, CuteString *body) {
  size_t first = m->numSymbols;
  CUTE_TRY(pushAliases(m, f->results, call->arguments, call->numResults));
  CUTE_TRY(pushAliases(m, f->parameters, call->arguments + call->numResults,
                       call->numArguments - call->numResults));
  m->at = f->body;
  cutePtxSkipBlock(m);
  const char *end = m->at - 1;
  m->at = f->body;
  cuteStringAppend(body, "{");
  cutePtxAppendLine(m, body);
  CUTE_TRY(cutePtxCopyBody(m, end, body));
  cuteStringAppendFormat(body, "$L__cute_return_%u:}", m->call);
  for (size_t i = first; i < m->numSymbols; ++i)
    m->symbols[i].isHidden = true;
  return NULL;
}

static CuteStatus copyOwnCall(CutePtxText *m, const CutePtxFunction *f,
                              const Call *call, CuteString *body) {
  CutePtxText before = *m;
  m->callers[m->depth++] = f->name;
  m->call = ++m->numCalls;
  CUTE_TRY(copyFunction(m, f, call, body));
  m->at = before.at;
  m->depth = before.depth;
  m->call = before.call;
  m->line = before.line, m->column = before.column, m->path = before.path;
  cutePtxAppendLine(m, body);
  appendPlace(m, body);
  return NULL;
}

static CuteStatus copyWord(CutePtxText *m, CuteStringRef word,
                           CuteString *body);

// A function of another module, or one that calls itself.
static CuteStatus copyOtherCall(CutePtxText *m, const Call *call, bool isOwn,
                                CuteString *body) {
  cuteStringAppendFormat(body, "call.%s%.*s ", isOwn ? "self." : "",
                         CUTE_TEXT(call->name));
  for (size_t i = 0; i < call->numArguments; ++i) {
    cuteStringAppend(body, i ? ", " : "");
    CUTE_TRY(copyWord(m, call->arguments[i], body));
  }
  cuteStringAppend(body, ";");
  cutePtxAppendLine(m, body);
  return NULL;
}

static bool mayCopy(const CutePtxText *m, const CutePtxFunction *f,
                    const CuteString *body) {
  bool callsItself = false;
  for (unsigned i = 0; i < m->depth; ++i)
    callsItself |= cuteTextIsSame(m->callers[i], f->name);
  return !callsItself && m->depth < CUTE_PTX_MAX_DEPTH &&
         body->length < MAX_BODY;
}

static CuteStatus copyCall(CutePtxText *m, CuteString *body) {
  Call call;
  const char *start = m->at;
  if (!takeCall(m, &call))
    return cutePtxTextFail(m, start, "a call is not known");
  const CutePtxFunction *f = findFunction(m, call.name);
  return f && mayCopy(m, f, body) ? copyOwnCall(m, f, &call, body)
                                  : copyOtherCall(m, &call, f, body);
}

//===-- Bodies ------------------------------------------------------------===//

static CuteStringRef pathOf(const CutePtxText *m, unsigned long number) {
  for (size_t i = 0; i < m->numFiles; ++i)
    if (m->files[i].number == number)
      return m->files[i].path;
  return cuteStringRef("");
}

static CutePtxPlace takePlace(CutePtxText *m) {
  CutePtxPlace place;
  place.file = strtoul(m->at, (char **)&m->at, 10);
  place.line = strtoul(m->at, (char **)&m->at, 10);
  place.column = strtoul(m->at, (char **)&m->at, 10);
  return place;
}

// Tells whether a file is of a compiler or its libraries.
static bool isOfSystem(const CutePtxText *m, CutePtxPlace place) {
  CuteStringRef path = pathOf(m, place.file);
  return cuteTextTake(&path, "/usr/") || cuteTextTake(&path, "/opt/");
}

// Takes "function_name NAME, inlined_at 1 40 3" after a place. A place in a
// header of the system becomes the one in the user's file that led there.
static CutePtxPlace leaveHeaders(CutePtxText *m, CutePtxPlace place) {
  static const char word[] = "inlined_at";
  size_t length = sizeof word - 1;
  const char *at = m->at + strcspn(m->at, ",\n");
  while (*at == ',' && strncmp(at += 1 + strspn(at + 1, " \t"), word, length))
    at += strcspn(at, ",\n");
  if (strncmp(at, word, length))
    return place;
  m->at = at + length;
  CutePtxInlining inlining = {place, takePlace(m)};
  CUTE_PUSH(m->inlinings, m->numInlinings, m->inliningCapacity, inlining);
  for (size_t i = m->numInlinings; i-- && isOfSystem(m, place);)
    if (m->inlinings[i].place.file == place.file &&
        m->inlinings[i].place.line == place.line &&
        m->inlinings[i].place.column == place.column)
      place = m->inlinings[i].caller;
  return place;
}

// ".loc 1 12 5, ..." as ".loc 12,5,"file";"; what has no line stays where it
// was.
static void copyPlace(CutePtxText *m, CuteString *body) {
  CutePtxPlace place = leaveHeaders(m, takePlace(m));
  if (place.line) {
    m->line = place.line, m->column = place.column;
    m->path = pathOf(m, place.file);
    appendPlace(m, body);
  }
  while (*m->at && *m->at != '\n')
    ++m->at;
}

// Takes a declaration in a body out of its text.
static CuteStatus moveVariable(CutePtxText *m, CuteString *body,
                               CutePtxSymbolKind kind) {
  const char *start = m->at;
  CutePtxSymbol s;
  CUTE_TRY(cutePtxTakeVariable(m, kind, &s));
  s.kind = kind;
  s.kernel = m->kernel;
  cutePtxPushSymbol(m, s);
  cutePtxSkipPast(m, ';');
  for (; start < m->at; ++start)
    if (*start == '\n')
      cuteStringAppendChar(body, '\n');
  return NULL;
}

static void copySymbol(const CutePtxText *m, CuteStringRef word,
                       CuteString *body) {
  int i = cutePtxFindSymbol(m, word);
  if (i >= 0 && m->symbols[i].kind == CUTE_PTX_ALIAS)
    i = m->symbols[i].target;
  if (i >= 0 && m->symbols[i].kind != CUTE_PTX_UNKNOWN)
    cuteStringAppendFormat(body, "$%d", i);
  else
    cuteStringAppendBytes(body, word.data, word.length);
}

static bool isWord(CuteStringRef word, const char *base) {
  return cuteTextTake(&word, base) && (!word.length || word.data[0] == '.');
}

static CuteStatus copyWord(CutePtxText *m, CuteStringRef word,
                           CuteString *body) {
  if (cuteTextEquals(word, ".loc"))
    copyPlace(m, body);
  else if (cuteTextEquals(word, ".pragma"))
    cutePtxSkipPast(m, ';');
  else if (cuteTextEquals(word, ".local") || cuteTextEquals(word, ".param"))
    return moveVariable(m, body, CUTE_PTX_LOCAL);
  else if (cuteTextEquals(word, ".shared"))
    return moveVariable(m, body, CUTE_PTX_SHARED);
  else if (isWord(word, "call"))
    return copyCall(m, body);
  else if (m->depth && isWord(word, "ret"))
    cuteStringAppendFormat(body, "bra $L__cute_return_%u", m->call);
  else
    copySymbol(m, word, body);
  return NULL;
}

CuteStatus cutePtxCopyBody(CutePtxText *m, const char *end, CuteString *body) {
  while (m->at < end) {
    const char *quoted = cutePtxSkipQuoted(m->at);
    CuteStringRef word = {m->at, 0};
    while (quoted == m->at && cutePtxIsNameCharacter(m->at[word.length]))
      ++word.length;
    if (word.length) {
      m->at += word.length;
      CUTE_TRY(copyWord(m, word, body));
    } else {
      size_t n = quoted > m->at ? (size_t)(quoted - m->at) : 1;
      cuteStringAppendBytes(body, m->at, n);
      m->at += n;
    }
  }
  return NULL;
}
