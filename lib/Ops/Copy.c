// Tiled copy: construction, partitioning, retiling, copy, cp.async groups.
#include "Ops/lowering.h"
#include "Ops/ops.h"

//===-- Construction ------------------------------------------------------===//

static bool inferMakeTiledCopy(CuteOp *op) {
  CuteType atom = op->operands[0];
  return cuteOpPushResult(
      op, cuteTypeGetTiledCopy(op->context,
                               cuteTiledCopyGet(op->context, atom->atom,
                                                (CuteElementType)atom->element,
                                                operandLayout(op, 1),
                                                operandLayout(op, 2))));
}

static bool inferMakeTiledCopyFor(CuteOp *op, CuteMmaOperand operand) {
  CuteType atom = op->operands[0];
  return cuteOpPushResult(
      op, cuteTypeGetTiledCopy(
              op->context,
              cuteTiledCopyGetForMma(
                  op->context, atom->atom, (CuteElementType)atom->element,
                  cuteTypeGetTiledMmaValue(op->operands[1]), operand)));
}

static bool inferMakeTiledCopyA(CuteOp *op) {
  return inferMakeTiledCopyFor(op, CUTE_OPERAND_A);
}
static bool inferMakeTiledCopyB(CuteOp *op) {
  return inferMakeTiledCopyFor(op, CUTE_OPERAND_B);
}
static bool inferMakeTiledCopyC(CuteOp *op) {
  return inferMakeTiledCopyFor(op, CUTE_OPERAND_C);
}

//===-- Partitioning ------------------------------------------------------===//

static bool inferPartition(CuteOp *op, CuteCopySide side) {
  CuteIntTuple thread = cuteOpGetIndex(op, 2);
  if (!thread)
    return false;
  CuteType tensor = op->operands[1];
  return cuteOpReturnPartition(
      op, tensor,
      cuteTiledCopyPartition(op->context,
                             cuteTypeGetTiledCopyValue(op->operands[0]), side,
                             tensor->layout, thread));
}

static bool inferPartitionS(CuteOp *op) {
  return inferPartition(op, CUTE_SOURCE);
}
static bool inferPartitionD(CuteOp *op) {
  return inferPartition(op, CUTE_DESTINATION);
}

static bool inferRetile(CuteOp *op) {
  CuteType fragment = op->operands[1];
  return cuteOpPushResult(
      op, cuteTypeWithLayout(
              op->context, fragment,
              cuteTiledCopyRetile(op->context,
                                  cuteTypeGetTiledCopyValue(op->operands[0]),
                                  fragment->layout)));
}

//===-- Checks ------------------------------------------------------------===//

// Values that one thread of the atom reads or writes.
static int64_t atomValues(CuteContext c, CuteType atom, CuteCopySide side) {
  CuteLayout tv = cuteCopyAtomGetLayout(c, atom->atom,
                                        (CuteElementType)atom->element, side);
  return cuteIntTupleProduct(c, element(tv->shape, 1))->value;
}

static bool failOperand(CuteOp *op, size_t i, const char *what) {
  CuteString text = {0};
  cuteAppendType(&text, op->operands[i], CUTE_FORM_PRETTY);
  cuteFail(op->context, "%s of %s %s, not %s",
           i == 1 ? "source" : "destination",
           ((const CuteCopyAtom *)op->operands[0]->atom)->name, what,
           cuteStringGet(&text));
  cuteStringDestroy(&text);
  return false;
}

static bool checkSpaces(CuteOp *op) {
  const CuteCopyAtom *atom = op->operands[0]->atom;
  static const struct {
    CuteCopyKind kind;
    CuteSpace source, destination;
  } rules[] = {{CUTE_COPY_CP_ASYNC, CUTE_GMEM, CUTE_SMEM},
               {CUTE_COPY_LDMATRIX, CUTE_SMEM, CUTE_RMEM}};
  for (size_t i = 0; i < sizeof rules / sizeof *rules; ++i) {
    if (rules[i].kind != atom->kind)
      continue;
    if (op->operands[1]->space != rules[i].source)
      return failOperand(op, 1,
                         rules[i].source == CUTE_GMEM ? "must be in gmem"
                                                      : "must be in smem");
    if (op->operands[2]->space != rules[i].destination)
      return failOperand(op, 2,
                         rules[i].destination == CUTE_SMEM ? "must be in smem"
                                                           : "must be in rmem");
  }
  return true;
}

