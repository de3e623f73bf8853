// What becomes of functions on floats in gpu.modules: no calls.
// RUN: cute-opt %s --cute-expand-math | FileCheck %s --implicit-check-not=func.call
// RUN: cutec %s --arch=sm_89 -o - | FileCheck %s --check-prefix=BYTES
// RUN: cutec %s --arch=sm_89 -o - | FileCheck %s --check-prefix=PTX --implicit-check-not=call --implicit-check-not=.local

gpu.module @functions {
  // Of LLVM; with flags for sqrt.
  // CHECK-LABEL: gpu.func @intrinsics(
  // CHECK: %[[A:.*]] = llvm.call_intrinsic "llvm.fabs"(%[[V:.*]]) : (vector<2xf32>) -> vector<2xf32>
  // CHECK: llvm.call_intrinsic "llvm.floor"
  // CHECK: llvm.call_intrinsic "llvm.ceil"
  // CHECK: llvm.call_intrinsic "llvm.round"
  // CHECK: llvm.call_intrinsic "llvm.roundeven"
  // CHECK: llvm.call_intrinsic "llvm.trunc"
  // CHECK: llvm.call_intrinsic "llvm.fma"(%{{.*}}, %[[V]], %[[A]])
  // CHECK: llvm.call_intrinsic "llvm.copysign"
  // CHECK: llvm.call_intrinsic "llvm.sqrt"(%{{.*}}) : (
  // CHECK: llvm.call_intrinsic "llvm.sqrt"(%{{.*}}) {fastmathFlags = #llvm.fastmath<afn>}
  // CHECK: llvm.call_intrinsic "llvm.maximum"
  // CHECK: llvm.call_intrinsic "llvm.minimum"
  // CHECK: llvm.call_intrinsic "llvm.maxnum"
  // CHECK: llvm.call_intrinsic "llvm.minnum"
  // CHECK: llvm.call_intrinsic "llvm.exp2"
  // PTX-LABEL: .entry intrinsics(
  // PTX: abs.f32
  // PTX: fma.rn.f32
  // PTX: sqrt.rn.f32
  // PTX: sqrt.approx.f32
  // PTX: max.NaN.f32
  // PTX: min.NaN.f32
  // PTX: max.f32
  // PTX: min.f32
  // PTX: ex2.approx.f32
  gpu.func @intrinsics(%p: !llvm.ptr<1>) kernel {
    %v = llvm.load %p : !llvm.ptr<1> -> vector<2xf32>
    %a = math.absf %v : vector<2xf32>
    %0 = math.floor %v : vector<2xf32>
    %1 = math.ceil %0 : vector<2xf32>
    %2 = math.round %1 : vector<2xf32>
    %3 = math.roundeven %2 : vector<2xf32>
    %4 = math.trunc %3 : vector<2xf32>
    %5 = math.fma %4, %v, %a : vector<2xf32>
    %6 = math.copysign %5, %v : vector<2xf32>
    %7 = math.sqrt %6 : vector<2xf32>
    %8 = math.sqrt %7 fastmath<afn> : vector<2xf32>
    %9 = arith.maximumf %8, %v : vector<2xf32>
    %10 = arith.minimumf %9, %a : vector<2xf32>
    %11 = arith.maxnumf %10, %v : vector<2xf32>
    %12 = arith.minnumf %11, %a : vector<2xf32>
    %13 = math.exp2 %12 : vector<2xf32>
    llvm.store %13, %p : vector<2xf32>, !llvm.ptr<1>
    gpu.return
  }

  // Instructions that approximate, where the flag allows it or they are exact
  // enough.
  // CHECK-LABEL: gpu.func @instructions(
  // PTX-LABEL: .entry instructions(
  // PTX: rsqrt.approx.f32
  // PTX: mul.rn.f32 {{.*}}0f3FB8AA3B;
  // PTX: ex2.approx.ftz.f32
  // PTX: lg2.approx.f32
  // PTX: mul.rn.f32 {{.*}}0f3F317218;
  // PTX: lg2.approx.f32
  // PTX: lg2.approx.f32
  // PTX: sin.approx.f32
  // PTX: cos.approx.f32
  // PTX: tanh.approx.f32
  // PTX: lg2.approx.f32
  // PTX: ex2.approx.ftz.f32
  // PTX: ex2.approx.ftz.f32
  // PTX: ret;
  gpu.func @instructions(%p: !llvm.ptr<1>) kernel {
    %v = llvm.load %p : !llvm.ptr<1> -> f32
    %0 = math.rsqrt %v : f32
    %1 = math.exp %0 fastmath<afn> : f32
    %2 = math.log %1 fastmath<fast> : f32
    %3 = math.log2 %2 fastmath<afn> : f32
    %4 = math.log10 %3 fastmath<afn> : f32
    %5 = math.sin %4 fastmath<afn> : f32
    %6 = math.cos %5 fastmath<afn,nnan> : f32
    %7 = math.tanh %6 fastmath<afn> : f32
    %8 = math.powf %7, %v fastmath<afn> : f32
    %9 = math.exp2 %8 fastmath<afn> : f32
    llvm.store %9, %p : f32, !llvm.ptr<1>
    gpu.return
  }

  // All others, on scalars and element by element on vectors; of vectors with
  // one element, too.
  // CHECK-LABEL: gpu.func @expansions(
  // CHECK: vector.from_elements %{{.*}}, %{{.*}} : vector<2xf32>
  // PTX-LABEL: .entry expansions(
  // PTX: ret;
  gpu.func @expansions(%p: !llvm.ptr<1>, %q: !llvm.ptr<1>) kernel {
    %v = llvm.load %p : !llvm.ptr<1> -> vector<2xf32>
    %0 = math.exp %v : vector<2xf32>
    %1 = math.expm1 %0 : vector<2xf32>
    %2 = math.log %1 : vector<2xf32>
    %3 = math.log2 %2 : vector<2xf32>
    %4 = math.log10 %3 : vector<2xf32>
    %5 = math.log1p %4 : vector<2xf32>
    %6 = math.sin %5 : vector<2xf32>
    %7 = math.cos %6 : vector<2xf32>
    %8 = math.tan %7 : vector<2xf32>
    %9 = math.sinh %8 : vector<2xf32>
    %10 = math.cosh %9 : vector<2xf32>
    %11 = math.tanh %10 : vector<2xf32>
    %12 = math.asin %11 : vector<2xf32>
    %13 = math.acos %12 : vector<2xf32>
    %14 = math.atan %13 : vector<2xf32>
    %15 = math.atan2 %14, %v : vector<2xf32>
    %16 = math.erf %15 : vector<2xf32>
    %17 = math.powf %16, %v : vector<2xf32>
    %18 = math.cbrt %17 : vector<2xf32>
    %19 = arith.remf %18, %v : vector<2xf32>
    %20, %21 = math.sincos %19 : vector<2xf32>
    %22 = arith.addf %20, %21 : vector<2xf32>
    %23 = math.isnan %22 : vector<2xf32>
    %24 = arith.select %23, %v, %22 : vector<2xi1>, vector<2xf32>
    llvm.store %24, %p : vector<2xf32>, !llvm.ptr<1>
    %d = llvm.load %q : !llvm.ptr<1> -> vector<1xf64>
    %d0 = math.exp %d : vector<1xf64>
    %d1 = math.log %d0 : vector<1xf64>
    %d2 = math.exp2 %d1 : vector<1xf64>
    %d3 = math.rsqrt %d2 : vector<1xf64>
    %d4 = math.sin %d3 : vector<1xf64>
    %d5 = math.atan2 %d4, %d : vector<1xf64>
    llvm.store %d5, %q : vector<1xf64>, !llvm.ptr<1>
    gpu.return
  }

  // Narrow floats are computed in f32, but where the device can and may do it;
  // arithmetic on them is packed.
  // CHECK-LABEL: gpu.func @narrow(
  // CHECK: arith.extf {{.*}} vector<4xf16> to vector<4xf32>
  // CHECK: arith.truncf {{.*}} vector<4xf32> to vector<4xf16>
  // PTX-LABEL: .entry narrow(
  // PTX-COUNT-4: ex2.approx.f32
  // PTX-COUNT-2: ex2.approx.f16x2
  // PTX-COUNT-2: max.NaN.f16x2
  // PTX-COUNT-2: fma.rn.f16x2
  // PTX-COUNT-2: fma.rn.bf16x2
  // PTX: ret;
  gpu.func @narrow(%p: !llvm.ptr<1>, %q: !llvm.ptr<1>) kernel {
    %v = llvm.load %p : !llvm.ptr<1> -> vector<4xf16>
    %0 = math.exp2 %v : vector<4xf16>
    %1 = math.exp2 %0 fastmath<afn> : vector<4xf16>
    %2 = arith.maximumf %1, %v : vector<4xf16>
    %3 = math.fma %2, %v, %v : vector<4xf16>
    %4 = math.isinf %3 : vector<4xf16>
    %5 = arith.select %4, %v, %3 : vector<4xi1>, vector<4xf16>
    llvm.store %5, %p : vector<4xf16>, !llvm.ptr<1>
    %b = llvm.load %q : !llvm.ptr<1> -> vector<4xbf16>
    %6 = math.fma %b, %b, %b : vector<4xbf16>
    llvm.store %6, %q : vector<4xbf16>, !llvm.ptr<1>
    gpu.return
  }

  // Integers are MLIR's, and other ops stay.
  // PTX-LABEL: .entry integers(
  // PTX: popc.b32
  // PTX: clz.b32
  // PTX: max.s32
  // PTX: ret;
  gpu.func @integers(%p: !llvm.ptr<1>) kernel {
    %v = llvm.load %p : !llvm.ptr<1> -> vector<4xi32>
    %0 = math.absi %v : vector<4xi32>
    %1 = math.ctpop %0 : vector<4xi32>
    %2 = math.ctlz %1 : vector<4xi32>
    %3 = arith.maxsi %2, %v : vector<4xi32>
    llvm.store %3, %p : vector<4xi32>, !llvm.ptr<1>
    gpu.return
  }

  // Rounding other than to the nearest even, which LLVM would do instead.
  // CHECK-LABEL: gpu.func @roundings(
  // CHECK: arith.truncf %{{.*}} : vector<2xf32> to vector<2xf16>
  // CHECK-COUNT-2: arith.subi
  // CHECK: arith.shrsi
  // CHECK: arith.cmpf oeq
  // PTX-LABEL: .entry roundings(
  // PTX: cvt.rn.f16
  // PTX: cvt.rn.bf16
  // PTX: ret;
  gpu.func @roundings(%p: !llvm.ptr<1>, %q: !llvm.ptr<1>) kernel {
    %v = llvm.load %p : !llvm.ptr<1> -> vector<2xf32>
    %0 = arith.truncf %v to_nearest_even : vector<2xf32> to vector<2xf16>
    %1 = arith.truncf %v toward_zero : vector<2xf32> to vector<2xf16>
    %2 = arith.truncf %v upward : vector<2xf32> to vector<2xf16>
    %3 = arith.addf %0, %1 : vector<2xf16>
    %4 = arith.addf %2, %3 : vector<2xf16>
    llvm.store %4, %p : vector<2xf16>, !llvm.ptr<1>
    %x = llvm.load %q : !llvm.ptr<1> -> f64
    %y = arith.truncf %x to_nearest_away : f64 to bf16
    llvm.store %y, %p : bf16, !llvm.ptr<1>
    gpu.return
  }
}

