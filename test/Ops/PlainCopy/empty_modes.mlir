// A mode without elements of its own, (), has one coordinate and adds nothing to
// an index, in every access to all elements.
// RUN: cute-opt %s --cute-lower | FileCheck %s --implicit-check-not=cute.

// CHECK-LABEL: gpu.func @copies(
// CHECK: llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr<1> -> f32
// CHECK: llvm.getelementptr %{{.*}}[3]
// CHECK: vector.from_elements %{{.*}}, %{{.*}} : vector<2xf32>
// CHECK: scf.for
gpu.module @empty {
  gpu.func @copies(%t: !cute.tensor<f32, gmem, align<8>, "((),2):((),3)">, %u: !cute.tensor<f32, gmem, align<8>, "(2,()):(1,())">, %d: !cute.tensor<f32, gmem, align<8>, "(2,(),?):(1,(),2)">) kernel {
    %f = cute.make_fragment_like(%t)
    cute.clear(%f)
    cute.autovec_copy(%t, %f)
    %v = cute.load_vector(%f)
    cute.store_vector(%v, %u)
    cute.basic_copy(%d, %d)
    %a = cute.static : !cute.copy_atom<"UniversalCopy<uint32_t>", f32>
    cute.copy(%a, %f, %t)
    cute.print_tensor(%t)
    gpu.return
  }
}
