// Two kernels and the function that launches them: Y[i] = X[i] / sum over j of X[j].
//
//   cute-run examples/normalize_host.mlir --host=normalize --device=sim \
//       'f32[1000]:scales(1)' 'f32[1]:poison' 'f32[1000]:poison' \
//       --check 'C[i] = A[i] / sum[j](A[j])'
//
// A file with host functions is one module that says so, gpu.container_module. The
// function computes with layouts as kernels do, here the number of blocks; a launch
// names the kernel, the blocks, the threads, and operands with their types. Launches
// run one after the other. The memory for the sum is an argument: hosts allocate none.

!vector = !cute.tensor<f32, gmem, align<4>, "?:1">
!one = !cute.tensor<f32, gmem, align<4>, "1:0">

module attributes {gpu.container_module} {
  gpu.module @kernels {
    // One block: each thread adds every 256th element, then all add up.
    gpu.func @sum(%X: !vector, %total: !one) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %thread = cute.thread_idx
      %mine = for %i in %thread..cute.size(%X) step 256 carry(%sum = 0.0 : f32) {
        yield %sum + %X[%i]
      }
      %warps = cute.alloc_smem<f32, 16> (8:1)
      %all = cute.block_reduce<"add"> (%mine, %warps)
      if %thread == 0 {
        %total[0] = %all
      }
      gpu.return
    }

    gpu.func @divide(%X: !vector, %total: !one, %Y: !vector) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %thread = cute.thread_idx
      %i = cute.block_idx * 256 + %thread
      if %i <s cute.size(%X) {
        %Y[%i] = %X[%i] / %total[0]
      }
      gpu.return
    }
  }

  func.func @normalize(%X: !vector, %total: !one, %Y: !vector) {
    gpu.launch_func @kernels::@sum
        blocks in (1, 1, 1) threads in (256, 1, 1)
        args(%X : !vector, %total : !one)
    gpu.launch_func @kernels::@divide
        blocks in (index(cute.ceil_div(cute.size(%X), 256)), 1, 1) threads in (256, 1, 1)
        args(%X : !vector, %total : !one, %Y : !vector)
    return
  }
}
