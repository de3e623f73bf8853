# cpack -G DEB --config build/release/CPackConfig.cmake: a package that needs LLVM's
# and MLIR's shared libraries.
set(CPACK_PACKAGE_NAME cute)
set(CPACK_PACKAGE_CONTACT "The authors of cute")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Compiler for CuTe layouts and kernels")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_GENERATOR DEB)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
# By name, as dpkg-shlibdeps finds LLVM's library in two packages, and takes either.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_PACKAGE_DEPENDS
    "libllvm22, libmlir-22, libedit2, libjansson4, libstdc++6, libc6 (>= 2.34)")
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "python3-jinja2")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "libmlir-22-dev")
include(CPack)
