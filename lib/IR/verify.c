// Semantic verification of whole operations.
#include "IR/dialect.h"

// Types that cannot have one of the dialect inside.
static bool isApart(MlirType type) {
  return mlirTypeIsAInteger(type) || mlirTypeIsAFloat(type) ||
         mlirTypeIsAIndex(type) ||
         mlirStringRefEqual(mlirDialectGetNamespace(mlirTypeGetDialect(type)),
                            cuteMlirString("llvm"));
}

static bool checkType(CuteDialect *dialect, MlirType type,
                      MlirLocation location) {
  if (cutePointerMapGet(&dialect->toCute, type.ptr) || isApart(type) ||
      cuteDialectGetType(dialect, type))
    return true;
  mlirEmitError(location, cuteContextGetError(dialect->context));
  return false;
}

static bool checkResultTypes(CuteDialect *dialect, MlirOperation op) {
  bool ok = true;
  for (intptr_t i = 0; i < getNumResults(op); ++i)
    ok &= checkType(dialect, cuteMlirGetResultType(op, i),
                    mlirOperationGetLocation(op));
  return ok;
}

static bool checkArgumentTypes(CuteDialect *dialect, MlirOperation op) {
  bool ok = true;
  CUTE_FOR_INNER_BLOCKS(block, op)
    for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); ++i) {
      MlirValue argument = mlirBlockGetArgument(block, i);
      ok &= checkType(dialect, mlirValueGetType(argument),
                      mlirOperationGetLocation(op));
    }
  return ok;
}

// Checks a function's signature by its parts, any other type as it is.
static bool checkSignature(CuteDialect *dialect, MlirType type,
                           MlirLocation location) {
  if (!mlirTypeIsAFunction(type))
    return checkType(dialect, type, location);
  bool ok = true;
  for (intptr_t i = 0; ok && i < mlirFunctionTypeGetNumInputs(type); ++i)
    ok = checkType(dialect, mlirFunctionTypeGetInput(type, i), location);
  for (intptr_t i = 0; ok && i < mlirFunctionTypeGetNumResults(type); ++i)
    ok = checkType(dialect, mlirFunctionTypeGetResult(type, i), location);
  return ok;
}

// The type of a function, which a declaration has no arguments for.
static bool checkFunctionType(CuteDialect *dialect, MlirOperation op) {
  MlirAttribute type = cuteMlirGetAttribute(op, "function_type");
  return mlirAttributeIsNull(type) || !mlirAttributeIsAType(type) ||
         checkSignature(dialect, mlirTypeAttrGetValue(type),
                        mlirOperationGetLocation(op));
}

static bool failSpace(CuteDialect *dialect, MlirValue argument, CuteType type,
                      intptr_t index) {
  bool isShared = cuteTypeGetMemory(type) == CUTE_SMEM;
  return cuteEmitError(
      mlirValueGetLocation(argument),
      "parameter %jd of a kernel, %s, is in %s, which a launcher cannot pass; "
      "it must be in gmem, or be made in the kernel by %s",
      (int64_t)index, cuteTypeText(dialect->context, type),
      isShared ? "smem" : "rmem",
      cuteOpIdGetName(isShared ? CUTE_OP_ALLOC_SMEM : CUTE_OP_MAKE_FRAGMENT));
}

// A kernel can be passed global memory only.
static bool checkKernel(CuteDialect *dialect, MlirOperation op) {
  if (!cuteMlirIs(op, "gpu.func") || !cuteMlirHasAttribute(op, "gpu.kernel"))
    return true;
  MlirBlock entry = cuteMlirGetBody(op, 0);
  bool ok = true;
  for (intptr_t i = 0;
       !mlirBlockIsNull(entry) && i < mlirBlockGetNumArguments(entry); ++i) {
    MlirValue argument = mlirBlockGetArgument(entry, i);
    CuteType type = cuteDialectGetValueType(dialect, argument);
    if (type && cuteTypeHasPointer(type) &&
        cuteTypeGetMemory(type) != CUTE_GMEM)
      ok = failSpace(dialect, argument, type, i);
  }
  return ok;
}

static bool checkInstance(CuteDialect *dialect, const CuteOpDecl *decl,
                          MlirOperation op) {
  CuteContext context = dialect->context;
  CUTE_SCOPED(ArenaScope) scope = cuteArenaScopeBegin(&context->scratch);
  CuteOp instance = cuteDialectGetOp(dialect, decl, op);
  cuteContextClearWarnings(context);
  return cuteOpVerify(&instance) ||
         cuteEmitOpError(op, "%s", cuteContextGetError(context));
}

// Copies take these as operands or through their atoms, where CuTe has keyword
// arguments; as attributes they would say nothing.
static bool checkAttributes(const CuteOpDecl *decl, MlirOperation op) {
  static const struct {
    const char *name;
    CuteOpId instead;
  } misplaced[] = {{"tma_bar_ptr", CUTE_OP_WITH_BARRIER},
                   {"mcast_mask", CUTE_OP_WITH_BARRIER},
                   {"cache_policy", CUTE_OP_WITH_CACHE}};
  for (size_t i = 0; i < sizeof misplaced / sizeof *misplaced; ++i) {
    if (decl->traits.access != CUTE_ACCESS_ATOM ||
        !cuteMlirHasAttribute(op, misplaced[i].name))
      continue;
    MlirStringRef name = cuteMlirGetName(op);
    return CUTE_ERROR_AT(op,
                         "'%.*s' op attribute '%s' has no meaning here; it is "
                         "an operand of %s, which gives an atom for it",
                         CUTE_TEXT(name), misplaced[i].name,
                         cuteOpIdGetName(misplaced[i].instead));
  }
  return true;
}

// Ops of the dialect have no regions.
static bool checkOp(CuteDialect *dialect, const CuteOpDecl *decl,
                    MlirOperation op) {
  CuteOpFacts *facts = cuteOpMemoGet(&dialect->memo, op);
  if (facts->verifies)
    return true;
  if (!checkResultTypes(dialect, op) || !checkInstance(dialect, decl, op) ||
      !checkAttributes(decl, op))
    return false;
  facts->verifies = true;
  if (dialect->notesLaws)
    cuteOpMemoNoteLaws(&dialect->memo, facts, dialect->context);
  return true;
}

// Functions are the ops with regions, even if they are only declared.
static bool checkForeignOp(CuteDialect *dialect, MlirOperation op) {
  return checkResultTypes(dialect, op) &&
         (!mlirOperationGetNumRegions(op) ||
          (checkArgumentTypes(dialect, op) && checkFunctionType(dialect, op) &&
           checkKernel(dialect, op)));
}

MlirLogicalResult cuteOperationVerify(MlirOperation operation) {
  CUTE_LOCKED *dialect = cuteDialectLock(mlirOperationGetContext(operation));
  if (!dialect)
    return mlirLogicalResultSuccess();
  bool ok = true;
  CuteLawPolicy before = cuteContextSetLawPolicy(
      dialect->context, dialect->notesLaws ? CUTE_LAWS_WARN : CUTE_LAWS_IGNORE);
  CUTE_FOR_NESTED(op, operation) {
    const CuteOpDecl *decl = cuteDialectGetDecl(dialect, op);
    ok &= decl ? checkOp(dialect, decl, op) : checkForeignOp(dialect, op);
  }
  cuteContextSetLawPolicy(dialect->context, before);
  return ok ? mlirLogicalResultSuccess() : mlirLogicalResultFailure();
}
