// The cute dialect: every type and operation, with documentation.
//
// This file defines the dialect. The build generates tables from it
// (tools/dialect_tables.py): the operand kinds, the assembly and the effects of every
// op, the modules from which the library loads the dialect, rows of the calculator and
// the reference. `mlir-opt --irdl-file=` reads this file directly.
//
// Attributes of an operation:
//   group     the file of lib/Ops that says what the op infers and how it lowers
//   assembly  the pretty form after the name. <...> holds inherent attributes:
//             [mode] an array of i32, begin an i32, {only_dynamic} a flag,
//             type element a type, coord proj a string; a ? after a name makes it
//             and the following ones optional, after the brackets all of them. The
//             valid values follow a name: kind = ld|st, n = 0..7, stages = 1.. (no
//             limit). After the colon come
//               functional       (T, T) -> T
//               types -> types   T -> T for one operand, else as above
//               types            T, T: results are inferred
//               result           T
//   results   "written": the user chooses the result type, and inference checks it
//   elide     operands and results whose types print as <"..."> alone
//   mixed     the variadic operands or results that may differ in type. IRDL makes
//             all values of one constraint equal, so loading splits the group
//             into many, delimited by operandSegmentSizes or
//             resultSegmentSizes, which only --cute-print-stock shows;
//             `cute-opt --show-irdl` prints the split file
//   effects   the effects of an op that is not pure, clauses separated by commas:
//               reads A B           elements of operands A and B
//               writes A            elements of operand A
//               copies A B          reads A and writes the same to B
//               if P                reads operand P, and has the effects where P holds
//               by C                as the atom or tiled thing C says
//               allocates S         its result is new memory in space smem or
//                                   rmem, with nothing in it
//               makes S             the same, with what follows from operands
//               prints
//               exchanges           registers with other threads of the warp
//               orders              others' accesses are not moved past it
//               prefetches          fills a cache, which no program can see
//               declares            adds a parameter to its kernel
//               issues G            its accesses are complete when group G is
//               commits G           closes group G: cp_async, bulk or wgmma
//               waits G             for groups of G, except the last `n`
//               tracks G            does what follows when G is complete
//               inits B, arrives B, awaits B   at the mbarrier B
//   access    how much it accesses at once: atom (as it says), at C (the
//             element at coordinate C), elements (one by one), runs (elements
//             side by side in any order), vectors (the same in order)
//   view      the operand that results are views of
//   partition the operand that divides the view among threads, and the one that
//             says which thread has the result
//   follows   "any": treats all elements alike, however they are divided among threads;
//             "a", "b" or "c": divides as the tiled MMA divides that operand
//   arch      the minimum sm_XX that has its instructions
//   arch_suffix   "a": only sm_XXa has them; "s": all from there on that have a
//                 suffix; "t": all with tensor memory; "r": all with
//                 tensor memory whose loads compare; "e": all sm_XXa
//                 with tensor memory
//   calculator    another name of the op in cute-layout, as CuTe has it
//   summary, description (the result, as a law if possible, and the inputs that are
//             rejected), example
irdl.dialect @cute attributes {
  description = "CuTe's layout algebra, with tensors, copies and matrix multiplications on top, as an MLIR dialect. (`./dev docs` generates this page from [dialect/cute.irdl.mlir](../dialect/cute.irdl.mlir); change the text there.)\n\nTypes carry what is known: a leaf is a static integer or `?`, and an op's result types follow from its operand types. Static values fold away; dynamic leaves become integers.\n\nIn the syntax of an op, `T` is a type, `[...]` is optional and `...` is repetition; `<\"...\">` is a type written without its name, as the op accepts only one kind. On input you may omit `-> T` if the result is inferred, and all of `: T` if the preceding text gives the operands' types. An operand that is a tuple, a layout, a tile, a swizzle or an atom may be a literal: `cute.local_tile(%A, (128,64), (%m,%n,_))`, `cute.make_tiled_mma(!cute.mma_atom<\"...\">, (2,2,1):(1,2,0))`; its integers are numbers or values of type i32, i64, index or int_tuple, such as `cute.load(%t, %i)`. The reader inserts an op before that makes the value. Attributes other than those in `<...>` follow the operands in braces. The generic form, `\"cute.size\"(%l) <{mode = array<i32: 0>}> {note = \"other attributes\"} : (T) -> T`, has all types; its plain braces may hold all attributes.\n\nTwo trees are congruent if they have the same profile; a is weakly congruent to b if a is a leaf wherever the profiles differ. R is the result, c a coordinate, i and j are indices; `size` is the number of coordinates, `cosize` one more than the largest index. [algebra.md](algebra.md) describes the algebra in full, with the laws of each operation."
} {
  irdl.type @int_tuple attributes {
    summary = "A tree of integers.",
    description = "A leaf is an integer, `?` (32 bits, signed) or `?{i64}`; `?{div=8}` promises a divisor. A scalar `5` and the tuple `(5)` differ.",
    example = "!cute.int_tuple<\"(4,(?,2))\">"
  } {
    %value = irdl.base "#builtin.string"
    irdl.parameters(value: %value)
  }
  irdl.type @shape attributes {
    summary = "The extents of a layout's modes.",
    description = "Leaves as in int_tuple; a layout needs them positive. The size is their product.",
    example = "!cute.shape<\"(4,(?,2))\">"
  } {
    %value = irdl.base "#builtin.string"
    irdl.parameters(value: %value)
  }
  irdl.type @stride attributes {
    summary = "What a step in each mode adds: integers, or scaled bases.",
    description = "Leaves as in int_tuple, also zero and negative, or scaled bases: `3@1@0` is 3 units of mode 1 within mode 0 of the codomain. Integers other than 0 do not mix with bases.",
    example = "!cute.stride<\"(?{i64},1)\">"
  } {
    %value = irdl.base "#builtin.string"
    irdl.parameters(value: %value)
  }
  irdl.type @coord attributes {
    summary = "A coordinate; `_` means all of a mode.",
    description = "Weakly congruent to the shape that it is for: a leaf over a tuple is a colexicographic index into it.",
    example = "!cute.coord<\"(_,(?,2))\">"
  } {
    %value = irdl.base "#builtin.string"
    irdl.parameters(value: %value)
  }
  irdl.type @tile attributes {
    summary = "A tiler: a tree of layouts, applied mode by mode; `_` leaves a mode as it is.",
    description = "Elements are separated by `;`. A leaf that is an integer n is the layout n:1.",
    example = "!cute.tile<\"[4:1;[_;(2,3):(3,1)]]\">"
  } {
    %value = irdl.base "#builtin.string"
    irdl.parameters(value: %value)
  }
  irdl.type @layout attributes {
    summary = "A function from coordinates to indices, shape:stride.",
    description = "L(c) is the sum of coordinate times stride over the leaves. A scalar coordinate counts colexicographically: the leftmost mode runs fastest. Without strides, `(4,8)`, the layout is compact in that order, and a mode of extent 1 has stride 0. Shape and stride are congruent, extents positive.",
    example = "!cute.layout<\"(4,?):(1,4)\">"
  } {
    %value = irdl.base "#builtin.string"
    irdl.parameters(value: %value)
  }
  irdl.type @composed_layout attributes {
    summary = "A o offset o B: the layout B, then an offset, then the swizzle or layout A.",
    description = "L(c) = A(offset + B(c)). B determines the shape and the modes.",
    example = "!cute.composed_layout<\"S<3,3,3> o ? o (8,64):(64,1)\">"
  } {
    %value = irdl.base "#builtin.string"
    irdl.parameters(value: %value)
  }
  irdl.type @swizzle attributes {
    summary = "S<bits,base,shift>: xors bits of an index into lower or higher ones.",
    description = "With b bits, base m and shift s >= 0: bits [m, m+b) of an index are xored with its bits [m+s, m+s+b); with s < 0 the two change places. It is its own inverse if |s| >= b, which is required.",
    example = "!cute.swizzle<\"S<3,3,3>\">"
  } {
    %value = irdl.base "#builtin.string"
    irdl.parameters(value: %value)
  }
  irdl.type @ptr attributes {
    summary = "A pointer to elements in gmem, smem or rmem with an alignment in bytes.",
    description = "The space is gmem (global), smem (shared) or rmem (registers of one thread). The alignment is a power of two in bytes and a promise of the caller. With a swizzle S, as in `!cute.ptr<f16, smem, align<1024>, S<3,4,3>>`, the data of byte address a lies at S(a): the swizzle counts bytes, keeps elements whole, and is applied last, so adding an offset or changing the element type does not change it.",
    example = "!cute.ptr<f16, smem, align<16>>"
  } {
    %element = irdl.any
    %space = irdl.base "#builtin.string"
    %align = irdl.base "#builtin.integer"
    %swizzle = irdl.base "#builtin.string"
    irdl.parameters(element: %element, space: %space, align: %align, swizzle: %swizzle)
  }
  irdl.type @tensor attributes {
    summary = "A pointer with a layout: element c lies at pointer + layout(c).",
    description = "The layout, plain or composed, counts elements from the pointer. Elements are i1 to i64 and ui1 to ui128 by powers of two, f16, bf16, tf32, f32, f64, f8E4M3FN, f8E5M2, f8E8M0FNU, f6E2M3FN, f6E3M2FN and f4E2M1FN. Elements of 1, 2 and 4 bits share bytes, the first in the lowest bits, in every space; but an i1, the type of predicates, takes a whole byte, and so does a 6-bit float, in the lower bits. A tf32 takes 32 bits, like an f32. A tensor in the space desc holds the descriptors through which products read tiles of shared memory (make_fragment_a, or make_ptr of a descriptor).",
    example = "!cute.tensor<f16, gmem, align<16>, \"(?,?):(?{div=8},1)\">"
  } {
    %element = irdl.any
    %space = irdl.base "#builtin.string"
    %align = irdl.base "#builtin.integer"
    %layout = irdl.base "#builtin.string"
    irdl.parameters(element: %element, space: %space, align: %align, layout: %layout)
  }
  irdl.type @coord_tensor attributes {
    summary = "A tensor of coordinates: element c is origin + layout(c).",
    description = "It has no memory: its elements say which element of another tensor each one is, for predicates. Partitioning moves the origin.",
    example = "!cute.coord_tensor<\"(0,?)\", \"(8,4):(1@0,1@1)\">"
  } {
    %origin = irdl.base "#builtin.string"
    %layout = irdl.base "#builtin.string"
    irdl.parameters(origin: %origin, layout: %layout)
  }
  irdl.type @mma_atom attributes {
    summary = "One matrix-multiply instruction and the mapping of its values to threads.",
    description = "dialect/hardware defines the names.",
    example = "!cute.mma_atom<\"SM80_16x8x16_F32F16F16F32_TN\">"
  } {
    %name = irdl.base "#builtin.string"
    irdl.parameters(name: %name)
  }
  irdl.type @copy_atom attributes {
    summary = "One copy instruction for values of one type.",
    description = "dialect/hardware defines the names. The bits that a thread moves are a multiple of the element's.",
    example = "!cute.copy_atom<\"UniversalCopy<uint128_t>\", f16>"
  } {
    %name = irdl.base "#builtin.string"
    %element = irdl.any
    irdl.parameters(name: %name, element: %element)
  }
  irdl.type @tiled_mma attributes {
    summary = "An MMA atom repeated over threads and values of a tile.",
    description = "The layout (M,N,K) places copies of the atom on warps. The permutation is a tile of rank 3: n:1 makes a mode n long, another layout reorders it; `_` leaves it as the atoms make it.",
    example = "!cute.tiled_mma<\"SM80_16x8x16_F32F16F16F32_TN\", \"(2,2,1):(1,2,0)\", \"[32:1;32:1;16:1]\">"
  } {
    %atom = irdl.base "#builtin.string"
    %atom_layout = irdl.base "#builtin.string"
    %permutation = irdl.base "#builtin.string"
    irdl.parameters(atom: %atom, atom_layout: %atom_layout, permutation: %permutation)
  }
  irdl.type @tiled_copy attributes {
    summary = "A copy atom repeated over threads and values of a tile.",
    description = "The layout takes (thread, value) to the colexicographic index within the tile, which the tiler describes.",
    example = "!cute.tiled_copy<\"UniversalCopy<uint128_t>\", f16, \"((8,16),8):((128,1),16)\", \"[16:1;64:1]\">"
  } {
    %atom = irdl.base "#builtin.string"
    %element = irdl.any
    %layout_tv = irdl.base "#builtin.string"
    %tiler = irdl.base "#builtin.string"
    irdl.parameters(atom: %atom, element: %element, layout_tv: %layout_tv, tiler: %tiler)
  }

  irdl.type @tma_atom attributes {
    summary = "One copy by the tensor memory accelerator (TMA): the box of a global tensor and its layout in shared memory.",
    description = "The box maps a value to its coordinate in the global tensor, with a mode for each axis of the tensor map, the innermost first; (value, instruction) gives the indices in the tile that each instruction moves. The swizzle acts on byte addresses: `S<1,4,3>`, `S<2,4,3>` or `S<3,4,3>` for rows of 32, 64 and 128 bytes, or `\"\"`. With `ctas<2>` two thread blocks load half of the box each, for both. The value is a tensor map, which the launcher makes; only the function that makes the atom can use it.",
    example = "!cute.tma_atom<\"SM90_TMA_LOAD\", f16, \"S<3,4,3>\", \"(64,128):(1@1,1@0)\", \"((64,128),1):((128,1),128)\">"
  } {
    %atom = irdl.base "#builtin.string"
    %element = irdl.any
    %swizzle = irdl.base "#builtin.string"
    %box = irdl.base "#builtin.string"
    %values = irdl.base "#builtin.string"
    %ctas = irdl.base "#builtin.integer"
    irdl.parameters(atom: %atom, element: %element, swizzle: %swizzle, box: %box, values: %values, ctas: %ctas)
  }
  irdl.type @pipeline attributes {
    summary = "Stages of shared memory that producers fill and consumers empty, in a ring.",
    description = "The kind is tma, async, cp_async, tcgen05, tma_store or order, as the make_pipeline ops explain; then come the number of stages, the arrivals that fill one, the arrivals from a thread block that empty one, the agent that makes such an arrival, the bytes that TMA brings to a stage, and the mask of the thread blocks that share loads. The value is the address of the barriers.",
    example = "!cute.pipeline<\"tma\", stages<4>, producers<1>, consumers<2>, \"warpgroup\", bytes<49152>, \"3\">"
  } {
    %kind = irdl.base "#builtin.string"
    %stages = irdl.base "#builtin.integer"
    %producers = irdl.base "#builtin.integer"
    %consumers = irdl.base "#builtin.integer"
    %agent = irdl.base "#builtin.string"
    %bytes = irdl.base "#builtin.integer"
    %mask = irdl.base "#builtin.string"
    irdl.parameters(kind: %kind, stages: %stages, producers: %producers, consumers: %consumers, agent: %agent, bytes: %bytes, mask: %mask)
  }
  irdl.type @pipeline_state attributes {
    summary = "A producer's or consumer's next stage of a pipeline, and its phase.",
    description = "The role is producer, consumer or order. The value is the stage's number and the parity of the phase to wait for, in two i32.",
    example = "!cute.pipeline_state<\"consumer\", stages<4>>"
  } {
    %role = irdl.base "#builtin.string"
    %stages = irdl.base "#builtin.integer"
    irdl.parameters(role: %role, stages: %stages)
  }

  //===-- Constants --------------------------------------------------------===//

  irdl.operation @static attributes {
    group = "Constants", assembly = ": result", results = "written",
    follows = "any",
    summary = "The value of a static type.",
    description = "The result type must be static. It lowers to nothing: the type has the whole value.",
    example = "%l = cute.static : !cute.layout<\"(4,8):(8,1)\">"
  } {
    %result_int_tuple = irdl.base @cute::@int_tuple
    %result_coord = irdl.base @cute::@coord
    %result_shape = irdl.base @cute::@shape
    %result_stride = irdl.base @cute::@stride
    %result_tile = irdl.base @cute::@tile
    %result_layout = irdl.base @cute::@layout
    %result_composed_layout = irdl.base @cute::@composed_layout
    %result_swizzle = irdl.base @cute::@swizzle
    %result_mma_atom = irdl.base @cute::@mma_atom
    %result_copy_atom = irdl.base @cute::@copy_atom
    %result_tiled_mma = irdl.base @cute::@tiled_mma
    %result_tiled_copy = irdl.base @cute::@tiled_copy
    %result_coord_tensor = irdl.base @cute::@coord_tensor
    %result = irdl.any_of(%result_int_tuple, %result_coord, %result_shape,
        %result_stride, %result_tile, %result_layout, %result_composed_layout,
        %result_swizzle, %result_mma_atom, %result_copy_atom, %result_tiled_mma,
        %result_tiled_copy, %result_coord_tensor)
    irdl.results(result: %result)
  }

  irdl.operation @static_assert attributes {
    group = "Constants", assembly = "<string relation = equal|congruent|weakly_congruent|compatible|divisible|less|less_equal, string message?> (operands) : types",
    summary = "Fails when the module is read, unless the operand types satisfy a relation.",
    description = "The relation of a to b is equal, congruent, weakly_congruent or compatible, for the trees as a whole; or divisible (`a` is a multiple of `b`), less or less_equal, which hold leaf by leaf, where an integer is compared with all leaves opposite it. A relation that is not decided at compile time is an error; a dynamic leaf `?{div=8}` is divisible by 8. Layouts and tensors count as their shapes, but equal compares two layouts' strides, too. The op generates no code.",
    example = "cute.static_assert<\"divisible\", \"rows of 16 bytes\"> (%s, %n) : !cute.shape<\"(128,?{div=8})\">, !cute.int_tuple<\"8\">"
  } {
    %a_int_tuple = irdl.base @cute::@int_tuple
    %a_shape = irdl.base @cute::@shape
    %a_coord = irdl.base @cute::@coord
    %a_stride = irdl.base @cute::@stride
    %a_layout = irdl.base @cute::@layout
    %a_composed_layout = irdl.base @cute::@composed_layout
    %a_tensor = irdl.base @cute::@tensor
    %a = irdl.any_of(%a_int_tuple, %a_shape, %a_coord, %a_stride,
        %a_layout, %a_composed_layout, %a_tensor)
    %b_int_tuple = irdl.base @cute::@int_tuple
    %b_shape = irdl.base @cute::@shape
    %b_coord = irdl.base @cute::@coord
    %b_stride = irdl.base @cute::@stride
    %b_layout = irdl.base @cute::@layout
    %b_composed_layout = irdl.base @cute::@composed_layout
    %b_tensor = irdl.base @cute::@tensor
    %b = irdl.any_of(%b_int_tuple, %b_shape, %b_coord, %b_stride,
        %b_layout, %b_composed_layout, %b_tensor)
    irdl.operands(a: %a, b: %b)
  }

  //===-- Printing ---------------------------------------------------------===//

  irdl.operation @print attributes {
    group = "Print", assembly = "(operands) : types attr-dict",
    effects = "prints",
    summary = "Prints a value at run time, on the host or from a kernel.",
    description = "The text is the type's, with the run-time values of dynamic leaves, and a newline. A pointer prints its type and address, a tensor its pointer and layout, a coordinate tensor its origin and layout, and an atom, a tiled MMA or a tiled copy its type. In a kernel, every thread that reaches the op prints.",
    example = "cute.print(%l) : !cute.layout<\"(?,8):(8,1)\">"
  } {
    %value = irdl.any
    irdl.operands(value: %value)
  }

  irdl.operation @print_value attributes {
    group = "Print", assembly = "(operands) : types attr-dict",
    effects = "prints",
    summary = "Prints a number, or a vector of numbers, at run time.",
    description = "The number, or a vector's numbers in brackets, and a newline; floats have six significant digits. In a kernel, every thread that reaches the op prints.",
    example = "cute.print_value(%x) : f32"
  } {
    %value = irdl.any
    irdl.operands(value: %value)
  }

  irdl.operation @printf attributes {
    group = "Print", assembly = "<string format> (operands) : types attr-dict",
    effects = "prints", mixed = "values",
    summary = "Prints a text with values in it at run time.",
    description = "Each {} in the format prints the next value as print does; {{ and }} are braces. Numbers and vectors of numbers take a conversion of C's printf: {:08x} of an integer, {:.3f} of a float. No newline is added. In a kernel, every thread that reaches the op prints; more than 32 numbers take several calls of printf, and other threads may print between them.",
    example = "cute.printf<\"thread {}: {:.3f} of {}\"> (%i, %x, %l) : i32, f32, !cute.layout<\"(?,8):(8,1)\">"
  } {
    %values = irdl.any
    irdl.operands(values: variadic %values)
  }

  irdl.operation @assert attributes {
    group = "Print", assembly = "<string format?>?(operands) : types attr-dict",
    effects = "prints", mixed = "values",
    summary = "Stops with a message if a condition does not hold.",
    description = "The first operand is the condition, an i1. If it is false, the op prints its source location and the text, with the other operands as in printf, and a trap stops the kernel: the launch fails.",
    example = "cute.assert<\"{} of {}\">(%ok, %i, %n) : i1, i32, i32"
  } {
    %values = irdl.any
    irdl.operands(values: variadic %values)
  }

  irdl.operation @print_tensor attributes {
    group = "Print", assembly = "<{verbose}>?(operands) : types attr-dict",
    effects = "reads tensor, prints",
    summary = "Prints a tensor with its elements, or a layout with its indices.",
    description = "After the line that print gives, the elements in brackets, top-level modes from left to right: a row is a coordinate of mode 0. A mode that is a tuple counts colexicographically. Elements are numbers (floats with six significant digits, 128-bit integers in hexadecimal), the coordinates of a coordinate tensor, or the indices of a layout. With verbose each has its own line, `(0,1) = 2.5`, mode 0 fastest.",
    example = "cute.print_tensor(%t) : !cute.tensor<f32, gmem, align<4>, \"(2,?):(?,1)\">"
  } {
    %tensor_tensor = irdl.base @cute::@tensor
    %tensor_coord_tensor = irdl.base @cute::@coord_tensor
    %tensor_layout = irdl.base @cute::@layout
    %tensor_composed_layout = irdl.base @cute::@composed_layout
    %tensor = irdl.any_of(%tensor_tensor, %tensor_coord_tensor, %tensor_layout, %tensor_composed_layout)
    irdl.operands(tensor: %tensor)
  }

  //===-- Construction -----------------------------------------------------===//

  irdl.operation @make_int_tuple attributes {
    group = "Construction", assembly = "(operands) : functional", results = "written", mixed = "leaves",
    summary = "An int_tuple whose dynamic leaves are the operands, left to right.",
    description = "The written type is a template. It takes one operand for each dynamic leaf, in the order of the text and with the leaf's width (i32 for `?`, i64 for `?{i64}`), or a scalar int_tuple.",
    example = "%t = cute.make_int_tuple(%i) : (i32) -> !cute.int_tuple<\"(?,2)\">"
  } {
    %leaves_integer = irdl.base "!builtin.integer"
    %leaves_index = irdl.base "!builtin.index"
    %leaves_int_tuple = irdl.base @cute::@int_tuple
    %leaves = irdl.any_of(%leaves_integer, %leaves_index, %leaves_int_tuple)
    %result = irdl.base @cute::@int_tuple
    irdl.operands(leaves: variadic %leaves)
    irdl.results(result: %result)
  }

  irdl.operation @make_shape attributes {
    group = "Construction", assembly = "(operands) : functional", results = "written", mixed = "leaves",
    summary = "A shape whose dynamic leaves are the operands, left to right.",
    description = "As make_int_tuple.",
    example = "%s = cute.make_shape(%m, %n) : (i32, i32) -> !cute.shape<\"(?,(4,?))\">"
  } {
    %leaves_integer = irdl.base "!builtin.integer"
    %leaves_index = irdl.base "!builtin.index"
    %leaves_int_tuple = irdl.base @cute::@int_tuple
    %leaves = irdl.any_of(%leaves_integer, %leaves_index, %leaves_int_tuple)
    %result = irdl.base @cute::@shape
    irdl.operands(leaves: variadic %leaves)
    irdl.results(result: %result)
  }

  irdl.operation @make_stride attributes {
    group = "Construction", assembly = "(operands) : functional", results = "written", mixed = "leaves",
    summary = "A stride whose dynamic leaves are the operands, left to right.",
    description = "As make_int_tuple; a leaf `?@1` takes its factor.",
    example = "%d = cute.make_stride(%ld) : (i32) -> !cute.stride<\"(?,1)\">"
  } {
    %leaves_integer = irdl.base "!builtin.integer"
    %leaves_index = irdl.base "!builtin.index"
    %leaves_int_tuple = irdl.base @cute::@int_tuple
    %leaves = irdl.any_of(%leaves_integer, %leaves_index, %leaves_int_tuple)
    %result = irdl.base @cute::@stride
    irdl.operands(leaves: variadic %leaves)
    irdl.results(result: %result)
  }

  irdl.operation @make_coord attributes {
    group = "Construction", assembly = "(operands) : functional", results = "written", mixed = "leaves",
    summary = "A coord whose dynamic leaves are the operands, left to right.",
    description = "As make_int_tuple.",
    example = "%c = cute.make_coord(%i) : (i32) -> !cute.coord<\"(?,_)\">"
  } {
    %leaves_integer = irdl.base "!builtin.integer"
    %leaves_index = irdl.base "!builtin.index"
    %leaves_int_tuple = irdl.base @cute::@int_tuple
    %leaves = irdl.any_of(%leaves_integer, %leaves_index, %leaves_int_tuple)
    %result = irdl.base @cute::@coord
    irdl.operands(leaves: variadic %leaves)
    irdl.results(result: %result)
  }

  irdl.operation @make_tile attributes {
    group = "Construction", assembly = "(operands) : functional", results = "written", mixed = "leaves",
    summary = "A tile whose dynamic leaves are the operands, left to right.",
    description = "As make_int_tuple; for each layout, the shape's leaves come before the stride's.",
    example = "%t = cute.make_tile(%n) : (i32) -> !cute.tile<\"[?:1;_]\">"
  } {
    %leaves_integer = irdl.base "!builtin.integer"
    %leaves_index = irdl.base "!builtin.index"
    %leaves_int_tuple = irdl.base @cute::@int_tuple
    %leaves = irdl.any_of(%leaves_integer, %leaves_index, %leaves_int_tuple)
    %result = irdl.base @cute::@tile
    irdl.operands(leaves: variadic %leaves)
    irdl.results(result: %result)
  }

  irdl.operation @make_layout attributes {
    group = "Construction", assembly = "(operands) : functional",
    summary = "The layout shape:stride.",
    description = "L(c) = sum of c_i * d_i. Without a stride the layout is compact, with its first mode the fastest. Fails if shape and stride are not congruent or an extent is not positive.",
    example = "%l = cute.make_layout(%s, %d) : (!cute.shape<\"(8,?)\">, !cute.stride<\"(1,8)\">) -> !cute.layout<\"(8,?):(1,8)\">"
  } {
    %shape = irdl.base @cute::@shape
    %stride = irdl.base @cute::@stride
    %result = irdl.base @cute::@layout
    irdl.operands(shape: %shape, stride: optional %stride)
    irdl.results(result: %result)
  }

  irdl.operation @concatenate attributes {
    group = "Construction", assembly = "(operands) : functional", mixed = "modes",
    calculator = "make_layout",
    summary = "The layouts as modes of one, from left to right.",
    description = "R(c) = the sum of layout i at c_i. CuTe's make_layout of layouts.",
    example = "%r = cute.concatenate(%a, %b) : (!cute.layout<\"4:1\">, !cute.layout<\"(2,?):(4,8)\">) -> !cute.layout<\"(4,(2,?)):(1,(4,8))\">"
  } {
    %modes = irdl.base @cute::@layout
    %result = irdl.base @cute::@layout
    irdl.operands(modes: variadic %modes)
    irdl.results(result: %result)
  }

  irdl.operation @make_composed_layout attributes {
    group = "Construction", assembly = "(operands) : types -> types", elide = "offset outer result",
    summary = "inner o offset o outer.",
    description = "R(c) = inner(offset + outer(c)). A swizzle without bits at offset 0 is an error, as the result would not be a composed layout.",
    example = "%x = cute.make_composed_layout(%a, %o, %b) : (!cute.swizzle<\"S<3,3,3>\">, <\"0\">, <\"(8,64):(64,1)\">) -> <\"S<3,3,3> o 0 o (8,64):(64,1)\">"
  } {
    %inner_layout = irdl.base @cute::@layout
    %inner_swizzle = irdl.base @cute::@swizzle
    %inner = irdl.any_of(%inner_layout, %inner_swizzle)
    %offset = irdl.base @cute::@int_tuple
    %outer = irdl.base @cute::@layout
    %result = irdl.base @cute::@composed_layout
    irdl.operands(inner: %inner, offset: %offset, outer: %outer)
    irdl.results(result: %result)
  }

  irdl.operation @make_layout_like attributes {
    group = "Construction", assembly = "(operands) : types -> types",
    follows = "any",
    summary = "Compact strides in the order of the layout's strides.",
    description = "Sorts the leaves by stride, with dynamic strides last and in their order, and gives them strides 1, s_0, s_0*s_1 ... in that order. Stride 0 stays 0, and extent 1 gets 0. The result is injective if no stride was 0 or occurred twice.",
    example = "%r = cute.make_layout_like(%l) : !cute.layout<\"(4,6):(12,2)\"> -> !cute.layout<\"(4,6):(6,1)\">"
  } {
    %layout_layout = irdl.base @cute::@layout
    %layout_composed_layout = irdl.base @cute::@composed_layout
    %layout = irdl.any_of(%layout_layout, %layout_composed_layout)
    %result = irdl.base @cute::@layout
    irdl.operands(layout: %layout)
    irdl.results(result: %result)
  }

  irdl.operation @make_ordered_layout attributes {
    group = "Construction", assembly = "(operands) : types -> types",
    summary = "Compact strides in the order of the given sort keys.",
    description = "The stride of a leaf is the product of the extents of all leaves with a smaller key; a key over a tuple orders that as a whole. The keys are static and weakly congruent to the shape. Leaves with equal keys overlap.",
    example = "%r = cute.make_ordered_layout(%s, %o) : (!cute.shape<\"(4,6)\">, !cute.int_tuple<\"(1,0)\">) -> !cute.layout<\"(4,6):(6,1)\">"
  } {
    %shape = irdl.base @cute::@shape
    %order = irdl.base @cute::@int_tuple
    %result = irdl.base @cute::@layout
    irdl.operands(shape: %shape, order: %order)
    irdl.results(result: %result)
  }

  irdl.operation @make_identity_layout attributes {
    group = "Construction", assembly = "(operands) : types -> types",
    summary = "The layout whose value is its coordinate.",
    description = "R(c) = c: the leaf at path (i,j) has stride 1@j@i. A scalar shape s is s:1.",
    example = "%r = cute.make_identity_layout(%s) : !cute.shape<\"(4,6)\"> -> !cute.layout<\"(4,6):(1@0,1@1)\">"
  } {
    %shape = irdl.base @cute::@shape
    %result = irdl.base @cute::@layout
    irdl.operands(shape: %shape)
    irdl.results(result: %result)
  }

  irdl.operation @make_layout_tv attributes {
    group = "Construction", assembly = "(operands) : functional",
    summary = "The tile that threads with their values cover, and their layout in it.",
    description = "The tile is the raked product of threads and values: a thread's values are neighbours. The layout takes (thread, value) to the colexicographic index within the tile; the first result is the tile's shape. The threads must be compact: each index below their number belongs to one of them.",
    example = "%r:2 = cute.make_layout_tv(%t, %v) : (!cute.layout<\"(16,8):(8,1)\">, !cute.layout<\"(1,8):(0,1)\">) -> (!cute.shape<\"(16,64)\">, !cute.layout<\"((8,16),8):((128,1),16)\">)"
  } {
    %threads = irdl.base @cute::@layout
    %values = irdl.base @cute::@layout
    %tile = irdl.base @cute::@shape
    %layout_tv = irdl.base @cute::@layout
    irdl.operands(threads: %threads, values: %values)
    irdl.results(tile: %tile, layout_tv: %layout_tv)
  }

  //===-- Access -----------------------------------------------------------===//

  irdl.operation @get_shape attributes {
    group = "Access", assembly = "(operands) : types -> types",
    summary = "The shape of a layout or tensor, or of a tiler's leaves.",
    description = "A composed layout has the shape of its outer part. A tiler must have no `_`.",
    example = "%s = cute.get_shape(%l) : !cute.layout<\"(4,?):(1,4)\"> -> !cute.shape<\"(4,?)\">"
  } {
    %x_layout = irdl.base @cute::@layout
    %x_composed_layout = irdl.base @cute::@composed_layout
    %x_tile = irdl.base @cute::@tile
    %x_tensor = irdl.base @cute::@tensor
    %x_coord_tensor = irdl.base @cute::@coord_tensor
    %x = irdl.any_of(%x_layout, %x_composed_layout, %x_tile, %x_tensor,
        %x_coord_tensor)
    %result = irdl.base @cute::@shape
    irdl.operands(x: %x)
    irdl.results(result: %result)
  }

  irdl.operation @get_stride attributes {
    group = "Access", assembly = "(operands) : types -> types", elide = "x",
    summary = "The stride of a layout.",
    description = "Congruent to the shape.",
    example = "%d = cute.get_stride(%l) : <\"(4,?):(1,4)\"> -> !cute.stride<\"(1,4)\">"
  } {
    %x = irdl.base @cute::@layout
    %result = irdl.base @cute::@stride
    irdl.operands(x: %x)
    irdl.results(result: %result)
  }

  irdl.operation @composed_get_inner attributes {
    group = "Access", assembly = "(operands) : types -> types", elide = "x",
    calculator = "inner",
    summary = "A of A o offset o B.",
    description = "With offset and outer part, L(c) = inner(offset + outer(c)).",
    example = "%a = cute.composed_get_inner(%x) : <\"S<2,1,3> o 4 o 8:1\"> -> !cute.swizzle<\"S<2,1,3>\">"
  } {
    %x = irdl.base @cute::@composed_layout
    %result_layout = irdl.base @cute::@layout
    %result_swizzle = irdl.base @cute::@swizzle
    %result = irdl.any_of(%result_layout, %result_swizzle)
    irdl.operands(x: %x)
    irdl.results(result: %result)
  }

  irdl.operation @composed_get_offset attributes {
    group = "Access", assembly = "(operands) : types -> types", elide = "x",
    calculator = "offset",
    summary = "The offset of A o offset o B.",
    description = "With inner and outer part, L(c) = inner(offset + outer(c)).",
    example = "%o = cute.composed_get_offset(%x) : <\"S<2,1,3> o 4 o 8:1\"> -> !cute.int_tuple<\"4\">"
  } {
    %x = irdl.base @cute::@composed_layout
    %result = irdl.base @cute::@int_tuple
    irdl.operands(x: %x)
    irdl.results(result: %result)
  }

  irdl.operation @composed_get_outer attributes {
    group = "Access", assembly = "(operands) : types -> types", elide = "x result",
    calculator = "outer",
    summary = "B of A o offset o B.",
    description = "With inner part and offset, L(c) = inner(offset + outer(c)).",
    example = "%b = cute.composed_get_outer(%x) : <\"S<2,1,3> o 4 o 8:1\"> -> <\"8:1\">"
  } {
    %x = irdl.base @cute::@composed_layout
    %result = irdl.base @cute::@layout
    irdl.operands(x: %x)
    irdl.results(result: %result)
  }

  irdl.operation @get_leaves attributes {
    group = "Access", assembly = "(operands) : types", mixed = "leaves",
    summary = "The leaves, left to right, each as a separate value.",
    description = "One result for each leaf, of the operand's kind; a leaf of a tiler is a layout, or a tile `_`.",
    example = "%p:2 = cute.get_leaves(%s) : !cute.shape<\"(4,?)\">"
  } {
    %x_int_tuple = irdl.base @cute::@int_tuple
    %x_coord = irdl.base @cute::@coord
    %x_shape = irdl.base @cute::@shape
    %x_stride = irdl.base @cute::@stride
    %x_tile = irdl.base @cute::@tile
    %x = irdl.any_of(%x_int_tuple, %x_coord, %x_shape, %x_stride, %x_tile)
    %leaves_int_tuple = irdl.base @cute::@int_tuple
    %leaves_coord = irdl.base @cute::@coord
    %leaves_shape = irdl.base @cute::@shape
    %leaves_stride = irdl.base @cute::@stride
    %leaves_tile = irdl.base @cute::@tile
    %leaves_layout = irdl.base @cute::@layout
    %leaves_composed_layout = irdl.base @cute::@composed_layout
    %leaves = irdl.any_of(%leaves_int_tuple, %leaves_coord, %leaves_shape,
        %leaves_stride, %leaves_tile, %leaves_layout, %leaves_composed_layout)
    irdl.operands(x: %x)
    irdl.results(leaves: variadic %leaves)
  }

  irdl.operation @get_scalars attributes {
    group = "Access", assembly = "<{only_dynamic}>? (operands) : types", mixed = "scalars",
    summary = "A value's integers, as i32 or i64.",
    description = "Leaf by leaf: for a layout all of the shape, then all of the stride; for `A o offset o B` B, the offset, then A; for a swizzle its three numbers. A static leaf is an i32 if it fits, otherwise an i64; `_` gives none. With only_dynamic, static leaves are left out.",
    example = "%m = cute.get_scalars<{only_dynamic}> (%s) : !cute.shape<\"(4,?)\">"
  } {
    %x_int_tuple = irdl.base @cute::@int_tuple
    %x_coord = irdl.base @cute::@coord
    %x_shape = irdl.base @cute::@shape
    %x_stride = irdl.base @cute::@stride
    %x_tile = irdl.base @cute::@tile
    %x_layout = irdl.base @cute::@layout
    %x_composed_layout = irdl.base @cute::@composed_layout
    %x_swizzle = irdl.base @cute::@swizzle
    %x = irdl.any_of(%x_int_tuple, %x_coord, %x_shape, %x_stride, %x_tile,
        %x_layout, %x_composed_layout, %x_swizzle)
    %scalars = irdl.base "!builtin.integer"
    irdl.operands(x: %x)
    irdl.results(scalars: variadic %scalars)
  }

  irdl.operation @get attributes {
    group = "Access", assembly = "<[mode]>? (operands) : types -> types",
    view = "x",
    summary = "The part that a path of mode numbers leads to.",
    description = "Outermost mode first; without a path the operand itself. A scalar has one mode, 0, which is the scalar. Fails if a mode does not exist; a path cannot enter a layout in a tiler.",
    example = "%p = cute.get<[1, 0]> (%s) : !cute.shape<\"(4,(?,2))\"> -> !cute.shape<\"?\">"
  } {
    %x_int_tuple = irdl.base @cute::@int_tuple
    %x_coord = irdl.base @cute::@coord
    %x_shape = irdl.base @cute::@shape
    %x_stride = irdl.base @cute::@stride
    %x_tile = irdl.base @cute::@tile
    %x_layout = irdl.base @cute::@layout
    %x_composed_layout = irdl.base @cute::@composed_layout
    %x_tensor = irdl.base @cute::@tensor
    %x_coord_tensor = irdl.base @cute::@coord_tensor
    %x = irdl.any_of(%x_int_tuple, %x_coord, %x_shape, %x_stride, %x_tile,
        %x_layout, %x_composed_layout, %x_tensor, %x_coord_tensor)
    %result_int_tuple = irdl.base @cute::@int_tuple
    %result_coord = irdl.base @cute::@coord
    %result_shape = irdl.base @cute::@shape
    %result_stride = irdl.base @cute::@stride
    %result_tile = irdl.base @cute::@tile
    %result_layout = irdl.base @cute::@layout
    %result_composed_layout = irdl.base @cute::@composed_layout
    %result_tensor = irdl.base @cute::@tensor
    %result_coord_tensor = irdl.base @cute::@coord_tensor
    %result = irdl.any_of(%result_int_tuple, %result_coord, %result_shape,
        %result_stride, %result_tile, %result_layout, %result_composed_layout,
        %result_tensor, %result_coord_tensor)
    irdl.operands(x: %x)
    irdl.results(result: %result)
  }

  irdl.operation @select attributes {
    group = "Access", assembly = "<[mode]> (operands) : types -> types",
    view = "x",
    summary = "The tuple of the named modes.",
    description = "The result is a tuple even for one mode. Modes may repeat; each must exist.",
    example = "%p = cute.select<[1, 0]> (%s) : !cute.shape<\"(4,?)\"> -> !cute.shape<\"(?,4)\">"
  } {
    %x_int_tuple = irdl.base @cute::@int_tuple
    %x_coord = irdl.base @cute::@coord
    %x_shape = irdl.base @cute::@shape
    %x_stride = irdl.base @cute::@stride
    %x_tile = irdl.base @cute::@tile
    %x_layout = irdl.base @cute::@layout
    %x_composed_layout = irdl.base @cute::@composed_layout
    %x_tensor = irdl.base @cute::@tensor
    %x_coord_tensor = irdl.base @cute::@coord_tensor
    %x = irdl.any_of(%x_int_tuple, %x_coord, %x_shape, %x_stride, %x_tile,
        %x_layout, %x_composed_layout, %x_tensor, %x_coord_tensor)
    %result_int_tuple = irdl.base @cute::@int_tuple
    %result_coord = irdl.base @cute::@coord
    %result_shape = irdl.base @cute::@shape
    %result_stride = irdl.base @cute::@stride
    %result_tile = irdl.base @cute::@tile
    %result_layout = irdl.base @cute::@layout
    %result_composed_layout = irdl.base @cute::@composed_layout
    %result_tensor = irdl.base @cute::@tensor
    %result_coord_tensor = irdl.base @cute::@coord_tensor
    %result = irdl.any_of(%result_int_tuple, %result_coord, %result_shape,
        %result_stride, %result_tile, %result_layout, %result_composed_layout,
        %result_tensor, %result_coord_tensor)
    irdl.operands(x: %x)
    irdl.results(result: %result)
  }

  irdl.operation @to_int_tuple attributes {
    group = "Access", assembly = "(operands) : types -> types",
    summary = "The same tree as an int_tuple.",
    description = "Fails for `_` and scaled bases.",
    example = "%t = cute.to_int_tuple(%s) : !cute.shape<\"(4,?)\"> -> !cute.int_tuple<\"(4,?)\">"
  } {
    %x_int_tuple = irdl.base @cute::@int_tuple
    %x_coord = irdl.base @cute::@coord
    %x_shape = irdl.base @cute::@shape
    %x_stride = irdl.base @cute::@stride
    %x = irdl.any_of(%x_int_tuple, %x_coord, %x_shape, %x_stride)
    %result = irdl.base @cute::@int_tuple
    irdl.operands(x: %x)
    irdl.results(result: %result)
  }

  irdl.operation @to_shape attributes {
    group = "Access", assembly = "(operands) : types -> types",
    summary = "The same tree as a shape.",
    description = "Leaf by leaf.",
    example = "%r = cute.to_shape(%t) : !cute.int_tuple<\"(4,?)\"> -> !cute.shape<\"(4,?)\">"
  } {
    %x = irdl.base @cute::@int_tuple
    %result = irdl.base @cute::@shape
    irdl.operands(x: %x)
    irdl.results(result: %result)
  }

  irdl.operation @to_stride attributes {
    group = "Access", assembly = "(operands) : types -> types",
    summary = "The same tree as a stride.",
    description = "Leaf by leaf.",
    example = "%r = cute.to_stride(%t) : !cute.int_tuple<\"(4,?)\"> -> !cute.stride<\"(4,?)\">"
  } {
    %x = irdl.base @cute::@int_tuple
    %result = irdl.base @cute::@stride
    irdl.operands(x: %x)
    irdl.results(result: %result)
  }

  irdl.operation @to_coord attributes {
    group = "Access", assembly = "(operands) : types -> types",
    summary = "The same tree as a coord.",
    description = "Leaf by leaf.",
    example = "%r = cute.to_coord(%t) : !cute.int_tuple<\"(4,?)\"> -> !cute.coord<\"(4,?)\">"
  } {
    %x = irdl.base @cute::@int_tuple
    %result = irdl.base @cute::@coord
    irdl.operands(x: %x)
    irdl.results(result: %result)
  }

  irdl.operation @get_layouts_from_tile attributes {
    group = "Access", assembly = "(operands) : types", elide = "tile", mixed = "layouts",
    summary = "The layout leaves of a tiler, left to right.",
    description = "`_` is skipped; there must be at least one layout.",
    example = "%p:2 = cute.get_layouts_from_tile(%t) : <\"[4:1;_;8:2]\">"
  } {
    %tile = irdl.base @cute::@tile
    %layouts = irdl.base @cute::@layout
    irdl.operands(tile: %tile)
    irdl.results(layouts: variadic %layouts)
  }

  //===-- Sizes, coordinates, indices --------------------------------------===//

  irdl.operation @size attributes {
    group = "Index", assembly = "<[mode]>? (operands) : functional",
    summary = "The number of coordinates, in total or in one mode.",
    description = "The product of the shape's leaves, as a scalar; with a path, of the mode that it leads to. Overflow is an error.",
    example = "%n = cute.size (%l) : (!cute.layout<\"(4,?):(1,4)\">) -> !cute.int_tuple<\"?\">"
  } {
    %x_shape = irdl.base @cute::@shape
    %x_int_tuple = irdl.base @cute::@int_tuple
    %x_layout = irdl.base @cute::@layout
    %x_composed_layout = irdl.base @cute::@composed_layout
    %x_tensor = irdl.base @cute::@tensor
    %x_coord_tensor = irdl.base @cute::@coord_tensor
    %x = irdl.any_of(%x_shape, %x_int_tuple, %x_layout, %x_composed_layout,
        %x_tensor, %x_coord_tensor)
    %result = irdl.base @cute::@int_tuple
    irdl.operands(x: %x)
    irdl.results(result: %result)
  }

  irdl.operation @cosize attributes {
    group = "Index", assembly = "<[mode]>? (operands) : functional",
    summary = "One more than the largest index.",
    description = "1 + the sum of (s_i - 1) * |d_i| over the leaves. For scaled bases, the product over the directions. A composed layout has its outer part's cosize, a tensor its layout's.",
    example = "%n = cute.cosize (%l) : (!cute.layout<\"(4,6):(1,8)\">) -> !cute.int_tuple<\"44\">"
  } {
    %x_layout = irdl.base @cute::@layout
    %x_composed_layout = irdl.base @cute::@composed_layout
    %x_tensor = irdl.base @cute::@tensor
    %x = irdl.any_of(%x_layout, %x_composed_layout, %x_tensor)
    %result = irdl.base @cute::@int_tuple
    irdl.operands(x: %x)
    irdl.results(result: %result)
  }

  irdl.operation @size_in_bytes attributes {
    group = "Index", assembly = "<type element?>? (operands) : functional",
    summary = "The bytes of the elements at all indices below the cosize.",
    description = "cosize times the bits of an element, in whole bytes. A tensor has an element type; for a layout, give one.",
    example = "%n = cute.size_in_bytes<f16> (%l) : (!cute.layout<\"(4,8):(1,8)\">) -> !cute.int_tuple<\"120\">"
  } {
    %x_layout = irdl.base @cute::@layout
    %x_composed_layout = irdl.base @cute::@composed_layout
    %x_tensor = irdl.base @cute::@tensor
    %x = irdl.any_of(%x_layout, %x_composed_layout, %x_tensor)
    %result = irdl.base @cute::@int_tuple
    irdl.operands(x: %x)
    irdl.results(result: %result)
  }

  irdl.operation @tuple_product attributes {
    group = "Index", assembly = "(operands) : functional",
    calculator = "product",
    summary = "The product of all leaves.",
    description = "A scalar of the operand's kind; 1 for an empty tuple.",
    example = "%n = cute.tuple_product(%s) : (!cute.shape<\"(4,?)\">) -> !cute.shape<\"?\">"
  } {
    %x_int_tuple = irdl.base @cute::@int_tuple
    %x_shape = irdl.base @cute::@shape
    %x = irdl.any_of(%x_int_tuple, %x_shape)
    %result_int_tuple = irdl.base @cute::@int_tuple
    %result_shape = irdl.base @cute::@shape
    %result = irdl.any_of(%result_int_tuple, %result_shape)
    irdl.operands(x: %x)
    irdl.results(result: %result)
  }

  irdl.operation @tuple_product_each attributes {
    group = "Index", assembly = "(operands) : functional",
    calculator = "product_each",
    summary = "The product of the leaves of each mode.",
    description = "Always a tuple, with as many leaves as the operand has modes.",
    example = "%n = cute.tuple_product_each(%s) : (!cute.shape<\"((2,2),?)\">) -> !cute.shape<\"(4,?)\">"
  } {
    %x_int_tuple = irdl.base @cute::@int_tuple
    %x_shape = irdl.base @cute::@shape
    %x = irdl.any_of(%x_int_tuple, %x_shape)
    %result_int_tuple = irdl.base @cute::@int_tuple
    %result_shape = irdl.base @cute::@shape
    %result = irdl.any_of(%result_int_tuple, %result_shape)
    irdl.operands(x: %x)
    irdl.results(result: %result)
  }

  irdl.operation @tuple_product_like attributes {
    group = "Index", assembly = "(operands) : functional",
    calculator = "product_like",
    summary = "The product of the leaves under each leaf of a profile.",
    description = "A tuple of the profile's structure. The profile is weakly congruent to the operand.",
    example = "%n = cute.tuple_product_like(%s, %p) : (!cute.shape<\"((2,?),(3,4))\">, !cute.coord<\"(0,(0,0))\">) -> !cute.shape<\"(?,(3,4))\">"
  } {
    %x_int_tuple = irdl.base @cute::@int_tuple
    %x_shape = irdl.base @cute::@shape
    %x = irdl.any_of(%x_int_tuple, %x_shape)
    %profile = irdl.base @cute::@coord
    %result_int_tuple = irdl.base @cute::@int_tuple
    %result_shape = irdl.base @cute::@shape
    %result = irdl.any_of(%result_int_tuple, %result_shape)
    irdl.operands(x: %x, profile: %profile)
    irdl.results(result: %result)
  }

  irdl.operation @layout_eval attributes {
    group = "Index", assembly = "(operands) : functional",
    summary = "The index, or for scaled bases the coordinate, at a coordinate.",
    description = "L(c) for a coordinate that is weakly congruent to the shape. `_` counts as 0. Beyond its size a layout continues in its last mode. With scaled bases the result is a tuple.",
    example = "%i = cute.layout_eval(%c, %l) : (!cute.coord<\"(1,?)\">, !cute.layout<\"(4,6):(6,1)\">) -> !cute.int_tuple<\"?\">"
  } {
    %coord = irdl.base @cute::@coord
    %layout_layout = irdl.base @cute::@layout
    %layout_composed_layout = irdl.base @cute::@composed_layout
    %layout = irdl.any_of(%layout_layout, %layout_composed_layout)
    %result = irdl.base @cute::@int_tuple
    irdl.operands(coord: %coord, layout: %layout)
    irdl.results(result: %result)
  }

  irdl.operation @crd2idx attributes {
    group = "Index", assembly = "(operands) : functional",
    summary = "The colexicographic index of a coordinate.",
    description = "The sum of c_i * s_0 * ... * s_(i-1), as in the compact layout of the shape; a mode of extent 1 does not count. The coordinate is weakly congruent to the shape, and `_` counts as 0.",
    example = "%i = cute.crd2idx(%c, %s) : (!cute.coord<\"(1,2)\">, !cute.shape<\"(3,4)\">) -> !cute.int_tuple<\"7\">"
  } {
    %coord = irdl.base @cute::@coord
    %shape = irdl.base @cute::@shape
    %result = irdl.base @cute::@int_tuple
    irdl.operands(coord: %coord, shape: %shape)
    irdl.results(result: %result)
  }

  irdl.operation @idx2crd attributes {
    group = "Index", assembly = "(operands) : functional",
    summary = "The coordinate of a colexicographic index.",
    description = "c_i = index / (s_0 * ... * s_(i-1)) mod s_i; the last mode takes the whole quotient. So crd2idx(idx2crd(i)) = i for i below the size. A tuple of indices works mode by mode; one index may be an i32, i64 or index.",
    example = "%c = cute.idx2crd(%i, %s) : (!cute.int_tuple<\"7\">, !cute.shape<\"(3,4)\">) -> !cute.coord<\"(1,2)\">"
  } {
    %index_int_tuple = irdl.base @cute::@int_tuple
    %index_integer = irdl.base "!builtin.integer"
    %index_index = irdl.base "!builtin.index"
    %index = irdl.any_of(%index_int_tuple, %index_integer, %index_index)
    %shape = irdl.base @cute::@shape
    %result = irdl.base @cute::@coord
    irdl.operands(index: %index, shape: %shape)
    irdl.results(result: %result)
  }

  irdl.operation @increment_coord attributes {
    group = "Index", assembly = "(operands) : functional",
    calculator = "increment",
    summary = "The next coordinate; the last mode never wraps.",
    description = "The first leaf grows by one; if it reaches its extent, it becomes 0 and the next one grows. So crd2idx(result) = crd2idx(coord) + 1. The coordinate is congruent to the shape.",
    example = "%n = cute.increment_coord(%c, %s) : (!cute.coord<\"(2,1)\">, !cute.shape<\"(3,4)\">) -> !cute.coord<\"(0,2)\">"
  } {
    %coord = irdl.base @cute::@coord
    %shape = irdl.base @cute::@shape
    %result = irdl.base @cute::@coord
    irdl.operands(coord: %coord, shape: %shape)
    irdl.results(result: %result)
  }

  //===-- Tuple arithmetic -------------------------------------------------===//

  irdl.operation @tuple_add attributes {
    group = "TupleArithmetic", assembly = "(operands) : functional",
    calculator = "add",
    summary = "Elementwise sum; a scalar 0 is the zero of every tuple.",
    description = "Operands of one kind; a scalar 0 is the zero of every tuple. Elements that only the longer one has are copied. Overflow is an error.",
    example = "%t = cute.tuple_add(%a, %b) : (!cute.int_tuple<\"(2,?)\">, !cute.int_tuple<\"(1,1)\">) -> !cute.int_tuple<\"(3,?)\">"
  } {
    %lhs_int_tuple = irdl.base @cute::@int_tuple
    %lhs_shape = irdl.base @cute::@shape
    %lhs = irdl.any_of(%lhs_int_tuple, %lhs_shape)
    %rhs_int_tuple = irdl.base @cute::@int_tuple
    %rhs_shape = irdl.base @cute::@shape
    %rhs = irdl.any_of(%rhs_int_tuple, %rhs_shape)
    %result_int_tuple = irdl.base @cute::@int_tuple
    %result_shape = irdl.base @cute::@shape
    %result = irdl.any_of(%result_int_tuple, %result_shape)
    irdl.operands(lhs: %lhs, rhs: %rhs)
    irdl.results(result: %result)
  }

  irdl.operation @tuple_sub attributes {
    group = "TupleArithmetic", assembly = "(operands) : functional",
    calculator = "subtract",
    summary = "Elementwise difference.",
    description = "Operands of one kind; a scalar 0 can be subtracted from every tuple. Elements that only the longer one has are copied; rhs's are not negated.",
    example = "%t = cute.tuple_sub(%a, %b) : (!cute.int_tuple<\"(2,?)\">, !cute.int_tuple<\"(1,1)\">) -> !cute.int_tuple<\"(1,?)\">"
  } {
    %lhs_int_tuple = irdl.base @cute::@int_tuple
    %lhs_shape = irdl.base @cute::@shape
    %lhs = irdl.any_of(%lhs_int_tuple, %lhs_shape)
    %rhs_int_tuple = irdl.base @cute::@int_tuple
    %rhs_shape = irdl.base @cute::@shape
    %rhs = irdl.any_of(%rhs_int_tuple, %rhs_shape)
    %result_int_tuple = irdl.base @cute::@int_tuple
    %result_shape = irdl.base @cute::@shape
    %result = irdl.any_of(%result_int_tuple, %result_shape)
    irdl.operands(lhs: %lhs, rhs: %rhs)
    irdl.results(result: %result)
  }

  irdl.operation @shape_div attributes {
    group = "TupleArithmetic", assembly = "(operands) : functional",
    summary = "Quotient of extents that divide one another.",
    description = "For integers, a / b, where one must divide the other; at least 1 in magnitude unless a is 0. A scalar divides a tuple from the left, each mode by as much as it can: the law is size(R) = size(lhs) / rhs if rhs divides size(lhs). Two tuples divide mode by mode. A static 0 as a divisor is an error.",
    example = "%s = cute.shape_div(%a, %b) : (!cute.shape<\"(6,4)\">, !cute.shape<\"12\">) -> !cute.shape<\"(1,2)\">"
  } {
    %lhs = irdl.base @cute::@shape
    %rhs = irdl.base @cute::@shape
    %result = irdl.base @cute::@shape
    irdl.operands(lhs: %lhs, rhs: %rhs)
    irdl.results(result: %result)
  }

  irdl.operation @ceil_div attributes {
    group = "TupleArithmetic", assembly = "(operands) : functional",
    summary = "Quotient rounded up: how many tiles cover an extent.",
    description = "For integers a / b rounded up. A scalar divides a tuple from the left; two tuples divide mode by mode; modes beyond the divisor's stay. A layout in a tiler counts as its size. A static divisor must be positive.",
    example = "%s = cute.ceil_div(%a, %b) : (!cute.shape<\"(13,7)\">, !cute.shape<\"(4,2)\">) -> !cute.shape<\"(4,4)\">"
  } {
    %lhs_int_tuple = irdl.base @cute::@int_tuple
    %lhs_shape = irdl.base @cute::@shape
    %lhs = irdl.any_of(%lhs_int_tuple, %lhs_shape)
    %rhs_int_tuple = irdl.base @cute::@int_tuple
    %rhs_shape = irdl.base @cute::@shape
    %rhs_tile = irdl.base @cute::@tile
    %rhs = irdl.any_of(%rhs_int_tuple, %rhs_shape, %rhs_tile)
    %result_int_tuple = irdl.base @cute::@int_tuple
    %result_shape = irdl.base @cute::@shape
    %result = irdl.any_of(%result_int_tuple, %result_shape)
    irdl.operands(lhs: %lhs, rhs: %rhs)
    irdl.results(result: %result)
  }

  irdl.operation @round_up attributes {
    group = "TupleArithmetic", assembly = "(operands) : functional",
    summary = "The integer rounded up to a multiple.",
    description = "For integers a / b rounded up, times b; mode by mode for tuples, and modes beyond b's stay. A static divisor must be positive.",
    example = "%s = cute.round_up(%a, %b) : (!cute.shape<\"(13,7)\">, !cute.shape<\"(4,2)\">) -> !cute.shape<\"(16,8)\">"
  } {
    %lhs_int_tuple = irdl.base @cute::@int_tuple
    %lhs_shape = irdl.base @cute::@shape
    %lhs = irdl.any_of(%lhs_int_tuple, %lhs_shape)
    %rhs_int_tuple = irdl.base @cute::@int_tuple
    %rhs_shape = irdl.base @cute::@shape
    %rhs = irdl.any_of(%rhs_int_tuple, %rhs_shape)
    %result_int_tuple = irdl.base @cute::@int_tuple
    %result_shape = irdl.base @cute::@shape
    %result = irdl.any_of(%result_int_tuple, %result_shape)
    irdl.operands(lhs: %lhs, rhs: %rhs)
    irdl.results(result: %result)
  }

  irdl.operation @elem_less attributes {
    group = "TupleArithmetic", assembly = "(operands) : functional",
    summary = "Tells whether every leaf is less than its partner.",
    description = "For all leaves c_i < s_i, each with its partner at the same place. This is a predicate's condition: the coordinate lies in the shape. A `_` opposite another `_` is ignored; opposite an integer it verifies but cannot be lowered.",
    example = "%p = cute.elem_less(%c, %s) : (!cute.coord<\"(1,?)\">, !cute.shape<\"(4,8)\">) -> i1"
  } {
    %lhs_int_tuple = irdl.base @cute::@int_tuple
    %lhs_shape = irdl.base @cute::@shape
    %lhs_coord = irdl.base @cute::@coord
    %lhs = irdl.any_of(%lhs_int_tuple, %lhs_shape, %lhs_coord)
    %rhs_int_tuple = irdl.base @cute::@int_tuple
    %rhs_shape = irdl.base @cute::@shape
    %rhs_coord = irdl.base @cute::@coord
    %rhs = irdl.any_of(%rhs_int_tuple, %rhs_shape, %rhs_coord)
    %result = irdl.base "!builtin.integer"
    irdl.operands(lhs: %lhs, rhs: %rhs)
    irdl.results(result: %result)
  }

  irdl.operation @equal attributes {
    group = "TupleArithmetic", assembly = "(operands) : functional",
    summary = "Tells whether two values are equal.",
    description = "Operands of one kind. False for different profiles; the leaves are compared at run time if their types do not decide.",
    example = "%p = cute.equal(%a, %b) : (!cute.shape<\"(4,?)\">, !cute.shape<\"(4,8)\">) -> i1"
  } {
    %lhs_int_tuple = irdl.base @cute::@int_tuple
    %lhs_coord = irdl.base @cute::@coord
    %lhs_shape = irdl.base @cute::@shape
    %lhs_stride = irdl.base @cute::@stride
    %lhs_layout = irdl.base @cute::@layout
    %lhs = irdl.any_of(%lhs_int_tuple, %lhs_coord, %lhs_shape, %lhs_stride,
        %lhs_layout)
    %rhs_int_tuple = irdl.base @cute::@int_tuple
    %rhs_coord = irdl.base @cute::@coord
    %rhs_shape = irdl.base @cute::@shape
    %rhs_stride = irdl.base @cute::@stride
    %rhs_layout = irdl.base @cute::@layout
    %rhs = irdl.any_of(%rhs_int_tuple, %rhs_coord, %rhs_shape, %rhs_stride,
        %rhs_layout)
    %result = irdl.base "!builtin.integer"
    irdl.operands(lhs: %lhs, rhs: %rhs)
    irdl.results(result: %result)
  }

  irdl.operation @is_congruent attributes {
    group = "TupleArithmetic", assembly = "(operands) : functional",
    summary = "Tells whether two trees have the same profile.",
    description = "Known when the op is read, so decisions that depend on it are made at compile time. Layouts and tensors count as their shapes.",
    example = "%p = cute.is_congruent(%a, %b) : (!cute.shape<\"(4,(?,2))\">, !cute.coord<\"(0,(_,1))\">) -> i1"
  } {
    %lhs_int_tuple = irdl.base @cute::@int_tuple
    %lhs_shape = irdl.base @cute::@shape
    %lhs_stride = irdl.base @cute::@stride
    %lhs_coord = irdl.base @cute::@coord
    %lhs_layout = irdl.base @cute::@layout
    %lhs_composed_layout = irdl.base @cute::@composed_layout
    %lhs_tensor = irdl.base @cute::@tensor
    %lhs_coord_tensor = irdl.base @cute::@coord_tensor
    %lhs = irdl.any_of(%lhs_int_tuple, %lhs_shape, %lhs_stride, %lhs_coord,
        %lhs_layout, %lhs_composed_layout, %lhs_tensor, %lhs_coord_tensor)
    %rhs_int_tuple = irdl.base @cute::@int_tuple
    %rhs_shape = irdl.base @cute::@shape
    %rhs_stride = irdl.base @cute::@stride
    %rhs_coord = irdl.base @cute::@coord
    %rhs_layout = irdl.base @cute::@layout
    %rhs_composed_layout = irdl.base @cute::@composed_layout
    %rhs_tensor = irdl.base @cute::@tensor
    %rhs_coord_tensor = irdl.base @cute::@coord_tensor
    %rhs = irdl.any_of(%rhs_int_tuple, %rhs_shape, %rhs_stride, %rhs_coord,
        %rhs_layout, %rhs_composed_layout, %rhs_tensor, %rhs_coord_tensor)
    %result = irdl.base "!builtin.integer"
    irdl.operands(lhs: %lhs, rhs: %rhs)
    irdl.results(result: %result)
  }

  irdl.operation @is_weakly_congruent attributes {
    group = "TupleArithmetic", assembly = "(operands) : functional",
    summary = "Tells whether the first tree has a leaf wherever the profiles differ.",
    description = "Known when the op is read. Layouts and tensors count as their shapes.",
    example = "%p = cute.is_weakly_congruent(%a, %b) : (!cute.coord<\"(0,_)\">, !cute.shape<\"(4,(?,2))\">) -> i1"
  } {
    %lhs_int_tuple = irdl.base @cute::@int_tuple
    %lhs_shape = irdl.base @cute::@shape
    %lhs_stride = irdl.base @cute::@stride
    %lhs_coord = irdl.base @cute::@coord
    %lhs_layout = irdl.base @cute::@layout
    %lhs_composed_layout = irdl.base @cute::@composed_layout
    %lhs_tensor = irdl.base @cute::@tensor
    %lhs_coord_tensor = irdl.base @cute::@coord_tensor
    %lhs = irdl.any_of(%lhs_int_tuple, %lhs_shape, %lhs_stride, %lhs_coord,
        %lhs_layout, %lhs_composed_layout, %lhs_tensor, %lhs_coord_tensor)
    %rhs_int_tuple = irdl.base @cute::@int_tuple
    %rhs_shape = irdl.base @cute::@shape
    %rhs_stride = irdl.base @cute::@stride
    %rhs_coord = irdl.base @cute::@coord
    %rhs_layout = irdl.base @cute::@layout
    %rhs_composed_layout = irdl.base @cute::@composed_layout
    %rhs_tensor = irdl.base @cute::@tensor
    %rhs_coord_tensor = irdl.base @cute::@coord_tensor
    %rhs = irdl.any_of(%rhs_int_tuple, %rhs_shape, %rhs_stride, %rhs_coord,
        %rhs_layout, %rhs_composed_layout, %rhs_tensor, %rhs_coord_tensor)
    %result = irdl.base "!builtin.integer"
    irdl.operands(lhs: %lhs, rhs: %rhs)
    irdl.results(result: %result)
  }

  irdl.operation @is_major attributes {
    group = "TupleArithmetic", assembly = "<[mode]> (operands) : functional",
    summary = "Tells whether a mode has stride 1.",
    description = "The path leads to a part of the stride; the op compares its first leaf with 1, at run time if the stride is dynamic. Layouts and tensors count as their strides.",
    example = "%p = cute.is_major<[1]> (%d) : (!cute.stride<\"(?,1)\">) -> i1"
  } {
    %x_stride = irdl.base @cute::@stride
    %x_layout = irdl.base @cute::@layout
    %x_tensor = irdl.base @cute::@tensor
    %x = irdl.any_of(%x_stride, %x_layout, %x_tensor)
    %result = irdl.base "!builtin.integer"
    irdl.operands(x: %x)
    irdl.results(result: %result)
  }

  //===-- Layout algebra ---------------------------------------------------===//

  irdl.operation @composition attributes {
    group = "LayoutAlgebra", assembly = "(operands) : types -> types",
    view = "lhs",
    summary = "R(c) = lhs(rhs(c)); a tuple works mode by mode.",
    description = "With a layout or scalar shape on the right, the law is R(c) = lhs(rhs(c)) at every c of rhs, and R is compatible with rhs's shape. A tile or tuple applies mode by mode, and modes of lhs beyond it are dropped. Each step and extent of rhs must divide, or be divided by, the extents that it meets.",
    example = "%r = cute.composition(%a, %b) : (!cute.layout<\"(8,4):(4,1)\">, !cute.layout<\"(2,8):(8,1)\">) -> !cute.layout<\"(2,8):(1,4)\">"
  } {
    %lhs_layout = irdl.base @cute::@layout
    %lhs_composed_layout = irdl.base @cute::@composed_layout
    %lhs_tensor = irdl.base @cute::@tensor
    %lhs_coord_tensor = irdl.base @cute::@coord_tensor
    %lhs = irdl.any_of(%lhs_layout, %lhs_composed_layout, %lhs_tensor,
        %lhs_coord_tensor)
    %rhs_layout = irdl.base @cute::@layout
    %rhs_shape = irdl.base @cute::@shape
    %rhs_tile = irdl.base @cute::@tile
    %rhs = irdl.any_of(%rhs_layout, %rhs_shape, %rhs_tile)
    %result_layout = irdl.base @cute::@layout
    %result_composed_layout = irdl.base @cute::@composed_layout
    %result_tensor = irdl.base @cute::@tensor
    %result_coord_tensor = irdl.base @cute::@coord_tensor
    %result = irdl.any_of(%result_layout, %result_composed_layout,
        %result_tensor, %result_coord_tensor)
    irdl.operands(lhs: %lhs, rhs: %rhs)
    irdl.results(result: %result)
  }

  irdl.operation @coalesce attributes {
    group = "LayoutAlgebra", assembly = "(operands) : functional",
    view = "layout",
    summary = "The same function with as few modes as possible.",
    description = "R(i) = layout(i) for every index i; modes of extent 1 are dropped, and neighbours are merged if one continues the other. With a profile, the law holds under each of its leaves separately. A dynamic extent does not merge with what follows it.",
    example = "%r = cute.coalesce(%l) : (!cute.layout<\"(2,(1,6)):(1,(6,2))\">) -> !cute.layout<\"12:1\">"
  } {
    %layout_layout = irdl.base @cute::@layout
    %layout_composed_layout = irdl.base @cute::@composed_layout
    %layout_tensor = irdl.base @cute::@tensor
    %layout_coord_tensor = irdl.base @cute::@coord_tensor
    %layout = irdl.any_of(%layout_layout, %layout_composed_layout,
        %layout_tensor, %layout_coord_tensor)
    %profile = irdl.base @cute::@coord
    %result_layout = irdl.base @cute::@layout
    %result_composed_layout = irdl.base @cute::@composed_layout
    %result_tensor = irdl.base @cute::@tensor
    %result_coord_tensor = irdl.base @cute::@coord_tensor
    %result = irdl.any_of(%result_layout, %result_composed_layout,
        %result_tensor, %result_coord_tensor)
    irdl.operands(layout: %layout, profile: optional %profile)
    irdl.results(result: %result)
  }

  irdl.operation @complement attributes {
    group = "LayoutAlgebra", assembly = "(operands) : functional",
    summary = "The layout of the indices that another layout skips.",
    description = "R is ordered and disjoint from the layout: (layout, R) takes no index twice, and reaches up to the size of the cotarget (by default the layout's own cosize). The layout must be injective apart from modes of stride 0.",
    example = "%r = cute.complement(%l, %s) : (!cute.layout<\"4:2\">, !cute.shape<\"24\">) -> !cute.layout<\"(2,3):(1,8)\">"
  } {
    %layout = irdl.base @cute::@layout
    %cotarget_layout = irdl.base @cute::@layout
    %cotarget_shape = irdl.base @cute::@shape
    %cotarget = irdl.any_of(%cotarget_layout, %cotarget_shape)
    %result = irdl.base @cute::@layout
    irdl.operands(layout: %layout, cotarget: optional %cotarget)
    irdl.results(result: %result)
  }

  irdl.operation @right_inverse attributes {
    group = "LayoutAlgebra", assembly = "(operands) : functional",
    summary = "R with layout(R(i)) = i, as far as possible.",
    description = "layout(R(i)) = i for every i below size(R), the longest run of indices from 0 that the modes make up; 1:0 if there is none. The shape must be static.",
    example = "%r = cute.right_inverse(%l) : (!cute.layout<\"(4,6):(6,1)\">) -> !cute.layout<\"(6,4):(4,1)\">"
  } {
    %layout = irdl.base @cute::@layout
    %result = irdl.base @cute::@layout
    irdl.operands(layout: %layout)
    irdl.results(result: %result)
  }

  irdl.operation @left_inverse attributes {
    group = "LayoutAlgebra", assembly = "(operands) : functional",
    summary = "R with R(layout(i)) = i.",
    description = "R(layout(i)) = i for every i. The layout must be injective and static, with nonnegative strides that divide one another in order.",
    example = "%r = cute.left_inverse(%l) : (!cute.layout<\"(4,6):(1,8)\">) -> !cute.layout<\"(8,6):(1,4)\">"
  } {
    %layout = irdl.base @cute::@layout
    %result = irdl.base @cute::@layout
    irdl.operands(layout: %layout)
    irdl.results(result: %result)
  }

  irdl.operation @max_common_layout attributes {
    group = "LayoutAlgebra", assembly = "(operands) : functional",
    summary = "The common part of two layouts, from index 0 on.",
    description = "The longest R of consecutive indices with lhs(R(i)) = rhs(R(i)) = i for all i below its size; 1:0 if there is none.",
    example = "%r = cute.max_common_layout(%a, %b) : (!cute.layout<\"(4,8):(1,16)\">, !cute.layout<\"(4,8):(1,4)\">) -> !cute.layout<\"4:1\">"
  } {
    %lhs = irdl.base @cute::@layout
    %rhs = irdl.base @cute::@layout
    %result = irdl.base @cute::@layout
    irdl.operands(lhs: %lhs, rhs: %rhs)
    irdl.results(result: %result)
  }

  irdl.operation @max_common_vector attributes {
    group = "LayoutAlgebra", assembly = "(operands) : functional",
    summary = "How many elements, from index 0 on, are contiguous in both layouts at the same coordinates.",
    description = "The size of max_common_layout of the outer parts, limited to the elements that a swizzle keeps together.",
    example = "%n = cute.max_common_vector(%a, %b) : (!cute.layout<\"(4,8):(1,16)\">, !cute.layout<\"(4,8):(1,4)\">) -> !cute.int_tuple<\"4\">"
  } {
    %lhs_layout = irdl.base @cute::@layout
    %lhs_composed_layout = irdl.base @cute::@composed_layout
    %lhs = irdl.any_of(%lhs_layout, %lhs_composed_layout)
    %rhs_layout = irdl.base @cute::@layout
    %rhs_composed_layout = irdl.base @cute::@composed_layout
    %rhs = irdl.any_of(%rhs_layout, %rhs_composed_layout)
    %result = irdl.base @cute::@int_tuple
    irdl.operands(lhs: %lhs, rhs: %rhs)
    irdl.results(result: %result)
  }

  irdl.operation @recast_layout attributes {
    group = "LayoutAlgebra", assembly = "<new_type_bits, old_type_bits> (operands) : types -> types",
    summary = "The layout in units of another element width.",
    description = "The same bits in elements of another width: L'(c) * new = L(c') * old, where new and old are the widths in bits. Strides and the mode of stride 1 must be divisible.",
    example = "%r = cute.recast_layout<32, 8> (%l) : !cute.layout<\"(16,4):(1,16)\"> -> !cute.layout<\"(4,4):(1,4)\">"
  } {
    %layout_layout = irdl.base @cute::@layout
    %layout_composed_layout = irdl.base @cute::@composed_layout
    %layout = irdl.any_of(%layout_layout, %layout_composed_layout)
    %result_layout = irdl.base @cute::@layout
    %result_composed_layout = irdl.base @cute::@composed_layout
    %result = irdl.any_of(%result_layout, %result_composed_layout)
    irdl.operands(layout: %layout)
    irdl.results(result: %result)
  }

  irdl.operation @filter_zeros attributes {
    group = "LayoutAlgebra", assembly = "(operands) : functional",
    view = "layout",
    follows = "any",
    summary = "Replaces extents of stride 0 by extent 1.",
    description = "R has the layout's indices without the repetitions of modes with stride 0. Dynamic strides count as nonzero. A profile must be weakly congruent to the shape.",
    example = "%r = cute.filter_zeros(%l) : (!cute.layout<\"(4,8):(0,1)\">) -> !cute.layout<\"(1,8):(0,1)\">"
  } {
    %layout_layout = irdl.base @cute::@layout
    %layout_composed_layout = irdl.base @cute::@composed_layout
    %layout_tensor = irdl.base @cute::@tensor
    %layout_coord_tensor = irdl.base @cute::@coord_tensor
    %layout = irdl.any_of(%layout_layout, %layout_composed_layout,
        %layout_tensor, %layout_coord_tensor)
    %profile = irdl.base @cute::@coord
    %result_layout = irdl.base @cute::@layout
    %result_composed_layout = irdl.base @cute::@composed_layout
    %result_tensor = irdl.base @cute::@tensor
    %result_coord_tensor = irdl.base @cute::@coord_tensor
    %result = irdl.any_of(%result_layout, %result_composed_layout,
        %result_tensor, %result_coord_tensor)
    irdl.operands(layout: %layout, profile: optional %profile)
    irdl.results(result: %result)
  }

  irdl.operation @filter attributes {
    group = "LayoutAlgebra", assembly = "(operands) : functional",
    view = "layout",
    summary = "The layout without repetitions, with as few modes as possible.",
    description = "coalesce of filter_zeros; with a profile, under each of its leaves separately.",
    example = "%r = cute.filter(%l) : (!cute.layout<\"(4,(2,8)):(0,(1,2))\">) -> !cute.layout<\"16:1\">"
  } {
    %layout_layout = irdl.base @cute::@layout
    %layout_composed_layout = irdl.base @cute::@composed_layout
    %layout_tensor = irdl.base @cute::@tensor
    %layout_coord_tensor = irdl.base @cute::@coord_tensor
    %layout = irdl.any_of(%layout_layout, %layout_composed_layout,
        %layout_tensor, %layout_coord_tensor)
    %profile = irdl.base @cute::@coord
    %result_layout = irdl.base @cute::@layout
    %result_composed_layout = irdl.base @cute::@composed_layout
    %result_tensor = irdl.base @cute::@tensor
    %result_coord_tensor = irdl.base @cute::@coord_tensor
    %result = irdl.any_of(%result_layout, %result_composed_layout,
        %result_tensor, %result_coord_tensor)
    irdl.operands(layout: %layout, profile: optional %profile)
    irdl.results(result: %result)
  }

  //===-- Modes ------------------------------------------------------------===//

  irdl.operation @flatten attributes {
    group = "Modes", assembly = "(operands) : functional",
    view = "x",
    summary = "One level, the leaves in order.",
    description = "The same function of the index; nested modes become top-level modes.",
    example = "%r = cute.flatten(%l) : (!cute.layout<\"((2,3),4):((1,2),6)\">) -> !cute.layout<\"(2,3,4):(1,2,6)\">"
  } {
    %x_int_tuple = irdl.base @cute::@int_tuple
    %x_coord = irdl.base @cute::@coord
    %x_shape = irdl.base @cute::@shape
    %x_stride = irdl.base @cute::@stride
    %x_tile = irdl.base @cute::@tile
    %x_layout = irdl.base @cute::@layout
    %x_composed_layout = irdl.base @cute::@composed_layout
    %x_tensor = irdl.base @cute::@tensor
    %x_coord_tensor = irdl.base @cute::@coord_tensor
    %x = irdl.any_of(%x_int_tuple, %x_coord, %x_shape, %x_stride, %x_tile,
        %x_layout, %x_composed_layout, %x_tensor, %x_coord_tensor)
    %result_int_tuple = irdl.base @cute::@int_tuple
    %result_coord = irdl.base @cute::@coord
    %result_shape = irdl.base @cute::@shape
    %result_stride = irdl.base @cute::@stride
    %result_tile = irdl.base @cute::@tile
    %result_layout = irdl.base @cute::@layout
    %result_composed_layout = irdl.base @cute::@composed_layout
    %result_tensor = irdl.base @cute::@tensor
    %result_coord_tensor = irdl.base @cute::@coord_tensor
    %result = irdl.any_of(%result_int_tuple, %result_coord, %result_shape,
        %result_stride, %result_tile, %result_layout, %result_composed_layout,
        %result_tensor, %result_coord_tensor)
    irdl.operands(x: %x)
    irdl.results(result: %result)
  }

  irdl.operation @group_modes attributes {
    group = "Modes", assembly = "<begin, end> (operands) : functional",
    view = "layout",
    summary = "Modes [begin, end) become one.",
    description = "The same function of the index: (..., m_begin, ..., m_(end-1), ...) becomes (..., (m_begin, ..., m_(end-1)), ...). 0 <= begin < end <= rank.",
    example = "%r = cute.group_modes<0, 2> (%l) : (!cute.layout<\"(2,3,4):(1,2,6)\">) -> !cute.layout<\"((2,3),4):((1,2),6)\">"
  } {
    %layout_layout = irdl.base @cute::@layout
    %layout_composed_layout = irdl.base @cute::@composed_layout
    %layout_tensor = irdl.base @cute::@tensor
    %layout_coord_tensor = irdl.base @cute::@coord_tensor
    %layout = irdl.any_of(%layout_layout, %layout_composed_layout,
        %layout_tensor, %layout_coord_tensor)
    %result_layout = irdl.base @cute::@layout
    %result_composed_layout = irdl.base @cute::@composed_layout
    %result_tensor = irdl.base @cute::@tensor
    %result_coord_tensor = irdl.base @cute::@coord_tensor
    %result = irdl.any_of(%result_layout, %result_composed_layout,
        %result_tensor, %result_coord_tensor)
    irdl.operands(layout: %layout)
    irdl.results(result: %result)
  }

  irdl.operation @group attributes {
    group = "Modes", assembly = "<begin, end?> (operands) : functional",
    view = "x",
    summary = "Modes [begin, end) become one.",
    description = "(..., m_begin, ..., m_(end-1), ...) becomes (..., (m_begin, ..., m_(end-1)), ...), 0 <= begin < end <= rank; without an end, all modes from begin on. Like group_modes, but also for tuples and tilers.",
    example = "%r = cute.group<1> (%s) : (!cute.shape<\"(2,3,?)\">) -> !cute.shape<\"(2,(3,?))\">"
  } {
    %x_int_tuple = irdl.base @cute::@int_tuple
    %x_coord = irdl.base @cute::@coord
    %x_shape = irdl.base @cute::@shape
    %x_stride = irdl.base @cute::@stride
    %x_tile = irdl.base @cute::@tile
    %x_layout = irdl.base @cute::@layout
    %x_composed_layout = irdl.base @cute::@composed_layout
    %x_tensor = irdl.base @cute::@tensor
    %x_coord_tensor = irdl.base @cute::@coord_tensor
    %x = irdl.any_of(%x_int_tuple, %x_coord, %x_shape,
        %x_stride, %x_tile, %x_layout, %x_composed_layout,
        %x_tensor, %x_coord_tensor)
    %result_int_tuple = irdl.base @cute::@int_tuple
    %result_coord = irdl.base @cute::@coord
    %result_shape = irdl.base @cute::@shape
    %result_stride = irdl.base @cute::@stride
    %result_tile = irdl.base @cute::@tile
    %result_layout = irdl.base @cute::@layout
    %result_composed_layout = irdl.base @cute::@composed_layout
    %result_tensor = irdl.base @cute::@tensor
    %result_coord_tensor = irdl.base @cute::@coord_tensor
    %result = irdl.any_of(%result_int_tuple, %result_coord, %result_shape,
        %result_stride, %result_tile, %result_layout, %result_composed_layout,
        %result_tensor, %result_coord_tensor)
    irdl.operands(x: %x)
    irdl.results(result: %result)
  }

  irdl.operation @slice attributes {
    group = "Modes", assembly = "(operands) : types",
    view = "x",
    summary = "The part under `_` of the coordinate; a tensor moves to it.",
    description = "Modes under an integer are fixed there, modes under `_` stay: for a tensor R(x) = T(c with x for `_`). For a plain layout the fixed part is dropped, not added.",
    example = "%r = cute.slice(%l, %c) : !cute.layout<\"(4,6):(6,1)\">, !cute.coord<\"(2,_)\">"
  } {
    %x_int_tuple = irdl.base @cute::@int_tuple
    %x_coord = irdl.base @cute::@coord
    %x_shape = irdl.base @cute::@shape
    %x_stride = irdl.base @cute::@stride
    %x_layout = irdl.base @cute::@layout
    %x_composed_layout = irdl.base @cute::@composed_layout
    %x_tensor = irdl.base @cute::@tensor
    %x_coord_tensor = irdl.base @cute::@coord_tensor
    %x = irdl.any_of(%x_int_tuple, %x_coord, %x_shape, %x_stride, %x_layout,
        %x_composed_layout, %x_tensor, %x_coord_tensor)
    %coord = irdl.base @cute::@coord
    %result_int_tuple = irdl.base @cute::@int_tuple
    %result_coord = irdl.base @cute::@coord
    %result_shape = irdl.base @cute::@shape
    %result_stride = irdl.base @cute::@stride
    %result_layout = irdl.base @cute::@layout
    %result_composed_layout = irdl.base @cute::@composed_layout
    %result_tensor = irdl.base @cute::@tensor
    %result_coord_tensor = irdl.base @cute::@coord_tensor
    %result = irdl.any_of(%result_int_tuple, %result_coord, %result_shape,
        %result_stride, %result_layout, %result_composed_layout, %result_tensor,
        %result_coord_tensor)
    irdl.operands(x: %x, coord: %coord)
    irdl.results(result: %result)
  }

  irdl.operation @dice attributes {
    group = "Modes", assembly = "(operands) : types",
    summary = "The part under integers of the coordinate.",
    description = "The complement of slice: keeps the modes that slice drops. The coordinate's integers are placeholders and must be static.",
    example = "%r = cute.dice(%l, %c) : !cute.layout<\"(4,6):(6,1)\">, !cute.coord<\"(2,_)\">"
  } {
    %x_int_tuple = irdl.base @cute::@int_tuple
    %x_coord = irdl.base @cute::@coord
    %x_shape = irdl.base @cute::@shape
    %x_stride = irdl.base @cute::@stride
    %x_layout = irdl.base @cute::@layout
    %x_composed_layout = irdl.base @cute::@composed_layout
    %x = irdl.any_of(%x_int_tuple, %x_coord, %x_shape, %x_stride, %x_layout,
        %x_composed_layout)
    %coord = irdl.base @cute::@coord
    %result_int_tuple = irdl.base @cute::@int_tuple
    %result_coord = irdl.base @cute::@coord
    %result_shape = irdl.base @cute::@shape
    %result_stride = irdl.base @cute::@stride
    %result_layout = irdl.base @cute::@layout
    %result_composed_layout = irdl.base @cute::@composed_layout
    %result = irdl.any_of(%result_int_tuple, %result_coord, %result_shape,
        %result_stride, %result_layout, %result_composed_layout)
    irdl.operands(x: %x, coord: %coord)
    irdl.results(result: %result)
  }

  irdl.operation @append_to_rank attributes {
    group = "Modes", assembly = "<rank> (operands) : types",
    view = "x",
    summary = "The element repeated at the end up to a rank.",
    description = "A scalar becomes a tuple first. An operand of that rank or above stays as it is. Element 1:0 does not change the function. The element has the operand's kind; for a composed layout or tensor it is a layout.",
    example = "%r = cute.append_to_rank<3> (%s, %e) : !cute.shape<\"(4,6)\">, !cute.shape<\"1\">"
  } {
    %x_int_tuple = irdl.base @cute::@int_tuple
    %x_coord = irdl.base @cute::@coord
    %x_shape = irdl.base @cute::@shape
    %x_stride = irdl.base @cute::@stride
    %x_layout = irdl.base @cute::@layout
    %x_composed_layout = irdl.base @cute::@composed_layout
    %x_tensor = irdl.base @cute::@tensor
    %x_coord_tensor = irdl.base @cute::@coord_tensor
    %x = irdl.any_of(%x_int_tuple, %x_coord, %x_shape, %x_stride, %x_layout,
        %x_composed_layout, %x_tensor, %x_coord_tensor)
    %element_int_tuple = irdl.base @cute::@int_tuple
    %element_coord = irdl.base @cute::@coord
    %element_shape = irdl.base @cute::@shape
    %element_stride = irdl.base @cute::@stride
    %element_layout = irdl.base @cute::@layout
    %element_composed_layout = irdl.base @cute::@composed_layout
    %element = irdl.any_of(%element_int_tuple, %element_coord, %element_shape,
        %element_stride, %element_layout, %element_composed_layout)
    %result_int_tuple = irdl.base @cute::@int_tuple
    %result_coord = irdl.base @cute::@coord
    %result_shape = irdl.base @cute::@shape
    %result_stride = irdl.base @cute::@stride
    %result_layout = irdl.base @cute::@layout
    %result_composed_layout = irdl.base @cute::@composed_layout
    %result_tensor = irdl.base @cute::@tensor
    %result_coord_tensor = irdl.base @cute::@coord_tensor
    %result = irdl.any_of(%result_int_tuple, %result_coord, %result_shape,
        %result_stride, %result_layout, %result_composed_layout, %result_tensor,
        %result_coord_tensor)
    irdl.operands(x: %x, element: %element)
    irdl.results(result: %result)
  }

  irdl.operation @prepend_to_rank attributes {
    group = "Modes", assembly = "<rank> (operands) : types",
    view = "x",
    summary = "The element repeated in front up to a rank.",
    description = "As append_to_rank, at the other end.",
    example = "%r = cute.prepend_to_rank<3> (%s, %e) : !cute.shape<\"(4,6)\">, !cute.shape<\"1\">"
  } {
    %x_int_tuple = irdl.base @cute::@int_tuple
    %x_coord = irdl.base @cute::@coord
    %x_shape = irdl.base @cute::@shape
    %x_stride = irdl.base @cute::@stride
    %x_layout = irdl.base @cute::@layout
    %x_composed_layout = irdl.base @cute::@composed_layout
    %x_tensor = irdl.base @cute::@tensor
    %x_coord_tensor = irdl.base @cute::@coord_tensor
    %x = irdl.any_of(%x_int_tuple, %x_coord, %x_shape, %x_stride, %x_layout,
        %x_composed_layout, %x_tensor, %x_coord_tensor)
    %element_int_tuple = irdl.base @cute::@int_tuple
    %element_coord = irdl.base @cute::@coord
    %element_shape = irdl.base @cute::@shape
    %element_stride = irdl.base @cute::@stride
    %element_layout = irdl.base @cute::@layout
    %element_composed_layout = irdl.base @cute::@composed_layout
    %element = irdl.any_of(%element_int_tuple, %element_coord, %element_shape,
        %element_stride, %element_layout, %element_composed_layout)
    %result_int_tuple = irdl.base @cute::@int_tuple
    %result_coord = irdl.base @cute::@coord
    %result_shape = irdl.base @cute::@shape
    %result_stride = irdl.base @cute::@stride
    %result_layout = irdl.base @cute::@layout
    %result_composed_layout = irdl.base @cute::@composed_layout
    %result_tensor = irdl.base @cute::@tensor
    %result_coord_tensor = irdl.base @cute::@coord_tensor
    %result = irdl.any_of(%result_int_tuple, %result_coord, %result_shape,
        %result_stride, %result_layout, %result_composed_layout, %result_tensor,
        %result_coord_tensor)
    irdl.operands(x: %x, element: %element)
    irdl.results(result: %result)
  }

  irdl.operation @append attributes {
    group = "Modes", assembly = "<rank?>? (operands) : functional",
    view = "x",
    summary = "The element added as the last mode, once or until the rank is reached.",
    description = "As append_to_rank, but a rank below the operand's is an error, and tilers are accepted. A scalar becomes a tuple first.",
    example = "%r = cute.append<4> (%c, %e) : (!cute.coord<\"(1,1)\">, !cute.coord<\"0\">) -> !cute.coord<\"(1,1,0,0)\">"
  } {
    %x_int_tuple = irdl.base @cute::@int_tuple
    %x_coord = irdl.base @cute::@coord
    %x_shape = irdl.base @cute::@shape
    %x_stride = irdl.base @cute::@stride
    %x_tile = irdl.base @cute::@tile
    %x_layout = irdl.base @cute::@layout
    %x_composed_layout = irdl.base @cute::@composed_layout
    %x_tensor = irdl.base @cute::@tensor
    %x_coord_tensor = irdl.base @cute::@coord_tensor
    %x = irdl.any_of(%x_int_tuple, %x_coord, %x_shape, %x_stride, %x_tile,
        %x_layout, %x_composed_layout, %x_tensor, %x_coord_tensor)
    %element_int_tuple = irdl.base @cute::@int_tuple
    %element_coord = irdl.base @cute::@coord
    %element_shape = irdl.base @cute::@shape
    %element_stride = irdl.base @cute::@stride
    %element_tile = irdl.base @cute::@tile
    %element_layout = irdl.base @cute::@layout
    %element_integer = irdl.base "!builtin.integer"
    %element_index = irdl.base "!builtin.index"
    %element = irdl.any_of(%element_int_tuple, %element_coord, %element_shape,
        %element_stride, %element_tile, %element_layout, %element_integer,
        %element_index)
    %result_int_tuple = irdl.base @cute::@int_tuple
    %result_coord = irdl.base @cute::@coord
    %result_shape = irdl.base @cute::@shape
    %result_stride = irdl.base @cute::@stride
    %result_tile = irdl.base @cute::@tile
    %result_layout = irdl.base @cute::@layout
    %result_composed_layout = irdl.base @cute::@composed_layout
    %result_tensor = irdl.base @cute::@tensor
    %result_coord_tensor = irdl.base @cute::@coord_tensor
    %result = irdl.any_of(%result_int_tuple, %result_coord, %result_shape,
        %result_stride, %result_tile, %result_layout, %result_composed_layout,
        %result_tensor, %result_coord_tensor)
    irdl.operands(x: %x, element: %element)
    irdl.results(result: %result)
  }

  irdl.operation @prepend attributes {
    group = "Modes", assembly = "<rank?>? (operands) : functional",
    view = "x",
    summary = "The element added as the first mode, once or until the rank is reached.",
    description = "As append, at the other end.",
    example = "%r = cute.prepend<4> (%c, %e) : (!cute.coord<\"(1,1)\">, !cute.coord<\"0\">) -> !cute.coord<\"(0,0,1,1)\">"
  } {
    %x_int_tuple = irdl.base @cute::@int_tuple
    %x_coord = irdl.base @cute::@coord
    %x_shape = irdl.base @cute::@shape
    %x_stride = irdl.base @cute::@stride
    %x_tile = irdl.base @cute::@tile
    %x_layout = irdl.base @cute::@layout
    %x_composed_layout = irdl.base @cute::@composed_layout
    %x_tensor = irdl.base @cute::@tensor
    %x_coord_tensor = irdl.base @cute::@coord_tensor
    %x = irdl.any_of(%x_int_tuple, %x_coord, %x_shape, %x_stride, %x_tile,
        %x_layout, %x_composed_layout, %x_tensor, %x_coord_tensor)
    %element_int_tuple = irdl.base @cute::@int_tuple
    %element_coord = irdl.base @cute::@coord
    %element_shape = irdl.base @cute::@shape
    %element_stride = irdl.base @cute::@stride
    %element_tile = irdl.base @cute::@tile
    %element_layout = irdl.base @cute::@layout
    %element_integer = irdl.base "!builtin.integer"
    %element_index = irdl.base "!builtin.index"
    %element = irdl.any_of(%element_int_tuple, %element_coord, %element_shape,
        %element_stride, %element_tile, %element_layout, %element_integer,
        %element_index)
    %result_int_tuple = irdl.base @cute::@int_tuple
    %result_coord = irdl.base @cute::@coord
    %result_shape = irdl.base @cute::@shape
    %result_stride = irdl.base @cute::@stride
    %result_tile = irdl.base @cute::@tile
    %result_layout = irdl.base @cute::@layout
    %result_composed_layout = irdl.base @cute::@composed_layout
    %result_tensor = irdl.base @cute::@tensor
    %result_coord_tensor = irdl.base @cute::@coord_tensor
    %result = irdl.any_of(%result_int_tuple, %result_coord, %result_shape,
        %result_stride, %result_tile, %result_layout, %result_composed_layout,
        %result_tensor, %result_coord_tensor)
    irdl.operands(x: %x, element: %element)
    irdl.results(result: %result)
  }

  irdl.operation @front attributes {
    group = "Modes", assembly = "(operands) : functional",
    view = "x",
    summary = "The first leaf.",
    description = "A tuple's first leaf, or the first mode of a layout or tensor that has no nested modes.",
    example = "%r = cute.front(%s) : (!cute.stride<\"((?,4),1)\">) -> !cute.stride<\"?\">"
  } {
    %x_int_tuple = irdl.base @cute::@int_tuple
    %x_coord = irdl.base @cute::@coord
    %x_shape = irdl.base @cute::@shape
    %x_stride = irdl.base @cute::@stride
    %x_layout = irdl.base @cute::@layout
    %x_composed_layout = irdl.base @cute::@composed_layout
    %x_tensor = irdl.base @cute::@tensor
    %x_coord_tensor = irdl.base @cute::@coord_tensor
    %x = irdl.any_of(%x_int_tuple, %x_coord, %x_shape, %x_stride, %x_layout,
        %x_composed_layout, %x_tensor, %x_coord_tensor)
    %result_int_tuple = irdl.base @cute::@int_tuple
    %result_coord = irdl.base @cute::@coord
    %result_shape = irdl.base @cute::@shape
    %result_stride = irdl.base @cute::@stride
    %result_layout = irdl.base @cute::@layout
    %result_composed_layout = irdl.base @cute::@composed_layout
    %result_tensor = irdl.base @cute::@tensor
    %result_coord_tensor = irdl.base @cute::@coord_tensor
    %result = irdl.any_of(%result_int_tuple, %result_coord, %result_shape,
        %result_stride, %result_layout, %result_composed_layout, %result_tensor,
        %result_coord_tensor)
    irdl.operands(x: %x)
    irdl.results(result: %result)
  }

  irdl.operation @find attributes {
    group = "Modes", assembly = "(operands) : functional",
    summary = "The path to the first leaf that equals an integer.",
    description = "A tuple of mode numbers, outermost first, for the first leaf of the tuple that equals x; () if there is none. All leaves must be static.",
    example = "%p = cute.find(%x, %t) : (!cute.int_tuple<\"8\">, !cute.shape<\"((4,8),2)\">) -> !cute.int_tuple<\"(0,1)\">"
  } {
    %x = irdl.base @cute::@int_tuple
    %t_int_tuple = irdl.base @cute::@int_tuple
    %t_shape = irdl.base @cute::@shape
    %t_stride = irdl.base @cute::@stride
    %t_coord = irdl.base @cute::@coord
    %t = irdl.any_of(%t_int_tuple, %t_shape, %t_stride, %t_coord)
    %path = irdl.base @cute::@int_tuple
    irdl.operands(x: %x, t: %t)
    irdl.results(path: %path)
  }

  irdl.operation @replace attributes {
    group = "Modes", assembly = "<index> (operands) : functional",
    view = "x",
    summary = "Replaces one mode by an element.",
    description = "Mode index becomes the element, 0 <= index < rank: a tuple or an integer in a tuple, a plain layout in a layout or tensor.",
    example = "%r = cute.replace<1> (%s, %n) : (!cute.shape<\"(4,8)\">, i32) -> !cute.shape<\"(4,?)\">"
  } {
    %x_int_tuple = irdl.base @cute::@int_tuple
    %x_coord = irdl.base @cute::@coord
    %x_shape = irdl.base @cute::@shape
    %x_stride = irdl.base @cute::@stride
    %x_layout = irdl.base @cute::@layout
    %x_composed_layout = irdl.base @cute::@composed_layout
    %x_tensor = irdl.base @cute::@tensor
    %x_coord_tensor = irdl.base @cute::@coord_tensor
    %x = irdl.any_of(%x_int_tuple, %x_coord, %x_shape, %x_stride, %x_layout,
        %x_composed_layout, %x_tensor, %x_coord_tensor)
    %element_int_tuple = irdl.base @cute::@int_tuple
    %element_coord = irdl.base @cute::@coord
    %element_shape = irdl.base @cute::@shape
    %element_stride = irdl.base @cute::@stride
    %element_layout = irdl.base @cute::@layout
    %element_integer = irdl.base "!builtin.integer"
    %element_index = irdl.base "!builtin.index"
    %element = irdl.any_of(%element_int_tuple, %element_coord, %element_shape,
        %element_stride, %element_layout, %element_integer, %element_index)
    %result_int_tuple = irdl.base @cute::@int_tuple
    %result_coord = irdl.base @cute::@coord
    %result_shape = irdl.base @cute::@shape
    %result_stride = irdl.base @cute::@stride
    %result_layout = irdl.base @cute::@layout
    %result_composed_layout = irdl.base @cute::@composed_layout
    %result_tensor = irdl.base @cute::@tensor
    %result_coord_tensor = irdl.base @cute::@coord_tensor
    %result = irdl.any_of(%result_int_tuple, %result_coord, %result_shape,
        %result_stride, %result_layout, %result_composed_layout, %result_tensor,
        %result_coord_tensor)
    irdl.operands(x: %x, element: %element)
    irdl.results(result: %result)
  }

  irdl.operation @unflatten attributes {
    group = "Modes", assembly = "(operands) : functional",
    view = "x",
    summary = "Arranges modes as a profile's leaves.",
    description = "The inverse of flatten: x has as many modes as the profile has leaves. As profiles, layouts and tensors count as their shapes.",
    example = "%r = cute.unflatten(%s, %p) : (!cute.shape<\"(4,8,?)\">, !cute.int_tuple<\"(0,(0,0))\">) -> !cute.shape<\"(4,(8,?))\">"
  } {
    %x_int_tuple = irdl.base @cute::@int_tuple
    %x_coord = irdl.base @cute::@coord
    %x_shape = irdl.base @cute::@shape
    %x_stride = irdl.base @cute::@stride
    %x_layout = irdl.base @cute::@layout
    %x_composed_layout = irdl.base @cute::@composed_layout
    %x_tensor = irdl.base @cute::@tensor
    %x_coord_tensor = irdl.base @cute::@coord_tensor
    %x = irdl.any_of(%x_int_tuple, %x_coord, %x_shape, %x_stride, %x_layout,
        %x_composed_layout, %x_tensor, %x_coord_tensor)
    %profile_int_tuple = irdl.base @cute::@int_tuple
    %profile_coord = irdl.base @cute::@coord
    %profile_shape = irdl.base @cute::@shape
    %profile_stride = irdl.base @cute::@stride
    %profile_layout = irdl.base @cute::@layout
    %profile_composed_layout = irdl.base @cute::@composed_layout
    %profile_tensor = irdl.base @cute::@tensor
    %profile_coord_tensor = irdl.base @cute::@coord_tensor
    %profile = irdl.any_of(%profile_int_tuple, %profile_coord, %profile_shape,
        %profile_stride, %profile_layout, %profile_composed_layout, %profile_tensor,
        %profile_coord_tensor)
    %result_int_tuple = irdl.base @cute::@int_tuple
    %result_coord = irdl.base @cute::@coord
    %result_shape = irdl.base @cute::@shape
    %result_stride = irdl.base @cute::@stride
    %result_layout = irdl.base @cute::@layout
    %result_composed_layout = irdl.base @cute::@composed_layout
    %result_tensor = irdl.base @cute::@tensor
    %result_coord_tensor = irdl.base @cute::@coord_tensor
    %result = irdl.any_of(%result_int_tuple, %result_coord, %result_shape,
        %result_stride, %result_layout, %result_composed_layout, %result_tensor,
        %result_coord_tensor)
    irdl.operands(x: %x, profile: %profile)
    irdl.results(result: %result)
  }

  irdl.operation @zip attributes {
    group = "Modes", assembly = "(operands) : functional",
    summary = "Pairs of the modes of two layouts, or of the elements of two tuples.",
    description = "R = ((a0,b0), (a1,b1), ...); a and b have the same rank. Tuples may have different kinds; the result has a's.",
    example = "%r = cute.zip(%a, %b) : (!cute.layout<\"(4,8):(8,1)\">, !cute.layout<\"(2,3):(32,64)\">) -> !cute.layout<\"((4,2),(8,3)):((8,32),(1,64))\">"
  } {
    %a_int_tuple = irdl.base @cute::@int_tuple
    %a_coord = irdl.base @cute::@coord
    %a_shape = irdl.base @cute::@shape
    %a_stride = irdl.base @cute::@stride
    %a_layout = irdl.base @cute::@layout
    %a = irdl.any_of(%a_int_tuple, %a_coord, %a_shape, %a_stride, %a_layout)
    %b_int_tuple = irdl.base @cute::@int_tuple
    %b_coord = irdl.base @cute::@coord
    %b_shape = irdl.base @cute::@shape
    %b_stride = irdl.base @cute::@stride
    %b_layout = irdl.base @cute::@layout
    %b = irdl.any_of(%b_int_tuple, %b_coord, %b_shape, %b_stride, %b_layout)
    %result_int_tuple = irdl.base @cute::@int_tuple
    %result_coord = irdl.base @cute::@coord
    %result_shape = irdl.base @cute::@shape
    %result_stride = irdl.base @cute::@stride
    %result_layout = irdl.base @cute::@layout
    %result = irdl.any_of(%result_int_tuple, %result_coord, %result_shape,
        %result_stride, %result_layout)
    irdl.operands(a: %a, b: %b)
    irdl.results(result: %result)
  }

  irdl.operation @repeat_like attributes {
    group = "Modes", assembly = "(operands) : functional",
    summary = "One value at each leaf of a profile.",
    description = "A tree congruent to the profile, whose leaves are all x, of x's kind; for an integer, an int_tuple. Layouts and tensors count as their shapes.",
    example = "%r = cute.repeat_like(%x, %p) : (!cute.coord<\"_\">, !cute.shape<\"(4,(2,?))\">) -> !cute.coord<\"(_,(_,_))\">"
  } {
    %x_int_tuple = irdl.base @cute::@int_tuple
    %x_shape = irdl.base @cute::@shape
    %x_stride = irdl.base @cute::@stride
    %x_coord = irdl.base @cute::@coord
    %x_integer = irdl.base "!builtin.integer"
    %x_index = irdl.base "!builtin.index"
    %x = irdl.any_of(%x_int_tuple, %x_shape, %x_stride, %x_coord, %x_integer,
        %x_index)
    %profile_int_tuple = irdl.base @cute::@int_tuple
    %profile_shape = irdl.base @cute::@shape
    %profile_stride = irdl.base @cute::@stride
    %profile_coord = irdl.base @cute::@coord
    %profile_layout = irdl.base @cute::@layout
    %profile_composed_layout = irdl.base @cute::@composed_layout
    %profile_tensor = irdl.base @cute::@tensor
    %profile = irdl.any_of(%profile_int_tuple, %profile_shape, %profile_stride,
        %profile_coord, %profile_layout, %profile_composed_layout,
        %profile_tensor)
    %result_int_tuple = irdl.base @cute::@int_tuple
    %result_shape = irdl.base @cute::@shape
    %result_stride = irdl.base @cute::@stride
    %result_coord = irdl.base @cute::@coord
    %result = irdl.any_of(%result_int_tuple, %result_shape, %result_stride,
        %result_coord)
    irdl.operands(x: %x, profile: %profile)
    irdl.results(result: %result)
  }

  irdl.operation @slice_and_offset attributes {
    group = "Modes", assembly = "(operands) : functional",
    summary = "The slice of a layout, and the index of its beginning.",
    description = "x(c with y for `_`) = slice(y) + offset. If the layout has a swizzle, the slice keeps it with the offset inside, and the second result is 0.",
    example = "%r:2 = cute.slice_and_offset(%l, %c) : (!cute.layout<\"(4,6):(6,1)\">, !cute.coord<\"(2,_)\">) -> (!cute.layout<\"(6):(1)\">, !cute.int_tuple<\"12\">)"
  } {
    %x_layout = irdl.base @cute::@layout
    %x_composed_layout = irdl.base @cute::@composed_layout
    %x = irdl.any_of(%x_layout, %x_composed_layout)
    %coord = irdl.base @cute::@coord
    %slice_layout = irdl.base @cute::@layout
    %slice_composed_layout = irdl.base @cute::@composed_layout
    %slice = irdl.any_of(%slice_layout, %slice_composed_layout)
    %offset = irdl.base @cute::@int_tuple
    irdl.operands(x: %x, coord: %coord)
    irdl.results(slice: %slice, offset: %offset)
  }

  //===-- Tiling -----------------------------------------------------------===//

  irdl.operation @logical_divide attributes {
    group = "Tiling", assembly = "(operands) : functional",
    view = "layout",
    summary = "The layout cut into tiles: (tile, rest), mode by mode for a tuple tiler.",
    description = "R = layout o (tiler, complement of tiler over layout's shape): R(i,j) = layout(tiler(i) + rest(j)), mode by mode for a tuple. Modes without an element of the tiler stay. An extent that a tile does not divide is rounded up, so the last tile reaches past the end. A tile must not end inside a leaf of the shape: there tiles are left out or invented, with a warning (coalesce the layout first).",
    example = "%r = cute.logical_divide(%l, %t) : (!cute.layout<\"(8,12):(12,1)\">, !cute.tile<\"[4:1;3:1]\">) -> !cute.layout<\"((4,2),(3,4)):((12,48),(1,3))\">"
  } {
    %layout_layout = irdl.base @cute::@layout
    %layout_composed_layout = irdl.base @cute::@composed_layout
    %layout_tensor = irdl.base @cute::@tensor
    %layout_coord_tensor = irdl.base @cute::@coord_tensor
    %layout = irdl.any_of(%layout_layout, %layout_composed_layout,
        %layout_tensor, %layout_coord_tensor)
    %tiler_layout = irdl.base @cute::@layout
    %tiler_tile = irdl.base @cute::@tile
    %tiler_shape = irdl.base @cute::@shape
    %tiler = irdl.any_of(%tiler_layout, %tiler_tile, %tiler_shape)
    %result_layout = irdl.base @cute::@layout
    %result_composed_layout = irdl.base @cute::@composed_layout
    %result_tensor = irdl.base @cute::@tensor
    %result_coord_tensor = irdl.base @cute::@coord_tensor
    %result = irdl.any_of(%result_layout, %result_composed_layout,
        %result_tensor, %result_coord_tensor)
    irdl.operands(layout: %layout, tiler: %tiler)
    irdl.results(result: %result)
  }

  irdl.operation @zipped_divide attributes {
    group = "Tiling", assembly = "(operands) : functional",
    view = "layout",
    summary = "The layout cut into tiles: ((tiles...), (rests...)).",
    description = "As logical_divide, with all tiles in mode 0 and all rests in mode 1; `_` is not allowed in the tiler.",
    example = "%r = cute.zipped_divide(%l, %t) : (!cute.layout<\"(8,12):(12,1)\">, !cute.tile<\"[4:1;3:1]\">) -> !cute.layout<\"((4,3),(2,4)):((12,1),(48,3))\">"
  } {
    %layout_layout = irdl.base @cute::@layout
    %layout_composed_layout = irdl.base @cute::@composed_layout
    %layout_tensor = irdl.base @cute::@tensor
    %layout_coord_tensor = irdl.base @cute::@coord_tensor
    %layout = irdl.any_of(%layout_layout, %layout_composed_layout,
        %layout_tensor, %layout_coord_tensor)
    %tiler_layout = irdl.base @cute::@layout
    %tiler_tile = irdl.base @cute::@tile
    %tiler_shape = irdl.base @cute::@shape
    %tiler = irdl.any_of(%tiler_layout, %tiler_tile, %tiler_shape)
    %result_layout = irdl.base @cute::@layout
    %result_composed_layout = irdl.base @cute::@composed_layout
    %result_tensor = irdl.base @cute::@tensor
    %result_coord_tensor = irdl.base @cute::@coord_tensor
    %result = irdl.any_of(%result_layout, %result_composed_layout,
        %result_tensor, %result_coord_tensor)
    irdl.operands(layout: %layout, tiler: %tiler)
    irdl.results(result: %result)
  }

  irdl.operation @tiled_divide attributes {
    group = "Tiling", assembly = "(operands) : functional",
    view = "layout",
    summary = "The layout cut into tiles: ((tiles...), rests...).",
    description = "As zipped_divide, with mode 1's modes at the top level.",
    example = "%r = cute.tiled_divide(%l, %t) : (!cute.layout<\"(8,12):(12,1)\">, !cute.tile<\"[4:1;3:1]\">) -> !cute.layout<\"((4,3),2,4):((12,1),48,3)\">"
  } {
    %layout_layout = irdl.base @cute::@layout
    %layout_composed_layout = irdl.base @cute::@composed_layout
    %layout_tensor = irdl.base @cute::@tensor
    %layout_coord_tensor = irdl.base @cute::@coord_tensor
    %layout = irdl.any_of(%layout_layout, %layout_composed_layout,
        %layout_tensor, %layout_coord_tensor)
    %tiler_layout = irdl.base @cute::@layout
    %tiler_tile = irdl.base @cute::@tile
    %tiler_shape = irdl.base @cute::@shape
    %tiler = irdl.any_of(%tiler_layout, %tiler_tile, %tiler_shape)
    %result_layout = irdl.base @cute::@layout
    %result_composed_layout = irdl.base @cute::@composed_layout
    %result_tensor = irdl.base @cute::@tensor
    %result_coord_tensor = irdl.base @cute::@coord_tensor
    %result = irdl.any_of(%result_layout, %result_composed_layout,
        %result_tensor, %result_coord_tensor)
    irdl.operands(layout: %layout, tiler: %tiler)
    irdl.results(result: %result)
  }

  irdl.operation @flat_divide attributes {
    group = "Tiling", assembly = "(operands) : functional",
    view = "layout",
    summary = "The layout cut into tiles: (tiles..., rests...).",
    description = "As zipped_divide, with both modes' modes at the top level.",
    example = "%r = cute.flat_divide(%l, %t) : (!cute.layout<\"(8,12):(12,1)\">, !cute.tile<\"[4:1;3:1]\">) -> !cute.layout<\"(4,3,2,4):(12,1,48,3)\">"
  } {
    %layout_layout = irdl.base @cute::@layout
    %layout_composed_layout = irdl.base @cute::@composed_layout
    %layout_tensor = irdl.base @cute::@tensor
    %layout_coord_tensor = irdl.base @cute::@coord_tensor
    %layout = irdl.any_of(%layout_layout, %layout_composed_layout,
        %layout_tensor, %layout_coord_tensor)
    %tiler_layout = irdl.base @cute::@layout
    %tiler_tile = irdl.base @cute::@tile
    %tiler_shape = irdl.base @cute::@shape
    %tiler = irdl.any_of(%tiler_layout, %tiler_tile, %tiler_shape)
    %result_layout = irdl.base @cute::@layout
    %result_composed_layout = irdl.base @cute::@composed_layout
    %result_tensor = irdl.base @cute::@tensor
    %result_coord_tensor = irdl.base @cute::@coord_tensor
    %result = irdl.any_of(%result_layout, %result_composed_layout,
        %result_tensor, %result_coord_tensor)
    irdl.operands(layout: %layout, tiler: %tiler)
    irdl.results(result: %result)
  }

  irdl.operation @logical_product attributes {
    group = "Tiling", assembly = "(operands) : functional",
    summary = "The layout repeated after another: (layout, repetitions).",
    description = "R(i,j) = layout(i) + (complement(layout) o tiler)(j): block j begins at the tiler(j)-th free index that the layout leaves. The layout must be static and injective.",
    example = "%r = cute.logical_product(%a, %b) : (!cute.layout<\"(2,4):(4,1)\">, !cute.layout<\"3:1\">) -> !cute.layout<\"((2,4),3):((4,1),8)\">"
  } {
    %layout_layout = irdl.base @cute::@layout
    %layout_composed_layout = irdl.base @cute::@composed_layout
    %layout = irdl.any_of(%layout_layout, %layout_composed_layout)
    %tiler = irdl.base @cute::@layout
    %result_layout = irdl.base @cute::@layout
    %result_composed_layout = irdl.base @cute::@composed_layout
    %result = irdl.any_of(%result_layout, %result_composed_layout)
    irdl.operands(layout: %layout, tiler: %tiler)
    irdl.results(result: %result)
  }

  irdl.operation @zipped_product attributes {
    group = "Tiling", assembly = "(operands) : functional",
    summary = "The layout repeated after another: as logical_product.",
    description = "As logical_product, with the block in mode 0 and the repetitions in mode 1.",
    example = "%r = cute.zipped_product(%a, %b) : (!cute.layout<\"(2,4):(4,1)\">, !cute.layout<\"3:1\">) -> !cute.layout<\"((2,4),3):((4,1),8)\">"
  } {
    %layout_layout = irdl.base @cute::@layout
    %layout_composed_layout = irdl.base @cute::@composed_layout
    %layout = irdl.any_of(%layout_layout, %layout_composed_layout)
    %tiler = irdl.base @cute::@layout
    %result_layout = irdl.base @cute::@layout
    %result_composed_layout = irdl.base @cute::@composed_layout
    %result = irdl.any_of(%result_layout, %result_composed_layout)
    irdl.operands(layout: %layout, tiler: %tiler)
    irdl.results(result: %result)
  }

  irdl.operation @tiled_product attributes {
    group = "Tiling", assembly = "(operands) : functional",
    summary = "The layout repeated after another: (layout, repetitions...).",
    description = "As logical_product, with the repetitions' modes at the top level.",
    example = "%r = cute.tiled_product(%a, %b) : (!cute.layout<\"(2,4):(4,1)\">, !cute.layout<\"(3,2):(1,3)\">) -> !cute.layout<\"((2,4),3,2):((4,1),8,24)\">"
  } {
    %layout_layout = irdl.base @cute::@layout
    %layout_composed_layout = irdl.base @cute::@composed_layout
    %layout = irdl.any_of(%layout_layout, %layout_composed_layout)
    %tiler = irdl.base @cute::@layout
    %result_layout = irdl.base @cute::@layout
    %result_composed_layout = irdl.base @cute::@composed_layout
    %result = irdl.any_of(%result_layout, %result_composed_layout)
    irdl.operands(layout: %layout, tiler: %tiler)
    irdl.results(result: %result)
  }

  irdl.operation @flat_product attributes {
    group = "Tiling", assembly = "(operands) : functional",
    summary = "The layout repeated after another: (modes..., repetitions...).",
    description = "As logical_product, with both parts' modes at the top level.",
    example = "%r = cute.flat_product(%a, %b) : (!cute.layout<\"(2,4):(4,1)\">, !cute.layout<\"(3,2):(1,3)\">) -> !cute.layout<\"(2,4,3,2):(4,1,8,24)\">"
  } {
    %layout_layout = irdl.base @cute::@layout
    %layout_composed_layout = irdl.base @cute::@composed_layout
    %layout = irdl.any_of(%layout_layout, %layout_composed_layout)
    %tiler = irdl.base @cute::@layout
    %result_layout = irdl.base @cute::@layout
    %result_composed_layout = irdl.base @cute::@composed_layout
    %result = irdl.any_of(%result_layout, %result_composed_layout)
    irdl.operands(layout: %layout, tiler: %tiler)
    irdl.results(result: %result)
  }

  irdl.operation @blocked_product attributes {
    group = "Tiling", assembly = "(operands) : functional",
    summary = "The layout repeated after another: each mode with its repetitions outside.",
    description = "As logical_product of operands of equal rank (1:0 is appended), mode i being (layout_i, tiler_i): elements of a block are neighbours.",
    example = "%r = cute.blocked_product(%a, %b) : (!cute.layout<\"(2,4):(4,1)\">, !cute.layout<\"(3,2):(1,3)\">) -> !cute.layout<\"((2,3),(4,2)):((4,8),(1,24))\">"
  } {
    %layout_layout = irdl.base @cute::@layout
    %layout_composed_layout = irdl.base @cute::@composed_layout
    %layout = irdl.any_of(%layout_layout, %layout_composed_layout)
    %tiler = irdl.base @cute::@layout
    %result_layout = irdl.base @cute::@layout
    %result_composed_layout = irdl.base @cute::@composed_layout
    %result = irdl.any_of(%result_layout, %result_composed_layout)
    irdl.operands(layout: %layout, tiler: %tiler)
    irdl.results(result: %result)
  }

  irdl.operation @raked_product attributes {
    group = "Tiling", assembly = "(operands) : functional",
    summary = "The layout repeated after another: each mode with its repetitions inside.",
    description = "As logical_product of operands of equal rank (1:0 is appended), mode i being (tiler_i, layout_i): elements of different blocks are neighbours.",
    example = "%r = cute.raked_product(%a, %b) : (!cute.layout<\"(2,4):(4,1)\">, !cute.layout<\"(3,2):(1,3)\">) -> !cute.layout<\"((3,2),(2,4)):((8,4),(24,1))\">"
  } {
    %layout_layout = irdl.base @cute::@layout
    %layout_composed_layout = irdl.base @cute::@composed_layout
    %layout = irdl.any_of(%layout_layout, %layout_composed_layout)
    %tiler = irdl.base @cute::@layout
    %result_layout = irdl.base @cute::@layout
    %result_composed_layout = irdl.base @cute::@composed_layout
    %result = irdl.any_of(%result_layout, %result_composed_layout)
    irdl.operands(layout: %layout, tiler: %tiler)
    irdl.results(result: %result)
  }

  irdl.operation @tile_to_shape attributes {
    group = "Tiling", assembly = "(operands) : types -> types",
    summary = "A block repeated over a shape.",
    description = "Mode i has ceil(shape_i / block_i) repetitions, and the blocks follow one another in the order of the keys, a different integer for each mode (by default ascending): R is the blocked product of the block with the repetitions. R covers the shape, and more if an extent is not divisible.",
    example = "%r = cute.tile_to_shape(%b, %s) : (!cute.layout<\"(4,8):(8,1)\">, !cute.shape<\"(8,16)\">) -> !cute.layout<\"((4,2),(8,2)):((8,32),(1,64))\">"
  } {
    %block_layout = irdl.base @cute::@layout
    %block_composed_layout = irdl.base @cute::@composed_layout
    %block = irdl.any_of(%block_layout, %block_composed_layout)
    %shape = irdl.base @cute::@shape
    %order = irdl.base @cute::@int_tuple
    %result_layout = irdl.base @cute::@layout
    %result_composed_layout = irdl.base @cute::@composed_layout
    %result = irdl.any_of(%result_layout, %result_composed_layout)
    irdl.operands(block: %block, shape: %shape, order: optional %order)
    irdl.results(result: %result)
  }

  //===-- Tensors ----------------------------------------------------------===//

  irdl.operation @make_tensor attributes {
    group = "Tensor", assembly = "(operands) : functional",
    view = "pointer",
    summary = "The tensor whose element c lies at pointer + layout(c).",
    description = "Element c lies at pointer + layout(c), counted in elements; a shape means its compact layout. The op does not check that this is inside the allocation. With a swizzle S in the pointer, element c lies at S(pointer + layout(c)), in bytes: the tensor begins at the multiple of S's period at or below the pointer, and its layout is S' o offset o layout, where S' is S in elements, as recast_layout gives it. The offset is 0 if the pointer's alignment implies this, and otherwise the distance to the pointer, at run time. With an int_tuple as the pointer, element c is the coordinate origin + layout(c); an integer is the origin of coordinates with one mode.",
    example = "%t = cute.make_tensor(%p, %l) : (!cute.ptr<f32, gmem, align<16>>, !cute.layout<\"(8,?):(1,8)\">) -> !cute.tensor<f32, gmem, align<16>, \"(8,?):(1,8)\">"
  } {
    %pointer_ptr = irdl.base @cute::@ptr
    %pointer_int_tuple = irdl.base @cute::@int_tuple
    %pointer = irdl.any_of(%pointer_ptr, %pointer_int_tuple)
    %layout_layout = irdl.base @cute::@layout
    %layout_composed_layout = irdl.base @cute::@composed_layout
    %layout_shape = irdl.base @cute::@shape
    %layout = irdl.any_of(%layout_layout, %layout_composed_layout,
        %layout_shape)
    %result_tensor = irdl.base @cute::@tensor
    %result_coord_tensor = irdl.base @cute::@coord_tensor
    %result = irdl.any_of(%result_tensor, %result_coord_tensor)
    irdl.operands(pointer: %pointer, layout: %layout)
    irdl.results(result: %result)
  }

  irdl.operation @get_iter attributes {
    group = "Tensor", assembly = "(operands) : functional",
    view = "tensor",
    follows = "any",
    summary = "The pointer of a tensor, or the origin of a tensor of coordinates.",
    description = "The place, or the coordinate, of element 0; make_tensor(get_iter(t), get_layout(t)) is t.",
    example = "%p = cute.get_iter(%t) : (!cute.tensor<f32, gmem, align<16>, \"(8,?):(1,8)\">) -> !cute.ptr<f32, gmem, align<16>>"
  } {
    %tensor_tensor = irdl.base @cute::@tensor
    %tensor_coord_tensor = irdl.base @cute::@coord_tensor
    %tensor = irdl.any_of(%tensor_tensor, %tensor_coord_tensor)
    %result_ptr = irdl.base @cute::@ptr
    %result_int_tuple = irdl.base @cute::@int_tuple
    %result = irdl.any_of(%result_ptr, %result_int_tuple)
    irdl.operands(tensor: %tensor)
    irdl.results(result: %result)
  }

  irdl.operation @get_layout attributes {
    group = "Tensor", assembly = "(operands) : functional",
    follows = "any",
    summary = "The layout of a tensor.",
    description = "make_tensor(get_iter(t), get_layout(t)) is t.",
    example = "%l = cute.get_layout(%t) : (!cute.tensor<f32, gmem, align<16>, \"(8,?):(1,8)\">) -> !cute.layout<\"(8,?):(1,8)\">"
  } {
    %tensor_tensor = irdl.base @cute::@tensor
    %tensor_coord_tensor = irdl.base @cute::@coord_tensor
    %tensor = irdl.any_of(%tensor_tensor, %tensor_coord_tensor)
    %result_layout = irdl.base @cute::@layout
    %result_composed_layout = irdl.base @cute::@composed_layout
    %result = irdl.any_of(%result_layout, %result_composed_layout)
    irdl.operands(tensor: %tensor)
    irdl.results(result: %result)
  }

  irdl.operation @make_identity_tensor attributes {
    group = "Tensor", assembly = "(operands) : functional",
    summary = "The tensor whose elements are their own coordinates.",
    description = "T(c) = c; a tensor counts as its shape. Partition it like the data, and it says which element each of a thread's elements is.",
    example = "%c = cute.make_identity_tensor(%s) : (!cute.shape<\"(8,?)\">) -> !cute.coord_tensor<\"(0,0)\", \"(8,?):(1@0,1@1)\">"
  } {
    %shape_shape = irdl.base @cute::@shape
    %shape_tensor = irdl.base @cute::@tensor
    %shape = irdl.any_of(%shape_shape, %shape_tensor)
    %result = irdl.base @cute::@coord_tensor
    irdl.operands(shape: %shape)
    irdl.results(result: %result)
  }

  irdl.operation @domain_offset attributes {
    group = "Tensor", assembly = "(operands) : functional",
    view = "tensor",
    summary = "The tensor moved to begin at a coordinate.",
    description = "R(c) = T(coord + c), with the shape and strides of T: a tensor moves its pointer, a swizzled one its offset, a coordinate tensor its origin. The coordinate may be negative; use predicates where R reaches past the ends of T.",
    example = "%r = cute.domain_offset(%c, %t) : (!cute.coord<\"(4,0)\">, !cute.tensor<f32, gmem, align<16>, \"(8,?):(1,8)\">) -> !cute.tensor<f32, gmem, align<16>, \"(8,?):(1,8)\">"
  } {
    %coord = irdl.base @cute::@coord
    %tensor_tensor = irdl.base @cute::@tensor
    %tensor_coord_tensor = irdl.base @cute::@coord_tensor
    %tensor = irdl.any_of(%tensor_tensor, %tensor_coord_tensor)
    %result_tensor = irdl.base @cute::@tensor
    %result_coord_tensor = irdl.base @cute::@coord_tensor
    %result = irdl.any_of(%result_tensor, %result_coord_tensor)
    irdl.operands(coord: %coord, tensor: %tensor)
    irdl.results(result: %result)
  }

  irdl.operation @recast_tensor attributes {
    group = "Tensor", assembly = "<type element> (operands) : functional",
    view = "tensor",
    summary = "The same memory in elements of another type.",
    description = "The pointer, its alignment and the bits stay; the layout is recast_layout of the tensor's. An element of twice the width is two neighbours, so strides must be even, or 1 with an even extent. The alignment must suffice for the new element.",
    example = "%r = cute.recast_tensor<i32> (%t) : (!cute.tensor<f16, gmem, align<16>, \"(8,?):(1,8)\">) -> !cute.tensor<i32, gmem, align<16>, \"(4,?):(1,4)\">"
  } {
    %tensor = irdl.base @cute::@tensor
    %result = irdl.base @cute::@tensor
    irdl.operands(tensor: %tensor)
    irdl.results(result: %result)
  }

  irdl.operation @assume attributes {
    group = "Tensor", assembly = "(operands) : types -> types", results = "written",
    view = "x",
    summary = "The same value with divisors and alignment that the program guarantees.",
    description = "The result type may differ only in the alignment and in `?{div=N}` of its leaves. Nothing is checked at run time: a false promise is undefined behaviour.",
    example = "%a = cute.assume(%t) : !cute.tensor<f16, gmem, align<2>, \"(?,?):(?,1)\"> -> !cute.tensor<f16, gmem, align<16>, \"(?,?):(?{div=8},1)\">"
  } {
    %x_ptr = irdl.base @cute::@ptr
    %x_tensor = irdl.base @cute::@tensor
    %x_layout = irdl.base @cute::@layout
    %x_composed_layout = irdl.base @cute::@composed_layout
    %x_shape = irdl.base @cute::@shape
    %x_stride = irdl.base @cute::@stride
    %x_int_tuple = irdl.base @cute::@int_tuple
    %x_coord = irdl.base @cute::@coord
    %x = irdl.any_of(%x_ptr, %x_tensor, %x_layout, %x_composed_layout, %x_shape,
        %x_stride, %x_int_tuple, %x_coord)
    %result_ptr = irdl.base @cute::@ptr
    %result_tensor = irdl.base @cute::@tensor
    %result_layout = irdl.base @cute::@layout
    %result_composed_layout = irdl.base @cute::@composed_layout
    %result_shape = irdl.base @cute::@shape
    %result_stride = irdl.base @cute::@stride
    %result_int_tuple = irdl.base @cute::@int_tuple
    %result_coord = irdl.base @cute::@coord
    %result = irdl.any_of(%result_ptr, %result_tensor, %result_layout,
        %result_composed_layout, %result_shape, %result_stride,
        %result_int_tuple, %result_coord)
    irdl.operands(x: %x)
    irdl.results(result: %result)
  }

  irdl.operation @assume_range attributes {
    group = "Tensor", assembly = "<min, max> (operands) : functional",
    summary = "The same integer, which the program guarantees to be in [min, max].",
    description = "The result is an int_tuple of the operand's width, ? for an i32 or i64. 0 <= min <= max. Nothing is checked at run time. A static integer must be in the range. From the range, lowering knows which bits may be set, so quotients and remainders by powers of two become shifts and masks, and a swizzle's xors move to the constant part of an address.",
    example = "%w = cute.assume_range<0, 127> (%i) : (i32) -> !cute.int_tuple<\"?\">"
  } {
    %x_integer = irdl.base "!builtin.integer"
    %x_index = irdl.base "!builtin.index"
    %x_int_tuple = irdl.base @cute::@int_tuple
    %x = irdl.any_of(%x_integer, %x_index, %x_int_tuple)
    %result = irdl.base @cute::@int_tuple
    irdl.operands(x: %x)
    irdl.results(result: %result)
  }

  irdl.operation @alloc_smem attributes {
    group = "Tensor", assembly = "<type element, align> (operands) : functional",
    effects = "allocates smem",
    summary = "A tensor in shared memory, for the whole life of the block.",
    description = "The layout is static with nonnegative strides, the alignment a power of two in bytes. The size is the cosize, rounded up to whole blocks for a swizzle. A kernel's allocations do not overlap; their contents are undefined. In kernels only.",
    example = "%s = cute.alloc_smem<f16, 128> (%l) : (!cute.layout<\"(64,8):(8,1)\">) -> !cute.tensor<f16, smem, align<128>, \"(64,8):(8,1)\">"
  } {
    %layout_layout = irdl.base @cute::@layout
    %layout_composed_layout = irdl.base @cute::@composed_layout
    %layout = irdl.any_of(%layout_layout, %layout_composed_layout)
    %result = irdl.base @cute::@tensor
    irdl.operands(layout: %layout)
    irdl.results(result: %result)
  }

  irdl.operation @make_fragment attributes {
    group = "Tensor", assembly = "<type element> (operands) : functional",
    effects = "allocates rmem",
    follows = "any",
    summary = "A tensor in the registers of a thread.",
    description = "The layout, or shape with compact strides, has nonnegative strides and at most 16384 elements. The contents are undefined.",
    example = "%f = cute.make_fragment<f32> (%l) : (!cute.layout<\"(4,2):(1,4)\">) -> !cute.tensor<f32, rmem, align<16>, \"(4,2):(1,4)\">"
  } {
    %layout_layout = irdl.base @cute::@layout
    %layout_shape = irdl.base @cute::@shape
    %layout = irdl.any_of(%layout_layout, %layout_shape)
    %result = irdl.base @cute::@tensor
    irdl.operands(layout: %layout)
    irdl.results(result: %result)
  }

  irdl.operation @make_fragment_like attributes {
    group = "Tensor", assembly = "<type element>? (operands) : functional",
    effects = "allocates rmem",
    follows = "any",
    summary = "A compact tensor in registers with another tensor's shape and order of strides.",
    description = "With the shape of the operand: mode 0 is compact at stride 1, and the others follow in the order of their strides in the operand. For a layout the element type must be given. Its contents are undefined.",
    example = "%f = cute.make_fragment_like<f32> (%l) : (!cute.layout<\"(4,2):(8,1)\">) -> !cute.tensor<f32, rmem, align<16>, \"(4,(2)):(1,(4))\">"
  } {
    %x_tensor = irdl.base @cute::@tensor
    %x_layout = irdl.base @cute::@layout
    %x_composed_layout = irdl.base @cute::@composed_layout
    %x_coord_tensor = irdl.base @cute::@coord_tensor
    %x = irdl.any_of(%x_tensor, %x_layout, %x_composed_layout,
        %x_coord_tensor)
    %result = irdl.base @cute::@tensor
    irdl.operands(x: %x)
    irdl.results(result: %result)
  }

  //===-- Pointers ---------------------------------------------------------===//

  irdl.operation @make_ptr attributes {
    group = "Pointer", assembly = "(operands) : functional", results = "written",
    summary = "A pointer to an address.",
    description = "You write the type; its alignment and swizzle are promises of the program. An address is an i64, an !llvm.ptr in the generic or the same address space, which is converted, or in smem an i32. In desc it is the i64 of a matrix descriptor.",
    example = "%p = cute.make_ptr(%a) : (i64) -> !cute.ptr<f16, gmem, align<16>>"
  } {
    %address = irdl.any
    %result = irdl.base @cute::@ptr
    irdl.operands(address: %address)
    irdl.results(result: %result)
  }

  irdl.operation @ptr_to_int attributes {
    group = "Pointer", assembly = "(operands) : functional",
    summary = "The address of a pointer.",
    description = "In bytes, within its space and before a swizzle: make_ptr of it is the pointer. Elements below 8 bits have no address if they may begin within a byte; a divisor (?{div=2}) promises that they do not.",
    example = "%a = cute.ptr_to_int(%p) : (!cute.ptr<f16, gmem, align<16>>) -> i64"
  } {
    %pointer = irdl.base @cute::@ptr
    %result = irdl.base "!builtin.integer"
    irdl.operands(pointer: %pointer)
    irdl.results(result: %result)
  }

  irdl.operation @to_llvm_ptr attributes {
    group = "Pointer", assembly = "(operands) : functional",
    effects = "orders",
    summary = "The address of an element as an !llvm.ptr, for ops of other dialects.",
    description = "The address of a tensor's element at a coordinate, or of the element that a pointer without a swizzle points to. The result is `!llvm.ptr<1>` for gmem, `!llvm.ptr<3>` for smem, `!llvm.ptr<7>` for dsmem and `!llvm.ptr` for rmem and for tensor maps. Passes do not follow accesses through it and leave the memory as it is. Elements have 8 bits or more.",
    example = "%a = cute.to_llvm_ptr(%t, %c) : (!cute.tensor<f32, gmem, align<4>, \"(8,?):(1,8)\">, !cute.coord<\"(1,?)\">) -> !llvm.ptr<1>"
  } {
    %memory_tensor = irdl.base @cute::@tensor
    %memory_ptr = irdl.base @cute::@ptr
    %memory_tma_atom = irdl.base @cute::@tma_atom
    %memory = irdl.any_of(%memory_tensor, %memory_ptr, %memory_tma_atom)
    %coord = irdl.base @cute::@coord
    %result = irdl.any
    irdl.operands(memory: %memory, coord: optional %coord)
    irdl.results(result: %result)
  }

  irdl.operation @add_offset attributes {
    group = "Pointer", assembly = "(operands) : functional",
    view = "pointer",
    summary = "The pointer some elements further.",
    description = "pointer + offset, with the alignment that the offset's divisor leaves. A swizzle does not change, as it is applied to the address last. The offset is an i32, i64 or scalar int_tuple.",
    example = "%q = cute.add_offset(%p, %o) : (!cute.ptr<f16, gmem, align<16>>, !cute.int_tuple<\"?{div=4}\">) -> !cute.ptr<f16, gmem, align<8>>"
  } {
    %pointer = irdl.base @cute::@ptr
    %offset_integer = irdl.base "!builtin.integer"
    %offset_index = irdl.base "!builtin.index"
    %offset_int_tuple = irdl.base @cute::@int_tuple
    %offset = irdl.any_of(%offset_integer, %offset_index, %offset_int_tuple)
    %result = irdl.base @cute::@ptr
    irdl.operands(pointer: %pointer, offset: %offset)
    irdl.results(result: %result)
  }

  irdl.operation @recast_ptr attributes {
    group = "Pointer", assembly = "(operands) : functional", results = "written",
    view = "pointer",
    summary = "The same address with another element type or swizzle.",
    description = "You write the result type; space and alignment stay. Elements below 8 bits must begin at a byte, as for ptr_to_int.",
    example = "%q = cute.recast_ptr(%p) : (!cute.ptr<f16, smem, align<1024>>) -> !cute.ptr<i32, smem, align<1024>, S<3,4,3>>"
  } {
    %pointer = irdl.base @cute::@ptr
    %result = irdl.base @cute::@ptr
    irdl.operands(pointer: %pointer)
    irdl.results(result: %result)
  }

  //===-- Elements ---------------------------------------------------------===//

  irdl.operation @load attributes {
    group = "Memory", assembly = "(operands) : functional",
    effects = "reads tensor", access = "at coord",
    summary = "The element at a coordinate.",
    description = "T(c): the value at pointer + layout(c). The coordinate is weakly congruent to the shape, without `_`. Integers have no sign in MLIR: ui8 is loaded as i8.",
    example = "%v = cute.load(%t, %c) : (!cute.tensor<f32, gmem, align<4>, \"(8,?):(1,8)\">, !cute.coord<\"(1,?)\">) -> f32"
  } {
    %tensor = irdl.base @cute::@tensor
    %coord = irdl.base @cute::@coord
    %value = irdl.any
    irdl.operands(tensor: %tensor, coord: %coord)
    irdl.results(value: %value)
  }

  irdl.operation @store attributes {
    group = "Memory", assembly = "(operands) : types",
    effects = "writes tensor", access = "at coord",
    summary = "Writes the element at a coordinate.",
    description = "The value has the element type, i8 for ui8. The coordinate is weakly congruent to the shape, without `_`. An element that shares its byte with others can be stored only in rmem; elsewhere, copy whole bytes.",
    example = "cute.store(%v, %t, %c) : f32, !cute.tensor<f32, gmem, align<4>, \"(8,?):(1,8)\">, !cute.coord<\"(1,?)\">"
  } {
    %value = irdl.any
    %tensor = irdl.base @cute::@tensor
    %coord = irdl.base @cute::@coord
    irdl.operands(value: %value, tensor: %tensor, coord: %coord)
  }

  irdl.operation @fill attributes {
    group = "Memory", assembly = "(operands) : types",
    effects = "writes tensor", access = "runs",
    follows = "any",
    summary = "Writes a value to all elements of a tensor.",
    description = "The value has the element type. In gmem and smem, accesses are as wide as layout and alignment allow, up to 128 bits; if the shape is dynamic or has more than 16384 elements, a loop writes the elements one by one. Elements that share bytes can be written only as whole bytes.",
    example = "cute.fill(%f, %v) : !cute.tensor<f32, rmem, align<16>, \"8:1\">, f32"
  } {
    %tensor = irdl.base @cute::@tensor
    %value = irdl.any
    irdl.operands(tensor: %tensor, value: %value)
  }

  irdl.operation @clear attributes {
    group = "Memory", assembly = "(operands) : types",
    effects = "writes tensor", access = "runs",
    follows = "any",
    summary = "Writes zero to all elements of a tensor.",
    description = "As fill.",
    example = "cute.clear(%f) : !cute.tensor<f32, rmem, align<16>, \"8:1\">"
  } {
    %tensor = irdl.base @cute::@tensor
    irdl.operands(tensor: %tensor)
  }

  irdl.operation @convert attributes {
    group = "Memory", assembly = "(operands) : types",
    effects = "reads source, writes destination",
    follows = "any",
    summary = "Writes the elements of a fragment to another, converted to its type.",
    description = "Element i of the destination is element i of the source, counted colexicographically. Both are in rmem and have the same size. Types are integers and floats; a result cannot be f8E8M0FNU. Floats are rounded to the nearest, ties to even (for tf32 away from zero); floats of 8 bits or fewer saturate to their largest number. Pairs are converted at once if the architecture has instructions for it; without them, floats of 8 bits and fewer are converted by arithmetic: below sm_89, and for 4 and 6 bits except on architectures from sm_100 on that have a suffix. Conversions from floats to integers round toward zero and saturate, and NaN becomes 0. Integers keep their lower bits; an i1 tells whether the number is not 0.",
    example = "cute.convert(%f, %g) : !cute.tensor<f32, rmem, align<16>, \"8:1\">, !cute.tensor<f16, rmem, align<16>, \"8:1\">"
  } {
    %source = irdl.base @cute::@tensor
    %destination = irdl.base @cute::@tensor
    irdl.operands(source: %source, destination: %destination)
  }

  irdl.operation @axpby attributes {
    group = "Memory", assembly = "(operands) : types",
    effects = "reads x y, writes y",
    follows = "any",
    summary = "y = alpha x + beta y, element by element.",
    description = "y(i) = alpha * x(i) + beta * y(i) for every i, counted colexicographically. alpha and beta have one type, f16, bf16, f32, f64 or an integer type; float elements are converted to it and back, integer elements have it. If beta is 0, the old y does not count, not even as a NaN. x and y have static shapes of one size; x may be y.",
    example = "cute.axpby(%a, %x, %b, %y) : f32, !cute.tensor<f32, rmem, align<16>, \"8:1\">, f32, !cute.tensor<f16, gmem, align<16>, \"8:1\">"
  } {
    %alpha_integer = irdl.base "!builtin.integer"
    %alpha_index = irdl.base "!builtin.index"
    %alpha_f16 = irdl.base "!builtin.f16"
    %alpha_bf16 = irdl.base "!builtin.bf16"
    %alpha_f32 = irdl.base "!builtin.f32"
    %alpha_f64 = irdl.base "!builtin.f64"
    %alpha = irdl.any_of(%alpha_integer, %alpha_index, %alpha_f16, %alpha_bf16, %alpha_f32,
        %alpha_f64)
    %x = irdl.base @cute::@tensor
    %beta_integer = irdl.base "!builtin.integer"
    %beta_index = irdl.base "!builtin.index"
    %beta_f16 = irdl.base "!builtin.f16"
    %beta_bf16 = irdl.base "!builtin.bf16"
    %beta_f32 = irdl.base "!builtin.f32"
    %beta_f64 = irdl.base "!builtin.f64"
    %beta = irdl.any_of(%beta_integer, %beta_index, %beta_f16, %beta_bf16, %beta_f32,
        %beta_f64)
    %y = irdl.base @cute::@tensor
    irdl.operands(alpha: %alpha, x: %x, beta: %beta, y: %y)
  }

  //===-- Predicates -------------------------------------------------------===//

  irdl.operation @make_predicate attributes {
    group = "Predicate", assembly = "(operands) : functional",
    effects = "makes rmem",
    follows = "any",
    summary = "Compares each coordinate with a bound, leaf by leaf, for predicates.",
    description = "P(c) = elem_less(coords(c), bound): a fragment of i1 with the shape of the coordinates. With a lower bound, no leaf may be less than the lower bound's, either. A tensor as a bound counts as its shape; a coord may have `_` for leaves that are not compared.",
    example = "%p = cute.make_predicate(%c, %s) : (!cute.coord_tensor<\"(?,0)\", \"(4,2):(1@0,1@1)\">, !cute.shape<\"(?,?)\">) -> !cute.tensor<i1, rmem, align<16>, \"(4,2):(1,4)\">"
  } {
    %coords = irdl.base @cute::@coord_tensor
    %bound_shape = irdl.base @cute::@shape
    %bound_coord = irdl.base @cute::@coord
    %bound_int_tuple = irdl.base @cute::@int_tuple
    %bound_tensor = irdl.base @cute::@tensor
    %bound = irdl.any_of(%bound_shape, %bound_coord, %bound_int_tuple, %bound_tensor)
    %lower_shape = irdl.base @cute::@shape
    %lower_coord = irdl.base @cute::@coord
    %lower_int_tuple = irdl.base @cute::@int_tuple
    %lower = irdl.any_of(%lower_shape, %lower_coord, %lower_int_tuple)
    %result = irdl.base @cute::@tensor
    irdl.operands(coords: %coords, bound: %bound, lower: optional %lower)
    irdl.results(result: %result)
  }

  irdl.operation @make_counts attributes {
    group = "Predicate", assembly = "(operands) : functional",
    effects = "makes rmem",
    follows = "any",
    summary = "The number of elements below the bound, for each access of a copy.",
    description = "The coordinates belong to a thread's part as the source of the copy; the elements of an access are neighbours along one of their leaves. A count is 0 if another leaf is not below its bound, or if any leaf is below a lower bound, in which a coord may have `_`; a tensor as a bound counts as its shape. A copy by a cp.async atom that fills with zeros (_ZFILL) takes the fragment of counts instead of a predicate: each access reads that many elements and writes zeros for the rest.",
    example = "%n = cute.make_counts(%c, %t, %s) : (!cute.tiled_copy<\"SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>\", f16, \"((8,16),8):((128,1),16)\", \"[16:1;64:1]\">, !cute.coord_tensor<\"(?,?{div=8})\", \"((8,1),4,1):((1@1,0),16@0,0)\">, !cute.shape<\"(?,?)\">) -> !cute.tensor<i8, rmem, align<16>, \"(4,1):(1,0)\">"
  } {
    %tiled_copy = irdl.base @cute::@tiled_copy
    %coords = irdl.base @cute::@coord_tensor
    %bound_shape = irdl.base @cute::@shape
    %bound_coord = irdl.base @cute::@coord
    %bound_int_tuple = irdl.base @cute::@int_tuple
    %bound_tensor = irdl.base @cute::@tensor
    %bound = irdl.any_of(%bound_shape, %bound_coord, %bound_int_tuple, %bound_tensor)
    %lower_shape = irdl.base @cute::@shape
    %lower_coord = irdl.base @cute::@coord
    %lower_int_tuple = irdl.base @cute::@int_tuple
    %lower = irdl.any_of(%lower_shape, %lower_coord, %lower_int_tuple)
    %result = irdl.base @cute::@tensor
    irdl.operands(tiled_copy: %tiled_copy, coords: %coords, bound: %bound, lower: optional %lower)
    irdl.results(result: %result)
  }

  irdl.operation @combine_predicates attributes {
    group = "Predicate", assembly = "<string kind = and|or|xor> (operands) : functional",
    effects = "reads a, reads b, makes rmem",
    summary = "Combines two predicates of one shape by and, or or xor, element by element.",
    description = "R(c) = a(c) op b(c), with the kinds and, or and xor.",
    example = "%r = cute.combine_predicates<\"and\"> (%p, %q) : (!cute.tensor<i1, rmem, align<16>, \"(4,2):(1,4)\">, !cute.tensor<i1, rmem, align<16>, \"(4,2):(2,1)\">) -> !cute.tensor<i1, rmem, align<16>, \"(4,2):(1,4)\">"
  } {
    %a = irdl.base @cute::@tensor
    %b = irdl.base @cute::@tensor
    %result = irdl.base @cute::@tensor
    irdl.operands(a: %a, b: %b)
    irdl.results(result: %result)
  }

  irdl.operation @predicated_tile_s attributes {
    group = "Predicate", assembly = "<string proj?>?(operands) : functional",
    effects = "makes rmem",
    summary = "A thread's part of a tensor's tile as the source of copies, with a predicate for accesses outside the tensor.",
    description = "Part: partition_s(copy, local_tile(tensor, tiler, coord), thread), with the projection of local_tile. Predicate: make_predicate of the same part of the tensor's coordinates, for the first element of each access, against the tensor's shape: the fragment that copy takes. The elements of an access must divide the shape, since an access must not cross the tensor's end; a cp.async atom that fills with zeros (_ZFILL) gets counts in this case (make_counts). With an origin, the tile is taken from the tensor moved to begin there (domain_offset), and accesses before the tensor are also excluded. Passes see the ops that this one abbreviates.",
    example = "%p:2 = cute.predicated_tile_s(%c, %t, %s, %at, %i) : (!cute.tiled_copy<\"UniversalCopy<uint128_t>\", f16, \"((8,16),8):((128,1),16)\", \"[16:1;64:1]\">, !cute.tensor<f16, gmem, align<16>, \"(?,?{div=8}):(?{div=8},1)\">, !cute.shape<\"(64,64)\">, !cute.coord<\"(?,?)\">, i32) -> (!cute.tensor<f16, gmem, align<16>, \"((8,1),4,1):((1,0),?{div=128},0)\">, !cute.tensor<i1, rmem, align<16>, \"(4,1):(1,0)\">)"
  } {
    %tiled_copy = irdl.base @cute::@tiled_copy
    %tensor = irdl.base @cute::@tensor
    %tiler_layout = irdl.base @cute::@layout
    %tiler_tile = irdl.base @cute::@tile
    %tiler_shape = irdl.base @cute::@shape
    %tiler = irdl.any_of(%tiler_layout, %tiler_tile, %tiler_shape)
    %coord = irdl.base @cute::@coord
    %thread_integer = irdl.base "!builtin.integer"
    %thread_index = irdl.base "!builtin.index"
    %thread_int_tuple = irdl.base @cute::@int_tuple
    %thread = irdl.any_of(%thread_integer, %thread_index, %thread_int_tuple)
    %origin = irdl.base @cute::@coord
    %part = irdl.base @cute::@tensor
    %predicate = irdl.base @cute::@tensor
    irdl.operands(tiled_copy: %tiled_copy, tensor: %tensor, tiler: %tiler, coord: %coord, thread: %thread, origin: optional %origin)
    irdl.results(part: %part, predicate: %predicate)
  }

  irdl.operation @predicated_tile_d attributes {
    group = "Predicate", assembly = "<string proj?>?(operands) : functional",
    effects = "makes rmem",
    summary = "A thread's part of a tensor's tile as the destination of copies, with a predicate for accesses outside the tensor.",
    description = "Part: partition_d(copy, local_tile(tensor, tiler, coord), thread), with the projection of local_tile. Predicate: make_predicate of the same part of the tensor's coordinates, for the first element of each access, against the tensor's shape: the fragment that copy takes. The elements of an access must divide the shape, since an access must not cross the tensor's end. With an origin, the tile is taken from the tensor moved to begin there (domain_offset), and accesses before the tensor are also excluded. Passes see the ops that this one abbreviates.",
    example = "%p:2 = cute.predicated_tile_d(%c, %t, %s, %at, %i) : (!cute.tiled_copy<\"UniversalCopy<uint128_t>\", f16, \"((8,16),8):((128,1),16)\", \"[16:1;64:1]\">, !cute.tensor<f16, gmem, align<16>, \"(?,?{div=8}):(?{div=8},1)\">, !cute.shape<\"(64,64)\">, !cute.coord<\"(?,?)\">, i32) -> (!cute.tensor<f16, gmem, align<16>, \"((8,1),4,1):((1,0),?{div=128},0)\">, !cute.tensor<i1, rmem, align<16>, \"(4,1):(1,0)\">)"
  } {
    %tiled_copy = irdl.base @cute::@tiled_copy
    %tensor = irdl.base @cute::@tensor
    %tiler_layout = irdl.base @cute::@layout
    %tiler_tile = irdl.base @cute::@tile
    %tiler_shape = irdl.base @cute::@shape
    %tiler = irdl.any_of(%tiler_layout, %tiler_tile, %tiler_shape)
    %coord = irdl.base @cute::@coord
    %thread_integer = irdl.base "!builtin.integer"
    %thread_index = irdl.base "!builtin.index"
    %thread_int_tuple = irdl.base @cute::@int_tuple
    %thread = irdl.any_of(%thread_integer, %thread_index, %thread_int_tuple)
    %origin = irdl.base @cute::@coord
    %part = irdl.base @cute::@tensor
    %predicate = irdl.base @cute::@tensor
    irdl.operands(tiled_copy: %tiled_copy, tensor: %tensor, tiler: %tiler, coord: %coord, thread: %thread, origin: optional %origin)
    irdl.results(part: %part, predicate: %predicate)
  }

  //===-- Atomic operations ------------------------------------------------===//

  irdl.operation @atomic_rmw attributes {
    group = "Atomic", assembly = "<string kind = add|min|max|and|or|xor|exch, string sem? = relaxed|acquire|release|acq_rel, string scope? = cta|cluster|gpu|sys> (operands) : functional",
    effects = "reads memory, writes memory, orders",
    summary = "Atomically combines an element with a value; returns the old element.",
    description = "old = T(c), then T(c) = old op value, atomically. The kind is add, min, max, and, or, xor or exch (the value itself). Integers have 32 or 64 bits, and ui32 and ui64 have no sign in min and max; f16, bf16, f32 and f64 can be added, f32 and f64 exchanged. A vector of two f16 or bf16 is added to the element and the next one in memory, at an address aligned to 4 bytes; each of the two additions is atomic by itself. The memory is a tensor with a coordinate, or a pointer to the element, in gmem, smem or dsmem. The order `sem` is relaxed (the default), acquire, release or acq_rel; the scope is the set of threads for which it is atomic and ordered: cta, cluster, gpu or sys. The default is gpu in gmem, cta in smem and cluster in dsmem. If the result is unused and the order acquires nothing, the op becomes a `red`. bf16 can be added from sm_90 on.",
    example = "%o = cute.atomic_rmw<\"add\"> (%v, %t, %c) : (i32, !cute.tensor<i32, smem, align<4>, \"256:1\">, !cute.coord<\"?\">) -> i32"
  } {
    %value = irdl.any
    %memory_tensor = irdl.base @cute::@tensor
    %memory_ptr = irdl.base @cute::@ptr
    %memory = irdl.any_of(%memory_tensor, %memory_ptr)
    %coord = irdl.base @cute::@coord
    %old = irdl.any
    irdl.operands(value: %value, memory: %memory, coord: optional %coord)
    irdl.results(old: %old)
  }

  irdl.operation @atomic_cas attributes {
    group = "Atomic", assembly = "<string sem? = relaxed|acquire|release|acq_rel, string scope? = cta|cluster|gpu|sys>?(operands) : functional",
    effects = "reads memory, writes memory, orders",
    summary = "Atomically replaces an element by a value if it equals another; returns the old element.",
    description = "old = T(c), then T(c) = value if old equals compare bit for bit. Elements have 16, 32 or 64 bits. Memory, order and scope are as in atomic_rmw.",
    example = "%o = cute.atomic_cas<\"acquire\", \"gpu\">(%e, %v, %p) : (i32, i32, !cute.ptr<i32, gmem, align<4>>) -> i32"
  } {
    %compare = irdl.any
    %value = irdl.any
    %memory_tensor = irdl.base @cute::@tensor
    %memory_ptr = irdl.base @cute::@ptr
    %memory = irdl.any_of(%memory_tensor, %memory_ptr)
    %coord = irdl.base @cute::@coord
    %old = irdl.any
    irdl.operands(compare: %compare, value: %value, memory: %memory, coord: optional %coord)
    irdl.results(old: %old)
  }

  //===-- Vectors ----------------------------------------------------------===//

  irdl.operation @load_vector attributes {
    group = "Vector", assembly = "<string pad>?(operands) : functional",
    effects = "reads tensor, if predicate", access = "vectors",
    follows = "any",
    summary = "All elements of a tensor as a vector.",
    description = "R[i] = T(i), i counting colexicographically. The tensor has a static shape of at most 4096 elements; they are read in the widest accesses that the layout and the alignment allow, up to 16 bytes. A predicate is an i1 fragment of P elements, where P divides the number N of elements; it has a value for each N/P consecutive elements. If the value is false, nothing is read and the elements are 0, or the number `pad`, which may be `-inf`. Use the dialects `arith`, `math` and `vector` for arithmetic on vectors; see [vectors.md](vectors.md). Integers have no sign in a vector: ui8 is loaded as i8. Vectors cannot hold tf32 or, from memory, integers of 1 and 2 bits.",
    example = "%v = cute.load_vector(%t) : (!cute.tensor<f32, gmem, align<16>, \"(4,2):(1,?)\">) -> vector<8xf32>"
  } {
    %tensor = irdl.base @cute::@tensor
    %predicate = irdl.base @cute::@tensor
    %vector = irdl.any
    irdl.operands(tensor: %tensor, predicate: optional %predicate)
    irdl.results(vector: %vector)
  }

  irdl.operation @store_vector attributes {
    group = "Vector", assembly = "(operands) : types",
    effects = "writes tensor, if predicate", access = "vectors",
    follows = "any",
    summary = "Writes a vector to all elements of a tensor.",
    description = "T(i) = v[i], i counting colexicographically. The vector has the tensor's element type and number of elements. Accesses and the predicate are as for load_vector: if it is false, nothing is written.",
    example = "cute.store_vector(%v, %t) : vector<8xf32>, !cute.tensor<f32, rmem, align<16>, \"(4,2):(1,4)\">"
  } {
    %vector = irdl.any
    %tensor = irdl.base @cute::@tensor
    %predicate = irdl.base @cute::@tensor
    irdl.operands(vector: %vector, tensor: %tensor, predicate: optional %predicate)
  }

  irdl.operation @slice_vector attributes {
    group = "Vector", assembly = "<string shape, string coord> (operands) : functional",
    summary = "The elements of a vector at a coordinate, with all of the modes under `_`.",
    description = "The vector holds the elements of the shape; R(x) = v(coord with x in place of `_`), with the shape slice(shape, coord). Without `_` it is the element. The coordinate is within the shape. In the text you may omit the shape where it is known and write `%v[_,0]` for the op ([vectors.md](vectors.md)).",
    example = "%r = cute.slice_vector<\"(4,(2,3))\", \"(_,(1,_))\"> (%v) : (vector<24xf32>) -> vector<12xf32>"
  } {
    %vector = irdl.any
    %result = irdl.any
    irdl.operands(vector: %vector)
    irdl.results(result: %result)
  }

  irdl.operation @broadcast_vector attributes {
    group = "Vector", assembly = "<string from, string to> (operands) : functional",
    summary = "Repeats modes of a vector.",
    description = "The vector holds the elements of the shape `from`, which you may omit in the text where it is known; a number is a vector of shape 1. Modes of extent 1, which may be opposite a tuple, and modes beyond its rank repeat: R(c) = v(c with 0 in those modes) for c in the shape `to`. Other modes are equal in both.",
    example = "%r = cute.broadcast_vector<\"(1,4)\", \"(8,4)\"> (%v) : (vector<4xf32>) -> vector<32xf32>"
  } {
    %vector = irdl.any
    %result = irdl.any
    irdl.operands(vector: %vector)
    irdl.results(result: %result)
  }

  irdl.operation @gather_vector attributes {
    group = "Vector", assembly = "<string layout> (operands) : functional",
    summary = "The composition of a vector with a layout: selects elements in any order.",
    description = "R[i] = v[layout(i)] for i below the layout's size. The layout is static, and its indices are below the number of elements: `(4,8):(8,1)` transposes 8 x 4 elements.",
    example = "%r = cute.gather_vector<\"(4,8):(8,1)\"> (%v) : (vector<32xf32>) -> vector<32xf32>"
  } {
    %vector = irdl.any
    %result = irdl.any
    irdl.operands(vector: %vector)
    irdl.results(result: %result)
  }

  irdl.operation @reduce_vector attributes {
    group = "Vector", assembly = "<string kind, string shape, string profile> (operands) : functional",
    summary = "Combines the elements of a vector along modes.",
    description = "The vector holds the elements of the shape, which you may omit in the text where it is known. Modes under `_` of the profile stay, the others are reduced: R(x) = init op v(x, y_0) op v(x, y_1) ..., with the shape slice(shape, profile). Without `_` it is a single value. The kind is add, mul, min, max (NaN if an element is), minnum, maxnum (NaN only if all are; for floats), minu, maxu (unsigned), and, or, xor (for integers). The order is fixed: the upper half of the y is combined with the lower until one is left; the last of an odd number is set aside and combined at the end; then init.",
    example = "%r = cute.reduce_vector<\"add\", \"(4,(5,4))\", \"(_,(_,1))\"> (%v, %z) : (vector<80xf32>, f32) -> vector<20xf32>"
  } {
    %vector = irdl.any
    %init = irdl.any
    %result = irdl.any
    irdl.operands(vector: %vector, init: %init)
    irdl.results(result: %result)
  }

  //===-- Tiles and parts --------------------------------------------------===//

  irdl.operation @local_tile attributes {
    group = "Partition", assembly = "<string proj>? (operands) : functional",
    view = "tensor",
    summary = "The tile at a coordinate; under `_`, all tiles along that mode.",
    description = "slice(zipped_divide(tensor, tiler), (_, coord)): R(x) = T(tile x at place coord). The projection leaves out the modes of tiler and coordinate under `_`, so one tiler (M,N,K) serves A, B and C.",
    example = "%b = cute.local_tile<\"(1,_,1)\"> (%t, %s, %c) : (!cute.tensor<f16, gmem, align<16>, \"(?,?):(?,1)\">, !cute.shape<\"(128,64,32)\">, !cute.coord<\"(?,?,_)\">) -> !cute.tensor<f16, gmem, align<2>, \"(128,32,?):(?,1,32)\">"
  } {
    %tensor_tensor = irdl.base @cute::@tensor
    %tensor_coord_tensor = irdl.base @cute::@coord_tensor
    %tensor = irdl.any_of(%tensor_tensor, %tensor_coord_tensor)
    %tiler_layout = irdl.base @cute::@layout
    %tiler_tile = irdl.base @cute::@tile
    %tiler_shape = irdl.base @cute::@shape
    %tiler = irdl.any_of(%tiler_layout, %tiler_tile, %tiler_shape)
    %coord = irdl.base @cute::@coord
    %result_tensor = irdl.base @cute::@tensor
    %result_coord_tensor = irdl.base @cute::@coord_tensor
    %result = irdl.any_of(%result_tensor, %result_coord_tensor)
    irdl.operands(tensor: %tensor, tiler: %tiler, coord: %coord)
    irdl.results(result: %result)
  }

  irdl.operation @local_partition attributes {
    group = "Partition", assembly = "<string proj>? (operands) : functional",
    view = "tensor", partition = "threads index",
    summary = "One thread's part of a tensor that a layout of threads tiles.",
    description = "A shape means its compact layout. Thread i has the elements at its place in every tile of threads: R(j) = T(thread i's coordinate within a tile, j). The projection leaves out modes of the threads under `_`; threads that differ only there share elements.",
    example = "%p = cute.local_partition (%t, %l, %i) : (!cute.tensor<f32, smem, align<16>, \"(32,8):(8,1)\">, !cute.layout<\"(8,8):(8,1)\">, i32) -> !cute.tensor<f32, smem, align<4>, \"(4,1):(64,0)\">"
  } {
    %tensor_tensor = irdl.base @cute::@tensor
    %tensor_coord_tensor = irdl.base @cute::@coord_tensor
    %tensor = irdl.any_of(%tensor_tensor, %tensor_coord_tensor)
    %threads_shape = irdl.base @cute::@shape
    %threads_layout = irdl.base @cute::@layout
    %threads = irdl.any_of(%threads_shape, %threads_layout)
    %index_integer = irdl.base "!builtin.integer"
    %index_index = irdl.base "!builtin.index"
    %index_int_tuple = irdl.base @cute::@int_tuple
    %index = irdl.any_of(%index_integer, %index_index, %index_int_tuple)
    %result_tensor = irdl.base @cute::@tensor
    %result_coord_tensor = irdl.base @cute::@coord_tensor
    %result = irdl.any_of(%result_tensor, %result_coord_tensor)
    irdl.operands(tensor: %tensor, threads: %threads, index: %index)
    irdl.results(result: %result)
  }

  //===-- Matrix multiplication --------------------------------------------===//

  irdl.operation @make_tiled_mma attributes {
    group = "Mma", assembly = "(operands) : functional",
    summary = "The atom repeated over the threads of a layout (M,N,K) and the values of a tile.",
    description = "A shape of atoms means its compact layout; the default is a single atom. The tile has the atom's M times the layout's extent in M, and so on, or the permutation's extents.",
    example = "%m = cute.make_tiled_mma(%a, %l, %s) : (!cute.mma_atom<\"SM80_16x8x16_F32F16F16F32_TN\">, !cute.layout<\"(2,2,1):(1,2,0)\">, !cute.shape<\"(32,32,16)\">) -> !cute.tiled_mma<\"SM80_16x8x16_F32F16F16F32_TN\", \"(2,2,1):(1,2,0)\", \"[32:1;32:1;16:1]\">"
  } {
    %atom = irdl.base @cute::@mma_atom
    %atom_layout_shape = irdl.base @cute::@shape
    %atom_layout_layout = irdl.base @cute::@layout
    %atom_layout = irdl.any_of(%atom_layout_shape, %atom_layout_layout)
    %permutation_tile = irdl.base @cute::@tile
    %permutation_shape = irdl.base @cute::@shape
    %permutation = irdl.any_of(%permutation_tile, %permutation_shape)
    %result = irdl.base @cute::@tiled_mma
    irdl.operands(atom: %atom, atom_layout: optional %atom_layout, permutation: optional %permutation)
    irdl.results(result: %result)
  }

  irdl.operation @partition_a attributes {
    group = "Mma", assembly = "(operands) : functional",
    view = "tensor", partition = "tiled_mma thread",
    follows = "a",
    summary = "A thread's part of a tensor (M,K), as (V,M,K).",
    description = "The thread's values in the atom's order: V of one atom, then the repetitions in M and in K.",
    example = "%p = cute.partition_a(%m, %t, %i) : (!cute.tiled_mma<\"SM80_16x8x16_F32F16F16F32_TN\", \"(2,2,1):(1,2,0)\", \"[32:1;32:1;16:1]\">, !cute.tensor<f16, smem, align<16>, \"(64,32):(32,1)\">, i32) -> !cute.tensor<f16, smem, align<4>, \"((2,2,2),2,2):((1,256,8),1024,16)\">"
  } {
    %tiled_mma = irdl.base @cute::@tiled_mma
    %tensor_tensor = irdl.base @cute::@tensor
    %tensor_coord_tensor = irdl.base @cute::@coord_tensor
    %tensor = irdl.any_of(%tensor_tensor, %tensor_coord_tensor)
    %thread_integer = irdl.base "!builtin.integer"
    %thread_index = irdl.base "!builtin.index"
    %thread_int_tuple = irdl.base @cute::@int_tuple
    %thread = irdl.any_of(%thread_integer, %thread_index, %thread_int_tuple)
    %result_tensor = irdl.base @cute::@tensor
    %result_coord_tensor = irdl.base @cute::@coord_tensor
    %result = irdl.any_of(%result_tensor, %result_coord_tensor)
    irdl.operands(tiled_mma: %tiled_mma, tensor: %tensor, thread: %thread)
    irdl.results(result: %result)
  }

  irdl.operation @partition_b attributes {
    group = "Mma", assembly = "(operands) : functional",
    view = "tensor", partition = "tiled_mma thread",
    follows = "b",
    summary = "A thread's part of a tensor (N,K), as (V,N,K).",
    description = "The thread's values in the atom's order: V of one atom, then the repetitions in N and in K.",
    example = "%p = cute.partition_b(%m, %t, %i) : (!cute.tiled_mma<\"SM80_16x8x16_F32F16F16F32_TN\", \"(2,2,1):(1,2,0)\", \"[32:1;32:1;16:1]\">, !cute.tensor<f16, smem, align<16>, \"(64,32):(32,1)\">, i32) -> !cute.tensor<f16, smem, align<4>, \"((2,2),4,2):((1,8),512,16)\">"
  } {
    %tiled_mma = irdl.base @cute::@tiled_mma
    %tensor_tensor = irdl.base @cute::@tensor
    %tensor_coord_tensor = irdl.base @cute::@coord_tensor
    %tensor = irdl.any_of(%tensor_tensor, %tensor_coord_tensor)
    %thread_integer = irdl.base "!builtin.integer"
    %thread_index = irdl.base "!builtin.index"
    %thread_int_tuple = irdl.base @cute::@int_tuple
    %thread = irdl.any_of(%thread_integer, %thread_index, %thread_int_tuple)
    %result_tensor = irdl.base @cute::@tensor
    %result_coord_tensor = irdl.base @cute::@coord_tensor
    %result = irdl.any_of(%result_tensor, %result_coord_tensor)
    irdl.operands(tiled_mma: %tiled_mma, tensor: %tensor, thread: %thread)
    irdl.results(result: %result)
  }

  irdl.operation @partition_c attributes {
    group = "Mma", assembly = "(operands) : functional",
    view = "tensor", partition = "tiled_mma thread",
    follows = "c",
    summary = "A thread's part of a tensor (M,N), as (V,M,N).",
    description = "The thread's values in the atom's order: V of one atom, then the repetitions in M and in N.",
    example = "%p = cute.partition_c(%m, %t, %i) : (!cute.tiled_mma<\"SM80_16x8x16_F32F16F16F32_TN\", \"(2,2,1):(1,2,0)\", \"[32:1;32:1;16:1]\">, !cute.tensor<f32, gmem, align<16>, \"(64,64):(64,1)\">, i32) -> !cute.tensor<f32, gmem, align<8>, \"((2,2),2,4):((1,512),2048,16)\">"
  } {
    %tiled_mma = irdl.base @cute::@tiled_mma
    %tensor_tensor = irdl.base @cute::@tensor
    %tensor_coord_tensor = irdl.base @cute::@coord_tensor
    %tensor = irdl.any_of(%tensor_tensor, %tensor_coord_tensor)
    %thread_integer = irdl.base "!builtin.integer"
    %thread_index = irdl.base "!builtin.index"
    %thread_int_tuple = irdl.base @cute::@int_tuple
    %thread = irdl.any_of(%thread_integer, %thread_index, %thread_int_tuple)
    %result_tensor = irdl.base @cute::@tensor
    %result_coord_tensor = irdl.base @cute::@coord_tensor
    %result = irdl.any_of(%result_tensor, %result_coord_tensor)
    irdl.operands(tiled_mma: %tiled_mma, tensor: %tensor, thread: %thread)
    irdl.results(result: %result)
  }

  irdl.operation @partition_operand attributes {
    group = "Mma", assembly = "<string operand> (operands) : functional",
    view = "tensor", partition = "tiled_mma thread",
    summary = "A thread's part of any operand of the MMA, by its name.",
    description = "partition_a for \"A\", and so on; also for the atom's other operands. The metadata \"E\" of a sparse A is a tensor (M,K) of ui2, or for tf32 of ui4, with an index for each stored element of A: its place among 4 neighbours; for 4-bit elements, a pair's place among 4 pairs; for tf32, 4 for the first and 14 for the second of 2 neighbours. The indices in a group ascend. The scale factors \"SFA\" and \"SFB\" are tensors (M,K) and (N,K) with a factor for each block of neighbours along K.",
    example = "%p = cute.partition_operand<\"E\"> (%m, %t, %i) : (!cute.tiled_mma<\"SM80_SPARSE_16x8x32_F32F16F16F32_TN\", \"(2,2,1):(1,2,0)\", \"[_;_;_]\">, !cute.tensor<ui2, gmem, align<16>, \"(64,32):(32,1)\">, i32) -> !cute.tensor<ui2, gmem, align<2>, \"((8,2),2,2):((1,256),1024,16)\">"
  } {
    %tiled_mma = irdl.base @cute::@tiled_mma
    %tensor_tensor = irdl.base @cute::@tensor
    %tensor_coord_tensor = irdl.base @cute::@coord_tensor
    %tensor = irdl.any_of(%tensor_tensor, %tensor_coord_tensor)
    %thread_integer = irdl.base "!builtin.integer"
    %thread_index = irdl.base "!builtin.index"
    %thread_int_tuple = irdl.base @cute::@int_tuple
    %thread = irdl.any_of(%thread_integer, %thread_index, %thread_int_tuple)
    %result_tensor = irdl.base @cute::@tensor
    %result_coord_tensor = irdl.base @cute::@coord_tensor
    %result = irdl.any_of(%result_tensor, %result_coord_tensor)
    irdl.operands(tiled_mma: %tiled_mma, tensor: %tensor, thread: %thread)
    irdl.results(result: %result)
  }

  irdl.operation @make_fragment_a attributes {
    group = "Mma", assembly = "(operands) : functional",
    effects = "allocates rmem",
    follows = "a",
    summary = "Registers for a thread's part of operand A.",
    description = "With the shape of the part and the element type of the atom: mode 0, the values of an atom, is compact at stride 1, and the others follow in the order of their strides in the part, so registers fill in the order of memory.\n\nIf the atom reads this operand from shared memory, the result is the part itself, as a tensor of descriptors (in desc). Its layout must be one of Layout_K_SW128_Atom and so on, repeated by tile_to_shape, with the atom's contiguous mode, and aligned to the layout's period in bytes.",
    example = "%f = cute.make_fragment_a(%m, %p) : (!cute.tiled_mma<\"SM80_16x8x16_F32F16F16F32_TN\", \"(2,2,1):(1,2,0)\", \"[32:1;32:1;16:1]\">, !cute.tensor<f16, smem, align<4>, \"((2,2,2),2,2):((1,256,8),1024,16)\">) -> !cute.tensor<f16, rmem, align<16>, \"((2,2,2),2,2):((1,2,4),16,8)\">"
  } {
    %tiled_mma = irdl.base @cute::@tiled_mma
    %part_tensor = irdl.base @cute::@tensor
    %part_coord_tensor = irdl.base @cute::@coord_tensor
    %part = irdl.any_of(%part_tensor, %part_coord_tensor)
    %result = irdl.base @cute::@tensor
    irdl.operands(tiled_mma: %tiled_mma, part: %part)
    irdl.results(result: %result)
  }

  irdl.operation @make_fragment_b attributes {
    group = "Mma", assembly = "(operands) : functional",
    effects = "allocates rmem",
    follows = "b",
    summary = "Registers for a thread's part of operand B.",
    description = "As make_fragment_a.",
    example = "%f = cute.make_fragment_b(%m, %p) : (!cute.tiled_mma<\"SM80_16x8x16_F32F16F16F32_TN\", \"(2,2,1):(1,2,0)\", \"[32:1;32:1;16:1]\">, !cute.tensor<f16, smem, align<4>, \"((2,2),4,2):((1,8),512,16)\">) -> !cute.tensor<f16, rmem, align<16>, \"((2,2),4,2):((1,2),8,4)\">"
  } {
    %tiled_mma = irdl.base @cute::@tiled_mma
    %part_tensor = irdl.base @cute::@tensor
    %part_coord_tensor = irdl.base @cute::@coord_tensor
    %part = irdl.any_of(%part_tensor, %part_coord_tensor)
    %result = irdl.base @cute::@tensor
    irdl.operands(tiled_mma: %tiled_mma, part: %part)
    irdl.results(result: %result)
  }

  irdl.operation @make_fragment_c attributes {
    group = "Mma", assembly = "(operands) : functional",
    effects = "allocates rmem",
    follows = "c",
    summary = "Registers for a thread's part of operand C.",
    description = "With the shape of the part and the type of the atom's accumulators, compact.",
    example = "%f = cute.make_fragment_c(%m, %p) : (!cute.tiled_mma<\"SM80_16x8x16_F32F16F16F32_TN\", \"(2,2,1):(1,2,0)\", \"[32:1;32:1;16:1]\">, !cute.tensor<f32, gmem, align<8>, \"((2,2),2,4):((1,512),2048,16)\">) -> !cute.tensor<f32, rmem, align<16>, \"((2,2),2,4):((1,2),4,8)\">"
  } {
    %tiled_mma = irdl.base @cute::@tiled_mma
    %part_tensor = irdl.base @cute::@tensor
    %part_coord_tensor = irdl.base @cute::@coord_tensor
    %part = irdl.any_of(%part_tensor, %part_coord_tensor)
    %result = irdl.base @cute::@tensor
    irdl.operands(tiled_mma: %tiled_mma, part: %part)
    irdl.results(result: %result)
  }

  irdl.operation @make_fragment_operand attributes {
    group = "Mma", assembly = "<string operand> (operands) : functional",
    effects = "allocates rmem",
    summary = "Registers for a thread's part of any operand, by its name.",
    description = "make_fragment_a for \"A\", and so on; fragments of \"E\", \"SFA\" and \"SFB\" are like A's and B's.",
    example = "%f = cute.make_fragment_operand<\"E\"> (%m, %p) : (!cute.tiled_mma<\"SM80_SPARSE_16x8x32_F32F16F16F32_TN\", \"(2,2,1):(1,2,0)\", \"[_;_;_]\">, !cute.tensor<ui2, gmem, align<2>, \"((8,2),2,2):((1,256),1024,16)\">) -> !cute.tensor<ui2, rmem, align<16>, \"((8,2),2,2):((1,8),32,16)\">"
  } {
    %tiled_mma = irdl.base @cute::@tiled_mma
    %part_tensor = irdl.base @cute::@tensor
    %part_coord_tensor = irdl.base @cute::@coord_tensor
    %part = irdl.any_of(%part_tensor, %part_coord_tensor)
    %result = irdl.base @cute::@tensor
    irdl.operands(tiled_mma: %tiled_mma, part: %part)
    irdl.results(result: %result)
  }

  irdl.operation @gemm attributes {
    group = "Mma", assembly = "(operands) : types",
    effects = "reads a b c extra_1 extra_2 extra_3 extra_4, writes d, by mma",
    follows = "any",
    summary = "D = A B + C over a thread's parts of the matrices.",
    description = "D(v,m,n) = sum over k of A(v,m,k) B(v,n,k) + C(v,m,n), by one instruction for each m, n and k. The modes are (V,M,K) x (V,N,K) -> (V,M,N), (V,M) x (V,N) -> (V,M,N), (V) x (V) -> (V), and for atoms with one value of each operand also (M,K) x (N,K) -> (M,N) and (M) x (N) -> (M,N). C and D are in rmem, A and B in rmem or in smem, from where they are read into registers. V has as many values as the atom's operand, of its type (i8 may replace ui8), and the extents agree. Further operands of an instruction (get_tv_layout names them) follow C in this order: E of a sparse A, whose own K counts stored elements; the factors SFA and SFB. E and SFA have A's modes, SFB has B's.\n\nProducts of a warpgroup (wgmma) take A and B as make_fragment_a and _b give them, and all 128 threads start them together. D is C; other ops may touch D, A or B only after warpgroup_commit and warpgroup_wait. An i1 may follow the tensors: if it is false, D = A B without C. If it is a constant false, D's old value is dead.\n\nOne thread starts products in tensor memory (tcgen05.mma) for its block. D, which is C, lies there, as do A of atoms _TS, and E, SFA and SFB, all with the layouts of make_fragment_c, _a and _operand. Other ops may touch them after tcgen05_commit and a wait for its barrier. The layout of a sparse A has each stored element twice along K. The i1 is as for wgmma. A vector of 4 i32, of 8 for a pair of blocks, may follow it, or the tensors: lanes of D whose bits are 1 keep their sums, bit 0 of the first i32 for lane 0; the second block's are in the last 4. Products with factors and _WS write all lanes.",
    example = "cute.gemm(%m, %c, %a, %b, %c) : !cute.tiled_mma<\"SM80_16x8x16_F32F16F16F32_TN\", \"(2,2,1):(1,2,0)\", \"[32:1;32:1;16:1]\">, !cute.tensor<f32, rmem, align<16>, \"((2,2),2,4):((1,2),4,8)\">, !cute.tensor<f16, rmem, align<16>, \"((2,2,2),2):((1,2,4),8)\">, !cute.tensor<f16, rmem, align<16>, \"((2,2),4):((1,2),4)\">, !cute.tensor<f32, rmem, align<16>, \"((2,2),2,4):((1,2),4,8)\">"
  } {
    %mma_tiled_mma = irdl.base @cute::@tiled_mma
    %mma_mma_atom = irdl.base @cute::@mma_atom
    %mma = irdl.any_of(%mma_tiled_mma, %mma_mma_atom)
    %d = irdl.base @cute::@tensor
    %a = irdl.base @cute::@tensor
    %b = irdl.base @cute::@tensor
    %c = irdl.base @cute::@tensor
    %extra_1_tensor = irdl.base @cute::@tensor
    %extra_1_integer = irdl.base "!builtin.integer"
    %extra_1_lanes = irdl.base "!builtin.vector"
    %extra_1 = irdl.any_of(%extra_1_tensor, %extra_1_integer, %extra_1_lanes)
    %extra_2_tensor = irdl.base @cute::@tensor
    %extra_2_integer = irdl.base "!builtin.integer"
    %extra_2_lanes = irdl.base "!builtin.vector"
    %extra_2 = irdl.any_of(%extra_2_tensor, %extra_2_integer, %extra_2_lanes)
    %extra_3_tensor = irdl.base @cute::@tensor
    %extra_3_integer = irdl.base "!builtin.integer"
    %extra_3_lanes = irdl.base "!builtin.vector"
    %extra_3 = irdl.any_of(%extra_3_tensor, %extra_3_integer, %extra_3_lanes)
    %extra_4_tensor = irdl.base @cute::@tensor
    %extra_4_integer = irdl.base "!builtin.integer"
    %extra_4_lanes = irdl.base "!builtin.vector"
    %extra_4 = irdl.any_of(%extra_4_tensor, %extra_4_integer, %extra_4_lanes)
    irdl.operands(mma: %mma, d: %d, a: %a, b: %b, c: %c, extra_1: optional %extra_1, extra_2: optional %extra_2, extra_3: optional %extra_3, extra_4: optional %extra_4)
  }

  irdl.operation @mma_atom_call attributes {
    group = "Mma", assembly = "(operands) : types",
    effects = "reads a b c extra_1 extra_2 extra_3 extra_4, writes d, by mma",
    summary = "One instruction: D = A B + C over the values of the atom.",
    description = "gemm with one mode, the atom's values, in each operand, including the operands after C. cute-expand-atoms expands gemm into these.",
    example = "cute.mma_atom_call(%m, %c, %a, %b, %c) : !cute.tiled_mma<\"SM80_16x8x16_F32F16F16F32_TN\", \"(2,2,1):(1,2,0)\", \"[32:1;32:1;16:1]\">, !cute.tensor<f32, rmem, align<16>, \"((2,2)):((1,2))\">, !cute.tensor<f16, rmem, align<16>, \"((2,2,2)):((1,2,4))\">, !cute.tensor<f16, rmem, align<16>, \"((2,2)):((1,2))\">, !cute.tensor<f32, rmem, align<16>, \"((2,2)):((1,2))\">"
  } {
    %mma_tiled_mma = irdl.base @cute::@tiled_mma
    %mma_mma_atom = irdl.base @cute::@mma_atom
    %mma = irdl.any_of(%mma_tiled_mma, %mma_mma_atom)
    %d = irdl.base @cute::@tensor
    %a = irdl.base @cute::@tensor
    %b = irdl.base @cute::@tensor
    %c = irdl.base @cute::@tensor
    %extra_1_tensor = irdl.base @cute::@tensor
    %extra_1_integer = irdl.base "!builtin.integer"
    %extra_1_lanes = irdl.base "!builtin.vector"
    %extra_1 = irdl.any_of(%extra_1_tensor, %extra_1_integer, %extra_1_lanes)
    %extra_2_tensor = irdl.base @cute::@tensor
    %extra_2_integer = irdl.base "!builtin.integer"
    %extra_2_lanes = irdl.base "!builtin.vector"
    %extra_2 = irdl.any_of(%extra_2_tensor, %extra_2_integer, %extra_2_lanes)
    %extra_3_tensor = irdl.base @cute::@tensor
    %extra_3_integer = irdl.base "!builtin.integer"
    %extra_3_lanes = irdl.base "!builtin.vector"
    %extra_3 = irdl.any_of(%extra_3_tensor, %extra_3_integer, %extra_3_lanes)
    %extra_4_tensor = irdl.base @cute::@tensor
    %extra_4_integer = irdl.base "!builtin.integer"
    %extra_4_lanes = irdl.base "!builtin.vector"
    %extra_4 = irdl.any_of(%extra_4_tensor, %extra_4_integer, %extra_4_lanes)
    irdl.operands(mma: %mma, d: %d, a: %a, b: %b, c: %c, extra_1: optional %extra_1, extra_2: optional %extra_2, extra_3: optional %extra_3, extra_4: optional %extra_4)
  }

  //===-- Copies -----------------------------------------------------------===//

  irdl.operation @make_tiled_copy attributes {
    group = "Copy", assembly = "(operands) : functional",
    summary = "The atom repeated by a TV layout over a tile, or over threads and values.",
    description = "With a tile or shape as the last operand, the layout takes (thread, value) to the colexicographic index within the tile. With a layout, the two are threads and values: make_tiled_copy_tv. The number of values that the atom moves must divide that of a thread.",
    example = "%c = cute.make_tiled_copy(%a, %l, %t) : (!cute.copy_atom<\"UniversalCopy<uint128_t>\", f16>, !cute.layout<\"((8,16),8):((128,1),16)\">, !cute.tile<\"[16:1;64:1]\">) -> !cute.tiled_copy<\"UniversalCopy<uint128_t>\", f16, \"((8,16),8):((128,1),16)\", \"[16:1;64:1]\">"
  } {
    %atom = irdl.base @cute::@copy_atom
    %layout_tv = irdl.base @cute::@layout
    %tiler_layout = irdl.base @cute::@layout
    %tiler_tile = irdl.base @cute::@tile
    %tiler_shape = irdl.base @cute::@shape
    %tiler = irdl.any_of(%tiler_layout, %tiler_tile, %tiler_shape)
    %result = irdl.base @cute::@tiled_copy
    irdl.operands(atom: %atom, layout_tv: %layout_tv, tiler: %tiler)
    irdl.results(result: %result)
  }

  irdl.operation @make_tiled_copy_tv attributes {
    group = "Copy", assembly = "(operands) : functional",
    summary = "The atom repeated over a layout of threads, each with a layout of values.",
    description = "The tile is the raked product of threads and values: a thread's values are neighbours. The number of values that the atom moves must divide that of a thread.",
    example = "%c = cute.make_tiled_copy_tv(%a, %t, %v) : (!cute.copy_atom<\"UniversalCopy<uint128_t>\", f16>, !cute.layout<\"(16,8):(8,1)\">, !cute.layout<\"(1,8):(0,1)\">) -> !cute.tiled_copy<\"UniversalCopy<uint128_t>\", f16, \"((8,16),8):((128,1),16)\", \"[16:1;64:1]\">"
  } {
    %atom = irdl.base @cute::@copy_atom
    %threads = irdl.base @cute::@layout
    %values = irdl.base @cute::@layout
    %result = irdl.base @cute::@tiled_copy
    irdl.operands(atom: %atom, threads: %threads, values: %values)
    irdl.results(result: %result)
  }

  irdl.operation @make_tiled_copy_a attributes {
    group = "Copy", assembly = "(operands) : functional",
    follows = "a",
    summary = "The copy that distributes values as a tiled MMA's operand A does.",
    description = "The tile is operand A's tile in the tiled MMA, and each thread has the values that the MMA takes from it.",
    example = "%c = cute.make_tiled_copy_a(%a, %m) : (!cute.copy_atom<\"SM75_U32x4_LDSM_N\", f16>, !cute.tiled_mma<\"SM80_16x8x16_F32F16F16F32_TN\", \"(2,2,1):(1,2,0)\", \"[32:1;32:1;16:1]\">) -> !cute.tiled_copy<\"SM75_U32x4_LDSM_N\", f16, \"((4,8,2,2),((2,2,2),(1,1))):((64,1,16,0),((32,8,256),(0,0)))\", \"[32:1;16:1]\">"
  } {
    %atom = irdl.base @cute::@copy_atom
    %tiled_mma = irdl.base @cute::@tiled_mma
    %result = irdl.base @cute::@tiled_copy
    irdl.operands(atom: %atom, tiled_mma: %tiled_mma)
    irdl.results(result: %result)
  }

  irdl.operation @make_tiled_copy_b attributes {
    group = "Copy", assembly = "(operands) : functional",
    follows = "b",
    summary = "The copy that distributes values as a tiled MMA's operand B does.",
    description = "The tile is operand B's tile in the tiled MMA, and each thread has the values that the MMA takes from it.",
    example = "%c = cute.make_tiled_copy_b(%a, %m) : (!cute.copy_atom<\"SM75_U32x4_LDSM_N\", f16>, !cute.tiled_mma<\"SM80_16x8x16_F32F16F16F32_TN\", \"(2,2,1):(1,2,0)\", \"[32:1;32:1;16:1]\">) -> !cute.tiled_copy<\"SM75_U32x4_LDSM_N\", f16, \"((4,8,2,2),((2,2),(2,1))):((64,1,0,8),((32,256),(16,0)))\", \"[32:1;16:1]\">"
  } {
    %atom = irdl.base @cute::@copy_atom
    %tiled_mma = irdl.base @cute::@tiled_mma
    %result = irdl.base @cute::@tiled_copy
    irdl.operands(atom: %atom, tiled_mma: %tiled_mma)
    irdl.results(result: %result)
  }

  irdl.operation @make_tiled_copy_c attributes {
    group = "Copy", assembly = "(operands) : functional",
    follows = "c",
    summary = "The copy that distributes values as a tiled MMA's operand C does.",
    description = "The tile is operand C's tile in the tiled MMA, and each thread has the values that the MMA takes from it.",
    example = "%c = cute.make_tiled_copy_c(%a, %m) : (!cute.copy_atom<\"UniversalCopy<uint64_t>\", f32>, !cute.tiled_mma<\"SM80_16x8x16_F32F16F16F32_TN\", \"(2,2,1):(1,2,0)\", \"[32:1;32:1;16:1]\">) -> !cute.tiled_copy<\"UniversalCopy<uint64_t>\", f32, \"((4,8,2,2),((2,2),(1,2))):((64,1,16,256),((32,8),(0,512)))\", \"[32:1;32:1]\">"
  } {
    %atom = irdl.base @cute::@copy_atom
    %tiled_mma = irdl.base @cute::@tiled_mma
    %result = irdl.base @cute::@tiled_copy
    irdl.operands(atom: %atom, tiled_mma: %tiled_mma)
    irdl.results(result: %result)
  }

  irdl.operation @make_tiled_copy_operand attributes {
    group = "Copy", assembly = "<string operand> (operands) : functional",
    summary = "The copy that distributes values as any operand of a tiled MMA does, by its name.",
    description = "make_tiled_copy_a for \"A\", and so on; also for \"E\", \"SFA\" and \"SFB\" if the atom takes them. Threads that hold the same values read the same values.",
    example = "%c = cute.make_tiled_copy_operand<\"E\"> (%a, %m) : (!cute.copy_atom<\"UniversalCopy<uint16_t>\", ui2>, !cute.tiled_mma<\"SM80_SPARSE_16x8x32_F32F16F16F32_TN\", \"(2,2,1):(1,2,0)\", \"[_;_;_]\">) -> !cute.tiled_copy<\"UniversalCopy<uint16_t>\", ui2, \"((2,2,8,2,2),((8,2),(1,1))):((256,0,1,16,0),((32,8),(0,0)))\", \"[32:1;16:1]\">"
  } {
    %atom = irdl.base @cute::@copy_atom
    %tiled_mma = irdl.base @cute::@tiled_mma
    %result = irdl.base @cute::@tiled_copy
    irdl.operands(atom: %atom, tiled_mma: %tiled_mma)
    irdl.results(result: %result)
  }

  irdl.operation @partition_s attributes {
    group = "Copy", assembly = "(operands) : functional",
    view = "tensor", partition = "tiled_copy thread",
    follows = "any",
    summary = "A thread's part of the source, as ((atom values, rest), Rest...).",
    description = "Mode 0 has the values that one access moves and how many accesses there are in a tile; the other modes have the tiles. In the text the two may be one operand, what get_slice(tiled_copy, thread) names.",
    example = "%p = cute.partition_s(%c, %t, %i) : (!cute.tiled_copy<\"UniversalCopy<uint128_t>\", f16, \"((8,16),8):((128,1),16)\", \"[16:1;64:1]\">, !cute.tensor<f16, smem, align<16>, \"(64,128):(128,1)\">, i32) -> !cute.tensor<f16, smem, align<16>, \"((8,1),4,2):((1,0),2048,64)\">"
  } {
    %tiled_copy = irdl.base @cute::@tiled_copy
    %tensor_tensor = irdl.base @cute::@tensor
    %tensor_coord_tensor = irdl.base @cute::@coord_tensor
    %tensor = irdl.any_of(%tensor_tensor, %tensor_coord_tensor)
    %thread_integer = irdl.base "!builtin.integer"
    %thread_index = irdl.base "!builtin.index"
    %thread_int_tuple = irdl.base @cute::@int_tuple
    %thread = irdl.any_of(%thread_integer, %thread_index, %thread_int_tuple)
    %result_tensor = irdl.base @cute::@tensor
    %result_coord_tensor = irdl.base @cute::@coord_tensor
    %result = irdl.any_of(%result_tensor, %result_coord_tensor)
    irdl.operands(tiled_copy: %tiled_copy, tensor: %tensor, thread: %thread)
    irdl.results(result: %result)
  }

  irdl.operation @partition_d attributes {
    group = "Copy", assembly = "(operands) : functional",
    view = "tensor", partition = "tiled_copy thread",
    follows = "any",
    summary = "A thread's part of the destination, as ((atom values, rest), Rest...).",
    description = "Mode 0 has the values that one access moves and how many accesses there are in a tile; the other modes have the tiles. In the text the two may be one operand, what get_slice(tiled_copy, thread) names.",
    example = "%p = cute.partition_d(%c, %t, %i) : (!cute.tiled_copy<\"UniversalCopy<uint128_t>\", f16, \"((8,16),8):((128,1),16)\", \"[16:1;64:1]\">, !cute.tensor<f16, smem, align<16>, \"(64,128):(128,1)\">, i32) -> !cute.tensor<f16, smem, align<16>, \"((8,1),4,2):((1,0),2048,64)\">"
  } {
    %tiled_copy = irdl.base @cute::@tiled_copy
    %tensor_tensor = irdl.base @cute::@tensor
    %tensor_coord_tensor = irdl.base @cute::@coord_tensor
    %tensor = irdl.any_of(%tensor_tensor, %tensor_coord_tensor)
    %thread_integer = irdl.base "!builtin.integer"
    %thread_index = irdl.base "!builtin.index"
    %thread_int_tuple = irdl.base @cute::@int_tuple
    %thread = irdl.any_of(%thread_integer, %thread_index, %thread_int_tuple)
    %result_tensor = irdl.base @cute::@tensor
    %result_coord_tensor = irdl.base @cute::@coord_tensor
    %result = irdl.any_of(%result_tensor, %result_coord_tensor)
    irdl.operands(tiled_copy: %tiled_copy, tensor: %tensor, thread: %thread)
    irdl.results(result: %result)
  }

  irdl.operation @retile attributes {
    group = "Copy", assembly = "(operands) : functional",
    view = "fragment",
    follows = "any",
    summary = "Another partition's fragment, as the copy sees it.",
    description = "The same registers with the modes that partition_d of the copy would have, so an ldmatrix can fill what an MMA reads.",
    example = "%r = cute.retile(%c, %f) : (!cute.tiled_copy<\"SM75_U32x4_LDSM_N\", f16, \"((4,8,2,2),((2,2,2),(1,1))):((64,1,16,0),((32,8,256),(0,0)))\", \"[32:1;16:1]\">, !cute.tensor<f16, rmem, align<16>, \"((2,2,2),2,2):((1,2,4),16,8)\">) -> !cute.tensor<f16, rmem, align<16>, \"((8,1),2,2):((1,0),16,8)\">"
  } {
    %tiled_copy = irdl.base @cute::@tiled_copy
    %fragment = irdl.base @cute::@tensor
    %result = irdl.base @cute::@tensor
    irdl.operands(tiled_copy: %tiled_copy, fragment: %fragment)
    irdl.results(result: %result)
  }

  irdl.operation @copy attributes {
    group = "Copy", assembly = "(operands) : types",
    effects = "copies source destination, if predicate, by copy", access = "atom",
    follows = "any",
    summary = "Copies a thread's part; a predicate has one i1 for each access.",
    description = "Destination element i is source element i, access by access. Both have elements of the atom's width, the atom's values in mode 0 or its first parts (contiguous in memory), and the same number of accesses. cp.async copies from gmem to smem, ldmatrix from smem to rmem, stmatrix from rmem to smem; a reduction, which adds to the destination, and a store with a cache hint copy from rmem to gmem, and a load with a cache hint from gmem to rmem. The predicate for a source ((ATOM, ATOM_REST), REST...) has the shape (ATOM_REST, REST...), (REST...) if ATOM_REST is 1, or one mode; modes may have stride 0. If it is false, nothing is copied; an atom that fills with zeros writes zeros. A bulk atom (such as SM90_BULK_COPY_G2S) copies the longest contiguous runs of both sides, in multiples of 16 bytes, for static tensors and without a predicate; one thread starts it. DefaultCopy copies one element at a time, AutoVectorizingCopy as many as autovec_copy, and AutoVectorizingCopyWithAssumedAlignment<N> as many of at most N bits, which the program promises that memory and dynamic strides are aligned to. Modes after the first may have dynamic extents, which make a loop; these extents are not checked, and static ones make at most 16384 accesses. A predicate has extent 1 for dynamic modes.",
    example = "cute.copy(%c, %s, %d) : !cute.tiled_copy<\"UniversalCopy<uint128_t>\", f16, \"((8,16),8):((128,1),16)\", \"[16:1;64:1]\">, !cute.tensor<f16, gmem, align<16>, \"((8,1),4):((1,0),1024)\">, !cute.tensor<f16, smem, align<16>, \"((8,1),4):((1,0),512)\">"
  } {
    %copy_tiled_copy = irdl.base @cute::@tiled_copy
    %copy_copy_atom = irdl.base @cute::@copy_atom
    %copy_tma_atom = irdl.base @cute::@tma_atom
    %copy = irdl.any_of(%copy_tiled_copy, %copy_copy_atom, %copy_tma_atom)
    %source_tensor = irdl.base @cute::@tensor
    %source_coord_tensor = irdl.base @cute::@coord_tensor
    %source = irdl.any_of(%source_tensor, %source_coord_tensor)
    %destination_tensor = irdl.base @cute::@tensor
    %destination_coord_tensor = irdl.base @cute::@coord_tensor
    %destination = irdl.any_of(%destination_tensor, %destination_coord_tensor)
    %predicate = irdl.base @cute::@tensor
    irdl.operands(copy: %copy, source: %source, destination: %destination, predicate: optional %predicate)
  }

  irdl.operation @copy_if attributes {
    group = "Copy", assembly = "(operands) : types",
    effects = "copies source destination, if predicate, by copy", access = "atom",
    follows = "any",
    summary = "copy with a predicate, in the order of CuTe C++.",
    description = "copy(copy, source, destination, predicate).",
    example = "cute.copy_if(%c, %p, %s, %d) : !cute.tiled_copy<\"UniversalCopy<uint128_t>\", f16, \"((8,16),8):((128,1),16)\", \"[16:1;64:1]\">, !cute.tensor<i1, rmem, align<16>, \"(1,4):(0,1)\">, !cute.tensor<f16, gmem, align<16>, \"((8,1),4):((1,0),1024)\">, !cute.tensor<f16, smem, align<16>, \"((8,1),4):((1,0),512)\">"
  } {
    %copy_tiled_copy = irdl.base @cute::@tiled_copy
    %copy_copy_atom = irdl.base @cute::@copy_atom
    %copy = irdl.any_of(%copy_tiled_copy, %copy_copy_atom)
    %predicate = irdl.base @cute::@tensor
    %source = irdl.base @cute::@tensor
    %destination = irdl.base @cute::@tensor
    irdl.operands(copy: %copy, predicate: %predicate, source: %source, destination: %destination)
  }

  irdl.operation @copy_atom_call attributes {
    group = "Copy", assembly = "(operands) : types",
    effects = "copies source destination, if predicate, by copy", access = "atom",
    summary = "One access of a copy.",
    description = "copy of the values of one access, with a predicate of one element. cute-expand-atoms expands copy into these.",
    example = "cute.copy_atom_call(%c, %s, %d) : !cute.tiled_copy<\"UniversalCopy<uint128_t>\", f16, \"((8,16),8):((128,1),16)\", \"[16:1;64:1]\">, !cute.tensor<f16, gmem, align<16>, \"((8,1)):((1,0))\">, !cute.tensor<f16, smem, align<16>, \"((8,1)):((1,0))\">"
  } {
    %copy_tiled_copy = irdl.base @cute::@tiled_copy
    %copy_copy_atom = irdl.base @cute::@copy_atom
    %copy_tma_atom = irdl.base @cute::@tma_atom
    %copy = irdl.any_of(%copy_tiled_copy, %copy_copy_atom, %copy_tma_atom)
    %source_tensor = irdl.base @cute::@tensor
    %source_coord_tensor = irdl.base @cute::@coord_tensor
    %source = irdl.any_of(%source_tensor, %source_coord_tensor)
    %destination_tensor = irdl.base @cute::@tensor
    %destination_coord_tensor = irdl.base @cute::@coord_tensor
    %destination = irdl.any_of(%destination_tensor, %destination_coord_tensor)
    %predicate = irdl.base @cute::@tensor
    irdl.operands(copy: %copy, source: %source, destination: %destination, predicate: optional %predicate)
  }

  irdl.operation @cp_async_commit attributes {
    group = "Copy", assembly = "",
    effects = "commits cp_async", arch = 80,
    summary = "Closes the group of cp.async copies issued so far.",
    description = "A group without copies is complete at once.",
    example = "cute.cp_async_commit"
  } {
  }

  irdl.operation @cp_async_wait attributes {
    group = "Copy", assembly = "<n = 0..>",
    effects = "waits cp_async", arch = 80,
    summary = "Waits until at most n of the latest groups are pending.",
    description = "So cp_async_wait<0> waits for all. Other threads see the data only after a barrier.",
    example = "cute.cp_async_wait<1>"
  } {
  }

  irdl.operation @cp_async_wait_all attributes {
    group = "Copy", assembly = "",
    effects = "waits cp_async", arch = 80,
    summary = "Waits for all cp.async copies of the thread, including copies not yet in a group.",
    description = "Other threads see the data only after a barrier.",
    example = "cute.cp_async_wait_all"
  } {
  }

  //===-- Tiled copies of tiled things, and what these say of themselves ------===//

  irdl.operation @make_tiled_copy_s attributes {
    group = "Tiled", assembly = "(operands) : functional",
    summary = "A copy with another atom whose threads have the same parts of the source as a tiled copy's.",
    description = "It has the same tile and the TV layout of the other's source, get_tv_layout<\"S\">. The number of values that the atom moves must divide that of a thread.",
    example = "%c = cute.make_tiled_copy_s(%a, %t) : (!cute.copy_atom<\"UniversalCopy<uint64_t>\", f16>, !cute.tiled_copy<\"UniversalCopy<uint128_t>\", f16, \"((8,16),8):((128,1),16)\", \"[16:1;64:1]\">) -> !cute.tiled_copy<\"UniversalCopy<uint64_t>\", f16, \"((8,16),(8,1)):((128,1),(16,0))\", \"[16:1;64:1]\">"
  } {
    %atom = irdl.base @cute::@copy_atom
    %tiled_copy = irdl.base @cute::@tiled_copy
    %result = irdl.base @cute::@tiled_copy
    irdl.operands(atom: %atom, tiled_copy: %tiled_copy)
    irdl.results(result: %result)
  }

  irdl.operation @make_tiled_copy_d attributes {
    group = "Tiled", assembly = "(operands) : functional",
    summary = "A copy with another atom whose threads have the same parts of the destination as a tiled copy's.",
    description = "It has the same tile and the TV layout of the other's destination, get_tv_layout<\"D\">. The number of values that the atom moves must divide that of a thread.",
    example = "%c = cute.make_tiled_copy_d(%a, %t) : (!cute.copy_atom<\"UniversalCopy<uint64_t>\", f16>, !cute.tiled_copy<\"UniversalCopy<uint128_t>\", f16, \"((8,16),8):((128,1),16)\", \"[16:1;64:1]\">) -> !cute.tiled_copy<\"UniversalCopy<uint64_t>\", f16, \"((8,16),(8,1)):((128,1),(16,0))\", \"[16:1;64:1]\">"
  } {
    %atom = irdl.base @cute::@copy_atom
    %tiled_copy = irdl.base @cute::@tiled_copy
    %result = irdl.base @cute::@tiled_copy
    irdl.operands(atom: %atom, tiled_copy: %tiled_copy)
    irdl.results(result: %result)
  }

  irdl.operation @make_tiled_copy_c_atom attributes {
    group = "Tiled", assembly = "(operands) : functional",
    calculator = "make_tiled_copy_C_atom",
    summary = "The smallest copy that takes operand C as a tiled MMA has it.",
    description = "It takes one access's worth of each thread's values, and its tile is their part of the MMA's tile, so an epilogue can store C in parts.",
    example = "%c = cute.make_tiled_copy_c_atom(%a, %m) : (!cute.copy_atom<\"UniversalCopy<uint64_t>\", f32>, !cute.tiled_mma<\"SM80_16x8x16_F32F16F16F32_TN\", \"(2,2,1):(1,2,0)\", \"[32:1;32:1;16:1]\">) -> !cute.tiled_copy<\"UniversalCopy<uint64_t>\", f32, \"((4,8,2,2),2):((16,1,8,64),128)\", \"[(8,2):(1,16);(8,2):(2,1)]\">"
  } {
    %atom = irdl.base @cute::@copy_atom
    %tiled_mma = irdl.base @cute::@tiled_mma
    %result = irdl.base @cute::@tiled_copy
    irdl.operands(atom: %atom, tiled_mma: %tiled_mma)
    irdl.results(result: %result)
  }

  irdl.operation @make_cotiled_copy attributes {
    group = "Tiled", assembly = "(operands) : functional",
    summary = "The copy of the data that a layout of threads and values addresses.",
    description = "threads(t,v) is an index that data's layout gives; the tile consists of the coordinates of these indices. An index that data does not have is an error, and so is a layout that is not static.",
    example = "%c = cute.make_cotiled_copy(%a, %t, %d) : (!cute.copy_atom<\"UniversalCopy<uint64_t>\", f16>, !cute.layout<\"(8,4):(4,1)\">, !cute.layout<\"(16,8):(1,16)\">) -> !cute.tiled_copy<\"UniversalCopy<uint64_t>\", f16, \"((4,2),4):((1,16),4)\", \"[(4,4):(4,1);2:1]\">"
  } {
    %atom = irdl.base @cute::@copy_atom
    %threads = irdl.base @cute::@layout
    %data = irdl.base @cute::@layout
    %result = irdl.base @cute::@tiled_copy
    irdl.operands(atom: %atom, threads: %threads, data: %data)
    irdl.results(result: %result)
  }

  irdl.operation @get_tv_layout attributes {
    group = "Tiled", assembly = "<string operand> (operands) : functional",
    summary = "The layout (thread, value) -> index of an operand.",
    description = "For an MMA, \"A\", \"B\" or \"C\", into the column-major (M,K), (N,K) or (M,N) tile, or another operand of the atom, \"E\", \"SFA\" or \"SFB\", whose K counts its own elements; if atoms split K, threads along K lead beyond the tile of C. For a copy, \"S\" or \"D\", into the moved elements, or \"TV\", which numbers both sides: layout_tv of make_tiled_copy. Tiled MMAs and copies give layouts over all their threads.",
    example = "%l = cute.get_tv_layout<\"A\"> (%m) : (!cute.tiled_mma<\"SM80_16x8x16_F32F16F16F32_TN\", \"(2,2,1):(1,2,0)\", \"[32:1;32:1;16:1]\">) -> !cute.layout<\"((4,8,2,2),((2,2,2),(1,1))):((64,1,16,0),((32,8,256),(0,0)))\">"
  } {
    %x_mma_atom = irdl.base @cute::@mma_atom
    %x_tiled_mma = irdl.base @cute::@tiled_mma
    %x_copy_atom = irdl.base @cute::@copy_atom
    %x_tiled_copy = irdl.base @cute::@tiled_copy
    %x = irdl.any_of(%x_mma_atom, %x_tiled_mma, %x_copy_atom, %x_tiled_copy)
    %result = irdl.base @cute::@layout
    irdl.operands(x: %x)
    irdl.results(result: %result)
  }

  irdl.operation @thr_id attributes {
    group = "Tiled", assembly = "(operands) : functional",
    summary = "The lanes of an atom: logical thread -> lane.",
    description = "For a tiled copy or MMA, its atom's lanes.",
    example = "%l = cute.thr_id(%a) : (!cute.mma_atom<\"SM70_8x8x4_F32F16F16F32_TN\">) -> !cute.layout<\"(4,2):(1,16)\">"
  } {
    %x_mma_atom = irdl.base @cute::@mma_atom
    %x_tiled_mma = irdl.base @cute::@tiled_mma
    %x_copy_atom = irdl.base @cute::@copy_atom
    %x_tiled_copy = irdl.base @cute::@tiled_copy
    %x = irdl.any_of(%x_mma_atom, %x_tiled_mma, %x_copy_atom, %x_tiled_copy)
    %result = irdl.base @cute::@layout
    irdl.operands(x: %x)
    irdl.results(result: %result)
  }

  irdl.operation @thr_layout_vmnk attributes {
    group = "Tiled", assembly = "(operands) : functional",
    summary = "The threads of a tiled MMA: (V,M,N,K) -> thread index.",
    description = "V are the threads of the atom, M, N and K the atom layout's modes. Its size is the number of threads.",
    example = "%l = cute.thr_layout_vmnk(%m) : (!cute.tiled_mma<\"SM80_16x8x16_F32F16F16F32_TN\", \"(2,2,1):(1,2,0)\", \"[32:1;32:1;16:1]\">) -> !cute.layout<\"(32,2,2,1):(1,32,64,0)\">"
  } {
    %x = irdl.base @cute::@tiled_mma
    %result = irdl.base @cute::@layout
    irdl.operands(x: %x)
    irdl.results(result: %result)
  }

  irdl.operation @shape_mnk attributes {
    group = "Tiled", assembly = "(operands) : functional",
    summary = "The extents (M,N,K) of an MMA atom.",
    description = "For a tiled MMA, its atom's extents; tile_size gives the tile's.",
    example = "%s = cute.shape_mnk(%m) : (!cute.tiled_mma<\"SM80_16x8x16_F32F16F16F32_TN\", \"(2,2,1):(1,2,0)\", \"[32:1;32:1;16:1]\">) -> !cute.shape<\"(16,8,16)\">"
  } {
    %x_mma_atom = irdl.base @cute::@mma_atom
    %x_tiled_mma = irdl.base @cute::@tiled_mma
    %x = irdl.any_of(%x_mma_atom, %x_tiled_mma)
    %result = irdl.base @cute::@shape
    irdl.operands(x: %x)
    irdl.results(result: %result)
  }

  irdl.operation @tile_size attributes {
    group = "Tiled", assembly = "<[mode]>? (operands) : functional",
    summary = "The extents of the tile of a tiled MMA, (M,N,K), or of a tiled copy.",
    description = "With a mode in brackets, the extent of that mode.",
    example = "%s = cute.tile_size<[0]> (%m) : (!cute.tiled_mma<\"SM80_16x8x16_F32F16F16F32_TN\", \"(2,2,1):(1,2,0)\", \"[32:1;32:1;16:1]\">) -> !cute.shape<\"32\">"
  } {
    %x_tiled_mma = irdl.base @cute::@tiled_mma
    %x_tiled_copy = irdl.base @cute::@tiled_copy
    %x = irdl.any_of(%x_tiled_mma, %x_tiled_copy)
    %result = irdl.base @cute::@shape
    irdl.operands(x: %x)
    irdl.results(result: %result)
  }

  irdl.operation @get_tiler attributes {
    group = "Tiled", assembly = "(operands) : functional",
    summary = "The tiler of a tiled copy, or the permutation of a tiled MMA.",
    description = "It is the last parameter of the type.",
    example = "%t = cute.get_tiler(%c) : (!cute.tiled_copy<\"UniversalCopy<uint128_t>\", f16, \"((8,16),8):((128,1),16)\", \"[16:1;64:1]\">) -> !cute.tile<\"[16:1;64:1]\">"
  } {
    %x_tiled_mma = irdl.base @cute::@tiled_mma
    %x_tiled_copy = irdl.base @cute::@tiled_copy
    %x = irdl.any_of(%x_tiled_mma, %x_tiled_copy)
    %result = irdl.base @cute::@tile
    irdl.operands(x: %x)
    irdl.results(result: %result)
  }

  irdl.operation @partition_shape_a attributes {
    group = "Tiled", assembly = "(operands) : functional",
    follows = "a",
    summary = "The shape of a thread's part of operand A of shape (M,K).",
    description = "The shape of partition_a of such a tensor, (V, Rest...), the same for all threads; make_fragment of it holds the operand. The operand's shape may have more modes.",
    example = "%s = cute.partition_shape_a(%m, %t) : (!cute.tiled_mma<\"SM80_16x8x16_F32F16F16F32_TN\", \"(2,2,1):(1,2,0)\", \"[32:1;32:1;16:1]\">, !cute.shape<\"(64,32)\">) -> !cute.shape<\"((2,2,2),2,2)\">"
  } {
    %tiled_mma = irdl.base @cute::@tiled_mma
    %shape = irdl.base @cute::@shape
    %result = irdl.base @cute::@shape
    irdl.operands(tiled_mma: %tiled_mma, shape: %shape)
    irdl.results(result: %result)
  }

  irdl.operation @partition_shape_b attributes {
    group = "Tiled", assembly = "(operands) : functional",
    follows = "b",
    summary = "The shape of a thread's part of operand B of shape (N,K).",
    description = "The shape of partition_b of such a tensor, (V, Rest...), the same for all threads; make_fragment of it holds the operand. The operand's shape may have more modes.",
    example = "%s = cute.partition_shape_b(%m, %t) : (!cute.tiled_mma<\"SM80_16x8x16_F32F16F16F32_TN\", \"(2,2,1):(1,2,0)\", \"[32:1;32:1;16:1]\">, !cute.shape<\"(64,32)\">) -> !cute.shape<\"((2,2),4,2)\">"
  } {
    %tiled_mma = irdl.base @cute::@tiled_mma
    %shape = irdl.base @cute::@shape
    %result = irdl.base @cute::@shape
    irdl.operands(tiled_mma: %tiled_mma, shape: %shape)
    irdl.results(result: %result)
  }

  irdl.operation @partition_shape_c attributes {
    group = "Tiled", assembly = "(operands) : functional",
    follows = "c",
    summary = "The shape of a thread's part of operand C of shape (M,N).",
    description = "The shape of partition_c of such a tensor, (V, Rest...), the same for all threads; make_fragment of it holds the operand. The operand's shape may have more modes.",
    example = "%s = cute.partition_shape_c(%m, %t) : (!cute.tiled_mma<\"SM80_16x8x16_F32F16F16F32_TN\", \"(2,2,1):(1,2,0)\", \"[32:1;32:1;16:1]\">, !cute.shape<\"(64,32)\">) -> !cute.shape<\"((2,2),2,2)\">"
  } {
    %tiled_mma = irdl.base @cute::@tiled_mma
    %shape = irdl.base @cute::@shape
    %result = irdl.base @cute::@shape
    irdl.operands(tiled_mma: %tiled_mma, shape: %shape)
    irdl.results(result: %result)
  }

  //===-- Copies without an atom --------------------------------------------===//

  irdl.operation @make_tmem_copy attributes {
    group = "Tmem", assembly = "(operands) : functional",
    summary = "The copy between registers and tensor memory of four warps.",
    description = "The atom is an SM100_TMEM_LOAD or SM100_TMEM_STORE. Each warp moves the 32 lanes of tensor memory that belong to its number in its warpgroup, and the tile is what the four warps move at a time.",
    example = "%c = cute.make_tmem_copy(%a, %t) : (!cute.copy_atom<\"SM100_TMEM_LOAD_32dp32b8x\", f32>, !cute.tensor<f32, tmem, align<16>, \"(128,64):(65536,1)\">) -> !cute.tiled_copy<\"SM100_TMEM_LOAD_32dp32b8x\", f32, \"((32,4),(8,32)):((0,1),(128,4))\", \"[(4,32):(32,1);8:1]\">"
  } {
    %atom = irdl.base @cute::@copy_atom
    %tensor = irdl.base @cute::@tensor
    %result = irdl.base @cute::@tiled_copy
    irdl.operands(atom: %atom, tensor: %tensor)
    irdl.results(result: %result)
  }

  irdl.operation @tmem_alloc attributes {
    group = "Tmem", assembly = "<columns = 32|64|128|256|512, ctas = 1|2> (operands) : types",
    effects = "orders", arch = 100, arch_suffix = "t",
    summary = "Allocates columns of tensor memory.",
    description = "One whole warp executes it, and waits until they are free. The address is written to an i32 in shared memory, and other threads read it after a barrier. Columns are 32, 64, 128, 256 or 512. With 2 ctas, a warp of either block of a pair executes it.",
    example = "cute.tmem_alloc<128, 1> (%slot) : !cute.ptr<i32, smem, align<4>>"
  } {
    %slot = irdl.base @cute::@ptr
    irdl.operands(slot: %slot)
  }

  irdl.operation @tmem_dealloc attributes {
    group = "Tmem", assembly = "<columns = 32|64|128|256|512, ctas = 1|2> (operands) : types",
    effects = "orders", arch = 100, arch_suffix = "t",
    summary = "Frees columns of tensor memory.",
    description = "One whole warp executes it, after all accesses, with tmem_alloc's number of columns. A kernel must free what it allocates.",
    example = "cute.tmem_dealloc<128, 1> (%p) : !cute.ptr<f32, tmem, align<16>>"
  } {
    %pointer = irdl.base @cute::@ptr
    irdl.operands(pointer: %pointer)
  }

  irdl.operation @tmem_relinquish attributes {
    group = "Tmem", assembly = "<ctas = 1|2>",
    effects = "orders", arch = 100, arch_suffix = "t",
    summary = "Gives up the right to allocate tensor memory.",
    description = "Other blocks of the multiprocessor can then allocate. One whole warp executes it.",
    example = "cute.tmem_relinquish<1>"
  } {
  }

  irdl.operation @tmem_shift attributes {
    group = "Tmem", assembly = "<ctas = 1|2> (operands) : types",
    effects = "orders", arch = 100, arch_suffix = "e",
    summary = "Starts to move 32 lanes of 8 columns of tensor memory down by one lane.",
    description = "tcgen05.shift.down: the pointer names the first of the lanes, a multiple of 32. The last of them does not move. Products of the same thread that follow see the new rows; everything else waits for a tcgen05_commit. The simulator refuses it, as PTX does not say whether a lane moves to the one before or after it.",
    example = "cute.tmem_shift<1> (%p) : !cute.ptr<f32, tmem, align<16>>"
  } {
    %pointer = irdl.base @cute::@ptr
    irdl.operands(pointer: %pointer)
  }
  irdl.operation @tmem_wait attributes {
    group = "Tmem", assembly = "<string kind = ld|st> (operands) : types", mixed = "registers",
    effects = "orders", arch = 100, arch_suffix = "t",
    summary = "Waits for the thread's own loads or stores of tensor memory.",
    description = "The kind is \"ld\" for loads or \"st\" for stores. Registers that a load fills may be read only after it: name these tensors in rmem, so the compiler moves no use of them before the wait.",
    example = "cute.tmem_wait<\"ld\"> (%r) : !cute.tensor<f32, rmem, align<16>, \"32:1\">"
  } {
    %registers = irdl.base @cute::@tensor
    irdl.operands(registers: variadic %registers)
  }

  irdl.operation @tmem_load_reduce attributes {
    group = "Tmem", assembly = "<string kind = max|min|max.abs|min.abs|max.NaN|min.NaN|max.abs.NaN|min.abs.NaN> (operands) : functional",
    effects = "copies source destination, by copy", access = "atom", arch = 100, arch_suffix = "r",
    summary = "Loads from tensor memory, and returns the thread's largest or smallest value.",
    description = "copy of one access by an atom of SM100_TMEM_LOAD_32dp32b or 16dp32b with two or more registers of f32, i32 or ui32 (tcgen05.ld.red, which sm_100 lacks). \".abs\" compares magnitudes, and with \".NaN\" a NaN among the values is the result; both need f32. The result is ready when the registers are: store it to a tensor in rmem, and name that tensor in tmem_wait.",
    example = "%v = cute.tmem_load_reduce<\"max\"> (%c, %s, %d) : (!cute.copy_atom<\"SM100_TMEM_LOAD_32dp32b32x\", f32>, !cute.tensor<f32, tmem, align<16>, \"((32,32)):((1,65536))\">, !cute.tensor<f32, rmem, align<16>, \"(32):(1)\">) -> f32"
  } {
    %copy_tiled_copy = irdl.base @cute::@tiled_copy
    %copy_copy_atom = irdl.base @cute::@copy_atom
    %copy = irdl.any_of(%copy_tiled_copy, %copy_copy_atom)
    %source = irdl.base @cute::@tensor
    %destination = irdl.base @cute::@tensor
    %value = irdl.any
    irdl.operands(copy: %copy, source: %source, destination: %destination)
    irdl.results(value: %value)
  }

  irdl.operation @tcgen05_fence attributes {
    group = "Tmem", assembly = "<string kind = before|after>",
    effects = "orders", arch = 100, arch_suffix = "t",
    summary = "Orders operations on tensor memory across a barrier.",
    description = "The thread whose operations come first executes \"before\" and then arrives at a barrier; the thread whose operations come later waits and then executes \"after\".",
    example = "cute.tcgen05_fence<\"after\">"
  } {
  }

  irdl.operation @tcgen05_commit attributes {
    group = "Tmem", assembly = "<ctas = 1|2> (operands) : types",
    effects = "arrives barrier", arch = 100, arch_suffix = "t",
    summary = "Makes a barrier count one arrival when the thread's products so far are complete.",
    description = "Also its tcgen05.cp copies. The thread that started them executes it. With a mask, an integer with a bit for each block of the cluster, the barriers at the same place in these blocks count the arrival.",
    example = "cute.tcgen05_commit<1> (%b) : !cute.ptr<i64, smem, align<8>>"
  } {
    %barrier = irdl.base @cute::@ptr
    %mask = irdl.base "!builtin.integer"
    irdl.operands(barrier: %barrier, mask: optional %mask)
  }

  irdl.operation @basic_copy attributes {
    group = "PlainCopy", assembly = "(operands) : types",
    effects = "copies source destination", access = "elements",
    follows = "any",
    summary = "Copies element by element.",
    description = "Destination element i is source element i, counted colexicographically. Both have one element type and one size; a dynamic size is not checked, and the source's counts. Static sizes of up to 512, or 16384 with registers, are unrolled; others become a loop.",
    example = "cute.basic_copy(%s, %d) : !cute.tensor<f32, gmem, align<4>, \"?:?\">, !cute.tensor<f32, gmem, align<4>, \"?:1\">"
  } {
    %source = irdl.base @cute::@tensor
    %destination = irdl.base @cute::@tensor
    irdl.operands(source: %source, destination: %destination)
  }

  irdl.operation @basic_copy_if attributes {
    group = "PlainCopy", assembly = "(operands) : types",
    effects = "copies source destination, if predicate", access = "elements",
    follows = "any",
    summary = "Copies the elements for which a predicate is true.",
    description = "As basic_copy, for the elements whose predicate is true; it is an i1 tensor of the same size.",
    example = "cute.basic_copy_if(%p, %s, %d) : !cute.tensor<i1, rmem, align<16>, \"4:1\">, !cute.tensor<f32, gmem, align<4>, \"4:2\">, !cute.tensor<f32, rmem, align<16>, \"4:1\">"
  } {
    %predicate = irdl.base @cute::@tensor
    %source = irdl.base @cute::@tensor
    %destination = irdl.base @cute::@tensor
    irdl.operands(predicate: %predicate, source: %source, destination: %destination)
  }

  irdl.operation @autovec_copy attributes {
    group = "PlainCopy", assembly = "(operands) : types",
    effects = "copies source destination", access = "runs",
    follows = "any",
    summary = "Copies by the widest accesses that both tensors allow.",
    description = "As basic_copy of static shapes of at most 16384 elements, in accesses of at most 128 bits. An access takes as many elements as layouts, alignment and divisors of dynamic strides show to be contiguous and aligned on each side in memory; registers take any order.",
    example = "cute.autovec_copy(%s, %d) : !cute.tensor<f16, gmem, align<16>, \"(4,8):(?{div=8},1)\">, !cute.tensor<f16, rmem, align<16>, \"(4,8):(1,4)\">"
  } {
    %source = irdl.base @cute::@tensor
    %destination = irdl.base @cute::@tensor
    irdl.operands(source: %source, destination: %destination)
  }

  irdl.operation @prefetch attributes {
    group = "PlainCopy", assembly = "<string level = L1|L2> (operands) : types",
    effects = "reads tensor",
    summary = "Brings the cache lines of a tensor in gmem into L1 or L2.",
    description = "One instruction for every 128 bytes of contiguous elements, and one for the last element. The level is \"L1\" or \"L2\", the shape static.",
    example = "cute.prefetch<\"L2\"> (%t) : !cute.tensor<f16, gmem, align<16>, \"(64,8):(1,?)\">"
  } {
    %tensor = irdl.base @cute::@tensor
    irdl.operands(tensor: %tensor)
  }

  //===-- Barriers in shared memory -----------------------------------------===//

  //===-- Threads ------------------------------------------------------------===//

  irdl.operation @thread_idx attributes {
    group = "Thread", assembly = "<string dim = x|y|z>?",
    summary = "The thread's index in its block.",
    description = "An i32. The dimension is x, which may be left out, y or z.",
    example = "%i = cute.thread_idx<\"y\">"
  } {
    %result = irdl.base "!builtin.integer"
    irdl.results(result: %result)
  }

  irdl.operation @block_idx attributes {
    group = "Thread", assembly = "<string dim = x|y|z>?",
    summary = "The block's index in the grid.",
    description = "An i32. The dimension is x, which may be left out, y or z.",
    example = "%i = cute.block_idx<\"y\">"
  } {
    %result = irdl.base "!builtin.integer"
    irdl.results(result: %result)
  }

  irdl.operation @block_dim attributes {
    group = "Thread", assembly = "<string dim = x|y|z>?",
    summary = "How many threads a block has along a dimension.",
    description = "An i32. The dimension is x, which may be left out, y or z.",
    example = "%i = cute.block_dim<\"y\">"
  } {
    %result = irdl.base "!builtin.integer"
    irdl.results(result: %result)
  }

  irdl.operation @grid_dim attributes {
    group = "Thread", assembly = "<string dim = x|y|z>?",
    summary = "How many blocks the grid has along a dimension.",
    description = "An i32. The dimension is x, which may be left out, y or z.",
    example = "%i = cute.grid_dim<\"y\">"
  } {
    %result = irdl.base "!builtin.integer"
    irdl.results(result: %result)
  }

  irdl.operation @lane_idx attributes {
    group = "Thread", assembly = "",
    summary = "The thread's lane in its warp.",
    description = "0 to 31, an i32.",
    example = "%i = cute.lane_idx"
  } {
    %result = irdl.base "!builtin.integer"
    irdl.results(result: %result)
  }

  irdl.operation @warp_idx attributes {
    group = "Thread", assembly = "",
    effects = "exchanges",
    summary = "The warp's number in its block.",
    description = "The number of the thread, x fastest, divided by 32. All threads of the warp get the first lane's value, so the compiler knows that it is uniform; all threads of the warp execute it.",
    example = "%i = cute.warp_idx"
  } {
    %result = irdl.base "!builtin.integer"
    irdl.results(result: %result)
  }

  irdl.operation @shuffle_sync attributes {
    group = "Thread", assembly = "<string kind = idx|up|down|bfly> (operands) : functional",
    effects = "exchanges",
    summary = "The value that another thread of the warp has.",
    description = "The source is the lane with this number (idx), that many lanes before (up) or after (down), or the lane whose number differs in these bits (bfly); if there is no such lane, the thread's own. All threads of the warp execute it. Numbers have 8, 16, 32 or 64 bits, vectors 8, 16 or a multiple of 32; words of 32 bits are exchanged one by one.",
    example = "%o = cute.shuffle_sync<\"bfly\"> (%v, %n) : (vector<4xf16>, i32) -> vector<4xf16>"
  } {
    %value = irdl.any
    %lane_integer = irdl.base "!builtin.integer"
    %lane_index = irdl.base "!builtin.index"
    %lane_int_tuple = irdl.base @cute::@int_tuple
    %lane = irdl.any_of(%lane_integer, %lane_index, %lane_int_tuple)
    %result = irdl.any
    irdl.operands(value: %value, lane: %lane)
    irdl.results(result: %result)
  }

  irdl.operation @vote_all_sync attributes {
    group = "Thread", assembly = "(operands) : functional",
    effects = "exchanges",
    summary = "Tells whether an i1 is true in all threads of the warp.",
    description = "All threads of the warp execute it.",
    example = "%a = cute.vote_all_sync(%p) : (i1) -> i1"
  } {
    %value = irdl.any
    %result = irdl.base "!builtin.integer"
    irdl.operands(value: %value)
    irdl.results(result: %result)
  }

  irdl.operation @vote_any_sync attributes {
    group = "Thread", assembly = "(operands) : functional",
    effects = "exchanges",
    summary = "Tells whether an i1 is true in some thread of the warp.",
    description = "All threads of the warp execute it.",
    example = "%a = cute.vote_any_sync(%p) : (i1) -> i1"
  } {
    %value = irdl.any
    %result = irdl.base "!builtin.integer"
    irdl.operands(value: %value)
    irdl.results(result: %result)
  }

  irdl.operation @vote_ballot_sync attributes {
    group = "Thread", assembly = "(operands) : functional",
    effects = "exchanges",
    summary = "The threads of the warp in which an i1 is true, a bit for each lane.",
    description = "All threads of the warp execute it.",
    example = "%a = cute.vote_ballot_sync(%p) : (i1) -> i32"
  } {
    %value = irdl.any
    %result = irdl.base "!builtin.integer"
    irdl.operands(value: %value)
    irdl.results(result: %result)
  }

  irdl.operation @match_any_sync attributes {
    group = "Thread", assembly = "(operands) : functional",
    effects = "exchanges",
    summary = "The threads of the warp that have the same value, a bit for each lane.",
    description = "The value is an i32, i64 or scalar int_tuple. All threads of the warp execute it.",
    example = "%a = cute.match_any_sync(%v) : (i32) -> i32"
  } {
    %value_integer = irdl.base "!builtin.integer"
    %value_index = irdl.base "!builtin.index"
    %value_int_tuple = irdl.base @cute::@int_tuple
    %value = irdl.any_of(%value_integer, %value_index, %value_int_tuple)
    %result = irdl.base "!builtin.integer"
    irdl.operands(value: %value)
    irdl.results(result: %result)
  }

  irdl.operation @warp_sync attributes {
    group = "Collective", assembly = "<mask>?",
    effects = "orders",
    summary = "Waits for the lanes of a warp, and orders their memory accesses.",
    description = "Bit i of the mask is lane i; without it, all 32. All lanes of the mask execute it with the same mask. Use it for lanes that exchange data in shared or global memory; gpu.barrier would wait for the whole block. For a dynamic mask, use nvvm.bar.warp.sync.",
    example = "cute.warp_sync<255>"
  } {
  }

  irdl.operation @warp_reduce attributes {
    group = "Collective", assembly = "<string kind, width? = 2|4|8|16|32> (operands) : functional",
    effects = "exchanges",
    summary = "Combines the values of a warp's lanes; each has the result.",
    description = "Over all 32 lanes, or over each group of `width` neighbours: 2, 4, 8, 16 or 32. The kinds are reduce_vector's. Lanes that differ in bit width/2 of their number are combined, then width/4 ..., so all have the same bits. All threads of the warp execute it. Numbers have 8, 16, 32 or 64 bits, vectors, which are combined element by element, 8, 16 or a multiple of 32.",
    example = "%r = cute.warp_reduce<\"max\", 4> (%v) : (vector<2xbf16>) -> vector<2xbf16>"
  } {
    %value = irdl.any
    %result = irdl.any
    irdl.operands(value: %value)
    irdl.results(result: %result)
  }

  irdl.operation @warp_scan attributes {
    group = "Collective", assembly = "<string kind, width? = 2|4|8|16|32> (operands) : functional",
    effects = "exchanges",
    summary = "Combines the values of the lanes up to each one's own.",
    description = "Lane i has v_0 op v_1 ... op v_i, where lane 0 is the first of each `width` lanes (32 by default). All threads of the warp execute it. Values are as in warp_reduce. For an exclusive scan, apply shuffle_sync<\"up\"> by 1 to the result.",
    example = "%r = cute.warp_scan<\"add\"> (%v) : (i32) -> i32"
  } {
    %value = irdl.any
    %result = irdl.any
    irdl.operands(value: %value)
    irdl.results(result: %result)
  }

  irdl.operation @block_reduce attributes {
    group = "Collective", assembly = "<string kind> (operands) : functional",
    effects = "orders",
    summary = "Combines the values of a block's threads; each has the result.",
    description = "First in each warp, then over the warps in their order, through the buffer, a tensor in smem with an element for each warp. All threads execute it; the block's size is known (`known_block_size`) and a multiple of 32. The op contains two barriers: when it begins, no thread may still access the buffer; afterwards, the buffer is free.",
    example = "%r = cute.block_reduce<\"add\"> (%x, %b) : (f32, !cute.tensor<f32, smem, align<16>, \"4:1\">) -> f32"
  } {
    %value = irdl.any
    %buffer = irdl.base @cute::@tensor
    %result = irdl.any
    irdl.operands(value: %value, buffer: %buffer)
    irdl.results(result: %result)
  }

  irdl.operation @mbarrier_init attributes {
    group = "Mbarrier", assembly = "(operands) : types",
    effects = "inits barrier", arch = 80,
    summary = "Makes a barrier that waits for a number of arrivals.",
    description = "A barrier is an i64 in smem. One thread makes it, and others use it after a gpu.barrier. The count is 1 to 1048575.",
    example = "cute.mbarrier_init(%b, %n) : !cute.ptr<i64, smem, align<8>>, i32"
  } {
    %barrier = irdl.base @cute::@ptr
    %count_integer = irdl.base "!builtin.integer"
    %count_index = irdl.base "!builtin.index"
    %count_int_tuple = irdl.base @cute::@int_tuple
    %count = irdl.any_of(%count_integer, %count_index, %count_int_tuple)
    irdl.operands(barrier: %barrier, count: %count)
  }

  irdl.operation @mbarrier_arrive attributes {
    group = "Mbarrier", assembly = "(operands) : types",
    effects = "arrives barrier", arch = 80,
    summary = "Arrives at a barrier.",
    description = "Threads that wait see the thread's earlier writes. The barrier may be another block's, in dsmem (mapa).",
    example = "cute.mbarrier_arrive(%b) : !cute.ptr<i64, smem, align<8>>"
  } {
    %barrier = irdl.base @cute::@ptr
    irdl.operands(barrier: %barrier)
  }

  irdl.operation @mbarrier_wait attributes {
    group = "Mbarrier", assembly = "(operands) : types",
    effects = "awaits barrier", arch = 80,
    summary = "Waits until the phase of a parity is complete.",
    description = "The first phase has parity 0, the next 1, and so on in turn. A phase is complete when the barrier's number of threads have arrived.",
    example = "cute.mbarrier_wait(%b, %p) : !cute.ptr<i64, smem, align<8>>, i32"
  } {
    %barrier = irdl.base @cute::@ptr
    %parity_integer = irdl.base "!builtin.integer"
    %parity_index = irdl.base "!builtin.index"
    %parity_int_tuple = irdl.base @cute::@int_tuple
    %parity = irdl.any_of(%parity_integer, %parity_index, %parity_int_tuple)
    irdl.operands(barrier: %barrier, parity: %parity)
  }

  irdl.operation @cp_async_mbarrier_arrive attributes {
    group = "Mbarrier", assembly = "<{noinc}>? (operands) : types",
    effects = "tracks cp_async, arrives barrier", arch = 80,
    summary = "Arrives at a barrier once all cp.async copies of the thread so far are complete.",
    description = "Without noinc the arrival is counted twice, up and down, so that the barrier's count does not include it; with noinc it does.",
    example = "cute.cp_async_mbarrier_arrive<{noinc}> (%b) : !cute.ptr<i64, smem, align<8>>"
  } {
    %barrier = irdl.base @cute::@ptr
    irdl.operands(barrier: %barrier)
  }

  irdl.operation @mbarrier_expect_tx attributes {
    group = "Mbarrier", assembly = "(operands) : types",
    effects = "orders", arch = 90,
    summary = "Makes the barrier also wait for bytes.",
    description = "The current phase is complete only when copies that name the barrier have written this many more bytes, 0 to 1048575. The barrier may be another block's, in dsmem (mapa).",
    example = "cute.mbarrier_expect_tx(%b, %n) : !cute.ptr<i64, smem, align<8>>, i32"
  } {
    %barrier = irdl.base @cute::@ptr
    %bytes_integer = irdl.base "!builtin.integer"
    %bytes_index = irdl.base "!builtin.index"
    %bytes_int_tuple = irdl.base @cute::@int_tuple
    %bytes = irdl.any_of(%bytes_integer, %bytes_index, %bytes_int_tuple)
    irdl.operands(barrier: %barrier, bytes: %bytes)
  }

  irdl.operation @mbarrier_arrive_expect_tx attributes {
    group = "Mbarrier", assembly = "(operands) : types",
    effects = "arrives barrier", arch = 90,
    summary = "Arrives at a barrier, and makes it wait for bytes that are still to come.",
    description = "mbarrier_expect_tx, then mbarrier_arrive. The thread that starts bulk copies announces their bytes this way. The barrier may be another block's, in dsmem (mapa).",
    example = "cute.mbarrier_arrive_expect_tx(%b, %n) : !cute.ptr<i64, smem, align<8>>, i32"
  } {
    %barrier = irdl.base @cute::@ptr
    %bytes_integer = irdl.base "!builtin.integer"
    %bytes_index = irdl.base "!builtin.index"
    %bytes_int_tuple = irdl.base @cute::@int_tuple
    %bytes = irdl.any_of(%bytes_integer, %bytes_index, %bytes_int_tuple)
    irdl.operands(barrier: %barrier, bytes: %bytes)
  }

  irdl.operation @mbarrier_arrive_remote attributes {
    group = "Mbarrier", assembly = "(operands) : types",
    effects = "arrives barrier", arch = 90,
    summary = "Arrives at the same barrier of another block in the cluster.",
    description = "The barrier is the one at the same place in the shared memory of the block with this rank, which may be the thread's own. That block must not end before the arrival.",
    example = "cute.mbarrier_arrive_remote(%b, %r) : !cute.ptr<i64, smem, align<8>>, i32"
  } {
    %barrier = irdl.base @cute::@ptr
    %rank_integer = irdl.base "!builtin.integer"
    %rank_index = irdl.base "!builtin.index"
    %rank_int_tuple = irdl.base @cute::@int_tuple
    %rank = irdl.any_of(%rank_integer, %rank_index, %rank_int_tuple)
    irdl.operands(barrier: %barrier, rank: %rank)
  }

  irdl.operation @mbarrier_try_wait attributes {
    group = "Mbarrier", assembly = "(operands) : functional",
    effects = "awaits barrier", arch = 90,
    summary = "Waits for the phase of a parity for a limited time; tells whether it is complete.",
    description = "mbarrier_wait repeats this until it is true.",
    example = "%d = cute.mbarrier_try_wait(%b, %p) : (!cute.ptr<i64, smem, align<8>>, i32) -> i1"
  } {
    %barrier = irdl.base @cute::@ptr
    %parity_integer = irdl.base "!builtin.integer"
    %parity_index = irdl.base "!builtin.index"
    %parity_int_tuple = irdl.base @cute::@int_tuple
    %parity = irdl.any_of(%parity_integer, %parity_index, %parity_int_tuple)
    %result = irdl.base "!builtin.integer"
    irdl.operands(barrier: %barrier, parity: %parity)
    irdl.results(result: %result)
  }

  irdl.operation @mbarrier_inval attributes {
    group = "Mbarrier", assembly = "(operands) : types",
    effects = "orders", arch = 80,
    summary = "Invalidates a barrier; its memory is then free for other uses.",
    description = "No thread may wait for it or arrive any more.",
    example = "cute.mbarrier_inval(%b) : !cute.ptr<i64, smem, align<8>>"
  } {
    %barrier = irdl.base @cute::@ptr
    irdl.operands(barrier: %barrier)
  }

  irdl.operation @fence_mbarrier_init attributes {
    group = "Mbarrier", assembly = "",
    effects = "orders", arch = 90,
    summary = "Makes the thread's new barriers visible to bulk copies and to the other blocks of the cluster.",
    description = "A barrier of the block or cluster must follow before they are used.",
    example = "cute.fence_mbarrier_init"
  } {
  }

  //===-- Clusters, and grids that depend on each other ----------------------===//

  irdl.operation @cluster_arrive attributes {
    group = "Cluster", assembly = "<{relaxed}>?",
    effects = "orders", arch = 90,
    summary = "Arrives at the barrier of the cluster.",
    description = "With relaxed it does not order memory, which is enough after fence_mbarrier_init and at the end of a kernel and saves a full memory fence.",
    example = "cute.cluster_arrive<{relaxed}>"
  } {
  }

  irdl.operation @cluster_wait attributes {
    group = "Cluster", assembly = "",
    effects = "orders", arch = 90,
    summary = "Waits until all threads of the cluster have arrived at its barrier.",
    description = "A block must not end while others of its cluster still arrive at its barriers or write its shared memory: all blocks arrive and wait first.",
    example = "cute.cluster_wait"
  } {
  }

  irdl.operation @block_rank_in_cluster attributes {
    group = "Cluster", assembly = "",
    arch = 90,
    summary = "The block's number in its cluster.",
    description = "From 0; the first dimension of a cluster runs fastest.",
    example = "%r = cute.block_rank_in_cluster"
  } {
    %result = irdl.base "!builtin.integer"
    irdl.results(result: %result)
  }

  irdl.operation @mapa attributes {
    group = "Cluster", assembly = "(operands) : functional",
    view = "memory", arch = 90,
    summary = "The same memory of another block of the cluster.",
    description = "The same place in the shared memory of the block with this rank, which may be the thread's own: a tensor or pointer in dsmem, which loads, stores and copies accept like one in smem. That block must have begun, and must not end before the accesses (cluster_arrive, cluster_wait).",
    example = "%t = cute.mapa(%s, %r) : (!cute.tensor<f32, smem, align<16>, \"(8,4):(4,1)\">, i32) -> !cute.tensor<f32, dsmem, align<16>, \"(8,4):(4,1)\">"
  } {
    %memory_tensor = irdl.base @cute::@tensor
    %memory_ptr = irdl.base @cute::@ptr
    %memory = irdl.any_of(%memory_tensor, %memory_ptr)
    %rank_integer = irdl.base "!builtin.integer"
    %rank_index = irdl.base "!builtin.index"
    %rank_int_tuple = irdl.base @cute::@int_tuple
    %rank = irdl.any_of(%rank_integer, %rank_index, %rank_int_tuple)
    %result_tensor = irdl.base @cute::@tensor
    %result_ptr = irdl.base @cute::@ptr
    %result = irdl.any_of(%result_tensor, %result_ptr)
    irdl.operands(memory: %memory, rank: %rank)
    irdl.results(result: %result)
  }

  irdl.operation @elect_one attributes {
    group = "Cluster", assembly = "",
    effects = "orders", arch = 90,
    summary = "Tells whether this is the warp's elected thread.",
    description = "True in one thread of a warp whose threads are all active. Put work that one thread does for all, such as bulk copies, into an scf.if on the result.",
    example = "%p = cute.elect_one"
  } {
    %result = irdl.base "!builtin.integer"
    irdl.results(result: %result)
  }

  irdl.operation @griddepcontrol_wait attributes {
    group = "Cluster", assembly = "",
    effects = "orders", arch = 90,
    summary = "Waits until the grids that this one depends on are complete and their writes visible.",
    description = "Use it before the first read of their results, in a grid that may begin before they end. It does nothing in other grids.",
    example = "cute.griddepcontrol_wait"
  } {
  }

  irdl.operation @griddepcontrol_launch_dependents attributes {
    group = "Cluster", assembly = "",
    effects = "orders", arch = 90,
    summary = "Lets grids that depend on this one begin.",
    description = "They begin once all blocks have executed this or have ended.",
    example = "cute.griddepcontrol_launch_dependents"
  } {
  }

  //===-- Warpgroups ---------------------------------------------------------===//

  irdl.operation @warpgroup_fence attributes {
    group = "Warpgroup", assembly = "(operands) : types", mixed = "sums",
    effects = "orders", arch = 90, arch_suffix = "a",
    summary = "Orders accesses to registers before the matrix products that follow.",
    description = "Needed before the first product of a warpgroup, and whenever its threads have written registers that a product uses. Writes to the named tensors in rmem come before it; by default cutec names the tensors that the following products use. All 128 threads of the warpgroup execute it.",
    example = "cute.warpgroup_fence(%c) : !cute.tensor<f32, rmem, align<16>, \"((2,2,8),1,1):((1,2,4),0,0)\">"
  } {
    %sums = irdl.base @cute::@tensor
    irdl.operands(sums: variadic %sums)
  }

  irdl.operation @warpgroup_commit attributes {
    group = "Warpgroup", assembly = "",
    effects = "commits wgmma", arch = 90, arch_suffix = "a",
    summary = "Closes the group of matrix products that the warpgroup has started so far.",
    description = "warpgroup_wait counts groups.",
    example = "cute.warpgroup_commit"
  } {
  }

  irdl.operation @warpgroup_wait attributes {
    group = "Warpgroup", assembly = "<n = 0..7> (operands) : types", mixed = "sums",
    effects = "waits wgmma", arch = 90, arch_suffix = "a",
    summary = "Waits until at most n of the latest groups of products are pending.",
    description = "The tensors in rmem are the sums that the wait completes: they may be read after it, and before it only products may touch them. By default cutec names these tensors. n is 0 to 7.",
    example = "cute.warpgroup_wait<0> (%c) : !cute.tensor<f32, rmem, align<16>, \"((2,2,8),1,1):((1,2,4),0,0)\">"
  } {
    %sums = irdl.base @cute::@tensor
    irdl.operands(sums: variadic %sums)
  }

  irdl.operation @hold_registers attributes {
    group = "Warpgroup", assembly = "(operands) : types",
    effects = "reads fragment",
    summary = "Keeps the values of a fragment in their registers up to here.",
    description = "A product of a warpgroup reads A in registers until warpgroup_wait returns, but ptxas may give these registers to other values once it has started, unless something after the wait uses A. This op does, in a branch that is never taken, as it is for a grid without blocks. cute-overlap adds it after the wait for products during which threads load.",
    example = "cute.hold_registers(%a) : !cute.tensor<f16, rmem, align<16>, \"((2,2,2),1,4):((1,2,4),0,8)\">"
  } {
    %fragment = irdl.base @cute::@tensor
    irdl.operands(fragment: %fragment)
  }

  irdl.operation @fence_proxy attributes {
    group = "Warpgroup", assembly = "<string kind = async|async.global|async.shared>",
    effects = "orders", arch = 90,
    summary = "Orders the thread's ordinary writes before accesses to the same memory by bulk copies and matrix products.",
    description = "The kind is \"async.shared\" for the shared memory of the block, \"async.global\" for global memory, or \"async\" for all. Other threads' writes need a barrier after their fences.",
    example = "cute.fence_proxy<\"async.shared\">"
  } {
  }

  irdl.operation @set_registers attributes {
    group = "Warpgroup", assembly = "<string action = increase|decrease, n>",
    effects = "orders", arch = 90, arch_suffix = "s",
    summary = "Changes the number of registers that each thread of the warpgroup has.",
    description = "The action is \"increase\", which waits until they are free, or \"decrease\"; n is a multiple of 8 from 24 to 256. All warps of the warpgroup execute it, in a kernel with a block size.",
    example = "cute.set_registers<\"increase\", 232>"
  } {
  }

  irdl.operation @named_barrier_sync attributes {
    group = "Warpgroup", assembly = "(operands) : types",
    effects = "orders",
    summary = "Arrives at barrier 1 to 15 of the block and waits until the given number of threads have arrived.",
    description = "Barrier 0 is gpu.barrier's. The number of threads is a multiple of 32, and the same for all threads that use the barrier at a time; a dynamic id reserves all 16 barriers.",
    example = "cute.named_barrier_sync(%i, %n) : !cute.int_tuple<\"1\">, !cute.int_tuple<\"128\">"
  } {
    %id_integer = irdl.base "!builtin.integer"
    %id_index = irdl.base "!builtin.index"
    %id_int_tuple = irdl.base @cute::@int_tuple
    %id = irdl.any_of(%id_integer, %id_index, %id_int_tuple)
    %threads_integer = irdl.base "!builtin.integer"
    %threads_index = irdl.base "!builtin.index"
    %threads_int_tuple = irdl.base @cute::@int_tuple
    %threads = irdl.any_of(%threads_integer, %threads_index, %threads_int_tuple)
    irdl.operands(id: %id, threads: %threads)
  }

  irdl.operation @named_barrier_arrive attributes {
    group = "Warpgroup", assembly = "(operands) : types",
    effects = "orders",
    summary = "Arrives at barrier 1 to 15 of the block without waiting.",
    description = "Threads in named_barrier_sync wait for it.",
    example = "cute.named_barrier_arrive(%i, %n) : !cute.int_tuple<\"1\">, !cute.int_tuple<\"256\">"
  } {
    %id_integer = irdl.base "!builtin.integer"
    %id_index = irdl.base "!builtin.index"
    %id_int_tuple = irdl.base @cute::@int_tuple
    %id = irdl.any_of(%id_integer, %id_index, %id_int_tuple)
    %threads_integer = irdl.base "!builtin.integer"
    %threads_index = irdl.base "!builtin.index"
    %threads_int_tuple = irdl.base @cute::@int_tuple
    %threads = irdl.any_of(%threads_integer, %threads_index, %threads_int_tuple)
    irdl.operands(id: %id, threads: %threads)
  }
  //===-- Pipelines ----------------------------------------------------------===//

  irdl.operation @make_pipeline_tma attributes {
    group = "Pipeline", assembly = "<stages, consumers, string agent = thread|warp|warpgroup|tcgen05> (operands) : types", mixed = "loads",
    effects = "allocates smem", arch = 90,
    summary = "A pipeline whose stages one thread fills by TMA.",
    description = "A stage holds a tile of each atom: each stage's barrier `full` waits for producer_acquire's arrival and for the bytes of these tiles. `empty` waits for `consumers` arrivals. Each comes from an agent that is a \"warpgroup\", a \"warp\" or a \"thread\", or \"tcgen05\": then the multiplying thread releases a stage, and the arrival comes when its products so far are complete. With multicast atoms, `empty` waits for these arrivals from each thread block that the atoms load for; the last operand, the atoms' mask, has a bit for each of these blocks, including the own one. (Blocks must load for each other mutually, as in rows and columns of a cluster.) Atoms of pairs (SM100_TMA_2SM_LOAD), released by \"tcgen05\", also take a mask, of both blocks: each block acquires its stage and loads, `full` of the first block counts both blocks' bytes, and a release by its thread, which multiplies for both, arrives in both. The barriers are allocated in smem.",
    example = "%p = cute.make_pipeline_tma<4, 2, \"warpgroup\"> (%tma) : !cute.tma_atom<\"SM90_TMA_LOAD\", f16, \"S<3,4,3>\", \"(64,128):(1@1,1@0)\", \"((64,128),1):((128,1),128)\">"
  } {
    %load_atom = irdl.base @cute::@tma_atom
    %load_integer = irdl.base "!builtin.integer"
    %load_int_tuple = irdl.base @cute::@int_tuple
    %loads = irdl.any_of(%load_atom, %load_integer, %load_int_tuple)
    %pipeline = irdl.base @cute::@pipeline
    irdl.operands(loads: variadic %loads)
    irdl.results(pipeline: %pipeline)
  }

  irdl.operation @make_pipeline_async attributes {
    group = "Pipeline", assembly = "<string kind = async|cp_async|tcgen05, stages, producers, consumers, string agent = thread|warp|warpgroup|tcgen05, ctas? = 2>",
    effects = "allocates smem", arch = 80,
    summary = "A pipeline whose stages threads fill.",
    description = "`full` waits for `producers` threads, which arrive in producer_commit. The kind is \"async\" if they have written the stage by then, \"cp_async\" if the arrival comes when their cp.async copies so far are complete, and \"tcgen05\" if it comes when one thread's products into tensor memory so far are complete. `empty` waits for `consumers` arrivals, each of a \"warpgroup\", a \"warp\" or a \"thread\". With 2 ctas, the two blocks of a cluster multiply as a pair: the first block's thread commits to both, and both blocks' warps arrive at the first block. The barriers are allocated in smem.",
    example = "%p = cute.make_pipeline_async<\"async\", 2, 32, 4, \"warp\">"
  } {
    %pipeline = irdl.base @cute::@pipeline
    irdl.results(pipeline: %pipeline)
  }

  irdl.operation @make_pipeline_tma_store attributes {
    group = "Pipeline", assembly = "<stages>",
    arch = 90,
    summary = "A pipeline of stages that one thread stores by TMA.",
    description = "producer_acquire waits until the stage that is `stages` commits back has been read, producer_commit closes a group of bulk copies, producer_tail waits until all are complete. The storing thread executes all three; other threads need a barrier afterwards. The pipeline has no barriers of its own and no consumers.",
    example = "%p = cute.make_pipeline_tma_store<2>"
  } {
    %pipeline = irdl.base @cute::@pipeline
    irdl.results(pipeline: %pipeline)
  }

  irdl.operation @make_pipeline_order attributes {
    group = "Pipeline", assembly = "<stages, groups = 2.., threads>",
    effects = "allocates smem", arch = 80,
    summary = "Turns that groups of threads take in `stages` stages.",
    description = "Group 0 has the first turn in each stage, then group 1, and after the last one group 0 again. If two warpgroups take tiles from one pipeline in turn, the second must not wait for its stages before the first has done so: a parity distinguishes a phase from the previous one, but not from the one before that.",
    example = "%o = cute.make_pipeline_order<2, 2, 128>"
  } {
    %pipeline = irdl.base @cute::@pipeline
    irdl.results(pipeline: %pipeline)
  }

  irdl.operation @init_pipeline attributes {
    group = "Pipeline", assembly = "(operands) : types",
    effects = "orders", arch = 80,
    summary = "Makes the barriers of a pipeline.",
    description = "One thread of the block executes it. A barrier of the block, or of the cluster if blocks load for each other, must follow before any thread uses the pipeline. The op includes the fence that bulk copies and other blocks need.",
    example = "cute.init_pipeline(%p) : !cute.pipeline<\"tma\", stages<4>, producers<1>, consumers<2>, \"warpgroup\", bytes<16384>, \"\">"
  } {
    %pipeline = irdl.base @cute::@pipeline
    irdl.operands(pipeline: %pipeline)
  }

  irdl.operation @make_pipeline_state attributes {
    group = "Pipeline", assembly = "<string role = producer|consumer|order> (operands) : types",
    summary = "The initial state of a pipeline's \"producer\" or \"consumer\", or of a group in an \"order\".",
    description = "The state is stage 0 and the parity of the phase to wait for. A producer's parity is 1, since all stages are empty at first: the phase before the first counts as complete. A consumer's is 0. An order takes the number of the group as the second operand; group 0 begins as a producer, the others as consumers. A state is carried through loops and branches in two registers.",
    example = "%s = cute.make_pipeline_state<\"producer\"> (%p) : !cute.pipeline<\"tma\", stages<4>, producers<1>, consumers<2>, \"warpgroup\", bytes<16384>, \"\">"
  } {
    %pipeline = irdl.base @cute::@pipeline
    %group_integer = irdl.base "!builtin.integer"
    %group_index = irdl.base "!builtin.index"
    %group_int_tuple = irdl.base @cute::@int_tuple
    %group = irdl.any_of(%group_integer, %group_index, %group_int_tuple)
    %state = irdl.base @cute::@pipeline_state
    irdl.operands(pipeline: %pipeline, group: optional %group)
    irdl.results(state: %state)
  }

  irdl.operation @pipeline_advance attributes {
    group = "Pipeline", assembly = "(operands) : types",
    summary = "The state one stage later, or as many stages as the second operand says.",
    description = "After the last stage comes the first with the other parity. The number is not negative.",
    example = "%n = cute.pipeline_advance(%s) : !cute.pipeline_state<\"producer\", stages<4>>"
  } {
    %state = irdl.base @cute::@pipeline_state
    %count_integer = irdl.base "!builtin.integer"
    %count_index = irdl.base "!builtin.index"
    %count_int_tuple = irdl.base @cute::@int_tuple
    %count = irdl.any_of(%count_integer, %count_index, %count_int_tuple)
    %result = irdl.base @cute::@pipeline_state
    irdl.operands(state: %state, count: optional %count)
    irdl.results(result: %result)
  }

  irdl.operation @pipeline_stage attributes {
    group = "Pipeline", assembly = "(operands) : types",
    summary = "The number of a state's stage, an i32 from 0.",
    description = "Use it to slice the tensors that hold the stages.",
    example = "%i = cute.pipeline_stage(%s) : !cute.pipeline_state<\"producer\", stages<4>>"
  } {
    %state = irdl.base @cute::@pipeline_state
    %stage = irdl.base "!builtin.integer"
    irdl.operands(state: %state)
    irdl.results(stage: %stage)
  }

  irdl.operation @producer_acquire attributes {
    group = "Pipeline", assembly = "(operands) : types", mixed = "loads",
    effects = "orders", arch = 80,
    summary = "Waits until the stage is empty.",
    description = "In a TMA pipeline, its one producer executes it, and `full` then waits for the bytes of the pipeline's atoms, or of the atoms named after the state if the stage gets a tile of each of these instead. In an async pipeline, all producers execute it. For TMA stores, see make_pipeline_tma_store.",
    example = "cute.producer_acquire(%p, %s) : !cute.pipeline<\"tma\", stages<4>, producers<1>, consumers<2>, \"warpgroup\", bytes<16384>, \"\">, !cute.pipeline_state<\"producer\", stages<4>>"
  } {
    %pipeline = irdl.base @cute::@pipeline
    %state = irdl.base @cute::@pipeline_state
    %load = irdl.base @cute::@tma_atom
    irdl.operands(pipeline: %pipeline, state: %state, loads: variadic %load)
  }

  irdl.operation @producer_barrier attributes {
    group = "Pipeline", assembly = "(operands) : types", arch = 80,
    summary = "The barrier `full` of the stage, for with_barrier.",
    description = "Loads into the stage arrive there.",
    example = "%b = cute.producer_barrier(%p, %s) : !cute.pipeline<\"tma\", stages<4>, producers<1>, consumers<2>, \"warpgroup\", bytes<16384>, \"\">, !cute.pipeline_state<\"producer\", stages<4>>"
  } {
    %pipeline = irdl.base @cute::@pipeline
    %state = irdl.base @cute::@pipeline_state
    %barrier = irdl.base @cute::@ptr
    irdl.operands(pipeline: %pipeline, state: %state)
    irdl.results(barrier: %barrier)
  }

  irdl.operation @producer_commit attributes {
    group = "Pipeline", assembly = "(operands) : types",
    effects = "orders", arch = 80,
    summary = "Commits the stage: its loads have been started or, in an async pipeline, its writes are done.",
    description = "In a TMA pipeline it generates no instruction, as the bytes arrive by themselves; all copies to the stage must come between producer_acquire and this op.",
    example = "cute.producer_commit(%p, %s) : !cute.pipeline<\"tma\", stages<4>, producers<1>, consumers<2>, \"warpgroup\", bytes<16384>, \"\">, !cute.pipeline_state<\"producer\", stages<4>>"
  } {
    %pipeline = irdl.base @cute::@pipeline
    %state = irdl.base @cute::@pipeline_state
    irdl.operands(pipeline: %pipeline, state: %state)
  }

  irdl.operation @producer_tail attributes {
    group = "Pipeline", assembly = "(operands) : types",
    effects = "orders", arch = 80,
    summary = "Waits until all stages have been emptied; for TMA stores, until all are complete.",
    description = "The producer executes it after its last stage, so its block does not end before other blocks' consumers have arrived at its barriers. A cluster barrier at the kernel's end has the same effect.",
    example = "cute.producer_tail(%p, %s) : !cute.pipeline<\"tma\", stages<4>, producers<1>, consumers<2>, \"warpgroup\", bytes<16384>, \"\">, !cute.pipeline_state<\"producer\", stages<4>>"
  } {
    %pipeline = irdl.base @cute::@pipeline
    %state = irdl.base @cute::@pipeline_state
    irdl.operands(pipeline: %pipeline, state: %state)
  }

  irdl.operation @consumer_wait attributes {
    group = "Pipeline", assembly = "(operands) : types",
    effects = "orders", arch = 80,
    summary = "Waits until the stage is full.",
    description = "Every thread that reads the stage executes it.",
    example = "cute.consumer_wait(%p, %s) : !cute.pipeline<\"tma\", stages<4>, producers<1>, consumers<2>, \"warpgroup\", bytes<16384>, \"\">, !cute.pipeline_state<\"consumer\", stages<4>>"
  } {
    %pipeline = irdl.base @cute::@pipeline
    %state = irdl.base @cute::@pipeline_state
    irdl.operands(pipeline: %pipeline, state: %state)
  }

  irdl.operation @consumer_release attributes {
    group = "Pipeline", assembly = "(operands) : types",
    effects = "orders", arch = 80,
    summary = "Releases the stage, which has been read.",
    description = "All threads of the agent execute it, and one arrives, after a warp_sync if the agent is a warp; if the pipeline has a mask, thread i arrives at block i of the cluster. If threads or warps read data that TMA loads, the op first executes a fence_loads. A warpgroup executes it after the warpgroup_wait that completes its products of the stage or, if its threads read the stage themselves, after a fence_proxy<\"async.shared\"> and a barrier among them.",
    example = "cute.consumer_release(%p, %s) : !cute.pipeline<\"tma\", stages<4>, producers<1>, consumers<2>, \"warpgroup\", bytes<16384>, \"\">, !cute.pipeline_state<\"consumer\", stages<4>>"
  } {
    %pipeline = irdl.base @cute::@pipeline
    %state = irdl.base @cute::@pipeline_state
    irdl.operands(pipeline: %pipeline, state: %state)
  }

  irdl.operation @fence_loads attributes {
    group = "Pipeline", assembly = "<{lanes}>?",
    effects = "orders", arch = 90,
    summary = "Completes the thread's loads of a stage, so that the next bytes of TMA do not overtake them.",
    description = "It precedes the arrival at the stage's mbarrier, which does not wait for loads in flight. It is a fence_proxy<\"async.shared\">, unless the thread has just waited for products (warpgroup_wait) and has accessed no memory since: the products have read what they need of the stage. With lanes it also waits for the lanes of the warp that execute it together, so that one may arrive for all.",
    example = "cute.fence_loads<{lanes}>"
  } {
  }

  irdl.operation @order_wait attributes {
    group = "Pipeline", assembly = "(operands) : types",
    effects = "orders", arch = 80,
    summary = "Waits for the turn of a group in the state's stage.",
    description = "All threads of the group execute it, and order_arrive later.",
    example = "cute.order_wait(%o, %s, %g) : !cute.pipeline<\"order\", stages<2>, producers<128>, consumers<2>, \"thread\", bytes<0>, \"\">, !cute.pipeline_state<\"order\", stages<2>>, i32"
  } {
    %pipeline = irdl.base @cute::@pipeline
    %state = irdl.base @cute::@pipeline_state
    %group_integer = irdl.base "!builtin.integer"
    %group_index = irdl.base "!builtin.index"
    %group_int_tuple = irdl.base @cute::@int_tuple
    %group = irdl.any_of(%group_integer, %group_index, %group_int_tuple)
    irdl.operands(pipeline: %pipeline, state: %state, group: %group)
  }

  irdl.operation @order_arrive attributes {
    group = "Pipeline", assembly = "(operands) : types",
    effects = "orders", arch = 80,
    summary = "Passes the turn in the state's stage to the next group.",
    description = "All threads of the group execute it, then they advance the state.",
    example = "cute.order_arrive(%o, %s, %g) : !cute.pipeline<\"order\", stages<2>, producers<128>, consumers<2>, \"thread\", bytes<0>, \"\">, !cute.pipeline_state<\"order\", stages<2>>, i32"
  } {
    %pipeline = irdl.base @cute::@pipeline
    %state = irdl.base @cute::@pipeline_state
    %group_integer = irdl.base "!builtin.integer"
    %group_index = irdl.base "!builtin.index"
    %group_int_tuple = irdl.base @cute::@int_tuple
    %group = irdl.any_of(%group_integer, %group_index, %group_int_tuple)
    irdl.operands(pipeline: %pipeline, state: %state, group: %group)
  }

  //===-- TMA --------------------------------------------------------------===//

  irdl.operation @make_tma_atom attributes {
    group = "Tma", assembly = "<string atom> (operands) : functional",
    effects = "declares", arch = 90,
    summary = "A TMA atom for tiles of a kernel's tensor, and the tensor of its coordinates.",
    description = "The tensor is a parameter of the kernel, aligned to 16 bytes, with a stride 1 along the box's rows; all other strides are multiples of 16 bytes. The tile that the tiler describes has the given layout in shared memory, which is static and compact, and plain or composed with a swizzle of 32, 64 or 128 bytes. One instruction's box is the longest run of that layout that follows the coordinates one by one. For loads it may also take steps of up to 8 along all but the innermost mode, the element strides of the tensor map. Loads from outside the tensor give zeros, and stores there are dropped, except in a row's last 16-byte piece: if it is partly inside, it is stored whole, with zeros (seen on an H200). With a fourth operand, that many thread blocks of a cluster load a part each, with a multicast atom. Atoms that end in B4X16_P64 and B6X16_P32 (sm_100) widen elements of 4 and 6 bits to bytes for tcgen05.cp and the tensor cores: 16 of them lie in the first 8 or 12 of 16 bytes, the tensor's type is ui8, and its strides count elements. A box of an atom that ends in GATHER4 or SCATTER4 (sm_100a) has four rows of a matrix, which cute.with_rows names. The kernel gets a hidden parameter of 128 bytes for each of these ops, in their order, which the launcher fills: [abi.md](abi.md).",
    example = "%tma:2 = cute.make_tma_atom<\"SM90_TMA_LOAD\"> (%A, %l, %s) : (!cute.tensor<f16, gmem, align<16>, \"(?,?):(?{i64 div=8},1)\">, !cute.composed_layout<\"S<3,3,3> o 0 o (128,64):(64,1)\">, !cute.shape<\"(128,64)\">) -> (!cute.tma_atom<\"SM90_TMA_LOAD\", f16, \"S<3,4,3>\", \"(64,128):(1@1,1@0)\", \"((64,128),1):((128,1),128)\">, !cute.coord_tensor<\"(0,0)\", \"(?,?):(1@0,1@1)\">)"
  } {
    %tensor = irdl.base @cute::@tensor
    %smem_layout = irdl.base @cute::@layout
    %smem_composed_layout = irdl.base @cute::@composed_layout
    %smem = irdl.any_of(%smem_layout, %smem_composed_layout)
    %tiler_shape = irdl.base @cute::@shape
    %tiler_tile = irdl.base @cute::@tile
    %tiler_layout = irdl.base @cute::@layout
    %tiler = irdl.any_of(%tiler_shape, %tiler_tile, %tiler_layout)
    %ctas_integer = irdl.base "!builtin.integer"
    %ctas_index = irdl.base "!builtin.index"
    %ctas_int_tuple = irdl.base @cute::@int_tuple
    %ctas = irdl.any_of(%ctas_integer, %ctas_index, %ctas_int_tuple)
    %atom = irdl.base @cute::@tma_atom
    %coords = irdl.base @cute::@coord_tensor
    irdl.operands(tensor: %tensor, smem: %smem, tiler: %tiler, ctas: optional %ctas)
    irdl.results(atom: %atom, coords: %coords)
  }

  irdl.operation @make_im2col_tma_atom attributes {
    group = "Tma", assembly = "<string atom> (operands) : functional",
    effects = "declares", arch = 90,
    summary = "A TMA atom for pixels of a kernel's images, and the coordinates of a convolution's im2col matrix.",
    description = "The images are a parameter of the kernel (N, [D, [H,]] W, C), aligned to 16 bytes, where C has stride 1 and all other strides are multiples of 16 bytes. The layout in shared memory is (pixel, channel), with channels contiguous and at most 256 pixels. Filter, step, lower and upper padding and dilation are static integers for each spatial mode. The matrix is ((W',H',..,N),(C,(S,R,..))): row i belongs to the filter's i-th position, and column (c,(s,r)) to an element under the filter. The coordinates are ((n,..,h,w,c),(..,r,s)), the filter's first pixel and the position within the filter. cute.domain_offset with a coordinate (i,(c,(s,r))) gives the matrix from there on, and tma_partition takes the tile at its beginning: rows continue from one image line to the next. Padding is loaded as zeros. A store with such an atom has no position in the filter.",
    example = "%tma:2 = cute.make_im2col_tma_atom<\"SM90_TMA_LOAD_IM2COL\"> (%X, %l, %f, %s, %lo, %up, %d) : (!cute.tensor<f16, gmem, align<16>, \"(?,?,?,64):(?{i64 div=8},?{i64 div=8},?{i64 div=8},1)\">, !cute.composed_layout<\"S<3,3,3> o 0 o (128,64):(64,1)\">, !cute.int_tuple<\"(3,3)\">, !cute.int_tuple<\"(1,1)\">, !cute.int_tuple<\"(1,1)\">, !cute.int_tuple<\"(1,1)\">, !cute.int_tuple<\"(1,1)\">) -> (!cute.tma_atom<\"SM90_TMA_LOAD_IM2COL\", f16, \"S<3,4,3>\", \"(64,128):(1@3@0,1@2@0)\", \"((64,128),1):((128,1),128)\">, !cute.coord_tensor<\"((0,-1,-1,0),(0,0))\", \"((?,?,?),(64,(3,3))):((1@2@0,1@1@0,1@0@0),(1@3@0,(1@1@1,1@0@1)))\">)"
  } {
    %images = irdl.base @cute::@tensor
    %smem_layout = irdl.base @cute::@layout
    %smem_composed_layout = irdl.base @cute::@composed_layout
    %smem = irdl.any_of(%smem_layout, %smem_composed_layout)
    %filter_int_tuple = irdl.base @cute::@int_tuple
    %filter_shape = irdl.base @cute::@shape
    %filter = irdl.any_of(%filter_int_tuple, %filter_shape)
    %step_int_tuple = irdl.base @cute::@int_tuple
    %step_shape = irdl.base @cute::@shape
    %step = irdl.any_of(%step_int_tuple, %step_shape)
    %lower_int_tuple = irdl.base @cute::@int_tuple
    %lower_shape = irdl.base @cute::@shape
    %lower = irdl.any_of(%lower_int_tuple, %lower_shape)
    %upper_int_tuple = irdl.base @cute::@int_tuple
    %upper_shape = irdl.base @cute::@shape
    %upper = irdl.any_of(%upper_int_tuple, %upper_shape)
    %dilation_int_tuple = irdl.base @cute::@int_tuple
    %dilation_shape = irdl.base @cute::@shape
    %dilation = irdl.any_of(%dilation_int_tuple, %dilation_shape)
    %atom = irdl.base @cute::@tma_atom
    %matrix = irdl.base @cute::@coord_tensor
    irdl.operands(images: %images, smem: %smem, filter: %filter, step: %step, lower: %lower, upper: %upper, dilation: %dilation)
    irdl.results(atom: %atom, matrix: %matrix)
  }

  irdl.operation @tma_partition attributes {
    group = "Tma", assembly = "(operands) : functional", view = "smem",
    summary = "The parts of a tile in shared memory and of its coordinates that the instructions of a TMA atom move.",
    description = "The first modes of both tensors, one or several, are a tile of the atom together, and become ((value), (instruction)); further modes, such as stages and tiles along K, stay. With a fourth operand, the block's number among the blocks that share a load, both results begin with this block's part.",
    example = "%parts:2 = cute.tma_partition(%tma, %sA, %gA) : (!cute.tma_atom<\"SM90_TMA_LOAD\", f16, \"S<3,4,3>\", \"(64,128):(1@1,1@0)\", \"((64,128),1):((128,1),128)\">, !cute.tensor<f16, smem, align<1024>, \"S<3,3,3> o 0 o ((128,64),4):((64,1),8192)\">, !cute.coord_tensor<\"(?,0)\", \"((128,64),?):((1@0,1@1),64@1)\">) -> (!cute.tensor<f16, smem, align<1024>, \"S<3,3,3> o 0 o ((8192,1),4):((1,1),8192)\">, !cute.coord_tensor<\"(?,0)\", \"(((64,128),1),?):(((1@1,1@0),1@1),64@1)\">)"
  } {
    %atom = irdl.base @cute::@tma_atom
    %smem = irdl.base @cute::@tensor
    %coords = irdl.base @cute::@coord_tensor
    %cta_integer = irdl.base "!builtin.integer"
    %cta_index = irdl.base "!builtin.index"
    %cta_int_tuple = irdl.base @cute::@int_tuple
    %cta = irdl.any_of(%cta_integer, %cta_index, %cta_int_tuple)
    %smem_part = irdl.base @cute::@tensor
    %coords_part = irdl.base @cute::@coord_tensor
    irdl.operands(atom: %atom, smem: %smem, coords: %coords, cta: optional %cta)
    irdl.results(smem_part: %smem_part, coords_part: %coords_part)
  }

  irdl.operation @with_barrier attributes {
    group = "Tma", assembly = "<string cache = evict_normal|evict_first|evict_last>?(operands) : types -> types",
    summary = "The atom of a TMA or bulk load, with the barrier that counts its bytes.",
    description = "Copies with the result are complete when the barrier has counted their bytes, which a thread must make it expect. The mask of a multicast atom has a bit for each thread block of the cluster that gets the data, at the same place in its shared memory; the barrier at the same place in that block counts the bytes. `evict_first`, `evict_last` and `evict_normal` say how long the L2 cache keeps the data. A copy from smem to another block's memory (SM90_BULK_COPY_S2S) has a barrier of that block, in dsmem.",
    example = "%load = cute.with_barrier(%tma, %b) : (!cute.tma_atom<\"SM90_TMA_LOAD\", f16, \"S<3,4,3>\", \"(64,128):(1@1,1@0)\", \"((64,128),1):((128,1),128)\">, !cute.ptr<i64, smem, align<8>>) -> !cute.tma_atom<\"SM90_TMA_LOAD\", f16, \"S<3,4,3>\", \"(64,128):(1@1,1@0)\", \"((64,128),1):((128,1),128)\">"
  } {
    %atom_tma_atom = irdl.base @cute::@tma_atom
    %atom_copy_atom = irdl.base @cute::@copy_atom
    %atom = irdl.any_of(%atom_tma_atom, %atom_copy_atom)
    %barrier = irdl.base @cute::@ptr
    %mask_integer = irdl.base "!builtin.integer"
    %mask_index = irdl.base "!builtin.index"
    %mask_int_tuple = irdl.base @cute::@int_tuple
    %mask = irdl.any_of(%mask_integer, %mask_index, %mask_int_tuple)
    %result_tma_atom = irdl.base @cute::@tma_atom
    %result_copy_atom = irdl.base @cute::@copy_atom
    %result = irdl.any_of(%result_tma_atom, %result_copy_atom)
    irdl.operands(atom: %atom, barrier: %barrier, mask: optional %mask)
    irdl.results(result: %result)
  }

  irdl.operation @with_cache attributes {
    group = "Tma", assembly = "<string cache = evict_normal|evict_first|evict_last>(operands) : types -> types",
    summary = "The atom of a store with a hint for the L2 cache.",
    description = "`evict_first`, `evict_last` or `evict_normal`, for a TMA or bulk store or reduction. Loads take the hint with their barrier.",
    example = "%store = cute.with_cache<\"evict_first\">(%tma) : !cute.tma_atom<\"SM90_TMA_STORE\", f16, \"S<3,4,3>\", \"(64,128):(1@1,1@0)\", \"((64,128),1):((128,1),128)\"> -> !cute.tma_atom<\"SM90_TMA_STORE\", f16, \"S<3,4,3>\", \"(64,128):(1@1,1@0)\", \"((64,128),1):((128,1),128)\">"
  } {
    %atom_tma_atom = irdl.base @cute::@tma_atom
    %atom_copy_atom = irdl.base @cute::@copy_atom
    %atom = irdl.any_of(%atom_tma_atom, %atom_copy_atom)
    %result_tma_atom = irdl.base @cute::@tma_atom
    %result_copy_atom = irdl.base @cute::@copy_atom
    %result = irdl.any_of(%result_tma_atom, %result_copy_atom)
    irdl.operands(atom: %atom)
    irdl.results(result: %result)
  }

  irdl.operation @with_tensor_map attributes {
    group = "Tma", assembly = "(operands) : types -> types", arch = 90,
    summary = "The atom with another tensor map, from memory.",
    description = "Copies with the result use the 128 bytes at the pointer, in gmem and aligned to 64 bytes, instead of the launcher's map; copy_tensor_map and update_tensor_map write them. Add barriers and hints after it.",
    example = "%other = cute.with_tensor_map(%tma, %p) : (!cute.tma_atom<\"SM90_TMA_LOAD\", f16, \"S<3,4,3>\", \"(64,128):(1@1,1@0)\", \"((64,128),1):((128,1),128)\">, !cute.ptr<i64, gmem, align<128>>) -> !cute.tma_atom<\"SM90_TMA_LOAD\", f16, \"S<3,4,3>\", \"(64,128):(1@1,1@0)\", \"((64,128),1):((128,1),128)\">"
  } {
    %atom = irdl.base @cute::@tma_atom
    %map = irdl.base @cute::@ptr
    %result = irdl.base @cute::@tma_atom
    irdl.operands(atom: %atom, map: %map)
    irdl.results(result: %result)
  }

  irdl.operation @with_rows attributes {
    group = "Tma", assembly = "(operands) : types -> types", effects = "reads rows",
    summary = "The atom of gather4 or scatter4 with the numbers of the rows that it copies.",
    description = "A copy at the coordinate i along the tensor's rows copies rows(i) to rows(i + 3), four numbers of type i32 that the copy reads: nothing may write them between this op and that. Rows outside the tensor are loaded as zeros, and not stored. A copy's coordinates may have any extent along rows, such as cute.make_identity_tensor of the number of rows. Add barriers and hints after this.",
    example = "%four = cute.with_rows(%tma, %rows) : (!cute.tma_atom<\"SM100_TMA_LOAD_GATHER4\", f16, \"S<3,4,3>\", \"(64,4):(1@1,1@0)\", \"((64,4),32):((128,1),4)\">, !cute.tensor<i32, gmem, align<4>, \"?:1\">) -> !cute.tma_atom<\"SM100_TMA_LOAD_GATHER4\", f16, \"S<3,4,3>\", \"(64,4):(1@1,1@0)\", \"((64,4),32):((128,1),4)\">"
  } {
    %atom = irdl.base @cute::@tma_atom
    %rows = irdl.base @cute::@tensor
    %result = irdl.base @cute::@tma_atom
    irdl.operands(atom: %atom, rows: %rows)
    irdl.results(result: %result)
  }

  irdl.operation @copy_tensor_map attributes {
    group = "Tma", assembly = "(operands) : types",
    effects = "reads memory, writes memory, orders", arch = 90,
    summary = "Writes the tensor map of an atom to memory.",
    description = "One thread copies 128 bytes to the pointer, in gmem or smem and aligned to 64 bytes.",
    example = "cute.copy_tensor_map(%tma, %p) : !cute.tma_atom<\"SM90_TMA_LOAD\", f16, \"S<3,4,3>\", \"(64,128):(1@1,1@0)\", \"((64,128),1):((128,1),128)\">, !cute.ptr<i64, gmem, align<128>>"
  } {
    %atom = irdl.base @cute::@tma_atom
    %memory = irdl.base @cute::@ptr
    irdl.operands(atom: %atom, memory: %memory)
  }

  irdl.operation @update_tensor_map attributes {
    group = "Tma", assembly = "(operands) : types",
    effects = "reads memory, writes memory, orders", arch = 90, arch_suffix = "s",
    summary = "Replaces the tensor of a tensor map in memory.",
    description = "Replaces address, extents and strides of the map at the pointer, in gmem or smem and aligned to 64 bytes, which copy_tensor_map has written for the atom. The tensor is in gmem, aligned to 16 bytes, with the atom's elements and the modes of the tensor that the atom was made from. Along the box's rows its stride counts as 1, whatever its layout says; all others are multiples of 16 bytes. Neither is checked. Threads that execute it together write the same. A fence of the tensor map's proxy must publish the map before copies use it.",
    example = "cute.update_tensor_map(%tma, %B, %p) : !cute.tma_atom<\"SM90_TMA_LOAD\", f16, \"S<3,4,3>\", \"(64,128):(1@1,1@0)\", \"((64,128),1):((128,1),128)\">, !cute.tensor<f16, gmem, align<16>, \"(?,?):(?{i64 div=8},1)\">, !cute.ptr<i64, gmem, align<128>>"
  } {
    %atom = irdl.base @cute::@tma_atom
    %tensor = irdl.base @cute::@tensor
    %memory = irdl.base @cute::@ptr
    irdl.operands(atom: %atom, tensor: %tensor, memory: %memory)
  }

  irdl.operation @prefetch_descriptor attributes {
    group = "Tma", assembly = "(operands) : types",
    effects = "prefetches", arch = 90,
    summary = "Brings the tensor map of a TMA atom into the cache.",
    description = "One thread of a block executes it, early, so the first copy does not wait for the map.",
    example = "cute.prefetch_descriptor(%tma) : !cute.tma_atom<\"SM90_TMA_LOAD\", f16, \"S<3,4,3>\", \"(64,128):(1@1,1@0)\", \"((64,128),1):((128,1),128)\">"
  } {
    %atom = irdl.base @cute::@tma_atom
    irdl.operands(atom: %atom)
  }

  irdl.operation @cp_async_bulk_commit attributes {
    group = "Tma", assembly = "",
    effects = "commits bulk", arch = 90,
    summary = "Closes the group of the thread's bulk copies out of shared memory so far.",
    description = "Threads wait for TMA stores and reductions in groups; loads need none, as barriers count their bytes.",
    example = "cute.cp_async_bulk_commit"
  } {
  }

  irdl.operation @cp_async_bulk_wait attributes {
    group = "Tma", assembly = "<n = 0..>",
    effects = "waits bulk", arch = 90,
    summary = "Waits until at most n of the thread's latest groups of bulk copies are pending.",
    description = "The other groups' writes are then visible.",
    example = "cute.cp_async_bulk_wait<0>"
  } {
  }

  irdl.operation @cp_async_bulk_wait_read attributes {
    group = "Tma", assembly = "<n = 0..>",
    effects = "waits bulk", arch = 90,
    summary = "Waits until all but the thread's n latest groups of bulk copies have read their sources.",
    description = "Their shared memory can then be reused; their writes may not have arrived yet.",
    example = "cute.cp_async_bulk_wait_read<1>"
  } {
  }
}

// The values of types as attributes, which no type goes with. They have the
// types' names, hence the module around them.
module {
  irdl.dialect @cute {
    irdl.attribute @int_tuple {
      %value = irdl.base "#builtin.string"
      irdl.parameters(value: %value)
    }
    irdl.attribute @shape {
      %value = irdl.base "#builtin.string"
      irdl.parameters(value: %value)
    }
    irdl.attribute @stride {
      %value = irdl.base "#builtin.string"
      irdl.parameters(value: %value)
    }
    irdl.attribute @coord {
      %value = irdl.base "#builtin.string"
      irdl.parameters(value: %value)
    }
    irdl.attribute @tile {
      %value = irdl.base "#builtin.string"
      irdl.parameters(value: %value)
    }
    irdl.attribute @layout {
      %value = irdl.base "#builtin.string"
      irdl.parameters(value: %value)
    }
    irdl.attribute @composed_layout {
      %value = irdl.base "#builtin.string"
      irdl.parameters(value: %value)
    }
    irdl.attribute @swizzle {
      %value = irdl.base "#builtin.string"
      irdl.parameters(value: %value)
    }
  }
}
