// What kernels are passed: a pointer, then an integer for each dynamic leaf,
// shapes before strides, in the widths of the leaves.
// RUN: cute-opt %s --cute-lower | FileCheck %s --implicit-check-not=cute.
// RUN: cutec %s -o - | FileCheck %s --check-prefix=PTX

gpu.module @parameters {
  // CHECK-LABEL: gpu.func @tensor(
  // CHECK-SAME: !llvm.ptr<1> {llvm.align = 16 : i64}, %{{[a-z0-9]+}}: i32, %{{[a-z0-9]+}}: i64, %{{[a-z0-9]+}}: i64, %{{[a-z0-9]+}}: i32) kernel
  gpu.func @tensor(%t: !cute.tensor<f32, gmem, align<16>, "(?,(2,?{i64})):(?{i64},(1,?))">) kernel {
    gpu.return
  }

  // Static types take nothing; their neighbours keep their order.
  // CHECK-LABEL: gpu.func @static(
  // CHECK-SAME: %{{[a-z0-9]+}}: i8, %{{[a-z0-9]+}}: !llvm.ptr<1> {llvm.align = 2 : i64}, %{{[a-z0-9]+}}: f64) kernel
  gpu.func @static(%a: i8, %s: !cute.shape<"(4,2)">, %t: !cute.tensor<f16, gmem, align<2>, "(4,2):(1,4)">, %m: !cute.mma_atom<"SM80_16x8x8_F32F16F16F32_TN">, %x: f64) kernel {
    gpu.return
  }

  // Other kinds: their dynamic leaves; a composed layout's offset comes last, a
  // coordinate tensor's origin first.
  // CHECK-LABEL: gpu.func @kinds(
  // CHECK-SAME: %[[S:[a-z0-9]+]]: i32, %[[T:[a-z0-9]+]]: i32, %[[N:[a-z0-9]+]]: i32, %[[D:[a-z0-9]+]]: i64, %[[B:[a-z0-9]+]]: i32, %[[O:[a-z0-9]+]]: i32, %[[Z:[a-z0-9]+]]: i32, %[[P:[a-z0-9]+]]: !llvm.ptr<1> {llvm.align = 8 : i64}) kernel
  // The store is at the extent of the tile's first mode.
  // CHECK: llvm.getelementptr %[[P]][%[[T]]]
  gpu.func @kinds(%s: !cute.shape<"(4,?)">, %t: !cute.tile<"[?:1;_]">, %l: !cute.layout<"(?,2):(1,?{i64})">, %x: !cute.composed_layout<"S<2,0,3> o ? o (8,?):(1,8)">, %c: !cute.coord_tensor<"(?,0)", "(4,2):(1@0,1@1)">, %p: !cute.ptr<f64, gmem, align<8>>) kernel {
    %one = cute.static : !cute.layout<"64:1">
    %u = cute.make_tensor(%p, %one)
    %k:1 = cute.get_layouts_from_tile(%t) : <"[?:1;_]">
    %e = cute.get_scalars<{only_dynamic}> (%k#0) : !cute.layout<"?:1">
    %at = cute.make_coord(%e) : (i32) -> !cute.coord<"?">
    %v = arith.constant 0.0 : f64
    cute.store(%v, %u, %at) : f64, !cute.tensor<f64, gmem, align<8>, "64:1">, !cute.coord<"?">
    gpu.return
  }

  // Attributes of the kernel stay; several kernels share a module.
  // CHECK-LABEL: gpu.func @attributes(
  // CHECK-SAME: kernel attributes {{{.*}}known_block_size = array<i32: 64, 2, 1>
  gpu.func @attributes(%t: !cute.tensor<f32, gmem, align<4>, "?:1">) kernel attributes {known_block_size = array<i32: 64, 2, 1>} {
    gpu.return
  }

  // Functions without values of the dialect are left alone.
  // CHECK-LABEL: gpu.func @plain(
  // CHECK-SAME: %{{[a-z0-9]+}}: i32) kernel
  // CHECK-NEXT: gpu.return
  gpu.func @plain(%i: i32) kernel {
    gpu.return
  }

  // Attributes of a tensor go to its pointer, with the larger alignment; LLVM's attributes of
  // integers to all parts; attributes of other dialects to the
  // first. Other parameters keep theirs.
  // CHECK-LABEL: gpu.func @said(
  // CHECK-SAME: %{{[a-z0-9]+}}: i32 {llvm.signext}, %[[T:[a-z0-9]+]]: !llvm.ptr<1> {llvm.align = 16 : i64, llvm.dereferenceable = 64 : i64, llvm.noalias, llvm.noundef, llvm.readonly, my.name = "t"}, %{{[a-z0-9]+}}: i32 {llvm.noundef}, %{{[a-z0-9]+}}: i32 {llvm.noundef}, %{{[a-z0-9]+}}: !llvm.ptr<1> {llvm.align = 128 : i64, llvm.nonnull, llvm.writeonly}, %{{[a-z0-9]+}}: i32 {llvm.noundef, my.name = "s"}, %{{[a-z0-9]+}}: i32 {llvm.noundef}, %{{[a-z0-9]+}}: !llvm.ptr {llvm.noalias}) kernel
  gpu.func @said(%i: i32 {llvm.signext},
                 %t: !cute.tensor<f32, gmem, align<4>, "?:?"> {llvm.noalias, llvm.readonly, llvm.noundef, llvm.align = 16 : i64, llvm.dereferenceable = 64 : i64, my.name = "t"},
                 %p: !cute.ptr<f32, gmem, align<128>> {llvm.align = 4 : i64, llvm.nonnull, llvm.writeonly},
                 %n: !cute.shape<"(2)"> {llvm.noundef, my.name = "nothing"},
                 %s: !cute.shape<"(?,2,?)"> {llvm.noundef, my.name = "s"},
                 %q: !llvm.ptr {llvm.noalias}) kernel {
    gpu.return
  }

  // What nobody else points to and is only read does not change.
  // CHECK-LABEL: gpu.func @only_read(
  // PTX-LABEL: .entry only_read(
  // PTX: ld.global.nc.b32
  // PTX: ld.global.b32
  gpu.func @only_read(%t: !cute.tensor<f32, gmem, align<4>, "4:1"> {llvm.noalias, llvm.readonly}, %u: !cute.tensor<f32, gmem, align<4>, "4:1">) kernel {
    %c = cute.static : !cute.coord<"3">
    %d = cute.static : !cute.coord<"1">
    %x = cute.load(%t, %c)
    %y = cute.load(%u, %c)
    %z = arith.addf %x, %y : f32
    cute.store(%z, %u, %d) : f32, !cute.tensor<f32, gmem, align<4>, "4:1">, !cute.coord<"1">
    gpu.return
  }
}
