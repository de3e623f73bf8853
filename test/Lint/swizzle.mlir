// RUN: cute-opt %s --cute-swizzle 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --input-file=%t.remarks --check-prefix=REMARK
// RUN: cute-opt %s --cute-swizzle --cute-swizzle 2>/dev/null >%t.twice
// RUN: cute-opt %s --cute-swizzle 2>/dev/null | diff - %t.twice
//
// The plain GEMM gets what gemm_sm80.mlir has; check_banks.py knows nothing of
// how it was found.
// RUN: cute-opt %examples/gemm_plain.mlir --cute-optimize 2>/dev/null | %python %S/../Compile/Inputs/check_banks.py rows

gpu.module @m {
  // Columns are written and rows read. All that follows from the tensor has its
  // type; the fragment has none of the swizzle.
  // REMARK: swizzle.mlir:[[@LINE+8]]:{{[0-9]+}}: remark: gets the swizzle S<5,0,5>: 0 bank conflicts of 992 remain
  // CHECK-LABEL: gpu.func @columns
  // CHECK: cute.alloc_smem<f32, 128> {{.*}} -> !cute.tensor<f32, smem, align<128>, "S<5,0,5> o 0 o (32,32):(32,1)">
  // CHECK: cute.partition_s{{.*}} -> !cute.tensor<f32, smem, align<128>, "S<5,0,5> o ?{div=32} o ((1,1),1,32):((0,0),0,1)">
  // CHECK: cute.make_fragment_like{{.*}} -> !cute.tensor<f32, rmem, align<16>, "((1,1),1,32):((0,0),0,1)">
  // CHECK: cute.copy({{.*}}S<5,0,5>
  gpu.func @columns() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %l = cute.static : !cute.layout<"(32,32):(32,1)">
    %s = cute.alloc_smem<f32, 128> (%l)
    %x = gpu.thread_id x
    %t = arith.index_cast %x : index to i32
    %atom = cute.static : !cute.copy_atom<"UniversalCopy<uint32_t>", f32>
    %threads = cute.static : !cute.layout<"(32,1):(1,0)">
    %values = cute.static : !cute.layout<"(1,1):(0,0)">
    %copy = cute.make_tiled_copy(%atom, %threads, %values)
    %part = cute.partition_s(%copy, %s, %t)
    %r = cute.make_fragment_like(%part)
    cute.copy(%copy, %part, %r)
    gpu.return
  }

  // REMARK: remark: needs no swizzle: 1 access without bank conflicts
  // CHECK-LABEL: gpu.func @rows
  // CHECK: cute.alloc_smem<f32, 128> {{.*}} -> !cute.tensor<f32, smem, align<128>, "(32,32):(32,1)">
  gpu.func @rows() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %l = cute.static : !cute.layout<"(32,32):(32,1)">
    %s = cute.alloc_smem<f32, 128> (%l)
    %x = gpu.thread_id x
    %t = arith.index_cast %x : index to i32
    %atom = cute.static : !cute.copy_atom<"UniversalCopy<uint32_t>", f32>
    %threads = cute.static : !cute.layout<"(1,32):(0,1)">
    %values = cute.static : !cute.layout<"(1,1):(0,0)">
    %copy = cute.make_tiled_copy(%atom, %threads, %values)
    %part = cute.partition_s(%copy, %s, %t)
    %r = cute.make_fragment_like(%part)
    cute.copy(%copy, %part, %r)
    gpu.return
  }

  // Where a thread reads depends on memory.
  // REMARK: remark: gets no swizzle: no access to it has a known address
  // CHECK-LABEL: gpu.func @unknown
  // CHECK: cute.alloc_smem<f32, 128> {{.*}}, "(32,32):(32,1)">
  gpu.func @unknown(%table: !cute.tensor<i32, gmem, align<4>, "?:1">) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %l = cute.static : !cute.layout<"(32,32):(32,1)">
    %s = cute.alloc_smem<f32, 128> (%l)
    %x = gpu.thread_id x
    %t = arith.index_cast %x : index to i32
    %at = cute.make_coord(%t) : (i32) -> !cute.coord<"?">
    %i = cute.load(%table, %at)
    %c = cute.make_coord(%i) : (i32) -> !cute.coord<"(?,0)">
    %v = cute.load(%s, %c)
    gpu.return
  }

  // A pointer, and with it other layouts, has no swizzle.
  // REMARK: remark: gets no swizzle: 'cute.get_iter' needs its layout as it is
  // CHECK-LABEL: gpu.func @pointer
  // CHECK: cute.alloc_smem<f32, 128> {{.*}}, "(32,32):(32,1)">
  gpu.func @pointer() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %l = cute.static : !cute.layout<"(32,32):(32,1)">
    %s = cute.alloc_smem<f32, 128> (%l)
    %whole = cute.static : !cute.coord<"(_,_)">
    %view = cute.slice(%s, %whole)
    %p = cute.get_iter(%view)
    gpu.return
  }

  // REMARK: remark: gets no swizzle: it is accessed with another element type
  // CHECK-LABEL: gpu.func @recast
  // CHECK: cute.alloc_smem<f32, 128> {{.*}}, "(32,32):(32,1)">
  gpu.func @recast() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %l = cute.static : !cute.layout<"(32,32):(32,1)">
    %s = cute.alloc_smem<f32, 128> (%l)
    %h = cute.recast_tensor<f16> (%s)
    %x = gpu.thread_id x
    %t = arith.index_cast %x : index to i32
    %c = cute.make_coord(%t) : (i32) -> !cute.coord<"(?,0)">
    %v = cute.load(%h, %c)
    gpu.return
  }

  // An op of another dialect has it with its type.
  // REMARK: remark: gets no swizzle: 'scf.yield' needs its layout as it is
  // REMARK: remark: needs no swizzle: 1 access without bank conflicts
  // CHECK-LABEL: gpu.func @passed
  // CHECK-COUNT-2: cute.alloc_smem<f32, 128> {{.*}}, "(32,32):(32,1)">
  gpu.func @passed(%b: i1) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %l = cute.static : !cute.layout<"(32,32):(32,1)">
    %s = cute.alloc_smem<f32, 128> (%l)
    %s2 = cute.alloc_smem<f32, 128> (%l)
    %i = scf.if %b -> (!cute.tensor<f32, smem, align<128>, "(32,32):(32,1)">) {
      scf.yield %s : !cute.tensor<f32, smem, align<128>, "(32,32):(32,1)">
    } else {
      scf.yield %s : !cute.tensor<f32, smem, align<128>, "(32,32):(32,1)">
    }
    %x = gpu.thread_id x
    %t = arith.index_cast %x : index to i32
    %c = cute.make_coord(%t) : (i32) -> !cute.coord<"(0,?)">
    %v = cute.load(%s2, %c)
    gpu.return
  }

  // An op whose type was written by hand does not take another.
  // REMARK: remark: gets no swizzle: 'cute.assume' the result type may differ from the operand's in the divisors
  // CHECK-LABEL: gpu.func @written
  // CHECK: cute.alloc_smem<f32, 128> {{.*}}, "(32,32):(32,1)">
  gpu.func @written() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %l = cute.static : !cute.layout<"(32,32):(32,1)">
    %s = cute.alloc_smem<f32, 128> (%l)
    %a = cute.assume(%s) : !cute.tensor<f32, smem, align<128>, "(32,32):(32,1)"> -> !cute.tensor<f32, smem, align<128>, "(32,32):(32,1)">
    %x = gpu.thread_id x
    %t = arith.index_cast %x : index to i32
    %c = cute.make_coord(%t) : (i32) -> !cute.coord<"(?,0)">
    %v = cute.load(%a, %c)
    gpu.return
  }

  // A layout has another type with a swizzle, too.
  // REMARK: remark: gets no swizzle: 'scf.yield' passes it on
  // CHECK-LABEL: gpu.func @layout
  // CHECK: cute.alloc_smem<f32, 128> {{.*}}, "(32,32):(32,1)">
  gpu.func @layout(%b: i1) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %l = cute.static : !cute.layout<"(32,32):(32,1)">
    %s = cute.alloc_smem<f32, 128> (%l)
    %of = cute.get_layout(%s)
    %i = scf.if %b -> (!cute.layout<"(32,32):(32,1)">) {
      scf.yield %of : !cute.layout<"(32,32):(32,1)">
    } else {
      scf.yield %l : !cute.layout<"(32,32):(32,1)">
    }
    %x = gpu.thread_id x
    %t = arith.index_cast %x : index to i32
    %c = cute.make_coord(%t) : (i32) -> !cute.coord<"(?,0)">
    %v = cute.load(%s, %c)
    gpu.return
  }

  // What is loaded knows nothing of where it lay, so that all ops may have it.
  // REMARK: remark: gets the swizzle S<5,0,5>: 0 bank conflicts of 31 remain
  // CHECK-LABEL: gpu.func @loaded
  // CHECK: cute.alloc_smem<f32, 128> {{.*}}, "S<5,0,5> o 0 o (32,32):(32,1)">
  // CHECK: %[[V:.*]] = cute.load({{.*}}S<5,0,5>
  // CHECK: scf.if
  // CHECK: arith.addf %[[V]], %[[V]] : f32
  gpu.func @loaded(%b: i1, %out: !cute.tensor<f32, gmem, align<16>, "32:1">) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %l = cute.static : !cute.layout<"(32,32):(32,1)">
    %s = cute.alloc_smem<f32, 128> (%l)
    %x = gpu.thread_id x
    %t = arith.index_cast %x : index to i32
    %c = cute.make_coord(%t) : (i32) -> !cute.coord<"(?,0)">
    %v = cute.load(%s, %c)
    scf.if %b {
      %w = arith.addf %v, %v : f32
      %at = cute.make_coord(%t) : (i32) -> !cute.coord<"?">
      cute.store(%w, %out, %at)
    }
    gpu.return
  }

  // A layout that has a swizzle was chosen by somebody; so was padding.
  // REMARK: remark: needs no swizzle: 1 access without bank conflicts
  // REMARK-NOT: remark
  // CHECK-LABEL: gpu.func @chosen
  // CHECK: cute.alloc_smem<f32, 128> {{.*}}, "S<2,0,5> o 0 o (32,32):(32,1)">
  // CHECK: cute.alloc_smem<f32, 128> {{.*}}, "(32,32):(33,1)">
  gpu.func @chosen() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %l = cute.static : !cute.composed_layout<"S<2,0,5> o 0 o (32,32):(32,1)">
    %p = cute.static : !cute.layout<"(32,32):(33,1)">
    %s = cute.alloc_smem<f32, 128> (%l)
    %s2 = cute.alloc_smem<f32, 128> (%p)
    %x = gpu.thread_id x
    %t = arith.index_cast %x : index to i32
    %c = cute.make_coord(%t) : (i32) -> !cute.coord<"(?,0)">
    %v = cute.load(%s, %c)
    %w = cute.load(%s2, %c)
    gpu.return
  }
}
