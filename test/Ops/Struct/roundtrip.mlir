// Pretty and generic forms of structs and their members.
// RUN: cute-opt %s | cute-opt | FileCheck %s
// RUN: cute-opt %s --mlir-print-op-generic | cute-opt | FileCheck %s
// RUN: cute-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC

// Offsets: a 0, b 1024, c.re 1040, c.im 1044, d 1048 as its alignment is 1.
!s = !cute.struct<"a: f16 x 512 align 128; b: i64 x 2; c: {re: f32; im: f16}; d: i8">

// CHECK-LABEL: func.func @members
func.func @members() {
  // CHECK: %[[S:.*]] = cute.alloc_struct : ![[T:cute.struct<"a: f16 x 512 align 128; b: i64 x 2; c: {re: f32; im: f16}; d: i8">]]
  // GENERIC: %[[S:.*]] = "cute.alloc_struct"() : () -> ![[T:cute.struct<"a: f16 x 512 align 128; b: i64 x 2; c: {re: f32; im: f16}; d: i8">]]
  %s = cute.alloc_struct : !s
  // CHECK: cute.struct_member<"a"> (%[[S]]) : (![[T]]) -> !cute.ptr<f16, smem, align<128>>
  // GENERIC: "cute.struct_member"(%[[S]]) <{path = "a"}> : (![[T]]) -> !cute.ptr<f16, "smem", 128 : i64, "">
  %a = cute.struct_member<"a"> (%s)
  // CHECK: cute.struct_member<"b"> (%[[S]]) : (![[T]]) -> !cute.ptr<i64, smem, align<128>>
  %b = cute.struct_member<"b"> (%s)
  // CHECK: cute.struct_member<"c.im"> (%[[S]]) : (![[T]]) -> !cute.ptr<f16, smem, align<4>>
  %c = cute.struct_member<"c.im"> (%s)
  // CHECK: cute.struct_member<"d"> (%[[S]]) : (![[T]]) -> !cute.ptr<i8, smem, align<8>>
  %d = cute.struct_member<"d"> (%s)
  %l = cute.static : !cute.layout<"(8,64):(64,1)">
  // CHECK: cute.struct_member<"a"> (%[[S]], %{{.*}}) : (![[T]], !cute.layout<"(8,64):(64,1)">) -> !cute.tensor<f16, smem, align<128>, "(8,64):(64,1)">
  // GENERIC: "cute.struct_member"(%[[S]], %{{.*}}) <{path = "a"}> : (![[T]], !cute.layout<"(8,64):(64,1)">) -> !cute.tensor<f16, "smem", 128 : i64, "(8,64):(64,1)">
  %t = cute.struct_member<"a"> (%s, %l)
  // CHECK: cute.struct_member<"a", f32> (%[[S]], %{{.*}}) : (![[T]], !cute.layout<"(4,64):(64,1)">) -> !cute.tensor<f32, smem, align<128>, "(4,64):(64,1)">
  // GENERIC: "cute.struct_member"(%[[S]], %{{.*}}) <{element = f32, path = "a"}>
  %u = cute.struct_member<"a", f32> (%s, (4,64):(64,1))
  return
}

// Arrays of structs, and structs within structs as values of their own.
!nested = !cute.struct<"a: i8; c: {re: f32; im: f64} x 4; d: {x: i32; y: {z: i16 x 3}}">

// CHECK-LABEL: func.func @elements
func.func @elements(%i: i32) {
  // CHECK: %[[S:.*]] = cute.alloc_struct : ![[T:cute.struct<"a: i8; c: {re: f32; im: f64} x 4; d: {x: i32; y: {z: i16 x 3}}">]]
  %s = cute.alloc_struct : !nested
  // CHECK: cute.struct_member<"c[2].im"> (%[[S]]) : (![[T]]) -> !cute.ptr<f64, smem, align<8>>
  %0 = cute.struct_member<"c[2].im"> (%s)
  // CHECK: %[[C:.*]] = cute.struct_member<"c"> (%[[S]], %{{.*}}) : (![[T]], i32) -> !cute.struct<"re: f32; im: f64">
  // GENERIC: "cute.struct_member"(%{{.*}}, %{{.*}}) <{path = "c"}> : (!cute.struct<{{.*}}>, i32) -> !cute.struct<"re: f32; im: f64">
  %1 = cute.struct_member<"c"> (%s, %i)
  // CHECK: cute.struct_member<"re"> (%[[C]]) : (!cute.struct<"re: f32; im: f64">) -> !cute.ptr<f32, smem, align<8>>
  %2 = cute.struct_member<"re"> (%1)
  // CHECK: cute.struct_member<"d"> ({{.*}}) -> !cute.struct<"x: i32; y: {z: i16 x 3}">
  %3 = cute.struct_member<"d"> (%s)
  // CHECK: cute.struct_member<"y.z"> ({{.*}}, %{{.*}}) : ({{.*}}, i32) -> !cute.ptr<i16, smem, align<2>>
  %4 = cute.struct_member<"y.z"> (%3, %i)
  return
}
