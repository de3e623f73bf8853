// The structure of a manifest (docs/abi.md): the keys and words that cutec
// writes and launchers read.
#pragma once

enum { CUTE_MANIFEST_VERSION = 1 };

// Keys of the manifest.
#define CUTE_KEY_VERSION "version"
#define CUTE_KEY_FILE "file"
#define CUTE_KEY_ARCH "arch"
#define CUTE_KEY_KERNELS "kernels"

// Keys of a kernel.
#define CUTE_KEY_NAME "name"
#define CUTE_KEY_PARAMETERS "parameters"
#define CUTE_KEY_STATIC_SHARED "static_shared_bytes"
#define CUTE_KEY_DYNAMIC_SHARED "dynamic_shared_bytes"
#define CUTE_KEY_BLOCK "block"
#define CUTE_KEY_GRID "grid"
#define CUTE_KEY_CLUSTER "cluster" // [x, y, z] blocks
#define CUTE_KEY_PREFERRED_CLUSTER "preferred_cluster"
#define CUTE_KEY_PDL "pdl" // programmatic dependent launch
#define CUTE_KEY_COOPERATIVE "cooperative"

// Keys of a parameter.
#define CUTE_KEY_INDEX "index"
#define CUTE_KEY_TYPE "type"
#define CUTE_KEY_PASSED_AS "passed_as"
#define CUTE_ROLE_WORD "word"    // of a struct: follows the part before
#define CUTE_KEY_HIDDEN "hidden" // no argument is given for it
#define CUTE_KEY_ELEMENT "element"
#define CUTE_KEY_ALIGN "align"
#define CUTE_KEY_SHAPE "shape"
#define CUTE_KEY_STRIDE "stride"

// Keys of a part of a parameter, and its kinds.
#define CUTE_KEY_KIND "kind"
#define CUTE_KEY_BITS "bits"
#define CUTE_KEY_BYTES "bytes"
#define CUTE_KEY_ROLE "role"
#define CUTE_KIND_POINTER "pointer"
#define CUTE_KIND_INTEGER "integer"
#define CUTE_KIND_FLOAT "float"
#define CUTE_KIND_OPAQUE "opaque"
#define CUTE_KIND_TENSOR_MAP "tensor_map"

// Keys of a tensor map, beside CUTE_KEY_ELEMENT; the first mode is the
// innermost.
#define CUTE_KEY_TENSOR "tensor" // argN
#define CUTE_KEY_DIMS "dims"
#define CUTE_KEY_STRIDES "strides" // bytes, of all modes but the first
#define CUTE_KEY_BOX "box"
#define CUTE_KEY_ELEMENT_STRIDES "element_strides"
#define CUTE_KEY_INTERLEAVE "interleave"
#define CUTE_KEY_SWIZZLE "swizzle"
#define CUTE_KEY_PACKED "packed_bits" // of elements that have a byte later
#define CUTE_KEY_L2 "l2"
#define CUTE_KEY_OOB "oob"
#define CUTE_KEY_LOWER_CORNER "lower_corner"
#define CUTE_KEY_UPPER_CORNER "upper_corner"
#define CUTE_KEY_CHANNELS "channels_per_pixel"
#define CUTE_KEY_PIXELS "pixels_per_column"

enum { CUTE_TENSOR_MAP_BYTES = 128, CUTE_TENSOR_MAP_ALIGN = 64 };

// Names in formulas that a launcher knows of the device.
#define CUTE_NAME_ACTIVE_CLUSTERS "active_clusters"
#define CUTE_NAME_MULTIPROCESSORS "multiprocessors"

// The words of a tensor map in the order of the driver's enumerations.
typedef enum CuteMapInterleave {
  CUTE_MAP_INTERLEAVE_NONE,
  CUTE_MAP_INTERLEAVE_16B,
  CUTE_MAP_INTERLEAVE_32B,
  CUTE_NUM_MAP_INTERLEAVES
} CuteMapInterleave;

typedef enum CuteMapSwizzle {
  CUTE_MAP_SWIZZLE_NONE,
  CUTE_MAP_SWIZZLE_32B,
  CUTE_MAP_SWIZZLE_64B,
  CUTE_MAP_SWIZZLE_128B,
  CUTE_MAP_SWIZZLE_128B_ATOM_32B,
  CUTE_MAP_SWIZZLE_128B_ATOM_32B_FLIP_8B,
  CUTE_MAP_SWIZZLE_128B_ATOM_64B,
  CUTE_NUM_MAP_SWIZZLES
} CuteMapSwizzle;

typedef enum CuteMapPromotion {
  CUTE_MAP_PROMOTION_NONE,
  CUTE_MAP_PROMOTION_64B,
  CUTE_MAP_PROMOTION_128B,
  CUTE_MAP_PROMOTION_256B,
  CUTE_NUM_MAP_PROMOTIONS
} CuteMapPromotion;

typedef enum CuteMapFill {
  CUTE_MAP_FILL_ZERO,
  CUTE_MAP_FILL_NAN,
  CUTE_NUM_MAP_FILLS
} CuteMapFill;

extern const char *const cuteMapInterleaves[CUTE_NUM_MAP_INTERLEAVES];
extern const char *const cuteMapSwizzles[CUTE_NUM_MAP_SWIZZLES];
extern const char *const cuteMapPromotions[CUTE_NUM_MAP_PROMOTIONS];
extern const char *const cuteMapFills[CUTE_NUM_MAP_FILLS];
