// Structs in shared memory: their text, and where members lie. As in C, a
// member begins at the next multiple of its alignment, and a struct is as
// aligned as its members and a multiple of that long.
#include "IR/type.h"
#include "Support/lexer.h"

enum { MAX_MEMBERS = 64, MAX_DEPTH = 8, MAX_ALIGN = 1 << 20 };

typedef struct Extent {
  int64_t bytes, align;
} Extent;

typedef struct Parser {
  CuteContext context;
  CuteLexer lexer;
  CuteString *canonical;
  CuteStructMember *found; // null: no member is looked for
  bool isFound;
  // The text of the struct that was read last, and of the one that was found.
  size_t nestedBegin, nestedEnd, foundBegin, foundEnd;
} Parser;

//===-- Tokens ------------------------------------------------------------===//

static bool takeKeyword(Parser *p, const char *word) {
  const char *start = p->lexer.at;
  if (cuteTextEquals(cuteLexerTakeWord(&p->lexer), word))
    return true;
  p->lexer.at = start;
  return false;
}

static bool failExpected(Parser *p, const char *what) {
  cuteLexerSkipTrivia(&p->lexer);
  size_t rest = (size_t)(p->lexer.end - p->lexer.at);
  return cuteFail(p->context, "struct: expected %s, found '%.*s'", what,
                  (int)(rest > 12 ? 12 : rest), p->lexer.at);
}

// A positive number.
static bool takeCount(Parser *p, const char *what, int64_t *count) {
  CuteStringRef word = cuteLexerTakeWord(&p->lexer);
  if (cuteTextGetInteger(word, count) && *count > 0)
    return true;
  return cuteFail(p->context,
                  "struct: %s must be a positive number, not '%.*s'", what,
                  CUTE_TEXT(word));
}

//===-- Members -----------------------------------------------------------===//

static bool parseBody(Parser *p, CuteStringRef path, unsigned depth,
                      Extent *extent);

// The path up to the first point, which is left out of the rest.
static CuteStringRef splitPath(CuteStringRef path, CuteStringRef *rest) {
  size_t n = 0;
  while (n < path.length && path.data[n] != '.')
    ++n;
  size_t skipped = n < path.length ? n + 1 : n;
  *rest = (CuteStringRef){path.data + skipped, path.length - skipped};
  return (CuteStringRef){path.data, n};
}

static bool parseElements(Parser *p, CuteStructMember *member, Extent *extent) {
  CuteStringRef word = cuteLexerTakeWord(&p->lexer);
  if (!cuteElementTypeFind(word, &member->element))
    return cuteFail(p->context,
                    "struct: '%.*s' is not an element type of member %.*s",
                    CUTE_TEXT(word), CUTE_TEXT(member->name));
  cuteStringAppend(p->canonical, cuteElementTypeGetName(member->element));
  unsigned bits = cuteElementTypeGetBits(member->element);
  extent->bytes = extent->align = bits < 8 ? 1 : bits / 8;
  return true;
}

// x N, so many one after another.
static bool parseCount(Parser *p, CuteStructMember *member, Extent *extent) {
  if (takeKeyword(p, "x") && !takeCount(p, "the count after x", &member->count))
    return false;
  if (member->count > 1)
    cuteStringAppendFormat(p->canonical, " x %jd", member->count);
  member->stride = extent->bytes;
  if (!__builtin_mul_overflow(member->count, extent->bytes, &extent->bytes))
    return true;
  return cuteFail(p->context, "struct: the size of member %.*s overflows",
                  CUTE_TEXT(member->name));
}

static bool parseNested(Parser *p, CuteStringRef path, unsigned depth,
                        CuteStructMember *member, Extent *extent) {
  if (depth == MAX_DEPTH)
    return cuteFail(p->context, "struct: structs are nested more than %d times",
                    MAX_DEPTH);
  member->isStruct = true;
  cuteStringAppendChar(p->canonical, '{');
  size_t begin = p->canonical->length;
  if (!parseBody(p, path, depth + 1, extent))
    return false;
  p->nestedBegin = begin;
  p->nestedEnd = p->canonical->length;
  cuteStringAppendChar(p->canonical, '}');
  return cuteLexerTake(&p->lexer, '}') ||
         failExpected(p, "';' or '}' after a member");
}

