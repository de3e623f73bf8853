// The cute dialect: every type and operation, with documentation.
//
// This file is what the dialect is. The library embeds it, loads it as an IRDL
// dialect, and reads from it the operand kinds, the assembly and the
// documentation of every op; `mlir-opt --irdl-file=` reads it as it stands.
//
// Attributes of an operation:
//   group     the file of lib/Ops that says what the op infers and how it lowers
//   assembly  the pretty form after the name. <...> holds inherent attributes:
//             [mode] an array of i32, begin an i32, {only_dynamic} a flag,
//             type element a type, coord proj a string; ? makes the brackets
//             optional. After the colon come
//               functional       (T, T) -> T
//               types -> types   T -> T for one operand, else as above
//               types            T, T: results are inferred
//               result           T
//   elide     operands and results whose types print as <"..."> alone
//   mixed     the variadic operands or results that may differ in type. IRDL makes
//             all values of one constraint equal, so loading splits the group
//             into many, with operandSegmentSizes or resultSegmentSizes in the
//             generic form; `cute-opt --show-irdl` prints the split file
//   effects   "read", "write" or "allocate" for an op that is not pure
//   summary, example
irdl.dialect @cute {
  irdl.type @int_tuple attributes {summary = "A tree of integers."} {
    %value = irdl.base "#builtin.string"
    irdl.parameters(value: %value)
  }
  irdl.type @shape attributes {summary = "The extents of a layout's modes."} {
    %value = irdl.base "#builtin.string"
    irdl.parameters(value: %value)
  }
  irdl.type @stride attributes {summary = "What a step in each mode adds: integers, or scaled bases."} {
    %value = irdl.base "#builtin.string"
    irdl.parameters(value: %value)
  }
  irdl.type @coord attributes {summary = "A coordinate; `_` stands for all of a mode."} {
    %value = irdl.base "#builtin.string"
    irdl.parameters(value: %value)
  }
  irdl.type @tile attributes {summary = "A tiler: a tree of layouts, applied mode by mode; `_` leaves a mode as it is."} {
    %value = irdl.base "#builtin.string"
    irdl.parameters(value: %value)
  }
  irdl.type @layout attributes {summary = "A function from coordinates to indices, shape:stride."} {
    %value = irdl.base "#builtin.string"
    irdl.parameters(value: %value)
  }
  irdl.type @composed_layout attributes {summary = "A o offset o B: the layout B, then an offset, then the swizzle or layout A."} {
    %value = irdl.base "#builtin.string"
    irdl.parameters(value: %value)
  }
  irdl.type @swizzle attributes {summary = "S<bits,base,shift>: xors bits of an index into lower or higher ones."} {
    %value = irdl.base "#builtin.string"
    irdl.parameters(value: %value)
  }
  irdl.type @ptr attributes {summary = "A pointer to elements in gmem, smem or rmem with an alignment in bytes."} {
    %element = irdl.any
    %space = irdl.base "#builtin.string"
    %align = irdl.base "#builtin.integer"
    irdl.parameters(element: %element, space: %space, align: %align)
  }
  irdl.type @tensor attributes {summary = "A pointer with a layout: element c lies at pointer + layout(c)."} {
    %element = irdl.any
    %space = irdl.base "#builtin.string"
    %align = irdl.base "#builtin.integer"
    %layout = irdl.base "#builtin.string"
    irdl.parameters(element: %element, space: %space, align: %align, layout: %layout)
  }
  irdl.type @coord_tensor attributes {summary = "A tensor of coordinates: element c is origin + layout(c)."} {
    %origin = irdl.base "#builtin.string"
    %layout = irdl.base "#builtin.string"
    irdl.parameters(origin: %origin, layout: %layout)
  }
  irdl.type @mma_atom attributes {summary = "One matrix-multiply instruction and who holds which values."} {
    %name = irdl.base "#builtin.string"
    irdl.parameters(name: %name)
  }
  irdl.type @copy_atom attributes {summary = "One copy instruction for values of a type."} {
    %name = irdl.base "#builtin.string"
    %element = irdl.any
    irdl.parameters(name: %name, element: %element)
  }
  irdl.type @tiled_mma attributes {summary = "An MMA atom repeated over threads and values of a tile."} {
    %atom = irdl.base "#builtin.string"
    %atom_layout = irdl.base "#builtin.string"
    %permutation = irdl.base "#builtin.string"
    irdl.parameters(atom: %atom, atom_layout: %atom_layout, permutation: %permutation)
  }
  irdl.type @tiled_copy attributes {summary = "A copy atom repeated over threads and values of a tile."} {
    %atom = irdl.base "#builtin.string"
    %element = irdl.any
    %layout_tv = irdl.base "#builtin.string"
    %tiler = irdl.base "#builtin.string"
    irdl.parameters(atom: %atom, element: %element, layout_tv: %layout_tv, tiler: %tiler)
  }

  //===-- Constants and printing -------------------------------------------===//

  irdl.operation @static attributes {
    group = "Constants", assembly = ": result",
    summary = "The value that its static type spells.",
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

  irdl.operation @print attributes {
    group = "Constants", assembly = "(operands) : types attr-dict", effects = "write",
    summary = "Prints a value at run time, on the host or from a kernel.",
    example = "cute.print(%l) : !cute.layout<\"(?,8):(8,1)\">"
  } {
    %value_int_tuple = irdl.base @cute::@int_tuple
    %value_coord = irdl.base @cute::@coord
    %value_shape = irdl.base @cute::@shape
    %value_stride = irdl.base @cute::@stride
    %value_tile = irdl.base @cute::@tile
    %value_layout = irdl.base @cute::@layout
    %value_composed_layout = irdl.base @cute::@composed_layout
    %value_swizzle = irdl.base @cute::@swizzle
    %value = irdl.any_of(%value_int_tuple, %value_coord, %value_shape,
        %value_stride, %value_tile, %value_layout, %value_composed_layout,
        %value_swizzle)
    irdl.operands(value: %value)
  }

  //===-- Construction -----------------------------------------------------===//

  irdl.operation @make_int_tuple attributes {
    group = "Construction", assembly = "(operands) : functional", mixed = "leaves",
    summary = "An int_tuple whose dynamic leaves are the operands, left to right.",
    example = "%t = cute.make_int_tuple(%i) : (i32) -> !cute.int_tuple<\"(?,2)\">"
  } {
    %leaves_integer = irdl.base "!builtin.integer"
    %leaves_int_tuple = irdl.base @cute::@int_tuple
    %leaves = irdl.any_of(%leaves_integer, %leaves_int_tuple)
    %result = irdl.base @cute::@int_tuple
    irdl.operands(leaves: variadic %leaves)
    irdl.results(result: %result)
  }

  irdl.operation @make_shape attributes {
    group = "Construction", assembly = "(operands) : functional", mixed = "leaves",
    summary = "A shape whose dynamic leaves are the operands, left to right.",
    example = "%s = cute.make_shape(%m, %n) : (i32, i32) -> !cute.shape<\"(?,(4,?))\">"
  } {
    %leaves_integer = irdl.base "!builtin.integer"
    %leaves_int_tuple = irdl.base @cute::@int_tuple
    %leaves = irdl.any_of(%leaves_integer, %leaves_int_tuple)
    %result = irdl.base @cute::@shape
    irdl.operands(leaves: variadic %leaves)
    irdl.results(result: %result)
  }

  irdl.operation @make_stride attributes {
    group = "Construction", assembly = "(operands) : functional", mixed = "leaves",
    summary = "A stride whose dynamic leaves are the operands, left to right.",
    example = "%d = cute.make_stride(%ld) : (i32) -> !cute.stride<\"(?,1)\">"
  } {
    %leaves_integer = irdl.base "!builtin.integer"
    %leaves_int_tuple = irdl.base @cute::@int_tuple
    %leaves = irdl.any_of(%leaves_integer, %leaves_int_tuple)
    %result = irdl.base @cute::@stride
    irdl.operands(leaves: variadic %leaves)
    irdl.results(result: %result)
  }

  irdl.operation @make_coord attributes {
    group = "Construction", assembly = "(operands) : functional", mixed = "leaves",
    summary = "A coord whose dynamic leaves are the operands, left to right.",
    example = "%c = cute.make_coord(%i) : (i32) -> !cute.coord<\"(?,_)\">"
  } {
    %leaves_integer = irdl.base "!builtin.integer"
    %leaves_int_tuple = irdl.base @cute::@int_tuple
    %leaves = irdl.any_of(%leaves_integer, %leaves_int_tuple)
    %result = irdl.base @cute::@coord
    irdl.operands(leaves: variadic %leaves)
    irdl.results(result: %result)
  }

  irdl.operation @make_tile attributes {
    group = "Construction", assembly = "(operands) : functional", mixed = "leaves",
    summary = "A tile whose dynamic leaves are the operands, left to right.",
    example = "%t = cute.make_tile(%n) : (i32) -> !cute.tile<\"[?:1;_]\">"
  } {
    %leaves_integer = irdl.base "!builtin.integer"
    %leaves_int_tuple = irdl.base @cute::@int_tuple
    %leaves = irdl.any_of(%leaves_integer, %leaves_int_tuple)
    %result = irdl.base @cute::@tile
    irdl.operands(leaves: variadic %leaves)
    irdl.results(result: %result)
  }

  irdl.operation @make_layout attributes {
    group = "Construction", assembly = "(operands) : functional",
    summary = "The layout shape:stride.",
    example = "%l = cute.make_layout(%s, %d) : (!cute.shape<\"(8,?)\">, !cute.stride<\"(1,8)\">) -> !cute.layout<\"(8,?):(1,8)\">"
  } {
    %shape = irdl.base @cute::@shape
    %stride = irdl.base @cute::@stride
    %result = irdl.base @cute::@layout
    irdl.operands(shape: %shape, stride: %stride)
    irdl.results(result: %result)
  }

  irdl.operation @make_composed_layout attributes {
    group = "Construction", assembly = "(operands) : types -> types", elide = "offset outer result",
    summary = "inner o offset o outer.",
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
    summary = "Compact strides in the order of the layout's own.",
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
    example = "%r = cute.make_identity_layout(%s) : !cute.shape<\"(4,6)\"> -> !cute.layout<\"(4,6):(1@0,1@1)\">"
  } {
    %shape = irdl.base @cute::@shape
    %result = irdl.base @cute::@layout
    irdl.operands(shape: %shape)
    irdl.results(result: %result)
  }

  //===-- Access -----------------------------------------------------------===//

  irdl.operation @get_shape attributes {
    group = "Access", assembly = "(operands) : types -> types",
    summary = "The shape of a layout or tensor, or of a tiler's leaves.",
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
    example = "%d = cute.get_stride(%l) : <\"(4,?):(1,4)\"> -> !cute.stride<\"(1,4)\">"
  } {
    %x = irdl.base @cute::@layout
    %result = irdl.base @cute::@stride
    irdl.operands(x: %x)
    irdl.results(result: %result)
  }

  irdl.operation @composed_get_inner attributes {
    group = "Access", assembly = "(operands) : types -> types", elide = "x",
    summary = "A of A o offset o B.",
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
    summary = "The offset of A o offset o B.",
    example = "%o = cute.composed_get_offset(%x) : <\"S<2,1,3> o 4 o 8:1\"> -> !cute.int_tuple<\"4\">"
  } {
    %x = irdl.base @cute::@composed_layout
    %result = irdl.base @cute::@int_tuple
    irdl.operands(x: %x)
    irdl.results(result: %result)
  }

  irdl.operation @composed_get_outer attributes {
    group = "Access", assembly = "(operands) : types -> types", elide = "x result",
    summary = "B of A o offset o B.",
    example = "%b = cute.composed_get_outer(%x) : <\"S<2,1,3> o 4 o 8:1\"> -> <\"8:1\">"
  } {
    %x = irdl.base @cute::@composed_layout
    %result = irdl.base @cute::@layout
    irdl.operands(x: %x)
    irdl.results(result: %result)
  }

  irdl.operation @get_leaves attributes {
    group = "Access", assembly = "(operands) : types", mixed = "leaves",
    summary = "The leaves, left to right, each as a value of its own.",
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
    summary = "The integers that a value consists of, as i32 or i64.",
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
    summary = "The part that a path of mode numbers leads to.",
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
    summary = "The tuple of the named modes.",
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
    summary = "The number of coordinates, of all or of one mode.",
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
    example = "%n = cute.cosize (%l) : (!cute.layout<\"(4,6):(1,8)\">) -> !cute.int_tuple<\"44\">"
  } {
    %x_layout = irdl.base @cute::@layout
    %x_composed_layout = irdl.base @cute::@composed_layout
    %x = irdl.any_of(%x_layout, %x_composed_layout)
    %result = irdl.base @cute::@int_tuple
    irdl.operands(x: %x)
    irdl.results(result: %result)
  }

  irdl.operation @tuple_product attributes {
    group = "Index", assembly = "(operands) : functional",
    summary = "The product of all leaves.",
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
    summary = "The product of the leaves of each mode.",
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

  irdl.operation @layout_eval attributes {
    group = "Index", assembly = "(operands) : functional",
    summary = "The index, or for scaled bases the coordinate, at a coordinate.",
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
    example = "%c = cute.idx2crd(%i, %s) : (!cute.int_tuple<\"7\">, !cute.shape<\"(3,4)\">) -> !cute.coord<\"(1,2)\">"
  } {
    %index = irdl.base @cute::@int_tuple
    %shape = irdl.base @cute::@shape
    %result = irdl.base @cute::@coord
    irdl.operands(index: %index, shape: %shape)
    irdl.results(result: %result)
  }

  irdl.operation @increment_coord attributes {
    group = "Index", assembly = "(operands) : functional",
    summary = "The next coordinate; the last mode never wraps.",
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
    summary = "Elementwise sum; a scalar 0 is the zero of every tuple.",
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
    summary = "Elementwise difference.",
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

  irdl.operation @elem_less attributes {
    group = "TupleArithmetic", assembly = "(operands) : functional",
    summary = "Whether every leaf is less than its partner.",
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
    summary = "Whether two values are equal.",
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

  //===-- Layout algebra ---------------------------------------------------===//

  irdl.operation @composition attributes {
    group = "LayoutAlgebra", assembly = "(operands) : types -> types",
    summary = "R(c) = lhs(rhs(c)); a tuple works mode by mode.",
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
    summary = "The same function with as few modes as possible.",
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
    summary = "The layout of what another one skips.",
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
    summary = "R with layout(R(i)) = i, as far as that goes.",
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
    example = "%r = cute.left_inverse(%l) : (!cute.layout<\"(4,6):(1,8)\">) -> !cute.layout<\"(8,6):(1,4)\">"
  } {
    %layout = irdl.base @cute::@layout
    %result = irdl.base @cute::@layout
    irdl.operands(layout: %layout)
    irdl.results(result: %result)
  }

  irdl.operation @recast_layout attributes {
    group = "LayoutAlgebra", assembly = "<new_type_bits, old_type_bits> (operands) : types -> types",
    summary = "The layout in units of another element width.",
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

  //===-- Modes ------------------------------------------------------------===//

  irdl.operation @flatten attributes {
    group = "Modes", assembly = "(operands) : functional",
    summary = "One level, the leaves in order.",
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
    summary = "Modes [begin, end) become one.",
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

  irdl.operation @slice attributes {
    group = "Modes", assembly = "(operands) : types",
    summary = "The part under `_` of the coordinate; a tensor moves to it.",
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
    summary = "The element repeated at the end up to a rank.",
    example = "%r = cute.append_to_rank<3> (%s, %e) : !cute.shape<\"(4,6)\">, !cute.shape<\"1\">"
  } {
    %x_int_tuple = irdl.base @cute::@int_tuple
    %x_coord = irdl.base @cute::@coord
    %x_shape = irdl.base @cute::@shape
    %x_stride = irdl.base @cute::@stride
    %x_layout = irdl.base @cute::@layout
    %x_composed_layout = irdl.base @cute::@composed_layout
    %x = irdl.any_of(%x_int_tuple, %x_coord, %x_shape, %x_stride, %x_layout,
        %x_composed_layout)
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
    %result = irdl.any_of(%result_int_tuple, %result_coord, %result_shape,
        %result_stride, %result_layout, %result_composed_layout)
    irdl.operands(x: %x, element: %element)
    irdl.results(result: %result)
  }

  irdl.operation @prepend_to_rank attributes {
    group = "Modes", assembly = "<rank> (operands) : types",
    summary = "The element repeated in front up to a rank.",
    example = "%r = cute.prepend_to_rank<3> (%s, %e) : !cute.shape<\"(4,6)\">, !cute.shape<\"1\">"
  } {
    %x_int_tuple = irdl.base @cute::@int_tuple
    %x_coord = irdl.base @cute::@coord
    %x_shape = irdl.base @cute::@shape
    %x_stride = irdl.base @cute::@stride
    %x_layout = irdl.base @cute::@layout
    %x_composed_layout = irdl.base @cute::@composed_layout
    %x = irdl.any_of(%x_int_tuple, %x_coord, %x_shape, %x_stride, %x_layout,
        %x_composed_layout)
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
    %result = irdl.any_of(%result_int_tuple, %result_coord, %result_shape,
        %result_stride, %result_layout, %result_composed_layout)
    irdl.operands(x: %x, element: %element)
    irdl.results(result: %result)
  }

  //===-- Tiling -----------------------------------------------------------===//

  irdl.operation @logical_divide attributes {
    group = "Tiling", assembly = "(operands) : functional",
    summary = "The layout cut into tiles: (tile, rest), mode by mode for a tuple tiler.",
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
    summary = "The layout cut into tiles: ((tiles...), (rests...)).",
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
    summary = "The layout cut into tiles: ((tiles...), rests...).",
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
    summary = "The layout cut into tiles: (tiles..., rests...).",
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
    summary = "The tensor whose element c lies at pointer + layout(c).",
    example = "%t = cute.make_tensor(%p, %l) : (!cute.ptr<f32, gmem, align<16>>, !cute.layout<\"(8,?):(1,8)\">) -> !cute.tensor<f32, gmem, align<16>, \"(8,?):(1,8)\">"
  } {
    %pointer = irdl.base @cute::@ptr
    %layout_layout = irdl.base @cute::@layout
    %layout_composed_layout = irdl.base @cute::@composed_layout
    %layout = irdl.any_of(%layout_layout, %layout_composed_layout)
    %result = irdl.base @cute::@tensor
    irdl.operands(pointer: %pointer, layout: %layout)
    irdl.results(result: %result)
  }

  irdl.operation @get_iter attributes {
    group = "Tensor", assembly = "(operands) : functional",
    summary = "The pointer of a tensor.",
    example = "%p = cute.get_iter(%t) : (!cute.tensor<f32, gmem, align<16>, \"(8,?):(1,8)\">) -> !cute.ptr<f32, gmem, align<16>>"
  } {
    %tensor = irdl.base @cute::@tensor
    %result = irdl.base @cute::@ptr
    irdl.operands(tensor: %tensor)
    irdl.results(result: %result)
  }

  irdl.operation @get_layout attributes {
    group = "Tensor", assembly = "(operands) : functional",
    summary = "The layout of a tensor.",
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
    example = "%c = cute.make_identity_tensor(%s) : (!cute.shape<\"(8,?)\">) -> !cute.coord_tensor<\"(0,0)\", \"(8,?):(1@0,1@1)\">"
  } {
    %shape = irdl.base @cute::@shape
    %result = irdl.base @cute::@coord_tensor
    irdl.operands(shape: %shape)
    irdl.results(result: %result)
  }

  irdl.operation @assume attributes {
    group = "Tensor", assembly = "(operands) : types -> types",
    summary = "The same value with divisors and alignment that the program guarantees.",
    example = "%a = cute.assume(%t) : !cute.tensor<f16, gmem, align<2>, \"(?,?):(?,1)\"> -> !cute.tensor<f16, gmem, align<16>, \"(?,?):(?{div=8},1)\">"
  } {
    %x_tensor = irdl.base @cute::@tensor
    %x_layout = irdl.base @cute::@layout
    %x_composed_layout = irdl.base @cute::@composed_layout
    %x_shape = irdl.base @cute::@shape
    %x_stride = irdl.base @cute::@stride
    %x_int_tuple = irdl.base @cute::@int_tuple
    %x_coord = irdl.base @cute::@coord
    %x = irdl.any_of(%x_tensor, %x_layout, %x_composed_layout, %x_shape,
        %x_stride, %x_int_tuple, %x_coord)
    %result_tensor = irdl.base @cute::@tensor
    %result_layout = irdl.base @cute::@layout
    %result_composed_layout = irdl.base @cute::@composed_layout
    %result_shape = irdl.base @cute::@shape
    %result_stride = irdl.base @cute::@stride
    %result_int_tuple = irdl.base @cute::@int_tuple
    %result_coord = irdl.base @cute::@coord
    %result = irdl.any_of(%result_tensor, %result_layout,
        %result_composed_layout, %result_shape, %result_stride,
        %result_int_tuple, %result_coord)
    irdl.operands(x: %x)
    irdl.results(result: %result)
  }

  irdl.operation @alloc_smem attributes {
    group = "Tensor", assembly = "<type element, align> (operands) : functional", effects = "allocate",
    summary = "A tensor in shared memory, for the whole life of the block.",
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
    group = "Tensor", assembly = "<type element> (operands) : functional", effects = "allocate",
    summary = "A tensor in the registers of a thread.",
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
    group = "Tensor", assembly = "<type element>? (operands) : functional", effects = "allocate",
    summary = "A compact tensor in registers with the shape of another and its order of strides.",
    example = "%f = cute.make_fragment_like<f32> (%l) : (!cute.layout<\"(4,2):(8,1)\">) -> !cute.tensor<f32, rmem, align<16>, \"(4,(2)):(1,(4))\">"
  } {
    %x_tensor = irdl.base @cute::@tensor
    %x_layout = irdl.base @cute::@layout
    %x_coord_tensor = irdl.base @cute::@coord_tensor
    %x = irdl.any_of(%x_tensor, %x_layout, %x_coord_tensor)
    %result = irdl.base @cute::@tensor
    irdl.operands(x: %x)
    irdl.results(result: %result)
  }

  //===-- Elements ---------------------------------------------------------===//

  irdl.operation @load attributes {
    group = "Memory", assembly = "(operands) : functional", effects = "read",
    summary = "The element at a coordinate.",
    example = "%v = cute.load(%t, %c) : (!cute.tensor<f32, gmem, align<4>, \"(8,?):(1,8)\">, !cute.coord<\"(1,?)\">) -> f32"
  } {
    %tensor = irdl.base @cute::@tensor
    %coord = irdl.base @cute::@coord
    %value = irdl.any
    irdl.operands(tensor: %tensor, coord: %coord)
    irdl.results(value: %value)
  }

  irdl.operation @store attributes {
    group = "Memory", assembly = "(operands) : types", effects = "write",
    summary = "Writes the element at a coordinate.",
    example = "cute.store(%v, %t, %c) : f32, !cute.tensor<f32, gmem, align<4>, \"(8,?):(1,8)\">, !cute.coord<\"(1,?)\">"
  } {
    %value = irdl.any
    %tensor = irdl.base @cute::@tensor
    %coord = irdl.base @cute::@coord
    irdl.operands(value: %value, tensor: %tensor, coord: %coord)
  }

  irdl.operation @fill attributes {
    group = "Memory", assembly = "(operands) : types", effects = "write",
    summary = "Writes a value to all elements of a fragment.",
    example = "cute.fill(%f, %v) : !cute.tensor<f32, rmem, align<16>, \"8:1\">, f32"
  } {
    %tensor = irdl.base @cute::@tensor
    %value = irdl.any
    irdl.operands(tensor: %tensor, value: %value)
  }

  irdl.operation @clear attributes {
    group = "Memory", assembly = "(operands) : types", effects = "write",
    summary = "Writes zero to all elements of a fragment.",
    example = "cute.clear(%f) : !cute.tensor<f32, rmem, align<16>, \"8:1\">"
  } {
    %tensor = irdl.base @cute::@tensor
    irdl.operands(tensor: %tensor)
  }

  irdl.operation @convert attributes {
    group = "Memory", assembly = "(operands) : types", effects = "write",
    summary = "Writes the elements of a fragment to another, converted to its type.",
    example = "cute.convert(%f, %g) : !cute.tensor<f32, rmem, align<16>, \"8:1\">, !cute.tensor<f16, rmem, align<16>, \"8:1\">"
  } {
    %source = irdl.base @cute::@tensor
    %destination = irdl.base @cute::@tensor
    irdl.operands(source: %source, destination: %destination)
  }

  irdl.operation @make_predicate attributes {
    group = "Memory", assembly = "(operands) : functional", effects = "allocate",
    summary = "For each coordinate, whether all of its leaves are below those of the bound.",
    example = "%p = cute.make_predicate(%c, %s) : (!cute.coord_tensor<\"(?,0)\", \"(4,2):(1@0,1@1)\">, !cute.shape<\"(?,?)\">) -> !cute.tensor<i1, rmem, align<16>, \"(4,2):(1,4)\">"
  } {
    %coords = irdl.base @cute::@coord_tensor
    %bound_shape = irdl.base @cute::@shape
    %bound_coord = irdl.base @cute::@coord
    %bound_int_tuple = irdl.base @cute::@int_tuple
    %bound = irdl.any_of(%bound_shape, %bound_coord, %bound_int_tuple)
    %result = irdl.base @cute::@tensor
    irdl.operands(coords: %coords, bound: %bound)
    irdl.results(result: %result)
  }

  //===-- Tiles and parts --------------------------------------------------===//

  irdl.operation @local_tile attributes {
    group = "Partition", assembly = "<string proj>? (operands) : functional",
    summary = "The tile at a coordinate, with the modes of the rest where that has `_`.",
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
    summary = "The part of one thread of a layout of threads that tiles the tensor.",
    example = "%p = cute.local_partition (%t, %l, %i) : (!cute.tensor<f32, smem, align<16>, \"(32,8):(8,1)\">, !cute.layout<\"(8,8):(8,1)\">, i32) -> !cute.tensor<f32, smem, align<4>, \"(4,1):(64,0)\">"
  } {
    %tensor_tensor = irdl.base @cute::@tensor
    %tensor_coord_tensor = irdl.base @cute::@coord_tensor
    %tensor = irdl.any_of(%tensor_tensor, %tensor_coord_tensor)
    %threads = irdl.base @cute::@layout
    %index_integer = irdl.base "!builtin.integer"
    %index_int_tuple = irdl.base @cute::@int_tuple
    %index = irdl.any_of(%index_integer, %index_int_tuple)
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
    example = "%m = cute.make_tiled_mma(%a, %l, %s) : (!cute.mma_atom<\"SM80_16x8x16_F32F16F16F32_TN\">, !cute.layout<\"(2,2,1):(1,2,0)\">, !cute.shape<\"(32,32,16)\">) -> !cute.tiled_mma<\"SM80_16x8x16_F32F16F16F32_TN\", \"(2,2,1):(1,2,0)\", \"[32:1;32:1;16:1]\">"
  } {
    %atom = irdl.base @cute::@mma_atom
    %atom_layout = irdl.base @cute::@layout
    %permutation_tile = irdl.base @cute::@tile
    %permutation_shape = irdl.base @cute::@shape
    %permutation = irdl.any_of(%permutation_tile, %permutation_shape)
    %result = irdl.base @cute::@tiled_mma
    irdl.operands(atom: %atom, atom_layout: %atom_layout, permutation: optional %permutation)
    irdl.results(result: %result)
  }

  irdl.operation @partition_a attributes {
    group = "Mma", assembly = "(operands) : functional",
    summary = "The part of a thread of a tensor (M,K), as (V,M,K).",
    example = "%p = cute.partition_a(%m, %t, %i) : (!cute.tiled_mma<\"SM80_16x8x16_F32F16F16F32_TN\", \"(2,2,1):(1,2,0)\", \"[32:1;32:1;16:1]\">, !cute.tensor<f16, smem, align<16>, \"(64,32):(32,1)\">, i32) -> !cute.tensor<f16, smem, align<4>, \"((2,2,2),2,2):((1,256,8),1024,16)\">"
  } {
    %tiled_mma = irdl.base @cute::@tiled_mma
    %tensor_tensor = irdl.base @cute::@tensor
    %tensor_coord_tensor = irdl.base @cute::@coord_tensor
    %tensor = irdl.any_of(%tensor_tensor, %tensor_coord_tensor)
    %thread_integer = irdl.base "!builtin.integer"
    %thread_int_tuple = irdl.base @cute::@int_tuple
    %thread = irdl.any_of(%thread_integer, %thread_int_tuple)
    %result_tensor = irdl.base @cute::@tensor
    %result_coord_tensor = irdl.base @cute::@coord_tensor
    %result = irdl.any_of(%result_tensor, %result_coord_tensor)
    irdl.operands(tiled_mma: %tiled_mma, tensor: %tensor, thread: %thread)
    irdl.results(result: %result)
  }

  irdl.operation @partition_b attributes {
    group = "Mma", assembly = "(operands) : functional",
    summary = "The part of a thread of a tensor (N,K), as (V,N,K).",
    example = "%p = cute.partition_b(%m, %t, %i) : (!cute.tiled_mma<\"SM80_16x8x16_F32F16F16F32_TN\", \"(2,2,1):(1,2,0)\", \"[32:1;32:1;16:1]\">, !cute.tensor<f16, smem, align<16>, \"(64,32):(32,1)\">, i32) -> !cute.tensor<f16, smem, align<4>, \"((2,2),4,2):((1,8),512,16)\">"
  } {
    %tiled_mma = irdl.base @cute::@tiled_mma
    %tensor_tensor = irdl.base @cute::@tensor
    %tensor_coord_tensor = irdl.base @cute::@coord_tensor
    %tensor = irdl.any_of(%tensor_tensor, %tensor_coord_tensor)
    %thread_integer = irdl.base "!builtin.integer"
    %thread_int_tuple = irdl.base @cute::@int_tuple
    %thread = irdl.any_of(%thread_integer, %thread_int_tuple)
    %result_tensor = irdl.base @cute::@tensor
    %result_coord_tensor = irdl.base @cute::@coord_tensor
    %result = irdl.any_of(%result_tensor, %result_coord_tensor)
    irdl.operands(tiled_mma: %tiled_mma, tensor: %tensor, thread: %thread)
    irdl.results(result: %result)
  }

  irdl.operation @partition_c attributes {
    group = "Mma", assembly = "(operands) : functional",
    summary = "The part of a thread of a tensor (M,N), as (V,M,N).",
    example = "%p = cute.partition_c(%m, %t, %i) : (!cute.tiled_mma<\"SM80_16x8x16_F32F16F16F32_TN\", \"(2,2,1):(1,2,0)\", \"[32:1;32:1;16:1]\">, !cute.tensor<f32, gmem, align<16>, \"(64,64):(64,1)\">, i32) -> !cute.tensor<f32, gmem, align<8>, \"((2,2),2,4):((1,512),2048,16)\">"
  } {
    %tiled_mma = irdl.base @cute::@tiled_mma
    %tensor_tensor = irdl.base @cute::@tensor
    %tensor_coord_tensor = irdl.base @cute::@coord_tensor
    %tensor = irdl.any_of(%tensor_tensor, %tensor_coord_tensor)
    %thread_integer = irdl.base "!builtin.integer"
    %thread_int_tuple = irdl.base @cute::@int_tuple
    %thread = irdl.any_of(%thread_integer, %thread_int_tuple)
    %result_tensor = irdl.base @cute::@tensor
    %result_coord_tensor = irdl.base @cute::@coord_tensor
    %result = irdl.any_of(%result_tensor, %result_coord_tensor)
    irdl.operands(tiled_mma: %tiled_mma, tensor: %tensor, thread: %thread)
    irdl.results(result: %result)
  }

  irdl.operation @make_fragment_a attributes {
    group = "Mma", assembly = "(operands) : functional", effects = "allocate",
    summary = "Registers for the part of operand A that a thread has.",
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
    group = "Mma", assembly = "(operands) : functional", effects = "allocate",
    summary = "Registers for the part of operand B that a thread has.",
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
    group = "Mma", assembly = "(operands) : functional", effects = "allocate",
    summary = "Registers for the part of operand C that a thread has.",
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

  irdl.operation @gemm attributes {
    group = "Mma", assembly = "(operands) : types", effects = "write",
    summary = "D = A B + C over fragments (V,M,N), (V,M,K), (V,N,K), (V,M,N); K may be missing.",
    example = "cute.gemm(%m, %c, %a, %b, %c) : !cute.tiled_mma<\"SM80_16x8x16_F32F16F16F32_TN\", \"(2,2,1):(1,2,0)\", \"[32:1;32:1;16:1]\">, !cute.tensor<f32, rmem, align<16>, \"((2,2),2,4):((1,2),4,8)\">, !cute.tensor<f16, rmem, align<16>, \"((2,2,2),2):((1,2,4),8)\">, !cute.tensor<f16, rmem, align<16>, \"((2,2),4):((1,2),4)\">, !cute.tensor<f32, rmem, align<16>, \"((2,2),2,4):((1,2),4,8)\">"
  } {
    %mma_tiled_mma = irdl.base @cute::@tiled_mma
    %mma_mma_atom = irdl.base @cute::@mma_atom
    %mma = irdl.any_of(%mma_tiled_mma, %mma_mma_atom)
    %d = irdl.base @cute::@tensor
    %a = irdl.base @cute::@tensor
    %b = irdl.base @cute::@tensor
    %c = irdl.base @cute::@tensor
    irdl.operands(mma: %mma, d: %d, a: %a, b: %b, c: %c)
  }

  irdl.operation @mma_atom_call attributes {
    group = "Mma", assembly = "(operands) : types", effects = "write",
    summary = "One instruction: D = A B + C over the values of the atom.",
    example = "cute.mma_atom_call(%m, %c, %a, %b, %c) : !cute.tiled_mma<\"SM80_16x8x16_F32F16F16F32_TN\", \"(2,2,1):(1,2,0)\", \"[32:1;32:1;16:1]\">, !cute.tensor<f32, rmem, align<16>, \"((2,2)):((1,2))\">, !cute.tensor<f16, rmem, align<16>, \"((2,2,2)):((1,2,4))\">, !cute.tensor<f16, rmem, align<16>, \"((2,2)):((1,2))\">, !cute.tensor<f32, rmem, align<16>, \"((2,2)):((1,2))\">"
  } {
    %mma_tiled_mma = irdl.base @cute::@tiled_mma
    %mma_mma_atom = irdl.base @cute::@mma_atom
    %mma = irdl.any_of(%mma_tiled_mma, %mma_mma_atom)
    %d = irdl.base @cute::@tensor
    %a = irdl.base @cute::@tensor
    %b = irdl.base @cute::@tensor
    %c = irdl.base @cute::@tensor
    irdl.operands(mma: %mma, d: %d, a: %a, b: %b, c: %c)
  }

  //===-- Copies -----------------------------------------------------------===//

  irdl.operation @make_tiled_copy attributes {
    group = "Copy", assembly = "(operands) : functional",
    summary = "The atom repeated over a layout of threads, each with a layout of values.",
    example = "%c = cute.make_tiled_copy(%a, %t, %v) : (!cute.copy_atom<\"UniversalCopy<uint128_t>\", f16>, !cute.layout<\"(16,8):(8,1)\">, !cute.layout<\"(1,8):(0,1)\">) -> !cute.tiled_copy<\"UniversalCopy<uint128_t>\", f16, \"((8,16),8):((128,1),16)\", \"[16:1;64:1]\">"
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
    summary = "The copy that distributes values as operand A of a tiled MMA has them.",
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
    summary = "The copy that distributes values as operand B of a tiled MMA has them.",
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
    summary = "The copy that distributes values as operand C of a tiled MMA has them.",
    example = "%c = cute.make_tiled_copy_c(%a, %m) : (!cute.copy_atom<\"UniversalCopy<uint64_t>\", f32>, !cute.tiled_mma<\"SM80_16x8x16_F32F16F16F32_TN\", \"(2,2,1):(1,2,0)\", \"[32:1;32:1;16:1]\">) -> !cute.tiled_copy<\"UniversalCopy<uint64_t>\", f32, \"((4,8,2,2),((2,2),(1,2))):((64,1,16,256),((32,8),(0,512)))\", \"[32:1;32:1]\">"
  } {
    %atom = irdl.base @cute::@copy_atom
    %tiled_mma = irdl.base @cute::@tiled_mma
    %result = irdl.base @cute::@tiled_copy
    irdl.operands(atom: %atom, tiled_mma: %tiled_mma)
    irdl.results(result: %result)
  }

  irdl.operation @partition_s attributes {
    group = "Copy", assembly = "(operands) : functional",
    summary = "The part of a thread of the source, as ((atom values, rest), Rest...).",
    example = "%p = cute.partition_s(%c, %t, %i) : (!cute.tiled_copy<\"UniversalCopy<uint128_t>\", f16, \"((8,16),8):((128,1),16)\", \"[16:1;64:1]\">, !cute.tensor<f16, smem, align<16>, \"(64,128):(128,1)\">, i32) -> !cute.tensor<f16, smem, align<16>, \"((8,1),4,2):((1,0),2048,64)\">"
  } {
    %tiled_copy = irdl.base @cute::@tiled_copy
    %tensor_tensor = irdl.base @cute::@tensor
    %tensor_coord_tensor = irdl.base @cute::@coord_tensor
    %tensor = irdl.any_of(%tensor_tensor, %tensor_coord_tensor)
    %thread_integer = irdl.base "!builtin.integer"
    %thread_int_tuple = irdl.base @cute::@int_tuple
    %thread = irdl.any_of(%thread_integer, %thread_int_tuple)
    %result_tensor = irdl.base @cute::@tensor
    %result_coord_tensor = irdl.base @cute::@coord_tensor
    %result = irdl.any_of(%result_tensor, %result_coord_tensor)
    irdl.operands(tiled_copy: %tiled_copy, tensor: %tensor, thread: %thread)
    irdl.results(result: %result)
  }

  irdl.operation @partition_d attributes {
    group = "Copy", assembly = "(operands) : functional",
    summary = "The part of a thread of the destination, as ((atom values, rest), Rest...).",
    example = "%p = cute.partition_d(%c, %t, %i) : (!cute.tiled_copy<\"UniversalCopy<uint128_t>\", f16, \"((8,16),8):((128,1),16)\", \"[16:1;64:1]\">, !cute.tensor<f16, smem, align<16>, \"(64,128):(128,1)\">, i32) -> !cute.tensor<f16, smem, align<16>, \"((8,1),4,2):((1,0),2048,64)\">"
  } {
    %tiled_copy = irdl.base @cute::@tiled_copy
    %tensor_tensor = irdl.base @cute::@tensor
    %tensor_coord_tensor = irdl.base @cute::@coord_tensor
    %tensor = irdl.any_of(%tensor_tensor, %tensor_coord_tensor)
    %thread_integer = irdl.base "!builtin.integer"
    %thread_int_tuple = irdl.base @cute::@int_tuple
    %thread = irdl.any_of(%thread_integer, %thread_int_tuple)
    %result_tensor = irdl.base @cute::@tensor
    %result_coord_tensor = irdl.base @cute::@coord_tensor
    %result = irdl.any_of(%result_tensor, %result_coord_tensor)
    irdl.operands(tiled_copy: %tiled_copy, tensor: %tensor, thread: %thread)
    irdl.results(result: %result)
  }

  irdl.operation @retile attributes {
    group = "Copy", assembly = "(operands) : functional",
    summary = "A fragment that something else was partitioned for, as the copy sees it.",
    example = "%r = cute.retile(%c, %f) : (!cute.tiled_copy<\"SM75_U32x4_LDSM_N\", f16, \"((4,8,2,2),((2,2,2),(1,1))):((64,1,16,0),((32,8,256),(0,0)))\", \"[32:1;16:1]\">, !cute.tensor<f16, rmem, align<16>, \"((2,2,2),2,2):((1,2,4),16,8)\">) -> !cute.tensor<f16, rmem, align<16>, \"((8,1),2,2):((1,0),16,8)\">"
  } {
    %tiled_copy = irdl.base @cute::@tiled_copy
    %fragment = irdl.base @cute::@tensor
    %result = irdl.base @cute::@tensor
    irdl.operands(tiled_copy: %tiled_copy, fragment: %fragment)
    irdl.results(result: %result)
  }

  irdl.operation @copy attributes {
    group = "Copy", assembly = "(operands) : types", effects = "write",
    summary = "Copies what a thread has; a predicate has one i1 for each access.",
    example = "cute.copy(%c, %s, %d) : !cute.tiled_copy<\"UniversalCopy<uint128_t>\", f16, \"((8,16),8):((128,1),16)\", \"[16:1;64:1]\">, !cute.tensor<f16, gmem, align<16>, \"((8,1),4):((1,0),1024)\">, !cute.tensor<f16, smem, align<16>, \"((8,1),4):((1,0),512)\">"
  } {
    %copy_tiled_copy = irdl.base @cute::@tiled_copy
    %copy_copy_atom = irdl.base @cute::@copy_atom
    %copy = irdl.any_of(%copy_tiled_copy, %copy_copy_atom)
    %source = irdl.base @cute::@tensor
    %destination = irdl.base @cute::@tensor
    %predicate = irdl.base @cute::@tensor
    irdl.operands(copy: %copy, source: %source, destination: %destination, predicate: optional %predicate)
  }

  irdl.operation @copy_atom_call attributes {
    group = "Copy", assembly = "(operands) : types", effects = "write",
    summary = "One access of a copy.",
    example = "cute.copy_atom_call(%c, %s, %d) : !cute.tiled_copy<\"UniversalCopy<uint128_t>\", f16, \"((8,16),8):((128,1),16)\", \"[16:1;64:1]\">, !cute.tensor<f16, gmem, align<16>, \"((8,1)):((1,0))\">, !cute.tensor<f16, smem, align<16>, \"((8,1)):((1,0))\">"
  } {
    %copy_tiled_copy = irdl.base @cute::@tiled_copy
    %copy_copy_atom = irdl.base @cute::@copy_atom
    %copy = irdl.any_of(%copy_tiled_copy, %copy_copy_atom)
    %source = irdl.base @cute::@tensor
    %destination = irdl.base @cute::@tensor
    %predicate = irdl.base @cute::@tensor
    irdl.operands(copy: %copy, source: %source, destination: %destination, predicate: optional %predicate)
  }

  irdl.operation @cp_async_commit attributes {
    group = "Copy", assembly = "", effects = "write",
    summary = "Closes the group of cp.async copies issued so far.",
    example = "cute.cp_async_commit"
  } {
  }

  irdl.operation @cp_async_wait attributes {
    group = "Copy", assembly = "<n>", effects = "write",
    summary = "Waits until at most n of the latest groups are pending.",
    example = "cute.cp_async_wait<1>"
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
