// Where the tensor map of an atom comes from, and how it gets to a copy.
// RUN: cute-opt %s --split-input-file --verify-diagnostics --cute-lower

!a = !cute.tensor<f16, gmem, align<16>, "(?,?):(?{i64 div=8},1)">

gpu.module @m {
  gpu.func @device(%A: !a) {
    %l = cute.static : !cute.composed_layout<"S<3,3,3> o 0 o (128,64):(64,1)">
    %tile = cute.static : !cute.shape<"(128,64)">
    // expected-error @+1 {{makes a parameter of the kernel, and must be in one}}
    %tma, %mA = cute.make_tma_atom<"SM90_TMA_LOAD"> (%A, %l, %tile)
    gpu.return
  }
}

// -----

!a = !cute.tensor<f16, gmem, align<16>, "(?,?):(?{i64 div=8},1)">

gpu.module @m {
  gpu.func @part(%A: !a, %c: !cute.coord<"(0,0)">) kernel {
    %l = cute.static : !cute.composed_layout<"S<3,3,3> o 0 o (128,64):(64,1)">
    %tile = cute.static : !cute.shape<"(128,64)">
    %gA = cute.local_tile(%A, %tile, %c)
    %tma, %mA = cute.make_tma_atom<"SM90_TMA_LOAD"> (%gA, %l, %tile)
    // expected-error @+1 {{the atom has no tensor map: the launcher makes that of a parameter of the kernel}}
    cute.prefetch_descriptor(%tma)
    gpu.return
  }
}

// -----

!a = !cute.tensor<f16, gmem, align<16>, "(?,?):(?{i64 div=8},1)">

gpu.module @m {
  gpu.func @without_barrier(%A: !a, %c: !cute.coord<"(0,0)">) kernel {
    %l = cute.static : !cute.composed_layout<"S<3,3,3> o 0 o (128,64):(64,1)">
    %tile = cute.static : !cute.shape<"(128,64)">
    %tma, %mA = cute.make_tma_atom<"SM90_TMA_LOAD"> (%A, %l, %tile)
    %sA = cute.alloc_smem<f16, 1024> (%l)
    %gA = cute.local_tile(%mA, %tile, %c)
    %sA1 = cute.group_modes<0, 2> (%sA)
    %gA1 = cute.group_modes<0, 2> (%gA)
    %tAsA, %tAgA = cute.tma_partition(%tma, %sA1, %gA1)
    // expected-error @+1 {{a copy by SM90_TMA_LOAD needs a barrier: give it the result of cute.with_barrier(atom, barrier)}}
    cute.copy(%tma, %tAgA, %tAsA)
    gpu.return
  }
}

// -----

!a = !cute.tensor<f16, gmem, align<16>, "(?,?):(?{i64 div=8},1)">

gpu.module @m {
  gpu.func @chosen(%A: !a, %B: !a, %first: i1) kernel {
    %l = cute.static : !cute.composed_layout<"S<3,3,3> o 0 o (128,64):(64,1)">
    %tile = cute.static : !cute.shape<"(128,64)">
    %a, %mA = cute.make_tma_atom<"SM90_TMA_LOAD"> (%A, %l, %tile)
    %b, %mB = cute.make_tma_atom<"SM90_TMA_LOAD"> (%B, %l, %tile)
    %tma = arith.select %first, %a, %b : !cute.tma_atom<"SM90_TMA_LOAD", f16, "S<3,4,3>", "(64,128):(1@1,1@0)", "((64,128),1):((128,1),128)">
    // expected-error @+1 {{the atom has no tensor map: the launcher makes that of a parameter of the kernel, and only for the atom itself, not through branches, loops and calls; others need cute.with_tensor_map}}
    cute.prefetch_descriptor(%tma)
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @bulk(%g: !cute.tensor<f16, gmem, align<16>, "256:1">) kernel {
    %all = cute.static : !cute.layout<"256:1">
    %s = cute.alloc_smem<f16, 16> (%all)
    %c = cute.static : !cute.copy_atom<"SM90_BULK_COPY_G2S", f16>
    // expected-error @+1 {{a copy by SM90_BULK_COPY_G2S needs a barrier: give it the result of cute.with_barrier(atom, barrier)}}
    cute.copy(%c, %g, %s)
    gpu.return
  }
}
