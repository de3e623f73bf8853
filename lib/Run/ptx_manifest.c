#include "Run/run.h"
#include "Support/file.h"
#include "Support/manifest_keys.h"
#include "Support/text.h"

#include <ctype.h>

bool cutePtxIsFile(const char *path) {
  const char *dot = path ? strrchr(path, '.') : NULL;
  return dot && !strcmp(dot, ".ptx");
}

//===-- PTX ---------------------------------------------------------------===//

// Gives what follows ".entry NAME", without blanks; null if there is none.
static const char *findKernel(const char *text, const char *name) {
  static const char entry[] = ".entry";
  size_t length = strlen(name);
  while ((text = strstr(text, entry))) {
    text += sizeof entry - 1;
    text += strspn(text, " \t\n");
    if (!strncmp(text, name, length) && !isalnum((unsigned char)text[length]) &&
        text[length] != '_' && text[length] != '$')
      return text + length + strspn(text + length, " \t\n");
  }
  return NULL;
}

// Reads ".reqntid 128, 1" between a kernel's parameters and its body, as
// "[128,1,1]"; null where there is none.
static char *findExtents(const char *kernel, const char *directive,
                         char text[80]) {
  const char *body = strchr(kernel, '{'), *at = strstr(kernel, directive);
  int64_t extents[3] = {1, 1, 1};
  if (!at || (body && at > body))
    return NULL;
  sscanf(at + strlen(directive), "%jd , %jd , %jd", &extents[0], &extents[1],
         &extents[2]);
  snprintf(text, 80, "[%jd,%jd,%jd]", extents[0], extents[1], extents[2]);
  return text;
}

// Tells whether the blocks wait for each other, as a cooperative launch lets
// them: the kernel reads where (CUDA's cooperative groups).
static bool usesGridGroup(const char *kernel) {
  const char *next = strstr(kernel, ".entry"), *at = strstr(kernel, "%envreg");
  return at && (!next || at < next);
}

// Gives the type of the next parameter, ".u64", and goes past it; an empty one
// after the last. An array of bytes has the type ".b8".
static CuteStringRef takeParameter(const char **at) {
  const char *end = *at + strcspn(*at, ",)");
  CuteStringRef type = {*at, 0};
  for (const char *dot = *at; dot < end && (dot = strchr(dot, '.')); ++dot)
    if (dot < end && strchr("busf", dot[1]) && isdigit((unsigned char)dot[2])) {
      type = (CuteStringRef){dot, 1};
      while (isalnum((unsigned char)type.data[type.length]))
        ++type.length;
      break;
    }
  *at = *end == ',' ? end + 1 : end;
  return type;
}

//===-- JSON --------------------------------------------------------------===//

// A struct that is passed by value is a tuple of its words of 32 bits.
static CuteStatus appendArgument(CuteString *json, const char *argument,
                                 size_t index, CuteStringRef type) {
  bool isTensor = cuteOperandIsTensorText(argument);
  bool isPointer = type.length == 4 && !strncmp(type.data + 2, "64", 2);
  long bits = strtol(type.data + 2, NULL, 10);
  cuteStringAppendFormat(json, "%s{\"index\":%zu,", index ? "," : "", index);
  if (isTensor && isPointer) {
    cuteStringAppend(json, "\"type\":\"pointer\",\"passed_as\":[{\"kind\":"
                           "\"pointer\",\"role\":\"pointer\"}]}");
    return NULL;
  }
  const char *array = type.data + strcspn(type.data, ",)[");
  bool isStruct = *array == '[';
  if (isTensor || (bits < 16 && !isStruct))
    return cuteStatusCreate("argument %zu is '%s', and the kernel's parameter "
                            "of type %.*s",
                            index, argument, CUTE_TEXT(type));
  const char *kind = type.data[1] == 'f' ? "float" : "integer";
  long count = isStruct ? strtol(array + 1, NULL, 10) / 4 : 1;
  cuteStringAppendFormat(json, "\"type\":\"%s\",\"passed_as\":[",
                         isStruct ? "struct" : kind);
  for (long i = 0; i < count; ++i)
    cuteStringAppendFormat(
        json, "%s{\"kind\":\"%s\",\"bits\":%ld,\"role\":\"%s\"}", i ? "," : "",
        kind, isStruct ? 32 : bits, isStruct ? CUTE_ROLE_WORD : "value");
  cuteStringAppend(json, "]}");
  return NULL;
}

static CuteStatus appendArguments(CuteString *json,
                                  const CuteRunArguments *arguments,
                                  const char *parameters) {
  size_t index = 0;
  const char *at = parameters + (*parameters == '(');
  for (CuteStringRef type; (type = takeParameter(&at)).length; ++index) {
    if (index >= arguments->count)
      return cuteStatusCreate("the kernel has more than %zu parameters",
                              arguments->count);
    CUTE_TRY(appendArgument(json, arguments->data[index], index, type));
    if (*at == ')' && at[-1] != ',') {
      ++index;
      break;
    }
  }
  return index == arguments->count
             ? NULL
             : cuteStatusCreate("the kernel has %zu parameters, not %zu", index,
                                arguments->count);
}

//===-- Reading -----------------------------------------------------------===//

static CuteStatus writeManifest(CuteString *json, const char *text,
                                const CuteRunOptions *options) {
  char block[80], cluster[80];
  const char *parameters = findKernel(text, options->kernel);
  if (!parameters)
    return cuteStatusCreate("there is no kernel '%s' in '%s'", options->kernel,
                            options->manifest);
  if (options->hasBlock)
    snprintf(block, sizeof block, "[%jd,%jd,%jd]", options->block[0],
             options->block[1], options->block[2]);
  else if (!findExtents(parameters, ".reqntid", block))
    return cuteStatusCreate("'%s' has no .reqntid: give --block",
                            options->kernel);
  cuteStringAppendFormat(
      json,
      "{\"version\":1,\"file\":\"kernel.ptx\",\"kernels\":[{\"name\":\"%s\","
      "\"static_shared_bytes\":0,\"dynamic_shared_bytes\":%jd,\"block\":%s,",
      options->kernel, options->sharedBytes, block);
  if (findExtents(parameters, ".reqnctapercluster", cluster))
    cuteStringAppendFormat(json, "\"cluster\":%s,", cluster);
  if (usesGridGroup(parameters))
    cuteStringAppend(json, "\"" CUTE_KEY_COOPERATIVE "\":true,");
  cuteStringAppend(json, "\"grid\":[\"1\"],\"parameters\":[");
  CUTE_TRY(appendArguments(json, &options->arguments[0], parameters));
  cuteStringAppend(json, "]}]}");
  return NULL;
}

CuteStatus cutePtxManifestRead(CuteManifest *manifest,
                               const CuteRunOptions *options) {
  enum { MOST = 1 << 30 };
  CUTE_SCOPED(String) json = {0}, text = {0};
  *manifest = (CuteManifest){0};
  if (!options->kernel || !options->hasGrid)
    return cuteStatusCreate("give the manifest beside the .ptx file, which "
                            "ends in .json, or --kernel, --grid and --block");
  CUTE_TRY(cuteFileRead(options->manifest, MOST, &text));
  CUTE_TRY(writeManifest(&json, cuteStringGet(&text), options));
  CUTE_TRY(cuteManifestParse(manifest, cuteStringGet(&json)));
  manifest->path = strdup(options->manifest);
  return NULL;
}
