// RUN: cute-opt %s --cute-version-copies | FileCheck %s

// Four elements lie side by side, in rows that begin anywhere: where all predicates are
// true and both rows begin at 16 bytes, they are loaded as vectors.
// CHECK-LABEL: func.func @load
// CHECK-COUNT-8: cute.load
// CHECK: %[[P:.*]] = arith.andi {{.*}} : i1
// CHECK: cute.ptr_to_int
// CHECK: cute.ptr_to_int
// CHECK: %[[A:.*]] = arith.ori {{.*}} : i64
// CHECK-NOT: cute.ptr_to_int
// CHECK: %[[MASK:.*]] = arith.constant 15 : i64
// CHECK: %[[LOW:.*]] = arith.andi %[[A]], %[[MASK]]
// CHECK: %[[ALIGNED:.*]] = arith.cmpi eq, %[[LOW]]
// CHECK: %[[ALL:.*]] = arith.andi %[[P]], %[[ALIGNED]] : i1
// CHECK: scf.if %[[ALL]] {
// CHECK: %[[WIDE:.*]] = cute.static : !cute.copy_atom<"AutoVectorizingCopyWithAssumedAlignment<128>", f32>
// CHECK: cute.copy(%[[WIDE]], %arg0, %arg1)
// CHECK: } else {
// CHECK: cute.copy(%{{.*}}, %arg0, %arg1, %arg2)
// CHECK: }
func.func @load(%s: !cute.tensor<f32, gmem, align<4>, "((1,(4,2)),1):((0,(1,?{i64})),0)">, %d: !cute.tensor<f32, rmem, align<16>, "((1,(4,2)),1):((0,(1,4)),0)">, %p: !cute.tensor<i1, rmem, align<16>, "((1,(4,2)),1):((0,(1,4)),0)">) {
  %a = cute.static : !cute.copy_atom<"UniversalCopy<uint32_t>", f32>
  cute.copy(%a, %s, %d, %p)
  return
}

// Copies without an atom are of elements, too.
// CHECK-LABEL: func.func @basic
// CHECK: scf.if
// CHECK: cute.copy({{.*}}, %arg0, %arg1)
// CHECK: } else {
// CHECK: cute.basic_copy_if(%arg2, %arg0, %arg1)
func.func @basic(%s: !cute.tensor<f32, gmem, align<4>, "((1,(4,2)),1):((0,(1,?{i64})),0)">, %d: !cute.tensor<f32, rmem, align<16>, "((1,(4,2)),1):((0,(1,4)),0)">, %p: !cute.tensor<i1, rmem, align<16>, "((1,(4,2)),1):((0,(1,4)),0)">) {
  cute.basic_copy_if(%p, %s, %d) : !cute.tensor<i1, rmem, align<16>, "((1,(4,2)),1):((0,(1,4)),0)">, !cute.tensor<f32, gmem, align<4>, "((1,(4,2)),1):((0,(1,?{i64})),0)">, !cute.tensor<f32, rmem, align<16>, "((1,(4,2)),1):((0,(1,4)),0)">
  return
}

// Pairs of f16 lie side by side: 4 bytes at a time.
// CHECK-LABEL: func.func @store
// CHECK: arith.constant 3 : i64
// CHECK: scf.if
// CHECK: cute.copy({{.*}}AutoVectorizing
func.func @store(%s: !cute.tensor<f16, rmem, align<16>, "((1,(2,4)),1):((0,(1,2)),0)">, %d: !cute.tensor<f16, gmem, align<2>, "((1,(2,4)),1):((0,(1,?)),0)">, %p: !cute.tensor<i1, rmem, align<16>, "((2,4),1):((1,2),0)">) {
  %a = cute.static : !cute.copy_atom<"UniversalCopy<uint16_t>", f16>
  cute.copy(%a, %s, %d, %p)
  return
}

// A loop whose rounds load the same needs one round.
// CHECK-LABEL: func.func @same
// CHECK-NOT: scf.for
// CHECK: scf.if
// CHECK: cute.basic_copy_if(%arg3, %arg0, %arg2)
// CHECK: scf.if
// CHECK: cute.basic_copy_if(%arg3, %arg1, %arg2)
// CHECK: scf.for
// CHECK-NEXT: }
func.func @same(%s: !cute.tensor<f32, gmem, align<4>, "(1,4):(0,1)">, %t: !cute.tensor<f32, gmem, align<4>, "(1,4):(0,1)">, %d: !cute.tensor<f32, rmem, align<16>, "(1,4):(0,1)">, %p: !cute.tensor<i1, rmem, align<16>, "4:1">) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  scf.for %i = %c0 to %c10 step %c1 {
    cute.basic_copy_if(%p, %s, %d) : !cute.tensor<i1, rmem, align<16>, "4:1">, !cute.tensor<f32, gmem, align<4>, "(1,4):(0,1)">, !cute.tensor<f32, rmem, align<16>, "(1,4):(0,1)">
    cute.basic_copy_if(%p, %t, %d) : !cute.tensor<i1, rmem, align<16>, "4:1">, !cute.tensor<f32, gmem, align<4>, "(1,4):(0,1)">, !cute.tensor<f32, rmem, align<16>, "(1,4):(0,1)">
  }
  return
}

