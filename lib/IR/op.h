// An op without MLIR: what inference and verification work on, so that the text
// layer can ask for result types before there is an operation.
#pragma once

#include "IR/op_traits.h"
#include "Support/text.h"

// The ops of the dialect as numbers.
typedef enum CuteOpId {
#define CUTE_OP(id, name) CUTE_OP_##id,
#include "op_ids.def"
#undef CUTE_OP
  CUTE_NUM_OPS
} CuteOpId;

// The name of the op, with that of the dialect before it.
const char *cuteOpIdGetName(CuteOpId id);

//===-- Declarations, of dialect/cute.irdl.mlir ---------------------------===//

typedef enum CuteVariadicity {
  CUTE_SINGLE,
  CUTE_OPTIONAL,
  CUTE_VARIADIC,
} CuteVariadicity;

// The kinds that a constraint admits, one bit per CuteTypeKind. The bit of
// CUTE_TYPE_FOREIGN admits types of other dialects.
typedef uint32_t CuteKindSet;

typedef struct CuteValueDecl {
  CuteStringRef name;
  CuteKindSet kinds;
  uint32_t foreign; // the types of other dialects, one bit each (declare.c)
  CuteVariadicity variadicity;
  bool elided; // the type prints as its parameters alone, <"...">
} CuteValueDecl;

typedef enum CuteAttributeKind {
  CUTE_ATTRIBUTE_INT,    // 4
  CUTE_ATTRIBUTE_INTS,   // [1, 0]
  CUTE_ATTRIBUTE_UNIT,   // {only_dynamic}
  CUTE_ATTRIBUTE_TYPE,   // f16
  CUTE_ATTRIBUTE_STRING, // "(1,_,1)"
} CuteAttributeKind;

typedef struct CuteAttributeDecl {
  CuteStringRef name;
  CuteAttributeKind kind;
  bool optional; // it and those after it may be left out
  // Limits its value: to words, integers by their digits, or from one integer
  // to another; null, or 0 to 0: any value. `values` says it.
  const char *const *words;
  int64_t least, most;
  const char *values;
} CuteAttributeDecl;

// The form of an op's types after the colon.
typedef enum CuteTypeSyntax {
  CUTE_TYPES_NONE,       // nothing
  CUTE_TYPES_RESULT,     // : T
  CUTE_TYPES_OPERANDS,   // : T, T          results inferred
  CUTE_TYPES_ARROW,      // : T -> T, (T, T) -> T
  CUTE_TYPES_FUNCTIONAL, // : (T) -> T, (T, T) -> T
} CuteTypeSyntax;

enum { CUTE_MAX_DECLARED = 9 }; // operands, results or attributes of one op

// Variadic values that may differ in type are declared as this many segments,
// as IRDL has all values of one segment be of one type (see declare.c).
enum { CUTE_NUM_MIXED = 64 };

typedef struct CuteOpDecl {
  CuteOpId id;
  CuteStringRef name; // without "cute."
  CuteStringRef group, summary;
  size_t numOperands, numResults, numAttributes;
  CuteValueDecl operands[CUTE_MAX_DECLARED];
  CuteValueDecl results[CUTE_MAX_DECLARED];
  CuteAttributeDecl attributes[CUTE_MAX_DECLARED]; // those in angle brackets
  bool optionalAngle;                              // the brackets may be absent
  bool spaceAfterAngle; // "cute.get<[0]> (%x)", also without brackets
  bool hasOperandList;  // the op's syntax has parentheses
  bool attrDictLast;    // the dictionary follows the types
  bool
      declaresResults; // the user chooses their types; infer checks op->written
  bool mixedOperands, mixedResults; // held in numbered segments, see declare.c
  bool segmentedOperands;           // several may be absent: each is a segment
  CuteTypeSyntax types;
  CuteOpTraits traits;
  const struct CuteOpHooks *hooks; // null before the dialect is loaded
} CuteOpDecl;

// The declaration, without hooks.
const CuteOpDecl *cuteOpDeclGet(CuteOpId id);

//===-- Instances ---------------------------------------------------------===//

typedef struct CuteAttribute {
  const CuteAttributeDecl *decl;
  int64_t value;       // INT
  size_t numInts;      // INTS
  const int32_t *ints; // INTS
  CuteStringRef text;  // TYPE, STRING: without quotes
  bool malformed;      // of another kind than declared
} CuteAttribute;

typedef struct CuteOp {
  CuteContext context;
  const CuteOpDecl *decl;
  size_t numOperands;
  const CuteType *operands;
  size_t numAttributes;
  const CuteAttribute *attributes;
  size_t numWritten; // result types that the user wrote
  const CuteType *written;
  // Filled by inference.
  size_t numResults;
  CuteType *results;   // in the context's scratch memory
  CuteIntTuple offset; // of a result view in its first operand, in elements;
                       // null for 0
} CuteOp;

// An op's functions, beyond its declaration: a row of lib/Ops.
typedef bool CuteInferFunction(CuteOp *op);

