// The signature of a kernel: its parameters, where the dialect's become
// pointers and integers, and their attributes.
#include "Conversion/conversion.h"
#include "Lowering/tensor_maps.h"

enum { MAX_PARTS = 256 };

// Adds block arguments for the parts of a parameter before argument `index` and
// binds its value to them. Returns how many were added.
static size_t expandParameter(CuteLowering *lowering, MlirBlock entry,
                              intptr_t index, CuteType type) {
  CuteContext c = lowering->context;
  CuteParameterPart parts[MAX_PARTS];
  size_t n = cuteParameterParts(type, MAX_PARTS, parts);
  if (n > MAX_PARTS) {
    cuteFail(c, "parameter %jd has more than %d parts", index, MAX_PARTS);
    return 0;
  }
  MlirValue original = mlirBlockGetArgument(entry, index);
  MlirLocation location = mlirValueGetLocation(original);
  CuteLowered lowered = {.type = type};
  CuteIntTuple leaves[MAX_PARTS], declared[MAX_PARTS];
  size_t numLeaves = 0;
  cuteTypeGetDynamicLeaves(type, declared);
  for (size_t i = 0; i < n; ++i) {
    MlirType partType =
        parts[i].kind == CUTE_PART_POINTER
            ? cuteLoweringPointerType(lowering, cuteTypeGetMemory(type))
            : mlirIntegerTypeGet(lowering->dialect->mlir, parts[i].bits);
    MlirValue argument =
        mlirBlockInsertArgument(entry, index + (intptr_t)i, partType, location);
    if (parts[i].kind == CUTE_PART_POINTER) {
      lowered.pointer = argument;
    } else {
      leaves[numLeaves] =
          cuteLoweringGetLeaf(lowering, argument, declared[numLeaves]->value);
      ++numLeaves;
    }
  }
  lowered.type = cuteTypeBind(c, type, leaves);
  cuteLoweringSet(lowering, original, lowered);
  return n;
}

//===-- Attributes --------------------------------------------------------===//

// Says which of LLVM's attributes a part can have. A pointer's attributes, and
// a tensor's, describe the memory that it points to.
static const struct {
  const char *name;
  bool ofIntegers;
} kept[] = {
    {"llvm.noalias", false},  {"llvm.nonnull", false},
    {"llvm.readonly", false}, {"llvm.writeonly", false},
    {"llvm.readnone", false}, {"llvm.nocapture", false},
    {"llvm.nofree", false},   {"llvm.dereferenceable", false},
    {"llvm.align", false},    {"llvm.dereferenceable_or_null", false},
    {"llvm.noundef", true},
};

static bool isKept(CuteStringRef name, bool isPointer) {
  for (size_t i = 0; i < sizeof kept / sizeof *kept; ++i)
    if (cuteTextEquals(name, kept[i].name))
      return isPointer || kept[i].ofIntegers;
  return false;
}

// Tells whether an attribute is of LLVM or NVVM; what others say of a parameter
// goes to its first part.
static bool isOfCompiler(CuteStringRef name) {
  return cuteTextStartsWith(name, "llvm.") || cuteTextStartsWith(name, "nvvm.");
}

// A parameter of the dialect, and its attributes.
typedef struct Parameter {
  MlirValue argument;
  size_t index;
  CuteType type;
  MlirAttribute given; // null, or a dictionary
} Parameter;

static intptr_t numGiven(const Parameter *p) {
  return mlirAttributeIsNull(p->given)
             ? 0
             : mlirDictionaryAttrGetNumElements(p->given);
}

static bool failAttribute(CuteLowering *lowering, const Parameter *p,
                          CuteStringRef name) {
  return cuteEmitError(
      mlirValueGetLocation(p->argument),
      "parameter %zu, %s, cannot have the attribute '%.*s'; it can have "
      "llvm.%s and attributes of other dialects",
      p->index, cuteTypeText(lowering->context, p->type), CUTE_TEXT(name),
      cuteTypeHasPointer(p->type)
          ? "noalias, nonnull, readonly, writeonly, readnone, nocapture, "
            "nofree, noundef, align, dereferenceable, dereferenceable_or_null"
          : "noundef");
}

static bool checkGiven(CuteLowering *lowering, const Parameter *p) {
  bool isPointer = cuteTypeHasPointer(p->type);
  for (intptr_t i = 0; i < numGiven(p); ++i) {
    CuteStringRef name = fromMlirString(
        mlirIdentifierStr(mlirDictionaryAttrGetElement(p->given, i).name));
    if (isOfCompiler(name) && !isKept(name, isPointer))
      return failAttribute(lowering, p, name);
  }
  return true;
}

// The larger one of what the type promises and what is given.
static int64_t alignOf(const Parameter *p) {
  MlirAttribute given = numGiven(p)
                            ? mlirDictionaryAttrGetElementByName(
                                  p->given, cuteMlirString("llvm.align"))
                            : (MlirAttribute){NULL};
  int64_t align = mlirAttributeIsNull(given) || !mlirAttributeIsAInteger(given)
                      ? 0
                      : mlirIntegerAttrGetValueInt(given);
  return align > p->type->align ? align : p->type->align;
}

