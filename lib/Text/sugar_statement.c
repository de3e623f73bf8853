// Reads loops, branches and ops of the dialect from their pretty form.
#include "Text/infix_parts.h"
#include "Text/sugar.h"

static const char *copy(CuteArena *arena, const char *from, const char *to) {
  return cuteArenaCopyText(arena, from, (size_t)(to - from));
}

// Takes the types of a list, `T, T`, and gives the texts of the first n.
static bool takeTypes(CuteArena *arena, CuteLexer *lexer, size_t n,
                      const char **types) {
  CuteStringRef text;
  for (size_t i = 0; i < n; ++i) {
    if (i && !cuteLexerTake(lexer, ','))
      return false;
    cuteLexerSkipTrivia(lexer);
    const char *start = lexer->at;
    if (cuteLexerNext(lexer, &text) == CUTE_TOKEN_END)
      return false;
    if (lexer->at < lexer->end && *lexer->at == '<' &&
        !cuteLexerSkipBracket(lexer))
      return false;
    types[i] = copy(arena, start, lexer->at);
  }
  return true;
}

static void addName(CuteArena *arena, CuteSugarLine *line, CuteStringRef name) {
  CUTE_ARENA_PUSH(arena, line->names, line->numNames, name);
}

//===-- Loops and branches ------------------------------------------------===//

// Takes `%i = %a to %b step %c`.
static bool takeRange(CuteArena *arena, CuteLexer *lexer, CuteSugarLine *line) {
  static const char *const words[] = {"=", "to", "step"};
  CuteStringRef name, text;
  if (cuteLexerNext(lexer, &name) != CUTE_TOKEN_VALUE)
    return false;
  addName(arena, line, name);
  for (size_t i = 0; i < 3; ++i) {
    cuteLexerNext(lexer, &text);
    if (!cuteTextEquals(text, words[i]) ||
        cuteLexerNext(lexer, &text) != CUTE_TOKEN_VALUE)
      return false;
    const char *before =
        i ? i > 1 ? " step " : ".."
          : cuteArenaFormat(arena, "for %.*s in ", CUTE_TEXT(name));
    cuteSugarAddOperand(arena, line, before, text);
  }
  return true;
}

// Takes `iter_args(%s = %x, ...) -> (T, ...)`, if it is next.
static bool takeCarried(CuteArena *arena, CuteLexer *lexer,
                        CuteSugarLine *line) {
  CuteStringRef name, value, text;
  size_t first = line->numOperands, n;
  if (!cuteInfixTakeWord(lexer, "iter_args"))
    return true;
  cuteLexerTake(lexer, '(');
  do {
    if (cuteLexerNext(lexer, &name) != CUTE_TOKEN_VALUE ||
        !cuteLexerTake(lexer, '=') ||
        cuteLexerNext(lexer, &value) != CUTE_TOKEN_VALUE)
      return false;
    addName(arena, line, name);
    cuteSugarAddOperand(
        arena, line,
        cuteArenaFormat(
            arena, "%s%.*s = ", line->numOperands == first ? " carry(" : ", ",
            CUTE_TEXT(name)),
        value);
  } while (cuteLexerTake(lexer, ','));
  n = line->numOperands - first;
  const char **types = cuteArenaAllocate(arena, n * sizeof *types);
  if (!cuteLexerTake(lexer, ')') ||
      cuteLexerNext(lexer, &text) != CUTE_TOKEN_ARROW ||
      !cuteLexerTake(lexer, '(') || !takeTypes(arena, lexer, n, types))
    return false;
  for (size_t i = 0; i < n; ++i)
    line->operands[first + i].type = types[i];
  return cuteLexerTake(lexer, ')');
}

static bool readFor(CuteArena *arena, CuteLexer lexer, CuteSugarLine *line) {
  line->type = "index";
  if (!takeRange(arena, &lexer, line) || !takeCarried(arena, &lexer, line) ||
      (cuteLexerTake(&lexer, ':') && !takeTypes(arena, &lexer, 1, &line->type)))
    return false;
  cuteSugarFinish(arena, line, line->numOperands > 3 ? ") {" : " {",
                  CUTE_SUGAR_FOR);
  return cuteLexerTake(&lexer, '{') && cuteLexerPeek(&lexer) == '\0';
}

