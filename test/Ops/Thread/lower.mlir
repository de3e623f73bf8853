// Numbers are registers; what lanes tell each other takes an instruction a word.
// RUN: cute-opt %s --cute-lower | FileCheck %s --implicit-check-not=cute.
// RUN: cutec %s -o - | FileCheck %s --check-prefix=PTX

gpu.module @threads {
  // CHECK-LABEL: gpu.func @numbers(
  // CHECK: gpu.thread_id x
  // CHECK: gpu.block_id y
  // CHECK: gpu.block_dim z
  // CHECK: gpu.grid_dim x
  // CHECK: gpu.lane_id
  // CHECK: nvvm.shfl.sync idx
  // PTX-LABEL: .entry numbers(
  // PTX-DAG: mov.u32 %{{.*}}, %tid.x;
  // PTX-DAG: mov.u32 %{{.*}}, %ctaid.y;
  // PTX-DAG: mov.u32 %{{.*}}, %ntid.z;
  // PTX-DAG: mov.u32 %{{.*}}, %nctaid.x;
  // PTX-DAG: mov.u32 %{{.*}}, %laneid;
  // PTX-DAG: shfl.sync.idx.b32 %{{.*}}, %{{.*}}, 0, 31, -1;
  gpu.func @numbers(%out: !cute.tensor<i32, gmem, align<4>, "(6,?):(1,8)">) kernel {
    %0 = cute.thread_idx
    %1 = cute.block_idx<"y">
    %2 = cute.block_dim<"z">
    %3 = cute.grid_dim<"x">
    %4 = cute.lane_idx
    %5 = cute.warp_idx
    %v = vector.from_elements %0, %1, %2, %3, %4, %5 : vector<6xi32>
    %c = cute.make_coord(%0) : (i32) -> !cute.coord<"(_,?)">
    %t = cute.slice(%out, %c)
    cute.store_vector(%v, %t)
    gpu.return
  }

  // Three dimensions count.
  // CHECK-LABEL: gpu.func @warp(
  // CHECK-COUNT-2: arith.muli
  // A block of one dimension needs x only.
  // CHECK-LABEL: gpu.func @warp_of_row(
  // CHECK-NOT: arith.muli
  // CHECK: arith.shrui
  // CHECK: nvvm.shfl.sync idx
  gpu.func @warp(%out: !cute.ptr<i32, gmem, align<4>>) kernel {
    %w = cute.warp_idx
    %old = cute.atomic_rmw<"add"> (%w, %out)
    gpu.return
  }
  gpu.func @warp_of_row(%out: !cute.ptr<i32, gmem, align<4>>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %w = cute.warp_idx
    %old = cute.atomic_rmw<"add"> (%w, %out)
    gpu.return
  }

  // CHECK-LABEL: gpu.func @exchanges(
  // CHECK: nvvm.vote.sync all
  // CHECK: nvvm.vote.sync any
  // CHECK: nvvm.vote.sync ballot
  // CHECK: nvvm.match.sync any
  // PTX-LABEL: .entry exchanges(
  // PTX-DAG: vote.sync.all.pred
  // PTX-DAG: vote.sync.any.pred
  // PTX-DAG: vote.sync.ballot.b32
  // PTX-DAG: match.any.sync.b32
  gpu.func @exchanges(%out: !cute.tensor<i32, gmem, align<4>, "(4,?):(1,4)">, %n: i32) kernel {
    %t = gpu.thread_id x
    %i = cute.thread_idx
    %p = arith.cmpi slt, %i, %n : i32
    %a = cute.vote_all_sync(%p)
    %b = cute.vote_any_sync(%p)
    %c = cute.vote_ballot_sync(%p)
    %d = cute.match_any_sync(%n)
    %x = arith.extui %a : i1 to i32
    %y = arith.extui %b : i1 to i32
    %v = vector.from_elements %x, %y, %c, %d : vector<4xi32>
    %where = cute.make_coord(%t) : (index) -> !cute.coord<"(_,?)">
    %s = cute.slice(%out, %where)
    cute.store_vector(%v, %s)
    gpu.return
  }

  // CHECK-LABEL: gpu.func @shuffles(
  // CHECK: nvvm.shfl.sync bfly
  // PTX-LABEL: .entry shuffles(
  // PTX-COUNT-2: shfl.sync.bfly.b32 %{{.*}}, %{{.*}}, 1, 31, -1;
  // PTX: shfl.sync.up.b32 %{{.*}}, %{{.*}}, %{{.*}}, 0, -1;
  // PTX-COUNT-2: shfl.sync.down.b32 %{{.*}}, %{{.*}}, 2, 31, -1;
  gpu.func @shuffles(%h: !cute.tensor<f16, gmem, align<8>, "(4,?):(1,4)">, %d: !cute.tensor<f64, gmem, align<8>, "(?)">, %n: i32) kernel {
    %i = cute.thread_idx
    %one = cute.static : !cute.int_tuple<"1">
    %two = arith.constant 2 : i32
    %c = cute.make_coord(%i) : (i32) -> !cute.coord<"(_,?)">
    %e = cute.make_coord(%i) : (i32) -> !cute.coord<"?">
    %t = cute.slice(%h, %c)
    %v = cute.load_vector(%t)
    %w = cute.shuffle_sync<"bfly"> (%v, %one)
    %x = vector.extract %w[0] : f16 from vector<4xf16>
    %y = cute.shuffle_sync<"up"> (%x, %n)
    %u = vector.insert %y, %w[3] : f16 into vector<4xf16>
    cute.store_vector(%u, %t)
    %f = cute.load(%d, %e)
    %g = cute.shuffle_sync<"down"> (%f, %two)
    cute.store(%g, %d, %e)
    gpu.return
  }
}
