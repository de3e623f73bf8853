// gemm becomes one call of its atom for each (k, n, m): k outermost, m back and
// forth so that neighbours share a fragment; from 4 atoms along m on n is the one.
// RUN: cute-opt %s --cute-expand-atoms | FileCheck %s

!mma = !cute.tiled_mma<"SM80_16x8x16_F32F16F16F32_TN", "(1,1,1):(0,0,0)", "[_;_;_]">
!acc = !cute.tensor<f32, rmem, align<16>, "((2,2),2,3):((1,2),4,8)">
!a = !cute.tensor<f16, rmem, align<16>, "((2,2,2),2,2):((1,2,4),8,16)">
!b = !cute.tensor<f16, rmem, align<16>, "((2,2),3,2):((1,2),4,12)">

// 2 x 3 x 2 calls. Column 0 goes over m = 0, 1, column 1 over m = 1, 0.
// CHECK-LABEL: func.func @order
// CHECK-SAME: (%[[M:.*]]: !cute.tiled_mma{{.*}}, %[[D:[a-z0-9]+]]: !cute{{.*}}, %[[A:[a-z0-9]+]]: !cute{{.*}}, %[[B:[a-z0-9]+]]: !cute{{.*}})
func.func @order(%m: !mma, %d: !acc, %a: !a, %b: !b) {
  // CHECK: cute.static : !cute.coord<"(_,0,0)">
  // CHECK: cute.slice(%[[D]],
  // CHECK: cute.static : !cute.coord<"(_,0,0)">
  // CHECK: cute.slice(%[[A]],
  // CHECK: cute.static : !cute.coord<"(_,0,0)">
  // CHECK: cute.slice(%[[B]],
  // CHECK: cute.mma_atom_call(%[[M]], {{.*}}"((2,2)):((1,2))">, {{.*}}"((2,2,2)):((1,2,4))">, {{.*}}"((2,2)):((1,2))">, {{.*}}"((2,2)):((1,2))">
  // CHECK: cute.static : !cute.coord<"(_,1,0)">
  // CHECK: cute.slice(%[[D]],
  // CHECK: cute.static : !cute.coord<"(_,1,0)">
  // CHECK: cute.slice(%[[A]],
  // CHECK: cute.mma_atom_call
  // CHECK: cute.static : !cute.coord<"(_,1,1)">
  // CHECK: cute.slice(%[[D]],
  // CHECK: cute.mma_atom_call
  // CHECK: cute.static : !cute.coord<"(_,0,1)">
  // CHECK: cute.slice(%[[D]],
  // CHECK: cute.mma_atom_call
  // CHECK: cute.static : !cute.coord<"(_,0,2)">
  // CHECK: cute.slice(%[[D]],
  // CHECK: cute.mma_atom_call
  // CHECK: cute.static : !cute.coord<"(_,1,2)">
  // CHECK: cute.slice(%[[D]],
  // CHECK: cute.mma_atom_call
  // The second k-block.
  // CHECK: cute.static : !cute.coord<"(_,0,1)">
  // CHECK: cute.slice(%[[A]],
  // CHECK-COUNT-6: cute.mma_atom_call
  // CHECK-NOT: cute.mma_atom_call
  // CHECK-NOT: cute.gemm
  // CHECK: return
  cute.gemm(%m, %d, %a, %b, %d)
  return
}

// 4 x 2 calls. Row 0 goes over n = 0, 1, row 1 over n = 1, 0.
// CHECK-LABEL: func.func @rows
// CHECK-SAME: !cute.tiled_mma{{[^%]*}}, %[[D:[a-z0-9]+]]: !cute.tensor
// CHECK: %[[AT:[0-9]+]] = cute.static : !cute.coord<"(_,0,0)">
// CHECK-NEXT: cute.slice(%[[D]], %[[AT]])
// CHECK: cute.mma_atom_call
// CHECK: %[[AT:[0-9]+]] = cute.static : !cute.coord<"(_,0,1)">
// CHECK-NEXT: cute.slice(%[[D]], %[[AT]])
// CHECK: cute.mma_atom_call
// CHECK: %[[AT:[0-9]+]] = cute.static : !cute.coord<"(_,1,1)">
// CHECK-NEXT: cute.slice(%[[D]], %[[AT]])
// CHECK: cute.mma_atom_call
// CHECK: %[[AT:[0-9]+]] = cute.static : !cute.coord<"(_,1,0)">
// CHECK-NEXT: cute.slice(%[[D]], %[[AT]])
// CHECK-COUNT-5: cute.mma_atom_call
// CHECK-NOT: cute.mma_atom_call
func.func @rows(%m: !mma, %d: !cute.tensor<f32, rmem, align<16>, "((2,2),4,2):((1,2),4,16)">, %a: !cute.tensor<f16, rmem, align<16>, "((2,2,2),4):((1,2,4),8)">, %b: !cute.tensor<f16, rmem, align<16>, "((2,2),2):((1,2),4)">) {
  cute.gemm(%m, %d, %a, %b, %d)
  return
}

