// Reductions and scans, which the threads of a warp or block compute together.
#include "Ops/lower_ops.h"
#include "Ops/vector.h"

enum { WARP = 32, MOST_WARPS = 32 };

//===-- What is combined --------------------------------------------------===//

// Checks that operand 0 can be exchanged and combined; false with a message.
static bool checkValue(CuteOp *op) {
  CuteVector vector;
  return cuteThreadCheckCarried(op) && cuteVectorFindCarried(op, 0, &vector) &&
         cuteVectorGetReduction(op, vector.element);
}

// The op of arith that combines two such values: one for floats, one for
// integers.
static const char *combinerOf(CuteOp *op, MlirValue value) {
  MlirType type = mlirValueGetType(value);
  if (mlirTypeIsAVector(type))
    type = mlirShapedTypeGetElementType(type);
  return cuteVectorGetReduction(op, mlirTypeIsAFloat(type) ? CUTE_ELEMENT_F32
                                                           : CUTE_ELEMENT_I32);
}

// The lanes side by side that belong together.
static int64_t widthOf(const CuteOp *op) {
  const CuteAttribute *width = cuteOpGetAttribute(op, "width");
  return width ? width->value : WARP;
}

static bool inferInWarp(CuteOp *op) {
  return checkValue(op) && cuteOpPushResult(op, op->operands[0]);
}

//===-- In a warp ---------------------------------------------------------===//

// Combines with the lane whose number differs in one bit, bit by bit: all lanes
// have the same result, also of floats.
static MlirValue reduceInWarp(const CuteBuilder *b, const char *combiner,
                              MlirValue value, int64_t width) {
  for (int64_t bit = width / 2; bit; bit /= 2) {
    MlirValue other = cuteThreadBuildShuffle(b, CUTE_SHUFFLE_BFLY, value,
                                             cuteBuildInt(b, 32, bit));
    value = cuteBuildBinary(b, combiner, value, other);
  }
  return value;
}

static bool lowerWarpReduce(CuteLowering *l) {
  MlirValue value = cuteLoweringGetOperand(l, 0);
  return cuteLoweringReturn(l,
                            reduceInWarp(&l->builder, combinerOf(l->op, value),
                                         value, widthOf(l->op)));
}

// After each step a lane has combined twice as many values that end in its own.
static MlirValue scanInWarp(const CuteBuilder *b, const char *combiner,
                            MlirValue value, int64_t width) {
  MlirValue lane = andiWith(b, cuteThreadBuildLane(b), width - 1);
  for (int64_t step = 1; step < width; step *= 2) {
    MlirValue distance = cuteBuildInt(b, 32, step);
    MlirValue before =
        cuteThreadBuildShuffle(b, CUTE_SHUFFLE_UP, value, distance);
    MlirValue isInside = cuteBuildTest(b, CUTE_CMPI_UGT, lane, step - 1);
    value = cuteBuildSelect(b, isInside,
                            cuteBuildBinary(b, combiner, before, value), value);
  }
  return value;
}

static bool lowerWarpScan(CuteLowering *l) {
  MlirValue value = cuteLoweringGetOperand(l, 0);
  return cuteLoweringReturn(l, scanInWarp(&l->builder, combinerOf(l->op, value),
                                          value, widthOf(l->op)));
}

//===-- In a block --------------------------------------------------------===//

static bool failBuffer(CuteOp *op, const char *problem) {
  return cuteFail(op->context, "the buffer %s, not %s", problem,
                  cuteTypeText(op->context, op->operands[1]));
}

// The number of elements of the buffer; 0 with a message where a warp could not
// have one of its own.
static int64_t sizeOfBuffer(CuteOp *op) {
  CuteContext c = op->context;
  CuteLayout layout = operandLayout(op, 1);
  CuteIntTuple size = cuteLayoutGetSize(c, layout);
  CuteIntTuple cosize = size ? cuteLayoutGetCosize(c, layout) : NULL;
  if (isStatic(size) && isStatic(cosize) && size->value <= cosize->value)
    return size->value;
  failBuffer(op,
             "has a static layout with an element of its own for each warp");
  return 0;
}

static bool inferBlockReduce(CuteOp *op) {
  CuteVector vector;
  CuteType buffer = op->operands[1];
  if (!checkValue(op) || !cuteVectorFindCarried(op, 0, &vector))
    return false;
  if (cuteTextStartsWith(op->operands[0]->foreign, "vector<"))
    return cuteFail(op->context,
                    "the threads of a block reduce numbers, not vectors");
  if (buffer->space != CUTE_SMEM)
    return failBuffer(op, "lies in smem");
  if (buffer->element != vector.element)
    return failBuffer(op, "has elements of the value's type");
  return sizeOfBuffer(op) && cuteOpPushResult(op, op->operands[0]);
}

