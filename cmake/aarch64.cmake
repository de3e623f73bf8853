# Toolchain for aarch64 on Debian: -DCMAKE_TOOLCHAIN_FILE=cmake/aarch64.cmake with
# -DCUTE_SYSROOT=FOLDER, an arm64 system with what `./dev deps` names for arm64
# (packaging/package.sh makes one). Programs that the build runs go through qemu.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES CUTE_SYSROOT)
set(CMAKE_SYSROOT ${CUTE_SYSROOT})
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64-static -L ${CUTE_SYSROOT})

# gcc of another architecture looks for ld.lld only beside itself and where -B says, and
# for libstdc++ beside itself alone.
find_program(CUTE_LLD NAMES ld.lld ld.lld-22 HINTS /usr/lib/llvm-22/bin)
file(REAL_PATH "${CUTE_LLD}" lld)
get_filename_component(lld_folder "${lld}" DIRECTORY)
file(GLOB gcc_folder ${CUTE_SYSROOT}/usr/lib/gcc/aarch64-linux-gnu/*)
foreach(kind EXE SHARED MODULE)
  set(CMAKE_${kind}_LINKER_FLAGS_INIT "-B${lld_folder} -L${gcc_folder}")
endforeach()
