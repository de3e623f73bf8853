// Finds the elements of a vector that an op takes, as layouts.
#include "Algebra/trace.h"
#include "Hardware/element.h"
#include "Ops/vector.h"

//===-- Types -------------------------------------------------------------===//

bool cuteVectorCheckElement(CuteContext c, CuteElementType element) {
  if (!cuteElementGetInfo(element)->inVectors)
    cuteFail(c,
             element == CUTE_ELEMENT_TF32
                 ? "elements of type %s cannot be in a vector; recast_tensor "
                   "to f32 has the same bits"
                 : "elements of type %s cannot be in a vector; convert the "
                   "fragment to one of a wider type",
             cuteElementTypeGetName(element));
  return cuteElementGetInfo(element)->inVectors;
}

// vector<NxT>; false for other text.
static bool parseVector(CuteStringRef text, CuteVector *vector) {
  if (!cuteTextTake(&text, "vector<") ||
      !cuteTextGetInteger(cuteTextTakePart(&text, 'x'), &vector->size) ||
      vector->size < 1 || vector->size > INT32_MAX || !text.length)
    return false;
  CuteStringRef element = {text.data, text.length - 1}; // without the >
  return cuteElementTypeFind(element, &vector->element);
}

static bool isNumber(CuteType type, CuteElementType *element) {
  return type->kind == CUTE_TYPE_FOREIGN &&
         cuteElementTypeFind(type->foreign, element);
}

bool cuteVectorGetOperand(CuteOp *op, size_t i, CuteVector *vector) {
  CuteContext c = op->context;
  CuteType type = op->operands[i];
  if (op->decl->id == CUTE_OP_BROADCAST_VECTOR &&
      isNumber(type, &vector->element)) {
    vector->size = 1;
    return cuteVectorCheckElement(c, vector->element);
  }
  if (type->kind != CUTE_TYPE_FOREIGN || !parseVector(type->foreign, vector)) {
    return cuteFail(c,
                    "operand #%zu must be a vector of rank 1, such as "
                    "vector<8xf32>, not %s",
                    i, cuteTypeText(c, type));
  }
  if (vector->size <= CUTE_MAX_VECTOR)
    return cuteVectorCheckElement(c, vector->element);
  return cuteFail(c, "a vector has at most %d elements, not %jd",
                  CUTE_MAX_VECTOR, vector->size);
}

bool cuteVectorFindCarried(CuteOp *op, size_t i, CuteVector *vector) {
  CuteType type = op->operands[i];
  vector->size = 1;
  return isNumber(type, &vector->element) ||
         (type->kind == CUTE_TYPE_FOREIGN &&
          parseVector(type->foreign, vector));
}

bool cuteVectorReturn(CuteOp *op, CuteVector vector, bool isScalar) {
  CUTE_SCOPED(String) text = {0};
  const char *element = cuteElementTypeGetName(vector.element);
  if (vector.size > CUTE_MAX_VECTOR)
    return cuteFail(op->context, "a vector has at most %d elements, not %jd",
                    CUTE_MAX_VECTOR, vector.size);
  if (isScalar)
    cuteStringAppend(&text, element);
  else
    cuteStringAppendFormat(&text, "vector<%jdx%s>", vector.size, element);
  return cuteOpReturnForeign(op, cuteStringGet(&text));
}

//===-- Shapes ------------------------------------------------------------===//

// The shape in an attribute, with the strides of its elements in a vector; null
// with a message if it is not static.
static CuteLayout shapeOf(CuteOp *op, const char *name) {
  CuteContext c = op->context;
  CuteStringRef text = cuteOpGetAttribute(op, name)->text;
  CuteIntTuple shape = cuteIntTupleParse(c, text, CUTE_SYNTAX_SHAPE);
  if (!shape)
    return NULL;
  if (shape->numDynamic)
    return cuteFailTuple(c, "the shape of a vector is static, not ", shape);
  return cuteLayoutGet(c, shape, NULL);
}

