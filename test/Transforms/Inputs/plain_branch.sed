# Puts what blocks of examples/gemm_plain.mlir do below a branch.
/Shared memory for one tile of A and of B/i\
    %sum = %bm + %bn\
    %even = %sum \& 1\
    if %even == 0 {
s/gpu.return/}\n    &/
