// Pretty and generic forms of pointers, tensors, fragments and allocations.
// RUN: cute-opt %s | cute-opt | FileCheck %s
// RUN: cute-opt %s --mlir-print-op-generic | cute-opt | FileCheck %s
// RUN: cute-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC

// CHECK-LABEL: func.func @tensor
// CHECK-SAME: (%[[P:.*]]: !cute.ptr<f32, gmem, align<16>>, %[[L:.*]]: !cute.layout<"(8,?):(1,8)">)
func.func @tensor(%p: !cute.ptr<f32, gmem, align<16>>, %l: !cute.layout<"(8,?):(1,8)">) {
  // CHECK: %[[T:.*]] = cute.make_tensor(%[[P]], %[[L]]) : (!cute.ptr<f32, gmem, align<16>>, !cute.layout<"(8,?):(1,8)">) -> !cute.tensor<f32, gmem, align<16>, "(8,?):(1,8)">
  // GENERIC: "cute.make_tensor"(%{{.*}}, %{{.*}}) : ({{.*}}) -> !cute.tensor<f32, "gmem", 16 : i64, "(8,?):(1,8)">
  %t = cute.make_tensor(%p, %l)
  // CHECK: cute.get_iter(%[[T]]) : (!cute.tensor<f32, gmem, align<16>, "(8,?):(1,8)">) -> !cute.ptr<f32, gmem, align<16>>
  // GENERIC: "cute.get_iter"(%{{.*}}) : (!cute.tensor<f32, "gmem", 16 : i64, "(8,?):(1,8)">) -> !cute.ptr<f32, "gmem", 16 : i64, "">
  %q = cute.get_iter(%t)
  // CHECK: cute.get_layout(%[[T]]) : (!cute.tensor<f32, gmem, align<16>, "(8,?):(1,8)">) -> !cute.layout<"(8,?):(1,8)">
  // GENERIC: "cute.get_layout"(%{{.*}}) : (!cute.tensor<f32, "gmem", 16 : i64, "(8,?):(1,8)">) -> !cute.layout<"(8,?):(1,8)">
  %m = cute.get_layout(%t)
  return
}

// CHECK-LABEL: func.func @swizzled
func.func @swizzled(%p: !cute.ptr<f16, smem, align<128>>) {
  %x = cute.static : !cute.composed_layout<"S<3,3,3> o 0 o (8,64):(64,1)">
  // CHECK: cute.make_tensor({{.*}}) : ({{.*}}) -> !cute.tensor<f16, smem, align<128>, "S<3,3,3> o 0 o (8,64):(64,1)">
  %t = cute.make_tensor(%p, %x)
  // CHECK: cute.get_layout({{.*}}) -> !cute.composed_layout<"S<3,3,3> o 0 o (8,64):(64,1)">
  %l = cute.get_layout(%t)
  return
}

// The identity of a nested shape has a nested origin.
// CHECK-LABEL: func.func @identity
func.func @identity(%s: !cute.shape<"(8,(?,2))">) {
  // CHECK: cute.make_identity_tensor({{.*}}) : (!cute.shape<"(8,(?,2))">) -> !cute.coord_tensor<"(0,(0,0))", "(8,(?,2)):(1@0,(1@0@1,1@1@1))">
  // GENERIC: "cute.make_identity_tensor"(%{{.*}}) : (!cute.shape<"(8,(?,2))">) -> !cute.coord_tensor<"(0,(0,0))", "(8,(?,2)):(1@0,(1@0@1,1@1@1))">
  %c = cute.make_identity_tensor(%s)
  // CHECK: cute.get_iter({{.*}}) : (!cute.coord_tensor<"(0,(0,0))", "(8,(?,2)):(1@0,(1@0@1,1@1@1))">) -> !cute.int_tuple<"(0,(0,0))">
  // GENERIC: "cute.get_iter"(%{{.*}}) : (!cute.coord_tensor<"(0,(0,0))", "(8,(?,2)):(1@0,(1@0@1,1@1@1))">) -> !cute.int_tuple<"(0,(0,0))">
  %o = cute.get_iter(%c)
  return
}

