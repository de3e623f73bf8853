// What TMA atoms and copies by them reject.
// RUN: cute-opt %s --split-input-file --verify-diagnostics

func.func @f(%A: !cute.tensor<f16, gmem, align<16>, "(?,?):(?{i64 div=8},1)">, %l: !cute.composed_layout<"S<3,3,3> o 0 o (128,64):(64,1)">, %s: !cute.shape<"(128,64)">) {
  // expected-error @+1 {{no TMA atom is named 'SM90_TMA'; valid are SM90_TMA_LOAD,}}
  %t:2 = cute.make_tma_atom<"SM90_TMA"> (%A, %l, %s)
  return
}

// -----

func.func @f(%A: !cute.tensor<f16, gmem, align<16>, "(?,?):(?{i64 div=8},1)">, %l: !cute.composed_layout<"S<3,3,3> o 0 o (128,64):(64,1)">, %s: !cute.shape<"(128,64)">) {
  // expected-error @+1 {{no TMA atom is named 'SM75_U32x4_LDSM_N'}}
  %t:2 = cute.make_tma_atom<"SM75_U32x4_LDSM_N"> (%A, %l, %s)
  return
}

// -----

func.func @f(%A: !cute.tensor<f16, smem, align<16>, "(?,?):(?{i64 div=8},1)">, %l: !cute.composed_layout<"S<3,3,3> o 0 o (128,64):(64,1)">, %s: !cute.shape<"(128,64)">) {
  // expected-error @+1 {{the tensor must be in gmem with a plain layout}}
  %t:2 = cute.make_tma_atom<"SM90_TMA_LOAD"> (%A, %l, %s)
  return
}

// -----

func.func @f(%A: !cute.tensor<f16, gmem, align<8>, "(?,?):(?{i64 div=8},1)">, %l: !cute.composed_layout<"S<3,3,3> o 0 o (128,64):(64,1)">, %s: !cute.shape<"(128,64)">) {
  // expected-error @+1 {{the tensor must be aligned to 16 bytes (align<16>)}}
  %t:2 = cute.make_tma_atom<"SM90_TMA_LOAD"> (%A, %l, %s)
  return
}

// -----

func.func @f(%A: !cute.tensor<f16, gmem, align<16>, "(?,?):(?{i64 div=4},1)">, %l: !cute.composed_layout<"S<3,3,3> o 0 o (128,64):(64,1)">, %s: !cute.shape<"(128,64)">) {
  // expected-error @+1 {{the tensor must have strides that are known to be multiples of 16 bytes (?{div=8} of f16)}}
  %t:2 = cute.make_tma_atom<"SM90_TMA_LOAD"> (%A, %l, %s)
  return
}

// -----

func.func @f(%A: !cute.tensor<f16, gmem, align<16>, "(?,?):(1,?{i64 div=8})">, %l: !cute.composed_layout<"S<3,3,3> o 0 o (128,64):(64,1)">, %s: !cute.shape<"(128,64)">) {
  // expected-error @+1 {{the tensor must have the stride 1 where neighbours in shared memory are neighbours in it}}
  %t:2 = cute.make_tma_atom<"SM90_TMA_LOAD"> (%A, %l, %s)
  return
}

// -----

func.func @f(%A: !cute.tensor<f16, gmem, align<16>, "(?,?):(-64,1)">, %l: !cute.composed_layout<"S<3,3,3> o 0 o (128,64):(64,1)">, %s: !cute.shape<"(128,64)">) {
  // expected-error @+1 {{the tensor must have positive strides}}
  %t:2 = cute.make_tma_atom<"SM90_TMA_LOAD"> (%A, %l, %s)
  return
}

// -----

func.func @f(%A: !cute.tensor<f16, gmem, align<16>, "(?,?):(?{i64 div=8},1)">, %l: !cute.layout<"(128,64):(72,1)">, %s: !cute.shape<"(128,64)">) {
  // expected-error @+1 {{the layout in shared memory must be compact, each of 0 to 8191 taken once, but (128,64):(72,1) is not}}
  %t:2 = cute.make_tma_atom<"SM90_TMA_LOAD"> (%A, %l, %s)
  return
}

// -----

func.func @f(%A: !cute.tensor<f16, gmem, align<16>, "(?,?):(?{i64 div=8},1)">, %l: !cute.layout<"(64,64):(64,1)">, %s: !cute.shape<"(128,64)">) {
  // expected-error @+1 {{the layout in shared memory has the shape (64,64), the tile of the global tensor (128,64)}}
  %t:2 = cute.make_tma_atom<"SM90_TMA_LOAD"> (%A, %l, %s)
  return
}

// -----

func.func @f(%A: !cute.tensor<f16, gmem, align<16>, "(?,?):(?{i64 div=8},1)">, %l: !cute.layout<"(128,64):(?,1)">, %s: !cute.shape<"(128,64)">) {
  // expected-error @+1 {{the layout in shared memory is static and composed at most with a swizzle and the offset 0}}
  %t:2 = cute.make_tma_atom<"SM90_TMA_LOAD"> (%A, %l, %s)
  return
}

// -----

