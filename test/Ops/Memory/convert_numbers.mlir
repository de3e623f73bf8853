// Integers and floats become each other: the kernel compares with arith, for all
// numbers of 8 bits.
// RUN: cute-run --device=sim %s --grid=1

gpu.module @convert {
  gpu.func @numbers() kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    %thread = cute.thread_idx
    %byte = arith.trunci %thread : i32 to i8
    %l = cute.static : !cute.layout<"2:1">
    %i8 = cute.make_fragment<i8> (%l)
    %ui8 = cute.recast_tensor<ui8> (%i8)
    %f16 = cute.make_fragment<f16> (%l)
    %f32 = cute.make_fragment<f32> (%l)
    %i32 = cute.make_fragment<i32> (%l)
    %back = cute.make_fragment<i8> (%l)
    %p = cute.make_fragment<i1> (%l)
    %v = vector.broadcast %byte : i8 to vector<2xi8>
    cute.store_vector(%v, %i8)

    cute.convert(%i8, %f16)
    %h = cute.load(%f16, 1)
    %h_expected = arith.sitofp %byte : i8 to f16
    %h_ok = arith.cmpf oeq, %h, %h_expected : f16
    cute.assert<"f16 {}">(%h_ok, %h)

    cute.convert(%f16, %back)
    %b = cute.load(%back, 1)
    %b_ok = arith.cmpi eq, %b, %byte : i8
    cute.assert<"back {}">(%b_ok, %b)

    cute.convert(%ui8, %f32)
    %u = cute.load(%f32, 0)
    %u_expected = arith.uitofp %byte : i8 to f32
    %u_ok = arith.cmpf oeq, %u, %u_expected : f32
    cute.assert<"f32 {}">(%u_ok, %u)

    cute.convert(%i8, %i32)
    %w = cute.load(%i32, 1)
    %w_expected = arith.extsi %byte : i8 to i32
    %w_ok = arith.cmpi eq, %w, %w_expected : i32
    cute.assert<"i32 {}">(%w_ok, %w)
    cute.convert(%ui8, %i32)
    %wu = cute.load(%i32, 1)
    %wu_ok = arith.cmpi eq, %wu, %thread : i32
    cute.assert<"i32 {}">(%wu_ok, %wu)

    // What is beyond the range of i8 becomes its end: 1.5 t - 190 toward zero.
    %c1_5 = arith.constant 1.5 : f32
    %c190 = arith.constant -190.0 : f32
    %x = math.fma %u, %c1_5, %c190 : f32
    %xs = vector.broadcast %x : f32 to vector<2xf32>
    cute.store_vector(%xs, %f32)
    cute.convert(%f32, %back)
    %s = cute.load(%back, 0)
    %xi = arith.fptosi %x : f32 to i32
    %least = arith.constant -128 : i32
    %most = arith.constant 127 : i32
    %s0 = arith.maxsi %xi, %least : i32
    %s1 = arith.minsi %s0, %most : i32
    %s_wide = arith.extsi %s : i8 to i32
    %s_ok = arith.cmpi eq, %s_wide, %s1 : i32
    cute.assert<"{} of {}">(%s_ok, %s, %x)

    // Is it not 0?
    cute.convert(%i8, %p)
    %q = cute.load(%p, 0)
    %c0 = arith.constant 0 : i8
    %q_expected = arith.cmpi ne, %byte, %c0 : i8
    %q_ok = arith.cmpi eq, %q, %q_expected : i1
    cute.assert(%q_ok)
    cute.convert(%p, %f32)
    %one = cute.load(%f32, 0)
    %one_expected = arith.uitofp %q : i1 to f32
    %one_ok = arith.cmpf oeq, %one, %one_expected : f32
    cute.assert(%one_ok)

    // The codes 7 and 9 of four bits are 6 and -0.5.
    %c = arith.constant dense<[0x97, 0]> : vector<2xi8>
    cute.store_vector(%c, %i8)
    %f4 = cute.recast_tensor<f4E2M1FN> (%i8)
    %four = cute.make_fragment<f16> (4:1)
    cute.convert(%f4, %four)
    %six = cute.load(%four, 0)
    %half = cute.load(%four, 1)
    %sum = arith.addf %six, %half : f16
    %c5_5 = arith.constant 5.5 : f16
    %sum_ok = arith.cmpf oeq, %sum, %c5_5 : f16
    cute.assert<"{} {}">(%sum_ok, %six, %half)
    gpu.return
  }
}
