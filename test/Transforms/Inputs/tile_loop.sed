# Makes examples/gemm_plain.mlir a kernel whose blocks take tiles in turns.
/%bm = cute.block_idx/d
s/%bn = cute.block_idx<"y">/%block = cute.block_idx %blocks = cute.grid_dim/
/cute.clear(%rC)/d
s/"ceil_div(arg2.shape\[0\], $BM)",/"3"]} {/
/"ceil_div(arg2.shape\[1\], $BN)"/d
/scf.for %k = /i\
    %bM = arith.constant $BM : i32\
    %bN = arith.constant $BN : i32\
    %B_layout = cute.get_layout(%B)\
    %N, %K_B, %ldb = cute.get_scalars<{only_dynamic}> (%B_layout)\
    %rows = arith.ceildivui %M, %bM : i32\
    %columns = arith.ceildivui %N, %bN : i32\
    %tiles = arith.muli %rows, %columns : i32\
    scf.for %tile = %block to %tiles step %blocks : i32 {\
    %bm = arith.remui %tile, %rows : i32\
    %bn = arith.divui %tile, %rows : i32\
    cute.clear(%rC)
s/gpu.return/gpu.barrier }\n    &/