// CHECK-LABEL: func.func @assume
func.func @assume(%t: !cute.tensor<f16, gmem, align<2>, "(?,?):(?{i64},1)">, %i: !cute.int_tuple<"(?,3)">) {
  // CHECK: cute.assume({{.*}}) : !cute.tensor<f16, gmem, align<2>, "(?,?):(?{i64},1)"> -> !cute.tensor<f16, gmem, align<16>, "(?,?{div=4}):(?{i64 div=8},1)">
  // GENERIC: "cute.assume"(%{{.*}}) : (!cute.tensor<f16, "gmem", 2 : i64, "(?,?):(?{i64},1)">) -> !cute.tensor<f16, "gmem", 16 : i64, "(?,?{div=4}):(?{i64 div=8},1)">
  %a = cute.assume(%t) : !cute.tensor<f16, gmem, align<2>, "(?,?):(?{i64},1)"> -> !cute.tensor<f16, gmem, align<16>, "(?,?{div=4}):(?{i64 div=8},1)">
  // CHECK: cute.assume({{.*}}) : !cute.int_tuple<"(?,3)"> -> !cute.int_tuple<"(?{div=6},3)">
  %b = cute.assume(%i) : !cute.int_tuple<"(?,3)"> -> !cute.int_tuple<"(?{div=6},3)">
  return
}

// CHECK-LABEL: func.func @memory
func.func @memory(%d: !cute.layout<"(4,?):(?,1)">) {
  %l = cute.static : !cute.layout<"(64,8):(8,1)">
  // CHECK: %[[S:.*]] = cute.alloc_smem<f16, 128> (%{{.*}}) : (!cute.layout<"(64,8):(8,1)">) -> !cute.tensor<f16, smem, align<128>, "(64,8):(8,1)">
  // GENERIC: "cute.alloc_smem"(%{{.*}}) <{align = 128 : {{i[0-9]+}}, element = f16}>
  %s = cute.alloc_smem<f16, 128> (%l)
  %f = cute.static : !cute.layout<"(4,2):(1,4)">
  // CHECK: cute.make_fragment<bf16> (%{{.*}}) : (!cute.layout<"(4,2):(1,4)">) -> !cute.tensor<bf16, rmem, align<16>, "(4,2):(1,4)">
  // GENERIC: "cute.make_fragment"(%{{.*}}) <{element = bf16}> : (!cute.layout<"(4,2):(1,4)">) -> !cute.tensor<bf16, "rmem", 16 : i64, "(4,2):(1,4)">
  %r = cute.make_fragment<bf16> (%f)
  %h = cute.static : !cute.shape<"(4,(3,2))">
  // CHECK: cute.make_fragment<f64> (%{{.*}}) : (!cute.shape<"(4,(3,2))">) -> !cute.tensor<f64, rmem, align<16>, "(4,(3,2)):(1,(4,12))">
  %q = cute.make_fragment<f64> (%h)
  // Compact, mode 0 first, then in the order of the strides.
  // CHECK: cute.make_fragment_like (%[[S]]) : {{.*}} -> !cute.tensor<f16, rmem, align<16>, "(64,(8)):(1,(64))">
  // GENERIC: "cute.make_fragment_like"(%{{.*}}) : (!cute.tensor<f16, "smem", 128 : i64, "(64,8):(8,1)">) -> !cute.tensor<f16, "rmem", 16 : i64, "(64,(8)):(1,(64))">
  %v = cute.make_fragment_like (%s)
  // CHECK: cute.make_fragment_like<f32> (%[[S]]) : {{.*}} -> !cute.tensor<f32, rmem, align<16>, "(64,(8)):(1,(64))">
  %w = cute.make_fragment_like<f32> (%s)
  %x = cute.static : !cute.composed_layout<"S<3,3,3> o 0 o (64,4,8):(8,512,1)">
  // CHECK: cute.make_fragment_like<f32> (%{{.*}}) : (!cute.composed_layout<{{.*}}>) -> !cute.tensor<f32, rmem, align<16>, "(64,4,8):(1,512,64)">
  %y = cute.make_fragment_like<f32> (%x)
  return
}

