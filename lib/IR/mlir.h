// Short forms of what the MLIR C API takes several calls for.
#pragma once

#include "Support/string_builder.h"
#include "Support/text.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/IR.h>

static inline MlirStringRef cuteMlirString(const char *text) {
  return mlirStringRefCreate(text, strlen(text));
}

static inline MlirStringRef cuteMlirText(const CuteString *text) {
  return mlirStringRefCreate(cuteStringGet(text), text->length);
}

// The names that MLIR's own classes give these.
static inline intptr_t getNumOperands(MlirOperation op) {
  return mlirOperationGetNumOperands(op);
}
static inline intptr_t getNumResults(MlirOperation op) {
  return mlirOperationGetNumResults(op);
}
static inline MlirValue getOperand(MlirOperation op, intptr_t i) {
  return mlirOperationGetOperand(op, i);
}
static inline MlirValue getResult(MlirOperation op, intptr_t i) {
  return mlirOperationGetResult(op, i);
}

static inline MlirStringRef cuteMlirGetName(MlirOperation op) {
  return mlirIdentifierStr(mlirOperationGetName(op));
}

// Tells whether an operation, which may be null, has this name, as in
// "scf.for".
static inline bool cuteMlirIs(MlirOperation op, const char *name) {
  return !mlirOperationIsNull(op) &&
         mlirStringRefEqual(cuteMlirGetName(op), cuteMlirString(name));
}

static inline bool cuteMlirStartsWith(MlirStringRef text, const char *prefix) {
  size_t n = strlen(prefix);
  return text.length >= n && !memcmp(text.data, prefix, n);
}

// Tells whether a name is one of others, up to a null, or begins with one.
bool cuteMlirIsListed(MlirStringRef name, bool begins,
                      const char *const *others);

// The same of names in the call, for an op, which may be null, or a text.
#define CUTE_IS_ANY(op, ...)                                                   \
  (!mlirOperationIsNull(op) &&                                                 \
   CUTE_TEXT_IS_ANY(cuteMlirGetName(op), __VA_ARGS__))
#define CUTE_TEXT_IS_ANY(text, ...)                                            \
  cuteMlirIsListed(text, false, (const char *const[]){__VA_ARGS__, NULL})
#define CUTE_BEGINS_WITH_ANY(text, ...)                                        \
  cuteMlirIsListed(text, true, (const char *const[]){__VA_ARGS__, NULL})

static inline MlirAttribute cuteMlirGetAttribute(MlirOperation op,
                                                 const char *name) {
  return mlirOperationGetAttributeByName(op, cuteMlirString(name));
}

// The integer in the attribute of that name; 0 where there is none.
static inline int64_t cuteMlirGetInteger(MlirOperation op, const char *name) {
  MlirAttribute attribute = cuteMlirGetAttribute(op, name);
  return mlirAttributeIsNull(attribute) || !mlirAttributeIsAInteger(attribute)
             ? 0
             : mlirIntegerAttrGetValueInt(attribute);
}

// Reads an attribute of up to three sizes, as known_block_size is; those left
// out are 1. False, and no change, where there is none.
bool cuteMlirGetSizes(MlirOperation op, const char *name, int64_t sizes[3]);

// The name of a function or the like.
static inline MlirStringRef cuteMlirGetSymbol(MlirOperation op) {
  return mlirStringAttrGetValue(cuteMlirGetAttribute(op, "sym_name"));
}

// Tells whether a function is the kernel that a launch names: @module::@kernel.
bool cuteMlirIsLaunched(MlirOperation kernel, MlirOperation launch);

// The first block of a region.
static inline MlirBlock cuteMlirGetBody(MlirOperation op, intptr_t region) {
  return mlirRegionGetFirstBlock(mlirOperationGetRegion(op, region));
}

// Operand i, null where the operation is null.
static inline MlirValue cuteMlirGetOperand(MlirOperation op, intptr_t i) {
  return mlirOperationIsNull(op) ? (MlirValue){NULL} : getOperand(op, i);
}

static inline MlirType cuteMlirGetOperandType(MlirOperation op, intptr_t i) {
  return mlirValueGetType(getOperand(op, i));
}