// Floats of 8 bits, scalars and vectors.
// BYTES-LABEL: .entry bytes(
// BYTES-COUNT-1: cvt.rn.f16x2.e5m2x2
// BYTES: cvt.rz.f32.f64
// BYTES: cvt.rn.satfinite.e4m3x2.f32
// BYTES: ret;
gpu.module @bytes_of_sm89 {
  gpu.func @bytes(%p: !llvm.ptr<1>, %q: !llvm.ptr<1>) kernel {
    %0 = llvm.load %p : !llvm.ptr<1> -> vector<2xi8>
    %1 = arith.bitcast %0 : vector<2xi8> to vector<2xf8E5M2>
    %2 = arith.extf %1 : vector<2xf8E5M2> to vector<2xf32>
    llvm.store %2, %q : vector<2xf32>, !llvm.ptr<1>
    %3 = llvm.load %q : !llvm.ptr<1> -> f64
    %4 = arith.truncf %3 to_nearest_even : f64 to f8E4M3FN
    %5 = arith.bitcast %4 : f8E4M3FN to i8
    llvm.store %5, %p : i8, !llvm.ptr<1>
    gpu.return
  }
}

// Powers of integers: a constant exponent costs products only.
gpu.module @powers {
  // CHECK-LABEL: @cube
  // CHECK-NOT: math.
  gpu.func @cube(%x: vector<2xi64>, %out: !llvm.ptr<1>) kernel {
    %c3 = arith.constant dense<3> : vector<2xi64>
    %0 = math.ipowi %x, %c3 : vector<2xi64>
    llvm.store %0, %out : vector<2xi64>, !llvm.ptr<1>
    gpu.return
  }
}

