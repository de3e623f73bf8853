#include "Hardware/element.h"
#include "Package/package.h"
#include "Support/manifest_parts.h"

#include <ctype.h>

typedef struct Writer {
  CuteCSource *out;
  const char *name; // of the module
} Writer;

static bool isPointer(const json_t *parameter) {
  return !json_object_get(parameter, CUTE_KEY_ELEMENT) &&
         json_array_size(partsOf(parameter)) == 1 &&
         isKind(json_array_get(partsOf(parameter), 0), CUTE_KIND_POINTER);
}

// A number or a pointer by itself, which needs no struct.
static bool isScalar(const json_t *parameter) {
  const json_t *part = json_array_get(partsOf(parameter), 0);
  return isPointer(parameter) ||
         (json_array_size(partsOf(parameter)) == 1 &&
          !strcmp(textOf(part, CUTE_KEY_ROLE), "value"));
}

// Tells whether there is something to give for it.
static bool hasParts(const json_t *parameter) {
  return !isHidden(parameter) && json_array_size(partsOf(parameter));
}

void cuteCSourceAppendName(CuteString *name, const char *text) {
  if (isdigit((unsigned char)*text))
    cuteStringAppendChar(name, '_');
  for (; *text; ++text)
    cuteStringAppendChar(name, isalnum((unsigned char)*text) ? *text : '_');
}

//===-- Arguments ---------------------------------------------------------===//

static const char *typeOf(const json_t *part) {
  json_int_t bits = json_integer_value(json_object_get(part, CUTE_KEY_BITS));
  if (isKind(part, CUTE_KIND_POINTER))
    return "CuteDevicePointer";
  if (isKind(part, CUTE_KIND_FLOAT))
    return bits == 64 ? "double" : "float";
  return bits == 64   ? "int64_t"
         : bits == 16 ? "int16_t"
         : bits == 8  ? "int8_t"
                      : "int32_t";
}

// The member for a part: data, shape0, stride1, value.
static void appendMember(CuteString *text, const json_t *part) {
  const char *role = textOf(part, CUTE_KEY_ROLE);
  if (isKind(part, CUTE_KIND_POINTER))
    role = "data";
  for (; *role; ++role)
    if (isalnum((unsigned char)*role))
      cuteStringAppendChar(text, *role);
}

// The struct of an argument, with a member for each part.
static void writeStruct(Writer *w, const char *kernel, size_t index,
                        const json_t *parameter) {
  CuteString *text = &w->out->header;
  const json_t *part;
  size_t i;
  cuteStringAppendFormat(text, "/* %s */\ntypedef struct %s_arg%zu {\n",
                         textOf(parameter, CUTE_KEY_TYPE), kernel, index);
  json_array_foreach(partsOf(parameter), i, part) {
    cuteStringAppendFormat(text, "  %s ", typeOf(part));
    appendMember(text, part);
    cuteStringAppend(text, ";\n");
  }
  cuteStringAppendFormat(text, "} %s_arg%zu;\n\n", kernel, index);
}

// ", type argN" for each argument that has parts.
static void writeParameters(CuteString *text, const char *kernel,
                            const json_t *parameters) {
  const json_t *parameter;
  size_t i;
  json_array_foreach(parameters, i, parameter) {
    if (isScalar(parameter))
      cuteStringAppendFormat(text, ",\n    %s arg%zu",
                             typeOf(json_array_get(partsOf(parameter), 0)), i);
    else if (hasParts(parameter))
      cuteStringAppendFormat(text, ",\n    %s_arg%zu arg%zu", kernel, i, i);
  }
}

// The leaves of "((?{i64},4),8)": what is known, or the member of the argument.
static void writeLeaves(CuteString *text, const char *leaves, size_t index,
                        const char *member) {
  size_t i = 0;
  for (const char *at = leaves; *(at += strspn(at, "(), ")); ++i) {
    cuteStringAppend(text, i ? ", " : "");
    if (*at == '?') {
      cuteStringAppendFormat(text, "arg%zu.%s%zu", index, member, i);
      at += at[1] == '{' ? strcspn(at, "}") + 1 : 1;
    } else {
      size_t n = strcspn(at, "(), ");
      cuteStringAppendBytes(text, at, n);
      at += n;
    }
  }
}

static size_t countLeaves(const char *leaves) {
  size_t n = 0;
  for (const char *at = leaves; *(at += strspn(at, "(), ")); ++n)
    at +=
        *at == '?' && at[1] == '{' ? strcspn(at, "}") + 1 : strcspn(at, "(), ");
  return n;
}

