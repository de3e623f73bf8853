// Vectors out of tensors and into tensors.
#include "Hardware/element.h"
#include "Ops/vector.h"

//===-- load_vector and store_vector --------------------------------------===//

// The elements of a tensor as MLIR has them in a vector: without a sign.
static CuteElementType elementOf(CuteType tensor) {
  return cuteElementTypeGetSignless(tensor->element);
}

// The tensor as a vector; false with a message if it has no static shape or
// elements that a vector cannot have.
static bool vectorOfTensor(CuteOp *op, CuteType tensor, CuteVector *vector) {
  CuteContext c = op->context;
  CuteIntTuple shape = tensor->layout->shape;
  vector->element = elementOf(tensor);
  if (!cuteVectorCheckElement(c, vector->element))
    return false;
  if (shape->numDynamic)
    return cuteFailTuple(
        c, "a tensor that is a vector must have a static shape, not ", shape);
  CuteIntTuple size = cuteLayoutGetSize(c, tensor->layout);
  vector->size = size ? size->value : 0;
  return size;
}

// Operand i, if there is one: a fragment of i1 that divides the elements.
static bool checkPredicate(CuteOp *op, size_t i, int64_t size) {
  CuteContext c = op->context;
  if (i == op->numOperands)
    return true;
  CuteType type = op->operands[i];
  if (type->element == CUTE_ELEMENT_I1 && type->space == CUTE_RMEM) {
    int64_t n = cuteLayoutGetSize(c, type->layout)->value;
    if (size % n == 0)
      return true;
    return cuteFail(c,
                    "the predicate has %jd elements, which do not divide the "
                    "tensor's %jd",
                    n, size);
  }
  return cuteFail(c, "the predicate must be a tensor of i1 in rmem, not %s",
                  cuteTypeText(c, type));
}

// Integers that an element has room for, with a sign or without.
static bool isPadInteger(CuteElementType element, double pad) {
  int bits = (int)cuteElementTypeGetBits(element) < 32
                 ? (int)cuteElementTypeGetBits(element)
                 : 32;
  double limit = (double)(INT64_C(1) << bits);
  return pad >= -limit / 2 && pad < limit && pad == (double)(int64_t)pad;
}

// The number in the attribute: for floats also inf and nan; 0 if there is none.
// False with a message.
static bool padOf(CuteOp *op, CuteElementType element, double *pad) {
  const CuteAttribute *attribute = cuteOpGetAttribute(op, "pad");
  char text[32] = "0", *end;
  CuteStringRef given = attribute ? attribute->text : cuteStringRef(text);
  size_t n = given.length < sizeof text ? given.length : 0;
  memcpy(text, given.data, n);
  text[n] = '\0';
  *pad = strtod(text, &end);
  bool isFloat = cuteElementTypeIsFloat(element);
  bool ok = n && !*end && (isFloat || isPadInteger(element, *pad));
  if (!ok)
    cuteFail(op->context, "elements of type %s cannot be padded with '%.*s'",
             cuteElementTypeGetName(element), CUTE_TEXT(given));
  return ok;
}

bool cuteVectorInferLoad(CuteOp *op) {
  CuteVector vector;
  double pad;
  return vectorOfTensor(op, op->operands[0], &vector) &&
         checkPredicate(op, 1, vector.size) &&
         padOf(op, vector.element, &pad) && cuteVectorReturn(op, vector, false);
}

bool cuteVectorInferStore(CuteOp *op) {
  CuteVector vector, wanted = {0};
  if (!cuteVectorGetOperand(op, 0, &vector) ||
      !vectorOfTensor(op, op->operands[1], &wanted))
    return false;
  if (vector.size == wanted.size && vector.element == wanted.element)
    return checkPredicate(op, 2, wanted.size);
  return cuteFail(op->context,
                  "a vector of %jd x %s cannot go into a tensor of %jd x %s",
                  vector.size, cuteElementTypeGetName(vector.element),
                  wanted.size, cuteElementTypeGetName(wanted.element));
}

// The operands of load_vector and store_vector.
typedef struct Access {
  const CuteLowered *tensor, *predicate; // predicate: may be null
  int64_t size;                          // elements
  int64_t step;                          // elements of an access
  int64_t run;                           // elements for each predicate
  double pad;                            // in place of what is not loaded
  MlirType element, stored;              // of the vector, in memory
} Access;

enum { MAX_ACCESS_BITS = 128, MIN_ELEMENT_BITS = 4 };