// The attributes of part i of the parameter: of a pointer with its alignment,
// which the address arithmetic relies on.
static MlirAttribute attributesOf(CuteLowering *lowering, const Parameter *p,
                                  size_t part) {
  MlirContext context = lowering->dialect->mlir;
  bool isPointer = cuteTypeHasPointer(p->type) && !part;
  size_t n = 0;
  MlirNamedAttribute *list =
      cuteScratch(lowering->context, ((size_t)numGiven(p) + 1) * sizeof *list);
  for (intptr_t i = 0; i < numGiven(p); ++i) {
    MlirNamedAttribute named = mlirDictionaryAttrGetElement(p->given, i);
    CuteStringRef name = fromMlirString(mlirIdentifierStr(named.name));
    bool stays = isOfCompiler(name) ? isKept(name, isPointer) : !part;
    if (stays && !cuteTextEquals(name, "llvm.align"))
      list[n++] = named;
  }
  if (isPointer && alignOf(p))
    list[n++] = mlirNamedAttributeGet(
        mlirIdentifierGet(context, cuteMlirString("llvm.align")),
        mlirIntegerAttrGet(mlirIntegerTypeGet(context, 64), alignOf(p)));
  return mlirDictionaryAttrGet(context, (intptr_t)n, list);
}

//===-- Signature ---------------------------------------------------------===//

typedef struct Signature {
  CuteLowering *lowering;
  MlirType types[MAX_PARTS];
  MlirAttribute attributes[MAX_PARTS];
  size_t total;
} Signature;

static bool failCount(CuteLowering *lowering) {
  cuteFail(lowering->context, "the kernel has more than %d parameters",
           MAX_PARTS);
  return cuteEmitOpError(lowering->function, "%s",
                         cuteContextGetError(lowering->context));
}

// Adds a parameter of the dialect, whose parts go before it; their number goes
// to `count`.
static bool addExpanded(Signature *s, const Parameter *p, intptr_t at,
                        size_t *count) {
  CuteParameterPart parts[1];
  size_t n = cuteParameterParts(p->type, 1, parts);
  if (!checkGiven(s->lowering, p))
    return false;
  if (n + s->total > MAX_PARTS ||
      expandParameter(s->lowering, s->lowering->entry, at, p->type) != n)
    return failCount(s->lowering);
  for (size_t i = 0; i < n; ++i) {
    s->types[s->total] = mlirValueGetType(
        mlirBlockGetArgument(s->lowering->entry, at + (intptr_t)i));
    s->attributes[s->total++] = attributesOf(s->lowering, p, i);
  }
  *count = n;
  return true;
}

static bool addForeign(Signature *s, const Parameter *p) {
  if (s->total == MAX_PARTS)
    return failCount(s->lowering);
  s->types[s->total] = mlirValueGetType(p->argument);
  s->attributes[s->total++] =
      mlirAttributeIsNull(p->given)
          ? mlirDictionaryAttrGet(s->lowering->dialect->mlir, 0, NULL)
          : p->given;
  return true;
}

// Adds the hidden parameters at the end. An attribute of the function describes
// them, as attributes of parameters do not outlive MLIR's passes (to_llvm.c).
static bool addTensorMaps(Signature *s) {
  CuteLowering *lowering = s->lowering;
  MlirContext context = lowering->dialect->mlir;
  CUTE_SCOPED(TensorMapList) maps;
  if (!cuteTensorMapListCollect(lowering->dialect, lowering->function, &maps))
    return false;
  MlirType pointer = cuteLoweringPointerType(lowering, CUTE_RMEM);
  for (size_t i = 0; i < maps.count; ++i) {
    MlirValue map = mlirBlockAddArgument(
        lowering->entry, pointer, mlirOperationGetLocation(maps.data[i].op));
    if (s->total == MAX_PARTS)
      return failCount(lowering);
    cutePointerMapSet(&lowering->tensorMaps, maps.data[i].op.ptr,
                      (void *)map.ptr);
    s->types[s->total] = pointer;
    s->attributes[s->total++] = mlirDictionaryAttrGet(context, 0, NULL);
  }
  if (maps.count)
    cuteMlirSetAttribute(lowering->function, CUTE_TENSOR_MAPS,
                         mlirIntegerAttrGet(mlirIntegerTypeGet(context, 32),
                                            (int64_t)maps.count));
  return true;
}

static void setSignature(const Signature *s) {
  MlirContext context = s->lowering->dialect->mlir;
  MlirType function =
      mlirFunctionTypeGet(context, (intptr_t)s->total, s->types, 0, NULL);
  cuteMlirSetAttribute(s->lowering->function, "function_type",
                       mlirTypeAttrGet(function));
  cuteMlirSetAttribute(
      s->lowering->function, "arg_attrs",
      mlirArrayAttrGet(context, (intptr_t)s->total, s->attributes));
}

bool cuteRewriteSignature(CuteLowering *lowering) {
  Signature s = {.lowering = lowering};
  MlirBlock entry = lowering->entry;
  MlirAttribute given = cuteMlirGetAttribute(lowering->function, "arg_attrs");
  size_t index = 0;
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(entry); ++index) {
    MlirValue argument = mlirBlockGetArgument(entry, i);
    Parameter p = {argument, index,
                   cuteDialectGetValueType(lowering->dialect, argument),
                   mlirAttributeIsNull(given)
                       ? given
                       : mlirArrayAttrGetElement(given, (intptr_t)index)};
    bool isForeign = p.type && p.type->kind == CUTE_TYPE_FOREIGN;
    size_t n = 0;
    if (!p.type ||
        !(isForeign ? addForeign(&s, &p) : addExpanded(&s, &p, i, &n)))
      return false;
    i += (intptr_t)n + 1; // the old argument goes in the end
  }
  if (!addTensorMaps(&s))
    return false;
  setSignature(&s);
  return true;
}
