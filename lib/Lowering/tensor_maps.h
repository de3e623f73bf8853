// The tensor maps of a kernel: hidden parameters, one for each make_tma_atom in
// program order, after all others. The launcher fills them.
#pragma once

#include "Lowering/lowering.h"

// An attribute of a lowered kernel: how many of its last parameters are tensor
// maps.
#define CUTE_TENSOR_MAPS "cute.tensor_maps"

typedef struct CuteTensorMapParameter {
  MlirOperation op; // the make_tma_atom
  CuteTmaAtom tma;
  CuteType tensor;   // of its first operand,
  intptr_t argument; // which is this one of the kernel's
  CuteIm2col im2col; // of an atom of images
} CuteTensorMapParameter;

typedef struct CuteTensorMapList {
  CuteTensorMapParameter *data; // malloc'ed
  size_t count, capacity;
} CuteTensorMapList;

// Reads filter, steps, lower and upper padding and dilation of a
// make_im2col_tma_atom from its operands' types, which hold static integers for
// each spatial mode. False with a message.
bool cuteTensorMapReadIm2col(CuteContext c, const CuteType *operands,
                             CuteIm2col *im2col);

// Lists them for a gpu.func, of parameters of the kernel. False with a
// diagnostic if one is outside kernels; the list is to be destroyed either way.
bool cuteTensorMapListCollect(CuteDialect *dialect, MlirOperation function,
                              CuteTensorMapList *list);
void cuteTensorMapListDestroy(CuteTensorMapList *list);