static Access accessOf(CuteLowering *l, size_t tensor) {
  CuteContext c = l->context;
  Access a = {.tensor = cuteLoweringGetLowered(l, tensor)};
  CuteType type = a.tensor->type;
  CuteElementType element = elementOf(type);
  a.element = cuteElementMlirType(&l->builder, element);
  a.stored = cuteElementRawType(&l->builder, element);
  a.size = a.run = cuteLayoutGetSize(c, type->layout)->value;
  if (l->op->numOperands > tensor + 1) {
    a.predicate = cuteLoweringGetLowered(l, tensor + 1);
    a.run /= cuteLayoutGetSize(c, a.predicate->type->layout)->value;
  }
  a.step = element == CUTE_ELEMENT_I1
               ? 1
               : MAX_ACCESS_BITS / (int64_t)cuteElementTypeGetBits(element);
  while (a.run % a.step || !cuteMemoryIsVectorizable(c, type, a.step))
    a.step /= 2;
  return a;
}

static MlirValue fromElements(const CuteBuilder *b, int64_t n,
                              const MlirValue *elements) {
  MlirType type = mlirVectorTypeGet(1, &n, mlirValueGetType(elements[0]));
  return cuteBuildResult(b, "vector.from_elements", (size_t)n, elements, type);
}

static MlirValue predicateOf(CuteLowering *l, const Access *a, int64_t first) {
  return cuteLoweringLoadValues(l, a->predicate, first / a->run, 1,
                                cuteIntType(&l->builder, 1));
}

static MlirType typeLike(MlirValue value, MlirType element) {
  MlirType type = mlirValueGetType(value);
  if (!mlirTypeIsAVector(type))
    return element;
  int64_t n = mlirShapedTypeGetDimSize(type, 0);
  return mlirVectorTypeGet(1, &n, element);
}

static MlirValue castTo(const CuteBuilder *b, const char *name, MlirValue value,
                        MlirType element) {
  MlirType type = typeLike(value, element);
  return cuteBuildCast(b, name, value, type);
}

// The integer of an element's bits; memory may have more.
static MlirType bitsOf(const CuteBuilder *b, const Access *a) {
  unsigned bits = cuteElementGetInfo(elementOf(a->tensor->type))->valueBits;
  return bits ? cuteIntType(b, bits) : a->stored;
}

// A vector or element as memory has it: floats of 8 bits and fewer as integers.
static MlirValue toStored(const CuteBuilder *b, const Access *a,
                          MlirValue value) {
  return castTo(b, "arith.extui",
                castTo(b, "arith.bitcast", value, bitsOf(b, a)), a->stored);
}

static MlirValue fromStored(const CuteBuilder *b, const Access *a,
                            MlirValue value) {
  return castTo(b, "arith.bitcast",
                castTo(b, "arith.trunci", value, bitsOf(b, a)), a->element);
}

// The padding for n elements.
static MlirValue padding(const CuteBuilder *b, const Access *a, int64_t n) {
  MlirType type = n == 1 ? a->element : mlirVectorTypeGet(1, &n, a->element);
  MlirAttribute value =
      mlirTypeIsAFloat(a->element)
          ? mlirFloatAttrDoubleGet(b->context, a->element, a->pad)
          : mlirIntegerAttrGet(a->element, (int64_t)a->pad);
  if (n > 1)
    value = mlirDenseElementsAttrSplatGet(type, value);
  return toStored(b, a, cuteBuildAttribute(b, value));
}

static void yield(const CuteBuilder *b, MlirValue value) {
  CUTE_BUILD(b, "scf.yield", CUTE_OPERANDS(value));
}

// The elements of an access, or the padding where the predicate is false, which
// may be null.
static MlirValue loadPiece(CuteLowering *l, const Access *a, int64_t first,
                           MlirValue predicate) {
  MlirType type =
      a->step == 1 ? a->stored : mlirVectorTypeGet(1, &a->step, a->stored);
  if (mlirValueIsNull(predicate))
    return cuteLoweringLoadValues(l, a->tensor, first, a->step, type);
  CuteBuilder outer = l->builder;
  MlirOperation choice = CUTE_BUILD(&outer, "scf.if", CUTE_OPERANDS(predicate),
                                    CUTE_RESULTS(type), .numRegions = 2);
  CuteBuilder inner = outer;
  inner.before = (MlirOperation){NULL};
  inner.block = cuteMlirGetBody(choice, 0);
  l->builder = inner;
  yield(&inner, cuteLoweringLoadValues(l, a->tensor, first, a->step, type));
  inner.block = cuteMlirGetBody(choice, 1);
  yield(&inner, padding(&inner, a, a->step));
  l->builder = outer;
  return getResult(choice, 0);
}