static inline MlirType cuteMlirGetResultType(MlirOperation op, intptr_t i) {
  return mlirValueGetType(getResult(op, i));
}

// Bits of an integer, a float, or all elements of a vector of one dimension; 0
// for other types.
unsigned cuteMlirGetBits(MlirType type);

// Uses of result i become uses of the value.
static inline void cuteMlirReplace(MlirOperation op, intptr_t i,
                                   MlirValue value) {
  mlirValueReplaceAllUsesOfWith(getResult(op, i), value);
}

// Go through the operations of a block, the blocks of a region, the uses of a
// value. What is visited last must still be there for the next step.
#define CUTE_FOR_OPS(op, block)                                                \
  for (MlirOperation op = mlirBlockGetFirstOperation(block);                   \
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
// Go from an operation to another of its block, or from its first one; through
// a block. What is visited may be moved and destroyed.
#define CUTE_FOR_OPS_UNTIL(op, from, end)                                      \
  for (MlirOperation op = (from), op##End = (end), op##Next;                   \
       !mlirOperationEqual(op, op##End) &&                                     \
       (op##Next = mlirOperationGetNextInBlock(op), true);                     \
       op = op##Next)
#define CUTE_FOR_OPS_BEFORE(op, end)                                           \
  CUTE_FOR_OPS_UNTIL(                                                          \
      op, mlirBlockGetFirstOperation(mlirOperationGetBlock(end)), end)
#define CUTE_FOR_MOVED_OPS(op, block)                                          \
  CUTE_FOR_OPS_UNTIL(op, mlirBlockGetFirstOperation(block),                    \
                     (MlirOperation){NULL})
#define CUTE_FOR_BLOCKS(block, region)                                         \
  for (MlirBlock block = mlirRegionGetFirstBlock(region);                      \
       !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block))
// Goes through the blocks of all regions of an op; without `break`.
#define CUTE_FOR_INNER_BLOCKS(block, op)                                       \
  for (intptr_t block##Region = 0;                                             \
       block##Region < mlirOperationGetNumRegions(op); ++block##Region)        \
    CUTE_FOR_BLOCKS(block, mlirOperationGetRegion(op, block##Region))
#define CUTE_FOR_USES(use, value)                                              \
  for (MlirOpOperand use = mlirValueGetFirstUse(value);                        \
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))

// Go through the operands or the results of an operation, or through a CuteOps;
// without `break`.
#define CUTE_FOR_OPERANDS(operand, op)                                         \
  for (intptr_t operand##At = 0; operand##At < getNumOperands(op);             \
       ++operand##At)                                                          \
    for (MlirValue operand = getOperand(op, operand##At);                      \
         !mlirValueIsNull(operand); operand.ptr = NULL)
#define CUTE_FOR_RESULTS(result, op)                                           \
  for (intptr_t result##At = 0; result##At < getNumResults(op); ++result##At)  \
    for (MlirValue result = getResult(op, result##At);                         \
         !mlirValueIsNull(result); result.ptr = NULL)
#define CUTE_FOR_LIST(op, list)                                                \
  for (size_t op##At = 0; op##At < (list).count; ++op##At)                     \
    for (MlirOperation op = (list).data[op##At]; !mlirOperationIsNull(op);     \
         op.ptr = NULL)
// Goes through a CuteOps that is not kept, as cuteOpsFind gives it.
#define CUTE_FOR_FOUND(op, ops)                                                \
  for (CuteOps op##Found = (ops); op##Found.count; op##Found.count = 0)        \
    CUTE_FOR_LIST(op, op##Found)

// Give the operation after one in a walk through `root` that visits each
// operation before those in its regions; null after the last. The second skips
// the operation's regions.
MlirOperation cuteMlirGetNext(MlirOperation op, MlirOperation root);
MlirOperation cuteMlirGetNextOutside(MlirOperation op, MlirOperation root);

// Goes through an operation and all in its regions, in that order. What is
// visited last must still be there for the next step.
#define CUTE_FOR_NESTED(op, root)                                              \
  for (MlirOperation op = (root); !mlirOperationIsNull(op);                    \
       op = cuteMlirGetNext(op, root))

// Gives the op whose result a value is; null: it is an argument.
static inline MlirOperation cuteMlirGetOwner(MlirValue value) {
  return mlirValueIsAOpResult(value) ? mlirOpResultGetOwner(value)
                                     : (MlirOperation){NULL};
}

// The op whose result a value is, or whose block has it for an argument.
MlirOperation cuteMlirGetScope(MlirValue value);

// Gives the op of a block that is an op or has it in a region, or null.
MlirOperation cuteMlirGetAncestor(MlirBlock block, MlirOperation op);

// Tells whether an op is another one, or in a region of it.
bool cuteMlirIsInside(MlirOperation op, MlirOperation outer);

// Tells whether two ops have the same attributes, whatever their operands are.
bool cuteMlirHaveSameAttributes(MlirOperation a, MlirOperation b);

// Gives the op, or the innermost one around it, that has the name; or null.
MlirOperation cuteMlirGetAround(MlirOperation op, const char *name);

// Takes the integer of an arith.constant; false for other values.
bool cuteMlirIsConstant(MlirValue value, int64_t *number);

// Tells whether a value is that of arith.constant false.
static inline bool cuteMlirIsFalse(MlirValue value) {
  int64_t number;
  return cuteMlirIsConstant(value, &number) && !number;
}

static inline bool cuteMlirHasAttribute(MlirOperation op, const char *name) {
  return !mlirAttributeIsNull(cuteMlirGetAttribute(op, name));
}

static inline void cuteMlirSetAttribute(MlirOperation op, const char *name,
                                        MlirAttribute value) {
  mlirOperationSetAttributeByName(op, cuteMlirString(name), value);
}

static inline bool cuteMlirIsUsed(MlirOperation op) {
  for (intptr_t i = 0; i < getNumResults(op); ++i)
    if (!mlirOpOperandIsNull(mlirValueGetFirstUse(getResult(op, i))))
      return true;
  return false;
}

// Appends to the CuteString in userData, as an MlirStringCallback.
static inline void cuteAppendMlirString(MlirStringRef piece, void *userData) {
  cuteStringAppendBytes(userData, piece.data, piece.length);
}

// Tells whether an attribute is printed with this text in it: one of a dialect
// that C cannot ask, such as #gpu<dim x>.
static inline bool cuteMlirAttributeHas(MlirOperation op, const char *name,
                                        const char *text) {
  CUTE_SCOPED(String) printed = {0};
  if (cuteMlirHasAttribute(op, name))
    mlirAttributePrint(cuteMlirGetAttribute(op, name), cuteAppendMlirString,
                       &printed);
  return strstr(cuteStringGet(&printed), text);
}

// Tells whether a function may be approximated.
static inline bool cuteMlirIsFast(MlirOperation op) {
  return cuteMlirAttributeHas(op, "fastmath", "afn") ||
         cuteMlirAttributeHas(op, "fastmath", "<fast>");
}

// The dimension of an op of gpu, or of one with a "dim" of x, y or z: 0 for x,
// or none.
static inline int cuteMlirGetDimension(MlirOperation op) {
  MlirAttribute dim = cuteMlirGetAttribute(op, "dim");
  if (!mlirAttributeIsNull(dim))
    return *mlirStringAttrGetValue(dim).data - 'x';
  return cuteMlirAttributeHas(op, "dimension", "<dim y>")   ? 1
         : cuteMlirAttributeHas(op, "dimension", "<dim z>") ? 2
                                                            : 0;
}

typedef struct CutePosition {
  CuteStringRef file; // its data is null where none is known
  unsigned line, column;
} CutePosition;

// The position of a location: of its first part where it has several.
CutePosition cutePositionGet(MlirLocation location);
CutePosition cutePositionOf(MlirOperation op);

// Lists the blocks of a region, malloc'ed, each after all that dominate it:
// what the first block reaches in reverse postorder, then the others.
MlirBlock *cuteBlockOrderGet(MlirRegion region, size_t *count);
