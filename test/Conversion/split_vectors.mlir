// Long vectors are computed in pieces of 8, each before the first op that takes
// one of its elements, where a function of many instructions is among the ops; each
// piece of such a function begins a basic block of ptxas, and its results are pinned there.
// RUN: cute-opt %s --cute-split-vectors | FileCheck %s

gpu.module @split {
  // CHECK-LABEL: gpu.func @chain(
  // CHECK: %[[X:.*]] = llvm.load %{{.*}} -> vector<80xf32>
  // CHECK: %[[H:.*]] = arith.constant dense<5.000000e-01> : vector<8xf32>
  // CHECK: %[[A:.*]] = vector.shuffle %[[X]], %[[X]] [0, 1, 2, 3, 4, 5, 6, 7]
  // CHECK: %[[U:.*]] = arith.mulf %[[A]], %[[H]] : vector<8xf32>
  // CHECK-NEXT: llvm.inline_asm has_side_effects "{ {{.*}} mov.u32 n, %nctaid.x; setp.eq.u32 p, n, 0x[[FIRST:f[0-9a-f]*]]; @p exit; }"
  // CHECK-NEXT: %[[E:.*]] = math.erf %[[U]] : vector<8xf32>
  // CHECK: %[[G:.*]] = arith.mulf %[[U]], %[[E]] : vector<8xf32>
  // CHECK: %[[R:.*]] = arith.truncf %[[G]] : vector<8xf32> to vector<8xf16>
  // CHECK: %[[WORDS:.*]] = vector.bitcast %[[R]] : vector<8xf16> to vector<4xi32>
  // CHECK: %[[WORD:.*]] = vector.extract %[[WORDS]][0]
  // CHECK: %[[SAME:.*]] = llvm.inline_asm has_side_effects "mov.b32 $0, $1;", "=r,r" %[[WORD]]
  // CHECK: %[[ALL:.*]] = vector.from_elements %[[SAME]],
  // CHECK: %[[PINNED:.*]] = vector.bitcast %[[ALL]] : vector<4xi32> to vector<8xf16>
  // CHECK: vector.extract %[[PINNED]][0]
  // CHECK: llvm.store
  // CHECK: vector.extract %[[PINNED]][7]
  // CHECK: llvm.store
  // CHECK-NOT: 0x[[FIRST]];
  // CHECK: llvm.inline_asm has_side_effects "{ {{.*}} @p exit; }"
  // CHECK: math.erf %{{.*}} : vector<8xf32>
  // CHECK: arith.truncf
  // CHECK: %[[R4:.*]] = vector.bitcast {{.*}} to vector<8xf16>
  // CHECK: scf.if
  // CHECK: vector.extract %[[R4]][3] : f16 from vector<8xf16>
  // CHECK-NOT: math.erf
  gpu.func @chain(%p: !llvm.ptr, %q: !llvm.ptr<1>, %c: i1) kernel {
    %half = arith.constant dense<0.5> : vector<80xf32>
    %x = llvm.load %p : !llvm.ptr -> vector<80xf32>
    %u = arith.mulf %x, %half : vector<80xf32>
    %e = math.erf %u : vector<80xf32>
    %g = arith.mulf %u, %e : vector<80xf32>
    %r = arith.truncf %g : vector<80xf32> to vector<80xf16>
    %r0 = vector.extract %r[0] : f16 from vector<80xf16>
    llvm.store %r0, %q : f16, !llvm.ptr<1>
    %r7 = vector.extract %r[7] : f16 from vector<80xf16>
    llvm.store %r7, %q : f16, !llvm.ptr<1>
    scf.if %c {
      %r67 = vector.extract %r[67] : f16 from vector<80xf16>
      llvm.store %r67, %q : f16, !llvm.ptr<1>
    }
    gpu.return
  }

  // Halves that are added, and an order of the elements that is another.
  // CHECK-LABEL: gpu.func @choices(
  // CHECK-COUNT-8: math.erf %{{.*}} : vector<8xf32>
  // CHECK-NOT: math.erf
  // CHECK: vector.from_elements {{.*}} : vector<32xf32>
  // CHECK: arith.addf {{.*}} : vector<32xf32>
  gpu.func @choices(%s: f32, %t: f32, %q: !llvm.ptr<1>) kernel {
    %v = vector.broadcast %s : f32 to vector<64xf32>
    %e = math.erf %v : vector<64xf32>
    %lower = vector.shuffle %e, %e [0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32, 34, 36, 38, 40, 42, 44, 46, 48, 50, 52, 54, 56, 58, 60, 62] : vector<64xf32>, vector<64xf32>
    %upper = vector.shuffle %e, %e [1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31, 33, 35, 37, 39, 41, 43, 45, 47, 49, 51, 53, 55, 57, 59, 61, 63] : vector<64xf32>, vector<64xf32>
    %sum = arith.addf %lower, %upper : vector<32xf32>
    llvm.store %sum, %q : vector<32xf32>, !llvm.ptr<1>
    gpu.return
  }

  // The whole vector is stored, and so it is computed.
  // CHECK-LABEL: gpu.func @whole(
  // CHECK: math.erf {{.*}} : vector<64xf32>
  gpu.func @whole(%p: !llvm.ptr, %q: !llvm.ptr<1>) kernel {
    %x = llvm.load %p : !llvm.ptr -> vector<64xf32>
    %e = math.erf %x : vector<64xf32>
    llvm.store %e, %q : vector<64xf32>, !llvm.ptr<1>
    gpu.return
  }
}

gpu.module @plain {
  // No function of many instructions: all stays as it is.
  // CHECK-LABEL: gpu.func @add(
  // CHECK: arith.addf {{.*}} : vector<64xf32>
  // CHECK: math.exp2 {{.*}} : vector<64xf32>
  gpu.func @add(%p: !llvm.ptr, %q: !llvm.ptr<1>) kernel {
    %x = llvm.load %p : !llvm.ptr -> vector<64xf32>
    %y = arith.addf %x, %x : vector<64xf32>
    %z = math.exp2 %y fastmath<afn> : vector<64xf32>
    %e = vector.extract %z[1] : f32 from vector<64xf32>
    llvm.store %e, %q : f32, !llvm.ptr<1>
    gpu.return
  }
}
