// get_slice: a name for the part that a thread has in a tiled copy or a tiled
// MMA. It is not an op. `%t = cute.get_slice(%copy, %i)` says that the operand
// %t is %copy, and that %i is the thread where an op asks for one at its end.
#include "Text/infix.h"
#include "Text/reader_parts.h"

bool cuteReaderIsGetSlice(CuteStringRef name) {
  return cuteTextEquals(name, "get_slice");
}

static bool takeWhole(CuteReader *reader, CuteStringRef *value) {
  cuteLexerSkipTrivia(&reader->lexer);
  const char *at = reader->lexer.at;
  return cuteLexerNext(&reader->lexer, value) == CUTE_TOKEN_VALUE ||
         cuteReaderFail(reader, at,
                        "get_slice takes a tiled copy or a tiled MMA, a value "
                        "such as %%x");
}

// Fails where the value is known to be neither a tiled copy nor a tiled MMA.
static bool checkWhole(CuteReader *reader, CuteStringRef name) {
  CuteStringRef whole, thread;
  if (cuteValueTypesGetSlice(&reader->values, name, &whole, &thread))
    return cuteReaderFail(reader, name.data, "'%.*s' is a slice already",
                          CUTE_TEXT(name));
  CuteType type = cuteValueTypesGet(&reader->values, reader->context, name);
  type = type ? cuteReaderResolve(reader, type) : NULL;
  if (cuteTypeIsKind(type, CUTE_TYPE_TILED_COPY) ||
      cuteTypeIsKind(type, CUTE_TYPE_TILED_MMA))
    return true;
  return cuteReaderFail(
      reader, name.data, "get_slice takes a tiled copy or a tiled MMA, not %s",
      type ? cuteTypeText(reader->context, type) : "a value of unknown type");
}

// Fails where the slice has the name of what it is a slice of.
static bool checkName(CuteReader *reader, CuteStringRef whole) {
  return !cuteTextIsSame(whole, reader->defined[0]) ||
         cuteReaderFail(reader, whole.data, "'%.*s' is the name of two values",
                        CUTE_TEXT(whole));
}

bool cuteReaderTakeGetSlice(CuteReader *reader, const char *start) {
  CuteType i32 = cuteTypeGetForeign(reader->context, cuteStringRef("i32"));
  CuteStringRef whole, thread;
  reader->statement = start;
  if (reader->numDefined)
    reader->statement = reader->defined[0].data;
  if (reader->numDefined != 1 || reader->definedCounts[0] != 1)
    return cuteReaderFail(reader, start,
                          "get_slice gives one name to a thread's part: "
                          "%%t = cute.get_slice(%%copy, %%thread)");
  if (!cuteReaderExpect(reader, '(', "before the operands") ||
      !takeWhole(reader, &whole) || !checkWhole(reader, whole) ||
      !checkName(reader, whole) ||
      !cuteReaderExpect(reader, ',', "between operands") ||
      !cuteInfixTake(reader, i32, &thread) ||
      !cuteReaderExpect(reader, ')', "after the operands"))
    return false;
  cuteReaderFlush(reader, reader->defined[0].data);
  reader->copied = reader->lexer.at;
  cuteValueTypesSetSlice(&reader->values, reader->defined[0], whole, thread);
  reader->numDefined = 0;
  return true;
}

CuteStringRef cuteReaderGetWhole(CuteReader *reader, CuteReaderParts *parts,
                                 CuteStringRef operand) {
  CuteStringRef whole, thread;
  if (!cuteValueTypesGetSlice(&reader->values, operand, &whole, &thread))
    return operand;
  if (!parts->thread.length)
    parts->thread = thread;
  return whole;
}

bool cuteReaderWantsThread(const CuteReaderParts *parts) {
  const CuteOpDecl *decl = parts->decl;
  size_t i = parts->numOperands;
  return parts->thread.length && i < decl->numOperands &&
         cuteTextEquals(decl->operands[i].name, "thread");
}
