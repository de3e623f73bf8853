// Value numbering: which values of the dialect are equal at run time.
//
// A value is its type with each dynamic leaf bound to a number that stands for
// an integer. An op's numbers come from its own inference, run on its operands'
// bound types with an arithmetic that gives equal operations on equal leaves
// equal numbers. As bound types are interned, two values whose bound types are
// one pointer hold the same integers wherever both are computed.
#ifndef CUTE_TRANSFORMS_NUMBERING_H
#define CUTE_TRANSFORMS_NUMBERING_H

#include "IR/builder.h"

// An operation on leaves that has a number.
typedef struct CuteExpression {
  CuteLeafOp op;
  unsigned width;
  CuteIntTuple operands[4]; // without divisors; null where there is none
  uint32_t id;
} CuteExpression;

typedef struct CuteNumbering {
  CuteDialect *dialect;
  CuteContext context;
  CutePointerMap bound;   // MlirValue -> CuteType
  CutePointerMap origins; // leaf -> the CuteExpression that it is
  CuteHashTable expressions;
  CuteArena arena; // of the expressions
  uint32_t numIds;
  bool mayTrap; // the last inference divides by what may be 0
} CuteNumbering;

void cuteNumberingInit(CuteNumbering *numbering, CuteDialect *dialect);
void cuteNumberingDestroy(CuteNumbering *numbering);

// The bound type of a value; an i32 or i64 has that of a scalar int_tuple. A
// value seen for the first time gets new numbers. Null for types that hold no
// integers: those of other dialects, and malformed ones.
CuteType cuteNumberingGet(CuteNumbering *numbering, MlirValue value);

bool cuteNumberingKnows(const CuteNumbering *numbering, MlirValue value);

// Infers a pure op on bound types and keeps what its results are. False where
// inference fails or leaves what the op declares: its results then get numbers
// of their own. In the instance an integer result of get_scalars is a scalar
// int_tuple. The instance lives in the context's scratch memory.
bool cuteNumberingInfer(CuteNumbering *numbering, const CuteOpDecl *decl,
                        MlirOperation op, CuteOp *instance);

// Creates an op of the dialect, with the result types that it infers if the
// spec has none, and infers it as above. Null, and no diagnostic, where that
// fails; there may be an unused op then, which the pass erases.
MlirOperation cuteNumberingBuild(CuteNumbering *numbering,
                                 const CuteBuilder *builder, CuteOpSpec spec,
                                 CuteOp *instance);

#endif
