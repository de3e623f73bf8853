// row_max(%mma, %v), row_min and row_sum of the rows of a product's sums, where
// the vector is a thread's part of them: it combines the thread's values of
// each row, and then the values of the lanes that share the row.
#include "Text/foreign_op.h"
#include "Text/infix_parts.h"
#include "Text/reader_parts.h"

static const CuteInfixRows functions[] = {{"row_max", "max", "0xFF800000"},
                                          {"row_min", "min", "0x7F800000"},
                                          {"row_sum", "add", "0.0"}};

enum { NUM_FUNCTIONS = sizeof functions / sizeof *functions };

int cuteInfixFindRows(CuteStringRef name) {
  for (int i = 0; i < NUM_FUNCTIONS; ++i)
    if (cuteTextEquals(name, functions[i].name))
      return i + 1;
  return 0;
}

//===-- Places ------------------------------------------------------------===//

// Tells whether positions of the leaf of a layout of (m,n) are one row.
static bool isInRow(CuteIntTuple extent, CuteIntTuple stride, int64_t rows) {
  return extent->value == 1 || stride->value % rows == 0;
}

// Appends `_` for leaves that lead to other rows, 1 for those within one.
static void appendProfile(CuteString *text, CuteIntTuple shape,
                          CuteIntTuple stride, int64_t rows) {
  if (!isTuple(shape)) {
    cuteStringAppend(text, isInRow(shape, stride, rows) ? "1" : "_");
    return;
  }
  for (size_t i = 0; i < shape->rank; ++i) {
    cuteStringAppendChar(text, i ? ',' : '(');
    appendProfile(text, element(shape, i), element(stride, i), rows);
  }
  cuteStringAppendChar(text, ')');
}

// Multiplies *width by the lanes side by side that share a row; false if others
// share it, too.
static bool takeLanes(CuteIntTuple shape, CuteIntTuple stride, int64_t rows,
                      int64_t *width, bool *isOver) {
  if (!isTuple(shape)) {
    bool isShared = isInRow(shape, stride, rows) && shape->value > 1;
    *isOver |= !isShared && shape->value > 1;
    *width *= isShared ? shape->value : 1;
    return !isShared || !*isOver;
  }
  for (size_t i = 0; i < shape->rank; ++i)
    if (!takeLanes(element(shape, i), element(stride, i), rows, width, isOver))
      return false;
  return true;
}

// Tells whether a vector of the shape may be sums of the MMA.
static bool isOfSums(CuteContext c, CuteType mma, CuteIntTuple shape) {
  CuteLayout layout = cuteMmaAtomGetLayout(c, mma->atom, CUTE_OPERAND_C);
  return shape && isTuple(shape) && shape->rank == 3 &&
         cuteIntTupleIsCongruent(element(shape, 0), element(layout->shape, 1));
}

static bool isOfOneWarp(CuteType mma) {
  return element(mma->layout->shape, 1)->value == 1;
}

// Gives the modes that stay, as cute.reduce_vector has them, and the number of
// lanes that share a row; false if these are not side by side.
static bool getModes(CuteContext c, CuteType mma, CuteString *profile,
                     int64_t *width) {
  CuteLayout layout = cuteMmaAtomGetLayout(c, mma->atom, CUTE_OPERAND_C);
  int64_t rows = cuteMmaAtomGetExtent(mma->atom, CUTE_OPERAND_C, 0);
  bool isOver = false;
  cuteStringAppendChar(profile, '(');
  appendProfile(profile, element(layout->shape, 1), element(layout->stride, 1),
                rows);
  cuteStringAppend(profile, ",_,1)");
  *width = 1;
  return takeLanes(element(layout->shape, 0), element(layout->stride, 0), rows,
                   width, &isOver);
}

const CuteInfixRows *cuteInfixMatchRows(CuteContext c, CuteType mma,
                                        CuteIntTuple shape, CuteStringRef mine,
                                        CuteStringRef lanes) {
  CUTE_SCOPED(String) profile = {0}, shapes = {0};
  int64_t width;
  if (!isOfSums(c, mma, shape) || !isOfOneWarp(mma) ||
      !getModes(c, mma, &profile, &width))
    return NULL;
  cuteAppendTuple(&shapes, shape);
  for (int i = 0; i < NUM_FUNCTIONS; ++i) {
    CUTE_SCOPED(String) first = {0}, second = {0};
    cuteStringAppendFormat(
        &first, "cute.reduce_vector<\"%s\", \"%s\", \"%s\"> (",
        functions[i].kind, cuteStringGet(&shapes), cuteStringGet(&profile));
    cuteStringAppendFormat(&second, "cute.warp_reduce<\"%s\", %jd> (",
                           functions[i].kind, width);
    if (cuteTextStartsWith(mine, cuteStringGet(&first)) &&
        cuteTextStartsWith(lanes, cuteStringGet(&second)))
      return &functions[i];
  }
  return NULL;
}

//===-- Ops ---------------------------------------------------------------===//

// Gives the term a name that ops of the dialect know.
static void name(CuteReader *reader, CuteInfixTerm *term) {
  cuteInfixName(reader, term);
  if (term->type)
    cuteInfixSetType(reader, cuteStringRef(term->text), term->type,
                     term->shape);
}

