// Rejects kernels that need more than an architecture has.
#include "Compile/kernel_checks.h"
#include "Conversion/conversion.h"
#include "Hardware/element.h"

#include <ctype.h>
#include <fnmatch.h>

typedef struct Check {
  CuteDialect *dialect;
  const CuteArch *arch;
  int ptx; // the least version that everything has, times 10
  bool failed;
} Check;

// The architecture and PTX version that an atom's instruction needs, by its
// row.
typedef struct Needs {
  const char *name; // of the atom; null: nothing is needed
  int arch;
  char suffix;
  int ptx;
  CuteArchFeature feature;
} Needs;

static Needs needsOfType(CuteType type) {
  if (cuteTypeIsKind(type, CUTE_TYPE_MMA_ATOM) ||
      cuteTypeIsKind(type, CUTE_TYPE_TILED_MMA)) {
    const CuteMmaAtom *atom = type->atom;
    return (Needs){atom->name, atom->arch, atom->suffix, atom->ptx,
                   atom->feature};
  }
  if (cuteTypeIsKind(type, CUTE_TYPE_COPY_ATOM) ||
      cuteTypeIsKind(type, CUTE_TYPE_TILED_COPY) ||
      cuteTypeIsKind(type, CUTE_TYPE_TMA_ATOM)) {
    const CuteCopyAtom *atom = type->atom;
    return (Needs){atom->name, atom->arch, '\0', atom->ptx, atom->feature};
  }
  if (cuteTypeIsKind(type, CUTE_TYPE_PIPELINE)) {
    CutePipeline p = cuteTypeGetPipelineValue(type);
    if (p.kind == CUTE_PIPE_TENSOR || p.agent == CUTE_AGENT_TENSOR)
      return (Needs){"a pipeline of tcgen05", 100, '\0', 0,
                     CUTE_FEATURE_TCGEN05};
  }
  return (Needs){NULL, 0, '\0', 0, CUTE_FEATURE_NONE};
}

// Names the architectures that have a feature.
static void failFeature(Check *check, MlirLocation location, Needs needs) {
  CUTE_SCOPED(String) names = {0};
  for (size_t i = 0; i < cuteArchGetNum(); ++i)
    if (cuteArchHasFeature(cuteArchGet(i), needs.feature))
      cuteStringAppendFormat(&names, "%s%s",
                             cuteStringGetRef(&names).length ? ", " : "",
                             cuteArchGet(i)->name);
  check->failed = true;
  if (cuteStringGetRef(&names).length)
    cuteEmitError(location, "%s needs one of %s, but the code is for %s",
                  needs.name, cuteStringGet(&names), check->arch->name);
  else
    cuteEmitError(location, "no architecture has this form of %s", needs.name);
}

static void checkNeeds(Check *check, MlirLocation location, Needs needs) {
  if (!needs.name)
    return;
  check->ptx = needs.ptx > check->ptx ? needs.ptx : check->ptx;
  if (!cuteArchHasFeature(check->arch, needs.feature)) {
    failFeature(check, location, needs);
    return;
  }
  if (cuteArchHas(check->arch, needs.arch, needs.suffix))
    return;
  check->failed = true;
  char text[64];
  if (needs.suffix == 'a')
    snprintf(text, sizeof text, "sm_%da", needs.arch);
  else if (needs.suffix == 's')
    snprintf(text, sizeof text, "sm_%da or a later one with a suffix",
             needs.arch);
  else if (needs.suffix == 'f')
    snprintf(text, sizeof text, "sm_%da, sm_%df or a later one of this family",
             needs.arch, needs.arch);
  else
    snprintf(text, sizeof text, "sm_%d or later", needs.arch);
  cuteEmitError(location, "%s needs %s, but the code is for %s", needs.name,
                text, check->arch->name);
}

static void checkValue(Check *check, MlirLocation location, MlirValue value) {
  checkNeeds(check, location,
             needsOfType(cuteDialectGetValueType(check->dialect, value)));
}

static void checkAtoms(Check *check, MlirOperation op) {
  CUTE_FOR_RESULTS(result, op)
    checkValue(check, mlirOperationGetLocation(op), result);
}

// The element of a tensor or vector, or the type of a value.
static bool elementOf(Check *check, MlirValue value, CuteElementType *element) {
  MlirType type = mlirValueGetType(value);
  if (mlirTypeIsAVector(type))
    type = mlirShapedTypeGetElementType(type);
  CuteType known = cuteDialectGetType(check->dialect, type);
  if (cuteTypeIsKind(known, CUTE_TYPE_TENSOR)) {
    *element = known->element;
    return true;
  }
  return cuteTypeIsKind(known, CUTE_TYPE_FOREIGN) &&
         cuteElementTypeFind(known->foreign, element);
}

