// Loads the dialect's types and ops as modules of IRDL, built from the tables
// that the build makes of dialect/cute.irdl.mlir.
#include "IR/builder.h"

#include <mlir-c/Dialect/IRDL.h>

enum { MAX_PARAMETERS = 8 };

// A type or attribute: an operation that defines it, and its parameters, each
// with the name of its base, or null for any.
typedef struct TypeRow {
  const char *op, *name;
  size_t numParameters;
  struct {
    const char *name, *base;
  } parameters[MAX_PARAMETERS];
} TypeRow;

static const TypeRow typeRows[] = {
#include "irdl_types.def"
};

static const char *const foreignTypes[] = {
#include "foreign_types.def"
};

enum {
  NUM_FOREIGN = sizeof foreignTypes / sizeof *foreignTypes,
  NUM_BASES = CUTE_NUM_TYPE_KINDS + NUM_FOREIGN,
};

typedef struct Loading {
  CuteBuilder at;
  MlirType constraint;        // !irdl.attribute
  MlirAttribute forms[3];     // by CuteVariadicity
  MlirValue first[NUM_BASES]; // the constraint of each built first
  MlirValue any;              // the irdl.any built first
} Loading;

//===-- Constraints -------------------------------------------------------===//

static MlirAttribute text(const Loading *loading, const char *value) {
  return mlirStringAttrGet(loading->at.context, cuteMlirString(value));
}

static MlirValue buildBase(const Loading *loading, const char *name) {
  return CUTE_BUILD_VALUE(&loading->at, "irdl.base",
                          CUTE_RESULTS(loading->constraint),
                          CUTE_ATTRIBUTES({"base_name", text(loading, name)}));
}

static MlirValue buildAny(const Loading *loading) {
  return cuteBuildResult(&loading->at, "irdl.any", 0, NULL,
                         loading->constraint);
}

// Appends a copy, in a third of the time that it takes to build another.
static MlirValue repeat(const Loading *loading, MlirValue constraint) {
  MlirOperation copy = mlirOperationClone(mlirOpResultGetOwner(constraint));
  mlirBlockAppendOwnedOperation(loading->at.block, copy);
  return getResult(copy, 0);
}

static MlirValue takeAny(Loading *loading) {
  if (!mlirValueIsNull(loading->any))
    return repeat(loading, loading->any);
  return loading->any = buildAny(loading);
}

// The constraint of a kind, or past these a foreign type.
static MlirValue takeBase(Loading *loading, size_t i) {
  MlirValue *first = &loading->first[i];
  if (!mlirValueIsNull(*first))
    return repeat(loading, *first);
  CUTE_SCOPED(String) name = {0};
  if (i < CUTE_NUM_TYPE_KINDS)
    cuteStringAppendFormat(&name, "!cute.%s",
                           cuteTypeKindGetName((CuteTypeKind)i));
  else
    cuteStringAppend(&name, foreignTypes[i - CUTE_NUM_TYPE_KINDS]);
  *first = buildBase(loading, cuteStringGet(&name));
  return *first;
}

static bool admits(const CuteValueDecl *value, size_t base) {
  return base < CUTE_NUM_TYPE_KINDS
             ? value->kinds >> base & 1
             : value->foreign >> (base - CUTE_NUM_TYPE_KINDS) & 1;
}

static MlirValue buildConstraint(Loading *loading, const CuteValueDecl *value) {
  if (!(CuteKindSet)~value->kinds)
    return takeAny(loading);
  MlirValue bases[NUM_BASES];
  size_t n = 0;
  for (size_t i = 0; i < NUM_BASES; ++i)
    if (admits(value, i))
      bases[n++] = takeBase(loading, i);
  return n == 1 ? *bases
                : cuteBuildResult(&loading->at, "irdl.any_of", n, bases,
                                  loading->constraint);
}

//===-- Definitions -------------------------------------------------------===//

// Begins a definition: its body is filled next.
static void begin(Loading *loading, const char *op, CuteStringRef name) {
  CuteNamedAttribute symbol = {"sym_name", {NULL}};
  if (name.length)
    symbol.value = mlirStringAttrGet(loading->at.context, toMlirString(name));
  MlirOperation made = CUTE_BUILD(&loading->at, op, .numAttributes = 1,
                                  .attributes = &symbol, .numRegions = 1);
  loading->at.block = cuteMlirGetBody(made, 0);
}

