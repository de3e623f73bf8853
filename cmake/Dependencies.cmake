# Finds LLVM and MLIR 22 and says which Debian package brings what is missing.

set(CUTE_LLVM_PREFIX /usr/lib/llvm-22 CACHE PATH
    "Where LLVM and MLIR 22 are installed")

function(cute_require variable what package)
  if(NOT ${variable})
    message(FATAL_ERROR "${what} was not found (LLVM is looked for under "
      "${CUTE_LLVM_PREFIX}).\n"
      "On Debian: apt-get install ${package}   (./dev deps installs all that "
      "is needed). Elsewhere: -DCUTE_LLVM_PREFIX=/path/to/llvm-22.")
  endif()
endfunction()

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

find_path(CUTE_JANSSON_INCLUDE jansson.h)
find_library(CUTE_JANSSON_ARCHIVE libjansson.a)
cute_require(CUTE_JANSSON_ARCHIVE "libjansson.a" libjansson-dev)

# Editing of lines in cute-layout; without it, lines are read as they come.
find_library(CUTE_LIBEDIT edit)

file(STRINGS ${CUTE_LLVM_INCLUDE}/llvm/Config/llvm-config.h version_line
     REGEX "#define LLVM_VERSION_MAJOR")
if(NOT version_line MATCHES " 22$")
  message(FATAL_ERROR "LLVM 22 is needed, but ${CUTE_LLVM_PREFIX} has: "
                      "${version_line}")
endif()

# The C API lives in static archives over libMLIR.so, which is C++ inside.
add_library(CuteMlir INTERFACE)
target_include_directories(CuteMlir SYSTEM INTERFACE ${CUTE_LLVM_INCLUDE})
target_link_libraries(CuteMlir INTERFACE
  -Wl,--start-group ${CUTE_MLIR_C_ARCHIVES} -Wl,--end-group
  ${CUTE_MLIR_LIBRARY} ${CUTE_LLVM_LIBRARY} stdc++ pthread dl m)
target_link_options(CuteMlir INTERFACE -Wl,-rpath,${CUTE_LLVM_PREFIX}/lib)

set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)
