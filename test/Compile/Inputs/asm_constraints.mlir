// Constraints that are right: tied, of structs, early, clobbers, dollars, predicates.
gpu.module @m {
  gpu.func @k(%p: !llvm.ptr<1>, %a: i32, %b: i64, %h: vector<2xf16>) kernel {
    %0 = llvm.inline_asm has_side_effects "add.u32 $0, $0, 1;", "=r,0,~{memory}" %a : (i32) -> i32
    llvm.store %0, %p : i32, !llvm.ptr<1>
    %1 = llvm.inline_asm has_side_effects "mov.b64 $0, $1; // $$9", "=&l, l" %b : (i64) -> i64
    llvm.store %1, %p : i64, !llvm.ptr<1>
    %2 = llvm.inline_asm has_side_effects "setp.eq.u32 $0, $1, 1;", "=b,r" %a : (i32) -> i1
    %3 = llvm.inline_asm has_side_effects "mov.b32 $0, ${2}; mov.b32 $1, $2;", "=r,=r,r" %h : (vector<2xf16>) -> !llvm.struct<(i32, i32)>
    // A short integer in a wider register.
    %short = llvm.inline_asm has_side_effects "add.u32 $0, $1, $1;", "=r,r" %2 : (i1) -> i1
    // Addresses in shared memory: instructions take 32 bits of them.
    %low = llvm.inline_asm has_side_effects "mapa.shared::cluster.u32 $0, $1, 0;", "=r,r" %b : (i64) -> i32
    %shared = llvm.inttoptr %low : i32 to !llvm.ptr<3>
    llvm.inline_asm has_side_effects "st.shared.b32 [$0], 0;", "r" %shared : (!llvm.ptr<3>) -> ()
    %4 = llvm.extractvalue %3[1] : !llvm.struct<(i32, i32)>
    %5 = arith.select %short, %4, %0 : i32
    llvm.store %5, %p : i32, !llvm.ptr<1>
    llvm.inline_asm has_side_effects "membar.gl;", "~{memory}" : () -> ()
    gpu.return
  }
}