// Writes the op with these attributes; *term becomes its value, whose name is
// `result` unless that is empty.
static bool write(CuteReader *reader, CuteOpId id,
                  const CuteAttribute *attributes, size_t n,
                  CuteInfixTerm *term, const CuteInfixTerm *begin,
                  CuteStringRef result) {
  const CuteOpDecl *decl = &reader->dialect->ops[id];
  CuteStringRef operands[] = {cuteStringRef(term->text),
                              cuteStringRef(begin ? begin->text : "")};
  CuteReaderLiteral op = {.parts = {.decl = decl,
                                    .start = term->at,
                                    .operands = operands,
                                    .numOperands = begin ? 2 : 1,
                                    .numAttributes = n,
                                    .numKnown = n}};
  for (size_t i = 0; i < n; ++i) {
    op.parts.attributes[i] = attributes[i];
    op.parts.attributes[i].decl = &decl->attributes[i];
  }
  if (!cuteReaderComplete(reader, &op.parts))
    return false;
  cuteReaderNameLiteral(reader, &op);
  *term = (CuteInfixTerm){.at = term->at,
                          .type = *op.parts.results,
                          .shape = cuteValueTypesGetShape(
                              &reader->values, reader->context, op.name)};
  op.name = result.length ? result : op.name;
  cuteInfixSetType(reader, op.name, term->type, term->shape);
  term->text =
      cuteArenaCopyText(cuteTaskGetArena(), op.name.data, op.name.length);
  if (!cuteReaderWriteBefore(reader, &op))
    return false;
  cuteDirectOpsUse(reader, cuteStringRef(term->text));
  return true;
}

// Gives the number before the first value the vector's type of elements.
static bool takeBegin(CuteReader *reader, int i, const char *at,
                      CuteInfixTerm *args, size_t n, CuteInfixTerm *begin) {
  CuteType element = cuteForeignTypeGetElement(reader->context, args[1].type);
  bool isKnown = cuteTextEquals(element->foreign, "f32");
  *begin =
      n > 2 ? args[2] : (CuteInfixTerm){.at = at, .text = functions[i].begin};
  if (n == 2 && !isKnown)
    return cuteReaderFail(reader, at,
                          "%s of %s needs a number to begin with: %s(%%mma, "
                          "%%v, %%x)",
                          functions[i].name,
                          cuteInfixTextOf(reader, args[1].type),
                          functions[i].name);
  if (!cuteInfixConvert(reader, begin, element))
    return false;
  name(reader, begin);
  return true;
}

// Fails unless the operands are a product whose rows one warp has, and a vector
// of its sums.
static bool checkOperands(CuteReader *reader, int i, const char *at, size_t n,
                          const CuteInfixTerm *args) {
  CuteContext c = reader->context;
  const char *name = functions[i].name;
  CuteType mma = n > 1 ? args->type : NULL;
  if (!cuteTypeIsKind(mma, CUTE_TYPE_TILED_MMA) || n > 3 || !args[1].type ||
      !cuteTypeIsVector(args[1].type))
    return cuteReaderFail(reader, at,
                          "%s takes a tiled MMA, a vector of a thread's sums "
                          "and perhaps a number to begin with",
                          name);
  if (!isOfSums(c, mma, args[1].shape))
    return cuteReaderFail(reader, args[1].at,
                          "%s takes a vector that was loaded from sums of the "
                          "MMA, of a shape (value,m,n)",
                          name);
  return isOfOneWarp(mma) ||
         cuteReaderFail(reader, at,
                        "%s: several warps share a row of this MMA, whose "
                        "atoms are %s",
                        name, cuteLayoutText(c, mma->layout));
}

// The name that a definition gives to the value of the function, if it is all
// of it; else empty.
static CuteStringRef resultOf(CuteReader *reader, const char *at) {
  bool isAll = at == reader->expression && reader->numDefined &&
               !cuteInfixContinues(reader->lexer) &&
               cuteLexerPeek(&reader->lexer) != ':';
  return isAll ? reader->defined[0] : (CuteStringRef){0};
}

bool cuteInfixReduceRows(CuteReader *reader, int function, const char *at,
                         size_t n, CuteInfixTerm *args) {
  int i = function - 1;
  CuteInfixTerm begin;
  for (size_t arg = 1; arg < n; ++arg)
    name(reader, &args[arg]);
  CUTE_SCOPED(String) profile = {0};
  CuteString shape = {0};
  int64_t width;
  if (!checkOperands(reader, i, at, n, args) ||
      !takeBegin(reader, i, at, args, n, &begin))
    return false;
  if (!getModes(reader->context, args->type, &profile, &width))
    return cuteReaderFail(reader, at,
                          "%s: the lanes that share a row of this MMA are not "
                          "side by side",
                          functions[i].name);
  cuteAppendTuple(&shape, args[1].shape);
  CuteArena *scratch = &reader->context->scratch;
  CuteStringRef kind = cuteStringRef(functions[i].kind);
  const CuteAttribute modes[] = {
      {.text = kind},
      {.text = cuteStringRef(cuteArenaTakeString(scratch, &shape))},
      {.text = cuteStringRef(cuteArenaTakeString(scratch, &profile))}};
  const CuteAttribute lanes[] = {{.text = kind}, {.value = width}};
  CuteStringRef result = resultOf(reader, at), none = {0};
  *args = args[1];
  args->at = at;
  return write(reader, CUTE_OP_REDUCE_VECTOR, modes, 3, args, &begin,
               width == 1 ? result : none) &&
         (width == 1 ||
          write(reader, CUTE_OP_WARP_REDUCE, lanes, 2, args, NULL, result));
}
