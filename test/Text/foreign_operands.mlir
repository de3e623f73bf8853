// Expressions, elements and numbers are operands of other dialects' ops, too.
// RUN: cute-opt %s > %t
// RUN: FileCheck %s < %t
// RUN: cute-opt %t | diff %t -
// RUN: cute-opt %s --mlir-print-op-generic | cute-opt | diff %t -

!m = !cute.tensor<f32, gmem, align<16>, "(?,?):(?{i64 div=4},1)">

module attributes {gpu.container_module} {
// CHECK-LABEL: func.func @results(
// CHECK-SAME: %[[X:[^:]+]]: f32, %[[I:[^:]+]]: i32
func.func @results(%x: f32, %i: i32) -> (f32, i32) {
  // CHECK-NEXT: %[[C:.*]] = arith.constant 2.000000e+00 : f32
  // CHECK-NEXT: %[[Y:.*]] = arith.mulf %[[X]], %[[C]] : f32
  // CHECK-NEXT: %[[C:.*]] = arith.constant 3 : i32
  // CHECK-NEXT: return %[[Y]], %[[C]] : f32, i32
  return %x * 2.0, 3 : f32, i32
}

// CHECK-LABEL: func.func @operands(
// CHECK-SAME: %[[A:[^:]+]]: !cute.tensor{{.*}}, %[[X:[^:]+]]: f32, %[[I:[^:]+]]: i32, %[[V:[^:]+]]: vector<4xf32>, %[[P:[^:]+]]: i1, %[[MEM:[^:]+]]: memref<4x?xf32>, %[[K:[^:]+]]: index
func.func @operands(%A: !m, %x: f32, %i: i32, %v: vector<4xf32>, %p: i1, %mem: memref<4x?xf32>, %k: index) {
  // Of the type that the op lists for the operand.
  // CHECK-NEXT: %[[ONE:.*]] = arith.constant 1.000000e+00 : f32
  // CHECK-NEXT: %[[S:.*]] = arith.addf %[[X]], %[[ONE]] : f32
  // CHECK-NEXT: %[[THREE:.*]] = arith.constant 3 : i32
  // CHECK-NEXT: %[[R:.*]]:2 = call @results(%[[S]], %[[THREE]])
  %a, %b = func.call @results(%x + 1, 3) : (f32, i32) -> (f32, i32)
  // Types of results are known as without expressions.
  // CHECK-NEXT: %[[Y:.*]] = arith.mulf %[[R]]#0, %[[X]] : f32
  // CHECK-NEXT: %[[C16:.*]] = arith.constant 16 : i32
  // CHECK-NEXT: %[[C32:.*]] = arith.constant 32 : i32
  // CHECK-NEXT: %[[SHUFFLED:.*]], %{{.*}} = gpu.shuffle xor %[[Y]], %[[C16]], %[[C32]] : f32
  %c, %ok = gpu.shuffle xor %a * %x, 16, 32 : f32
  // CHECK-NEXT: arith.mulf %[[SHUFFLED]], %[[X]] : f32
  %twice = %c * %x
  // CHECK-NEXT: cute.size<[0]>
  // CHECK-NEXT: cute.get_scalars
  // CHECK-NEXT: %[[N:.*]] = arith.sitofp %{{.*}} : i32 to f32
  // CHECK-NEXT: vector.broadcast %[[N]] : f32 to vector<4xf32>
  %w = vector.broadcast f32s(cute.size<[0]>(%A)) : f32 to vector<4xf32>
  // CHECK-NEXT: %[[C:.*]] = arith.constant 7 : i32
  // CHECK-NEXT: %[[LESS:.*]] = arith.cmpi slt, %[[I]], %[[C]] : i32
  %n = arith.cmpi slt, %i, 7 : i32
  // CHECK-NEXT: %[[C1:.*]] = arith.constant 1 : index
  // CHECK-NEXT: %[[C2:.*]] = arith.constant 2 : index
  // CHECK-NEXT: %[[K2:.*]] = arith.addi %[[K]], %[[C2]] : index
  // CHECK-NEXT: memref.load %[[MEM]][%[[C1]], %[[K2]]]
  %g = memref.load %mem[1, %k + 2] : memref<4x?xf32>
  // Numbers of attributes stay.
  // CHECK-NEXT: %[[ONE:.*]] = arith.constant 1.000000e+00 : f32
  // CHECK-NEXT: vector.insert %[[ONE]], %[[V]] [0] : f32 into vector<4xf32>
  %h = vector.insert 1.0, %v[0] : f32 into vector<4xf32>
  // CHECK-NEXT: %[[AT:.*]] = cute.make_coord(%[[I]])
  // CHECK-NEXT: %[[E:.*]] = cute.load(%[[A]], %[[AT]])
  // CHECK-NEXT: %[[S:.*]] = arith.addf %[[X]], %[[E]] : f32
  // CHECK-NEXT: gpu.subgroup_reduce add %[[S]] cluster(size = 4) : (f32) -> f32
  %q = gpu.subgroup_reduce add %x + %A[%i,0] cluster(size = 4) : (f32) -> f32
  // CHECK-NEXT: %[[C1:.*]] = arith.constant 1 : index
  // CHECK-NEXT: %[[FROM:.*]] = arith.addi %[[K]], %[[C1]] : index
  // CHECK-NEXT: scf.for %[[J:.*]] = %[[FROM]] to %[[K]] step %[[K]] {
  scf.for %j = %k + 1 to %k step %k {
    // CHECK-NEXT: %[[MINUS:.*]] = arith.negf %[[X]] : f32
    // CHECK-NEXT: vector.print %[[MINUS]] : f32
    vector.print -%x : f32
  }
  // An op ends with its line, though what follows has no name of an op.
  // CHECK: gpu.barrier
  // CHECK-NEXT: arith.constant
  gpu.barrier
  if (%i + 1) & 7 == 0 {
  }
  // Expressions of affine are its own.
  // CHECK: affine.apply
  %l = affine.apply affine_map<(d0) -> (d0 + 1)>(%k)
  // CHECK: affine.load %[[MEM]][0, symbol(%[[K]]) + 1]
  %o = affine.load %mem[0, symbol(%k) + 1] : memref<4x?xf32>
  affine.for %j = 0 to 4 {
    // CHECK: affine.load %[[MEM]][-%{{.*}} + 4, %{{.*}}]
    %p2 = affine.load %mem[-%j + 4, 2 * %j - %j] : memref<4x?xf32>
  }
  // A name alone in braces is an attribute.
  // CHECK: gpu.barrier {if}
  gpu.barrier { if }
  return
}

gpu.module @kernels {
  gpu.func @sum(%x: i32) kernel {
    gpu.return
  }
}

// CHECK-LABEL: func.func @launch(
// CHECK-SAME: %[[N:[^:]+]]: index, %[[X:[^:]+]]: i32
func.func @launch(%n: index, %x: i32) {
  // CHECK: %[[BLOCKS:.*]] = arith.ceildivsi %[[N]], %{{.*}} : index
  // CHECK: %[[Y:.*]] = arith.addi %[[X]], %{{.*}} : i32
  // CHECK: gpu.launch_func @kernels::@sum blocks in (%[[BLOCKS]], %{{.*}}, %{{.*}}) threads in (%{{.*}}, %{{.*}}, %{{.*}}) args(%[[Y]] : i32)
  gpu.launch_func @kernels::@sum
      blocks in (%n ceildiv 256, 1, 1) threads in (256, 1, 1)
      args(%x + 1 : i32)
  return
}
}

// Types in angle brackets are no expressions.
// CHECK-LABEL: llvm.func @print(
llvm.func @printf(!llvm.ptr, ...) -> i32
llvm.func @print(%format: !llvm.ptr, %x: i32) {
  // CHECK: llvm.call @printf(%{{.*}}, %{{.*}}) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i32) -> i32
  %n = llvm.call @printf(%format, %x) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i32) -> i32
  llvm.return
}
