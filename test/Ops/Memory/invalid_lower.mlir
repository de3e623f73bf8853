// What element access rejects when it is lowered.
// RUN: cute-opt %s --cute-lower --split-input-file --verify-diagnostics

gpu.module @integers {
  gpu.func @kernel() kernel {
    %l = cute.static : !cute.layout<"4:1">
    %f = cute.make_fragment<f32> (%l)
    %g = cute.make_fragment<f8E8M0FNU> (%l)
    cute.clear(%f)
    // expected-error @+1 {{no conversion from f32 to f8E8M0FNU}}
    cute.convert(%f, %g)
    gpu.return
  }
}

// -----

gpu.module @half_a_byte {
  gpu.func @kernel(%t: !cute.tensor<i4, gmem, align<16>, "64:1">, %x: i4) kernel {
    %c = cute.static : !cute.coord<"5">
    // expected-error @+1 {{a 4-bit i4 cannot be stored alone in gmem, where another thread may write to the same byte; copy whole bytes from a fragment}}
    cute.store(%x, %t, %c) : i4, !cute.tensor<i4, gmem, align<16>, "64:1">, !cute.coord<"5">
    gpu.return
  }
}

// -----

gpu.module @one_bit {
  gpu.func @kernel(%x: i1) kernel {
    %l = cute.static : !cute.layout<"64:1">
    %s = cute.alloc_smem<ui1, 16> (%l)
    %c = cute.static : !cute.coord<"5">
    // expected-error @+1 {{a 1-bit ui1 cannot be stored alone in smem}}
    cute.store(%x, %s, %c) : i1, !cute.tensor<ui1, smem, align<16>, "64:1">, !cute.coord<"5">
    gpu.return
  }
}

// -----

// Whole bytes, but from the middle of one.
gpu.module @odd_start {
  gpu.func @kernel(%t: !cute.tensor<i4, gmem, align<16>, "(2,3):(1,3)">) kernel {
    %l = cute.static : !cute.layout<"2:1">
    %r = cute.make_fragment<i4> (%l)
    cute.clear(%r)
    %c = cute.static : !cute.coord<"(_,1)">
    %s = cute.slice(%t, %c)
    %a = cute.static : !cute.copy_atom<"UniversalCopy<uint8_t>", i4>
    // expected-error @+1 {{a 4-bit i4 cannot be stored alone in gmem}}
    cute.copy(%a, %r, %s)
    gpu.return
  }
}

// -----

gpu.module @small_floats {
  gpu.func @kernel() kernel {
    %l = cute.static : !cute.layout<"4:1">
    %f = cute.make_fragment<f32> (%l)
    %g = cute.make_fragment<f8E8M0FNU> (%l)
    cute.clear(%f)
    // expected-error @+1 {{no conversion from f32 to f8E8M0FNU}}
    cute.convert(%f, %g)
    gpu.return
  }
}

// -----

// Element 3 of 4 bits is in the middle of byte 1, which has no pointer.
gpu.module @odd_recast {
  gpu.func @kernel(%t: !cute.tensor<i4, gmem, align<16>, "(2,3):(1,3)">, %x: i8) kernel {
    %c = cute.static : !cute.coord<"(_,1)">
    %s = cute.slice(%t, %c)
    // expected-error @+1 {{a view of i4 that may begin within a byte has no address; begin with a multiple of 2 elements}}
    %b = cute.recast_tensor<i8> (%s)
    %z = cute.static : !cute.coord<"0">
    cute.store(%x, %b, %z) : i8, !cute.tensor<i8, gmem, align<1>, "(1):(1)">, !cute.coord<"0">
    gpu.return
  }
}

// -----

!odd = !cute.tensor<i4, gmem, align<1>, "(2):(1)">