static bool checkElements(CuteOp *op) {
  unsigned bits =
      cuteElementTypeGetBits((CuteElementType)op->operands[0]->element);
  for (size_t i = 1; i <= 2; ++i)
    if (cuteElementTypeGetBits((CuteElementType)op->operands[i]->element) !=
        bits) {
      char text[64];
      snprintf(text, sizeof text, "must have elements of %u bits", bits);
      return failOperand(op, i, text);
    }
  return true;
}

// The part of a mode that one atom takes: the mode itself, or its first element
// and so on inwards. False if the values come out uneven.
static bool atomMode(CuteContext c, CuteIntTuple shape, int64_t values) {
  for (;; shape = shape->elements[0]) {
    CuteIntTuple size = cuteIntTupleProduct(c, shape);
    if (isStaticValue(size, values))
      return true;
    if (!isTuple(shape) || !shape->rank)
      return false;
  }
}

static bool checkSide(CuteOp *op, size_t i) {
  CuteContext c = op->context;
  CuteType type = op->operands[i];
  int64_t values =
      atomValues(c, op->operands[0], i == 1 ? CUTE_SOURCE : CUTE_DESTINATION);
  if (atomMode(c, element(type->layout->shape, 0), values)) {
    if (type->space == CUTE_RMEM || cuteTensorIsVectorizable(c, type, values))
      return true;
    char text[96];
    snprintf(text, sizeof text,
             "needs %lld elements side by side, aligned to %lld bytes",
             (long long)values,
             (long long)values *
                 cuteElementTypeGetBits((CuteElementType)type->element) / 8);
    return failOperand(op, i, text);
  }
  char text[96];
  snprintf(text, sizeof text,
           "needs %lld values per thread in mode 0 or in its first parts",
           (long long)values);
  return failOperand(op, i, text);
}

static bool checkCopyOperands(CuteOp *op) {
  for (size_t i = 1; i <= 2; ++i) {
    CuteType type = op->operands[i];
    if (type->layout->shape->numDynamic)
      return failOperand(op, i, "must have a static shape");
  }
  return checkSpaces(op) && checkElements(op) && checkSide(op, 1) &&
         checkSide(op, 2);
}

static int64_t sizeOf(CuteContext c, CuteType tensor) {
  return cuteLayoutGetSize(c, tensor->layout)->value;
}

static bool checkPredicate(CuteOp *op, int64_t count) {
  if (op->numOperands < 4)
    return true;
  CuteType predicate = op->operands[3];
  int64_t found =
      predicate->kind == CUTE_TYPE_TENSOR && !cuteTypeGetNumDynamic(predicate)
          ? sizeOf(op->context, predicate)
          : -1;
  if (predicate->space == CUTE_RMEM && predicate->element == CUTE_ELEMENT_I1 &&
      found == count)
    return true;
  CuteString text = {0};
  cuteAppendType(&text, predicate, CUTE_FORM_PRETTY);
  cuteFail(op->context,
           "the predicate must be a tensor of i1 in rmem with one element for "
           "each of the %lld accesses, not %s",
           (long long)count, cuteStringGet(&text));
  cuteStringDestroy(&text);
  return false;
}

static bool inferCopy(CuteOp *op) {
  CuteContext c = op->context;
  if (!checkCopyOperands(op))
    return false;
  int64_t from =
      sizeOf(c, op->operands[1]) / atomValues(c, op->operands[0], CUTE_SOURCE);
  int64_t to = sizeOf(c, op->operands[2]) /
               atomValues(c, op->operands[0], CUTE_DESTINATION);
  if (from != to) {
    cuteFail(c, "the source makes %lld accesses, the destination %lld",
             (long long)from, (long long)to);
    return false;
  }
  return checkPredicate(op, from);
}

static bool inferCopyAtomCall(CuteOp *op) {
  if (!checkCopyOperands(op))
    return false;
  for (size_t i = 1; i <= 2; ++i)
    if (sizeOf(op->context, op->operands[i]) !=
        atomValues(op->context, op->operands[0],
                   i == 1 ? CUTE_SOURCE : CUTE_DESTINATION))
      return failOperand(op, i, "must be the values of one access");
  return checkPredicate(op, 1);
}

//===-- Lowering of one atom ----------------------------------------------===//

