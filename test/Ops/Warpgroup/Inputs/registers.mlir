gpu.module @m {
  gpu.func @k() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    cute.set_registers<"decrease", 40>
    nvvm.setmaxregister increase 64
    gpu.return
  }
}
