// libisl, the library of Presburger sets, as it is loaded when it is asked for:
// what compiles kernels does without it.
#pragma once

#include "Support/status.h"

typedef struct isl_ctx isl_ctx;
typedef struct isl_val isl_val;
typedef struct isl_space isl_space;
typedef struct isl_mat isl_mat;
typedef struct isl_basic_set isl_basic_set;
typedef struct isl_set isl_set;
typedef struct isl_point isl_point;

// Numbers of isl's enumerations: kinds of dimensions, and what errors do.
enum {
  CUTE_ISL_CONSTANT,
  CUTE_ISL_PARAMETER,
  CUTE_ISL_SET = 3,
  CUTE_ISL_DIV,
  CUTE_ISL_CONTINUE = 1
};

// A result of type int is -1 after an error, else 0 or 1.
typedef struct CuteIsl {
#define CUTE_ISL_FUNCTION(result, name, parameters) result(*name) parameters;
#include "Prove/isl_functions.def"
} CuteIsl;

extern CuteIsl cuteIsl;

// Loads the library, once. Fails with how to install it.
CuteStatus cuteIslOpen(void);