func.func @f(%A: !cute.tensor<f16, gmem, align<16>, "(?,?):(?{i64 div=8},1)">, %l: !cute.composed_layout<"S<3,3,3> o 64 o (128,64):(64,1)">, %s: !cute.shape<"(128,64)">) {
  // expected-error @+1 {{the layout in shared memory is static and composed at most with a swizzle and the offset 0}}
  %t:2 = cute.make_tma_atom<"SM90_TMA_LOAD"> (%A, %l, %s)
  return
}

// -----

func.func @f(%A: !cute.tensor<f16, gmem, align<16>, "(?,?):(?{i64 div=8},1)">, %l: !cute.composed_layout<"S<3,2,3> o 0 o (128,64):(64,1)">, %s: !cute.shape<"(128,64)">) {
  // expected-error @+1 {{the swizzle of byte addresses is S<1,4,3>, S<2,4,3>, S<3,4,3>, S<2,5,2> (rows of 32, 64, 128, 128 bytes) or none, not S<3,3,3>}}
  %t:2 = cute.make_tma_atom<"SM90_TMA_LOAD"> (%A, %l, %s)
  return
}

// -----

func.func @f(%A: !cute.tensor<f16, gmem, align<16>, "(?,?):(?{i64 div=8},1)">, %l: !cute.composed_layout<"S<3,3,3> o 0 o (64,128):(128,1)">, %s: !cute.shape<"(64,128)">) {
  // expected-error @+1 {{a row of the box, 256 bytes, is longer than the 128 of the swizzle; take a wider swizzle or a layout in panels of 128 bytes}}
  %t:2 = cute.make_tma_atom<"SM90_TMA_LOAD"> (%A, %l, %s)
  return
}

// -----

func.func @f(%A: !cute.tensor<f32, gmem, align<16>, "(?,?):(1,?{i64 div=4})">, %l: !cute.composed_layout<"S<2,3,2> o 0 o (64,8):(1,64)">, %s: !cute.shape<"(64,8)">) {
  // expected-error @+1 {{a row of the box, 256 bytes, is longer than the 128 of the swizzle}}
  %t:2 = cute.make_tma_atom<"SM90_TMA_LOAD"> (%A, %l, %s)
  return
}

// -----

func.func @f(%A: !cute.tensor<f32, gmem, align<16>, "(?,?):(1,?{i64 div=4})">, %l: !cute.composed_layout<"S<2,3,2> o 0 o (32,8):(1,32)">, %s: !cute.shape<"(32,8)">, %n: !cute.int_tuple<"4">) {
  // expected-error @+1 {{the outermost axis of the box, 8, does not divide into 4 parts of a multiple of 512 bytes}}
  %t:2 = cute.make_tma_atom<"SM90_TMA_LOAD_MULTICAST"> (%A, %l, %s, %n)
  return
}

// -----

func.func @f(%A: !cute.tensor<f16, gmem, align<16>, "(?,?):(?{i64 div=8},1)">, %l: !cute.layout<"(128,4):(4,1)">, %s: !cute.shape<"(128,4)">) {
  // expected-error @+1 {{a row of the box, where both layouts are contiguous, has 8 bytes; TMA needs a multiple of 16}}
  %t:2 = cute.make_tma_atom<"SM90_TMA_LOAD"> (%A, %l, %s)
  return
}

// -----

func.func @f(%A: !cute.tensor<f16, gmem, align<16>, "(?,?):(?{i64 div=8},1)">, %l: !cute.composed_layout<"S<3,3,3> o 0 o (128,64):(64,1)">, %s: !cute.tile<"[128:1;64:2]">) {
  // expected-error @+1 {{neighbours in shared memory must be neighbours along one coordinate of the global tensor}}
  %t:2 = cute.make_tma_atom<"SM90_TMA_LOAD"> (%A, %l, %s)
  return
}

// -----

func.func @f(%A: !cute.tensor<f16, gmem, align<16>, "(?,?,2,2,2,2):(?{i64 div=8},1,8,8,8,8)">, %l: !cute.layout<"(128,64,1,1,1,1):(64,1,0,0,0,0)">, %s: !cute.shape<"(128,64,1,1,1,1)">) {
  // expected-error @+1 {{TMA: a tensor has at most 5 modes}}
  %t:2 = cute.make_tma_atom<"SM90_TMA_LOAD"> (%A, %l, %s)
  return
}

// -----

func.func @f(%A: !cute.tensor<f4E2M1FN, gmem, align<16>, "(?,?):(?{i64 div=32},1)">, %l: !cute.composed_layout<"S<3,3,3> o 0 o (128,64):(64,1)">, %s: !cute.shape<"(128,64)">) {
  // expected-error @+1 {{elements have 8, 16, 32 or 64 bits, but f4E2M1FN has 4}}
  %t:2 = cute.make_tma_atom<"SM90_TMA_LOAD"> (%A, %l, %s)
  return
}

// -----

func.func @f(%A: !cute.tensor<f16, gmem, align<16>, "(?,?):(?{i64 div=8},1)">, %l: !cute.composed_layout<"S<3,3,3> o 0 o (128,64):(64,1)">, %s: !cute.shape<"(128,64)">, %n: !cute.int_tuple<"2">) {
  // expected-error @+1 {{2 thread blocks cannot share a load; 1 to 16 can, by a multicast atom}}
  %t:2 = cute.make_tma_atom<"SM90_TMA_LOAD"> (%A, %l, %s, %n)
  return
}

