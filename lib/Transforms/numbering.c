#include "Transforms/numbering.h"

#include "Ops/ops.h"
#include "Support/hash.h"

#include <stdlib.h>

void cuteNumberingInit(CuteNumbering *numbering, CuteDialect *dialect) {
  *numbering = (CuteNumbering){.dialect = dialect, .context = dialect->context};
  cuteArenaInit(&numbering->arena);
}

void cuteNumberingDestroy(CuteNumbering *numbering) {
  cutePointerMapDestroy(&numbering->bound);
  cutePointerMapDestroy(&numbering->origins);
  cuteHashTableDestroy(&numbering->expressions);
  cuteArenaDestroy(&numbering->arena);
}

//===-- Expressions -------------------------------------------------------===//

enum { MAX_OPERANDS = 4 };

static size_t numOperandsOf(CuteLeafOp op) {
  return op == CUTE_LEAF_ABS || op == CUTE_LEAF_SIGNUM ? 1
         : op == CUTE_LEAF_SELECT_LT                   ? 4
                                                       : 2;
}

static uint64_t hashExpression(const CuteExpression *e) {
  uint64_t hash = cuteHashMix(e->op, e->width);
  for (size_t i = 0; i < MAX_OPERANDS; ++i)
    hash = cuteHashMix(hash, cuteHashPointer(e->operands[i]));
  return hash;
}

static bool isSameExpression(const void *item, const void *key) {
  const CuteExpression *a = item, *b = key;
  if (a->op != b->op || a->width != b->width)
    return false;
  for (size_t i = 0; i < MAX_OPERANDS; ++i)
    if (a->operands[i] != b->operands[i])
      return false;
  return true;
}

static uint32_t numberOf(CuteNumbering *numbering, CuteExpression e) {
  uint64_t hash = hashExpression(&e);
  CuteHashSlot *slot =
      cuteHashTableFind(&numbering->expressions, hash, &e, isSameExpression);
  if (slot->item)
    return ((CuteExpression *)slot->item)->id;
  e.id = ++numbering->numIds;
  CuteExpression *kept = cuteArenaAllocate(&numbering->arena, sizeof *kept);
  *kept = e;
  cuteHashTableFill(&numbering->expressions, slot, hash, kept);
  CuteIntTuple leaf = cuteDynamicLeaf(numbering->context, e.width, 1, e.id);
  cutePointerMapSet(&numbering->origins, leaf, kept);
  return e.id;
}

//===-- Leaves ------------------------------------------------------------===//

// Drops what is known of an integer, which says nothing about which one it is.
static CuteIntTuple withoutDivisor(CuteContext c, CuteIntTuple leaf) {
  return isDynamic(leaf) ? cuteDynamicLeaf(c, leaf->width, 1, leaf->id) : leaf;
}

static bool isCommutative(CuteLeafOp op) {
  return op == CUTE_LEAF_ADD || op == CUTE_LEAF_MUL || op == CUTE_LEAF_MIN ||
         op == CUTE_LEAF_MAX || op == CUTE_LEAF_AND || op == CUTE_LEAF_XOR;
}

// Static leaves go last, dynamic ones in the order of their numbers.
static bool isOrdered(CuteIntTuple a, CuteIntTuple b) {
  if (isStatic(a) || isStatic(b))
    return isStatic(b);
  return a->id <= b->id;
}

// Zero, or the smallest number by -1, ends a program on some machines.
static bool divisionMayTrap(CuteLeafOp op, CuteIntTuple divisor) {
  bool divides = op == CUTE_LEAF_DIV || op == CUTE_LEAF_MOD ||
                 op == CUTE_LEAF_CEIL_DIV || op == CUTE_LEAF_SHAPE_DIV;
  return divides && (!isStatic(divisor) || isStaticValue(divisor, -1));
}

//===-- Sums and products -------------------------------------------------===//

enum { MAX_TERMS = 8, MAX_VISITED = 4 * MAX_TERMS };

// A sum or product of integers of one width, flat: its dynamic terms in the
// order of their numbers, and the static ones as one.
typedef struct Chain {
  CuteLeafOp op;
  unsigned width;
  size_t count, visited;
  CuteIntTuple terms[MAX_TERMS];
  int64_t constant;
} Chain;

static bool addConstant(Chain *chain, int64_t value) {
  return chain->op == CUTE_LEAF_MUL
             ? !__builtin_mul_overflow(chain->constant, value, &chain->constant)
             : !__builtin_add_overflow(chain->constant, value,
                                       &chain->constant);
}

static bool addTerm(Chain *chain, CuteIntTuple term) {
  if (chain->count == MAX_TERMS)
    return false;
  size_t at = chain->count++;
  for (; at && chain->terms[at - 1]->id > term->id; --at)
    chain->terms[at] = chain->terms[at - 1];
  chain->terms[at] = term;
  return true;
}

