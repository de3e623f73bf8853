// What reductions and scans over threads reject.
// RUN: cute-opt %s --split-input-file --verify-diagnostics --cute-lower

func.func @no_lanes() {
  // expected-error @+1 {{'cute.warp_sync' op a mask without lanes; bit i is lane i of the warp, and -1 or no mask all of them}}
  cute.warp_sync<0>
  return
}

// -----

func.func @kind(%x: f32) {
  // expected-error @+1 {{'cute.warp_reduce' op no reduction of f32 is called 'and'; there are add, mul, min, max, minnum, maxnum}}
  %0 = cute.warp_reduce<"and"> (%x)
  return
}

// -----

func.func @narrow(%x: f8E5M2) {
  // expected-error @+1 {{'cute.warp_reduce' op there is no arithmetic on f8E5M2; widen it by arith.extf first}}
  %0 = cute.warp_reduce<"add"> (%x)
  return
}

// -----

func.func @width(%x: f32) {
  // expected-error @+1 {{'cute.warp_scan' op attribute 'width' is 2, 4, 8, 16 or 32, not 5}}
  %0 = cute.warp_scan<"add", 5> (%x)
  return
}

// -----

func.func @carried(%x: vector<3xf16>) {
  // expected-error @+1 {{'cute.warp_scan' op lanes exchange numbers and vectors of 8, 16 or a multiple of 32 bits, not vector<3xf16>}}
  %0 = cute.warp_scan<"add"> (%x)
  return
}

// -----

func.func @vector(%x: vector<2xf16>, %b: !cute.tensor<f16, smem, align<2>, "4:1">) {
  // expected-error @+1 {{'cute.block_reduce' op the threads of a block reduce numbers, not vectors}}
  %0 = cute.block_reduce<"add"> (%x, %b)
  return
}

// -----

func.func @space(%x: f32, %b: !cute.tensor<f32, gmem, align<4>, "4:1">) {
  // expected-error @+1 {{'cute.block_reduce' op the buffer lies in smem, not !cute.tensor<f32, gmem}}
  %0 = cute.block_reduce<"add"> (%x, %b)
  return
}

// -----

func.func @element(%x: f32, %b: !cute.tensor<f16, smem, align<4>, "4:1">) {
  // expected-error @+1 {{'cute.block_reduce' op the buffer has elements of the value's type, not}}
  %0 = cute.block_reduce<"add"> (%x, %b)
  return
}

// -----

func.func @shared(%x: f32, %b: !cute.tensor<f32, smem, align<4>, "4:0">) {
  // expected-error @+1 {{'cute.block_reduce' op the buffer has a static layout with an element of its own for each warp, not}}
  %0 = cute.block_reduce<"add"> (%x, %b)
  return
}

// -----

gpu.module @m {
  gpu.func @block(%x: f32) kernel {
    %b = cute.alloc_smem<f32, 4> (4:1)
    // expected-error @+1 {{'cute.block_reduce' op the threads of the block must be known, a multiple of 32: give the kernel the attribute known_block_size = array<i32: 128, 1, 1>}}
    %0 = cute.block_reduce<"add"> (%x, %b)
    cute.print_value(%0) : f32
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @warps(%x: f32) kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    %b = cute.alloc_smem<f32, 4> (4:1)
    // expected-error @+1 {{'cute.block_reduce' op the buffer has 4 elements, but the block has 8 warps}}
    %0 = cute.block_reduce<"add"> (%x, %b)
    cute.print_value(%0) : f32
    gpu.return
  }
}