// A conversion to the element's type, or from it; an 8-bit one is arithmetic
// without an instruction.
static void checkElement(Check *check, MlirOperation op, MlirValue value,
                         bool isTo) {
  CuteElementType element;
  if (!elementOf(check, value, &element) ||
      (!cuteArchConverts(check->arch, element) &&
       cuteElementTypeGetBits(element) <= 8))
    return;
  const CuteElementInfo *info = cuteElementGetInfo(element);
  CuteElementNeed need = isTo ? info->to : info->from;
  char name[48];
  snprintf(name, sizeof name, "a conversion %s %s", isTo ? "to" : "from",
           info->name);
  checkNeeds(check, mlirOperationGetLocation(op),
             (Needs){name, need.arch, '\0', need.ptx, CUTE_FEATURE_NONE});
}

// Checks a conversion from an op's first value to its second, of operands and
// then results.
static void checkConversion(Check *check, MlirOperation op) {
  if (!cuteDialectIsOp(check->dialect, op, CUTE_OP_CONVERT) &&
      !cuteMlirIs(op, "arith.extf") && !cuteMlirIs(op, "arith.truncf"))
    return;
  MlirValue from = getOperand(op, 0);
  MlirValue to = getNumOperands(op) > 1 ? getOperand(op, 1) : getResult(op, 0);
  checkElement(check, op, from, false);
  checkElement(check, op, to, true);
}

// PTX ISA, "tensormap.replace" and "tensormap.cp_fenceproxy".
enum { TENSOR_MAP_PTX = 83 };
// After a word of an instruction.
#define ENDS " [{}\n\t,"

// Ops that have instructions of their own.
static void checkOp(Check *check, MlirOperation op) {
  const CuteOpDecl *decl = cuteDialectGetDecl(check->dialect, op);
  if (!decl || !decl->traits.arch)
    return;
  int ptx = decl->id == CUTE_OP_UPDATE_TENSOR_MAP ? TENSOR_MAP_PTX : 0;
  char suffix = decl->traits.suffix;
  CuteArchFeature feature = suffix == 't'   ? CUTE_FEATURE_TCGEN05
                            : suffix == 'r' ? CUTE_FEATURE_TCGEN05_REDUCE
                            : suffix == 'e' ? CUTE_FEATURE_TCGEN05_EXACT
                                            : CUTE_FEATURE_NONE;
  checkNeeds(check, mlirOperationGetLocation(op),
             (Needs){cuteOpIdGetName(decl->id), decl->traits.arch,
                     feature ? '\0' : suffix, ptx, feature});
}

// Bytes beyond four times what the 255 registers of a thread hold.
enum { LARGE_FRAGMENT = 4096 };

// Warns of a fragment that is a whole tile by mistake: it lies in local memory,
// and LLVM takes very long over what is written out for each element.
static void checkFragment(const Check *check, MlirOperation op) {
  if (!cuteDialectIsOp(check->dialect, op, CUTE_OP_MAKE_FRAGMENT) &&
      !cuteDialectIsOp(check->dialect, op, CUTE_OP_MAKE_FRAGMENT_LIKE))
    return;
  CuteType type = cuteDialectGetResultType(check->dialect, op, 0);
  if (!cuteTypeIsKind(type, CUTE_TYPE_TENSOR))
    return;
  CuteIntTuple size =
      cuteLayoutGetCosize(check->dialect->context, type->layout);
  int64_t bytes = size && isStatic(size)
                      ? size->value * cuteElementTypeGetBits(type->element) / 8
                      : 0;
  if (bytes <= LARGE_FRAGMENT)
    return;
  CUTE_SCOPED(String) text = {0};
  cuteStringAppendFormat(
      &text,
      "a fragment of %jd bytes in each thread, which has 255 registers of 4 "
      "bytes: it goes to local memory, and compiling takes long",
      bytes);
  cuteEmitAtOp(op, CUTE_SEVERITY_WARNING, cuteStringGet(&text),
               "partition the tile first, so that each thread has its part");
}

// The one fence between proxies that older architectures have, from sm_70 on.
static bool isFenceOfAliases(MlirOperation op) {
  return cuteMlirIs(op, "nvvm.fence.proxy") &&
         cuteMlirAttributeHas(op, "kind", "<alias>");
}

// Checks an instruction of PTX, an intrinsic or an op of another dialect, which
// messages call by what it begins with.
static void checkText(Check *check, MlirOperation op, const char *text) {
  static const Needs rows[] = {
#define PTX_TARGET(pattern, ...) {.name = pattern, __VA_ARGS__},
#include "hardware/ptx_target.def"
  };
  CUTE_FREED char *name = strndup(text, strcspn(text, ENDS));
  bool failed = check->failed;
  check->failed = false;
  for (size_t i = 0; i < sizeof rows / sizeof *rows && !check->failed; ++i)
    if (!fnmatch(rows[i].name, text, 0)) {
      Needs needs = rows[i];
      needs.name = name;
      checkNeeds(check, mlirOperationGetLocation(op), needs);
    }
  check->failed |= failed;
}

static void checkName(Check *check, MlirOperation op, MlirStringRef name) {
  CUTE_FREED char *text = strndup(name.data, name.length);
  checkText(check, op, text);
}

