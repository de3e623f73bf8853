// tf32 lies in 32 bits, as an f32 with a shorter mantissa, and 8-bit floats in
// bytes: loads, stores, constants and conversions.
// RUN: cutec %s --arch=sm_89 -o - | FileCheck %s
// RUN: cutec %s --arch=sm_89 -O0 -o - | FileCheck %s --check-prefix=O0

gpu.module @small {
  // CHECK-LABEL: .entry move(
  // CHECK-DAG: ld.global.b32 %[[X:r[0-9]+]], [%[[A:rd[0-9]+]]+4];
  // CHECK-DAG: st.global.b32 [%[[A]]+8], %[[X]];
  // CHECK-DAG: ld.global.b8 %[[Y:rs[0-9]+]], [%[[F:rd[0-9]+]]+1];
  // CHECK-DAG: st.global.b8 [%[[F]]+2], %[[Y]];
  // CHECK-DAG: ld.global.b8 %[[Z:rs[0-9]+]], [%[[G:rd[0-9]+]]+1];
  // CHECK-DAG: and.b16 %[[Z6:rs[0-9]+]], %[[Z]], 63;
  // CHECK-DAG: st.global.b8 [%[[G]]+2], %[[Z6]];
  gpu.func @move(%A: !cute.tensor<tf32, gmem, align<16>, "4:1">, %F: !cute.tensor<f8E5M2, gmem, align<16>, "4:1">, %G: !cute.tensor<f6E3M2FN, gmem, align<16>, "4:1">) kernel {
    %one = cute.static : !cute.coord<"1">
    %two = cute.static : !cute.coord<"2">
    %x = cute.load(%A, %one)
    cute.store(%x, %A, %two) : tf32, !cute.tensor<tf32, gmem, align<16>, "4:1">, !cute.coord<"2">
    %y = cute.load(%F, %one)
    cute.store(%y, %F, %two) : f8E5M2, !cute.tensor<f8E5M2, gmem, align<16>, "4:1">, !cute.coord<"2">
    %z = cute.load(%G, %one)
    cute.store(%z, %G, %two) : f6E3M2FN, !cute.tensor<f6E3M2FN, gmem, align<16>, "4:1">, !cute.coord<"2">
    gpu.return
  }

  // 1.5 is 0x3fc00000 as tf32 (1069547520), and 0x3c as f8E4M3FN, four times 0x3c3c3c3c
  // (1010580540).
  // CHECK-LABEL: .entry constants(
  // CHECK-DAG: st.global.v4.b32 [%{{rd[0-9]+}}], {1069547520, 1069547520, 1069547520, 1069547520};
  // CHECK-DAG: st.global.b32 [%{{rd[0-9]+}}], 1010580540;
  gpu.func @constants(%A: !cute.tensor<tf32, gmem, align<16>, "4:1">, %F: !cute.tensor<f8E4M3FN, gmem, align<16>, "4:1">) kernel {
    %l = cute.static : !cute.layout<"4:1">
    %r = cute.make_fragment<tf32> (%l)
    %q = cute.make_fragment<f8E4M3FN> (%l)
    %x = arith.constant 1.5 : tf32
    %y = arith.constant 1.5 : f8E4M3FN
    cute.fill(%r, %x) : !cute.tensor<tf32, rmem, align<16>, "4:1">, tf32
    cute.fill(%q, %y) : !cute.tensor<f8E4M3FN, rmem, align<16>, "4:1">, f8E4M3FN
    %c = cute.static : !cute.copy_atom<"UniversalCopy<uint128_t>", tf32>
    %d = cute.static : !cute.copy_atom<"UniversalCopy<uint32_t>", f8E4M3FN>
    cute.copy(%c, %r, %A)
    cute.copy(%d, %q, %F)
    gpu.return
  }

  // CHECK-LABEL: .entry convert(
  // CHECK: ld.global.b32 %[[X:r[0-9]+]], [%{{rd[0-9]+}}];
  // CHECK: cvt.rna.tf32.f32 %[[T:r[0-9]+]], %[[X]];
  // CHECK: mov.b32 %[[ZERO:r[0-9]+]], {{0f00000000|0}};
  // CHECK: cvt.rn.satfinite.e4m3x2.f32 %[[E:rs[0-9]+]], %[[ZERO]], %[[X]];
  // CHECK: cvt.rn.f16x2.e4m3x2 %[[H:r[0-9]+]], %{{rs[0-9]+}};
  // CHECK: cvt.f32.f16 %[[Y:r[0-9]+]], %{{rs[0-9]+}};
  // CHECK: cvt.rn.satfinite.e5m2x2.f32 %{{rs[0-9]+}}, %[[ZERO]], %[[Y]];
  // CHECK: st.global.b32 [%{{rd[0-9]+}}], %[[T]];
  // O0-LABEL: .entry convert(
  // O0: cvt.rna.tf32.f32
  // O0: cvt.rn.satfinite.e5m2x2.f32
  gpu.func @convert(%A: !cute.tensor<f32, gmem, align<4>, "1:1">, %T: !cute.tensor<tf32, gmem, align<4>, "1:1">, %F: !cute.tensor<f8E5M2, gmem, align<4>, "1:1">) kernel {
    %l = cute.static : !cute.layout<"1:1">
    %a = cute.make_fragment<f32> (%l)
    %t = cute.make_fragment<tf32> (%l)
    %e = cute.make_fragment<f8E4M3FN> (%l)
    %f = cute.make_fragment<f8E5M2> (%l)
    %word = cute.static : !cute.copy_atom<"UniversalCopy<uint32_t>", f32>
    %byte = cute.static : !cute.copy_atom<"UniversalCopy<uint8_t>", f8E5M2>
    cute.copy(%word, %A, %a)
    cute.convert(%a, %t)
    cute.convert(%a, %e)
    cute.convert(%e, %f)
    cute.copy(%word, %t, %T)
    cute.copy(%byte, %f, %F)
    gpu.return
  }

  // A tf32 is an f32.
  // CHECK-LABEL: .entry widen(
  // CHECK: ld.global.b32 %[[X:r[0-9]+]], [%{{rd[0-9]+}}];
  // CHECK-NOT: cvt
  // CHECK: st.global.b32 [%{{rd[0-9]+}}], %[[X]];
  gpu.func @widen(%T: !cute.tensor<tf32, gmem, align<4>, "1:1">, %A: !cute.tensor<f32, gmem, align<4>, "1:1">) kernel {
    %l = cute.static : !cute.layout<"1:1">
    %a = cute.make_fragment<f32> (%l)
    %t = cute.make_fragment<tf32> (%l)
    %word = cute.static : !cute.copy_atom<"UniversalCopy<uint32_t>", f32>
    cute.copy(%word, %T, %t)
    cute.convert(%t, %a)
    cute.copy(%word, %a, %A)
    gpu.return
  }

  // An f64 is not rounded twice: what f32 cannot hold makes it odd.
  // CHECK-LABEL: .entry convert_wide(
  // CHECK: ld.global.b64 %[[D:rd[0-9]+]], [
  // CHECK: cvt.rz.f32.f64 %[[C:r[0-9]+]], %[[D]];
  // CHECK: cvt.f64.f32 %[[W:rd[0-9]+]], %[[C]];
  // CHECK: setp.ne.f64 %[[P:p[0-9]+]], %[[D]], %[[W]];
  // CHECK: selp.b32 %[[O:r[0-9]+]], 1, 0, %[[P]];
  // CHECK: or.b32 %[[R:r[0-9]+]], %[[O]], %[[C]];
  // CHECK: cvt.rn.satfinite.e4m3x2.f32 %{{rs[0-9]+}}, %{{r[0-9]+}}, %[[R]];
  gpu.func @convert_wide(%A: !cute.tensor<f64, gmem, align<8>, "1:1">, %F: !cute.tensor<f8E4M3FN, gmem, align<4>, "1:1">) kernel {
    %a = cute.make_fragment_like(%A)
    %f = cute.make_fragment_like(%F)
    cute.basic_copy(%A, %a)
    cute.convert(%a, %f)
    cute.basic_copy(%f, %F)
    gpu.return
  }
}
