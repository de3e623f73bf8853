// Ahead of time: an object with the functions and kernels of a module, and the
// header of C for it.
#include "Compile/options.h"
#include "Package/package.h"

#include <ctype.h>

//===-- Names and types in C ----------------------------------------------===//

static bool isIdentifier(const char *text) {
  if (!isalpha((unsigned char)*text) && *text != '_')
    return false;
  while (isalnum((unsigned char)*text) || *text == '_')
    ++text;
  return !*text;
}

// Null for what has no type in C.
static const char *typeOf(CuteHostPart part) {
  static const char *const integers[] = {"int8_t", "int16_t", "int32_t",
                                         "int64_t"};
  static const char *const floats[] = {"uint8_t", "uint16_t", "float",
                                       "double"};
  unsigned bytes = part.bits < 8 ? 1 : part.bits / 8;
  int log = bytes == 1 ? 0 : bytes == 2 ? 1 : bytes == 4 ? 2 : 3;
  bool isWhole = part.bits < 8 || part.bits == 8U << log;
  if (part.kind == CUTE_HOST_POINTER)
    return "void *";
  if (part.kind == CUTE_HOST_OPAQUE || !isWhole)
    return NULL;
  return part.kind == CUTE_HOST_INTEGER ? integers[log] : floats[log];
}

// argN for a pointer or a single value, argN_shape0 for others.
static void appendName(CuteString *text, const char *word, CuteHostPart part) {
  cuteStringAppendFormat(text, "%s%zu", word, part.argument);
  if (!strcmp(part.role, "pointer") || !strcmp(part.role, "value"))
    return;
  cuteStringAppendChar(text, '_');
  for (const char *c = part.role; *c; ++c)
    if (isalnum((unsigned char)*c))
      cuteStringAppendChar(text, *c);
}

static void appendParameter(CuteString *text, CuteHostPart part,
                            bool isResult) {
  const char *type = typeOf(part);
  size_t length = strlen(type);
  bool isPointer = type[length - 1] == '*';
  cuteStringAppendFormat(text, ", %s%s%s", type, isPointer ? "" : " ",
                         isResult ? "*" : "");
  appendName(text, isResult ? "result" : "arg", part);
}

//===-- Functions ---------------------------------------------------------===//

static void appendFunction(CuteString *text, const char *prefix, size_t number,
                           CuteHostSignature s) {
  size_t n = s.numParameters + s.numResults;
  cuteStringAppendFormat(
      text, "\nstatic inline CuteStatus %s_%s(CuteKernelSet *kernels", prefix,
      s.name);
  for (size_t i = 0; i < n; ++i)
    appendParameter(text, s.parts[i], i >= s.numParameters);
  cuteStringAppend(text, ") {\n  void *arguments[] = {");
  for (size_t i = 0; i < n; ++i) {
    bool isResult = i >= s.numParameters;
    cuteStringAppend(text, isResult ? "" : "&");
    appendName(text, isResult ? "result" : "arg", s.parts[i]);
    cuteStringAppend(text, ", ");
  }
  cuteStringAppendFormat(
      text,
      "NULL};\n"
      "  CuteHostContext context = {kernels, NULL, NULL};\n"
      "  return cuteHostCall(%s_module.functions[%zu], arguments, &context);\n"
      "}\n",
      prefix, number);
}

// export_header.txt, with the prefix.
extern const char cuteExportHeader[];

static void appendHeader(CuteString *text, const char *prefix,
                         const CuteHostSignatures *signatures) {
  cuteStringAppendFormat(text, cuteExportHeader, prefix);
  for (size_t i = 0; i < signatures->count; ++i)
    appendFunction(text, prefix, i, signatures->data[i]);
  cuteStringAppend(text, "\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n");
}

//===-- Checks ------------------------------------------------------------===//

static bool checkFunction(MlirLocation location, CuteHostSignature s) {
  if (!isIdentifier(s.name) || !strcmp(s.name, "load") ||
      !strcmp(s.name, "module"))
    return cuteEmitError(
        location,
        "function '%s' cannot be exported under this name: it must be an "
        "identifier of C other than load and module",
        s.name);
  for (size_t i = 0; i < s.numParameters + s.numResults; ++i)
    if (!typeOf(s.parts[i]))
      return cuteEmitError(
          location,
          "function '%s' cannot be exported: %s %zu has no type in C; "
          "pointers, and integers and floats of 8, 16, 32 and 64 bits have one",
          s.name, i < s.numParameters ? "parameter" : "result",
          s.parts[i].argument);
  return true;
}

static bool check(MlirModule module, const char *prefix) {
  MlirLocation location =
      mlirOperationGetLocation(mlirModuleGetOperation(module));
  CUTE_SCOPED(HostSignatures) signatures;
  if (!cuteHostSignaturesCollect(&signatures, module))
    return false;
  if (!isIdentifier(prefix))
    return cuteEmitError(location,
                         "'%s' is not an identifier of C, which the prefix of "
                         "exported functions must be",
                         prefix);
  if (!signatures.count)
    return cuteEmitError(
        location, "the module has no public func.func with a body to export");
  for (size_t i = 0; i < signatures.count; ++i)
    if (!checkFunction(location, signatures.data[i]))
      return false;
  return true;
}

MlirLogicalResult cuteModuleExport(MlirModule module,
                                   const CuteHostOptions *given,
                                   const char *prefix,
                                   MlirStringCallback object,
                                   MlirStringCallback header, void *userData) {
  CUTE_SCOPED(String) code = {0}, text = {0};
  CUTE_SCOPED(HostSignatures) signatures = {0};
  CuteHostOptions options;
  CuteCompileOptions kernels;
  bool ok =
      !mlirModuleIsNull(module) &&
      cuteOptionsReport(cuteHostOptionsRead(&options, &kernels, given),
                        module) &&
      check(module, prefix) &&
      cuteHostHalvesEmit(module, options, prefix, true, &signatures, &code);
  if (ok) {
    appendHeader(&text, prefix, &signatures);
    object(cuteMlirText(&code), userData);
    header(cuteMlirText(&text), userData);
  }
  return ok ? mlirLogicalResultSuccess() : mlirLogicalResultFailure();
}
