// Reads an op's traits from the words of its declaration.
#include "IR/op_traits.h"

#include "IR/op.h"

typedef struct Reader {
  CuteOpDecl *decl;
  CuteOpTraits *traits;
  CuteStringRef rest; // of the clause
  CuteString *message;
} Reader;

enum {
  MEMORY = 1 << CUTE_TYPE_TENSOR | 1 << CUTE_TYPE_PTR | 1 << CUTE_TYPE_STRUCT,
  VIEWS = MEMORY | 1 << CUTE_TYPE_COORD_TENSOR,
  INDICES = 1 << CUTE_TYPE_INT_TUPLE | 1 << CUTE_TYPE_FOREIGN,
};

static bool failWord(Reader *r, CuteStringRef word, const char *problem) {
  cuteStringAppendFormat(r->message, "'%.*s' %s", (int)word.length, word.data,
                         problem);
  return false;
}

// The next word of the clause, empty at its end.
static CuteStringRef takeWord(Reader *r) {
  while (r->rest.length && *r->rest.data == ' ')
    ++r->rest.data, --r->rest.length;
  CuteStringRef word = {r->rest.data, 0};
  while (word.length < r->rest.length && word.data[word.length] != ' ')
    ++word.length;
  r->rest.data += word.length;
  r->rest.length -= word.length;
  return word;
}

//===-- Operands ----------------------------------------------------------===//

static int findOperand(const CuteOpDecl *decl, CuteStringRef name) {
  for (size_t i = 0; i < decl->numOperands; ++i)
    if (cuteTextIsSame(decl->operands[i].name, name))
      return (int)i;
  return CUTE_NO_OPERAND;
}

// Takes the name of an operand, which has to admit some of these kinds.
static bool takeOperand(Reader *r, CuteKindSet kinds, int8_t *operand) {
  CuteStringRef name = takeWord(r);
  int i = findOperand(r->decl, name);
  if (i < 0)
    return failWord(r, name, "is no operand of the op");
  if (*operand != CUTE_NO_OPERAND)
    return failWord(r, name, "has a role that another operand has already");
  if (r->decl->operands[i].variadicity == CUTE_VARIADIC)
    return failWord(r, name, "is many operands, which cannot have a role");
  if (!(r->decl->operands[i].kinds & kinds))
    return failWord(r, name, "is of no kind that can have this role");
  *operand = (int8_t)i;
  return true;
}

static bool takeRead(Reader *r, CuteKindSet kinds, int8_t *operand) {
  if (!takeOperand(r, kinds, operand))
    return false;
  r->traits->reads |= UINT32_C(1) << *operand;
  return true;
}

static bool hasResultOf(const CuteOpDecl *decl, CuteKindSet kinds) {
  return decl->numResults && (decl->results[0].kinds & kinds);
}

//===-- Effects -----------------------------------------------------------===//

// A clause: its first word, and what takes the others.
typedef bool TakeClause(Reader *r, int which);

static bool takeReads(Reader *r, int which) {
  (void)which;
  do {
    int8_t operand = CUTE_NO_OPERAND;
    if (!takeRead(r, MEMORY, &operand))
      return false;
  } while (r->rest.length);
  return true;
}

static bool takeWrites(Reader *r, int which) {
  (void)which;
  return takeOperand(r, MEMORY, &r->traits->written);
}

static bool takeCopies(Reader *r, int which) {
  return takeRead(r, MEMORY, &r->traits->source) && takeWrites(r, which);
}

static bool takeIf(Reader *r, int which) {
  (void)which;
  return takeRead(r, MEMORY, &r->traits->predicate);
}

static bool takeBy(Reader *r, int which) {
  const CuteKindSet kinds = 1 << CUTE_TYPE_COPY_ATOM | 1 << CUTE_TYPE_MMA_ATOM |
                            1 << CUTE_TYPE_TILED_COPY |
                            1 << CUTE_TYPE_TILED_MMA | 1 << CUTE_TYPE_TMA_ATOM;
  (void)which;
  return takeOperand(r, kinds, &r->traits->by);
}

static bool takePrints(Reader *r, int which) {
  (void)which;
  r->traits->prints = true;
  return true;
}

static bool takeExchanges(Reader *r, int which) {
  (void)which;
  r->traits->exchanges = true;
  return true;
}

static bool takeOrders(Reader *r, int which) {
  (void)which;
  r->traits->orders = true;
  return true;
}

// Fills a cache, which changes nothing that a program can see.
static bool takePrefetches(Reader *r, int which) {
  (void)r, (void)which;
  return true;
}

static bool takeDeclares(Reader *r, int which) {
  (void)which;
  r->traits->declares = true;
  return true;
}

