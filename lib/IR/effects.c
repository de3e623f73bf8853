#include "IR/effects.h"

enum { NOTHING = -1 };

static const struct {
  const char *name;
  CuteEffect effect;
  intptr_t written;
} rows[] = {
    {"copy", CUTE_EFFECT_ACCESS, 2},
    {"copy_if", CUTE_EFFECT_ACCESS, 3},
    {"copy_atom_call", CUTE_EFFECT_ACCESS, 2},
    {"basic_copy", CUTE_EFFECT_ACCESS, 1},
    {"basic_copy_if", CUTE_EFFECT_ACCESS, 2},
    {"autovec_copy", CUTE_EFFECT_ACCESS, 1},
    {"gemm", CUTE_EFFECT_ACCESS, 1},
    {"mma_atom_call", CUTE_EFFECT_ACCESS, 1},
    {"load", CUTE_EFFECT_ACCESS, NOTHING},
    {"load_vector", CUTE_EFFECT_ACCESS, NOTHING},
    {"store", CUTE_EFFECT_ACCESS, 1},
    {"store_vector", CUTE_EFFECT_ACCESS, 1},
    {"fill", CUTE_EFFECT_ACCESS, 0},
    {"clear", CUTE_EFFECT_ACCESS, 0},
    {"convert", CUTE_EFFECT_ACCESS, 1},
    {"axpby", CUTE_EFFECT_ACCESS, 3},
    {"prefetch", CUTE_EFFECT_ACCESS, NOTHING},
    {"print", CUTE_EFFECT_ACCESS, NOTHING},
    {"print_value", CUTE_EFFECT_ACCESS, NOTHING},
    {"print_tensor", CUTE_EFFECT_ACCESS, NOTHING},
    {"make_predicate", CUTE_EFFECT_NONE, NOTHING},
    {"make_fragment", CUTE_EFFECT_REGISTERS, NOTHING},
    {"make_fragment_like", CUTE_EFFECT_REGISTERS, NOTHING},
    {"make_fragment_a", CUTE_EFFECT_REGISTERS, NOTHING},
    {"make_fragment_b", CUTE_EFFECT_REGISTERS, NOTHING},
    {"make_fragment_c", CUTE_EFFECT_REGISTERS, NOTHING},
    {"make_fragment_operand", CUTE_EFFECT_REGISTERS, NOTHING},
    {"cp_async_commit", CUTE_EFFECT_COMMIT, NOTHING},
    {"cp_async_wait", CUTE_EFFECT_WAIT, NOTHING},
    {"cp_async_wait_all", CUTE_EFFECT_WAIT, NOTHING},
};

static size_t findRow(const CuteOpDecl *decl) {
  size_t i = 0;
  while (i < sizeof rows / sizeof *rows &&
         !cuteTextEquals(decl->name, rows[i].name))
    ++i;
  return i;
}

MlirStringRef cuteOperationGetName(MlirOperation op) {
  return mlirIdentifierStr(mlirOperationGetName(op));
}

bool cuteOperationIs(MlirOperation op, const char *name) {
  return mlirStringRefEqual(cuteOperationGetName(op),
                            mlirStringRefCreateFromCString(name));
}

//===-- Effects -----------------------------------------------------------===//

static bool startsWith(MlirStringRef text, const char *prefix) {
  size_t n = strlen(prefix);
  return text.length >= n && !memcmp(text.data, prefix, n);
}

static bool isDivision(MlirStringRef name) {
  return startsWith(name, "arith.div") || startsWith(name, "arith.rem") ||
         startsWith(name, "arith.floordiv") ||
         startsWith(name, "arith.ceildiv");
}

// Integer division by anything but a constant may trap.
static bool mayTrap(MlirOperation op) {
  if (!isDivision(cuteOperationGetName(op)))
    return false;
  MlirValue divisor = mlirOperationGetOperand(op, 1);
  if (!mlirTypeIsAInteger(mlirValueGetType(divisor)) &&
      !mlirTypeIsAIndex(mlirValueGetType(divisor)))
    return false;
  return mlirValueIsABlockArgument(divisor) ||
         !cuteOperationIs(mlirOpResultGetOwner(divisor), "arith.constant");
}

