// Suggests a name for an unknown operation.
#include "Text/reader_parts.h"

// Returns the word that makes an op of the name, as "add" makes atomic_rmw of
// atomic_add; NULL if none does.
static const char *wordOfName(const CuteOpDecl *op, CuteStringRef name) {
  const char *const *words = op->attributes[0].words;
  size_t stem = op->name.length;
  while (stem && op->name.data[stem - 1] != '_')
    --stem;
  if (!op->numAttributes || !words || !stem || name.length <= stem ||
      memcmp(name.data, op->name.data, stem))
    return NULL;
  CuteStringRef rest = {name.data + stem, name.length - stem};
  while (*words && !cuteTextEquals(rest, *words))
    ++words;
  return *words;
}

bool cuteReaderFailUnknownOp(CuteReader *reader, CuteStringRef name,
                             const char *at) {
  CuteSuggestion nearest = cuteSuggestionBegin(name);
  for (size_t i = 0; i < CUTE_NUM_OPS; ++i) {
    CuteStringRef other = reader->dialect->ops[i].name;
    const char *word = wordOfName(&reader->dialect->ops[i], name);
    if (word)
      return cuteReaderFail(reader, at,
                            "unknown operation 'cute.%.*s'; did you mean "
                            "'cute.%.*s<\"%s\">'?",
                            CUTE_TEXT(name), CUTE_TEXT(other), word);
    cuteSuggestionOffer(&nearest, other);
  }
  int length = (int)(name.length > 100 ? 100 : name.length);
  return cuteReaderFail(
      reader, at,
      nearest.best.length
          ? "unknown operation 'cute.%.*s'; did you mean 'cute.%.*s'?"
          : "unknown operation 'cute.%.*s'",
      length, name.data, CUTE_TEXT(nearest.best));
}
