// Each block says of how many blocks its cluster is, and which of them it is.
gpu.module @clusters {
  gpu.func @sizes(%Y: !cute.tensor<i32, gmem, align<16>, "8:1">) kernel
      attributes {known_block_size = array<i32: 1, 1, 1>, cute.grid = ["8"],
                  cute.fallback_cluster = array<i32: 2, 1, 1>,
                  cute.preferred_cluster = array<i32: 4, 1, 1>} {
    %block = cute.block_idx
    %rank = cute.block_rank_in_cluster
    %size = nvvm.read.ptx.sreg.cluster.nctaid.x : i32
    cute.store(10 * %size + %rank, %Y, %block)
    gpu.return
  }
}
