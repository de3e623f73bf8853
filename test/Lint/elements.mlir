// Copies by atoms between elements of other types: an atom moves bits. Of another width
// they are rejected, test/Ops/Copy/invalid.mlir; and so are elements that an MMA does not
// multiply, test/Ops/Mma/invalid.mlir.
// RUN: cute-opt %s --cute-lint 2>&1 >/dev/null | FileCheck %s --implicit-check-not=warning: --implicit-check-not=remark: --implicit-check-not=error:

!vector = !cute.copy_atom<"UniversalCopy<uint128_t>", f16>
!words = !cute.copy_atom<"UniversalCopy<uint128_t>", f32>

gpu.module @m {
  // CHECK: elements.mlir:[[@LINE+7]]:5: warning: 'cute.copy' op copies the bits of bf16 elements to f16 elements, which changes the numbers
  // CHECK: note: cute.convert converts values; to reinterpret their bits, apply cute.recast_tensor to one side
  gpu.func @halves(%A: !cute.tensor<bf16, gmem, align<16>, "8:1">) kernel
      attributes {known_block_size = array<i32: 1, 1, 1>} {
    %atom = cute.static : !vector
    %layout = cute.static : !cute.layout<"8:1">
    %r = cute.make_fragment<f16> (%layout)
    cute.copy(%atom, %A, %r)
    gpu.return
  }

  // CHECK: elements.mlir:[[@LINE+8]]:5: warning: 'cute.copy' op copies the bits of f32 elements to i32 elements, which changes the numbers
  // CHECK: note: cute.convert
  gpu.func @integers(%A: !cute.tensor<i32, gmem, align<16>, "4:1">) kernel
      attributes {known_block_size = array<i32: 1, 1, 1>} {
    %atom = cute.static : !words
    %layout = cute.static : !cute.layout<"4:1">
    %r = cute.make_fragment<f32> (%layout)
    cute.clear(%r)
    cute.copy(%atom, %r, %A)
    gpu.return
  }

  // The atom's own type says its width only; signs of integers are the reader's, and
  // tensor cores read f32 as tf32. Bits that are meant are recast.
  gpu.func @same(%A: !cute.tensor<bf16, gmem, align<16>, "8:1">,
                 %B: !cute.tensor<ui32, gmem, align<16>, "4:1">,
                 %C: !cute.tensor<f32, gmem, align<16>, "4:1">) kernel
      attributes {known_block_size = array<i32: 1, 1, 1>} {
    %vector = cute.static : !vector
    %words = cute.static : !words
    %eight = cute.static : !cute.layout<"8:1">
    %four = cute.static : !cute.layout<"4:1">
    %a = cute.make_fragment<bf16> (%eight)
    %b = cute.make_fragment<i32> (%four)
    %c = cute.make_fragment<tf32> (%four)
    %bits = cute.make_fragment<f32> (%four)
    %as_integers = cute.recast_tensor<ui32> (%bits)
    cute.copy(%vector, %A, %a)
    cute.copy(%words, %B, %b)
    cute.copy(%words, %C, %c)
    cute.copy(%words, %B, %as_integers)
    gpu.return
  }
}
