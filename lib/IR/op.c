#include "IR/op.h"

const char *cuteOpIdGetName(CuteOpId id) {
  static const char *const names[] = {
#define CUTE_OP(op, name) "cute." name,
#include "op_ids.def"
#undef CUTE_OP
  };
  return names[id];
}

//===-- Checks against the declaration ------------------------------------===//

static bool checkOperandCount(CuteOp *op) {
  const CuteOpDecl *decl = op->decl;
  size_t least = 0, most = decl->numOperands;
  for (size_t i = 0; i < decl->numOperands; ++i) {
    least += decl->operands[i].variadicity == CUTE_SINGLE;
    if (decl->operands[i].variadicity == CUTE_VARIADIC)
      most = SIZE_MAX;
  }
  if (op->numOperands >= least && op->numOperands <= most)
    return true;
  CUTE_SCOPED(String) names = {0};
  for (size_t i = 0; i < decl->numOperands; ++i)
    cuteStringAppendFormat(&names, "%s%.*s", i ? ", " : "",
                           CUTE_TEXT(decl->operands[i].name));
  CUTE_SCOPED(String) count = {0};
  cuteStringAppendFormat(&count, most == SIZE_MAX ? "at least %zu" : "%zu",
                         least);
  if (most != SIZE_MAX && most != least)
    cuteStringAppendFormat(&count, " to %zu", most);
  return cuteFail(op->context, "expected %s operand%s, found %zu%s%s",
                  cuteStringGet(&count), most == 1 ? "" : "s", op->numOperands,
                  names.length ? "; they are " : "", cuteStringGet(&names));
}

void cuteOpDeclGetSegments(const CuteOpDecl *decl, size_t n, int32_t *sizes) {
  for (size_t i = 0; i < decl->numOperands; ++i)
    sizes[i] = i < n;
}

// Tells whether the op accesses operand i in a way that its memory does not
// have: descriptors are for matrix products alone, tensor memory for ops by an
// atom.
static bool isForeignAccess(const CuteOp *op, size_t i) {
  const CuteOpTraits *traits = &op->decl->traits;
  CuteType type = op->operands[i];
  bool isMemory = type->kind == CUTE_TYPE_TENSOR || type->kind == CUTE_TYPE_PTR;
  bool isAccess =
      cuteOpTraitsReads(traits, (intptr_t)i) || traits->written == (int8_t)i;
  bool isProduct = traits->by >= 0 && traits->source < 0;
  return isMemory && isAccess &&
         ((type->space == CUTE_DESC && !isProduct) ||
          (type->space == CUTE_TMEM && traits->by < 0));
}

static bool failAccess(CuteOp *op, size_t i, const CuteValueDecl *operand) {
  return cuteFail(
      op->context,
      op->operands[i]->space == CUTE_TMEM
          ? "operand #%zu (%.*s) is in tensor memory, which only gemm and copy "
            "access; cute.copy by an atom of make_tmem_copy moves it to "
            "registers"
          : "operand #%zu (%.*s) is a tensor of matrix descriptors, which only "
            "cute.gemm reads; pass the shared-memory tensor that they describe",
      i, CUTE_TEXT(operand->name));
}

bool cuteOpCheckOperands(CuteOp *op) {
  if (!checkOperandCount(op))
    return false;
  const CuteOpDecl *decl = op->decl;
  for (size_t i = 0; i < op->numOperands; ++i) {
    if (!op->operands[i])
      return false;
    size_t last = decl->numOperands - 1;
    const CuteValueDecl *operand = &decl->operands[i < last ? i : last];
    if (!(operand->kinds & (CuteKindSet)1 << op->operands[i]->kind))
      return cuteOpFailKind(op, i, operand);
    if (isForeignAccess(op, i))
      return failAccess(op, i, operand);
  }
  return true;
}

bool cuteOpCheckResultCount(CuteOp *op) {
  const CuteOpDecl *decl = op->decl;
  if (decl->numResults > 1 ||
      (decl->numResults && decl->results[0].variadicity != CUTE_SINGLE) ||
      op->numWritten == decl->numResults)
    return true;
  return cuteFail(op->context, "has %zu result%s, not %zu", decl->numResults,
                  decl->numResults == 1 ? "" : "s", op->numWritten);
}

static const char *attributeExample(CuteAttributeKind kind) {
  switch (kind) {
  case CUTE_ATTRIBUTE_INT:
    return "an integer such as 4 : i32";
  case CUTE_ATTRIBUTE_INTS:
    return "an array such as array<i32: 1, 0>";
  case CUTE_ATTRIBUTE_UNIT:
    return "unit";
  case CUTE_ATTRIBUTE_TYPE:
    return "a type";
  case CUTE_ATTRIBUTE_STRING:
    return "a string";
  }
  return "";
}