// Lowers the op that the lowering is at. Results go to cuteLoweringSetResult or
// cuteLoweringReplace of lib/Lowering/lowering.h. False with a message in the
// context.
struct CuteLowering;
typedef bool CuteLowerFunction(struct CuteLowering *lowering);

typedef struct CuteOpHooks {
  const char *name; // without "cute."
  // Sets the results; false with a message in the context. Operand kinds and
  // attribute presence have been checked.
  CuteInferFunction *infer;
  // Lowering, where it is more than inferring the bound results.
  CuteLowerFunction *lower;
  // Tells a `lower` that ops share what to build: an op of MLIR, an attribute
  // or PTX.
  const char *target;
  // Tells an `infer` or `lower` that ops share which of them it is: by an
  // operand, a side, a kind of type or a form.
  int variant;
} CuteOpHooks;

// A row: the op's name, its inference, and the members after it in their order,
// or by their names.
#define CUTE_HOOKS(op, inference, ...)                                         \
  { .name = op, .infer = inference, __VA_ARGS__ }

// Checks the number and kinds of operands against the declaration. False with a
// message that names the operand.
bool cuteOpCheckOperands(CuteOp *op);

// The segment sizes of an op with segmentedOperands that has n operands, one
// for each declared; optional ones are filled from the left.
void cuteOpDeclGetSegments(const CuteOpDecl *decl, size_t n, int32_t *sizes);

// Checks the number of written results against the declaration.
bool cuteOpCheckResultCount(CuteOp *op);

// Checks operands and attributes against the declaration, then infers. False
// with a message that names the operand or attribute.
bool cuteOpInfer(CuteOp *op);

// Inference, then comparison with op->written: the same types, or a message
// with both.
bool cuteOpVerify(CuteOp *op);

//===-- Messages ----------------------------------------------------------===//

// Adds a note to the message in the context, which says how to mend the op.
void cuteOpNote(CuteOp *op, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

// Operand i, or written result i, is of no kind that the declaration admits;
// false.
bool cuteOpFailKind(CuteOp *op, size_t i, const CuteValueDecl *decl);
bool cuteOpFailResultKind(CuteOp *op, size_t i, const CuteValueDecl *decl);

// The inferred result i differs from the written one; false.
bool cuteOpFailResult(CuteOp *op, size_t i);

//===-- Helpers for infer functions ---------------------------------------===//

const CuteAttribute *cuteOpGetAttribute(const CuteOp *op, const char *name);

// The number of an attribute's word among the declared ones; -1 if the op has
// no such attribute.
int cuteOpGetWord(const CuteOp *op, const char *name);

bool cuteOpPushResult(CuteOp *op, CuteType type);

static inline CuteIntTuple operandTuple(const CuteOp *op, size_t i) {
  return op->operands[i]->tuple;
}
static inline CuteLayout operandLayout(const CuteOp *op, size_t i) {
  return op->operands[i]->layout;
}
static inline CuteTypeKind operandKind(const CuteOp *op, size_t i) {
  return (CuteTypeKind)op->operands[i]->kind;
}

// A layout, shape or tile operand as a tiler.
CuteTile cuteOpGetTiler(const CuteOp *op, size_t i);

// A layout operand, or the compact layout of a shape; null with a message for
// an extent that is not positive.
CuteLayout cuteOpGetLayout(const CuteOp *op, size_t i);

// An i32, i64, index (of 32 bits then) or scalar int_tuple operand as a leaf;
// null with a message for others.
CuteIntTuple cuteOpGetIndex(const CuteOp *op, size_t i);

// Tells whether a leaf is not null, and if it is static in [least, most];
// otherwise false with the message "WHAT, not N".
bool cuteOpCheckIndex(CuteOp *op, CuteIntTuple leaf, int64_t least,
                      int64_t most, const char *what);

// Inference of an op without results, whose operands need no check.
bool cuteOpInferNothing(CuteOp *op);

// Results of the usual forms.
bool cuteOpReturnTuple(CuteOp *op, CuteTypeKind kind, CuteIntTuple tuple);
// A tuple of the kind of operand 0.
bool cuteOpReturnAlike(CuteOp *op, CuteIntTuple tuple);
bool cuteOpReturnLayout(CuteOp *op, CuteLayout layout);
bool cuteOpReturnTile(CuteOp *op, CuteTile tile);
bool cuteOpReturnForeign(CuteOp *op, const char *text);
bool cuteOpReturnTiledCopy(CuteOp *op, CuteTiledCopy copy);

// The type of operand 0 with another layout: a layout, or a view of a tensor.
bool cuteOpReturnView(CuteOp *op, CuteLayout layout);

// The alignment of what lies `offset` elements after a pointer or tensor.
int64_t cuteTypeGetAlignAfter(CuteType type, CuteIntTuple offset);

// A part of a tensor or coordinate tensor: sets the offset, and the alignment
// that it leaves.
bool cuteOpReturnPartition(CuteOp *op, CuteType tensor, CutePartition part);
