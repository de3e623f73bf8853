// Rearranging modes in a kernel moves values about and computes nothing.
// RUN: cute-opt %s --cute-lower --canonicalize --cse \
// RUN:   | FileCheck %s --implicit-check-not="cute."

gpu.module @kernels {
  // CHECK-LABEL: gpu.func @rearrange(
  // CHECK-SAME: %[[M:.*]]: i32, %[[N:.*]]: i32, %[[D:.*]]: i32, %[[OUT:.*]]: !llvm.ptr<1>)
  // CHECK-NEXT: llvm.store %[[M]], %[[OUT]]
  // CHECK-NEXT: llvm.store %[[N]], %[[OUT]]
  // CHECK-NEXT: llvm.store %[[D]], %[[OUT]]
  // CHECK-NEXT: llvm.store %[[N]], %[[OUT]]
  // CHECK-NEXT: llvm.store %[[M]], %[[OUT]]
  // CHECK-NEXT: llvm.store %[[D]], %[[OUT]]
  // CHECK-NEXT: gpu.return
  gpu.func @rearrange(%m: i32, %n: i32, %d: i32, %out: !llvm.ptr<1>) kernel {
    %s = cute.make_shape(%m, %n) : (i32, i32) -> !cute.shape<"((?,2),?)">
    %t = cute.make_stride(%d) : (i32) -> !cute.stride<"((1,?),64)">
    %l = cute.make_layout(%s, %t)
    %flat = cute.flatten(%l)
    %grouped = cute.group_modes<1, 3>(%flat)
    %x:3 = cute.get_scalars<{only_dynamic}>(%grouped)
    llvm.store %x#0, %out : i32, !llvm.ptr<1>
    llvm.store %x#1, %out : i32, !llvm.ptr<1>
    llvm.store %x#2, %out : i32, !llvm.ptr<1>
    %kept = cute.static : !cute.coord<"(_,_,0)">
    %dropped = cute.static : !cute.coord<"(_,_,0)">
    %rest = cute.dice(%flat, %dropped)
    %first = cute.slice(%flat, %kept)
    %y = cute.get_scalars<{only_dynamic}>(%rest)
    %z:2 = cute.get_scalars<{only_dynamic}>(%first)
    llvm.store %y, %out : i32, !llvm.ptr<1>
    llvm.store %z#0, %out : i32, !llvm.ptr<1>
    llvm.store %z#1, %out : i32, !llvm.ptr<1>
    gpu.return
  }

  // Every copy of an appended element is the same value.
  // CHECK-LABEL: gpu.func @ranks(
  // CHECK-SAME: %[[M:.*]]: i32, %[[E:.*]]: i32, %[[OUT:.*]]: !llvm.ptr<1>)
  // CHECK-NEXT: llvm.store %[[M]], %[[OUT]]
  // CHECK-NEXT: llvm.store %[[E]], %[[OUT]]
  // CHECK-NEXT: llvm.store %[[E]], %[[OUT]]
  // CHECK-NEXT: llvm.store %[[E]], %[[OUT]]
  // CHECK-NEXT: llvm.store %[[M]], %[[OUT]]
  // CHECK-NEXT: gpu.return
  gpu.func @ranks(%m: i32, %e: i32, %out: !llvm.ptr<1>) kernel {
    %s = cute.make_shape(%m) : (i32) -> !cute.shape<"?">
    %t = cute.make_shape(%e) : (i32) -> !cute.shape<"?">
    %a = cute.append_to_rank<3>(%s, %t)
    %b = cute.prepend_to_rank<2>(%s, %t)
    %x:3 = cute.get_scalars(%a)
    %y:2 = cute.get_scalars(%b)
    llvm.store %x#0, %out : i32, !llvm.ptr<1>
    llvm.store %x#1, %out : i32, !llvm.ptr<1>
    llvm.store %x#2, %out : i32, !llvm.ptr<1>
    llvm.store %y#0, %out : i32, !llvm.ptr<1>
    llvm.store %y#1, %out : i32, !llvm.ptr<1>
    gpu.return
  }

  // Under an affine layout the slice moves the offset: o + i * 8.
  // CHECK-LABEL: gpu.func @slice_composed(
  // CHECK-SAME: %[[O:.*]]: i32, %[[I:.*]]: i32,
  // CHECK: %[[I8:.*]] = arith.muli %[[I]], %c8_i32 : i32
  // CHECK: %[[AT:.*]] = arith.addi %[[O]], %[[I8]] : i32
  // CHECK: llvm.store %[[AT]],
  gpu.func @slice_composed(%o: i32, %i: i32, %out: !llvm.ptr<1>) kernel {
    %a = cute.static : !cute.layout<"(8,8):(8,1)">
    %b = cute.static : !cute.layout<"(4,4):(1,8)">
    %offset = cute.make_int_tuple(%o) : (i32) -> !cute.int_tuple<"?">
    %l = cute.make_composed_layout(%a, %offset, %b)
    %c = cute.make_coord(%i) : (i32) -> !cute.coord<"(_,?)">
    %r = cute.slice(%l, %c)
    %moved = cute.composed_get_offset(%r)
    %x = cute.get_scalars(%moved)
    llvm.store %x, %out : i32, !llvm.ptr<1>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @rank_of_tensor(
  // CHECK-SAME: %[[P:.*]]: !llvm.ptr<1>
  // CHECK: llvm.getelementptr %[[P]][9] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
  gpu.func @rank_of_tensor(%t: !cute.tensor<f32, gmem, align<4>, "(4,5):(1,4)">, %x: f32) kernel {
    %one = cute.static : !cute.layout<"1:0">
    %r = cute.append_to_rank<3> (%t, %one)
    %c = cute.static : !cute.coord<"(1,2,0)">
    cute.store(%x, %r, %c) : f32, !cute.tensor<f32, gmem, align<4>, "(4,5,1):(1,4,0)">, !cute.coord<"(1,2,0)">
    gpu.return
  }

  // Dynamic leaves stay the operands': (2,n) zipped with (n,i), then
  // flattened and put into a profile, and element (1,2) of a tensor with another
  // mode.
  // CHECK-LABEL: gpu.func @replaced(
  // CHECK-SAME: %[[N:.*]]: i32, %[[I:.*]]: i32, %[[OUT:.*]]: !llvm.ptr<1>, %[[P:.*]]: !llvm.ptr<1>
  // CHECK: llvm.store %[[N]], %[[OUT]]
  // CHECK: llvm.store %[[N]], %[[OUT]]
  // CHECK: llvm.store %[[I]], %[[OUT]]
  // CHECK: llvm.getelementptr %[[P]][17] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
  gpu.func @replaced(%n: i32, %i: i32, %out: !llvm.ptr<1>, %t: !cute.tensor<f32, gmem, align<4>, "(4,5):(1,4)">, %v: f32) kernel {
    %a = cute.replace<1> ((2,3), %n)
    %z = cute.zip(%a, (%n,%i))
    %f = cute.flatten(%z)
    %u = cute.unflatten(%f, ((1,1,1),1))
    %x:4 = cute.get_scalars(%u)
    llvm.store %x#1, %out : i32, !llvm.ptr<1>
    llvm.store %x#2, %out : i32, !llvm.ptr<1>
    llvm.store %x#3, %out : i32, !llvm.ptr<1>
    %r = cute.replace<1> (%t, 3:8)
    cute.store(%v, %r, (1,2))
    gpu.return
  }

  // CHECK-LABEL: gpu.func @named(
  // CHECK-SAME: %[[N:.*]]: {{[^,)]*}}, %[[I:.*]]: {{[^,)]*}}, %[[OUT:.*]]: {{[^,)]*}})
  // CHECK: %[[FOUR:.*]] = arith.muli %[[I]], %c4_i32
  // CHECK-NEXT: %[[OFFSET:.*]] = arith.addi %[[FOUR]], %c3_i32
  // CHECK-NEXT: llvm.store %[[N]], %[[OUT]]
  // CHECK-NEXT: llvm.store %c1_i32, %[[OUT]]
  // CHECK-NEXT: llvm.store %[[N]], %[[OUT]]
  // CHECK-NEXT: llvm.store %c4_i32, %[[OUT]]
  // CHECK-NEXT: llvm.store %[[N]], %[[OUT]]
  // CHECK-NEXT: llvm.store %c1_i32, %[[OUT]]
  // CHECK-NEXT: llvm.store %[[OFFSET]], %[[OUT]]
  gpu.func @named(%n: i32, %i: i32, %out: !llvm.ptr<1>) kernel {
    %s = cute.make_shape(%n) : (i32) -> !cute.shape<"(4,?)">
    %a = cute.append<4> (%s, 1)
    %b = cute.prepend(%s, %n)
    %g = cute.group<0> (%s)
    %f = cute.front(%g)
    %r = cute.repeat_like(%n, %s)
    %p = cute.find(3, (1,(2,3)))
    %l = cute.make_layout(%s)
    %t:2 = cute.slice_and_offset(%l, (3,%i))
    %x:4 = cute.get_scalars(%a)
    %y:3 = cute.get_scalars(%b)
    %z = cute.get_scalars(%f)
    %u:2 = cute.get_scalars(%r)
    %v:2 = cute.get_scalars(%p)
    %w = cute.get_scalars(%t#1)
    llvm.store %x#1, %out : i32, !llvm.ptr<1>
    llvm.store %x#3, %out : i32, !llvm.ptr<1>
    llvm.store %y#0, %out : i32, !llvm.ptr<1>
    llvm.store %z, %out : i32, !llvm.ptr<1>
    llvm.store %u#1, %out : i32, !llvm.ptr<1>
    llvm.store %v#0, %out : i32, !llvm.ptr<1>
    llvm.store %w, %out : i32, !llvm.ptr<1>
    gpu.return
  }
}
