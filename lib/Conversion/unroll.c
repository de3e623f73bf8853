// cute-unroll: what the author of a kernel says on unrolling a loop, as LLVM
// understands it:
//
//   scf.for ... { ... } {cute.unroll = 4 : i32}   by 4, with a loop for the
//   rest
//                       {cute.unroll = "full"}    all of it; static bounds
//                       {cute.unroll = "none"}    neither LLVM nor ptxas
#include "Conversion/conversion.h"

enum { MAX_COUNT = 1024 };

static const char attributeName[] = "cute.unroll";

static bool fail(MlirOperation loop, const char *problem) {
  CuteString text = {0}, value = {0};
  mlirAttributePrint(mlirOperationGetAttributeByName(
                         loop, mlirStringRefCreateFromCString(attributeName)),
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
         cuteOperationIsNamed(mlirOpResultGetOwner(value), "arith.constant");
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
                            mlirStringRefCreateFromCString(text));
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

static bool annotate(MlirOperation loop, MlirAttribute value) {
  MlirStringRef name = mlirStringRefCreateFromCString("loop_annotation");
  if (!cuteOperationIsNamed(loop, "scf.for"))
    return fail(loop, "only scf.for can be unrolled");
  if (!mlirAttributeIsNull(mlirOperationGetAttributeByName(loop, name)))
    return fail(loop, "there is a loop_annotation, too");
  CuteString fields = {0}, text = {0};
  if (!appendFields(loop, value, &fields))
    return false;
  cuteStringAppendFormat(&text, "#llvm.loop_annotation<unroll = <%s>>",
                         cuteStringGet(&fields));
  CuteBuilder b = cuteBuilderBefore(loop);
  mlirOperationSetAttributeByName(loop, name,
                                  cuteParsedAttr(&b, cuteStringGet(&text)));
  mlirOperationRemoveAttributeByName(
      loop, mlirStringRefCreateFromCString(attributeName));
  cuteStringDestroy(&fields);
  cuteStringDestroy(&text);
  return true;
}

static MlirWalkResult visit(MlirOperation op, void *userData) {
  bool *ok = userData;
  MlirAttribute value = mlirOperationGetAttributeByName(
      op, mlirStringRefCreateFromCString(attributeName));
  if (!mlirAttributeIsNull(value))
    *ok &= annotate(op, value);
  return MlirWalkResultAdvance;
}

bool cuteRunUnroll(CuteDialect *dialect, MlirOperation root,
                   const CutePassOptions *options) {
  (void)dialect, (void)options;
  bool ok = true;
  mlirOperationWalk(root, visit, &ok, MlirWalkPreOrder);
  return ok;
}