// Two of bf16 in a word become f32 by one instruction each; a single one and an odd number of them are LLVM's.
gpu.module @halves {
  // CHECK-LABEL: @widen
  // CHECK: %[[WORDS:.*]] = vector.bitcast %{{.*}} : vector<4xbf16> to vector<2xi32>
  // CHECK: %[[WORD:.*]] = vector.extract %[[WORDS]][0]
  // CHECK: arith.shli %[[WORD]], %{{.*}} : i32
  // CHECK: %[[WORD:.*]] = vector.extract %[[WORDS]][0]
  // CHECK: arith.andi %[[WORD]], %{{.*}} : i32
  // CHECK: vector.from_elements {{.*}} : vector<4xf32>
  // CHECK: arith.extf {{.*}} : vector<3xbf16> to vector<3xf32>
  // CHECK: arith.extf {{.*}} : bf16 to f32
  // CHECK: arith.extf {{.*}} : vector<2xbf16> to vector<2xf64>
  // PTX-LABEL: .entry widen(
  // PTX: ld.global.v2.b32 {%[[A:r[0-9]+]], %[[B:r[0-9]+]]}
  // PTX-DAG: and.b32 %{{.*}}, %[[A]], -65536
  // PTX-DAG: shl.b32 %{{.*}}, %[[A]], 16
  // PTX-DAG: and.b32 %{{.*}}, %[[B]], -65536
  // PTX-DAG: shl.b32 %{{.*}}, %[[B]], 16
  gpu.func @widen(%p: !llvm.ptr<1>, %q: !llvm.ptr<1>) kernel {
    %0 = llvm.load %p : !llvm.ptr<1> -> vector<4xbf16>
    %1 = arith.extf %0 : vector<4xbf16> to vector<4xf32>
    llvm.store %1, %q : vector<4xf32>, !llvm.ptr<1>
    %2 = llvm.load %q : !llvm.ptr<1> -> vector<3xbf16>
    %3 = arith.extf %2 : vector<3xbf16> to vector<3xf32>
    llvm.store %3, %p : vector<3xf32>, !llvm.ptr<1>
    %4 = llvm.load %q : !llvm.ptr<1> -> bf16
    %5 = arith.extf %4 : bf16 to f32
    llvm.store %5, %p : f32, !llvm.ptr<1>
    %6 = llvm.load %q : !llvm.ptr<1> -> vector<2xbf16>
    %7 = arith.extf %6 : vector<2xbf16> to vector<2xf64>
    llvm.store %7, %p : vector<2xf64>, !llvm.ptr<1>
    gpu.return
  }
}
