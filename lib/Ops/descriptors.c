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

// Requirements on a layout for the atom: in units of elements.
typedef struct Pattern {
  CuteMajor major;
  unsigned swizzleBits;
  int64_t unit; // elements of 16 bytes
  int64_t row;  // elements of a row of the pattern, which has 8
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
  bool isK = p->major == CUTE_MAJOR_K;
  Mode modes[2];
  Runs along, across;
  if (!getModes(c, part, modes) ||
      !findRuns(c, modes[isK], p->row, 1, &along) ||
      !findRuns(c, modes[!isK], 8, p->row, &across) ||
      along.distance % p->unit || across.distance % p->unit)
    return false;
  int64_t leading = along.distance / p->unit;
  int64_t stride = across.distance / p->unit;
  bool isPlain = !p->swizzleBits;
  if (isK && !isPlain && along.distance)
    return false; // rows of the pattern are read whole
  *descriptor = (CuteDescriptor){p->swizzleBits, leading, stride};
  if (!isK && isPlain) { // PTX ISA, "Strides": the other way round
    descriptor->leading = stride;
    descriptor->stride = leading;
  }
  if (isK && !isPlain)
    descriptor->leading = 1; // not used
  return true;
}

// The bits of the layout's swizzle, where it is one of 16-byte units in rows.
static bool getSwizzle(CuteLayout layout, int64_t unit, unsigned *bits) {
  if (!cuteLayoutHasSwizzle(layout)) {
    *bits = 0;
    return true;
  }
  CuteSwizzle s = layout->swizzle;
  *bits = (unsigned)s.bits;
  return s.bits >= 1 && s.bits <= 3 && s.shift == 3 &&
         INT64_C(1) << s.base == unit;
}

//===-- Checks ------------------------------------------------------------===//

static const char *nameOf(CuteMajor major, unsigned bits) {
  for (size_t i = 0; i < cuteSmemAtomGetNum(); ++i)
    if (cuteSmemAtomGet(i)->major == major &&
        cuteSmemAtomGet(i)->swizzleBits == bits)
      return cuteSmemAtomGet(i)->name;
  return "";
}

static bool failLayout(CuteContext c, const CuteMmaAtom *atom,
                       CuteMmaOperand operand, CuteType part) {
  CuteMajor major = majorOf(atom, operand);
  return cuteFail(
      c,
      "%s reads %s in smem in a layout that repeats %s, or one of its "
      "fellows with less or no swizzle (tile_to_shape of it); the part "
      "%s is in none of them",
      atom->name, cuteMmaOperandGetName(operand), nameOf(major, 3),
      cuteLayoutText(c, part->layout));
}

// The pattern counts from an address that is a multiple of its bytes.
static bool checkPlace(CuteContext c, const Pattern *p, CuteType part) {
  CuteLayout layout = part->layout;
  int64_t period = p->swizzleBits ? 8 * p->row : p->unit;
  int64_t bytes = p->swizzleBits ? INT64_C(128) << p->swizzleBits : 16;
  CuteIntTuple offset = layout->offset ? layout->offset : staticInt(c, 0);
  bool begins = isStatic(offset) ? offset->value % period < p->row &&
                                       offset->value % p->unit == 0
                                 : cuteLeafDivisor(offset) % period == 0;
  if (part->align >= bytes && begins)
    return true;
  return cuteFail(
      c,
      "the pattern of %s begins at multiples of %lld bytes, so that the "
      "tensor must be aligned to them and begin with the first of its "
      "rows; the part is %s",
      nameOf(p->major, p->swizzleBits), (long long)bytes,
      cuteTypeText(c, part));
}

bool cuteDescriptorMatch(CuteContext c, CuteMajor major, CuteType tensor,
                         CuteLayout tile, CuteDescriptor *descriptor) {
  Pattern p = {.major = major,
               .unit = 128 / (int64_t)cuteElementTypeGetBits(tensor->element)};
  if (!getSwizzle(tensor->layout, p.unit, &p.swizzleBits))
    return false;
  p.row = p.unit << p.swizzleBits;
  return matchPattern(c, &p, tile, descriptor);
}

bool cuteDescriptorGet(CuteContext c, const CuteMmaAtom *atom,
                       CuteMmaOperand operand, CuteType part,
                       CuteDescriptor *descriptor) {
  int64_t bits =
      cuteElementTypeGetBits(cuteDescriptorGetElement(atom, operand));
  Pattern p = {.major = majorOf(atom, operand), .unit = 128 / bits};
  if (!getSwizzle(part->layout, p.unit, &p.swizzleBits))
    return failLayout(c, atom, operand, part);
  p.row = p.unit << p.swizzleBits;
  return (matchPattern(c, &p, part->layout, descriptor) ||
          failLayout(c, atom, operand, part)) &&
         checkPlace(c, &p, part);
}

//===-- Fragments ---------------------------------------------------------===//

static bool failPart(CuteOp *op, const CuteMmaAtom *atom,
                     CuteMmaOperand operand) {
  return cuteFail(
      op->context,
      "%s reads %s in shared memory; the part must be a tensor of %s in "
      "smem, not %s",
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

// Encodes the descriptor but for the address (PTX ISA, "Matrix descriptor
// format" and "Shared memory descriptor"): distances in bits 16 to 29 and 32 to
// 45; for wgmma the swizzle in 62 and 63; for tcgen05 a version in 46, and the
// swizzle in 61 to 63.
static uint64_t encode(bool isTensor, CuteDescriptor descriptor) {
  uint64_t swizzle = descriptor.swizzleBits ? 4 - descriptor.swizzleBits : 0;
  uint64_t distances = ((uint64_t)descriptor.leading & 0x3fff) << 16 |
                       ((uint64_t)descriptor.stride & 0x3fff) << 32;
  if (!isTensor)
    return distances | swizzle << 62;
  return distances | UINT64_C(1) << 46 | swizzle * 2 << 61;
}

// The address is in bits 0 to 13, in units of 16 bytes.
MlirValue cuteLowerDescriptorAt(CuteLowering *lowering, bool isTensor,
                                CuteDescriptor descriptor, MlirValue pointer) {
  const CuteBuilder *b = &lowering->builder;
  uint64_t upper = encode(isTensor, descriptor);
  MlirValue address =
      cuteBuildUnary(b, "llvm.ptrtoint", pointer, cuteIntType(b, 32));
  address = cuteBuildBinary(b, "arith.shrui", address, cuteBuildInt(b, 32, 4));
  address =
      cuteBuildBinary(b, "arith.andi", address, cuteBuildInt(b, 32, 0x3fff));
  return cuteBuildBinary(
      b, "arith.ori",
      cuteBuildUnary(b, "arith.extui", address, cuteIntType(b, 64)),
      cuteBuildInt(b, 64, (int64_t)upper));
}

MlirValue cuteLowerDescriptor(CuteLowering *lowering, const CuteMmaAtom *atom,
                              CuteDescriptor descriptor,
                              const CuteLowered *part) {
  return cuteLowerDescriptorAt(lowering, cuteMmaAtomIsTensor(atom), descriptor,
                               part->pointer);
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
