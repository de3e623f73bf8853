# Makes a product of i8, with sums in i32, of examples/gemm_tf32_sm90.mlir: 128 of K are
# 128 bytes.
/^!operand/s/div=4/div=16/
/%rows = /s/S<3,2,3> o 0 o (8,32):(32,1)/S<3,4,3> o 0 o (8,128):(128,1)/
s/(128,32)/(128,128)/
s/(256,32)/(256,128)/
s/(128,32,4)/(128,128,4)/
s/(256,32,4)/(256,128,4)/
/%step_K = /s/32 : i32/128 : i32/
/%step_K_1 = /s/31 : i32/127 : i32/
s/x8_F32TF32TF32_/x32_S32S8S8_/
s/<tf32/<i8/
s/<f32/<i32/
s/, f32>/, i32>/
