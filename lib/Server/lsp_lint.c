// The lint's findings, kept for kernels that stay the same.
#include "Server/lsp.h"

#include "Lint/lint.h"
#include "Support/growing_array.h"
#include "Support/hash.h"
#include "Tools/driver.h"

static void destroy(CuteLspKernel *kernel) {
  while (kernel->numCosts)
    cuteStringDestroy(&kernel->costs[--kernel->numCosts].text);
  free(kernel->costs);
  json_decref(kernel->diagnostics);
}

void cuteLspLintClear(CuteLspDocument *document) {
  while (document->numKernels)
    destroy(&document->kernels[--document->numKernels]);
  free(document->kernels);
  document->kernels = NULL;
  document->kernelCapacity = 0;
}

//===-- The architecture --------------------------------------------------===//

// The architecture, with all its features, that has instructions for all ops.
static const char *neededArch(const CuteLspDocument *document) {
  int need = 0;
  const char *name = CUTE_DEFAULT_ARCH;
  CuteDialect *dialect = cuteDialectFind(document->context);
  CUTE_FOR_NESTED(op, mlirModuleGetOperation(document->module)) {
    const CuteOpDecl *decl = cuteDialectGetDecl(dialect, op);
    if (decl && decl->traits.arch > need)
      need = decl->traits.arch;
  }
  for (size_t i = 0; i < cuteArchGetNum(); ++i)
    if (cuteArchGet(i)->number == need)
      name = cuteArchGet(i)->name;
  return cuteArchFind(name)->number < cuteArchFind(CUTE_DEFAULT_ARCH)->number
             ? CUTE_DEFAULT_ARCH
             : name;
}

const char *cuteLspLintGetArch(const CuteLspDocument *document) {
  const char *at = strstr(cuteStringGet(&document->text), "--arch=");
  CUTE_SCOPED(String) name = {0};
  const CuteArch *arch = NULL;
  if (at) {
    at += strlen("--arch=");
    cuteStringAppendBytes(&name, at,
                          strspn(at, "abcdefghijklmnopqrstuvwxyz_0123456789"));
    arch = cuteArchFind(cuteStringGet(&name));
  }
  return document->server->arch ? document->server->arch
         : arch                 ? arch->name
                                : neededArch(document);
}

//===-- The kernels of a text ---------------------------------------------===//

static void findKernels(CuteLspDocument *document) {
  for (size_t i = 0; i < document->index.count; ++i) {
    const CuteLspName *name = &document->index.names[i];
    if (cuteTextEquals(name->op, "gpu.func"))
      CUTE_PUSH(document->kernels, document->numKernels,
                document->kernelCapacity,
                ((CuteLspKernel){.from = name->op.data, .to = name->end}));
  }
}

// Hashes the tokens of each kernel, with their places in it, and those outside.
static void hashKernels(CuteLspDocument *document, const char *arch) {
  const char *text = cuteStringGet(&document->text);
  CuteLexer lexer = {text, text + document->text.length};
  CuteLspKernel *kernel = document->kernels;
  CuteLspKernel *end = kernel + document->numKernels;
  uint64_t meaning = cuteHashBytes(arch, strlen(arch)), places = 0;
  CuteStringRef token;
  size_t line = 0;
  while (cuteLexerNext(&lexer, &token) != CUTE_TOKEN_END) {
    size_t offset = (size_t)(token.data - text);
    line = cuteLinesFindNear(&document->lines, offset, line);
    size_t column = offset - document->lines.starts[line];
    uint64_t hash = cuteHashBytes(token.data, token.length);
    while (kernel < end && token.data >= kernel->to)
      ++kernel;
    if (kernel < end && token.data == kernel->from)
      kernel->line = line;
    if (kernel < end && token.data >= kernel->from) {
      hash = cuteHashMix(cuteHashMix(hash, line - kernel->line), column);
      kernel->meaning = cuteHashMix(kernel->meaning, hash);
    } else {
      meaning = cuteHashMix(meaning, hash);
      places = cuteHashMix(cuteHashMix(places, line), column);
    }
  }
  for (kernel = document->kernels; kernel < end; ++kernel) {
    kernel->meaning = cuteHashMix(kernel->meaning, meaning);
    kernel->places = cuteHashMix(places, kernel->line);
  }
}

// The place of a function in the text; false where it is not there.
static bool locate(const CuteLspDocument *document, MlirOperation op,
                   unsigned *line, unsigned *column) {
  CutePosition position = cutePositionOf(op);
  *line = position.line;
  *column = position.column;
  return cuteTextEquals(position.file, document->uri);
}

