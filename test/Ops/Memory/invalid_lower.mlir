// What element access rejects when it is lowered.
// RUN: cute-opt %s --cute-lower --split-input-file --verify-diagnostics

gpu.module @integers {
  gpu.func @kernel() kernel {
    %l = cute.static : !cute.layout<"4:1">
    %f = cute.make_fragment<f32> (%l)
    %g = cute.make_fragment<i32> (%l)
    cute.clear(%f)
    // expected-error @+1 {{no conversion from f32 to i32}}
    cute.convert(%f, %g)
    gpu.return
  }
}