static void end(Loading *loading) {
  loading->at.block =
      mlirOperationGetBlock(mlirBlockGetParentOperation(loading->at.block));
}

static void buildList(const Loading *loading, const char *op, size_t n,
                      const MlirValue *values, MlirAttribute names,
                      MlirAttribute variadicities) {
  CUTE_BUILD(&loading->at, op, .numOperands = n, .operands = values,
             CUTE_ATTRIBUTES({"names", names}, {"variadicity", variadicities}));
}

static void defineType(Loading *loading, const TypeRow *row) {
  MlirValue values[MAX_PARAMETERS];
  MlirAttribute names[MAX_PARAMETERS];
  intptr_t n = (intptr_t)row->numParameters;
  begin(loading, row->op, cuteStringRef(row->name));
  for (intptr_t i = 0; i < n; ++i) {
    const char *base = row->parameters[i].base;
    names[i] = text(loading, row->parameters[i].name);
    values[i] = base ? buildBase(loading, base) : buildAny(loading);
  }
  buildList(loading, "irdl.parameters", row->numParameters, values,
            mlirArrayAttrGet(loading->at.context, n, names),
            (MlirAttribute){NULL});
  end(loading);
}

// Operands or results, without names, which loading does not read. Of a mixed
// group there are many, of any type each.
static void defineValues(Loading *loading, const char *op, size_t n,
                         const CuteValueDecl *decls, bool isMixed) {
  MlirValue values[CUTE_NUM_MIXED];
  MlirAttribute forms[CUTE_NUM_MIXED];
  if (!n)
    return;
  if (isMixed)
    n = CUTE_NUM_MIXED;
  for (size_t i = 0; i < n; ++i) {
    values[i] =
        isMixed ? takeAny(loading) : buildConstraint(loading, &decls[i]);
    forms[i] = loading->forms[isMixed ? CUTE_VARIADIC : decls[i].variadicity];
  }
  MlirContext context = loading->at.context;
  buildList(loading, op, n, values, mlirArrayAttrGet(context, 0, NULL),
            mlirIRDLVariadicityArrayAttrGet(context, (intptr_t)n, forms));
}

static void defineOp(Loading *loading, const CuteOpDecl *decl) {
  begin(loading, "irdl.operation", decl->name);
  defineValues(loading, "irdl.operands", decl->numOperands, decl->operands,
               decl->mixedOperands);
  defineValues(loading, "irdl.results", decl->numResults, decl->results,
               decl->mixedResults);
  end(loading);
}

//===-- Modules -----------------------------------------------------------===//

static MlirModule beginModule(Loading *loading) {
  MlirModule module = mlirModuleCreateEmpty(loading->at.location);
  loading->at.block = mlirModuleGetBody(module);
  begin(loading, "irdl.dialect", cuteStringRef("cute"));
  return module;
}

static bool load(MlirModule module) {
  bool ok = mlirLogicalResultIsSuccess(mlirLoadIRDLDialects(module));
  mlirModuleDestroy(module);
  return ok;
}

// Attributes have the names of types, hence a dialect in a module for them.
static bool loadTypes(Loading *loading) {
  MlirModule module = beginModule(loading);
  bool areTypes = true;
  for (size_t i = 0; i < sizeof typeRows / sizeof *typeRows; ++i) {
    if (areTypes && !strcmp(typeRows[i].op, "irdl.attribute")) {
      end(loading);
      begin(loading, "builtin.module", (CuteStringRef){"", 0});
      begin(loading, "irdl.dialect", cuteStringRef("cute"));
      areTypes = false;
    }
    defineType(loading, &typeRows[i]);
  }
  return load(module);
}

static bool loadOps(Loading *loading) {
  MlirModule module = beginModule(loading);
  for (int i = 0; i < CUTE_NUM_OPS; ++i)
    defineOp(loading, cuteOpDeclGet((CuteOpId)i));
  return load(module);
}

bool cuteDialectDeclare(MlirContext context) {
  static const char *const forms[] = {"single", "optional", "variadic"};
  Loading loading = {
      .at = {context, mlirLocationUnknownGet(context), {NULL}, {NULL}},
      .constraint =
          mlirTypeParseGet(context, cuteMlirString("!irdl.attribute"))};
  for (int i = 0; i < 3; ++i)
    loading.forms[i] =
        mlirIRDLVariadicityAttrGet(context, cuteMlirString(forms[i]));
  return loadTypes(&loading) && loadOps(&loading);
}
