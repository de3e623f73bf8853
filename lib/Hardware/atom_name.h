// Names of atoms as CuTe C++ and its users spell them, in the one form that the
// rows of dialect/hardware have.
#pragma once

#include "cute/Atom.h"

enum { CUTE_MAX_ATOM_NAME = 256 };

typedef struct CuteAtomName {
  char text[CUTE_MAX_ATOM_NAME];
  size_t length;
} CuteAtomName;

// Without blanks, namespaces and an empty template argument list. False for
// names longer than any row's.
bool cuteAtomNameNormalize(CuteAtomName *result, CuteStringRef name);

// Takes a name with all four types of UniversalFMA, too: the others follow from
// the first as D, A = D, B = A, C = D.
bool cuteAtomNameOfMma(CuteAtomName *result, CuteStringRef name);

// Takes a name with the template argument as the unsigned integer of its size,
// too.
bool cuteAtomNameOfCopy(CuteAtomName *result, CuteStringRef name);
