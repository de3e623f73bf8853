// cute-to-nvvm alone takes calls of atoms only.
// RUN: cute-opt %s --cute-to-nvvm --split-input-file --verify-diagnostics

gpu.module @copy {
  gpu.func @kernel(%t: !cute.tensor<f32, gmem, align<4>, "4:1">) kernel {
    %l = cute.static : !cute.layout<"4:1">
    %f = cute.make_fragment<f32> (%l)
    %a = cute.static : !cute.copy_atom<"UniversalCopy<uint32_t>", f32>
    %c = cute.static : !cute.shape<"1">
    %z = cute.static : !cute.coord<"0">
    %t1 = cute.local_tile(%t, %c, %z)
    %f1 = cute.local_tile(%f, %c, %z)
    // expected-error @+1 {{must be expanded into atoms first (cute-expand-atoms)}}
    cute.copy(%a, %t1, %f1)
    gpu.return
  }
}