// A shape becomes its compact layout; a pointer's swizzle goes, in elements,
// into the layout.
// CHECK-LABEL: func.func @of_pointers
func.func @of_pointers(%p: !cute.ptr<f16, smem, align<16>, S<3,4,3>>, %q: !cute.ptr<f32, smem, align<2048>, S<3,4,3>>, %s: !cute.shape<"(8,?)">) {
  // CHECK: cute.make_tensor(%{{.*}}, %{{.*}}) : (!cute.ptr<f16, smem, align<16>, S<3,4,3>>, !cute.shape<"(8,?)">) -> !cute.tensor<f16, smem, align<1024>, "S<3,3,3> o ?{div=8} o (8,?):(1,8)">
  %t = cute.make_tensor(%p, %s)
  // CHECK: cute.make_tensor(%{{.*}}, %{{.*}}) : ({{.*}}) -> !cute.tensor<f32, smem, align<2048>, "S<3,2,3> o 0 o (8,?):(1,8)">
  // GENERIC: "cute.make_tensor"(%{{.*}}, %{{.*}}) : (!cute.ptr<f32, "smem", 2048 : i64, "S<3,4,3>">, !cute.shape<"(8,?)">) -> !cute.tensor<f32, "smem", 2048 : i64, "S<3,2,3> o 0 o (8,?):(1,8)">
  %u = cute.make_tensor(%q, %s)
  return
}

// Of an int_tuple: coordinates, counted from it.
// CHECK-LABEL: func.func @counting
func.func @counting(%d: !cute.int_tuple<"?">, %o: !cute.int_tuple<"(4,?)">, %l: !cute.layout<"(2,3):(8@0,1@1)">) {
  // CHECK: cute.make_tensor(%{{.*}}, %{{.*}}) : (!cute.int_tuple<"(4,?)">, !cute.layout<"(2,3):(8@0,1@1)">) -> !cute.coord_tensor<"(4,?)", "(2,3):(8@0,1@1)">
  // GENERIC: "cute.make_tensor"(%{{.*}}, %{{.*}}) : (!cute.int_tuple<"(4,?)">, !cute.layout<"(2,3):(8@0,1@1)">) -> !cute.coord_tensor<"(4,?)", "(2,3):(8@0,1@1)">
  %t = cute.make_tensor(%o, %l)
  %i = cute.static : !cute.int_tuple<"5">
  %m = cute.static : !cute.layout<"4:2">
  // CHECK: cute.make_tensor({{.*}}) -> !cute.coord_tensor<"5", "4:2">
  %u = cute.make_tensor(%i, %m)
  // The one mode of a coordinate need not be written as one.
  %b = cute.static : !cute.layout<"2:16@0">
  // CHECK: cute.make_tensor({{.*}}) -> !cute.coord_tensor<"(5)", "2:16@0">
  %v = cute.make_tensor(%i, %b)
  // CHECK: cute.make_tensor({{.*}}) -> !cute.coord_tensor<"(?)", "2:16@0">
  %w = cute.make_tensor(%d, %b)
  return
}

