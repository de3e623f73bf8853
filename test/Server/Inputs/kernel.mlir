// A wrong op, and a layout.
gpu.module @kernels {
  gpu.func @copy(%A: !cute.tensor<f16, gmem, align<16>, "(2,2):(2,1)">) kernel {
    %l = cute.get_layout(%A)
    %r = cute.coalesce  (%l)
    cute.siz(%l)
    gpu.return
  }
}
