// Loads and stores of one and of several elements.
#include "Lowering/lowering.h"
#include "Support/gcd.h"

//===-- Single accesses ---------------------------------------------------===//

MlirValue cuteLoweringLoad(CuteLowering *lowering, MlirValue address,
                           MlirType type, int64_t align) {
  return CUTE_BUILD_VALUE(
      &lowering->builder, "llvm.load", CUTE_OPERANDS(address),
      CUTE_RESULTS(type),
      CUTE_ATTRIBUTES(
          {"alignment", cuteIntAttr(&lowering->builder, 64, align)}));
}

void cuteLoweringStore(CuteLowering *lowering, MlirValue value,
                       MlirValue address, int64_t align) {
  CUTE_BUILD(&lowering->builder, "llvm.store", CUTE_OPERANDS(value, address),
             CUTE_ATTRIBUTES(
                 {"alignment", cuteIntAttr(&lowering->builder, 64, align)}));
}

//===-- What can be accessed at once --------------------------------------===//

// The largest known divisor of where elements of the modes begin, mode 0's
// first `values` coordinates excepted.
static int64_t startDivisor(CuteContext c, Mode a, int64_t values) {
  if (!isTuple(a.shape)) {
    int64_t extent = isStatic(a.shape) ? a.shape->value : INT64_MAX;
    return extent <= values ? 0 : cuteLeafDivisor(a.stride) * values;
  }
  int64_t divisor = 0;
  for (size_t i = 0; i < a.shape->rank; ++i) {
    Mode mode = modeElement(a, i);
    divisor = cuteGcd(divisor, startDivisor(c, mode, values));
    CuteIntTuple size = cuteIntTupleProduct(c, mode.shape);
    int64_t n = isStatic(size) ? size->value : values;
    values = n >= values ? 1 : values / n;
  }
  return divisor;
}

// The first `values` elements are at 0, 1, 2, ...
static bool isContiguous(CuteContext c, CuteLayout layout, int64_t values) {
  for (int64_t i = 0; i < values; ++i) {
    CuteIntTuple at = cuteEvalMode(c, staticInt(c, i), layoutMode(layout));
    if (!isStaticValue(at, i))
      return false;
  }
  return true;
}

bool cuteMemoryIsVectorizable(CuteContext c, CuteType tensor, int64_t values) {
  if (values == 1)
    return true;
  CuteLayout layout = tensor->layout;
  int64_t bits = cuteElementTypeGetBits(tensor->element);
  if (values * bits % 8)
    return false;
  if (!isContiguous(c, layout, values) || tensor->align * 8 < values * bits)
    return false;
  int64_t start = startDivisor(c, layoutMode(layout), values);
  if (cuteLayoutHasSwizzle(layout)) {
    start = cuteGcd(start, cuteLeafDivisor(layout->offset));
    start = cuteGcd(start, INT64_C(1) << layout->swizzle.base);
  }
  return start % values == 0;
}

//===-- Several elements --------------------------------------------------===//

static CuteIntTuple indexOf(CuteLowering *l, const CuteLowered *tensor,
                            int64_t i) {
  CuteContext c = l->context;
  return cuteEvalMode(c, staticInt(c, i), layoutMode(tensor->type->layout));
}

// Elements first, first + 1, ... are neighbours that begin with a byte, and
// what begins at `first` is as aligned as the access needs.
static bool isAccess(CuteLowering *l, const CuteLowered *tensor, int64_t first,
                     int64_t n) {
  int64_t bits = cuteElementGetPackedBits(tensor->type->element);
  if (bits && (n * bits % 8 || cuteLeafDivisor(cuteLoweringGetIndex(
                                   l, *tensor, staticInt(l->context, first))) *
                                   bits % 8))
    return false;
  CuteIntTuple start = indexOf(l, tensor, first);
  if (tensor->type->space != CUTE_RMEM)
    return cuteMemoryIsVectorizable(l->context, tensor->type, n);
  for (int64_t i = 1; i < n; ++i)
    if (!isStaticValue(indexOf(l, tensor, first + i), start->value + i))
      return false;
  return true;
}

static int64_t bytesOf(const CuteLowered *tensor, int64_t n) {
  int64_t bits = cuteElementTypeGetBits(tensor->type->element) * n;
  return bits < 8 ? 1 : bits / 8;
}

// Registers have no alignment that counts; the element's is always true.
static int64_t accessAlign(const CuteLowered *tensor, int64_t n) {
  return bytesOf(tensor, tensor->type->space == CUTE_RMEM ? 1 : n);
}

static MlirType vectorOf(MlirType element, int64_t n) {
  return n == 1 ? element : mlirVectorTypeGet(1, &n, element);
}

static CuteIntTuple coordOf(CuteLowering *l, int64_t i) {
  return staticInt(l->context, i);
}

//===-- One by one --------------------------------------------------------===//

static MlirValue gather(CuteLowering *l, const CuteLowered *tensor,
                        int64_t first, int64_t n) {
  const CuteBuilder *b = &l->builder;
  MlirType type = vectorOf(cuteElementRawType(b, tensor->type->element), n);
  MlirValue vector = cuteBuildResult(b, "llvm.mlir.poison", 0, NULL, type);
  for (int64_t i = 0; i < n; ++i) {
    MlirValue parts[] = {
        vector, cuteLoweringLoadElement(l, tensor, coordOf(l, first + i)),
        cuteBuildInt(b, 32, i)};
    vector = cuteBuildResult(b, "llvm.insertelement", 3, parts, type);
  }
  return vector;
}

