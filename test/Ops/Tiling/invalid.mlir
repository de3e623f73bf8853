// What divides, products and tile_to_shape reject, and that the message says why.
// RUN: cute-opt %s --split-input-file --verify-diagnostics

func.func @logical_divide(%a: !cute.layout<"(10,12):(12,1)">, %b: !cute.layout<"10:12">) {
  // expected-error @+1 {{'cute.logical_divide' op composition: stride 12 is at least the extent 10 of a mode on the left, but not a multiple of it}}
  %r = cute.logical_divide(%a, %b)
  return
}

// -----
func.func @logical_divide(%a: !cute.layout<"(10,12):(12,1)">, %b: !cute.shape<"((5,2),4)">) {
  // expected-error @+1 {{the tiler is nested deeper than the shape (10,12)}}
  %r = cute.logical_divide(%a, %b)
  return
}

// -----
func.func @logical_divide(%a: !cute.layout<"(10,12):(12,1)">, %b: !cute.tile<"[5:1@0;4]">) {
  // expected-error @+1 {{inside a tile a layout needs integer strides, not 1@0}}
  %r = cute.logical_divide(%a, %b)
  return
}

// -----
func.func @logical_divide(%a: !cute.layout<"(10,12):(12,1)">, %b: !cute.shape<"(5,4,1)">) {
  // expected-error @+1 {{the tiler has 3 modes, the layout 2}}
  %r = cute.logical_divide(%a, %b)
  return
}

// -----
func.func @logical_divide(%a: !cute.layout<"24:1">, %b: !cute.layout<"(2,?):(1,?)">) {
  // expected-error @+1 {{a tiler of more than one mode needs static strides, not (1,?)}}
  %r = cute.logical_divide(%a, %b)
  return
}

// -----
func.func @logical_divide(%a: !cute.layout<"(?,8):(8,1)">, %b: !cute.layout<"4:2@1">) {
  // expected-error @+1 {{a tiler with scaled basis strides must be static and divide a static shape}}
  %r = cute.logical_divide(%a, %b)
  return
}

// -----
func.func @logical_divide(%a: !cute.layout<"24:1">, %b: !cute.layout<"(2,2):(1,1)">) {
  // expected-error @+1 {{complement: the mode of stride 1 overlaps what smaller strides cover up to 2}}
  %r = cute.logical_divide(%a, %b)
  return
}

// -----
func.func @logical_divide(%a: !cute.layout<"24:1">, %b: !cute.shape<"0">) {
  // expected-error @+1 {{an extent must be a positive integer, not 0}}
  %r = cute.logical_divide(%a, %b)
  return
}

// -----
func.func @logical_divide(%a: !cute.layout<"24:1">,
                %b: !cute.composed_layout<"S<2,1,3> o 0 o 8:1">) {
  // expected-error @+1 {{operand #1 (tiler) must be shape or tile or layout, not !cute.composed_layout}}
  %r = cute.logical_divide(%a, %b)
  return
}

// -----
func.func @logical_divide(%a: !cute.shape<"24">, %b: !cute.shape<"4">) {
  // expected-error @+1 {{operand #0 (layout) must be layout or}}
  %r = cute.logical_divide(%a, %b)
  return
}

// -----
func.func @logical_divide(%a: !cute.layout<"24:1">) {
  // expected-error @+1 {{expected 2 operands, found 1}}
  %r = cute.logical_divide(%a)
  return
}

// -----
func.func @logical_divide(%a: !cute.layout<"24:1">, %b: !cute.shape<"4">) {
  // expected-error @+1 {{inferred result type !cute.layout<"(4,6):(1,4)"> differs from the written !cute.layout<"(4,6):(6,1)">}}
  %r = cute.logical_divide(%a, %b) : (!cute.layout<"24:1">, !cute.shape<"4">) -> !cute.layout<"(4,6):(6,1)">
  return
}

