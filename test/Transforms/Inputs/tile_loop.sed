# Makes examples/gemm_plain.mlir a kernel whose blocks take tiles in turns.
/%bm = cute.block_idx/d
s/%bn = cute.block_idx<"y">/%block = cute.block_idx %blocks = cute.grid_dim/
/cute.clear(%rC)/d
s/"ceil_div(arg2.shape\[0\], $BM)",/"3"]} {/
/"ceil_div(arg2.shape\[1\], $BN)"/d
/for %k in /i\
    %B_layout = cute.get_layout(%B)\
    %N, %K_B, %ldb = cute.get_scalars<{only_dynamic}> (%B_layout)\
    %rows = %M ceildivu $BM\
    %columns = %N ceildivu $BN\
    %tiles = %rows * %columns\
    for %tile in %block..%tiles step %blocks {\
    %bm = %tile modu %rows\
    %bn = %tile /u %rows\
    cute.clear(%rC)
s/gpu.return/gpu.barrier }\n    &/
