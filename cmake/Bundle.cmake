# CUTE_LLVM=static: what is installed so that nothing but glibc is needed: jansson,
# for our libraries alone, the headers of MLIR's C API, and the licences of what is
# linked in.

file(REAL_PATH ${CUTE_JANSSON_SHARED} jansson)
install(FILES ${jansson} RENAME libjansson.so.4 COMPONENT run
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cute)
set_target_properties(cute-run-library PROPERTIES INSTALL_RPATH $ORIGIN/cute)

# The Debian packages whose code is linked in.
set(linked_packages libllvm22 libmlir-22 libjansson4 libzstd1 zlib1g libedit2 libtinfo6
    libbsd0 libmd0 libstdc++6)

# cute_install_licences(COMPONENT FOLDER options...)
function(cute_install_licences component folder)
  foreach(package IN LISTS linked_packages)
    if(EXISTS /usr/share/doc/${package}/copyright)
      install(FILES /usr/share/doc/${package}/copyright RENAME ${package}
              DESTINATION ${folder} COMPONENT ${component} ${ARGN})
    endif()
  endforeach()
endfunction()
cute_install_licences(compiler ${CMAKE_INSTALL_DOCDIR}/licences)

# The same as a bill of materials for machines.
execute_process(
  COMMAND ${Python3_EXECUTABLE} ${CMAKE_SOURCE_DIR}/tools/sbom.py ${PROJECT_VERSION}
          ${linked_packages}
  OUTPUT_FILE ${CMAKE_BINARY_DIR}/cute.spdx.json COMMAND_ERROR_IS_FATAL ANY)
install(FILES ${CMAKE_BINARY_DIR}/cute.spdx.json COMPONENT compiler
        DESTINATION ${CMAKE_INSTALL_DOCDIR})

file(GLOB_RECURSE headers RELATIVE ${CUTE_LLVM_INCLUDE}
     ${CUTE_LLVM_INCLUDE}/mlir-c/*.h ${CUTE_LLVM_INCLUDE}/mlir/*.capi.h.inc
     ${CUTE_LLVM_INCLUDE}/mlir/Config/mlir-config.h)
foreach(header IN LISTS headers)
  get_filename_component(folder ${header} DIRECTORY)
  install(FILES ${CUTE_LLVM_INCLUDE}/${header} COMPONENT compiler
          DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/cute-mlir/${folder})
endforeach()
