#include "SimulatedDevice/translate/ptx_module.h"
#include "SimulatedDevice/translate/ptx_text.h"
#include "Support/growing_array.h"
#include "Support/text.h"

#include <ctype.h>

//===-- Variables ---------------------------------------------------------===//

// Appends to a string of LLVM IR.
static void appendEscaped(CuteString *ir, const char *data, size_t n) {
  for (size_t i = 0; i < n; ++i)
    if (data[i] == '"' || data[i] == '\\' || !isprint((unsigned char)data[i]))
      cuteStringAppendFormat(ir, "\\%02X", (unsigned char)data[i]);
    else
      cuteStringAppendChar(ir, data[i]);
}

static void appendBytes(CuteString *ir, const CuteString *bytes) {
  cuteStringAppend(ir, "c\"");
  appendEscaped(ir, bytes->data, bytes->length);
  cuteStringAppend(ir, "\"");
}

// A variable of the module in shared, global or constant memory.
static CuteStatus takeModuleVariable(CutePtxText *m, CuteStringRef space,
                                     bool isExternal) {
  CutePtxSymbol s;
  CUTE_SCOPED(String) bytes = {0};
  bool isShared = cuteTextEquals(space, ".shared");
  CutePtxSymbolKind kind = isShared     ? CUTE_PTX_SHARED
                           : isExternal ? CUTE_PTX_UNKNOWN
                                        : CUTE_PTX_GLOBAL;
  CUTE_TRY(cutePtxTakeVariable(m, kind, &s));
  CUTE_TRY(cutePtxTakeInitializer(m, &s, &bytes));
  cutePtxPushSymbol(m, s);
  if (s.kind == CUTE_PTX_UNKNOWN)
    return NULL;
  cuteStringAppendFormat(
      m->ir, "@\"%.*s\" = %s addrspace(%d) global [%lu x i8] ",
      (int)s.name.length, s.name.data, isExternal ? "external" : "internal",
      isShared ? 3 : 1, s.bytes);
  if (!isShared)
    appendBytes(m->ir, &bytes);
  else if (!isExternal)
    cuteStringAppend(m->ir, "undef");
  cuteStringAppendFormat(m->ir, ", align %lu\n", s.align);
  return NULL;
}

//===-- Kernels -----------------------------------------------------------===//

static void appendParameter(CuteString *ir, const CutePtxSymbol *s, size_t i) {
  cuteStringAppend(ir, ir->data[ir->length - 1] == '(' ? "" : ", ");
  if (s->kind == CUTE_PTX_PARAMETER)
    cuteStringAppendFormat(ir, "i%lu %%p%zu", 8 * s->bytes, i);
  else
    cuteStringAppendFormat(ir, "ptr byval([%lu x i8]) align %lu %%p%zu",
                           s->bytes, s->align, i);
}

// The name in LLVM IR, where kernels may have variables of the same name.
static void appendName(CuteString *ir, const CutePtxSymbol *s) {
  if (s->kernel.length)
    cuteStringAppendFormat(ir, "@\"%.*s.%.*s.%u\"", (int)s->kernel.length,
                           s->kernel.data, (int)s->name.length, s->name.data,
                           s->line);
  else
    cuteStringAppendFormat(ir, "@\"%.*s\"", (int)s->name.length, s->name.data);
}

// Computes the address of a symbol, as %s<i>.
static void appendAddress(CuteString *ir, const CutePtxSymbol *s, size_t i) {
  if (s->kind == CUTE_PTX_PARAMETER)
    cuteStringAppendFormat(ir,
                           "  %%a%zu = alloca i%lu\n  store i%lu %%p%zu, ptr "
                           "%%a%zu\n  %%s%zu = ptrtoint ptr %%a%zu to i64\n",
                           i, 8 * s->bytes, 8 * s->bytes, i, i, i, i);
  else if (s->kind == CUTE_PTX_PARAMETER_ARRAY)
    cuteStringAppendFormat(ir, "  %%s%zu = ptrtoint ptr %%p%zu to i64\n", i, i);
  else if (s->kind == CUTE_PTX_LOCAL)
    cuteStringAppendFormat(ir,
                           "  %%a%zu = alloca [%lu x i8], align %lu\n  %%s%zu "
                           "= ptrtoint ptr %%a%zu to i64\n",
                           i, s->bytes, s->align, i, i);
  else if (s->kind == CUTE_PTX_SHARED || s->kind == CUTE_PTX_GLOBAL) {
    cuteStringAppendFormat(ir, "  %%s%zu = ptrtoint ptr addrspace(%d) ", i,
                           s->kind == CUTE_PTX_SHARED ? 3 : 1);
    appendName(ir, s);
    cuteStringAppend(ir, " to i64\n");
  }
}

static void appendCall(CutePtxText *m, const CuteString *body) {
  cuteStringAppend(m->ir, "  call void asm sideeffect \"");
  appendEscaped(m->ir, body->data, body->length);
  cuteStringAppend(m->ir, "\", \"");
  for (size_t i = 0; i < m->numSymbols; ++i)
    cuteStringAppend(m->ir, i ? ",l" : "l");
  cuteStringAppend(m->ir, "\"(");
  for (size_t i = 0; i < m->numSymbols; ++i)
    if (m->symbols[i].kind >= CUTE_PTX_UNKNOWN)
      cuteStringAppend(m->ir, i ? ", i64 0" : "i64 0");
    else
      cuteStringAppendFormat(m->ir, "%si64 %%s%zu", i ? ", " : "", i);
  cuteStringAppend(m->ir, ")\n  ret void\n}\n");
}

