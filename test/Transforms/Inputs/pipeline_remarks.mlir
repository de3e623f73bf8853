!g = !cute.tensor<f16, gmem, align<16>, "(16,8,?):(8,1,128)">
!s = !cute.tensor<f16, smem, align<128>, "(16,8):(8,1)">
gpu.module @m {
  gpu.func @loop(%A: !g, %n: i32, %x: i32, %thread: i32, %out: !cute.tensor<f16, gmem, align<16>, "(8,1):(1,0)">, %c: i1, %m: memref<i32>, %table: !cute.tensor<i32, gmem, align<4>, "?:1">) kernel {
    %layout = cute.static : !cute.layout<"(16,8):(8,1)">
    %s = cute.alloc_smem<f16, 128> (%layout)
    %async = cute.static : !cute.copy_atom<"SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>", f16>
    %threads = cute.static : !cute.layout<"(16,1):(1,0)">
    %values = cute.static : !cute.layout<"(1,8):(0,1)">
    %g2s = cute.make_tiled_copy(%async, %threads, %values)
    %gA = cute.partition_s(%g2s, %A, %thread)
    %write = cute.partition_d(%g2s, %s, %thread)
    %vector = cute.static : !cute.copy_atom<"UniversalCopy<uint128_t>", f16>
    %s2r = cute.make_tiled_copy(%vector, %threads, %values)
    %read = cute.partition_s(%s2r, %s, %thread)
    %r = cute.make_fragment_like(%read)
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