// Adds what an operand consists of; false where that is too much.
static bool addOperand(const CuteNumbering *numbering, Chain *chain,
                       CuteIntTuple operand) {
  if (chain->visited++ == MAX_VISITED)
    return false;
  if (isStatic(operand))
    return addConstant(chain, operand->value);
  const CuteExpression *e = cutePointerMapGet(&numbering->origins, operand);
  if (!e || e->op != chain->op || e->width != chain->width)
    return addTerm(chain, operand);
  return addOperand(numbering, chain, e->operands[0]) &&
         addOperand(numbering, chain, e->operands[1]);
}

// The number of a chain, added up from the left.
static uint32_t numberOfChain(CuteNumbering *numbering, const Chain *chain) {
  CuteContext c = numbering->context;
  CuteIntTuple sum = chain->terms[0];
  CuteExpression e = {.op = chain->op, .width = chain->width};
  for (size_t i = 1; i < chain->count; ++i) {
    e.operands[0] = sum;
    e.operands[1] = chain->terms[i];
    sum = cuteDynamicLeaf(c, chain->width, 1, numberOf(numbering, e));
  }
  if (chain->constant == (chain->op == CUTE_LEAF_MUL) &&
      sum->width == chain->width)
    return sum->id;
  e.operands[0] = sum;
  e.operands[1] = staticInt(c, chain->constant);
  return numberOf(numbering, e);
}

// Law: integers of a width are a ring, as they wrap around, so that sums and
// products of theirs may be regrouped. False where this is none, or too long.
static bool joinChain(CuteNumbering *numbering, const CuteExpression *e,
                      uint32_t *id) {
  if (e->op != CUTE_LEAF_MUL && e->op != CUTE_LEAF_ADD)
    return false;
  Chain chain = {
      .op = e->op, .width = e->width, .constant = e->op == CUTE_LEAF_MUL};
  if (!addOperand(numbering, &chain, e->operands[0]) ||
      !addOperand(numbering, &chain, e->operands[1]))
    return false;
  *id = numberOfChain(numbering, &chain);
  return true;
}

//===-- Arithmetic --------------------------------------------------------===//

static CuteIntTuple apply(void *data, CuteContext c, CuteLeafOp op,
                          const CuteIntTuple *operands, unsigned width,
                          int64_t divisor) {
  CuteNumbering *numbering = data;
  CuteExpression e = {.op = op, .width = width};
  size_t n = numOperandsOf(op);
  for (size_t i = 0; i < n; ++i)
    e.operands[i] = withoutDivisor(c, operands[i]);
  if (n > 1)
    numbering->mayTrap |= divisionMayTrap(op, e.operands[1]);
  if (isCommutative(op) && !isOrdered(e.operands[0], e.operands[1])) {
    CuteIntTuple first = e.operands[0];
    e.operands[0] = e.operands[1];
    e.operands[1] = first;
  }
  uint32_t id;
  if (!joinChain(numbering, &e, &id))
    id = numberOf(numbering, e);
  return cuteDynamicLeaf(c, width, divisor, id);
}

static const CuteLeafArithmetic numberingArithmetic = {apply};

//===-- Values ------------------------------------------------------------===//

static CuteType typeOf(CuteNumbering *numbering, MlirValue value) {
  CuteType type =
      cuteDialectGetType(numbering->dialect, mlirValueGetType(value));
  if (!type || type->kind != CUTE_TYPE_FOREIGN)
    return type;
  unsigned width = cuteTypeGetIntegerWidth(type);
  return width ? cuteTypeGetTuple(
                     numbering->context, CUTE_TYPE_INT_TUPLE,
                     cuteIntTupleGetDynamic(numbering->context, width, 1))
               : NULL;
}

// The type with a number of its own for each dynamic leaf that has none.
static CuteType withNewNumbers(CuteNumbering *numbering, CuteType type) {
  CuteContext c = numbering->context;
  size_t n = cuteTypeGetNumDynamic(type);
  CuteArenaMark mark = cuteArenaGetMark(&c->scratch);
  CuteIntTuple *leaves = cuteArenaAllocate(&c->scratch, n * sizeof *leaves);
  cuteTypeGetDynamicLeaves(type, leaves);
  for (size_t i = 0; i < n; ++i)
    if (!leaves[i]->id)
      leaves[i] = cuteDynamicLeaf(c, leaves[i]->width, leaves[i]->value,
                                  ++numbering->numIds);
  CuteType result = cuteTypeBind(c, type, leaves);
  cuteArenaReset(&c->scratch, mark);
  return result;
}

static void set(CuteNumbering *numbering, MlirValue value, CuteType bound) {
  cutePointerMapSet(&numbering->bound, value.ptr, (void *)(uintptr_t)bound);
}

bool cuteNumberingKnows(const CuteNumbering *numbering, MlirValue value) {
  return cutePointerMapGet(&numbering->bound, value.ptr);
}

