s/%sT = \(cute.alloc_smem<f16, 128>\).*/%sT3 = \1 (($BM,$BK,2):($BK,1,${BM*BK}))\n    %sT = cute.slice(%sT3, (_,_,0))/
