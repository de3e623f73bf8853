// Builds a GEMM for a tile of BM x BN x BK without any text of it, and prints
// its PTX: build_gemm BM BN BK [sm_80].
//
//   cc examples/embed/build_gemm.c $(pkg-config --cflags --libs cute)
#include "gemm_builder.h"

#include <stdlib.h>

// The library gives text in pieces.
static void print(MlirStringRef piece, void *file) {
  fwrite(piece.data, 1, piece.length, file);
}

int main(int argc, char **argv) {
  int bm = argc > 3 ? atoi(argv[1]) : 0, bn = bm ? atoi(argv[2]) : 0;
  int bk = bm ? atoi(argv[3]) : 0;
  if (!isGemmTile(bm, bn, bk)) {
    fprintf(stderr, "usage: build_gemm BM BN BK [sm_80]\n"
                    "BM and BN are 64 or 128, BK is 16, 32 or 64\n");
    return 1;
  }
  MlirContext context = cuteMlirContextCreate();
  MlirModule module = buildGemm(context, bm, bn, bk);
  bool ok = !mlirModuleIsNull(module);
  if (ok) {
    CuteCompileOptions options = {.size = sizeof options,
                                  .arch = argc > 4 ? argv[4] : "sm_80",
                                  .emit = CUTE_EMIT_PTX,
                                  .optLevel = 2};
    ok = mlirLogicalResultIsSuccess(
        cuteModuleCompile(module, &options, print, stdout, NULL));
    mlirModuleDestroy(module);
  }
  cuteMlirContextDestroy(context);
  return !ok;
}
