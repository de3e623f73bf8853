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
    %identity = cute.make_identity_tensor(%shape)
    %tile = cute.static : !cute.shape<"(8,256)">
    %at = cute.make_coord(%block) : (i32) -> !cute.coord<"(?,_)">
    %gA = cute.local_tile(%A, %tile, %at)
    %gB = cute.local_tile(%B, %tile, %at)
    %cA = cute.local_tile(%identity, %tile, %at)

    // 8 warps of 32 lanes, each lane with 8 neighbours of a row: 16 bytes.
    %vector = cute.static : !cute.copy_atom<"UniversalCopy<uint128_t>", f16>
    %threads = cute.static : !cute.layout<"(8,32):(32,1)">
    %values = cute.static : !cute.layout<"(1,8):(0,1)">
    %copy = cute.make_tiled_copy(%vector, %threads, %values)
    %tA = cute.partition_s(%copy, %gA, %thread)
    %tB = cute.partition_d(%copy, %gB, %thread)
    %tC = cute.partition_s(%copy, %cA, %thread)

    %M, %N, %pitch = cute.get_scalars<{only_dynamic}> (%A_layout)
    %tiles = %N ceildivu 256
    %zero = 0.0 : f32
    // Less than y can be, but finite: infinity less infinity is no number.
    %least = -1.0e30 : f32
    %m_lane, %s_lane = for %k in 0..%tiles carry(%m1 = %least, %s1 = %zero) {
      %tile_k = cute.make_coord(%k) : (i32) -> !cute.coord<"(_,_,_,?)">
      %first_k = cute.make_coord(%k) : (i32) -> !cute.coord<"(0,_,_,?)">
      %tA_k = cute.slice(%tA, %tile_k)
      %tC_k = cute.slice(%tC, %first_k)
      %p = cute.make_predicate(%tC_k, %shape)
      // What does not exist is -inf, which changes neither m nor s.
      %h = cute.load_vector<"-inf">(%tA_k, %p)
      %f = f32(%h)
      %y = %f * 1.44269504
      %m2 = cute.reduce_vector<"max", "0"> (%y, %m1)
      %e = math.exp2<afn>(%y - %m2)
      %grown = %m1 - %m2
      %scale = math.exp2<afn>(%grown)
      %s2 = cute.reduce_vector<"add", "0"> (%e, %s1 * %scale)
      yield %m2, %s2
    }

    %m = gpu.subgroup_reduce maximumf %m_lane : (f32) -> f32
    %grown = %m_lane - %m
    %scale = math.exp2<afn>(%grown)
    %s_scaled = %s_lane * %scale
    %s = gpu.subgroup_reduce add %s_scaled : (f32) -> f32

    // 2^(y - m) / s is 2^(y - (m + log2(s))).
    %log2s = math.log2<afn>(%s)
    %both = %m + %log2s
    %boths = %both : vector<8xf32>
    for %k in 0..%tiles {
      %tile_k = cute.make_coord(%k) : (i32) -> !cute.coord<"(_,_,_,?)">
      %first_k = cute.make_coord(%k) : (i32) -> !cute.coord<"(0,_,_,?)">
      %tA_k = cute.slice(%tA, %tile_k)
      %tB_k = cute.slice(%tB, %tile_k)
      %tC_k = cute.slice(%tC, %first_k)
      %p = cute.make_predicate(%tC_k, %shape)
      %h = cute.load_vector(%tA_k, %p)
      %f = f32(%h)
      %y = %f * 1.44269504
      %e = math.exp2<afn>(%y - %boths)
      cute.store_vector(f16(%e), %tB_k, %p)
    }
    gpu.return
  }
}