// align N, which may raise the natural alignment.
static bool parseAlign(Parser *p, const CuteStructMember *member,
                       Extent *extent) {
  int64_t align, natural = extent->align;
  if (!takeKeyword(p, "align"))
    return true;
  if (!takeCount(p, "an alignment", &align))
    return false;
  if (align & (align - 1) || align < natural || align > MAX_ALIGN)
    return cuteFail(
        p->context,
        "struct: align %jd of member %.*s: an alignment is a power of two in "
        "bytes, at least the member's own %jd and at most %d",
        align, CUTE_TEXT(member->name), natural, MAX_ALIGN);
  if (align != natural)
    cuteStringAppendFormat(p->canonical, " align %jd", align);
  extent->align = align;
  return true;
}

// Appends a member.
static bool place(Parser *p, CuteStructMember *member, Extent extent,
                  Extent *body) {
  int64_t padded;
  if (__builtin_add_overflow(body->bytes, extent.align - 1, &padded) ||
      __builtin_add_overflow(padded / extent.align * extent.align, extent.bytes,
                             &body->bytes))
    return cuteFail(p->context, "struct: the size of the struct overflows");
  member->offset = padded / extent.align * extent.align;
  member->bytes = extent.bytes;
  body->align = extent.align > body->align ? extent.align : body->align;
  return true;
}

// Makes the member the one of its elements that a path names, "[2]"; none if
// the text is empty.
static bool takeElement(Parser *p, CuteStructMember *member,
                        CuteStringRef index) {
  int64_t i;
  bool ok = index.length > 2 && index.data[index.length - 1] == ']' &&
            cuteTextGetInteger(
                (CuteStringRef){index.data + 1, index.length - 2}, &i) &&
            i < member->count;
  if (index.length && !ok)
    return cuteFail(
        p->context, "struct: member %.*s has elements [0] to [%jd], not %.*s",
        CUTE_TEXT(member->name), member->count - 1, CUTE_TEXT(index));
  if (!index.length)
    return true;
  member->offset += i * member->stride;
  member->bytes = member->stride;
  member->count = 1;
  return true;
}

// Notes the member if it is the one that the path leads to.
static bool note(Parser *p, const CuteStructMember *member, CuteStringRef rest,
                 bool wasFound) {
  int length = (int)member->name.length;
  if (rest.length && !member->isStruct)
    return cuteFail(p->context, "struct: member %.*s has no members", length,
                    member->name.data);
  if (rest.length && member->count > 1)
    return cuteFail(p->context,
                    "struct: member %.*s is an array of %lld structs; name "
                    "one, as in \"%.*s[0].x\"",
                    length, member->name.data, (long long)member->count, length,
                    member->name.data);
  if (!rest.length) {
    *p->found = *member;
    p->isFound = true;
    p->foundBegin = p->nestedBegin;
    p->foundEnd = p->nestedEnd;
  } else if (p->isFound && !wasFound) {
    p->found->offset += member->offset;
  }
  return true;
}

// Splits "name[2]".
static CuteStringRef splitIndex(CuteStringRef word, CuteStringRef *index) {
  size_t n = 0;
  while (n < word.length && word.data[n] != '[')
    ++n;
  *index = (CuteStringRef){word.data + n, word.length - n};
  return (CuteStringRef){word.data, n};
}