// Checks each instruction of inline PTX; operands and predicates begin with
// other characters than letters.
static void checkInline(Check *check, MlirOperation op) {
  MlirStringRef all =
      mlirStringAttrGetValue(cuteMlirGetAttribute(op, "asm_string"));
  CUTE_FREED char *text = strndup(all.data, all.length);
  char *rest;
  for (char *one = strtok_r(text, ";", &rest); one;
       one = strtok_r(NULL, ";", &rest))
    for (char *at = one; *at; at += strcspn(at, ENDS), at += strspn(at, ENDS))
      if (islower((unsigned char)*at))
        checkText(check, op, at);
}

static void checkForeign(Check *check, MlirOperation op) {
  if (cuteMlirIs(op, "llvm.inline_asm"))
    checkInline(check, op);
  else if (cuteMlirIs(op, "llvm.call_intrinsic"))
    checkName(check, op,
              mlirStringAttrGetValue(cuteMlirGetAttribute(op, "intrin")));
  else if (cuteMlirStartsWith(cuteMlirGetName(op), "nvvm.") &&
           !isFenceOfAliases(op))
    checkName(check, op, cuteMlirGetName(op));
}

//===-- Parameters --------------------------------------------------------===//

enum { MAX_PARTS = 256 };

// Bytes of a scalar parameter; 0 where only LLVM knows.
static int64_t bytesOfForeign(MlirType type) {
  unsigned bits = mlirTypeIsAIndex(type)    ? 64
                  : mlirTypeIsAVector(type) ? 0
                                            : cuteMlirGetBits(type);
  return (bits + 7) / 8;
}

// The offset after a parameter at an offset: each part lies at a multiple of
// its size.
static int64_t addParameter(const Check *check, MlirType type, int64_t offset) {
  CuteType known = cuteDialectGetType(check->dialect, type);
  CuteParameterPart parts[MAX_PARTS];
  size_t n = cuteTypeIsKind(known, CUTE_TYPE_FOREIGN)
                 ? 0
                 : cuteParameterParts(known, MAX_PARTS, parts);
  if (!n) {
    int64_t bytes = bytesOfForeign(type);
    return bytes ? (offset + bytes - 1) / bytes * bytes + bytes : offset;
  }
  for (size_t i = 0; i < n && i < MAX_PARTS; ++i) {
    int64_t bytes = parts[i].kind == CUTE_PART_POINTER ? 8 : parts[i].bits / 8;
    offset = (offset + bytes - 1) / bytes * bytes + bytes;
  }
  return offset;
}

// PTX ISA, "Kernel Function Parameters".
static void checkBytes(Check *check, MlirOperation function, int64_t bytes) {
  int ptx = check->ptx > check->arch->ptx ? check->ptx : check->arch->ptx;
  int most = ptx >= 81 ? 32764 : 4352;
  if (bytes <= most)
    return;
  check->failed = true;
  CUTE_ERROR_AT(
      function,
      "the parameters have %jd bytes; a kernel's have at most %d in PTX %d.%d",
      bytes, most, ptx / 10, ptx % 10);
}

// The attribute for which LLVM writes a cluster's size.
static void checkCluster(Check *check, MlirOperation function) {
  MlirAttribute cluster = cuteMlirGetAttribute(function, "nvvm.cluster_dim");
  if (!mlirAttributeIsNull(cluster))
    checkNeeds(check, mlirOperationGetLocation(function),
               (Needs){"a cluster of blocks", 90, '\0', 0, CUTE_FEATURE_NONE});
}

static void checkParameters(Check *check, MlirOperation function) {
  MlirBlock entry = cuteMlirGetBody(function, 0);
  if (mlirBlockIsNull(entry))
    return;
  int64_t bytes = 0;
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(entry); ++i) {
    MlirValue argument = mlirBlockGetArgument(entry, i);
    checkValue(check, mlirOperationGetLocation(function), argument);
    bytes = addParameter(check, mlirValueGetType(argument), bytes);
  }
  checkBytes(check, function, bytes);
}

static void checkShared(Check *check, MlirOperation function) {
  CuteSharedPlan plan;
  CUTE_SCOPED(String) problem = {0};
  if (!cuteSharedPlanMake(check->dialect, function, NULL, &plan)) {
    check->failed = true;
  } else if (!cuteSharedFits(plan.bytes, check->arch, &problem)) {
    check->failed = true;
    cuteEmitOpError(function, "%s", cuteStringGet(&problem));
  }
}

static void checkFunction(Check *check, MlirOperation op) {
  checkParameters(check, op);
  checkCluster(check, op);
  checkShared(check, op);
}

static void visit(Check *check, MlirOperation op) {
  if (cuteMlirIs(op, "gpu.func")) {
    checkFunction(check, op);
  } else {
    checkAtoms(check, op);
    checkOp(check, op);
  }
  checkConversion(check, op);
  checkForeign(check, op);
  checkFragment(check, op);
}

bool cuteCheckLimits(MlirModule module, const CuteArch *arch, int *ptx) {
  CUTE_LOCKED *dialect = cuteDialectLock(mlirModuleGetContext(module));
  if (!dialect)
    return false;
  Check check = {dialect, arch, 0, false};
  CUTE_FOR_NESTED(op, mlirModuleGetOperation(module))
    visit(&check, op);
  *ptx = check.ptx;
  return !check.failed;
}
