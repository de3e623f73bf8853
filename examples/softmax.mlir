// Softmax of the rows of an f16 matrix, in f32: B[m,n] = e^A[m,n] / sum of e^A[m,k].
// The length of a row and the row pitches are multiples of 8.
//
//   cutec examples/softmax.mlir --arch=sm_80 -o softmax.ptx
//
// A warp has a row, a block of 8 warps a tile of 8 rows and 256 columns after the
// other. Each row is read twice. The first time a thread keeps, of the elements x that
// it has seen and with y = log2(e) x,
//
//   m   the largest y
//   s   the sum of 2^(y - m)
//
// so that no power overflows. Where a larger y turns up, s is scaled by
// 2^(old m - new m). The lanes of a warp then agree on m and add up their s. The second
// time each element becomes 2^(y - m) / s.
//
// `./dev kernel softmax` writes the fast form: rows of up to 16384 elements stay in
// registers and are read once.

!matrix = !cute.tensor<f16, gmem, align<16>, "(?,?{div=8}):(?{i64 div=8},1)">

gpu.module @softmax_module {
  gpu.func @softmax(%A: !matrix, %B: !matrix) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>,
                  cute.grid = ["ceil_div(arg0.shape[0], 8)"]} {
    %block = cute.block_idx
    %thread = cute.thread_idx

    // The block's tiles, all along a row, and the same tiles of coordinates, which say
    // what lies in the matrix.
    %A_layout = cute.get_layout(%A)
    %shape = cute.get_shape(%A_layout)
    %gA = cute.local_tile(%A, (8,256), (%block,_))
    %gB = cute.local_tile(%B, (8,256), (%block,_))
    %cA = cute.local_tile(cute.make_identity_tensor(%shape), (8,256), (%block,_))

    // 8 warps of 32 lanes, each lane with 8 neighbours of a row: 16 bytes.
    %vector = cute.static : !cute.copy_atom<"UniversalCopy<uint128_t>", f16>
    %copy = cute.make_tiled_copy(%vector, (8,32):(32,1), (1,8):(0,1))
    %tA = cute.partition_s(%copy, %gA, %thread)
    %tB = cute.partition_d(%copy, %gB, %thread)
    %tC = cute.partition_s(%copy, %cA, %thread)

    %M, %N, %pitch = cute.get_scalars<{only_dynamic}> (%A_layout)
    %tiles = %N ceildivu 256
    // Less than y can be, but finite: infinity less infinity is no number.
    %m_lane, %s_lane = for %k in 0..%tiles carry(%m1 = -1.0e30 : f32, %s1 = 0.0 : f32) {
      %p = cute.make_predicate(%tC[0,_,_,%k], %shape)
      // What does not exist is -inf, which changes neither m nor s.
      %y = f32(cute.load_vector<"-inf">(%tA[_,_,_,%k], %p)) * 1.44269504
      %m2 = cute.reduce_vector<"max", "0"> (%y, %m1)
      %e = math.exp2<afn>(%y - %m2)
      yield %m2, cute.reduce_vector<"add", "0">(%e, %s1 * math.exp2<afn>(%m1 - %m2))
    }

    %m = gpu.subgroup_reduce maximumf %m_lane : (f32) -> f32
    %s_scaled = %s_lane * math.exp2<afn>(%m_lane - %m)
    %s = gpu.subgroup_reduce add %s_scaled : (f32) -> f32

    // 2^(y - m) / s is 2^(y - (m + log2(s))).
    %boths = %m + math.log2<afn>(%s) : vector<8xf32>
    for %k in 0..%tiles {
      %tA_k = cute.slice(%tA, (_,_,_,%k))
      %tB_k = cute.slice(%tB, (_,_,_,%k))
      %tC_k = cute.slice(%tC, (0,_,_,%k))
      %p = cute.make_predicate(%tC_k, %shape)
      %e = math.exp2<afn>(f32(cute.load_vector(%tA_k, %p)) * 1.44269504 - %boths)
      cute.store_vector(f16(%e), %tB_k, %p)
    }
    gpu.return
  }
}
