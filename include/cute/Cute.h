//===- cute/Cute.h - All headers of libcute --------------------*- C -*-===//
//
// Part of the open CuTe compiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Run.h is not among them: it belongs to libcute-run.
//
//===----------------------------------------------------------------------===//
#ifndef CUTE_CUTE_H
#define CUTE_CUTE_H

#include "cute/Assembly.h"
#include "cute/Cache.h"
#include "cute/Calculator.h"
#include "cute/Diagnostics.h"
#include "cute/Driver.h"
#include "cute/Explain.h"
#include "cute/Kernels.h"
#include "cute/MlirContext.h"
#include "cute/ModuleBuilder.h"
#include "cute/Operation.h"
#include "cute/Passes.h"
#include "cute/Simulator.h"
#include "cute/Target.h"
#include "cute/Version.h"

#endif
