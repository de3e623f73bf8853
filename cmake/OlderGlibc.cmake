# CUTE_GLIBC=2.28: programs and libraries that run with that glibc or a newer one, however
# new the one here is. The linker finds stubs of that version first.

set(CUTE_GLIBC "" CACHE STRING "The oldest glibc to run with; empty: this machine's")
if(NOT CUTE_GLIBC)
  return()
endif()
find_package(Python3 3.9 REQUIRED COMPONENTS Interpreter)
set(stubs ${CMAKE_BINARY_DIR}/older-glibc)
set(compiler ${CMAKE_C_COMPILER})
if(CMAKE_SYSROOT)
  list(APPEND compiler --sysroot=${CMAKE_SYSROOT})
endif()
set(CUTE_GLIBC_TOOL ${CMAKE_SOURCE_DIR}/tools/older_glibc.py)
execute_process(
  COMMAND ${Python3_EXECUTABLE} ${CUTE_GLIBC_TOOL} ${stubs} ${CUTE_GLIBC} ${compiler}
  COMMAND_ERROR_IS_FATAL ANY)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
  ${CUTE_GLIBC_TOOL} ${CMAKE_SOURCE_DIR}/tools/older_glibc.c)
# gcc's own libgcc_s.so asks for what the stubs lack; nothing here uses it.
add_link_options(-L${stubs} -Wl,--allow-shlib-undefined)
