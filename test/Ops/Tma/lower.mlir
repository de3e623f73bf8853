// A tile goes from one tensor to another through shared memory: the tensor maps
// are parameters of the kernel, in the order of the atoms, and the manifest says
// how a launcher makes them.
// RUN: cute-opt %s --cute-lower | FileCheck %s --implicit-check-not=cute.copy
// RUN: cutec %s --arch=sm_90a -o %t.ptx --manifest=%t.json
// RUN: FileCheck %s --check-prefix=PTX < %t.ptx
// RUN: %python -m json.tool --compact %t.json | FileCheck %s --check-prefix=MAP
// RUN: not cutec %s --arch=sm_80 -o - 2>&1 | FileCheck %s --check-prefix=OLD

// OLD: cute.make_tma_atom needs sm_90 or later, but the code is for sm_80

!f16 = !cute.tensor<f16, gmem, align<16>, "(?,?):(?{i64 div=8},1)">
!f32 = !cute.tensor<f32, gmem, align<16>, "(100,?,1,?):(1,?{i64 div=4},0,?{i64 div=4})">

gpu.module @tma {
  // CHECK-LABEL: gpu.func @copy(
  // CHECK-SAME: %[[B:arg[0-9]+]]: !llvm.ptr{{[,)]}}
  // CHECK-SAME: cute.tensor_maps = 2 : i32
  // CHECK: nvvm.prefetch tensormap
  // CHECK: nvvm.cp.async.bulk.tensor.shared.cluster.global %{{.*}}, %{{.*}}, %{{.*}}, box[%{{.*}}, %{{.*}}] l2_cache_hint = %
  // CHECK: nvvm.cp.async.bulk.tensor.global.shared.cta %{{.*}}, %{{.*}}, box[%{{.*}}, %{{.*}}]
  // CHECK-NEXT: nvvm.cp.async.bulk.commit.group
  // CHECK-NEXT: nvvm.cp.async.bulk.wait_group 0 {read}
  // PTX-LABEL: .entry copy(
  // PTX: .param .align 64 .b8 copy_param_10[128],
  // PTX-NEXT: .param .align 64 .b8 copy_param_11[128]
  // PTX: prefetch.param.tensormap
  // PTX: cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.L2::cache_hint [%{{.*}}], [%{{.*}}, {%[[X:r[0-9]+]], %[[Y:r[0-9]+]]}], [{{.*}}], %
  // PTX: cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%{{.*}}, {%[[X]], %[[Y]]}], [
  // PTX: cp.async.bulk.commit_group;
  // PTX: cp.async.bulk.wait_group.read 0;
  // MAP: "name":"copy"
  // MAP-SAME: {"hidden":true,"passed_as":[{"kind":"tensor_map","bytes":128,"align":64,"tensor":"arg0","element":"f16","dims":["arg0.shape[1]","arg0.shape[0]"],"strides":["arg0.stride[0] * 2"],"box":[64,128],"element_strides":[1,1],"interleave":"none","swizzle":"128B","l2":"256B","oob":"zero"}]
  // MAP-SAME: {"hidden":true,"passed_as":[{"kind":"tensor_map","bytes":128,"align":64,"tensor":"arg1"
  gpu.func @copy(%A: !f16, %B: !f16, %x: i32, %y: i32) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %l = cute.static : !cute.composed_layout<"S<3,3,3> o 0 o (128,64):(64,1)">
    %tile = cute.static : !cute.shape<"(128,64)">
    %one = cute.static : !cute.layout<"1:1">
    %load, %mA = cute.make_tma_atom<"SM90_TMA_LOAD"> (%A, %l, %tile)
    %store, %mB = cute.make_tma_atom<"SM90_TMA_STORE"> (%B, %l, %tile)
    cute.prefetch_descriptor(%load)
    %sA = cute.alloc_smem<f16, 1024> (%l)
    %bars = cute.alloc_smem<i64, 8> (%one)
    %bar = cute.get_iter(%bars)
    %xy = cute.make_coord(%x, %y) : (i32, i32) -> !cute.coord<"(?,?)">
    %gA = cute.local_tile(%mA, %tile, %xy)
    %gB = cute.local_tile(%mB, %tile, %xy)
    %sA1 = cute.group_modes<0, 2> (%sA)
    %gA1 = cute.group_modes<0, 2> (%gA)
    %gB1 = cute.group_modes<0, 2> (%gB)
    %tAsA, %tAgA = cute.tma_partition(%load, %sA1, %gA1)
    %tBsB, %tBgB = cute.tma_partition(%store, %sA1, %gB1)
    %with = cute.with_barrier<"evict_first">(%load, %bar)
    cute.copy(%with, %tAgA, %tAsA)
    cute.copy(%store, %tBsB, %tBgB)
    cute.cp_async_bulk_commit
    cute.cp_async_bulk_wait_read<0>
    gpu.return
  }

  // A tile with two panels of 64 columns takes two instructions; a reduction in three dimensions,
  // one with a mode of extent 1.
  // PTX-LABEL: .entry panels(
  // PTX: cp.async.bulk.tensor.2d.shared::cluster.global{{.*}}[%{{.*}}, {%[[X:r[0-9]+]], %[[Y:r[0-9]+]]}]
  // PTX: cp.async.bulk.tensor.2d.shared::cluster.global{{.*}}[%{{.*}}, {%{{r[0-9]+}}, %[[Y]]}]
  // PTX: cp.reduce.async.bulk.tensor.4d.global.shared::cta.add.tile.bulk_group [%{{.*}}, {%{{r[0-9]+}}, %{{r[0-9]+}}, %{{r[0-9]+}}, %{{r[0-9]+}}}], [
  // MAP-SAME: "name":"panels"
  // MAP-SAME: "dims":["100","arg1.shape[1]","1","arg1.shape[3]"],"strides":["arg1.stride[1] * 4","16","arg1.stride[3] * 4"],"box":[32,8,1,1],"element_strides":[1,1,1,1],"interleave":"none","swizzle":"none"
  gpu.func @panels(%A: !f16, %B: !f32, %x: i32, %y: i32) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %l = cute.static : !cute.composed_layout<"S<3,3,3> o 0 o (128,(64,2)):(64,(1,8192))">
    %tile = cute.static : !cute.shape<"(128,128)">
    %one = cute.static : !cute.layout<"1:1">
    %load, %mA = cute.make_tma_atom<"SM90_TMA_LOAD"> (%A, %l, %tile)
    %sA = cute.alloc_smem<f16, 1024> (%l)
    %bars = cute.alloc_smem<i64, 8> (%one)
    %bar = cute.get_iter(%bars)
    %xy = cute.make_coord(%x, %y) : (i32, i32) -> !cute.coord<"(?,?)">
    %gA = cute.local_tile(%mA, %tile, %xy)
    %sA1 = cute.group_modes<0, 2> (%sA)
    %gA1 = cute.group_modes<0, 2> (%gA)
    %tAsA, %tAgA = cute.tma_partition(%load, %sA1, %gA1)
    %with = cute.with_barrier(%load, %bar)
    cute.copy(%with, %tAgA, %tAsA)
    %l2 = cute.static : !cute.layout<"(32,8,1,1):(1,32,0,0)">
    %tile2 = cute.static : !cute.shape<"(32,8,1,1)">
    %add, %mB = cute.make_tma_atom<"SM90_TMA_REDUCE_ADD"> (%B, %l2, %tile2)
    %sB = cute.alloc_smem<f32, 128> (%l2)
    %xyz = cute.make_coord(%x, %y, %x) : (i32, i32, i32) -> !cute.coord<"(?,?,0,?)">
    %gB = cute.local_tile(%mB, %tile2, %xyz)
    %sB1 = cute.group_modes<0, 4> (%sB)
    %gB1 = cute.group_modes<0, 4> (%gB)
    %tBsB, %tBgB = cute.tma_partition(%add, %sB1, %gB1)
    cute.copy(%add, %tBsB, %tBgB)
    cute.cp_async_bulk_commit
    cute.cp_async_bulk_wait<1>
    gpu.return
  }

  // Two thread blocks load half of a tile each, for both.
  // PTX-LABEL: .entry multicast(
  // PTX: cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster [%{{.*}}], [%{{.*}}, {%{{.*}}, %{{.*}}}], [{{.*}}], %rs
  // MAP-SAME: "name":"multicast"
  // MAP-SAME: "box":[64,64]
  // MAP-SAME: "cluster":[2,1,1]
  gpu.func @multicast(%A: !f16, %x: i32, %mask: i16) kernel attributes {known_block_size = array<i32: 128, 1, 1>, known_cluster_size = array<i32: 2, 1, 1>} {
    %l = cute.static : !cute.composed_layout<"S<3,3,3> o 0 o (128,64):(64,1)">
    %tile = cute.static : !cute.shape<"(128,64)">
    %two = cute.static : !cute.int_tuple<"2">
    %one = cute.static : !cute.layout<"1:1">
    %load, %mA = cute.make_tma_atom<"SM90_TMA_LOAD_MULTICAST"> (%A, %l, %tile, %two)
    %sA = cute.alloc_smem<f16, 1024> (%l)
    %bars = cute.alloc_smem<i64, 8> (%one)
    %bar = cute.get_iter(%bars)
    %xy = cute.make_coord(%x, %x) : (i32, i32) -> !cute.coord<"(?,?)">
    %gA = cute.local_tile(%mA, %tile, %xy)
    %sA1 = cute.group_modes<0, 2> (%sA)
    %gA1 = cute.group_modes<0, 2> (%gA)
    %rank = gpu.cluster_block_id x
    %cta = arith.index_cast %rank : index to i32
    %tAsA, %tAgA = cute.tma_partition(%load, %sA1, %gA1, %cta)
    %with = cute.with_barrier(%load, %bar, %mask)
    cute.copy(%with, %tAgA, %tAsA)
    gpu.return
  }

  // What a kernel promises of its parameter, the launcher counts on.
  // MAP-SAME: "name":"promised"
  // MAP-SAME: "kind":"tensor_map","bytes":128,"align":64,"tensor":"arg0"
  gpu.func @promised(%A: !cute.tensor<f16, gmem, align<2>, "(?,?):(?{i64},1)">, %x: i32) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %l = cute.static : !cute.composed_layout<"S<3,3,3> o 0 o (128,64):(64,1)">
    %tile = cute.static : !cute.shape<"(128,64)">
    %known = cute.assume(%A) : (!cute.tensor<f16, gmem, align<2>, "(?,?):(?{i64},1)">) -> !f16
    %store, %mA = cute.make_tma_atom<"SM90_TMA_STORE"> (%known, %l, %tile)
    %sA = cute.alloc_smem<f16, 1024> (%l)
    %xy = cute.make_coord(%x, %x) : (i32, i32) -> !cute.coord<"(?,?)">
    %gA = cute.local_tile(%mA, %tile, %xy)
    %sA1 = cute.group_modes<0, 2> (%sA)
    %gA1 = cute.group_modes<0, 2> (%gA)
    %tAsA, %tAgA = cute.tma_partition(%store, %sA1, %gA1)
    cute.copy(%store, %tAsA, %tAgA)
    gpu.return
  }

  // Elements of 32 bits along M, permuted 32 bytes at a time.
  // MAP-SAME: "name":"wide"
  // MAP-SAME: "box":[32,8],"element_strides":[1,1],"interleave":"none","swizzle":"128B_atom_32B"
  gpu.func @wide(%A: !cute.tensor<f32, gmem, align<16>, "(?,?):(1,?{i64 div=4})">, %x: i32) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %l = cute.static : !cute.composed_layout<"S<2,3,2> o 0 o (32,8):(1,32)">
    %tile = cute.static : !cute.shape<"(32,8)">
    %store, %mA = cute.make_tma_atom<"SM90_TMA_STORE"> (%A, %l, %tile)
    %sA = cute.alloc_smem<f32, 512> (%l)
    %xy = cute.make_coord(%x, %x) : (i32, i32) -> !cute.coord<"(?,?)">
    %gA = cute.local_tile(%mA, %tile, %xy)
    %sA1 = cute.group_modes<0, 2> (%sA)
    %gA1 = cute.group_modes<0, 2> (%gA)
    %tAsA, %tAgA = cute.tma_partition(%store, %sA1, %gA1)
    cute.copy(%store, %tAsA, %tAgA)
    gpu.return
  }
}
