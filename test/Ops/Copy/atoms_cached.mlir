// Copies with hints for the caches: loads and stores of global memory, and
// cp.async that brings more into L2.
// RUN: cutec %s -o - | FileCheck %s
// RUN: cute-opt %s --cute-lower | FileCheck %s --check-prefix=LOWER --implicit-check-not=cute.

!bound = !cute.shape<"?">

gpu.module @cached {
  // Four registers are eight elements; where the predicate is false nothing is
  // read and written.
  // LOWER-LABEL: gpu.func @stream(
  // LOWER: llvm.inline_asm has_side_effects "ld.global.nc.L1::no_allocate.v4.b32 {$0, $1, $2, $3}, [$4];", "=r,=r,=r,=r,l,~{memory}" %{{.*}} : (!llvm.ptr<1>) -> !llvm.struct<(i32, i32, i32, i32)>
  // LOWER: llvm.store %{{.*}}, %{{.*}} {alignment = 2 : i64} : vector<4xi32>, !llvm.ptr
  // CHECK-LABEL: .entry stream(
  // CHECK: setp.lt.s32
  // CHECK: bra
  // CHECK: ld.global.nc.L1::no_allocate.v4.b32 {%[[A:r[0-9]+]], %[[B:r[0-9]+]], %[[C:r[0-9]+]], %[[D:r[0-9]+]]}, [%{{rd[0-9]+}}];
  // CHECK: st.global.cs.v4.b32 [%{{rd[0-9]+}}], {%[[A]], %[[B]], %[[C]], %[[D]]};
  // CHECK: ret;
  gpu.func @stream(%A: !cute.tensor<f16, gmem, align<16>, "8:1">, %B: !cute.tensor<f16, gmem, align<16>, "8:1">, %n: !bound) kernel {
    %l = cute.static : !cute.layout<"8:1">
    %r = cute.make_fragment<f16> (%l)
    %load = cute.static : !cute.copy_atom<"SM70_LOAD_NC_CACHE_NOALLOCATION<uint128_t>", f16>
    %store = cute.static : !cute.copy_atom<"SM50_STORE_CACHE_STREAMING<uint128_t>", f16>
    %c = cute.static : !cute.coord_tensor<"0", "(1):(0)">
    %p = cute.make_predicate(%c, %n)
    cute.copy_atom_call(%load, %A, %r, %p)
    cute.copy_atom_call(%store, %r, %B, %p)
    gpu.return
  }

  // Elements wider than a register, and a single register.
  // CHECK-LABEL: .entry widths(
  // CHECK: ld.global.L1::evict_last.v2.b32 {%[[A:r[0-9]+]], %[[B:r[0-9]+]]}, [%[[P:rd[0-9]+]]];
  // CHECK: st.global.L1::evict_first.v2.b32 [%[[Q:rd[0-9]+]]], {%{{r[0-9]+}}, %{{r[0-9]+}}};
  // CHECK: ld.global.cg.b32 %[[C:r[0-9]+]], [%{{rd[0-9]+}}];
  // CHECK: st.global.wt.b32 [%{{rd[0-9]+}}], %{{r[0-9]+}};
  gpu.func @widths(%A: !cute.tensor<f64, gmem, align<8>, "1:1">, %B: !cute.tensor<f64, gmem, align<8>, "1:1">, %C: !cute.tensor<i8, gmem, align<4>, "4:1">, %D: !cute.tensor<i8, gmem, align<4>, "4:1">) kernel {
    %l = cute.static : !cute.layout<"1:1">
    %r = cute.make_fragment<f64> (%l)
    %load = cute.static : !cute.copy_atom<"SM70_LOAD_CACHE_EVICTLAST<double>", f64>
    %store = cute.static : !cute.copy_atom<"SM70_STORE_CACHE_EVICTFIRST<double>", f64>
    cute.copy_atom_call(%load, %A, %r)
    cute.copy_atom_call(%store, %r, %B)
    %m = cute.static : !cute.layout<"4:1">
    %s = cute.make_fragment<i8> (%m)
    %load_word = cute.static : !cute.copy_atom<"SM50_LOAD_CACHE_GLOBAL<uint32_t>", i8>
    %store_word = cute.static : !cute.copy_atom<"SM50_STORE_CACHE_WRITETHROUGH<uint32_t>", i8>
    cute.copy_atom_call(%load_word, %C, %s)
    cute.copy_atom_call(%store_word, %s, %D)
    gpu.return
  }

  // Registers that do not lie side by side, one element after the other.
  // LOWER-LABEL: gpu.func @strided(
  // LOWER: llvm.inline_asm has_side_effects "ld.global.nc.b32 $0, [$1];"
  // LOWER-COUNT-2: llvm.extractelement
  // CHECK-LABEL: .entry strided(
  // CHECK: ld.global.nc.b32
  // CHECK: st.global.b32
  gpu.func @strided(%A: !cute.tensor<f16, gmem, align<4>, "2:1">, %B: !cute.tensor<f16, gmem, align<4>, "2:1">) kernel {
    %l = cute.static : !cute.layout<"2:3">
    %r = cute.make_fragment<f16> (%l)
    %load = cute.static : !cute.copy_atom<"SM50_LOAD_NC<uint32_t>", f16>
    cute.copy_atom_call(%load, %A, %r)
    cute.autovec_copy(%r, %B)
    gpu.return
  }

  // cp.async with and without a predicate; with zero fill it is the number of
  // bytes that are read.
  // CHECK-LABEL: .entry ahead(
  // CHECK: cp.async.cg.shared.global.L2::128B [%{{rd[0-9]+}}], [%[[A:rd[0-9]+]]], 16;
  // CHECK: selp.b32 %[[N:r[0-9]+]], 16, 0, %{{p[0-9]+}};
  // CHECK: cp.async.ca.shared.global.L2::256B [%{{rd[0-9]+}}], [%{{rd[0-9]+}}], 16, %[[N]];
  // CHECK: bra
  // CHECK: cp.async.ca.shared.global.L2::64B [%{{rd[0-9]+}}], [%{{rd[0-9]+}}], 8;
  // CHECK: cp.async.commit_group;
  gpu.func @ahead(%A: !cute.tensor<f16, gmem, align<16>, "8:1">, %B: !cute.tensor<f16, gmem, align<8>, "4:1">, %n: !bound) kernel {
    %l = cute.static : !cute.layout<"8:1">
    %m = cute.static : !cute.layout<"4:1">
    %s = cute.alloc_smem<f16, 16> (%l)
    %t = cute.alloc_smem<f16, 16> (%m)
    %global = cute.static : !cute.copy_atom<"SM80_CP_ASYNC_CACHEGLOBAL_L2_128B<uint128_t>", f16>
    %zfill = cute.static : !cute.copy_atom<"SM80_CP_ASYNC_CACHEALWAYS_ZFILL_L2_256B<uint128_t>", f16>
    %always = cute.static : !cute.copy_atom<"SM80_CP_ASYNC_CACHEALWAYS_L2_64B<uint64_t>", f16>
    %c = cute.static : !cute.coord_tensor<"0", "(1):(0)">
    %p = cute.make_predicate(%c, %n)
    cute.copy_atom_call(%global, %A, %s)
    cute.copy_atom_call(%zfill, %A, %s, %p)
    cute.copy_atom_call(%always, %B, %t, %p)
    cute.cp_async_commit
    gpu.return
  }
}
