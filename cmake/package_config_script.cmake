# An archive has bin/ and lib/ at its top; a package of Debian has them in /usr.
if(NOT CPACK_GENERATOR STREQUAL DEB)
  set(CPACK_PACKAGING_INSTALL_PREFIX /)
endif()
