#include "Ops/descriptors.h"

#include "Hardware/element.h"
#include "Hardware/mma_family.h"

static CuteMajor majorOf(const CuteMmaAtom *atom, CuteMmaOperand operand) {
  return operand == CUTE_OPERAND_A ? atom->majorA : atom->majorB;
}

CuteElementType cuteDescriptorGetElement(const CuteMmaAtom *atom,
                                         CuteMmaOperand operand) {
  CuteElementType element = cuteMmaAtomGetElement(atom, operand);
  return atom->spreads && cuteElementGetValueBits(element) < 8 ? CUTE_ELEMENT_I8
                                                               : element;
}

//===-- Patterns ----------------------------------------------------------===//

// The tile that a layout repeats, in units of elements.
typedef struct Pattern {
  const CuteSmemAtom *smem;
  int64_t unit; // elements of 16 bytes
  int64_t row, rows;
} Pattern;

// A mode of the values: runs of `first` elements at stride 1 or that of
// a row, which follow each other at `distance`; 0 for one run.
typedef struct Runs {
  int64_t first, distance;
} Runs;

// Tells whether the mode is i -> (i % first) * stride + (i / first) * distance.
static bool findRuns(CuteContext c, Mode mode, int64_t first, int64_t stride,
                     Runs *runs) {
  CuteIntTuple size = cuteIntTupleProduct(c, mode.shape);
  if (!isStatic(size) ||
      cuteLayoutGetNumDynamic(cuteLayoutGet(c, mode.shape, mode.stride)))
    return false;
  *runs = (Runs){first, 0};
  if (size->value > first) {
    CuteIntTuple next = cuteEvalMode(c, staticInt(c, first), mode);
    runs->distance = next->value;
  }
  for (int64_t i = 0; i < size->value; ++i) {
    CuteIntTuple at = cuteEvalMode(c, staticInt(c, i), mode);
    if (!isStaticValue(at, i % first * stride + i / first * runs->distance))
      return false;
  }
  return size->value % first == 0 || size->value < first;
}

// The two modes of the values: (MN, K).
static bool getModes(CuteContext c, CuteLayout part, Mode modes[2]) {
  Mode whole = layoutMode(cuteLayoutGetOuter(c, part));
  Mode values = isTuple(whole.shape) ? modeElement(whole, 0) : whole;
  if (!isTuple(values.shape) || values.shape->rank != 2)
    return false;
  modes[0] = modeElement(values, 0);
  modes[1] = modeElement(values, 1);
  return true;
}

// Fills the descriptor for a layout with this pattern; false for others.
static bool matchPattern(CuteContext c, const Pattern *p, CuteLayout part,
                         CuteDescriptor *descriptor) {
  bool isK = p->smem->major == CUTE_MAJOR_K;
  Mode modes[2];
  Runs along, across;
  if (!getModes(c, part, modes) ||
      !findRuns(c, modes[isK], p->row, 1, &along) ||
      !findRuns(c, modes[!isK], p->rows, p->row, &across) ||
      along.distance % p->unit || across.distance % p->unit)
    return false;
  int64_t leading = along.distance / p->unit;
  int64_t stride = across.distance / p->unit;
  bool isPlain = !p->smem->swizzleBits;
  if (isK && !isPlain && along.distance)
    return false; // rows of the pattern are read whole
  *descriptor = (CuteDescriptor){p->smem, leading, stride};
  if (!isK && isPlain) { // PTX ISA, "Strides": the other way round
    descriptor->leading = stride;
    descriptor->stride = leading;
  }
  if (isK && !isPlain)
    descriptor->leading = 1; // not used
  return true;
}

// Finds the pattern with the layout's swizzle; false if there is none.
static bool findPattern(CuteLayout layout, CuteMajor major, int64_t bits,
                        Pattern *p) {
  CuteSwizzle s = layout->swizzle;
  p->unit = 128 / bits;
  for (size_t i = 0; i < cuteSmemAtomGetNum(); ++i) {
    p->smem = cuteSmemAtomGet(i);
    CuteSwizzle wanted = cuteSmemAtomGetByteSwizzle(p->smem);
    p->row = (INT64_C(8) << (wanted.bits + wanted.base)) / bits;
    p->rows = INT64_C(1) << wanted.shift;
    if (p->smem->major == major &&
        (cuteLayoutHasSwizzle(layout)
             ? s.bits == wanted.bits && s.shift == wanted.shift &&
                   bits << s.base == INT64_C(8) << wanted.base
             : !wanted.bits))
      return true;
  }
  return false;
}

