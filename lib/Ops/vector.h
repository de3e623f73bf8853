// Vectors, vector<NxT>, as register tensors: the elements of a shape in
// colexicographic order.
#pragma once

#include "Lowering/lowering.h"

// The most elements of a vector; a thread has fewer registers.
enum { CUTE_MAX_VECTOR = 4096 };

typedef struct CuteVector {
  int64_t size;
  CuteElementType element;
} CuteVector;

// Takes operand i apart; false with a message if it is not a vector of rank 1.
// broadcast_vector takes a number as a vector of one element.
bool cuteVectorGetOperand(CuteOp *op, size_t i, CuteVector *vector);

// Checks that a vector can hold elements of the type; false with a message.
bool cuteVectorCheckElement(CuteContext c, CuteElementType element);

// Result: a vector, or its element where `isScalar`.
bool cuteVectorReturn(CuteOp *op, CuteVector vector, bool isScalar);

// Takes operand i apart as a vector, or as a number, a vector of 1. False
// without a message if it is neither.
bool cuteVectorFindCarried(CuteOp *op, size_t i, CuteVector *vector);

// The op of arith by which the attribute `kind` combines such elements; null
// with a message.
const char *cuteVectorGetReduction(CuteOp *op, CuteElementType element);

// load_vector and store_vector.
bool cuteVectorInferLoad(CuteOp *op);
bool cuteVectorInferStore(CuteOp *op);
bool cuteVectorLowerLoad(CuteLowering *lowering);
bool cuteVectorLowerStore(CuteLowering *lowering);

// The elements of a vector that an op takes: those at keep(i) + reduce(j), for
// each i the j-th element combined. Both are static layouts.
typedef struct CuteVectorMap {
  CuteLayout keep, reduce;
  int64_t offset;
  int64_t numKept, numReduced;
  bool isScalar; // nothing is kept: the result is an element
} CuteVectorMap;

// The map of slice_vector, broadcast_vector, gather_vector or reduce_vector.
// False with a message where attributes and operand do not fit together.
bool cuteVectorGetMap(CuteOp *op, CuteVectorMap *map);

// The number of the j-th element that goes into element i of the result.
int64_t cuteVectorMapGet(CuteContext c, const CuteVectorMap *map, int64_t i,
                         int64_t j);