// New memory; `which` says whether its contents follow from the operands.
static bool takeSpace(Reader *r, int which) {
  CuteStringRef word = takeWord(r);
  CuteSpace space = CUTE_GMEM;
  while (space <= CUTE_RMEM &&
         !cuteTextEquals(word, cuteTypeGetSpaceName(space)))
    ++space;
  if (space != CUTE_SMEM && space != CUTE_RMEM)
    return failWord(r, word, "is no space that an op can allocate in");
  if (!hasResultOf(r->decl, MEMORY | 1 << CUTE_TYPE_PIPELINE))
    return failWord(r, word, "is for an op whose result is memory");
  r->traits->allocates = !which;
  r->traits->space = space;
  return true;
}

static bool takeGroup(Reader *r, int which) {
  static const char *const names[] = {[CUTE_GROUP_CP_ASYNC] = "cp_async",
                                      [CUTE_GROUP_BULK] = "bulk",
                                      [CUTE_GROUP_WGMMA] = "wgmma"};
  CuteStringRef word = takeWord(r);
  size_t i = 0, n = sizeof names / sizeof *names;
  while (i < n && !cuteTextEquals(word, names[i]))
    ++i;
  if (i == n)
    return failWord(r, word, "is no group: cp_async, bulk or wgmma");
  r->traits->groupUse = (CuteGroupUse)which;
  r->traits->group = (CuteAsyncGroup)i;
  return true;
}

static bool takeBarrier(Reader *r, int which) {
  r->traits->barrierUse = (CuteBarrierUse)which;
  return takeOperand(r, MEMORY, &r->traits->barrier);
}

static const struct {
  const char *verb;
  TakeClause *take;
  int which;
} clauses[] = {
    {"reads", takeReads, 0},
    {"writes", takeWrites, 0},
    {"copies", takeCopies, 0},
    {"if", takeIf, 0},
    {"by", takeBy, 0},
    {"prints", takePrints, 0},
    {"exchanges", takeExchanges, 0},
    {"orders", takeOrders, 0},
    {"prefetches", takePrefetches, 0},
    {"declares", takeDeclares, 0},
    {"allocates", takeSpace, false},
    {"makes", takeSpace, true},
    {"issues", takeGroup, CUTE_GROUP_ISSUES},
    {"commits", takeGroup, CUTE_GROUP_COMMITS},
    {"waits", takeGroup, CUTE_GROUP_WAITS},
    {"tracks", takeGroup, CUTE_GROUP_TRACKS},
    {"inits", takeBarrier, CUTE_BARRIER_INITS},
    {"arrives", takeBarrier, CUTE_BARRIER_ARRIVES},
    {"awaits", takeBarrier, CUTE_BARRIER_AWAITS},
};

static bool takeClause(Reader *r) {
  CuteStringRef verb = takeWord(r);
  for (size_t i = 0; i < sizeof clauses / sizeof *clauses; ++i)
    if (cuteTextEquals(verb, clauses[i].verb))
      return clauses[i].take(r, clauses[i].which) &&
             (!r->rest.length ||
              failWord(r, r->rest, "is more than the effect takes"));
  return failWord(r, verb, "is no effect");
}

// Passes know what groups of cp.async do, not others nor barriers.
static CuteEffect effectOf(const CuteOpTraits *traits) {
  bool isAccess = traits->reads || traits->written >= 0 || traits->prints;
  bool isKnown = traits->group == CUTE_GROUP_CP_ASYNC && !isAccess;
  if (traits->orders || traits->declares || traits->barrierUse ||
      (traits->groupUse && !isKnown))
    return CUTE_EFFECT_UNKNOWN;
  if (traits->groupUse)
    return traits->groupUse == CUTE_GROUP_COMMITS ? CUTE_EFFECT_COMMIT
           : traits->groupUse == CUTE_GROUP_WAITS ? CUTE_EFFECT_WAIT
                                                  : CUTE_EFFECT_UNKNOWN;
  if (traits->allocates)
    return traits->space == CUTE_RMEM && !isAccess ? CUTE_EFFECT_REGISTERS
                                                   : CUTE_EFFECT_UNKNOWN;
  return isAccess            ? CUTE_EFFECT_ACCESS
         : traits->exchanges ? CUTE_EFFECT_LANES
                             : CUTE_EFFECT_NONE;
}

// Clauses are separated by commas.
static bool readEffects(Reader *r, CuteStringRef text) {
  while (text.length) {
    const char *comma = memchr(text.data, ',', text.length);
    size_t n = comma ? (size_t)(comma - text.data) : text.length;
    r->rest = (CuteStringRef){text.data, n};
    if (!takeClause(r))
      return false;
    text.data += comma ? n + 1 : n;
    text.length -= comma ? n + 1 : n;
  }
  r->traits->effect = effectOf(r->traits);
  return true;
}

