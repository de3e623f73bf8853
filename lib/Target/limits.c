// What an architecture has not enough of for a kernel.
#include "Conversion/conversion.h"
#include "Target/target.h"

#include <ctype.h>
#include <stdlib.h>

typedef struct Check {
  CuteDialect *dialect;
  const CuteArch *arch;
  bool failed;
} Check;

static int archNumber(const CuteArch *arch) {
  return atoi(arch->name + strlen("sm_"));
}

// The least architecture of an atom that occurs in the type; 0 for others.
static int archOfType(CuteType type, const char **name) {
  if (cuteTypeIsKind(type, CUTE_TYPE_MMA_ATOM) ||
      cuteTypeIsKind(type, CUTE_TYPE_TILED_MMA)) {
    const CuteMmaAtom *atom = type->atom;
    *name = atom->name;
    return atom->arch;
  }
  if (cuteTypeIsKind(type, CUTE_TYPE_COPY_ATOM) ||
      cuteTypeIsKind(type, CUTE_TYPE_TILED_COPY)) {
    const CuteCopyAtom *atom = type->atom;
    *name = atom->name;
    return atom->arch;
  }
  return 0;
}

static void checkAtoms(Check *check, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    const char *name = "";
    int arch = archOfType(
        cuteDialectGetType(check->dialect,
                           mlirValueGetType(mlirOperationGetResult(op, i))),
        &name);
    if (arch <= archNumber(check->arch))
      continue;
    check->failed = true;
    cuteEmitError(mlirOperationGetLocation(op),
                  "%s needs sm_%d or later, but the code is for %s", name, arch,
                  check->arch->name);
  }
}

static void checkOp(Check *check, MlirOperation op) {
  const CuteOpDecl *decl = cuteDialectGetDecl(check->dialect, op);
  int arch = decl ? decl->hooks->arch : 0;
  if (arch <= archNumber(check->arch))
    return;
  check->failed = true;
  cuteEmitError(mlirOperationGetLocation(op),
                "cute.%.*s needs sm_%d or later, but the code is for %s",
                (int)decl->name.length, decl->name.data, arch,
                check->arch->name);
}

// PTX ISA, "Identifiers".
static void checkName(Check *check, MlirOperation function) {
  MlirStringRef name = mlirStringAttrGetValue(mlirOperationGetAttributeByName(
      function, mlirStringRefCreateFromCString("sym_name")));
  for (size_t i = 0; i < name.length; ++i) {
    unsigned char c = (unsigned char)name.data[i];
    if (c < 128 && (isalnum(c) || c == '_' || c == '$' || c == '.'))
      continue;
    check->failed = true;
    cuteEmitError(mlirOperationGetLocation(function),
                  "the function's name has a character that PTX does not "
                  "have in names; use letters, digits, '_' and '$'");
    return;
  }
}

static void checkFunction(Check *check, MlirOperation op) {
  CuteSharedPlan plan;
  checkName(check, op);
  if (!cuteSharedPlanMake(check->dialect, op, NULL, &plan)) {
    check->failed = true;
  } else if (plan.bytes > (int64_t)check->arch->sharedKib * 1024) {
    check->failed = true;
    cuteEmitError(mlirOperationGetLocation(op),
                  "the function needs %lld bytes of shared memory; a block on "
                  "%s has at most %d",
                  (long long)plan.bytes, check->arch->name,
                  check->arch->sharedKib * 1024);
  }
}

static MlirWalkResult visit(MlirOperation op, void *userData) {
  Check *check = userData;
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  if (mlirStringRefEqual(name, mlirStringRefCreateFromCString("gpu.func"))) {
    checkFunction(check, op);
  } else {
    checkAtoms(check, op);
    checkOp(check, op);
  }
  return MlirWalkResultAdvance;
}

bool cuteCheckLimits(MlirModule module, const CuteArch *arch) {
  CuteDialect *dialect = cuteDialectLock(mlirModuleGetContext(module));
  if (!dialect)
    return false;
  Check check = {dialect, arch, false};
  mlirOperationWalk(mlirModuleGetOperation(module), visit, &check,
                    MlirWalkPreOrder);
  cuteDialectUnlock(dialect);
  return !check.failed;
}
