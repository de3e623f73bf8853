// The two interfaces of cuBLAS, a file each.
#ifndef CUTE_RUN_BLAS_LIBRARY_H
#define CUTE_RUN_BLAS_LIBRARY_H

#include "Run/baseline.h"
#include "Run/blas_call.h"

typedef struct CuteBlasLibrary {
  // Finds the functions and prepares the call; null with the library's status,
  // or 0 if there are no such functions.
  void *(*create)(const CuteBlas *blas, int *status);
  void (*destroy)(const CuteBlas *blas);
  int (*start)(const CuteBlas *blas); // the library's status
} CuteBlasLibrary;

struct CuteBlas {
  const CuteBlasLibrary *library;
  void *handle; // of dlopen
  void *state;  // what the library's `create` made
  const CuteDevice *device;
  const CuteOperand *operands;
  CuteBlasCall call;
  int status;
};

extern const CuteBlasLibrary cuteBlasCublas, cuteBlasCublasLt;

// A member for a row of a library's functions.
#define CUTE_BLAS_POINTER(symbol, name, parameters) int(*name) parameters;

typedef struct CuteBlasSymbol {
  const char *name;
  size_t offset; // of its pointer in a struct
} CuteBlasSymbol;

// Fills in the pointers of a struct; false if a function is missing.
bool cuteBlasFind(const CuteBlas *blas, size_t n, const CuteBlasSymbol *symbols,
                  void *functions);

// Gives the place of an operand on the device.
void *cuteBlasPointer(const CuteBlas *blas, CuteBlasOperand operand);

// 1 and 0 of the type in which sums are computed.
typedef struct CuteBlasFactors {
  const void *one, *zero;
} CuteBlasFactors;

CuteBlasFactors cuteBlasGetFactors(int compute);

enum { CUTE_BLAS_OP_N = 0, CUTE_BLAS_OP_T = 1 }; // cublasOperation_t

#endif
