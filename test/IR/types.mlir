// Every type: its canonical spelling, in the pretty and in the generic form,
// and alone as well as inside other types, function types and attributes.
// RUN: cute-opt %s | FileCheck %s
// RUN: cute-opt %s | cute-opt | FileCheck %s
// RUN: cute-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GEN
// RUN: cute-opt %s --mlir-print-op-generic | cute-opt | FileCheck %s

// CHECK-LABEL: func.func private @tuples(
// CHECK-SAME: !cute.int_tuple<"(1,(2,?{i64}))">,
// CHECK-SAME: !cute.shape<"(4,?)">,
// CHECK-SAME: !cute.stride<"(1@1,?@1@0)">,
// CHECK-SAME: !cute.coord<"(_,-3,(5))">,
// CHECK-SAME: !cute.shape<"()">)
func.func private @tuples(
    !cute.int_tuple<" ( 1 , ( 2 , ? { i64 } ) ) ">, !cute.shape<"(4,?{i32},)">,
    !cute.stride<"(1@1, ?@1@0)">, !cute.coord<"(_,-3,(005))">, !cute.shape<"()">)

// A leaf and a tuple of one are different; explicit strides stay.
// CHECK-LABEL: func.func private @layouts(
// CHECK-SAME: !cute.layout<"20:1">,
// CHECK-SAME: !cute.layout<"(20):(1)">,
// CHECK-SAME: !cute.layout<"(4,(2,1),5):(1,(4,0),8)">,
// CHECK-SAME: !cute.layout<"1:7">,
// CHECK-SAME: !cute.layout<"(3,?{i64},5):(1,3,?{i64})">,
// CHECK-SAME: !cute.layout<"4:-1">)
func.func private @layouts(
    !cute.layout<"20">, !cute.layout<"(20)">, !cute.layout<"(4,(2,1),5)">,
    !cute.layout<"1:7">, !cute.layout<"(3,?{i64},5)">, !cute.layout<"4 : -1">)

// CHECK-LABEL: func.func private @tiles(
// CHECK-SAME: !cute.tile<"[4:1;_;(2,3):(1,2)]">,
// CHECK-SAME: !cute.tile<"_">,
// CHECK-SAME: !cute.tile<"{{\[\[4:1\];}}?:1]">,
// CHECK-SAME: !cute.swizzle<"S<2,1,-3>">,
// CHECK-SAME: !cute.composed_layout<"S<2,1,3> o 0 o (8,8):(1,8)">,
// CHECK-SAME: !cute.composed_layout<"(4,5):(1,4) o 0 o (2,3):(1,2)">)
func.func private @tiles(
    !cute.tile<"[4; _; (2,3);]">, !cute.tile<"_">, !cute.tile<"[[4];?]">,
    !cute.swizzle<"S<2, 1, -3>">, !cute.composed_layout<"S<2,1,3>o0o(8,8)">,
    !cute.composed_layout<"(4,5) o 0 o (2,3)">)

// The generic form spells the space as a string and the alignment as an
// integer; both forms are read.
// CHECK-LABEL: func.func private @memory(
// CHECK-SAME: !cute.ptr<f16, gmem, align<16>>,
// CHECK-SAME: !cute.ptr<bf16, smem, align<2>>,
// CHECK-SAME: !cute.tensor<f32, rmem, align<4>, "(4,2):(1,4)">,
// CHECK-SAME: !cute.tensor<f16, smem, align<128>, "S<3,3,3> o 0 o (8,64):(64,1)">,
// CHECK-SAME: !cute.coord_tensor<"(0,?)", "(128,64):(1@0,1@1)">)
// GEN: function_type = (!cute.ptr<f16, "gmem", 16 : i64, "">,
// GEN-SAME: !cute.ptr<bf16, "smem", 2 : i64, "">,
// GEN-SAME: !cute.tensor<f32, "rmem", 4 : i64, "(4,2):(1,4)">,
// GEN-SAME: !cute.tensor<f16, "smem", 128 : i64, "S<3,3,3> o 0 o (8,64):(64,1)">,
// GEN-SAME: !cute.coord_tensor<"(0,?)", "(128,64):(1@0,1@1)">)
// GEN-SAME: sym_name = "memory"
func.func private @memory(
    !cute.ptr<f16, "gmem", 16 : i64>, !cute.ptr< bf16 ,smem,align< 2 > >,
    !cute.tensor<f32,rmem, align<4>, "(4,2)">,
    !cute.tensor<f16, "smem", 128 : i64, "S<3,3,3> o 0 o (8,64):(64,1)">,
    !cute.coord_tensor<"(0,?)",
                       "(128,64):(1@0,1@1)">)

