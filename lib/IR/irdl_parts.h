// Parts of modules of IRDL that are made once and used many times.
#ifndef CUTE_IR_IRDL_PARTS_H
#define CUTE_IR_IRDL_PARTS_H

#include "IR/builder.h"
#include "IR/op.h"

typedef struct CuteIrdlParts {
  CuteBuilder at;          // for what is made once: its block is that of `anys`
  MlirType constraint;     // !irdl.attribute
  MlirAttribute noNames;   // an empty list
  MlirAttribute single[3]; // by CuteVariadicity
  MlirAttribute allSingle[CUTE_MAX_DECLARED + 1]; // so many; null before
  MlirAttribute allVariadic;                      // CUTE_NUM_MIXED of them
  CuteStringRef name;                             // that was numbered last
  MlirAttribute numbered;                         // the list of that
  MlirModule anys; // as many irdl.any as a mixed group has; null before
} CuteIrdlParts;

CuteIrdlParts cuteIrdlPartsCreate(MlirContext context);
void cuteIrdlPartsDestroy(CuteIrdlParts *parts);

// The attribute for a list of them.
MlirAttribute cuteIrdlPartsGetVariadicities(CuteIrdlParts *parts, size_t n,
                                            const CuteVariadicity *list);

// name_0, name_1, ...: as many as a mixed group has. The text must outlive the
// parts.
MlirAttribute cuteIrdlPartsNumberName(CuteIrdlParts *parts, CuteStringRef name);

// Appends a copy of a constraint without operands to the block, in a third of
// the time that it takes to make one of its name.
MlirValue cuteIrdlPartsRepeat(MlirValue constraint, MlirBlock block);

// Appends CUTE_NUM_MIXED of irdl.any to the block.
void cuteIrdlPartsAddAnys(CuteIrdlParts *parts, MlirBlock block,
                          MlirValue *values);

#endif