static bool parseMember(Parser *p, CuteStringRef path, unsigned depth,
                        CuteStringRef name, Extent *body) {
  CuteStructMember member = {.name = name, .count = 1};
  CuteStringRef rest, index, first = splitPath(path, &rest);
  first = splitIndex(first, &index);
  bool isWanted = p->found && first.length && cuteTextIsSame(first, name);
  bool wasFound = p->isFound;
  const CuteStringRef none = {"", 0};
  Extent extent = {0};
  cuteStringAppendFormat(p->canonical, "%.*s: ", CUTE_TEXT(name));
  if (!cuteLexerTake(&p->lexer, ':'))
    return failExpected(p, "':' after the name of a member");
  bool ok =
      cuteLexerTake(&p->lexer, '{')
          ? parseNested(p, isWanted ? rest : none, depth, &member, &extent)
          : parseElements(p, &member, &extent);
  return ok && parseCount(p, &member, &extent) &&
         parseAlign(p, &member, &extent) && place(p, &member, extent, body) &&
         (!isWanted ||
          (takeElement(p, &member, index) && note(p, &member, rest, wasFound)));
}

static bool takeName(Parser *p, CuteStringRef *names, size_t n) {
  CuteStringRef name = cuteLexerTakeWord(&p->lexer);
  if (!name.length || (name.data[0] >= '0' && name.data[0] <= '9'))
    return failExpected(p, "the name of a member");
  for (size_t i = 0; i < n; ++i)
    if (cuteTextIsSame(names[i], name))
      return cuteFail(p->context, "struct: two members are named %.*s",
                      CUTE_TEXT(name));
  if (n == MAX_MEMBERS)
    return cuteFail(p->context, "struct: more than %d members", MAX_MEMBERS);
  names[n] = name;
  return true;
}

static bool parseBody(Parser *p, CuteStringRef path, unsigned depth,
                      Extent *extent) {
  CuteStringRef names[MAX_MEMBERS];
  size_t n = 0;
  *extent = (Extent){0, 1};
  do {
    if (n)
      cuteStringAppend(p->canonical, "; ");
    if (!takeName(p, names, n) ||
        !parseMember(p, path, depth, names[n], extent))
      return false;
    ++n;
  } while (cuteLexerTake(&p->lexer, ';'));
  // The struct ends where a member after the last one would begin.
  CuteStructMember end;
  return place(p, &end, (Extent){0, extent->align}, extent);
}

static bool parse(Parser *p, CuteStringRef text, CuteStringRef path,
                  Extent *extent) {
  p->lexer.at = text.data;
  p->lexer.end = text.data + text.length;
  if (!parseBody(p, path, 0, extent))
    return false;
  cuteLexerSkipTrivia(&p->lexer);
  return p->lexer.at == p->lexer.end ||
         failExpected(p, "';' or the end after a member");
}

//===-- Types -------------------------------------------------------------===//

bool cuteStructCanonicalize(CuteContext c, CuteStringRef text,
                            CuteString *canonical, int64_t *align) {
  Parser p = {.context = c, .canonical = canonical};
  Extent extent;
  if (!parse(&p, text, (CuteStringRef){"", 0}, &extent))
    return false;
  *align = extent.align;
  return true;
}

int64_t cuteTypeGetStructBytes(CuteContext context, CuteType type) {
  CUTE_SCOPED(String) canonical = {0};
  Parser p = {.context = context, .canonical = &canonical};
  Extent extent;
  bool ok = parse(&p, type->foreign, (CuteStringRef){"", 0}, &extent);
  return ok ? extent.bytes : -1;
}

bool cuteTypeFindStructMember(CuteContext context, CuteType type,
                              CuteStringRef path, CuteStructMember *member) {
  CUTE_SCOPED(String) canonical = {0};
  Parser p = {.context = context, .canonical = &canonical, .found = member};
  Extent extent;
  bool ok = parse(&p, type->foreign, path, &extent);
  if (ok && p.isFound && member->isStruct)
    member->type = cuteTypeGetStruct(
        context, (CuteStringRef){canonical.data + p.foundBegin,
                                 p.foundEnd - p.foundBegin});
  if (ok && !p.isFound)
    cuteFail(context, "the struct has no member '%.*s'; it is \"%s\"",
             CUTE_TEXT(path), cuteStringGet(&canonical));
  if (!ok || !p.isFound)
    return false;
  member->align = extent.align;
  while (member->offset % member->align)
    member->align /= 2;
  return true;
}
