#include "Hardware/atom_name.h"
#include "Support/text.h"

#include <stdio.h>

static bool append(CuteAtomName *name, const char *data, size_t n) {
  if (n >= CUTE_MAX_ATOM_NAME - name->length)
    return false;
  memcpy(name->text + name->length, data, n);
  name->length += n;
  name->text[name->length] = '\0';
  return true;
}

// The length of a blank, a namespace or the mark of elements padded to bytes at
// the start of the text, else 0.
static size_t skipped(CuteStringRef text) {
  static const char *const parts[] = {
      " ",       "cute::",   "cutlass::",  "SM90::",
      "GMMA::",  "SM100::",  "UMMA::",     "ScaleIn::",
      "Major::", "SM120::",  "SPARSE::",   "BLOCKSCALED::",
      "SM103::", "detail::", "Saturate::", "unpacksmem_"};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; ++i)
    if (cuteTextStartsWith(text, parts[i]))
      return strlen(parts[i]);
  return 0;
}

bool cuteAtomNameNormalize(CuteAtomName *result, CuteStringRef name) {
  *result = (CuteAtomName){{0}, 0};
  while (name.length) {
    size_t n = skipped(name);
    if (!n && (!*name.data || !append(result, name.data, 1)))
      return false;
    n += !n;
    name = (CuteStringRef){name.data + n, name.length - n};
  }
  size_t end = result->length;
  if (end >= 2 && !strcmp(result->text + end - 2, "<>"))
    result->text[result->length = end - 2] = '\0';
  return true;
}

// The single template argument; empty if there is none.
static CuteStringRef argumentOf(const CuteAtomName *name) {
  const char *open = strchr(name->text, '<');
  if (!open || name->text[name->length - 1] != '>')
    return (CuteStringRef){name->text, 0};
  return (CuteStringRef){open + 1,
                         (size_t)(name->text + name->length - open - 2)};
}

// The arguments of a template, at most four; commas in <> belong to them.
static size_t splitArguments(CuteStringRef list, CuteStringRef *arguments) {
  size_t count = 0, start = 0;
  int depth = 0;
  for (size_t i = 0; i <= list.length; ++i) {
    char c = i < list.length ? list.data[i] : ',';
    depth += (c == '<') - (c == '>');
    if (c != ',' || (depth && i < list.length))
      continue;
    if (count == 4)
      return 0;
    arguments[count++] = (CuteStringRef){list.data + start, i - start};
    start = i + 1;
  }
  return count;
}

bool cuteAtomNameOfMma(CuteAtomName *result, CuteStringRef name) {
  static const char prefix[] = "UniversalFMA<";
  if (!cuteAtomNameNormalize(result, name))
    return false;
  CuteAtomName given = *result;
  CuteStringRef types[4], list = argumentOf(&given);
  if (strncmp(given.text, prefix, strlen(prefix)) || !list.length)
    return true;
  size_t count = splitArguments(list, types);
  if (!count)
    return false;
  for (size_t i = count; i < 4; ++i)
    types[i] = types[i == 2 ? 1 : 0];
  *result = (CuteAtomName){{0}, 0};
  bool ok = append(result, prefix, strlen(prefix));
  for (size_t i = 0; ok && i < 4; ++i)
    ok = append(result, types[i].data, types[i].length) &&
         append(result, i < 3 ? "," : ">", 1);
  return ok;
}

bool cuteAtomNameOfCopy(CuteAtomName *result, CuteStringRef name) {
  if (!cuteAtomNameNormalize(result, name))
    return false;
  CuteAtomName given = *result;
  CuteStringRef argument = argumentOf(&given);
  CuteElementType element;
  if (!argument.length || !cuteElementTypeFindAny(argument, &element))
    return true;
  char text[32];
  int n =
      snprintf(text, sizeof text, "uint%u_t>", cuteElementTypeGetBits(element));
  result->length = (size_t)(argument.data - given.text);
  return append(result, text, (size_t)n);
}