// A swizzle of addresses; one without bits is none.
// CHECK-LABEL: func.func private @swizzled_pointers(
// CHECK-SAME: !cute.ptr<f16, smem, align<1024>, S<3,4,3>>,
// CHECK-SAME: !cute.ptr<f16, smem, align<16>, S<2,3,-3>>,
// CHECK-SAME: !cute.ptr<f16, gmem, align<16>>, !cute.ptr<f16, gmem, align<16>>)
// GEN: function_type = (!cute.ptr<f16, "smem", 1024 : i64, "S<3,4,3>">,
// GEN-SAME: !cute.ptr<f16, "smem", 16 : i64, "S<2,3,-3>">,
// GEN-SAME: !cute.ptr<f16, "gmem", 16 : i64, "">, !cute.ptr<f16, "gmem", 16 : i64, "">)
// GEN-SAME: sym_name = "swizzled_pointers"
func.func private @swizzled_pointers(
    !cute.ptr<f16, smem, align<1024>, S<3,4,3>>,
    !cute.ptr<f16, "smem", 16 : i64, "S<2,3,-3>">,
    !cute.ptr<f16, gmem, align<16>, S<0,4,3>>, !cute.ptr<f16, gmem, align<16>, "">)

// CHECK-LABEL: func.func private @atoms(
// CHECK-SAME: !cute.mma_atom<"SM80_16x8x16_F32F16F16F32_TN">,
// CHECK-SAME: !cute.copy_atom<"SM75_U32x4_LDSM_N", f16>,
// CHECK-SAME: !cute.tiled_mma<"SM80_16x8x16_F32F16F16F32_TN", "(2,2,1):(1,2,0)", "[32:1;32:1;16:1]">,
// CHECK-SAME: !cute.tiled_copy<"UniversalCopy<uint128_t>", f16, "((8,16),8):((128,1),16)", "[16:1;64:1]">)
func.func private @atoms(
    !cute.mma_atom<"SM80_16x8x16_F32F16F16F32_TN">,
    !cute.copy_atom<"SM75_U32x4_LDSM_N", f16>,
    !cute.tiled_mma<"SM80_16x8x16_F32F16F16F32_TN", "(2,2,1)", "[32;32;16]">,
    !cute.tiled_copy<"UniversalCopy<uint128_t>",f16,"((8,16),8):((128,1),16)","[16;64]">)

// CHECK-LABEL: func.func private @nested(
// CHECK-SAME: tuple<!cute.layout<"4:1">, tuple<!cute.tile<"4:1">>>,
// CHECK-SAME: (!cute.layout<"4:1">) -> (!cute.shape<"4">, i32),
// CHECK-SAME: tensor<4x!cute.shape<"4">>)
// CHECK-SAME: -> (!cute.layout<"4:1"> {test.a = "b"}, i32)
func.func private @nested(
    tuple<!cute.layout<"4">, tuple<!cute.tile<"4">>>,
    (!cute.layout<"4">) -> (!cute.shape<"4">, i32), tensor<4x!cute.shape<" 4">>)
    -> (!cute.layout<"4"> {test.a = "b"}, i32)

// Types as attributes, also in dictionaries and arrays.
// CHECK-LABEL: func.func private @attributes()
// CHECK-SAME: cute.z = !cute.tile<"4:1">
// CHECK-SAME: test.a = !cute.layout<"4:1">
// CHECK-SAME: test.b = [!cute.shape<"(4,5)">, {c = !cute.layout<"(4):(1)">}]
// CHECK-SAME: test.d = (!cute.ptr<i8, gmem, align<1>>) -> ()
func.func private @attributes() attributes {
    test.a = !cute.layout<"4">, cute.z = !cute.tile<"4">,
    test.b = [!cute.shape<"(4, 5)">, {c = !cute.layout<"(4)">}],
    test.d = (!cute.ptr<i8, "gmem", 1 : i64>) -> ()}

// CHECK-LABEL: func.func @arguments(
// CHECK-SAME: %[[A:.*]]: !cute.layout<"(4,?):(1,4)"> {test.x}, %{{.*}}: i32)
// CHECK-SAME: -> !cute.layout<"(4,?):(1,4)">
// CHECK: return %[[A]] : !cute.layout<"(4,?):(1,4)">
func.func @arguments(%a: !cute.layout<"(4,?)"> {test.x}, %b : i32)
    -> !cute.layout<"(4,?):(1,4)"> {
  return %a : !cute.layout<" (4,?)">
}
