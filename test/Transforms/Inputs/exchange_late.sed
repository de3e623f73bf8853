/%sA = cute.alloc_smem/a\
    %sT = cute.alloc_smem<f16, 128> (($BM,$BK):($BK,1))\
    %again = cute.make_tiled_copy(!vector, (16,8):(8,1), (1,8):(0,1))\
    %sA_s = cute.partition_s(%again, %sA, %thread)\
    %sT_d = cute.partition_d(%again, %sT, %thread)\
    %rT = cute.make_fragment_like(%sA_s)
s/%sA_read = .*/%sA_read = cute.partition_s(%s2r_A, %sT, %thread)/
/cute.gemm(/a\
      gpu.barrier\
      cute.copy(%again, %sA_s, %rT)\
      cute.copy(%again, %rT, %sT_d)
/cute.copy(%s2r_A, /d
/for %k in/a\
      cute.copy(%s2r_A, %sA_read, %rA_write)