typedef struct AtomCall {
  const CuteCopyAtom *atom;
  const CuteLowered *source, *destination;
  int64_t sourceValues, destinationValues;
} AtomCall;

static void lowerUniversal(CuteLowering *lowering, const AtomCall *call) {
  int64_t n = call->sourceValues;
  const CuteBuilder *b = &lowering->builder;
  MlirType element =
      cuteRawType(b, (CuteElementType)call->source->type->element);
  MlirType type = n == 1 ? element : mlirVectorTypeGet(1, &n, element);
  MlirValue value = cuteLoweringLoadValues(lowering, call->source, 0, n, type);
  cuteLoweringStoreValues(lowering, call->destination, 0, n, value);
}

static void lowerLdmatrix(CuteLowering *lowering, const AtomCall *call) {
  const CuteBuilder *b = &lowering->builder;
  int64_t registers = call->atom->bits / 32;
  bool transposed = strstr(call->atom->instruction, ".trans");
  MlirValue address = cuteLoweringGetAddress(lowering, *call->source,
                                             staticInt(lowering->context, 0));
  MlirType i32 = cuteIntType(b, 32), fields[4] = {i32, i32, i32, i32};
  MlirType result =
      registers == 1 ? i32 : cuteStructType(b, (size_t)registers, fields);
  CuteNamedAttribute attributes[] = {
      {"num", cuteIntAttr(b, 32, registers)},
      {"layout", cuteParsedAttr(b, transposed ? "#nvvm.mma_layout<col>"
                                              : "#nvvm.mma_layout<row>")},
      {"shape", cuteParsedAttr(b, "#nvvm.ld_st_matrix_shape<m = 8, n = 8>")},
      {"eltType", cuteParsedAttr(b, "#nvvm.ld_st_matrix_elt_type<b16>")}};
  MlirValue loaded = cuteBuildValue(b, (CuteOpSpec){.name = "nvvm.ldmatrix",
                                                    .numOperands = 1,
                                                    .operands = &address,
                                                    .numResults = 1,
                                                    .results = &result,
                                                    .numAttributes = 4,
                                                    .attributes = attributes});
  int64_t perRegister = call->destinationValues / registers;
  for (int64_t i = 0; i < registers; ++i)
    cuteLoweringStoreValues(
        lowering, call->destination, i * perRegister, perRegister,
        registers == 1 ? loaded : cuteExtract(b, loaded, (size_t)i, i32));
}

// With zero fill a false predicate makes the number of bytes read 0.
static void lowerCpAsync(CuteLowering *lowering, const AtomCall *call,
                         MlirValue predicate) {
  const CuteBuilder *b = &lowering->builder;
  CuteIntTuple first = staticInt(lowering->context, 0);
  int64_t bytes = call->atom->bits / 8;
  MlirValue operands[3] = {
      cuteLoweringGetAddress(lowering, *call->destination, first),
      cuteLoweringGetAddress(lowering, *call->source, first)};
  size_t count = 2;
  if (call->atom->zeroFill && !mlirValueIsNull(predicate)) {
    MlirType i32 = cuteIntType(b, 32);
    MlirValue choices[] = {predicate, cuteBuildInt(b, 32, bytes),
                           cuteBuildInt(b, 32, 0)};
    operands[count++] = cuteBuildValue(b, (CuteOpSpec){.name = "arith.select",
                                                       .numOperands = 3,
                                                       .operands = choices,
                                                       .numResults = 1,
                                                       .results = &i32});
  }
  bool bypassesL1 = strstr(call->atom->instruction, ".cg.");
  CuteNamedAttribute attributes[] = {
      {"size", cuteIntAttr(b, 32, bytes)},
      {"modifier",
       cuteParsedAttr(b, bypassesL1 ? "#nvvm<load_cache_modifier cg>"
                                    : "#nvvm<load_cache_modifier ca>")}};
  cuteBuild(b, (CuteOpSpec){.name = "nvvm.cp.async.shared.global",
                            .numOperands = count,
                            .operands = operands,
                            .numAttributes = 2,
                            .attributes = attributes});
}

static void lowerUnpredicated(CuteLowering *lowering, const AtomCall *call,
                              MlirValue predicate) {
  if (call->atom->kind == CUTE_COPY_UNIVERSAL)
    lowerUniversal(lowering, call);
  else if (call->atom->kind == CUTE_COPY_CP_ASYNC)
    lowerCpAsync(lowering, call, predicate);
  else
    lowerLdmatrix(lowering, call);
}