// The number of coordinates; with a message -1 if it overflows.
static int64_t sizeOf(CuteContext c, CuteLayout layout) {
  CuteIntTuple size = cuteLayoutGetSize(c, layout);
  return size ? size->value : -1;
}

// The vector has as many elements as the shape.
static bool checkSize(CuteOp *op, CuteVector vector, CuteLayout shape) {
  CuteIntTuple size = cuteLayoutGetSize(op->context, shape);
  if (!size || size->value == vector.size)
    return size;
  return cuteFail(
      op->context,
      "a vector of %jd elements cannot have the %jd of the shape %s",
      vector.size, size->value, cuteTupleText(op->context, shape->shape));
}

// The coordinate or profile in an attribute, and the shape of the vector.
static CuteIntTuple coordOf(CuteOp *op, const char *name, CuteVector vector,
                            CuteLayout *shape) {
  CuteContext c = op->context;
  *shape = shapeOf(op, "shape");
  if (!*shape || !checkSize(op, vector, *shape))
    return NULL;
  CuteStringRef text = cuteOpGetAttribute(op, name)->text;
  CuteIntTuple coord = cuteIntTupleParse(c, text, CUTE_SYNTAX_COORD);
  if (!coord)
    return NULL;
  if (coord->numDynamic)
    return cuteFailTuple(c, "a coordinate of a vector is static, not ", coord);
  if (!cuteIntTupleIsWeaklyCongruent(coord, (*shape)->shape))
    return cuteFailTuples(c, "", coord, " does not match the shape ",
                          (*shape)->shape);
  return coord;
}

//===-- Maps --------------------------------------------------------------===//

// Tells whether every integer of the coordinate is within its mode of the
// shape.
static bool isWithin(CuteContext c, CuteIntTuple coord, CuteIntTuple shape) {
  if (isTuple(coord)) {
    for (size_t i = 0; i < coord->rank; ++i)
      if (!isWithin(c, coord->elements[i], shape->elements[i]))
        return false;
    return true;
  }
  return coord->flags & HAS_UNDERSCORE ||
         (coord->value >= 0 &&
          coord->value < cuteIntTupleProduct(c, shape)->value);
}

static bool mapSlice(CuteOp *op, CuteVector vector, CuteVectorMap *map) {
  CuteContext c = op->context;
  CuteLayout shape;
  CuteIntTuple coord = coordOf(op, "coord", vector, &shape);
  if (!coord)
    return false;
  if (!isWithin(c, coord, shape->shape))
    return cuteFailTuples(c, "the coordinate ", coord,
                          " is outside of the shape ", shape->shape);
  CutePartition part = cuteLayoutSliceAndOffset(c, shape, coord);
  map->keep = part.layout;
  map->offset = part.offset ? part.offset->value : 0;
  map->isScalar = !(coord->flags & HAS_UNDERSCORE);
  return part.layout;
}

// The strides with which modes of `from` are seen in the shape `to`; null with
// a message.
static CuteIntTuple repeatStride(CuteContext c, Mode from, CuteIntTuple to) {
  if (isStaticValue(from.shape, 1))
    return cuteIntTupleRepeatLike(c, staticInt(c, 0), to);
  if (from.shape == to)
    return from.stride;
  if (!isTuple(from.shape) || !isTuple(to) || from.shape->rank > to->rank)
    return cuteFailTuples(c, "", from.shape, " cannot repeat to ", to);
  CuteIntTuple *strides = cuteScratch(c, to->rank * sizeof *strides);
  for (size_t i = 0; i < to->rank; ++i) {
    strides[i] =
        i < from.shape->rank
            ? repeatStride(c, modeElement(from, i), to->elements[i])
            : cuteIntTupleRepeatLike(c, staticInt(c, 0), to->elements[i]);
    if (!strides[i])
      return NULL;
  }
  return cuteIntTupleGetTuple(c, to->rank, strides);
}