// The threads of the block, if its size is known; otherwise 0.
static int64_t threadsOf(const CuteLowering *l) {
  int64_t n[3];
  return cuteMlirGetSizes(l->function, "known_block_size", n)
             ? n[0] * n[1] * n[2]
             : 0;
}

// The number of warps; 0 with a message if it is unknown or the buffer lacks an
// element for each.
static int64_t warpsOf(const CuteLowering *l, CuteOp *op) {
  int64_t threads = threadsOf(l), warps = threads / WARP;
  if (!threads || threads % WARP) {
    cuteFail(
        op->context,
        "the threads of the block must be known, a multiple of 32: give the "
        "kernel the attribute known_block_size = array<i32: 128, 1, 1>");
    return 0;
  }
  if (warps <= sizeOfBuffer(op))
    return warps;
  cuteFail(op->context,
           "the buffer has %jd elements, but the block has %jd warps",
           sizeOfBuffer(op), warps);
  return 0;
}

static void barrier(const CuteBuilder *b) { CUTE_BUILD(b, "gpu.barrier"); }

static CuteIntTuple warpCoord(CuteLowering *l) {
  const CuteBuilder *b = &l->builder;
  MlirValue warp = shruiWith(b, cuteThreadBuildNumber(l), 5);
  return cuteLoweringLimit(l, cuteLoweringGetLeaf(l, warp, 1), MOST_WARPS - 1);
}

// The first lane of each warp leaves what the warp has in the buffer.
static void storeOfWarp(CuteLowering *l, const CuteLowered *buffer,
                        MlirValue value) {
  const CuteBuilder *b = &l->builder;
  CuteElementType element = buffer->type->element;
  MlirValue address = cuteLoweringGetAddress(l, *buffer, warpCoord(l));
  MlirValue raw = cuteElementToRaw(b, element, value);
  MlirValue isFirst = cuteBuildTest(b, CUTE_CMPI_EQ, cuteThreadBuildLane(b), 0);
  CuteBuilder outside = l->builder;
  l->builder = cuteBuildIf(b, isFirst);
  cuteLoweringStore(l, raw, address, cuteElementTypeGetBits(element) / 8);
  l->builder = outside;
}

// Combines what all warps have, in their order.
static MlirValue combineWarps(CuteLowering *l, const CuteLowered *buffer,
                              const char *combiner, int64_t warps,
                              MlirType type) {
  const CuteBuilder *b = &l->builder;
  MlirValue value = {NULL};
  for (int64_t i = 0; i < warps; ++i) {
    CuteIntTuple coord = staticInt(l->context, i);
    MlirValue part =
        cuteElementFromRaw(b, buffer->type->element, type,
                           cuteLoweringLoadElement(l, buffer, coord));
    value = i ? cuteBuildBinary(b, combiner, value, part) : part;
  }
  return value;
}

static bool lowerBlockReduce(CuteLowering *l) {
  const CuteBuilder *b = &l->builder;
  int64_t warps = warpsOf(l, l->op);
  if (!warps)
    return false;
  CuteLowered buffer = *cuteLoweringGetLowered(l, 1);
  MlirValue value = cuteLoweringGetOperand(l, 0);
  const char *combiner = combinerOf(l->op, value);
  storeOfWarp(l, &buffer, reduceInWarp(b, combiner, value, WARP));
  barrier(b);
  value = combineWarps(l, &buffer, combiner, warps, mlirValueGetType(value));
  barrier(b);
  return cuteLoweringReturn(l, value) && !l->failed;
}

//===-- Warps -------------------------------------------------------------===//

static bool inferWarpSync(CuteOp *op) {
  const CuteAttribute *mask = cuteOpGetAttribute(op, "mask");
  if (!mask || mask->value)
    return true;
  return cuteFail(op->context, "a mask without lanes; bit i is lane i of the "
                               "warp, and -1 or no mask all of them");
}

static bool lowerWarpSync(CuteLowering *l) {
  const CuteAttribute *mask = cuteOpGetAttribute(l->op, "mask");
  const CuteBuilder *b = &l->builder;
  MlirValue lanes = cuteBuildInt(b, 32, mask ? mask->value : -1);
  CUTE_BUILD(b, "nvvm.bar.warp.sync", CUTE_OPERANDS(lanes));
  return true;
}

const CuteOpHooks cuteCollectiveOps[] = {
    CUTE_HOOKS("warp_sync", inferWarpSync, lowerWarpSync),
    CUTE_HOOKS("warp_reduce", inferInWarp, lowerWarpReduce),
    CUTE_HOOKS("warp_scan", inferInWarp, lowerWarpScan),
    CUTE_HOOKS("block_reduce", inferBlockReduce, lowerBlockReduce),
    {.name = NULL},
};
