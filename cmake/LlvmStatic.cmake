# CUTE_LLVM=static: LLVM's and MLIR's archives; the linker takes what is
# used, and the libraries they need as archives, too, where they are installed. What
# is left is of glibc.

cute_require(CUTE_LLD "lld, to link LLVM's archives" lld-22)
cute_require(llvm_archives "libLLVM*.a and libMLIR*.a" "llvm-22-dev libmlir-22-dev")
cute_require(CUTE_ZLIB "libz.a" zlib1g-dev)
cute_require(CUTE_ZSTD "libzstd.a" libzstd-dev)

# glibc 2.36 reads relative relocations in 1/100 of the space, if the linker marks
# them as lld does from version 15 on.
execute_process(COMMAND ${CUTE_LLD} --version OUTPUT_VARIABLE lld_version)
if(NOT CUTE_GLIBC AND lld_version MATCHES "LLD ([0-9]+)" AND
   CMAKE_MATCH_1 GREATER_EQUAL 15)
  target_link_options(CuteMlirLibraries INTERFACE -Wl,-z,pack-relative-relocs)
endif()
file(REAL_PATH ${CUTE_LLD} lld)
get_filename_component(lld_folder ${lld} DIRECTORY)

target_compile_definitions(CuteMlirOptions INTERFACE CUTE_LLVM_STATIC)
target_link_options(CuteMlirLibraries INTERFACE
  -B${lld_folder} -fuse-ld=lld -Wl,--gc-sections -Wl,-O1 -static-libgcc)

# Some archives come with DWARF 5, 13 MB that valgrind of Debian 12 cannot read.
if(CMAKE_BUILD_TYPE STREQUAL Release AND NOT CMAKE_C_FLAGS MATCHES "-g")
  target_link_options(CuteMlirLibraries INTERFACE -Wl,--strip-debug)
endif()

# What runs at each start lies side by side (tools/startup_functions.py), so that few
# pages of the library are mapped then: 1 MiB for 19.
set(startup_functions ${CMAKE_CURRENT_LIST_DIR}/startup_functions.txt)
target_link_options(CuteMlirLibraries INTERFACE -Wl,-z,keep-text-section-prefix
  -Wl,--symbol-ordering-file=${startup_functions} -Wl,--no-warn-symbol-ordering)
set_property(TARGET CuteMlirLibraries APPEND PROPERTY
  INTERFACE_LINK_DEPENDS ${startup_functions})
target_link_libraries(CuteMlirLibraries INTERFACE
  -Wl,--start-group ${llvm_archives} -Wl,--end-group ${CUTE_ZLIB} ${CUTE_ZSTD}
  -Wl,-Bstatic stdc++ -Wl,-Bdynamic pthread dl m)

# The C API of what lib/Compile/upstream.c registers; programs see all of it.
list(FILTER CUTE_MLIR_C_ARCHIVES INCLUDE REGEX "CAPI(Affine|Arith|Complex|\
ControlFlow|DLTI|Debug|Func|GPU|IR|IRDL|Index|Interfaces|LLVM|Math|MemRef|NVVM|\
SCF|Target|Tensor|Transforms|UB|Vector)[.]a$")
set(CUTE_COMPILER_MAP cute-compiler-static.map)

# What else a package would depend on: the line editor of cute-layout, and jansson,
# whose archive fits no shared library, so that ours have a copy beside them.
foreach(name tinfo bsd md)
  find_library(CUTE_ARCHIVE_${name} lib${name}.a)
  list(APPEND line_editor_needs ${CUTE_ARCHIVE_${name}})
endforeach()
find_library(CUTE_LIBEDIT_ARCHIVE libedit.a)
if(CUTE_LIBEDIT_ARCHIVE)
  set(CUTE_LIBEDIT ${CUTE_LIBEDIT_ARCHIVE} ${line_editor_needs})
endif()
