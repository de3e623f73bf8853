// Creates operations at an insertion point.
#pragma once

#include "IR/dialect.h"

typedef struct CuteBuilder {
  MlirContext context;
  MlirLocation location;
  MlirBlock block;
  MlirOperation before; // null: the end of the block
} CuteBuilder;

CuteBuilder cuteBuilderBefore(MlirOperation op);

CuteBuilder cuteBuilderAtStart(MlirBlock block, MlirLocation location);

typedef struct CuteNamedAttribute {
  const char *name;
  MlirAttribute value; // null: left out
} CuteNamedAttribute;

typedef struct CuteOpSpec {
  const char *name;
  size_t numOperands;
  const MlirValue *operands;
  size_t numResults;
  const MlirType *results;
  size_t numAttributes;
  const CuteNamedAttribute *attributes;
  size_t numRegions;
  bool withoutBlocks; // the regions; otherwise each has an empty one
} CuteOpSpec;

// Fields of a CuteOpSpec that list values, types, and attributes with their
// names in braces.
#define CUTE_OPERANDS(...)                                                     \
  .numOperands = sizeof((MlirValue[]){__VA_ARGS__}) / sizeof(MlirValue),       \
  .operands = (MlirValue[]) {                                                  \
    __VA_ARGS__                                                                \
  }
#define CUTE_RESULTS(...)                                                      \
  .numResults = sizeof((MlirType[]){__VA_ARGS__}) / sizeof(MlirType),          \
  .results = (MlirType[]) {                                                    \
    __VA_ARGS__                                                                \
  }
#define CUTE_ATTRIBUTES(...)                                                   \
  .numAttributes = sizeof((CuteNamedAttribute[]){__VA_ARGS__}) /               \
                   sizeof(CuteNamedAttribute),                                 \
  .attributes = (CuteNamedAttribute[]) {                                       \
    __VA_ARGS__                                                                \
  }

// Such lists as two arguments: how many there are, and which.
#define CUTE_VALUES(...)                                                       \
  sizeof((MlirValue[]){__VA_ARGS__}) / sizeof(MlirValue), (MlirValue[]) {      \
    __VA_ARGS__                                                                \
  }
#define CUTE_NAMED(...)                                                        \
  sizeof((CuteNamedAttribute[]){__VA_ARGS__}) / sizeof(CuteNamedAttribute),    \
      (CuteNamedAttribute[]) {                                                 \
    __VA_ARGS__                                                                \
  }

MlirOperation cuteBuild(const CuteBuilder *builder, CuteOpSpec spec);

// An op once more, with its attributes, other operands and results, and the
// blocks of its regions, which it loses.
MlirOperation cuteBuildAgain(const CuteBuilder *builder, MlirOperation op,
                             size_t numOperands, const MlirValue *operands,
                             size_t numResults, const MlirType *results);

// The single result of cuteBuild.
MlirValue cuteBuildValue(const CuteBuilder *builder, CuteOpSpec spec);

// Both with a name and fields of a CuteOpSpec.
#define CUTE_BUILD(builder, op, ...)                                           \
  cuteBuild(builder, (CuteOpSpec){.name = op, __VA_ARGS__})
#define CUTE_BUILD_VALUE(builder, op, ...)                                     \
  cuteBuildValue(builder, (CuteOpSpec){.name = op, __VA_ARGS__})

// One result, no attributes.
MlirValue cuteBuildResult(const CuteBuilder *builder, const char *name,
                          size_t numOperands, const MlirValue *operands,
                          MlirType type);

// One operand, one result, no attributes.
MlirValue cuteBuildUnary(const CuteBuilder *builder, const char *name,
                         MlirValue operand, MlirType result);

// The same, or the operand itself where it has that type.
MlirValue cuteBuildCast(const CuteBuilder *builder, const char *name,
                        MlirValue operand, MlirType result);

// Two operands of the result's type.
MlirValue cuteBuildBinary(const CuteBuilder *builder, const char *name,
                          MlirValue a, MlirValue b);

