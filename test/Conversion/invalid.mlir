// What cannot be lowered is reported at its place.
// RUN: cute-opt %s --cute-lower --split-input-file --verify-diagnostics

gpu.module @size {
  gpu.func @kernel() kernel {
    %l = cute.static : !cute.layout<"4611686018427387904:2">
    // expected-error @+1 {{the size of the allocation cannot be computed}}
    %a = cute.alloc_smem<f32, 16> (%l)
    gpu.return
  }
}

// -----

// 300 dynamic leaves in one parameter.
gpu.module @parameters {
  // expected-error @+1 {{has more than 256 parameters}}
  gpu.func @kernel(%s: !cute.shape<"(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)">) kernel {
    gpu.return
  }
}

// -----

// Whoever launches a kernel has global memory only; a function that is called
// from a kernel may have others.
gpu.module @spaces {
  // expected-error @+2 {{parameter 1 of a kernel, !cute.tensor<f32, smem, align<4>, "4:1">, is in smem, which a launcher cannot pass; it must be in gmem, or be made in the kernel by cute.alloc_smem}}
  gpu.func @shared(%i: i32,
                   %t: !cute.tensor<f32, smem, align<4>, "4:1">) kernel {
    gpu.return
  }
  // expected-error @+1 {{parameter 0 of a kernel, !cute.ptr<f32, rmem, align<4>>, is in rmem, which a launcher cannot pass; it must be in gmem, or be made in the kernel by cute.make_fragment}}
  gpu.func @registers(%p: !cute.ptr<f32, rmem, align<4>>) kernel {
    gpu.return
  }
  gpu.func @called(%t: !cute.tensor<f32, smem, align<4>, "4:1">, %p: !cute.ptr<f32, rmem, align<4>>) {
    gpu.return
  }
}

// -----

gpu.module @said_of_a_tensor {
  // expected-error @+1 {{parameter 0, !cute.tensor<f32, gmem, align<4>, "4:1">, cannot have the attribute 'llvm.byval'; it can have llvm.noalias, nonnull, readonly}}
  gpu.func @kernel(%t: !cute.tensor<f32, gmem, align<4>, "4:1"> {llvm.byval = f32}) kernel {
    gpu.return
  }
}

// -----

gpu.module @said_of_a_shape {
  // expected-error @+1 {{parameter 1, !cute.shape<"?">, cannot have the attribute 'llvm.noalias'; it can have llvm.noundef and attributes of other dialects}}
  gpu.func @kernel(%t: i32, %s: !cute.shape<"?"> {llvm.noalias}) kernel {
    gpu.return
  }
}

// -----

// What is computed of the types in a message is not lowered.
gpu.module @said_of_a_composed_layout {
  // expected-error @+1 {{parameter 0, !cute.composed_layout<"8:1 o ? o ((2,?),4):((1,2),8)">, cannot have the attribute 'llvm.noalias'}}
  gpu.func @kernel(%t: !cute.composed_layout<"8:1 o ? o ((2,?),4):((1,2),8)"> {llvm.noalias}) kernel {
    gpu.return
  }
}

// -----

gpu.module @said_of_coordinates {
  // expected-error @+1 {{parameter 1, !cute.coord_tensor<"(?,0)", "((4,?),?):((1@0,4@0),1@1)">, cannot have the attribute 'llvm.noalias'}}
  gpu.func @kernel(%n: i32, %t: !cute.coord_tensor<"(?,0)", "((4,?),?):((1@0,4@0),1@1)"> {llvm.noalias}) kernel {
    gpu.return
  }
}

// -----

// What lies before a part of a swizzled tensor is in its type, with 32 bits.
gpu.module @large_swizzled {
  gpu.func @kernel(%t: !cute.tensor<f32, gmem, align<128>, "S<3,4,3> o 0 o (65536,65536):(65536,1)">, %i: i32, %x: f32) kernel {
    %c = cute.make_coord(%i) : (i32) -> !cute.coord<"(?,_)">
    // expected-error @+1 {{'cute.slice' op indices of the swizzled tensor do not fit in the 32 bits of the coordinate, which must be i64; the shape is (65536,65536)}}
    %r = cute.slice(%t, %c)
    %z = cute.make_coord(%i) : (i32) -> !cute.coord<"(?)">
    cute.store(%x, %r, %z)
    gpu.return
  }
}

// -----

!t = !cute.tensor<f32, gmem, align<4>, "64:1">

gpu.module @given_by_others {
  gpu.func @kernel(%A: !t) kernel {
    // expected-error @+1 {{'builtin.unrealized_conversion_cast' op takes a value of the cute dialect}}
    %0 = builtin.unrealized_conversion_cast %A : !t to i32
    gpu.return
  }
}

// -----

// Registers end with the function that made them.
gpu.module @returned {
  func.func @f() -> !cute.tensor<f32, rmem, align<16>, "4:1"> {
    %l = cute.static : !cute.layout<"4:1">
    %r = cute.make_fragment<f32> (%l)
    // expected-error @+1 {{'func.return' op returns registers of a function that ends; let the caller make the fragment and pass it}}
    return %r : !cute.tensor<f32, rmem, align<16>, "4:1">
  }
}

// -----

gpu.module @shared_in_function {
  func.func @f() {
    // expected-error @+1 {{shared memory can be allocated in a kernel only}}
    %s = cute.alloc_smem<f32, 4> (4:1)
    return
  }
}