// -----

func.func @f(%A: !cute.tensor<f16, gmem, align<16>, "(?,?):(?{i64 div=8},1)">, %l: !cute.composed_layout<"S<3,3,3> o 0 o (128,64):(64,1)">, %s: !cute.shape<"(128,64)">, %n: i32) {
  // expected-error @+1 {{the number of thread blocks must be static}}
  %t:2 = cute.make_tma_atom<"SM90_TMA_LOAD_MULTICAST"> (%A, %l, %s, %n)
  return
}

// -----

func.func @f(%A: !cute.tensor<f16, gmem, align<16>, "(?,?):(?{i64 div=8},1)">, %l: !cute.composed_layout<"S<3,3,3> o 0 o (128,64):(64,1)">, %s: !cute.shape<"(128,64)">, %n: !cute.int_tuple<"3">) {
  // expected-error @+1 {{the outermost axis of the box, 128, does not divide into 3 parts of a multiple of 1024 bytes}}
  %t:2 = cute.make_tma_atom<"SM90_TMA_LOAD_MULTICAST"> (%A, %l, %s, %n)
  return
}

// -----

func.func @f(%t: !cute.tma_atom<"SM90_TMA_LOAD", f16, "S<3,4,3>", "(64,128):(1@1,1@0)", "((64,128),1):((128,1),128)">, %s: !cute.tensor<f16, smem, align<1024>, "S<3,3,3> o 0 o (128,32):(64,1)">, %g: !cute.coord_tensor<"(0,0)", "((128,64)):((1@0,1@1))">) {
  // expected-error @+1 {{the first modes must be the tile, of 8192 elements, and further modes follow it; the layout is S<3,3,3> o 0 o (128,32):(64,1)}}
  %p:2 = cute.tma_partition(%t, %s, %g)
  return
}

// -----

func.func @f(%t: !cute.tma_atom<"SM90_TMA_LOAD", f16, "S<3,4,3>", "(64,128):(1@1,1@0)", "((64,128),1):((128,1),128)">, %s: !cute.tensor<f16, smem, align<1024>, "S<3,3,3> o 0 o (128,64):(64,1)">, %g: !cute.coord_tensor<"(0,0)", "(128,?):(1@0,1@1)">) {
  // expected-error @+1 {{the first modes must be the tile, of 8192 elements, and further modes follow it; the layout is (128,?):(1@0,1@1)}}
  %p:2 = cute.tma_partition(%t, %s, %g)
  return
}

// -----

func.func @f(%t: !cute.tma_atom<"SM90_TMA_STORE", f16, "S<3,4,3>", "(64,128):(1@1,1@0)", "((64,128),1):((128,1),128)">, %b: !cute.ptr<i64, smem, align<8>>) {
  // expected-error @+1 {{SM90_TMA_STORE stores: cp_async_bulk_commit and cp_async_bulk_wait track its completion, not a barrier}}
  %w = cute.with_barrier(%t, %b)
  return
}

// -----

func.func @f(%t: !cute.tma_atom<"SM90_TMA_LOAD", f16, "S<3,4,3>", "(64,128):(1@1,1@0)", "((64,128),1):((128,1),128)">, %b: !cute.ptr<i64, smem, align<8>>, %m: i16) {
  // expected-error @+1 {{SM90_TMA_LOAD takes no mask of thread blocks}}
  %w = cute.with_barrier(%t, %b, %m)
  return
}

// -----

func.func @f(%t: !cute.tma_atom<"SM90_TMA_LOAD_MULTICAST", f16, "S<3,4,3>", "(64,128):(1@1,1@0)", "((64,128),1):((128,1),128)", ctas<2>>, %b: !cute.ptr<i64, smem, align<8>>) {
  // expected-error @+1 {{SM90_TMA_LOAD_MULTICAST needs a mask of thread blocks}}
  %w = cute.with_barrier(%t, %b)
  return
}

// -----

func.func @f(%t: !cute.tma_atom<"SM90_TMA_LOAD", f16, "S<3,4,3>", "(64,128):(1@1,1@0)", "((64,128),1):((128,1),128)">, %b: !cute.ptr<i64, smem, align<8>>) {
  // expected-error @+1 {{attribute 'cache' is "evict_normal", "evict_first" or "evict_last", not "evict"}}
  %w = cute.with_barrier<"evict">(%t, %b)
  return
}

// -----

func.func @f(%t: !cute.tma_atom<"SM90_TMA_LOAD", f16, "S<3,4,3>", "(64,128):(1@1,1@0)", "((64,128),1):((128,1),128)">, %b: !cute.ptr<i32, smem, align<8>>) {
  // expected-error @+1 {{a barrier is an i64 in smem}}
  %w = cute.with_barrier(%t, %b)
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{attribute 'n' is 0 or more, not -1}}
  cute.cp_async_bulk_wait<-1>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{attribute 'n' is 0 or more, not -2}}
  cute.cp_async_bulk_wait_read<-2>
  return
}

// -----

func.func @f(%c: !cute.copy_atom<"UniversalCopy<uint16_t>", f16>) {
  // expected-error @+1 {{operand #0 (atom) must be}}
  cute.prefetch_descriptor(%c)
  return
}

// -----