//===-- Checks ------------------------------------------------------------===//

// PTX ISA, "Canonical layouts": tcgen05.mma finds 32-bit elements with M or N
// contiguous in the wide pattern, and no others; wgmma does not know it.
static bool readsWide(const CuteMmaAtom *atom, CuteMajor major, int64_t bits) {
  return cuteMmaAtomIsTensor(atom) && major == CUTE_MAJOR_MN && bits == 32;
}

static bool failLayout(CuteContext c, const CuteMmaAtom *atom,
                       CuteMmaOperand operand, CuteType part, bool isWide) {
  bool isMn = majorOf(atom, operand) == CUTE_MAJOR_MN;
  return cuteFail(
      c,
      "%s reads %s in smem in a layout that repeats Layout_%s_Atom%s "
      "(tile_to_shape of it); the part %s is %s",
      atom->name, cuteMmaOperandGetName(operand),
      isWide ? "MN_SW128_32B"
      : isMn ? "MN_SW128"
             : "K_SW128",
      isWide ? "" : ", or of a sibling with a narrower swizzle or none",
      cuteLayoutText(c, part->layout), isWide ? "not" : "in none of them");
}

// The pattern counts from an address that is a multiple of its bytes.
static bool checkPlace(CuteContext c, const Pattern *p, CuteType part) {
  CuteLayout layout = part->layout;
  unsigned swizzleBits = p->smem->swizzleBits;
  int64_t period = swizzleBits ? p->rows * p->row : p->unit;
  int64_t bytes = swizzleBits ? INT64_C(128) << swizzleBits : 16;
  CuteIntTuple offset = layout->offset ? layout->offset : staticInt(c, 0);
  bool begins = isStatic(offset) ? offset->value % period < p->row &&
                                       offset->value % p->unit == 0
                                 : cuteLeafDivisor(offset) % period == 0;
  if (part->align >= bytes && begins)
    return true;
  return cuteFail(c,
                  "the pattern of %s begins at multiples of %jd bytes, so "
                  "that the tensor must be aligned to them and begin with the "
                  "first of its rows; the part is %s",
                  p->smem->name, bytes, cuteTypeText(c, part));
}

bool cuteDescriptorMatch(CuteContext c, CuteMajor major, CuteType tensor,
                         CuteLayout tile, CuteDescriptor *descriptor) {
  Pattern p;
  return findPattern(tensor->layout, major,
                     cuteElementTypeGetBits(tensor->element), &p) &&
         matchPattern(c, &p, tile, descriptor);
}

// The stored tile of a sparse A of tcgen05.mma, whose layout has each element
// twice along K; null for others.
static CuteLayout storedTile(CuteContext c, CuteLayout part) {
  Mode modes[2];
  if (!getModes(c, part, modes))
    return NULL;
  CuteIntTuple rows = cuteIntTupleProduct(c, modes[0].shape);
  CuteIntTuple columns = cuteIntTupleProduct(c, modes[1].shape);
  if (!isStatic(rows) || !isStatic(columns))
    return NULL;
  for (int64_t k = 0; k < columns->value; k += 2)
    if (cuteEvalMode(c, staticInt(c, k), modes[1]) !=
        cuteEvalMode(c, staticInt(c, k + 1), modes[1]))
      return NULL;
  CUTE_SCOPED(String) text = {0};
  cuteStringAppendFormat(&text, "((%jd,%jd),1):((1,%jd),0)", rows->value,
                         columns->value / 2, rows->value * 2);
  CuteLayout half = cuteLayoutParse(c, cuteStringRef(cuteStringGet(&text)));
  return cuteLayoutComposition(c, cuteLayoutGetOuter(c, part),
                               cuteTileGetLayout(c, half));
}

