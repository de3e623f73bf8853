// Predicates are compared element by element.
// RUN: cute-opt %s --cute-lower \
// RUN:   | FileCheck %s
// RUN: cutec %s -o - | FileCheck %s --check-prefix=PTX

gpu.module @kernels {
  // Rows 0 and 8 and columns 0 and 1 at an origin: each leaf below its bound.
  // CHECK-LABEL: predicate(
  // CHECK-SAME: %[[M:.*]]: i32, %[[N:.*]]: i32
  // CHECK: %[[L0:.*]] = arith.cmpi slt, %{{.*}}, %[[M]] : i32
  // CHECK: %[[L1:.*]] = arith.cmpi slt, %{{.*}}, %[[N]] : i32
  // CHECK: %[[P:.*]] = arith.andi %[[L0]], %[[L1]] : i1
  // CHECK: llvm.store %[[P]], %{{.*}} : i1
  // PTX-LABEL: .entry predicate(
  // PTX: setp.gt.s32 %{{p[0-9]+}}, %[[M:r[0-9]+]], 8;
  gpu.func @predicate(%s: !cute.shape<"(?,?)">, %t: !cute.tensor<i1, gmem, align<1>, "4:1">) kernel {
    %id = cute.static : !cute.coord_tensor<"(0,0)", "(2,2):(8@0,1@1)">
    %p = cute.make_predicate(%id, %s)
    %c = cute.static : !cute.coord<"(1,0)">
    %z = cute.static : !cute.coord<"0">
    %v = cute.load(%p, %c)
    cute.store(%v, %t, %z) : i1, !cute.tensor<i1, gmem, align<1>, "4:1">, !cute.coord<"0">
    gpu.return
  }

  // Under `_` nothing is compared.
  // CHECK-LABEL: gpu.func @predicate_of_some(
  // CHECK-COUNT-4: arith.cmpi slt
  // CHECK-NOT: arith.cmpi
  // CHECK: gpu.return
  gpu.func @predicate_of_some(%n: i32, %m: i32, %i: i32, %t: !cute.tensor<i1, gmem, align<1>, "4:1">) kernel {
    %at = cute.make_coord(%i, %m) : (i32, i32) -> !cute.coord<"(?,?)">
    %all = cute.static : !cute.shape<"(64,64)">
    %tile = cute.static : !cute.shape<"(4,1)">
    %id = cute.make_identity_tensor(%all)
    %part = cute.local_tile(%id, %tile, %at)
    %b = cute.make_coord(%n) : (i32) -> !cute.coord<"(?,_)">
    %p = cute.make_predicate(%part, %b)
    %z = cute.static : !cute.coord<"0">
    %v = cute.load(%p, %z)
    cute.store(%v, %t, %z) : i1, !cute.tensor<i1, gmem, align<1>, "4:1">, !cute.coord<"0">
    gpu.return
  }

  // Between two bounds: below one, and not below the other.
  // CHECK-LABEL: gpu.func @predicate_between(
  // CHECK-SAME: %[[I:.*]]: i32, %[[LOW:.*]]: i32, %[[N:.*]]: i32
  // CHECK: %[[BELOW:.*]] = arith.cmpi slt, %[[I]], %[[N]] : i32
  // CHECK: %[[LESS:.*]] = arith.cmpi slt, %[[I]], %[[LOW]] : i32
  // CHECK: %[[NOT:.*]] = arith.xori %[[LESS]], %{{.*}} : i1
  // CHECK: arith.andi %[[BELOW]], %[[NOT]] : i1
  gpu.func @predicate_between(%i: i32, %low: i32, %n: i32, %t: !cute.tensor<i1, gmem, align<1>, "4:1">) kernel {
    %id = cute.make_identity_tensor((64))
    %part = cute.domain_offset((%i), %id)
    %one = cute.local_tile(%part, (1), (0))
    %p = cute.make_predicate(%one, (%n), (%low))
    %v = cute.load(%p, 0)
    cute.store(%v, %t, 0)
    gpu.return
  }

  // CHECK-LABEL: gpu.func @combine(
  // CHECK: arith.andi %{{.*}}, %{{.*}} : i1
  // CHECK: arith.ori %{{.*}}, %{{.*}} : i1
  // CHECK: arith.xori %{{.*}}, %{{.*}} : i1
  gpu.func @combine(%a: i1, %b: i1, %t: !cute.tensor<i1, gmem, align<1>, "4:1">) kernel {
    %p = cute.make_fragment<i1> ((1))
    %q = cute.make_fragment<i1> ((1))
    cute.store(%a, %p, 0)
    cute.store(%b, %q, 0)
    %r = cute.combine_predicates<"and"> (%p, %q)
    %s = cute.combine_predicates<"or"> (%r, %q)
    %u = cute.combine_predicates<"xor"> (%s, %p)
    %v = cute.load(%u, 0)
    cute.store(%v, %t, 0)
    gpu.return
  }

  // CHECK-LABEL: gpu.func @tiles(
  // CHECK: nvvm.cp.async.shared.global
  // PTX-LABEL: .entry tiles(
  // PTX: cp.async.cg.shared.global
  // PTX: st.global
  gpu.func @tiles(%A: !cute.tensor<f16, gmem, align<16>, "(?,?{div=8}):(?{div=8},1)">, %m: i32, %thread: i32) kernel {
    %s = cute.alloc_smem<f16, 128> ((64,64):(64,1))
    %copy = cute.make_tiled_copy(!cute.copy_atom<"SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>", f16>, (16,8):(8,1), (1,8):(0,1))
    %p, %q = cute.predicated_tile_s(%copy, %A, (64,64), (%m,0), %thread)
    %d = cute.partition_d(%copy, %s, %thread)
    cute.copy(%copy, %p, %d, %q)
    cute.cp_async_commit
    cute.cp_async_wait<0>
    gpu.barrier
    %plain = cute.make_tiled_copy(!cute.copy_atom<"UniversalCopy<uint128_t>", f16>, (16,8):(8,1), (1,8):(0,1))
    %x = cute.partition_s(%plain, %s, %thread)
    %r = cute.make_fragment_like(%x)
    cute.copy(%plain, %x, %r)
    %g, %w = cute.predicated_tile_d(%plain, %A, (64,64), (%m,1), %thread)
    cute.copy(%plain, %r, %g, %w)
    gpu.return
  }

  // Where row and column are within: the columns that are left, at most eight. They are
  // bytes to a cp.async.
  // CHECK-LABEL: gpu.func @counts(
  // CHECK: %[[LEFT:.*]] = arith.subi
  // CHECK: %[[MOST:.*]] = arith.minsi %[[LEFT]], %{{.*}} : i64
  // CHECK: %[[COUNT:.*]] = arith.trunci %[[MOST]] : i64 to i8
  // CHECK: arith.select %{{.*}}, %[[COUNT]], %{{.*}} : i8
  // PTX-LABEL: .entry counts(
  // PTX: cp.async.cg.shared.global [%{{.*}}], [%{{.*}}], 16, %{{r[0-9]+}};
  gpu.func @counts(%A: !cute.tensor<f16, gmem, align<16>, "(?,?):(?{div=8},1)">, %i: i32) kernel {
    %async = cute.static : !cute.copy_atom<"SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>", f16>
    %copy = cute.make_tiled_copy(%async, (16,8):(8,1), (1,8):(0,1))
    %s = cute.alloc_smem<f16, 16> ((16,64):(64,1))
    %to = cute.partition_d(%copy, %s, %i)
    %from, %n = cute.predicated_tile_s(%copy, %A, (16,64), (0,%i), %i)
    cute.copy(%copy, %from, %to, %n)
    %first = cute.static : !cute.coord_tensor<"(0,0)", "((8,1),1,1):((1@1,0),0,0)">
    %m = cute.make_counts(%copy, %first, %A)
    cute.copy(%copy, %from, %to, %m)
    gpu.return
  }
}
