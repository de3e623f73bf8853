s/.*cute.gemm(%mma_Q.*/gpu.barrier\ncute.copy(%r2s_S, %rdS_read, %sdS_write)\ngpu.barrier\n&/
