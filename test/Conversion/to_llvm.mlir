// What cute-to-llvm leaves are the ops of llvm and nvvm, whatever there was.
// RUN: cute-opt %s --cute-expand-math --cute-to-llvm | FileCheck %s --implicit-check-not=unrealized
// RUN: cute-opt %s --cute-expand-math --cute-to-llvm | cute-opt --cute-to-llvm | FileCheck %s

gpu.module @arith_alone {
  // CHECK-LABEL: llvm.func @f(
  // CHECK: llvm.add
  gpu.func @f(%x: i32, %p: !llvm.ptr<1>) kernel {
    %y = arith.addi %x, %x : i32
    llvm.store %y, %p : i32, !llvm.ptr<1>
    gpu.return
  }
}

gpu.module @all {
  // CHECK-LABEL: llvm.func @g(
  // CHECK: llvm.sdiv
  // CHECK: llvm.cond_br
  // CHECK: llvm.intr.ctpop
  // CHECK: llvm.extractelement
  gpu.func @g(%x: i32, %v: vector<4xi32>, %p: !llvm.ptr<1>) kernel {
    %0 = arith.constant 0 : i32
    %y = arith.ceildivsi %x, %0 : i32
    scf.for %i = %0 to %y step %x : i32 {
      %c = math.ctpop %i : i32
      llvm.store %c, %p : i32, !llvm.ptr<1>
    }
    %w = vector.extract %v[2] : i32 from vector<4xi32>
    llvm.store %w, %p : i32, !llvm.ptr<1>
    gpu.return
  }
}

// Nothing is done to functions of the host.
// CHECK-LABEL: func.func @h(
// CHECK: floordivsi
func.func @h(%x: i32) -> i32 {
  %y = "arith.floordivsi"(%x, %x) : (i32, i32) -> i32
  return %y : i32
}
