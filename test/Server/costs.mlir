// Hints of costs: bank conflicts at the end of a line that accesses shared memory, the worst
// of its ops; the registers that each fragment takes, and the most that a kernel's take at a time.
//
// RUN: %python %S/client.py %s | FileCheck %s
// RUN: sed 's/cute.layout<"(32,32):(32,1)">/cute.composed_layout<"S<5,0,5> o 0 o (32,32):(32,1)">/' %s > %t.mlir
// RUN: %python %S/client.py %t.mlir | FileCheck %s --check-prefix=SWIZZLED

gpu.module @kernels {
// ^ hints 30
// CHECK: hints
// CHECK: 25:7: f32
// CHECK: :7: tensor<f16, rmem, {{.*}}, 5 registers
// CHECK: :7: tensor<i1, rmem, align<16>, "8:1">{{$}}
// CHECK: :9: tensor<f16, rmem, {{.*}}, 2 registers
// CHECK: 20:85fragments: 5 of 255 registers
// CHECK: 26:3632-way bank conflicts
// CHECK: 27:36no bank conflicts
// CHECK: 28:6832-way bank conflicts
// SWIZZLED: 26:36no bank conflicts
  gpu.func @columns(%A: !cute.tensor<f32, gmem, align<16>, "(32,32):(32,1)">) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %thread = cute.thread_idx
    %layout = cute.static : !cute.layout<"(32,32):(32,1)">
    %s = cute.alloc_smem<f32, 128> (%layout)
    %x = cute.load(%A, (%thread,0))
    cute.store(%x, %s, (%thread,0))
    cute.store(%x, %s, (0,%thread))
    cute.store(%x, %s, (0,%thread)) cute.store(%x, %s, (%thread,1))
    %r = cute.make_fragment<f16> ((3,3):(1,3))
    %p = cute.make_fragment<i1> (8:1)
    %row = %r[0,_]
    cute.fill(%r, 1.0)
    gpu.return
  }
}
