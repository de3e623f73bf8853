#include "SimulatedDevice/translate/ptx_module.h"
#include "Support/arena.h"
#include "Support/growing_array.h"
#include "Support/text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

typedef enum SymbolKind {
  PARAMETER,       // a number, of an LLVM type
  PARAMETER_ARRAY, // bytes
  SHARED,
  LOCAL,
  UNKNOWN, // global and constant memory
} SymbolKind;

typedef struct Symbol {
  CuteStringRef name;
  SymbolKind kind;
  unsigned long bytes, align;
  unsigned line;
} Symbol;

// The file with a number, as .loc names it.
typedef struct File {
  unsigned long number;
  CuteStringRef path;
} File;

typedef struct Module {
  const char *text, *at;
  CuteString *ir;
  size_t numSymbols, symbolCapacity; // those of the module come first
  Symbol *symbols;
  size_t numFiles, fileCapacity;
  File *files;
} Module;

//===-- Words -------------------------------------------------------------===//

static unsigned lineAt(const Module *m, const char *at) {
  unsigned line = 1;
  for (const char *c = m->text; c < at; ++c)
    line += *c == '\n';
  return line;
}

static CuteStatus fail(const Module *m, const char *at, const char *what) {
  return cuteStatusCreate("PTX, line %u: %s", lineAt(m, at), what);
}

// Gives the end of a comment or a string that begins here, else the place.
static const char *skipQuoted(const char *at) {
  const char *end = at;
  if (!strncmp(at, "//", 2))
    end = strchr(at, '\n');
  else if (!strncmp(at, "/*", 2))
    end = (end = strstr(at + 2, "*/")) ? end + 2 : NULL;
  else if (*at == '"')
    end = (end = strchr(at + 1, '"')) ? end + 1 : NULL;
  return end ? end : at + strlen(at);
}

static void skipBlanks(Module *m) {
  for (;;) {
    while (isspace((unsigned char)*m->at))
      ++m->at;
    const char *end = *m->at == '"' ? m->at : skipQuoted(m->at);
    if (end == m->at)
      return;
    m->at = end;
  }
}

static bool isNameCharacter(char c) {
  return isalnum((unsigned char)c) || c == '_' || c == '$' || c == '.' ||
         c == '%';
}

static CuteStringRef takeWord(Module *m) {
  skipBlanks(m);
  const char *start = m->at;
  while (isNameCharacter(*m->at))
    ++m->at;
  return (CuteStringRef){start, (size_t)(m->at - start)};
}

static bool take(Module *m, char c) {
  skipBlanks(m);
  if (*m->at != c)
    return false;
  ++m->at;
  return true;
}

// Goes past the next `c` outside of comments and strings.
static void skipPast(Module *m, char c) {
  while (*m->at && *m->at != c) {
    const char *end = skipQuoted(m->at);
    m->at = end > m->at ? end : m->at + 1;
  }
  m->at += *m->at == c;
}

// Goes past the brace that ends what one before has begun; the end of the text
// if there is none.
static void skipBlock(Module *m) {
  for (int depth = 1; *m->at && depth;) {
    const char *end = skipQuoted(m->at);
    depth += (*m->at == '{') - (*m->at == '}');
    m->at = end > m->at ? end : m->at + 1;
  }
}

//===-- Declarations ------------------------------------------------------===//

// The bits of ".u32"; 0 of other words.
static unsigned long bitsOf(CuteStringRef word) {
  bool isType = word.length > 2 && word.data[0] == '.' &&
                strchr("busf", word.data[1]) &&
                isdigit((unsigned char)word.data[2]);
  return isType ? strtoul(word.data + 2, NULL, 10) : 0;
}

