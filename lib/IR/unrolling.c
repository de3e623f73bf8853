#include "IR/unrolling.h"

#include "IR/loops.h"

bool cuteUnrollIsUnsaid(MlirOperation loop) {
  return !cuteMlirHasAttribute(loop, CUTE_UNROLL) &&
         !cuteMlirHasAttribute(loop, CUTE_LOOP_ANNOTATION);
}

bool cuteUnrollIs(MlirAttribute value, const char *text) {
  return mlirAttributeIsAString(value) &&
         mlirStringRefEqual(mlirStringAttrGetValue(value),
                            cuteMlirString(text));
}

//===-- Sizes -------------------------------------------------------------===//

// Roughly the instructions of an unrolled loop; LLVM refuses more.
enum { MAX_UNROLLED_SIZE = 1 << 14, MATH_SIZE = 16 };

static int64_t limitSize(int64_t size) {
  return size < MAX_UNROLLED_SIZE ? size : MAX_UNROLLED_SIZE + 1;
}

static int64_t sizeOfValue(CuteDialect *dialect, MlirValue value) {
  MlirType type = mlirValueGetType(value);
  if (mlirTypeIsAVector(type) && mlirShapedTypeHasStaticShape(type))
    return limitSize(mlirShapedTypeGetDimSize(type, 0));
  CuteType tensor = cuteDialectGetType(dialect, type);
  if (!cuteTypeIsKind(tensor, CUTE_TYPE_TENSOR))
    return 1;
  CuteIntTuple size = cuteLayoutGetSize(dialect->context, tensor->layout);
  return size && isStatic(size) ? limitSize(size->value) : 1;
}

static int64_t sizeOfBlocks(CuteDialect *dialect, MlirOperation op);

// Counts one instruction for each element that an op takes or gives, of an
// access at a coordinate one in all.
static int64_t sizeOf(CuteDialect *dialect, MlirOperation op) {
  int64_t size = 1 + sizeOfBlocks(dialect, op), most = 0, trips = 1;
  const CuteOpDecl *decl = cuteDialectGetDecl(dialect, op);
  bool isWhole = decl && decl->traits.effect == CUTE_EFFECT_ACCESS &&
                 decl->traits.access != CUTE_ACCESS_AT;
  for (intptr_t i = 0; isWhole && i < getNumOperands(op); ++i) {
    int64_t n = sizeOfValue(dialect, getOperand(op, i));
    most = n > most ? n : most;
  }
  for (intptr_t i = 0; !decl && i < getNumResults(op); ++i)
    most += sizeOfValue(dialect, getResult(op, i));
  if (cuteMlirStartsWith(cuteMlirGetName(op), "math."))
    most *= MATH_SIZE;
  if (cuteLoopGetTrips(dialect, op, &trips))
    size *= limitSize(trips);
  return limitSize(size + most);
}

static int64_t sizeOfBlocks(CuteDialect *dialect, MlirOperation op) {
  int64_t size = 0;
  CUTE_FOR_INNER_BLOCKS(block, op)
    CUTE_FOR_OPS(inner, block)
      size = limitSize(size + sizeOf(dialect, inner));
  return size;
}

//===-- Loops -------------------------------------------------------------===//

static bool isUnrolled(CuteDialect *dialect, MlirOperation loop) {
  int64_t trips;
  if (!cuteLoopGetTrips(dialect, loop, &trips))
    return false;
  if (cuteUnrollIsUnsaid(loop))
    return trips <= CUTE_MAX_UNROLLED_TRIPS &&
           sizeOf(dialect, loop) <= MAX_UNROLLED_SIZE;
  MlirAttribute says = cuteMlirGetAttribute(loop, CUTE_UNROLL);
  return !mlirAttributeIsNull(says) && cuteUnrollIs(says, "full");
}

bool cuteIndexIsUnrolled(CuteDialect *dialect, const CuteRegisterIndex *index) {
  bool all = !index->isRunTime;
  for (size_t i = 0; all && i < index->count; ++i)
    all = isUnrolled(dialect, index->loops[i]);
  return all;
}
