// Pretty and generic forms of ops on pointers.
// RUN: cute-opt %s | cute-opt | FileCheck %s
// RUN: cute-opt %s --mlir-print-op-generic | cute-opt | FileCheck %s
// RUN: cute-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC

// CHECK-LABEL: func.func @addresses
func.func @addresses(%a: i64, %b: i32, %g: !llvm.ptr, %s: !llvm.ptr<3>, %t: !cute.int_tuple<"?{i64}">) {
  // CHECK: %[[P:.*]] = cute.make_ptr(%{{.*}}) : (i64) -> !cute.ptr<f16, gmem, align<16>>
  // GENERIC: "cute.make_ptr"(%{{.*}}) : (i64) -> !cute.ptr<f16, "gmem", 16 : i64, "">
  %p = cute.make_ptr(%a) : (i64) -> !cute.ptr<f16, gmem, align<16>>
  // CHECK: cute.make_ptr(%{{.*}}) : (i32) -> !cute.ptr<f16, smem, align<1024>, S<3,4,3>>
  // GENERIC: "cute.make_ptr"(%{{.*}}) : (i32) -> !cute.ptr<f16, "smem", 1024 : i64, "S<3,4,3>">
  %0 = cute.make_ptr(%b) : (i32) -> !cute.ptr<f16, smem, align<1024>, S<3,4,3>>
  // CHECK: cute.make_ptr(%{{.*}}) : (!llvm.ptr) -> !cute.ptr<f32, gmem, align<4>>
  %1 = cute.make_ptr(%g) : (!llvm.ptr) -> !cute.ptr<f32, gmem, align<4>>
  // CHECK: cute.make_ptr(%{{.*}}) : (!llvm.ptr<3>) -> !cute.ptr<i8, smem, align<1>>
  %2 = cute.make_ptr(%s) : (!llvm.ptr<3>) -> !cute.ptr<i8, smem, align<1>>
  // CHECK: cute.make_ptr(%{{.*}}) : (!cute.int_tuple<"?{i64}">) -> !cute.ptr<i8, gmem, align<1>>
  %3 = cute.make_ptr(%t) : (!cute.int_tuple<"?{i64}">) -> !cute.ptr<i8, gmem, align<1>>
  // CHECK: cute.ptr_to_int(%[[P]]) : (!cute.ptr<f16, gmem, align<16>>) -> i64
  // GENERIC: "cute.ptr_to_int"(%{{.*}}) : (!cute.ptr<f16, "gmem", 16 : i64, "">) -> i64
  %4 = cute.ptr_to_int(%p)
  return
}

// The alignment is what the offset leaves of it; the swizzle stays.
// CHECK-LABEL: func.func @views
func.func @views(%p: !cute.ptr<f16, smem, align<128>, S<2,4,3>>, %i: i32, %o: !cute.int_tuple<"?{div=4}">) {
  // CHECK: cute.add_offset(%{{.*}}, %{{.*}}) : (!cute.ptr<f16, smem, align<128>, S<2,4,3>>, i32) -> !cute.ptr<f16, smem, align<2>, S<2,4,3>>
  // GENERIC: "cute.add_offset"(%{{.*}}, %{{.*}}) : (!cute.ptr<f16, "smem", 128 : i64, "S<2,4,3>">, i32) -> !cute.ptr<f16, "smem", 2 : i64, "S<2,4,3>">
  %0 = cute.add_offset(%p, %i)
  // CHECK: cute.add_offset({{.*}}, !cute.int_tuple<"?{div=4}">) -> !cute.ptr<f16, smem, align<8>, S<2,4,3>>
  %1 = cute.add_offset(%p, %o)
  %c = cute.static : !cute.int_tuple<"-48">
  // CHECK: cute.add_offset({{.*}}, !cute.int_tuple<"-48">) -> !cute.ptr<f16, smem, align<32>, S<2,4,3>>
  %2 = cute.add_offset(%p, %c)
  // CHECK: cute.recast_ptr(%{{.*}}) : (!cute.ptr<f16, smem, align<128>, S<2,4,3>>) -> !cute.ptr<i32, smem, align<128>>
  // GENERIC: "cute.recast_ptr"(%{{.*}}) : (!cute.ptr<f16, "smem", 128 : i64, "S<2,4,3>">) -> !cute.ptr<i32, "smem", 128 : i64, "">
  %3 = cute.recast_ptr(%p) : (!cute.ptr<f16, smem, align<128>, S<2,4,3>>) -> !cute.ptr<i32, smem, align<128>>
  return
}

// CHECK-LABEL: func.func @to_llvm
func.func @to_llvm(%p: !cute.ptr<f16, smem, align<16>>, %t: !cute.tensor<f32, gmem, align<4>, "(8,?):(1,8)">, %c: !cute.coord<"(1,?)">) {
  // CHECK: cute.to_llvm_ptr(%{{.*}}, %{{.*}}) : (!cute.tensor<f32, gmem, align<4>, "(8,?):(1,8)">, !cute.coord<"(1,?)">) -> !llvm.ptr<1>
  // GENERIC: "cute.to_llvm_ptr"(%{{.*}}, %{{.*}}) : (!cute.tensor<f32, "gmem", 4 : i64, "(8,?):(1,8)">, !cute.coord<"(1,?)">) -> !llvm.ptr<1>
  %0 = cute.to_llvm_ptr(%t, %c)
  // CHECK: cute.to_llvm_ptr(%{{.*}}) : (!cute.ptr<f16, smem, align<16>>) -> !llvm.ptr<3>
  %1 = cute.to_llvm_ptr(%p)
  return
}
