// Tiles of the matrix of a convolution: pixels of images under one place of the filter,
// and stores of pixels in two panels of channels. The manifest has the corners between
// which the filter's first pixel goes.
// RUN: cute-opt %s --cute-lower | FileCheck %s --implicit-check-not=cute.copy
// RUN: cutec %s --arch=sm_90 -o %t.ptx --manifest=%t.json
// RUN: FileCheck %s --check-prefix=PTX < %t.ptx
// RUN: %python -m json.tool --compact %t.json | FileCheck %s --check-prefix=MAP
// RUN: %if ptxas %{ %ptxas -arch=sm_90 -o /dev/null %t.ptx 2>&1 | count 0 %}
// RUN: not cutec %s --arch=sm_80 -o - 2>&1 | FileCheck %s --check-prefix=OLD

// OLD: cute.make_im2col_tma_atom needs sm_90 or later, but the code is for sm_80

// CHECK-LABEL: gpu.func @im2col(
// CHECK: nvvm.cp.async.bulk.tensor.shared.cluster.global %{{.*}}, %{{.*}}, %{{.*}}, box[%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}] im2col[%{{.*}}, %{{.*}}] {mode = #nvvm.tma_load_mode<im2col>}
// CHECK-LABEL: gpu.func @store(
// CHECK-COUNT-2: nvvm.cp.async.bulk.tensor.global.shared.cta %{{.*}}, %{{.*}}, box[%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}] {mode = #nvvm.tma_store_mode<im2col>}
// PTX-LABEL: .entry im2col(
// PTX: cp.async.bulk.tensor.4d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes [%{{.*}}], [%{{.*}}, {%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}}], [{{.*}}], {%{{rs[0-9]+}}, %{{rs[0-9]+}}};
// PTX-LABEL: .entry store(
// PTX-COUNT-2: cp.async.bulk.tensor.4d.global.shared::cta.im2col_no_offs.bulk_group
// MAP: "name":"im2col"
// MAP-SAME: "dims":["arg0.shape[3]","arg0.shape[2]","arg0.shape[1]","arg0.shape[0]"],"strides":["arg0.stride[2] * 2","arg0.stride[1] * 2","arg0.stride[0] * 2"],"element_strides":[1,1,2,1],"interleave":"none","swizzle":"128B","l2":"256B","oob":"zero","lower_corner":[-1,-1],"upper_corner":[-2,-1],"channels_per_pixel":64,"pixels_per_column":64}
// MAP-SAME: "name":"store"
// MAP-SAME: "swizzle":"64B","l2":"256B","oob":"zero","lower_corner":[0,0],"upper_corner":[0,0],"channels_per_pixel":32,"pixels_per_column":64}

!images = !cute.tensor<f16, gmem, align<16>, "(?,?,?,?):(?{i64 div=8},?{i64 div=8},?{i64 div=8},1)">
!matrix = !cute.tensor<f16, gmem, align<16>, "(?,?):(?{i64},1)">
gpu.module @m {
  gpu.func @im2col(%X: !images, %B: !matrix) kernel attributes {known_block_size = array<i32: 64, 1, 1>,
      cute.grid = ["ceil_div(arg1.shape[0], 64)", "9"]} {
    %c0 = arith.constant 0 : i32
    %c3 = arith.constant 3 : i32
    %c64 = arith.constant 64 : i32
    %x = gpu.block_id x
    %bx = arith.index_cast %x : index to i32
    %y = gpu.block_id y
    %tap = arith.index_cast %y : index to i32
    %tid = gpu.thread_id x
    %thread = arith.index_cast %tid : index to i32
    %is_first = arith.cmpi eq, %thread, %c0 : i32
    %first = arith.muli %bx, %c64 : i32
    %s_ = arith.remui %tap, %c3 : i32
    %r_ = arith.divui %tap, %c3 : i32
    %layout = cute.static : !cute.composed_layout<"S<3,3,3> o 0 o (64,64):(64,1)">
    %sX = cute.alloc_smem<f16, 1024> (%layout)
    %one = cute.static : !cute.layout<"1:1">
    %bars = cute.alloc_smem<i64, 8> (%one)
    %bar = cute.get_iter(%bars)
    %filter = cute.static : !cute.int_tuple<"(3,3)">
    %step = cute.static : !cute.int_tuple<"(2,1)">
    %lower = cute.static : !cute.int_tuple<"(1,1)">
    %upper = cute.static : !cute.int_tuple<"(1,2)">
    %dilation = cute.static : !cute.int_tuple<"(1,2)">
    %tma, %m = cute.make_im2col_tma_atom<"SM90_TMA_LOAD_IM2COL"> (%X, %layout, %filter, %step, %lower, %upper, %dilation)
    %at = cute.make_coord(%first, %c0, %s_, %r_) : (i32, i32, i32, i32) -> !cute.coord<"(?,(?,(?,?)))">
    %from = cute.domain_offset(%at, %m)
    %s_flat = cute.group_modes<0, 2> (%sX)
    %s_tma, %m_tma = cute.tma_partition(%tma, %s_flat, %from)
    scf.if %is_first {
      %arrivals = cute.static : !cute.int_tuple<"1">
      %bytes = cute.static : !cute.int_tuple<"8192">
      cute.mbarrier_init(%bar, %arrivals)
      cute.fence_mbarrier_init
      cute.fence_proxy<"async.shared">
      cute.mbarrier_arrive_expect_tx(%bar, %bytes)
      %load = cute.with_barrier(%tma, %bar)
      cute.copy(%load, %m_tma, %s_tma)
    }
    gpu.barrier
    cute.mbarrier_wait(%bar, %c0)
    %tile = cute.static : !cute.shape<"(64,64)">
    %coord = cute.make_coord(%bx, %tap) : (i32, i32) -> !cute.coord<"(?,?)">
    %shape = cute.get_shape(%B)
    %all = cute.make_identity_tensor(%shape)
    %c = cute.local_tile(%all, %tile, %coord)
    %g = cute.local_tile(%B, %tile, %coord)
    %threads = cute.static : !cute.layout<"(1,64):(0,1)">
    %c_part = cute.local_partition(%c, %threads, %thread)
    %g_part = cute.local_partition(%g, %threads, %thread)
    %s_part = cute.local_partition(%sX, %threads, %thread)
    %exists = cute.make_predicate(%c_part, %shape)
    cute.basic_copy_if(%exists, %s_part, %g_part)
    gpu.return
  }

  gpu.func @store(%X: !images) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : i32
    %panels = cute.static : !cute.composed_layout<"S<2,3,3> o 0 o (64,(32,2)):(32,(1,2048))">
    %sX = cute.alloc_smem<f16, 1024> (%panels)
    %one = cute.static : !cute.int_tuple<"(1,1)">
    %none = cute.static : !cute.int_tuple<"(0,0)">
    %tma, %m = cute.make_im2col_tma_atom<"SM90_TMA_STORE_IM2COL"> (%X, %panels, %one, %one, %none, %none, %one)
    %s_flat = cute.group_modes<0, 2> (%sX)
    %s_tma, %m_tma = cute.tma_partition(%tma, %s_flat, %m)
    cute.copy(%tma, %s_tma, %m_tma)
    cute.cp_async_bulk_commit
    cute.cp_async_bulk_wait<0>
    gpu.return
  }
}
