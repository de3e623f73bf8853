// Elements are converted in pairs where there are instructions for that. The
// first element is the last operand, and in the low half.
// RUN: cutec %s --arch=sm_89 -o - | FileCheck %s --implicit-check-not=cvt.rn --implicit-check-not=cvt.f

gpu.module @pairs {
  // CHECK-LABEL: .entry half(
  // CHECK: ld.global.v4.b32 {%[[A:r[0-9]+]], %[[B:r[0-9]+]], %[[C:r[0-9]+]], %[[D:r[0-9]+]]}
  // CHECK-DAG: cvt.rn.f16x2.f32 %[[CD:r[0-9]+]], %[[D]], %[[C]];
  // CHECK-DAG: cvt.rn.f16x2.f32 %[[AB:r[0-9]+]], %[[B]], %[[A]];
  // CHECK: st.global.v2.b32 [%{{rd[0-9]+}}], {%[[AB]], %[[CD]]};
  gpu.func @half(%A: !cute.tensor<f32, gmem, align<16>, "4:1">, %O: !cute.tensor<f16, gmem, align<16>, "4:1">) kernel {
    %l = cute.static : !cute.layout<"4:1">
    %a = cute.make_fragment<f32> (%l)
    %o = cute.make_fragment<f16> (%l)
    cute.autovec_copy(%A, %a)
    cute.convert(%a, %o)
    cute.autovec_copy(%o, %O)
    gpu.return
  }

  // CHECK-LABEL: .entry bfloat(
  // CHECK: ld.global.v4.b32 {%[[A:r[0-9]+]], %[[B:r[0-9]+]], %[[C:r[0-9]+]], %[[D:r[0-9]+]]}
  // CHECK-DAG: cvt.rn.bf16x2.f32 %[[CD:r[0-9]+]], %[[D]], %[[C]];
  // CHECK-DAG: cvt.rn.bf16x2.f32 %[[AB:r[0-9]+]], %[[B]], %[[A]];
  // CHECK: st.global.v2.b32 [%{{rd[0-9]+}}], {%[[AB]], %[[CD]]};
  gpu.func @bfloat(%A: !cute.tensor<f32, gmem, align<16>, "4:1">, %O: !cute.tensor<bf16, gmem, align<16>, "4:1">) kernel {
    %l = cute.static : !cute.layout<"4:1">
    %a = cute.make_fragment<f32> (%l)
    %o = cute.make_fragment<bf16> (%l)
    cute.autovec_copy(%A, %a)
    cute.convert(%a, %o)
    cute.autovec_copy(%o, %O)
    gpu.return
  }

  // CHECK-LABEL: .entry eight(
  // CHECK: ld.global.v4.b32 {%[[A:r[0-9]+]], %[[B:r[0-9]+]], %[[C:r[0-9]+]], %[[D:r[0-9]+]]}
  // CHECK-DAG: cvt.rn.satfinite.e4m3x2.f32 %[[AB:rs[0-9]+]], %[[B]], %[[A]];
  // CHECK-DAG: cvt.rn.satfinite.e4m3x2.f32 %[[CD:rs[0-9]+]], %[[D]], %[[C]];
  // CHECK: st.global.v2.b16 [%{{rd[0-9]+}}], {%[[AB]], %[[CD]]};
  gpu.func @eight(%A: !cute.tensor<f32, gmem, align<16>, "4:1">, %O: !cute.tensor<f8E4M3FN, gmem, align<16>, "4:1">) kernel {
    %l = cute.static : !cute.layout<"4:1">
    %a = cute.make_fragment<f32> (%l)
    %o = cute.make_fragment<f8E4M3FN> (%l)
    cute.autovec_copy(%A, %a)
    cute.convert(%a, %o)
    cute.autovec_copy(%o, %O)
    gpu.return
  }

  // To and from f16 there is no way through f32; the other way round of 8 bits
  // is through f16.
  // CHECK-LABEL: .entry narrow(
  // CHECK: ld.global.b32 %[[AB:r[0-9]+]]
  // CHECK-DAG: cvt.rn.satfinite.e5m2x2.f16x2 %[[E:rs[0-9]+]], %[[AB]];
  // CHECK-DAG: cvt.rn.f16x2.e5m2x2 %[[H:r[0-9]+]], %[[E]];
  // CHECK-DAG: cvt.rn.satfinite.e4m3x2.f16x2 %[[F:rs[0-9]+]], %[[H]];
  // CHECK-DAG: cvt.rn.f16x2.e4m3x2 %[[G:r[0-9]+]], %[[F]];
  // CHECK: st.global.b32 [%{{rd[0-9]+}}], %[[G]];
  gpu.func @narrow(%A: !cute.tensor<f16, gmem, align<16>, "2:1">) kernel {
    %l = cute.static : !cute.layout<"2:1">
    %a = cute.make_fragment<f16> (%l)
    %e = cute.make_fragment<f8E5M2> (%l)
    %f = cute.make_fragment<f8E4M3FN> (%l)
    cute.autovec_copy(%A, %a)
    cute.convert(%a, %e)
    cute.convert(%e, %f)
    cute.convert(%f, %a)
    cute.autovec_copy(%a, %A)
    gpu.return
  }

  // Pairs go by the elements' numbers, however they lie; the last of an odd number
  // has no other.
  // CHECK-LABEL: .entry strided(
  // CHECK: ld.global.v4.b32 {%[[A:r[0-9]+]], %[[B:r[0-9]+]], %[[C:r[0-9]+]], %[[D:r[0-9]+]]}
  // CHECK-DAG: cvt.rn.satfinite.e4m3x2.f32 %{{rs[0-9]+}}, %[[B]], %[[A]];
  // CHECK-DAG: cvt.rn.satfinite.e4m3x2.f32 %{{rs[0-9]+}}, %[[D]], %[[C]];
  // CHECK-COUNT-2: cvt.rn.satfinite.e4m3x2.f32
  // CHECK: mov.b32 %[[ZERO:r[0-9]+]], {{0f00000000|0}};
  // CHECK-DAG: cvt.rn.satfinite.e4m3x2.f32 %{{rs[0-9]+}}, %[[ZERO]], %{{r[0-9]+}};
  gpu.func @strided(%A: !cute.tensor<f32, gmem, align<16>, "9:1">, %O: !cute.tensor<f8E4M3FN, gmem, align<16>, "9:1">) kernel {
    %l = cute.static : !cute.layout<"(3,3):(3,1)">
    %m = cute.static : !cute.layout<"(3,3):(1,3)">
    %a = cute.make_fragment<f32> (%l)
    %o = cute.make_fragment<f8E4M3FN> (%m)
    cute.autovec_copy(%A, %a)
    cute.convert(%a, %o)
    cute.autovec_copy(%o, %O)
    gpu.return
  }
}