func.func @f(%t: !cute.tma_atom<"SM90_TMA_LOAD", f16, "S<3,4,3>", "(64,128):(1@1,1@0)", "((64,128),1):((128,1),128)">, %g: !cute.coord_tensor<"(?,0)", "(((64,128),1)):(((1@1,1@0),1@1))">, %s: !cute.tensor<f16, smem, align<1024>, "S<3,3,3> o 0 o ((8192,1)):((1,1))">, %p: !cute.tensor<i1, rmem, align<1>, "1:1">) {
  // expected-error @+1 {{SM90_TMA_LOAD: a copy has no predicate, as boxes are clipped at the tensor's edges}}
  cute.copy(%t, %g, %s, %p)
  return
}

// -----

func.func @f(%t: !cute.tma_atom<"SM90_TMA_LOAD", f16, "S<3,4,3>", "(64,128):(1@1,1@0)", "((64,128),1):((128,1),128)">, %g: !cute.coord_tensor<"(?,0)", "(((64,128),1)):(((1@1,1@0),1@1))">, %s: !cute.tensor<f16, smem, align<1024>, "S<3,3,3> o 0 o ((8192,1)):((1,1))">) {
  // expected-error @+1 {{one operand is a tensor in smem of the atom's elements, not !cute.coord_tensor}}
  cute.copy(%t, %s, %g)
  return
}

// -----

func.func @f(%t: !cute.tma_atom<"SM90_TMA_LOAD", f16, "S<3,4,3>", "(64,128):(1@1,1@0)", "((64,128),1):((128,1),128)">, %g: !cute.coord_tensor<"(?,0)", "(((64,128),1)):(((1@1,1@0),1@1))">, %s: !cute.tensor<f16, smem, align<1024>, "S<2,3,3> o 0 o ((8192,1)):((1,1))">) {
  // expected-error @+1 {{the tensor in smem has the swizzle that the atom was made with}}
  cute.copy(%t, %g, %s)
  return
}

// -----

func.func @f(%t: !cute.tma_atom<"SM90_TMA_LOAD", f16, "S<3,4,3>", "(64,128):(1@1,1@0)", "((64,128),1):((128,1),128)">, %g: !cute.coord_tensor<"(?,0)", "(((64,128),1)):(((1@1,1@0),1@1))">, %s: !cute.tensor<f16, smem, align<512>, "S<3,3,3> o 0 o ((8192,1)):((1,1))">) {
  // expected-error @+1 {{the tensor in smem begins at a multiple of 1024 bytes}}
  cute.copy(%t, %g, %s)
  return
}

// -----

func.func @f(%t: !cute.tma_atom<"SM90_TMA_LOAD", f16, "S<3,4,3>", "(64,128):(1@1,1@0)", "((64,128),1):((128,1),128)">, %g: !cute.coord_tensor<"(?,0)", "(((64,128),1)):(((1@1,1@0),1@1))">, %s: !cute.tensor<f16, smem, align<1024>, "S<3,3,3> o 32 o ((8192,1)):((1,1))">) {
  // expected-error @+1 {{the offset of the tensor in smem is a multiple of 128 bytes}}
  cute.copy(%t, %g, %s)
  return
}

// -----

func.func @f(%t: !cute.tma_atom<"SM90_TMA_LOAD", f16, "S<3,4,3>", "(64,128):(1@1,1@0)", "((64,128),1):((128,1),128)">, %g: !cute.coord_tensor<"(?,0)", "(((64,128),1)):(((1@1,1@0),1@1))">, %s: !cute.tensor<f16, smem, align<1024>, "S<3,3,3> o 0 o ((8192,1)):((2,1))">) {
  // expected-error @+1 {{mode 0 begins with a box of neighbours, as tma_partition gives it}}
  cute.copy(%t, %g, %s)
  return
}

// -----

func.func @f(%t: !cute.tma_atom<"SM90_TMA_LOAD", f16, "S<3,4,3>", "(64,128):(1@1,1@0)", "((64,128),1):((128,1),128)">, %g: !cute.coord_tensor<"(?,0)", "(((64,128),1)):(((1@0,1@1),1@1))">, %s: !cute.tensor<f16, smem, align<1024>, "S<3,3,3> o 0 o ((8192,1)):((1,1))">) {
  // expected-error @+1 {{mode 0 begins with the box of the atom, as tma_partition gives it}}
  cute.copy(%t, %g, %s)
  return
}

// -----

func.func @f(%t: !cute.tma_atom<"SM90_TMA_LOAD", f16, "S<3,4,3>", "(64,128):(1@1,1@0)", "((64,128),1):((128,1),128)">, %g: !cute.tensor<f16, gmem, align<1024>, "S<3,3,3> o 0 o ((8192,1)):((1,1))">, %s: !cute.tensor<f16, smem, align<1024>, "S<3,3,3> o 0 o ((8192,1)):((1,1))">) {
  // expected-error @+1 {{the operand in gmem is the coordinates that make_tma_atom and tma_partition give}}
  cute.copy(%t, %g, %s)
  return
}

// -----