static void writeTensor(CuteString *text, size_t index,
                        const json_t *parameter) {
  const char *shape = textOf(parameter, CUTE_KEY_SHAPE);
  CuteElementType element = CUTE_ELEMENT_F32;
  cuteElementTypeFind(cuteStringRef(textOf(parameter, CUTE_KEY_ELEMENT)),
                      &element);
  cuteStringAppendFormat(text,
                         "{.isTensor = true, .element = (CuteElementType)%d /* "
                         "%s */, .rank = %zu,\n     .extents = {",
                         (int)element, textOf(parameter, CUTE_KEY_ELEMENT),
                         countLeaves(shape));
  writeLeaves(text, shape, index, "shape");
  cuteStringAppend(text, "}, .strides = {");
  writeLeaves(text, textOf(parameter, CUTE_KEY_STRIDE), index, "stride");
  cuteStringAppendFormat(text, "},\n     .address = arg%zu.data}", index);
}

// The numbers of an argument other than a tensor.
static void writeNumbers(CuteString *text, size_t index,
                         const json_t *parameter) {
  const json_t *part;
  size_t i;
  cuteStringAppendFormat(text, "{.numNumbers = %zu",
                         json_array_size(partsOf(parameter)));
  json_array_foreach(partsOf(parameter), i, part) {
    CUTE_SCOPED(String) value = {0};
    cuteStringAppendFormat(&value, isScalar(parameter) ? "arg%zu" : "arg%zu.",
                           index);
    if (!isScalar(parameter))
      appendMember(&value, part);
    bool isFloat = isKind(part, CUTE_KIND_FLOAT);
    cuteStringAppendFormat(text, ",\n     .numbers[%zu] = {", i);
    if (isFloat)
      cuteStringAppendFormat(text, "false, 0, %s}", cuteStringGet(&value));
    else
      cuteStringAppendFormat(text, "true, %s, (double)%s}",
                             cuteStringGet(&value), cuteStringGet(&value));
  }
  cuteStringAppendChar(text, '}');
}

static void writeArguments(CuteString *text, const json_t *parameters,
                           size_t count) {
  const json_t *parameter;
  size_t i;
  cuteStringAppendFormat(text, "  const CuteArgument arguments[%zu] = {",
                         count ? count : 1);
  json_array_foreach(parameters, i, parameter) {
    if (isHidden(parameter))
      continue;
    cuteStringAppend(text, i ? ",\n    " : "\n    ");
    if (json_object_get(parameter, CUTE_KEY_ELEMENT))
      writeTensor(text, i, parameter);
    else if (isPointer(parameter))
      cuteStringAppendFormat(text, "{.isTensor = true, .address = arg%zu}", i);
    else
      writeNumbers(text, i, parameter);
  }
  cuteStringAppend(text, count ? "};\n" : "{.rank = 0}};\n");
}

//===-- Kernels -----------------------------------------------------------===//

static size_t countArguments(const json_t *parameters) {
  const json_t *parameter;
  size_t i, n = 0;
  json_array_foreach(parameters, i, parameter) { n += !isHidden(parameter); }
  return n;
}

static void writePrototype(const Writer *w, CuteString *text,
                           const char *kernel, const json_t *json) {
  cuteStringAppendFormat(
      text, "CuteStatus %s_launch(%s_kernels *kernels, CuteCudaStream stream",
      kernel, w->name);
  writeParameters(text, kernel, json_object_get(json, CUTE_KEY_PARAMETERS));
  if (json_is_null(json_object_get(json, CUTE_KEY_GRID)))
    cuteStringAppend(text, ",\n    const int64_t grid[3]");
  cuteStringAppendChar(text, ')');
}

static void writeKernel(Writer *w, size_t index, const json_t *json) {
  const json_t *parameters = json_object_get(json, CUTE_KEY_PARAMETERS);
  const json_t *parameter;
  bool hasGrid = !json_is_null(json_object_get(json, CUTE_KEY_GRID));
  CUTE_SCOPED(String) name = {0};
  cuteCSourceAppendName(&name, textOf(json, CUTE_KEY_NAME));
  const char *kernel = cuteStringGet(&name);
  size_t i, count = countArguments(parameters);
  json_array_foreach(parameters, i, parameter) {
    if (hasParts(parameter) && !isScalar(parameter))
      writeStruct(w, kernel, i, parameter);
  }
  CuteString *header = &w->out->header, *source = &w->out->source;
  cuteStringAppendFormat(
      header,
      "/* Checks the arguments and starts kernel %s%s; does not wait. */\n",
      textOf(json, CUTE_KEY_NAME), hasGrid ? "" : " with this many blocks");
  writePrototype(w, header, kernel, json);
  cuteStringAppend(header, ";\n\n");
  writePrototype(w, source, kernel, json);
  cuteStringAppend(source, " {\n");
  writeArguments(source, parameters, count);
  cuteStringAppendFormat(
      source,
      "  return cuteLoadedKernelLaunch(kernels->list[%zu], stream, %zu,\n      "
      "                          arguments, %s);\n}\n\n",
      index, count, hasGrid ? "NULL" : "grid");
}

//===-- Modules -----------------------------------------------------------===//

