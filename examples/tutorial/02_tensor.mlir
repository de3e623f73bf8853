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
    %x = gpu.block_id x
    %block = arith.index_cast %x : index to i32
    %t = gpu.thread_id x
    %thread = arith.index_cast %t : index to i32
    %c256 = arith.constant 256 : i32
    %first = arith.muli %block, %c256 : i32
    %i = arith.addi %first, %thread : i32

    %at = cute.make_coord(%i) : (i32) -> !cute.coord<"?">
    %shape = cute.get_shape(%C) : !vector -> !cute.shape<"?">
    %exists = cute.elem_less(%at, %shape)
    scf.if %exists {
      %a = cute.load(%A, %at)
      %b = cute.load(%B, %at)
      %c = arith.addf %a, %b : f32
      cute.store(%c, %C, %at)
    }
    gpu.return
  }
}