//===-- The other attributes ----------------------------------------------===//

static bool takeAccess(Reader *r) {
  static const char *const names[] = {
      [CUTE_ACCESS_UNKNOWN] = "",  [CUTE_ACCESS_ATOM] = "atom",
      [CUTE_ACCESS_AT] = "at",     [CUTE_ACCESS_ELEMENTS] = "elements",
      [CUTE_ACCESS_RUNS] = "runs", [CUTE_ACCESS_VECTORS] = "vectors"};
  CuteStringRef word = takeWord(r);
  size_t i = 0, n = sizeof names / sizeof *names;
  while (i < n && !cuteTextEquals(word, names[i]))
    ++i;
  if (i == n)
    return failWord(r, word, "is no access");
  CuteOpTraits *traits = r->traits;
  traits->access = (CuteAccessForm)i;
  if (i == CUTE_ACCESS_ATOM && (traits->by < 0 || traits->source < 0))
    return failWord(r, word, "is for a copy by an operand");
  if (i && traits->source < 0 && cuteOpTraitsGetTensor(traits) < 0)
    return failWord(r, word, "is for an op that reads or writes a tensor");
  return i != CUTE_ACCESS_AT ||
         takeOperand(r, 1 << CUTE_TYPE_COORD, &traits->coord);
}

static bool takeView(Reader *r) {
  if (!takeOperand(r, VIEWS, &r->traits->view))
    return false;
  return hasResultOf(r->decl, VIEWS) ||
         failWord(r, r->decl->operands[r->traits->view].name,
                  "is viewed by no result");
}

static bool takePartition(Reader *r) {
  const CuteKindSet dividers = 1 << CUTE_TYPE_TILED_COPY |
                               1 << CUTE_TYPE_TILED_MMA | 1 << CUTE_TYPE_LAYOUT;
  return takeOperand(r, dividers, &r->traits->divider) &&
         takeOperand(r, INDICES, &r->traits->thread) &&
         (r->traits->view >= 0 ||
          failWord(r, r->decl->operands[r->traits->divider].name,
                   "divides no operand that the result is a view of"));
}

static bool readAttribute(Reader *r, CuteStringRef text,
                          bool (*take)(Reader *r)) {
  r->rest = text;
  return !text.length ||
         (take(r) &&
          (!r->rest.length ||
           failWord(r, r->rest, "is more than the attribute takes")));
}

bool cuteOpTraitsRead(CuteOpDecl *decl, CuteOpTraitTexts texts,
                      CuteString *message) {
  decl->traits =
      (CuteOpTraits){.isPure = !texts.effects.length,
                     .written = CUTE_NO_OPERAND,
                     .source = CUTE_NO_OPERAND,
                     .predicate = CUTE_NO_OPERAND,
                     .by = CUTE_NO_OPERAND,
                     .view = CUTE_NO_OPERAND,
                     .divider = CUTE_NO_OPERAND,
                     .thread = CUTE_NO_OPERAND,
                     .coord = CUTE_NO_OPERAND,
                     .barrier = CUTE_NO_OPERAND,
                     .arch = (int)texts.arch,
                     .suffix = texts.suffix.length ? *texts.suffix.data : '\0'};
  Reader r = {.decl = decl, .traits = &decl->traits, .message = message};
  if (texts.arch < 0 || texts.arch > 999) {
    cuteStringAppendFormat(message, "no architecture is sm_%lld",
                           (long long)texts.arch);
    return false;
  }
  if (texts.suffix.length && !cuteTextEquals(texts.suffix, "a") &&
      !cuteTextEquals(texts.suffix, "s") && !cuteTextEquals(texts.suffix, "t"))
    return failWord(&r, texts.suffix,
                    "is no suffix of an architecture: a, s for all with one, "
                    "or t for those with tensor memory");
  return readEffects(&r, texts.effects) &&
         readAttribute(&r, texts.access, takeAccess) &&
         readAttribute(&r, texts.view, takeView) &&
         readAttribute(&r, texts.partition, takePartition);
}

//===-- What follows from them --------------------------------------------===//

bool cuteOpTraitsReads(const CuteOpTraits *traits, intptr_t i) {
  return traits->reads >> i & 1;
}

int cuteOpTraitsGetTensor(const CuteOpTraits *traits) {
  if (traits->written >= 0)
    return traits->written;
  for (int i = 0; i < CUTE_MAX_DECLARED; ++i)
    if (i != traits->predicate && cuteOpTraitsReads(traits, i))
      return i;
  return CUTE_NO_OPERAND;
}
