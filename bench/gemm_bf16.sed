# Makes a product of bf16 of examples/gemm_sm90.mlir.
s/tensor<f16/tensor<bf16/
s/alloc_smem<f16/alloc_smem<bf16/
s/_F32F16F16_/_F32BF16BF16_/
s/fragment_like<f16>/fragment_like<bf16>/
s/STSM_N", f16/STSM_N", bf16/