// Sets for each element the first that modes of stride 0 put at its address.
static void findFirst(CuteContext c, CuteLayout layout, int64_t n,
                      int64_t *first) {
  CuteLayout flat = cuteLayoutFlatten(c, cuteLayoutGetOuter(c, layout));
  int64_t size = 1;
  for (int64_t i = 0; i < n; ++i)
    first[i] = i;
  for (size_t mode = 0; mode < flat->shape->rank; ++mode) {
    int64_t extent = element(flat->shape, mode)->value;
    bool isRepeated = isStaticValue(element(flat->stride, mode), 0);
    for (int64_t i = 0; isRepeated && i < n; ++i)
      first[i] -= i / size % extent * size;
    size *= extent;
  }
}

// The elements of a tensor by number. What is at one address is loaded once, if
// a predicate of any of these elements is true.
typedef struct Loads {
  int64_t first[CUTE_MAX_VECTOR];
  MlirValue own[CUTE_MAX_VECTOR], any[CUTE_MAX_VECTOR]; // predicates, or null
  MlirValue elements[CUTE_MAX_VECTOR];
  bool isShared; // by elements with predicates of their own
} Loads;

static void findPredicates(CuteLowering *l, const Access *a, Loads *loads) {
  const CuteBuilder *b = &l->builder;
  for (int64_t i = 0; i < a->size; i += a->step) {
    MlirValue own = predicateOf(l, a, i);
    MlirValue *any = &loads->any[loads->first[i]];
    *any = mlirValueIsNull(*any) ? own : ori(b, *any, own);
    loads->isShared |= loads->first[i] != i;
    for (int64_t j = 0; j < a->step; ++j)
      loads->own[i + j] = own;
  }
}

static void loadElements(CuteLowering *l, const Access *a, Loads *loads) {
  for (int64_t i = 0; i < a->size; i += a->step) {
    MlirValue *elements = &loads->elements[i];
    int64_t first = loads->first[i];
    if (first != i) {
      memcpy(elements, &loads->elements[first],
             (size_t)a->step * sizeof *elements);
      continue;
    }
    MlirValue piece = loadPiece(l, a, i, loads->any[i]);
    for (int64_t j = 0; j < a->step; ++j)
      elements[j] =
          a->step == 1 ? piece : cuteBuildVectorExtract(&l->builder, piece, j);
  }
}

bool cuteVectorLowerLoad(CuteLowering *lowering) {
  const CuteBuilder *b = &lowering->builder;
  Loads loads = {.isShared = false};
  Access a = accessOf(lowering, 0);
  if (!padOf(lowering->op, elementOf(a.tensor->type), &a.pad))
    return false;
  findFirst(lowering->context, a.tensor->type->layout, a.size, loads.first);
  if (a.predicate)
    findPredicates(lowering, &a, &loads);
  loadElements(lowering, &a, &loads);
  MlirValue vector = fromElements(b, a.size, loads.elements);
  if (loads.isShared) {
    MlirValue pad = padding(b, &a, a.size);
    MlirValue own = fromElements(b, a.size, loads.own);
    vector = cuteBuildSelect(b, own, vector, pad);
  }
  return cuteLoweringReturn(lowering, fromStored(b, &a, vector));
}

bool cuteVectorLowerStore(CuteLowering *lowering) {
  Access a = accessOf(lowering, 1);
  MlirValue vector =
      toStored(&lowering->builder, &a, cuteLoweringGetOperand(lowering, 0));
  for (int64_t i = 0; i < a.size; i += a.step) {
    int64_t numbers[MAX_ACCESS_BITS / MIN_ELEMENT_BITS];
    for (int64_t j = 0; j < a.step; ++j)
      numbers[j] = i + j;
    const CuteBuilder *b = &lowering->builder;
    MlirValue piece = a.step == 1
                          ? cuteBuildVectorExtract(b, vector, i)
                          : cuteBuildVectorShuffle(b, vector, a.step, numbers);
    CuteBuilder outer = lowering->builder;
    if (a.predicate)
      lowering->builder = cuteBuildIf(&outer, predicateOf(lowering, &a, i));
    cuteLoweringStoreValues(lowering, a.tensor, i, a.step, piece);
    lowering->builder = outer;
  }
  return true;
}