// Tells whether a symbol before is the same variable of a function.
static bool isAgain(const CutePtxText *m, size_t first, size_t i) {
  for (size_t k = first; k < i; ++k)
    if (m->symbols[k].kind == CUTE_PTX_SHARED &&
        m->symbols[k].line == m->symbols[i].line &&
        cuteTextIsSame(m->symbols[k].name, m->symbols[i].name))
      return true;
  return false;
}

// Declares the kernel's own shared variables before it.
static void appendShared(CutePtxText *m, size_t first) {
  for (size_t i = first; i < m->numSymbols; ++i)
    if (m->symbols[i].kind == CUTE_PTX_SHARED && !isAgain(m, first, i)) {
      appendName(m->ir, &m->symbols[i]);
      cuteStringAppendFormat(m->ir,
                             " = internal addrspace(3) global [%lu x i8] "
                             "undef, align %lu\n",
                             m->symbols[i].bytes, m->symbols[i].align);
    }
}

static CuteStatus takeParameters(CutePtxText *m) {
  CutePtxSymbol s;
  if (!cutePtxTextTake(m, '('))
    return NULL;
  while (!cutePtxTextTake(m, ')')) {
    CuteStringRef word = cutePtxTextWord(m);
    if (!cuteTextEquals(word, ".param"))
      return cutePtxTextFail(m, m->at, "a parameter of a kernel is not known");
    CUTE_TRY(cutePtxTakeVariable(m, CUTE_PTX_PARAMETER, &s));
    cutePtxPushSymbol(m, s);
    cutePtxTextTake(m, ',');
  }
  return NULL;
}

static void appendKernel(CutePtxText *m, CuteStringRef name, size_t ofModule,
                         const CuteString *body) {
  appendShared(m, ofModule);
  cuteStringAppendFormat(m->ir, "define ptx_kernel void @\"%.*s\"(",
                         (int)name.length, name.data);
  for (size_t i = ofModule; i < m->numSymbols; ++i)
    if (m->symbols[i].kind <= CUTE_PTX_PARAMETER_ARRAY)
      appendParameter(m->ir, &m->symbols[i], i);
  cuteStringAppend(m->ir, ") {\n");
  for (size_t i = 0; i < m->numSymbols; ++i)
    appendAddress(m->ir, &m->symbols[i], i);
  appendCall(m, body);
}

static CuteStatus takeKernel(CutePtxText *m) {
  size_t ofModule = m->numSymbols;
  CUTE_SCOPED(String) body = {0};
  CuteStringRef name = m->kernel = cutePtxTextWord(m);
  CUTE_TRY(takeParameters(m));
  cutePtxSkipPast(m, '{');
  const char *start = m->at;
  cutePtxSkipBlock(m);
  const char *end = m->at;
  m->at = start;
  cuteStringAppend(&body, CUTE_PTX_BODY "\n");
  cutePtxAppendLine(m, &body);
  CUTE_TRY(cutePtxCopyBody(m, end - (end > start), &body));
  appendKernel(m, name, ofModule, &body);
  m->at = end;
  m->numSymbols = ofModule;
  return NULL;
}

//===-- Modules -----------------------------------------------------------===//

// Notes all lines '.file 1 "path"', which follow the kernels.
static void readFiles(CutePtxText *m) {
  static const char directive[] = ".file";
  for (const char *at = m->text; (at = strstr(at, directive));) {
    at += sizeof directive - 1;
    CutePtxFile file = {strtoul(at, (char **)&at, 10), {NULL, 0}};
    const char *quote = at + strspn(at, " \t"), *end = cutePtxSkipQuoted(quote);
    if (*quote != '"' || end - quote < 2)
      continue;
    file.path = (CuteStringRef){quote + 1, (size_t)(end - quote) - 2};
    CUTE_PUSH(m->files, m->numFiles, m->fileCapacity, file);
  }
}

static CuteStatus takeDirective(CutePtxText *m, CuteStringRef word,
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
    cutePtxTakeFunction(m, NULL);
  else if (cuteTextEquals(word, ".section"))
    cutePtxSkipPast(m, '{'), cutePtxSkipBlock(m);
  else if (!*isExternal && !cuteTextEquals(word, ".visible") &&
           !cuteTextEquals(word, ".weak"))
    m->at += strcspn(m->at, "\n");
  return NULL;
}

bool cutePtxIsModule(const char *text) {
  return strstr(text, "\n.version ") || !strncmp(text, ".version ", 9);
}

CuteStatus cutePtxModuleToIr(const char *text, CuteString *ir) {
  CutePtxText m = {.text = text, .at = text, .ir = ir};
  CuteStatus status = NULL;
  bool isExternal = false;
  readFiles(&m);
  cutePtxReadFunctions(&m);
  cuteStringAppend(
      ir, "target datalayout = "
          "\"e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64\"\n"
          "target triple = \"nvptx64-nvidia-cuda\"\n");
  for (CuteStringRef word; !status && (word = cutePtxTextWord(&m)).length;)
    status = takeDirective(&m, word, &isExternal);
  if (!status && *m.at)
    status = cutePtxTextFail(&m, m.at, "a directive is missing");
  free(m.symbols);
  free(m.files);
  free(m.inlinings);
  free(m.functions);
  return status;
}
