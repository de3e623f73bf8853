# LLVM and MLIR 22: their C API, and the libraries behind it.

find_path(CUTE_LLVM_INCLUDE mlir-c/IR.h
          PATHS ${CUTE_LLVM_PREFIX}/include NO_DEFAULT_PATH)
find_path(CUTE_LLVM_C_INCLUDE llvm-c/Core.h
          PATHS ${CUTE_LLVM_PREFIX}/include NO_DEFAULT_PATH)
find_library(CUTE_MLIR_LIBRARY MLIR PATHS ${CUTE_LLVM_PREFIX}/lib
             NO_DEFAULT_PATH)
find_library(CUTE_LLVM_LIBRARY NAMES LLVM-22 LLVM
             PATHS ${CUTE_LLVM_PREFIX}/lib NO_DEFAULT_PATH)
file(GLOB CUTE_MLIR_C_ARCHIVES ${CUTE_LLVM_PREFIX}/lib/libMLIRCAPI*.a)

cute_require(CUTE_LLVM_INCLUDE "The MLIR C API (mlir-c/IR.h)" libmlir-22-dev)
cute_require(CUTE_LLVM_C_INCLUDE "The LLVM C API (llvm-c/Core.h)" llvm-22-dev)
cute_require(CUTE_MLIR_LIBRARY "libMLIR.so" libmlir-22-dev)
cute_require(CUTE_LLVM_LIBRARY "libLLVM-22.so" llvm-22-dev)
cute_require(CUTE_MLIR_C_ARCHIVES "libMLIRCAPI*.a" libmlir-22-dev)

file(STRINGS ${CUTE_LLVM_INCLUDE}/llvm/Config/llvm-config.h version_line
     REGEX "#define LLVM_VERSION_MAJOR")
if(NOT version_line MATCHES " 22$")
  message(FATAL_ERROR "LLVM 22 is needed, but ${CUTE_LLVM_PREFIX} has: "
                      "${version_line}")
endif()

# The C API lives in static archives over libMLIR.so, which is C++ inside.
add_library(CuteMlirShared INTERFACE)
target_include_directories(CuteMlirShared SYSTEM INTERFACE ${CUTE_LLVM_INCLUDE})
target_link_libraries(CuteMlirShared INTERFACE
  ${CUTE_MLIR_LIBRARY} ${CUTE_LLVM_LIBRARY} stdc++ pthread dl m)
add_library(CuteMlir INTERFACE)
target_link_libraries(CuteMlir INTERFACE
  -Wl,--start-group ${CUTE_MLIR_C_ARCHIVES} -Wl,--end-group CuteMlirShared)
