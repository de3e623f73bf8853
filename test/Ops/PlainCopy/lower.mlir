// Element by element, by the widest accesses, and prefetches.
// RUN: cute-opt %s --cute-lower | FileCheck %s --implicit-check-not=cute.
// RUN: cutec %s -o - | FileCheck %s --check-prefix=PTX

gpu.module @plain {
  // CHECK-LABEL: gpu.func @basic(
  // CHECK-COUNT-3: llvm.load {{.*}} {alignment = 4 : i64} : !llvm.ptr<1> -> f32
  // CHECK-NOT: llvm.load
  // PTX-LABEL: .entry basic(
  // PTX: ld.global.b32 %[[A:r[0-9]+]], [%{{rd[0-9]+}}];
  // PTX: st.global.b32 [%[[D:rd[0-9]+]]], %[[A]];
  // PTX: ld.global.b32 {{.*}}+8];
  // PTX: st.global.b32 [%[[D]]+4]
  // PTX: ld.global.b32 {{.*}}+16];
  // PTX: st.global.b32 [%[[D]]+8]
  gpu.func @basic(%s: !cute.tensor<f32, gmem, align<4>, "3:2">, %d: !cute.tensor<f32, gmem, align<4>, "(3):(1)">) kernel {
    cute.basic_copy(%s, %d)
    gpu.return
  }

  // Sizes that are not known make a loop over the source's elements.
  // CHECK-LABEL: gpu.func @basic_loop(
  // CHECK: scf.for %[[I:.*]] = %{{.*}} to %[[N:.*]] step
  // CHECK: %[[O:.*]] = arith.muli %[[I]], %{{.*}}
  // CHECK: llvm.load
  // CHECK: llvm.store
  // PTX-LABEL: .entry basic_loop(
  // PTX: ld.global.b32
  // PTX: st.global.b32
  // PTX: bra
  gpu.func @basic_loop(%s: !cute.tensor<f32, gmem, align<4>, "?:?">, %d: !cute.tensor<f32, gmem, align<4>, "?:1">) kernel {
    cute.basic_copy(%s, %d)
    gpu.return
  }

  // So do sizes whose unrolling would never end.
  // CHECK-LABEL: gpu.func @large(
  // CHECK: scf.for
  // CHECK: llvm.load
  // CHECK-NOT: llvm.load
  // PTX-LABEL: .entry large(
  gpu.func @large(%s: !cute.tensor<f32, gmem, align<4>, "(32768,2):(2,1)">, %d: !cute.tensor<f32, gmem, align<4>, "65536:1">) kernel {
    cute.basic_copy(%s, %d)
    gpu.return
  }

  // What strides of 0 read from one place for several elements is loaded once, under one condition.
  // CHECK-LABEL: gpu.func @shared(
  // PTX-LABEL: .entry shared(
  // PTX: ld.global.v2.b32
  // PTX: ld.global.b32 %[[X:r[0-9]+]], [%[[S:rd[0-9]+]]];
  // PTX: ld.global.b32 %[[Y:r[0-9]+]], [%[[S]]+4];
  // PTX-NOT: ld.global
  // PTX: st.global.v4.b32 [%[[D:rd[0-9]+]]], {%[[X]], %[[X]], %[[Y]], %[[Y]]};
  // PTX: st.global.v4.b32 [%[[D]]+16], {%[[X]], %[[X]], %[[Y]], %[[Y]]};
  gpu.func @shared(%s: !cute.tensor<f32, gmem, align<4>, "(2,2,2):(0,1,0)">, %d: !cute.tensor<f32, gmem, align<16>, "(2,2,2):(1,2,4)">, %n: i32) kernel {
    %coords = cute.make_tensor(0, (2,2,2):(0,1,0))
    %left = cute.make_int_tuple(%n) : (i32) -> !cute.int_tuple<"?">
    %p = cute.make_predicate(%coords, %left)
    %r = cute.make_fragment_like<f32> (%d)
    cute.clear(%r)
    cute.basic_copy_if(%p, %s, %r)
    cute.autovec_copy(%r, %d)
    gpu.return
  }

  // CHECK-LABEL: gpu.func @basic_if(
  // CHECK-COUNT-2: scf.if
  // CHECK-NOT: scf.if
  // PTX-LABEL: .entry basic_if(
  gpu.func @basic_if(%s: !cute.tensor<f32, gmem, align<4>, "2:1">, %d: !cute.tensor<f32, gmem, align<4>, "2:1">, %n: !cute.shape<"?">) kernel {
    %c = cute.static : !cute.coord_tensor<"0", "2:1">
    %p = cute.make_predicate(%c, %n)
    cute.basic_copy_if(%p, %s, %d)
    gpu.return
  }

  // Both contiguous along mode 1: 8 f16 at a time, however the modes are ordered.
  // CHECK-LABEL: gpu.func @transposed_modes(
  // CHECK-COUNT-4: llvm.load {{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<8xf16>
  // CHECK-NOT: llvm.load
  // PTX-LABEL: .entry transposed_modes(
  // PTX-COUNT-4: ld.global.v4.b32
  // PTX: ret;
  gpu.func @transposed_modes(%s: !cute.tensor<f16, gmem, align<16>, "(4,8):(64,1)">, %d: !cute.tensor<f16, gmem, align<16>, "(4,8):(8,1)">) kernel {
    cute.autovec_copy(%s, %d)
    gpu.return
  }

  // A pitch that is known to be a multiple of 4 allows 8 bytes.
  // CHECK-LABEL: gpu.func @divisor(
  // CHECK-COUNT-4: llvm.load {{.*}} {alignment = 8 : i64} : !llvm.ptr<1> -> vector<4xf16>
  // PTX-LABEL: .entry divisor(
  gpu.func @divisor(%s: !cute.tensor<f16, gmem, align<16>, "(2,8):(?{div=4},1)">, %d: !cute.tensor<f16, gmem, align<16>, "(2,8):(8,1)">) kernel {
    cute.autovec_copy(%s, %d)
    gpu.return
  }

  // Nothing is known of the pitch.
  // CHECK-LABEL: gpu.func @unknown_pitch(
  // CHECK-COUNT-4: llvm.load {{.*}} {alignment = 2 : i64} : !llvm.ptr<1> -> f16
  // CHECK-NOT: llvm.load
  // PTX-LABEL: .entry unknown_pitch(
  gpu.func @unknown_pitch(%s: !cute.tensor<f16, gmem, align<16>, "(2,2):(?,1)">, %d: !cute.tensor<f16, gmem, align<16>, "(2,2):(2,1)">) kernel {
    cute.autovec_copy(%s, %d)
    gpu.return
  }

  // The alignment of the type counts.
  // CHECK-LABEL: gpu.func @alignment(
  // CHECK-COUNT-2: llvm.load {{.*}} {alignment = 4 : i64} : !llvm.ptr<1> -> vector<2xf16>
  // CHECK-NOT: llvm.load
  // PTX-LABEL: .entry alignment(
  gpu.func @alignment(%s: !cute.tensor<f16, gmem, align<4>, "4:1">, %d: !cute.tensor<f16, gmem, align<16>, "4:1">) kernel {
    cute.autovec_copy(%s, %d)
    gpu.return
  }

  // Three rows of 6: every pair begins at an even element.
  // CHECK-LABEL: gpu.func @pairs(
  // CHECK-COUNT-9: llvm.load {{.*}} {alignment = 4 : i64} : !llvm.ptr<1> -> vector<2xf16>
  // CHECK-NOT: llvm.load
  // PTX-LABEL: .entry pairs(
  gpu.func @pairs(%s: !cute.tensor<f16, gmem, align<16>, "(6,3):(1,10)">, %d: !cute.tensor<f16, gmem, align<16>, "(6,3):(1,6)">) kernel {
    cute.autovec_copy(%s, %d)
    gpu.return
  }

  // The swizzle keeps 8 elements together: 16 bytes to shared memory.
  // CHECK-LABEL: gpu.func @swizzled(
  // CHECK-COUNT-4: llvm.store {{.*}} {alignment = 16 : i64} : vector<8xf16>, !llvm.ptr<3>
  // CHECK-NOT: !llvm.ptr<3> -> f16
  // PTX-LABEL: .entry swizzled(
  gpu.func @swizzled(%s: !cute.tensor<f16, gmem, align<16>, "(8,4):(1,8)">, %d: !cute.tensor<f16, gmem, align<16>, "(8,4):(1,8)">) kernel {
    %l = cute.static : !cute.composed_layout<"S<2,3,3> o 0 o (8,4):(1,8)">
    %m = cute.alloc_smem<f16, 16> (%l)
    cute.autovec_copy(%s, %m)
    gpu.barrier
    cute.autovec_copy(%m, %d)
    gpu.return
  }

  // A swizzle of single elements: one by one.
  // CHECK-LABEL: gpu.func @scrambled(
  // CHECK-COUNT-8: llvm.store {{.*}} {alignment = 2 : i64} : f16, !llvm.ptr<3>
  // CHECK-NOT: vector
  // PTX-LABEL: .entry scrambled(
  gpu.func @scrambled(%s: !cute.tensor<f16, gmem, align<16>, "(2,4):(1,2)">) kernel {
    %l = cute.static : !cute.composed_layout<"S<1,0,2> o 0 o (2,4):(1,2)">
    %m = cute.alloc_smem<f16, 16> (%l)
    cute.autovec_copy(%s, %m)
    gpu.return
  }

  // Registers take any order: one load, four elements put in their places.
  // CHECK-LABEL: gpu.func @to_registers(
  // CHECK: llvm.load {{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
  // CHECK-COUNT-4: llvm.extractelement
  // CHECK: llvm.store {{.*}} {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr<1>
  // PTX-LABEL: .entry to_registers(
  // PTX: ld.global.v4.b32
  // PTX: st.global.v4.b32
  gpu.func @to_registers(%s: !cute.tensor<f32, gmem, align<16>, "(2,2):(2,1)">, %d: !cute.tensor<f32, gmem, align<16>, "(2,2):(2,1)">) kernel {
    %l = cute.static : !cute.layout<"(2,2):(1,2)">
    %f = cute.make_fragment<f32> (%l)
    cute.autovec_copy(%s, %f)
    cute.autovec_copy(%f, %d)
    gpu.return
  }

  // Lines of 128 bytes: two for each column of 64 f32, and the last element.
  // CHECK-LABEL: gpu.func @prefetched(
  // CHECK-COUNT-6: "prefetch.global.L2 [$0];"
  // CHECK-NOT: prefetch.global.L2
  // CHECK-COUNT-4: "prefetch.global.L1 [$0];"
  // CHECK-NOT: prefetch.
  // PTX-LABEL: .entry prefetched(
  // PTX: prefetch.global.L2 [%[[P:rd[0-9]+]]];
  // PTX: prefetch.global.L2 [
  // PTX: prefetch.global.L1 [
  gpu.func @prefetched(%s: !cute.tensor<f32, gmem, align<4>, "(64,2):(1,?)">, %r: !cute.tensor<f32, gmem, align<4>, "(2,2):(64,128)">) kernel {
    cute.prefetch<"L2"> (%s)
    cute.prefetch<"L1"> (%r)
    gpu.return
  }
}