bool cuteDescriptorGet(CuteContext c, const CuteMmaAtom *atom,
                       CuteMmaOperand operand, CuteType part,
                       CuteDescriptor *descriptor) {
  CuteMajor major = majorOf(atom, operand);
  int64_t bits =
      cuteElementTypeGetBits(cuteDescriptorGetElement(atom, operand));
  bool isWide = readsWide(atom, major, bits);
  bool isHalf =
      operand == CUTE_OPERAND_A && atom->family && atom->family->isSparse;
  CuteLayout tile = isHalf ? storedTile(c, part->layout) : part->layout;
  Pattern p;
  if (!tile)
    return cuteFail(
        c,
        "%s reads the stored half of A: its layout repeats each element along "
        "K, as (128,(2,16)):(16,(0,1)); the part is %s",
        atom->name, cuteLayoutText(c, part->layout));
  if (!findPattern(part->layout, major, bits, &p) || p.smem->isWide != isWide ||
      !matchPattern(c, &p, tile, descriptor))
    return failLayout(c, atom, operand, part, isWide);
  return checkPlace(c, &p, part);
}

//===-- Fragments ---------------------------------------------------------===//

static bool failPart(CuteOp *op, const CuteMmaAtom *atom,
                     CuteMmaOperand operand) {
  return cuteFail(
      op->context,
      "%s reads %s in shared memory; the part must be a tensor of %s in smem, "
      "not %s",
      atom->name, cuteMmaOperandGetName(operand),
      cuteElementTypeGetName(cuteDescriptorGetElement(atom, operand)),
      cuteTypeText(op->context, op->operands[1]));
}

bool cuteOpReturnDescriptors(CuteOp *op, CuteMmaOperand operand) {
  CuteType part = op->operands[1];
  const CuteMmaAtom *atom = cuteTypeGetMmaAtomValue(op->operands[0]);
  CuteDescriptor descriptor;
  if (part->kind != CUTE_TYPE_TENSOR || part->space != CUTE_SMEM ||
      !cuteMmaHoldsElement(part->element,
                           cuteDescriptorGetElement(atom, operand)))
    return failPart(op, atom, operand);
  return cuteDescriptorGet(op->context, atom, operand, part, &descriptor) &&
         cuteOpPushResult(op, cuteTypeGetTensor(op->context, part->element,
                                                CUTE_DESC, part->align,
                                                part->layout));
}

//===-- Lowering ----------------------------------------------------------===//

uint64_t cuteDescriptorEncode(bool isTensor, CuteDescriptor descriptor) {
  const CuteSmemAtom *pattern = descriptor.pattern;
  uint64_t swizzle = pattern->swizzleBits ? 4 - pattern->swizzleBits : 0;
  uint64_t distances = ((uint64_t)descriptor.leading & 0x3fff) << 16 |
                       ((uint64_t)descriptor.stride & 0x3fff) << 32;
  if (!isTensor)
    return distances | swizzle << 62;
  return distances | UINT64_C(1) << 46 |
         (pattern->isWide ? 1 : swizzle * 2) << 61;
}

// The address is in bits 0 to 13, in units of 16 bytes.
MlirValue cuteLowerDescriptorAt(CuteLowering *lowering, bool isTensor,
                                CuteDescriptor descriptor, MlirValue pointer) {
  const CuteBuilder *b = &lowering->builder;
  uint64_t upper = cuteDescriptorEncode(isTensor, descriptor);
  MlirValue address =
      cuteBuildUnary(b, "llvm.ptrtoint", pointer, cuteIntType(b, 32));
  address = shruiWith(b, address, 4);
  address = andiWith(b, address, 0x3fff);
  return oriWith(b, extui(b, address, cuteIntType(b, 64)), (int64_t)upper);
}

MlirValue cuteLoweringGetDescriptor(CuteLowering *lowering,
                                    const CuteLowered *tensor) {
  CuteContext c = lowering->context;
  CuteLayout layout = tensor->type->layout;
  CuteIntTuple offset = layout->offset ? layout->offset : staticInt(c, 0);
  if (tensor->start)
    offset = cuteLeafAdd(c, offset, tensor->start);
  return cuteLoweringAdvanceDescriptor(lowering, tensor->pointer,
                                       tensor->type->element, offset);
}