// -----
func.func @zipped_divide(%a: !cute.layout<"(10,12):(12,1)">, %b: !cute.tile<"[5;_]">) {
  // expected-error @+1 {{'cute.zipped_divide' op divide: not a tile and its rest, which a tiler's layouts and extents make but `_` does not: 12}}
  %r = cute.zipped_divide(%a, %b)
  return
}

// -----
func.func @zipped_divide(%a: !cute.layout<"(10,12):(12,1)">, %b: !cute.shape<"(5,4,1)">) {
  // expected-error @+1 {{the tiler has 3 modes, the layout 2}}
  %r = cute.zipped_divide(%a, %b)
  return
}

// -----
func.func @tiled_divide(%a: !cute.layout<"24:1">, %b: !cute.tile<"_">) {
  // expected-error @+1 {{'cute.tiled_divide' op divide: not a tile and its rest, which a tiler's layouts and extents make but `_` does not: 24}}
  %r = cute.tiled_divide(%a, %b)
  return
}

// -----
func.func @tiled_divide(%a: !cute.layout<"(10,12):(12,1)">, %b: !cute.tile<"[]">) {
  // expected-error @+1 {{an empty tiler has no tiles to unpack}}
  %r = cute.tiled_divide(%a, %b)
  return
}

// -----
func.func @flat_divide(%a: !cute.layout<"(10,12):(12,1)">, %b: !cute.shape<"()">) {
  // expected-error @+1 {{'cute.flat_divide' op divide: an empty tiler has no tiles to unpack}}
  %r = cute.flat_divide(%a, %b)
  return
}

// -----
func.func @flat_divide(%a: !cute.layout<"(10,12):(12,1)">, %b: !cute.tile<"[5;_]">) {
  // expected-error @+1 {{does not: 12}}
  %r = cute.flat_divide(%a, %b)
  return
}

// -----
func.func @logical_product(%a: !cute.layout<"(2,2):(1,1)">, %b: !cute.layout<"3:1">) {
  // expected-error @+1 {{'cute.logical_product' op complement: the mode of stride 1 overlaps what smaller strides cover up to 2}}
  %r = cute.logical_product(%a, %b)
  return
}

// -----
func.func @logical_product(%a: !cute.layout<"?:1">, %b: !cute.layout<"3:1">) {
  // expected-error @+1 {{the left layout must be static, not ?:1}}
  %r = cute.logical_product(%a, %b)
  return
}

// -----
func.func @logical_product(%a: !cute.layout<"4:1">, %b: !cute.layout<"3:1@0">) {
  // expected-error @+1 {{the right factor must be a plain layout with integer strides}}
  %r = cute.logical_product(%a, %b)
  return
}

// -----
func.func @logical_product(%a: !cute.layout<"(4,4):(1@0,1@1)">, %b: !cute.layout<"?:1">) {
  // expected-error @+1 {{with scaled basis strides on the left the right layout must be static}}
  %r = cute.logical_product(%a, %b)
  return
}

// -----
func.func @logical_product(%a: !cute.layout<"4:1">, %b: !cute.shape<"3">) {
  // expected-error @+1 {{operand #1 (tiler) must be layout, not !cute.shape<"3">}}
  %r = cute.logical_product(%a, %b)
  return
}

// -----
func.func @zipped_product(%a: !cute.layout<"4:-1">, %b: !cute.layout<"3:1">) {
  // expected-error @+1 {{'cute.zipped_product' op complement: the mode of stride -1 overlaps}}
  %r = cute.zipped_product(%a, %b)
  return
}

// -----
func.func @tiled_product(%a: !cute.layout<"(2,2):(1,1)">, %b: !cute.layout<"3:1">) {
  // expected-error @+1 {{'cute.tiled_product' op complement: the mode of stride 1 overlaps}}
  %r = cute.tiled_product(%a, %b)
  return
}

// -----
func.func @flat_product(%a: !cute.layout<"(?,2):(1,4)">, %b: !cute.layout<"3:1">) {
  // expected-error @+1 {{'cute.flat_product' op product: the left layout must be static}}
  %r = cute.flat_product(%a, %b)
  return
}