func.func @f(%t: !cute.tma_atom<"SM90_TMA_LOAD", f16, "S<3,4,3>", "(64,128):(1@1,1@0)", "((64,128),1):((128,1),128)">, %g: !cute.coord_tensor<"(?,0)", "(((64,128),1),2):(((1@1,1@0),1@1),64@1)">, %s: !cute.tensor<f16, smem, align<1024>, "S<3,3,3> o 0 o ((8192,1)):((1,1))">) {
  // expected-error @+1 {{both operands have one size}}
  cute.copy(%t, %g, %s)
  return
}

// -----

func.func @f(%t: !cute.tma_atom<"SM90_TMA_LOAD", f16, "S<3,4,3>", "(64,128):(1@1,1@0)", "((64,128),1):((128,1),128)">, %g: !cute.coord_tensor<"(?,0)", "(((64,128),1),?):(((1@1,1@0),1@1),64@1)">, %s: !cute.tensor<f16, smem, align<1024>, "S<3,3,3> o 0 o ((8192,1)):((1,1))">) {
  // expected-error @+1 {{a copy has static extents (slice the rest)}}
  cute.copy(%t, %g, %s)
  return
}

// -----

func.func @f(%t: !cute.copy_atom<"UniversalCopy<uint16_t>", f16>, %g: !cute.coord_tensor<"(?,0)", "(((64,128),1)):(((1@1,1@0),1@1))">, %s: !cute.tensor<f16, smem, align<1024>, "S<3,3,3> o 0 o ((8192,1)):((1,1))">) {
  // expected-error @+1 {{source of UniversalCopy<uint16_t> must be a tensor}}
  cute.copy(%t, %g, %s)
  return
}

// -----

func.func @f(%i: i32) {
  // expected-error @+1 {{expected 0 operands}}
  "cute.cp_async_bulk_commit"(%i) : (i32) -> ()
  return
}

// -----

func.func @f(%A: !cute.tensor<f32, gmem, align<16>, "(?,?):(?{i64 div=8},1)">, %l: !cute.layout<"(32,32):(32,1)">, %s: !cute.shape<"(32,32)">) {
  // expected-error @+1 {{SM90_TMA_REDUCE_INC takes elements of ui32, not f32}}
  %t:2 = cute.make_tma_atom<"SM90_TMA_REDUCE_INC"> (%A, %l, %s)
  return
}

// -----

func.func @f(%b: !cute.ptr<i64, smem, align<8>>) {
  %c = cute.static : !cute.copy_atom<"UniversalCopy<uint128_t>", f16>
  // expected-error @+1 {{UniversalCopy<uint128_t> copies through the threads; only TMA and bulk-copy atoms take this}}
  %w = cute.with_barrier(%c, %b)
  return
}

// -----

func.func @f(%b: !cute.ptr<i64, smem, align<8>>) {
  %c = cute.static : !cute.copy_atom<"SM90_BULK_COPY_S2G", f16>
  // expected-error @+1 {{SM90_BULK_COPY_S2G stores: cp_async_bulk_commit and}}
  %w = cute.with_barrier(%c, %b)
  return
}

// -----

func.func @f(%b: !cute.ptr<i64, smem, align<8>>) {
  %c = cute.static : !cute.copy_atom<"SM90_BULK_COPY_S2S", f16>
  // expected-error @+1 {{a barrier is an i64 in dsmem, aligned to 8 bytes, not !cute.ptr<i64, smem}}
  %w = cute.with_barrier(%c, %b)
  return
}

// -----

func.func @f(%b: !cute.ptr<i64, dsmem, align<8>>) {
  %c = cute.static : !cute.copy_atom<"SM90_BULK_COPY_S2S", f16>
  // expected-error @+1 {{SM90_BULK_COPY_S2S takes no hint, since it does not go through a cache}}
  %w = cute.with_barrier<"evict_first">(%c, %b)
  return
}

// -----

func.func @f() {
  %c = cute.static : !cute.copy_atom<"SM90_BULK_COPY_G2S", f16>
  // expected-error @+1 {{SM90_BULK_COPY_G2S has a barrier, and its hint is that of the barrier's op: cute.with_barrier<"evict_first">(atom, barrier)}}
  %w = cute.with_cache<"evict_first">(%c)
  return
}

// -----

func.func @f() {
  %c = cute.static : !cute.copy_atom<"SM90_BULK_COPY_S2G", f16>
  // expected-error @+1 {{attribute 'cache' is "evict_normal", "evict_first" or "evict_last", not "never"}}
  %w = cute.with_cache<"never">(%c)
  return
}

// -----

func.func @f(%X: !cute.tensor<f16, gmem, align<16>, "(?,?,?,64):(?{i64 div=8},?{i64 div=8},?{i64 div=8},1)">, %l: !cute.composed_layout<"S<3,3,3> o 0 o (128,64):(64,1)">, %f: !cute.int_tuple<"(3,3)">, %s: !cute.int_tuple<"(1,1)">, %lo: !cute.int_tuple<"(1,1)">, %up: !cute.int_tuple<"(1,1)">, %d: !cute.int_tuple<"(1,1)">) {
  // expected-error @+1 {{no atom of images is named 'SM90_TMA_LOAD'; valid are SM90_TMA_LOAD_IM2COL, SM90_TMA_LOAD_IM2COL_MULTICAST and SM90_TMA_STORE_IM2COL}}
  %t:2 = cute.make_im2col_tma_atom<"SM90_TMA_LOAD"> (%X, %l, %f, %s, %lo, %up, %d)
  return
}

