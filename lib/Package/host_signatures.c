#include "Conversion/conversion.h"
#include "Package/package.h"
#include "Support/growing_array.h"

enum { MAX_PARTS = 256 };

typedef struct Parts {
  CuteHostPart *data;
  size_t count, capacity;
} Parts;

static bool addType(CuteDialect *dialect, MlirType type, size_t argument,
                    Parts *parts) {
  static const CuteHostPartKind kinds[] = {
      [CUTE_PART_POINTER] = CUTE_HOST_POINTER,
      [CUTE_PART_INTEGER] = CUTE_HOST_INTEGER,
      [CUTE_PART_FLOAT] = CUTE_HOST_FLOAT,
      [CUTE_PART_OPAQUE] = CUTE_HOST_OPAQUE};
  CuteParameterPart list[MAX_PARTS];
  size_t n;
  if (!cuteValueParts(dialect, type, MAX_PARTS, list, &n))
    return false;
  for (size_t i = 0; i < n; ++i) {
    CuteHostPart part = {kinds[list[i].kind], list[i].bits, argument, ""};
    memcpy(part.role, list[i].role, sizeof part.role);
    CUTE_PUSH(parts->data, parts->count, parts->capacity, part);
  }
  return true;
}

static bool addFunction(CuteDialect *dialect, CuteHostSignatures *all,
                        MlirOperation op) {
  MlirType type =
      mlirTypeAttrGetValue(cuteMlirGetAttribute(op, "function_type"));
  MlirStringRef name = cuteMlirGetSymbol(op);
  CuteHostSignature signature = {
      .name = cuteArenaCopyText(&all->arena, name.data, name.length)};
  Parts parts = {0};
  bool ok = true;
  for (intptr_t i = 0; ok && i < mlirFunctionTypeGetNumInputs(type); ++i)
    ok = addType(dialect, mlirFunctionTypeGetInput(type, i), (size_t)i, &parts);
  signature.numParameters = parts.count;
  for (intptr_t i = 0; ok && i < mlirFunctionTypeGetNumResults(type); ++i)
    ok =
        addType(dialect, mlirFunctionTypeGetResult(type, i), (size_t)i, &parts);
  signature.numResults = parts.count - signature.numParameters;
  CuteHostPart *copy =
      cuteArenaAllocate(&all->arena, (parts.count + 1) * sizeof *copy);
  for (size_t i = 0; i < parts.count; ++i)
    copy[i] = parts.data[i];
  free(parts.data);
  signature.parts = copy;
  CUTE_PUSH(all->data, all->count, all->capacity, signature);
  return ok || cuteEmitOpError(op, "%s", cuteContextGetError(dialect->context));
}

bool cuteHostSignatureHas(MlirOperation op) {
  MlirAttribute visibility = cuteMlirGetAttribute(op, "sym_visibility");
  return cuteMlirIs(op, "func.func") &&
         !mlirBlockIsNull(cuteMlirGetBody(op, 0)) &&
         (mlirAttributeIsNull(visibility) ||
          mlirStringRefEqual(mlirStringAttrGetValue(visibility),
                             cuteMlirString("public")));
}

bool cuteHostSignaturesCollect(CuteHostSignatures *signatures,
                               MlirModule module) {
  *signatures = (CuteHostSignatures){0};
  CUTE_LOCKED *dialect = cuteDialectLock(mlirModuleGetContext(module));
  bool ok = dialect;
  CUTE_FOR_OPS(op, mlirModuleGetBody(module))
    if (ok && cuteHostSignatureHas(op))
      ok = addFunction(dialect, signatures, op);
  return ok;
}

void cuteHostSignaturesDestroy(CuteHostSignatures *signatures) {
  free(signatures->data);
  cuteArenaDestroy(&signatures->arena);
  *signatures = (CuteHostSignatures){0};
}