gpu.module @odd_argument {
  func.func private @callee(%t: !odd) {
    return
  }
  gpu.func @kernel(%t: !cute.tensor<i4, gmem, align<16>, "(2,3):(1,3)">) kernel {
    %c = cute.static : !cute.coord<"(_,1)">
    %s = cute.slice(%t, %c)
    %p = cute.get_iter(%t)
    %o = cute.static : !cute.int_tuple<"3">
    %q = cute.add_offset(%p, %o)
    %l = cute.static : !cute.layout<"(2):(1)">
    %v = cute.make_tensor(%q, %l)
    // expected-error @+1 {{a view of i4 that may begin within a byte has no address}}
    func.call @callee(%v) : (!odd) -> ()
    gpu.return
  }
}

// -----

gpu.module @odd_address {
  gpu.func @kernel(%p: !cute.ptr<i4, gmem, align<16>>, %i: i32, %o: !cute.tensor<i64, gmem, align<8>, "1:0">) kernel {
    %one = cute.static : !cute.int_tuple<"1">
    %a = cute.add_offset(%p, %one)
    // expected-error @+1 {{a view of i4 that may begin within a byte has no address; begin with a multiple of 2 elements}}
    %x = cute.ptr_to_int(%a)
    %z = cute.static : !cute.coord<"0">
    cute.store(%x, %o, %z) : i64, !cute.tensor<i64, gmem, align<8>, "1:0">, !cute.coord<"0">
    gpu.return
  }
}

// -----

gpu.module @any_address {
  gpu.func @kernel(%p: !cute.ptr<i4, gmem, align<16>>, %i: i32, %o: !cute.tensor<i64, gmem, align<8>, "1:0">) kernel {
    %a = cute.add_offset(%p, %i)
    // expected-error @+1 {{a view of i4 that may begin within a byte has no address; begin with a multiple of 2 elements}}
    %x = cute.ptr_to_int(%a)
    %z = cute.static : !cute.coord<"0">
    cute.store(%x, %o, %z) : i64, !cute.tensor<i64, gmem, align<8>, "1:0">, !cute.coord<"0">
    gpu.return
  }
}

// -----

gpu.module @odd_recast_pointer {
  gpu.func @kernel(%p: !cute.ptr<ui2, gmem, align<16>>, %i: i32, %o: !cute.tensor<i64, gmem, align<8>, "1:0">) kernel {
    %one = cute.static : !cute.int_tuple<"1">
    %a = cute.add_offset(%p, %one)
    // expected-error @+1 {{a view of ui2 that may begin within a byte has no address; begin with a multiple of 4 elements}}
    %b = cute.recast_ptr(%a) : (!cute.ptr<ui2, gmem, align<1>>) -> !cute.ptr<i8, gmem, align<1>>
    %x = cute.ptr_to_int(%b)
    %z = cute.static : !cute.coord<"0">
    cute.store(%x, %o, %z) : i64, !cute.tensor<i64, gmem, align<8>, "1:0">, !cute.coord<"0">
    gpu.return
  }
}

// -----

gpu.module @any_recast_pointer {
  gpu.func @kernel(%p: !cute.ptr<ui1, gmem, align<16>>, %i: i32, %o: !cute.tensor<i64, gmem, align<8>, "1:0">) kernel {
    %a = cute.add_offset(%p, %i)
    // expected-error @+1 {{a view of ui1 that may begin within a byte has no address; begin with a multiple of 8 elements}}
    %b = cute.recast_ptr(%a) : (!cute.ptr<ui1, gmem, align<1>>) -> !cute.ptr<i4, gmem, align<1>>
    %x = cute.ptr_to_int(%b)
    %z = cute.static : !cute.coord<"0">
    cute.store(%x, %o, %z) : i64, !cute.tensor<i64, gmem, align<8>, "1:0">, !cute.coord<"0">
    gpu.return
  }
}

// -----

gpu.module @cleared_parts_of_bytes {
  gpu.func @kernel(%t: !cute.tensor<i4, gmem, align<16>, "5:1">) kernel {
    // expected-error @+1 {{a 4-bit i4 cannot be stored alone in gmem}}
    cute.clear(%t)
    gpu.return
  }
}
