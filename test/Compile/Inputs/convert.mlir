// One thread converts 64 elements, which lie in another order in its registers, and
// a last one alone.
gpu.module @convert {
  gpu.func @f32_f8E4M3FN(%A: !cute.tensor<f32, gmem, align<16>, "65:1">, %B: !cute.tensor<f8E4M3FN, gmem, align<16>, "65:1">) kernel {
    %l = cute.static : !cute.layout<"(13,5):(5,1)">
    %m = cute.static : !cute.layout<"65:1">
    %a = cute.make_fragment<f32> (%l)
    %b = cute.make_fragment<f8E4M3FN> (%m)
    cute.autovec_copy(%A, %a)
    cute.convert(%a, %b)
    cute.autovec_copy(%b, %B)
    gpu.return
  }
  gpu.func @f32_f8E5M2(%A: !cute.tensor<f32, gmem, align<16>, "65:1">, %B: !cute.tensor<f8E5M2, gmem, align<16>, "65:1">) kernel {
    %l = cute.static : !cute.layout<"(13,5):(5,1)">
    %m = cute.static : !cute.layout<"65:1">
    %a = cute.make_fragment<f32> (%l)
    %b = cute.make_fragment<f8E5M2> (%m)
    cute.autovec_copy(%A, %a)
    cute.convert(%a, %b)
    cute.autovec_copy(%b, %B)
    gpu.return
  }
  gpu.func @f16_f8E4M3FN(%A: !cute.tensor<f16, gmem, align<16>, "65:1">, %B: !cute.tensor<f8E4M3FN, gmem, align<16>, "65:1">) kernel {
    %l = cute.static : !cute.layout<"(13,5):(5,1)">
    %m = cute.static : !cute.layout<"65:1">
    %a = cute.make_fragment<f16> (%l)
    %b = cute.make_fragment<f8E4M3FN> (%m)
    cute.autovec_copy(%A, %a)
    cute.convert(%a, %b)
    cute.autovec_copy(%b, %B)
    gpu.return
  }
  gpu.func @f16_f8E5M2(%A: !cute.tensor<f16, gmem, align<16>, "65:1">, %B: !cute.tensor<f8E5M2, gmem, align<16>, "65:1">) kernel {
    %l = cute.static : !cute.layout<"(13,5):(5,1)">
    %m = cute.static : !cute.layout<"65:1">
    %a = cute.make_fragment<f16> (%l)
    %b = cute.make_fragment<f8E5M2> (%m)
    cute.autovec_copy(%A, %a)
    cute.convert(%a, %b)
    cute.autovec_copy(%b, %B)
    gpu.return
  }
  gpu.func @f8E4M3FN_f32(%A: !cute.tensor<f8E4M3FN, gmem, align<16>, "65:1">, %B: !cute.tensor<f32, gmem, align<16>, "65:1">) kernel {
    %l = cute.static : !cute.layout<"(13,5):(5,1)">
    %m = cute.static : !cute.layout<"65:1">
    %a = cute.make_fragment<f8E4M3FN> (%l)
    %b = cute.make_fragment<f32> (%m)
    cute.autovec_copy(%A, %a)
    cute.convert(%a, %b)
    cute.autovec_copy(%b, %B)
    gpu.return
  }
  gpu.func @f8E5M2_f16(%A: !cute.tensor<f8E5M2, gmem, align<16>, "65:1">, %B: !cute.tensor<f16, gmem, align<16>, "65:1">) kernel {
    %l = cute.static : !cute.layout<"(13,5):(5,1)">
    %m = cute.static : !cute.layout<"65:1">
    %a = cute.make_fragment<f8E5M2> (%l)
    %b = cute.make_fragment<f16> (%m)
    cute.autovec_copy(%A, %a)
    cute.convert(%a, %b)
    cute.autovec_copy(%b, %B)
    gpu.return
  }
  gpu.func @f8E4M3FN_f8E5M2(%A: !cute.tensor<f8E4M3FN, gmem, align<16>, "65:1">, %B: !cute.tensor<f8E5M2, gmem, align<16>, "65:1">) kernel {
    %l = cute.static : !cute.layout<"(13,5):(5,1)">
    %m = cute.static : !cute.layout<"65:1">
    %a = cute.make_fragment<f8E4M3FN> (%l)
    %b = cute.make_fragment<f8E5M2> (%m)
    cute.autovec_copy(%A, %a)
    cute.convert(%a, %b)
    cute.autovec_copy(%b, %B)
    gpu.return
  }
  gpu.func @f8E5M2_f8E4M3FN(%A: !cute.tensor<f8E5M2, gmem, align<16>, "65:1">, %B: !cute.tensor<f8E4M3FN, gmem, align<16>, "65:1">) kernel {
    %l = cute.static : !cute.layout<"(13,5):(5,1)">
    %m = cute.static : !cute.layout<"65:1">
    %a = cute.make_fragment<f8E5M2> (%l)
    %b = cute.make_fragment<f8E4M3FN> (%m)
    cute.autovec_copy(%A, %a)
    cute.convert(%a, %b)
    cute.autovec_copy(%b, %B)
    gpu.return
  }
  gpu.func @f32_f16(%A: !cute.tensor<f32, gmem, align<16>, "65:1">, %B: !cute.tensor<f16, gmem, align<16>, "65:1">) kernel {
    %l = cute.static : !cute.layout<"(13,5):(5,1)">
    %m = cute.static : !cute.layout<"65:1">
    %a = cute.make_fragment<f32> (%l)
    %b = cute.make_fragment<f16> (%m)
    cute.autovec_copy(%A, %a)
    cute.convert(%a, %b)
    cute.autovec_copy(%b, %B)
    gpu.return
  }
  gpu.func @bf16_f16(%A: !cute.tensor<bf16, gmem, align<16>, "65:1">, %B: !cute.tensor<f16, gmem, align<16>, "65:1">) kernel {
    %l = cute.static : !cute.layout<"(13,5):(5,1)">
    %m = cute.static : !cute.layout<"65:1">
    %a = cute.make_fragment<bf16> (%l)
    %b = cute.make_fragment<f16> (%m)
    cute.autovec_copy(%A, %a)
    cute.convert(%a, %b)
    cute.autovec_copy(%b, %B)
    gpu.return
  }
  gpu.func @bf16_f8E4M3FN(%A: !cute.tensor<bf16, gmem, align<16>, "65:1">, %B: !cute.tensor<f8E4M3FN, gmem, align<16>, "65:1">) kernel {
    %l = cute.static : !cute.layout<"(13,5):(5,1)">
    %m = cute.static : !cute.layout<"65:1">
    %a = cute.make_fragment<bf16> (%l)
    %b = cute.make_fragment<f8E4M3FN> (%m)
    cute.autovec_copy(%A, %a)
    cute.convert(%a, %b)
    cute.autovec_copy(%b, %B)
    gpu.return
  }
}