CuteType cuteNumberingGet(CuteNumbering *numbering, MlirValue value) {
  CuteType known = cutePointerMapGet(&numbering->bound, value.ptr);
  if (known)
    return known;
  CuteType type = typeOf(numbering, value);
  if (!type)
    return NULL;
  CuteType bound = withNewNumbers(numbering, type);
  if (bound)
    set(numbering, value, bound);
  return bound;
}

//===-- Operations --------------------------------------------------------===//

static CuteOp bind(CuteNumbering *numbering, const CuteOpDecl *decl,
                   MlirOperation op) {
  CuteOp instance = cuteDialectGetOp(numbering->dialect, decl, op);
  CuteType *types = cuteArenaAllocate(&numbering->context->scratch,
                                      instance.numOperands * sizeof *types);
  for (size_t i = 0; i < instance.numOperands; ++i) {
    CuteType bound =
        cuteNumberingGet(numbering, mlirOperationGetOperand(op, (intptr_t)i));
    types[i] = bound ? bound : instance.operands[i];
  }
  instance.operands = types;
  return instance;
}

static bool infer(CuteNumbering *numbering, CuteOp *instance) {
  for (size_t i = 0; i < instance->numOperands; ++i)
    if (!instance->operands[i])
      return false;
  const CuteLeafArithmetic *arithmetic;
  void *data;
  cuteContextSetArithmetic(numbering->context, &numberingArithmetic, numbering,
                           &arithmetic, &data);
  bool ok = cuteOpInfer(instance);
  cuteContextSetArithmetic(numbering->context, arithmetic, data, NULL, NULL);
  return ok;
}

// The results of get_scalars as scalar int_tuples.
static void replaceByScalars(CuteOp *instance) {
  const CuteIntTuple *leaves;
  size_t n = cuteOpGetScalars(instance, &leaves);
  for (size_t i = 0; i < n; ++i)
    instance->results[i] =
        cuteTypeGetTuple(instance->context, CUTE_TYPE_INT_TUPLE,
                         withoutDivisor(instance->context, leaves[i]));
}

// Inference of consumers takes every i32 for dynamic, so a static one gets a
// number of its own.
static bool isNumbered(CuteType written, CuteType bound) {
  return bound->kind != CUTE_TYPE_FOREIGN &&
         (written->kind != CUTE_TYPE_FOREIGN || cuteTypeGetNumDynamic(bound));
}

bool cuteNumberingInfer(CuteNumbering *numbering, const CuteOpDecl *decl,
                        MlirOperation op, CuteOp *instance) {
  *instance = bind(numbering, decl, op);
  numbering->mayTrap = false;
  if (!infer(numbering, instance) ||
      instance->numResults != instance->numWritten) {
    numbering->mayTrap = true;
    return false;
  }
  for (size_t i = 0; i < instance->numResults; ++i)
    if (cuteTypeUnbind(numbering->context, instance->results[i]) !=
        instance->written[i])
      return false;
  // Addresses and the like do not follow from the operands' integers.
  for (size_t i = 0; i < instance->numResults; ++i)
    instance->results[i] = withNewNumbers(numbering, instance->results[i]);
  if (decl->id == CUTE_OP_GET_SCALARS)
    replaceByScalars(instance);
  for (size_t i = 0; i < instance->numResults; ++i)
    if (isNumbered(instance->written[i], instance->results[i]))
      set(numbering, mlirOperationGetResult(op, (intptr_t)i),
          instance->results[i]);
  return true;
}

// The result types that an op infers in which they are not yet written.
static bool inferTypes(CuteNumbering *numbering, MlirOperation carrier,
                       MlirType *types, size_t *count) {
  CuteDialect *dialect = numbering->dialect;
  CuteOp instance =
      bind(numbering, cuteDialectGetDecl(dialect, carrier), carrier);
  if (!infer(numbering, &instance) || instance.numResults > *count)
    return false;
  *count = instance.numResults;
  for (size_t i = 0; i < *count; ++i)
    types[i] = cuteDialectGetMlirType(dialect, instance.results[i]);
  return true;
}

MlirOperation cuteNumberingBuild(CuteNumbering *numbering,
                                 const CuteBuilder *builder, CuteOpSpec spec,
                                 CuteOp *instance) {
  enum { MAX_RESULTS = 4 };
  MlirType types[MAX_RESULTS];
  if (!spec.numResults) {
    MlirOperation carrier = cuteBuild(builder, spec);
    size_t n = MAX_RESULTS;
    bool ok = inferTypes(numbering, carrier, types, &n);
    mlirOperationDestroy(carrier);
    if (!ok)
      return (MlirOperation){NULL};
    spec.numResults = n;
    spec.results = types;
  }
  MlirOperation op = cuteBuild(builder, spec);
  const CuteOpDecl *decl = cuteDialectGetDecl(numbering->dialect, op);
  return cuteNumberingInfer(numbering, decl, op, instance)
             ? op
             : (MlirOperation){NULL};
}