// -----

func.func @f(%X: !cute.tensor<f16, gmem, align<16>, "(?,?,?,64):(?{i64 div=8},?{i64 div=8},?{i64 div=8},1)">, %l: !cute.composed_layout<"S<3,3,3> o 0 o (128,64):(64,1)">, %f: !cute.int_tuple<"(3,3)">, %s: !cute.int_tuple<"(1,9)">, %lo: !cute.int_tuple<"(1,1)">, %up: !cute.int_tuple<"(1,1)">, %d: !cute.int_tuple<"(1,1)">) {
  // expected-error @+1 {{im2col: the step is a static integer from 1 to 8 for each of the filter's 1 to 3 spatial modes}}
  %t:2 = cute.make_im2col_tma_atom<"SM90_TMA_LOAD_IM2COL"> (%X, %l, %f, %s, %lo, %up, %d)
  return
}

// -----

func.func @f(%X: !cute.tensor<f16, gmem, align<16>, "(?,?,?,64):(?{i64 div=8},?{i64 div=8},?{i64 div=8},1)">, %l: !cute.composed_layout<"S<3,3,3> o 0 o (128,64):(64,1)">, %f: !cute.int_tuple<"(3,3)">, %s: !cute.int_tuple<"(1,1)">, %lo: !cute.int_tuple<"(1,1)">, %up: !cute.int_tuple<"(1,1)">, %d: !cute.int_tuple<"(1)">) {
  // expected-error @+1 {{im2col: the dilation is a static integer from 1 to 32767}}
  %t:2 = cute.make_im2col_tma_atom<"SM90_TMA_LOAD_IM2COL"> (%X, %l, %f, %s, %lo, %up, %d)
  return
}

// -----

func.func @f(%X: !cute.tensor<f16, gmem, align<16>, "(?,?,?,64):(?{i64 div=8},?{i64 div=8},?{i64 div=8},1)">, %l: !cute.composed_layout<"S<3,3,3> o 0 o (128,64):(64,1)">, %f: !cute.int_tuple<"(1,1,1,1)">, %s: !cute.int_tuple<"(1,1)">, %lo: !cute.int_tuple<"(1,1)">, %up: !cute.int_tuple<"(1,1)">, %d: !cute.int_tuple<"(1,1)">) {
  // expected-error @+1 {{im2col: the filter's extent is a static integer from 1 to 32767}}
  %t:2 = cute.make_im2col_tma_atom<"SM90_TMA_LOAD_IM2COL"> (%X, %l, %f, %s, %lo, %up, %d)
  return
}

// -----

func.func @f(%X: !cute.tensor<f16, gmem, align<16>, "(?,?,?,64):(?{i64 div=8},?{i64 div=8},?{i64 div=8},1)">, %l: !cute.composed_layout<"S<3,3,3> o 0 o (128,64):(64,1)">, %f: !cute.int_tuple<"3">, %s: !cute.int_tuple<"1">, %lo: !cute.int_tuple<"1">, %up: !cute.int_tuple<"1">, %d: !cute.int_tuple<"1">) {
  // expected-error @+1 {{im2col: images are (N, [D, [H,]] W, C) with a filter for each mode but the first and the last, unlike (?,?,?,64)}}
  %t:2 = cute.make_im2col_tma_atom<"SM90_TMA_LOAD_IM2COL"> (%X, %l, %f, %s, %lo, %up, %d)
  return
}

// -----

func.func @f(%X: !cute.tensor<f16, gmem, align<16>, "(?,?,?,64):(?{i64 div=8},?{i64 div=8},?{i64 div=8},1)">, %l: !cute.layout<"(512,64):(64,1)">, %f: !cute.int_tuple<"(3,3)">, %s: !cute.int_tuple<"(1,1)">, %lo: !cute.int_tuple<"(1,1)">, %up: !cute.int_tuple<"(1,1)">, %d: !cute.int_tuple<"(1,1)">) {
  // expected-error @+1 {{SM90_TMA_LOAD_IM2COL: the layout in shared memory goes along channels, then along all pixels, at most 256}}
  %t:2 = cute.make_im2col_tma_atom<"SM90_TMA_LOAD_IM2COL"> (%X, %l, %f, %s, %lo, %up, %d)
  return
}

// -----

func.func @f(%X: !cute.tensor<f16, gmem, align<16>, "(?,?,?,64):(?{i64 div=8},?{i64 div=8},?{i64 div=8},1)">, %l: !cute.layout<"(128,64):(1,128)">, %f: !cute.int_tuple<"(3,3)">, %s: !cute.int_tuple<"(1,1)">, %lo: !cute.int_tuple<"(1,1)">, %up: !cute.int_tuple<"(1,1)">, %d: !cute.int_tuple<"(1,1)">) {
  // expected-error @+1 {{the layout in shared memory goes along channels, then along all pixels}}
  %t:2 = cute.make_im2col_tma_atom<"SM90_TMA_LOAD_IM2COL"> (%X, %l, %f, %s, %lo, %up, %d)
  return
}

// -----