// The number of the attribute's word; -1 if it is none of the declared ones.
static int findWord(const CuteAttribute *attribute) {
  char digits[24];
  CuteStringRef text = attribute->text;
  if (attribute->decl->kind == CUTE_ATTRIBUTE_INT)
    text = (CuteStringRef){digits, (size_t)snprintf(digits, sizeof digits,
                                                    "%jd", attribute->value)};
  const char *const *words = attribute->decl->words;
  for (int i = 0; words[i]; ++i)
    if (cuteTextEquals(text, words[i]))
      return i;
  return -1;
}

static bool isDeclared(const CuteAttribute *attribute) {
  const CuteAttributeDecl *decl = attribute->decl;
  return decl->words ? findWord(attribute) >= 0
                     : !decl->most || (attribute->value >= decl->least &&
                                       attribute->value <= decl->most);
}

static bool failValue(CuteOp *op, const CuteAttribute *attribute) {
  const CuteAttributeDecl *decl = attribute->decl;
  enum { SHOWN = 40 }; // of a long text
  CuteString text = {0};
  if (decl->kind == CUTE_ATTRIBUTE_INT)
    cuteStringAppendFormat(&text, "%jd", attribute->value);
  else
    cuteStringAppendFormat(
        &text, "\"%.*s\"",
        (int)(attribute->text.length < SHOWN ? attribute->text.length : SHOWN),
        attribute->text.data);
  return cuteFail(op->context, "attribute '%.*s' is %s, not %s",
                  CUTE_TEXT(decl->name), decl->values,
                  cuteArenaTakeString(&op->context->scratch, &text));
}

static bool checkAttributes(CuteOp *op) {
  for (size_t i = 0; i < op->numAttributes; ++i) {
    const CuteAttribute *attribute = &op->attributes[i];
    CuteStringRef name = attribute->decl->name;
    if (attribute->malformed)
      return cuteFail(op->context, "attribute '%.*s' must be %s",
                      CUTE_TEXT(name), attributeExample(attribute->decl->kind));
    if (!isDeclared(attribute))
      return failValue(op, attribute);
  }
  if (op->decl->optionalAngle)
    return true;
  for (size_t i = 0; i < op->decl->numAttributes; ++i) {
    const CuteAttributeDecl *decl = &op->decl->attributes[i];
    bool found = false;
    for (size_t j = 0; j < op->numAttributes; ++j)
      found |= op->attributes[j].decl == decl;
    if (found || decl->optional)
      continue;
    cuteFail(op->context, "requires attribute '%.*s'", CUTE_TEXT(decl->name));
    cuteOpNote(op, "it is %s", attributeExample(decl->kind));
    return false;
  }
  return true;
}

// Checks the results of an op whose inference goes by the types that the user
// wrote.
static bool checkDeclaredResults(CuteOp *op) {
  const CuteOpDecl *decl = op->decl;
  if (!decl->declaresResults)
    return true;
  for (size_t i = 0; i < op->numWritten && i < decl->numResults; ++i)
    if (!(decl->results[i].kinds & (CuteKindSet)1 << op->written[i]->kind))
      return cuteOpFailResultKind(op, i, &decl->results[i]);
  return true;
}

bool cuteOpInfer(CuteOp *op) {
  op->numResults = 0;
  op->offset = NULL;
  return cuteOpCheckOperands(op) && checkAttributes(op) &&
         checkDeclaredResults(op) && op->decl->hooks->infer(op);
}

//===-- Comparison with written types -------------------------------------===//

bool cuteOpVerify(CuteOp *op) {
  if (!cuteOpCheckResultCount(op) || !cuteOpInfer(op))
    return false;
  if (op->numResults != op->numWritten)
    return cuteFail(op->context, "has %zu results, not %zu", op->numResults,
                    op->numWritten);
  for (size_t i = 0; i < op->numResults; ++i)
    if (op->results[i] != op->written[i])
      return cuteOpFailResult(op, i);
  return true;
}

//===-- Helpers -----------------------------------------------------------===//

const CuteAttribute *cuteOpGetAttribute(const CuteOp *op, const char *name) {
  for (size_t i = 0; i < op->numAttributes; ++i) {
    if (cuteTextEquals(op->attributes[i].decl->name, name))
      return &op->attributes[i];
  }
  return NULL;
}

int cuteOpGetWord(const CuteOp *op, const char *name) {
  const CuteAttribute *attribute = cuteOpGetAttribute(op, name);
  return attribute ? findWord(attribute) : -1;
}

bool cuteOpPushResult(CuteOp *op, CuteType type) {
  if (!type)
    return false;
  CUTE_ARENA_PUSH(&op->context->scratch, op->results, op->numResults, type);
  return true;
}

