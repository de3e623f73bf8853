# cpack --config BUILD/CPackConfig.cmake: an archive that works wherever it is unpacked, if
# LLVM is linked in (./dev package). Debian's packages: packaging/debian.
set(CPACK_PACKAGE_NAME cute)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Compiler for CuTe layouts and kernels")
set(CPACK_PACKAGING_INSTALL_PREFIX /)
set(CPACK_PACKAGE_FILE_NAME cute-${PROJECT_VERSION}-${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_STRIP_FILES ON)
set(CPACK_GENERATOR TGZ TXZ)
include(CPack)