static bool mapBroadcast(CuteOp *op, CuteVector vector, CuteVectorMap *map) {
  CuteContext c = op->context;
  CuteLayout from = shapeOf(op, "from"), to = shapeOf(op, "to");
  if (!from || !to || !checkSize(op, vector, from))
    return false;
  CuteIntTuple stride = repeatStride(c, layoutMode(from), to->shape);
  map->keep = stride ? cuteLayoutGet(c, to->shape, stride) : NULL;
  return map->keep;
}

static bool mapGather(CuteOp *op, CuteVector vector, CuteVectorMap *map) {
  CuteContext c = op->context;
  CuteStringRef text = cuteOpGetAttribute(op, "layout")->text;
  CuteLayout layout = cuteLayoutParse(c, text);
  if (!layout)
    return false;
  if (layout->shape->numDynamic || layout->stride->numDynamic ||
      layout->stride->flags || cuteLayoutIsComposed(layout))
    return cuteFail(c, "the layout of a vector is static and plain, not %.*s",
                    CUTE_TEXT(text));
  map->keep = layout;
  int64_t n = sizeOf(c, layout);
  for (int64_t i = 0; i < n && n <= CUTE_MAX_VECTOR; ++i) {
    int64_t at = cuteVectorMapGet(c, map, i, 0);
    if (at >= 0 && at < vector.size)
      continue;
    return cuteFail(c,
                    "element %jd of the layout %.*s is %jd, outside of a "
                    "vector of %jd elements",
                    i, CUTE_TEXT(text), at, vector.size);
  }
  return true;
}

static bool mapReduce(CuteOp *op, CuteVector vector, CuteVectorMap *map) {
  CuteContext c = op->context;
  CuteLayout shape;
  CuteIntTuple profile = coordOf(op, "profile", vector, &shape);
  if (!profile)
    return false;
  map->keep = cuteLayoutSlice(c, shape, profile);
  map->reduce = cuteLayoutDice(c, shape, profile);
  map->isScalar = !(profile->flags & HAS_UNDERSCORE);
  return map->keep && map->reduce;
}

bool cuteVectorGetMap(CuteOp *op, CuteVectorMap *map) {
  static const struct {
    CuteOpId id;
    bool (*make)(CuteOp *op, CuteVector vector, CuteVectorMap *map);
  } rows[] = {{CUTE_OP_SLICE_VECTOR, mapSlice},
              {CUTE_OP_BROADCAST_VECTOR, mapBroadcast},
              {CUTE_OP_GATHER_VECTOR, mapGather},
              {CUTE_OP_REDUCE_VECTOR, mapReduce}};
  CuteContext c = op->context;
  CuteVector vector;
  *map = (CuteVectorMap){.numReduced = 1};
  if (!cuteVectorGetOperand(op, 0, &vector))
    return false;
  struct CuteTrace *trace = cuteTracePause(c);
  bool ok = false;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
    if (op->decl->id == rows[i].id)
      ok = rows[i].make(op, vector, map);
  if (ok) {
    map->numKept = map->isScalar ? 1 : sizeOf(c, map->keep);
    map->numReduced = map->reduce ? sizeOf(c, map->reduce) : 1;
    ok = map->numKept >= 0 && map->numReduced >= 0;
  }
  cuteTraceResume(c, trace);
  return ok;
}

static int64_t indexOf(CuteContext c, CuteLayout layout, int64_t i) {
  if (!layout || !layout->shape->numLeaves)
    return 0;
  return cuteEvalMode(c, staticInt(c, i), layoutMode(layout))->value;
}

int64_t cuteVectorMapGet(CuteContext c, const CuteVectorMap *map, int64_t i,
                         int64_t j) {
  struct CuteTrace *trace = cuteTracePause(c);
  int64_t index =
      map->offset + indexOf(c, map->keep, i) + indexOf(c, map->reduce, j);
  cuteTraceResume(c, trace);
  return index;
}