func.func @f(%X: !cute.tensor<f16, gmem, align<16>, "(?,?,?,64):(?{i64 div=8},?{i64 div=8},?{i64 div=8},1)">, %l: !cute.layout<"(16,8,64):(512,64,1)">, %f: !cute.int_tuple<"(3,3)">, %s: !cute.int_tuple<"(1,1)">, %lo: !cute.int_tuple<"(1,1)">, %up: !cute.int_tuple<"(1,1)">, %d: !cute.int_tuple<"(1,1)">) {
  // expected-error @+1 {{SM90_TMA_LOAD_IM2COL: the layout in shared memory is of (pixel, channel)}}
  %t:2 = cute.make_im2col_tma_atom<"SM90_TMA_LOAD_IM2COL"> (%X, %l, %f, %s, %lo, %up, %d)
  return
}

// -----

func.func @f(%X: !cute.tensor<f16, gmem, align<16>, "(?,?,?,64):(1,?{i64 div=8},?{i64 div=8},?{i64 div=8})">, %l: !cute.composed_layout<"S<3,3,3> o 0 o (128,64):(64,1)">, %f: !cute.int_tuple<"(3,3)">, %s: !cute.int_tuple<"(1,1)">, %lo: !cute.int_tuple<"(1,1)">, %up: !cute.int_tuple<"(1,1)">, %d: !cute.int_tuple<"(1,1)">) {
  // expected-error @+1 {{the tensor must have the stride 1 where neighbours in shared memory are neighbours in it}}
  %t:2 = cute.make_im2col_tma_atom<"SM90_TMA_LOAD_IM2COL"> (%X, %l, %f, %s, %lo, %up, %d)
  return
}

// -----

func.func @f(%A: !cute.tensor<f16, gmem, align<16>, "(?,?):(?{i64 div=8},1)">, %l: !cute.composed_layout<"S<3,3,3> o 0 o (128,64):(64,1)">, %s: !cute.shape<"(128,64)">) {
  // expected-error @+1 {{no TMA atom is named 'SM90_TMA_LOAD_IM2COL'; valid are SM90_TMA_LOAD,}}
  %t:2 = cute.make_tma_atom<"SM90_TMA_LOAD_IM2COL"> (%A, %l, %s)
  return
}

// -----

func.func @f(%t: !cute.tma_atom<"SM90_TMA_LOAD", f16, "S<3,4,3>", "(64,128):(1@1,1@0)", "((64,128),1):((128,1),128)">, %p: !cute.ptr<i64, smem, align<128>>) {
  // expected-error @+1 {{copies use a tensor map in gmem, aligned to 64 bytes, not !cute.ptr<i64, smem, align<128>>}}
  %o = cute.with_tensor_map(%t, %p)
  return
}

// -----

func.func @f(%t: !cute.tma_atom<"SM90_TMA_LOAD", f16, "S<3,4,3>", "(64,128):(1@1,1@0)", "((64,128),1):((128,1),128)">, %p: !cute.ptr<i64, gmem, align<32>>) {
  // expected-error @+1 {{a tensor map lies in gmem or smem, aligned to 64 bytes, not !cute.ptr<i64, gmem, align<32>>}}
  cute.copy_tensor_map(%t, %p)
  return
}

// -----

func.func @f(%t: !cute.tma_atom<"SM90_TMA_LOAD", f16, "S<3,4,3>", "(64,128):(1@1,1@0)", "((64,128),1):((128,1),128)">, %A: !cute.tensor<f32, gmem, align<16>, "(?,?):(?{i64 div=8},1)">, %p: !cute.ptr<i64, gmem, align<128>>) {
  // expected-error @+1 {{the tensor is in gmem, aligned to 16 bytes, with the atom's elements and a plain layout, not !cute.tensor<f32}}
  cute.update_tensor_map(%t, %A, %p)
  return
}

// -----

func.func @f(%t: !cute.tma_atom<"SM90_TMA_LOAD", f16, "S<3,4,3>", "(64,128):(1@1,1@0)", "((64,128),1):((128,1),128)">, %A: !cute.tensor<f16, gmem, align<16>, "?:1">, %p: !cute.ptr<i64, gmem, align<128>>) {
  // expected-error @+1 {{TMA: the box goes along modes that are not in ?}}
  cute.update_tensor_map(%t, %A, %p)
  return
}

// -----

func.func @f(%t: !cute.tma_atom<"SM90_TMA_LOAD", f16, "S<3,4,3>", "(64,128):(1@1,1@0)", "((64,128),1):((128,1),128)">, %A: !cute.tensor<f16, gmem, align<16>, "(?,?):(?{i64 div=8},1)">, %p: !cute.ptr<i64, rmem, align<128>>) {
  // expected-error @+1 {{a tensor map lies in gmem or smem, aligned to 64 bytes, not !cute.ptr<i64, rmem}}
  cute.update_tensor_map(%t, %A, %p)
  return
}

// -----

func.func @f(%t: !cute.tma_atom<"SM90_TMA_LOAD_IM2COL", f16, "S<3,4,3>", "(64,128):(1@3@0,1@2@0)", "((64,128),1):((128,1),128)">, %A: !cute.tensor<f16, gmem, align<16>, "(?,?,?,64):(?{i64 div=8},?{i64 div=8},?{i64 div=8},1)">, %p: !cute.ptr<i64, gmem, align<128>>) {
  // expected-error @+1 {{maps of tiles are changed in memory, not !cute.tma_atom<"SM90_TMA_LOAD_IM2COL"}}
  cute.update_tensor_map(%t, %A, %p)
  return
}