static void scatter(CuteLowering *l, const CuteLowered *tensor, int64_t first,
                    int64_t n, MlirValue value) {
  const CuteBuilder *b = &l->builder;
  MlirType element = cuteElementRawType(b, tensor->type->element);
  MlirValue vector = bitcast(&l->builder, value, vectorOf(element, n));
  for (int64_t i = 0; i < n; ++i) {
    MlirValue parts[] = {vector, cuteBuildInt(b, 32, i)};
    MlirValue single =
        cuteBuildResult(b, "llvm.extractelement", 2, parts, element);
    cuteLoweringStoreElement(l, tensor, coordOf(l, first + i), single);
  }
}

//===-- At once, or one by one --------------------------------------------===//

// The type that memory has: words instead of elements of fewer than 8 bits,
// whose vectors LLVM takes apart in local memory.
static MlirType memoryType(const CuteBuilder *b, MlirType type) {
  if (!mlirTypeIsAVector(type))
    return type;
  MlirType element = mlirShapedTypeGetElementType(type);
  unsigned width =
      mlirTypeIsAInteger(element) ? mlirIntegerTypeGetWidth(element) : 8;
  int64_t bits = mlirShapedTypeGetDimSize(type, 0) * width;
  if (width >= 8 || bits % 8)
    return type;
  return bits % 32 ? cuteIntType(b, (unsigned)bits)
                   : vectorOf(cuteIntType(b, 32), bits / 32);
}

// Words of a run in registers that has several, each of them SSA later; 0 for
// elements that are not packed.
static int64_t numWords(const CuteLowered *tensor, int64_t n) {
  int64_t bits = cuteElementGetPackedBits(tensor->type->element) * n;
  bool areWords = tensor->type->space == CUTE_RMEM && bits % 32 == 0;
  return areWords && bits > 32 ? bits / 32 : 0;
}

static MlirValue loadWords(CuteLowering *l, const CuteLowered *tensor,
                           int64_t first, int64_t n, int64_t words) {
  const CuteBuilder *b = &l->builder;
  MlirType i32 = cuteIntType(b, 32), type = vectorOf(i32, words);
  MlirValue all = cuteBuildResult(b, "llvm.mlir.poison", 0, NULL, type);
  for (int64_t i = 0; i < words; ++i) {
    MlirValue parts[] = {
        all,
        cuteLoweringLoadRun(l, tensor, first + n / words * i, n / words, i32),
        cuteBuildInt(b, 32, i)};
    all = cuteBuildResult(b, "llvm.insertelement", 3, parts, type);
  }
  return all;
}

MlirValue cuteLoweringLoadRun(CuteLowering *lowering, const CuteLowered *tensor,
                              int64_t first, int64_t n, MlirType type) {
  int64_t words = numWords(tensor, n);
  if (words)
    return bitcast(&lowering->builder,
                   loadWords(lowering, tensor, first, n, words), type);
  MlirValue address =
      cuteLoweringGetAddress(lowering, *tensor, coordOf(lowering, first));
  MlirType moved = memoryType(&lowering->builder, type);
  return bitcast(
      &lowering->builder,
      cuteLoweringLoad(lowering, address, moved, accessAlign(tensor, n)), type);
}

void cuteLoweringStoreRun(CuteLowering *lowering, const CuteLowered *tensor,
                          int64_t first, int64_t n, MlirValue value) {
  const CuteBuilder *b = &lowering->builder;
  int64_t words = numWords(tensor, n);
  if (words)
    value =
        bitcast(&lowering->builder, value, vectorOf(cuteIntType(b, 32), words));
  for (int64_t i = 0; i < words; ++i)
    cuteLoweringStoreRun(lowering, tensor, first + n / words * i, n / words,
                         cuteBuildVectorExtract(b, value, (int)i));
  if (words)
    return;
  MlirValue address =
      cuteLoweringGetAddress(lowering, *tensor, coordOf(lowering, first));
  MlirType moved = memoryType(b, mlirValueGetType(value));
  cuteLoweringStore(lowering, bitcast(&lowering->builder, value, moved),
                    address, accessAlign(tensor, n));
}

MlirValue cuteLoweringLoadValues(CuteLowering *lowering,
                                 const CuteLowered *tensor, int64_t first,
                                 int64_t n, MlirType type) {
  CuteIntTuple coord = coordOf(lowering, first);
  if (n == 1)
    return bitcast(&lowering->builder,
                   cuteLoweringLoadElement(lowering, tensor, coord), type);
  if (!isAccess(lowering, tensor, first, n))
    return bitcast(&lowering->builder, gather(lowering, tensor, first, n),
                   type);
  return cuteLoweringLoadRun(lowering, tensor, first, n, type);
}

void cuteLoweringStoreValues(CuteLowering *lowering, const CuteLowered *tensor,
                             int64_t first, int64_t n, MlirValue value) {
  CuteIntTuple coord = coordOf(lowering, first);
  if (n == 1) {
    MlirType type =
        cuteElementRawType(&lowering->builder, tensor->type->element);
    cuteLoweringStoreElement(lowering, tensor, coord,
                             bitcast(&lowering->builder, value, type));
    return;
  }
  if (!isAccess(lowering, tensor, first, n)) {
    scatter(lowering, tensor, first, n, value);
    return;
  }
  cuteLoweringStoreRun(lowering, tensor, first, n, value);
}

int64_t cuteMemoryCountElements(CuteContext c, CuteLayout layout) {
  CuteIntTuple cosize = cuteLayoutGetCosize(c, layout);
  if (!isStatic(cosize))
    return -1;
  int64_t n = cosize->value;
  if (!cuteLayoutHasSwizzle(layout))
    return n;
  CuteSwizzle s = layout->swizzle;
  int32_t distance = s.shift < 0 ? -s.shift : s.shift;
  int64_t block = INT64_C(1) << (s.base + s.bits + distance);
  if (isStatic(layout->offset))
    n += layout->offset->value;
  return (n + block - 1) / block * block;
}