// Loads stay in their loops: that may have no round, that also store, and whose rounds
// begin with other predicates.
// CHECK-LABEL: func.func @rounds
// CHECK-NOT: scf.if
// CHECK: scf.for
// CHECK: scf.if
// CHECK: scf.for
// CHECK: scf.if
// CHECK: scf.if
// CHECK: scf.for
// CHECK: scf.if
// CHECK: return
func.func @rounds(%s: !cute.tensor<f32, gmem, align<4>, "(1,4):(0,1)">, %d: !cute.tensor<f32, rmem, align<16>, "(1,4):(0,1)">, %p: !cute.tensor<i1, rmem, align<16>, "4:1">, %m: !cute.tensor<i1, gmem, align<1>, "4:1">, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  scf.for %i = %c0 to %n step %c1 {
    cute.basic_copy_if(%p, %s, %d) : !cute.tensor<i1, rmem, align<16>, "4:1">, !cute.tensor<f32, gmem, align<4>, "(1,4):(0,1)">, !cute.tensor<f32, rmem, align<16>, "(1,4):(0,1)">
  }
  scf.for %i = %c0 to %c10 step %c1 {
    cute.basic_copy_if(%p, %s, %d) : !cute.tensor<i1, rmem, align<16>, "4:1">, !cute.tensor<f32, gmem, align<4>, "(1,4):(0,1)">, !cute.tensor<f32, rmem, align<16>, "(1,4):(0,1)">
    cute.basic_copy_if(%p, %d, %s) : !cute.tensor<i1, rmem, align<16>, "4:1">, !cute.tensor<f32, rmem, align<16>, "(1,4):(0,1)">, !cute.tensor<f32, gmem, align<4>, "(1,4):(0,1)">
  }
  scf.for %i = %c0 to %c10 step %c1 {
    cute.basic_copy_if(%p, %s, %d) : !cute.tensor<i1, rmem, align<16>, "4:1">, !cute.tensor<f32, gmem, align<4>, "(1,4):(0,1)">, !cute.tensor<f32, rmem, align<16>, "(1,4):(0,1)">
    cute.basic_copy(%m, %p) : !cute.tensor<i1, gmem, align<1>, "4:1">, !cute.tensor<i1, rmem, align<16>, "4:1">
  }
  return
}

// These stay as they are: without a predicate, to shared memory, by asynchronous copies,
// with other accesses than of one element, with no two elements side by side, and of
// more elements than registers are for.
// CHECK-NOT: scf.if
func.func @others(%g: !cute.tensor<f32, gmem, align<4>, "(1,4):(0,1)">, %r: !cute.tensor<f32, rmem, align<16>, "(1,4):(0,1)">, %s: !cute.tensor<f32, smem, align<16>, "(1,4):(0,1)">, %apart: !cute.tensor<f32, gmem, align<4>, "(1,4):(0,?)">, %p: !cute.tensor<i1, rmem, align<16>, "4:1">, %g_pairs: !cute.tensor<f32, gmem, align<8>, "(2,4):(1,2)">, %r_pairs: !cute.tensor<f32, rmem, align<16>, "(2,4):(1,2)">, %g_many: !cute.tensor<f32, gmem, align<4>, "(1,128):(0,1)">, %r_many: !cute.tensor<f32, rmem, align<16>, "(1,128):(0,1)">, %p_many: !cute.tensor<i1, rmem, align<16>, "128:1">) {
  %a = cute.static : !cute.copy_atom<"UniversalCopy<uint32_t>", f32>
  %two = cute.static : !cute.copy_atom<"UniversalCopy<uint64_t>", f32>
  %async = cute.static : !cute.copy_atom<"SM80_CP_ASYNC_CACHEALWAYS<uint32_t>", f32>
  cute.copy(%a, %g, %r)
  cute.copy(%a, %g, %s, %p)
  cute.copy(%async, %g, %s, %p)
  cute.copy(%two, %g_pairs, %r_pairs, %p)
  cute.copy(%a, %apart, %r, %p)
  cute.copy(%a, %g_many, %r_many, %p_many)
  return
}
