// Pointers lower to LLVM's, with its address spaces.
// RUN: cute-opt %s --cute-lower | FileCheck %s --implicit-check-not=cute.
// RUN: cutec %s -o - | FileCheck %s --check-prefix=PTX

gpu.module @pointers {
  // CHECK-LABEL: gpu.func @addresses(
  // CHECK-SAME: %[[A:.*]]: i64, %[[B:.*]]: i32, %[[G:.*]]: !llvm.ptr, %[[L:.*]]: !llvm.ptr<1>, %[[X:.*]]: f16)
  // CHECK: %[[P:.*]] = llvm.inttoptr %[[A]] : i64 to !llvm.ptr<1>
  // CHECK: %[[Q:.*]] = llvm.inttoptr %[[B]] : i32 to !llvm.ptr<3>
  // CHECK: %[[R:.*]] = llvm.addrspacecast %[[G]] : !llvm.ptr to !llvm.ptr<1>
  // CHECK: llvm.store %[[X]], %[[P]]
  // CHECK: llvm.store %[[X]], %[[Q]]
  // CHECK: llvm.store %[[X]], %[[R]]
  // CHECK: llvm.store %[[X]], %[[L]]
  // CHECK: %[[N:.*]] = llvm.ptrtoint %[[R]] : !llvm.ptr<1> to i64
  // CHECK: llvm.store %[[N]], %[[G]]
  // PTX-LABEL: .entry addresses(
  // PTX-DAG: st.shared.b16
  // PTX-DAG: cvta.to.global.u64
  // PTX-DAG: st.global.b16
  gpu.func @addresses(%a: i64, %b: i32, %g: !llvm.ptr, %l: !llvm.ptr<1>, %x: f16) kernel {
    %p = cute.make_ptr(%a) : (i64) -> !cute.ptr<f16, gmem, align<16>>
    %q = cute.make_ptr(%b) : (i32) -> !cute.ptr<f16, smem, align<2>>
    %r = cute.make_ptr(%g) : (!llvm.ptr) -> !cute.ptr<f16, gmem, align<2>>
    %s = cute.make_ptr(%l) : (!llvm.ptr<1>) -> !cute.ptr<f16, gmem, align<2>>
    %n = cute.static : !cute.layout<"1:0">
    %z = cute.static : !cute.coord<"0">
    %tp = cute.make_tensor(%p, %n)
    %tq = cute.make_tensor(%q, %n)
    %tr = cute.make_tensor(%r, %n)
    %ts = cute.make_tensor(%s, %n)
    cute.store(%x, %tp, %z) : f16, !cute.tensor<f16, gmem, align<16>, "1:0">, !cute.coord<"0">
    cute.store(%x, %tq, %z) : f16, !cute.tensor<f16, smem, align<2>, "1:0">, !cute.coord<"0">
    cute.store(%x, %tr, %z) : f16, !cute.tensor<f16, gmem, align<2>, "1:0">, !cute.coord<"0">
    cute.store(%x, %ts, %z) : f16, !cute.tensor<f16, gmem, align<2>, "1:0">, !cute.coord<"0">
    %back = cute.ptr_to_int(%r)
    llvm.store %back, %g : i64, !llvm.ptr
    gpu.return
  }

  // Offsets count elements, before and after a recast.
  // CHECK-LABEL: gpu.func @offsets(
  // CHECK-SAME: %[[P:.*]]: !llvm.ptr<1> {{{.*}}}, %[[I:.*]]: i32
  // CHECK: %[[Q:.*]] = llvm.getelementptr %[[P]][%[[I]]] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f16
  // CHECK: %[[R:.*]] = llvm.getelementptr %[[Q]][-3] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
  // CHECK: llvm.store %{{.*}}, %[[R]]
  gpu.func @offsets(%p: !cute.ptr<f16, gmem, align<16>>, %i: i32, %x: i8) kernel {
    %q = cute.add_offset(%p, %i)
    %b = cute.recast_ptr(%q) : (!cute.ptr<f16, gmem, align<2>>) -> !cute.ptr<i8, gmem, align<2>>
    %m = cute.static : !cute.int_tuple<"-3">
    %r = cute.add_offset(%b, %m)
    %n = cute.static : !cute.layout<"1:0">
    %z = cute.static : !cute.coord<"0">
    %t = cute.make_tensor(%r, %n)
    cute.store(%x, %t, %z) : i8, !cute.tensor<i8, gmem, align<1>, "1:0">, !cute.coord<"0">
    gpu.return
  }

  // What the alignment does not say of the place in a period is found at run
  // time; where it says all, nothing is.
  // CHECK-LABEL: gpu.func @swizzled(
  // CHECK-SAME: %[[P:.*]]: !llvm.ptr<3> {{{.*}}}, %[[X:.*]]: f16)
  // CHECK: %[[A:.*]] = llvm.ptrtoint %[[P]] : !llvm.ptr<3> to i32
  // CHECK: %[[M:.*]] = arith.constant 1023 : i32
  // CHECK: %[[O:.*]] = arith.andi %[[A]], %[[M]] : i32
  // CHECK: %[[BACK:.*]] = arith.subi %{{.*}}, %[[O]] : i32
  // CHECK: %[[BASE:.*]] = llvm.getelementptr %[[P]][%[[BACK]]] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  // CHECK: llvm.getelementptr %[[BASE]]
  // CHECK: llvm.store %[[X]]
  // CHECK-LABEL: gpu.func @aligned(
  // CHECK-SAME: %[[P:.*]]: !llvm.ptr<3>
  // CHECK-NOT: llvm.ptrtoint
  // CHECK: llvm.getelementptr %[[P]][72] : (!llvm.ptr<3>) -> !llvm.ptr<3>, f16
  gpu.func @swizzled(%p: !cute.ptr<f16, smem, align<16>, S<3,4,3>>, %x: f16) {
    %l = cute.static : !cute.layout<"(8,64):(64,1)">
    %c = cute.static : !cute.coord<"(1,0)">
    %t = cute.make_tensor(%p, %l)
    cute.store(%x, %t, %c) : f16, !cute.tensor<f16, smem, align<1024>, "S<3,3,3> o ?{div=8} o (8,64):(64,1)">, !cute.coord<"(1,0)">
    gpu.return
  }
  gpu.func @aligned(%p: !cute.ptr<f16, smem, align<1024>, S<3,4,3>>, %x: f16) {
    %l = cute.static : !cute.layout<"(8,64):(64,1)">
    %c = cute.static : !cute.coord<"(1,0)">
    %t = cute.make_tensor(%p, %l)
    cute.store(%x, %t, %c) : f16, !cute.tensor<f16, smem, align<1024>, "S<3,3,3> o 0 o (8,64):(64,1)">, !cute.coord<"(1,0)">
    gpu.return
  }

  // The element's address, by which ops of other dialects access it.
  // CHECK-LABEL: gpu.func @to_llvm(
  // CHECK: %[[A:.*]] = llvm.getelementptr %{{.*}}[8] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
  // CHECK: llvm.atomicrmw fmax %[[A]], %{{.*}} monotonic : !llvm.ptr<1>, f32
  // CHECK: llvm.store %{{.*}}, %{{.*}} : f32, !llvm.ptr<3>
  // CHECK: llvm.store %{{.*}}, %{{.*}} : f32, !llvm.ptr
  // PTX-LABEL: .entry to_llvm(
  // PTX: atom.{{.*}}cas.b32
  // PTX: st.shared.b32
  gpu.func @to_llvm(%t: !cute.tensor<f32, gmem, align<4>, "(8,4):(1,8)">, %x: f32) kernel {
    %l = cute.static : !cute.layout<"8:1">
    %s = cute.alloc_smem<f32, 16> (%l)
    %c = cute.static : !cute.coord<"(0,1)">
    %z = cute.static : !cute.coord<"2">
    %i = cute.get_iter(%s)
    %a = cute.to_llvm_ptr(%t, %c)
    %old = llvm.atomicrmw fmax %a, %x monotonic : !llvm.ptr<1>, f32
    %b = cute.to_llvm_ptr(%i)
    llvm.store %old, %b : f32, !llvm.ptr<3>
    %r = cute.make_fragment<f32> (%l)
    %d = cute.to_llvm_ptr(%r, %z)
    llvm.store %old, %d : f32, !llvm.ptr
    gpu.return
  }
}