static CuteEffect foreignEffect(MlirOperation op) {
  static const char *const pure[] = {"gpu.thread_id",
                                     "gpu.block_id",
                                     "gpu.block_dim",
                                     "gpu.grid_dim",
                                     "gpu.lane_id",
                                     "gpu.subgroup_id",
                                     "ub.poison",
                                     "vector.bitcast",
                                     "vector.broadcast",
                                     "vector.extract",
                                     "vector.extract_strided_slice",
                                     "vector.fma",
                                     "vector.from_elements",
                                     "vector.insert",
                                     "vector.insert_strided_slice",
                                     "vector.reduction",
                                     "vector.shape_cast",
                                     "vector.shuffle",
                                     "vector.to_elements"};
  static const char *const lanes[] = {"gpu.shuffle", "gpu.subgroup_reduce"};
  MlirStringRef name = cuteOperationGetName(op);
  if (mlirOperationGetNumRegions(op) || mlirOperationGetNumSuccessors(op))
    return CUTE_EFFECT_UNKNOWN;
  if (cuteOperationIs(op, "gpu.barrier"))
    return CUTE_EFFECT_BARRIER;
  for (size_t i = 0; i < sizeof pure / sizeof *pure; ++i)
    if (cuteOperationIs(op, pure[i]))
      return CUTE_EFFECT_NONE;
  for (size_t i = 0; i < sizeof lanes / sizeof *lanes; ++i)
    if (cuteOperationIs(op, lanes[i]))
      return CUTE_EFFECT_LANES;
  bool isArithmetic = startsWith(name, "arith.") || startsWith(name, "math.");
  return isArithmetic && !mayTrap(op) ? CUTE_EFFECT_NONE : CUTE_EFFECT_UNKNOWN;
}

CuteEffect cuteOperationGetEffect(CuteDialect *dialect, MlirOperation op) {
  const CuteOpDecl *decl = cuteDialectGetDecl(dialect, op);
  if (!decl)
    return foreignEffect(op);
  size_t row = findRow(decl);
  return row < sizeof rows / sizeof *rows ? rows[row].effect
         : decl->isPure                   ? CUTE_EFFECT_NONE
                                          : CUTE_EFFECT_UNKNOWN;
}

intptr_t cuteOperationGetWritten(CuteDialect *dialect, MlirOperation op) {
  const CuteOpDecl *decl = cuteDialectGetDecl(dialect, op);
  size_t row = decl ? findRow(decl) : sizeof rows / sizeof *rows;
  return row < sizeof rows / sizeof *rows ? rows[row].written : NOTHING;
}

//===-- Copies and waits --------------------------------------------------===//

static MlirValue operandOrNull(MlirOperation op, int i) {
  return i >= 0 && i < mlirOperationGetNumOperands(op)
             ? mlirOperationGetOperand(op, i)
             : (MlirValue){NULL};
}

bool cuteOperationGetCopy(CuteDialect *dialect, MlirOperation op,
                          CuteCopyParts *parts) {
  static const struct {
    const char *name;
    int copy, source, destination, predicate;
  } copies[] = {{"copy", 0, 1, 2, 3},           {"copy_if", 0, 2, 3, 1},
                {"copy_atom_call", 0, 1, 2, 3}, {"basic_copy", -1, 0, 1, -1},
                {"basic_copy_if", -1, 1, 2, 0}, {"autovec_copy", -1, 0, 1, -1}};
  const CuteOpDecl *decl = cuteDialectGetDecl(dialect, op);
  for (size_t i = 0; decl && i < sizeof copies / sizeof *copies; ++i)
    if (cuteTextEquals(decl->name, copies[i].name)) {
      *parts = (CuteCopyParts){operandOrNull(op, copies[i].copy),
                               operandOrNull(op, copies[i].source),
                               operandOrNull(op, copies[i].destination),
                               operandOrNull(op, copies[i].predicate)};
      return true;
    }
  return false;
}

int64_t cuteOperationGetPending(CuteDialect *dialect, MlirOperation op) {
  CuteArena *scratch = &dialect->context->scratch;
  CuteArenaMark mark = cuteArenaGetMark(scratch);
  CuteOp instance =
      cuteDialectGetOp(dialect, cuteDialectGetDecl(dialect, op), op);
  const CuteAttribute *n = cuteOpGetAttribute(&instance, "n");
  int64_t pending = n ? n->value : 0;
  cuteArenaReset(scratch, mark);
  return pending;
}

//===-- Views -------------------------------------------------------------===//

bool cuteValueIsMemory(CuteDialect *dialect, MlirValue value, CuteSpace space) {
  CuteType type = cuteDialectGetType(dialect, mlirValueGetType(value));
  return type && cuteTypeHasPointer(type) && cuteTypeGetMemory(type) == space;
}

MlirValue cuteViewGetBase(CuteDialect *dialect, MlirOperation op,
                          CuteSpace space) {
  const CuteOpDecl *decl = cuteDialectGetDecl(dialect, op);
  if (!decl || !decl->isPure || mlirOperationGetNumResults(op) != 1 ||
      !cuteValueIsMemory(dialect, mlirOperationGetResult(op, 0), space))
    return (MlirValue){NULL};
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (cuteValueIsMemory(dialect, mlirOperationGetOperand(op, i), space))
      return mlirOperationGetOperand(op, i);
  return (MlirValue){NULL};
}

MlirValue cuteValueGetRoot(CuteDialect *dialect, MlirValue value,
                           CuteSpace space) {
  while (!mlirValueIsABlockArgument(value)) {
    MlirValue base =
        cuteViewGetBase(dialect, mlirOpResultGetOwner(value), space);
    if (mlirValueIsNull(base))
      break;
    value = base;
  }
  return value;
}
