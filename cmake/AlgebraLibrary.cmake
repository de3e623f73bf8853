# libcute-algebra: Support, Hardware and Algebra alone, shared and static, which need
# nothing but the C library. Both show the functions of the public headers only.

set(algebra_objects $<TARGET_OBJECTS:CuteSupport>
  $<TARGET_OBJECTS:CuteHardware> $<TARGET_OBJECTS:CuteAlgebra>)

# The library has no function that fails with a status.
set(algebra_library_objects
  $<FILTER:$<TARGET_OBJECTS:CuteSupport>,EXCLUDE,/\(status|file|formula\)\\.c>
  $<TARGET_OBJECTS:CuteHardware> $<TARGET_OBJECTS:CuteAlgebra>)

add_library(cute-algebra SHARED ${algebra_library_objects})
target_link_options(cute-algebra PRIVATE
  -Wl,--version-script=${CMAKE_SOURCE_DIR}/cmake/cute.map
  -Wl,--no-undefined)
set_target_properties(cute-algebra PROPERTIES
  VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}
  LINK_DEPENDS ${CMAKE_SOURCE_DIR}/cmake/cute.map)

# The archive has one object, in which hidden functions became local: so they
# cannot clash with those of a program that links it.
add_custom_command(
  OUTPUT cute-algebra.o
  COMMAND ${CMAKE_LINKER} -r -o cute-algebra.o ${algebra_library_objects}
  COMMAND ${CMAKE_OBJCOPY} --localize-hidden cute-algebra.o
  DEPENDS ${algebra_library_objects}
  COMMAND_EXPAND_LISTS)
add_library(cute-algebra-static STATIC ${CMAKE_BINARY_DIR}/cute-algebra.o)
set_target_properties(cute-algebra-static PROPERTIES
  OUTPUT_NAME cute-algebra LINKER_LANGUAGE C)

# cmake --install build/release --component algebra --prefix DIRECTORY
file(RELATIVE_PATH CUTE_PREFIX_FROM_PC
     /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
configure_file(cmake/cute-algebra.pc.in cute-algebra.pc @ONLY)
install(TARGETS cute-algebra cute-algebra-static
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT algebra
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT algebra)
foreach(header Support Context IntTuple Layout ElementType Arch Atom Tma Laws
        Explain)
  install(FILES include/cute/${header}.h COMPONENT algebra
          DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/cute)
endforeach()
install(FILES ${CMAKE_BINARY_DIR}/cute-algebra.pc COMPONENT algebra
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
