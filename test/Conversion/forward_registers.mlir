// Values that were stored to stack memory are used where they are loaded; what
// nobody reads goes; memory that something else uses stays as it is.
// RUN: cute-opt %s --cute-forward-registers | FileCheck %s
// RUN: cute-opt %s --cute-forward-registers | cute-opt --cute-forward-registers | FileCheck %s

gpu.module @m {
  // CHECK-LABEL: gpu.func @forwarded(
  // CHECK-SAME: %[[X:.*]]: f32, %[[P:.*]]: !llvm.ptr<1>
  // CHECK-NEXT: arith.constant
  // CHECK-NEXT: llvm.store %[[X]], %[[P]]
  // CHECK-NEXT: gpu.return
  gpu.func @forwarded(%x: f32, %p: !llvm.ptr<1>) kernel {
    %n = arith.constant 4 : i32
    %a = llvm.alloca %n x f32 : (i32) -> !llvm.ptr
    %q = llvm.getelementptr %a[3] : (!llvm.ptr) -> !llvm.ptr, f32
    llvm.store %x, %q : f32, !llvm.ptr
    %r = llvm.getelementptr %a[3] : (!llvm.ptr) -> !llvm.ptr, f32
    %y = llvm.load %r : !llvm.ptr -> f32
    llvm.store %y, %p : f32, !llvm.ptr<1>
    gpu.return
  }

  // One cast for both loads.
  // CHECK-LABEL: gpu.func @cast(
  // CHECK-SAME: %[[X:.*]]: i32, %[[P:.*]]: !llvm.ptr<1>
  // CHECK-NEXT: %[[V:.*]] = llvm.bitcast %[[X]] : i32 to vector<2xf16>
  // CHECK-NEXT: arith.constant
  // CHECK-NEXT: llvm.store %[[V]], %[[P]]
  // CHECK-NEXT: llvm.store %[[V]], %[[P]]
  // CHECK-NEXT: gpu.return
  gpu.func @cast(%x: i32, %p: !llvm.ptr<1>) kernel {
    %n = arith.constant 2 : i32
    %a = llvm.alloca %n x f16 : (i32) -> !llvm.ptr
    llvm.store %x, %a : i32, !llvm.ptr
    %y = llvm.load %a : !llvm.ptr -> vector<2xf16>
    %z = llvm.load %a : !llvm.ptr -> vector<2xf16>
    llvm.store %y, %p : vector<2xf16>, !llvm.ptr<1>
    llvm.store %z, %p : vector<2xf16>, !llvm.ptr<1>
    gpu.return
  }

  // A loop's memory is unknown where it begins and behind it; in a branch that
  // stores elsewhere it is known.
  // CHECK-LABEL: gpu.func @loop(
  // CHECK-SAME: %[[X:.*]]: i32, %[[P:.*]]: !llvm.ptr<1>
  // CHECK: %[[A:.*]] = llvm.alloca
  // CHECK: llvm.store %[[X]], %[[A]]
  // CHECK: scf.for
  // CHECK-NEXT: %[[Y:.*]] = llvm.load %[[A]]
  // CHECK-NEXT: %[[Z:.*]] = arith.addi %[[Y]], %[[X]]
  // CHECK-NEXT: llvm.store %[[Z]], %[[A]]
  // CHECK: %[[W:.*]] = llvm.load %[[A]]
  // CHECK: scf.if
  // CHECK-NEXT: llvm.store %[[W]], %[[P]]
  gpu.func @loop(%x: i32, %p: !llvm.ptr<1>) kernel {
    %n = arith.constant 1 : i32
    %a = llvm.alloca %n x i32 : (i32) -> !llvm.ptr
    llvm.store %x, %a : i32, !llvm.ptr
    scf.for %i = %n to %x step %n : i32 {
      %y = llvm.load %a : !llvm.ptr -> i32
      %z = arith.addi %y, %x : i32
      llvm.store %x, %a : i32, !llvm.ptr
      llvm.store %z, %a : i32, !llvm.ptr
    }
    %w = llvm.load %a : !llvm.ptr -> i32
    %c = arith.cmpi eq, %w, %x : i32
    scf.if %c {
      %v = llvm.load %a : !llvm.ptr -> i32
      llvm.store %v, %p : i32, !llvm.ptr<1>
    }
    gpu.return
  }

  // Other parts of what was stored.
  // CHECK-LABEL: gpu.func @parts(
  // CHECK: llvm.store %{{.*}} : i32, !llvm.ptr
  // CHECK: llvm.load %{{.*}} : !llvm.ptr -> i16
  gpu.func @parts(%x: i32, %p: !llvm.ptr<1>) kernel {
    %n = arith.constant 2 : i32
    %a = llvm.alloca %n x i16 : (i32) -> !llvm.ptr
    llvm.store %x, %a : i32, !llvm.ptr
    %y = llvm.load %a : !llvm.ptr -> i16
    llvm.store %y, %p : i16, !llvm.ptr<1>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @volatile(
  // CHECK: llvm.store volatile
  // CHECK: llvm.load volatile
  gpu.func @volatile(%x: i32, %p: !llvm.ptr<1>) kernel {
    %n = arith.constant 1 : i32
    %a = llvm.alloca %n x i32 : (i32) -> !llvm.ptr
    llvm.store volatile %x, %a : i32, !llvm.ptr
    %y = llvm.load volatile %a : !llvm.ptr -> i32
    llvm.store %y, %p : i32, !llvm.ptr<1>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @dynamic(
  // CHECK-COUNT-3: llvm.store
  // CHECK: llvm.load
  gpu.func @dynamic(%x: i32, %p: !llvm.ptr<1>) kernel {
    %n = arith.constant 4 : i32
    %a = llvm.alloca %n x i32 : (i32) -> !llvm.ptr
    %q = llvm.getelementptr %a[%x] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    llvm.store %x, %a : i32, !llvm.ptr
    llvm.store %n, %q : i32, !llvm.ptr
    llvm.store %x, %a : i32, !llvm.ptr
    %y = llvm.load %a : !llvm.ptr -> i32
    llvm.store %y, %p : i32, !llvm.ptr<1>
    gpu.return
  }

  // The address is stored, and an access lies beyond the end.
  // CHECK-LABEL: gpu.func @escapes(
  // CHECK: llvm.load %{{.*}} : !llvm.ptr -> i32
  // CHECK: llvm.load %{{.*}} : !llvm.ptr -> i64
  gpu.func @escapes(%x: i32, %p: !llvm.ptr<1>) kernel {
    %n = arith.constant 1 : i32
    %a = llvm.alloca %n x i32 : (i32) -> !llvm.ptr
    llvm.store %x, %a : i32, !llvm.ptr
    llvm.store %a, %p : !llvm.ptr, !llvm.ptr<1>
    %y = llvm.load %a : !llvm.ptr -> i32
    llvm.store %y, %p : i32, !llvm.ptr<1>
    %b = llvm.alloca %n x i32 : (i32) -> !llvm.ptr
    llvm.store %x, %b : i32, !llvm.ptr
    %z = llvm.load %b : !llvm.ptr -> i64
    llvm.store %z, %p : i64, !llvm.ptr<1>
    gpu.return
  }

  // Blocks begin with what they load.
  // CHECK-LABEL: gpu.func @blocks(
  // CHECK: llvm.store
  // CHECK: cf.br
  // CHECK: llvm.load
  gpu.func @blocks(%x: i32, %p: !llvm.ptr<1>) kernel {
    %n = arith.constant 1 : i32
    %a = llvm.alloca %n x i32 : (i32) -> !llvm.ptr
    llvm.store %x, %a : i32, !llvm.ptr
    cf.br ^next
  ^next:
    %y = llvm.load %a : !llvm.ptr -> i32
    llvm.store %y, %p : i32, !llvm.ptr<1>
    gpu.return
  }
}

// Functions outside of gpu.modules are not touched.
// CHECK-LABEL: func.func @host(
// CHECK: llvm.load
func.func @host(%x: i32) -> i32 {
  %n = arith.constant 1 : i32
  %a = llvm.alloca %n x i32 : (i32) -> !llvm.ptr
  llvm.store %x, %a : i32, !llvm.ptr
  %y = llvm.load %a : !llvm.ptr -> i32
  return %y : i32
}
