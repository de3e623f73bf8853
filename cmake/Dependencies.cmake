# Finds what is needed and says which Debian package brings what is missing: with
# CUTE_ALGEBRA_ONLY nothing.

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

find_path(CUTE_JANSSON_INCLUDE jansson.h)
find_library(CUTE_JANSSON_ARCHIVE libjansson.a)
# Of the archive, what reads is no position-independent code.
find_library(CUTE_JANSSON_SHARED libjansson.so)

# Editing of lines in cute-layout; without it, lines are read as they come.
find_library(CUTE_LIBEDIT edit)

set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)

if(NOT CUTE_ALGEBRA_ONLY)
  cute_require(CUTE_JANSSON_ARCHIVE "libjansson.a" libjansson-dev)
  include(${CMAKE_CURRENT_LIST_DIR}/Llvm.cmake)

  # For shared libraries: what reads files refers to stdin as only programs may.
  set(CUTE_JANSSON_FOR_SHARED ${CMAKE_BINARY_DIR}/libjansson.a)
  execute_process(COMMAND ${CMAKE_OBJCOPY} --redefine-sym stdin=cuteLspStdin
    ${CUTE_JANSSON_ARCHIVE} ${CUTE_JANSSON_FOR_SHARED} COMMAND_ERROR_IS_FATAL ANY)
endif()
