// Pairs of small floats are stored as the words that instructions make of them: no byte is taken out
// of one and put into another.
// RUN: cutec %s --arch=sm_90a --no-manifest -o - | FileCheck %s
// CHECK-LABEL: .entry whole(
// CHECK-COUNT-8: cvt.rn.satfinite.e4m3x2.f32
// CHECK-NOT: {{prmt|shr|shl|bfe}}
// CHECK: st.global.v4.b32
// CHECK-NOT: {{prmt|shr|shl|bfe}}
// CHECK: ret
gpu.module @m {
  gpu.func @whole(%a: !cute.tensor<f32, gmem, align<16>, "16:1">, %b: !cute.tensor<f8E4M3FN, gmem, align<16>, "16:1">) kernel {
    %v = cute.load_vector(%a)
    %w = arith.truncf %v : vector<16xf32> to vector<16xf8E4M3FN>
    cute.store_vector(%w, %b)
    gpu.return
  }

  // A store of a part under a condition.
  // CHECK-LABEL: .entry parts(
  // CHECK-COUNT-16: cvt.rn.satfinite.e4m3x2.f32
  // CHECK-NOT: {{prmt|bfe}}
  // CHECK: st.global.v2.b32
  // CHECK-NOT: {{prmt|bfe}}
  // CHECK: ret
  gpu.func @parts(%a: !cute.tensor<f32, gmem, align<16>, "32:1">, %b: !cute.tensor<f8E4M3FN, gmem, align<8>, "(8,4):(1,?{div=8})">, %n: !cute.shape<"(?)">) kernel {
    %id = cute.static : !cute.coord_tensor<"(0)", "4:8@0">
    %p = cute.make_predicate(%id, %n)
    %v = cute.load_vector(%a)
    %w = arith.truncf %v : vector<32xf32> to vector<32xf8E4M3FN>
    cute.store_vector(%w, %b, %p)
    gpu.return
  }
}