// -----

func.func @f(%A: !cute.tensor<f4E2M1FN, gmem, align<32>, "(?,?):(?{i64 div=64},1)">, %l: !cute.layout<"(128,128):(128,1)">, %s: !cute.shape<"(128,128)">) {
  // expected-error @+1 {{elements of 4 bits have a byte each in shared memory, and so in types: ui8, not f4E2M1FN}}
  %t:2 = cute.make_tma_atom<"SM100_TMA_LOAD_B4X16_P64"> (%A, %l, %s)
  return
}

// -----

func.func @f(%A: !cute.tensor<ui8, gmem, align<32>, "(?,?):(?{i64 div=128},1)">, %l: !cute.layout<"(128,64):(64,1)">, %s: !cute.shape<"(128,64)">) {
  // expected-error @+1 {{a row of the box has 128 elements, not 64, and a swizzle of 128 bytes or none}}
  %t:2 = cute.make_tma_atom<"SM100_TMA_LOAD_B6X16_P32"> (%A, %l, %s)
  return
}

// -----

func.func @f(%A: !cute.tensor<ui8, gmem, align<32>, "(?,?):(?{i64 div=64},1)">, %l: !cute.layout<"(128,128):(128,1)">, %s: !cute.shape<"(128,128)">) {
  // expected-error @+1 {{multiples of 32 bytes (?{div=128} of 6 bits)}}
  %t:2 = cute.make_tma_atom<"SM100_TMA_LOAD_B6X16_P32"> (%A, %l, %s)
  return
}

// -----

func.func @f(%A: !cute.tensor<f16, gmem, align<16>, "(?,?,8):(?{i64 div=8},1,?{i64 div=8})">, %l: !cute.layout<"(8,64,1):(64,1,0)">, %s: !cute.shape<"(8,64,1)">) {
  // expected-error @+1 {{rows come from a matrix with 2 modes, unlike (?,?,8)}}
  %t:2 = cute.make_tma_atom<"SM100_TMA_LOAD_GATHER4"> (%A, %l, %s)
  return
}

// -----

func.func @f(%A: !cute.tensor<f16, gmem, align<16>, "(?,?):(?{i64 div=8},1)">, %l: !cute.layout<"(6,64):(64,1)">, %s: !cute.shape<"(6,64)">) {
  // expected-error @+1 {{SM100_TMA_STORE_SCATTER4: the tile has rows of a matrix by fours, all loaded by one thread block; its box would be (64,3):(1@1,1@0) of 1 blocks}}
  %t:2 = cute.make_tma_atom<"SM100_TMA_STORE_SCATTER4"> (%A, %l, %s)
  return
}

// -----

func.func @f(%A: !cute.tensor<f16, gmem, align<16>, "(?,?):(?{i64 div=8},1)">, %l: !cute.layout<"(8,64):(64,1)">, %s: !cute.shape<"(8,64)">, %two: !cute.int_tuple<"2">) {
  // expected-error @+1 {{its box would be (64,4):(1@1,1@0) of 2 blocks}}
  %t:2 = cute.make_tma_atom<"SM100_TMA_LOAD_MULTICAST_GATHER4"> (%A, %l, %s, %two)
  return
}

// -----

func.func @f(%t: !cute.tma_atom<"SM90_TMA_LOAD", f16, "S<3,4,3>", "(64,128):(1@1,1@0)", "((64,128),1):((128,1),128)">, %r: !cute.tensor<i32, gmem, align<4>, "?:1">) {
  // expected-error @+1 {{SM90_TMA_LOAD copies a box of neighbours; atoms whose names end in GATHER4 and SCATTER4 take rows}}
  %w = cute.with_rows(%t, %r)
  return
}

// -----

func.func @f(%t: !cute.tma_atom<"SM100_TMA_LOAD_GATHER4", f16, "S<3,4,3>", "(64,4):(1@1,1@0)", "((64,4),1):((4,1),4)">, %r: !cute.tensor<i64, gmem, align<8>, "?:1">) {
  // expected-error @+1 {{rows are i32 in gmem, smem or rmem, not !cute.tensor<i64}}
  %w = cute.with_rows(%t, %r)
  return
}

// -----

func.func @f(%A: !cute.tensor<f16, gmem, align<16>, "(?,?):(?{i64 div=8},1)">, %l: !cute.layout<"(4,64):(64,1)">, %s: !cute.tile<"[4:2;64:1]">) {
  // expected-error @+1 {{its box would be (64,4):(1@1,2@0) of 1 blocks}}
  %t:2 = cute.make_tma_atom<"SM100_TMA_LOAD_GATHER4"> (%A, %l, %s)
  return
}

// -----

func.func @f(%t: !cute.tma_atom<"SM100_TMA_LOAD_GATHER4", f16, "S<3,4,3>", "(64,4):(1@1,1@0)", "((64,4),1):((4,1),4)">, %r: !cute.tensor<i32, tmem, align<16>, "(128,4):(65536,1)">) {
  // expected-error @+1 {{operand #1 (rows) is in tensor memory, which only gemm and copy access}}
  %w = cute.with_rows(%t, %r)
  return
}
