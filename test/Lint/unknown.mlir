// What is not known before a kernel runs is no error. In each of these kernels the
// check that warpgroups are whole, or share their registers, would fail if what
// a loop leaves were what it begins with, or if all threads came to each block.
// RUN: cutec %s --arch=sm_90a -o %t.ptx
// RUN: not cutec %S/Inputs/unknown_known.mlir --arch=sm_90a -o - 2>&1 | FileCheck %s
// A loop that hands a number on leaves it as it was.
// CHECK: error: 'cute.warpgroup_wait' op needs a whole warpgroup, but is reached by only 1 of the threads 0 to 127

!m = !cute.tensor<f16, gmem, align<16>, "(?,?):(?{i64 div=8},1)">
!i = !cute.tensor<i32, gmem, align<4>, "?:1">
gpu.module @m {
  gpu.func @for_result(%n: i32) kernel attributes {known_block_size = array<i32: 128, 1, 1>, cute.grid = ["1"]} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %thread = cute.thread_idx
    %last = scf.for %i = %c0 to %n step %c1 iter_args(%x = %thread) -> (i32) : i32 {
      scf.yield %i : i32
    }
    %is = arith.cmpi eq, %last, %c0 : i32
    scf.if %is {
      cute.warpgroup_wait<0> ()
    }
    gpu.return
  }

  gpu.func @in_loop(%n: i32) kernel attributes {known_block_size = array<i32: 128, 1, 1>, cute.grid = ["1"]} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %thread = cute.thread_idx
    %last = scf.for %i = %c0 to %n step %c1 iter_args(%x = %thread) -> (i32) : i32 {
      %is = arith.cmpi eq, %x, %c0 : i32
      scf.if %is {
        cute.warpgroup_wait<0> ()
      }
      scf.yield %c0 : i32
    }
    gpu.return
  }

  gpu.func @loaded(%A: !i, %n: i32) kernel attributes {known_block_size = array<i32: 128, 1, 1>, cute.grid = ["1"]} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %thread = cute.thread_idx
    %last = scf.for %i = %c0 to %n step %c1 iter_args(%x = %thread) -> (i32) : i32 {
      %at = cute.make_coord(%i) : (i32) -> !cute.coord<"?">
      %next = cute.load(%A, %at)
      scf.yield %next : i32
    }
    %is = arith.cmpi eq, %last, %c0 : i32
    scf.if %is {
      cute.warpgroup_wait<0> ()
    }
    gpu.return
  }

  gpu.func @tuple(%n: i32) kernel attributes {known_block_size = array<i32: 128, 1, 1>, cute.grid = ["1"]} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %thread = cute.thread_idx
    %first = cute.make_int_tuple(%thread) : (i32) -> !cute.int_tuple<"?">
    %last = scf.for %i = %c0 to %n step %c1 iter_args(%x = %first) -> (!cute.int_tuple<"?">) : i32 {
      %next = cute.make_int_tuple(%i) : (i32) -> !cute.int_tuple<"?">
      scf.yield %next : !cute.int_tuple<"?">
    }
    %scalar = cute.get_scalars(%last) : (!cute.int_tuple<"?">) -> i32
    %is = arith.cmpi eq, %scalar, %c0 : i32
    scf.if %is {
      cute.warpgroup_wait<0> ()
    }
    gpu.return
  }

  gpu.func @while_result(%n: i32) kernel attributes {known_block_size = array<i32: 128, 1, 1>, cute.grid = ["1"]} {
    %c0 = arith.constant 0 : i32
    %thread = cute.thread_idx
    %last = scf.while (%x = %thread) : (i32) -> i32 {
      %goes = arith.cmpi slt, %x, %n : i32
      scf.condition(%goes) %x : i32
    } do {
    ^bb0(%y: i32):
      scf.yield %c0 : i32
    }
    %is = arith.cmpi eq, %last, %c0 : i32
    scf.if %is {
      cute.warpgroup_wait<0> ()
    }
    gpu.return
  }

  // The first consumer waits; the second may, which the check cannot tell.
  gpu.func @second_consumer(%A: !m, %other: i1) kernel attributes {known_block_size = array<i32: 384, 1, 1>, cute.grid = ["1"]} {
    %thread = cute.thread_idx
    %warp = cute.warp_idx
    %c0 = arith.constant 0 : i32
    %c4 = arith.constant 4 : i32
    %c8 = arith.constant 8 : i32
    %l = cute.tile_to_shape(S<3,3,3> o 0 o (8,64):(64,1), (64,64))
    %ls = cute.tile_to_shape(S<3,3,3> o 0 o (8,64):(64,1), (64,64,2))
    %s = cute.alloc_smem<f16, 1024> (%ls)
    %load, %mA = cute.make_tma_atom<"SM90_TMA_LOAD"> (%A, %l, (64,64))
    %pipe = cute.make_pipeline_tma<2, 2, "warpgroup"> (%load)
    %is0 = arith.cmpi eq, %thread, %c0 : i32
    scf.if %is0 {
      cute.init_pipeline(%pipe)
    }
    gpu.barrier
    %is_first = arith.cmpi slt, %warp, %c4 : i32
    scf.if %is_first {
      cute.set_registers<"increase", 232>
      %st = cute.make_pipeline_state<"consumer"> (%pipe)
      cute.consumer_wait(%pipe, %st)
      cute.consumer_release(%pipe, %st)
    } else {
      scf.if %other {
        cute.set_registers<"decrease", 24>
        %st = cute.make_pipeline_state<"consumer"> (%pipe)
        cute.consumer_wait(%pipe, %st)
        cute.consumer_release(%pipe, %st)
      }
    }
    gpu.return
  }

  gpu.func @blocks() kernel attributes {known_block_size = array<i32: 384, 1, 1>, cute.grid = ["1"]} {
    %c4 = arith.constant 4 : i32
    %warp = cute.warp_idx
    %is_producer = arith.cmpi slt, %warp, %c4 : i32
    cf.cond_br %is_producer, ^producer, ^consumer
  ^producer:
    cute.set_registers<"decrease", 40>
    cf.br ^end
  ^consumer:
    cute.set_registers<"increase", 232>
    cf.br ^end
  ^end:
    gpu.return
  }
}
