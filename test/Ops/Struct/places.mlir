// Members of structs in arrays lie where C has them: what is written by one way is
// read by another.
// RUN: cute-run --device=sim %s --grid=1

gpu.module @places {
  gpu.func @places() kernel attributes {known_block_size = array<i32: 4, 1, 1>} {
    %thread = cute.thread_idx
    %s = cute.alloc_struct : !cute.struct<"a: i8; c: {re: f32; im: f64} x 4; n: i32 x 4; d: {y: {z: i16 x 4}}">
    %x = arith.uitofp %thread : i32 to f64
    %element = cute.struct_member<"c"> (%s, %thread)
    %im = cute.struct_member<"im"> (%element)
    %im_t = cute.make_tensor(%im, 1:0)
    cute.store(%x, %im_t, 0)
    %d = cute.struct_member<"d"> (%s)
    %z = cute.struct_member<"y.z"> (%d, %thread)
    %z_t = cute.make_tensor(%z, 1:0)
    %short = arith.trunci %thread : i32 to i16
    cute.store(%short, %z_t, 0)
    gpu.barrier

    // im of number 2, by its path and by its distance of 8 + 2 * 16 + 8 bytes.
    %im_2 = cute.struct_member<"c[2].im"> (%s)
    %two_t = cute.make_tensor(%im_2, 1:0)
    %two = cute.load(%two_t, 0)
    %c2 = arith.constant 2.0 : f64
    %two_ok = arith.cmpf oeq, %two, %c2 : f64
    cute.assert<"{}">(%two_ok, %two)
    %a = cute.struct_member<"a"> (%s)
    %at = cute.add_offset(%a, 48)
    %there = cute.ptr_to_int(%at)
    %here = cute.ptr_to_int(%im_2)
    %same = arith.cmpi eq, %here, %there : i64
    cute.assert<"{} {}">(%same, %here, %there)

    %zs = cute.struct_member<"d.y.z"> (%s, 4:1)
    %three = cute.load(%zs, 3)
    %c3 = arith.constant 3 : i16
    %three_ok = arith.cmpi eq, %three, %c3 : i16
    cute.assert<"{}">(%three_ok, %three)
    gpu.return
  }
}
