// Ops of integers that the llvm dialect has as they are become what MLIR's
// conversion makes of them; ops with flags, on vectors or of type index are
// left to it, and so are ops that it folds.
// RUN: cute-opt %s --one-shot-convert-to-llvm --mlir-print-op-generic -o %t.plain
// RUN: cute-opt %s --convert-math-to-llvm --convert-to-llvm --reconcile-unrealized-casts --mlir-print-op-generic -o %t.mlir
// RUN: diff %t.plain %t.mlir
// RUN: FileCheck %s < %t.plain

// CHECK-NOT: "arith.
// CHECK: sym_name = "integers"
// CHECK: "llvm.intr.abs"
// CHECK-NOT: "arith.
// CHECK: sym_name = "left"
// CHECK: overflowFlags = 1
// CHECK: note = "kept"
// CHECK-NOT: "arith.
func.func @integers(%a: i32, %b: i32, %c: i1) -> i64 {
  %k = arith.constant 5 : i32
  %0 = arith.addi %a, %b : i32
  %1 = arith.subi %0, %k : i32
  %2 = arith.muli %1, %b : i32
  %3 = arith.divsi %2, %b : i32
  %4 = arith.divui %3, %b : i32
  %5 = arith.remsi %4, %a : i32
  %6 = arith.remui %5, %b : i32
  %7 = arith.andi %6, %b : i32
  %8 = arith.ori %7, %a : i32
  %9 = arith.xori %8, %b : i32
  %10 = arith.shli %9, %b : i32
  %11 = arith.shrsi %10, %b : i32
  %12 = arith.shrui %11, %b : i32
  %13 = arith.select %c, %12, %b : i32
  %14 = arith.maxsi %13, %a : i32
  %15 = arith.maxui %14, %b : i32
  %16 = arith.minsi %15, %a : i32
  %17 = arith.minui %16, %b : i32
  %18 = math.absi %17 : i32
  %19 = arith.extsi %18 : i32 to i64
  %20 = arith.extui %18 : i32 to i64
  %21 = arith.muli %19, %20 : i64
  %22 = arith.trunci %21 : i64 to i16
  %23 = arith.extsi %22 : i16 to i64
  return %23 : i64
}

func.func @comparisons(%a: i8, %b: i8) -> (i1, i1, i1, i1, i1, i1, i1, i1, i1, i1) {
  %0 = arith.cmpi eq, %a, %b : i8
  %1 = arith.cmpi ne, %a, %b : i8
  %2 = arith.cmpi slt, %a, %b : i8
  %3 = arith.cmpi sle, %a, %b : i8
  %4 = arith.cmpi sgt, %a, %b : i8
  %5 = arith.cmpi sge, %a, %b : i8
  %6 = arith.cmpi ult, %a, %b : i8
  %7 = arith.cmpi ule, %a, %b : i8
  %8 = arith.cmpi ugt, %a, %b : i8
  %9 = arith.cmpi uge, %a, %b : i8
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9 : i1, i1, i1, i1, i1, i1, i1, i1, i1, i1
}

func.func @left(%a: i32, %v: vector<4xi32>, %n: index, %x: f32) -> (vector<4xi32>, index, f32, i32) {
  %0 = arith.muli %a, %a overflow<nsw> : i32
  %1 = arith.addi %v, %v : vector<4xi32>
  %2 = arith.addi %n, %n : index
  %c = arith.constant 7 : index
  %3 = arith.muli %2, %c : index
  %4 = arith.addf %x, %x : f32
  %5 = arith.addi %a, %0 {note = "kept"} : i32
  return %1, %3, %4, %5 : vector<4xi32>, index, f32, i32
}

// CHECK: sym_name = "exact"
// CHECK: "llvm.sdiv"{{.*}}<{isExact}>
// CHECK: "llvm.lshr"{{.*}}<{isExact}>
// The product of 1 << 32 with itself is no 1, which it would overflow to.
func.func @exact(%a: i64, %b: i64) -> (i64, i64, i64) {
  %c = arith.constant 4294967296 : i64
  %0 = arith.divsi %a, %b exact : i64
  %1 = arith.shrui %a, %b exact : i64
  %2 = arith.muli %a, %c : i64
  return %0, %1, %2 : i64, i64, i64
}

func.func @folded(%a: i32, %b: i32) -> (i32, i32, i32, i32, i1, i1) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %0 = arith.addi %a, %zero : i32
  %1 = arith.divsi %0, %one : i32
  %2 = arith.muli %one, %two : i32
  %3 = arith.muli %two, %b : i32
  %4 = arith.cmpi slt, %two, %zero : i32
  %5 = arith.cmpi ne, %two, %a : i32
  %6 = arith.andi %b, %zero : i32
  %7 = arith.muli %a, %b overflow<nsw> : i32
  %8 = arith.divsi %7, %b : i32
  %9 = arith.cmpi eq, %b, %b : i32
  %10 = arith.andi %4, %9 : i1
  return %1, %8, %3, %6, %10, %5 : i32, i32, i32, i32, i1, i1
}

func.func @structs(%a: i32, %c: i1) -> !llvm.struct<(i32, i64)> {
  %0 = ub.poison : !llvm.struct<(i32, i64)>
  %1 = llvm.insertvalue %a, %0[0] : !llvm.struct<(i32, i64)>
  %b = llvm.insertvalue %a, %1[0] : !llvm.struct<(i32, i64)>
  %2 = arith.select %c, %1, %b : !llvm.struct<(i32, i64)>
  return %2 : !llvm.struct<(i32, i64)>
}
