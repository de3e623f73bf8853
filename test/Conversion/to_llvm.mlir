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

// Vectors of two dimensions, and an op on vectors that has no result.
gpu.module @vectors {
  // CHECK-LABEL: llvm.func @vectors(
  // CHECK: llvm.store {{.*}} : vector<4xf32>
  gpu.func @vectors(%x: f32, %m: memref<8xf32, 1>) kernel {
    %0 = arith.constant 0 : index
    %v = vector.broadcast %x : f32 to vector<2x4xf32>
    %w = vector.extract %v[1] : vector<4xf32> from vector<2x4xf32>
    vector.store %w, %m[%0] : memref<8xf32, 1>, vector<4xf32>
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

// Branches one after the other and in each other, with results and without.
// CHECK-LABEL: llvm.func @branches(
// CHECK: llvm.cond_br %[[C:.*]], ^[[THEN:.*]], ^[[REST:bb[0-9]+]](%[[B:.*]] : i32)
// CHECK: ^[[THEN]]:
// CHECK: llvm.cond_br %{{.*}}, ^[[INNER:.*]], ^[[REST]](%[[A:.*]] : i32)
// CHECK: ^[[INNER]]:
// CHECK: llvm.store %[[B]]
// CHECK: llvm.br ^[[REST]](%[[A]] : i32)
// CHECK: ^[[REST]](%[[R:.*]]: i32):
// CHECK: llvm.cond_br %[[C]], ^[[LAST:.*]], ^[[END:bb[0-9]+]]
// CHECK: ^[[LAST]]:
// CHECK: llvm.store %[[R]]
// CHECK: ^[[END]]:
// CHECK: llvm.return
gpu.module @branches {
  gpu.func @branches(%a: i32, %b: i32, %c: i1, %d: i1, %p: !llvm.ptr<1>) kernel {
    %r = scf.if %c -> i32 {
      scf.if %d {
        llvm.store %b, %p : i32, !llvm.ptr<1>
      }
      scf.yield %a : i32
    } else {
      scf.yield %b : i32
    }
    scf.if %c {
      llvm.store %r, %p : i32, !llvm.ptr<1>
    }
    gpu.return
  }
}
