// Passes run in the order of the command line or of a textual pipeline, in
// which passes of MLIR and of this tool mix.
// RUN: cute-opt %s --cute-fold-static --cute-canonicalize | FileCheck %s --check-prefix=FOLDED
// RUN: cute-opt %s --pass-pipeline='builtin.module(cute-fold-static,cute-canonicalize)' | FileCheck %s --check-prefix=FOLDED
// RUN: cute-opt %s --pass-pipeline=' cute-fold-static , cute-canonicalize ' | FileCheck %s --check-prefix=FOLDED
// RUN: cute-opt %s --pass-pipeline 'builtin.module(cute-fold-static,func.func(canonicalize{top-down=true max-iterations=3},cse),cute-canonicalize)' | FileCheck %s --check-prefixes=FOLDED,CSE

// FOLDED-LABEL: func.func @f
// CSE: arith.muli
// CSE-NOT: arith.muli
// FOLDED-NOT: cute.coalesce
// FOLDED: cute.static : !cute.layout<"32:1">
func.func @f(%i: i32) -> (i32, i32, !cute.layout<"32:1">) {
  %0 = arith.muli %i, %i : i32
  %1 = arith.muli %i, %i : i32
  %l = cute.static : !cute.layout<"(8,4):(1,8)">
  %r = cute.coalesce(%l)
  return %0, %1, %r : i32, i32, !cute.layout<"32:1">
}

// A pass sees what those before it left.
// RUN: cute-opt %s --cute-fold-static --mlir-print-ir-before=cute-canonicalize --cute-canonicalize -o /dev/null 2>&1 | FileCheck %s --check-prefix=ORDER
// RUN: cute-opt %s --cse --mlir-print-ir-before=cute-fold-static --cute-fold-static -o /dev/null 2>&1 | FileCheck %s --check-prefix=REVERSED
// ORDER: IR Dump Before cute-canonicalize
// ORDER-NOT: cute.coalesce
// ORDER: cute.static : !cute.layout<"32:1">
// REVERSED: IR Dump Before cute-fold-static
// REVERSED: cute.coalesce

// Pipelines contain passes; options of one reach them.
// RUN: cute-opt %examples/vector_add.mlir --cute-lower-to-llvm | FileCheck %s --check-prefix=LLVM
// LLVM: llvm.func @vector_add(
// LLVM-NOT: cute.{{[a-z_]+}}(

// Malformed text.
// RUN: not cute-opt %s --pass-pipeline='builtin.module(cse' 2>&1 | FileCheck %s --check-prefix=OPEN
// OPEN: error: missing closing bracket in 'builtin.module(cse'
// RUN: not cute-opt %s --pass-pipeline='cse{a=1' 2>&1 | FileCheck %s --check-prefix=BRACE
// BRACE: error: missing closing bracket in 'cse{a=1'
// RUN: not cute-opt %s --pass-pipeline='builtin.module(cse,,cse)' 2>&1 | FileCheck %s --check-prefix=EMPTY
// EMPTY: error: expected the name of a pass
// RUN: not cute-opt %s --pass-pipeline='builtin.module({x})' 2>&1 | FileCheck %s --check-prefix=EMPTY
// RUN: not cute-opt %s --pass-pipeline='builtin.module(cse))' 2>&1 | FileCheck %s --check-prefix=CLOSED
// CLOSED: error: {{.*}}extra closing ')'
// RUN: not cute-opt %s --pass-pipeline='builtin.module(func.func(cute-nothing))' 2>&1 | FileCheck %s --check-prefix=NESTED
// NESTED: error: unknown pass or pipeline 'cute-nothing'
// RUN: not %python -c "import subprocess, sys; sys.exit(subprocess.run(['cute-opt', sys.argv[1], '--pass-pipeline=' + 'any(' * 5000 + 'cse' + ')' * 5000]).returncode)" %s 2>&1 | FileCheck %s --check-prefix=DEEP
// DEEP: error: pipeline is nested too deeply