static bool canLower(const CuteCopyAtom *atom) {
  return atom->kind == CUTE_COPY_UNIVERSAL ||
         atom->kind == CUTE_COPY_CP_ASYNC || atom->kind == CUTE_COPY_LDMATRIX;
}

bool cuteCopyAtomIsCompiled(const CuteCopyAtom *atom) { return canLower(atom); }

static bool lowerCopyAtomCall(CuteLowering *lowering, CuteOp *op,
                              MlirOperation source) {
  CuteContext c = lowering->context;
  AtomCall call = {
      op->operands[0]->atom,
      cuteLoweringGet(lowering, mlirOperationGetOperand(source, 1)),
      cuteLoweringGet(lowering, mlirOperationGetOperand(source, 2)),
      sizeOf(c, op->operands[1]), sizeOf(c, op->operands[2])};
  if (!canLower(call.atom))
    return cuteFailNotCompiled(c, call.atom->name);
  MlirValue predicate = {NULL};
  if (op->numOperands > 3) {
    const CuteLowered *tensor =
        cuteLoweringGet(lowering, mlirOperationGetOperand(source, 3));
    MlirType type = cuteIntType(&lowering->builder, 1);
    predicate = cuteLoweringLoadValues(lowering, tensor, 0, 1, type);
  }
  if (mlirValueIsNull(predicate) || call.atom->zeroFill) {
    lowerUnpredicated(lowering, &call, predicate);
    return true;
  }
  CuteBuilder outer = lowering->builder;
  MlirBlock then = cuteBuildIf(&outer, predicate);
  lowering->builder = cuteBuilderAtStart(then, outer.location);
  lowerUnpredicated(lowering, &call, predicate);
  lowering->builder = outer;
  return true;
}

//===-- cp.async groups ---------------------------------------------------===//

static bool inferNothing(CuteOp *op) {
  (void)op;
  return true;
}

static bool inferCpAsyncWait(CuteOp *op) {
  int64_t n = cuteOpGetAttribute(op, "n")->value;
  if (n >= 0)
    return true;
  cuteFail(op->context,
           "the number of groups that may be pending must not be "
           "negative, but is %lld",
           (long long)n);
  return false;
}

static bool lowerCpAsyncCommit(CuteLowering *lowering, CuteOp *op,
                               MlirOperation source) {
  (void)op, (void)source;
  cuteBuild(&lowering->builder,
            (CuteOpSpec){.name = "nvvm.cp.async.commit.group"});
  return true;
}

static bool lowerCpAsyncWait(CuteLowering *lowering, CuteOp *op,
                             MlirOperation source) {
  (void)source;
  CuteNamedAttribute attribute = {
      "n",
      cuteIntAttr(&lowering->builder, 32, cuteOpGetAttribute(op, "n")->value)};
  cuteBuild(&lowering->builder, (CuteOpSpec){.name = "nvvm.cp.async.wait.group",
                                             .numAttributes = 1,
                                             .attributes = &attribute});
  return true;
}

const CuteOpHooks cuteCopyOps[] = {
    {.name = "make_tiled_copy", .infer = inferMakeTiledCopy},
    {.name = "make_tiled_copy_a", .infer = inferMakeTiledCopyA},
    {.name = "make_tiled_copy_b", .infer = inferMakeTiledCopyB},
    {.name = "make_tiled_copy_c", .infer = inferMakeTiledCopyC},
    {.name = "partition_s", .infer = inferPartitionS, .lower = cuteLowerView1},
    {.name = "partition_d", .infer = inferPartitionD, .lower = cuteLowerView1},
    {.name = "retile", .infer = inferRetile, .lower = cuteLowerView1},
    {.name = "copy", .infer = inferCopy, .lower = cuteLowerUnexpanded},
    {.name = "copy_atom_call",
     .infer = inferCopyAtomCall,
     .lower = lowerCopyAtomCall},
    {.name = "cp_async_commit",
     .infer = inferNothing,
     .lower = lowerCpAsyncCommit},
    {.name = "cp_async_wait",
     .infer = inferCpAsyncWait,
     .lower = lowerCpAsyncWait},
    {.name = NULL},
};