// -----
func.func @blocked_product(%a: !cute.layout<"(2):(1)">, %b: !cute.layout<"6:1">) {
  // expected-error @+1 {{'cute.blocked_product' op product: modes cannot be paired in (2) and 6}}
  %r = cute.blocked_product(%a, %b)
  return
}

// -----
func.func @raked_product(%a: !cute.layout<"4:2">, %b: !cute.layout<"6:1">) {
  // expected-error @+1 {{'cute.raked_product' op product: modes cannot be paired in (2,3) and 4}}
  %r = cute.raked_product(%a, %b)
  return
}

// -----
func.func @raked_product(%a: !cute.layout<"4:2">, %b: !cute.layout<"?:1">) {
  // expected-error @+1 {{modes cannot be paired in (?,?) and 4}}
  %r = cute.raked_product(%a, %b)
  return
}

// -----
func.func @tile_to_shape(%a: !cute.layout<"(4,8):(8,1)">, %b: !cute.shape<"8">) {
  // expected-error @+1 {{'cute.tile_to_shape' op tile_to_shape: the block's shape (4,8) has more modes than 8}}
  %r = cute.tile_to_shape(%a, %b)
  return
}

// -----
func.func @tile_to_shape(%a: !cute.layout<"(4,8):(8,1)">,
                %b: !cute.shape<"(8,16)">,
                %c: !cute.int_tuple<"(0,0)">) {
  // expected-error @+1 {{order (0,0) needs a different number for each mode of (8,16)}}
  %r = cute.tile_to_shape(%a, %b, %c)
  return
}

// -----
func.func @tile_to_shape(%a: !cute.layout<"(4,8):(8,1)">,
                %b: !cute.shape<"(8,16)">,
                %c: !cute.int_tuple<"(0,?)">) {
  // expected-error @+1 {{order (0,?) needs a different number}}
  %r = cute.tile_to_shape(%a, %b, %c)
  return
}

// -----
func.func @tile_to_shape(%a: !cute.layout<"(4,8):(8,1)">,
                %b: !cute.shape<"(8,16)">,
                %c: !cute.int_tuple<"(0,1,2)">) {
  // expected-error @+1 {{order (0,1,2) needs a different number}}
  %r = cute.tile_to_shape(%a, %b, %c)
  return
}

// -----
func.func @tile_to_shape(%a: !cute.layout<"(4,8):(8,1)">, %b: !cute.shape<"(0,16)">) {
  // expected-error @+1 {{an extent must be a positive integer, not 0}}
  %r = cute.tile_to_shape(%a, %b)
  return
}

// -----
func.func @tile_to_shape(%a: !cute.layout<"(4,?):(?,1)">, %b: !cute.shape<"(8,16)">) {
  // expected-error @+1 {{a block that is repeated must have static strides, not (?,1)}}
  %r = cute.tile_to_shape(%a, %b)
  return
}

// -----
func.func @tile_to_shape(%a: !cute.layout<"(2,2):(1,1)">, %b: !cute.shape<"(8,16)">) {
  // expected-error @+1 {{overlaps}}
  %r = cute.tile_to_shape(%a, %b)
  return
}

// -----
func.func @tile_to_shape(%a: !cute.layout<"(4,8):(8,1)">, %b: !cute.layout<"(8,16)">) {
  // expected-error @+1 {{operand #1 (shape) must be shape, not !cute.layout}}
  %r = cute.tile_to_shape(%a, %b)
  return
}

// -----
func.func @tile_to_shape(%a: !cute.layout<"(4,8):(8,1)">) {
  // expected-error @+1 {{expected 2 to 3 operands, found 1}}
  %r = cute.tile_to_shape(%a)
  return
}

// -----
func.func @empty_block(%a: !cute.layout<"():()">, %b: !cute.layout<"4:1">) {
  // expected-error @+1 {{'cute.raked_product' op product: the block has no modes to repeat}}
  %r = cute.raked_product(%a, %b)
  return
}
