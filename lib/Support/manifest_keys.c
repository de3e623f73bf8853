#include "Support/manifest_keys.h"

const char *const cuteMapInterleaves[] = {"none", "16B", "32B"};

const char *const cuteMapSwizzles[] = {"none",          "32B",
                                       "64B",           "128B",
                                       "128B_atom_32B", "128B_atom_32B_flip_8B",
                                       "128B_atom_64B"};

const char *const cuteMapPromotions[] = {"none", "64B", "128B", "256B"};

const char *const cuteMapFills[] = {"zero", "nan"};
