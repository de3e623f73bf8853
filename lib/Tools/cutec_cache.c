#include "Tools/cutec_cache.h"

#include "Compile/program_folder.h"

#include <strings.h>

enum { MAX_MIB = 512 };

// Appends a text with its length before it, so that no two lists are one key.
static void add(CuteString *key, CuteStringRef text) {
  cuteStringAppendFormat(key, "%zu:", text.length);
  cuteStringAppendPiece(text, key);
}

static void addText(CuteString *key, const char *text) {
  add(key, cuteStringRef(text ? text : ""));
}

static void describeOptions(const CuteCutecOptions *options, CuteString *key) {
  const CuteCompileOptions *compile = &options->compile;
  cuteStringAppendFormat(key, "%d %d %d %u %d %d %d\n", (int)options->form,
                         (int)options->embed, (int)compile->emit,
                         compile->optLevel, compile->lineInfo, options->strict,
                         options->lint);
  for (size_t i = 0; i < options->numArchs; ++i)
    addText(key, options->archs[i]);
  addText(key, compile->ptxas);
  addText(key, compile->skip);
  addText(key, options->passes);
  for (size_t i = 0; i < options->parameters.count; ++i) {
    add(key, fromMlirString(options->parameters.list[i].name));
    add(key, fromMlirString(options->parameters.list[i].value));
  }
}

// Gives the folder that the option or the environment names, or null.
static const char *getFolder(const CuteCutecOptions *options) {
  static const char *const off[] = {"", "off", "0", "no", "false"};
  const char *folder = options->cache ? options->cache : getenv("CUTE_CACHE");
  for (size_t i = 0; folder && i < sizeof off / sizeof *off; ++i)
    if (!strcasecmp(folder, off[i]))
      return NULL;
  return folder;
}

CuteCutecCache cuteCutecCacheOpen(const CuteCutecOptions *options,
                                  const CuteSource *source, const char *file,
                                  const char *name) {
  CuteCutecCache cache = {0};
  const char *folder = getFolder(options);
  bool asksMore = options->report || options->time || options->saveTemps ||
                  options->exportPrefix || options->verbose;
  if (!folder || options->noCache || asksMore)
    return cache;
  cache.cache = cuteCacheCreate(folder, (uint64_t)MAX_MIB << 20);
  cuteCacheDescribeLibrary(cuteStringAppendPiece, &cache.key);
  describeOptions(options, &cache.key);
  addText(&cache.key, file);
  addText(&cache.key, name);
  addText(&cache.key, source->name);
  cuteProgramDescribe(&cache.key, "ptxas");
  cuteProgramDescribe(&cache.key, "fatbinary");
  add(&cache.key, source->text);
  return cache;
}

void cuteCutecCacheClose(CuteCutecCache *cache) {
  cuteCacheDestroy(cache->cache);
  cuteStringDestroy(&cache->key);
}

// A value is "CODE MANIFEST HEADER\n", their lengths, and then they.
static void split(CuteStringRef value, void *userData) {
  CuteCutecCode *code = userData;
  CuteString *parts[] = {&code->code, &code->manifest, &code->header};
  const char *end = memchr(value.data, '\n', value.length);
  char *at = (char *)value.data;
  size_t left = end ? value.length - (size_t)(end + 1 - value.data) : 0;
  for (size_t i = 0; end && i < 3; ++i) {
    size_t n = strtoul(at, &at, 10);
    n = n < left ? n : left;
    cuteStringAppendBytes(parts[i], end + 1, n);
    end += n;
    left -= n;
  }
}

bool cuteCutecCacheFind(CuteCutecCache *cache, CuteCutecCode *code) {
  return cache->cache &&
         cuteCacheFind(cache->cache, cuteStringGetRef(&cache->key), split,
                       code);
}

void cuteCutecCacheKeep(CuteCutecCache *cache, const CuteCutecCode *code) {
  if (!cache->cache)
    return;
  CUTE_SCOPED(String) value = {0};
  cuteStringAppendFormat(&value, "%zu %zu %zu\n", code->code.length,
                         code->manifest.length, code->header.length);
  cuteStringAppendPiece(cuteStringGetRef(&code->code), &value);
  cuteStringAppendPiece(cuteStringGetRef(&code->manifest), &value);
  cuteStringAppendPiece(cuteStringGetRef(&code->header), &value);
  cuteCacheKeep(cache->cache, cuteStringGetRef(&cache->key),
                cuteStringGetRef(&value));
}