static void writeBytes(CuteString *text, const char *name,
                       CuteStringRef bytes) {
  cuteStringAppendFormat(
      text, "static const _Alignas(16) unsigned char %s[] = {", name);
  for (size_t i = 0; i < bytes.length; ++i)
    cuteStringAppendFormat(text, i % 20 ? "%u," : "\n%u,",
                           (unsigned)(unsigned char)bytes.data[i]);
  cuteStringAppend(text, "0};\n\n");
}

// Templates: kernels_header.txt with the architecture and the module's name,
// kernels_source.txt with the name and the number of kernels.
extern const char cuteKernelsHeader[], cuteKernelsSource[];

static void writeSourceStart(Writer *w, const json_t *manifest,
                             const CuteString *code, const json_t *kernels) {
  CuteString *text = &w->out->source;
  const char *name = w->name;
  size_t i, n = json_array_size(kernels);
  const json_t *kernel;
  char *dumped = json_dumps(manifest, JSON_COMPACT);
  const char *file = textOf(manifest, CUTE_KEY_FILE);
  const char *dot = strrchr(file, '.');
  cuteStringAppendFormat(text, "#include \"%.*s.h\"\n\n#include <stdlib.h>\n\n",
                         (int)(dot ? (size_t)(dot - file) : strlen(file)),
                         file);
  writeBytes(text, "manifest", cuteStringRef(dumped));
  writeBytes(text, "code", cuteStringGetRef(code));
  free(dumped);
  cuteStringAppendFormat(text, "static const char *const names[] = {");
  json_array_foreach(kernels, i, kernel) {
    cuteStringAppendFormat(text, "%s\"%s\"", i ? ", " : "",
                           textOf(kernel, CUTE_KEY_NAME));
  }
  cuteStringAppend(text, "};\n\n");
  cuteStringAppendFormat(text, cuteKernelsSource, name, n);
}

// The names of kernels are symbols of PTX: letters, digits, _ and $.
static bool checkNames(const json_t *kernels, CuteString *message) {
  const json_t *a, *b;
  size_t i, j;
  if (!json_array_size(kernels))
    cuteStringAppend(message, "there is no kernel to write C for");
  json_array_foreach(kernels, i, a) {
    for (j = i + 1; j < json_array_size(kernels); ++j) {
      CUTE_SCOPED(String) first = {0}, second = {0};
      b = json_array_get(kernels, j);
      cuteCSourceAppendName(&first, textOf(a, CUTE_KEY_NAME));
      cuteCSourceAppendName(&second, textOf(b, CUTE_KEY_NAME));
      if (!message->length &&
          cuteTextIsSame(cuteStringGetRef(&first), cuteStringGetRef(&second)))
        cuteStringAppendFormat(
            message, "the kernels '%s' and '%s' would both be '%s' in C",
            textOf(a, CUTE_KEY_NAME), textOf(b, CUTE_KEY_NAME),
            cuteStringGet(&first));
    }
  }
  return !message->length;
}

// Parts that a launcher cannot fill in.
static bool checkPart(const json_t *kernel, const json_t *parameter,
                      const json_t *part, CuteString *message) {
  json_int_t bits = json_integer_value(json_object_get(part, CUTE_KEY_BITS));
  if (!isKind(part, CUTE_KIND_OPAQUE) &&
      !(isKind(part, CUTE_KIND_FLOAT) && bits < 32))
    return true;
  cuteStringAppendFormat(
      message, "argument %d of kernel '%s' is of a type that C cannot pass: %s",
      (int)json_integer_value(json_object_get(parameter, CUTE_KEY_INDEX)),
      textOf(kernel, CUTE_KEY_NAME), textOf(parameter, CUTE_KEY_TYPE));
  return false;
}

static bool checkParts(const json_t *kernel, CuteString *message) {
  const json_t *parameter, *part;
  size_t i, j;
  json_array_foreach(json_object_get(kernel, CUTE_KEY_PARAMETERS), i,
                     parameter) {
    json_array_foreach(partsOf(parameter), j, part) {
      if (!checkPart(kernel, parameter, part, message))
        return false;
    }
  }
  return true;
}

bool cuteCSourceWrite(const json_t *manifest, const CuteString *code,
                      const char *name, CuteCSource *out, CuteString *message) {
  Writer w = {out, name};
  const json_t *kernels = json_object_get(manifest, CUTE_KEY_KERNELS), *kernel;
  size_t i;
  if (!checkNames(kernels, message))
    return false;
  json_array_foreach(kernels, i, kernel) {
    if (!checkParts(kernel, message))
      return false;
  }
  cuteStringAppendFormat(&out->header, cuteKernelsHeader,
                         textOf(manifest, CUTE_KEY_ARCH), name);
  writeSourceStart(&w, manifest, code, kernels);
  json_array_foreach(kernels, i, kernel) { writeKernel(&w, i, kernel); }
  cuteStringAppend(&out->header, "#ifdef __cplusplus\n}\n#endif\n\n#endif\n");
  return true;
}