// CHECK-LABEL: func.func @offsets
func.func @offsets(%t: !cute.tensor<f32, gmem, align<16>, "(8,?):(1,8)">, %x: !cute.tensor<f16, smem, align<128>, "S<2,3,3> o 0 o (8,8):(8,1)">, %c: !cute.coord_tensor<"(0,0)", "(8,?):(1@0,1@1)">) {
  %a = cute.static : !cute.coord<"(2,0)">
  // CHECK: cute.domain_offset(%{{.*}}, %{{.*}}) : (!cute.coord<"(2,0)">, !cute.tensor<f32, gmem, align<16>, "(8,?):(1,8)">) -> !cute.tensor<f32, gmem, align<8>, "(8,?):(1,8)">
  // GENERIC: "cute.domain_offset"(%{{.*}}, %{{.*}}) : (!cute.coord<"(2,0)">, {{.*}}) -> !cute.tensor<f32, "gmem", 8 : i64, "(8,?):(1,8)">
  %0 = cute.domain_offset(%a, %t)
  // A swizzled tensor keeps its pointer.
  // CHECK: cute.domain_offset({{.*}}) -> !cute.tensor<f16, smem, align<128>, "S<2,3,3> o 16 o (8,8):(8,1)">
  %1 = cute.domain_offset(%a, %x)
  %n = cute.static : !cute.coord<"(-3,5)">
  // CHECK: cute.domain_offset({{.*}}) -> !cute.coord_tensor<"(-3,5)", "(8,?):(1@0,1@1)">
  %2 = cute.domain_offset(%n, %c)
  return
}

// CHECK-LABEL: func.func @recast
func.func @recast(%t: !cute.tensor<f16, gmem, align<16>, "(8,?):(1,8)">, %x: !cute.tensor<f16, smem, align<1024>, "S<3,3,3> o 0 o (8,64):(64,1)">) {
  // CHECK: cute.recast_tensor<i32> (%{{.*}}) : (!cute.tensor<f16, gmem, align<16>, "(8,?):(1,8)">) -> !cute.tensor<i32, gmem, align<16>, "(4,?):(1,4)">
  // GENERIC: "cute.recast_tensor"(%{{.*}}) <{element = i32}> : (!cute.tensor<f16, "gmem", 16 : i64, "(8,?):(1,8)">) -> !cute.tensor<i32, "gmem", 16 : i64, "(4,?):(1,4)">
  %0 = cute.recast_tensor<i32> (%t)
  // CHECK: cute.recast_tensor<i8> ({{.*}}) -> !cute.tensor<i8, gmem, align<16>, "(16,?):(1,16)">
  %1 = cute.recast_tensor<i8> (%t)
  // CHECK: cute.recast_tensor<bf16> ({{.*}}) -> !cute.tensor<bf16, gmem, align<16>, "(8,?):(1,8)">
  %2 = cute.recast_tensor<bf16> (%t)
  // CHECK: cute.recast_tensor<f32> ({{.*}}) -> !cute.tensor<f32, smem, align<1024>, "S<3,2,3> o 0 o (8,32):(32,1)">
  %3 = cute.recast_tensor<f32> (%x)
  return
}

// CHECK-LABEL: func.func @assume_pointer
func.func @assume_pointer(%p: !cute.ptr<f16, smem, align<2>, S<2,4,3>>) {
  // CHECK: cute.assume(%{{.*}}) : !cute.ptr<f16, smem, align<2>, S<2,4,3>> -> !cute.ptr<f16, smem, align<512>, S<2,4,3>>
  %0 = cute.assume(%p) : !cute.ptr<f16, smem, align<2>, S<2,4,3>> -> !cute.ptr<f16, smem, align<512>, S<2,4,3>>
  return
}

// CHECK-LABEL: func.func @assume_range
func.func @assume_range(%i: i32, %t: !cute.int_tuple<"?{i64 div=4}">) {
  // CHECK: cute.assume_range<0, 127> (%{{.*}}) : (i32) -> !cute.int_tuple<"?">
  // GENERIC: "cute.assume_range"(%{{.*}}) <{max = 127 : {{i[0-9]+}}, min = 0 : {{i[0-9]+}}}> : (i32) -> !cute.int_tuple<"?">
  %0 = cute.assume_range<0, 127> (%i)
  // CHECK: cute.assume_range<4, 64> (%{{.*}}) : (!cute.int_tuple<"?{i64 div=4}">) -> !cute.int_tuple<"?{i64 div=4}">
  %1 = cute.assume_range<4, 64> (%t)
  return
}
