// Tensor maps in memory: one is copied there, made one of another tensor, and
// used by a copy, in global memory and by way of shared memory.
// RUN: cute-opt %s --cute-lower | FileCheck %s
// RUN: cutec %s --arch=sm_90a -o - | FileCheck %s --check-prefix=PTX
// RUN: cutec %s --arch=sm_100a -o - | FileCheck %s --check-prefix=PTX
// RUN: cutec %s --arch=sm_121f -o - | FileCheck %s --check-prefix=PTX
// RUN: not cutec %s --arch=sm_90 -o - 2>&1 | FileCheck %s --check-prefix=OLD

// OLD: cute.update_tensor_map needs sm_90a or a later one with a suffix

!f16 = !cute.tensor<f16, gmem, align<16>, "(?,?):(?{i64 div=8},1)">

gpu.module @maps {
  // CHECK-LABEL: gpu.func @update(
  // CHECK-COUNT-8: llvm.store %{{.*}}, %{{.*}} {alignment = 16 : i64} : vector<4xi32>, !llvm.ptr<1>
  // CHECK: nvvm.prefetch tensormap, %{{[^ ]*}} : !llvm.ptr
  // CHECK-NEXT: llvm.load %{{.*}} : !llvm.ptr -> i64
  // PTX-LABEL: .entry update(
  // PTX: ld.param.v{{.*}}[update_param_[[MAP:[0-9]+]]
  // PTX: st.global.v
  // PTX: tensormap.replace.tile.global_address.global.b1024.b64 [%[[AT:rd[0-9]+]]], %rd{{[0-9]+}};
  // PTX: tensormap.replace.tile.global_dim.global.b1024.b32 [%[[AT]]], 0, %r{{[0-9]+}};
  // PTX: tensormap.replace.tile.global_dim.global.b1024.b32 [%[[AT]]], 1, %r{{[0-9]+}};
  // PTX: tensormap.replace.tile.global_stride.global.b1024.b64 [%[[AT]]], 0, %rd{{[0-9]+}};
  // PTX: tensormap.replace.tile.global_address.shared::cta.b1024.b64 [%r{{[0-9]+}}], %rd{{[0-9]+}};
  // PTX: prefetch.tensormap
  // PTX: cp.async.bulk.tensor.2d.shared::cluster.global{{.*}} [%{{.*}}, {
  gpu.func @update(%A: !f16, %B: !f16, %maps: !cute.ptr<i64, gmem, align<128>>, %x: i32, %y: i32) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %l = cute.static : !cute.composed_layout<"S<3,3,3> o 0 o (128,64):(64,1)">
    %tile = cute.static : !cute.shape<"(128,64)">
    %one = cute.static : !cute.layout<"1:1">
    %sixteen = cute.static : !cute.layout<"16:1">
    %load, %mA = cute.make_tma_atom<"SM90_TMA_LOAD"> (%A, %l, %tile)
    %sA = cute.alloc_smem<f16, 1024> (%l)
    %bars = cute.alloc_smem<i64, 8> (%one)
    %bar = cute.get_iter(%bars)
    %words = cute.alloc_smem<i64, 128> (%sixteen)
    %near = cute.get_iter(%words)
    cute.copy_tensor_map(%load, %maps)
    cute.update_tensor_map(%load, %B, %maps)
    cute.copy_tensor_map(%load, %near)
    cute.update_tensor_map(%load, %B, %near)
    %other = cute.with_tensor_map(%load, %maps)
    cute.prefetch_descriptor(%other)
    %place = cute.to_llvm_ptr(%load)
    %word = llvm.load %place : !llvm.ptr -> i64
    %near_place = cute.to_llvm_ptr(%near)
    llvm.store %word, %near_place : i64, !llvm.ptr<3>
    %xy = cute.make_coord(%x, %y) : (i32, i32) -> !cute.coord<"(?,?)">
    %gA = cute.local_tile(%mA, %tile, %xy)
    %sA1 = cute.group_modes<0, 2> (%sA)
    %gA1 = cute.group_modes<0, 2> (%gA)
    %tAsA, %tAgA = cute.tma_partition(%load, %sA1, %gA1)
    %with = cute.with_barrier(%other, %bar)
    cute.copy(%with, %tAgA, %tAsA)
    gpu.return
  }
}
