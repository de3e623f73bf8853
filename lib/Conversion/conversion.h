// Passes from the cute dialect to others.
#ifndef CUTE_CONVERSION_CONVERSION_H
#define CUTE_CONVERSION_CONVERSION_H

#include "Ops/lowering.h"
#include "Transforms/transforms.h"

CutePassFunction cuteRunToNvvm, cuteRunToBase, cuteRunExpandMath,
    cuteRunExpandReduce;

//===-- Functions ---------------------------------------------------------===//

// What is particular about lowering a kind of function. Both return false after
// a diagnostic.
typedef struct CuteFunctionLowering {
  // Before the body: binds the parameters.
  bool (*prepare)(CuteLowering *lowering);
  // At a func.call or func.return with values of the dialect; null where these
  // are errors.
  bool (*convert)(CuteLowering *lowering, MlirOperation op);
  bool tracksDivisors; // see cuteContextTrackDivisors
} CuteFunctionLowering;

// Lowers the body of a function; then the ops of the dialect go, the converted
// ops that still touch its values, and the parameters of its types. False after
// a diagnostic.
bool cuteLowerFunction(CuteDialect *dialect, MlirOperation function,
                       const CuteFunctionLowering *hooks);

// A gpu.func, with its parameters by cuteParameterParts.
bool cuteLowerKernel(CuteDialect *dialect, MlirOperation function);

// A func.func, with its parameters and results by cuteBaseType.
bool cuteConvertFunction(CuteDialect *dialect, MlirOperation function);

// A func.call or func.return with values of the dialect, by cuteBaseType.
bool cuteConvertBoundary(CuteLowering *lowering, MlirOperation op);

bool cuteIsDialectType(CuteDialect *dialect, MlirType type);

bool cuteOperationIsNamed(MlirOperation op, const char *name);

// Calls the function on each op below root (and on root) of that name, but not
// on those inside another, until it gives false.
bool cuteForEach(CuteDialect *dialect, MlirOperation root, const char *name,
                 bool (*function)(CuteDialect *dialect, MlirOperation op));

//===-- Values between functions ------------------------------------------===//

// What func.func passes for a value of the type: int tuples as a flat struct of
// their dynamic leaves, or the integer if there is one; a layout as {shape,
// stride}; a composed one as {B, offset, A}; a tile as a struct of its layouts,
// or the layout if there is one. Null with a message for memory and atoms.
MlirType cuteBaseType(CuteLowering *lowering, CuteType type);

// The value of a bound type as one of cuteBaseType.
MlirValue cuteBasePack(CuteLowering *lowering, CuteType bound);

// The type, bound to the integers in a value of cuteBaseType.
CuteType cuteBaseUnpack(CuteLowering *lowering, CuteType type, MlirValue value);

//===-- Shared memory and kernel parameters -------------------------------===//

// Shared memory of a kernel, as its allocations lie.
typedef struct CuteSharedPlan {
  int64_t bytes; // in all
  int64_t align;
  bool isDynamic; // more than a kernel can have statically
} CuteSharedPlan;

// Largest amount of shared memory that a kernel can declare statically.
enum { CUTE_STATIC_SHARED_BYTES = 48 * 1024 };

// Adds up the allocations of a function, in order; with a map, notes where each
// begins (MlirOperation -> byte offset + 1). False with a diagnostic.
bool cuteSharedPlanMake(CuteDialect *dialect, MlirOperation function,
                        CutePointerMap *offsets, CuteSharedPlan *plan);

// What a parameter of a kernel becomes: one pointer for a tensor or pointer,
// then an integer for each dynamic leaf, shapes before strides.
typedef struct CuteParameterPart {
  bool isPointer;
  unsigned bits; // of an integer
  char role[24]; // "pointer", "shape[0]", "stride[1]", "value"
} CuteParameterPart;

// The parts of a parameter of this type; at most `capacity` are written, the
// number is returned.
size_t cuteParameterParts(CuteType type, size_t capacity,
                          CuteParameterPart *parts);

#endif
