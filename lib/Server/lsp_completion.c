// Completion: of names that can be seen, ops, types, atoms and attributes. The
// editor compares them with what was typed.
#include "Server/lsp.h"

// Kinds of the protocol.
enum { FUNCTION = 3, VARIABLE = 6, CLASS = 7, PROPERTY = 10, ENUM_MEMBER = 20 };

// A place in the text: of the word before it, which an item replaces, and of
// the character before that.
typedef struct Place {
  const CuteLspDocument *document;
  CuteDialect *dialect;
  const char *line, *word, *at;
  json_t *items;
} Place;

static void add(const Place *place, CuteStringRef text, int kind,
                CuteStringRef detail) {
  const char *begin = cuteStringGet(&place->document->text);
  json_t *range =
      cuteLspDocumentGetRange(place->document, (size_t)(place->word - begin),
                              (size_t)(place->at - begin));
  json_array_append_new(
      place->items,
      json_pack("{s:s%, s:i, s:s%, s:{s:o, s:s%}}", "label", text.data,
                text.length, "kind", kind, "detail", detail.data, detail.length,
                "textEdit", "range", range, "newText", text.data, text.length));
}

//===-- Names in the text -------------------------------------------------===//

// Tells whether a name is defined where the place can see it.
static bool isVisible(const Place *place, const CuteLspName *name,
                      CuteToken kind) {
  if (name->kind != kind ||
      cuteLspIndexResolve(&place->document->index, name) != name)
    return false;
  return kind != CUTE_TOKEN_VALUE ||
         (name->text.data < place->word - 1 && name->scopeEnd >= place->at);
}

static void addName(const Place *place, const CuteLspName *name) {
  CUTE_SCOPED(String) type = {0};
  if (name->types[0])
    cuteAppendType(&type, name->types[0], CUTE_FORM_PRETTY);
  CuteStringRef text = {name->text.data + 1, name->text.length - 1};
  bool isSymbol = name->kind == CUTE_TOKEN_SYMBOL;
  add(place, text, name->kind == CUTE_TOKEN_VALUE ? VARIABLE : CLASS,
      isSymbol ? name->op : cuteStringGetRef(&type));
}

static void addNames(const Place *place, CuteToken kind) {
  const CuteLspIndex *index = &place->document->index;
  for (size_t i = 0; i < index->count; ++i)
    if (isVisible(place, &index->names[i], kind))
      addName(place, &index->names[i]);
}

//===-- The dialect -------------------------------------------------------===//

static void addPrefixed(const Place *place, const char *name, size_t length,
                        int kind, CuteStringRef detail) {
  CUTE_SCOPED(String) text = {0};
  cuteStringAppendFormat(&text, "cute.%.*s", (int)length, name);
  add(place, cuteStringGetRef(&text), kind, detail);
}

static void addTypesAndAliases(const Place *place) {
  for (int kind = 0; kind < CUTE_NUM_TYPE_KINDS; ++kind) {
    const char *name = cuteTypeKindGetName((CuteTypeKind)kind);
    addPrefixed(place, name, strlen(name), CLASS, cuteStringRef(""));
  }
  addNames(place, CUTE_TOKEN_TYPE);
}

static void addOps(const Place *place) {
  for (int i = 0; i < CUTE_NUM_OPS; ++i) {
    const CuteOpDecl *decl = cuteOpDeclGet((CuteOpId)i);
    addPrefixed(place, decl->name.data, decl->name.length, FUNCTION,
                decl->summary);
  }
}

static void addAtoms(const Place *place, bool isCopy) {
  size_t n = isCopy ? cuteCopyAtomGetNum() : cuteMmaAtomGetNum();
  for (size_t i = 0; i < n; ++i)
    add(place,
        cuteStringRef(isCopy ? cuteCopyAtomGet(i)->name
                             : cuteMmaAtomGet(i)->name),
        ENUM_MEMBER,
        cuteStringRef(isCopy ? cuteCopyAtomGet(i)->instruction
                             : cuteMmaAtomGet(i)->instruction));
}

// Attributes of the last op of the line.
static void addAttributes(const Place *place) {
  const CuteOpDecl *decl = NULL;
  CuteLexer lexer = {place->line, place->word};
  CuteStringRef token;
  CuteToken kind;
  while ((kind = cuteLexerNext(&lexer, &token)) != CUTE_TOKEN_END)
    if (kind == CUTE_TOKEN_IDENTIFIER && cuteTextTake(&token, "cute."))
      decl = cuteDialectFindOp(place->dialect, token);
  for (size_t i = 0; decl && i < decl->numAttributes; ++i)
    add(place, decl->attributes[i].name, PROPERTY, decl->summary);
}

//===-- Places ------------------------------------------------------------===//

static bool endsIn(const Place *place, const char *end) {
  size_t n = strlen(end);
  return (size_t)(place->word - place->line) >= n &&
         !memcmp(place->word - n, end, n);
}

static bool mayBeOp(const Place *place) {
  size_t typed = (size_t)(place->at - place->word);
  return !strncmp(place->word, "cute.", typed < 5 ? typed : 5);
}

// Adds what may be at a place, by the text before it.
static void addAll(const Place *place) {
  if (endsIn(place, "%"))
    addNames(place, CUTE_TOKEN_VALUE);
  else if (endsIn(place, "@"))
    addNames(place, CUTE_TOKEN_SYMBOL);
  else if (endsIn(place, "#"))
    addNames(place, CUTE_TOKEN_ATTRIBUTE);
  else if (endsIn(place, "mma_atom<\"") || endsIn(place, "tiled_mma<\""))
    addAtoms(place, false);
  else if (endsIn(place, "copy_atom<\"") || endsIn(place, "tiled_copy<\"") ||
           endsIn(place, "tma_atom<\""))
    addAtoms(place, true);
  else if (endsIn(place, "{"))
    addAttributes(place);
  else if (endsIn(place, "!"))
    addTypesAndAliases(place);
  else if (!endsIn(place, "\"") && mayBeOp(place))
    addOps(place);
}

json_t *cuteLspComplete(CuteLspDocument *document, const char *at,
                        CUTE_UNUSED const json_t *params) {
  static const char letters[] = CUTE_LETTERS ".$";
  const char *text = cuteStringGet(&document->text), *word = at;
  while (word > text && strchr(letters, word[-1]))
    --word;
  size_t line = cuteLinesFind(&document->lines, (size_t)(at - text));
  Place place = {document,
                 cuteDialectLock(document->context),
                 text + document->lines.starts[line],
                 word,
                 at,
                 json_array()};
  addAll(&place);
  cuteDialectUnlock(place.dialect);
  return place.items;
}
