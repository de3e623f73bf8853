# LLVM and MLIR 22: their C API, and the libraries behind it.

# What linking LLVM's archives takes. Programs then start in a tenth of the time, so that
# this is the default where all of it is installed.
find_program(CUTE_LLD NAMES ld.lld-22 ld.lld HINTS ${CUTE_LLVM_PREFIX}/bin)
file(GLOB llvm_archives ${CUTE_LLVM_PREFIX}/lib/libMLIR*.a
     ${CUTE_LLVM_PREFIX}/lib/libLLVM*.a)
find_library(CUTE_ZLIB NAMES libz.a z)
find_library(CUTE_ZSTD NAMES libzstd.a zstd)
set(default shared)
if(CUTE_LLD AND llvm_archives MATCHES "libMLIRIR[.]a" AND
   llvm_archives MATCHES "libLLVMCore[.]a" AND CUTE_ZLIB AND CUTE_ZSTD)
  set(default static)
endif()

set(CUTE_LLVM ${default} CACHE STRING
    "static: libcute contains what it uses of LLVM and MLIR. shared: it needs \
libMLIR.so and libLLVM.so, and starts more slowly")
set_property(CACHE CUTE_LLVM PROPERTY STRINGS static shared)
if(NOT CUTE_LLVM MATCHES "^(shared|static)$")
  message(FATAL_ERROR "CUTE_LLVM is static or shared, not '${CUTE_LLVM}'")
endif()
message(STATUS "LLVM and MLIR are linked as ${CUTE_LLVM} libraries")

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
if(CUTE_LLVM STREQUAL shared)
  cute_require(CUTE_MLIR_LIBRARY "libMLIR.so" libmlir-22-dev)
  cute_require(CUTE_LLVM_LIBRARY "libLLVM-22.so" llvm-22-dev)
endif()
cute_require(CUTE_MLIR_C_ARCHIVES "libMLIRCAPI*.a" libmlir-22-dev)

file(STRINGS ${CUTE_LLVM_INCLUDE}/llvm/Config/llvm-config.h version_line
     REGEX "#define LLVM_VERSION_MAJOR")
if(NOT version_line MATCHES " 22$")
  message(FATAL_ERROR "LLVM 22 is needed, but ${CUTE_LLVM_PREFIX} has: "
                      "${version_line}")
endif()

add_library(CuteMlirOptions INTERFACE)
target_include_directories(CuteMlirOptions SYSTEM INTERFACE ${CUTE_LLVM_INCLUDE})

# libMLIR.so has no C API: that is in static archives, over C++ libraries.
add_library(CuteMlirLibraries INTERFACE)
target_include_directories(CuteMlirLibraries SYSTEM INTERFACE ${CUTE_LLVM_INCLUDE})
set(CUTE_COMPILER_MAP cute-compiler.map)
if(CUTE_LLVM STREQUAL shared)
  target_link_libraries(CuteMlirLibraries INTERFACE
    ${CUTE_MLIR_LIBRARY} ${CUTE_LLVM_LIBRARY} stdc++ pthread dl m)
else()
  include(${CMAKE_CURRENT_LIST_DIR}/LlvmStatic.cmake)
endif()
add_library(CuteMlir INTERFACE)
target_link_libraries(CuteMlir INTERFACE
  -Wl,--start-group ${CUTE_MLIR_C_ARCHIVES} -Wl,--end-group CuteMlirLibraries)
