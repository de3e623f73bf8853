// Step 2: a tensor is a pointer with a layout.
//
//   cutec examples/tutorial/02_tensor.mlir --arch=sm_80 -o 02_tensor.ptx
//
// C = A + B for vectors of any length, one element a thread, written as in CUDA:
// compute an index, compare it with the length, access the memory. What the type
// of a tensor has as `?`, here the length, is known when the kernel runs, and is a
// parameter of the kernel beside the pointer.

!vector = !cute.tensor<f32, gmem, align<4>, "?:1">

gpu.module @tutorial {
  gpu.func @tensor(%A: !vector, %B: !vector, %C: !vector) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>,
                  cute.grid = ["ceil_div(arg2.shape[0], 256)"]} {
    %block = cute.block_idx
    %thread = cute.thread_idx
    %i = %block * 256 + %thread

    %shape = cute.get_shape(%C)
    %exists = cute.elem_less(%i, %shape)
    if %exists {
      %a = cute.load(%A, %i)
      %b = cute.load(%B, %i)
      cute.store(%a + %b, %C, %i)
    }
    gpu.return
  }
}