CuteTile cuteOpGetTiler(const CuteOp *op, size_t i) {
  CuteType type = op->operands[i];
  if (type->kind == CUTE_TYPE_TILE)
    return type->tile;
  if (cuteTypeIsLayout(type))
    return cuteTileGetLayout(op->context, type->layout);
  return cuteTileGetShape(op->context, type->tuple);
}

CuteLayout cuteOpGetLayout(const CuteOp *op, size_t i) {
  CuteType type = op->operands[i];
  return cuteTypeIsTuple(type) ? cuteLayoutGet(op->context, type->tuple, NULL)
                               : type->layout;
}

unsigned cuteTypeGetIntegerWidth(CuteType type) {
  if (type->kind != CUTE_TYPE_FOREIGN)
    return 0;
  return cuteTextEquals(type->foreign, "i32")   ? 32
         : cuteTextEquals(type->foreign, "i64") ? 64
                                                : 0;
}

unsigned cuteTypeGetCoordinateWidth(CuteType type) {
  bool isIndex =
      type->kind == CUTE_TYPE_FOREIGN && cuteTextEquals(type->foreign, "index");
  return isIndex ? 32 : cuteTypeGetIntegerWidth(type);
}

CuteIntTuple cuteOpGetIndex(const CuteOp *op, size_t i) {
  CuteType type = op->operands[i];
  unsigned width = cuteTypeGetCoordinateWidth(type);
  if (width)
    return cuteIntTupleGetDynamic(op->context, width, 1);
  if (type->kind == CUTE_TYPE_INT_TUPLE &&
      (isStatic(type->tuple) || isDynamic(type->tuple)))
    return type->tuple;
  return cuteFail(
      op->context,
      "operand #%zu must be an i32, i64, index or scalar int_tuple, not %s", i,
      cuteTypeText(op->context, type));
}

bool cuteOpCheckIndex(CuteOp *op, CuteIntTuple leaf, int64_t least,
                      int64_t most, const char *what) {
  if (!leaf || !isStatic(leaf) || (leaf->value >= least && leaf->value <= most))
    return leaf;
  return cuteFail(op->context, "%s, not %jd", what, leaf->value);
}

bool cuteOpInferNothing(CUTE_UNUSED CuteOp *op) { return true; }

bool cuteOpReturnAlike(CuteOp *op, CuteIntTuple tuple) {
  return cuteOpReturnTuple(op, operandKind(op, 0), tuple);
}

bool cuteOpReturnTuple(CuteOp *op, CuteTypeKind kind, CuteIntTuple tuple) {
  return cuteOpPushResult(op, cuteTypeGetTuple(op->context, kind, tuple));
}

bool cuteOpReturnLayout(CuteOp *op, CuteLayout layout) {
  return cuteOpPushResult(op, cuteTypeGetLayout(op->context, layout));
}

bool cuteOpReturnTile(CuteOp *op, CuteTile tile) {
  return cuteOpPushResult(op, cuteTypeGetTile(op->context, tile));
}

bool cuteOpReturnForeign(CuteOp *op, const char *text) {
  return cuteOpPushResult(op,
                          cuteTypeGetForeign(op->context, cuteStringRef(text)));
}

bool cuteOpReturnTiledCopy(CuteOp *op, CuteTiledCopy copy) {
  return cuteOpPushResult(op, cuteTypeGetTiledCopy(op->context, copy));
}

bool cuteOpReturnView(CuteOp *op, CuteLayout layout) {
  return cuteOpPushResult(
      op, cuteTypeWithLayout(op->context, op->operands[0], layout));
}

int64_t cuteTypeGetAlignAfter(CuteType type, CuteIntTuple offset) {
  int64_t bits = cuteElementTypeGetBits(type->element);
  int64_t step = cuteLeafDivisor(offset), align = type->align;
  while (align > 1 && (step * bits) % (align * 8))
    align /= 2;
  return align;
}

bool cuteOpReturnPartition(CuteOp *op, CuteType tensor, CutePartition part) {
  CuteContext c = op->context;
  if (!part.layout)
    return false;
  if (tensor->kind == CUTE_TYPE_COORD_TENSOR) {
    CuteIntTuple origin = cuteArithmeticTupleAdd(c, tensor->tuple, part.offset);
    return cuteOpPushResult(op, cuteTypeGetCoordTensor(c, origin, part.layout));
  }
  op->offset = part.offset;
  return cuteOpPushResult(
      op, cuteTypeGetTensor(c, tensor->element, (CuteSpace)tensor->space,
                            cuteTypeGetAlignAfter(tensor, part.offset),
                            part.layout));
}