// The kernel of the text that a function was made from; a new one, which no
// text can be found by, if there is none or if it is another function's.
static CuteLspKernel *kernelOf(CuteLspDocument *document,
                               MlirOperation function) {
  unsigned line, column;
  const char *at = locate(document, function, &line, &column)
                       ? cuteStringGet(&document->text) +
                             cuteLspDocumentLocate(document, line, column)
                       : NULL;
  for (size_t i = 0; at && i < document->numKernels; ++i)
    if (document->kernels[i].from == at && !document->kernels[i].isLinted)
      return &document->kernels[i];
  CUTE_PUSH(document->kernels, document->numKernels, document->kernelCapacity,
            (CuteLspKernel){0});
  return &document->kernels[document->numKernels - 1];
}

// Tells whether a line, counted from the kernel's first, is one of its lines.
static bool isInside(const CuteLspDocument *document,
                     const CuteLspKernel *kernel, int line) {
  const char *text = cuteStringGet(&document->text);
  return kernel->to && line >= 0 &&
         kernel->line + (size_t)line <=
             cuteLinesFind(&document->lines, (size_t)(kernel->to - text));
}

//===-- Findings ----------------------------------------------------------===//

typedef struct Listener {
  const CuteLspDocument *document;
  CuteLspKernel *kernel;
} Listener;

static void noteCost(void *userData, MlirOperation op, int64_t weight,
                     const char *text) {
  const Listener *listener = userData;
  CuteLspKernel *kernel = listener->kernel;
  unsigned number, column;
  if (!locate(listener->document, op, &number, &column))
    return;
  int line = (int)number - 1 - (int)kernel->line;
  size_t i = 0;
  while (i < kernel->numCosts && kernel->costs[i].line != line)
    ++i;
  if (i == kernel->numCosts)
    CUTE_PUSH(kernel->costs, kernel->numCosts, kernel->costCapacity,
              ((CuteLspCost){.line = line, .weight = -1}));
  CuteLspCost *cost = &kernel->costs[i];
  if (cost->weight >= weight)
    return;
  cost->weight = weight;
  cuteStringClear(&cost->text);
  cuteStringAppend(&cost->text, text);
}

// Lints a function: what the document's diagnostics get is the kernel's, too.
static void lint(CuteLspDocument *document, CuteLspKernel *kernel,
                 MlirOperation function, const CuteArch *arch) {
  size_t first = json_array_size(document->diagnostics);
  CUTE_LOCKED *dialect = cuteDialectLock(document->context);
  cuteLintKernel(dialect, function, arch, noteCost,
                 &(Listener){document, kernel});
  kernel->diagnostics = json_array();
  for (size_t i = first; i < json_array_size(document->diagnostics); ++i)
    json_array_append(kernel->diagnostics,
                      json_array_get(document->diagnostics, i));
  kernel->isPlaced = json_array_size(kernel->diagnostics);
  for (size_t i = 0; i < kernel->numCosts; ++i)
    kernel->isPlaced |= !isInside(document, kernel, kernel->costs[i].line);
}

// Takes what was found in the same kernel before; false if there is none.
static bool take(CuteLspDocument *document, CuteLspKernel *kernel,
                 CuteLspKernel *old, size_t numOld) {
  while (numOld && (old->meaning != kernel->meaning || !old->diagnostics ||
                    (old->isPlaced && old->places != kernel->places)))
    ++old, --numOld;
  if (!numOld || !kernel->meaning)
    return false;
  kernel->isPlaced = old->isPlaced;
  kernel->diagnostics = old->diagnostics;
  kernel->costs = old->costs;
  kernel->numCosts = old->numCosts;
  *old = (CuteLspKernel){0};
  json_array_extend(document->diagnostics, kernel->diagnostics);
  return true;
}

void cuteLspLint(CuteLspDocument *document) {
  if (!document->server->lints)
    return;
  const char *name = cuteLspLintGetArch(document);
  CuteLspKernel *old = document->kernels;
  size_t numOld = document->numKernels;
  document->kernels = NULL;
  document->numKernels = document->kernelCapacity = 0;
  findKernels(document);
  hashKernels(document, name);
  CUTE_FOR_NESTED(op, mlirModuleGetOperation(document->module)) {
    if (!cuteMlirIs(op, "gpu.func"))
      continue;
    CuteLspKernel *kernel = kernelOf(document, op);
    kernel->isLinted = true;
    if (!take(document, kernel, old, numOld))
      lint(document, kernel, op, cuteArchFind(name));
  }
  for (size_t i = 0; i < numOld; ++i)
    destroy(&old[i]);
  free(old);
  document->isLinted = true;
}