// Reads ".align 8 .b8 name[24]" after the space, up to what follows.
static CuteStatus takeVariable(Module *m, SymbolKind kind, Symbol *symbol) {
  unsigned long bits = 0, count = 1;
  *symbol = (Symbol){.kind = kind};
  for (CuteStringRef word; (word = takeWord(m)).length;) {
    bits = bitsOf(word) ? bitsOf(word) : bits;
    if (cuteTextEquals(word, ".align")) {
      CuteStringRef number = takeWord(m);
      symbol->align = strtoul(number.data, NULL, 10);
    }
    if (word.data[0] != '.') {
      symbol->name = word;
      break;
    }
  }
  if (!symbol->name.length || !bits)
    return fail(m, m->at, "a declaration is not known");
  while (take(m, '[')) {
    CuteStringRef extent = takeWord(m);
    count *= extent.length ? strtoul(extent.data, NULL, 10) : 0;
    symbol->kind = kind == PARAMETER ? PARAMETER_ARRAY : kind;
    if (!take(m, ']'))
      return fail(m, m->at, "']' is missing");
  }
  symbol->bytes = bits / 8 * count;
  symbol->align = symbol->align ? symbol->align : bits / 8;
  symbol->line = lineAt(m, symbol->name.data);
  return NULL;
}

static void push(Module *m, Symbol symbol) {
  CUTE_PUSH(m->symbols, m->numSymbols, m->symbolCapacity, symbol);
}

static CuteStatus takeModuleVariable(Module *m, CuteStringRef space,
                                     bool isExternal) {
  Symbol s;
  bool isShared = cuteTextEquals(space, ".shared");
  CUTE_TRY(takeVariable(m, isShared ? SHARED : UNKNOWN, &s));
  push(m, s);
  if (isShared)
    cuteStringAppendFormat(m->ir,
                           "@\"%.*s\" = %s addrspace(3) global [%lu x i8]%s, "
                           "align %lu\n",
                           (int)s.name.length, s.name.data,
                           isExternal ? "external" : "internal", s.bytes,
                           isExternal ? "" : " undef", s.align);
  skipPast(m, ';');
  return NULL;
}

//===-- Bodies ------------------------------------------------------------===//

static int findSymbol(const Module *m, CuteStringRef name) {
  for (size_t i = m->numSymbols; i-- > 0;)
    if (cuteTextIsSame(m->symbols[i].name, name))
      return (int)i;
  return -1;
}

// Appends to a string of LLVM IR.
static void appendEscaped(CuteString *ir, const char *data, size_t n) {
  for (size_t i = 0; i < n; ++i)
    if (data[i] == '"' || data[i] == '\\' || !isprint((unsigned char)data[i]))
      cuteStringAppendFormat(ir, "\\%02X", (unsigned char)data[i]);
    else
      cuteStringAppendChar(ir, data[i]);
}

static CuteStringRef pathOf(const Module *m, unsigned long number) {
  for (size_t i = 0; i < m->numFiles; ++i)
    if (m->files[i].number == number)
      return m->files[i].path;
  return cuteStringRef("");
}

// ".loc 1 12 5, ..." as ".loc 12,5,"file";"; what has no line stays where it
// was.
static void copyPlace(Module *m, CuteString *body) {
  unsigned long number = strtoul(m->at, (char **)&m->at, 10);
  unsigned long line = strtoul(m->at, (char **)&m->at, 10);
  unsigned long column = strtoul(m->at, (char **)&m->at, 10);
  CuteStringRef path = pathOf(m, number);
  if (line)
    cuteStringAppendFormat(body, ".loc %lu,%lu,\"%.*s\";", line, column,
                           (int)path.length, path.data);
  while (*m->at && *m->at != '\n')
    ++m->at;
}

// Takes a declaration in a body out of its text.
static CuteStatus moveVariable(Module *m, CuteString *body, SymbolKind kind) {
  const char *start = m->at;
  Symbol s;
  CUTE_TRY(takeVariable(m, kind, &s));
  push(m, s);
  skipPast(m, ';');
  for (; start < m->at; ++start)
    if (*start == '\n')
      cuteStringAppendChar(body, '\n');
  return NULL;
}

static CuteStatus copyWord(Module *m, CuteStringRef word, CuteString *body) {
  int symbol = findSymbol(m, word);
  if (cuteTextEquals(word, ".loc")) {
    copyPlace(m, body);
  } else if (cuteTextEquals(word, ".pragma")) {
    skipPast(m, ';');
  } else if (cuteTextEquals(word, ".local")) {
    return moveVariable(m, body, LOCAL);
  } else if (cuteTextEquals(word, ".shared")) {
    return moveVariable(m, body, SHARED);
  } else if (symbol >= 0 && m->symbols[symbol].kind != UNKNOWN) {
    cuteStringAppendFormat(body, "$%d", symbol);
  } else {
    cuteStringAppendBytes(body, word.data, word.length);
  }
  return NULL;
}

