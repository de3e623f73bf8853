# Has examples/gemm_plain.mlir count its rounds by scf.while.
s/for %k in 0..%k_tiles {/%zero = 0 : i32\
    %end = scf.while (%k = %zero) : (i32) -> i32 {\
      %more = %k <s %k_tiles\
      scf.condition(%more) %k : i32\
    } do {\
    ^bb0(%k: i32):/
/cute.gemm(/{
n
s/gpu.barrier/&\
      %next = %k + 1\
      scf.yield %next : i32/
}
