// Reductions and scans compared with their inputs: the kernel asserts it.
// RUN: cute-run --device=sim %s --kernel=warp --grid=1
// RUN: cute-run --device=sim %s --kernel=block --grid=1 --schedules=3
// RUN: cutec %s --arch=sm_80 -o - | FileCheck %s

gpu.module @collective {
  // CHECK-LABEL: .entry warp(
  // CHECK: shfl.sync.bfly.b32 %{{.*}}, %{{.*}}, 16, 31, -1;
  gpu.func @warp() kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %lane = cute.lane_idx
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c528 = arith.constant 528 : i32
    %v = arith.addi %lane, %c1 : i32

    // 1 + 2 + ... + 32
    %sum = cute.warp_reduce<"add"> (%v)
    %sum_ok = arith.cmpi eq, %sum, %c528 : i32
    cute.assert<"sum {}">(%sum_ok, %sum)

    // 1 + ... + v = v (v + 1) / 2
    %scan = cute.warp_scan<"add"> (%v)
    %next = arith.addi %v, %c1 : i32
    %twice = arith.muli %v, %next : i32
    %expected = arith.divui %twice, %c2 : i32
    %scan_ok = arith.cmpi eq, %scan, %expected : i32
    cute.assert<"scan {}">(%scan_ok, %scan)

    // The last of four lanes, in both elements; one counts down.
    %h = arith.uitofp %lane : i32 to f16
    %n = arith.negf %h : f16
    %pair = vector.from_elements %h, %n : vector<2xf16>
    %most = cute.warp_reduce<"max", 4> (%pair)
    %c3 = arith.constant 3 : i32
    %last = arith.ori %lane, %c3 : i32
    %first = arith.subi %last, %c3 : i32
    %high = arith.uitofp %last : i32 to f16
    %low = arith.uitofp %first : i32 to f16
    %minus = arith.negf %low : f16
    %most_expected = vector.from_elements %high, %minus : vector<2xf16>
    %most_equal = arith.cmpf oeq, %most, %most_expected : vector<2xf16>
    %most_ok = vector.reduction <and>, %most_equal : vector<2xi1> into i1
    cute.assert<"max {}">(%most_ok, %most)

    // In groups of 8 the greatest so far is one's own.
    %wide = arith.extsi %lane : i32 to i64
    %greatest = cute.warp_scan<"max", 8> (%wide)
    %greatest_ok = arith.cmpi eq, %greatest, %wide : i64
    cute.assert<"greatest {}">(%greatest_ok, %greatest)
    %least = cute.warp_scan<"min", 8> (%wide)
    %c7 = arith.constant 7 : i64
    %rest = arith.andi %wide, %c7 : i64
    %begin = arith.subi %wide, %rest : i64
    %least_ok = arith.cmpi eq, %least, %begin : i64
    cute.assert<"least {}">(%least_ok, %least)
    gpu.return
  }

  // CHECK-LABEL: .entry block(
  // CHECK: bar{{(rier)?}}{{.*}}sync
  gpu.func @block() kernel attributes {known_block_size = array<i32: 32, 4, 1>} {
    %f = cute.alloc_smem<f32, 16> (4:1)
    %i = cute.alloc_smem<i8, 16> (4:2)
    %x = cute.thread_idx
    %y = cute.thread_idx<"y">
    %c32 = arith.constant 32 : i32
    %row = arith.muli %y, %c32 : i32
    %thread = arith.addi %row, %x : i32
    %v = arith.uitofp %thread : i32 to f32
    %sum = cute.block_reduce<"add"> (%v, %f)
    %c8128 = arith.constant 8128.0 : f32
    %sum_ok = arith.cmpf oeq, %sum, %c8128 : f32
    cute.assert<"sum {}">(%sum_ok, %sum)

    // The buffer is free again.
    %most = cute.block_reduce<"maxnum"> (%v, %f)
    %c127 = arith.constant 127.0 : f32
    %most_ok = arith.cmpf oeq, %most, %c127 : f32
    cute.assert<"max {}">(%most_ok, %most)

    %byte = arith.trunci %thread : i32 to i8
    %bits = cute.block_reduce<"or"> (%byte, %i)
    %c127_i8 = arith.constant 127 : i8
    %bits_ok = arith.cmpi eq, %bits, %c127_i8 : i8
    cute.assert<"or {}">(%bits_ok, %bits)
    gpu.return
  }
}