// Copies a body up to its brace.
static CuteStatus copyBody(Module *m, const char *end, CuteString *body) {
  while (m->at < end) {
    const char *quoted = skipQuoted(m->at);
    CuteStringRef word = {m->at, 0};
    while (quoted == m->at && isNameCharacter(m->at[word.length]))
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

//===-- Kernels -----------------------------------------------------------===//

static void appendParameter(CuteString *ir, const Symbol *s, size_t i) {
  cuteStringAppend(ir, ir->data[ir->length - 1] == '(' ? "" : ", ");
  if (s->kind == PARAMETER)
    cuteStringAppendFormat(ir, "i%lu %%p%zu", 8 * s->bytes, i);
  else
    cuteStringAppendFormat(ir, "ptr byval([%lu x i8]) align %lu %%p%zu",
                           s->bytes, s->align, i);
}

// Computes the address of a symbol, as %s<i>.
static void appendAddress(CuteString *ir, const Symbol *s, size_t i) {
  if (s->kind == PARAMETER)
    cuteStringAppendFormat(ir,
                           "  %%a%zu = alloca i%lu\n  store i%lu %%p%zu, ptr "
                           "%%a%zu\n  %%s%zu = ptrtoint ptr %%a%zu to i64\n",
                           i, 8 * s->bytes, 8 * s->bytes, i, i, i, i);
  else if (s->kind == PARAMETER_ARRAY)
    cuteStringAppendFormat(ir, "  %%s%zu = ptrtoint ptr %%p%zu to i64\n", i, i);
  else if (s->kind == LOCAL)
    cuteStringAppendFormat(ir,
                           "  %%a%zu = alloca [%lu x i8], align %lu\n  %%s%zu "
                           "= ptrtoint ptr %%a%zu to i64\n",
                           i, s->bytes, s->align, i, i);
  else if (s->kind == SHARED)
    cuteStringAppendFormat(
        ir, "  %%s%zu = ptrtoint ptr addrspace(3) @\"%.*s\" to i64\n", i,
        (int)s->name.length, s->name.data);
}

static void appendCall(Module *m, const CuteString *body) {
  cuteStringAppend(m->ir, "  call void asm sideeffect \"");
  appendEscaped(m->ir, body->data, body->length);
  cuteStringAppend(m->ir, "\", \"");
  for (size_t i = 0; i < m->numSymbols; ++i)
    cuteStringAppend(m->ir, i ? ",l" : "l");
  cuteStringAppend(m->ir, "\"(");
  for (size_t i = 0; i < m->numSymbols; ++i)
    if (m->symbols[i].kind == UNKNOWN)
      cuteStringAppend(m->ir, i ? ", i64 0" : "i64 0");
    else
      cuteStringAppendFormat(m->ir, "%si64 %%s%zu", i ? ", " : "", i);
  cuteStringAppend(m->ir, ")\n  ret void\n}\n");
}

// Declares the kernel's own shared variables before it.
static void appendShared(Module *m, size_t first) {
  for (size_t i = first; i < m->numSymbols; ++i)
    if (m->symbols[i].kind == SHARED)
      cuteStringAppendFormat(m->ir,
                             "@\"%.*s\" = internal addrspace(3) global [%lu x "
                             "i8] undef, align %lu\n",
                             (int)m->symbols[i].name.length,
                             m->symbols[i].name.data, m->symbols[i].bytes,
                             m->symbols[i].align);
}

static CuteStatus takeParameters(Module *m) {
  Symbol s;
  if (!take(m, '('))
    return NULL;
  while (!take(m, ')')) {
    CuteStringRef word = takeWord(m);
    if (!cuteTextEquals(word, ".param"))
      return fail(m, m->at, "a parameter of a kernel is not known");
    CUTE_TRY(takeVariable(m, PARAMETER, &s));
    push(m, s);
    take(m, ',');
  }
  return NULL;
}

static void appendKernel(Module *m, CuteStringRef name, size_t ofModule,
                         const CuteString *body) {
  appendShared(m, ofModule);
  cuteStringAppendFormat(m->ir, "define ptx_kernel void @\"%.*s\"(",
                         (int)name.length, name.data);
  for (size_t i = ofModule; i < m->numSymbols; ++i)
    if (m->symbols[i].kind <= PARAMETER_ARRAY)
      appendParameter(m->ir, &m->symbols[i], i);
  cuteStringAppend(m->ir, ") {\n");
  for (size_t i = 0; i < m->numSymbols; ++i)
    appendAddress(m->ir, &m->symbols[i], i);
  appendCall(m, body);
}

static CuteStatus takeKernel(Module *m) {
  size_t ofModule = m->numSymbols;
  CuteString body = {0};
  CuteStringRef name = takeWord(m);
  CUTE_TRY(takeParameters(m));
  skipPast(m, '{');
  const char *start = m->at;
  skipBlock(m);
  const char *end = m->at;
  m->at = start;
  cuteStringAppend(&body, CUTE_PTX_BODY);
  for (unsigned line = lineAt(m, start); line > 1; --line)
    cuteStringAppendChar(&body, '\n');
  CuteStatus status = copyBody(m, end - (end > start), &body);
  if (!status)
    appendKernel(m, name, ofModule, &body);
  m->at = end;
  m->numSymbols = ofModule;
  cuteStringDestroy(&body);
  return status;
}

//===-- Modules -----------------------------------------------------------===//

// Notes all lines '.file 1 "path"', which follow the kernels.
static void readFiles(Module *m) {
  static const char directive[] = ".file";
  for (const char *at = m->text; (at = strstr(at, directive));) {
    at += sizeof directive - 1;
    File file = {strtoul(at, (char **)&at, 10), {NULL, 0}};
    const char *quote = at + strspn(at, " \t"), *end = skipQuoted(quote);
    if (*quote != '"' || end - quote < 2)
      continue;
    file.path = (CuteStringRef){quote + 1, (size_t)(end - quote) - 2};
    CUTE_PUSH(m->files, m->numFiles, m->fileCapacity, file);
  }
}

// Goes past a function, or its declaration.
static void skipFunction(Module *m) {
  while (*m->at && *m->at != ';' && *m->at != '{')
    ++m->at;
  bool isDefined = *m->at == '{';
  m->at += *m->at != '\0';
  if (isDefined)
    skipBlock(m);
}

static CuteStatus takeDirective(Module *m, CuteStringRef word,
                                bool *isExternal) {
  bool was = *isExternal;
  *isExternal = cuteTextEquals(word, ".extern") ||
                (was && cuteTextEquals(word, ".visible"));
  if (cuteTextEquals(word, ".entry"))
    return takeKernel(m);
  if (cuteTextEquals(word, ".shared") || cuteTextEquals(word, ".global") ||
      cuteTextEquals(word, ".const"))
    return takeModuleVariable(m, word, was);
  if (cuteTextEquals(word, ".func"))
    skipFunction(m);
  else if (cuteTextEquals(word, ".section"))
    skipPast(m, '{'), skipBlock(m);
  else if (!*isExternal && !cuteTextEquals(word, ".visible") &&
           !cuteTextEquals(word, ".weak"))
    m->at += strcspn(m->at, "\n");
  return NULL;
}

bool cutePtxIsModule(const char *text) {
  return strstr(text, "\n.version ") || !strncmp(text, ".version ", 9);
}

CuteStatus cutePtxModuleToIr(const char *text, CuteString *ir) {
  Module m = {.text = text, .at = text, .ir = ir};
  CuteStatus status = NULL;
  bool isExternal = false;
  readFiles(&m);
  cuteStringAppend(
      ir, "target datalayout = "
          "\"e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64\"\n"
          "target triple = \"nvptx64-nvidia-cuda\"\n");
  for (CuteStringRef word; !status && (word = takeWord(&m)).length;)
    status = takeDirective(&m, word, &isExternal);
  if (!status && *m.at)
    status = fail(&m, m.at, "a directive is missing");
  free(m.symbols);
  free(m.files);
  return status;
}