// A value, of an integer type or index, and a constant of its type.
MlirValue cuteBuildWith(const CuteBuilder *builder, const char *name,
                        MlirValue value, int64_t constant);

// addi(b, x, y) and addiWith(b, x, 1) build arith.addi of the values, and of a
// value and a constant; likewise the others.
#define CUTE_ARITH(op)                                                         \
  static inline MlirValue op(const CuteBuilder *b, MlirValue x, MlirValue y) { \
    return cuteBuildBinary(b, "arith." #op, x, y);                             \
  }                                                                            \
  static inline MlirValue op##With(const CuteBuilder *b, MlirValue x,          \
                                   int64_t constant) {                         \
    return cuteBuildWith(b, "arith." #op, x, constant);                        \
  }
CUTE_ARITH(addi)
CUTE_ARITH(subi)
CUTE_ARITH(muli)
CUTE_ARITH(divui)
CUTE_ARITH(remui)
CUTE_ARITH(minui)
CUTE_ARITH(andi)
CUTE_ARITH(ori)
CUTE_ARITH(xori)
CUTE_ARITH(shli)
CUTE_ARITH(shrui)
#undef CUTE_ARITH

// The value in another type: with zeros before it, cut off, or the same bits,
// itself where it has that type.
static inline MlirValue extui(const CuteBuilder *b, MlirValue x, MlirType to) {
  return cuteBuildUnary(b, "arith.extui", x, to);
}
static inline MlirValue trunci(const CuteBuilder *b, MlirValue x, MlirType to) {
  return cuteBuildUnary(b, "arith.trunci", x, to);
}
static inline MlirValue bitcast(const CuteBuilder *b, MlirValue x,
                                MlirType to) {
  return cuteBuildCast(b, "llvm.bitcast", x, to);
}

// Predicates as MLIR numbers them.
enum {
  CUTE_CMPI_EQ = 0,
  CUTE_CMPI_NE = 1,
  CUTE_CMPI_SLT = 2,
  CUTE_CMPI_SLE = 3,
  CUTE_CMPI_SGT = 4,
  CUTE_CMPI_ULT = 6,
  CUTE_CMPI_UGT = 8,
  CUTE_CMPI_UGE = 9,
  CUTE_CMPF_OEQ = 1,
  CUTE_CMPF_OGT = 2,
  CUTE_CMPF_ONE = 6,
  CUTE_CMPF_UNE = 13
};

// arith.cmpi, or arith.cmpf of floats.
MlirValue cuteBuildCompare(const CuteBuilder *builder, int64_t predicate,
                           MlirValue a, MlirValue b);
MlirValue cuteBuildTest(const CuteBuilder *builder, int64_t predicate,
                        MlirValue value, int64_t constant);

// arith.constant of an attribute that has a type.
MlirValue cuteBuildAttribute(const CuteBuilder *builder, MlirAttribute value);

// The same of a number, of an integer type or index.
MlirValue cuteBuildNumber(const CuteBuilder *builder, MlirType type,
                          int64_t value);
MlirValue cuteBuildInt(const CuteBuilder *builder, unsigned width,
                       int64_t value);

// arith.select; both values are of one type.
MlirValue cuteBuildSelect(const CuteBuilder *builder, MlirValue condition,
                          MlirValue yes, MlirValue no);

// Element i of a vector of one dimension.
MlirValue cuteBuildVectorExtract(const CuteBuilder *builder, MlirValue vector,
                                 int64_t i);

// A vector of `count` elements of one of one dimension, by their indices in it.
MlirValue cuteBuildVectorShuffle(const CuteBuilder *builder, MlirValue vector,
                                 int64_t count, const int64_t *indices);

// scf.if without results; gives a builder of what it holds.
CuteBuilder cuteBuildIf(const CuteBuilder *builder, MlirValue condition);

// The same with a block for where the condition is false, unless `otherwise` is
// null; the blocks are ready to be filled and have their terminators.
MlirBlock cuteBuildIfElse(const CuteBuilder *builder, MlirValue condition,
                          MlirBlock *otherwise);

// scf.for from 0 to below a count in steps of 1; the returned block has the
// index, of the count's type, as its argument and has its terminator.
MlirBlock cuteBuildFor(const CuteBuilder *builder, MlirValue count);

MlirType cuteBuildStructType(const CuteBuilder *builder, size_t n,
                             const MlirType *fields);

// Field i of a struct value.
MlirValue cuteBuildExtract(const CuteBuilder *builder, MlirValue value,
                           size_t i, MlirType type);
// The same of the field that a path of numbers leads to.
MlirValue cuteBuildExtractAt(const CuteBuilder *builder, MlirValue value,
                             intptr_t depth, const int64_t *path,
                             MlirType type);

// PTX that LLVM has no operation for; a null result type: none. The operands
// follow the result in the text. The pure form only computes its result, so
// that LLVM may move, merge or drop it.
MlirValue cuteBuildAsm(const CuteBuilder *b, const char *text,
                       const char *constraints, size_t n,
                       const MlirValue *operands, MlirType result);
MlirValue cuteBuildPureAsm(const CuteBuilder *b, const char *text,
                           const char *constraints, size_t n,
                           const MlirValue *operands, MlirType result);

// llvm.call_intrinsic of an intrinsic by its whole name; a null result type:
// none.
MlirValue cuteBuildIntrinsic(const CuteBuilder *builder, const char *name,
                             size_t n, const MlirValue *operands,
                             MlirType result);

// llvm.mlir.constant, for an operand that an intrinsic wants to be one.
MlirValue cuteBuildConstant(const CuteBuilder *builder, unsigned width,
                            int64_t value);

MlirType cuteIntType(const CuteBuilder *builder, unsigned width);
MlirAttribute cuteIntAttr(const CuteBuilder *builder, unsigned width,
                          int64_t value);
MlirAttribute cuteStringAttr(const CuteBuilder *builder, const char *text);
MlirType cuteParsedType(const CuteBuilder *builder, const char *text);
MlirAttribute cuteParsedAttr(const CuteBuilder *builder, const char *text);

MlirType cuteElementMlirType(const CuteBuilder *builder,
                             CuteElementType element);

// An op of the dialect.
typedef struct CuteDialectSpec {
  const CuteOpDecl *decl;
  size_t numOperands;
  const MlirValue *operands;
  size_t numResults;
  const CuteType *results;
  size_t numAttributes;
  const CuteNamedAttribute *attributes;
} CuteDialectSpec;

// Creates the op as it is given, without verification, or with results whose
// types in MLIR are known, or that it infers. Null operation with a message in
// the context on failure; they leave things in scratch memory.
MlirOperation cuteBuildSpec(const CuteBuilder *builder, CuteDialect *dialect,
                            CuteDialectSpec spec);
MlirOperation cuteBuildTyped(const CuteBuilder *builder, CuteDialect *dialect,
                             CuteDialectSpec spec, const MlirType *results);
MlirOperation cuteBuildInferred(const CuteBuilder *builder,
                                CuteDialect *dialect, CuteDialectSpec spec);

// Creates an op of the dialect with the result types that it infers. Null
// operation and a diagnostic at the builder's location if it cannot.
MlirOperation cuteBuildOp(const CuteBuilder *builder, CuteDialect *dialect,
                          CuteOpId id, size_t numOperands,
                          const MlirValue *operands, size_t numAttributes,
                          const CuteNamedAttribute *attributes);

// Creates an op of the dialect whose one result type its builder chooses, as
// make_shape's. Null operation and a diagnostic if it cannot.
MlirOperation cuteBuildDeclared(const CuteBuilder *builder,
                                CuteDialect *dialect, CuteOpId id,
                                size_t numOperands, const MlirValue *operands,
                                CuteType type);

// The op that makes a value of this kind of the integers in it; CUTE_NUM_OPS
// where there is none.
CuteOpId cuteOpIdGetMaker(CuteTypeKind kind);

// cute.static of a static type.
MlirValue cuteBuildStatic(const CuteBuilder *builder, CuteDialect *dialect,
                          CuteType type);