// Without a mode K, and with one atom only.
// CHECK-LABEL: func.func @without_k
// CHECK-COUNT-4: cute.mma_atom_call
// CHECK-NOT: cute.mma_atom_call
// CHECK-LABEL: func.func @one
// CHECK-COUNT-1: cute.mma_atom_call
// CHECK-NOT: cute.mma_atom_call
func.func @without_k(%m: !mma, %d: !cute.tensor<f32, rmem, align<16>, "((2,2),2,2):((1,2),4,8)">, %a: !cute.tensor<f16, rmem, align<16>, "((2,2,2),2):((1,2,4),8)">, %b: !cute.tensor<f16, rmem, align<16>, "((2,2),2):((1,2),4)">) {
  cute.gemm(%m, %d, %a, %b, %d)
  return
}
func.func @one(%m: !mma, %d: !cute.tensor<f32, rmem, align<16>, "((2,2),1,1):((1,2),0,0)">, %a: !cute.tensor<f16, rmem, align<16>, "((2,2,2),1,1):((1,2,4),0,0)">, %b: !cute.tensor<f16, rmem, align<16>, "((2,2),1,1):((1,2),0,0)">) {
  cute.gemm(%m, %d, %a, %b, %d)
  return
}

// C is added once, to the first product; the others add to D.
// CHECK-LABEL: func.func @apart
// CHECK-SAME: %[[D:[a-z0-9]+]]: !cute.tensor{{.*}}, %[[A:[a-z0-9]+]]: !cute.tensor{{.*}}, %[[B:[a-z0-9]+]]: !cute.tensor{{.*}}, %[[C:[a-z0-9]+]]: !cute.tensor
// CHECK-COUNT-1: cute.slice(%[[C]],
// CHECK: cute.mma_atom_call
// CHECK-NOT: cute.slice(%[[C]],
// CHECK: cute.mma_atom_call
// CHECK-NOT: cute.slice(%[[C]],
// CHECK: return
func.func @apart(%m: !mma, %d: !cute.tensor<f32, rmem, align<16>, "((2,2),1,1):((1,2),0,0)">, %a: !cute.tensor<f16, rmem, align<16>, "((2,2,2),1,2):((1,2,4),0,8)">, %b: !cute.tensor<f16, rmem, align<16>, "((2,2),1,2):((1,2),0,4)">, %c: !cute.tensor<f32, rmem, align<16>, "((2,2),1,1):((1,2),0,0)">) {
  cute.gemm(%m, %d, %a, %b, %c)
  return
}

// The values of one atom: (V) x (V) -> (V).
// CHECK-LABEL: func.func @values
// CHECK: cute.mma_atom_call
// CHECK-NOT: cute.mma_atom_call
// CHECK: return
func.func @values(%m: !mma, %d: !cute.tensor<f32, rmem, align<16>, "((2,2)):((1,2))">, %a: !cute.tensor<f16, rmem, align<16>, "((2,2,2)):((1,2,4))">, %b: !cute.tensor<f16, rmem, align<16>, "((2,2)):((1,2))">) {
  cute.gemm(%m, %d, %a, %b, %d)
  return
}

!fma = !cute.tiled_mma<"UniversalFMA<float,float,float,float>", "(16,16,1):(1,16,0)", "[_;_;_]">

// An outer product: (M) x (N) -> (M,N).
// CHECK-LABEL: func.func @outer
// CHECK-SAME: %[[D:[a-z0-9]+]]: !cute.tensor{{.*}}, %[[A:[a-z0-9]+]]: !cute.tensor{{.*}}, %[[B:[a-z0-9]+]]: !cute.tensor
// CHECK: cute.static : !cute.coord<"(0,0)">
// CHECK: cute.slice(%[[D]],
// CHECK: cute.static : !cute.coord<"(0)">
// CHECK: cute.slice(%[[A]],
// CHECK: cute.mma_atom_call
// CHECK-COUNT-5: cute.mma_atom_call
// CHECK-NOT: cute.mma_atom_call
// CHECK: return
func.func @outer(%m: !fma, %d: !cute.tensor<f32, rmem, align<16>, "(2,3):(1,2)">, %a: !cute.tensor<f32, rmem, align<16>, "(2):(1)">, %b: !cute.tensor<f32, rmem, align<16>, "(3):(1)">) {
  cute.gemm(%m, %d, %a, %b, %d)
  return
}

// (M,K) x (N,K) -> (M,N): 2 x 3 x 4 products.
// CHECK-LABEL: func.func @matrix
// CHECK-COUNT-24: cute.mma_atom_call
// CHECK-NOT: cute.mma_atom_call
// CHECK: return
func.func @matrix(%m: !fma, %d: !cute.tensor<f32, rmem, align<16>, "(2,3):(1,2)">, %a: !cute.tensor<f32, rmem, align<16>, "(2,4):(1,2)">, %b: !cute.tensor<f32, rmem, align<16>, "(3,4):(1,3)">) {
  cute.gemm(%m, %d, %a, %b, %d)
  return
}

// Shapes that are no tuples.
// CHECK-LABEL: func.func @leaves
// CHECK: cute.static : !cute.coord<"_">
// CHECK: cute.mma_atom_call
// CHECK-NOT: cute.mma_atom_call
// CHECK: return
// CHECK-LABEL: func.func @outer_leaves
// CHECK: cute.static : !cute.coord<"(1,2)">
// CHECK: cute.static : !cute.coord<"1">
// CHECK: cute.static : !cute.coord<"2">
// CHECK: return
func.func @leaves(%m: !mma, %d: !cute.tensor<f32, rmem, align<16>, "4:1">, %a: !cute.tensor<f16, rmem, align<16>, "8:1">, %b: !cute.tensor<f16, rmem, align<16>, "4:1">) {
  cute.gemm(%m, %d, %a, %b, %d)
  return
}
func.func @outer_leaves(%m: !fma, %d: !cute.tensor<f32, rmem, align<16>, "(2,3):(1,2)">, %a: !cute.tensor<f32, rmem, align<16>, "2:1">, %b: !cute.tensor<f32, rmem, align<16>, "3:1">) {
  cute.gemm(%m, %d, %a, %b, %d)
  return
}
