// cute-unroll: what the author of a kernel says on unrolling a loop, as LLVM
// understands it:
//
//   scf.for ... { ... } {cute.unroll = 4 : i32}   by 4, with a loop for the
//   rest
//                       {cute.unroll = "full"}    all of it; static bounds, up
//                                                 to 1024 trips
//                       {cute.unroll = "none"}    neither LLVM nor ptxas
//
// Of loops that say nothing, those are unrolled whose counters choose places in
// registers, as these would be in local memory otherwise. Others with products
// of a warpgroup are not: ptxas needs minutes for many of them in a row.
#include "Conversion/conversion.h"
#include "Hardware/atom.h"
#include "IR/loops.h"
#include "IR/unrolling.h"

static const char attributeName[] = CUTE_UNROLL;
static const char annotationName[] = CUTE_LOOP_ANNOTATION;

static bool fail(MlirOperation loop, const char *problem) {
  CUTE_SCOPED(String) value = {0};
  mlirAttributePrint(cuteMlirGetAttribute(loop, attributeName),
                     cuteAppendMlirString, &value);
  return cuteEmitOpError(loop, "has cute.unroll = %s, but %s",
                         cuteStringGet(&value), problem);
}

// Appends the fields of #llvm.loop_unroll. False after a diagnostic.
static bool appendFields(CuteDialect *dialect, MlirOperation loop,
                         MlirAttribute value, CuteString *fields) {
  bool isCount = mlirAttributeIsAInteger(value);
  int64_t count = isCount ? mlirIntegerAttrGetValueInt(value) : 0, trips;
  if (cuteUnrollIs(value, "none"))
    cuteStringAppend(fields, "disable = true");
  else if (cuteUnrollIs(value, "full") &&
           !cuteLoopGetTrips(dialect, loop, &trips))
    return fail(loop, "its bounds and step are not all constants");
  else if (cuteUnrollIs(value, "full") && trips > CUTE_MAX_UNROLLED_TRIPS)
    return fail(
        loop,
        "it has more than 1024 trips; give the number of trips to unroll");
  else if (cuteUnrollIs(value, "full"))
    cuteStringAppend(fields, "full = true");
  else if (count >= 1 && count <= CUTE_MAX_UNROLLED_TRIPS)
    cuteStringAppendFormat(fields, "count = %jd : i32", count);
  else
    return fail(loop,
                "it must be a number from 1 to 1024, \"full\" or \"none\"");
  return true;
}

static void setFields(MlirOperation loop, const CuteString *fields) {
  CUTE_SCOPED(String) text = {0};
  cuteStringAppendFormat(&text, "#llvm.loop_annotation<unroll = <%s>>",
                         cuteStringGet(fields));
  CuteBuilder b = cuteBuilderBefore(loop);
  cuteMlirSetAttribute(loop, annotationName,
                       cuteParsedAttr(&b, cuteStringGet(&text)));
}

static bool annotate(CuteDialect *dialect, MlirOperation loop,
                     MlirAttribute value) {
  if (!cuteMlirIs(loop, "scf.for"))
    return fail(loop, "only scf.for can be unrolled");
  if (cuteMlirHasAttribute(loop, annotationName))
    return fail(loop, "it has a loop_annotation, too");
  CUTE_SCOPED(String) fields = {0};
  if (!appendFields(dialect, loop, value, &fields))
    return false;
  setFields(loop, &fields);
  mlirOperationRemoveAttributeByName(loop, cuteMlirString(attributeName));
  return true;
}

//===-- Places in registers -----------------------------------------------===//

static void unrollIndexed(CuteDialect *dialect,
                          const CuteRegisterIndex *index) {
  if (!cuteIndexIsUnrolled(dialect, index))
    return;
  for (size_t i = 0; i < index->count; ++i)
    if (cuteUnrollIsUnsaid(index->loops[i]))
      cuteMlirSetAttribute(
          index->loops[i], attributeName,
          mlirStringAttrGet(mlirOperationGetContext(index->loops[i]),
                            cuteMlirString("full")));
}

static void visitIndexed(CuteDialect *dialect, MlirOperation op) {
  CuteRegisterIndex index;
  if (cuteRegisterIndexFind(dialect, op, &index))
    unrollIndexed(dialect, &index);
}

//===-- Products of a warpgroup -------------------------------------------===//

static bool isWarpgroupProduct(CuteDialect *dialect, MlirOperation op) {
  const CuteOpDecl *decl = cuteDialectGetDecl(dialect, op);
  if (!decl || decl->traits.by < 0)
    return false;
  CuteType type = cuteDialectGetOperandType(dialect, op, decl->traits.by);
  const CuteMmaAtom *atom = type ? cuteTypeGetMmaAtomValue(type) : NULL;
  return atom && cuteMmaAtomIsWarpgroup(atom);
}

// All loops around the op.
static void keepLoops(CuteDialect *dialect, MlirOperation op) {
  if (!isWarpgroupProduct(dialect, op))
    return;
  CUTE_SCOPED(String) fields = {0};
  cuteStringAppend(&fields, "disable = true");
  for (MlirOperation loop = mlirOperationGetParentOperation(op);
       !mlirOperationIsNull(loop); loop = mlirOperationGetParentOperation(loop))
    if (cuteMlirIs(loop, "scf.for") && cuteUnrollIsUnsaid(loop))
      setFields(loop, &fields);
}

//===-- The pass ----------------------------------------------------------===//

bool cuteRunUnroll(const CutePass *pass) {
  bool ok = true;
  CUTE_FOR_NESTED(op, pass->root)
    visitIndexed(pass->dialect, op);
  CUTE_FOR_NESTED(op, pass->root)
    keepLoops(pass->dialect, op);
  CUTE_FOR_NESTED(op, pass->root) {
    cuteLoopNormalizeStep(pass->dialect, op);
    MlirAttribute value = cuteMlirGetAttribute(op, attributeName);
    if (!mlirAttributeIsNull(value))
      ok &= annotate(pass->dialect, op, value);
  }
  return ok;
}
