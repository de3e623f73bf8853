# cpack -G DEB --config build/static/CPackConfig.cmake (./dev package): a package that
# needs glibc alone; from build/release, one that needs LLVM's and MLIR's shared
# libraries. -G TXZ makes an archive that works wherever it is unpacked.
set(CPACK_PACKAGE_NAME cute)
set(CPACK_PACKAGE_CONTACT "The authors of cute")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Compiler for CuTe layouts and kernels")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_PACKAGE_FILE_NAME cute-${PROJECT_VERSION}-${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_PROJECT_CONFIG_FILE
    ${CMAKE_SOURCE_DIR}/cmake/package_config_script.cmake)
set(CPACK_POST_BUILD_SCRIPTS ${CMAKE_SOURCE_DIR}/cmake/debian_size_script.cmake)
set(CPACK_GENERATOR DEB TXZ)
if(CUTE_LLVM STREQUAL static)
  set(CPACK_DEBIAN_PACKAGE_DEPENDS "libc6 (>= 2.36)")
else()
  set(CPACK_DEBIAN_PACKAGE_DEPENDS
      "libllvm22, libmlir-22, libedit2, libjansson4, libstdc++6, libc6 (>= 2.34)")
endif()
# By name, as dpkg-shlibdeps finds LLVM's library in two packages, and takes either.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "libmlir-22-dev")
include(CPack)