static bool readIf(CuteArena *arena, CuteLexer lexer, CuteSugarLine *line) {
  CuteStringRef name, text;
  CuteLexer after;
  if (cuteLexerNext(&lexer, &name) != CUTE_TOKEN_VALUE)
    return false;
  after = lexer;
  if (cuteLexerNext(&after, &text) == CUTE_TOKEN_ARROW) {
    lexer = after;
    if (!cuteLexerSkipBracket(&lexer))
      return false;
  }
  cuteSugarAddOperand(arena, line, "if ", name)->takesNumber = false;
  cuteSugarFinish(arena, line, " {", CUTE_SUGAR_IF);
  return cuteLexerTake(&lexer, '{') && cuteLexerPeek(&lexer) == '\0';
}

static bool readYield(CuteArena *arena, CuteLexer lexer, CuteSugarLine *line) {
  CuteStringRef name;
  do {
    if (cuteLexerNext(&lexer, &name) != CUTE_TOKEN_VALUE)
      return false;
    cuteSugarAddOperand(arena, line, line->numOperands ? ", " : "yield ", name);
  } while (cuteLexerTake(&lexer, ','));
  size_t n = line->numOperands;
  const char **types = cuteArenaAllocate(arena, n * sizeof *types);
  if (!cuteLexerTake(&lexer, ':') || !takeTypes(arena, &lexer, n, types))
    return false;
  for (size_t i = 0; i < n; ++i)
    line->operands[i].type = types[i];
  cuteSugarFinish(arena, line, "", CUTE_SUGAR_STATEMENT);
  return cuteLexerPeek(&lexer) == '\0';
}

//===-- Ops of the dialect ------------------------------------------------===//

// Takes `(%a, %b)` after the text `before`.
static bool takeOperands(CuteArena *arena, CuteLexer *lexer, const char *before,
                         CuteSugarLine *line) {
  CuteStringRef name;
  cuteLexerTake(lexer, '(');
  before = cuteArenaFormat(arena, "%s(", before);
  while (cuteLexerPeek(lexer) != ')') {
    if (line->numOperands && !cuteLexerTake(lexer, ','))
      return false;
    if (cuteLexerNext(lexer, &name) != CUTE_TOKEN_VALUE)
      return false;
    bool isFirst = !line->numOperands;
    cuteSugarAddOperand(arena, line, isFirst ? before : ", ", name)
        ->takesNumber =
        !isFirst && cuteTextStartsWith(line->body, "cute.reduce_vector<");
  }
  cuteSugarFinish(arena, line,
                  line->numOperands ? ")"
                                    : cuteArenaFormat(arena, "%s)", before),
                  CUTE_SUGAR_STATEMENT);
  return cuteLexerTake(lexer, ')');
}

// cute.name<...>(%a, %b) : types
static bool readOwn(CuteDialect *dialect, CuteArena *arena, CuteLexer lexer,
                    CuteStringRef name, CuteSugarLine *line) {
  const CuteOpDecl *decl = cuteDialectFindOp(
      dialect, (CuteStringRef){name.data + 5, name.length - 5});
  if (!decl)
    return false;
  CuteLexer after = lexer;
  if (cuteLexerTake(&after, '<') && !cuteLexerSkipBracket(&lexer))
    return false;
  const char *before = copy(arena, name.data, lexer.at);
  if (cuteLexerPeek(&lexer) != '(')
    cuteSugarFinish(arena, line, before, CUTE_SUGAR_STATEMENT);
  else if (!takeOperands(arena, &lexer, before, line))
    return false;
  line->isOwn = true;
  if (cuteLexerPeek(&lexer) == '\0')
    return true;
  if (!cuteLexerTake(&lexer, ':') || decl->declaresResults)
    return false;
  line->types =
      cuteArenaFormat(arena, " : %s", copy(arena, lexer.at + 1, lexer.end));
  return true;
}

bool cuteSugarReadStatement(CuteDialect *dialect, CuteArena *arena,
                            bool isInControl, CuteSugarLine *line) {
  CuteLexer lexer = {line->body.data, line->body.data + line->body.length};
  CuteStringRef word;
  if (cuteLexerNext(&lexer, &word) != CUTE_TOKEN_IDENTIFIER)
    return false;
  if (cuteTextStartsWith(word, "cute."))
    return readOwn(dialect, arena, lexer, word, line);
  if (cuteTextEquals(word, "scf.for"))
    return readFor(arena, lexer, line);
  if (cuteTextEquals(word, "scf.if"))
    return readIf(arena, lexer, line);
  return isInControl && cuteTextEquals(word, "scf.yield") &&
         readYield(arena, lexer, line);
}
