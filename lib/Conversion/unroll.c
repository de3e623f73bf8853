// cute-unroll: what the author of a kernel says on unrolling a loop, as LLVM
// understands it:
//
//   scf.for ... { ... } {cute.unroll = 4 : i32}   by 4, with a loop for the
//   rest
//                       {cute.unroll = "full"}    all of it; static bounds
//                       {cute.unroll = "none"}    neither LLVM nor ptxas
//
// Loops with products of a warpgroup are not unrolled unless they say so: ptxas
// needs minutes for many of them in a row.
#include "Conversion/conversion.h"
#include "Hardware/atom.h"

enum { MAX_COUNT = 1024 };

static const char attributeName[] = "cute.unroll";
static const char annotationName[] = "loop_annotation";

static bool fail(MlirOperation loop, const char *problem) {
  CuteString text = {0}, value = {0};
  mlirAttributePrint(cuteMlirGetAttribute(loop, attributeName),
                     cuteAppendMlirString, &value);
  cuteStringAppendFormat(&text, "has cute.unroll = %s, but %s",
                         cuteStringGet(&value), problem);
  cuteEmitOpError(loop, cuteStringGet(&text));
  cuteStringDestroy(&text);
  cuteStringDestroy(&value);
  return false;
}

static bool isConstant(MlirValue value) {
  return mlirValueIsAOpResult(value) &&
         cuteMlirIs(mlirOpResultGetOwner(value), "arith.constant");
}

static bool hasStaticBounds(MlirOperation loop) {
  for (intptr_t i = 0; i < 3; ++i)
    if (!isConstant(mlirOperationGetOperand(loop, i)))
      return false;
  return true;
}

static bool isText(MlirAttribute value, const char *text) {
  return mlirAttributeIsAString(value) &&
         mlirStringRefEqual(mlirStringAttrGetValue(value),
                            cuteMlirString(text));
}

// Appends the fields of #llvm.loop_unroll. False after a diagnostic.
static bool appendFields(MlirOperation loop, MlirAttribute value,
                         CuteString *fields) {
  bool isCount = mlirAttributeIsAInteger(value);
  int64_t count = isCount ? mlirIntegerAttrGetValueInt(value) : 0;
  if (isText(value, "none"))
    cuteStringAppend(fields, "disable = true");
  else if (isText(value, "full") && !hasStaticBounds(loop))
    return fail(loop, "its bounds and step are not all constants");
  else if (isText(value, "full"))
    cuteStringAppend(fields, "full = true");
  else if (count >= 1 && count <= MAX_COUNT)
    cuteStringAppendFormat(fields, "count = %lld : i32", (long long)count);
  else
    return fail(loop, "expected is a number from 1 to 1024, \"full\" or "
                      "\"none\"");
  return true;
}

static void setFields(MlirOperation loop, const CuteString *fields) {
  CuteString text = {0};
  cuteStringAppendFormat(&text, "#llvm.loop_annotation<unroll = <%s>>",
                         cuteStringGet(fields));
  CuteBuilder b = cuteBuilderBefore(loop);
  cuteMlirSetAttribute(loop, annotationName,
                       cuteParsedAttr(&b, cuteStringGet(&text)));
  cuteStringDestroy(&text);
}

static bool annotate(MlirOperation loop, MlirAttribute value) {
  if (!cuteMlirIs(loop, "scf.for"))
    return fail(loop, "only scf.for can be unrolled");
  if (cuteMlirHasAttribute(loop, annotationName))
    return fail(loop, "there is a loop_annotation, too");
  CuteString fields = {0};
  if (!appendFields(loop, value, &fields))
    return false;
  setFields(loop, &fields);
  mlirOperationRemoveAttributeByName(loop, cuteMlirString(attributeName));
  cuteStringDestroy(&fields);
  return true;
}

//===-- Products of a warpgroup -------------------------------------------===//

static bool isWarpgroupProduct(CuteDialect *dialect, MlirOperation op) {
  const CuteOpDecl *decl = cuteDialectGetDecl(dialect, op);
  if (!decl || decl->traits.by < 0)
    return false;
  CuteType type = cuteDialectGetType(
      dialect, mlirValueGetType(mlirOperationGetOperand(op, decl->traits.by)));
  const CuteMmaAtom *atom = type ? cuteTypeGetMmaAtomValue(type) : NULL;
  return atom && cuteMmaAtomIsWarpgroup(atom);
}

static bool saysNothing(MlirOperation loop) {
  return !cuteMlirHasAttribute(loop, attributeName) &&
         !cuteMlirHasAttribute(loop, annotationName);
}

// All loops around the op.
static MlirWalkResult keepLoops(MlirOperation op, void *userData) {
  if (!isWarpgroupProduct(userData, op))
    return MlirWalkResultAdvance;
  CuteString fields = {0};
  cuteStringAppend(&fields, "disable = true");
  for (MlirOperation loop = mlirOperationGetParentOperation(op);
       !mlirOperationIsNull(loop); loop = mlirOperationGetParentOperation(loop))
    if (cuteMlirIs(loop, "scf.for") && saysNothing(loop))
      setFields(loop, &fields);
  cuteStringDestroy(&fields);
  return MlirWalkResultAdvance;
}

static MlirWalkResult visit(MlirOperation op, void *userData) {
  bool *ok = userData;
  MlirAttribute value = cuteMlirGetAttribute(op, attributeName);
  if (!mlirAttributeIsNull(value))
    *ok &= annotate(op, value);
  return MlirWalkResultAdvance;
}

bool cuteRunUnroll(CuteDialect *dialect, MlirOperation root,
                   const CutePassOptions *options) {
  (void)options;
  bool ok = true;
  mlirOperationWalk(root, keepLoops, dialect, MlirWalkPreOrder);
  mlirOperationWalk(root, visit, &ok, MlirWalkPreOrder);
  return ok;
}
